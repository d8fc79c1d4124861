// A table: the felt, the seats, and the panels beside it.
import {
  html,
  useEffect,
  useRef,
  useState,
  gameTitle,
  keepTable,
  knownTables,
  sentence,
  told,
} from "./html.js";
import { Cards, Written } from "./cards.js";
import { Actions } from "./actions.js";
import { Coach } from "./coach.js";
import { Players, Session, useHud } from "./session.js";
import { Amounts, UnitChoice, amountsOf, useAmounts, useUnit } from "./units.js";

// A server that was started again asks for its passphrase again, on a page of its own.
async function reloadIfAsked() {
  const answer = await fetch("/api/lobby").catch(() => null);
  if (answer && answer.status === 401) location.reload();
}

// `token` is a reference: the link of an invitation opens its seat once, and the server answers with the token for
// later visits.
function useTable(name, token) {
  const [table, setTable] = useState(null);
  const [trouble, setTrouble] = useState("");
  const [gone, setGone] = useState(false);
  const [advice, setAdvice] = useState(null);
  const [review, setReview] = useState(null);
  const [lost, setLost] = useState(0); // how often something that was sent may have come to nothing
  const socket = useRef(null);
  useEffect(() => {
    let closed = false,
      tries = 0,
      timer = 0;
    const open = () => {
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      const ws = new WebSocket(`${scheme}://${location.host}/ws/${name}`);
      socket.current = ws;
      let refused = false;
      ws.onopen = () => ws.send(JSON.stringify({ token: token.current }));
      ws.onmessage = (event) => {
        const said = JSON.parse(event.data);
        if (said.type === "table") {
          tries = 0;
          setGone(false);
          setTable({ ...said, at: performance.now() });
          setTrouble("");
        } else if (said.type === "seat") {
          keepTable({ name, token: said.token, invitation: token.current }, token.current);
          token.current = said.token;
          history.replaceState(null, "", `#${said.token}`);
        } else if (said.type === "refused") {
          refused = true;
          setTrouble(said.why);
          setLost((n) => n + 1);
        } else if (said.type === "coach")
          setAdvice((known) =>
            known && known.turn.join() === said.turn.join() ? { ...known, ...said } : said,
          );
        else if (said.type === "review") setReview(said);
      };
      ws.onclose = (event) => {
        if (closed || (refused && event.code === 1008)) return;
        setGone(true);
        setLost((n) => n + 1);
        timer = setTimeout(open, Math.min(5000, 250 * 2 ** tries++));
        reloadIfAsked();
      };
    };
    open();
    return () => {
      closed = true;
      clearTimeout(timer);
      socket.current.close();
    };
  }, [name]);
  const send = (message) => {
    if (socket.current.readyState !== 1) return false;
    socket.current.send(JSON.stringify(message));
    return true;
  };
  return { table, trouble, gone, lost, coach: { advice, review }, send };
}

// The token for a seat: of the link, or of the seat that this browser took by the link, or of a seat that it holds.
function ownToken(name, linked) {
  const seats = knownTables().filter((known) => known.name === name);
  const taken = seats.find((known) => linked && known.invitation === linked);
  return taken ? taken.token : linked || (seats[0] || {}).token || "";
}

export function TablePage({ name }) {
  const token = useRef(ownToken(name, location.hash.slice(1)));
  const { table, trouble, gone, lost, coach, send } = useTable(name, token);
  const hud = useHud(name, token.current, table);
  const [unit, setUnit] = useUnit(table && table.money ? "money" : "chips");
  useEffect(() => {
    if (!table) return;
    const known = knownTables().find((t) => t.name === name && t.token === token.current);
    if (!known?.seat)
      keepTable({
        ...known,
        name,
        token: token.current,
        game: table.game,
        names: table.names,
        seat: table.you === null ? "watching" : table.names[table.you],
      });
    const mine = table.play && table.play.legal;
    document.title = `${mine ? "● Your turn · " : ""}${gameTitle(table.game)} · pokerlab`;
  }, [table]);
  if (!table) {
    return html`
      <main class="page">
        <h1 class="quiet-title">${trouble ? "No seat here" : "Opening the table …"}</h1>
        ${
          trouble &&
          html`
          <p class="wrong" role="alert">
            ${trouble}
          </p>
        `
        }
      </main>
    `;
  }
  return html`
    <${Amounts.Provider} value=${amountsOf(table, unit)}>
    <main class="table-page">
      <h1 class="sr">
        ${gameTitle(table.game)}, hand ${table.hand + 1}
      </h1>
      <div class="stage">
        <${Felt} table=${table} said=${hud.said} />
        <div class="dock">
          ${
            trouble &&
            html`
            <p class="wrong" role="alert">
              ${trouble}
            </p>
          `
          }
          ${
            gone &&
            html`
            <p class="wrong" role="status">
              The server cannot be reached; trying again …
            </p>
          `
          }
          ${
            table.stopped &&
            html`
            <p class="wrong" role="alert">
              ${sentence(table.stopped)}
            </p>
          `
          }
          ${failedNow(table)}
          <${Actions} table=${table} lost=${lost} send=${send} />
        </div>
      </div>
      <${Beside}
        name=${name}
        token=${token.current}
        table=${table}
        coach=${{ ...coach, lost }}
        hud=${hud}
        send=${send}
        setUnit=${setUnit}
      />
      <${Spoken} table=${table} />
    </main>
    <//>
  `;
}

