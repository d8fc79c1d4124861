// Solved games: solve a turn or a river, walk the betting, see what every hand does and is worth.
import { html, useEffect, useState, ask, go, signed, percent } from "./html.js";
import { Cards, Written } from "./cards.js";
import { Grid, actionColours, splitGround } from "./grid.js";

const SMALL = [["kuhn", "Kuhn poker"], ["leduc", "Leduc poker"]];
const title = (asked) => (asked.game ? SMALL.find(([key]) => key === asked.game)[1] : `${asked.board} · ${asked.ranges.join(" against ")}`);
const viewOf = () => { const said = new URLSearchParams(location.search); return [said.get("solve") || "", said.get("at") || ""]; };
const address = (solve, at) => `/study?${new URLSearchParams(at ? { solve, at } : { solve })}`;

export function Study() {
  const [[name, at], setView] = useState(viewOf);
  const [solve, setSolve] = useState(null);
  const [kept, setKept] = useState([]);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    document.title = "Study · pokerlab";
    const moved = () => setView(viewOf());
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  useEffect(() => { ask("/api/solves").then((a) => a.json()).then((a) => setKept(a.solves)).catch(() => {}); }, [name]);
  useEffect(() => {
    if (!name) { setSolve(null); return undefined; }
    let timer = 0, over = false;
    const look = async () => {
      try {
        const found = await (await ask(`/api/solves/${name}`)).json();
        if (over) return;
        setSolve(found);
        setWrong(found.wrong);
        if (found.running) timer = setTimeout(look, 400);
      } catch (error) { if (!over) setWrong(error.message); }
    };
    look();
    return () => { over = true; clearTimeout(timer); };
  }, [name, solve && solve.asked_again]);
  const begin = async (asked) => {
    setWrong("");
    try {
      const begun = await (await ask("/api/solves", { body: asked })).json();
      setSolve({ ...begun, asked_again: Date.now() });
      go(address(begun.name, ""));
    } catch (error) { setWrong(error.message); }
  };
  return html`<main class="page wide"><div class="intro"><h1>Study</h1><p class="lead">Solve a turn or a river and walk its betting; what was solved is kept, and a link opens the same view again.</p></div>
    <div class=${solve || wrong ? "study open" : "study"}><div class="stack"><${Ask} begin=${begin} busy=${solve && solve.running}/>
      <section class="panel known" aria-labelledby="small-games"><h2 id="small-games">Whole games</h2><ul>${SMALL.map(([game, label]) => html`<li><button type="button" class="plain" onClick=${() => begin({ game })}><b>${label}</b><span>solved in a second or so</span></button></li>`)}</ul></section>
      ${kept.length > 0 && html`<section class="panel known" aria-labelledby="kept"><h2 id="kept">Solved before</h2><ul>${kept.map((each) => html`<li><button type="button" class="plain" onClick=${() => go(address(each.name, ""))}><b>${title(each.asked)}</b><span>${each.asked.game ? "" : `pot ${each.asked.pot}, stacks ${each.asked.stack}`}</span></button></li>`)}</ul></section>`}</div>
      <div class="stack">${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
        ${solve && html`<${Progress} solve=${solve}/>`}
        ${solve && solve.ready && html`<${Spot} key=${name} name=${name} at=${at} round=${solve.iterations}/>`}
        ${!solve && !wrong && html`<p class="panel note">Nothing is open yet: ask for a spot, or open one that was solved before.</p>`}</div></div></main>`;
}

