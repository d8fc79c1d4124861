// Solved games: request a spot or open a solved one, and explore it.
import { html, useEffect, useState, ask, go, percent } from "./html.js";
import { Ask } from "./ask.js";
import { Compare, Steps } from "./compare.js";
import { ReportPage, reportTitle } from "./report.js";
import { Tried } from "./sizes.js";
import { Spot } from "./spot.js";
import { Train } from "./train.js";

const SMALL = [
  ["kuhn", "Kuhn poker"],
  ["leduc", "Leduc poker"],
];
export const title = (asked) =>
  asked.game
    ? SMALL.find(([key]) => key === asked.game)[1]
    : `${asked.board} · ${asked.ranges.join(" against ")}`;
const automaticTitle = ({ player, sizes }) =>
  player === "both" ? "first bets of both" : `${player ? "after a check" : "first bet"} (${sizes})`;
const sizesTitle = ({ sizes, bets, lock, rake, automatic }) =>
  [sizes, bets, rake && `rake ${rake}%`, lock && "locks"]
    .filter(Boolean)
    .map((part) => `, ${part}`)
    .join("") +
  `${automatic ? `, automatic ${automaticTitle(automatic)}` : ""}`;
const chipsTitle = (asked) => `pot ${asked.pot}, stacks ${asked.stacks ?? asked.stack}${sizesTitle(asked)}`;
// The address holds the view: {solve, at, ..}, without empty values.
const viewOf = () => Object.fromEntries(new URLSearchParams(location.search));
const address = (view) =>
  `/study?${new URLSearchParams(Object.entries(view).filter(([, value]) => value))}`;

