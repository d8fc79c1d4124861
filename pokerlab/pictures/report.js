// Tables that are sorted by a click on a heading: numbers from the largest, words from A; again for the other way.
const value = (row, column) => {
  const cell = row.cells[column];
  const words = (cell.firstChild?.textContent ?? "").trim();
  const number = parseFloat(words.replaceAll(",", ""));
  return cell.matches("th") ? words : Number.isNaN(number) ? null : number;
};
const compared = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b);

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const sort = (column) => {
    const rows = [...table.tBodies[0].rows];
    const head = heads[column];
    const fallsFirst = head.dataset.first !== "low" && !rows[0].cells[column].matches("th");
    const falls = head.ariaSort ? head.ariaSort === "ascending" : fallsFirst;
    const known = rows.filter((row) => value(row, column) !== null);
    known.sort((a, b) => compared(value(a, column), value(b, column)) * (falls ? -1 : 1));
    for (const each of heads) each.ariaSort = null;
    head.ariaSort = falls ? "descending" : "ascending";
    table.tBodies[0].append(...known, ...rows.filter((row) => !known.includes(row)));
  };
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return; // a picture
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(column));
    head.append(button);
  });
}
