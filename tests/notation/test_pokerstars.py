"""PokerStars text: five recorded hands, invented hands, every kind of error in a hand, and round trips."""

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.phh import parse_phh
from pokerlab.notation.phh_text import phh_text
from pokerlab.notation.pokerstars import parse_pokerstars
from pokerlab.notation.pokerstars_text import SETTINGS, pokerstars_text
from pokerlab.notation.room import BY_RULES, hole_cards, room_rules

SAMPLES = Path(__file__).parents[2].parent / "shared" / "data" / "pokerstars"
recorded_hands = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded hands are not here")

CASH = """\
PokerStars Hand #4001: Hold'em No Limit ($0.25/$0.50 USD) - 2021/05/06 17:08:09 ET
Table 'Vesta: II' 6-max Seat #6 is the button
Seat 1: Ann:ie ($50 in chips)
Seat 2: bob d ($20.15 in chips)
Seat 3: C$.c ($7.40 in chips)
Seat 4: Zoë ($100 in chips) is sitting out
Seat 5: eve ($33.10 in chips)
Seat 6: x ($61 in chips)
Ann:ie: posts small blind $0.25
bob d: posts big blind $0.50
eve: posts small & big blinds $0.75
*** HOLE CARDS ***
Dealt to x [9c 8c]
Zoë said, "good luck: folds"
C$.c: raises $1 to $1.50
eve: calls $1
x: folds
Ann:ie: folds
bob d: calls $1
*** FLOP *** [Ah 7c 2d]
bob d: checks
C$.c: bets $5.90 and is all-in
eve: calls $5.90
bob d: raises $12.75 to $18.65 and is all-in
eve: calls $12.75
*** TURN *** [Ah 7c 2d] [Kd]
*** RIVER *** [Ah 7c 2d Kd] [3s]
*** SHOW DOWN ***
bob d: shows [As Kc] (two pair, Aces and Kings)
eve: mucks hand
bob d collected $24.70 from side pot
C$.c: shows [7h 7s] (three of a kind, Sevens)
C$.c collected $22 from main pot
x leaves the table
*** SUMMARY ***
Total pot $48.20 Main pot $22.70. Side pot $25.50. | Rake $1.50
Board [Ah 7c 2d Kd 3s]
Seat 1: Ann:ie (small blind) folded before Flop
Seat 2: bob d (big blind) showed [As Kc] and won ($24.70) with two pair, Aces and Kings
Seat 3: C$.c showed [7h 7s] and won ($22) with three of a kind, Sevens
Seat 5: eve mucked [Ad Qh]
Seat 6: x (button) folded before Flop (didn't bet)
"""

SHORT_BLIND = """\
PokerStars Hand #22: Tournament #9, $1+$0.10 USD Hold'em No Limit - Level II (50/100) - 2021/05/06 7:08:09 ET
Table '9 1' 9-max Seat #3 is the button
Seat 3: cy (1500 in chips)
Seat 5: ann (900 in chips)
Seat 8: bo (60 in chips)
ann: posts small blind 50
bo: posts big blind 60 and is all-in
*** HOLE CARDS ***
cy: calls 100
ann: folds
Uncalled bet (40) returned to cy
*** FLOP *** [2s 6d 6h]
*** TURN *** [2s 6d 6h] [9c]
*** RIVER *** [2s 6d 6h 9c] [Jd]
*** SHOW DOWN ***
bo: shows [Qh Qd] (two pair, Queens and Sixes)
cy: shows [Ac Tc] (a pair of Sixes)
bo collected 170 from pot
*** SUMMARY ***
Total pot 170 | Rake 0
Board [2s 6d 6h 9c Jd]
Seat 3: cy (button) showed [Ac Tc] and lost with a pair of Sixes
Seat 5: ann (small blind) folded before Flop
Seat 8: bo (big blind) showed [Qh Qd] and won (170) with two pair, Queens and Sixes
"""

LIMIT = """\
PokerStars Game #5:  Hold'em Limit (€2/€4 EUR) - 2021/05/06
Table 'T' 2-max Seat #1 is the button
Seat 1: a (€40 in chips)
Seat 2: b (€40 in chips)
a: posts small blind €1
b: posts big blind €2
*** HOLE CARDS ***
a: raises €2 to €4
b: calls €2
*** FLOP *** [2s 6d 6h]
b: checks
a: bets €2
b: raises €2 to €4
a: calls €2
*** TURN *** [2s 6d 6h] [9c]
b: bets €4
a: folds
Uncalled bet (€4) returned to b
b collected €15.20 from pot
b: shows [Ks Kd] (two pair)
*** SUMMARY ***
Total pot €16 | Rake €0.80
"""


