"""Benchmarks of bet sizing. No other program does this, so the peers are the same game made explicit, and plain CFR."""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Lossless
from pokerlab.bench.benchmark import Work, repeated, stepped
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame, solve_sized
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree, build_sized_tree, sides
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.oracles.transformed import TransformedGame
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.systems.bets.several_sizes import both_sizes
from pokerlab.systems.bets.subgame_sizes import best_size

LEDUC_ITERATIONS = 1_000
HOLDEM_ITERATIONS = 10


def _tree(name: str) -> SizedTree:
    return build_sized_tree(game(name), sides("all-in | fcpa", ([Range(0.71, 0.94)], [])))


def leduc() -> Work:
    tree, cells = _tree("leduc-nolimit"), Lossless(game("leduc-nolimit"))
    return stepped(Bets(tree, cells, deals_of(cells.pairs), BetsSettings(), iterations=10**9), LEDUC_ITERATIONS)


def leduc_explicit() -> Work:
    explicit = TransformedGame(_tree("leduc-nolimit"), deals_of(Lossless(game("leduc-nolimit")).pairs), BetsSettings())
    return repeated(explicit.step, 1)


def leduc_cfr() -> Work:
    tree = _tree("leduc-nolimit")
    problem = Problem(tree.tree(tree.middle), Lossless(game("leduc-nolimit")))
    return stepped(VectorCfr(problem, variant("cfr+")), LEDUC_ITERATIONS)


def holdem(*, sized: bool) -> Work:
    """5-bucket hold'em with 200 big blinds: BETS if `sized`, otherwise plain CFR by the same code on the same tree."""
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

    settings = BetsSettings(variant=variant("dcfr+"))
    bets = DenseBets(_tree("nolimit2p"), cells_for(game("nolimit2p"), "pr5"), settings, iterations=10**9)
    return stepped(bets if sized else bets.cfr, HOLDEM_ITERATIONS)


def spot(*, grid: int = 0) -> Work:
    """Find the best size of one bet on a river; with `grid`, solve that many sizes one by one instead."""
    river = make_sized_subgame("KsQh7d2c3s", ("QQ+, AKs, JTs", "22+, KQ"), pot=100, stack=300, player=0)
    if not grid:
        return repeated(lambda: best_size(river, threads=1), 1)
    sizes = np.geomspace(*river.whole_range, grid)
    return repeated(lambda: [solve_sized(river, river.at(float(size)), threads=1) for size in sizes], 1)


def both() -> Work:
    river = make_sized_subgame("KsQh7d2c3s", ("QQ+, AKs, JTs", "22+, KQ"), pot=100, stack=300, player=0)
    return repeated(lambda: both_sizes(river, threads=1), 1)


def raised() -> Work:
    ranges = ("AA,99,A9s,KQs,76s,87s,AK,AQ,KJ", "A2s-AKs,AT,AJ,AQ,TT,JJ,55")
    river = make_sized_subgame("Ah9h5c5d3s", ranges, pot=100, stack=600, player=1, facing=0.33)
    return repeated(lambda: best_size(river, threads=1), 1)
