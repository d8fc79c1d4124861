"""PHH: two recorded hands, invented hands, every kind of error in a file, and round trips."""

import json
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
from pokerlab.notation.room import BY_RULES, CHECKS, DEAD_POSTS, UNCALLED, UNKNOWN, hole_cards, room_rules

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
def test_showing_reveals_cards_and_mucking_gives_up_the_pot(shown, net):
    hand = one(SHOWDOWN.replace("SHOWN", shown))
    assert hand.payoffs == net
    assert (hand.recorded is None) == ('sm",' not in shown)
    again = one(phh_text(hand))
    assert (again, again.payoffs) == (hand, net)


def test_the_winner_must_be_known():
    unknown = SHOWDOWN.replace("SHOWN", '"p1 sm ????", "p2 sm ????", "p3 sm"')
    imported = parse_phh(unknown)
    (hand,) = imported.hands
    assert imported.repairs_by_rule == {UNKNOWN: 1}
    assert not hand.result_known
    assert parse_phh(phh_text(hand)).hands == (hand,)
    stated = one(unknown + "finishing_stacks = [104, 98, 98]\n")
    assert stated.payoffs == (4, -2, -2)
    assert one(phh_text(stated)) == stated


@pytest.mark.parametrize(
    ("stacks", "repairs", "net"),
    [
        ("[103, 98, 98]", {}, (3, -2, -2)),  # a chip of rake
        ("[105, 98, 98]", {BY_RULES: 1}, (4, -2, -2)),  # a chip out of nothing
        ("[98, 104, 98]", {BY_RULES: 1}, (4, -2, -2)),  # kings do not beat aces
        ("[100, 98, 98]", {BY_RULES: 1}, (4, -2, -2)),  # four of six chips are too much rake
    ],
)
def test_a_stated_result_that_contradicts_the_cards_gives_way_to_them(stacks, repairs, net):
    shown = '"p1 sm AcAd", "p2 sm KcKd", "p3 sm QcQd"'
    imported = parse_phh(SHOWDOWN.replace("SHOWN", shown) + f"finishing_stacks = {stacks}\n")
    (hand,) = imported.hands
    assert imported.repairs_by_rule == repairs
    assert hand.payoffs == net
    assert hand.tags.get("_repaired", "") == "".join(repairs)
    assert parse_phh(phh_text(hand)).repairs == ()


FOLDED = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, POST]
min_bet = 2
starting_stacks = [STACKS]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", ACTIONS]
"""


def folded(actions, *, stacks="100, 100, 100", post="0", end=""):
    return FOLDED.replace("ACTIONS", actions).replace("STACKS", stacks).replace("POST", post) + end


def test_winnings_that_include_the_uncalled_bet_are_read_without_it():
    """PartyPoker and Absolute in public collections: an uncalled raise to 10 is counted as won."""
    imported = parse_phh(folded('"p3 cbr 10", "p1 f", "p2 f"', end="winnings = [0, 0, 13]\n"))
    assert imported.repairs_by_rule == {UNCALLED: 1}
    assert imported.hands[0].payoffs == (-1, -2, 3)
    plain = parse_phh(folded('"p3 cbr 10", "p1 f", "p2 f"', end="winnings = [0, 0, 5]\n"))
    assert (plain.repairs, plain.hands[0].payoffs) == ((), (-1, -2, 3))


def test_winnings_that_are_all_zero_do_not_make_everyone_lose():
    """iPoker in public collections."""
    imported = parse_phh(folded('"p3 cbr 10", "p1 f", "p2 f"', end="winnings = [0, 0, 0]\n"))
    assert imported.repairs_by_rule == {BY_RULES: 1}
    assert imported.hands[0].payoffs == (-1, -2, 3)


def test_a_post_below_the_big_blind_is_dead_if_the_result_says_so():
    """Ongame in public collections: the third player posts one dead chip, then calls two more."""
    text = folded('"p3 cc", "p1 f", "p2 cc", "d db 2c7d9h", "p2 cbr 4", "p3 f"', post="-1")
    imported = parse_phh(text + "finishing_stacks = [99, 104, 97]\n")
    assert imported.repairs_by_rule == {DEAD_POSTS: 1}
    assert imported.hands[0].payoffs == (-1, 4, -3)
    live = parse_phh(text + "finishing_stacks = [99, 103, 98]\n")
    assert (live.repairs, live.hands[0].payoffs) == ((), (-1, 3, -2))


def test_checks_that_a_file_leaves_out_after_an_all_in_are_added():
    """iPoker in public collections does not state stacks, and ends when the players had no chips left."""
    actions = '"p3 f", "p1 cc", "p2 cbr 40", "p1 cc", "d db 2c7d9h", "d db Th", "d db 3s"'
    stopped = actions.replace('"d db Th", "d db 3s"', '"p1 cc", "p2 cc", "d db Th", "p1 cc", "p2 cc", "d db 3s"')
    text = folded(stopped + ', "p1 sm AcAd", "p2 sm KcKd"', stacks="inf, inf, inf")
    imported = parse_phh(text)
    assert imported.repairs_by_rule == {CHECKS: 1}
    assert imported.hands[0].payoffs == (40, -40, 0)


def test_results_are_always_written_half_chips_included():
    split = '"p1 sm AcKd", "p2 sm AdKc", "p3 sm QcJd"'
    text = SHOWDOWN.replace("SHOWN", split).replace("[1, 2, 0]", "[1, 2, 0.5]")
    assert "finishing_stacks = [101, 101, 98]" in phh_text(one(text))
    thirds = replace(one(text).rules, odd_chips="split")
    hand = HandHistory(replace(thirds, blinds=(1, 3, 0), min_bet=3), one(text).deck, one(text).actions, ("a", "b", "c"))
    assert "finishing_stacks = [101.5, 101.5, 97]" in phh_text(hand)


@pytest.mark.slow
@recorded_hands
@pytest.mark.parametrize(
    ("file", "n_hands", "repairs", "n_unknown"),
    [
        ("absolute-600nl.phhs", 993, {UNCALLED: 256, UNKNOWN: 73, BY_RULES: 1}, 73),
        ("ipoker-400nl.phhs", 979, {BY_RULES: 916, UNKNOWN: 63}, 63),
        ("ongame-400nl.phhs", 999, {DEAD_POSTS: 5}, 0),
        ("party-25nl.phhs", 996, {UNCALLED: 810, BY_RULES: 4}, 0),
        ("pokerstars-600nl.phhs", 1000, {BY_RULES: 519, UNKNOWN: 80}, 80),
    ],
)
def test_no_hand_of_five_sites_makes_chips_out_of_nothing(file, n_hands, repairs, n_unknown):
    imported = parse_phh((SAMPLES / file).read_text(encoding="utf-8"))
    assert (len(imported.hands), imported.problems) == (n_hands, ())
    assert imported.repairs_by_rule == repairs
    assert sum(not hand.result_known for hand in imported.hands) == n_unknown
    known = [hand for hand in imported.hands if hand.result_known]
    assert all(0 <= -sum(hand.payoffs) <= hand.final.betting.pot / 5 for hand in known)


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