// Agents that failed in this hand; why is on the server's terminal, as an error may quote cards.
function failedNow(table) {
  const failed = (table.failed ?? []).filter((each) => each.hand === table.hand);
  if (!failed.length) return "";
  return html`
    <p class="wrong" role="status">
      ${failed.map(({ name, times }) => `${name} failed${times > 1 ? ` (${times} times so far)` : ""}`).join(", ")}, and
      checked, or folded to a bet. The terminal of the server says why.
    </p>
  `;
}

// Points around a felt, evenly spaced along its edge, from the bottom clockwise: for a wide felt and for a tall one.
function edge({ width, height, x, y, power }) {
  const points = Array.from({ length: 721 }, (_, i) => {
    const angle = Math.PI / 2 + (2 * Math.PI * i) / 720,
      bent = (turn) => Math.sign(turn) * Math.abs(turn) ** (2 / power);
    return { angle, x: x * bent(Math.cos(angle)), y: y * bent(Math.sin(angle)), along: 0 };
  });
  points.forEach((point, i) => {
    if (i)
      point.along =
        points[i - 1].along +
        Math.hypot((point.x - points[i - 1].x) * width, (point.y - points[i - 1].y) * height);
  });
  const all = points[720].along;
  return (share) => points.find((point) => point.along >= share * all - 1e-9);
}
const WIDE = edge({ width: 16, height: 9, x: 42, y: 37, power: 2.2 });
const TALL = edge({ width: 4, height: 5, x: 37, y: 39, power: 2.6 });

// Where chair `place` of `n` sits; the others keep some distance from the one at the bottom, whose cards are larger.
export function position(place, n) {
  const gap = n < 4 ? 1 / n : 1.2 / n;
  const share = place === 0 ? 0 : n === 2 ? 0.5 : gap + ((1 - 2 * gap) * (place - 1)) / (n - 2);
  const wide = WIDE(share),
    tall = TALL(share),
    at = (centre, offset) => `${(centre + offset).toFixed(2)}%`;
  return {
    "--x": at(50, wide.x),
    "--y": at(47, wide.y),
    "--bx": at(50, 0.6 * wide.x),
    "--by": at(45, 0.52 * wide.y),
    "--tx": at(50, tall.x),
    "--ty": at(47, tall.y),
    "--tbx": at(50, 0.38 * tall.x),
    "--tby": at(46, 0.6 * tall.y),
  };
}

// Where pot and board begin on a tall felt, by the number of seats: between two rows of them.
const MIDDLE = ["", "", "30%", "42%", "45.5%", "30.5%", "37%", "30.5%", "32%", "35%", "30.5%"];

const WINNERS = (play) => play.result.won.map((won, seat) => [won, seat]).filter(([won]) => won > 0);

// `said` is the statistics shown at the seats, by name.
export function Felt({ table, said = {} }) {
  const { play, names } = table;
  const amounts = useAmounts();
  const n = names.length,
    first = table.you ?? 0;
  if (!play)
    return html`
      <section class="felt" aria-label="Table">
        <div class="middle">
          <p>
            ${table.dealer ? `Waiting for the dealer at ${table.dealer} …` : "The cards are being dealt …"}
          </p>
        </div>
      </section>
    `;
  const seatOf = (chair) => table.chairs.indexOf(chair);
  const last = {};
  for (const line of play.log)
    if (line.seat === undefined) for (const key of Object.keys(last)) delete last[key];
    else last[line.seat] = amounts.words(line.words);
  return html`
    <section
      class=${n > 6 ? "felt dense" : n > 4 ? "felt full" : "felt"}
      style=${{ "--middle": MIDDLE[n] }}
      aria-label="Table"
    >
      <div class="middle">
        <div class="board" aria-label="Board" role="group">
          ${play.board.length > 0 && html`<${Cards} cards=${play.board} />`}
        </div>
        <p class="pot">
          Pot <b>${amounts.text(play.pot)}</b>
        </p>
        ${play.result && html`<${Outcome} table=${table} />`}
      </div>
      <ul class="seats">
        ${names.map((name, chair) => {
          const seat = seatOf(chair);
          return html`
            <${Seat}
              key=${chair}
              table=${table}
              chair=${chair}
              seat=${seat}
              last=${last[seat]}
              hud=${said[name]}
              style=${position((chair - first + n) % n, n)}
            />
          `;
        })}
      </ul>
    </section>
  `;
}

