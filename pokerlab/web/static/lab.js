// The lab: runs to watch, and the documented results, published numbers beside ours.
import { html, useEffect, useState, ask, link } from "./html.js";
import { Run, RunList } from "./watch.js";

export function Lab() {
  const where = () =>
    Object.fromEntries(
      ["result", "run"].map((key) => [key, new URLSearchParams(location.search).get(key) || ""]),
    );
  const [place, setPlace] = useState(where);
  const [list, setList] = useState(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    document.title = "Lab · pokerlab";
    const moved = () => setPlace(where());
    addEventListener("popstate", moved);
    ask("/api/results")
      .then((a) => a.json())
      .then((a) => setList(a.results))
      .catch((e) => setWrong(e.message));
    return () => removeEventListener("popstate", moved);
  }, []);
  if (place.result) return html`<${Result} key=${place.result} name=${place.result} />`;
  if (place.run) return html`<${Run} key=${place.run} name=${place.run} />`;
  const groups = new Map();
  for (const each of list || []) {
    const author = (each.cites.match(/[A-Z]\w+ \(\d{4}\)/) || [
      each.cites.split(",")[0].replaceAll('"', ""),
    ])[0];
    groups.set(author, [...(groups.get(author) || []), each]);
  }
  return html`
    <main class="page">
      <div class="intro">
        <h1>Lab</h1>
        <p class="lead">
          Runs to watch while they go, and every documented experiment: what was published beside what the
          lab found, with its interval.
        </p>
      </div>
      <${RunList} />
      <h2>Results</h2>
      ${
        wrong &&
        html`
        <p class="wrong" role="alert">
          ${wrong}
        </p>
      `
      }
      ${
        list &&
        list.length === 0 &&
        html`
        <p class="panel note">
          No results lie here. In a checkout they are in <code>docs/results</code>;${" "}
          <code>pokerlab web --results DIR</code> names another directory.
        </p>
      `
      }
      <div class="cards-list">
        ${[...groups].map(
          ([author, results]) => html`
          <section class="panel known">
            <h2>${author}</h2>
            <ul>
              ${results.map(
                (each) => html`
                <li>
                  <a ...${link(`/lab?result=${each.name}`)}>
                    <b>${each.title}</b>
                    <span>${each.cites.split(", ").slice(1).join(", ")}</span>
                  </a>
                </li>
              `,
              )}
            </ul>
          </section>
        `,
        )}
      </div>
    </main>
  `;
}

function Result({ name }) {
  const [result, setResult] = useState(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    ask(`/api/results/${encodeURIComponent(name)}`)
      .then((a) => a.json())
      .then(setResult)
      .catch((e) => setWrong(e.message));
  }, []);
  if (!result)
    return html`
      <main class="page">
        <h1 class="quiet-title">${wrong ? "No such result" : "…"}</h1>
        ${
          wrong &&
          html`
          <p class="wrong" role="alert">
            ${wrong}
          </p>
        `
        }
      </main>
    `;
  return html`
    <main class="page result">
      <p>
        <a ...${link("/lab")}>← All results</a>
      </p>
      <h1>${result.title}</h1>
      <p class="lead">
        ${result.cites}. ${result.about}
      </p>
      ${
        result.picture &&
        html`
        <figure class="panel">
          <img
            src=${`/api/results/${encodeURIComponent(name)}/picture.svg`}
            alt=${`Picture of ${result.title}`}
          />
        </figure>
      `
      }
      ${result.sections.map(
        ({ section, header, rows }) => html`
        <section class="panel scroll" tabindex="0" aria-label=${section}>
          <h2>${section}</h2>
          <table class="numbers-table">
            <thead>
              <tr>
                ${header.map(
                  (head) => html`
                  <th scope="col">${head || html`<span class="sr">what</span>`}</th>
                `,
                )}
              </tr>
            </thead>
            <tbody>
              ${rows.map(
                ([first, ...rest]) => html`
                <tr>
                  <th scope="row">${first}</th>
                  ${rest.map(
                    (cell) => html`
                    <td>${cell}</td>
                  `,
                  )}
                </tr>
              `,
              )}
            </tbody>
          </table>
        </section>
      `,
      )}
      ${result.notes.map(
        (note) => html`
        <p class="note">${note}</p>
      `,
      )}
      <p class="note">
        <code>${result.command}</code>
      </p>
    </main>
  `;
}
