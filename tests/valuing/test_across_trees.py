"""Two strategies on trees of their own: exact winnings, translation included."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.policies.policy import HandPolicy
from pokerlab.policies.strategy import by_seat
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.valuing.across_trees import encounter
from pokerlab.valuing.tabulate import tabulate

LEDUC = game("leduc-nolimit")


@pytest.fixture(scope="module")
def strategies():
    return {sizes: solve_lp(make_problem(LEDUC, sizes)).strategy for sizes in ("fcpa", "0.5p, all-in", "0.5p, fcpa")}


def test_on_one_tree_it_is_the_value_of_the_strategy(strategies):
    for strategy in strategies.values():
        policy = StrategyPolicy(strategy)
        found = encounter(policy, policy)
        assert found.value == pytest.approx(evaluate(Problem(strategy.tree, strategy.cells), strategy).value, abs=1e-12)
        assert found.decisions <= strategy.tree.n_decisions and found.left_out == pytest.approx(0)


@pytest.mark.parametrize("rule", ["pseudo-harmonic", "soft", "geometric"])
def test_on_different_trees_it_is_the_value_on_a_tree_that_has_all_bets(strategies, rule):
    """The readable way: both players, translation included, as tables on a tree with every size of either."""
    pot, other = (StrategyPolicy(strategies[sizes], translation=rule) for sizes in ("fcpa", "0.5p, all-in"))
    whole = make_problem(LEDUC, "fcpa | 0.5p, all-in")
    both = by_seat(tabulate(_Seat(pot, 0), whole), tabulate(_Seat(other, 1), whole))
    assert encounter(pot, other).value == pytest.approx(evaluate(whole, both).value, abs=1e-9)


class _Seat(HandPolicy):
    """A policy in its own seat; in the other it calls, which every tree has."""

    def __init__(self, policy, seat):
        self.policy, self.seat = policy, seat

    def probabilities(self, view):
        return self.policy.probabilities(view) if view.seat == self.seat else ((CALL,), np.ones(1))


def test_what_is_left_out_is_little_and_said(strategies):
    pot, more = StrategyPolicy(strategies["fcpa"]), StrategyPolicy(strategies["0.5p, fcpa"])
    exact, rough = encounter(pot, more), encounter(pot, more, least=1e-3)
    assert rough.decisions < exact.decisions and 0 < rough.left_out < 0.05
    with pytest.raises(PokerlabError, match="reach more than 3 decisions"):
        encounter(pot, more, most_decisions=3)


def test_holdem_buckets_against_themselves():
    player = agent("equilibrium:nolimit2p")
    found = encounter(player, player, least=1e-6)
    assert found.value == pytest.approx(-6.173, abs=0.05) and found.left_out < 1e-3


def test_cards_must_be_known_alike(strategies):
    with pytest.raises(PokerlabError, match="no exact value of pr5 cards against lossless cards: play hands"):
        encounter(agent("equilibrium:nolimit2p"), StrategyPolicy(strategies["fcpa"]))
    limit = StrategyPolicy(solve_lp(make_problem(game("leduc"))).strategy)  # the same cards, another game
    with pytest.raises(PokerlabError, match="a player of leduc-nolimit does not play leduc"):
        encounter(limit, StrategyPolicy(strategies["fcpa"]))
