// The form that sets up a table.
import {
  html,
  useEffect,
  useMemo,
  useState,
  ask,
  gameTitle,
  go,
  keepTable,
  knownTables,
  link,
} from "./html.js";

const GAMES = [
  { key: "limit", name: "Limit hold'em", seats: [2, 10], blind: 10 },
  { key: "nolimit", name: "No-limit hold'em", seats: [2, 10], blind: 100, stack: 100 },
  { key: "potlimit", name: "Pot-limit hold'em", seats: [2, 10], blind: 100, stack: 100 },
  { key: "leduc", name: "Leduc", seats: [2, 2] },
  { key: "kuhn", name: "Kuhn", seats: [2, 3] },
  { key: "stud", name: "Five-card stud", seats: [2, 10] },
];
export const catalogName = (game, seats) =>
  game.blind || game.key === "stud"
    ? `${game.key}${seats}p`
    : game.key === "kuhn" && seats === 3
      ? "kuhn3p"
      : game.key;

const PACES = [
  ["1", "slowly"],
  ["0.5", "at a pace to follow"],
  ["0.15", "quickly"],
  ["0", "at once"],
];
const STAKES = [
  ["", "chips"],
  ["$", "$ and cents"],
  ["€", "€ and cents"],
  ["£", "£ and pence"],
];
const BLINDS = [
  { label: "Small blind", key: "small", share: 0.5 },
  { label: "Big blind", key: "blind", share: 1 },
];
const FRIEND = "a friend, by link",
  DEALER = "an ACPC dealer";

export function Lobby() {
  useEffect(() => {
    document.title = "Play · pokerlab";
  }, []);
  const known = knownTables();
  return html`
    <main class="page">
      <div class="intro">
        <h1>Sit down</h1>
        <p class="lead">
          Every agent of the lab, at any stakes. Cards depend only on the seed, and your table is saved:
          close the page and come back.
        </p>
      </div>
      <div class="columns">
        <${SetUp} />
        ${known.length > 0 && html`<${Known} tables=${known} />`}
      </div>
    </main>
  `;
}

