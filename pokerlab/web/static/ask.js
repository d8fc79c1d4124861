// The question to solve: board, ranges, pot, stacks and sizes; it comes and goes as a file too.
import { html, useEffect, useState, saveFile } from "./html.js";
import { RangeField } from "./paint.js";

const USUAL = { board: "KsQh7d2c3s", first: "QQ+, AKs, JTs, T9s", second: "22+, KQ, QJs", pot: "100", stack: "300", sizes: "", target: "0.5" };
const form = (asked) => ({ board: asked.board, first: asked.ranges[0], second: asked.ranges[1], pot: String(asked.pot), stack: String(asked.stack), sizes: asked.sizes || "", target: String(asked.target ?? 0.5) });

export function Ask({ begin, busy, open }) {
  const [said, setSaid] = useState(() => {
    const given = new URLSearchParams(location.search);
    return Object.fromEntries(Object.entries(USUAL).map(([key, value]) => [key, given.get(key) ?? value]));
  });
  const [wrong, setWrong] = useState("");
  useEffect(() => { if (open && !open.game) setSaid(form(open)); }, [JSON.stringify(open)]);
  const put = (key) => (value) => setSaid((now) => ({ ...now, [key]: value }));
  const set = (key) => (event) => put(key)(event.target.value);
  const asked = () => ({ board: said.board.replace(/\s/g, ""), ranges: [said.first, said.second], pot: Number(said.pot), stack: Number(said.stack), target: Number(said.target), ...(said.sizes.trim() ? { sizes: said.sizes.trim() } : {}) });
  const submit = (event) => { event.preventDefault(); begin(asked()); };
  const read = async (event) => {
    const file = event.target.files[0];
    setWrong("");
    try { if (file) setSaid(form(JSON.parse(await file.text()))); } catch { setWrong(`${file.name} is no spot: a spot is JSON with board, ranges, pot and stack`); }
    event.target.value = "";
  };
  const board = /^([2-9TJQKA][cdhs]\s*){3,5}$/i.test(said.board.trim()) ? said.board : "";
  return html`<form class="panel setup" onSubmit=${submit}><h2>A turn or a river</h2>
    <label class="block">Board<input type="text" value=${said.board} onInput=${set("board")} spellcheck="false"/></label>
    <${RangeField} label="Range of the first to act" value=${said.first} onChange=${put("first")} board=${board}/>
    <${RangeField} label="Range of the other" value=${said.second} onChange=${put("second")} board=${board}/>
    <div class="fields tight"><label>Pot<input type="number" min="1" value=${said.pot} onInput=${set("pot")}/></label>
      <label>Stacks behind<input type="number" min="1" value=${said.stack} onInput=${set("stack")}/></label>
      <label>Bet sizes<input type="text" placeholder="usual ones" value=${said.sizes} onInput=${set("sizes")} spellcheck="false"/></label>
      <label>Until, % of the pot<input type="number" min="0.01" step="any" value=${said.target} onInput=${set("target")}/></label></div>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    <div class="buttons"><button class="primary" type="submit" disabled=${busy}>${busy ? "Solving …" : "Solve"}</button>
      <span class="buttons small"><button type="button" class="quiet" onClick=${() => saveFile("spot.json", `${JSON.stringify(asked(), null, 2)}\n`)}>Save spot</button><label class="quiet file">Open spot<input class="sr" type="file" accept=".json" onChange=${read}/></label></span></div></form>`;
}
