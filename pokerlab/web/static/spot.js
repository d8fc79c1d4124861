// One spot of a solved game: actions that lead to the next spot, the grid split by action, expectations by hand.
import { html, useEffect, useState, ask, chips, signed, percent, inBrief, Scroll } from "./html.js";
import { Cards, Written } from "./cards.js";
import { Grid, actionColours, leftGround, splitGround } from "./grid.js";

const GONE = 0.001; // hands that are left with less of their weight are grey

export function Spot({ name, at, round, move: moveTo, brief = false }) {
  const [spot, setSpot] = useState(null);
  const [wrong, setWrong] = useState("");
  const [hand, setHand] = useState("");
  const [pending, setPending] = useState("");
  useEffect(() => {
    let over = false;
    ask(`/api/solves/${name}/spot?${new URLSearchParams({ at })}`)
      .then((a) => a.json())
      .then((found) => {
        if (!over) {
          setSpot({ ...found, at });
          setWrong("");
        }
      })
      .catch((error) => {
        if (!over) setWrong(error.message);
      });
    return () => {
      over = true;
    };
  }, [name, at, round]);
  if (wrong)
    return html`
      <p class="wrong" role="alert">
        ${wrong}
      </p>
    `;
  if (!spot) return html`<p class="note">…</p>`;
  const stale = spot.at !== at; // the next one is on its way: what is shown is still the last
  const parts = spot.at.split(/(, | \/ )/),
    colours = actionColours(spot.actions);
  let step = 0;
  const crumbs = [
    ["start", ""],
    ...parts
      .filter((_, i) => i % 2 === 0 && parts[i])
      .map((part, i) => [
        /^([2-9TJQKA][cdhs])+$/.test(part) ? part : inBrief(spot.path[step++] || part),
        parts.slice(0, 2 * i + 1).join(""),
      ]),
  ];
  const move = (to) => {
    setPending("");
    moveTo(to);
  };
  const row = spot.hands.find((each) => each.hand === hand);
  const board = spot.board;
  return html`
    <section class="panel solved" aria-label="The spot" aria-busy=${stale ? "true" : "false"}>
      <nav class="crumbs" aria-label="The way here">
        ${crumbs.map(([label, to], i) => html`
          <button
            type="button"
            class="crumb"
            aria-current=${i === crumbs.length - 1 ? "step" : undefined}
            onClick=${() => move(to)}
          >
            ${label}
          </button>
        `)}
      </nav>
      <div class="spot-head">
        <div>
          <p>
            <b>${spot.seat === 0 ? "First to act" : "The other"}</b> decides, ${spot.street}, pot${" "}
            ${chips(spot.pot)}
          </p>
          ${spot.expected && html`
            <p class="note">
              expects ${signed(spot.expected[spot.seat])} chips; equity ${percent(spot.equity[spot.seat])}
            </p>
          `}
        </div>
        ${board.length > 0 && html`<${Cards} cards=${board} small=${true} />`}
      </div>
      <ul class="strips actions">
        ${spot.actions.map((action, i) => html`
          <li>
            <button
              type="button"
              class="walk"
              disabled=${stale || action.next === null}
              onClick=${() => (action.deals && spot.grid ? setPending(action.next) : move(action.next))}
            >
              <span class="strip-name">${inBrief(action.words)}</span>
              <span class="strip">
                <i style=${{ width: percent(action.share ?? 0), background: colours[i] }}></i>
              </span>
              <b>${percent(action.share)}</b>
            </button>
          </li>
        `)}
      </ul>
      <${NextCard} spot=${spot} at=${spot.at} pending=${pending} move=${move} />
      ${brief ? (
        ""
      ) : spot.grid ? html`
        <div class="split">
          <${Grid}
            caption="How often each hand takes each action"
            chosen=${hand}
            onChoose=${setHand}
            cell=${(label) => {
              const found = spot.hands.find((each) => each.hand === label);
              if (!found || found.left < GONE)
                return { dead: true, title: `${label}: ${found ? "no longer" : "not"} in the range` };
              const shares = spot.actions.map((action, i) => `${inBrief(action.words)} ${percent(found.p[i], 0)}`);
              return {
                style: { background: leftGround(found.p, colours, found.left ?? 1) },
                title: `${label}: ${shares.join(", ")}`,
              };
            }}
          />
          <${Hand} spot=${spot} row=${row} />
        </div>
      ` : html`
        <${Table} spot=${spot} colours=${colours} />
      `}
    </section>
  `;
}

// The choice of a card where the next street begins; in small games the card stays open until one is chosen.
function NextCard({ spot, at, pending, move }) {
  const open = pending || (!spot.grid && spot.hands.some((each) => each.hand.includes(" on ")) ? at : "");
  if (!open || (!pending && spot.board.length)) return null;
  const left = spot.deck.filter((card) => !spot.board.includes(card));
  return html`
    <div class="pick" role="group" aria-label="The next card">
      <span class="note">The next card is</span>
      ${left.map((card) => html`
        <button type="button" class="quiet" onClick=${() => move(`${open} / ${card}`)}>
          <${Written} cards=${[card]} />
        </button>
      `)}
    </div>
  `;
}

const Hand = ({ spot, row }) =>
  row ? html`
    <div class="hand-detail">
      <h2>${row.hand}</h2>
      <dl class="numbers">
        ${spot.actions.map((action, i) => html`
            <dt>${inBrief(action.words)}</dt>
            <dd>${percent(row.p[i])}</dd>
          `)}
        ${row.ev !== null && html`
            <dt>expects, chips</dt>
            <dd>${signed(row.ev)}</dd>
          `}
        ${row.equity !== null && html`
            <dt>equity</dt>
            <dd>${percent(row.equity)}</dd>
          `}
        ${row.left !== null && html`
            <dt>left of its weight</dt>
            <dd>${percent(row.left)}</dd>
          `}
        <dt>share of the range</dt>
        <dd>${percent(row.share)}</dd>
      </dl>
    </div>
  ` : html`
    <p class="note hand-detail">
      Choose a hand to see what it does and what it is worth. A cell is filled as far as the hand is left;
      grey hands are not in the range here, or no longer.
    </p>
  `;

const Table = ({ spot, colours }) => html`
  <${Scroll} label="Every hand">
    <table class="numbers-table">
      <thead>
        <tr>
          <th scope="col">hand</th>
          <th scope="col">does</th>
          ${spot.actions.map((action) => html`
            <th scope="col">${inBrief(action.words)}</th>
          `)}
          <th scope="col">expects</th>
          <th scope="col">equity</th>
          <th scope="col">share</th>
        </tr>
      </thead>
      <tbody>
        ${spot.hands.map((row) => html`
          <tr>
            <th scope="row">${row.hand}</th>
            <td>
              <span class="split-bar" style=${{ background: splitGround(row.p, colours) }}></span>
            </td>
            ${row.p.map((p) => html`
              <td>${percent(p)}</td>
            `)}
            <td>${row.ev === null ? "–" : signed(row.ev)}</td>
            <td>${percent(row.equity)}</td>
            <td>${percent(row.share)}</td>
          </tr>
        `)}
      </tbody>
    </table>
  <//>
`;
