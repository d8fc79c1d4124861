// Practice: play a solved spot against the solution and see the cost of each decision.
import { html, useEffect, useState, ask, chips, percent, signed, inBrief, told } from "./html.js";
import { Cards } from "./cards.js";
import { actionColours } from "./grid.js";

const CLOSE = 0.005; // of the pot: a decision that costs less is as good as the best
const cardsOf = (text) => text.match(/../g) || [];
const scores = (key) => {
  try {
    return JSON.parse(localStorage.getItem(key)) || {};
  } catch {
    return {};
  }
};

export function Train({ name, path, seat, seed, unit, change, walk }) {
  const key = `pokerlab.train.${name}.${seat}.${seed}`;
  const [done, setDone] = useState(() => scores(key)); // {number: [[cost, pot] ..]} of hands that are over
  const [number, setNumber] = useState(() => Object.keys(scores(key)).length);
  const [chosen, setChosen] = useState([]);
  const [hand, setHand] = useState(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    let over = false;
    ask(path, { body: { seat, seed, number, chosen } })
      .then((a) => a.json())
      .then((found) => {
        if (over) return;
        setHand(found);
        setWrong("");
        if (!found.over) return;
        setDone((now) => {
          const next = { ...now, [number]: found.decisions.map((each) => [each.cost, each.pot]) };
          try {
            localStorage.setItem(key, JSON.stringify(next));
          } catch {
            /* private window */
          }
          return next;
        });
      })
      .catch((error) => {
        if (!over) setWrong(error.message);
      });
    return () => {
      over = true;
    };
  }, [number, chosen.join("|")]);
  const next = () => {
    setChosen([]);
    setNumber(number + 1);
  };
  useEffect(() => {
    const pressed = (event) => {
      if (
        !hand ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.target.closest("input, textarea, select")
      )
        return;
      const action = hand.offered[Number(event.key) - 1];
      if (action) setChosen([...chosen, action]);
      else if (event.key === "n" && hand.over) next();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
  if (wrong)
    return html`
      <p class="wrong" role="alert">
        ${wrong}
      </p>
    `;
  if (!hand) return html`<p class="note">…</p>`;
  const last = hand.decisions[hand.decisions.length - 1],
    stale = hand.number !== number || hand.decisions.length !== chosen.length;
  return html`
    <section class="panel train" aria-label="Practice" aria-busy=${stale ? "true" : "false"}>
      <div class="spot-head">
        <label class="inline">
          You are${" "}
          <select value=${seat} onChange=${(e) => change({ seat: e.target.value })}>
            <option value="0">first to act</option>
            <option value="1">the other</option>
          </select>
        </label>
        <span class="note">
          hand ${number + 1}, cards of seed ${seed}${" "}
          <button
            type="button"
            class="quiet"
            onClick=${() => change({ seed: String(1 + Math.floor(Math.random() * 1e9)) })}
          >
            Other cards
          </button>
        </span>
      </div>
      <div class="dealt">
        <div>
          <h2 class="small">You hold</h2>
          <${Cards} cards=${cardsOf(hand.hole)} />
        </div>
        ${
          hand.board &&
          html`
          <div>
            <h2 class="small">Board</h2>
            <${Cards} cards=${cardsOf(hand.board)} />
          </div>
        `
        }
        ${
          hand.shown &&
          html`
          <div>
            <h2 class="small">The solution held</h2>
            <${Cards} cards=${cardsOf(hand.shown)} />
          </div>
        `
        }
        <div>
          <h2 class="small">Pot</h2>
          <b class="big">${chips(hand.pot)}</b>
        </div>
      </div>
      <ol class="log">
        ${hand.told.map(
          ([who, words]) => html`
          <li>
            <b>${who === hand.seat ? "You" : "The solution"}</b>${" "}
            ${inBrief(told(who === hand.seat ? "you" : "", words))}
          </li>
        `,
        )}
      </ol>
      ${last && html`<${Feedback} decision=${last} unit=${unit} walk=${walk} />`}
      ${
        hand.over
          ? html`
          <p role="status">
            The hand is over: you take <b>${signed(hand.won)}</b> chips from here on.
          </p>
          <div class="buttons">
            <button type="button" class="primary" onClick=${next}>
              Next hand<kbd>n</kbd>
            </button>
          </div>
        `
          : html`
        <div class="buttons choose" role="group" aria-label="Your decision">
          ${hand.words.map(inBrief).map(
            (words, i) => html`
            <button
              type="button"
              class="act"
              disabled=${stale}
              onClick=${() => setChosen([...chosen, hand.offered[i]])}
            >
              ${words.replace(/^(\w+)s\b/, "$1").replace(/^./, (c) => c.toUpperCase())}
              <kbd>${i + 1}</kbd>
            </button>
          `,
          )}
        </div>
      `
      }
      <${Score}
        done=${done}
        unit=${unit}
        reset=${() => {
          setDone({});
          setChosen([]);
          setNumber(0);
          try {
            localStorage.removeItem(key);
          } catch {
            /* private window */
          }
        }}
      />
    </section>
  `;
}

function Feedback({ decision, unit, walk }) {
  const colours = actionColours(decision.words.map((words) => ({ words }))),
    best = decision.ev && Math.max(...decision.ev),
    cost = decision.cost;
  const good = cost !== null && cost <= CLOSE * decision.pot;
  return html`
    <div class="feedback">
      <p role="status" class=${cost === null ? "note" : good ? "verdict good" : "verdict bad"}>
        ${
          cost === null
            ? "The solution never comes here: this decision is not scored."
            : good
              ? "As good as the best."
              : `That cost ${cost.toFixed(2)} ${unit}, ${percent(cost / decision.pot)} of the pot.`
        }
      </p>
      <ul class="strips">
        ${decision.words.map(
          (words, i) => html`
          <li class=${decision.actions[i] === decision.chosen ? "mine" : ""}>
            <span class="strip-name">
              ${inBrief(words)}
              ${decision.actions[i] === decision.chosen ? " (you)" : ""}
            </span>
            <span class="strip">
              <i style=${{ width: percent(decision.p[i]), background: colours[i] }}></i>
            </span>
            <b>${percent(decision.p[i], 0)}</b>
            <span class="ev">
              ${decision.ev ? (decision.ev[i] === best ? "best" : signed(decision.ev[i] - best)) : ""}
            </span>
          </li>
        `,
        )}
      </ul>
      ${
        walk &&
        html`
        <button type="button" class="quiet" onClick=${() => walk(decision.spot)}>
          See every hand here
        </button>
      `
      }
    </div>
  `;
}

/** @typedef {Record<string, [cost: number | null, pot: number][]>} Done decisions of each hand; null is not scored */

/** @type {(done: Done) => {hands: number, decisions: number, good: number, cost: number, share: number}} */
export function scoreOf(done) {
  const all = Object.values(done)
    .flat()
    .filter(([cost]) => cost !== null);
  const mean = (value) => (all.length ? all.reduce((sum, each) => sum + value(each), 0) / all.length : 0);
  return {
    hands: Object.keys(done).length,
    decisions: all.length,
    good: mean(([cost, pot]) => Number(cost <= CLOSE * pot)),
    cost: mean(([cost]) => cost),
    share: mean(([cost, pot]) => cost / pot),
  };
}

function Score({ done, unit, reset }) {
  const { hands, decisions, good, cost, share } = scoreOf(done);
  if (!hands)
    return html`
      <p class="note">
        Your score begins with the first hand that is over. Digits choose, n deals the next hand.
      </p>
    `;
  return html`
    <div class="score">
      <h2>Score</h2>
      <dl class="numbers">
        <dt>hands, decisions</dt>
        <dd>
          ${hands}, ${decisions}
        </dd>
        <dt>as good as the best</dt>
        <dd>${decisions ? percent(good, 0) : "–"}</dd>
        <dt>cost of a decision, ${unit}</dt>
        <dd>${decisions ? cost.toFixed(2) : "–"}</dd>
        <dt>cost of a decision, of the pot</dt>
        <dd>${decisions ? percent(share) : "–"}</dd>
        <dt>given away in all, ${unit}</dt>
        <dd>${(cost * decisions).toFixed(2)}</dd>
      </dl>
      <button type="button" class="quiet" onClick=${reset}>
        Begin again
      </button>
    </div>
  `;
}
