// One spot of a solved game: its line, its actions, both ranges side by side, and a panel about hands, cards and locks.
import { html, useEffect, useMemo, useState, ask, chips, signed, percent, inBrief, Scroll } from "./html.js";
import { Cards } from "./cards.js";
import { actionColours, splitGround } from "./grid.js";
import { NextCard } from "./runouts.js";
import { Inspector } from "./inspector.js";
import { Range, SHOWN, filtered } from "./spot_ranges.js";

const WHO = ["First to act", "The other"];

export function Spot({ name, at, round, move: moveTo, brief = false, lock }) {
  const [spot, setSpot] = useState(null);
  const [wrong, setWrong] = useState("");
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
  const stale = Boolean(spot) && spot.at !== at; // the next one is on its way: what is shown is still the last
  const move = (to) => {
    setPending("");
    moveTo(to);
  };
  const follow = (action) =>
    action &&
    action.next !== null &&
    !stale &&
    (action.deals && spot.grid ? setPending(action.next) : move(action.next));
  const crumbs = spot ? crumbsOf(spot) : [];
  // Back to a crumb; where a street ended, to the decision that ended it, with the next card to choose.
  const back = (i) => {
    const [, to] = crumbs[i];
    const ended = spot.grid && crumbs[i + 1]?.[1].startsWith(`${to} / `);
    move(ended ? crumbs[i - 1][1] : to);
    if (ended) setPending(to);
  };
  useWalkKeys(spot && !brief && !stale ? { spot, crumbs, pending, back, follow, setPending } : null);
  if (wrong)
    return html`
      <p class="wrong" role="alert">
        ${wrong}
      </p>
    `;
  if (!spot) return html`<p class="note">…</p>`;
  const colours = actionColours(spot.actions);
  return html`
    <section class="panel solved" aria-label="The spot" aria-busy=${stale ? "true" : "false"}>
      <div class="spot-head">
        <nav class="crumbs" aria-label="The way here">
          ${crumbs.map(
            ([label], i) => html`
            <button
              type="button"
              class="crumb"
              aria-current=${i === crumbs.length - 1 ? "step" : undefined}
              onClick=${() => back(i)}
            >
              ${label}
            </button>
          `,
          )}
        </nav>
        <p class="decides">
          <b>${WHO[spot.seat]}</b> decides, ${spot.street}, pot${" "} ${chips(spot.pot)}
          ${
            spot.expected &&
            html`
            <span class="note">
              , expects ${signed(spot.expected[spot.seat])} chips; equity ${percent(spot.equity[spot.seat])}
            </span>
          `
          }
        </p>
        ${spot.board.length > 0 && html`<${Cards} cards=${spot.board} small=${true} />`}
      </div>
      <ul class="strips actions">
        ${spot.actions.map(
          (action, i) => html`
          <li>
            <button
              type="button"
              class="walk"
              disabled=${stale || action.next === null}
              onClick=${() => follow(action)}
            >
              <span class="strip-name">
                ${inBrief(action.words)}
                ${action.pots !== null && html`<small>${` ${Number(action.pots.toFixed(2))} pot`}</small>`}
              </span>
              <span class="strip">
                <i style=${{ width: percent(action.share ?? 0), background: colours[i] }}></i>
              </span>
              <b>${percent(action.share)}</b>
            </button>
          </li>
        `,
        )}
      </ul>
      <${NextCard} name=${name} spot=${spot} pending=${stale ? "" : pending} move=${move} />
      ${
        brief
          ? ""
          : spot.grid
            ? html`
        <${Both} name=${name} spot=${spot} colours=${colours} lock=${lock} />
      `
            : html`
        <${Table} spot=${spot} colours=${colours} />
      `
      }
    </section>
  `;
}

export function crumbsOf(spot) {
  const parts = spot.at.split(/(, | \/ )/);
  let step = 0;
  return [
    ["start", ""],
    ...parts
      .filter((_, i) => i % 2 === 0 && parts[i])
      .map((part, i) => [
        /^([2-9TJQKA][cdhs])+$/.test(part) ? part : inBrief(spot.path[step++] || part),
        parts.slice(0, 2 * i + 1).join(""),
      ]),
  ];
}

