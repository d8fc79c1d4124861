"""Results of hands in PHH: hands shown and mucked, stated winnings that are wrong, and the rules that mend them."""

from dataclasses import replace

import pytest
from moved_winnings import moved
from phh_hands import SAMPLES, one, recorded_hands

from pokerlab.games.history import HandHistory
from pokerlab.notation.phh import parse_phh
from pokerlab.notation.phh_text import phh_text
from pokerlab.notation.room import (
    BY_RULES,
    CHECKS,
    DEAD_POSTS,
    DERIVED,
    ONLY_SHOWN,
    UNCALLED,
    UNKNOWN,
)

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


@pytest.mark.parametrize(
    ("shown", "net"),
    [
        ('"p1 sm ????", "p2 sm KcKd", "p3 sm ????"', (-2, 4, -2)),
        ('"p1 sm ????", "p2 sm KcKd", "p3 sm"', (-2, 4, -2)),
        ('"p1 sm ????", "p2 sm ????", "p3 sm QcQd"', (-2, -2, 4)),
    ],
)
def test_the_only_hand_shown_won(shown, net):
    imported = parse_phh(SHOWDOWN.replace("SHOWN", shown))
    (hand,) = imported.hands
    assert (imported.repairs_by_rule, hand.payoffs) == ({ONLY_SHOWN: 1}, net)
    (again,) = parse_phh(phh_text(hand)).hands
    assert (again, again.payoffs) == (hand, net)
    assert again.tags[DERIVED] == hand.tags[DERIVED] == "betting and cards"  # its rake is still not known


def test_the_only_hand_shown_does_not_win_a_side_pot_that_it_is_not_in():
    """p3 is all-in for 20 and shows; p1 and p2 play on for 80 more each, and who of them won that is not told."""
    actions = '"p3 cbr 20", "p1 cbr 100", "p2 cc", "d db 2c7d9h", "d db Th", "d db 3s", SHOWN'
    text = folded(actions, stacks="100, 100, 20")
    alone = parse_phh(text.replace("SHOWN", '"p1 sm ????", "p2 sm ????", "p3 sm QcQd"'))
    assert (alone.problems, alone.repairs_by_rule) == ((), {UNKNOWN: 1})
    covered = parse_phh(text.replace("SHOWN", '"p1 sm QcQd", "p2 sm ????", "p3 sm ????"'))
    assert (covered.repairs_by_rule, covered.hands[0].payoffs) == ({ONLY_SHOWN: 1}, (120, -100, -20))


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
    assert imported.repairs_by_rule == {}  # zeros state nothing
    assert imported.hands[0].payoffs == (-1, -2, 3)
    assert imported.hands[0].tags[DERIVED] == "betting and cards"


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
        ("absolute-600nl.phhs", 993, {UNCALLED: 256, ONLY_SHOWN: 73, BY_RULES: 1}, 0),
        ("ipoker-400nl.phhs", 979, {ONLY_SHOWN: 63, CHECKS: 57}, 0),
        ("ongame-400nl.phhs", 999, {DEAD_POSTS: 5}, 0),
        ("party-25nl.phhs", 996, {UNCALLED: 810, BY_RULES: 4}, 0),
        ("pokerstars-600nl.phhs", 1000, {ONLY_SHOWN: 78, UNKNOWN: 2, BY_RULES: 1}, 2),
    ],
)
def test_no_hand_of_five_sites_makes_chips_out_of_nothing(file, n_hands, repairs, n_unknown):
    imported = parse_phh((SAMPLES / file).read_text(encoding="utf-8"))
    assert (len(imported.hands), imported.problems) == (n_hands, ())
    assert imported.repairs_by_rule == repairs
    assert sum(not hand.result_known for hand in imported.hands) == n_unknown
    known = [hand for hand in imported.hands if hand.result_known]
    assert all(0 <= -sum(hand.payoffs) <= hand.final.betting.pot / 5 for hand in known)


@pytest.mark.slow
@recorded_hands
def test_the_rule_is_right_where_winnings_are_stated_and_moves_winnings_where_they_are_not():
    """As docs/results/trust.md prints it."""
    stated = moved(SAMPLES / "ongame-400nl.phhs", 50)
    assert (stated["told"], stated["right"]) == (28, 28)
    absolute = moved(SAMPLES / "absolute-600nl.phhs", 50)
    assert (absolute["players"], absolute["signs"]) == (14, 1)
    assert absolute["mbb_per_hand"] == pytest.approx(425.1, abs=0.1)


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
