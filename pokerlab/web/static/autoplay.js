// The steps of a replayed hand: one by one, or by themselves.
import { html, useEffect, useState, percent } from "./html.js";
import { UnitChoice, useAmounts } from "./units.js";

const PACES = [
  ["3", "slowly"],
  ["1.5", "steadily"],
  ["0.6", "quickly"],
];

/**
 * Playing a hand by itself. It stops at the end, or goes on to the next hand if `onward`; stepping calls `pause`.
 * @param {{found: {frames: object[]} | null, step: number, last: number, setStep: (step: number) => void,
 *   nextHand: (() => void) | null}} replay `nextHand` opens the hand after this one, if there is one
 */
export function useAutoplay({ found, step, last, setStep, nextHand }) {
  const [on, setOn] = useState(false);
  const [pace, setPace] = useState("1.5");
  const [onward, setOnward] = useState(false);
  const ended = step >= last && !(onward && nextHand);
  useEffect(() => {
    if (!found || !on) return undefined;
    if (ended) {
      setOn(false);
      return undefined;
    }
    const timer = setTimeout(() => (step < last ? setStep(step + 1) : nextHand()), 1000 * Number(pace));
    return () => clearTimeout(timer);
  }, [found?.frames, on, step, pace, ended]);
  const toggle = () => {
    if (!on && ended) setStep(0);
    setOn(!on);
  };
  useEffect(() => {
    if (!found) return undefined;
    const pressed = (event) => {
      // Space has a meaning of its own where it writes, chooses or presses.
      if (
        event.key !== " " ||
        event.target.closest("input:not([type=range]), textarea, select, button, summary, a")
      )
        return;
      event.preventDefault();
      toggle();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
  return { on, toggle, pause: () => setOn(false), pace, setPace, onward, setOnward };
}

/** What was done, the slider, and the buttons; `several`: there are other hands. */
export function Steps({ frame, step, last, move, play, several, setUnit }) {
  const amounts = useAmounts();
  const button = (name, to) => html`
    <button type="button" class="act" disabled=${to < 0 || to > last || to === step} onClick=${() => move(() => to)}>
      ${name}
    </button>
  `;
  return html`
    <div class="dock">
      <p class="step" role="status">
        <b>
          ${step} of ${last}
        </b>${" "}
        ${frame.by && `${frame.by} `}${amounts.words(frame.done)}
        ${frame.pot_odds !== null && html`<span class="note"> · a call needs ${percent(frame.pot_odds)}</span>`}
      </p>
      <input
        type="range"
        aria-label="Step"
        min="0"
        max=${last}
        value=${step}
        onInput=${(e) => move(() => Number(e.target.value))}
      />
      <div class="buttons">
        ${button("First", 0)} ${button("Back", step - 1)}
        <button type="button" class="act call" onClick=${play.toggle}>
          ${play.on ? "Pause" : "Play"}
        </button>
        ${button("Next", step + 1)} ${button("Last", last)}
      </div>
      <div class="buttons small">
        <label class="inline note">
          Plays${" "}
          <select value=${play.pace} onChange=${(e) => play.setPace(e.target.value)}>
            ${PACES.map(
              ([value, label]) => html`
              <option value=${value}>${label}</option>
            `,
            )}
          </select>
        </label>
        ${
          several &&
          html`
          <label class="inline note">
            <input type="checkbox" checked=${play.onward} onChange=${(e) => play.setOnward(e.target.checked)} />
            then the next hand
          </label>
        `
        }
        <${UnitChoice} put=${setUnit} />
      </div>
    </div>
  `;
}
