"""PHH: two recorded hands, invented hands, every kind of error in a file, and round trips."""

import json
import random
import warnings
from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phh_hands import SAMPLES, one, only_problem, recorded_hands

from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.phh import parse_phh
from pokerlab.notation.phh_text import phh_text, phhs_text
from pokerlab.notation.room import (
    DERIVED,
    hole_cards,
    room_rules,
)

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
    assert hand.tags == {"year": "2020", "_mood": '["calm", 3]', DERIVED: "betting and cards"}


def test_other_information_is_preserved():
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


def test_unknown_stacks_are_unlimited():
    hand = one(HEADS_UP.replace("[200, 150]", "[inf, inf]") + "winnings = [11.5, 0]\n")
    assert hand.rules.stacks == (inf, inf)
    assert hand.payoffs == (Fraction("5.5"), -6)  # half a chip of rake
    assert one(phh_text(hand)) == hand


def test_hands_of_a_file_are_independent():
    """The second of three hands is broken: it is reported with its line, and the others are read."""
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
        ("[200, 150]", "[200]", "x.phh:6: expected starting_stacks of 2 to 12 players, not of 1"),
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
def test_errors_name_their_line(old, new, problem):
    assert old in HEADS_UP
    assert only_problem(HEADS_UP.replace(old, new, 1)).startswith(problem)


@pytest.mark.parametrize("text", ["", "\n\n", "variant", "[1]\n[1]\n", "\x00", "hand = 1" * 3, "a = " + "[" * 5000])
def test_no_text_breaks_the_reader(text):
    imported = parse_phh(text)
    assert imported.hands == ()
    assert imported.problems


def test_games_phh_cannot_express_are_refused():
    hand = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"))
    with pytest.raises(PokerlabError, match="PHH has no variant for leduc"):
        phh_text(hand)


@pytest.mark.parametrize("name", ["limit2p", "limit3p", "nolimit2p", "nolimit6p", "potlimit4p"])
def test_hands_of_our_own_games_come_back_the_same(play, name):
    """Rules that PHH cannot express (caps, reopening, exact splits, the name) are stored in a field of our own."""
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


@pytest.mark.slow
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


def smallest_raise(stacks, blinds, actions, *, limit=False):
    """PokerKit's smallest raise after `actions`, and our readings of hands that raise to it and to one chip less."""
    pokerkit = pytest.importorskip("pokerkit")
    game = pokerkit.FixedLimitTexasHoldem if limit else pokerkit.NoLimitTexasHoldem
    bets = (2, 4) if limit else (2,)
    unasked = tuple(each for each in pokerkit.Automation if each.name != "HOLE_CARDS_SHOWING_OR_MUCKING")
    state = game.create_state(unasked, True, 0, tuple(blinds), *bets, tuple(stacks), len(stacks))
    words = [f"d dh p{seat + 1} ????" for seat in range(len(stacks))]
    for to in actions:
        seat, street = state.actor_index, state.street_index
        words.append(f"p{seat + 1} cbr {to}" if to else f"p{seat + 1} cc")
        if to:
            state.complete_bet_or_raise_to(to)
        else:
            state.check_or_call()
        if state.street_index != street:
            words.append("d db 2c3d4h")
    least = state.min_completion_betting_or_raising_to_amount
    seat = state.actor_index
    folds = [
        f"p{(seat + i) % len(stacks) + 1} f" for i in range(1, len(stacks)) if stacks[(seat + i) % len(stacks)] > 5
    ]
    head = [
        f'variant = "{"FT" if limit else "NT"}"',
        f"antes = {[0] * len(stacks)}",
        f"blinds_or_straddles = {[*blinds, *[0] * (len(stacks) - len(blinds))]}",
        "small_bet = 2\nbig_bet = 4" if limit else "min_bet = 2",
        f"starting_stacks = {list(stacks)}",
    ]
    texts = [
        "\n".join([*head, f"actions = {json.dumps([*words, f'p{seat + 1} cbr {to}', *folds])}"])
        for to in (least, least - 1)
    ]
    return least, *map(parse_phh, texts)


@pytest.mark.parametrize(
    ("stacks", "blinds", "actions", "limit", "least"),
    [
        ((200, 200, 200, 200), (1, 2, 4), (), False, 6),  # a straddle does not make bets larger
        ((200, 200, 200, 200), (1, 2, 4), (6,), False, 8),
        ((200, 200, 200, 200), (1, 2, 4), (10,), False, 16),
        ((200, 200, 3, 200), (1, 2, 4), (), False, 5),  # a straddle that its player could not pay in full
        ((200, 200, 200, 200), (1, 2, 4), (), True, 6),
        ((3, 200, 200), (1, 2), (0, 0, 0, 1), False, 3),  # an all-in that opens the flop below the smallest bet
        ((3, 200, 200), (1, 2), (0, 0, 0, 1), True, 3),
        ((5, 200, 200), (1, 2), (0, 0, 0, 3), False, 6),
    ],
)
def test_the_smallest_raise_over_straddles_and_short_bets_is_pokerkits(stacks, blinds, actions, limit, least):
    theirs, ours, less = smallest_raise(stacks, blinds, actions, limit=limit)
    assert theirs == least
    assert [str(problem) for problem in ours.problems] == []
    (hand,) = ours.hands
    assert RaiseTo(least) in hand.actions
    assert not less.hands and f"raise to {least}" in less.problems[0].expected
    if hand.result_known:
        assert sum(hand.payoffs) == 0


def test_an_id_that_is_not_a_number_is_preserved():
    (hand,) = parse_phh(WITH_ID).hands
    assert (hand.number, hand.tags["hand"]) == (0, "RC-77 42")
    assert 'hand = "RC-77 42"' in phh_text(hand).splitlines()
    assert parse_phh(phh_text(hand)).hands[0].tags["hand"] == "RC-77 42"


WITH_ID = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 150]
hand = "RC-77 42"
actions = ["d dh p1 AcAd", "d dh p2 ????", "p2 f"]
"""
