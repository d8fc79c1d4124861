// The fields of a tree set up as in other solvers: bets and raises by street and player, limits, rake and locks.
import { html } from "./html.js";
import { Field } from "./form.js";

const TEXTS = ["stacks", "bets", "raises", "reraises", "donks", "max_raises", "lock"];
const NUMBERS = ["all_in_from", "merge_within", "rake", "rake_cap"];
const LABELS = {
  bets: "Bets, % of the pot",
  raises: "Raises",
  reraises: "Re-raises",
  donks: "Donk bets",
  all_in_from: "All-in from, % of the chips left",
  merge_within: "Merge within, % of the pot",
  max_raises: "Most bets and raises a street",
  stacks: "Unequal stacks",
  rake: "Rake, %",
  rake_cap: "Cap of the rake, chips",
  lock: "Locks",
};
const EXAMPLES = {
  bets: "flop 33, 75; turn+river 50, e",
  raises: "100, or 3x",
  reraises: "as raises",
  donks: "as bets, or none",
  max_raises: "3, or flop 3; turn+river 2",
  stacks: "300,500",
  lock: "check: AA-TT bet 75 0%",
};
export const ONE_BOARD = ["stacks", "rake", "rake_cap", "lock"]; // settings that a report over boards does not take

/** The empty fields, by name. */
export const EMPTY = Object.fromEntries(Object.keys(LABELS).map((key) => [key, ""]));

/** @type {(asked: Record<string, unknown>) => Record<string, string>} What the fields show of a question. */
export const fieldsOf = (asked) =>
  Object.fromEntries(Object.keys(EMPTY).map((key) => [key, asked[key] == null ? "" : String(asked[key])]));

/** @type {(said: Record<string, string>) => Record<string, string | number>} The settings that were filled in. */
export const settingsOf = (said) => ({
  ...Object.fromEntries(TEXTS.filter((key) => said[key].trim()).map((key) => [key, said[key].trim()])),
  ...Object.fromEntries(NUMBERS.filter((key) => said[key].trim()).map((key) => [key, Number(said[key])])),
});

export function TreeFields({ said, put, settings }) {
  return html`
    <details class="tree-fields" open=${Object.keys(settingsOf(said)).length > 0}>
      <summary>Bets by street, rake and locks</summary>
      <div class="fields tight">
        ${Object.entries(LABELS).map(
          ([key, label]) => html`
          <${Field}
            key=${key}
            label=${label}
            setting=${{ ...settings[key], number: NUMBERS.includes(key), default: null }}
            placeholder=${EXAMPLES[key] ?? "none"}
            min="0"
            value=${said[key]}
            onChange=${put(key)}
          />
        `,
        )}
      </div>
      <p class="note">
        As in <code>pokerlab solve subgame</code>: bets here replace the bet sizes above. With locks the game
        is solved once more without them.
      </p>
    </details>
  `;
}
