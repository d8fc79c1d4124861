// Amounts in big blinds, chips or a currency: one choice for tables, replays and sessions, remembered in the browser.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { html, useState, chips, inBrief } from "./html.js";

const KEY = "pokerlab.unit";
export const UNITS = [
  ["bb", "big blinds"],
  ["chips", "chips"],
  ["money", "currency"],
];

/** @typedef {{big_blind?: number | null, money?: {symbol: string, chips: number} | null}} Stakes of a hand */

/** @type {(usual: string) => [string, (unit: string) => void]} The chosen unit, or the `usual` one, and its setter. */
export function useUnit(usual) {
  const [unit, setUnit] = useState(() => {
    try {
      return localStorage.getItem(KEY) || "";
    } catch {
      return "";
    }
  });
  const put = (value) => {
    setUnit(value);
    try {
      localStorage.setItem(KEY, value);
    } catch {
      /* private window */
    }
  };
  return [unit || usual, put];
}

const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const rounded = (n, digits) => Number(n.toFixed(digits));
const plain = (n) => n.toLocaleString("en-GB", { maximumFractionDigits: 2 });
const cents = (n) => (Number.isInteger(rounded(n, 2)) ? plain(n) : n.toLocaleString("en-GB", CENTS));

/** @type {(n: number, symbol: string) => string} `$0.50`, or `0.50 USD` */
const paid = (n, symbol) =>
  symbol.length > 1 && /^[\x20-\x7e]*$/.test(symbol) ? `${cents(n)} ${symbol}` : `${symbol}${cents(n)}`;

/**
 * How amounts, which are chips, are shown: `text`, `signed` and `words` as text, `shown` as a number in the unit.
 * @param {Stakes} stakes
 * @param {string} unit the chosen one; a hand without it has chips
 */
export function amountsOf({ big_blind: blind, money }, unit) {
  const units = UNITS.filter(([key]) => key === "chips" || (key === "bb" ? blind : money));
  const now = units.some(([key]) => key === unit) ? unit : "chips";
  const chip = { bb: blind ?? 1, chips: 1, money: money?.chips ?? 1 }[now];
  const text = (n) => {
    if (n === null || n === undefined || now === "chips") return chips(n);
    return now === "bb" ? `${plain(n / chip)} bb` : paid(n / chip, money?.symbol ?? "");
  };
  const words = (said) =>
    now === "chips" ? said : said.replace(/\d+(\.\d+)?/g, (number) => text(Number(number)));
  return {
    unit: now,
    units,
    text,
    /** @type {(n: number) => string} */
    signed: (n) => (n === 0 ? "" : n > 0 ? "+" : "−") + text(Math.abs(n)),
    /** @type {(said: string) => string} An action in words; its numbers are amounts. */
    words,
    /** @type {(said: string) => string} The same for a narrow place. */
    brief: (said) =>
      now === "chips" ? inBrief(said) : words(said.replace(/ and (is|are) all-in/, ", all-in")),
    /** @type {(n: number) => number} */
    shown: (n) => (now === "chips" ? n : rounded(n / chip, 4)),
    /** @type {(n: number, whole: boolean) => number} The chips of an amount in the unit. */
    chips: (n, whole) => (whole ? Math.round(n * chip) : rounded(n * chip, 4)),
  };
}

/** The amounts of the page's hand; chips where nothing else is said. */
export const Amounts = createContext(amountsOf({}, "chips"));
export const useAmounts = () => useContext(Amounts);

/** An action in words, shortened for a narrow place. */
export const Brief = ({ words }) => useAmounts().brief(words);

export function UnitChoice({ put }) {
  const { unit, units } = useAmounts();
  if (units.length < 2) return null;
  return html`
    <label class="inline note">
      Amounts in${" "}
      <select value=${unit} onChange=${(e) => put(e.target.value)}>
        ${units.map(
          ([value, label]) => html`
          <option value=${value}>${label}</option>
        `,
        )}
      </select>
    </label>
  `;
}
