// A report over many boards: by texture and board by board, with a picture; and practice on its boards.
import { html, useEffect, useState, ask, percent, inBrief, saveFile, Scroll } from "./html.js";
import { Written } from "./cards.js";
import { actionColours, splitGround } from "./grid.js";
import { Train } from "./train.js";

const KINDS = [
  ["high", "High card"],
  ["pairs", "Pairs"],
  ["suits", "Suits"],
  ["straights", "Straights"],
];
const FEW = 5; // boards that say little: their number is shown instead of an interval
const SORTS = {
  share: ["likeliest first", (a, b) => b.n - a.n],
  ev: ["by EV", (a, b) => b.expected[b.actor] - a.expected[a.actor]],
  equity: ["by equity", (a, b) => b.equity[b.actor] - a.equity[a.actor]],
  real: ["by realisation", (a, b) => b.realisation[b.actor] - a.realisation[a.actor]],
};
// "every river", "1 turn", "50 rivers", "23 flops for all".
function boardsOf(asked) {
  if (asked.library) return `${asked.library} flops for all`;
  const boards = asked.boards ?? 50;
  const street = asked.street || "river";
  return boards === 0 ? `every ${street}` : `${boards} ${street}${boards === 1 ? "" : "s"}`;
}
export const reportTitle = (asked) =>
  `${boardsOf(asked)}${asked.on ? ` on ${asked.on}` : ""} · ${asked.ranges.join(" against ")}`;

