// The form of a spot to solve: board, ranges, pot, stacks and sizes; it can be saved to a file and opened from one.
import { html, useEffect, useId, useState, ask, saveFile } from "./html.js";
import { Field, shown, useForm } from "./form.js";
import { RangeField } from "./paint.js";
import { EMPTY, ONE_BOARD, TreeFields, fieldsOf, settingsOf } from "./setup.js";

const USUAL = {
  board: "KsQh7d2c3s",
  first: "QQ+, AKs, JTs, T9s",
  second: "22+, KQ, QJs",
  pot: "100",
  stack: "300",
  sizes: "",
  target_percent: null, // null is the default of the request
  automatic: "",
  player: "0",
  ...EMPTY,
};
export const form = (asked) => ({
  board: asked.board,
  first: asked.ranges[0],
  second: asked.ranges[1],
  pot: String(asked.pot),
  stack: String(asked.stack ?? asked.stacks?.split(",")[0] ?? ""),
  sizes: asked.sizes || asked.opponent || "",
  target_percent: text(asked.target_percent ?? asked.target),
  automatic: String(asked.automatic?.sizes ?? asked.n_sizes ?? ""),
  player: String(asked.automatic?.player ?? asked.player ?? 0),
  ...fieldsOf(asked),
});
const text = (value) => (value == null ? null : String(value));
const BOTH = "both";
const WHOSE = {
  0: "of the first to act",
  1: "of the other, after a check",
  [BOTH]: "of both, one size each",
};
/** @type {(asked: Record<string, any>) => object} A question as the file of a request, for `python -m pokerlab.run`. */
export const requestOf = ({ automatic, sizes, target_percent, ...spot }) =>
  automatic
    ? {
        kind: "bets spot",
        ...spot,
        ...(sizes ? { opponent: sizes } : {}),
        player: String(automatic.player),
        n_sizes: automatic.sizes,
        ...(target_percent < 0.05 ? { target_percent } : {}), // sizes differ by little: never less exact than usual
      }
    : {
        kind: "solve subgame",
        ...spot,
        ...(sizes ? { sizes } : {}),
        ...(target_percent === undefined ? {} : { target_percent }),
      };
export const minutes = (seconds) =>
  seconds < 90
    ? `${Math.max(1, Math.round(seconds))} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} minutes`
      : `${(seconds / 3600).toFixed(1)} hours`;

