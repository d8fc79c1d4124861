"""States of the pages, one after the other in one browser: axe finds no violation in any of at least thirty."""

import json
import re

import pytest

from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.runs import run_solve

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from chromium import CHROMIUM, DESK, PHONE, ROOT, accessible, page_at, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]
SIT = """async (body) => {
  const headers = { "Content-Type": "application/json" };
  return await (await fetch("/api/tables", { method: "POST", headers, body: JSON.stringify(body) })).json();
}"""


def lobby(page):
    page.goto("/")
    wait_until(page, "document.querySelectorAll('option').length > 20")
    yield "lobby"
    page.get_by_role("radio", name="No-limit hold'em").check()
    page.get_by_label("Seats").select_option("10")
    page.get_by_text("Clock, seed, speed, running stacks, coach").click()
    yield "lobby, ten seats and every setting"
    page.get_by_label("Seats").select_option("2")
    page.get_by_label("Opponent", exact=True).select_option("an ACPC dealer")
    yield "lobby, a dealer elsewhere"
    page.get_by_label("Where it listens").fill("nowhere")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("alert").wait_for()
    yield "lobby, refused"


def table(page):
    sit(page, coach=True)
    yield "table, to act"
    page.locator(".amount").fill("3")
    page.locator(".amount").press("Enter")
    page.get_by_role("alert").wait_for()
    yield "table, an amount refused"
    for tab in ("Session", "Players", "Coach"):
        page.get_by_role("tab", name=tab).click()
        yield f"table, {tab} before the first hand is over"
    page.get_by_role("button", name="Ask the coach").click()
    page.locator(".grid13").wait_for()
    yield "table, the coach's advice"
    while not page.get_by_role("button", name="Next hand").count():
        page.locator("button.act.call:enabled, button.wide").first.wait_for()
        page.keyboard.press("c")
        page.wait_for_timeout(50)
    yield "table, the hand is over"
    page.get_by_role("tab", name="Session").click()
    page.locator(".chart").wait_for()
    yield "table, winnings"
    page.get_by_role("tab", name="Players").click()
    page.locator(".hud").first.wait_for()
    page.get_by_label("At the seats too").check()
    yield "table, statistics"
    page.goto("/")
    page.get_by_role("heading", name="Your tables").wait_for()
    yield "lobby, with a table of this browser"
    page.goto("/table/0123456789ab#x")
    page.get_by_role("heading", name="No seat here").wait_for()
    yield "no such table"


def friends(page):
    made = page.evaluate(SIT, {"game": "leduc", "chairs": [{"person": "Ann"}, {"person": "Bob"}]})
    page.goto(f"/table/{made['name']}#{made['tokens']['1']}")
    page.locator(".seat.you .playing-card").first.wait_for()
    yield "table, beside a friend"
    page.goto("/lab")
    page.goto(f"/table/{made['name']}#{made['tokens']['watch']}")
    page.get_by_text("You are watching").wait_for()
    yield "table, watching"


def told(page, change):
    """Change what the server says of a table before the page reads it."""

    def between(socket):
        server = socket.connect_to_server()
        socket.on_message(server.send)

        def said(text):
            message = json.loads(text)
            if message["type"] == "table" and "play" in message:
                change(message)
            socket.send(json.dumps(message))

        server.on_message(said)

    page.route_web_socket(re.compile("/ws/"), between)


def failing(page):
    told(page, lambda said: said.update(failed=[{"name": "caller", "hand": said["hand"], "times": 2}]))
    sit(page)
    page.get_by_text("caller failed (2 times so far), and checked, or folded to a bet").wait_for()
    yield "table, an agent failed"


def thinking(page):
    def slow(said):
        said["play"].pop("legal", None)
        said["play"]["actor"] = said["chairs"].index(1)
        said["slow"] = 12.3

    told(page, slow)
    sit(page, wait=".waiting")
    page.get_by_text(re.compile(r"caller is to act …\s+for 1\d s")).wait_for()
    yield "table, a slow agent"


def sit(page, wait="button.act.call", **settings):
    chairs = [{"person": "You"}, {"agent": "caller"}]
    page.goto("/lab")
    made = page.evaluate(SIT, {"game": "nolimit2p", "chairs": chairs, "pace": 0, "seed": 3, **settings})
    page.goto(f"/table/{made['name']}#{made['tokens']['0']}")
    page.locator(wait).wait_for()


