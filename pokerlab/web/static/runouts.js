// The choice of the next card, with what each card is worth and what is done on it.
import { html, useEffect, useState, ask, signed, percent, inBrief } from "./html.js";
import { Written } from "./cards.js";
import { RANKS, rampStyle } from "./grid.js";
import { span } from "./hands.js";

const SUITS = "shdc";

// In small games, where no board is known, the card stays open until one is chosen.
export function NextCard({ name, spot, pending, move }) {
  const open =
    pending || (!spot.grid && spot.hands.some((each) => each.hand.includes(" on ")) ? spot.at : "");
  if (!open || (!pending && spot.board.length)) return null;
  if (!spot.grid) {
    const left = spot.deck.filter((card) => !spot.board.includes(card));
    return html`
      <div class="pick" role="group" aria-label="The next card">
        <span class="note">The next card is</span>
        ${left.map(
          (card) => html`
          <button type="button" class="quiet" onClick=${() => move(`${open} / ${card}`)}>
            <${Written} cards=${[card]} />
          </button>
        `,
        )}
      </div>
    `;
  }
  return html`<${Runouts} key=${open} name=${name} spot=${spot} open=${open} move=${move} />`;
}

// By suit and rank; the colour is what the first to act expects, or how often the first action is taken.
function Runouts({ name, spot, open, move }) {
  const [rows, setRows] = useState(null);
  const [wrong, setWrong] = useState("");
  const [shown, setShown] = useState("ev");
  useEffect(() => {
    let over = false;
    ask(`/api/solves/${name}/runouts?${new URLSearchParams({ at: open })}`)
      .then((a) => a.json())
      .then((found) => !over && setRows(found.cards))
      .catch((error) => !over && setWrong(error.message));
    return () => {
      over = true;
    };
  }, [name, open]);
  const of = Object.fromEntries((rows || []).map((row) => [row.card, row]));
  const words = rows && rows.length ? rows[0].words : [];
  const value = (row) =>
    shown === "ev" ? row.expected[0] : shown === "equity" ? row.equity[0] : row.often[Number(shown)];
  const [low, high] = span((rows || []).map(value));
  const text = (row) =>
    shown === "ev" ? signed(value(row), Math.abs(value(row)) < 100 ? 1 : 0) : percent(value(row), 0);
  return html`
    <div class="runouts">
      <div class="range-tools">
        <p role="status">
          <b>Choose the next card</b>${" "}
          <span class="note">
            ${wrong || (rows ? "by suit and rank" : "reading every card …")}
          </span>
        </p>
        <label class="inline">
          <span class="note">coloured by</span>
          <select value=${shown} onChange=${(event) => setShown(event.target.value)}>
            <option value="ev">EV of the first to act</option>
            <option value="equity">equity of the first to act</option>
            ${words.map((each, i) => html`<option value=${i}>${inBrief(each)}, how often</option>`)}
          </select>
        </label>
      </div>
      <div class="deck" role="group" aria-label="The next card">
        ${[...SUITS].map((suit) =>
          [...RANKS].map((rank) => {
            const card = rank + suit,
              row = of[card];
            if (!spot.deck.includes(card) || spot.board.includes(card))
              return html`<span class="no-card"></span>`;
            const about = row
              ? `EV ${signed(row.expected[0])}, equity ${percent(row.equity[0])}, ` +
                row.words.map((each, i) => `${inBrief(each)} ${percent(row.often[i], 0)}`).join(", ")
              : "";
            return html`
              <button
                type="button"
                class="deck-card"
                title=${about}
                style=${row ? rampStyle(high > low ? (value(row) - low) / (high - low) : 0.5) : {}}
                onClick=${() => move(`${open} / ${card}`)}
              >
                <${Written} cards=${[card]} />
                <span class="deck-value">${row ? text(row) : ""}</span>
              </button>
            `;
          }),
        )}
      </div>
    </div>
  `;
}
