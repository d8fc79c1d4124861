// Your sessions: a list with filters, the graph, and the hands to replay.
import { html, useEffect, useState, ask, go, link, signed, Scroll } from "./html.js";
import { Chart } from "./session.js";
import { UNITS, useUnit } from "./units.js";

const POSITIONS = ["SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "HJ", "CO", "BTN"];
const POTS = ["walk", "limped", "raised", "3bet", "4bet", "5bet"];
const ORDERS = [
  ["newest", "Newest"],
  ["lost-most", "Lost most"],
  ["won-most", "Won most"],
  ["cost-most", "Cost most, all-ins adjusted"],
];
const FILTERS = ["session", "position", "pot_type", "versus", "site", "since", "before", "order"];

const asked = () => {
  const given = new URLSearchParams(location.search);
  return Object.fromEntries(FILTERS.map((name) => [name, given.get(name) || ""]));
};
const query = (filters) =>
  new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();

/** @type {(line: {result: string | null, currency: string, result_bb: number | null}, unit: string) => string} */
export function amount(line, unit) {
  if (unit === "bb") return line.result_bb === null ? "?" : `${signed(line.result_bb, 1)} bb`;
  if (line.result === null) return "?";
  const text = signed(Number(line.result));
  return unit === "money" && line.currency ? text.replace(/^([+−]?)/, `$1${line.currency}`) : text;
}

/** @type {(estimate: {mean: number | null, low: number | null, high: number | null}) => string} */
const rate = ({ mean, low, high }) =>
  mean === null ? "–" : signed(mean, 1) + (low === null ? "" : ` ± ${((high - low) / 2).toFixed(1)}`);
const when = (text) => (text ? text.slice(0, 16).replace("T", " ") : "no date");

export function Sessions() {
  const [filters, setFilters] = useState(asked);
  const [unit, setUnit] = useUnit("bb");
  const [found, setFound] = useState(null);
  const [sites, setSites] = useState([]);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    document.title = "Sessions · pokerlab";
    const moved = () => setFilters(asked());
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  const text = query(filters);
  useEffect(() => {
    let over = false;
    const fetched = async () => {
      const { session, order: _, ...others } = filters;
      const paths = [
        `/api/sessions?${query(others)}`,
        `/api/sessions/hands?${query(filters)}`,
        `/api/sessions/graph?${query({ session, ...others })}`,
      ];
      const [list, hands, graph] = await Promise.all(paths.map(async (path) => (await ask(path)).json()));
      if (over) return;
      setFound({ list, hands, graph });
      setSites(list.sites);
    };
    setWrong("");
    fetched().catch((e) => {
      if (!over) {
        setFound(null);
        setWrong(e.message);
      }
    });
    return () => {
      over = true;
    };
  }, [text]);
  const change = (name, value) => go(`/sessions?${query({ ...filters, [name]: value })}`, { stay: true });
  return html`
    <main class="page wide sessions">
      <div class="intro">
        <h1>Sessions</h1>
        <p class="lead">
          What you played here and in the terminal, and the hands you imported with${" "}
          <code>pokerlab sessions import</code>. Results are after rake.
        </p>
      </div>
      <${Filters} filters=${filters} sites=${sites} change=${change} unit=${unit} setUnit=${setUnit} />
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      ${
        found &&
        html`
        <${Totals} found=${found} />
        <${Review} asked=${query({ ...filters, order: "" })} unit=${unit} />
        <${List} sessions=${found.list.sessions} filters=${filters} change=${change} unit=${unit} />
        <${Hands} hands=${found.hands} unit=${unit} />
      `
      }
    </main>
  `;
}

function Filters({ filters, sites, change, unit, setUnit }) {
  const known = sites.includes(filters.site) || !filters.site ? sites : [filters.site, ...sites];
  const choice = (label, name, values) => html`
    <label>
      ${label}
      <select value=${filters[name]} onChange=${(e) => change(name, e.target.value)}>
        <option value="">all</option>
        ${values.map(
          (value) => html`
          <option value=${value}>${value}</option>
        `,
        )}
      </select>
    </label>
  `;
  return html`
    <form class="panel padded filters" onSubmit=${(e) => e.preventDefault()} aria-label="Filters">
      <div class="fields">
        ${choice("Position", "position", POSITIONS)} ${choice("Pot", "pot_type", POTS)}
        <label>
          Player at the table
          <input type="text" value=${filters.versus} onChange=${(e) => change("versus", e.target.value.trim())} />
        </label>
        ${choice("Site", "site", known)}
        <label>
          Since
          <input type="date" value=${filters.since} onChange=${(e) => change("since", e.target.value)} />
        </label>
        <label>
          Before
          <input type="date" value=${filters.before} onChange=${(e) => change("before", e.target.value)} />
        </label>
        <label>
          Order of hands
          <select value=${filters.order || "newest"} onChange=${(e) => change("order", e.target.value)}>
            ${ORDERS.map(
              ([value, label]) => html`
              <option value=${value}>${label}</option>
            `,
            )}
          </select>
        </label>
        <label>
          Amounts in
          <select value=${unit} onChange=${(e) => setUnit(e.target.value)}>
            ${UNITS.map(
              ([value, label]) => html`
              <option value=${value}>${label}</option>
            `,
            )}
          </select>
        </label>
      </div>
    </form>
  `;
}

function Totals({ found }) {
  const { total } = found.hands;
  const { graph } = found;
  const end = (values) => signed(values[values.length - 1], 1);
  return html`
    <section class="panel padded winnings" aria-label="Winnings">
      <${Chart} hands=${graph.hands} line=${graph} />
      <dl class="numbers">
        <dt>
          <i class="key net"></i>won, ${total.hands} hands
        </dt>
        <dd>${end(graph.net)} bb</dd>
        <dt>
          <i class="key adjusted"></i>with all-ins at their expected value
        </dt>
        <dd>${end(graph.adjusted)} bb</dd>
        <dt>
          <i class="key showdown"></i>at showdown
        </dt>
        <dd>${end(graph.showdown)} bb</dd>
        <dt>
          <i class="key non-showdown"></i>without showdown
        </dt>
        <dd>${end(graph.non_showdown)} bb</dd>
        <dt>bb/100, with its 95% interval</dt>
        <dd>${rate(total.per_100)}</dd>
        <dt>bb/100, all-ins adjusted</dt>
        <dd>${rate(total.adjusted_per_100)}</dd>
      </dl>
    </section>
  `;
}

function List({ sessions, filters, change, unit }) {
  return html`
    <section class="panel padded" aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      ${
        filters.session &&
        html`
        <p>
          <button type="button" class="quiet" onClick=${() => change("session", "")}>
            All sessions
          </button>
        </p>
      `
      }
      <${Scroll} label="Table of sessions">
        <table class="numbers-table close">
          <thead>
            <tr>
              <th scope="col">Start</th>
              <th scope="col">Place</th>
              <th scope="col">Stakes</th>
              <th scope="col">Hands</th>
              <th scope="col">Result</th>
              <th scope="col">bb/100</th>
              <th scope="col">adjusted</th>
            </tr>
          </thead>
          <tbody>
            ${sessions.map(
              (each) => html`
              <tr class=${String(each.id) === filters.session ? "on" : ""}>
                <th scope="row">
                  <button type="button" class="quiet" onClick=${() => change("session", String(each.id))}>
                    ${when(each.start)}
                  </button>
                </th>
                <td>${each.place}</td>
                <td>${each.stakes}</td>
                <td>${each.hands}</td>
                <td>${amount(each, unit)}</td>
                <td>${rate(each.per_100)}</td>
                <td>${rate(each.adjusted_per_100)}</td>
              </tr>
            `,
            )}
          </tbody>
        </table>
      <//>
    </section>
  `;
}

function Hands({ hands, unit }) {
  return html`
    <section class="panel padded" aria-labelledby="hands">
      <h2 id="hands">Hands</h2>
      <p class="note">${hands.hands.length} of ${hands.total.hands}; a hand opens its replay.</p>
      <${HandTable} hands=${hands.hands} label="Table of hands" unit=${unit} />
    </section>
  `;
}

function HandTable({ hands, label, unit }) {
  const ids = hands.map((each) => each.id).join(",");
  return html`
    <${Scroll} label=${label}>
      <table class="numbers-table close">
        <thead>
          <tr>
            <th scope="col">Played</th>
            <th scope="col">Position</th>
            <th scope="col">Cards</th>
            <th scope="col">Pot</th>
            <th scope="col">Result</th>
            <th scope="col">adjusted</th>
          </tr>
        </thead>
        <tbody>
          ${hands.map(
            (each, at) => html`
            <tr>
              <th scope="row">
                <a ...${link(`/replay?hands=${ids}&at=${at}`)}>${when(each.played)}</a>
              </th>
              <td>${each.position}</td>
              <td>${each.cards}</td>
              <td>${each.pot_type}${each.all_in ? ", all-in" : each.showdown ? ", shown" : ""}</td>
              <td>${amount(each, unit)}</td>
              <td>${inBlinds(each.adjusted_bb)}</td>
            </tr>
          `,
          )}
        </tbody>
      </table>
    <//>
  `;
}

const inBlinds = (n) => (n === null ? "?" : `${signed(n, 1)} bb`);

// What cost most of the hands that the filters keep, with all-ins at their expected value; asked for when it is opened.
function Review({ asked: text, unit }) {
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    let over = false;
    setFound(null);
    setWrong("");
    if (open)
      ask(`/api/sessions/review?${text}`)
        .then((a) => a.json())
        .then((a) => {
          if (!over) setFound(a);
        })
        .catch((e) => {
          if (!over) setWrong(e.message);
        });
    return () => {
      over = true;
    };
  }, [open, text]);
  const groups = (title, rows) => html`
    <${Scroll} label=${title}>
      <table class="numbers-table close">
        <thead>
          <tr>
            <th scope="col">${title}</th>
            <th scope="col">Hands</th>
            <th scope="col">Result</th>
            <th scope="col">adjusted</th>
            <th scope="col">adjusted bb/100</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) => html`
            <tr>
              <th scope="row">${row.group}</th>
              <td>${row.hands}</td>
              <td>${inBlinds(row.result_bb)}</td>
              <td>${inBlinds(row.adjusted_bb)}</td>
              <td>${rate(row.adjusted_per_100)}</td>
            </tr>
          `,
          )}
        </tbody>
      </table>
    <//>
  `;
  return html`
    <section class="panel padded" aria-labelledby="review">
      <h2 id="review">What cost most</h2>
      <p>
        <button
          type="button"
          class="quiet"
          aria-expanded=${open ? "true" : "false"}
          onClick=${() => setOpen(!open)}
        >
          ${open ? "Close the review" : "Review these hands"}
        </button>
      </p>
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      ${
        found &&
        html`
        <p class="note" role="status">
          ${found.total.hands} hands: ${inBlinds(found.total.result_bb)}, of which
          ${` ${inBlinds(found.luck_bb)}`} were luck in all-ins. Adjusted: with all-ins at their expected value.
        </p>
        ${
          found.hands.length
            ? html`<${HandTable} hands=${found.hands} label="Hands that cost most" unit=${unit} />`
            : html`<p class="note">No hand lost anything.</p>`
        }
        ${groups("Position", found.position)} ${groups("Pot", found.pot_type)}
      `
      }
    </section>
  `;
}
