// The actions of the player to act: buttons, a slider with fractions of the pot, and keys.
import { html, useEffect, useRef, useState } from "./html.js";
import { useAmounts } from "./units.js";

const FRACTIONS = [
  ["⅓", 1 / 3],
  ["½", 1 / 2],
  ["⅔", 2 / 3],
  ["Pot", 1],
];

const WORDS = { chips: "", bb: ", in big blinds", money: ", in currency" };

// The street total of a raise by `share` of the pot after calling.
export function sized(play, me, share) {
  const { low, high, whole } = play.legal;
  const to = me.bet + play.to_call + share * (play.pot + play.to_call);
  return Math.min(Math.max(whole ? Math.round(to) : Math.round(to * 100) / 100, low), high ?? Infinity);
}

export function Actions({ table, lost, send }) {
  const { play } = table;
  const legal = play && play.legal;
  const me = play && table.you !== null ? play.seats[table.chairs.indexOf(table.you)] : null;
  const turn = table.turn.join(".");
  const amounts = useAmounts();
  const [amount, put] = useState(0); // in chips
  const [typed, setTyped] = useState(null); // what was written in the field, and in which unit
  const setAmount = (chips) => {
    put(chips);
    setTyped(null);
  };
  const [sent, setSent] = useState("");
  useEffect(() => {
    if (legal && legal.low !== null) setAmount(legal.low);
  }, [turn]);
  useEffect(() => setSent(""), [lost]); // one may act again
  const act = (action) => {
    if (!legal || sent === turn) return;
    if (send({ type: "act", turn: table.turn, action })) setSent(turn);
  };
  const ready = () => send({ type: "ready", hand: table.hand });
  const fixed = legal && legal.low === legal.high;
  const ended = play && play.over && table.you !== null && !table.ready.includes(table.you);
  const raise = () => legal && legal.low !== null && act(`r${amount || legal.low}`);
  const keys = {};
  if (legal) {
    if (legal.fold) keys.f = () => act("f");
    keys.c = () => act("c");
    keys.r = raise;
    if (legal.low !== null && !fixed) {
      FRACTIONS.forEach(([, share], i) => {
        keys[i + 1] = () => setAmount(sized(play, me, share));
      });
      if (legal.high !== null) keys[FRACTIONS.length + 1] = () => setAmount(legal.high);
    }
  }
  if (ended) keys.n = ready;
  useKeys(keys);
  if (table.you === null) return html`<p class="waiting">You are watching.</p>`;
  if (table.stopped) return null;
  if (ended)
    return html`
      <div class="buttons">
        <button class="primary wide" type="button" onClick=${ready}>
          Next hand <kbd>N</kbd>
        </button>
      </div>
    `;
  if (play && play.over) {
    const waiting = table.here
      .filter((chair) => !table.ready.includes(chair))
      .map((chair) => table.names[chair]);
    return html`<p class="waiting">Waiting for ${waiting.join(", ") || "the next hand"} …</p>`;
  }
  const acting =
    play && !play.over && table.chairs[play.actor] !== table.you
      ? `${play.seats[play.actor].name} is to act …`
      : "…";
  if (!legal) return html`<p class="waiting">${acting} <${Slow} table=${table} /></p>`;
  const name = play.seats.some((seat) => seat.bet > 0) ? "Raise to" : "Bet";
  return html`
    <section aria-label="Your turn">
      ${table.seconds !== null && html`<${Clock} key=${turn} table=${table} />`}
      ${
        legal.low !== null &&
        !fixed &&
        html`
        <div class="sizing">
          <div class="presets" role="group" aria-label="Sizes">
            ${FRACTIONS.map(
              ([label, share], i) => html`
              <button
                type="button"
                class="quiet"
                onClick=${() => setAmount(sized(play, me, share))}
              >
                ${label}${label !== "Pot" && html`<span class="sr"> of the pot</span>`}${" "}<kbd>${i + 1}</kbd>
              </button>
            `,
            )}
            ${
              legal.high !== null &&
              html`
              <button type="button" class="quiet" onClick=${() => setAmount(legal.high)}>
                All-in <kbd>${FRACTIONS.length + 1}</kbd>
              </button>
            `
            }
          </div>
          ${
            legal.high !== null &&
            html`
            <input
              type="range"
              aria-label=${`${name}, in chips`}
              aria-valuetext=${amounts.text(amount)}
              min=${legal.low}
              max=${legal.high}
              step=${legal.whole ? 1 : "any"}
              value=${amount}
              onInput=${(e) => setAmount(Number(e.target.value))}
            />
          `
          }
          <input
            type="number"
            class="amount"
            aria-label=${`${name}, exactly${WORDS[amounts.unit]}`}
            min=${amounts.shown(legal.low)}
            max=${legal.high === null ? undefined : amounts.shown(legal.high)}
            step=${legal.whole && amounts.unit === "chips" ? 1 : "any"}
            value=${typed?.unit === amounts.unit ? typed.text : amounts.shown(amount)}
            onInput=${(e) => {
              put(amounts.chips(Number(e.target.value), legal.whole));
              setTyped({ unit: amounts.unit, text: e.target.value });
            }}
            onKeyDown=${(e) => e.key === "Enter" && raise()}
          />
        </div>
      `
      }
      <div class="buttons">
        ${
          legal.fold &&
          html`
          <button type="button" class="act fold" disabled=${sent === turn} onClick=${() => act("f")}>
            Fold <kbd>F</kbd>
          </button>
        `
        }
        <button type="button" class="act call" disabled=${sent === turn} onClick=${() => act("c")}>
          ${legal.call ? `Call ${amounts.text(legal.call)}` : "Check"} <kbd>C</kbd>
        </button>
        ${
          legal.low !== null &&
          html`
          <button type="button" class="act raise" disabled=${sent === turn} onClick=${raise}>
            ${name} ${amounts.text(fixed ? legal.low : amount)} <kbd>R</kbd>
          </button>
        `
        }
      </div>
    </section>
  `;
}

function useKeys(keys) {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const pressed = (event) => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.target.closest("input:not([type=range]), select, textarea")
      )
        return;
      const call = now.current[event.key.toLowerCase()];
      if (call) {
        event.preventDefault();
        call();
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

// How long a slow agent has been thinking.
function Slow({ table }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (table.slow === null || table.slow === undefined) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [table]);
  if (table.slow === null || table.slow === undefined) return "";
  return `for ${Math.floor(table.slow + (performance.now() - table.at) / 1000)} s`;
}

function Clock({ table }) {
  const left = () => Math.max(0, table.seconds - (performance.now() - table.at) / 1000);
  const [seconds, setSeconds] = useState(left);
  const [all] = useState(table.seconds);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 200);
    return () => clearInterval(timer);
  }, [table]);
  return html`
    <div class="clock">
      <progress max=${all} value=${seconds} aria-label="Time left"></progress>
      <span>${Math.ceil(seconds)} s</span>
    </div>
  `;
}
