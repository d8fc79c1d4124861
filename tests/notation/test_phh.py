"""PHH: the two recorded hands, invented ones, every way a file can be wrong, and round trips."""

import random
import warnings
from dataclasses import replace
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.phh import parse_phh, phh_text, phhs_text
from pokerlab.notation.room import hole_cards, room_rules

SAMPLES = Path(__file__).parents[2].parent / "shared" / "data" / "phh"
recorded_hands = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded hands are not here")

HEADS_UP = """\
# an invented hand
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 150]
actions = [
  "d dh p1 AcAd",  # the big blind
  "d dh p2 KhKs",
  "p2 cbr 6", "p1 cc # slow",
  "",
  "d db 2c7d9h",
  "p1 cc",
  "p2 cc",
  "d db Th",
  "p1 cbr 10",
  "p2 f",
]
players = ["Ann", "Bob \\"B\\" O'X"]
year = 2020
_mood = ["calm", 3]
"""


def one(text):
    imported = parse_phh(text)
    assert imported.problems == ()
    (hand,) = imported.hands
    return hand


def only_problem(text):
    imported = parse_phh(text, "x.phh")
    assert imported.hands == ()
    (problem,) = imported.problems
    return str(problem)


@recorded_hands
@pytest.mark.parametrize(
    ("file", "net", "blinds"),
    [
        ("antonius-blom-2009.phh", (Fraction("678473.5"), Fraction("-678473.5")), (1000, 500)),
        ("dwan-ivey-2009.phh", (-553500, -2500, 556000), (1000, 2000, 0)),
    ],
)
def test_recorded_hands_import_with_the_right_chips_and_export_again(file, net, blinds):
    hand = one((SAMPLES / file).read_text())
    assert hand.payoffs == net
    assert hand.rules.blinds == blinds
    assert hand.recorded is None  # the rules alone give the result
    again = one(phh_text(hand))
    assert again == hand
    assert again.tags == hand.tags
    assert hand.tags["year"] == "2009"


@recorded_hands
def test_a_recorded_hand_has_unknown_cards():
    hand = one((SAMPLES / "dwan-ivey-2009.phh").read_text())
    assert hole_cards(hand, 1) == (None, None)
    assert hole_cards(hand, 2) == cards("7h6h")
    assert hand.names == ("Phil Ivey", "Patrik Antonius", "Tom Dwan")


def test_heads_up_the_first_player_is_the_big_blind():
    hand = one(HEADS_UP)
    assert hand.rules.blinds == (2, 1)
    assert [step.seat for step in hand.steps] == [1, 0, 0, 1, 0, 1]
    assert hand.actions == (RaiseTo(6), CALL, CALL, CALL, RaiseTo(10), FOLD)
    assert hand.payoffs == (6, -6)
    assert hand.final.board == cards("2c7d9hTh")
    assert hand.names == ("Ann", 'Bob "B" O\'X')
    assert hand.tags == {"year": "2020", "_mood": '["calm", 3]'}


def test_what_is_beside_the_hand_comes_back():
    hand = one(HEADS_UP)
    assert one(phh_text(hand)).tags == hand.tags
    named = replace(hand, number=17, tags={"hand": "17a", "time": "13:05:00", "venue": "1", "url": "http://x/#a"})
    text = phh_text(named)
    assert 'hand = "17a"' in text
    assert "time = 13:05:00" in text
    assert 'venue = "1"' in text
    assert one(text).tags == named.tags


def test_amounts_are_exact():
    hand = one(HEADS_UP.replace("[200, 150]", "[200.10, 150.3]").replace("p1 cbr 10", "p1 cbr 10.35"))
    assert hand.rules.stacks == (Fraction("200.1"), Fraction("150.3"))
    assert hand.actions[4] == RaiseTo(Fraction("10.35"))
    assert hand.rules.chip == Fraction(1, 100)
    assert "cbr 10.35" in phh_text(hand)
    assert one(phh_text(hand)) == hand


