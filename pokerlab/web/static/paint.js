// A range as text and as a grid to paint by mouse, touch or keyboard; saved to files and opened from them.
import { html, useEffect, useId, useRef, useState, ask, percent, saveFile } from "./html.js";
import { ChartPicker } from "./charts.js";
import { RANKS, className, rampStyle } from "./grid.js";

const BRUSHES = [100, 75, 50, 25, 0];
const MOVES = { ArrowUp: -13, ArrowDown: 13, ArrowLeft: -1, ArrowRight: 1 };
const NAMES = [...Array(169).keys()].map((index) => className(Math.floor(index / 13), index % 13));

export function RangeField({ label, value, onChange, board }) {
  const [open, setOpen] = useState("");
  const id = useId();
  const toggle = (what, name, close) => html`
    <button
      type="button"
      class="quiet"
      aria-expanded=${open === what ? "true" : "false"}
      aria-controls=${id}
      onClick=${() => setOpen(open === what ? "" : what)}
    >
      ${open === what ? close : name}
      <span class="sr"> ${label}</span>
    </button>
  `;
  return html`
    <div class="range-field">
      <label class="block">
        ${label}
        <textarea
          class="range-text"
          rows="2"
          value=${value}
          spellcheck=${false}
          onInput=${(e) => onChange(e.target.value)}
        ></textarea>
      </label>
      <div class="buttons small">
        ${toggle("grid", "Paint", "Close the grid")} ${toggle("charts", "Charts", "Close the charts")}
      </div>
      <div id=${id}>
        ${
          open === "grid" &&
          html`<${Painter} label=${label} value=${value} onChange=${onChange} board=${board} />`
        }
        ${open === "charts" && html`<${ChartPicker} onChange=${onChange} />`}
      </div>
    </div>
  `;
}

