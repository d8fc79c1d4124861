// The list of runs, and one run in progress: a tournament by its cross-table, a solve or a training by its curves.
import { html, useEffect, useState, ask, gameTitle, link, signed } from "./html.js";

const SECONDS = 3; // between two looks at a run that is under way

// The response of `path`, fetched again every few seconds while `again(answer)` holds.
function useLooks(path, again) {
  const [found, setFound] = useState(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    let timer = 0,
      gone = false,
      known = false;
    const look = async () => {
      let answer = null;
      try {
        answer = await (await ask(path)).json();
        known = true;
        if (!gone) {
          setFound(answer);
          setWrong("");
        }
      } catch (error) {
        if (!gone) setWrong(error.message);
      }
      if (!gone && (answer ? again(answer) : known)) timer = setTimeout(look, 1000 * SECONDS);
    };
    look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [path]);
  return [found, wrong];
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);
const titled = (run) => `${capital(run.kind)}${run.game ? `: ${gameTitle(run.game)}` : ""}`;
const Going = ({ run }) => html`
  <span class=${run.under_way ? "state going" : "state"}>${run.under_way ? "under way" : "not running"}</span>
`;

export function RunList() {
  const [found, wrong] = useLooks("/api/runs", () => true);
  if (wrong)
    return html`
      <p class="wrong" role="alert">
        ${wrong}
      </p>
    `;
  if (!found) return null;
  return html`
      <h2>Runs</h2>
      ${
        found.runs.length === 0
          ? html`
        <p class="panel note">
          No run lies here. <code>pokerlab tournament</code>, <code>solve</code>, <code>train</code> and${" "}
          <code>bets</code> keep theirs in <code>runs</code>; <code>pokerlab web --runs DIR</code> names
          another directory.
        </p>
      `
          : html`
        <section class="panel known runs" aria-label="Runs">
          <ul>
            ${found.runs.map(
              (run) => html`
              <li key=${run.name}>
                <a ...${link(`/lab?run=${encodeURIComponent(run.name)}`)}>
                  <b>${titled(run)}</b>
                  <${Going} run=${run} />
                  <span>
                    ${run.name} · ${ago(run.changed)}
                  </span>
                </a>
              </li>
            `,
            )}
          </ul>
        </section>
      `
      }
    `;
}

export function ago(changed) {
  const seconds = Math.max(0, Date.now() / 1000 - changed);
  /** @type {[number, string][]} */
  const units = [
    [86400, "day"],
    [3600, "hour"],
    [60, "minute"],
  ];
  const [size, unit] = units.find(([each]) => seconds >= each) || [1, "second"];
  const n = Math.floor(seconds / size);
  return `${n} ${unit}${n === 1 ? "" : "s"} ago`;
}

export function Run({ name }) {
  const [run, wrong] = useLooks(`/api/runs/${encodeURIComponent(name)}`, (answer) => answer.under_way);
  useEffect(() => {
    document.title = `${run ? titled(run) : "Run"} · pokerlab`;
  }, [run && run.name]);
  if (!run)
    return html`
      <main class="page">
        <h1 class="quiet-title">${wrong ? "No such run" : "…"}</h1>
        ${
          wrong &&
          html`
          <p class="wrong" role="alert">
            ${wrong}
          </p>
        `
        }
      </main>
    `;
  return html`
    <main class="page result">
      <p>
        <a ...${link("/lab")}>← Lab</a>
      </p>
      <h1>${titled(run)}</h1>
      <p class="lead">
        <${Going} run=${run} /> ${run.name}
      </p>
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      <${Far} run=${run} />
      ${
        run.kind === "tournament" &&
        (run.tournament
          ? html`
            <${CrossTable} found=${run.tournament} />
            <${Standing} found=${run.tournament} />
          `
          : html`
          <p class="panel note">No deal has been played at every table yet.</p>
        `)
      }
      ${
        run.curves.length > 0 &&
        (run.curves.some((curve) => curve.points.length > 1)
          ? html`
          <div class="curves">
            ${run.curves
              .filter((curve) => curve.points.length > 1)
              .map(
                (curve) => html`
                <${Curve} key=${curve.title} curve=${curve} />
              `,
              )}
          </div>
        `
          : html`
          <p class="panel note">
            Nothing to draw yet: a run writes down how it stands about every half minute.
          </p>
        `)
      }
    </main>
  `;
}