function Ask({ begin, busy }) {
  const [said, setSaid] = useState(() => {
    const given = new URLSearchParams(location.search);
    const usual = { board: "KsQh7d2c3s", first: "QQ+, AKs, JTs, T9s", second: "22+, KQ, QJs", pot: "100", stack: "300", sizes: "", target: "0.5" };
    return Object.fromEntries(Object.entries(usual).map(([key, value]) => [key, given.get(key) ?? value]));
  });
  const set = (key) => (event) => setSaid({ ...said, [key]: event.target.value });
  const submit = (event) => {
    event.preventDefault();
    const asked = { board: said.board.replace(/\s/g, ""), ranges: [said.first, said.second], pot: Number(said.pot), stack: Number(said.stack), target: Number(said.target) };
    if (said.sizes.trim()) asked.sizes = said.sizes.trim();
    begin(asked);
  };
  return html`<form class="panel setup" onSubmit=${submit}><h2>A turn or a river</h2>
    <label class="block">Board<input type="text" value=${said.board} onInput=${set("board")} spellcheck="false"/></label>
    <label class="block">Range of the first to act<input type="text" value=${said.first} onInput=${set("first")} spellcheck="false"/></label>
    <label class="block">Range of the other<input type="text" value=${said.second} onInput=${set("second")} spellcheck="false"/></label>
    <div class="fields tight"><label>Pot<input type="number" min="1" value=${said.pot} onInput=${set("pot")}/></label>
      <label>Stacks behind<input type="number" min="1" value=${said.stack} onInput=${set("stack")}/></label>
      <label>Bet sizes<input type="text" placeholder="usual ones" value=${said.sizes} onInput=${set("sizes")} spellcheck="false"/></label>
      <label>Until, % of the pot<input type="number" min="0.01" step="any" value=${said.target} onInput=${set("target")}/></label></div>
    <button class="primary" type="submit" disabled=${busy}>${busy ? "Solving …" : "Solve"}</button></form>`;
}

function Progress({ solve }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => setAsked(false), [solve.name, solve.running]);
  const stop = async () => { setAsked(true); await ask(`/api/solves/${solve.name}/stop`, { body: {} }); };
  return html`<section class="panel progress" aria-label="The solve"><p role="status"><b>${title(solve.asked)}</b><br/>
    <span class="note">${solve.iterations ? `${solve.iterations.toLocaleString("en-GB")} iterations` : "the first round is under way (compiling takes up to a minute the first time)"}${solve.exploitability !== null && !solve.asked.game ? `, exploitability ${percent(solve.exploitability, 2)} of the pot, target ${percent(solve.target, 2)}` : ""}${solve.exploitability !== null && solve.asked.game ? `, exploitability ${solve.exploitability.toFixed(5)} chips a hand` : ""}</span></p>
    ${solve.running ? html`<button type="button" class="quiet" disabled=${asked} onClick=${stop}>${asked ? "Stopping …" : "Stop"}</button>` : html`<span class="done">${solve.ready ? "ready" : "stopped"}</span>`}</section>`;
}