export function Ask({ begin, open, report }) {
  const [said, setSaid] = useState(() => {
    const given = new URLSearchParams(location.search);
    return Object.fromEntries(Object.entries(USUAL).map(([key, value]) => [key, given.get(key) ?? value]));
  });
  const [wrong, setWrong] = useState("");
  const [cost, setCost] = useState(null); // {of, words}: the cost of a spot, once estimated
  useEffect(() => {
    if (open && !open.game) setSaid(form(open));
  }, [JSON.stringify(open)]);
  const settings = useForm("solve subgame"),
    sized = useForm("bets spot");
  const put = (key) => (value) => setSaid((now) => ({ ...now, [key]: value }));
  const set = (key) => (event) => put(key)(event.target.value);
  const asked = () => ({
    board: said.board.replace(/\s/g, ""),
    ranges: [said.first, said.second],
    pot: Number(said.pot),
    ...(said.stacks.trim() && !said.automatic ? {} : { stack: Number(said.stack) }),
    ...(said.automatic ? {} : settingsOf(said)),
    ...(said.target_percent === null ? {} : { target_percent: Number(said.target_percent) }),
    ...(said.sizes.trim() ? { sizes: said.sizes.trim() } : {}),
    ...(said.automatic
      ? {
          automatic:
            said.player === BOTH
              ? { player: BOTH, sizes: 1 }
              : { player: Number(said.player), sizes: Number(said.automatic) },
        }
      : {}),
  });
  const now = JSON.stringify(asked()),
    known = cost && cost.of === now,
    flop = /^\s*(..\s*){3}$/.test(said.board);
  const estimate = async () => {
    setWrong("");
    setCost({ of: now, words: "Estimating the cost …" });
    try {
      const { seconds, memory, what } = await (await ask("/api/solves/cost", { body: asked() })).json();
      const time = seconds === null ? "an unknown time" : `about ${minutes(seconds)}`;
      const whole = said.automatic ? "The search" : `${what}: this`;
      const size = Math.ceil(memory / 1e6).toLocaleString("en-GB");
      setCost({ of: now, ready: true, words: `${whole} would take ${time} and ${size} MB of memory.` });
    } catch (error) {
      setCost(null);
      setWrong(error.message);
    }
  };
  // A flop may take minutes: show its cost first.
  const submit = (event) => {
    event.preventDefault();
    if (flop && !known) estimate();
    else begin(asked());
  };
  const read = async (event) => {
    const file = event.target.files[0];
    setWrong("");
    try {
      if (file) setSaid(form(JSON.parse(await file.text())));
    } catch {
      setWrong(`${file.name} is no spot: a spot is JSON with board, ranges, pot and stack`);
    }
    event.target.value = "";
  };
  const many = (more) => {
    const rest = Object.entries(asked()).filter(
      ([key]) => !["board", "automatic", ...ONE_BOARD].includes(key),
    );
    report({ ...Object.fromEntries(rest), stack: Number(said.stack), ...more });
  };
  const board = /^([2-9TJQKA][cdhs]\s*){3,5}$/i.test(said.board.trim()) ? said.board : "";
  return html`
    <form class="panel setup" onSubmit=${submit}>
      <h2>A flop, a turn or a river</h2>
      <${FromHand}
        take=${(spot) =>
          setSaid((now) => ({
            ...now,
            board: spot.board,
            first: spot.ranges[0],
            second: spot.ranges[1],
            pot: String(spot.pot),
            stack: String(spot.stack),
          }))}
      />
      <label class="block">
        Board
        <input type="text" value=${said.board} onInput=${set("board")} spellcheck=${false} />
      </label>
      <${RangeField}
        label="Range of the first to act"
        value=${said.first}
        onChange=${put("first")}
        board=${board}
      />
      <${RangeField} label="Range of the other" value=${said.second} onChange=${put("second")} board=${board} />
      <div class="fields tight">
        <${Field} label="Pot" setting=${settings.pot} min="0.01" value=${said.pot} onChange=${put("pot")} />
        <${Field}
          label="Stacks behind"
          setting=${settings.stack}
          min="0.01"
          value=${said.stack}
          onChange=${put("stack")}
        />
        <${Field}
          label=${said.automatic ? "Sizes of other bets" : "Bet sizes"}
          setting=${said.automatic ? sized.opponent : settings.sizes}
          placeholder=${shown(null, said.automatic ? sized.opponent : settings.sizes)}
          value=${said.sizes}
          onChange=${put("sizes")}
        />
        <${Field}
          label="Until, % of the pot"
          setting=${settings.target_percent}
          min="0.01"
          value=${said.target_percent}
          onChange=${put("target_percent")}
        />
        <label>
          First bet
          <select value=${said.automatic} onChange=${set("automatic")}>
            <option value="">of these sizes</option>
            <option value="1">automatic, one size</option>
            <option value="2">automatic, two sizes</option>
            <option value="3">automatic, three sizes</option>
          </select>
        </label>
        ${
          said.automatic &&
          html`
          <${Field}
            label="Whose"
            setting=${sized.player}
            choices=${sized.player?.choices ?? Object.keys(WHOSE)}
            words=${WHOSE}
            value=${said.player}
            onChange=${put("player")}
          />
        `
        }
      </div>
      ${
        said.automatic &&
        html`
        <p class="note">
          ${
            said.player === BOTH
              ? html`
                Searches for the best size of each player's first bet, each against the other's. Both may also bet
                all-in, and raises are all-in. On later streets both bet the sizes above.
              `
              : html`
                Searches for the best sizes of this one bet; all-in is also possible. The other player, and both on
                later streets, bet the sizes above.
              `
          }${" "}
          A turn takes a good deal longer than a river.
        </p>
      `
      }
      ${!said.automatic && html`<${TreeFields} said=${said} put=${put} settings=${settings} />`}
      ${
        known &&
        html`
        <p class="note" role="status">
          ${cost.words}
          ${flop && cost.ready ? " Solve again to begin." : ""}
        </p>
      `
      }
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      <div class="buttons">
        <button class="primary" type="submit" disabled=${known && !cost.ready}>
          Solve
        </button>
        <span class="buttons small">
          <button type="button" class="quiet" disabled=${known && !cost.ready} onClick=${estimate}>
            Estimate
          </button>
          <button
            type="button"
            class="quiet"
            onClick=${() => saveFile("spot.json", `${JSON.stringify(requestOf(asked()), null, 2)}\n`)}
          >
            Save spot
          </button>
          <label class="quiet file">
            Open spot
            <input class="sr" type="file" accept=".json" onChange=${read} />
          </label>
        </span>
      </div>
      <${ManyBoards} begin=${many} />
    </form>
  `;
}

