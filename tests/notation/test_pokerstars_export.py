"""PokerStars text that trackers take: dates, hand numbers, one hero, whole chips, and a word on all that changes."""

import json
import os
import random
import re
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.formats import read_hands, write_hands
from pokerlab.notation.pokerstars_export import prepared
from pokerlab.web.table_settings import at_stakes

WHEN = datetime(2026, 11, 17, 20, 30, 5, tzinfo=UTC)
NAMES = ("ann", "bob", "cy")
FOLDED = HandHistory(
    game("limit3p"),
    cards("AcKdAdKhQcJd2c7d9hTh3s"),
    (RaiseTo(20), RaiseTo(30), FOLD, FOLD),
    NAMES,
)
SPLIT = HandHistory(
    game("limit3p").with_stacks((100, 15, 15)),
    cards("QcJdAdKhAcKd2c7d9hTh3s"),
    (RaiseTo(15), FOLD, CALL),
    NAMES,
    1,
)


def exported(tmp_path, hands, **settings):
    ready = prepared(hands, when=WHEN, **settings)
    assert write_hands(tmp_path / "hands.txt", ready.hands) == ()
    return (tmp_path / "hands.txt").read_text(), ready.changes


def test_every_hand_has_a_real_date_and_a_number_of_its_own(tmp_path):
    text, changes = exported(tmp_path, [FOLDED, FOLDED, SPLIT])
    first = re.findall(r"PokerStars Hand #(\d+): .* - (.*)", text)
    assert [date for _, date in first] == ["2026/11/17 20:30:05 UTC"] * 3
    numbers = [int(number) for number, _ in first]
    assert numbers == [int(WHEN.timestamp()) * 100_000 + place for place in (1, 2, 3)]
    assert changes["dated 2026/11/17 20:30:05 UTC, without a date of their own"] == 3
    assert changes[f"numbered from {numbers[0]} on, as numbers were missing or returned"] == 3


def test_dates_and_numbers_that_a_hand_has_are_kept(tmp_path):
    hand = HandHistory(
        FOLDED.rules, FOLDED.deck, FOLDED.actions, NAMES, 77, tags={"year": "2009", "month": "7", "day": "1"}
    )
    text, changes = exported(tmp_path, [hand])
    assert "PokerStars Hand #77: Hold'em Limit (10/20) - 2009/07/01 00:00:00 UTC" in text
    assert list(changes) == ["without a hero: known hands that were not shown down are written as shown"]


@pytest.mark.parametrize("ending", ["txt", "phhs"])
def test_a_hero_whom_no_hand_has_is_refused(tmp_path, capsys, ending):
    source, target = tmp_path / "hands.phhs", tmp_path / f"new.{ending}"
    write_hands(source, [FOLDED])
    assert main(["convert", str(source), str(target), "--hero", "nobody"]) == 2
    assert capsys.readouterr().err == f"pokerlab: no hand of {source} has a player 'nobody'; it has 3 other players\n"
    assert main(["convert", str(source), str(target), "--hero", "bobb"]) == 2
    assert "did you mean bob?" in capsys.readouterr().err
    assert not target.exists()
    assert main(["convert", str(source), str(target), "--hero", "cy"]) == 0


@pytest.mark.parametrize("hero", ["bob", None])
def test_only_the_hero_is_dealt_cards_and_no_card_is_lost(tmp_path, hero):
    text, _ = exported(tmp_path, [FOLDED, SPLIT], hero=hero)
    assert re.findall(r"Dealt to (.*) \[", text) == ["bob"] * (2 if hero else 0)
    for hand, again in zip((FOLDED, SPLIT), read_hands(tmp_path / "hands.txt").hands, strict=True):
        assert [set(again.final.hole(seat)) for seat in range(3)] == [set(hand.final.hole(seat)) for seat in range(3)]
        assert again.tags["_hero"] == (hero or "")


def test_an_odd_chip_goes_to_the_first_winner_left_of_the_button(tmp_path):
    assert SPLIT.payoffs == (-5, Fraction(5, 2), Fraction(5, 2))  # the lab's own setting is exact
    text, changes = exported(tmp_path, [SPLIT])
    assert changes["odd chips of a split pot paid to a seat, as in a card room"] == 1
    assert re.findall(r"(\w+) collected (\S+) from pot", text) == [("bob", "18"), ("cy", "17")]
    assert "." not in "".join(re.findall(r"\d+\.\d", text))
    assert read_hands(tmp_path / "hands.txt").hands[0].payoffs == (-5, 3, 2)


def test_convert_says_all_that_it_changes(tmp_path, capsys, play):
    hands = [play(game("nolimit3p"), random.Random(3), names=NAMES, number=number % 3) for number in range(6)]
    write_hands(tmp_path / "match.phhs", [*hands, SPLIT])
    os.utime(tmp_path / "match.phhs", (WHEN.timestamp(),) * 2)
    command = ["convert", str(tmp_path / "match.phhs"), str(tmp_path / "match.txt"), "--hero", "cy"]
    assert main([*command, "--json"]) == 0
    changes = json.loads(capsys.readouterr().out)["changes"]
    assert [(n, words.split()[0]) for words, n in changes.items()] == [(7, "dated"), (7, "numbered"), (1, "odd")]
    assert main(command) == 0
    assert "1 hand: odd chips of a split pot paid to a seat, as in a card room" in capsys.readouterr().err
    assert set(re.findall(r"Dealt to (.*) \[", (tmp_path / "match.txt").read_text())) == {"cy"}


@pytest.mark.parametrize("running", [True, False])
def test_live_tables_pay_odd_chips_to_a_seat(running):
    rules = at_stakes(game("limit3p"), big_blind=None, stack=None, running=running)
    assert rules.odd_chips == "first seat"


def test_an_acpc_log_says_which_hands_it_leaves_out_for_an_odd_chip(tmp_path):
    odd = HandHistory(SPLIT.rules, SPLIT.deck, SPLIT.actions, NAMES, 1)
    rules = prepared([odd], when=WHEN).hands[0].rules
    plain = HandHistory(rules, SPLIT.deck, (FOLD, FOLD), NAMES, 2)
    problems = write_hands(tmp_path / "hands.log", [plain, HandHistory(rules, SPLIT.deck, SPLIT.actions, NAMES, 1)])
    assert [problem.expected for problem in problems] == [
        "hand 1: an ACPC log splits pots exactly; this hand pays odd chips to a seat"
    ]
    assert [hand.payoffs for hand in read_hands(tmp_path / "hands.log", rules=None).hands] == [(-5, 5, 0)]
