"""The dense solver against a plain form of one iteration, best responses, and its own gradient."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from math import inf

import numpy as np
import pytest

from pokerlab.abstraction.cells import CellPairs, earlier_streets
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Watch
from pokerlab.solvers.core.best_response import ending_values, evaluate, reaches, values
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS, Variant, variant
from pokerlab.solvers.vector import _dense_jax as kernels
from pokerlab.solvers.vector.dense import DenseCfr
from pokerlab.trees.betting_tree import build_tree

CUSTOM = Variant("dcfr+", "Xu et al. 2024", alpha=1.5, beta=-inf, gamma=4, floor=True)


class RandomBuckets:
    """Nested cells of uneven size in no order, with random likelihoods and showdowns."""

    name = "random"

    def __init__(self, *n_cells: int) -> None:
        rng = np.random.default_rng(7)
        self.n_cells = n_cells
        parent = [np.zeros(n_cells[0], np.int32)]
        for before, n in pairwise(n_cells):
            parent.append(
                rng.permutation(np.r_[np.arange(before), rng.integers(0, before, n - before)]).astype(np.int32)
            )
        joint = rng.random((1, n_cells[-1], n_cells[-1]))
        joint /= joint.sum()
        showdown = joint * rng.uniform(-1, 1, joint.shape)
        n_boards = [1] * len(n_cells)
        self.pairs = CellPairs(
            tuple(parent), earlier_streets(parent, joint, n_boards), earlier_streets(parent, showdown, n_boards)
        )


@pytest.fixture(scope="module")
def problems():
    short = replace(game("nolimit2p"), stacks=(1000, 1000))
    return {
        "leduc": make_problem(game("leduc")),
        "two streets": Problem(build_tree(game("leduc"), "limit"), RandomBuckets(4, 11)),
        "four streets": Problem(build_tree(short, "flop: 1p once; river: 1p, all-in"), RandomBuckets(3, 5, 9, 16)),
    }


class Plain:
    """One iteration at a time as the module docstring of `variants` writes it, in the passes of `best_response`."""

    def __init__(self, engine: DenseCfr, state) -> None:
        self.problem, self.variant, self.t = engine.problem, engine.variant, int(state["iteration"])
        self.regret, self.sums, self.p = (
            list(engine.by_street(state, name)) for name in ("regret", "sums", "strategy")
        )

    def iterate(self) -> None:
        self.t += 1
        tree = self.problem.tree
        played = Strategy(tree, self.problem.cells, tuple(part.copy() for part in self.p))
        for player in (0, 1):
            current = Strategy(tree, self.problem.cells, tuple(self.p)) if self.variant.alternating else played
            own, against = (reaches(self.problem, current, seat) for seat in (player, 1 - player))
            worth = values(self.problem, current, player, against, best=False).of_edge
            for decision in np.flatnonzero(tree.actor == player):
                edges = tree.edges(int(decision))
                self._update(edges, np.stack([worth[e] for e in edges]), np.stack([own[e] for e in edges]), current)

    def _update(self, edges, worth, own, current) -> None:
        tree, settings, t = self.problem.tree, self.variant, self.t
        street, row = int(tree.edge_street[edges.start]), int(tree.row[edges.start])
        rows = slice(row, row + len(edges))
        now = worth - (current.p[street][rows] * worth).sum(axis=0)
        r = self.regret[street][rows]
        r = np.where(r > 0, r * settings.positive(t), r * settings.negative(t)) + now
        r = np.maximum(r, 0) if settings.floor else r
        lean = np.maximum(r * settings.positive(t + 1) + now if settings.predictive else r, 0)
        total = lean.sum(axis=0)
        self.regret[street][rows] = r
        self.sums[street][rows] = self.sums[street][rows] * settings.weight(t) + own
        self.p[street] = self.p[street].copy()
        self.p[street][rows] = np.where(total > 0, lean / np.where(total > 0, total, 1), 1 / len(edges))


def some_state(engine: DenseCfr):
    """As if after five iterations. (From no regrets, signs of rounding errors would soon decide what is played.)"""
    rng = np.random.default_rng(5)
    tree, cells = engine.problem.tree, engine.problem.cells
    shapes = [part.shape for part in engine.problem.uniform().p]
    mix = Strategy.from_sums(tree, cells, [rng.random(shape) for shape in shapes]).p
    scale = {"leduc": 1.0, "leduc-nolimit": 20.0}.get(tree.rules.name, 300.0) / np.array(cells.n_cells)
    low = 0.0 if engine.variant.floor else -1.0
    regret = [rng.uniform(low, 1, shape) * width for shape, width in zip(shapes, scale, strict=True)]
    state = {**engine.init(), "iteration": np.array(5)}
    for name, parts in (("regret", regret), ("sums", mix), ("strategy", mix)):
        for player, street in engine.layout.places:
            rows = engine.layout.rows[player][street]
            state[f"{name}/{player}/{street}"] = parts[street][rows].astype(engine.dtype)
    return state


def agree(engine: DenseCfr, tolerance: float) -> None:
    plain, state = Plain(engine, some_state(engine)), engine.step(some_state(engine), 2)
    plain.iterate()
    plain.iterate()
    for name, expected in (("regret", plain.regret), ("sums", plain.sums), ("strategy", plain.p)):
        for found, wanted in zip(engine.by_street(state, name), expected, strict=True):
            assert found == pytest.approx(wanted, abs=tolerance * max(1.0, float(np.abs(wanted).max())))


@pytest.mark.slow
@pytest.mark.parametrize("settings", [*VARIANTS.values(), CUSTOM], ids=lambda settings: settings.name)
@pytest.mark.parametrize("name", ["leduc", "two streets", "four streets"])
def test_iterations_are_the_plain_ones(problems, name, settings):
    agree(DenseCfr(problems[name], settings, "float64"), 1e-12)


def test_in_single_precision_nearly_so(problems):
    agree(DenseCfr(problems["leduc"], variant("dcfr")), 1e-5)


def test_players_can_update_at_once():
    agree(DenseCfr(make_problem(game("kuhn")), replace(variant("cfr"), alternating=False), "float64"), 1e-12)


@pytest.mark.parametrize(("name", "expected"), [("cfr", 9.6e-2), ("cfr+", 1.3e-2), ("dcfr", 7.8e-3), ("pcfr+", 2.0e-2)])
def test_leduc_after_a_hundred_iterations(problems, name, expected):
    engine = DenseCfr(problems["leduc"], variant(name))
    found = engine.evaluate(engine.step(engine.init(), 100)).exploitability
    assert expected / 2 < found < expected * 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leduc", "four streets"])
def test_bounds_are_those_of_the_plain_best_response(problems, name):
    engine = DenseCfr(problems[name], variant("dcfr"), "float64")
    state = engine.step(engine.init(), 2)
    found, expected = engine.evaluate(state), evaluate(engine.problem, engine.strategy(state))
    assert (found.value, *found.best_response) == pytest.approx((expected.value, *expected.best_response), rel=1e-12)


def test_a_resumed_run_gives_the_same_bits(problems, tmp_path):
    engine = DenseCfr(problems["leduc"], variant("pcfr+"))
    whole = engine.step(engine.init(), 60)
    solve(engine, iterations=25, watch=Watch(tmp_path / "run"))
    resumed = solve(engine, iterations=60, watch=Watch(tmp_path / "run"), every=7)
    expected = engine.strategy(whole)
    for found, wanted in zip(resumed.strategy.p, expected.p, strict=True):
        assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("name", ["leduc", "four streets"])
def test_slopes_are_the_gradient_of_the_value(problems, name):
    problem = problems[name]
    engine = DenseCfr(problem, variant("cfr+"), "float64")
    state = engine.step(engine.init(), 4)
    value, slope = engine.slopes(state)
    current, tree = engine.current(state), problem.tree
    assert value == pytest.approx(evaluate(problem, current).value, rel=1e-12)
    reach = [reaches(problem, current, player) for player in (0, 1)]
    for ending in range(0, len(tree.stake), 3):
        edge, street = tree.ending_edge[ending], int(tree.ending_street[ending])
        worth = ending_values(problem, 0, street, np.array([ending]), reach[1][edge][None])[0] / tree.stake[ending]
        assert slope[ending] == pytest.approx(reach[0][edge] @ worth, abs=1e-14)


def test_stakes_belong_to_the_state(problems):
    engine = DenseCfr(problems["leduc"], variant("cfr+"), "float64")
    doubled = engine.init()
    doubled["stake"] = 2 * doubled["stake"]
    once, twice = engine.step(engine.init(), 4), engine.step(doubled, 4)
    for a, b in zip(engine.by_street(once, "regret"), engine.by_street(twice, "regret"), strict=True):
        assert b == pytest.approx(2 * a, abs=1e-12)
    assert engine.evaluate(twice).nash_conv == pytest.approx(2 * engine.evaluate(once).nash_conv, rel=1e-10)


def test_an_algorithm_of_its_own_may_move_stakes_every_iteration(problems):
    """`iteration` called by hand, the stakes growing with its slopes, is `step` with stakes set from `slopes`."""
    engine = DenseCfr(problems["leduc"], variant("cfr+"), "float64")
    state, by_hand = engine.init(), engine.init()
    with engine.precision():
        tables = kernels.DenseTables(
            *(tuple(tuple(map(np.asarray, side)) for side in x) for x in engine.tables(by_hand))
        )
        stake = np.array(by_hand["stake"])
        for t in (1.0, 2.0, 3.0):
            tables, slope = kernels.one_iteration(engine.game, tables, stake, engine.settings, t, alternating=True)
            stake = stake + np.maximum(np.asarray(slope), 0)
    for _ in range(3):
        _, slope = engine.slopes(state)
        moved = state["stake"] + np.maximum(slope, 0)
        state = engine.step(state, 1)
        state["stake"] = moved
    assert state["stake"] == pytest.approx(stake, abs=1e-13)
    by_hand = engine.arrays(tables, stake=stake, iteration=3)
    for a, b in zip(engine.by_street(state, "sums"), engine.by_street(by_hand, "sums"), strict=True):
        assert b == pytest.approx(a, abs=1e-13)


def test_without_jax_the_error_says_what_to_install():
    code = "import sys; sys.modules['jax'] = None; import pokerlab.solvers.vector.dense"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    expected = "pokerlab.errors.PokerlabError: the dense solver needs JAX; install it with pip install 'pokerlab[jax]'"
    assert done.stderr.splitlines()[-1] == expected
