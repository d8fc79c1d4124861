"""BETS on whole tables is BETS deal by deal."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of, thesis_settings
from pokerlab.solvers.bet_sizing.dense_bets import DenseBets
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.search import make_sizer, run_bets
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.solvers.core.variants import variant
from pokerlab.trees.cells import CellPairs, Lossless, earlier_streets

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
    settings = BetsSettings(n=20, variant=replace(variant("cfr+"), alternating=False), average_from=0.2)
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


def test_importance_on_sampled_deals_is_near_that_of_every_deal() -> None:
    kuhn = game("kuhn-nolimit")
    rules = replace(kuhn, streets=tuple(replace(street, max_raises=2) for street in kuhn.streets))
    tree = build_sized_tree(rules, sides("none | min", ([Range(0.2, 0.5)], [Range(0.3, 0.6)])), alpha=0)
    cells, settings = Lossless(rules), BetsSettings()
    found = run_bets(make_sizer(cells, settings, iterations=300, engine="jax")(tree))
    plain = Bets(tree, cells, deals_of(cells.pairs), settings, iterations=300)
    importance = plain.importance(plain.step(plain.init(), 300))
    first_bets = np.argsort(-importance)[:2]
    assert found.importance[first_bets] == pytest.approx(importance[first_bets], rel=0.3)
    assert np.delete(found.importance, first_bets).max() < 0.1 * found.importance[first_bets].min()
    assert np.all((found.size >= tree.bets.low) & (found.size <= tree.bets.high)) and np.all(found.importance >= 0)


def test_what_dense_iterations_cannot_do_is_refused() -> None:
    with pytest.raises(PokerlabError, match="exact"):
        DenseBets(TREE, CELLS, thesis_settings(), iterations=10)
    with pytest.raises(PokerlabError, match="not pcfr\\+"):
        BetsSettings(variant=variant("pcfr+"))
