"""Whole visits in a real browser, each on five screens from a phone to 2560 x 1440, in light and dark.

A walk checks the values that it is shown, that nothing scrolls sideways or leaves the screen, and axe-core's rules.
`POKERLAB_WALKS=DIR pytest tests/web/test_walks_in_a_browser.py` writes a picture of every stage.
"""

import os
import re
from pathlib import Path
from time import monotonic

import pytest

from pokerlab.cards.card import RANKS, cards
from pokerlab.cards.odds import odds_of_hand

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from chromium import CHROMIUM, SCREENS, Server, accessible, misfits, page_at, wait_until
from recorded_spots import recorded_spots
from session_hands import store_fifty

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]


def screens(*everyday):
    """A walk on every screen; `make test` takes those named, one in the light and one in the dark."""
    thorough = pytest.mark.thorough
    return pytest.mark.parametrize(
        "screen", [pytest.param(each, marks=() if each in everyday else thorough) for each in SCREENS]
    )


PICTURES = os.environ.get("POKERLAB_WALKS")


def screen_at(chromium, address, screen, **more):
    size, dark = SCREENS[screen]
    return page_at(chromium, address, size=size, dark=dark, **more)


def sound(page, name):
    """Nothing leaves the screen, and axe finds no violation; a picture of this stage if pictures are wanted."""
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png")
    assert (misfits(page), accessible(page)) == ([], [])


@screens("portrait", "desk")
def test_ten_hands_are_pasted_and_two_of_them_solved(server, chromium, recorded, screen):
    spots = recorded_spots(recorded("phh/party-25nl.phhs").parents[1])
    assert len(spots) >= 10 and any("Tournament" in text for text, *_ in spots)
    with screen_at(chromium, f"{server.address}/study", screen) as page:
        page.get_by_role("button", name="From a hand that was played").click()
        for number, (text, _, street, pot, stack) in enumerate(spots):
            page.get_by_label("Paste a hand").fill(text)
            page.locator(".from-hand").get_by_label("Street").select_option(street)
            page.get_by_role("button", name="Take its spot").click()
            page.get_by_text("acts first on the river").wait_for()
            shown = [page.get_by_label(label, exact=True) for label in ("Pot", "Stacks behind")]
            assert [field.input_value() for field in shown] == [pot, stack]
            assert all(field.evaluate("field => field.checkValidity()") for field in shown)
            cards = page.get_by_label("Board").input_value()
            assert len(cards) == 10 and cards[:2] in text
            if number in (4, len(spots) - 1):  # cents, and a tournament
                if number == 4:
                    sound(page, f"paste-{screen}")
                page.get_by_label("Until, % of the pot").fill("5")
                page.get_by_role("button", name="Solve", exact=True).click()
                page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
                page.get_by_text(f"decides, river, pot {float(pot):,g}").wait_for()
                shares = [float(each.rstrip("%")) for each in page.locator(".walk b").all_inner_texts()]
                assert len(shares) >= 2 and sum(shares) == pytest.approx(100, abs=0.3)
                sound(page, f"solved-{number}-{screen}")
                page.get_by_role("button", name="Change the spot").click()


