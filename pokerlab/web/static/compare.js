// Strategies rounded to steps and their cost; two strategies side by side at a spot.
import { html, useEffect, useState, ask, percent, signed, inBrief, Scroll } from "./html.js";
import { Grid, actionColours, splitGround } from "./grid.js";

// Costs in whole games, whose pots differ from spot to spot, are in chips.
export function Steps({ name, step, choose, chips }) {
  const cost = (share) => (chips ? share.toFixed(4).replace("-", "−") : percent(share, 2));
  const [costs, setCosts] = useState(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    ask(`/api/solves/${name}/steps`)
      .then((a) => a.json())
      .then((a) => setCosts(a.costs))
      .catch((e) => setWrong(e.message));
  }, [name]);
  if (wrong)
    return html`
      <p class="wrong" role="alert">
        ${wrong}
      </p>
    `;
  return html`
    <section class="panel" aria-labelledby="steps-title">
      <h2 id="steps-title">Simpler strategies</h2>
      <p class="note">
        Every probability rounded to steps. The loss of a player,${" "}
        ${chips ? "in chips a hand" : "in % of the pot"}: against the solution, and against a best response.
        A loss below the solution's own exploitability means nothing.
      </p>
      ${
        costs
          ? html`
        <${Scroll} label="What steps cost">
          <table class="numbers-table">
            <thead>
              <tr>
                <th scope="col">steps</th>
                <th scope="col">first, to the solution</th>
                <th scope="col">first, at worst</th>
                <th scope="col">other, to the solution</th>
                <th scope="col">other, at worst</th>
                <th scope="col">exploitability</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">as solved</th>
                <td>–</td>
                <td>–</td>
                <td>–</td>
                <td>–</td>
                <td>${cost(costs[0].solved)}</td>
              </tr>
              ${costs.map(
                (each) => html`
                <tr>
                  <th scope="row">${each.step}%</th>
                  ${[0, 1].map(
                    (seat) => html`
                      <td>${cost(each.against_solution[seat])}</td>
                      <td>${cost(each.worst[seat])}</td>
                    `,
                  )}
                  <td>${cost(each.exploitability)}</td>
                </tr>
              `,
              )}
            </tbody>
          </table>
        <//>
      `
          : html`
        <p class="note">…</p>
      `
      }
      <div class="buttons small" role="group" aria-label="Steps of the strategy below">
        ${[
          ["", "as solved"],
          ["25", "25%"],
          ["50", "50%"],
          ["100", "100%"],
        ].map(
          ([value, label]) => html`
          <button
            type="button"
            class="quiet"
            aria-pressed=${step === value ? "true" : "false"}
            onClick=${() => choose(value)}
          >
            ${label}
          </button>
        `,
        )}
      </div>
    </section>
  `;
}

// The title of the second strategy of a comparison: the same in steps, or another solve.
function titleOf(name, others) {
  if (name.includes("@")) return `in steps of ${name.split("@")[1]}%`;
  return (others.find((each) => each.name === name) || { title: "another solve" }).title;
}

export function Compare({ first, second, at, choose, others }) {
  const [found, setFound] = useState(null);
  const [wrong, setWrong] = useState("");
  const [hand, setHand] = useState("");
  useEffect(() => {
    if (!second) return undefined;
    let over = false;
    ask(`/api/solves/${first}/with/${second}?${new URLSearchParams({ at })}`)
      .then((a) => a.json())
      .then((a) => {
        if (!over) {
          setFound({ ...a, at });
          setWrong("");
        }
      })
      .catch((e) => {
        if (!over) setWrong(e.message);
      });
    return () => {
      over = true;
    };
  }, [first, second, at]);
  const picked = html`
    <label class="block">
      Beside it
      <select value=${second || ""} onChange=${(e) => choose(e.target.value)}>
        <option value="" disabled>
          choose a strategy
        </option>
        ${[25, 50, 100].map(
          (step) => html`
          <option value=${`${first.split("@")[0]}@${step}`}>the same in steps of ${step}%</option>
        `,
        )}
        ${others.map(
          (each) => html`
          <option value=${each.name}>${each.title}</option>
        `,
        )}
      </select>
    </label>
  `;
  return html`
    <section class="panel" aria-label="Comparison">
      ${picked}
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      ${
        found &&
        second &&
        !wrong &&
        html`
        <${Beside}
          found=${found}
          titles=${["first: as solved", `second: ${titleOf(second, others)}`]}
          hand=${hand}
          setHand=${setHand}
        />
      `
      }
    </section>
  `;
}