def test_stacks_that_are_not_known_are_without_end():
    hand = one(HEADS_UP.replace("[200, 150]", "[inf, inf]") + "winnings = [11.5, 0]\n")
    assert hand.rules.stacks == (inf, inf)
    assert hand.payoffs == (Fraction("5.5"), -6)  # half a chip of rake
    assert one(phh_text(hand)) == hand


SHOWDOWN = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cc", "p1 cc", "p2 cc", "d db 2c7d9h", "p1 cc", "p2 cc",
  "p3 cc", "d db Th", "p1 cc", "p2 cc", "p3 cc", "d db 3s", "p1 cc", "p2 cc", "p3 cc", SHOWN]
"""


@pytest.mark.parametrize(
    ("shown", "net"),
    [
        ('"p1 sm AcAd", "p2 sm KcKd", "p3 sm QcQd"', (4, -2, -2)),
        ('"p1 sm", "p2 sm KcKd", "p3 sm QcQd"', (-2, 4, -2)),
        ('"p1 sm", "p2 sm", "p3 sm QcQd"', (-2, -2, 4)),
        ('"p1 sm AcKd", "p2 sm AdKc", "p3 sm QcJd"', (1, 1, -2)),
    ],
)
def test_showing_tells_cards_and_mucking_gives_up(shown, net):
    hand = one(SHOWDOWN.replace("SHOWN", shown))
    assert hand.payoffs == net
    assert (hand.recorded is None) == ('sm",' not in shown)
    again = one(phh_text(hand))
    assert (again, again.payoffs) == (hand, net)


def test_who_won_must_be_told():
    unknown = SHOWDOWN.replace("SHOWN", '"p1 sm ????", "p2 sm ????", "p3 sm"')
    assert "who won cannot be told" in only_problem(unknown)
    stated = one(unknown + "finishing_stacks = [104, 98, 98]\n")
    assert stated.payoffs == (4, -2, -2)
    assert one(phh_text(stated)) == stated


@pytest.mark.parametrize(
    ("stacks", "problem"),
    [
        ("[103, 98, 98]", None),  # a chip of rake
        ("[105, 98, 98]", "expected winners to win what losers lose, not 1 more"),
        ("[98, 104, 98]", "expected the result of p1 to be 2 to 6 by the rules, not -2"),
    ],
)
def test_stated_results_are_checked(stacks, problem):
    shown = '"p1 sm AcAd", "p2 sm KcKd", "p3 sm QcQd"'
    imported = parse_phh(SHOWDOWN.replace("SHOWN", shown) + f"finishing_stacks = {stacks}\n")
    (hand,) = imported.hands
    assert [problem.expected for problem in imported.problems] == ([problem] if problem else [])
    assert hand.recorded is not None


def test_a_big_blind_ante_is_dead_money():
    text = SHOWDOWN.replace("antes = [0, 0, 0]", "antes = [0, 3, 0]")
    hand = one(text.replace("SHOWN", '"p1 sm AcAd", "p2 sm KcKd", "p3 sm QcQd"'))
    assert hand.payoffs == (7, -5, -2)


def test_posts_that_do_not_move_the_first_action_are_negative():
    text = """variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 0, -2]
