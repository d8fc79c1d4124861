"""Several sizes for one bet of a subgame, added to the best single size; and one size for each player's first bet.

>>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
>>> from pokerlab.systems.bets.subgame_sizes import best_size
>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=400, player=0)
>>> at_an_end(river, 0.6), at_an_end(river, river.whole_range.high)
(False, True)

`both_sizes` finds one size for each player's first bet together: player 0's, and player 1's after a check. Each size
must be best against the other, so the pair is a saddle point of the value: player 0 maximizes it, player 1 minimizes
it. Runs of BETS move both sizes together. Then each player's usual sizes are solved against the other player's size; if
one is better, it replaces the result and both sizes move on from there. The answer is the pair from which the players
could gain least by a usual size, reported with these gains. Both may also bet and raise all-in.

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
from copy import copy
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import RulesError
from pokerlab.solvers.bet_sizing.ranges import Range, of_ratio
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, range_within
from pokerlab.solvers.bet_sizing.sized_tree import Path, Side, SizedTree, build_sized_tree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.solve import Solution
from pokerlab.systems.bets.saved_steps import UnsavedSteps
from pokerlab.systems.bets.sized_solver import SizedSolver
from pokerlab.systems.bets.subgame_sizes import PHASES, ROUGH, STILL, USUAL, BestSize, SizeWorth, StepCount

APART = 1.15  #: two sizes whose ratio is below this count as one


@dataclass(frozen=True, eq=False)
class SeveralSizes:
    """Several sizes of the bet, smallest first, and the solution of the game with them."""

    sizes: tuple[float, ...]
    solution: Solution


def several_sizes(
    subgame: SizedSubgame,
    first: BestSize,
    n: int,
    *,
    report: Callable[[int, int], None] | None = None,
) -> list[SeveralSizes]:
    """Find one, two, ... up to `n` sizes of the bet, starting from the best single size. Stop early if one more size
    adds nothing.

    Each time, the usual size that adds the most value to the current sizes is included. Then short runs of BETS move
    all sizes together. The sizes before and after these runs are solved to `ROUGH` times the target, and the better
    ones to the target. So, to the precision of the solves, more sizes never have a lower value than fewer.

    >>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
    >>> from pokerlab.systems.bets.subgame_sizes import best_size
    >>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=400, player=0)
    >>> one, two = several_sizes(river, best_size(river), 2)
    >>> len(two.sizes), two.solution.evaluation.value >= one.solution.evaluation.value - 0.1
    (2, True)
    """
    found = [SeveralSizes((first.size,), first.solution)]
    tried = [worth.size for worth in first.usual if worth.size is not None]
    steps = StepCount((n - 1) * (len(tried) + len(PHASES)), report)
    solver = copy(first.solver)

    def solved(*sizes: float, rough: bool = False) -> SeveralSizes:
        ordered, enough = tuple(sorted(sizes)), ROUGH * solver.target
        limits = {"rival": np.inf, "rough": enough} if rough else {}
        return SeveralSizes(ordered, steps.done(solver.solve(*ordered, **limits)))

    def worth(some: SeveralSizes) -> float:
        return subgame.to_player(some.solution.evaluation)

    while len(found) < n:
        here = found[-1].sizes
        apart = [size for size in tried if min(abs(np.log(size / other)) for other in here) > np.log(APART)]
        if not apart:
            break
        likely = max((solved(*here, size, rough=True) for size in apart), key=worth)
        moved = solved(*steps.done(_moved_together(solver, likely.sizes)), rough=True)
        more = [
            some for some in (likely, moved) if len(some.sizes) > len(here)
        ]  # if two sizes merged, there are no more than before
        best = solved(*max(more, key=worth).sizes)
        if worth(best) <= worth(found[-1]):
            break
        found.append(best)
    steps.finished()
    return found


def more_sizes(
    first: BestSize, n: int, *, round_to: float | None = None, report: Callable[[int, int], None] | None = None
) -> BestSize:
    """Add up to `n` - 1 more sizes to the best one. If `round_to` is given, round all sizes to multiples of that many
    chips."""
    stages = [SeveralSizes((first.size,), first.solution)]
    if n > 1:
        stages = several_sizes(first.solver.subgame, first, n, report=report)
    if round_to is not None:
        stages[-1] = rounded(first.solver, stages[-1], round_to)
    (size, *more), solution = stages[-1].sizes, stages[-1].solution
    return replace(first, size=size, more=tuple(more), solution=solution, stages=tuple(stages))


def rounded(solver: SizedSolver, some: SeveralSizes, chips: float) -> SeveralSizes:
    """Round the sizes to legal multiples of `chips`, merge equal ones, and solve the game with them.

    >>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
    >>> from pokerlab.systems.bets.subgame_sizes import best_size
    >>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
    >>> found = best_size(river)
    >>> rounded(found.solver, SeveralSizes((found.size,), found.solution), 20).sizes
    (0.6,)
    """
    subgame = solver.subgame
    low, high = subgame.whole_range
    whole = {subgame.of_chips(round(subgame.chips(size) / chips) * chips) for size in some.sizes}
    sizes = tuple(sorted(size for size in whole if low <= size <= high))
    if not sizes:
        raise RulesError(f"no multiple of {chips:g} chips lies between {low:.3g} and {high:.3g} of the pot")
    return SeveralSizes(sizes, copy(solver).solve(*sizes))


def _moved_together(solver: SizedSolver, sizes: tuple[float, ...]) -> tuple[float, ...]:
    """Move the sizes by the last, narrow phases of `PHASES`, each within its own range. Sizes that become equal are
    merged.

    Players start from the regrets of the previous solve.
    """
    subgame = solver.subgame
    for phase in PHASES[2:]:
        ranges = (range_within(of_ratio(size, phase.ratio), subgame.whole_range) for size in sizes)
        found, _ = solver.run_bets(subgame.sized(*ranges), np.array(sizes), phase, still=STILL)
        sizes = tuple(sorted(found.tolist()))
    merged = [sizes[0]]
    for size in sizes[1:]:
        if size > APART * merged[-1]:
            merged.append(size)
    return tuple(merged)


def at_an_end(subgame: SizedSubgame, size: float) -> bool:
    """Whether a size lies at an end of the searched range, so that a size beyond it might be better."""
    low, high = subgame.whole_range
    return size < 1.05 * low or size > high / 1.05


Pair: TypeAlias = tuple[float, float]
PATHS: tuple[Path, Path] = (("r0",), ("c", "r0"))
"""Path in the tree to each player's first bet: at once for player 0, after a check for player 1."""
STILL_FOR_BOTH = 50  #: iterations in which found sizes stay fixed, since the players start again without regrets
ROUNDS = 4  #: maximum number of pairs of sizes that are solved and compared with the usual sizes


