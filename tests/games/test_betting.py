"""Hands worked out by hand: the seat to act, legal actions, smallest and largest raises."""

import pickle
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

from pokerlab.errors import IllegalAction
from pokerlab.games.actions import CALL, FOLD, Action, Kind, Legal, RaiseTo, plain
from pokerlab.games.betting import NOBODY, OPENER_DUE, Betting
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules


def after(rules: Rules, actions: Iterable[Action]) -> Betting:
    betting = Betting.start(rules)
    for action in actions:
        betting = betting.after(action)
    return betting


def raises(betting: Betting) -> tuple[object, object]:
    return betting.legal().raise_min, betting.legal().raise_max


# The seat to act


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop_only() -> None:
    betting = Betting.start(game("nolimit2p"))
    assert (betting.bets, betting.actor) == ((100, 50), 1)
    assert betting.after(CALL).actor == 0, "the big blind has the option"
    flop = after(game("nolimit2p"), [CALL, CALL])
    assert (flop.street, flop.actor, flop.bets, flop.pot) == (1, 0, (0, 0), 200)


def test_at_a_full_table_the_seat_left_of_the_big_blind_opens_and_the_blinds_act_last() -> None:
    rules = game("limit6p")
    betting, actors = Betting.start(rules), []
    while betting.street == 0:
        actors.append(betting.actor)
        betting = betting.after(CALL)
    assert actors == [2, 3, 4, 5, 0, 1]
    assert betting.actor == 0
    assert after(rules, [CALL] * 4 + [FOLD] + [CALL]).actor == 1, "the next seat opens where the first has folded"


def test_the_big_blind_may_raise_when_everyone_has_called() -> None:
    betting = after(game("limit3p"), [CALL, CALL])
    assert betting.legal() == Legal(False, 0, 20, 20)
    assert betting.after(RaiseTo(20)).actor == 2


def test_a_hand_ends_when_all_but_one_have_folded() -> None:
    betting = after(game("nolimit3p"), [FOLD, FOLD])
    assert betting.over
    assert not betting.showdown
    assert (betting.street, betting.spent, betting.folded) == (0, (50, 100, 0), 0b101)


def test_after_a_raise_everyone_else_acts_again() -> None:
    betting = after(game("nolimit3p"), [CALL, CALL, RaiseTo(400), CALL])
    assert betting.actor == 0
    assert betting.after(CALL).street == 1


def test_when_everyone_but_one_is_all_in_the_board_runs_out() -> None:
    betting = after(game("nolimit2p"), [RaiseTo(19686), RaiseTo(20000), CALL])
    assert (betting.street, betting.actor, betting.spent) == (3, NOBODY, (20000, 20000))
    assert betting.showdown


def test_a_seat_all_in_from_its_blind_never_acts_nor_does_a_single_opponent() -> None:
    rules = game("nolimit2p").with_stacks((30, 20000))
    betting = Betting.start(rules)
    assert betting.over
    assert betting.showdown
    assert betting.spent == (30, 50)
    rules = game("nolimit3p").with_stacks((50, 20000, 20000))
    assert after(rules, [CALL]).actor == 1, "the small blind is all-in"


# Limit games


def test_four_bets_a_street_three_of_them_raises_before_the_flop() -> None:
    betting = after(game("limit2p"), [RaiseTo(20), RaiseTo(30), RaiseTo(40)])
    assert betting.legal() == Legal(True, 10)
    flop = betting.after(CALL)
    for to in (10, 20, 30, 40):
        assert raises(flop) == (to, to)
        flop = flop.after(RaiseTo(to))
    assert raises(flop) == (None, None)
    turn = flop.after(CALL)
    assert raises(turn) == (20, 20)


def test_no_cap_once_two_are_left() -> None:
    rules = replace(game("limit3p"), uncapped_heads_up=True)
    three = after(rules, [RaiseTo(20), RaiseTo(30), RaiseTo(40)])
    assert raises(three) == (None, None)
    two = three.after(FOLD)
    assert raises(two) == (50, 50)
    assert two.after(RaiseTo(50)).legal() == Legal(True, 10, 60, 60)


