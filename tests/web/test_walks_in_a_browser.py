"""Whole visits in a real browser, each on five screens from a phone to 2560 x 1440, in light and dark.

A walk checks the values that it is shown, that nothing scrolls sideways or leaves the screen, and axe-core's rules.
`POKERLAB_WALKS=DIR pytest tests/web/test_walks_in_a_browser.py` writes a picture of every stage.
"""

import os
import re
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from chromium import CHROMIUM, SCREENS, accessible, misfits, page_at, wait_until
from recorded_spots import recorded_spots

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]
screens = pytest.mark.parametrize("screen", SCREENS)
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


@screens
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


@screens
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
