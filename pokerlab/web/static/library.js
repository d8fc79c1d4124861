// Beside the form of a spot: solved spots and reports to open, the line of solves, and locks that are not solved yet.
import { html, useEffect, useState, ask, go, percent } from "./html.js";
import { minutes } from "./ask.js";
import { reportTitle } from "./report.js";
import { SMALL, chipsTitle, title } from "./titles.js";

const FEW = 8; // listed before more are asked for

// Whole games, everything that was solved before, spots that come with the package, and reports; a field finds them by
// board, range or size.
export function Library({ kept, reports, begin, open }) {
  const [shipped, setShipped] = useState([]);
  useEffect(() => {
    ask("/api/shipped")
      .then((a) => a.json())
      .then((a) => setShipped(a.spots))
      .catch(() => {});
  }, []);
  const [find, setFind] = useState("");
  const [all, setAll] = useState(false);
  const has = (words) =>
    find
      .toLowerCase()
      .split(/\s+/)
      .every((part) => words.toLowerCase().includes(part));
  const spots = kept.filter(({ asked }) => !asked.game && has(`${title(asked)} ${chipsTitle(asked)}`));
  const listed = all || find ? spots : spots.slice(0, FEW);
  const ready = shipped.filter(({ asked, words }) => has(`${words} ${title(asked)} ${chipsTitle(asked)}`));
  const found = reports.filter(({ asked }) => has(reportTitle(asked)));
  return html`
    <section class="panel known" aria-labelledby="library">
      <h2 id="library">Solved before</h2>
      ${
        kept.length + reports.length > FEW &&
        html`
        <label class="block">
          Find
          <input
            type="search"
            value=${find}
            placeholder="a board, a range, a size"
            onInput=${(event) => setFind(event.target.value)}
          />
        </label>
      `
      }
      <ul>
        ${listed.map(
          (each) => html`
          <li>
            <button type="button" class="plain" onClick=${() => go(`/study?solve=${each.name}`)}>
              <b>${title(each.asked)}</b>
              <span>${chipsTitle(each.asked)}</span>
            </button>
          </li>
        `,
        )}
      </ul>
      ${
        listed.length < spots.length &&
        html`
        <button type="button" class="linkish" onClick=${() => setAll(true)}>All ${spots.length}</button>
      `
      }
      ${spots.length === 0 && html`<p class="note">${find ? "Nothing of that." : "No spot yet."}</p>`}
    </section>
    ${
      ready.length > 0 &&
      html`
      <section class="panel known" aria-labelledby="shipped">
        <h2 id="shipped">Solved spots to open</h2>
        <ul>
          ${ready.map(
            (each) => html`
            <li>
              <button type="button" class="plain" onClick=${() => open(each.name)}>
                <b>${each.words}</b>
                <span>${each.asked.board}, ${chipsTitle(each.asked)}</span>
              </button>
            </li>
          `,
          )}
        </ul>
      </section>
    `
    }
    ${
      found.length > 0 &&
      html`
      <section class="panel known" aria-labelledby="reports">
        <h2 id="reports">Reports</h2>
        <ul>
          ${found.map(
            (each) => html`
            <li>
              <button type="button" class="plain" onClick=${() => go(`/study?report=${each.name}`)}>
                <b>${reportTitle(each.asked)}</b>
                <span>
                  pot ${each.asked.pot}, stacks ${each.asked.stack}
                  ${each.asked.spot ? `, after ${each.asked.spot}` : ""}
                </span>
              </button>
            </li>
          `,
          )}
        </ul>
      </section>
    `
    }
    <section class="panel known" aria-labelledby="small-games">
      <h2 id="small-games">Whole games</h2>
      <ul>
        ${SMALL.map(
          ([game, label]) => html`
          <li>
            <button type="button" class="plain" onClick=${() => begin({ game })}>
              <b>${label}</b>
              <span>solved in a second or so</span>
            </button>
          </li>
        `,
        )}
      </ul>
    </section>
  `;
}

const size = (bytes) => `${Math.ceil(bytes / 1e6).toLocaleString("en-GB")} MB`;

// Solves under way and waiting, if there is more than the one that the page shows.
export function Line({ line, name, look }) {
  if (!line.some((each) => each.name !== name)) return "";
  const stop = async (each) => {
    await ask(`/api/solves/${each.name}/stop`, { body: {} });
    look();
  };
  const state = (each) =>
    each.waiting
      ? "waits"
      : each.exploitability === null
        ? "solving"
        : `at ${percent(each.exploitability, 2)} of ${percent(each.target, 2)}`;
  return html`
    <section class="panel line" aria-labelledby="line">
      <h2 id="line">Solves in line</h2>
      <ol>
        ${line.map(
          (each) => html`
          <li>
            <button type="button" class="linkish" onClick=${() => go(`/study?solve=${each.name}`)}>
              ${title(each.asked)}
            </button>
            <span class="note">
              ${state(each)}${each.seconds ? `, estimated ${minutes(each.seconds)}` : ""}
              ${each.memory ? ` and ${size(each.memory)}` : ""}
            </span>
            <button
              type="button"
              class="quiet"
              aria-label=${`Stop ${title(each.asked)}`}
              onClick=${() => stop(each)}
            >
              Stop
            </button>
          </li>
        `,
        )}
      </ol>
    </section>
  `;
}

// Locks that were added at decisions of the tree, to be solved together with those that the spot had.
export function Locks({ asked, locks, set, solve }) {
  const whole = [...(asked.lock ? [asked.lock] : []), ...locks].join("; ");
  return html`
    <section class="panel locks" aria-label="New locks">
      <p>
        <b>${locks.length === 1 ? "A new lock" : `${locks.length} new locks`}:</b>${" "}
        <code>${locks.join("; ")}</code>
      </p>
      <span class="buttons small">
        <button type="button" class="primary" onClick=${() => solve(whole)}>Solve with it</button>
        <button type="button" class="quiet" onClick=${() => set([])}>Drop</button>
      </span>
    </section>
  `;
}
