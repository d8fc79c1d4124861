"""A finished hand replays exactly and can be censored."""

import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import IllegalAction
from pokerlab.games.actions import CALL, FOLD, RaiseTo, Step
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State

HOLES, BOARD = "AsKsQdQc5h5c", "2c7d9h3s4d"


def three_handed(*actions: object) -> HandHistory:
    return HandHistory(game("nolimit3p"), cards(HOLES + BOARD), tuple(actions), ("ann", "bob", "cat"), 4)  # type: ignore[arg-type]


def test_steps_payoffs_and_who_showed() -> None:
    hand = three_handed(FOLD, RaiseTo(300), CALL, CALL, RaiseTo(200), CALL, *[CALL] * 4)
    assert hand.steps[:3] == (Step(0, 2, FOLD), Step(0, 0, RaiseTo(300)), Step(0, 1, CALL))
    assert hand.steps[3] == Step(1, 0, CALL)
    assert hand.payoffs == (-500, 500, 0)
    assert hand.shown == (0, 1)


def test_no_seat_shows_when_the_pot_is_won_by_folds() -> None:
    hand = three_handed(RaiseTo(300), FOLD, FOLD)
    assert (hand.payoffs, hand.shown) == ((-50, -100, 150), ())


def test_a_seat_sees_its_own_cards_the_board_dealt_and_what_was_shown() -> None:
    folded = three_handed(FOLD, RaiseTo(300), CALL, RaiseTo(300), FOLD)  # ends on the flop
    unknown = (None, None)
    flop = cards("2c7d9h")
    assert folded.seen_by(1).deck == (*unknown, *cards("QdQc"), *unknown, *flop, None, None)
    assert folded.seen_by().deck == (*unknown, *unknown, *unknown, *flop, None, None)
    assert folded.seen_by(0, 2).deck == (*cards("AsKs"), *unknown, *cards("5h5c"), *flop, None, None)
    shown = three_handed(FOLD, CALL, *[CALL] * 7)
    assert shown.seen_by(2).deck == cards(HOLES + BOARD), "its own folded hand and the two shown"
    assert shown.seen_by(0).deck == (*cards("AsKsQdQc"), *unknown, *cards(BOARD))


def test_a_censored_hand_keeps_its_payoffs_and_replays_its_betting() -> None:
    hand = three_handed(RaiseTo(300), FOLD, CALL, CALL, RaiseTo(500), FOLD)
    seen = hand.seen_by(0)
    assert seen.payoffs == hand.payoffs == (-50, -300, 350)
    assert [state.betting for state in seen.states()] == [state.betting for state in hand.states()]
    assert seen.final.deck == seen.deck, "nothing of the full deck is left behind"


def test_histories_of_played_hands_equal_those_written_down() -> None:
    state = State.start(game("nolimit3p"), cards(HOLES + BOARD))
    for action in (RaiseTo(300), FOLD, FOLD):
        state = state.after(action)
    hand = HandHistory.of(state, ("ann", "bob", "cat"), 4)
    assert hand == three_handed(RaiseTo(300), FOLD, FOLD)
    assert hand.final is state


def test_too_many_or_illegal_actions_do_not_replay() -> None:
    with pytest.raises(IllegalAction, match="no seat is to act on the pre-flop"):
        _ = three_handed(FOLD, FOLD, CALL).final
    with pytest.raises(
        IllegalAction, match="seat 2 cannot raise to 150 on the pre-flop; legal: fold, call, raise to 200-20000"
    ):
        _ = three_handed(RaiseTo(150)).final
    with pytest.raises(IllegalAction, match="the hand is not over: seat 0 is to act"):
        _ = three_handed(CALL).payoffs


def test_recorded_payoffs_override_the_rules() -> None:
    raked = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"), recorded=(0, -1), tags={"site": "x"})
    assert raked.payoffs == (0, -1)
    assert raked.final.payoffs() == (1, -1)