function Beside({ found, titles, hand, setHand }) {
  const actions = found.words.map((words) => ({ words })),
    colours = actionColours(actions),
    row = found.rows.find((each) => each.hand === hand);
  const of = Object.fromEntries(found.rows.map((each) => [each.hand, each]));
  const most = [...found.rows]
    .filter((each) => each.apart !== null)
    .sort((a, b) => b.apart * (b.share[0] || 0) - a.apart * (a.share[0] || 0))
    .slice(0, 8);
  const gain =
    found.expected[0] === null || found.expected[1] === null ? null : found.expected[1] - found.expected[0];
  return html`
      <p class="apart" role="status">
        They act otherwise <b>${percent(found.apart)}</b> of the time here
        ${
          gain === null
            ? ""
            : html`
            ; ${found.actor === 0 ? "the first to act" : "the other"} expects${" "}
            <b>${Math.abs(gain).toFixed(2)}</b> chips ${gain < 0 ? "less" : "more"} in the second
          `
        }
        .
      </p>
      <${Scroll} label="How often">
        <table class="numbers-table">
          <thead>
            <tr>
              <th scope="col">action</th>
              <th scope="col">first</th>
              <th scope="col">second</th>
              <th scope="col">difference</th>
            </tr>
          </thead>
          <tbody>
            ${found.words.map(
              (words, i) => html`
              <tr>
                <th scope="row">
                  <i class="swatch" style=${{ background: colours[i] }}></i>
                  ${inBrief(words)}
                </th>
                <td>${percent(found.frequency[0][i])}</td>
                <td>${percent(found.frequency[1][i])}</td>
                <td>${signed(100 * (found.frequency[1][i] - found.frequency[0][i]), 1)}</td>
              </tr>
            `,
            )}
            <tr>
              <th scope="row">expects, chips</th>
              <td>${found.expected[0] === null ? "–" : signed(found.expected[0])}</td>
              <td>${found.expected[1] === null ? "–" : signed(found.expected[1])}</td>
              <td>${gain === null ? "–" : signed(gain)}</td>
            </tr>
          </tbody>
        </table>
      <//>
      ${
        found.grid &&
        html`
        <div class="twins">
          ${[0, 1].map(
            (which) => html`
            <figure>
              <figcaption>${titles[which]}</figcaption>
              <${Grid}
                caption=${`How often each hand takes each action: ${titles[which]}`}
                chosen=${hand}
                onChoose=${setHand}
                cell=${(label) => {
                  const p = of[label] && of[label].p[which];
                  return p
                    ? {
                        style: { background: splitGround(p, colours) },
                        title: `${label}: ${found.words.map((words, i) => `${words} ${percent(p[i], 0)}`).join(", ")}`,
                      }
                    : { dead: true, title: `${label}: not in the range` };
                }}
              />
            </figure>
          `,
          )}
        </div>
      `
      }
      <${Scroll} label="Hands that differ most">
        <table class="numbers-table">
          <caption class="note">${row ? `${row.hand}, and hands` : "Hands"} that differ most</caption>
          <thead>
            <tr>
              <th scope="col">hand</th>
              <th scope="col">does in the first</th>
              <th scope="col">does in the second</th>
              <th scope="col">apart</th>
              <th scope="col">expects</th>
              <th scope="col">then</th>
              <th scope="col">gains</th>
            </tr>
          </thead>
          <tbody>
            ${[...(row ? [row] : []), ...most.filter((each) => each !== row)].map(
              (each) => html`
              <tr class=${each === row ? "on" : ""}>
                <th scope="row">${each.hand}</th>
                ${[0, 1].map(
                  (which) => html`
                  <td>
                    ${
                      each.p[which]
                        ? html`
                      <span
                        class="split-bar"
                        role="img"
                        aria-label=${found.words
                          .map((words, i) => `${words} ${percent(each.p[which][i], 0)}`)
                          .join(", ")}
                        style=${{ background: splitGround(each.p[which], colours) }}
                      ></span>
                    `
                        : "–"
                    }
                  </td>
                `,
                )}
                <td>${percent(each.apart, 0)}</td>
                <td>${each.ev[0] === null ? "–" : signed(each.ev[0])}</td>
                <td>${each.ev[1] === null ? "–" : signed(each.ev[1])}</td>
                <td>${each.gain === null ? "–" : signed(each.gain)}</td>
              </tr>
            `,
            )}
          </tbody>
        </table>
      <//>
      ${found.meetings["1 against 1"] !== undefined && html`<${Meetings} found=${found} />`}
    `;
}

// Winnings of the first to act for every pairing of the two strategies; the pot is split before the first action.
const Meetings = ({ found }) => html`
    <h2>Against each other</h2>
    <${Scroll} label="Against each other">
      <table class="numbers-table">
        <caption class="note">What the first to act expects of the pot, chips a hand, exactly</caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col">other plays the first</th>
            <th scope="col">other plays the second</th>
          </tr>
        </thead>
        <tbody>
          ${[1, 2].map(
            (one) => html`
            <tr>
              <th scope="row">plays the ${one === 1 ? "first" : "second"}</th>
              ${[1, 2].map(
                (two) => html`
                <td>${signed(found.meetings[`${one} against ${two}`] + found.paid, 3)}</td>
              `,
              )}
            </tr>
          `,
          )}
        </tbody>
      </table>
    <//>
  `;
