"""Hands of people on their way to the solver: import, spot, solve and show, by command and by the browser's interface.

Money is exact decimal all the way: cash hands in dollars and cents as well as tournament chips.
"""

import asyncio
import json
import re
import shlex
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from recorded_spots import recorded_spots

from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.games.actions import CALL, RaiseTo, chips_words
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.people.hand_spots import spot_of_hand
from pokerlab.policies.solved_charts import SOLVED_CHARTS

SAMPLES = Path(__file__).parents[2].parent / "shared" / "data"
recorded_hands = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded hands are not here")

CASH = """\
PokerStars Hand #4001: Hold'em No Limit ($0.25/$0.50 USD) - 2021/05/06 17:08:09 ET
Table 'Vesta' 6-max Seat #3 is the button
Seat 1: ann ($109 in chips)
Seat 2: bob ($108.85 in chips)
Seat 3: cy ($61 in chips)
ann: posts small blind $0.25
bob: posts big blind $0.50
*** HOLE CARDS ***
cy: folds
ann: raises $1.25 to $1.75
bob: calls $1.25
*** FLOP *** [Ah 7c 2d]
ann: bets $1.55
bob: calls $1.55
*** TURN *** [Ah 7c 2d] [Kd]
ann: bets $4.07
bob: calls $4.07
*** RIVER *** [Ah 7c 2d Kd] [3s]
ann: checks
bob: checks
*** SHOW DOWN ***
ann: shows [As 9c] (a pair of Aces)
bob: mucks hand
ann collected $14.14 from pot
*** SUMMARY ***
Total pot $14.74 | Rake $0.60
Board [Ah 7c 2d Kd 3s]
Seat 1: ann (small blind) showed [As 9c] and won ($14.14) with a pair of Aces
Seat 2: bob (big blind) mucked
Seat 3: cy (button) folded before Flop (didn't bet)
"""
CENTS = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [0.1, 0.25]
min_bet = 0.25
starting_stacks = [101.85, 140]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 cc", "p1 cc", "d db 2c7d9h", "p1 cc", "p2 cc", "d db Th", "p1 cc",
  "p2 cc", "d db 3s", "p1 cbr 0.3", "p2 f"]
"""
TOURNAMENT = """\
variant = "NT"
antes = [10, 10]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1500, 2345]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 cbr 250", "p1 cc", "d db 2c7d9h", "p1 cc", "p2 cc", "d db Th", "p1 cc",
  "p2 cc", "d db 3s", "p1 cbr 300", "p2 f"]
"""
MINE = [
    (CASH, "txt", "river", "14.74", "101.48"),
    (CENTS, "phh", "river", "0.5", "101.6"),
    (TOURNAMENT, "phh", "river", "520", "1240"),
]
"""A hand, the ending of its file, the street to solve, and the pot and the stack there."""


def told(capsys, *tokens):
    """The JSON that a command prints."""
    assert main([*map(str, tokens), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def check_by_command(capsys, folder, text, ending, street, pot, stack):
    """Carry a hand from its file to the shown strategy of its spot; its amounts are right at every step."""
    file = folder / f"hand.{ending}"
    file.write_text(text)
    assert main(["spot", str(file), "--street", street]) == 0
    printed = capsys.readouterr().out
    assert f"pot {pot}, {stack} behind" in " ".join(printed.split())
    spot = told(capsys, "spot", file, "--street", street)
    assert (spot["pot"], spot["stack"]) == (float(pot), float(stack))
    command = shlex.split(spot["command"])
    assert command[-4:] == ["--pot", pot, "--stack", stack]
    solve = [*command[1:], "--target-percent", "20", "--sizes", "0.5p, all-in", "--out", folder / "run"]
    solved = told(capsys, *solve)
    assert (solved["pot"], solved["stack"]) == (float(pot), float(stack))
    shown = told(capsys, "show", folder / "run")
    assert shown["pot"] == pytest.approx(float(pot), abs=1e-9)
    actions = [each["action"] for each in shown["actions"]]
    half = re.fullmatch(r"bet ([\d.]+)", actions[1])
    cents = 1 if pot.isdigit() and stack.isdigit() else 0.01
    assert float(half[1]) == pytest.approx(min(max(float(pot) / 2, cents), float(stack)), abs=cents)
    assert actions[-1] == f"bet {stack}"  # all-in, to the cent
    after = told(capsys, "show", folder / "run", "--spot", actions[1])
    assert after["pot"] == pytest.approx(float(pot) + float(half[1]), abs=1e-9)


def check_by_browser(folder, text, street, pot, stack):
    """The same by the browser's HTTP interface."""
    pytest.importorskip("starlette", reason="the extra web is not installed")
    from asgi_browser import HOST, request

    from pokerlab.web.hall import Hall
    from pokerlab.web.server import application

    async def go():
        app = application(Hall(folder, ()), hosts=[HOST])

        async def answer(path, body=None):
            status, _, content = await request(app, path, method="GET" if body is None else "POST", body=body)
            assert status == 200, content
            return json.loads(content)

        spot = await answer("/api/spot-of-hand", {"text": text, "street": street})
        assert (spot["pot"], spot["stack"]) == (float(pot), float(stack))
        asked = {key: spot[key] for key in ("board", "ranges", "pot", "stack")}
        solve = await answer("/api/solves", {**asked, "sizes": "0.5p, all-in", "target_percent": 20.0})
        until = time.monotonic() + 600
        while not solve["ready"] or solve["running"]:
            assert time.monotonic() < until
            await asyncio.sleep(0.05)
            solve = await answer(f"/api/solves/{solve['name']}")
        shown = await answer(f"/api/solves/{solve['name']}/spot")
        assert shown["pot"] == pytest.approx(float(pot), abs=1e-9)
        assert shown["actions"][-1]["words"] == f"bets {stack} and is all-in"

    asyncio.run(go())


@pytest.mark.parametrize(("text", "ending", "street", "pot", "stack"), MINE)
def test_hands_of_our_own_go_from_import_to_show(capsys, tmp_path, text, ending, street, pot, stack):
    check_by_command(capsys, tmp_path, text, ending, street, pot, stack)
    check_by_browser(tmp_path, text, street, pot, stack)


@pytest.mark.slow
@recorded_hands
def test_ten_recorded_hands_go_from_import_to_show(capsys, tmp_path):
    rows = recorded_spots(SAMPLES)
    assert len(rows) >= 10
    assert sum("." in pot + stack for *_, pot, stack in rows) >= 5
    assert sum("Tournament" in text for text, *_ in rows) >= 1
    for number, (text, ending, *spot) in enumerate(rows):
        folder = tmp_path / str(number)
        folder.mkdir()
        check_by_command(capsys, folder, text, ending, *spot)
        check_by_browser(folder / "web", text, *spot)


def test_a_third_of_a_chip_is_rounded_to_hundredths():
    """A split pot of a match leaves thirds in a stack, which no decimal says."""
    rules = game("nolimit2p").with_stacks((Fraction(60001, 3), 20000))
    hand = HandHistory(rules, cards("QcQdAhKh2c3c4d5s9h"), (RaiseTo(300), *[CALL] * 7), ("ann", "bob"))
    assert spot_of_hand(hand, SOLVED_CHARTS).stack == 19700
    short = replace(hand, rules=rules.with_stacks((Fraction(1201, 3), 20000)))
    assert chips_words(spot_of_hand(short, SOLVED_CHARTS).stack) == "100.33"