def replay(page):
    page.goto("/replay")
    page.get_by_label("Paste hands").fill("no hand")
    page.get_by_role("button", name="Replay").click()
    page.get_by_role("alert").wait_for()
    yield "replay, refused"
    page.get_by_label("Paste hands").fill((ROOT / "docs" / "example-hand.phh").read_text())
    page.get_by_role("button", name="Replay").click()
    page.get_by_text("the cards are dealt").wait_for()
    yield "replay, the deal"
    page.get_by_role("button", name="Last").click()
    yield "replay, the end"


def sessions(page):
    page.goto("/sessions")
    page.get_by_role("heading", level=1).wait_for()
    page.get_by_role("region", name="Winnings").wait_for()
    yield "sessions"
    page.get_by_label("Player at the table").fill("nobody at all")
    page.get_by_label("Player at the table").press("Enter")
    wait_until(page, "location.search.includes('versus')")
    yield "sessions, none of that player"


def study(page):
    page.goto("/study")
    yield "study"
    page.get_by_role("button", name="From a hand that was played").click()
    page.get_by_role("button", name="Paint Range of the first to act").click()
    page.get_by_text("Bets by street, rake and locks").click()
    page.get_by_text("The same on many boards").click()
    yield "study, everything open"
    page.get_by_label("Board", exact=True).fill("KsQh7d2c3s")
    page.get_by_label("Until, % of the pot").fill("5")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
    page.locator(".solved .grid13").first.wait_for()
    yield "study, solved"
    page.get_by_role("button", name="AKs: ").click()
    yield "study, a hand's combos"
    for tab in ("Blockers", "Lock", "Copy"):
        page.get_by_role("button", name=tab, exact=True).click()
        yield f"study, {tab}"
    page.get_by_label("Show").select_option("EV")
    yield "study, EV of every hand"
    page.locator(".settling summary").click()
    yield "study, how EV settled"
    tabs = page.get_by_role("navigation", name="What to do with it")
    tabs.get_by_role("button", name="Train").click()
    page.locator(".choose .act").first.click()
    page.locator(".verdict").wait_for()
    yield "study, a decision in training"
    tabs.get_by_role("button", name="Steps").click()
    page.locator("tbody th", has_text="100%").wait_for()
    yield "study, steps"
    tabs.get_by_role("button", name="Compare").click()
    page.get_by_label("Beside it").wait_for()
    yield "study, compare"


def report(page):
    page.goto("/study")
    page.get_by_text("The same on many boards").click()
    page.get_by_label("How many").fill("3")
    page.get_by_label("Until, % of the pot").fill("5")
    page.get_by_role("button", name="Report", exact=True).click()
    page.get_by_role("region", name="The report").wait_for()
    yield "report, begun"
    page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
    page.locator(".scatter circle").first.wait_for()
    yield "report"
    page.get_by_role("button", name="Suits").click()
    wait_until(page, "location.search.includes('by=suits')")
    yield "report, by suits"
    page.get_by_role("button", name="Train on these boards").click()
    page.locator(".choose .act").first.wait_for()
    yield "report, training"


def lab(page):
    page.goto("/lab")
    page.get_by_role("link", name="Figures 6.5 and 6.6").wait_for()
    yield "lab"
    page.get_by_role("link", name="Figures 6.5 and 6.6").click()
    page.get_by_role("heading", level=1, name="Figures 6.5").wait_for()
    yield "lab, a result"
    page.goto("/lab?run=curve")
    page.get_by_role("img", name="exploitability, chips a hand").wait_for()
    yield "lab, the curve of a run"
    page.goto("/lab?run=none")
    page.get_by_role("alert").wait_for()
    yield "lab, no such run"


PAGES = (lobby, table, friends, failing, thinking, replay, sessions, study, report, lab)
LOOKS = ((DESK, "light"), (PHONE, "dark"), (DESK, "dark"), (PHONE, "light"))


def test_thirty_states_have_no_violation(server, chromium):
    run_solve(SolveConfig(game="kuhn", iterations=100), server.runs / "curve")
    found = {}
    for number, states in enumerate(PAGES):
        size, scheme = LOOKS[number % len(LOOKS)]
        with page_at(chromium, server.address, size=size, dark=scheme == "dark", quiet=False) as page:
            for state in states(page):
                assert state not in found
                found[state] = accessible(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}
    assert len(found) >= 30
