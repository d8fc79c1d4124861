// Our own four-colour cards.
import { html } from "./html.js";

const RANKS = { T: "10" };
const NAMES = {
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
  A: "ace",
};
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
export const SYMBOLS = { c: "♣", d: "♦", h: "♥", s: "♠" };

// In a square of 24.
const SHAPES = {
  h: html`
    <path d="M12 21.500C5.400 16 2 12.300 2 8.300A5.300 5.300 0 0 1
      12 5.900 5.300 5.300 0 0 1 22 8.300c0 4-3.400 7.700-10 13.200z" />
  `,
  d: html`<path d="M12 1.800 20.200 12 12 22.200 3.800 12z" />`,
  s: html`
    <path d="M12 2c6.600 5.600 10 8.800 10 12.500a4.900 4.900 0 0 1-8.600 3.200L15.200
      22H8.800l1.800-4.300A4.900 4.900 0 0 1 2 14.500C2 10.800 5.400 7.600 12 2z" />
  `,
  c: html`
    <path d="M12 2a4.700 4.700 0 0 1 3.700 7.600 4.800 4.800 0 1 1-2.300 8.200L15.200
      22H8.800l1.800-4.200a4.800 4.800 0 1 1-2.300-8.200A4.700 4.700 0 0 1 12 2z" />
  `,
};

export const cardName = (card) => (card ? `${NAMES[card[0]]} of ${SUITS[card[1]]}` : "hidden card");

export function Card({ card, small = false, muted = false }) {
  const size = small ? "playing-card small" : "playing-card";
  if (!card) {
    return html`
      <svg class="${size} back" viewBox="0 0 60 84" role="img" aria-label="hidden card">
        <rect class="face" x="1" y="1" width="58" height="82" rx="6" />
        <rect class="weave" x="6" y="6" width="48" height="72" rx="3" />
        <path
          class="weave"
          d="M6 24 24 6M6 44 44 6M6 64 54 16M12 78 54 36M32 78 54 56
            M6 60l18 18M6 40l38 38M6 20l48 48M14 6l40 40M34 6l20 20"
        />
      </svg>
    `;
  }
  const [rank, suit] = card;
  return html`
    <svg
      class="${size} ${SUITS[suit]} ${muted ? "muted" : ""}"
      viewBox="0 0 60 84"
      role="img"
      aria-label=${cardName(card)}
    >
      <rect class="face" x="1" y="1" width="58" height="82" rx="6" />
      <text
        class="rank"
        x="8"
        y="33"
        textLength=${rank === "T" ? 30 : undefined}
        lengthAdjust="spacingAndGlyphs"
      >
        ${RANKS[rank] || rank}
      </text>
      <g transform="translate(20 40) scale(1.5)">${SHAPES[suit]}</g>
    </svg>
  `;
}

export const Cards = ({ cards, small, muted }) => html`
  <span class="cards">
    ${cards.map(
      (card, i) => html`
      <${Card} key=${i} card=${card} small=${small} muted=${muted} />
    `,
    )}
  </span>
`;

// Cards in a line of text.
export const Written = ({ cards }) => html`
  <span class="written">
    ${cards.map(
      (card) => html`
      <span class=${card ? SUITS[card[1]] : ""} aria-label=${cardName(card)} role="img">
        ${card ? (RANKS[card[0]] || card[0]) + SYMBOLS[card[1]] : "??"}
      </span>
    `,
    )}
  </span>
`;