function Painter({ label, value, onChange, board }) {
  const [range, setRange] = useState({ weights: Array(169).fill(0), dead: [], combos: 0, share: 0 });
  const [brush, setBrush] = useState(100);
  const [focus, setFocus] = useState(0);
  const [wrong, setWrong] = useState("");
  const stroke = useRef(null),
    grid = useRef(null),
    asked = useRef(0),
    text = useRef(null);
  // Only the latest request counts. `text` is the range including later painting, before the answer shortens it.
  const look = async (wanted, tell) => {
    const turn = ++asked.current;
    text.current = wanted;
    try {
      const found = await (await ask("/api/range", { body: { text: wanted, board } })).json();
      if (turn !== asked.current) return;
      setWrong(found.wrong || "");
      if (found.wrong) return;
      setRange(found);
      if (tell) {
        text.current = found.text;
        onChange(found.text);
      }
    } catch (error) {
      if (turn === asked.current) setWrong(error.message);
    }
  };
  useEffect(() => {
    look(text.current ?? value, text.current !== null);
  }, [board]);
  useEffect(() => {
    if (text.current === value) return undefined;
    const turn = asked.current,
      timer = setTimeout(() => {
        if (turn === asked.current) look(value, false);
      }, 150);
    return () => clearTimeout(timer);
  }, [value]);
  const put = (cells) =>
    look(
      [text.current, ...Object.entries(cells).map(([index, weight]) => `${NAMES[index]}:${weight}`)]
        .filter((part) => part.trim())
        .join(", "),
      true,
    );
  const drawn = (cells) =>
    setRange((now) => ({ ...now, weights: now.weights.map((weight, index) => cells[index] ?? weight) }));
  // A quick pointer skips cells: those on the line from the last one are painted too.
  const paint = (index) => {
    const { cells, weight, last } = stroke.current,
      rows = Math.floor(index / 13) - Math.floor(last / 13),
      columns = (index % 13) - (last % 13);
    const steps = Math.max(Math.abs(rows), Math.abs(columns));
    for (let step = 0; step <= steps; step++)
      cells[
        last + (steps ? 13 * Math.round((rows * step) / steps) + Math.round((columns * step) / steps) : 0)
      ] = weight;
    stroke.current.last = index;
    drawn(cells);
  };
  const begin = (event, index) => {
    if (event.button) return;
    if (event.target.hasPointerCapture?.(event.pointerId))
      event.target.releasePointerCapture(event.pointerId);
    stroke.current = {
      cells: {},
      last: index,
      weight: range.weights[index] === brush / 100 ? 0 : brush / 100,
    };
    setFocus(index);
    paint(index);
  };
  const drag = (event) => {
    if (!stroke.current) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    const index = Number(cell?.getAttribute("data-cell"));
    if (cell && grid.current.contains(cell) && index !== stroke.current.last) paint(index);
  };
  useEffect(() => {
    const lifted = () => {
      if (stroke.current) {
        const { cells } = stroke.current;
        stroke.current = null;
        put(cells);
      }
    };
    addEventListener("pointerup", lifted);
    addEventListener("pointercancel", lifted);
    return () => {
      removeEventListener("pointerup", lifted);
      removeEventListener("pointercancel", lifted);
    };
  });
  const set = (index, weight) => {
    drawn({ [index]: weight });
    put({ [index]: weight });
  };
  const pressed = (event, index) => {
    const step = MOVES[event.key],
      to = index + step;
    if (/^[0-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      set(index, Number(event.key) / 10);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      set(index, 0);
    } else if (step) {
      event.preventDefault();
      if (to < 0 || to > 168 || (Math.abs(step) === 1 && Math.floor(to / 13) !== Math.floor(index / 13)))
        return;
      setFocus(to);
      grid.current.querySelector(`[data-cell="${to}"]`).focus();
      if (event.shiftKey) set(to, brush / 100);
    }
  };
  const clicked = (event, index) => {
    if (event.detail === 0) set(index, range.weights[index] === brush / 100 ? 0 : brush / 100);
  };
  const read = async (event) => {
    const file = event.target.files[0];
    if (file) {
      await look(await file.text(), true);
      event.target.value = "";
    }
  };
  return html`
    <div class="painter">
      <fieldset class="brushes">
        <legend>The brush</legend>
        ${BRUSHES.map(
          (weight) => html`
          <button
            type="button"
            class="quiet"
            aria-pressed=${brush === weight ? "true" : "false"}
            onClick=${() => setBrush(weight)}
          >
            ${weight ? `${weight}%` : "Erase"}
          </button>
        `,
        )}
        <label class="inline">
          or${" "}
          <input
            type="number"
            min="0"
            max="100"
            step="any"
            aria-label="Weight of the brush, %"
            value=${brush}
            onInput=${(e) => {
              const n = Number(e.target.value);
              if (n >= 0 && n <= 100) setBrush(n);
            }}
          />${" "}
          %
        </label>
      </fieldset>
      <table class="grid13 paint" ref=${grid} onPointerMove=${drag}>
        <caption class="sr">
          ${label}: drag to paint, arrow keys move, space paints with the brush, 1 to 9 set tenths, delete
          removes
        </caption>
        <tbody>
          ${[...RANKS].map(
            (_, row) => html`
            <tr>
              ${[...RANKS].map((__, column) => {
                const index = row * 13 + column,
                  name = NAMES[index],
                  weight = range.weights[index],
                  dead = range.dead.includes(name);
                const words = dead
                  ? `${name}: not possible on this board`
                  : `${name} ${percent(weight, (weight * 1000) % 10 ? 1 : 0)}`;
                return html`
                  <td
                    class=${dead || !weight ? "dead" : ""}
                    style=${dead || !weight ? undefined : rampStyle(weight * 0.62)}
                    title=${words}
                  >
                    <button
                      type="button"
                      data-cell=${index}
                      tabindex=${index === focus ? 0 : -1}
                      disabled=${dead}
                      aria-label=${words}
                      aria-pressed=${weight > 0 ? "true" : "false"}
                      onPointerDown=${(e) => begin(e, index)}
                      onClick=${(e) => clicked(e, index)}
                      onKeyDown=${(e) => pressed(e, index)}
                      onFocus=${() => setFocus(index)}
                    >
                      ${name}
                    </button>
                  </td>
                `;
              })}
            </tr>
          `,
          )}
        </tbody>
      </table>
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      <p class="note" role="status">
        ${range.combos.toLocaleString("en-GB")} combos, ${percent(range.share)} of all hands
        ${board ? " on this board" : ""}
      </p>
      <div class="buttons small">
        <button type="button" class="quiet" onClick=${() => look("", true)}>
          Clear
        </button>
        <button type="button" class="quiet" onClick=${() => look("random", true)}>
          All hands
        </button>
        <button
          type="button"
          class="quiet"
          disabled=${!value.trim()}
          onClick=${() => saveFile("range.txt", `${value}\n`)}
        >
          Save file
        </button>
        <label class="quiet file">
          Open file
          <input class="sr" type="file" accept=".txt,.csv,text/plain" onChange=${read} />
        </label>
      </div>
    </div>
  `;
}
