"""BETS on whole tables is BETS deal by deal."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import pytest

from pokerlab.abstraction.cells import CellPairs, Lossless, earlier_streets
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing import dense_bets
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of, thesis_settings
from pokerlab.solvers.bet_sizing.dense_bets import DenseBets
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.oracles.transformed import TransformedGame
from pokerlab.systems.bets.search import run_bets

LEDUC = game("leduc-nolimit")
RULES = replace(LEDUC, streets=tuple(replace(street, max_raises=1) for street in LEDUC.streets))
CELLS = Lossless(RULES)
TREE = build_sized_tree(RULES, sides("all-in | fcpa", ([Range(0.8, 1.5)], [])))


class Uneven(Lossless):
    """Leduc's cells with other odds: in the game itself many slopes are 0 at first, where only rounding decides."""

    @cached_property
    def pairs(self) -> CellPairs:
        even, rng = super().pairs, np.random.default_rng(4)
        joint = rng.random(even.joint[-1].shape) * even.joint[-1]
        showdown = rng.uniform(-1, 1, joint.shape) * joint
        n_boards = [one.shape[0] for one in even.joint]
        both = [earlier_streets(even.parent, one / joint.sum(), n_boards) for one in (joint, showdown)]
        return CellPairs(even.parent, both[0], both[1])


@pytest.mark.slow
def test_whole_tables_give_the_sizes_of_deal_by_deal_iterations() -> None:
    in_one = replace(variant("dcfr+"), alternating=False)
    settings = BetsSettings(n=20, variant=in_one, average_from=0.2, discounted=True)
    cells = Uneven(RULES)
    dense = DenseBets(TREE, cells, settings, iterations=60, dtype="float64")
    plain = Bets(TREE, cells, deals_of(cells.pairs), settings, iterations=60)
    one, other = dense.init(), plain.init()
    for n in (1, 19, 40):
        one, other = dense.step(one, n), plain.step(other, n)
        np.testing.assert_allclose(one["size"], other["size"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(dense.sizes(one), plain.sizes(other), rtol=0, atol=1e-9)
    np.testing.assert_allclose(one["stake"], TREE.stakes(one["size"]))
    for p, q in zip(dense.cfr.strategy(one).p, plain.strategy(other).p, strict=True):
        np.testing.assert_allclose(p, q, rtol=0, atol=1e-6)


class Buckets(Lossless):
    """Two buckets before the card that is dealt to the table and three in each afterwards, which nobody sees."""

    n_cells = (2, 6)  # type: ignore[assignment]

    @cached_property
    def pairs(self) -> CellPairs:
        rng, parent = np.random.default_rng(5), (np.zeros(2, np.int32), np.arange(6, dtype=np.int32) // 3)
        joint = rng.random((1, 6, 6))
        showdown = rng.uniform(-1, 1, joint.shape) * joint
        both = [earlier_streets(parent, one / joint.sum(), (1, 1)) for one in (joint, showdown)]
        return CellPairs(parent, both[0], both[1])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Uneven, Buckets])
def test_importance_is_summed_over_iterations_as_deal_by_deal_and_in_the_transformed_game(kind: type[Lossless]) -> None:
    """Equations 5.3, 5.4 and 5.15: every deal of every iteration by itself, at the strategies of that iteration."""
    tree, cells = TREE, kind(RULES)
    settings = BetsSettings(n=20, variant=replace(variant("cfr+"), alternating=False))
    deals = deals_of(cells.pairs)
    engines = (
        DenseBets(tree, cells, settings, iterations=5, dtype="float64"),
        Bets(tree, cells, deals, settings, iterations=5),
    )
    oracle = TransformedGame(tree, deals, settings)
    found = []
    for bets in engines:
        found.append(bets.importance(bets.step(bets.init(), 5)))
    for _ in range(5):
        oracle.step()
    assert tree.n_bets > 2 and np.ptp(oracle.importance) > 0.1 * oracle.importance.max()
    for importance in found:
        np.testing.assert_allclose(importance, oracle.importance / 5, rtol=1e-9)


@pytest.mark.slow
def test_importance_on_drawn_deals_is_near_that_of_every_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense_bets, "N_DEALS", 10)  # of Leduc's 24
    settings, cells = BetsSettings(variant=replace(variant("cfr+"), alternating=False)), Uneven(RULES)
    drawn = run_bets(DenseBets(TREE, cells, settings, iterations=600, dtype="float64"))
    every = run_bets(Bets(TREE, cells, deals_of(cells.pairs), settings, iterations=600))
    np.testing.assert_allclose(drawn.size, every.size, rtol=0, atol=1e-9)  # they do not depend on it
    assert drawn.importance == pytest.approx(every.importance, rel=0.1)
    assert not np.array_equal(drawn.importance, every.importance)


def test_what_dense_iterations_cannot_do_is_refused() -> None:
    with pytest.raises(PokerlabError, match="exact"):
        DenseBets(TREE, CELLS, thesis_settings(), iterations=10)
    with pytest.raises(PokerlabError, match="not pcfr\\+"):
        BetsSettings(variant=variant("pcfr+"))
