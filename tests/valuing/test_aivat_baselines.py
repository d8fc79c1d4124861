"""Value functions from strategies: exact values, and what AIVAT gains by them between near-equilibrium players."""

from math import inf

import numpy as np
import pytest
from oracles.enumeration import every_hand

from pokerlab.cards.card import cards
from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL
from pokerlab.games.catalog import game, small_deck
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules, Street
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.valuing.aivat import Aivat, aivat
from pokerlab.valuing.aivat_baselines import CheckDown, PairValues, SolvedValues, solve_small, value_function

NAMES = ("a", "b")

SMALL_HOLDEM = Rules(
    name="small hold'em",
    n_seats=2,
    limits="limit",
    blinds=(2, 1),
    stacks=(inf, inf),
    deck=small_deck(4, 2),
    streets=(
        Street(n_hole=2, first=1, raise_size=2, max_raises=1),
        Street(n_board=3, raise_size=4, max_raises=1),
    ),
)


def problem_of(strategy):
    return Problem(strategy.tree, strategy.cells)


@pytest.mark.parametrize("rules", [game("kuhn"), game("leduc"), SMALL_HOLDEM], ids=lambda rules: rules.name)
def test_the_values_are_those_of_the_strategy(rules):
    strategy = solve_small(rules, iterations=20)
    problem = problem_of(strategy)
    pairs = PairValues(problem, strategy)
    at_root = float((problem.pairs.joint[0] * pairs.of_decision[0]).sum())
    assert at_root == pytest.approx(evaluate(problem, strategy).value, abs=1e-12)
    assert SolvedValues(strategy).root() == pytest.approx(at_root, abs=1e-12)


def test_a_deal_is_expected_at_the_mean_of_what_follows():
    """In Leduc a cell is a hand up to suits, so the mean over boards is the value of the action before them."""
    values = SolvedValues(solve_small(game("leduc"), iterations=20))
    hand = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, NAMES)
    public = list(hand.states())[2].public(0, NAMES)
    before = public.__class__(*(getattr(public, n) if n != "board" else () for n in public.__dataclass_fields__))
    every = values.showdowns.every
    possible = values.showdowns.possible(every, every) > 0
    found, action = values.expected(before, every, every), values.value(before, every, every)
    np.testing.assert_allclose(found[possible], action[possible], atol=1e-12)
    assert np.ptp(found[possible]) > 1


def variances(rules, players, value, *known):
    """Of the chips, and of the estimates with the policies of those in each of `known`; exactly."""
    reckoners = [Aivat(value, {name: players[name] for name in names}) for names in known]
    hands = every_hand(rules, tuple(players.values()), NAMES)
    chance, *columns = np.array(
        [(p, float(hand.payoffs[0]), *(reckoner.value(hand) for reckoner in reckoners)) for p, hand in hands]
    ).T
    for found in columns:
        assert chance @ found == pytest.approx(chance @ columns[0], abs=1e-9)
    return [chance @ (column - chance @ column) ** 2 for column in columns]


def near_equilibrium(rules, *iterations):
    """Two players after different numbers of iterations, and values of a third strategy fixed beforehand."""
    players = {
        name: StrategyPolicy(solve_small(rules, iterations=n)) for name, n in zip(NAMES, iterations, strict=True)
    }
    return players, SolvedValues(solve_small(rules, iterations=1000))


@pytest.mark.slow
def test_leduc_needs_far_fewer_hands():
    players, values = near_equilibrium(game("leduc"), 50, 200)
    raw, *found = variances(game("leduc"), players, values, "ab", "a", "b", "")
    assert raw == pytest.approx(12.1397, abs=1e-3)
    assert (raw / np.array(found)).tolist() == pytest.approx([11464, 268.6, 352.6, 5.36], rel=1e-3)


@pytest.mark.slow
def test_small_holdem_needs_far_fewer_hands():
    players, values = near_equilibrium(SMALL_HOLDEM, 10, 40)
    raw, *found = variances(SMALL_HOLDEM, players, values, "ab", "a")
    assert (raw / np.array(found)).tolist() == pytest.approx([2438.2, 98.17], rel=1e-3)


def test_no_luck_is_left_when_the_values_are_those_of_the_players():
    strategy = solve_small(game("leduc"), iterations=50)
    player = StrategyPolicy(strategy)
    _, found = variances(game("leduc"), dict.fromkeys(NAMES, player), SolvedValues(strategy), "ab")
    assert found < 1e-20


def test_which_value_function_is_used():
    assert value_function(game("leduc")).name == "values of CFR+ after 1,000 iterations on the whole game"
    assert value_function(game("limit2p")).name == "check-down value, times 2, 1.6, 1.3, 1 by street"
    assert isinstance(value_function(game("leduc-nolimit")), CheckDown)
    with pytest.raises(RulesError, match="limit3p is for 3 players; AIVAT is for two"):
        value_function(game("limit3p"))


def test_other_games_are_refused():
    values = SolvedValues(solve_small(game("leduc"), iterations=5))
    hand = HandHistory(game("kuhn"), cards("KsQs"), (CALL, CALL), NAMES)
    with pytest.raises(RulesError, match="is for another game than kuhn"):
        aivat([hand], {}, values)
    assert make_problem(game("leduc")).tree.n_edges == values.strategy.tree.n_edges