min_bet = 2
starting_stacks = [100, 100, 100, 100]
actions = ["p3 f", "p4 cbr 8", "p1 f", "p2 f"]
"""
    hand = one(text)
    assert hand.rules.blinds == (1, 2, 0, 2)
    assert hand.payoffs == (-1, -2, 0, 3)
    assert "blinds_or_straddles = [1, 2, 0, -2]" in phh_text(hand)
    assert one(phh_text(hand)) == hand


def test_hands_of_a_file_stand_alone():
    """The second of three hands is broken: it is named with its line, and the others are there."""
    hand = one(HEADS_UP)
    text = phhs_text([replace(hand, number=n) for n in (7, 8, 9)])
    assert parse_phh(text).hands == tuple(replace(hand, number=n) for n in (7, 8, 9))
    lines = text.split("\n")
    at = [number for number, line in enumerate(lines) if line == '  "p1 cbr 10",'][1]
    for bad, expected in [
        ('  "p1 cbr 1",', 'seat 0 cannot raise to 1 on the turn; legal: fold, check, raise to 2-194, in "p1 cbr 1"'),
        ('  "p2 cbr 10",', 'expected player 1 to act: "p2 cbr 10"'),
        ('  "p1 bets 10",', 'expected d dh, d db, f, cc, cbr or sm: "p1 bets 10"'),
        ('  "p1 cbr ten",', 'expected an amount of chips: "ten"'),
        ('  "p1 cbr 10"', "expected TOML: "),
    ]:
        imported = parse_phh("\n".join([*lines[:at], bad, *lines[at + 1 :]]), "three.phhs")
        assert [hand.number for hand in imported.hands] == [7, 9]
        (problem,) = imported.problems
        assert str(problem).startswith(f"three.phhs:{at + 1 + ('TOML' in expected)}: {expected[:40]}")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"NT"', '"F7S"', "x.phh:2: variant F7S is not supported; expected FT, NT, PT, FO, NO or PO"),
        ('variant = "NT"\n', "", "x.phh:1: expected variant to be text, which is missing"),
        ("min_bet = 2", 'min_bet = "2"', "x.phh:5: expected min_bet to be an amount of chips"),
        ("min_bet = 2", "min_bet = -2", "x.phh:5: expected min_bet to be an amount of chips"),
        ("[1, 2]", "[1, 2, 0]", "x.phh:4: expected 2 blinds_or_straddles, one for each stack, not 3"),
        ("[200, 150]", "[200]", "x.phh:6: expected starting_stacks of 2 to 10 players, not of 1"),
        ("[200, 150]", '["a", "b"]', "x.phh:6: expected starting_stacks to hold amounts only"),
        ("AcAd", "AcAc", "x.phh:1: Ac is twice in seat 0's hand"),
        ("AcAd", "AcA", 'x.phh:8: expected cards of two characters each: "AcA"'),
        ("AcAd", "AcAd2s", 'x.phh:8: expected 2 hole cards: "AcAd2s"'),
        ("dh p1", "dh p3", 'x.phh:8: expected a player, p1 to p2: "p3"'),
        ('"p2 f"', '"p2 cc"', "x.phh:1: expected Ann to act on the river"),
        ('"d db Th",', "", 'x.phh:16: expected the board of the turn: "p1 cbr 10"'),
        ('"p2 f",', '"p2 f", "p1 f"', 'x.phh:17: expected no more betting: "p1 f"'),
        ('["Ann", ', '["Ann", "Cy", ', "x.phh:19: expected 2 players, one for each stack"),
        ("year = 2020", "_rules = {odd_chips = 1}", "x.phh:20: expected settings of the rules in _rules"),
        ("year = 2020", "year = ", "x.phh:20: expected TOML: invalid value"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old, new, problem):
    assert old in HEADS_UP
    assert only_problem(HEADS_UP.replace(old, new, 1)).startswith(problem)


@pytest.mark.parametrize("text", ["", "\n\n", "variant", "[1]\n[1]\n", "\x00", "hand = 1" * 3, "a = " + "[" * 5000])
def test_no_text_breaks_the_reader(text):
    imported = parse_phh(text)
    assert imported.hands == ()
    assert imported.problems


def test_games_phh_cannot_say_are_refused():
    hand = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"))
    with pytest.raises(PokerlabError, match="PHH has no variant for leduc"):
        phh_text(hand)


@pytest.mark.parametrize("name", ["limit2p", "limit3p", "nolimit2p", "nolimit6p", "potlimit4p"])
def test_hands_of_our_own_games_come_back_the_same(play, name):
    """Rules that PHH has no words for (caps, reopening, exact splits, the name) are kept in a field of our own."""
    rng = random.Random(name)
    hands = [play(game(name), rng, known=0.5, number=number) for number in range(20)]
    assert parse_phh(phhs_text(hands)).hands == tuple(hands)


@st.composite
def room_games(draw):
    """Hold'em and Omaha with every kind of forced bet, in chips and in cents."""
    n = draw(st.integers(2, 6))
    unit = draw(st.sampled_from([1, Fraction(1, 100), Fraction(1, 4)]))
    limits = draw(st.sampled_from(["limit", "no-limit", "pot-limit"]))
    blinds = [10, 5] if n == 2 else [5, 10] + [0] * (n - 2)
    antes = draw(st.sampled_from([[0] * n, [3] * n, [0, 10] + [0] * (n - 2)]))
    if n > 3 and draw(st.booleans()):
        blinds[-1] = 10
    return room_rules(
        limits=limits,
        omaha=draw(st.booleans()),
        blinds=[chips * unit for chips in blinds],
        antes=[chips * unit for chips in antes],
        stacks=[chips * unit for chips in draw(st.lists(st.integers(1, 500), min_size=n, max_size=n))],
        opener=1 if n == 2 else 2 % n,
        bets=(10 * unit, 20 * unit) if limits == "limit" else (0, 0),
        min_bet=None if limits == "limit" else 10 * unit,
        chip=unit,
        whole_chips=unit == 1,
        dead_antes=draw(st.sampled_from([None, len(set(antes)) == 1])) if any(antes) else None,
    )