// The same ranges, chips and sizes on random boards.
function ManyBoards({ begin }) {
  const [said, setSaid] = useState({ street: null, boards: "20", library: "", on: "", spot: "" });
  const settings = useForm("report");
  const put = (key) => (value) => setSaid((now) => ({ ...now, [key]: value }));
  return html`
    <details class="many">
      <summary>The same on many boards</summary>
      <div class="fields tight">
        <label>
          Which
          <select value=${said.library} onChange=${(event) => put("library")(event.target.value)}>
            <option value="">random turns or rivers</option>
            ${(settings.library?.choices ?? []).filter(Boolean).map(
              (size) => html`
              <option value=${size}>${size} flops that represent all</option>
            `,
            )}
          </select>
        </label>
        ${
          !said.library &&
          html`
          <${Field}
            label="Street"
            setting=${settings.street}
            choices=${["river", "turn"]}
            value=${said.street}
            onChange=${put("street")}
          />
          <${Field}
            label="How many"
            setting=${settings.boards}
            min="0"
            max="200"
            value=${said.boards}
            onChange=${put("boards")}
          />
          <${Field}
            label="that begin with"
            setting=${settings.on}
            placeholder="any cards"
            value=${said.on}
            onChange=${put("on")}
          />
        `
        }
        <${Field}
          label="Decision after"
          setting=${settings.spot}
          placeholder="nothing"
          value=${said.spot}
          onChange=${put("spot")}
        />
      </div>
      <p class="note">
        0 boards are all that can come. Each is solved on its own; a turn takes a good deal longer than a
        river, and a flop than a turn. Bets have the sizes that are written: automatic ones are for one board.
      </p>
      <button
        type="button"
        onClick=${() =>
          begin({
            ...(said.library
              ? { library: Number(said.library) }
              : {
                  ...(said.street ? { street: said.street } : {}),
                  boards: Number(said.boards),
                  on: said.on.replace(/\s/g, ""),
                }),
            spot: said.spot.trim(),
          })}
      >
        Report
      </button>
    </details>
  `;
}

// A played hand: its board, pot and stacks, with ranges from both players' earlier actions.
function FromHand({ take }) {
  const [open, setOpen] = useState(false);
  const [sources, setSources] = useState(["charts"]);
  const [said, setSaid] = useState({ text: "", index: 0, source: "charts", street: "", charts: "" });
  const [found, setFound] = useState(null);
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const id = useId();
  useEffect(() => {
    if (open)
      ask("/api/spot-of-hand")
        .then((a) => a.json())
        .then((a) => setSources(a.sources))
        .catch(() => {});
  }, [open]);
  const put = (change) => setSaid((now) => ({ ...now, ...change }));
  const set = (key, number) => (event) =>
    put({ [key]: number ? Number(event.target.value) : event.target.value });
  const read = (key, also) => async (event) => {
    const file = event.target.files[0];
    if (file) put({ [key]: await file.text(), ...also });
    event.target.value = "";
  };
  const go = async () => {
    setBusy(true);
    setWrong("");
    try {
      const spot = await (await ask("/api/spot-of-hand", { body: said })).json();
      setFound(spot);
      take(spot);
    } catch (error) {
      setWrong(error.message);
    }
    setBusy(false);
  };
  return html`
    <div class="from-hand">
      <button
        type="button"
        class="quiet"
        aria-expanded=${open ? "true" : "false"}
        aria-controls=${id}
        onClick=${() => setOpen(!open)}
      >
        ${open ? "No hand" : "From a hand that was played"}
      </button>
      <div id=${id}>
        ${
          open &&
          html`
          <div class="stack tight">
            <label class="block">
              Paste a hand
              <textarea
                rows="5"
                spellcheck=${false}
                value=${said.text}
                onInput=${(e) => {
                  setFound(null);
                  put({ text: e.target.value, index: 0 });
                }}
              ></textarea>
            </label>
            <div class="buttons small">
              <label class="quiet file">
                Open hands
                <input
                  class="sr"
                  type="file"
                  accept=".phh,.phhs,.txt,.log"
                  onChange=${read("text", { index: 0 })}
                />
              </label>
              ${
                said.source === "charts" &&
                html`
                <label class="quiet file">
                  ${said.charts ? "Other charts" : "Open charts"}
                  <input class="sr" type="file" accept=".json" onChange=${read("charts")} />
                </label>
              `
              }
            </div>
            <div class="fields tight">
              <label>
                Ranges from
                <select value=${said.source} onChange=${set("source")}>
                  ${sources.map(
                    (source) => html`
                    <option value=${source}>
                      ${source === "charts" ? (said.charts ? "your charts" : "solved charts") : source}
                    </option>
                  `,
                  )}
                </select>
              </label>
              <label>
                Street
                <select value=${said.street} onChange=${set("street")}>
                  <option value="">the last</option>
                  <option value="flop">flop</option>
                  <option value="turn">turn</option>
                  <option value="river">river</option>
                </select>
              </label>
            </div>
            ${
              found &&
              found.hands.length > 1 &&
              html`
              <label class="block">
                Hand
                <select value=${said.index} onChange=${set("index", true)}>
                  ${found.hands.map(
                    (hand, i) => html`
                    <option value=${i}>${hand}</option>
                  `,
                  )}
                </select>
              </label>
            `
            }
            ${
              wrong &&
              html`
              <p class="wrong" role="alert">
                ${wrong}
              </p>
            `
            }
            <p class="note" role="status">
              ${
                found
                  ? `${found.names[0]} acts first on the ${found.street}, against ${found.names[1]}: ` +
                    "board, ranges, pot and stacks are below." +
                    (found.charts_from ? ` Ranges from charts ${found.charts_from}.` : "")
                  : "Charts know play before the flop; a strategy narrows ranges on every street."
              }
            </p>
            <button type="button" disabled=${busy || !said.text.trim()} onClick=${go}>
              ${busy ? "…" : "Take its spot"}
            </button>
          </div>
        `
        }
      </div>
    </div>
  `;
}