@pytest.fixture(scope="module")
def flop(server, chromium):
    """A flop that waited in line behind a turn, then was solved: (EVs published on the way, in chips; its title)."""
    ranges = {
        "Range of the first to act": "66-99, KTs+, QTs+, JTs, KQo",
        "Range of the other": "TT+, 77, AJs+, KQs, AQo+",
    }
    with page_at(chromium, f"{server.address}/study", quiet=False) as page:
        solve = page.get_by_role("button", name="Solve", exact=True)
        page.get_by_label("Board").fill("KsQh7d2c")
        page.get_by_label("Range of the other", exact=True).fill("40%")
        page.get_by_label("Until, % of the pot").fill("0.01")
        solve.click()  # a long one
        page.get_by_role("button", name="Change the spot").click()
        for label, value in {"Board": "Ks7h2d", "Pot": "60", "Stacks behind": "60", **ranges}.items():
            page.get_by_label(label, exact=True).fill(value)
        page.get_by_label("Bet sizes").fill("0.5p")
        page.get_by_label("Until, % of the pot").fill("0.5")
        solve.click()
        cost = page.locator("form").get_by_text("Solve again to begin")
        cost.wait_for()
        assert re.search(r"would take about \d+ \w+ and \d+ MB of memory", cost.inner_text())
        solve.click()
        line = page.locator(".line li")
        wait_until(page, "document.querySelectorAll('.line li').length === 2")
        assert re.search(r"waits, estimated \d+ \w+\s+and \d+ MB", line.last.inner_text())
        line.last.get_by_role("button", name="Ks7h2d").first.click()
        page.get_by_text("waits for the solves before it").wait_for()
        line.first.get_by_role("button", name="Stop").click()
        page.get_by_text("ready", exact=True).wait_for(timeout=240_000)
        page.locator(".settling summary").click()
        published = [float(cell) for cell in page.locator(".settling td:nth-child(2)").all_inner_texts()]
        title = page.locator(".work-head b").inner_text()
    return published, title


@screens("landscape", "large")
def test_a_flop_is_solved_and_explored(server, chromium, flop, screen):
    published, title = flop
    assert len(set(published)) >= 2 and max(published) - min(published) < 6
    assert abs(published[-1] - published[-2]) < 0.1, "the EV settles"
    with screen_at(chromium, f"{server.address}/study", screen) as page:
        page.get_by_role("button", name=title).click()
        page.get_by_text("ready", exact=True).wait_for()
        page.get_by_text("First to act decides, flop, pot 60").wait_for()
        sound(page, f"flop-{screen}")
        captions = page.locator(".range-now figcaption").all_text_contents()
        evs = [float(re.search(r"EV ([+−][\d.]+)", text)[1].replace("−", "-")) for text in captions]
        assert sum(evs) == pytest.approx(60, abs=0.1) and evs[0] == pytest.approx(published[-1], abs=0.02)
        page.locator(".walk", has_text="checks").click()
        page.get_by_text("The other decides, flop, pot 60").wait_for()
        page.get_by_role("button", name="AA: ").click()
        page.locator(".hand-detail tbody th").nth(5).wait_for()
        sound(page, f"flop-hand-{screen}")
        page.locator(".walk", has_text="bets 30").click()
        page.get_by_text("First to act decides, flop, pot 90").wait_for()
        page.locator(".walk", has_text="calls 30").click()
        cards = page.locator(".deck-card")
        page.get_by_role("button", name=re.compile(r"^ace of spades [+−]")).wait_for()
        assert cards.count() == 49
        sound(page, f"flop-cards-{screen}")
        page.get_by_role("button", name=re.compile(r"^two of clubs [+−]")).click()
        page.get_by_text("First to act decides, turn, pot 120").wait_for()
        assert page.locator(".crumb").all_inner_texts() == ["start", "checks", "bets 30", "calls 30", "2c"]
        page.keyboard.press("ArrowLeft")  # to the end of the flop, where the turn is chosen
        page.get_by_text("First to act decides, flop, pot 90").wait_for()
        assert cards.count() == 49
        page.locator(".crumb", has_text="start").click()
        page.get_by_text("First to act decides, flop, pot 60").wait_for()
        page.get_by_role("button", name="Blockers").click()
        sound(page, f"flop-blockers-{screen}")


PLAY = """async ([name, token, hands]) => {
  const socket = new WebSocket(`ws://${location.host}/ws/${name}`);
  socket.onopen = () => socket.send(JSON.stringify({ token }));
  return await new Promise((done) => {
    socket.onmessage = (event) => {
      const table = JSON.parse(event.data);
      if (table.type !== "table" || !table.play) return;
      if (table.hands === hands) { socket.close(); done(table.net[table.you]); }
      else if (table.play.over) socket.send(JSON.stringify({ type: "ready", hand: table.hand }));
      else if (table.play.legal) socket.send(JSON.stringify({ type: "act", turn: table.turn, action: "c" }));
    };
  });
}"""
SIT = """async (body) => {
  const headers = { "Content-Type": "application/json" };
  return await (await fetch("/api/tables", { method: "POST", headers, body: JSON.stringify(body) })).json();
}"""


