"""Derived views: the table after an action, as another seat sees it, and the decisions so far."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.agents.scripted import Scripted, uniform
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.games.views import View, view_at
from pokerlab.rng import shuffled_deck


@pytest.mark.parametrize("name", ["leduc", "limit3p", "nolimit2p", "stud2p"])
def test_decisions_are_the_public_views_in_turn(name: str) -> None:
    rules, rng = game(name), np.random.default_rng(4)
    names = tuple("abcdef"[: rules.n_seats])
    for hand in range(10):
        state, seen = State.start(rules, shuffled_deck(7, "views", index=hand, cards=rules.deck)), []
        while not state.over:
            seen.append(state.public(hand, names))
            action = Scripted(uniform).act(state.view(state.betting.actor, hand, names), rng)
            state = state.after(action)
        found = list(state.public(hand, names).decisions())
        assert [before for before, _ in found] == seen
        assert tuple(step for _, step in found) == state.actions


def test_an_action_is_public_and_no_card_follows_it() -> None:
    state = State.start(game("limit2p"), tuple(range(52))).after(CALL)
    after = state.view(0, 3, ("a", "b")).after(CALL)
    assert not isinstance(after, View)
    assert (after.street, after.board, len(after.actions)) == (1, (), 2)
    dealt = state.after(CALL).public(3, ("a", "b"))
    assert (after.betting, after.actions) == (dealt.betting, dealt.actions)


def test_another_seat_sees_the_same_table_with_its_own_cards() -> None:
    state = State.start(game("nolimit2p"), tuple(range(52))).after(RaiseTo(300))
    mine = state.view(0, 0, ("a", "b"))
    assert mine.seen_by(1, (2, 3)) == state.view(1, 0, ("a", "b"))
    assert mine.seen_by(1, (50, 51)).hole == (50, 51)


def test_games_that_are_holdem() -> None:
    answers = {name: game(name).is_holdem for name in ("limit2p", "nolimit6p", "leduc", "rhode-island", "stud2p")}
    assert answers == {"limit2p": True, "nolimit6p": True, "leduc": False, "rhode-island": False, "stud2p": False}


def test_a_view_made_for_an_actor_is_the_state_s_own_and_cannot_be_changed() -> None:
    state = State.start(game("limit2p"), tuple(range(9))).after(RaiseTo(20))
    view = state.view(0, 3, ("a", "b"))
    made = view_at(state.betting, view.board, view.hole, view.up, 3, ("a", "b"))
    assert made == view
    assert (type(made), hash(made), repr(made)) == (View, hash(view), repr(view))
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert replace(made, hand=4).hand == 4
    for name in ("hole", "anything"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(made, name, ())