function SetUp() {
  const [agents, setAgents] = useState([]);
  const [join, setJoin] = useState(false);
  const [game, setGame] = useState(GAMES[0]);
  const [n, setN] = useState(2);
  const [others, setOthers] = useState(["rulebot"]);
  const [said, setSaid] = useState({
    name: "You",
    currency: "",
    blind: "",
    small: "",
    stack: "",
    seed: "",
    seconds: "",
    pace: "0.5",
    dealer: "",
    running: false,
    coach: false,
  });
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    ask("/api/lobby")
      .then((a) => a.json())
      .then((a) => {
        setAgents(a.agents);
        setJoin(a.join);
      })
      .catch((e) => setWrong(e.message));
  }, []);
  const set = (key) => (event) =>
    setSaid({
      ...said,
      [key]: event.target.type === "checkbox" ? event.target.checked : event.target.value,
    });
  const seats = Math.min(Math.max(n, game.seats[0]), game.seats[1]);
  const rivals = Array.from({ length: seats - 1 }, (_, i) => others[i] ?? others[others.length - 1]);
  const dealt = rivals[0] === DEALER; // by somebody else
  const alone = !rivals.includes(FRIEND);
  const chip = said.currency && game.blind && !dealt ? 100 : 1; // chips in one unit of the stakes
  const sit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    const whole = (text) => (String(text).trim() === "" ? null : Number(text));
    const inChips = (text) => (whole(text) === null ? null : Number((Number(text) * chip).toFixed(4)));
    const friends = rivals.filter((who) => who === FRIEND).length;
    let friend = 0;
    const chairs = [
      { person: said.name || "You" },
      ...(dealt ? [] : rivals).map((who) =>
        who === FRIEND ? { person: friends > 1 ? `Friend ${++friend}` : "Friend" } : { agent: who },
      ),
    ];
    try {
      const made = await (
        await ask("/api/tables", {
          body: {
            game: catalogName(game, seats),
            chairs,
            dealer: dealt ? said.dealer.trim() : null,
            seed: alone && !dealt ? whole(said.seed) : null,
            seconds: whole(said.seconds),
            running: said.running && !dealt,
            coach: said.coach,
            pace: Number(said.pace),
            currency: chip > 1 ? said.currency : null,
            big_blind: game.blind ? inChips(said.blind) : null,
            small_blind: game.blind ? inChips(said.small) : null,
            stack: game.stack || said.running ? whole(said.stack) : null,
          },
        })
      ).json();
      keepTable({
        name: made.name,
        token: made.tokens["0"],
        tokens: made.tokens,
        names: made.names,
        game: catalogName(game, seats),
        seat: made.names[0],
      });
      go(`/table/${made.name}#${made.tokens["0"]}`);
    } catch (error) {
      setWrong(error.message);
      setBusy(false);
    }
  };
  return html`
    <form class="panel setup" onSubmit=${sit}>
      <fieldset class="choices">
        <legend>Game</legend>
        ${GAMES.map(
          (each) => html`
          <label class=${each === game ? "choice on" : "choice"}>
            <input
              type="radio"
              name="game"
              checked=${each === game}
              onChange=${() => {
                setGame(each);
                if (dealt && each.key === "stud") setOthers(["rulebot"]);
              }}
            />
            ${each.name}
          </label>
        `,
        )}
      </fieldset>
      <div class="fields">
        <label>
          Your name
          <input type="text" maxlength="24" value=${said.name} onInput=${set("name")} />
        </label>
        <label>
          Seats
          <select
            value=${seats}
            onChange=${(e) => setN(Number(e.target.value))}
            disabled=${game.seats[0] === game.seats[1]}
          >
            ${Array.from(
              { length: game.seats[1] - game.seats[0] + 1 },
              (_, i) => html`
              <option value=${game.seats[0] + i}>${game.seats[0] + i}</option>
            `,
            )}
          </select>
        </label>
        ${
          game.blind &&
          html`
          ${
            !dealt &&
            html`
            <label>
              Stakes in
              <select value=${said.currency} onChange=${set("currency")}>
                ${STAKES.map(
                  ([value, label]) => html`
                  <option value=${value}>${label}</option>
                `,
                )}
              </select>
            </label>
          `
          }
          ${BLINDS.map(
            ({ label, key, share }) => html`
            <label>
              ${label}
              <input
                type="number"
                min=${1 / chip}
                step=${1 / chip}
                placeholder=${((game.blind * share) / chip).toFixed(chip > 1 ? 2 : 0)}
                value=${said[key]}
                onInput=${set(key)}
              />
            </label>
          `,
          )}
        `
        }
        ${
          (game.stack || said.running) &&
          html`
          <label>
            Stack, in big blinds
            <input
              type="number"
              min="1"
              placeholder=${game.stack ? 200 : 100}
              value=${said.stack}
              onInput=${set("stack")}
            />
          </label>
        `
        }
      </div>
      <fieldset>
        <legend>Against</legend>
        <div class="fields">
          ${rivals.slice(0, dealt ? 1 : undefined).map(
            (who, i) => html`
            <label key=${i}>
              ${rivalName(i, seats)}
              <${Rival}
                label=${rivalName(i, seats)}
                agents=${agents}
                value=${who}
                dealer=${join && i === 0 && game.key !== "stud"}
                onChange=${(value) =>
                  setOthers(
                    value === DEALER
                      ? rivals.map(() => DEALER)
                      : rivals.map((old, at) => (at === i ? value : old === DEALER ? value : old)),
                  )}
              />
            </label>
          `,
          )}
          ${
            dealt &&
            html`
            <label>
              Where it listens
              <input
                type="text"
                placeholder="host:port"
                required
                spellcheck="false"
                autocapitalize="off"
                value=${said.dealer}
                onInput=${set("dealer")}
              />
            </label>
          `
          }
        </div>
        ${
          dealt &&
          html`
          <p class="note">
            You sit down at another program's table: it deals, seats the others and keeps the time. Game and
            stakes must be the dealer's own.
          </p>
        `
        }
      </fieldset>
      <details>
        <summary>Clock, seed, speed, running stacks, coach</summary>
        <div class="fields">
          <label>
            Agents act
            <select aria-label="Agents act" value=${said.pace} onChange=${set("pace")}>
              ${PACES.map(
                ([value, label]) => html`
                <option value=${value}>${label}</option>
              `,
              )}
            </select>
          </label>
          <label>
            Seconds for a decision
            <input
              type="number"
              min="1"
              placeholder="no clock"
              value=${said.seconds}
              onInput=${set("seconds")}
            />
          </label>
          ${
            alone &&
            !dealt &&
            html`
            <label>
              Seed
              <input
                type="number"
                min="0"
                step="1"
                placeholder="a new one"
                value=${said.seed}
                onInput=${set("seed")}
              />
            </label>
          `
          }
        </div>
        ${
          !dealt &&
          html`
          <label class="check">
            <input type="checkbox" checked=${said.running} onChange=${set("running")} />
            Chips stay won and lost from hand to hand
          </label>
        `
        }
        <label class="check">
          <input type="checkbox" checked=${said.coach} onChange=${set("coach")} />A coach may be asked; hands
          in which one was say so
        </label>
      </details>
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      <button class="primary" type="submit" disabled=${busy}>
        ${busy ? "Setting up …" : "Sit down"}
      </button>
    </form>
  `;
}

const rivalName = (i, seats) => (seats === 2 ? "Opponent" : `Opponent ${i + 1}`);

function Rival({ label, agents, value, dealer, onChange }) {
  const families = useMemo(() => {
    const found = new Map();
    for (const name of agents) {
      const family = name.split(":")[0];
      found.set(family, [...(found.get(family) || []), name]);
    }
    return [...found];
  }, [agents]);
  return html`
    <select aria-label=${label} value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${agents.length === 0 && html`<option value=${value}>${value}</option>`}
      ${families.map(
        ([family, names]) => html`
        <optgroup label=${family}>
          ${names.map(
            (name) => html`
            <option value=${name}>${name}</option>
          `,
          )}
        </optgroup>
      `,
      )}
      <optgroup label="people">
        <option value=${FRIEND}>${FRIEND}</option>
      </optgroup>
      ${
        dealer &&
        html`
        <optgroup label="elsewhere">
          <option value=${DEALER}>${DEALER}</option>
        </optgroup>
      `
      }
    </select>
  `;
}

const Known = ({ tables }) => html`
  <section class="panel known" aria-labelledby="known">
    <h2 id="known">Your tables</h2>
    <ul>
      ${tables
        .filter((table) => table.game)
        .map(
          (table) => html`
          <li>
            <a ...${link(`/table/${table.name}#${table.token}`)}>
              <b>${gameTitle(table.game)}</b>
              <span>${whom(table)}</span>
            </a>
          </li>
        `,
        )}
    </ul>
  </section>
`;

// The names at a table, the owner of the seat first.
export const whom = ({ names = [], seat }) =>
  seat === "watching"
    ? `watching ${names.join(", ")}`
    : [seat, ...names.filter((name) => name !== seat)].filter(Boolean).join(", ");
