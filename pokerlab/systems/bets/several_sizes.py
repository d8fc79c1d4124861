"""Several sizes for one bet of a subgame, starting from the best single size; and sizes in whole chips.

>>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
>>> from pokerlab.systems.bets.subgame_sizes import best_size
>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=400, player=0)
>>> at_an_end(river, 0.6), at_an_end(river, river.whole_range.high)
(False, True)
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.errors import RulesError
from pokerlab.solvers.bet_sizing.ranges import of_ratio
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, range_within
from pokerlab.solvers.core.solve import Solution
from pokerlab.systems.bets.sized_solver import SizedSolver
from pokerlab.systems.bets.subgame_sizes import PHASES, ROUGH, STILL, BestSize, StepCount

APART = 1.15  #: sizes nearer to each other than by this factor are one size


@dataclass(frozen=True, eq=False)
class SeveralSizes:
    """Several sizes of the one bet, smallest first, and their game solved."""

    sizes: tuple[float, ...]
    solution: Solution


def several_sizes(
    subgame: SizedSubgame,
    first: BestSize,
    n: int,
    *,
    report: Callable[[int, int], None] | None = None,
) -> list[SeveralSizes]:
    """Solutions with one, two, .. up to `n` sizes of the bet, from the best one; fewer if one more adds nothing.

    The next size is the usual size that adds most to the present ones; then all are moved together by short runs of
    BETS. The sizes before and after these runs are solved to `ROUGH` times the target, and the better ones to the
    target. So more sizes are never worth less than fewer, to the precision of the solves.

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
        ]  # sizes that met are no more than before
        best = solved(*max(more, key=worth).sizes)
        if worth(best) <= worth(found[-1]):
            break
        found.append(best)
    steps.finished()
    return found


def more_sizes(
    first: BestSize, n: int, *, round_to: float | None = None, report: Callable[[int, int], None] | None = None
) -> BestSize:
    """The best size with up to `n` - 1 more beside it, all in multiples of `round_to` chips if that is given."""
    stages = [SeveralSizes((first.size,), first.solution)]
    if n > 1:
        stages = several_sizes(first.solver.subgame, first, n, report=report)
    if round_to is not None:
        stages[-1] = rounded(first.solver, stages[-1], round_to)
    (size, *more), solution = stages[-1].sizes, stages[-1].solution
    return replace(first, size=size, more=tuple(more), solution=solution, stages=tuple(stages))


def rounded(solver: SizedSolver, some: SeveralSizes, chips: float) -> SeveralSizes:
    """Round the sizes to legal multiples of `chips`, merging equal ones, and solve their game.

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
    """Move the sizes, each in its own range, through the last phases of `PHASES`; sizes that meet become one.

    Players start from the regrets of the game solved before.
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
    """Whether a size lies at an end of the searched range, so that one beyond it may be better."""
    low, high = subgame.whole_range
    return size < 1.05 * low or size > high / 1.05
