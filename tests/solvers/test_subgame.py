"""Subgames against the generic solvers on a few hands, toy games with known answers, and equity."""

import pytest

from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.solvers.best_response import evaluate
from pokerlab.solvers.problem import Problem
from pokerlab.solvers.subgame import make_subgame
from pokerlab.solvers.subgame_cfr import SubgameCfr

RIVER = dict(board="Ks7h2d5c8s", pot=100, stack=150, sizes="0.5p, 1p")
TURN = dict(board="Ks7h2d5c", pot=100, stack=150, sizes="1p")
FLOP = dict(board="Ks7h2d", pot=100, stack=60, sizes="1p")
NARROW = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")


def random_strategy(game, seed):
    uniform = Strategy.uniform(game.tree, game.cells)
    rng = stream(seed, "strategy")
    return Strategy.from_sums(game.tree, game.cells, [p * rng.random(p.shape) ** 3 for p in uniform.p])


@pytest.mark.parametrize("spot", [RIVER, TURN, FLOP], ids=["river", "turn", "flop"])
def test_values_and_best_responses_are_those_of_all_pairs_of_hands(spot):
    """Sweeps with card removal, deals and all-ins that run out, against matrices of pairs made one by one."""
    game = make_subgame(ranges=NARROW, merge_suits=False, **spot)
    for seed in range(2):
        strategy = random_strategy(game, seed)
        expected = evaluate(Problem(game.tree, game.cells), strategy)
        found = SubgameCfr(game).evaluate_strategy(strategy)
        assert found.value == pytest.approx(expected.value, abs=2e-5)
        assert found.best_response == pytest.approx(expected.best_response, abs=2e-5)


def test_many_hands_on_the_river_are_those_of_all_pairs():
    """With 200 and 300 hands: ties, blocked hands and hands in one range only occur in numbers."""
    game = make_subgame(ranges=("22+, A2s+, K9s+, QTs+:0.5", "25%"), **RIVER)
    strategy = random_strategy(game, 1)
    expected = evaluate(Problem(game.tree, game.cells), strategy)
    found = SubgameCfr(game).evaluate_strategy(strategy)
    assert found.value == pytest.approx(expected.value, abs=2e-5)
    assert found.best_response == pytest.approx(expected.best_response, abs=2e-5)
