"""Small rivers by NumPy: the values, strategies and checkpoints of the compiled engine."""

import numpy as np
import pytest

from pokerlab.solvers import runs
from pokerlab.solvers.configs import SubgameConfig
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.small_river import SmallRiverCfr, is_small_river
from pokerlab.solvers.subgames.subgame import make_subgame

NARROW = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")


def river(ranges=NARROW, **settings):
    return make_subgame("Ks7h2d5c8s", ranges, **{"pot": 100, "stack": 150, "sizes": "0.5p, 1p", **settings})


@pytest.mark.parametrize("name", ["dcfr", "cfr+", "pdcfr+"])
def test_iterations_are_those_of_the_compiled_engine(name):
    game = river(("77+, AQ+:0.5, JTs", "22+, KQ, 98s"))
    plain, compiled = SmallRiverCfr(game, VARIANTS[name]), SubgameCfr(game, VARIANTS[name])
    ours, theirs = plain.step(plain.init(), 5), compiled.step(compiled.init(), 5)
    assert ours.keys() == theirs.keys()
    for key, array in ours.items():
        assert array.dtype == theirs[key].dtype and array.shape == theirs[key].shape
        np.testing.assert_allclose(array, theirs[key], atol=2e-3)
    assert np.abs(ours["regret0"]).max() > 1
    np.testing.assert_allclose(plain.strategy(ours).p[0], compiled.strategy(theirs).p[0], atol=2e-3)


def test_both_solve_to_the_target_and_agree_on_the_value():
    game = river(("77+, AQ+:0.5, JTs", "22+, KQ, 98s"))
    plain, compiled = (solve(engine(game), iterations=1000, target=0.1) for engine in (SmallRiverCfr, SubgameCfr))
    assert plain.exploitability <= 0.1 and compiled.exploitability <= 0.1
    assert plain.value == pytest.approx(compiled.value, abs=0.2)  # each is within its exploitability of the game's
    exact = evaluate(game, plain.strategy)
    assert plain.value == pytest.approx(exact.value, abs=1e-4)
    assert plain.evaluation.best_response == pytest.approx(exact.best_response, abs=1e-4)


def test_a_run_continues_to_the_same_bits_and_the_engines_read_each_others_arrays():
    engine = SmallRiverCfr(river())
    straight, halfway = engine.step(engine.init(), 20), engine.step(engine.init(), 10)
    rest = engine.step({name: array.copy() for name, array in halfway.items()}, 10)
    assert all(np.array_equal(straight[name], rest[name]) for name in straight)
    compiled = SubgameCfr(river())
    assert compiled.about == engine.about
    assert compiled.evaluate(rest).value == pytest.approx(engine.evaluate(rest).value, abs=1e-4)


def test_large_rivers_and_earlier_streets_are_left_to_compiled_code():
    assert is_small_river(river(("QQ+, AKs, JTs", "22+, KQ")))
    assert not is_small_river(river(("random", "random")))
    assert not is_small_river(make_subgame("Ks7h2d5c", NARROW, pot=100, stack=150, sizes="1p"))
    config = SubgameConfig(board="Ks7h2d5c8s", ranges=NARROW, pot=100, stack=150).solve
    assert isinstance(runs.engine_of(config, runs.problem_of(config)), SmallRiverCfr)
    config = SubgameConfig(board="Ks7h2d5c", ranges=NARROW, pot=100, stack=150).solve
    assert isinstance(runs.engine_of(config, runs.problem_of(config)), SubgameCfr)