def seat_at(page, **settings):
    """Name and token of a seat at a new table of two, against an agent that calls, which acts at once."""
    chairs = [{"person": "You"}, {"agent": "caller"}]
    made = page.evaluate(SIT, {"game": "nolimit2p", "chairs": chairs, "pace": 0, **settings})
    return made["name"], made["tokens"]["0"]


@pytest.fixture(scope="module")
def fifty(chromium, tmp_path_factory):
    """A server with a session of fifty hands played at one of its tables, and an older one; and the chips won."""
    folder = tmp_path_factory.mktemp("fifty")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POKERLAB_SESSIONS", str(folder / "sessions.duckdb"))
        store_fifty(folder / "sessions.duckdb")
        running = Server(folder / "tables")
    with page_at(chromium, running.address) as page:
        won = page.evaluate(PLAY, [*seat_at(page, seed=5), 50])
        wait_until(page, "async () => (await (await fetch('/api/sessions/hands')).json()).total.hands === 100")
    yield running, won
    running.stop()


# The shown results of hands never grow from one row to the next.
SORTED = """() => [...document.querySelectorAll("[aria-label='Table of hands'] td:nth-child(5)")]
  .map((cell) => Number(cell.innerText.replace("−", "-").replace(",", "")))
  .every((result, i, all) => i === 0 || result <= all[i - 1])"""


@screens("portrait", "tablet")
def test_a_session_of_fifty_hands_is_found_filtered_and_replayed(chromium, fifty, screen):
    running, won = fifty
    with screen_at(chromium, f"{running.address}/sessions", screen) as page:
        page.get_by_text("50 of 100; a hand opens its replay.").wait_for()
        listed = page.get_by_role("region", name="Table of sessions").locator("tbody tr")
        assert listed.locator("td:nth-child(4)").all_inner_texts() == ["50", "50"]
        listed.first.get_by_role("button").click()
        page.get_by_text("50 of 50; a hand opens its replay.").wait_for()
        page.get_by_label("Amounts in").select_option("chips")
        total = page.get_by_role("region", name="Winnings").locator("dd").first.inner_text()
        assert number_of(total) == pytest.approx(won / 100, abs=0.05)  # big blinds of 100 chips
        sound(page, f"sessions-{screen}")
        page.get_by_label("Position").select_option("BB")
        page.get_by_text("25 of 25; a hand opens its replay.").wait_for()
        hands = page.get_by_role("region", name="Table of hands").locator("tbody tr")
        assert set(hands.locator("td:nth-child(2)").all_inner_texts()) == {"BB"}
        page.get_by_label("Order of hands").select_option("won-most")
        wait_until(page, SORTED)
        results = [number_of(text) for text in hands.locator("td:nth-child(5)").all_inner_texts()]
        assert results == sorted(results, reverse=True) and results[0] > 0 > results[-1]
        sound(page, f"filtered-{screen}")
        hands.first.get_by_role("link").click()
        page.get_by_text("the cards are dealt").wait_for()
        page.get_by_role("button", name="Last").click()
        page.locator(".outcome").wait_for()
        assert page.locator(".outcome").inner_text().startswith(f"You win {results[0]:,g} with ")
        assert page.locator(".seat.you .playing-card:not(.back)").count() == 2
        sound(page, f"replay-{screen}")


def number_of(text):
    """The first number of a text, with its sign."""
    found = re.search(r"([+−]?)([\d,]+(?:\.\d+)?)", text)
    return float(found[2].replace(",", "")) * (-1 if found[1] == "−" else 1)


