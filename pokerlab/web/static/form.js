// Forms from requests: the defaults, help and choices of a kind's settings come from the server.
import { html, useEffect, useState, ask } from "./html.js";

/**
 * @typedef {object} Setting of a request, as `/api/forms?kind=KIND` lists it
 * @property {string} name
 * @property {string} help
 * @property {unknown} default
 * @property {(string | number | null)[]} choices
 * @property {boolean} number
 */

const asked = {}; // kind -> the promise of its settings by name

/** @type {(kind: string) => Record<string, Setting>} The settings of a kind by name; none until they have come. */
export function useForm(kind) {
  const [settings, setSettings] = useState({});
  useEffect(() => {
    asked[kind] ??= ask(`/api/forms?kind=${encodeURIComponent(kind)}`)
      .then((answer) => answer.json())
      .then((form) => Object.fromEntries(form.settings.map((each) => [each.name, each])));
    asked[kind].then(setSettings, () => delete asked[kind]);
  }, [kind]);
  return settings;
}

/** @type {(value: string | null, setting?: Setting) => string} What a field shows: its value, or the default. */
export const shown = (value, setting) => value ?? (setting?.default == null ? "" : String(setting.default));

/** A labelled field of one setting; `value` null stands for the default, `words` are those of choices. */
export function Field({
  label,
  setting,
  value,
  onChange,
  words = {},
  choices = setting?.choices ?? [],
  ...more
}) {
  const change = (event) => onChange(event.target.value);
  const now = shown(value, setting);
  return html`
    <label title=${setting?.help}>
      ${label}
      ${
        choices.length
          ? html`
            <select value=${now} onChange=${change}>
              ${choices.map(
                (each) => html`
                <option value=${each}>${words[each] ?? each}</option>
              `,
              )}
            </select>
          `
          : html`
            <input
              type=${setting?.number ? "number" : "text"}
              step="any"
              spellcheck=${false}
              value=${now}
              onInput=${change}
              ...${more}
            />
          `
      }
    </label>
  `;
}