export function ReportPage({ view, put, open }) {
  const [found, setFound] = useState(null);
  const [wrong, setWrong] = useState("");
  const [stopping, setStopping] = useState(false);
  const name = view.report;
  useEffect(() => {
    let timer = 0,
      over = false;
    const look = async () => {
      try {
        const report = await (await ask(`/api/reports/${name}`)).json();
        if (over) return;
        setFound(report);
        setWrong(report.wrong);
        if (report.running) timer = setTimeout(look, 800);
        else setStopping(false);
      } catch (error) {
        if (!over) setWrong(error.message);
      }
    };
    look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [name]);
  if (wrong)
    return html`
      <p class="wrong" role="alert">
        ${wrong}
      </p>
    `;
  if (!found) return html`<p class="note">…</p>`;
  const rows = found.rows.filter((row) => row.shares),
    tab = view.tab === "train" ? "train" : "";
  const stop = async () => {
    setStopping(true);
    await ask(`/api/reports/${name}/stop`, { body: {} });
  };
  const save = async () =>
    saveFile("boards.csv", await (await ask(`/api/reports/${name}/boards.csv`)).text());
  return html`
      <section class="panel progress" aria-label="The report">
        <p role="status">
          <b>${reportTitle(found.asked)}</b>
          <br />
          <span class="note">
            ${found.rows.length} of ${found.total} boards solved to ${found.asked.target_percent ?? 0.5}% of the pot
            ${found.rows.length === 0 ? " (compiling takes up to a minute the first time)" : ""}
          </span>
        </p>
        ${
          found.running
            ? html`
          <button type="button" class="quiet" disabled=${stopping} onClick=${stop}>
            ${stopping ? "Stopping …" : "Stop"}
          </button>
        `
            : html`
          <span class="done">${found.rows.length === found.total ? "ready" : "stopped"}</span>
        `
        }
      </section>
      <nav class="tabs panel" aria-label="What to do with it">
        ${[
          ["", "Report"],
          ["train", "Train on these boards"],
        ].map(
          ([key, label]) => html`
          <button
            type="button"
            aria-current=${tab === key ? "page" : undefined}
            disabled=${key && !rows.length}
            onClick=${() => put({ tab: key })}
          >
            ${label}
          </button>
        `,
        )}
      </nav>
      ${
        tab === "train" &&
        html`
        <${Train}
          key=${`${name} ${view.seat} ${view.seed}`}
          name=${name}
          path=${`/api/reports/${name}/practice`}
          seat=${Number(view.seat || 0)}
          seed=${Number(view.seed || 7)}
          unit="chips"
          change=${put}
        />
      `
      }
      ${
        tab === "" &&
        rows.length > 0 &&
        html`
          <${Textures} found=${found} rows=${rows} view=${view} put=${put} />
          <${Boards}
            rows=${rows}
            save=${save}
            open=${(row) => open(name, row.board)}
            view=${view}
            put=${put}
          />
        `
      }
      ${
        tab === "" &&
        !rows.length &&
        !found.running &&
        html`
        <p class="panel note">The solutions never come to this spot.</p>
      `
      }
    `;
}

function Textures({ found, rows, view, put }) {
  const actions = rows[0].words.map((words) => ({ words: inBrief(words) })),
    colours = actionColours(actions);
  const by = KINDS.some(([key]) => key === view.by) ? view.by : "high",
    all = found.groups[""][0],
    groups = found.groups[by];
  const line = (group) => html`
    <tr>
      <th scope="row">${group.name}</th>
      <td>${percent(group.share, 0)}</td>
      <td>
        <span
          class="split-bar"
          role="img"
          aria-label=${actions.map(({ words }, i) => `${words} ${percent(group.actions[i], 0)}`).join(", ")}
          style=${{ background: splitGround(group.actions, colours) }}
        ></span>
      </td>
      ${group.actions.map(
        (share) => html`
        <td>${percent(share, 0)}</td>
      `,
      )}
      <td>
        ${percent(group.expected)}
        ${
          group.interval === null
            ? ""
            : html`
            ${" "}
            <small>${group.boards < FEW ? `n = ${group.boards}` : `± ${percent(group.interval)}`}</small>
          `
        }
      </td>
      <td>${percent(group.equity)}</td>
      <td>${percent(group.realisation, 0)}</td>
    </tr>
  `;
  return html`
    <section class="panel" aria-labelledby="textures">
      <h2 id="textures">
        ${rows[0].actor === 0 ? "First to act" : "The other"} decides
        ${all.reached < 1 ? `, a spot that comes ${percent(all.reached, 0)} of the time` : ""}
      </h2>
      <p class="legend">
        ${actions.map(
          ({ words }, i) => html`
          <span>
            <i class="swatch" style=${{ background: colours[i] }}></i>
            ${words}
          </span>
        `,
        )}
      </p>
      <div class="buttons small" role="group" aria-label="Boards grouped by">
        ${KINDS.map(
          ([key, label]) => html`
          <button
            type="button"
            class="quiet"
            aria-pressed=${by === key ? "true" : "false"}
            onClick=${() => put({ by: key })}
          >
            ${label}
          </button>
        `,
        )}
      </div>
      <${Scroll} label="By texture">
        <table class="numbers-table close">
          <thead>
            <tr>
              <th scope="col">boards</th>
              <th scope="col">how often</th>
              <th scope="col" class="bar-head">
                does
              </th>
              ${actions.map(
                ({ words }) => html`
                <th scope="col">
                  ${
                    words
                      .replace(/^raises to|^bets/, "")
                      .trim()
                      .replace(", all-in", "") || words
                  }
                </th>
              `,
              )}
              <th scope="col">EV</th>
              <th scope="col">equity</th>
              <th scope="col">realises</th>
            </tr>
          </thead>
          <tbody>
            ${line(all)}
            ${groups.map(line)}
          </tbody>
        </table>
      <//>
      <${Picture} rows=${rows} colours=${colours} />
    </section>
  `;
}

// Every board by equity and EV, in the colour of its most frequent action. Above the diagonal a player wins more than
// its equity.
function Picture({ rows, colours }) {
  const wide = 560,
    high = 320,
    left = 44,
    low = 34,
    values = rows.flatMap((row) => [row.equity[row.actor], row.expected[row.actor]]);
  const from = Math.floor(Math.min(...values) * 10) / 10,
    to = Math.max(Math.ceil(Math.max(...values) * 10) / 10, from + 0.1);
  const x = (v) => left + ((v - from) / (to - from)) * (wide - left - 12),
    y = (v) => high - low - ((v - from) / (to - from)) * (high - low - 10);
  const marks = [...Array(Math.round((to - from) * 10) + 1).keys()]
    .map((i) => from + i / 10)
    .filter((_, i, all) => all.length < 9 || i % 2 === 0);
  return html`
    <figure class="scatter">
      <figcaption class="note">
        EV is a share of the pot. Each board by what the decider's hands have in equity and what they
        expect, in the colour of what is done most.
      </figcaption>
      <svg
        class="chart"
        viewBox="0 0 ${wide} ${high}"
        role="img"
        aria-label=${`Equity and expected share of the pot on ${rows.length} boards`}
      >
        ${marks.map(
          (v) => html`
            <line class="grid" x1=${x(v)} x2=${x(v)} y1="10" y2=${high - low} />
            <line class="grid" x1=${left} x2=${wide - 12} y1=${y(v)} y2=${y(v)} />
            <text x=${x(v)} y=${high - low + 14} text-anchor="middle">
              ${percent(v, 0)}
            </text>
            <text x=${left - 6} y=${y(v) + 3} text-anchor="end">
              ${percent(v, 0)}
            </text>
          `,
        )}
        <line class="zero" x1=${x(from)} y1=${y(from)} x2=${x(to)} y2=${y(to)} stroke-dasharray="4 3" />
        ${rows.map(
          (row) => html`
          <circle
            cx=${x(row.equity[row.actor])}
            cy=${y(row.expected[row.actor])}
            r="5"
            fill=${colours[row.shares.indexOf(Math.max(...row.shares))]}
            stroke="var(--ink)"
            stroke-width=".7"
          >
            <title>
              ${row.board}: equity ${percent(row.equity[row.actor])}, EV ${percent(row.expected[row.actor])}
            </title>
          </circle>
        `,
        )}
        <text x=${(wide + left) / 2} y=${high - 4} text-anchor="middle">
          equity
        </text>
        <text x="11" y=${high / 2 - 12} text-anchor="middle" transform=${`rotate(-90 11 ${high / 2 - 12})`}>
          EV, of the pot
        </text>
      </svg>
    </figure>
  `;
}

function Boards({ rows, save, open, view, put }) {
  const sort = SORTS[view.sort] ? view.sort : "share",
    sorted = [...rows].sort(SORTS[sort][1]);
  const colours = actionColours(rows[0].words.map((words) => ({ words }))),
    alike = rows.some((row) => row.n > 1);
  return html`
    <section class="panel" aria-labelledby="boards">
      <div class="spot-head">
        <h2 id="boards">Boards</h2>
        <span class="inline">
          <select
            aria-label="Order of the boards"
            value=${sort}
            onChange=${(e) => put({ sort: e.target.value })}
          >
            ${Object.entries(SORTS).map(
              ([key, [label]]) => html`
              <option value=${key}>${label}</option>
            `,
            )}
          </select>
          <button type="button" class="quiet" onClick=${save}>
            Save CSV
          </button>
        </span>
      </div>
      <${Scroll} label="Board by board">
        <table class="numbers-table close">
          <thead>
            <tr>
              <th scope="col">board</th>
              ${alike && html`<th scope="col">stands for</th>`}
              <th scope="col" class="bar-head">
                does
              </th>
              <th scope="col">EV</th>
              <th scope="col">equity</th>
              <th scope="col">realises</th>
            </tr>
          </thead>
          <tbody>
            ${sorted.map(
              (row) => html`
              <tr>
                <th scope="row">
                  <button type="button" class="quiet" title="Open its solution" onClick=${() => open(row)}>
                    <span class="sr">Open </span>
                    <${Written} cards=${row.board.match(/../g)} />
                  </button>
                </th>
                ${alike && html`<td>${row.n}</td>`}
                <td>
                  <span
                    class="split-bar"
                    role="img"
                    aria-label=${row.words
                      .map((words, i) => `${words} ${percent(row.shares[i], 0)}`)
                      .join(", ")}
                    style=${{ background: splitGround(row.shares, colours) }}
                  ></span>
                </td>
                <td>${percent(row.expected[row.actor])}</td>
                <td>${percent(row.equity[row.actor])}</td>
                <td>${percent(row.realisation[row.actor], 0)}</td>
              </tr>
            `,
            )}
          </tbody>
        </table>
      <//>
    </section>
  `;
}