@settings(max_examples=80, deadline=None)
@given(rules=room_games(), seed=st.integers(0, 2**32), known=st.sampled_from([0.0, 0.5, 1.0]))
def test_random_hands_come_back_the_same(play, rules, seed, known):
    hand = play(rules, random.Random(seed), known=known)
    again = one(phh_text(hand))
    assert again == hand
    assert again.payoffs == hand.payoffs


def test_pokerkit_reads_what_we_write_and_finds_the_same_chips(play):
    pokerkit = pytest.importorskip("pokerkit")
    read = 0
    for seed in range(120):
        rng = random.Random(seed)
        n, limits, omaha = rng.randint(2, 6), *rng.choice([("no-limit", False), ("pot-limit", True)])
        rules = room_rules(
            limits=limits,
            omaha=omaha,
            blinds=[10, 5] if n == 2 else [5, 10] + [0] * (n - 2),
            antes=[rng.choice([0, 2])] * n,
            stacks=[rng.randint(1, 400) for _ in range(n)],
            opener=1 if n == 2 else 2 % n,
            min_bet=10,
            # How PokerKit differs from rooms, as settings:
            first_raise_is_full=True,
            uncallable_raises=False,
            fold_any_time=False,
        )
        hand = play(rules, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of free folds and of fields it does not know
            *_, state = pokerkit.HandHistory.loads(phh_text(hand))
            back = pokerkit.HandHistory.loads(phh_text(hand)).dumps()
        assert not state.status
        assert tuple(state.payoffs) == hand.payoffs
        assert one(back).payoffs == hand.payoffs
        read += 1
    assert read == 120


def test_damaged_texts_never_break_the_reader(play):
    """Every damage gives hands, problems or both, and no exception."""
    rng = random.Random(7)
    text = phhs_text([play(game("nolimit3p"), rng, number=number) for number in range(2)])
    for _ in range(300):
        damaged = damage(text, rng)
        imported = parse_phh(damaged)
        assert imported.hands or imported.problems
        assert all(sum(hand.payoffs) <= 0 for hand in imported.hands)


def damage(text, rng):
    at = rng.randrange(len(text))
    other = "".join(rng.choice('0123456789acdhkprsAK?."[]=# \n') for _ in range(rng.randint(0, 3)))
    return text[:at] + other + text[at + rng.randint(0, 4) :]
