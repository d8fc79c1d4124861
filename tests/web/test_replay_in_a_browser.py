"""A hand that plays itself in a real browser, by a clock that the test turns."""

from dataclasses import replace

import pytest

from pokerlab.notation.formats import read_hands
from pokerlab.notation.phh_text import numbered_phh_text

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright", reason="Playwright is not installed")

from chromium import CHROMIUM, PHONE, ROOT, accessible, page_at, picture

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]

PACE, LAST = 1500, 17
"""Milliseconds between steps unless another pace is chosen, and steps of the example hand."""


@pytest.fixture
def two_hands():
    (hand,) = read_hands(ROOT / "docs" / "example-hand.phh").hands
    return "\n".join(numbered_phh_text(n, replace(hand, number=n)) for n in (1, 2))


def open_replay(page, text):
    page.clock.install()
    page.get_by_label("Paste hands").fill(text)
    page.get_by_role("button", name="Replay", exact=True).click()
    page.get_by_text(f"0 of {LAST}").wait_for()


def shown(page):
    """The number of the step that is shown."""
    return int(page.locator(".step b").inner_text().split()[0])


def after(page, milliseconds):
    """The number of the step that is shown after some time."""
    page.clock.run_for(milliseconds)
    return shown(page)


def reaches(page, step):
    """Whether the hand plays on to a step; the page may draw, and set its next timer, later than its clock runs."""
    for _ in range(500):
        if shown(page) >= step:
            break
        page.clock.run_for(PACE / 10)
    return shown(page) == step


def test_a_hand_plays_itself_and_stops_when_somebody_steps(server, chromium, two_hands):
    with page_at(chromium, f"{server.address}/replay") as page:
        page.emulate_media(reduced_motion="reduce")
        open_replay(page, two_hands)
        assert after(page, 10 * PACE) == 0  # not before it is asked
        page.keyboard.press("Space")
        page.get_by_role("button", name="Pause").wait_for()
        assert all(reaches(page, step) for step in (1, 2, 3))
        assert page.evaluate("getComputedStyle(document.querySelector('.pod')).transitionDuration") == "0s"
        assert accessible(page) == []
        page.keyboard.press("ArrowLeft")
        page.get_by_role("button", name="Play", exact=True).wait_for()
        assert after(page, 10 * PACE) == shown(page) < LAST
        page.get_by_label("Plays").select_option("quickly")
        before = shown(page)
        page.get_by_role("button", name="Play", exact=True).click()
        page.get_by_role("button", name="Pause").wait_for()
        assert reaches(page, before + 2)
        page.keyboard.press("Space")  # on the button, which it presses
        page.get_by_role("button", name="Play", exact=True).wait_for()
        at = shown(page)
        assert after(page, 10 * PACE) == at
        page.get_by_role("button", name="Play", exact=True).click()
        page.get_by_role("button", name="Pause").wait_for()
        assert reaches(page, LAST)
        page.get_by_role("button", name="Play", exact=True).wait_for()
        assert after(page, 10 * PACE) == LAST
        page.keyboard.press("Space")  # from the start again
        page.get_by_text(f"0 of {LAST}").wait_for()


def test_the_next_hand_follows_if_asked_for_on_a_phone(server, chromium, two_hands):
    with page_at(chromium, f"{server.address}/replay", size=PHONE, dark=True) as page:
        open_replay(page, two_hands)
        page.get_by_label("then the next hand").check()
        page.get_by_role("button", name="Last").tap()
        page.get_by_role("button", name="Play", exact=True).tap()
        page.get_by_role("button", name="Pause").wait_for()
        assert page.locator(".beside select").first.input_value() == "0"
        page.clock.run_for(PACE)
        page.get_by_text(f"0 of {LAST}").wait_for()
        assert page.locator(".beside select").first.input_value() == "1"
        assert reaches(page, 1)
        assert accessible(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        picture(page, "replay-phone-dark")
        assert reaches(page, LAST)
        assert after(page, 10 * PACE) == LAST  # no hand is left
        page.get_by_role("button", name="Play", exact=True).wait_for()