// Arrows walk the tree: left goes back, right takes the most frequent action, digits choose an action.
function useWalkKeys(walk) {
  useEffect(() => {
    if (!walk) return undefined;
    const { spot, crumbs, pending, back, follow, setPending } = walk;
    const pressed = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input, select, textarea, [role=tab], .scroll, .painter")) return;
      const open = spot.actions.filter((action) => action.next !== null);
      if (event.key === "ArrowLeft") {
        if (pending) setPending("");
        else if (crumbs.length > 1) back(crumbs.length - 2);
      } else if (event.key === "ArrowRight") {
        follow(open.reduce((best, each) => (best && best.share >= each.share ? best : each), null));
      } else if (/^[1-9]$/.test(event.key)) follow(spot.actions[Number(event.key) - 1]);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

// Both ranges, the actor's split by action, beside a panel about the chosen hand or all hands.
function Both({ name, spot, colours, lock }) {
  const [hand, setHand] = useState({ seat: spot.seat, name: "" });
  const [shown, setShown] = useState("actions");
  const [kinds, setKinds] = useState({ made: [], draw: [] });
  const [front, setFront] = useState(null); // the range that a narrow page shows; by default the actor's
  const keep = useMemo(() => spot.combos.map((of) => filtered(of, kinds)), [spot, kinds]);
  const choose = (seat) => (label) =>
    setHand((now) => (now.seat === seat && now.name === label ? { seat, name: "" } : { seat, name: label }));
  const options = [
    ...SHOWN,
    ...spot.actions.map((action, i) => [`evs${i}`, `EV of ${inBrief(action.words)}`]),
  ];
  return html`
    <div class="range-tools">
      <label class="inline">
        <span class="note show">Show</span>
        <select value=${shown} onChange=${(event) => setShown(event.target.value)}>
          ${options.map(([key, label]) => html`<option value=${key}>${label}</option>`)}
        </select>
      </label>
      <div class="front" role="group" aria-label="Player">
        ${WHO.map(
          (who, seat) => html`
          <button
            type="button"
            class="quiet"
            aria-pressed=${(front ?? spot.seat) === seat ? "true" : "false"}
            onClick=${() => setFront(seat)}
          >
            ${who}
          </button>
        `,
        )}
      </div>
    </div>
    <div class="split">
      ${[0, 1].map(
        (seat) => html`
        <${Range}
          who=${WHO[seat]}
          spot=${spot}
          seat=${seat}
          shown=${shown}
          colours=${colours}
          keep=${keep[seat]}
          front=${(front ?? spot.seat) === seat}
          chosen=${hand.seat === seat ? hand.name : ""}
          choose=${choose(seat)}
        />
      `,
      )}
      <${Inspector}
        name=${name}
        spot=${spot}
        who=${WHO}
        hand=${hand}
        close=${() => setHand({ seat: spot.seat, name: "" })}
        seat=${front ?? spot.seat}
        colours=${colours}
        keep=${keep}
        kinds=${kinds}
        setKinds=${setKinds}
        lock=${lock}
      />
    </div>
  `;
}

const Table = ({ spot, colours }) => html`
  <${Scroll} label="Every hand">
    <table class="numbers-table">
      <thead>
        <tr>
          <th scope="col">hand</th>
          <th scope="col">does</th>
          ${spot.actions.map(
            (action) => html`
            <th scope="col">${inBrief(action.words)}</th>
          `,
          )}
          <th scope="col">expects</th>
          <th scope="col">equity</th>
          <th scope="col">share</th>
        </tr>
      </thead>
      <tbody>
        ${spot.hands.map(
          (row) => html`
          <tr>
            <th scope="row">${row.hand}</th>
            <td>
              <span class="split-bar" style=${{ background: splitGround(row.p, colours) }}></span>
            </td>
            ${row.p.map(
              (p) => html`
              <td>${percent(p)}</td>
            `,
            )}
            <td>${row.ev === null ? "–" : signed(row.ev)}</td>
            <td>${percent(row.equity)}</td>
            <td>${percent(row.share)}</td>
          </tr>
        `,
        )}
      </tbody>
    </table>
  <//>
`;
