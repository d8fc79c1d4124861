// The router, and what all pages share: the bar at the top and the theme.
import { html, render, useEffect, useState, link } from "./html.js";
import { Lobby } from "./lobby.js";
import { TablePage } from "./table.js";

const PAGES = [
  ["/", "Play"],
  ["/sessions", "Sessions"],
  ["/replay", "Replay"],
  ["/study", "Study"],
  ["/lab", "Lab"],
];
// Pages whose scripts are loaded on first use.
const LATER = {
  "/sessions": () => import("./sessions.js").then((m) => m.Sessions),
  "/replay": () => import("./replay.js").then((m) => m.Replay),
  "/study": () => import("./study.js").then((m) => m.Study),
  "/lab": () => import("./lab.js").then((m) => m.Lab),
};
const THEMES = ["auto", "light", "dark"];

function useTheme() {
  const [theme, setTheme] = useState(() => {
    try {
      return localStorage.getItem("pokerlab.theme") || "auto";
    } catch {
      return "auto";
    }
  });
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("pokerlab.theme", theme);
    } catch {
      /* private window */
    }
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length])];
}

function Bar({ path }) {
  const [theme, turn] = useTheme();
  const at = path.startsWith("/table/") ? "/" : path;
  return html`
    <header class="bar">
      <a class="brand" ...${link("/")}>
        <img src="/static/icon.svg" alt="" width="26" height="26" />
        pokerlab
      </a>
      <nav aria-label="Pages">
        ${PAGES.map(
          ([to, name]) => html`
          <a ...${link(to)} aria-current=${to === at ? "page" : undefined}>
            ${name}
          </a>
        `,
        )}
      </nav>
      <button
        class="quiet"
        type="button"
        onClick=${turn}
        aria-label=${`Theme: ${theme}`}
        title=${`Theme: ${theme}`}
      >
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <circle cx="12" cy="12" r="8.500" fill="none" stroke="currentColor" stroke-width="1.800" />
          ${theme !== "light" && html`<path d="M12 3.500a8.500 8.500 0 0 1 0 17z" fill="currentColor" />`}
          ${
            theme === "dark" &&
            html`
            <path d="M12 3.500a8.500 8.500 0 0 0 0 17z" fill="currentColor" opacity=".55" />
          `
          }
        </svg>
      </button>
    </header>
  `;
}

function Later({ path }) {
  const [Page, setPage] = useState(null);
  useEffect(() => {
    LATER[path]().then((found) => setPage(() => found));
  }, []);
  return Page ? html`<${Page} />` : html`<main class="page"></main>`;
}

function App() {
  // The link of another seat differs only in the hash.
  const where = () => ({ path: location.pathname, hash: location.hash });
  const [{ path, hash }, setPlace] = useState(where);
  useEffect(() => {
    const moved = () => setPlace(where());
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  const table = path.match(/^\/table\/([0-9a-f]+)$/);
  return html`
      <${Bar} path=${path} />
      ${
        table
          ? html`
        <${TablePage} key=${table[1] + hash} name=${table[1]} />
      `
          : LATER[path]
            ? html`
        <${Later} key=${path} path=${path} />
      `
            : html`
        <${Lobby} />
      `
      }
    `;
}

render(html`<${App} />`, document.getElementById("app"));
