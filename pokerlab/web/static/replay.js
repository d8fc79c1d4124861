// A hand step by step, from a file, from text, or from one of your tables.
import { html, useEffect, useRef, useState, ask, gameTitle, go, knownTables, percent } from "./html.js";
import { Steps, useAutoplay } from "./autoplay.js";
import { Weights } from "./grid.js";
import { Felt, Log } from "./table.js";
import { Amounts, Brief, amountsOf, useUnit } from "./units.js";

export function Replay() {
  const [text, setText] = useState("");
  const [found, setFound] = useState(null);
  const [step, setStep] = useState(0);
  const [wrong, setWrong] = useState("");
  const source = useRef("");
  useEffect(() => {
    document.title = "Replay · pokerlab";
  }, []);
  const open = async (content, index = 0) => {
    setWrong("");
    source.current = content;
    try {
      const body = { text: content, index };
      const replay = await (await ask("/api/replay", { body })).json();
      setFound({ ...replay, believers: [] });
      setStep(0);
      if (!found) scrollTo(0, 0);
      // Who could explain the hand is known later: the first time, all agents have to be made.
      const { believers } = await (await ask("/api/replay/believers", { body })).json();
      setFound((now) =>
        source.current === content && now && now.index === index ? { ...now, believers } : now,
      );
    } catch (error) {
      setWrong(error.message);
    }
  };
  const openTable = async ({ name, token, game }) => {
    setWrong("");
    const ending = /^(limit|nolimit|potlimit)/.test(game) ? "phhs" : "log";
    try {
      await open(await (await ask(`/api/tables/${name}/hands.${ending}`, { token })).text());
    } catch (error) {
      setWrong(error.message);
    }
  };
  useEffect(() => {
    const given = new URLSearchParams(location.search);
    if (given.get("hands"))
      ask(`/api/sessions/hands.phhs?ids=${encodeURIComponent(given.get("hands"))}`)
        .then((a) => a.text())
        .then((content) => open(content, Number(given.get("at")) || 0))
        .catch((e) => setWrong(e.message));
  }, []);
  const last = found ? found.frames.length - 1 : 0;
  const [unit, setUnit] = useUnit(found && found.money ? "money" : "chips");
  const nextHand =
    found && found.index + 1 < found.hands.length ? () => open(source.current, found.index + 1) : null;
  const play = useAutoplay({ found, step, last, setStep, nextHand });
  const move = (from) => {
    play.pause();
    setStep((at) => Math.min(Math.max(from(at), 0), last));
  };
  useEffect(() => {
    if (!found) return undefined;
    const moves = { ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, Home: () => 0, End: () => last };
    const pressed = (event) => {
      if (!moves[event.key] || event.target.closest("input, textarea, select")) return;
      event.preventDefault();
      move(moves[event.key]);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [found]);
  if (!found)
    return html`<${Source} text=${text} setText=${setText} open=${open} openTable=${openTable} wrong=${wrong} />`;
  const frame = found.frames[step],
    n = frame.play.seats.length;
  const table = {
    game: found.game,
    hand: found.index,
    names: frame.play.seats.map((seat) => seat.name),
    chairs: [...Array(n).keys()],
    you: found.hero,
    here: [],
    play: { ...frame.play, equities: frame.equities },
  };
  const amounts = amountsOf(found, unit);
  return html`
    <${Amounts.Provider} value=${amounts}>
    <main class="table-page">
      <h1 class="sr">Replay of ${gameTitle(found.game)}</h1>
      <div class="stage">
        <${Felt} table=${table} />
        <${Steps}
          frame=${frame}
          step=${step}
          last=${last}
          move=${move}
          play=${play}
          several=${found.hands.length > 1}
          setUnit=${setUnit}
        />
      </div>
      <aside class="beside panel" aria-label="The hand">
        <div class="padded">
          <label class="inline">
            Hand${" "}
            <select value=${found.index} onChange=${(e) => open(source.current, Number(e.target.value))}>
              ${found.hands.map(
                (hand, i) => html`
                <option value=${i}>
                  ${i + 1}
                  ${hand.winner ? ` · ${hand.winner} ${amounts.signed(hand.won)}` : ""}
                </option>
              `,
              )}
            </select>
            <button type="button" class="quiet" onClick=${() => setFound(null)}>
              Other hands
            </button>
          </label>
          ${found.problems.length > 0 && html`<p class="wrong">${found.problems[0]}</p>`}
          ${
            wrong &&
            html`
            <p class="wrong" role="alert">
              ${wrong}
            </p>
          `
          }
          ${frame.said && html`<${Said} said=${frame.said} />`}
          ${
            frame.equities &&
            html`
              <h2 class="small">Equity</h2>
              <ul class="strips">
                ${frame.play.seats.map(
                  (seat, i) =>
                    frame.equities[i] !== null &&
                    html`
                      <li>
                        <span class="strip-name">${seat.name}</span>
                        <span class="strip">
                          <i style=${{ width: percent(frame.equities[i]) }}></i>
                        </span>
                        <b>${percent(frame.equities[i])}</b>
                      </li>
                    `,
                )}
              </ul>
            `
          }
          ${
            street(frame.play) &&
            html`
            <${SolveSpot}
              key=${`${found.index} ${street(frame.play)}`}
              text=${source.current}
              index=${found.index}
              street=${street(frame.play)}
            />
          `
          }
          ${
            found.believers.length > 0 &&
            html`
            <${Beliefs} key=${found.index} text=${source.current} found=${found} step=${step} />
          `
          }
          <${Log} table=${table} />
        </div>
      </aside>
    </main>
    <//>
  `;
}

// What a player was asked before the action of this step, and every answer: rejected ones first, in their order.
function Said({ said }) {
  const rejected = said.rejected || [];
  return html`
    <h2 class="small">Said</h2>
    <details>
      <summary>Asked</summary>
      <pre class="answer">${said.asked}</pre>
    </details>
    ${rejected.map(
      (each, i) => html`
      <p class="note">Answer ${i + 1}, ${each.unusable}:</p>
      <pre class="answer">${each.answer}</pre>
      <details>
        <summary>Asked again</summary>
        <pre class="answer">${each.again}</pre>
      </details>
    `,
    )}
    ${
      rejected.length > 0 &&
      html`
      <p class="note">Answer ${rejected.length + 1}${said.unusable && `, ${said.unusable}`}:</p>
    `
    }
    <pre class="answer">${said.answer}</pre>
    ${said.note && html`<p class="note">${said.note}</p>`}
  `;
}

// The street on which two players are left, which can be solved from its beginning.
function street(play) {
  const left = play.seats.filter((seat) => !seat.folded);
  return play.over || left.length !== 2 || play.board.length < 3 || play.board.includes(null)
    ? ""
    : ["flop", "turn", "river"][play.board.length - 3];
}

// The study page with the board, the pot and the stacks of a street, and ranges from both players' earlier actions.
function SolveSpot({ text, index, street: name }) {
  const [sources, setSources] = useState(["charts"]);
  const [from, setFrom] = useState("charts");
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    ask("/api/spot-of-hand")
      .then((a) => a.json())
      .then((a) => setSources(a.sources))
      .catch(() => {});
  }, []);
  const solve = async () => {
    setWrong("");
    try {
      const { board, ranges, pot, stack } = await (
        await ask("/api/spot-of-hand", { body: { text, index, street: name, source: from } })
      ).json();
      go(`/study?${new URLSearchParams({ board, first: ranges[0], second: ranges[1], pot, stack })}`);
    } catch (error) {
      setWrong(error.message);
    }
  };
  return html`
      <div class="buttons small">
        <button type="button" onClick=${solve}>
          Solve this ${name}
        </button>
        <label class="inline note">
          ranges of${" "}
          <select value=${from} onChange=${(e) => setFrom(e.target.value)}>
            ${sources.map(
              (each) => html`
              <option value=${each}>${each === "charts" ? "solved charts" : each}</option>
            `,
            )}
          </select>
        </label>
      </div>
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

// The beliefs of an agent in a seat whose cards are known at this step, and its action.
function Beliefs({ text, found, step }) {
  const names = found.frames[0].play.seats.map((seat) => seat.name);
  const [seat, setSeat] = useState(found.known[0]);
  const [agent, setAgent] = useState("");
  const [said, setSaid] = useState(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    let over = false;
    setSaid(null);
    setWrong("");
    if (agent)
      ask("/api/replay/beliefs", { body: { text, index: found.index, seat, agent } })
        .then((a) => a.json())
        .then((a) => {
          if (!over) setSaid(a);
        })
        .catch((e) => {
          if (!over) setWrong(e.message);
        });
    return () => {
      over = true;
    };
  }, [agent, seat]);
  const own = (name) => {
    const called = name.split("#")[0];
    return found.believers.includes(called) ? called : "";
  };
  const now = said && said.steps[step];
  return html`
      <h2 class="small">Beliefs</h2>
      <div class="fields tight">
        <label>
          Whose beliefs
          <select value=${agent} onChange=${(e) => setAgent(e.target.value)}>
            <option value="">nobody</option>
            ${found.believers.map(
              (name) => html`
              <option value=${name}>${name}</option>
            `,
            )}
          </select>
        </label>
        <label>
          In the seat of
          <select
            value=${seat}
            onChange=${(e) => {
              setSeat(Number(e.target.value));
              if (agent) setAgent(own(names[e.target.value]) || agent);
            }}
          >
            ${found.known.map(
              (each) => html`
              <option value=${each}>${names[each]}</option>
            `,
            )}
          </select>
        </label>
      </div>
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      ${
        agent &&
        !said &&
        !wrong &&
        html`
        <p class="note" role="status">
          ${agent} goes through the hand …
        </p>
      `
      }
      ${
        now &&
        html`
          <p class="note">
            ${said.lead}
            ${now.beliefs.length || now.decision ? "" : " Nothing new at this step."}
          </p>
          ${
            now.decision &&
            html`
              <ul class="strips">
                ${now.decision.options.map(
                  ([words, p]) => html`
                  <li>
                    <span class="strip-name"><${Brief} words=${words} /></span>
                    <span class="strip">
                      <i style=${{ width: percent(p) }}></i>
                    </span>
                    <b>${percent(p, 0)}</b>
                  </li>
                `,
                )}
              </ul>
              <dl class="numbers">
                ${now.decision.numbers.map(
                  ([label, number]) => html`
                    <dt>${label}</dt>
                    <dd>${number}</dd>
                  `,
                )}
              </dl>
              ${now.decision.words.map(
                (words) => html`
                <p class="note">${words}</p>
              `,
              )}
            `
          }
          ${now.beliefs.map(
            (belief) => html`
            <${Weights} belief=${belief} />
          `,
          )}
        `
      }
    `;
}

function Source({ text, setText, open, openTable, wrong }) {
  const read = async (event) => {
    const file = event.target.files[0];
    if (file) open(await file.text());
  };
  const tables = knownTables();
  return html`
    <main class="page">
      <div class="intro">
        <h1>Replay a hand</h1>
        <p class="lead">
          Step by step, with equities and pot odds. Hands come as PHH, ACPC logs or PokerStars text, and
          stay on this machine.
        </p>
      </div>
      <div class="columns">
        <form
          class="panel setup"
          onSubmit=${(e) => {
            e.preventDefault();
            open(text);
          }}
        >
          <label class="block">
            Paste hands
            <textarea
              rows="10"
              spellcheck=${false}
              value=${text}
              onInput=${(e) => setText(e.target.value)}
            ></textarea>
          </label>
          <label class="block">
            or open a file
            <input type="file" accept=".phh,.phhs,.txt,.log" onChange=${read} />
          </label>
          ${
            wrong &&
            html`
            <p class="wrong" role="alert">
              ${wrong}
            </p>
          `
          }
          <button class="primary" type="submit" disabled=${!text.trim()}>
            Replay
          </button>
        </form>
        ${
          tables.length > 0 &&
          html`
          <section class="panel known" aria-labelledby="known">
            <h2 id="known">Your tables</h2>
            <ul>
              ${tables.map(
                (table) => html`
                <li>
                  <button type="button" class="plain" onClick=${() => openTable(table)}>
                    <b>${gameTitle(table.game)}</b>
                    <span>${(table.names || []).join(", ")}</span>
                  </button>
                </li>
              `,
              )}
            </ul>
          </section>
        `
        }
      </div>
    </main>
  `;
}