@dataclass(frozen=True, eq=False)
class BothSizes:
    """Both players' sizes, the solution of the game with them, and values of each player's usual sizes against the
    other's size."""

    sizes: Pair
    solution: Solution
    without: Evaluation  # both players may only check or go all-in
    usual: tuple[tuple[SizeWorth, ...], tuple[SizeWorth, ...]]  # by player: only this player changes its size
    gains: Pair  # chips per hand that each player would gain by its best usual size


def both_sized(subgame: SizedSubgame, ranges: tuple[Range, Range]) -> SizedTree:
    """Build the tree in which both players' first bets have these ranges."""
    side = Side(subgame.own, (subgame.whole_range,))
    return build_sized_tree(subgame.rules, (side, side), dict(zip(PATHS, ranges, strict=True)), adds="none", alpha=0)


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
    """Find the best sizes of both players' first bets; values are solved to `target` percent of the pot. The result
    does not depend on which player `subgame` names.

    `report` and `saving` are as for `best_size`.
    """
    whole = subgame.whole_range
    tried = [size for size in USUAL if whole.low <= size <= whole.high]
    steps = StepCount(len(PHASES) + 2 * len(tried) + 2, report)
    solver = SizedSolver(subgame, target=target, threads=threads, saving=saving)
    worths: dict[Pair, Evaluation] = {}
    answers: dict[Pair, Solution] = {}  # only those of found pairs, since a strategy on a flop is large

    def solved(sizes: Pair) -> Solution:
        solution = steps.done(solver.solve_tree(*_fixed(subgame, sizes)))
        worths[sizes] = solution.evaluation
        return solution

    def worth(sizes: Pair, player: int) -> float:
        value = (worths[sizes] if sizes in worths else solved(sizes).evaluation).value
        return value if player == 0 else -value

    def better(sizes: Pair, player: int) -> tuple[float, Pair]:
        """Return (gain of `player` from changing to its best usual size, the pair of sizes with this change)."""
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
    """Replace the size of `player` in the pair of sizes."""
    return (size, sizes[1]) if player == 0 else (sizes[0], size)


def _moved(solver: SizedSolver, sizes: Pair | None, steps: StepCount) -> Pair:
    """Move both sizes by runs of BETS. With `sizes`, start from these and skip the widest phases; otherwise start from
    the middle of the whole range."""
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
        found, _ = solver.run_bets(tree, start, phase, still=0 if sizes is None else STILL_FOR_BOTH, alone=True)
        sizes = steps.done((float(found[order[0]]), float(found[order[1]])))
    assert sizes is not None
    return sizes
