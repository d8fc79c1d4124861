// A hand step by step, from a file, from text, or from one of your tables.
import { html, useEffect, useRef, useState, ask, gameTitle, knownTables, link, signed, percent } from "./html.js";
import { Felt, Log } from "./table.js";

export function Replay() {
  const [text, setText] = useState("");
  const [found, setFound] = useState(null);
  const [step, setStep] = useState(0);
  const [wrong, setWrong] = useState("");
  const source = useRef("");
  useEffect(() => { document.title = "Replay · pokerlab"; }, []);
  const open = async (content, index = 0) => {
    setWrong("");
    source.current = content;
    try {
      setFound(await (await ask("/api/replay", { body: { text: content, index } })).json());
      setStep(0);
    } catch (error) { setWrong(error.message); }
  };
  const openTable = async ({ name, token, game }) => {
    setWrong("");
    const ending = /^(limit|nolimit|potlimit)/.test(game) ? "phhs" : "log";
    try { await open(await (await ask(`/api/tables/${name}/hands.${ending}`, { token })).text()); } catch (error) { setWrong(error.message); }
  };
  const last = found ? found.frames.length - 1 : 0;
  useEffect(() => {
    if (!found) return undefined;
    const moves = { ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, Home: () => 0, End: () => last };
    const pressed = (event) => {
      if (!moves[event.key] || event.target.closest("input, textarea, select")) return;
      event.preventDefault();
      setStep((at) => Math.min(Math.max(moves[event.key](at), 0), last));
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [found]);
  if (!found) return html`<${Source} text=${text} setText=${setText} open=${open} openTable=${openTable} wrong=${wrong}/>`;
  const frame = found.frames[step], n = frame.play.seats.length;
  const table = { game: found.game, hand: (found.hands[found.index] || { number: found.index }).number, names: frame.play.seats.map((seat) => seat.name), chairs: [...Array(n).keys()],
    you: null, here: [], play: { ...frame.play, equities: frame.equities } };
  return html`<main class="table-page"><h1 class="sr">Replay of ${gameTitle(found.game)}</h1>
    <div class="stage"><${Felt} table=${table}/>
      <div class="dock"><p class="step" role="status"><b>${step} of ${last}</b> ${frame.done}${frame.pot_odds !== null && html`<span class="note"> · a call needs ${percent(frame.pot_odds)}</span>`}</p>
        <input type="range" aria-label="Step" min="0" max=${last} value=${step} onInput=${(e) => setStep(Number(e.target.value))}/>
        <div class="buttons">${[["First", 0], ["Back", step - 1], ["Next", step + 1], ["Last", last]].map(([name, to]) => html`<button type="button" class="act" disabled=${to < 0 || to > last || to === step} onClick=${() => setStep(to)}>${name}</button>`)}</div>
      </div></div>
    <aside class="beside panel" aria-label="The hand"><div class="padded">
      <label class="inline">Hand <select value=${found.index} onChange=${(e) => open(source.current, Number(e.target.value))}>${found.hands.map((hand, i) => html`<option value=${i}>${hand.number}${hand.winner ? ` · ${hand.winner} ${signed(hand.won)}` : ""}</option>`)}</select>
        <button type="button" class="quiet" onClick=${() => setFound(null)}>Other hands</button></label>
      ${found.problems.length > 0 && html`<p class="wrong">${found.problems[0]}</p>`}
      ${frame.equities && html`<h2 class="small">Equity</h2><ul class="strips">${frame.play.seats.map((seat, i) => frame.equities[i] !== null && html`<li><span class="strip-name">${seat.name}</span><span class="strip"><i style=${{ width: percent(frame.equities[i]) }}></i></span><b>${percent(frame.equities[i])}</b></li>`)}</ul>`}
      ${studied(frame.play) && html`<p><a ...${link(studied(frame.play))}>Solve this spot</a> <span class="note">with ranges of your choice</span></p>`}
      <${Log} table=${table}/></div></aside>
  </main>`;
}

// The study page with the board, the pot and the stacks of a turn or river that two players are left in.
function studied(play) {
  const left = play.seats.filter((seat) => !seat.folded);
  if (play.over || left.length !== 2 || play.board.length < 4 || play.board.includes(null) || left.some((seat) => seat.bet)) return "";
  const stacks = left.map((seat) => seat.stack).filter((stack) => stack !== null);
  return `/study?${new URLSearchParams({ board: play.board.join(""), pot: play.pot, stack: stacks.length ? Math.min(...stacks) : 4 * play.pot })}`;
}

function Source({ text, setText, open, openTable, wrong }) {
  const read = async (event) => { const file = event.target.files[0]; if (file) open(await file.text()); };
  const tables = knownTables();
  return html`<main class="page"><div class="intro"><h1>Replay a hand</h1><p class="lead">Step by step, with equities and pot odds. Hands come as PHH, ACPC logs or PokerStars text, and stay on this machine.</p></div>
    <div class="columns"><form class="panel setup" onSubmit=${(e) => { e.preventDefault(); open(text); }}>
      <label class="block">Paste hands<textarea rows="10" spellcheck="false" value=${text} onInput=${(e) => setText(e.target.value)}></textarea></label>
      <label class="block">or open a file<input type="file" accept=".phh,.phhs,.txt,.log" onChange=${read}/></label>
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      <button class="primary" type="submit" disabled=${!text.trim()}>Replay</button></form>
      ${tables.length > 0 && html`<section class="panel known" aria-labelledby="known"><h2 id="known">Your tables</h2><ul>${tables.map((table) => html`<li><button type="button" class="plain" onClick=${() => openTable(table)}><b>${gameTitle(table.game)}</b><span>${(table.names || []).join(", ")}</span></button></li>`)}</ul></section>`}
    </div></main>`;
}