function Spot({ name, at, round }) {
  const [spot, setSpot] = useState(null);
  const [wrong, setWrong] = useState("");
  const [hand, setHand] = useState("");
  const [pending, setPending] = useState("");
  useEffect(() => {
    let over = false;
    ask(`/api/solves/${name}/spot?${new URLSearchParams({ at })}`).then((a) => a.json()).then((found) => { if (!over) { setSpot({ ...found, at }); setWrong(""); } }).catch((error) => { if (!over) setWrong(error.message); });
    return () => { over = true; };
  }, [name, at, round]);
  if (wrong) return html`<p class="wrong" role="alert">${wrong}</p>`;
  if (!spot) return html`<p class="note">…</p>`;
  const stale = spot.at !== at; // the next one is on its way: what is shown is still the last
  const parts = spot.at.split(/(, | \/ )/), colours = actionColours(spot.actions);
  let step = 0;
  const crumbs = [["start", ""], ...parts.filter((_, i) => i % 2 === 0 && parts[i]).map((part, i) => [/^([2-9TJQKA][cdhs])+$/.test(part) ? part : spot.path[step++] || part, parts.slice(0, 2 * i + 1).join("")])];
  const move = (to) => { setPending(""); go(address(name, to)); };
  const row = spot.hands.find((each) => each.hand === hand);
  const board = spot.board;
  return html`<section class="panel solved" aria-label="The spot" aria-busy=${stale ? "true" : "false"}>
    <nav class="crumbs" aria-label="The way here">${crumbs.map(([label, to], i) => html`<button type="button" class="crumb" aria-current=${i === crumbs.length - 1 ? "step" : undefined} onClick=${() => move(to)}>${label}</button>`)}</nav>
    <div class="spot-head"><div><p><b>${spot.seat === 0 ? "First to act" : "The other"}</b> decides, ${spot.street}, pot ${spot.pot.toLocaleString("en-GB")}</p>
      ${spot.expected && html`<p class="note">expects ${signed(spot.expected[spot.seat])} chips; equity ${percent(spot.equity[spot.seat])}</p>`}</div>
      ${board.length > 0 && html`<${Cards} cards=${board} small=${true}/>`}</div>
    <ul class="strips actions">${spot.actions.map((action, i) => html`<li><button type="button" class="walk" disabled=${stale || action.next === null} onClick=${() => (action.deals && spot.grid ? setPending(action.next) : move(action.next))}>
      <span class="strip-name">${action.words.replace(" and is all-in", ", all-in")}</span><span class="strip"><i style=${{ width: percent(action.share ?? 0), background: colours[i] }}></i></span><b>${percent(action.share)}</b></button></li>`)}</ul>
    <${NextCard} spot=${spot} at=${spot.at} pending=${pending} move=${move}/>
    ${spot.grid ? html`<div class="split"><${Grid} caption="How often each hand takes each action" chosen=${hand} onChoose=${setHand} cell=${(label) => {
      const found = spot.hands.find((each) => each.hand === label);
      return found ? { style: { background: splitGround(found.p, colours) }, title: `${label}: ${spot.actions.map((action, i) => `${action.words} ${percent(found.p[i], 0)}`).join(", ")}` } : { dead: true, title: `${label}: not in the range` };
    }}/><${Hand} spot=${spot} row=${row}/></div>` : html`<${Table} spot=${spot} colours=${colours}/>`}
  </section>`;
}

// Where the next street begins a card is chosen; in small games that is left open until one is.
function NextCard({ spot, at, pending, move }) {
  const open = pending || (!spot.grid && spot.hands.some((each) => each.hand.includes(" on ")) ? at : "");
  if (!open || (!pending && spot.board.length)) return null;
  const left = spot.deck.filter((card) => !spot.board.includes(card));
  return html`<div class="pick" role="group" aria-label="The next card"><span class="note">The next card is</span>${left.map((card) => html`<button type="button" class="quiet" onClick=${() => move(`${open} / ${card}`)}><${Written} cards=${[card]}/></button>`)}</div>`;
}

const Hand = ({ spot, row }) => (row ? html`<div class="hand-detail"><h2>${row.hand}</h2><dl class="numbers">
    ${spot.actions.map((action, i) => html`<dt>${action.words}</dt><dd>${percent(row.p[i])}</dd>`)}
    ${row.ev !== null && html`<dt>expects, chips</dt><dd>${signed(row.ev)}</dd>`}${row.equity !== null && html`<dt>equity</dt><dd>${percent(row.equity)}</dd>`}
    <dt>share of the range</dt><dd>${percent(row.share)}</dd></dl></div>` : html`<p class="note hand-detail">Choose a hand to see what it does and what it is worth. Grey hands are not in the range here.</p>`);

const Table = ({ spot, colours }) => html`<div class="scroll"><table class="numbers-table"><thead><tr><th scope="col">hand</th><th scope="col">does</th>${spot.actions.map((action) => html`<th scope="col">${action.words}</th>`)}<th scope="col">expects</th><th scope="col">equity</th><th scope="col">share</th></tr></thead>
  <tbody>${spot.hands.map((row) => html`<tr><th scope="row">${row.hand}</th><td><span class="split-bar" style=${{ background: splitGround(row.p, colours) }}></span></td>${row.p.map((p) => html`<td>${percent(p)}</td>`)}<td>${row.ev === null ? "–" : signed(row.ev)}</td><td>${percent(row.equity)}</td><td>${percent(row.share)}</td></tr>`)}</tbody></table></div>`;