def test_a_street_capped_at_nothing_stays_so() -> None:
    rules = game("limit2p")
    closed = replace(
        rules, streets=(replace(rules.streets[0], max_raises=0), *rules.streets[1:]), uncapped_heads_up=True
    )
    assert Betting.start(closed).legal() == Legal(True, 5)


def test_a_limit_raise_after_a_short_all_in_is_a_full_bet_more() -> None:
    rules = replace(game("limit3p"), stacks=(14, 100, 100))
    betting = after(rules, [CALL, RaiseTo(14)])
    assert betting.legal() == Legal(True, 4, 24, 24)
    room = replace(rules, short_all_in_reopens=False)
    assert after(room, [CALL, RaiseTo(14)]).legal() == Legal(True, 4, 24, 24), "seat 1 has not acted"
    assert after(room, [CALL, RaiseTo(14), CALL]).legal() == Legal(True, 4), "seat 2 has, and owes less than a bet"
    turn = after(room.with_stacks((22, 100, 100)), [CALL] * 6)
    assert turn.after(CALL).after(CALL).after(CALL).actor == 0
    assert after(room.with_stacks((100, 22, 100)), [CALL] * 7 + [RaiseTo(12), CALL]).legal() == Legal(True, 12), (
        "twelve is short of the twenty that are bet on the turn"
    )


# No-limit: smallest and largest raises


def test_the_smallest_raise_adds_what_the_last_one_added() -> None:
    betting = Betting.start(game("nolimit2p"))
    assert raises(betting) == (200, 20000)
    betting = betting.after(RaiseTo(300))
    assert raises(betting) == (500, 20000)
    betting = betting.after(RaiseTo(1000))
    assert raises(betting) == (1700, 20000)
    flop = betting.after(CALL)
    assert raises(flop) == (100, 19000)
    assert raises(flop.after(CALL)) == (100, 19000)
    assert raises(flop.after(RaiseTo(100))) == (200, 19000)


def test_a_stack_below_the_smallest_raise_may_still_move_in() -> None:
    betting = after(game("nolimit2p"), [RaiseTo(19686)])
    assert betting.legal() == Legal(True, 19586, 20000, 20000)
    assert betting.after(RaiseTo(20000)).legal() == Legal(True, 314), "nobody is left to answer a raise"


def test_a_stack_that_cannot_call_in_full_may_call_for_less_or_fold() -> None:
    rules = game("nolimit3p").with_stacks((20000, 700, 20000))
    betting = after(rules, [RaiseTo(5000), FOLD])
    assert betting.legal() == Legal(True, 600)
    assert betting.after(CALL).spent == (50, 700, 5000)


SHORT = game("nolimit3p").with_stacks((1000, 20000, 20000))  # seat 2 raises to 700, seat 0 is all-in for 1000


def test_short_all_ins_reopen_the_betting_as_the_reference_dealer_does() -> None:
    betting = after(SHORT, [RaiseTo(700), RaiseTo(1000)])
    assert raises(betting) == (1300, 20000)
    betting = betting.after(CALL)
    assert (betting.actor, betting.legal()) == (2, Legal(True, 300, 1300, 20000))


def test_short_all_ins_do_not_reopen_it_for_those_who_acted_in_a_card_room() -> None:
    room = replace(SHORT, short_all_in_reopens=False)
    betting = after(room, [RaiseTo(700), RaiseTo(1000)])
    assert raises(betting) == (1600, 20000), "seat 1 has not acted; a raise adds 600, the last full raise"
    assert betting.after(CALL).legal() == Legal(True, 300), "seat 2 raised already and owes less than 600"
    assert raises(betting.after(RaiseTo(1600))) == (2200, 20000), "a full raise reopens"


def test_short_all_ins_that_add_up_to_a_full_raise_reopen() -> None:
    rules = replace(game("nolimit4p"), stacks=(1000, 1400, 20000, 20000), short_all_in_reopens=False)
    short = [RaiseTo(700), CALL, RaiseTo(1000), RaiseTo(1400)]  # seats 2, 3, 0, 1
    assert after(rules, short).legal() == Legal(True, 700, 2000, 20000), "700 owed, 600 were the last full raise"
    assert after(rules.with_stacks((1000, 1200, 20000, 20000)), [*short[:3], RaiseTo(1200)]).legal() == Legal(True, 500)


