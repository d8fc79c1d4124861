"""The pages in a real browser: Playwright drives Chromium against a server of its own.

Every page that is opened here must log no error, ask nothing of another host, and pass axe-core. Where there is no
Chromium these tests are skipped.
"""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from pokerlab.games.history import SAID
from pokerlab.net.server import Server as AcpcServer
from pokerlab.net.server import service_of
from pokerlab.notation.formats import read_hands
from pokerlab.notation.phh_text import phh_text
from pokerlab.players.registry import agent
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import here
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.runs import run_solve
from pokerlab.table.tournament import play_tournament

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from chromium import CHROMIUM, DESK, PHONE, ROOT, Server, accessible, page_at, picture, wait_until
from watched_runs import tournament_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]


def sit_down(page, game, seats, *opponents, **more):
    """Set up a table as a person does."""
    page.get_by_role("radio", name=game, exact=True).check()
    if seats is not None:
        page.get_by_label("Seats").select_option(str(seats))
    for number, opponent in enumerate(opponents, 1):
        label = "Opponent" if len(opponents) == 1 else f"Opponent {number}"
        page.get_by_label(label, exact=True).select_option(opponent)
    page.get_by_text("Clock, seed, speed, running stacks, coach").click()
    page.get_by_label("Agents act").select_option("at once")
    if page.get_by_label("Seed").count():  # where friends or a dealer are, nobody chooses it
        page.get_by_label("Seed").fill(str(more.pop("seed", 7)))
    for label, value in more.items():
        box = page.get_by_label(label.replace("_", " "))
        box.check() if value is True else box.fill(str(value))
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/table/**")
    turn_or_end(page)


def turn_or_end(page):
    page.locator("button.act.call, button.wide").first.wait_for()


def good_on_both(page):
    """Nothing is wrong with a page on a desktop in the light, nor on a phone in the dark."""
    assert accessible(page) == []
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    assert accessible(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light")


def log_lines(page):
    return page.locator(".log li").all_inner_texts()


def act(page, key):
    """Press a key of one's turn, and wait until something has come of it."""
    before = len(log_lines(page))
    page.keyboard.press(key)
    wait_until(page, "n => document.querySelectorAll('.log li').length > n", arg=before)
    turn_or_end(page)


def play_out(page, key="c"):
    """Check or call to the end of the hand."""
    while not page.get_by_role("button", name="Next hand").count():
        act(page, key)


def test_hands_of_limit_holdem_by_keys_on_a_desktop(server, chromium):
    with page_at(chromium, server.address) as page:
        page.get_by_role("button", name="Sit down").wait_for()
        wait_until(page, "document.querySelectorAll('option').length > 20")
        assert accessible(page) == []
        picture(page, "lobby")
        sit_down(page, "Limit hold'em", 2, "caller", seed=11)
        assert accessible(page) == []
        act(page, "r")
        assert any(line == "You raise to 20" for line in log_lines(page))
        play_out(page)
        assert accessible(page) == []
        assert page.locator(".board .playing-card").count() == 5
        shown = page.locator(".seat:not(.you) .playing-card").evaluate_all("all => all.map(c => c.ariaLabel)")
        assert len(shown) == 2 and "hidden card" not in shown
        page.keyboard.press("n")
        page.get_by_text("hand 2").first.wait_for()
        turn_or_end(page)
        play_out(page)
        page.get_by_role("tab", name="Session").click()
        page.locator(".chart").wait_for()
        assert accessible(page) == []
        assert "hands\n2" in page.locator(".numbers").inner_text()
        for name, ending in (("PHH", "phhs"), ("ACPC", "log"), ("PokerStars", "txt")):
            with page.expect_download() as download:
                page.get_by_role("button", name=name).click()
            assert download.value.suggested_filename.endswith(ending)
            assert "You" in Path(download.value.path()).read_text()


def test_a_six_handed_no_limit_hand_by_touch_on_a_phone_in_the_dark(server, chromium):
    with page_at(chromium, server.address, size=PHONE, dark=True) as page:
        assert accessible(page) == []
        sit_down(page, "No-limit hold'em", 6, *["caller"] * 5, seed=5)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert accessible(page) == []
        page.get_by_role("button", name=re.compile("^Pot")).tap()
        to = page.locator(".amount").input_value()
        picture(page, "table-phone-dark")
        page.locator("button.act.raise").tap()
        wait_until(
            page,
            "to => [...document.querySelectorAll('.log li')].some(l => l.innerText === 'You raise to ' + to)",
            arg=to,
        )
        turn_or_end(page)
        while not page.get_by_role("button", name="Next hand").count():
            before = len(log_lines(page))
            page.locator("button.act.call").tap()
            wait_until(page, "n => document.querySelectorAll('.log li').length > n", arg=before)
            turn_or_end(page)
        assert accessible(page) == []
        assert page.locator(".outcome").inner_text()


def test_a_table_survives_a_reload_and_a_restart_of_the_server(chromium, tmp_path):
    first = Server(tmp_path)
    port = first.address.rpartition(":")[2]
    try:
        with page_at(chromium, first.address, quiet=False) as page:
            sit_down(page, "No-limit hold'em", 3, "caller", "caller", seed=3)
            act(page, "c")
            before = log_lines(page), page.locator(".you .playing-card").first.get_attribute("aria-label")
            page.reload()
            turn_or_end(page)
            assert (log_lines(page), page.locator(".you .playing-card").first.get_attribute("aria-label")) == before
            first.stop()
            page.get_by_text("The server cannot be reached").wait_for()
            first = Server(tmp_path, port)
            page.get_by_text("The server cannot be reached").wait_for(state="detached")
            turn_or_end(page)
            assert (log_lines(page), page.locator(".you .playing-card").first.get_attribute("aria-label")) == before
            play_out(page)
    finally:
        first.stop()


def test_two_seats_in_two_browsers(server, chromium):
    with page_at(chromium, server.address) as ann:
        ann.get_by_label("Your name").fill("Ann")
        sit_down(ann, "Limit hold'em", 3, "a friend, by link", "caller")
        ann.get_by_role("tab", name="Seats").click()
        assert accessible(ann) == []
        links = ann.locator(".links code").all_inner_texts()
        with page_at(chromium, links[0], size=PHONE) as bob, page_at(chromium, links[1]) as watcher:
            bob.locator(".pod").first.wait_for()
            ann.get_by_text("taken").wait_for()
            assert bob.url != links[0]  # the invitation opened the seat, and now Bob has a token of his own
            bob.goto(server.address)
            bob.goto(links[0])  # the invitation again, in the browser that took the seat by it
            bob.locator(".seat.you .pod").wait_for()
            watcher.get_by_text("You are watching").wait_for()
            ann.get_by_role("tab", name="Hand").click()
            until = monotonic() + 600
            while not all(page.get_by_role("button", name="Next hand").count() for page in (ann, bob)):
                assert monotonic() < until
                for page in (ann, bob):
                    call = page.locator("button.act.call:enabled")
                    if call.count():
                        before = len(log_lines(page))
                        call.click()
                        wait_until(page, "n => document.querySelectorAll('.log li').length > n", arg=before)
                ann.wait_for_timeout(20)
            watcher.locator(".outcome").wait_for()
            assert watcher.locator(".seat .playing-card.back").count() == 0  # all three showed
            for page in (ann, bob):
                assert page.locator(".seat .playing-card").count() == 6
            ann.get_by_role("button", name="Next hand").click()
            ann.get_by_text("Waiting for Friend").wait_for()
            bob.get_by_role("button", name="Next hand").click()
            for page in (ann, bob):
                page.get_by_text("hand 2").first.wait_for()
                page.locator(".seat.you .playing-card").first.wait_for()
                assert page.locator(".seat:not(.you) .playing-card:not(.back)").count() == 0


def test_links_of_two_seats_in_one_tab(server, chromium):
    with page_at(chromium, server.address) as page:
        sit_down(page, "Leduc", None, "a friend, by link")
        own = page.url
        page.get_by_role("tab", name="Seats").click()
        watch = page.locator(".links code").all_inner_texts()[-1]
        page.evaluate("link => { location.href = link; }", watch)
        page.get_by_text("You are watching").wait_for()
        page.evaluate("link => { location.href = link; }", own)
        page.locator(".seat.you .pod").wait_for()
        page.goto(server.address)
        assert page.locator(".known li").all_inner_texts() == ["Leduc\nwatching You, Friend", "Leduc\nYou, Friend"]


def test_a_seat_at_an_acpc_dealer(server, chromium):
    service = service_of("nolimit2p", make=agent, agents=("acpc", "caller"), hands=2, seed=7)
    with AcpcServer(service, warn=print) as dealer, ThreadPoolExecutor(1) as thread:
        match = thread.submit(dealer.play)
        with page_at(chromium, server.address, size=PHONE) as page:
            page.get_by_role("radio", name="No-limit hold'em").check()
            page.get_by_label("Opponent").select_option("an ACPC dealer")
            page.get_by_label("Where it listens").fill(f"127.0.0.1:{dealer.ports[0]}")
            page.get_by_text("Clock, seed, speed, running stacks, coach").click()
            page.get_by_label("Agents act").select_option("at once")
            assert accessible(page) == []
            picture(page, "join-phone")
            page.get_by_role("button", name="Sit down").click()
            page.wait_for_url("**/table/**")
            for number in (1, 2):
                page.get_by_text(f"hand {number}", exact=False).first.wait_for()
                turn_or_end(page)
                play_out(page)
                page.keyboard.press("n")
            page.get_by_text("The match is over after 2 hands").wait_for()
            assert accessible(page) == []
            won = page.locator(".seat.you .stack").inner_text()
        assert sum(match.result(20)) == 0 and won


def test_leduc_and_a_clock_that_runs_out(server, chromium):
    with page_at(chromium, server.address) as page:
        sit_down(page, "Leduc", None, "caller", Seconds_for_a_decision=1)
        page.get_by_role("button", name="Next hand").wait_for()
        assert [line for line in log_lines(page) if line == "You check"] == ["You check"] * 2
        number = page.locator(".hand-number").inner_text()
        assert number == "Leduc, hand 1; time for a decision: 1 s for You; no limit for caller"


def test_a_link_without_a_seat_and_a_table_that_is_not_there(server, chromium):
    for path in ("/table/0123456789ab#x", "/table/0123456789ab"):
        with page_at(chromium, server.address + path) as page:
            page.get_by_role("heading", name="No seat here").wait_for()
            assert accessible(page) == []


def test_an_amount_that_is_refused_can_be_put_right(server, chromium):
    with page_at(chromium, server.address) as page:
        sit_down(page, "No-limit hold'em", 2, "caller", seed=5)
        page.locator(".amount").fill("3")
        page.locator(".amount").press("Enter")
        page.get_by_role("alert").wait_for()
        page.locator("button.act.raise:enabled").wait_for()
        page.locator(".amount").fill("300")
        page.locator(".amount").press("Enter")
        page.locator(".log").get_by_text("raise to 300").wait_for()
        assert page.get_by_role("alert").count() == 0


def test_the_first_paint_comes_within_five_seconds(server, chromium):
    """A generous bound, for machines that have other work besides."""
    with page_at(chromium, server.address) as page:
        page.get_by_role("button", name="Sit down").wait_for()
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        assert 0 < paint < 5000


def test_an_imported_hand_is_replayed(server, chromium):
    with page_at(chromium, f"{server.address}/replay") as page:
        assert accessible(page) == []
        page.get_by_label("Paste hands").fill((ROOT / "docs" / "example-hand.phh").read_text())
        page.get_by_role("button", name="Replay").click()
        page.get_by_text("the cards are dealt").wait_for()
        for _ in range(7):
            page.keyboard.press("ArrowRight")
        page.get_by_text("7 of 17").wait_for()
        assert page.locator(".board .playing-card").count() == 3
        assert accessible(page) == []
        picture(page, "replay")
        page.get_by_role("button", name="Last").click()
        assert "Bob" in page.locator(".outcome").inner_text()
        assert accessible(page) == []
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
        page.get_by_label("Whose beliefs").select_option("poki")
        page.get_by_label("In the seat of").select_option("Bob")
        page.get_by_text("What poki would have believed in this seat, with no earlier hands").wait_for()
        assert page.locator(".weights").inner_text().startswith("Alice, most likely: 77+, ATs+")
        shares = page.locator(".strips").last.locator("li").all_inner_texts()
        assert [share.split("\n") for share in shares] == [
            ["folds", "0%"],
            ["calls 20", "48%"],
            ["raises to 40", "52%"],
        ]
        good_on_both(page)
        page.locator(".weights").evaluate("element => element.scrollIntoView({ block: 'end' })")
        picture(page, "beliefs")
        page.get_by_role("button", name="Solve this turn").click()
        page.get_by_role("heading", name="Study").wait_for()
        assert page.get_by_label("Board").input_value() == "Js8c4s2h"
        assert page.get_by_label("Range of the first to act", exact=True).input_value().startswith("44-22, ATs-A2s")


def test_every_answer_of_a_decision_is_shown(server, chromium):
    (hand,) = read_hands(ROOT / "docs" / "example-hand.phh").hands
    rejected = [{"answer": "I dance", "unusable": "malformed", "again": "That answer cannot be used"}]
    said = [{"step": 0, "asked": "Your cards", "answer": "I fold", "note": "", "unusable": "", "rejected": rejected}]
    with page_at(chromium, f"{server.address}/replay") as page:
        page.get_by_label("Paste hands").fill(phh_text(replace(hand, tags={**hand.tags, SAID: json.dumps(said)})))
        page.get_by_role("button", name="Replay").click()
        page.get_by_text("the cards are dealt").wait_for()
        page.keyboard.press("ArrowRight")
        page.get_by_text("Answer 1, malformed:").wait_for()
        shown = page.locator("pre.answer").all_text_contents()
        assert shown == ["Your cards", "I dance", "That answer cannot be used", "I fold"]
        assert accessible(page) == []


def test_the_coach_and_the_players(server, chromium):
    with page_at(chromium, server.address) as page:
        sit_down(page, "Limit hold'em", 2, "caller", seed=1, A_coach_may_be_asked=True)
        page.get_by_role("tab", name="Coach").click()
        page.get_by_role("button", name="Ask the coach").click()
        page.locator(".grid13").wait_for()
        assert accessible(page) == []
        page.get_by_role("tab", name="Hand").click()
        while page.locator(".board .playing-card").count() < 5:
            act(page, "c")
        page.get_by_role("tab", name="Coach").click()
        page.get_by_role("button", name="Ask the coach").click()
        page.get_by_text("Solved on the spot").wait_for()
        shares = page.locator(".solved b").all_inner_texts()
        assert sum(int(share.rstrip("%")) for share in shares) in range(98, 103)
        picture(page, "coach")
        good_on_both(page)
        page.get_by_role("tab", name="Hand").click()
        play_out(page)
        page.get_by_role("tab", name="Coach").click()
        page.get_by_role("button", name="The last hand").click()
        page.get_by_text("2 decisions on turns and rivers between two players, in 1 of 1 hand").wait_for()
        good_on_both(page)
        page.get_by_role("tab", name="Players").click()
        page.locator(".hud").first.wait_for()
        page.get_by_label("At the seats too").check()
        assert page.locator(".seat.you .hud-line").inner_text() == "0 / 0 / – · 1"
        assert accessible(page) == []


def test_a_tournament_is_watched_while_it_is_played(server, chromium):
    plan, config = tournament_of("leduc", "caller", "raiser", "random", hands=40)
    with open_run(server.runs / "cup", "tournament", config) as run:
        result = play_tournament(plan, make="pokerlab.players.registry:agent", runner=here, run=run)
        late = [path for path in sorted((run.path / "matches").iterdir()) if int(path.stem) >= 12]
        content = {path: path.read_bytes() for path in late}
        for path in late:
            path.unlink()
        with page_at(chromium, f"{server.address}/lab") as page:
            page.get_by_role("link", name="cup").click()
            page.get_by_text("12 of 24 matches").wait_for()
            page.get_by_text("under way").wait_for()
            page.get_by_text("after 20 of 40 deals").wait_for()
            for path, whole in content.items():
                path.write_bytes(whole)
            page.get_by_text("24 of 24 matches").wait_for()
            page.get_by_text("after 40 of 40 deals").wait_for()
            names = page.locator(".cross").first.locator("tbody th").all_inner_texts()
            assert names == [result.names[i] for i in result.ranking]
            picture(page, "watch")
            good_on_both(page)


def test_the_curve_of_a_solve_is_watched(server, chromium):
    run_solve(SolveConfig(game="kuhn", iterations=100), server.runs / "kuhn")
    with page_at(chromium, f"{server.address}/lab?run=kuhn", size=PHONE) as page:
        label = page.get_by_role("img", name="exploitability, chips a hand").get_attribute("aria-label")
        assert label.endswith("at 100 iterations, 7 points")
        assert accessible(page) == []


def test_results_are_pages(server, chromium):
    with page_at(chromium, f"{server.address}/lab") as page:
        page.get_by_role("link", name="Figures 6.5 and 6.6").click()
        page.get_by_role("heading", level=1, name="Figures 6.5").wait_for()
        wait_until(page, "document.querySelector('figure img').naturalWidth > 0")
        assert accessible(page) == []
