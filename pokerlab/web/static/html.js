// Preact with htm: markup in template strings, no build step.
import { h, render, Fragment } from "preact";
import htm from "htm";

export const html = htm.bind(h);
export { render, Fragment };
export { useState, useEffect, useRef, useMemo, useCallback, useId } from "preact/hooks";

export const chips = (n) => (n === null || n === undefined ? "∞" : n.toLocaleString("en-GB", { maximumFractionDigits: 2 }));
export const percent = (share, digits = 1) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits).replace("-", "−")}%`);
export function signed(n, digits = 2) {
  const size = Math.abs(n).toLocaleString("en-GB", { maximumFractionDigits: digits });
  return (size === "0" ? "" : n > 0 ? "+" : "−") + size;
}

const FAMILIES = { limit: "Limit hold'em", nolimit: "No-limit hold'em", potlimit: "Pot-limit hold'em", stud: "Five-card stud",
  leduc: "Leduc", kuhn: "Kuhn" };
export function gameTitle(name) {
  const [, family, seats] = name.match(/^([a-z]+?)(?:(\d+)p)?$/) || [];
  return FAMILIES[family] ? FAMILIES[family] + (seats ? `, ${seats} seats` : "") : name;
}

export const sentence = (words) => words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

// What someone did, in the second person where they are called so: "You call 20".
export const told = (name, words) => (name.toLowerCase() !== "you" ? words
  : words.replace(/^(fold|check|call|bet|raise|post)s\b/, "$1").replace("and is all-in", "and are all-in"));

// What is asked of the server; an answer that says what was wrong is thrown as an Error with that line.
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
    try { why = (await answer.json()).error || why; } catch { /* it said nothing that is JSON */ }
    throw new Error(why);
  }
  return answer;
}

export function go(path, { stay = false } = {}) {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  if (!stay) scrollTo(0, 0);
}

export function link(path) {
  return { href: path, onClick: (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(path);
  } };
}

// A wide table, in a box that scrolls, by keys too.
export const Scroll = ({ label, children }) => html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>${children}</div>`;
// What was done, for a narrow place: "bets 12,900.92, all-in".
export const inBrief = (words) => words.replace(/ and (is|are) all-in/, ", all-in").replace(/\d+(\.\d+)?/g, (number) => chips(Number(number)));

// A file that the page made, saved where the browser keeps downloads.
export function saveFile(name, text) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

// The seats that this browser has, the latest first: {name, token, game, names, seat}, the `invitation` that it came by,
// and `tokens` where it set up the table.
const KEY = "pokerlab.tables";
export function knownTables() {
  try { return JSON.parse(localStorage.getItem(KEY)) || []; } catch { return []; }
}
export function keepTable(entry, instead) {
  const others = knownTables().filter((known) => known.name !== entry.name || ![entry.token, instead].includes(known.token));
  try { localStorage.setItem(KEY, JSON.stringify([entry, ...others].slice(0, 12))); } catch { /* private window */ }
}
