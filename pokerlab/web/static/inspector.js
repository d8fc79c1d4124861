// Beside the ranges: the combos of the chosen hand, kinds of hands to filter by, blockers, locks and copies of ranges.
import { html, useEffect, useState, ask, percent, signed, inBrief, Scroll } from "./html.js";
import { SYMBOLS, Written } from "./cards.js";
import { RANKS, splitGround } from "./grid.js";
import { blocked, classOf, grouped, lockText, together, withoutCard } from "./hands.js";

const TABS = [
  ["hands", "Hands"],
  ["blockers", "Blockers"],
  ["lock", "Lock"],
  ["copy", "Copy"],
];

export function Inspector(props) {
  const { spot, hand, who, lock } = props;
  const [tab, setTab] = useState("hands");
  useEffect(() => {
    if (hand.name && tab !== "lock") setTab("hands");
  }, [hand.name, hand.seat]);
  const of = spot.combos[hand.seat],
    combos = hand.name ? of.hand.flatMap((combo, i) => (classOf(combo) === hand.name ? [i] : [])) : [];
  return html`
    <div class="hand-detail">
      <div class="front tight-tabs" role="group" aria-label="About the hands">
        ${TABS.filter(([key]) => key !== "lock" || lock).map(
          ([key, label]) => html`
          <button
            type="button"
            class="quiet"
            aria-pressed=${tab === key ? "true" : "false"}
            onClick=${() => setTab(key)}
          >
            ${label}
          </button>
        `,
        )}
      </div>
      ${
        tab === "hands" &&
        (combos.length
          ? html`<${Hand} ...${props} combos=${combos} who=${who[hand.seat]} />`
          : html`<${Kinds} ...${props} />`)
      }
      ${tab === "blockers" && html`<${Blockers} ...${props} />`}
      ${tab === "lock" && html`<${Lock} key=${`${spot.at} ${hand.name}`} ...${props} />`}
      ${tab === "copy" && html`<${Copy} ...${props} />`}
    </div>
  `;
}

// The chosen hand: its actions, what each is worth, and each combo by its suits.
function Hand({ spot, hand, who, combos, colours, close }) {
  const of = spot.combos[hand.seat],
    other = spot.combos[1 - hand.seat],
    row = together(of, combos),
    acts = hand.seat === spot.seat;
  return html`
    <h2>
      ${hand.name} <span class="note">${who.toLowerCase()}</span>
      <button type="button" class="quiet close" aria-label="Back to all hands" onClick=${close}>×</button>
    </h2>
    <dl class="numbers">
      ${
        acts &&
        spot.actions.map(
          (action, i) => html`
          <dt>
            ${inBrief(action.words)}${" "}
            <span class="note">${(row.evs[i] ?? null) === null ? "" : `EV ${signed(row.evs[i])}`}</span>
          </dt>
          <dd>${percent(row.p[i])}</dd>
        `,
        )
      }
      ${
        row.ev !== null &&
        html`
          <dt>expects, chips</dt>
          <dd>${signed(row.ev)}</dd>
        `
      }
      ${
        row.equity !== null &&
        html`
          <dt>equity</dt>
          <dd>${percent(row.equity)}</dd>
        `
      }
      <dt>left of its weight</dt>
      <dd>${percent(row.left)}</dd>
      <dt>share of the range</dt>
      <dd>${percent(row.share)}</dd>
    </dl>
    <${Scroll} label=${`Combos of ${hand.name}`}>
      <table class="numbers-table close">
        <caption class="sr">Combos of ${hand.name} by suit</caption>
        <thead>
          <tr>
            <th scope="col">combo</th>
            ${acts && html`<th scope="col">does</th>`}
            <th scope="col">EV</th>
            <th scope="col">equity</th>
            <th scope="col">blocks</th>
          </tr>
        </thead>
        <tbody>
          ${combos.map(
            (i) => html`
            <tr>
              <th scope="row"><${Written} cards=${[of.hand[i].slice(0, 2), of.hand[i].slice(2)]} /></th>
              ${
                acts &&
                html`
                <td>
                  <span
                    class="split-bar"
                    role="img"
                    aria-label=${spot.actions
                      .map((action, a) => `${inBrief(action.words)} ${percent(of.p[a][i], 0)}`)
                      .join(", ")}
                    title=${spot.actions
                      .map((action, a) => `${inBrief(action.words)} ${percent(of.p[a][i])}`)
                      .join(", ")}
                    style=${{
                      background: splitGround(
                        of.p.map((p) => p[i] ?? 0),
                        colours,
                      ),
                    }}
                  ></span>
                </td>
              `
              }
              <td>${of.ev[i] === null ? "–" : signed(of.ev[i], 1)}</td>
              <td>${percent(of.equity[i], 0)}</td>
              <td>${percent(blocked(of.hand[i], other), 0)}</td>
            </tr>
          `,
          )}
        </tbody>
      </table>
    <//>
    <p class="note">Blocks: the share of the other range that holds one of these two cards.</p>
  `;
}

