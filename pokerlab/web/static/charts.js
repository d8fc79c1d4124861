// Solved charts of play before the flop, by position: a range for one action of a seat.
import { html, useEffect, useState, ask, percent } from "./html.js";

/** @param {{onChange: (text: string) => void}} props `onChange` takes the text of a range */
export function ChartPicker({ onChange }) {
  const [books, setBooks] = useState([]);
  const [at, setAt] = useState({ book: 0, seat: "BTN", row: 0 });
  const [taken, setTaken] = useState("");
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    ask("/api/charts")
      .then((a) => a.json())
      .then((a) => setBooks(a.books))
      .catch((e) => setWrong(e.message));
  }, []);
  if (wrong)
    return html`
      <p class="wrong" role="alert">
        ${wrong}
      </p>
    `;
  if (!books.length) return html`<p class="note">…</p>`;
  const book = books[at.book];
  const seats = [...new Set(book.ranges.map((row) => row.seat))];
  const seat = seats.includes(at.seat) ? at.seat : seats[0];
  const rows = book.ranges.filter((row) => row.seat === seat);
  const row = rows[at.row] ?? rows[0];
  const put = (change) => {
    setTaken("");
    setAt({ ...at, ...change });
  };
  return html`
    <div class="stack tight">
      <div class="fields tight">
        ${
          books.length > 1 &&
          html`
          <label>
            Charts
            <select value=${at.book} onChange=${(e) => put({ book: Number(e.target.value), row: 0 })}>
              ${books.map(
                (each, i) => html`
                <option value=${i}>${each.players} players, ${each.stack} bb</option>
              `,
              )}
            </select>
          </label>
        `
        }
        <label>
          Seat
          <select value=${seat} onChange=${(e) => put({ seat: e.target.value, row: 0 })}>
            ${seats.map(
              (each) => html`
              <option value=${each}>${each}</option>
            `,
            )}
          </select>
        </label>
      </div>
      <label class="block">
        What it does
        <select value=${rows.indexOf(row)} onChange=${(e) => put({ row: Number(e.target.value) })}>
          ${rows.map(
            (each, i) => html`
            <option value=${i}>${each.words}: ${percent(each.share)}</option>
          `,
          )}
        </select>
      </label>
      <p class="note" role="status">
        ${taken && `${taken}: the range above. `} Charts ${book.source}.
      </p>
      <button
        type="button"
        onClick=${() => {
          onChange(row.text);
          setTaken(`${row.seat} ${row.words}`);
        }}
      >
        Take this range
      </button>
    </div>
  `;
}