function Seat({ table, chair, seat, last, hud, style }) {
  const { play } = table;
  const amounts = useAmounts();
  const data = play.seats[seat],
    won = play.result && play.result.won[seat];
  const acting = play.actor === seat;
  const away = table.people && table.people[chair] && !table.here.includes(chair);
  const kind = [
    "seat",
    acting && "acting",
    data.folded && "folded",
    won > 0 && "winner",
    chair === table.you && "you",
  ]
    .filter(Boolean)
    .join(" ");
  const button = seat === play.seats.length - 1;
  return html`
    <li class=${kind} style=${style}>
      ${
        data.bet > 0 &&
        html`
        <span class="bet">
          <span class="chip" aria-hidden="true"></span>
          <span class="sr">bet </span>
          ${amounts.text(data.bet)}
        </span>
      `
      }
      <div class="spot">
        <div class="holding">
          ${
            data.folded && !data.cards.some(Boolean)
              ? null
              : html`
            <${Cards} cards=${data.cards} small=${chair !== table.you} muted=${data.folded} />
          `
          }
        </div>
        <div class="pod">
          <span class="who">
            ${data.name}
            ${
              button &&
              html`
              <abbr class="button" title="dealer button">
                D
              </abbr>
            `
            }
          </span>
          <span class="stack">
            ${
              data.stack !== null
                ? amounts.text(data.stack)
                : table.net
                  ? amounts.signed(table.net[chair])
                  : ""
            }
            ${
              data.all_in && !play.over
                ? html`
                ${" "}
                <b>all-in</b>
              `
                : ""
            }
          </span>
          <span class="said">
            ${
              won > 0
                ? html`
              <b>+${amounts.text(won)}</b>
            `
                : acting
                  ? chair === table.you
                    ? "your turn"
                    : table.net
                      ? "thinking …"
                      : "to act"
                  : data.folded
                    ? "folded"
                    : play.equities && play.equities[seat] !== null
                      ? `${(100 * play.equities[seat]).toFixed(0)}%${last ? ` · ${last}` : ""}`
                      : last || (away ? "away" : "")
            }
          </span>
          ${
            hud &&
            html`
            <abbr class="hud-line" title=${hud.words}>
              ${hud.short}
            </abbr>
          `
          }
        </div>
      </div>
    </li>
  `;
}

function Outcome({ table }) {
  const { play } = table;
  const amounts = useAmounts();
  const winners = WINNERS(play);
  if (!winners.length) return html`<p class="outcome">The pot is split.</p>`;
  return html`
    <p class="outcome">
      ${winners.map(
        ([won, seat], i) => html`
          ${i > 0 && ", "}
          <b>${play.seats[seat].name}</b>${" "}
          ${
            table.chairs[seat] === table.you && play.seats[seat].name.toLowerCase() === "you" ? "win" : "wins"
          }${" "}
          ${amounts.text(won)}
          ${play.result.labels[seat] && ` with ${play.result.labels[seat]}`}
        `,
      )}
    </p>
  `;
}

// The latest event, for screen readers.
function Spoken({ table }) {
  const [said, setSaid] = useState("");
  const amounts = useAmounts();
  const seen = useRef(0);
  useEffect(() => {
    const { play } = table;
    if (!play) return;
    const key = table.hand * 10000;
    const from = Math.max(seen.current - key, 0);
    const news = play.log
      .slice(from)
      .map((line) =>
        line.words
          ? `${line.name} ${told(line.name, amounts.words(line.words))}`
          : `${line.street} ${line.board.join(" ")}`,
      );
    seen.current = key + play.log.length;
    if (play.legal)
      news.push(play.legal.call ? `Your turn, ${amounts.text(play.legal.call)} to call` : "Your turn");
    if (news.length) setSaid(news.join(". "));
  }, [table]);
  return html`
    <p class="sr" role="status" aria-live="polite">
      ${said}
    </p>
  `;
}

const TABS = [
  ["log", "Hand"],
  ["session", "Session"],
  ["players", "Players"],
  ["coach", "Coach"],
  ["seats", "Seats"],
];