def one(text):
    imported = parse_pokerstars(text)
    assert imported.problems == ()
    (hand,) = imported.hands
    return hand


@recorded_hands
@pytest.mark.parametrize(
    ("number", "net"),
    [
        (1, (-10, -20, 0, 90, -60, 0, 0, 0, 0)),
        (2, (-475, -875, -75, -1030, -75, -75, 14495, -75, -11815)),
        (3, (-350, -650, -50, -50, -50, 1250, -50, -50)),
        (4, (-50, -625, 0, 0, 675, 0, 0, 0, 0)),
        (5, (-10, -20, 130, 0, 0, 0, -100, 0, 0)),
    ],
)
def test_recorded_hands_import_with_the_right_chips_and_export_again(number, net):
    text = (SAMPLES / f"hand{number}.txt").read_text()
    hand = one(text)
    assert hand.payoffs == net
    assert hand.recorded is None  # the rules alone give the result
    again = one(pokerstars_text(hand))
    assert (again, again.tags) == (hand, hand.tags)
    assert parse_phh(phh_text(hand)).hands == (hand,)
    if number in (1, 3, 4):  # the others name hands in other words, places in a tournament, or nothing shown
        assert pokerstars_text(hand) == text


@recorded_hands
def test_a_recorded_file_of_many_hands():
    texts = [(SAMPLES / f"hand{number}.txt").read_text() for number in range(1, 6)]
    text = "\ufeff" + "\n\n\n".join(texts).replace("\n", "\r\n")
    imported = parse_pokerstars(text)
    assert imported.problems == ()
    assert imported.hands == tuple(one(text) for text in texts)
    assert imported.hands[4].names[2] == ".prestige.U$"


def test_a_cash_hand_with_rake_dead_blind_and_side_pot():
    hand = one(CASH)
    assert hand.names == (
        "Ann:ie",
        "bob d",
        "C$.c",
        "eve",
        "x",
    )  # left of the button first, without the player sitting out
    assert hand.rules.blinds == (Fraction(1, 4), Fraction(1, 2), 0, Fraction(1, 2), 0)
    assert hand.rules.antes == (0, 0, 0, Fraction(1, 4), 0)
    assert hand.rules.streets[0].first == 2
    assert [float(net) for net in hand.payoffs] == [-0.25, 4.55, 14.60, -20.40, 0]
    assert sum(hand.payoffs) == -Fraction("1.50")
    assert hole_cards(hand, 3) == cards("AdQh")  # mucked, and shown in the summary alone
    assert hole_cards(hand, 0) == (None, None)
    assert hand.number == 4001
    assert hand.tags["table"] == "Vesta: II"
    assert hand.tags["currency"] == "USD"
    assert (hand.tags["year"], hand.tags["time"], hand.tags["_hero"]) == ("2021", "17:08:09", "x")


@pytest.mark.parametrize("text", [CASH, SHORT_BLIND, LIMIT])
def test_invented_hands_come_back_the_same(text):
    hand = one(text)
    written = pokerstars_text(hand)
    again = one(written)
    assert (again, again.payoffs, again.tags) == (hand, hand.payoffs, hand.tags)
    assert pokerstars_text(again) == written
    by_phh = parse_phh(phh_text(hand)).hands[0]
    assert (by_phh, pokerstars_text(by_phh)) == (hand, written)


def test_a_short_big_blind_is_called_in_full():
    hand = one(SHORT_BLIND)
    assert hand.rules.blinds == (50, 100, 0)
    assert hand.actions == (CALL, FOLD)
    assert hand.payoffs == (-50, 110, -60)


def test_limit_games_are_named_by_their_bets():
    hand = one(LIMIT)
    assert hand.rules.blinds == (2, 1)  # heads-up the button posts the small blind
    assert [street.raise_size for street in hand.rules.streets] == [2, 2, 4, 4]
    assert hand.actions == (RaiseTo(4), CALL, CALL, RaiseTo(2), RaiseTo(4), CALL, RaiseTo(4), FOLD)
    assert hand.payoffs == (Fraction("7.20"), -8)
    assert hole_cards(hand, 0) == cards("KsKd")
    assert hand.tags["currency_symbol"] == "€"


