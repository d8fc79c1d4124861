// What questions are called in lists: spots, their sizes and chips.
export const SMALL = [
  ["kuhn", "Kuhn poker"],
  ["leduc", "Leduc poker"],
];
export const title = (asked) =>
  asked.game
    ? SMALL.find(([key]) => key === asked.game)[1]
    : `${asked.board} · ${asked.ranges.join(" against ")}`;
const automaticTitle = ({ player, sizes }) =>
  player === "both" ? "first bets of both" : `${player ? "after a check" : "first bet"} (${sizes})`;
export const sizesTitle = ({ sizes, bets, lock, rake, automatic }) =>
  [sizes, bets, rake && `rake ${rake}%`, lock && "locks"]
    .filter(Boolean)
    .map((part) => `, ${part}`)
    .join("") + `${automatic ? `, automatic ${automaticTitle(automatic)}` : ""}`;
export const chipsTitle = (asked) =>
  `pot ${asked.pot}, stacks ${asked.stacks ?? asked.stack}${sizesTitle(asked)}`;
