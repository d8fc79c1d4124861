// The combos of a player at a spot, grouped by hand class, by made hand or by draw. Pure: tests run it in Node.

/**
 * Columns by combo, as the server sends them; `p` and `evs` are by action, of the player to act.
 * @typedef {{hand: string[], made: number[], draw: number[], began: number[], weight: number[], share: number[],
 *   ev: (number | null)[], equity: (number | null)[], p?: number[][], evs?: (number | null)[][]}} Columns
 */

/** @type {(combo: string) => string} The class of a combo: AhKd is AKo. */
export const classOf = (combo) =>
  combo[0] === combo[2] ? combo[0] + combo[2] : combo[0] + combo[2] + (combo[1] === combo[3] ? "s" : "o");

/**
 * The mean of a column over some combos, weighted by how often each is held; null where none has a value.
 * @param {(number | null)[] | undefined} column
 * @param {Columns} of
 * @param {number[]} combos
 */
function mean(column, of, combos) {
  let total = 0,
    all = 0;
  for (const i of combos) {
    const value = column && column[i];
    if (value === null || value === undefined) continue;
    total += of.share[i] * value;
    all += of.share[i];
  }
  return all > 0 ? total / all : null;
}

const sum = (column, combos) => combos.reduce((total, i) => total + column[i], 0);

/** Everything that a page shows of some combos of a player. */
export function together(of, combos) {
  const began = sum(of.began, combos),
    weight = sum(of.weight, combos),
    by = (columns) => (columns || []).map((column) => mean(column, of, combos));
  return {
    combos,
    began,
    weight,
    left: began > 0 ? weight / began : 0,
    share: sum(of.share, combos),
    p: by(of.p),
    evs: by(of.evs),
    ev: mean(of.ev, of, combos),
    equity: mean(of.equity, of, combos),
  };
}

/**
 * Groups of combos by a key, in order of first appearance; `keep` leaves combos out.
 * @param {Columns} of
 * @param {(i: number) => string | number} key
 * @param {(i: number) => boolean} [keep]
 */
export function grouped(of, key, keep = () => true) {
  const groups = new Map();
  of.hand.forEach((_, i) => {
    if (!keep(i)) return;
    const name = key(i);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(i);
  });
  return new Map([...groups].map(([name, combos]) => [name, together(of, combos)]));
}

/** @type {(of: Columns, keep?: (i: number) => boolean) => Map<string, ReturnType<typeof together>>} */
export const byClass = (of, keep) => grouped(of, (i) => classOf(of.hand[i]), keep);

/**
 * How often each action is taken without the hands that hold a card, less how often with all: what it tells the player
 * to hold that card. Null where nothing is left.
 */
export function withoutCard(of, card) {
  const every = of.hand.map((_, i) => i),
    all = together(of, every),
    rest = together(
      of,
      every.filter((i) => of.hand[i].slice(0, 2) !== card && of.hand[i].slice(2) !== card),
    );
  return rest.p.map((p, action) => (p === null || all.p[action] === null ? null : p - all.p[action]));
}

/** @type {(combo: string, of: Columns) => number} The share of a player's range that a combo of the other blocks. */
export function blocked(combo, of) {
  const cards = [combo.slice(0, 2), combo.slice(2)],
    holds = (hand) => cards.includes(hand.slice(0, 2)) || cards.includes(hand.slice(2));
  let all = 0,
    gone = 0;
  of.hand.forEach((hand, i) => {
    all += of.weight[i];
    if (holds(hand)) gone += of.weight[i];
  });
  return all > 0 ? gone / all : 0;
}

/** @type {(values: (number | null)[]) => [number, number]} The smallest and the largest value that is known. */
export function span(values) {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length ? [Math.min(...known), Math.max(...known)] : [0, 0];
}

/**
 * A lock in the grammar of `pokerlab solve subgame --lock`: "first: AKs bet 50 25%, check 75%".
 * @param {string} spot its text; empty for the first decision
 * @param {string} hand a class or a combo; empty for every hand
 * @param {[string, string][]} shares the name of each action with its percentage, empty where it is free
 */
export const lockText = (spot, hand, shares) =>
  `${spot || "first"}: ` +
  shares
    .filter(([, share]) => share !== "")
    .map(([name, share]) => `${hand ? `${hand} ` : ""}${name} ${share}%`)
    .join(", ");