def test_an_unneeded_check_is_neither_written_nor_required():
    """The small blind is all-in for less than the big blind, which has no opponent to bet against."""
    rules = room_rules(
        limits="no-limit",
        omaha=False,
        blinds=(100, 50),
        antes=(0, 0),
        stacks=(500, 70),
        opener=1,
        min_bet=100,
        **SETTINGS,
    )
    hand = HandHistory(rules, cards("AcAdKhKs7c8h9cTcJd"), (CALL, CALL), ("ann", "bo"))
    text = pokerstars_text(hand)
    assert "bo: calls 20 and is all-in\nUncalled bet (30) returned to ann\n*** FLOP ***" in text
    assert one(text) == hand


def test_one_bad_hand_leaves_the_others():
    text = "\n\n".join([CASH, SHORT_BLIND.replace("cy: calls 100", "cy: calls 60"), LIMIT])
    imported = parse_pokerstars(text, "many.txt")
    assert [hand.number for hand in imported.hands] == [4001, 5]
    line = text.split("\n").index("cy: calls 60") + 1
    assert [str(problem) for problem in imported.problems] == [
        f'many.txt:{line}: expected cy to call 100, fold or raise, not "calls 60"'
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (" (50/100)", "", "1: this game is not supported; expected Hold'em or Omaha"),
        ("Hold'em No Limit", "Omaha Hi/Lo Pot Limit", "1: this game is not supported; expected Hold'em or Omaha"),
        ("Hold'em No Limit", "5 Card Omaha Pot Limit", "1: this game is not supported; expected Hold'em or Omaha"),
        ("Hold'em No Limit", "6+ Hold'em No Limit", "1: this game is not supported; expected Hold'em or Omaha"),
        ("50/100)", "50/100 - 1500 Cap)", "1: this game is not supported; expected stakes without a cap"),
        ("is the button", "has the button", "2: expected the table and the button, not"),
        ("Seat 8: bo", "Seat 5: bo", "5: expected every seat and every name once"),
        ("posts big blind 60", "posts big", '7: expected a blind or an ante, not "bo: posts big'),
        ("posts big blind", "posts large blind", "7: expected a small blind, big blind, ante or straddle"),
        ("*** HOLE CARDS ***\n", "", "23: expected *** HOLE CARDS ***"),
        ("cy: calls 100", "cy: checks", '9: expected cy to call 100, fold or raise, not "checks"'),
        (
            "cy: calls 100",
            "cy: raises 10 to 110",
            "9: cy cannot raise to 110 on the pre-flop; legal: fold, call, raise",
        ),
        ("cy: calls 100", "cy: bets", '9: expected "bets" with an amount, not "bets"'),
        ("cy: calls 100", "cy: dances", '9: expected an action of cy, not "dances"'),
        ("cy: calls 100\n", "", '9: expected an action of cy, not "ann: folds"'),
        ("ann: folds\n", "", "11: expected an action of ann before the FLOP"),
        ("[2s 6d 6h]\n*** TURN", "[2s 6d]\n*** TURN", "12: expected the 3 cards of the board by the flop"),
        ("[2s 6d 6h]\n*** TURN", "[2s 6d 6x]\n*** TURN", "12: not a card"),
        ("*** FLOP ***", "*** FIRST FLOP ***", "12: expected FLOP, TURN, RIVER, SHOW DOWN or SUMMARY, not FIRST FLOP"),
        ("shows [Qh Qd]", "shows [Qh 6d]", "24: expected the cards bo was dealt"),
        ("[Ac Tc] (", "[Qd Tc] (", "22: expected the cards cy was dealt"),
        (SHORT_BLIND[SHORT_BLIND.index("bo collected") :], "", "17: expected *** SUMMARY ***; the hand is cut short"),
    ],
)
def test_errors_name_their_line(old, new, problem):
    assert old in SHORT_BLIND
    imported = parse_pokerstars(SHORT_BLIND.replace(old, new, 1), "x.txt")
    assert imported.hands == ()
    assert str(imported.problems[0]).startswith(f"x.txt:{problem}")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("bo collected 170", "bo collected 171", "expected a total pot of 171, collected and raked, not 170"),
        ("Uncalled bet (40)", "Uncalled bet (30)", "expected an uncalled bet of 40 to be returned to cy"),
    ],
)
def test_chips_that_do_not_add_up_are_reported_and_kept(old, new, problem):
    imported = parse_pokerstars(SHORT_BLIND.replace(old, new, 1))
    assert len(imported.hands) == 1
    assert problem in [problem.expected for problem in imported.problems]


def test_a_result_that_contradicts_the_cards_gives_way_to_them():
    imported = parse_pokerstars(SHORT_BLIND.replace("bo collected 170", "cy collected 170", 1))
    assert imported.repairs_by_rule == {BY_RULES: 1}
    assert imported.hands[0].payoffs == parse_pokerstars(SHORT_BLIND).hands[0].payoffs


