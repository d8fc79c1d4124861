// The coach: asked on one's turn, and marked in the history of the hand.
import { html, useState, percent } from "./html.js";
import { Grid, rampStyle } from "./grid.js";

export function Coach({ table, advice, send }) {
  const [who, setWho] = useState(0);
  const mine = table.play && table.play.legal;
  const said = advice && advice.turn.join() === table.turn.join() ? advice : null;
  if (!said) {
    return html`<p class="note">The coach sees what you see. A hand in which it was asked says so in its history.</p>
      <div class="buttons small"><button type="button" class="quiet" disabled=${!mine} onClick=${() => send({ type: "coach" })}>Ask the coach</button></div>`;
  }
  const belief = said.beliefs[Math.min(who, said.beliefs.length - 1)];
  return html`<dl class="numbers">
      <dt>equity against ${said.opponents === 1 ? "a random hand" : `${said.opponents} random hands`}</dt><dd>${percent(said.equity)}</dd>
      <dt>EHS</dt><dd>${said.ehs === null ? "from the flop on" : percent(said.ehs)}</dd>
      <dt>pot odds: a call needs</dt><dd>${said.pot_odds === null ? "nothing to call" : percent(said.pot_odds)}</dd></dl>
    ${said.equilibrium && html`<p class="note">${said.equilibrium.name} here:</p><dl class="numbers">${said.equilibrium.actions.map(([words, p]) => html`<dt>${words}</dt><dd>${percent(p)}</dd>`)}</dl>`}
    ${belief && html`<label class="inline">Poki believes <select value=${who} onChange=${(e) => setWho(Number(e.target.value))}>${said.beliefs.map((each, i) => html`<option value=${i}>${each.name}</option>`)}</select></label>
      <${Grid} caption=${`Weights of ${belief.name}'s hands, the largest being 1`} cell=${(name, i) => (belief.grid[i] === null ? { dead: true, title: `${name}: cannot be held` }
        : { style: rampStyle(belief.grid[i]), title: `${name}: ${belief.grid[i]}` })}/>
      <p class="note">Darker is likelier. Most likely: ${belief.likely}</p>`}`;
}
