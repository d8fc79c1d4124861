"""Subgames in JAX, level by level: the same numbers as the compiled passes over one board at a time."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame

pytest.importorskip("jax")

import jax.numpy as jnp

from pokerlab.solvers.subgames import _levels_jax as kernels
from pokerlab.solvers.subgames.level_cfr import LevelCfr, _filled, _first_children

SPOTS = {
    "river": ("Ks7h2d5c8s", ("AA, KQ, JTs, 88", "KQ, QQ, 98s, 22"), "0.5p, 1p", 200),
    "turn, suits traded": ("Ks7s2h5h", ("AA, KQ, JTs", "KQ, QQ, 98s, 22"), "1p", 200),
    "turn, all-in": ("Ks7h2d5c", ("AA, JTs", "KQ"), "1p", 60),
    "flop, suits traded": ("Ks7s2s", ("AA, JTs", "KQ, 22"), "1p", 60),
}
CAPPED = {"rake": 5, "rake_cap": 4}  # of 60 chips it is 3, of 180 the cap
RAKED_AND_LOCKED = {
    "river": "first: AA bet 30 25%, 88 check 60%; check, bet 60: KQ, JTs fold 30%, call 70%; bet 60: QQ fold 0%",
    "turn, all-in": "first: AA check 0%; check, check: JTs check 35%; check, check, all-in: KQ call 80%",
    "flop, suits traded": "first: JTs all-in 20%; check: 22 check 50%; check, check, check, check: AA check 10%",
}


def spot(name, **more):
    board, ranges, sizes, stack = SPOTS[name]
    return make_subgame(board, ranges, pot=60, stack=stack, sizes=sizes, **more)


def by_level(engine, tables, name):
    """Tables [street][row, board, hand] of the compiled passes as arrays of the engine."""
    arrays = {}
    for street, levels in enumerate(engine.streets):
        for k, level in enumerate(levels.levels):
            table = tables[street][level.rows][:, :, slice(*engine.cells.hands_of[level.actor])]
            if street == len(engine.streets) - 1:
                first = _first_children(engine.cells, street) if street else np.array([0, 1])
                table = _filled(table.swapaxes(0, 1), first).swapaxes(1, 2)
            arrays[f"{name}/{street}/{k}"] = table
    return arrays


@pytest.mark.slow
@pytest.mark.parametrize("name, parts", [*((name, False) for name in SPOTS), ("turn, all-in", True)])
def test_an_iteration_from_random_tables_is_that_of_the_compiled_passes(name, parts, monkeypatch):
    if parts:  # as on a GPU, but a CPU has no products of bfloat16
        monkeypatch.setattr(kernels, "part_type", lambda: np.float32)
    an_iteration_is_that_of_the_compiled_passes(spot(name))


@pytest.mark.slow
def test_rivers_of_all_turns_at_once_are_those_of_the_compiled_passes(monkeypatch):
    monkeypatch.setattr(kernels, "at_once", lambda numbers: True)  # as on a GPU
    name = "flop, suits traded"
    an_iteration_is_that_of_the_compiled_passes(spot(name, **CAPPED, lock=RAKED_AND_LOCKED[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", RAKED_AND_LOCKED)
def test_rake_and_locks_are_those_of_the_compiled_passes(name):
    game = spot(name, **CAPPED, lock=RAKED_AND_LOCKED[name])
    assert len(np.unique(game.tree.rake)) > 1  # the cap binds in some endings alone
    an_iteration_is_that_of_the_compiled_passes(game)


def an_iteration_is_that_of_the_compiled_passes(subgame):
    ours, other = LevelCfr(subgame), SubgameCfr(subgame, threads=1)
    rng = np.random.default_rng(5)
    others = {k: rng.normal(size=v.shape).astype(np.float32) for k, v in other.init().items()}
    others |= {k: np.abs(v) for k, v in others.items() if k.startswith("sums")} | {"iteration": np.array(6)}
    for d, lock in ({} if subgame.locks is None else subgame.locks.at).items():  # locked actions have no regrets
        first, table = subgame.tree.row[subgame.tree.first_edge[d]], others[f"regret{subgame.tree.street[d]}"]
        table[first : first + len(lock)].reshape(len(lock), -1)[lock >= 0] = 0
    streets = range(len(ours.streets))
    arrays = {"iteration": np.array(6)}
    for table in ("regret", "sums"):
        arrays |= by_level(ours, [others[f"{table}{s}"].copy() for s in streets], table)

    value, expected = ours.evaluate(arrays), other.evaluate(others)
    assert value.value == pytest.approx(expected.value, abs=2e-4)
    assert value.best_response == pytest.approx(expected.best_response, abs=2e-4)
    assert value.rake == pytest.approx(expected.rake, abs=2e-4)
    assert value.unlocked == pytest.approx(expected.unlocked, abs=2e-4)
    both = [
        [p.reshape(len(p), n, -1) for p, n in zip(of.p, ours.cells.n_boards, strict=True)]
        for of in (ours.strategy(arrays), other.strategy(others))
    ]
    for p, q in zip(*(by_level(ours, of, "p").values() for of in both), strict=True):  # hands that may be held
        assert np.abs(p - q).max() < 1e-5

    arrays, others = ours.step(arrays, 1), other.step(others, 1)
    after = ours.evaluate(arrays), other.evaluate(others)
    assert after[0].best_response == pytest.approx(after[1].best_response, abs=3e-4)
    for table in ("regret", "sums"):
        for key, expected in by_level(ours, [others[f"{table}{s}"] for s in streets], table).items():
            assert np.abs(np.asarray(arrays[key]) - expected).max() < 1e-3, key


def test_numbers_in_parts_of_16_bits_add_up_to_themselves(monkeypatch):
    monkeypatch.setattr(kernels, "part_type", lambda: jnp.bfloat16)
    rng = np.random.default_rng(7)
    numbers = (rng.random((3, 4, 50)) * 10.0 ** rng.integers(-20, 3, (3, 4, 50))).astype(np.float32)
    high, middle, low = np.split(np.asarray(kernels.in_parts(numbers), np.float32), 3, axis=2)
    assert np.array_equal(high + (middle + low), numbers)
    assert np.abs(middle / numbers).max() > 1e-4  # the first part alone is not all


@pytest.mark.slow
def test_a_resumed_run_has_the_same_bits():
    engine = LevelCfr(spot("turn, all-in"))
    at_once = engine.step(engine.init(), 4)
    later = engine.step({k: np.asarray(v) for k, v in engine.step(engine.init(), 2).items()}, 2)
    assert at_once.keys() == later.keys()
    assert all(np.array_equal(at_once[name], later[name]) for name in at_once)


def test_variants_that_predict_are_refused():
    with pytest.raises(PokerlabError, match="subgames in JAX are solved by cfr"):
        LevelCfr(spot("river"), variant("pcfr+"))


def test_whole_games_are_refused():
    rules = game("limit2p")
    small = replace(rules, deck=tuple(range(24)), streets=rules.streets[:2])
    with pytest.raises(PokerlabError, match="is not a subgame"):
        LevelCfr(make_problem(small, cards="hands"))
