"""One size for each player's first bet in a subgame, found together: player 0's, and player 1's after a check.

Each size must be best against the other, so the pair is a saddle point of the value: player 0 maximizes it, player 1
minimizes it. Runs of BETS move both sizes together. Then each player's usual sizes are solved against the other
player's size; if one is better, it replaces the result and both sizes move on from there. The answer is the pair that
leaves least to gain, reported with what each player's usual sizes would still gain. Both may also bet and raise all-in.

>>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
>>> found = both_sizes(river)
>>> round(found.sizes[0], 1), max(found.gains) < 0.1
(0.6, True)

References
----------
Hawkin (2014), section 8.2, which asks for the sizes of both players at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.solvers.bet_sizing.ranges import Range, of_ratio
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, range_within
from pokerlab.solvers.bet_sizing.sized_tree import Path, Side, SizedTree, build_sized_tree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.solve import Solution
from pokerlab.systems.bets.saved_steps import UnsavedSteps
from pokerlab.systems.bets.sized_solver import SizedSolver
from pokerlab.systems.bets.subgame_sizes import PHASES, USUAL, SizeWorth, StepCount
from pokerlab.trees.betting_tree import BettingTree

Pair: TypeAlias = tuple[float, float]
PATHS: tuple[Path, Path] = (("r0",), ("c", "r0"))
"""Where each player's first bet stands."""
STILL = 50  #: how long sizes that were found wait for players who have to begin again
ROUNDS = 4  #: how often a player's better usual size is taken up


@dataclass(frozen=True, eq=False)
class BothSizes:
    """Both players' sizes, their game solved, and each player's usual sizes against the other's size."""

    sizes: Pair
    solution: Solution
    without: Evaluation  # check and all-in only, for both
    usual: tuple[tuple[SizeWorth, ...], tuple[SizeWorth, ...]]  # by player, who alone changes its size
    gains: Pair  # chips a hand: what each player's best usual size would still gain


def both_sized(subgame: SizedSubgame, ranges: tuple[Range, Range]) -> SizedTree:
    """The tree in which both players' first bets have these ranges."""
    side = Side(subgame.own, (subgame.whole_range,))
    return build_sized_tree(subgame.rules, (side, side), dict(zip(PATHS, ranges, strict=True)), adds="none", alpha=0)


def both_at(subgame: SizedSubgame, sizes: Pair) -> BettingTree:
    """The tree in which both players' first bets have these sizes."""
    tree, size = _fixed(subgame, sizes)
    return tree.tree(size)


def _fixed(subgame: SizedSubgame, sizes: Pair) -> tuple[SizedTree, Floats]:
    tree = both_sized(subgame, (Range(sizes[0], sizes[0]), Range(sizes[1], sizes[1])))
    return tree, tree.bets.low


def both_sizes(
    subgame: SizedSubgame,
    *,
    target: float = 0.05,
    threads: int | None = None,
    report: Callable[[int, int], None] | None = None,
    saving: UnsavedSteps | None = None,
) -> BothSizes:
    """Find both sizes; values are solved to `target` percent of the pot. The player that `subgame` names is ignored.

    `report` and `saving` are as for `best_size`.
    """
    whole = subgame.whole_range
    tried = [size for size in USUAL if whole.low <= size <= whole.high]
    steps = StepCount(len(PHASES) + 2 * len(tried) + 2, report)
    solver = SizedSolver(subgame, target=target, threads=threads, saving=saving)
    worths: dict[Pair, Evaluation] = {}
    answers: dict[Pair, Solution] = {}  # of pairs that were found, alone: a strategy on a flop is large

    def solved(sizes: Pair) -> Solution:
        solution = steps.done(solver.solve_tree(*_fixed(subgame, sizes)))
        worths[sizes] = solution.evaluation
        return solution

    def worth(sizes: Pair, player: int) -> float:
        value = (worths[sizes] if sizes in worths else solved(sizes).evaluation).value
        return value if player == 0 else -value

    def better(sizes: Pair, player: int) -> tuple[float, Pair]:
        """(gain of a player's best usual size over its own, the pair with it)."""
        best = max(
            (changed(sizes, player, size) for size in tried), key=lambda pair: worth(pair, player), default=sizes
        )
        return worth(best, player) - worth(sizes, player), best

    sizes = _moved(solver, None, steps)
    found: dict[Pair, Pair] = {}
    for _ in range(ROUNDS):
        answers[sizes] = solved(sizes)
        offers = [better(sizes, player) for player in (0, 1)]
        found[sizes] = (max(offers[0][0], 0.0), max(offers[1][0], 0.0))
        gain, pair = max(offers)
        if gain <= target / 100 * subgame.pot or pair in found:
            break
        moved = _moved(solver, pair, steps)
        sizes = moved if moved not in found else pair
    best = min(found, key=lambda pair: max(found[pair]))
    without = build_sized_tree(subgame.rules, (Side(subgame.own), Side(subgame.own)))
    alone = steps.done(solver.solve_tree(without, np.empty(0)))
    usual = tuple(tuple(SizeWorth(size, worths[changed(best, player, size)]) for size in tried) for player in (0, 1))
    steps.finished()
    return BothSizes(best, answers[best], alone.evaluation, (usual[0], usual[1]), found[best])


def changed(sizes: Pair, player: int, size: float) -> Pair:
    """The pair with another size of one player."""
    return (size, sizes[1]) if player == 0 else (sizes[0], size)


def _moved(solver: SizedSolver, sizes: Pair | None, steps: StepCount) -> Pair:
    """Move both sizes by BETS, from the middle of the whole range or, in the narrower phases only, from `sizes`."""
    whole = solver.subgame.whole_range
    for phase in PHASES if sizes is None else PHASES[1:]:
        ranges = (whole, whole)
        if sizes is not None:
            first, second = (range_within(of_ratio(size, phase.ratio), whole) for size in sizes)
            ranges = (first, second)
        tree = both_sized(solver.subgame, ranges)
        order = [tree.paths.index(path) for path in PATHS]
        start = tree.middle
        if sizes is not None:
            start[order] = sizes
        found, _ = solver.run_bets(tree, start, phase, still=0 if sizes is None else STILL, alone=True)
        sizes = steps.done((float(found[order[0]]), float(found[order[1]])))
    assert sizes is not None
    return sizes