// Made hands and draws of one range: how often, what they do; a click shows only those in both grids.
function Kinds({ spot, seat, who, colours, kinds, setKinds }) {
  const of = spot.combos[seat],
    acts = seat === spot.seat;
  const toggle = (key, number) =>
    setKinds((now) => ({
      ...now,
      [key]: now[key].includes(number) ? now[key].filter((each) => each !== number) : [...now[key], number],
    }));
  const table = (key, names, heading) => {
    const groups = grouped(of, (i) => of[key][i]);
    const rows = names
      .map((name, number) => [name, number, groups.get(number)])
      .filter(([, , row]) => row && row.weight > 0);
    if (rows.length < 2 && key === "draw") return "";
    return html`
      <table class="numbers-table close kinds">
        <thead>
          <tr>
            <th scope="col">${heading}</th>
            <th scope="col">share</th>
            ${acts ? html`<th scope="col" class="bar-head">does</th>` : html`<th scope="col">EV</th>`}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([name, number, row]) => html`
            <tr class=${kinds[key].includes(number) ? "on" : ""}>
              <th scope="row">
                <button
                  type="button"
                  class="kind"
                  aria-pressed=${kinds[key].includes(number) ? "true" : "false"}
                  onClick=${() => toggle(key, number)}
                >
                  ${name}
                </button>
              </th>
              <td>${percent(row.share)}</td>
              <td>
                ${
                  acts
                    ? html`
                      <span
                        class="split-bar"
                        role="img"
                        aria-label=${spot.actions
                          .map((action, a) => `${inBrief(action.words)} ${percent(row.p[a], 0)}`)
                          .join(", ")}
                        style=${{
                          background: splitGround(
                            row.p.map((p) => p ?? 0),
                            colours,
                          ),
                        }}
                      ></span>
                    `
                    : row.ev === null
                      ? "–"
                      : signed(row.ev, 1)
                }
              </td>
            </tr>
          `,
          )}
        </tbody>
      </table>
    `;
  };
  const some = kinds.made.length + kinds.draw.length > 0;
  return html`
    <p class="note">
      ${who[seat]}, by kind; choose kinds to see only those, or a hand in a grid to see its combos.
      ${
        some &&
        html`
        ${" "}
        <button type="button" class="linkish" onClick=${() => setKinds({ made: [], draw: [] })}>Show all</button>
      `
      }
    </p>
    ${table("made", spot.kinds.made, "made hand")} ${table("draw", spot.kinds.draws, "draw")}
  `;
}

// How the actor's frequencies change over the hands without a card: what holding that card tells the other player.
function Blockers({ spot, who }) {
  const [action, setAction] = useState(spot.actions.length - 1);
  const of = spot.combos[spot.seat],
    chosen = Math.min(action, spot.actions.length - 1);
  return html`
    <p class="note">
      If the other player holds a card, ${who[spot.seat].toLowerCase()} does not. In percentage points, how much more or
      less often the hands without it take this action:
    </p>
    <label class="block">
      Action
      <select value=${chosen} onChange=${(event) => setAction(Number(event.target.value))}>
        ${spot.actions.map((each, i) => html`<option value=${i}>${inBrief(each.words)}</option>`)}
      </select>
    </label>
    <table class="numbers-table close blockers">
      <thead>
        <tr>
          <td></td>
          ${[..."shdc"].map((suit) => html`<th scope="col">${SYMBOLS[suit]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...RANKS].map(
          (rank) => html`
          <tr>
            <th scope="row">${rank}</th>
            ${[..."shdc"].map((suit) => {
              const card = rank + suit,
                change = spot.board.includes(card) ? null : withoutCard(of, card)[chosen];
              return html`
                <td class=${change > 0.005 ? "more" : change < -0.005 ? "less" : ""}>
                  ${change === null ? "–" : signed(100 * change, 1)}
                </td>
              `;
            })}
          </tr>
        `,
        )}
      </tbody>
    </table>
  `;
}

// A lock of this decision: the chosen hand, or all of them, at given frequencies.
function Lock({ spot, hand, lock }) {
  const own = hand.name && hand.seat === spot.seat ? hand.name : "";
  const [shares, setShares] = useState(spot.actions.map(() => ""));
  const text = lockText(
    spot.spot,
    own,
    spot.actions.map((action, i) => [action.name, shares[i]]),
  );
  return html`
    <p class="note">
      Fix how often ${own || "every hand"} ${own ? "takes" : "of the player to act takes"} an action here, and solve the
      rest again. Empty actions share what is left. Choose a hand in the grid to lock it alone.
    </p>
    <div class="lock-fields">
      ${spot.actions.map(
        (action, i) => html`
        <label>
          ${inBrief(action.words)}, %
          <input
            type="number"
            min="0"
            max="100"
            step="any"
            value=${shares[i]}
            placeholder=${(100 * (action.share ?? 0)).toFixed(0)}
            onInput=${(event) => setShares((now) => now.map((each, a) => (a === i ? event.target.value : each)))}
          />
        </label>
      `,
      )}
    </div>
    <button type="button" disabled=${shares.every((share) => share === "")} onClick=${() => lock(text)}>
      Add the lock
    </button>
  `;
}

// The range of a player here as text, for this lab and PioSOLVER, and for GTO+.
function Copy({ name, spot, who }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  const take = (seat, form) => async () => {
    try {
      const asked = new URLSearchParams({ at: spot.at, seat, form });
      const found = await (await ask(`/api/solves/${name}/range?${asked}`)).json();
      setText(found.text);
      setSaid("The text is below.");
      await navigator.clipboard.writeText(found.text);
      setSaid("Copied.");
    } catch (error) {
      setSaid((now) => now || error.message);
    }
  };
  return html`
    <p class="note">The ranges here, with what is left of every hand:</p>
    ${[0, 1].map(
      (seat) => html`
      <p class="copy-row">
        <b>${who[seat]}</b>
        <button type="button" class="quiet" onClick=${take(seat, "weights")}>as AA, KK:0.5</button>
        <button type="button" class="quiet" onClick=${take(seat, "gto+")}>as [50]KK[/50]</button>
      </p>
    `,
    )}
    <p class="note" role="status">${said}</p>
    ${
      text &&
      html`
      <label class="block">
        The range
        <textarea rows="6" readonly value=${text}></textarea>
      </label>
    `
    }
  `;
}
