// Solved games: request a spot or open a solved one, and explore it.
import { html, useEffect, useState, ask, go, percent } from "./html.js";
import { Ask } from "./ask.js";
import { Compare, Steps } from "./compare.js";
import { ReportPage } from "./report.js";
import { Tried } from "./sizes.js";
import { Library, Line, Locks } from "./library.js";
import { Spot } from "./spot.js";
import { sizesTitle, title } from "./titles.js";
import { Train } from "./train.js";

// The address holds the view: {solve, at, ..}, without empty values.
const viewOf = () => Object.fromEntries(new URLSearchParams(location.search));
const address = (view) => `/study?${new URLSearchParams(Object.entries(view).filter(([, value]) => value))}`;

export function Study() {
  const [view, setView] = useState(viewOf);
  const [solve, setSolve] = useState(null);
  const [kept, setKept] = useState([]);
  const [reports, setReports] = useState([]);
  const [begun, setBegun] = useState(0);
  const [wrong, setWrong] = useState("");
  const [changing, setChanging] = useState(false);
  const [locks, setLocks] = useState([]);
  const [line, setLine] = useState([]);
  const [looks, setLooks] = useState(0);
  const lookAgain = () => setLooks((n) => n + 1);
  const name = view.solve || "";
  useEffect(() => {
    document.title = "Study · pokerlab";
    const moved = () => setView(viewOf());
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  // What is solved, and while something is being solved, the line of those that wait.
  useEffect(() => {
    let timer = 0,
      over = false;
    const look = async () => {
      try {
        const found = await (await ask("/api/solves")).json();
        if (over) return;
        setKept(found.solves);
        setLine(found.line);
        if (found.line.length) timer = setTimeout(look, 1000);
      } catch {
        /* the page shows what it has */
      }
    };
    look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [name, looks, solve && solve.running]);
  useEffect(() => {
    setLocks([]);
    setChanging(false);
  }, [name, view.report]);
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
      lookAgain();
      if (begun.waiting) return; // it is in the line, and this page stays where it is
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
  // A board of a report and a spot that comes with the package open with the solution that was saved.
  const openSaved = async (path, body) => {
    setWrong("");
    try {
      const opened = await (await ask(path, { body })).json();
      setSolve(opened);
      go(address({ solve: opened.name }));
    } catch (error) {
      setWrong(error.message);
    }
  };
  // Locks that were set on this page, until they are solved.
  const relock = (lock) => {
    setLocks([]);
    begin({ ...solve.asked, lock });
  };
  const open = Boolean(solve || view.report);
  const shown = !open || Boolean(wrong) || changing;
  return html`
    <main class=${open ? "page wide at-work" : "page wide"}>
      <div class=${open ? "sr" : "intro"}>
        <h1>Study</h1>
        <p class="lead">
          Solve a flop, a turn or a river, walk its betting, train against it, or report over many boards;
          solutions are saved, and a link opens the same view again.
        </p>
      </div>
      <div class="stack">
        ${
          wrong &&
          html`
          <p class="wrong" role="alert">
            ${wrong}
          </p>
        `
        }
        ${
          open &&
          html`
          <div class="work-head">
            ${solve ? html`<${Progress} solve=${solve} />` : html`<span></span>`}
            <button
              type="button"
              class="quiet"
              aria-expanded=${shown ? "true" : "false"}
              aria-controls="spot-form"
              onClick=${() => setChanging(!changing)}
            >
              ${shown ? "Hide the spot" : "Change the spot"}
            </button>
          </div>
        `
        }
        <${Line} line=${line} name=${name} look=${lookAgain} />
        <div id="spot-form" class="study" hidden=${!shown}>
          <${Ask} begin=${begin} open=${solve && solve.asked} report=${report} />
          <div class="stack">
            <${Library}
              kept=${kept}
              reports=${reports}
              begin=${begin}
              open=${(spot) => openSaved(`/api/shipped/${spot}/open`, {})}
            />
          </div>
        </div>
        ${locks.length > 0 && html`<${Locks} asked=${solve.asked} locks=${locks} set=${setLocks} solve=${relock} />`}
        ${
          solve &&
          solve.ready &&
          html`
          <${Solved} view=${view} solve=${solve} kept=${kept} lock=${(text) => setLocks((now) => [...now, text])} />
        `
        }
        ${
          solve &&
          solve.ready &&
          html`
          <div class="work-foot">
            <${Settling} looks=${solve.looks ?? []} asked=${solve.asked} />
            ${
              !solve.running &&
              html`
              <a class="button-like" href=${`/api/solves/${solve.name}/strategy.bin`} download="strategy.bin">
                Save solution
              </a>
            `
            }
          </div>
        `
        }
        ${
          view.report &&
          html`
          <${ReportPage}
            key=${`${view.report} ${begun}`}
            view=${view}
            put=${(change) => go(address({ ...view, ...change }), { stay: true })}
            open=${(from, board) => openSaved(`/api/reports/${from}/open`, { board })}
          />
        `
        }
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
function Solved({ view, solve, kept, lock }) {
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
      lock=${tab === "" && !solve.asked.game && !solve.asked.automatic ? lock : undefined}
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
        ${TABS.map(
          ([key, label]) => html`
          <button
            type="button"
            aria-current=${tab === key ? "page" : undefined}
            onClick=${() => put({ tab: key, at: key === "train" ? "" : at })}
          >
            ${label}
          </button>
        `,
        )}
      </nav>
      ${tab === "" && solve.tried && html`<${Tried} tried=${solve.tried} asked=${solve.asked} />`}
      ${tab === "compare" && walk}
      ${
        tab === "train" &&
        html`
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
      `
      }
      ${
        tab === "steps" &&
        html`
        <${Steps}
          key=${name}
          name=${name}
          chips=${Boolean(solve.asked.game)}
          step=${step}
          choose=${(value) => put({ step: value })}
        />
      `
      }
      ${(tab === "" || tab === "steps") && walk}
      ${
        tab === "compare" &&
        html`
        <${Compare}
          first=${name}
          second=${beside}
          at=${at}
          others=${others}
          choose=${(value) => put({ beside: value })}
        />
      `
      }
    `;
}

function begun({ asked, steps, running, waiting }) {
  if (waiting) return "waits for the solves before it";
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
          ${looks.slice(-12).map(
            (look) => html`
            <tr>
              <td>${look.iterations.toLocaleString("en-GB")}</td>
              <td>${look.expected}</td>
              <td>${asked.game ? look.exploitability : percent(look.exploitability, 2)}</td>
            </tr>
          `,
          )}
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
    <section class="progress" aria-label="The solve">
      <p role="status">
        <b title=${title(solve.asked)}>${title(solve.asked)}</b>${" "}
        <span class="note">
          ${solve.iterations ? `${solve.iterations.toLocaleString("en-GB")} iterations` : begun(solve)}
          ${
            solve.running && solve.under_way > solve.iterations
              ? `, ${solve.iterations ? "now" : "iteration"} ${solve.under_way.toLocaleString("en-GB")}`
              : ""
          }
          ${
            solve.exploitability !== null && !solve.asked.game
              ? `, exploitability ${percent(solve.exploitability, 2)} of the pot, target ${percent(solve.target, 2)}`
              : ""
          }
          ${
            solve.exploitability !== null && solve.asked.game
              ? `, exploitability ${solve.exploitability.toFixed(5)} chips a hand`
              : ""
          }
        </span>
      </p>
      ${
        solve.running
          ? html`
        <button type="button" class="quiet" disabled=${asked} onClick=${stop}>
          ${asked ? "Stopping …" : "Stop"}
        </button>
      `
          : html`
        <span class="done">${solve.ready ? "ready" : "stopped"}</span>
      `
      }
    </section>
  `;
}
