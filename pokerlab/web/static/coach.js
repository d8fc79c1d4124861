// The coach: advice on your turn, which is marked in the history of the hand, and analysis of finished hands.
import { html, useEffect, useState, percent } from "./html.js";
import { Written } from "./cards.js";
import { Weights } from "./grid.js";
import { Brief } from "./units.js";

const fixed = (n) => (n < 0 ? "−" : "+") + Math.abs(n).toFixed(2);
const SESSION = 50; // the last hands that a review of the session looks at

export function Coach({ table, advice, review, lost, send }) {
  const [asked, setAsked] = useState("");
  useEffect(() => setAsked(""), [lost]); // a question that was refused or lost can be put again
  const turn = table.turn.join();
  const said = advice && advice.turn.join() === turn ? advice : null;
  const ask = () => {
    setAsked(turn);
    send({ type: "coach" });
  };
  return html`
      ${
        said
          ? html`
        <${Said} said=${said} />
      `
          : html`
          <p class="note">
            The coach sees what you see, and you can act while it thinks; a new question replaces the one
            before. A hand in which you use it is marked in its history.
          </p>
          <div class="buttons small">
            <button
              type="button"
              class="quiet"
              disabled=${!(table.play && table.play.legal) || asked === turn}
              onClick=${ask}
            >
              ${asked === turn && table.play && table.play.legal ? "Thinking …" : "Ask the coach"}
            </button>
          </div>
        `
      }
      ${table.hands > 0 && html`<${Review} table=${table} review=${review} send=${send} />`}
    `;
}

function Said({ said }) {
  const [who, setWho] = useState(0);
  const belief = said.beliefs && said.beliefs[Math.min(who, said.beliefs.length - 1)];
  return html`
      <dl class="numbers">
        <dt>equity against ${said.opponents === 1 ? "a random hand" : `${said.opponents} random hands`}</dt>
        <dd>${percent(said.equity)}</dd>
        <dt>EHS</dt>
        <dd>${said.ehs === null ? "from the flop on" : percent(said.ehs)}</dd>
        <dt>pot odds: a call needs</dt>
        <dd>${said.pot_odds === null ? "nothing to call" : percent(said.pot_odds)}</dd>
      </dl>
      ${(said.solves || said.solved || said.unsolved) && html`<${Solved} said=${said} />`}
      ${
        said.equilibrium &&
        html`
          <h2 class="small">Without solving</h2>
          <p class="note">${said.equilibrium.name} plays:</p>
          <dl class="numbers">
            ${said.equilibrium.actions.map(
              ([words, p]) => html`
                <dt><${Brief} words=${words} /></dt>
                <dd>${percent(p)}</dd>
              `,
            )}
          </dl>
        `
      }
      ${
        belief &&
        html`
          <label class="inline">
            Poki believes${" "}
            <select value=${who} onChange=${(e) => setWho(Number(e.target.value))}>
              ${said.beliefs.map(
                (each, i) => html`
                <option value=${i}>${each.name}</option>
              `,
              )}
            </select>
          </label>
          <${Weights} belief=${belief} />
          <p class="note">Darker is likelier.</p>
        `
      }
    `;
}

// The rest of the hand, solved now: the frequency and the expectation of each action with this hand.
const sizesInWords = (sizes) =>
  sizes === "min"
    ? "the fixed size"
    : sizes
        .split(", ")
        .map((size) => (/^[\d.]+p$/.test(size) ? `${size.slice(0, -1)} pot` : size))
        .join(", ");

function Solved({ said }) {
  const { solved } = said;
  if (said.unsolved)
    return html`
        <h2 class="small">Solved on the spot</h2>
        <p class="note">${said.unsolved}</p>
      `;
  if (!solved)
    return html`
        <h2 class="small">Solving this street …</h2>
        <progress aria-label="Solving"></progress>
      `;
  const best = Math.max(...solved.actions.map((action) => action.ev));
  return html`
      <h2 class="small">${said.solves ? "Solving this street …" : "Solved on the spot"}</h2>
      ${
        said.solves &&
        html`
        <progress
          max=${solved.limit}
          value=${Math.min(solved.seconds, solved.limit)}
          aria-label="Solving"
        ></progress>
      `
      }
      <ul class="strips solved">
        ${solved.actions.map(
          (action) => html`
          <li>
            <span class="strip-name"><${Brief} words=${action.words} /></span>
            <span class="strip">
              <i style=${{ width: percent(action.p) }}></i>
            </span>
            <b>${percent(action.p, 0)}</b>
            <span class=${action.ev === best ? "ev best" : "ev"}>${fixed(action.ev)} bb</span>
          </li>
        `,
        )}
      </ul>
      <p class="note">
        With your hand: how often, and what it expects from here on.
        ${" "}${solved.iterations.toLocaleString("en-GB")} iterations, exploitable for ${percent(solved.gap, 2)} of
        the pot. Assumes ranges of ${solved.ranges} at the beginning of the street (hands below 2% of the likeliest left
        out), bets of ${sizesInWords(solved.sizes)} besides those made, at most ${solved.raises} a street, and that both
        play on as solved.
      </p>
    `;
}

function Review({ table, review, send }) {
  const [waits, setWaits] = useState(false);
  const busy = review ? review.done < review.total : waits;
  const look = (hands) => {
    setWaits(true);
    send({ type: "review", hands });
  };
  return html`
      <h2 class="small">What cost most</h2>
      <div class="buttons small">
        <button type="button" class="quiet" disabled=${busy} onClick=${() => look(1)}>
          The last hand
        </button>
        <button
          type="button"
          class="quiet"
          disabled=${busy}
          onClick=${() => look(Math.min(table.hands, SESSION))}
        >
          The session
        </button>
      </div>
      ${
        review &&
        busy &&
        html`
        <progress max=${review.total} value=${review.done} aria-label="Hands looked at"></progress>
      `
      }
      ${
        review &&
        html`
          <p class="note" role="status">
            ${review.judged} ${review.judged === 1 ? "decision" : "decisions"} on turns and rivers between two
            players, in ${review.done} of ${review.total} ${review.total === 1 ? "hand" : "hands"}.
            ${!busy && review.decisions.length === 0 ? " None cost anything that solving can tell." : ""}
          </p>
          <ol class="costly">
            ${review.decisions.map(
              (each) => html`
              <li>
                <b class="down">${fixed(-each.cost)} bb</b>${" "}
                <span>
                  hand ${each.hand + 1}, ${each.street} <${Written} cards=${each.board} /> with${" "}
                  <${Written} cards=${each.hole} />
                </span>
                <span>
                  <${Brief} words=${each.did} />; better: <b><${Brief} words=${each.better} /></b>${" "}
                  <span class="note">
                    (ranges of ${each.ranges}, ± ${each.error.toFixed(2)})
                  </span>
                </span>
              </li>
            `,
            )}
          </ol>
        `
      }
    `;
}
