// Automatic bet sizes: their value beside the sizes that were tried, and their importance.
import { html, chips, signed, Scroll } from "./html.js";

const some = (row, both) =>
  row.sizes.length
    ? row.sizes.map((size) => size.toFixed(2)).join(", ")
    : `all-in only${both ? ", both" : ""}`;
const WHOSE = ["The first to act's bet", "The other's bet after a check"];

export function Tried({ tried, asked }) {
  const players = [...new Set(tried.map((row) => row.player))];
  return html`
    <section class="panel" aria-labelledby="tried-title">
      <h2 id="tried-title">Bet sizes</h2>
      <p class="note">
        In pots: what the bettor expects of the pot of ${chips(asked.pot)} with each size and all-in. The
        value lies between the bounds; sizes whose bounds overlap may be equally good. Importance (R of
        Hawkin 2014, equation 5.4) is half of what a bet larger by a pot would win or lose, in chips,
        whichever way each of 5,000 sampled deals goes: a size of little importance can be left out.
      </p>
      ${players.map(
        (player) => html`
        <${OfPlayer} player=${player} rows=${tried.filter((row) => row.player === player)} asked=${asked} />
      `,
      )}
    </section>
  `;
}

function OfPlayer({ player, rows, asked }) {
  const least = rows[0].expects,
    chosen = rows.find((row) => row.chosen);
  const fewer =
    chosen.sizes.length < asked.automatic.sizes
      ? `${asked.automatic.sizes} sizes were requested; one more than these gains nothing. `
      : "";
  const gain =
    chosen.gain === null
      ? ""
      : "Each size is against the one found for the other player; the best of the usual ones would gain " +
        `${((100 * chosen.gain) / asked.pot).toFixed(2)}% of the pot.`;
  const both = asked.automatic.player === "both";
  return html`
      <h3>${WHOSE[player]}</h3>
      ${
        (fewer || gain) &&
        html`
        <p class="note">
          ${fewer}
          ${gain}
        </p>
      `
      }
      <${Scroll} label=${`Sizes that were tried: ${WHOSE[player]}`}>
        <table class="numbers-table close">
          <thead>
            <tr>
              <th scope="col">sizes</th>
              <th scope="col">expects</th>
              <th scope="col">importance</th>
              <th scope="col">bounds</th>
              <th scope="col">over all-in only, of the pot</th>
              <th scope="col">chips</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) => html`
              <tr class=${row.chosen ? "on" : ""}>
                <th scope="row">
                  ${some(row, both)}
                  ${row.chosen ? " (chosen)" : row.found ? " (found)" : ""}
                </th>
                <td>${row.expects.toFixed(2)}</td>
                <td>
                  ${row.importance ? row.importance.map((each) => each.toPrecision(2)).join(", ") : "–"}
                </td>
                <td>
                  ${row.low.toFixed(2)} to ${row.high.toFixed(2)}
                </td>
                <td>${signed((100 * (row.expects - least)) / asked.pot)}%</td>
                <td>${row.chips.length ? row.chips.map(chips).join(", ") : "–"}</td>
              </tr>
            `,
            )}
          </tbody>
        </table>
      <//>
    `;
}
