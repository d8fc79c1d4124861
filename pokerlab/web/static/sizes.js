// Bet sizes that were found, and what they are worth beside those that were tried.
import { html, chips, percent, signed, Scroll } from "./html.js";

const some = (row) => (row.sizes.length ? row.sizes.map((size) => size.toFixed(2)).join(", ") : "all-in only");

export function Tried({ tried, asked }) {
  const least = tried[0].expects, who = asked.automatic.player ? "The other's bet after a check" : "The first to act's bet";
  const fewer = tried.at(-1).sizes.length < asked.automatic.sizes;
  return html`<section class="panel" aria-labelledby="tried-title"><h2 id="tried-title">Bet sizes</h2>
    <p class="note">${who}, in pots: what the bettor expects of the pot of ${chips(asked.pot)} with each size and all-in. The value lies between the bounds; sizes whose bounds overlap may be equally good.${fewer ? ` ${asked.automatic.sizes} sizes were asked for; one more than these was worth no more.` : ""}</p>
    <${Scroll} label="Sizes that were tried"><table class="numbers-table close"><thead><tr><th scope="col">sizes</th><th scope="col">chips</th><th scope="col">expects</th><th scope="col">bounds</th><th scope="col">over all-in only, of the pot</th></tr></thead>
      <tbody>${tried.map((row) => html`<tr class=${row.chosen ? "on" : ""}><th scope="row">${some(row)}${row.chosen ? " (chosen)" : row.found ? " (found)" : ""}</th><td>${row.chips.length ? row.chips.map((each) => each.toFixed(1)).join(", ") : "–"}</td><td>${row.expects.toFixed(2)}</td><td>${row.low.toFixed(2)} to ${row.high.toFixed(2)}</td><td>${signed((100 * (row.expects - least)) / asked.pot)}%</td></tr>`)}</tbody></table><//></section>`;
}
