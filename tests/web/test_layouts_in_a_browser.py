"""Tables on screens of many sizes, and a hand that is played by what a screen reader is told."""

import re

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from chromium import CHROMIUM, DESK, PHONE, accessible, page_at, picture, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]
SIDEWAYS, SMALL, LARGE, DOUBLED = (
    {"width": width, "height": height} for width, height in ((740, 360), (360, 640), (2560, 1440), (640, 400))
)
SET_UP = """async ([game, seats]) => {
  const chairs = [{ person: "You" }, ...Array(seats - 1).fill({ agent: "caller" })];
  const body = JSON.stringify({ game, chairs, seed: 3, pace: 0 });
  const headers = { "Content-Type": "application/json" };
  const made = await (await fetch("/api/tables", { method: "POST", headers, body })).json();
  return `/table/${made.name}#${made.tokens[0]}`;
}"""
SEEN = """() => {
  const boxes = (query) => [...document.querySelectorAll(query)].map((element) => element.getBoundingClientRect());
  const inside = (box) =>
    box.top >= -1 && box.bottom <= innerHeight + 1 && box.left >= -1 && box.right <= innerWidth + 1;
  const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
  const apart = (a, b) => beside(a, b) || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const covers = boxes(".pod, .holding .cards, .board .cards");
  return {
    bets: boxes(".bet").length,
    hidden: boxes(".bet").filter((bet) => covers.some((cover) => !apart(bet, cover))).length,
    outside: boxes(".you .playing-card, .buttons .act, .pod").filter((box) => !inside(box)).length,
    wide: document.documentElement.scrollWidth > innerWidth,
    felt: boxes(".felt")[0].width / innerWidth,
  };
}"""


def table_of(page, server, game, seats):
    page.goto(server.address + page.evaluate(SET_UP, [game, seats]))
    page.locator("button.act.call").wait_for()


@pytest.mark.parametrize(
    ("size", "seats"),
    [(SIDEWAYS, 2), (SIDEWAYS, 6), (SMALL, 6), (SMALL, 9), (PHONE, 6), (DOUBLED, 10), (DESK, 10), (LARGE, 6)],
    ids=lambda value: str(value) if isinstance(value, int) else "{width}x{height}".format(**value),
)
def test_cards_buttons_and_bets_are_on_one_screen(server, chromium, size, seats):
    with page_at(chromium, server.address, size=size) as page:
        table_of(page, server, f"nolimit{seats}p", seats)
        page.wait_for_timeout(200)  # pods fade in
        seen = page.evaluate(SEEN)
        assert (seen["bets"], seen["hidden"], seen["outside"], seen["wide"]) == (seats, 0, 0, False)
        assert size is not LARGE or seen["felt"] > 0.5
        assert accessible(page) == []
        if (size, seats) == (SIDEWAYS, 6):
            picture(page, "table-sideways")
        page.keyboard.press("c")
        wait_until(page, "document.querySelectorAll('.board .playing-card').length === 3")
        assert page.evaluate(SEEN)["outside"] == 0


def test_a_hand_is_played_by_what_a_screen_reader_is_told(server, chromium):
    """By roles and names alone: what the status says, the cards by name, and buttons reached with the tab key."""
    with page_at(chromium, server.address) as page:
        table_of(page, server, "limit2p", 2)
        said = page.get_by_role("status")
        streets = []
        while page.get_by_role("button", name=re.compile("^Next hand")).count() == 0:
            assert re.search(r"Your turn(, \d+ to call)?$", said.inner_text())
            tree = page.locator("main").aria_snapshot()
            assert len(re.findall(r"img \"(?:hidden card)\"", tree)) == 2  # the other's
            assert len(re.findall(r"img \"\w+ of \w+\"", tree)) >= 2 and "Pot" in tree
            streets.append(page.get_by_role("group", name="Board").get_by_role("img").count())
            page.locator("h1").evaluate("heading => { heading.tabIndex = -1; heading.focus(); }")
            name = ""
            while not re.match("Call|Check", name):
                page.keyboard.press("Tab")
                name = page.evaluate("document.activeElement.innerText")
            before = said.inner_text()
            page.keyboard.press("Enter")
            wait_until(page, "text => document.querySelector('[aria-live=polite]').innerText !== text", arg=before)
            page.locator("button.act.call:enabled, button.wide").first.wait_for()
        assert streets[0] == 0 and streets[-1] == 5 and sorted(streets) == streets
        assert re.search(r"(win|wins|split)", page.locator(".outcome").inner_text())
        assert "hidden card" not in page.locator("main").aria_snapshot()