export function Study() {
  const [view, setView] = useState(viewOf);
  const [solve, setSolve] = useState(null);
  const [kept, setKept] = useState([]);
  const [reports, setReports] = useState([]);
  const [begun, setBegun] = useState(0);
  const [wrong, setWrong] = useState("");
  const name = view.solve || "";
  useEffect(() => {
    document.title = "Study · pokerlab";
    const moved = () => setView(viewOf());
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  useEffect(() => {
    ask("/api/solves")
      .then((a) => a.json())
      .then((a) => setKept(a.solves))
      .catch(() => {});
  }, [name]);
  useEffect(() => {
    ask("/api/reports")
      .then((a) => a.json())
      .then((a) => setReports(a.reports))
      .catch(() => {});
  }, [view.report]);
  useEffect(() => {
    if (!name) {
      setSolve(null);
      return undefined;
    }
    let timer = 0,
      over = false;
    const look = async () => {
      try {
        const found = await (await ask(`/api/solves/${name}`)).json();
        if (over) return;
        setSolve(found);
        setWrong(found.wrong);
        if (found.running) timer = setTimeout(look, 400);
      } catch (error) {
        if (!over) setWrong(error.message);
      }
    };
    look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [name, solve && solve.asked_again]);
  const begin = async (asked) => {
    setWrong("");
    try {
      const begun = await (await ask("/api/solves", { body: asked })).json();
      setSolve({ ...begun, asked_again: Date.now() });
      go(address({ solve: begun.name }));
    } catch (error) {
      setWrong(error.message);
    }
  };
  const report = async (asked) => {
    setWrong("");
    try {
      const { name: begun } = await (await ask("/api/reports", { body: asked })).json();
      setBegun(Date.now());
      go(address({ report: begun }));
    } catch (error) {
      setWrong(error.message);
    }
  };
  // A board of a report opens with the solution that the report saved.
  const openBoard = async (from, board) => {
    setWrong("");
    try {
      const opened = await (await ask(`/api/reports/${from}/open`, { body: { board } })).json();
      setSolve(opened);
      go(address({ solve: opened.name }));
    } catch (error) {
      setWrong(error.message);
    }
  };
  const empty = !solve && !view.report && !wrong;
  const lists = html`
      <section class="panel known" aria-labelledby="small-games">
        <h2 id="small-games">Whole games</h2>
        <ul>
          ${SMALL.map(([game, label]) => html`
            <li>
              <button type="button" class="plain" onClick=${() => begin({ game })}>
                <b>${label}</b>
                <span>solved in a second or so</span>
              </button>
            </li>
          `)}
        </ul>
      </section>
      ${kept.length > 0 && html`
        <section class="panel known" aria-labelledby="kept">
          <h2 id="kept">Solved before</h2>
          <ul>
            ${kept.map((each) => html`
              <li>
                <button type="button" class="plain" onClick=${() => go(address({ solve: each.name }))}>
                  <b>${title(each.asked)}</b>
                  <span>
                    ${each.asked.game ? "" : chipsTitle(each.asked)}
                  </span>
                </button>
              </li>
            `)}
          </ul>
        </section>
      `}
      ${reports.length > 0 && html`
        <section class="panel known" aria-labelledby="reports">
          <h2 id="reports">Reports</h2>
          <ul>
            ${reports.map((each) => html`
              <li>
                <button type="button" class="plain" onClick=${() => go(address({ report: each.name }))}>
                  <b>${reportTitle(each.asked)}</b>
                  <span>
                    pot ${each.asked.pot}, stacks ${each.asked.stack}
                    ${each.asked.spot ? `, after ${each.asked.spot}` : ""}
                  </span>
                </button>
              </li>
            `)}
          </ul>
        </section>
      `}
    `;
  return html`
    <main class="page wide">
      <div class="intro">
        <h1>Study</h1>
        <p class="lead">
          Solve a flop, a turn or a river, walk its betting, train against it, or report over many boards;
          solutions are saved, and a link opens the same view again.
        </p>
      </div>
      <div class=${solve || wrong || view.report ? "study open" : "study"}>
        <div class="stack">
          <${Ask} begin=${begin} busy=${solve && solve.running} open=${solve && solve.asked} report=${report} />
          ${empty ? "" : lists}
        </div>
        <div class="stack">
          ${wrong && html`
            <p class="wrong" role="alert">
              ${wrong}
            </p>
          `}
          ${solve && html`<${Progress} solve=${solve} />`}
          ${solve && solve.ready && html`<${Solved} view=${view} solve=${solve} kept=${kept} />`}
          ${view.report && html`
            <${ReportPage}
              key=${`${view.report} ${begun}`}
              view=${view}
              put=${(change) => go(address({ ...view, ...change }), { stay: true })}
              open=${openBoard}
            />
          `}
          ${empty ? lists : ""}
        </div>
      </div>
    </main>
  `;
}

const TABS = [
  ["", "Walk"],
  ["train", "Train"],
  ["steps", "Steps"],
  ["compare", "Compare"],
];

// The tabs of a solved game; the address has the tab and its settings.
function Solved({ view, solve, kept }) {
  const { solve: name, at = "", tab = "", step = "", beside = "", seat = "0", seed = "7" } = view;
  const put = (change) => go(address({ ...view, ...change }), { stay: true }),
    move = (to) => put({ at: to });
  const stepped = tab === "steps" && step ? `${name}@${step}` : name;
  const walk = html`
    <${Spot}
      key=${stepped}
      name=${stepped}
      at=${at}
      round=${solve.iterations}
      move=${move}
      brief=${tab === "compare"}
    />
  `;
  const others = kept
    .filter(
      (each) =>
        each.name !== name &&
        !each.asked.game === !solve.asked.game &&
        (solve.asked.game || each.asked.board === solve.asked.board),
    )
    .map((each) => ({ name: each.name, title: `${title(each.asked)}${sizesTitle(each.asked)}` }));
  return html`
      <nav class="tabs panel" aria-label="What to do with it">
        ${TABS.map(([key, label]) => html`
          <button
            type="button"
            aria-current=${tab === key ? "page" : undefined}
            onClick=${() => put({ tab: key, at: key === "train" ? "" : at })}
          >
            ${label}
          </button>
        `)}
      </nav>
      ${tab === "" && solve.tried && html`<${Tried} tried=${solve.tried} asked=${solve.asked} />`}
      ${tab === "compare" && walk}
      ${tab === "train" && html`
        <${Train}
          key=${`${name} ${seat} ${seed}`}
          name=${name}
          path=${`/api/solves/${name}/practice`}
          seat=${Number(seat)}
          seed=${Number(seed)}
          unit="chips"
          change=${put}
          walk=${(spot) => put({ tab: "", at: spot })}
        />
      `}
      ${tab === "steps" && html`
        <${Steps}
          key=${name}
          name=${name}
          chips=${Boolean(solve.asked.game)}
          step=${step}
          choose=${(value) => put({ step: value })}
        />
      `}
      ${(tab === "" || tab === "steps") && walk}
      ${tab === "compare" && html`
        <${Compare}
          first=${name}
          second=${beside}
          at=${at}
          others=${others}
          choose=${(value) => put({ beside: value })}
        />
      `}
    `;
}

function begun({ asked, steps, running }) {
  if (asked.automatic && !running) return "stopped before the bet sizes were found";
  if (asked.automatic && steps) return `searching for bet sizes: ${steps[0]} of about ${steps[1]} steps`;
  return "the first measurement is to come (compiling takes up to a minute the first time)";
}

// The first player's EV at each measurement, which settles as the exploitability falls.
function Settling({ looks, asked }) {
  const last = looks[looks.length - 1];
  if (!last) return "";
  return html`
    <details class="settling">
      <summary>${asked.game ? "Value to" : "EV of"} the first to act: ${last.expected} chips</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">iterations</th>
            <th scope="col">EV</th>
            <th scope="col">exploitability</th>
          </tr>
        </thead>
        <tbody>
          ${looks.slice(-12).map((look) => html`
            <tr>
              <td>${look.iterations.toLocaleString("en-GB")}</td>
              <td>${look.expected}</td>
              <td>${asked.game ? look.exploitability : percent(look.exploitability, 2)}</td>
            </tr>
          `)}
        </tbody>
      </table>
    </details>
  `;
}

function Progress({ solve }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => setAsked(false), [solve.name, solve.running]);
  const stop = async () => {
    setAsked(true);
    await ask(`/api/solves/${solve.name}/stop`, { body: {} });
  };
  return html`
    <section class="panel progress" aria-label="The solve">
      <p role="status">
        <b>${title(solve.asked)}</b>
        <br />
        <span class="note">
          ${solve.iterations ? `${solve.iterations.toLocaleString("en-GB")} iterations` : begun(solve)}
          ${solve.running && solve.under_way > solve.iterations
            ? `, ${solve.iterations ? "now" : "iteration"} ${solve.under_way.toLocaleString("en-GB")}`
            : ""}
          ${solve.exploitability !== null && !solve.asked.game
            ? `, exploitability ${percent(solve.exploitability, 2)} of the pot, target ${percent(solve.target, 2)}`
            : ""}
          ${solve.exploitability !== null && solve.asked.game
            ? `, exploitability ${solve.exploitability.toFixed(5)} chips a hand`
            : ""}
        </span>
      </p>
      <${Settling} looks=${solve.looks ?? []} asked=${solve.asked} />
      ${solve.running ? html`
        <button type="button" class="quiet" disabled=${asked} onClick=${stop}>
          ${asked ? "Stopping …" : "Stop"}
        </button>
      ` : html`
        <span class="inline">
          ${solve.ready && html`
            <a class="button-like" href=${`/api/solves/${solve.name}/strategy.bin`} download="strategy.bin">
              Save solution
            </a>
          `}
          <span class="done">${solve.ready ? "ready" : "stopped"}</span>
        </span>
      `}
    </section>
  `;
}
