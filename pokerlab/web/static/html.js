// Preact with htm: markup in template strings, no build step.
import { h, render, Fragment } from "preact";
import htm from "htm";

export const html = htm.bind(h);
export { render, Fragment };
export { useState, useEffect, useRef, useMemo, useCallback, useId } from "preact/hooks";

/** @type {(n: number | null | undefined) => string} A number of chips; without one, the infinity sign. */
export const chips = (n) =>
  n === null || n === undefined ? "∞" : n.toLocaleString("en-GB", { maximumFractionDigits: 2 });
/** @type {(share: number | null | undefined, digits?: number) => string} */
export const percent = (share, digits = 1) =>
  share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits).replace("-", "−")}%`;
/**
 * @param {number} n
 * @param {number} [digits]
 * @returns {string} with a sign, unless it rounds to zero
 */
export function signed(n, digits = 2) {
  const size = Math.abs(n).toLocaleString("en-GB", { maximumFractionDigits: digits });
  return (size === "0" ? "" : n > 0 ? "+" : "−") + size;
}

const FAMILIES = {
  limit: "Limit hold'em",
  nolimit: "No-limit hold'em",
  potlimit: "Pot-limit hold'em",
  stud: "Five-card stud",
  leduc: "Leduc",
  kuhn: "Kuhn",
};
/** @type {(name: string) => string} */
export function gameTitle(name) {
  const [, family, seats] = name.match(/^([a-z]+?)(?:(\d+)p)?$/) || [];
  return FAMILIES[family] ? FAMILIES[family] + (seats ? `, ${seats} seats` : "") : name;
}

export const sentence = (words) =>
  words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

// An action in words, in the second person for the player called "you": "You call 20".
export const told = (name, words) =>
  name.toLowerCase() !== "you"
    ? words
    : words.replace(/^(fold|check|call|bet|raise|post)s\b/, "$1").replace("and is all-in", "and are all-in");

/**
 * Send a request to the server; an error response is thrown as an Error with the server's message.
 * @param {string} path
 * @param {{token?: string, body?: unknown, method?: string}} [options] a body is sent as JSON
 * @returns {Promise<Response>}
 */
export async function ask(path, { token, body, method } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, {
    method: method || (body === undefined ? "GET" : "POST"),
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) {
    let why = `the server answered ${answer.status}`;
    try {
      why = (await answer.json()).error || why;
    } catch {
      /* the response is not JSON */
    }
    throw new Error(why);
  }
  return answer;
}

/**
 * Show another page of the lab without loading it anew.
 * @param {string} path
 * @param {{stay?: boolean}} [options] `stay`: keep the scroll position
 */
export function go(path, { stay = false } = {}) {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  if (!stay) scrollTo(0, 0);
}

/** @type {(path: string) => {href: string, onClick: (event: MouseEvent) => void}} */
export function link(path) {
  return {
    href: path,
    onClick: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
      event.preventDefault();
      go(path);
    },
  };
}

// A box that scrolls a wide table, also by keyboard.
export const Scroll = ({ label, children }) => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${label}>
    ${children}
  </div>
`;
// An action in words, shortened for a narrow place: "bets 12,900.92, all-in".
export const inBrief = (words) =>
  words
    .replace(/ and (is|are) all-in/, ", all-in")
    .replace(/\d+(\.\d+)?/g, (number) => chips(Number(number)));

/**
 * Offer text as a download.
 * @param {string} name of the file
 * @param {string} text
 */
export function saveFile(name, text) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

/**
 * A seat that this browser holds: `seat` is the name at it, or "watching"; `tokens` by chair if it set up the table,
 * `invitation` if it joined by one.
 * @typedef {{name: string, token: string, game?: string, names?: string[], seat?: string,
 *   invitation?: string, tokens?: Record<string, string>}} KnownTable
 */
const KEY = "pokerlab.tables";
/** @returns {KnownTable[]} the seats of this browser, the latest first */
export function knownTables() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || [];
  } catch {
    return [];
  }
}
/**
 * Remember a seat; it replaces the one with the token `instead`.
 * @param {KnownTable} entry
 * @param {string} [instead]
 */
export function keepTable(entry, instead) {
  const others = knownTables().filter(
    (known) => known.name !== entry.name || ![entry.token, instead].includes(known.token),
  );
  try {
    localStorage.setItem(KEY, JSON.stringify([entry, ...others].slice(0, 12)));
  } catch {
    /* private window */
  }
}