function Far({ run }) {
  const seconds =
    run.seconds === null || run.seconds === undefined ? "" : `, ${duration(run.seconds)} of work`;
  return html`
    <section class="panel far" aria-label="How far it is">
      <p>
        <b>${run.done.toLocaleString("en-GB")}</b>
        ${run.total === null ? "" : ` of ${run.total.toLocaleString("en-GB")}`} ${run.unit}
        ${seconds}
      </p>
      ${run.total !== null && html`<progress max=${run.total} value=${run.done} aria-label="Done"></progress>`}
    </section>
  `;
}

export const duration = (seconds) =>
  seconds < 90
    ? `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`;

const half = (cell) => (cell.low === null || cell.high === null ? null : (cell.high - cell.low) / 2);
const Cell = ({ cell }) =>
  cell
    ? html`
    <td class=${!cell.significant ? "unsure" : cell.mean > 0 ? "won" : "lost"}>
      ${signed(cell.mean, 0)}
      ${half(cell) !== null && html`<small>±${half(cell).toFixed(0)}</small>`}
      ${!cell.significant && html`<span class="sr"> not significant</span>`}
    </td>
  `
    : html`
    <td aria-label="the same agent">·</td>
  `;

// A table that scrolls inside its panel where the page is narrow.
const Wide = ({ title, about, head, children }) => html`
  <section class="panel">
    <h2>${title}</h2>
    ${about && html`<p class="note">${about}</p>`}
    <div class="scroll" tabindex="0" role="group" aria-label=${title}>
      <table class="numbers-table cross">
        <thead>
          <tr>
            ${head.map(
              (words) => html`
              <th scope="col">${words}</th>
            `,
            )}
          </tr>
        </thead>
        <tbody>${children}</tbody>
      </table>
    </div>
  </section>
`;

function CrossTable({ found }) {
  const cells = new Map(found.cross_table.map((cell) => [`${cell.row}|${cell.column}`, cell]));
  const count = (n) => n.toLocaleString("en-GB");
  const about =
    `What the row won from the column in ${found.units}, ± half of the 95% interval, after ` +
    `${count(found.hands)} of ${count(found.of_hands)} deals${found.duplicate ? " in every seating" : ""} ` +
    `(n = ${count(found.agents[0].n)} ${found.method}; seed ${found.seed}). Grey: not significant.`;
  return html`
    <${Wide}
      title="Cross-table"
      about=${about}
      head=${["agent", ...found.agents.map((agent) => agent.name), "total"]}
    >
      ${found.agents.map(
        (row) => html`
        <tr>
          <th scope="row">${row.name}</th>
          ${found.agents.map(
            (column) => html`
            <${Cell} cell=${cells.get(`${row.name}|${column.name}`)} />
          `,
          )}
          <${Cell} cell=${row} />
        </tr>
      `,
      )}
    <//>
  `;
}

const halfWidth = (agent) =>
  agent.rating_low === null ? "" : `±${((agent.rating_high - agent.rating_low) / 2).toFixed(0)}`;

const Standing = ({ found }) => html`
  <${Wide} title="Ratings" head=${["agent", "rating (Elo)", "run-off place", "series points"]}>
    ${[...found.agents]
      .sort((a, b) => b.rating - a.rating)
      .map(
        (agent) => html`
        <tr>
          <th scope="row">${agent.name}</th>
          <td>
            ${signed(agent.rating, 0)}
            <small>${halfWidth(agent)}</small>
          </td>
          <td>${agent.run_off_place}</td>
          <td>
            ${agent.series_points} of ${agent.series_opponents}
          </td>
        </tr>
      `,
      )}
  <//>
`;