@screens("landscape", "large")
def test_a_coach_is_asked_at_every_decision_while_the_table_plays_on(server, chromium, screen):
    with screen_at(chromium, server.address, screen) as page:
        name, token = seat_at(page, seed=12, coach=True)
        page.goto(f"{server.address}/table/{name}#{token}")
        page.get_by_role("tab", name="Coach").click()
        asked = []
        while not page.get_by_role("button", name="Next hand").count():
            call = page.locator("button.act.call:enabled")
            call.wait_for()
            board = page.locator(".board .playing-card").evaluate_all("all => all.map(c => c.ariaLabel)")
            hole = page.locator(".seat.you .playing-card").evaluate_all("all => all.map(c => c.ariaLabel)")
            page.get_by_role("button", name="Ask the coach").click()
            page.get_by_text("equity against a random hand").wait_for()
            shown = number_of(page.get_by_role("tabpanel").locator("dd").first.inner_text())
            odds = odds_of_hand(cards_named(hole), cards_named(board), n_opponents=1)
            assert shown == pytest.approx(100 * odds.equity, abs=0.06)
            asked.append(len(board))
            if len(board) < 5:
                if len(board) == 4:
                    page.get_by_text("Solving this street …").wait_for()  # and not waited for
            else:
                page.get_by_text("Solved on the spot").wait_for(timeout=120_000)
                shares = page.locator(".solved b").all_inner_texts()
                assert sum(int(share.rstrip("%")) for share in shares) in range(98, 103)
            sound(page, f"coach-{len(board)}-{screen}")
            before = page.locator("[aria-live=polite]").inner_text()
            call.click()
            wait_until(page, "text => document.querySelector('[aria-live=polite]').innerText !== text", before)
            page.locator("button.act.call:enabled, button.wide").first.wait_for()
        assert asked == [0, 3, 4, 5]
        page.get_by_role("tab", name="Hand").click()
        assert page.locator(".log li").count() > 8


def cards_named(names):
    """Cards by their names for screen readers."""
    words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
    return cards("".join(RANKS[words.index(rank)] + suit[0] for rank, _, suit in (name.split() for name in names)))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("portrait", "desk"),
        pytest.param("landscape", "large", marks=pytest.mark.thorough),
        pytest.param("tablet", "portrait", marks=pytest.mark.thorough),
    ],
)
def test_two_people_play_in_two_browsers(server, chromium, first, second):
    with screen_at(chromium, server.address, first) as ann:
        people = {"chairs": [{"person": "Ann"}, {"person": "Bob"}], "game": "nolimit2p", "pace": 0}
        made = ann.evaluate(SIT, people)
        ann.goto(f"{server.address}/table/{made['name']}#{made['tokens']['0']}")
        with screen_at(chromium, f"{server.address}/table/{made['name']}#{made['tokens']['1']}", second) as bob:
            seats = {"Ann": ann, "Bob": bob}
            for page in seats.values():
                page.locator(".seat.you .playing-card").first.wait_for()
            for street in range(4):
                actor = turn(seats)
                seats[actor].locator(".amount").fill(str(600 + street))
                seats[actor].locator("button.act.raise").click()
                answerer = turn(seats)
                assert answerer != actor
                seats[answerer].get_by_text(
                    f"{actor} {'raises to' if street == 0 else 'bets'} {600 + street}"
                ).first.wait_for()
                if street == 1:
                    for who, page in seats.items():
                        sound(page, f"two-{who}-{first}-{second}")
                        assert page.locator(".seat:not(.you) .playing-card.back").count() == 2
                seats[answerer].locator("button.act.call").click()
            for page in seats.values():
                page.locator(".outcome").wait_for()
            pots = {page.locator(".pot b").inner_text() for page in seats.values()}
            assert pots == {f"{2 * (600 + 601 + 602 + 603):,}"}
            assert ann.locator(".outcome").inner_text() == bob.locator(".outcome").inner_text()
            for who, page in seats.items():
                assert page.locator(".seat .playing-card.back").count() == 0  # both showed
                sound(page, f"shown-{who}-{first}-{second}")


def turn(seats):
    """Whose turn it is, once one of the pages says so."""
    until = monotonic() + 60
    while not (acting := [who for who, page in seats.items() if page.locator("button.act.call:enabled").count()]):
        assert monotonic() < until
        next(iter(seats.values())).wait_for_timeout(20)
    (actor,) = acting
    return actor