function Beside({ name, token, table, coach, hud, send, setUnit }) {
  const [tab, setTab] = useState("log");
  const tokens = (knownTables().find((t) => t.name === name && t.tokens) || {}).tokens;
  const tabs = TABS.filter(
    ([key]) => (key !== "seats" || tokens) && (key !== "coach" || (table.coach && table.you !== null)),
  );
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = (tabs.findIndex(([key]) => key === tab) + step + tabs.length) % tabs.length;
    setTab(tabs[at][0]);
    document.getElementById(`tab-${tabs[at][0]}`).focus();
    event.stopPropagation();
  };
  return html`
    <aside class="beside panel" aria-label="Beside the table">
      <div class="tabs" role="tablist" aria-label="Beside the table" onKeyDown=${move}>
        ${tabs.map(
          ([key, label]) => html`
          <button
            type="button"
            role="tab"
            id=${`tab-${key}`}
            aria-selected=${key === tab ? "true" : "false"}
            aria-controls="tab-panel"
            tabindex=${key === tab ? 0 : -1}
            onClick=${() => setTab(key)}
          >
            ${label}
          </button>
        `,
        )}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="0">
        ${
          tab === "log" &&
          html`
            <${UnitChoice} put=${setUnit} />
            <${Log} table=${table} />
          `
        }
        ${tab === "session" && html`<${Session} name=${name} token=${token} table=${table} />`}
        ${tab === "players" && html`<${Players} name=${name} token=${token} table=${table} hud=${hud} />`}
        ${tab === "coach" && html`<${Coach} table=${table} ...${coach} send=${send} />`}
        ${tab === "seats" && html`<${Seats} name=${name} table=${table} tokens=${tokens} />`}
      </div>
    </aside>
  `;
}

// The time limits of a table in words, each with those who have it.
function limitsIn({ time_limits: limits, names, dealer }) {
  const holders = new Map();
  (limits ?? []).forEach((limit, chair) => holders.set(limit, [...(holders.get(limit) ?? []), names[chair]]));
  const free = holders.get(null) ?? [];
  holders.delete(null);
  if (!holders.size) return "";
  const parts = [...holders].map(([limit, who]) => `${limit} s for ${who.join(", ")}`);
  if (free.length && !dealer) parts.push(`no limit for ${free.join(", ")}`);
  return `; time for a decision: ${parts.join("; ")}`;
}

export function Log({ table }) {
  const amounts = useAmounts();
  return html`
    <p class="hand-number">
      ${gameTitle(table.game)}, hand ${table.hand + 1}${limitsIn(table)}
    </p>
    <ol class="log">
      ${
        table.play &&
        table.play.log.map((line) =>
          line.words
            ? html`
            <li>
              <b>${line.name}</b> ${told(line.name, amounts.words(line.words))}
            </li>
          `
            : html`
            <li class="street">
              ${line.street}
              ${
                line.board.length > 0 &&
                html`
                  ${" "}
                  <${Written} cards=${line.board} />
                `
              }
            </li>
          `,
        )
      }
      ${
        table.play &&
        table.play.result &&
        html`
          <li class="street">result</li>
          ${table.play.result.won.map(
            (won, seat) => html`
            <li>
              <b>${table.play.seats[seat].name}</b>${" "}
              <span class=${won > 0 ? "up" : won < 0 ? "down" : ""}>${amounts.signed(won)}</span>
              ${
                table.play.seats[seat].cards.some(Boolean) &&
                html`
                  ${" "}
                  <${Written} cards=${table.play.seats[seat].cards} />
                `
              }${" "}
              ${table.play.result.labels[seat]}
            </li>
          `,
          )}
        `
      }
    </ol>
  `;
}

function Seats({ name, table, tokens }) {
  const [copied, setCopied] = useState("");
  const copy = async (label, url) => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(label);
    } catch {
      setCopied("");
    }
  };
  const rows = Object.entries(tokens)
    .filter(([key]) => key !== String(table.you))
    .map(([key, token]) => ({
      label: key === "watch" ? "To watch" : `Seat of ${table.names[key]}`,
      url: `${location.origin}/table/${name}#${token}`,
      taken: key !== "watch" && !table.invited.includes(Number(key)),
    }));
  return html`
      <p class="note">
        The first person to open a link has that seat, and the link then works for nobody else. Another
        machine needs <code>pokerlab web --host</code>.
      </p>
      <ul class="links">
        ${rows.map(
          ({ label, url, taken }) => html`
          <li>
            <span>${label}</span>
            ${
              taken
                ? html`
              <span class="note">taken</span>
            `
                : html`
                <button type="button" class="quiet" onClick=${() => copy(label, url)}>
                  ${copied === label ? "Copied" : "Copy link"}
                </button>
                <code>${url}</code>
              `
            }
          </li>
        `,
        )}
      </ul>
    `;
}