// Round numbers inside [low, high], two to five of them; on a logarithmic axis powers of ten.
export function marks(low, high, log) {
  if (log) {
    const first = Math.ceil(Math.log10(low) - 1e-9),
      last = Math.floor(Math.log10(high) + 1e-9),
      step = Math.max(1, Math.ceil((last - first) / 4));
    return Array.from(
      { length: Math.max(0, Math.floor((last - first) / step) + 1) },
      (_, i) => 10 ** (first + i * step),
    );
  }
  const rough = (high - low) / 5 || 1,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((n) => n * power >= rough);
  return Array.from(
    { length: Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1 },
    (_, i) => (Math.ceil(low / step - 1e-9) + i) * step,
  );
}
export const written = (n) =>
  n !== 0 && (Math.abs(n) < 0.001 || Math.abs(n) >= 1e6)
    ? n
        .toExponential()
        .replace(/^(-?\d(?:\.\d{1,2})?)\d*/, "$1")
        .replace("e+", "e")
        .replaceAll("-", "−")
    : Number(n.toPrecision(6)).toLocaleString("en-GB", { maximumFractionDigits: 4 }).replace("-", "−");

function Curve({ curve }) {
  const W = 420,
    H = 230,
    left = 56,
    right = 12,
    top = 10,
    bottom = 36;
  const points = curve.points.filter(([x, y]) => (!curve.log_x || x > 0) && (!curve.log || y > 0)),
    bounds = curve.bounds || [];
  const xs = points.map(([x]) => x),
    ys = [...points.map(([, y]) => y), ...bounds.flat()];
  const span = (values) => {
    const low = Math.min(...values),
      high = Math.max(...values);
    return high > low ? [low, high] : [low - 0.5, high + 0.5];
  };
  const [first, x1] = span(xs),
    [y0, y1] = span(ys),
    x0 = !curve.log_x && first > 0 && first < 0.2 * x1 ? 0 : first;
  const place = (value, low, high, log) =>
    log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  const X = (x) => left + (W - left - right) * place(x, x0, x1, curve.log_x),
    Y = (y) => H - bottom - (H - top - bottom) * place(y, y0, y1, curve.log);
  const [at, last] = points[points.length - 1];
  const label = `${curve.title}: ${written(last)} at ${written(at)} ${curve.x}, ${points.length} points`;
  return html`
    <section class="panel">
      <h2>
        ${capital(curve.title)} <span class="note">now ${written(last)}</span>
      </h2>
      <svg class="curve" viewBox="0 0 ${W} ${H}" role="img" aria-label=${label}>
        ${marks(y0, y1, curve.log).map(
          (mark) => html`
            <line class="grid" x1=${left} x2=${W - right} y1=${Y(mark)} y2=${Y(mark)} />
            <text x=${left - 6} y=${Y(mark) + 4} text-anchor="end">
              ${written(mark)}
            </text>
          `,
        )}
        ${marks(x0, x1, curve.log_x)
          .filter((mark) => !xs.every(Number.isInteger) || Number.isInteger(mark))
          .map(
            (mark) => html`
            <text x=${X(mark)} y=${H - bottom + 15} text-anchor="middle">
              ${written(mark)}
            </text>
          `,
          )}
        <text x=${(left + W - right) / 2} y=${H - 4} text-anchor="middle">
          ${curve.x}
        </text>
        ${bounds.map(
          ([low, high], i) => html`
          <line class="band" x1=${X(xs[i])} x2=${X(xs[i])} y1=${Y(low)} y2=${Y(high)} />
        `,
        )}
        <path
          d=${points.map(([x, y], i) => `${i ? "L" : "M"}${X(x).toFixed(1)} ${Y(y).toFixed(1)}`).join("")}
        />
        <circle cx=${X(at)} cy=${Y(last)} r="3.500" />
      </svg>
    </section>
  `;
}