def test_a_short_first_bet_is_not_a_full_bet_unless_the_rules_say_so() -> None:
    rules = replace(game("nolimit3p"), stacks=(20000, 160, 20000), short_all_in_reopens=False)
    to_flop = [CALL, CALL, CALL, CALL, RaiseTo(60), CALL]  # seat 0 checks the flop, seat 1 bets its last 60
    assert after(rules, to_flop).legal() == Legal(True, 60)
    pokerkit = replace(rules, first_raise_is_full=True)
    assert after(pokerkit, to_flop).legal() == Legal(True, 60, 160, 19900)


def test_a_raise_no_opponent_could_call_is_legal_only_by_the_reference_rules() -> None:
    rules = game("nolimit3p").with_stacks((80, 100, 20000))  # both blinds nearly all-in
    assert Betting.start(rules).legal() == Legal(True, 100, 200, 20000)
    assert Betting.start(replace(rules, uncallable_raises=False)).legal() == Legal(True, 100)


def test_a_short_big_blind_is_matched_as_posted_or_in_full() -> None:
    rules = game("nolimit3p").with_stacks((20000, 30, 20000))
    assert Betting.start(rules).legal() == Legal(True, 50, 150, 20000)
    full = replace(rules, call_full_blind=True)
    assert Betting.start(full).legal() == Legal(True, 100, 200, 20000)
    assert after(full, [CALL]).legal() == Legal(True, 50, 200, 20000)
    assert after(full, [FOLD]).legal() == Legal(False, 0), "nobody is owed the part that was not posted"
    assert Betting.start(full.with_stacks((20, 30, 20000))).legal() == Legal(True, 30), "nor at the start"


def test_antes_are_paid_first_and_are_not_bets() -> None:
    rules = replace(game("nolimit3p"), antes=(25, 25, 25), stacks=(20000, 60, 20))
    betting = Betting.start(rules)
    assert (betting.spent, betting.bets, betting.all_in) == ((75, 60, 20), (50, 35, 0), 0b110)
    assert betting.over, "seat 0 has nobody to play against"
    betting = Betting.start(replace(rules, stacks=(20000,) * 3))
    assert betting.legal() == Legal(True, 100, 200, 19975)


# Pot limit


def test_pot_limit_maxima() -> None:
    assert raises(Betting.start(game("potlimit2p"))) == (200, 300)
    betting = Betting.start(game("potlimit3p"))
    assert raises(betting) == (200, 350)
    betting = betting.after(RaiseTo(350))
    assert raises(betting) == (600, 350 + 500 + 300)
    betting = betting.after(RaiseTo(1150))
    assert raises(betting) == (1950, 1150 + 1600 + 1050)
    flop = after(game("potlimit2p"), [CALL, CALL])
    assert raises(flop) == (100, 200)
    assert raises(flop.after(RaiseTo(200))) == (400, 800)
    short = game("potlimit3p").with_stacks((20000, 20000, 260))
    assert raises(Betting.start(short)) == (200, 260)


# Small and odd games


def test_half_street_kuhn_player_two_never_bets() -> None:
    rules = game("kuhn-half-street")
    start = Betting.start(rules)
    assert start.legal() == Legal(False, 0, 0, inf, whole=False)
    assert start.after(CALL).over
    bet = start.after(RaiseTo(0.37))
    assert bet.legal() == Legal(True, 0.37)
    assert bet.after(CALL).spent == (1.37, 1.37)
    assert bet.after(FOLD).over


def test_a_street_on_which_only_responders_have_chips_is_skipped() -> None:
    rules = replace(game("kuhn3p"), stacks=(1, 9, 9), responders=(1, 2))
    assert Betting.start(rules).over
    leduc = replace(game("leduc"), n_seats=3, blinds=(0,) * 3, antes=(1, 1, 1), stacks=(1, 9, 9), responders=(1, 2))
    assert (Betting.start(leduc).street, Betting.start(leduc).actor) == (1, NOBODY)


