// The 13x13 grid of hold'em hands: suited above the diagonal, offsuit below.
import { html } from "./html.js";

export const RANKS = "AKQJT98765432";
const GONE = "#e9ecef",
  FOLD = "#8fb4e3",
  CALL = "#8fd6bf",
  RAISES = ["#f2c48d", "#ef9f76", "#e5807a", "#d97fa6", "#b792d8"];
const RAMP = ["#fdf9e7", "#d3ecba", "#7fcdb4", "#3a9fbf", "#2a62a6"];

export const className = (row, column) =>
  row === column
    ? RANKS[row] + RANKS[row]
    : row < column
      ? `${RANKS[row]}${RANKS[column]}s`
      : `${RANKS[column]}${RANKS[row]}o`;

// A colour for each of a spot's actions: blue to fold, green to call, warmer the larger the raise.
export function actionColours(actions) {
  let raises = 0;
  return actions.map(({ words }) =>
    words.startsWith("fold")
      ? FOLD
      : /^(check|call)/.test(words)
        ? CALL
        : RAISES[Math.min(raises++, RAISES.length - 1)],
  );
}

export function splitGround(shares, colours) {
  let at = 0;
  const stops = shares.flatMap((share, i) => {
    const from = at;
    at += (share || 0) * 100;
    return share > 0.0005 ? [`${colours[i]} ${from.toFixed(1)}% ${at.toFixed(1)}%`] : [];
  });
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

// A background filled from below in proportion to the remaining weight of a hand.
export const leftGround = (shares, colours, left) =>
  left > 0.995
    ? splitGround(shares, colours)
    : `${splitGround(shares, colours)} bottom / 100% ${(100 * left).toFixed(0)}% no-repeat ${GONE}`;

function rampColour(share) {
  const place = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1),
    left = Math.min(Math.floor(place), RAMP.length - 2),
    mix = place - left;
  const part = (colour, at) => parseInt(colour.slice(at, at + 2), 16);
  const between = (from, to) => Math.round(from + mix * (to - from));
  const parts = [1, 3, 5].map((at) => between(part(RAMP[left], at), part(RAMP[left + 1], at)));
  return `rgb(${parts.join(" ")})`;
}

// A background and the text colour, black or white, that contrasts best with it.
export function rampStyle(share) {
  const background = rampColour(share);
  const [red, green, blue] = background.match(/\d+/g).map((part) => {
    const c = Number(part) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return { background, color: 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff" };
}

// The probability of each hand of a player, darker if likelier: {name, likely, grid} with 169 weights.
export const Weights = ({ belief }) => html`
  <figure class="weights">
    <figcaption class="note">
      <b>${belief.name}</b>, most likely: ${belief.likely}
    </figcaption>
    <${Grid}
      caption=${`Weights of ${belief.name}'s hands, the largest being 1`}
      cell=${(name, i) =>
        belief.grid[i] === null
          ? { dead: true, title: `${name}: cannot be held` }
          : { style: rampStyle(belief.grid[i]), title: `${name}: ${belief.grid[i]}` }}
    />
  </figure>
`;

// `cell(name, index)` returns {style, title, dead} for a class of hands.
export function Grid({ caption, cell, chosen, onChoose }) {
  return html`
    <table class="grid13">
      <caption class="sr">${caption}</caption>
      <tbody>
        ${[...RANKS].map(
          (_, row) => html`
          <tr>
            ${[...RANKS].map((__, column) => {
              const name = className(row, column),
                { style, title, dead } = cell(name, row * 13 + column);
              const inside =
                onChoose && !dead
                  ? html`
                  <button
                    type="button"
                    aria-pressed=${chosen === name ? "true" : "false"}
                    aria-label=${title || name}
                    onClick=${() => onChoose(name)}
                  >
                    ${name}
                  </button>
                `
                  : name;
              return html`
                <td
                  class=${`${dead === true ? "dead" : dead || ""} ${chosen === name ? "chosen" : ""}`}
                  style=${style}
                  title=${title}
                >
                  ${inside}
                </td>
              `;
            })}
          </tr>
        `,
        )}
      </tbody>
    </table>
  `;
}