@pytest.mark.parametrize("text", ["", "\n\n", "hello", "PokerStars Hand #1: ", "PokerStars Hand #1:\n" * 3, "\x00\x85"])
def test_no_text_breaks_the_reader(text):
    imported = parse_pokerstars(text)
    assert imported.hands == ()
    assert imported.problems


def test_unsupported_hands_are_refused():
    leduc = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"))
    with pytest.raises(PokerlabError, match="PokerStars text is for hold'em and Omaha, not for leduc"):
        pokerstars_text(leduc)
    twins = replace(one(LIMIT), names=("a", "a"))
    with pytest.raises(PokerlabError, match="different names for the players, not a, a"):
        pokerstars_text(twins)


def test_hands_of_our_own_games_can_be_written(play):
    """Limit games have unlimited stacks, written as a thousand big blinds; the chips stay right."""
    rng = random.Random(3)
    for name in ("limit2p", "limit6p", "nolimit3p", "potlimit4p"):
        for number in range(10):
            hand = play(game(name), rng, number=number)
            again = one(pokerstars_text(hand))
            assert again.actions == hand.actions
            assert again.payoffs == hand.payoffs


NAMES = [
    *("a", "a: folds", "Seat 1", "Ünï cödé", "J$.x", "b (5 in chips)", "x collected 5 from pot", "*** FLOP ***"),
    *("Dealt to a [", "p: q", "€uro ", "[AhKh]", "  lead"),
]


@st.composite
def tables(draw):
    """PokerStars' rules, names that look like other lines, and tags, in chips and in cents."""
    n = draw(st.integers(2, 9))
    cents = draw(st.booleans())
    unit = Fraction(1, 100) if cents else 1
    limits = draw(st.sampled_from(["limit", "no-limit", "pot-limit"]))
    blinds = [10, 5] if n == 2 else [5, 10] + [0] * (n - 2)
    antes = [draw(st.sampled_from([0, 0, 2]))] * n
    stacks = draw(st.lists(st.integers(1, 500), min_size=n, max_size=n))
    opener = 1 if n == 2 else 2 % n
    stacks[-1] += 2  # at least one player must pay the full ante, or it cannot be inferred
    late = draw(st.sampled_from(["nobody", "big", "both", "straddle"])) if n > 3 else "nobody"
    if late in ("big", "both"):
        blinds[-1] = 10
        antes[-1] += 5 if late == "both" else 0
        stacks[-1] += 20
        stacks[0], stacks[1] = stacks[0] + 2, stacks[1] + 2  # otherwise the late post looks like the big blind
    if late == "straddle":
        blinds[2], opener = 20, 3
        stacks[2] += 25
    rules = room_rules(
        limits=limits,
        omaha=draw(st.booleans()),
        blinds=[chips * unit for chips in blinds],
        antes=[chips * unit for chips in antes],
        stacks=[chips * unit for chips in stacks],
        opener=opener,
        bets=(10 * unit, 20 * unit) if limits == "limit" else (0, 0),
        min_bet=None if limits == "limit" else 10 * unit,
        chip=unit,
        whole_chips=not cents,
        **SETTINGS,
    )
    names = draw(st.permutations(NAMES))[:n]
    tags = (
        {"currency": "USD", "currency_symbol": "$"} if cents else {"event": "Tournament #1, Freeroll ", "_level": "I"}
    )
    tags |= draw(st.sampled_from([{}, {"_hero": names[0]}, {"_hero": ""}, {"_button": "3"}]))
    return rules, tuple(names), tags


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(table=tables(), seed=st.integers(0, 2**32), known=st.sampled_from([0.0, 0.5, 1.0]))
def test_random_hands_come_back_the_same(play, table, seed, known):
    rules, names, tags = table
    hand = replace(play(rules, random.Random(seed), known=known, names=names, number=seed), tags=tags)
    again = one(pokerstars_text(hand))
    assert again == hand
    assert again.payoffs == hand.payoffs


@pytest.mark.slow
def test_damaged_texts_never_break_the_reader():
    """Every damage gives hands, problems or both, and no exception."""
    rng = random.Random(7)
    text = "\n\n".join([CASH, SHORT_BLIND, LIMIT])
    for _ in range(400):
        at = rng.randrange(len(text))
        other = "".join(rng.choice("0123456789acdfhksAK$.:[]()* \n") for _ in range(rng.randint(0, 3)))
        imported = parse_pokerstars(text[:at] + other + text[at + rng.randint(0, 4) :])
        assert len(imported.hands) >= 1
        assert len(imported.hands) == 3 or imported.problems