def test_stud_waits_for_the_opener_to_be_named() -> None:
    betting = Betting.start(game("stud4p"))
    assert betting.actor == OPENER_DUE
    with pytest.raises(IllegalAction, match="no seat is to act on the street 1"):
        betting.legal()
    opened = betting.opened_by(2)
    assert (opened.actor, opened.to_call) == (2, 0)
    with pytest.raises(IllegalAction, match="seat 1 cannot open: seat 2 is already to act"):
        opened.opened_by(1)
    folded = opened.after(RaiseTo(10)).after(FOLD).after(CALL).after(CALL)
    assert folded.actor == OPENER_DUE
    assert folded.opened_by(3).actor == 0, "the next seat that is still in"


def test_real_bets_are_above_zero_and_finite() -> None:
    betting = Betting.start(game("kuhn-nolimit"))
    assert betting.legal().menu() == (CALL,)
    assert betting.after(RaiseTo(Fraction(1, 3))).max_bet == Fraction(1, 3)
    for to in (0, inf, nan, -1):
        with pytest.raises(IllegalAction, match="seat 0 cannot raise to"):
            betting.after(RaiseTo(to))


# Errors


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (RaiseTo(150), "seat 0 cannot raise to 150 on the flop; legal: fold, call, raise to 200-19900"),
        (RaiseTo(19901), "seat 0 cannot raise to 19901 on the flop; legal: fold, call, raise to 200-19900"),
        (
            RaiseTo(250.5),
            "seat 0 cannot raise to 250.5 on the flop; legal: fold, call, raise to 200-19900; bets are whole chips",
        ),
        (None, "seat 0 returned None, not an Action; legal: fold, call, raise to 200-19900"),
        (Action(7), "seat 0 cannot action(7) on the flop; legal: fold, call, raise to 200-19900"),  # type: ignore[arg-type]
    ],
)
def test_an_illegal_action_is_refused_in_one_line_that_says_what_was_legal(action: Action, line: str) -> None:
    betting = after(game("nolimit2p"), [CALL, CALL, CALL, RaiseTo(100)])
    with pytest.raises(IllegalAction) as refused:
        betting.after(action)
    assert str(refused.value) == line


def test_fold_is_refused_with_nothing_to_call_unless_the_rules_allow_it() -> None:
    betting = after(game("nolimit2p"), [CALL])
    with pytest.raises(IllegalAction, match="seat 0 cannot fold on the pre-flop; legal: check, raise to 200-20000"):
        betting.after(FOLD)
    away = after(replace(game("nolimit2p"), fold_any_time=True), [CALL, FOLD])
    assert away.over
    assert away.folded == 0b01


def test_actions_of_other_number_types_are_accepted_as_equal() -> None:
    betting = Betting.start(game("nolimit2p"))
    assert Action(2, 300) in betting.legal()  # type: ignore[arg-type]
    assert Action(2, 10**6) not in betting.legal()  # type: ignore[arg-type]
    assert betting.after(Action(2, 300)) == betting.after(RaiseTo(300))  # type: ignore[arg-type]
    assert [type(plain(RaiseTo(to)).to) for to in (300.0, np.int64(300), Fraction(300), np.float32(0.5))] == [
        int,
        int,
        int,
        float,
    ]
    assert plain(Action(0)).kind is Kind.FOLD  # type: ignore[arg-type]


def test_a_betting_state_never_changes() -> None:
    betting = Betting.start(game("nolimit3p"))
    before = (betting.spent, betting.actor, betting.legal())
    betting.after(RaiseTo(500)).after(CALL)
    assert (betting.spent, betting.actor, betting.legal()) == before
    with pytest.raises(AttributeError):
        betting.actor = 1  # type: ignore[misc]


def test_cached_states_of_different_actions_are_kept_apart() -> None:
    betting = after(game("nolimit2p"), [RaiseTo(300)])
    assert betting.after(FOLD) is betting.after(FOLD), "states remember what follows them"
    betting.after(CALL)
    for to in (-1, -2, 0, 1):
        with pytest.raises(IllegalAction, match=f"seat 0 cannot raise to {to} "):
            betting.after(RaiseTo(to))


def test_a_copied_state_continues_without_the_cache_of_the_original() -> None:
    betting = after(game("nolimit2p"), [RaiseTo(300)])
    betting.after(CALL)
    copy = pickle.loads(pickle.dumps(betting))
    assert copy == betting
    assert copy.after(CALL) == betting.after(CALL)
    assert len(pickle.dumps(betting)) < 2000
