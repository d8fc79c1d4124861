// The session: winnings, also with all-ins at their expected value, and the hands as files.
import { html, useEffect, useState, ask, signed } from "./html.js";

const FILES = [
  ["phhs", "PHH"],
  ["log", "ACPC"],
  ["txt", "PokerStars"],
];

export function Session({ name, token, table }) {
  const [session, setSession] = useState(null);
  const [wrong, setWrong] = useState("");
  const [said, setSaid] = useState(""); // of a file: hands left out, and changes
  const [who, setWho] = useState(table.you ?? 0);
  useEffect(() => {
    ask(`/api/tables/${name}/session`, { token })
      .then((a) => a.json())
      .then(setSession)
      .catch((e) => setWrong(e.message));
  }, [table.hands]);
  const save = async (ending) => {
    setWrong("");
    try {
      const answer = await ask(`/api/tables/${name}/hands.${ending}`, { token });
      setSaid(decodeURIComponent(answer.headers.get("X-Pokerlab-Changes") ?? ""));
      const blob = await answer.blob();
      const anchor = document.createElement("a");
      anchor.href = URL.createObjectURL(blob);
      anchor.download = `pokerlab-${name}.${ending}`;
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
    } catch (error) {
      setWrong(error.message);
    }
  };
  if (!session) return html`<p class="note">${wrong || "…"}</p>`;
  const line = session.lines[who];
  const end = (values) => (values.length ? values[values.length - 1] : 0);
  return html`
      <label class="inline">
        Bankroll of${" "}
        <select value=${who} onChange=${(e) => setWho(Number(e.target.value))}>
          ${session.lines.map(
            (each, i) => html`
            <option value=${i}>${each.name}</option>
          `,
          )}
        </select>
      </label>
      ${
        line.net.length === 0
          ? html`
        <p class="note">No hand has been finished yet.</p>
      `
          : html`
          <${Chart} hands=${session.hands} line=${line} />
          <dl class="numbers">
            <dt>
              <i class="key net"></i>won
            </dt>
            <dd>${signed(end(line.net))} bb</dd>
            <dt>
              <i class="key adjusted"></i>with all-ins at their expected value
            </dt>
            <dd>${signed(end(line.adjusted))} bb</dd>
            <dt>hands</dt>
            <dd>${table.hands}</dd>
          </dl>
          <p class="note">Hands as you saw them:</p>
          <div class="buttons small">
            ${FILES.map(
              ([ending, label]) => html`
              <button type="button" class="quiet" onClick=${() => save(ending)}>
                ${label}
              </button>
            `,
            )}
          </div>
        `
      }
      ${said && html`<p class="note" role="status">${said}</p>`}
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
    `;
}

export function Chart({ hands, line }) {
  const W = 320,
    H = 150,
    left = 46,
    bottom = 20,
    top = 8,
    right = 6;
  const others = ["showdown", "non_showdown"].filter((name) => line[name]);
  const all = [0, ...["net", "adjusted", ...others].flatMap((name) => line[name])];
  const low = Math.min(...all),
    high = Math.max(...all),
    span = high - low || 1;
  const n = Math.max(hands[hands.length - 1], 1);
  const x = (hand) => left + ((W - left - right) * hand) / n;
  const y = (value) => top + ((H - top - bottom) * (high - value)) / span;
  const path = (values) =>
    `M${x(0)} ${y(0)}` +
    values.map((value, i) => `L${x(hands[i]).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  // No two marks on one line.
  const marks = [0, ...new Set([low, high])].filter((mark, i) => i === 0 || Math.abs(mark) > 0.12 * span);
  const last = (values) => signed(values[values.length - 1]);
  return html`
    <svg
      class="chart"
      viewBox="0 0 ${W} ${H}"
      role="img"
      aria-label=${
        `Bankroll of ${line.name} over ${n} hands: ${last(line.net)} big blinds, ` +
        `${last(line.adjusted)} with all-ins at their expected value`
      }
    >
      ${marks.map(
        (mark) => html`
          <line class=${mark === 0 ? "zero" : "grid"} x1=${left} x2=${W - right} y1=${y(mark)} y2=${y(mark)} />
          <text x=${left - 5} y=${y(mark) + 4} text-anchor="end">
            ${signed(mark, 1)}
          </text>
        `,
      )}
      <text x=${left} y=${H - 4}>
        0
      </text>
      <text x=${W - right} y=${H - 4} text-anchor="end">
        ${n} hands
      </text>
      ${others.map(
        (name) => html`
        <path class=${name.replace("_", "-")} d=${path(line[name])} />
      `,
      )}
      <path class="adjusted" d=${path(line.adjusted)} />
      <path class="net" d=${path(line.net)} />
    </svg>
  `;
}

const measured = ({ kind, value }) =>
  value === null ? "–" : kind === "share" ? `${(100 * value).toFixed(0)}%` : value.toFixed(1);

// Statistics of all players, from the hands that this seat saw: fetched after every hand, while `wanted`.
function useStatistics({ name, token, hands, wanted = true }) {
  const [found, setFound] = useState({ players: [] });
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    if (wanted && hands)
      ask(`/api/tables/${name}/statistics`, { token })
        .then((a) => a.json())
        .then(setFound)
        .catch((e) => setWrong(e.message));
  }, [hands, wanted]);
  return { players: found.players, wrong };
}

// Statistics shown at the seats, by name: {short, words}; the browser remembers whether to show them.
const KEY = "pokerlab.hud";
export function useHud(name, token, table) {
  const [on, setOn] = useState(() => {
    try {
      return localStorage.getItem(KEY) === "on";
    } catch {
      return false;
    }
  });
  const put = (value) => {
    setOn(value);
    try {
      localStorage.setItem(KEY, value ? "on" : "");
    } catch {
      /* private window */
    }
  };
  const { players } = useStatistics({ name, token, hands: table ? table.hands : 0, wanted: on });
  const said = players.map((player) => [
    player.name,
    {
      short: `${player.measures
        .slice(0, 3)
        .map((each) => measured(each).replace("%", ""))
        .join(" / ")} · ${player.hands}`,
      words: [
        player.measures.map((each) => `${each.label} ${measured(each)} (n = ${each.n})`).join(", "),
        `${player.hands} hands`,
      ].join("; "),
    },
  ]);
  return { on, put, said: on ? Object.fromEntries(said) : {} };
}

// Each number with its number of chances.
export function Players({ name, token, table, hud }) {
  const { players, wrong } = useStatistics({ name, token, hands: table.hands });
  if (wrong)
    return html`
      <p class="wrong" role="alert">
        ${wrong}
      </p>
    `;
  if (!players.length) return html`<p class="note">No hand has been finished yet.</p>`;
  return html`
      <label class="check first">
        <input type="checkbox" checked=${hud.on} onChange=${(e) => hud.put(e.target.checked)} />
        At the seats too: VPIP / PFR / AF · hands
      </label>
      <ul class="players">
        ${players.map(
          (player) => html`
          <li>
            <p>
              <b>${player.name}</b> <span class="note">n = ${player.hands} hands</span>
            </p>
            <dl class="hud">
              ${player.measures.map(
                (each) => html`
                <div title=${each.meaning}>
                  <dt>${each.label}</dt>
                  <dd>
                    ${measured(each)}
                    <small>n = ${each.n}</small>
                  </dd>
                </div>
              `,
              )}
            </dl>
          </li>
        `,
        )}
      </ul>
    `;
}
