// The grid of one player's range at a spot: split by action, or a heat map of EV or equity.
import { html, chips, signed, percent, inBrief } from "./html.js";
import { Grid, leftGround, rampStyle } from "./grid.js";
import { byClass, span, together } from "./hands.js";

const GONE = 0.001; // hands that are left with less of their weight are no longer there
export const SHOWN = [
  ["actions", "what hands do"],
  ["ev", "EV"],
  ["equity", "equity"],
  ["left", "what is left of the range"],
];

/** @type {(of: import("./hands.js").Columns, kinds: {made: number[], draw: number[]}) => (i: number) => boolean} */
export const filtered =
  (of, { made, draw }) =>
  (i) =>
    (!made.length || made.includes(of.made[i])) && (!draw.length || draw.includes(of.draw[i]));

// The value that a heat map shows of some hands; null where it is unknown.
function valueOf(row, shown) {
  if (shown === "left") return row.left;
  if (shown.startsWith("evs")) return row.evs[Number(shown.slice(3))] ?? null;
  return row[shown];
}

export function Range({ who, spot, seat, shown, colours, keep, front, chosen, choose }) {
  const of = spot.combos[seat],
    acts = seat === spot.seat,
    all = byClass(of),
    rows = byClass(of, keep),
    map = acts || !(shown === "actions" || shown.startsWith("evs")) ? shown : "ev";
  const [low, high] = span(
    [...rows.values()].filter((row) => row.left >= GONE).map((row) => valueOf(row, map)),
  );
  const name = (value) => (value === null ? "–" : map.startsWith("ev") ? signed(value) : percent(value, 0));
  const label = (hand) => (acts ? hand : `${hand} (${who.toLowerCase()})`);
  const cell = (hand) => {
    if (!all.has(hand)) return { dead: true, title: `${hand}: not in the range` };
    const row = rows.get(hand);
    if (!row) return { dead: "out", title: `${hand}: not among the kinds chosen` };
    if (row.left < GONE) return { dead: "gone", title: `${hand}: no longer in the range` };
    if (map === "actions") {
      const shares = spot.actions.map((action, i) => `${inBrief(action.words)} ${percent(row.p[i], 0)}`);
      return {
        style: {
          background: leftGround(
            row.p.map((p) => p ?? 0),
            colours,
            row.left,
          ),
        },
        title: `${label(hand)}: ${shares.join(", ")}`,
      };
    }
    const value = valueOf(row, map);
    const style = value === null ? {} : rampStyle(high > low ? (value - low) / (high - low) : 0.5);
    return { style, title: `${label(hand)}: ${name(value)}` };
  };
  const total = together(of, of.hand.map((_, i) => i).filter(keep));
  return html`
    <figure class=${`range-now ${front ? "front-range" : ""}`}>
      <figcaption>
        <b>${who}</b>${" "}
        <span class="note">
          ${chips(Math.round(10 * total.weight) / 10)} combos
          ${total.ev === null ? "" : `, EV ${signed(total.ev)}, equity ${percent(total.equity)}`}
        </span>
      </figcaption>
      <${Grid}
        caption=${map === "actions" ? `${who}: how often each hand takes each action` : `${who}: ${map} by hand`}
        chosen=${chosen}
        onChoose=${choose}
        cell=${cell}
      />
      ${
        map !== "actions" &&
        html`
        <p class="note ramp-key">
          ${map === "left" ? "left of the range" : map === "equity" ? "equity" : "EV"}: ${name(low)}
          <span class="ramp" aria-hidden="true">
            ${[0, 0.25, 0.5, 0.75, 1].map(
              (share) => html`<i style=${{ background: rampStyle(share).background }}></i>`,
            )}
          </span>
          ${name(high)}
        </p>
      `
      }
    </figure>
  `;
}
