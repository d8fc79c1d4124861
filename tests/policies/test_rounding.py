"""Strategies rounded for small files keep their play where they come to, and load in bytes as they were saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.agents.recipes import shipped_path
from pokerlab.games.catalog import game
from pokerlab.policies import strategy_files
from pokerlab.policies.rounding import own_reach, rounded
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import ByteProbabilities, load_strategy, save_strategy
from pokerlab.trees.betting_tree import build_tree

TREE = build_tree(game("limit2p"))


@pytest.fixture(scope="module")
def strategy() -> Strategy:
    rng, cells = np.random.default_rng(3), buckets("pr5")
    return Strategy.from_sums(TREE, cells, [rng.random(p.shape) ** 3 for p in Strategy.uniform(TREE, cells).p])


def test_own_reach_is_the_product_of_the_actors_own_actions(strategy):
    reach = own_reach(strategy, 1)
    decision = int(TREE.edge_decision[TREE.edges_on[1][40]])
    expected = np.ones(25)
    for edge in TREE.path(decision):
        if TREE.actor[TREE.edge_decision[edge]] == TREE.actor[decision]:
            street = int(TREE.edge_street[edge])
            expected *= np.repeat(strategy.p[street][TREE.row[edge]], 5 if street == 0 else 1)
    assert reach[40] == pytest.approx(expected, rel=1e-6)
    assert reach.max() <= 1 and 0 < reach[40].min() < 1


@pytest.mark.slow
def test_rounding_keeps_fifteenths_and_plays_evenly_where_it_never_comes(strategy):
    small = rounded(strategy, levels=15, least_reach=1e-2)
    for street, p in enumerate(small.p):
        assert np.add.reduceat(p, strategy_files.rows_of(TREE, street)[0], axis=0) == pytest.approx(1)
    reach, rows = own_reach(strategy, 2), small.p[2]
    first = int(TREE.row[TREE.edges(int(TREE.edge_decision[TREE.edges_on[2][0]])).start])
    n_actions = np.diff(TREE.first_edge)[TREE.edge_decision[TREE.edges_on[2]]]
    rare = reach < 1e-2
    assert 0.05 < rare.mean() < 0.95
    assert rows[rare] == pytest.approx(np.broadcast_to(1 / n_actions[:, None], rows.shape)[rare])
    block = rows[first : first + 2][:, ~rare[first]]
    steps = block / block.max(axis=0) * 15
    assert steps == pytest.approx(np.rint(steps), abs=1e-4)


@pytest.mark.slow
def test_a_large_compact_strategy_stays_in_bytes_and_reads_the_same(strategy, tmp_path: Path, monkeypatch):
    path = tmp_path / "s.bin"
    save_strategy(path, strategy, {}, compact=True)
    plain = load_strategy(path).strategy
    monkeypatch.setattr(strategy_files, "MOST_UNPACKED", 1000)
    small = load_strategy(path).strategy
    assert isinstance(small.p[3], ByteProbabilities) and not isinstance(plain.p[3], ByteProbabilities)
    for street in range(4):
        assert np.array_equal(np.asarray(small.p[street]), plain.p[street])
    rows = np.array([3, 700, 14_000])
    assert np.array_equal(small.p[3][rows], plain.p[3][rows])
    assert np.array_equal(small.at(5000), plain.at(5000))
    assert np.array_equal(small.by_pair()[0], plain.by_pair()[0])


@pytest.mark.slow
def test_the_shipped_robust_player_is_of_the_size_that_was_measured():
    saved = load_strategy(shipped_path("limit2p-robust"))
    assert saved.about["iterations"] == 5109 and saved.strategy.cells.name == "pr12-10-9-9"
    assert shipped_path("limit2p-robust").stat().st_size < 12_000_000
    p = saved.strategy.at(0)
    assert p.sum(axis=0) == pytest.approx(1)
    raises = p[-1][[0, -1]]
    assert raises[1] > 0.9 > 0.5 > raises[0], "the best hands before the flop raise, the worst do not"


def test_where_cells_forget_reach_is_the_largest_possible():
    rng, cells = np.random.default_rng(4), buckets("ir100")
    uniform = Strategy.uniform(TREE, cells)
    forgetful = Strategy.from_sums(TREE, cells, [rng.random(p.shape) for p in uniform.p])
    reach = own_reach(forgetful, 1)
    decision = int(TREE.edge_decision[TREE.edges_on[1][40]])
    own = [e for e in TREE.path(decision) if TREE.actor[TREE.edge_decision[e]] == TREE.actor[decision]]
    expected = np.ones(100)
    for edge in own:
        taken = forgetful.p[int(TREE.edge_street[edge])][TREE.row[edge]]
        expected *= taken.max() if TREE.edge_street[edge] == 0 else taken
    assert reach[40] == pytest.approx(expected, rel=1e-5)
    assert {int(TREE.edge_street[edge]) for edge in own} == {0, 1}, "both kinds of edges are on the way"
