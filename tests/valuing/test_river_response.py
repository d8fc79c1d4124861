"""Best responses on a river to any policy: beside the readable evaluation by pairs of hands, and which rivers count."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.agents.scripted import Scripted, raiser, uniform
from pokerlab.cards.card import cards
from pokerlab.cards.ranges import parse_range
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.valuing.river_response import River, is_limit_river, range_before

RULES = game("limit2p")
DECK = cards("AsAh 7c2d 9h8s4c 5s Kd")


def at_river(rules=RULES):
    state = State.start(rules, DECK)
    for action in (RaiseTo(20), CALL, CALL, RaiseTo(10), CALL, CALL, CALL):
        state = state.after(action)
    return state.public(0, ("a", "b"))


def test_a_best_response_to_uniform_play_is_that_of_the_readable_evaluation():
    river = River(at_river(), (parse_range("AA, KQ:0.5, 76s"), parse_range("99+, KJ, 53s:0.3, AQ")))
    exact = evaluate(river.problem, river.problem.uniform())
    for hero in (0, 1):
        found = river.best_value(hero, river.played_by(Scripted(uniform), 1 - hero))
        assert found == pytest.approx(exact.best_response[hero], abs=1e-3)
    assert exact.best_response[0] > 20


def test_the_betting_is_that_of_the_table():
    river = River(at_river(), (np.ones(1326), np.ones(1326)))
    tree = river.problem.tree
    assert river.seats == (0, 1) and tree.n_decisions == 10
    assert tree.actions(0) == (CALL, RaiseTo(20))
    played = river.played_by(Scripted(raiser), 0)
    raises = [tree.row[e] for d in np.flatnonzero(tree.actor == 0).tolist() for e in tree.edges(d) if tree.to[e] > 0]
    assert played[raises].min() == 1
    assert played.sum() == (tree.actor == 0).sum() * 1081  # it calls where raises are used up


def test_ranges_are_the_probability_of_a_players_own_actions():
    start = at_river()
    assert range_before(Scripted(raiser), start, 0) is None  # it called before the flop
    weights = range_before(Scripted(uniform), start, 1)
    assert weights is not None and weights.max() == 1 and (weights > 0).sum() == 1081


def test_rivers_with_short_stacks_and_earlier_streets_are_not_taken():
    rules = game("limit2p")
    assert is_limit_river(at_river())
    assert is_limit_river(at_river(replace(rules, stacks=(111, 500))))
    assert not is_limit_river(at_river(replace(rules, stacks=(110, 500))))  # the fourth bet is all-in
    turn = State.start(rules, DECK).after(CALL).after(CALL).after(CALL).after(CALL)
    assert not is_limit_river(turn.public(0, ("a", "b")))
