"""The best size of one bet in a subgame (`best_size`), and sizes for every bet of a player in it (`every_size`).

The one bet is the sized player's first: player 0's opening bet, or player 1's after a check, or a raise if the player
faces a bet. A few short runs of BETS search for its size, first in a range from almost nothing to almost all-in, then
in narrower and narrower ranges around the last result. The tree is rebuilt in between, so that the opponent's raises
fit the size. The game is then solved with the size found and with a few usual sizes. If one of these is better, the
first runs were stuck in a local optimum, and they are repeated from the better size.

>>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
>>> found = best_size(river)
>>> round(found.size, 1), round(found.evaluation.value, 1), round(found.without.value, 1)
(0.6, -4.2, -10.0)

References
----------
Hawkin (2014), algorithm 5 (RED-BETS), with ranges whose ratio shrinks from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from pokerlab.games.rules import Rules
from pokerlab.runs.steps import Watch
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import Range, of_ratio
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, range_within
from pokerlab.solvers.bet_sizing.sized_tree import Side, SizedTree, build_sized_tree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.solve import Solution
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.systems.bets.saved_runs import run_data, run_of
from pokerlab.systems.bets.saved_steps import SavedStep, UnsavedSteps
from pokerlab.systems.bets.search import InMemory, Run, Search, search_sizes
from pokerlab.systems.bets.sized_solver import Phase, SizedSolver
from pokerlab.systems.bets.subgame_bets import on_subgame
from pokerlab.trees.sizes import parse_sizes

if TYPE_CHECKING:
    from pokerlab.systems.bets.several_sizes import SeveralSizes

T = TypeVar("T")

ROUGH = 4.0
"""Sizes that are certainly worse than the best one are solved only to this multiple of the target."""
EVERY_ITERATIONS = 300  #: iterations of a run of `every_size`
USUAL = (0.25, 0.5, 0.75, 1.0, 1.5, 2.5)  #: fixed sizes, in pots, with which the found one is compared


STILL = 10
"""Number of first iterations in which a found size stays fixed, so that the players adapt to it. In a run over the
whole range the size moves from the first iteration."""
LEANING_RATIO = 3.0
MOST_REPEATS = 4
"""Maximum number of runs that are repeated with a wider range because their size ended near an end of its range."""
PHASES = (Phase(200, 100, np.inf), Phase(200, 50, 2.0), Phase(100, 50, 1.4), Phase(100, 50, 1.4))


class SizeRun(NamedTuple):
    """One run of BETS: its tree, the size found, and the seconds it took."""

    tree: SizedTree
    size: float
    seconds: float


def size_runs(solver: SizedSolver, start: Range | None = None, phases: Sequence[Phase] = PHASES) -> Iterator[SizeRun]:
    """Make the runs of BETS one after another. The first searches the range `start`, or the whole range if none is
    given.

    A phase is repeated with a wider range if it finds a size near an end of its range (`_leans`). The players start
    from the regrets in `solver`, and every run updates these.
    """
    run: SizeRun | None = None
    whole, repeats = solver.subgame.whole_range, MOST_REPEATS
    for phase in phases:
        run = _one_run(
            solver, range_within(of_ratio(run.size, phase.ratio), whole) if run else start or whole, phase, run
        )
        yield run
        while repeats and _leans(run, whole):
            run = _one_run(solver, range_within(of_ratio(run.size, LEANING_RATIO), whole), phase, run)
            yield run
            repeats -= 1


def _one_run(solver: SizedSolver, range_: Range, phase: Phase, before: SizeRun | None) -> SizeRun:
    """Run BETS, starting at the size of the run `before`."""
    tree = solver.subgame.sized(range_)
    size = np.array([(range_.low + range_.high) / 2 if before is None else before.size])
    found, seconds = solver.run_bets(tree, size, phase, still=0 if before is None else STILL)
    return SizeRun(tree, float(found[0]), seconds)


def _leans(run: SizeRun, whole: Range) -> bool:
    """Whether the size found is near an end of the range searched in this run, and the whole range continues beyond
    that end."""
    low, high = float(run.tree.bets.low[0]), float(run.tree.bets.high[0])
    near = 0.2 * (high - low)
    return (run.size < low + near and low > whole.low) or (run.size > high - near and high < whole.high)


class SizeWorth(NamedTuple):
    """A size and the value of the game with it, with bounds from best responses. The size None means that the player
    may only check or go all-in."""

    size: float | None
    evaluation: Evaluation


@dataclass(frozen=True, eq=False)
class BestSize:
    """The size found, its value, and the other sizes tried; values are chips per hand to player 0."""

    size: float
    solution: Solution
    without: Evaluation  # value of the game with only check and all-in
    usual: tuple[SizeWorth, ...]
    runs: tuple[SizeRun, ...]
    again: tuple[SizeRun, ...]  # runs repeated from a usual size that was better; often none
    solver: SizedSolver = field(repr=False)  # holds the regrets of the last solve
    more: tuple[float, ...] = ()  # further sizes, if requested; `solution` is for all of them
    stages: tuple[SeveralSizes, ...] = ()  # results with one size, two sizes, and so on

    @property
    def restarted(self) -> bool:
        """Whether the search was repeated because a usual size was better than its first result."""
        return bool(self.again)

    @property
    def evaluation(self) -> Evaluation:
        """The value of the game with the size found."""
        return self.solution.evaluation


def best_size(
    subgame: SizedSubgame,
    *,
    target: float = 0.05,
    threads: int | None = None,
    report: Callable[[int, int], None] | None = None,
    saving: UnsavedSteps | None = None,
    solver: SizedSolver | None = None,
) -> BestSize:
    """Find the best size of the subgame's bet. Games are solved to an exploitability of `target` percent of the pot.

    Usual sizes that are certainly worse than the one found are solved only to `ROUGH` times the target. `report(done,
    total)` is called after every run and solve, and `saving` may save them. `solver` is one that computes elsewhere,
    such as `level_sizer.LevelSizer`.
    """
    tried = [size for size in USUAL if subgame.whole_range.low <= size <= subgame.whole_range.high]
    steps = StepCount(len(PHASES) + len(tried) + 2, report)
    solver = solver or SizedSolver(subgame, target=target, threads=threads, saving=saving)
    worths: dict[float, Evaluation] = {}
    best: list[Solution] = []  # the best solution so far; only one is held, since a strategy on a flop is large

    def solved(size: float, solution: Solution) -> None:
        worths[size] = steps.done(solution).evaluation
        if not best or subgame.to_player(solution.evaluation) > subgame.to_player(best[0].evaluation):
            best[:] = [solution]

    def worth(size: float) -> float:
        if size not in worths:
            solved(size, solver.solve(size))
        return subgame.to_player(worths[size])

    runs = [steps.done(run) for run in size_runs(solver)]
    again: list[SizeRun] = []
    size = runs[-1].size
    least = worth(size)
    for usual, beside in solver.around(size, [each for each in tried if each not in worths]):
        solved(usual, beside.solve(usual, rival=least, rough=ROUGH * target))
    better = max(tried, key=worth, default=size)
    if worth(better) > least + target / 100 * subgame.pot:
        start = range_within(of_ratio(better, PHASES[-1].ratio), subgame.whole_range)
        again = [steps.done(run) for run in size_runs(solver, start, PHASES[1:])]
        size = again[-1].size
    size = max((size, better), key=worth)  # the answer is at least as good as every size tried
    without = steps.done(copy(solver).solve())
    steps.finished()
    usuals = tuple(SizeWorth(each, worths[each]) for each in tried)
    return BestSize(size, best[0], without.evaluation, usuals, tuple(runs), tuple(again), solver)


@dataclass(frozen=True, eq=False)
class EverySize:
    """Sizes for all bets of a player, the solution of the game with them, and values of games with one fixed size
    everywhere."""

    run: Run | None  # None if a fixed size is better than all runs
    solution: Solution
    without: Evaluation  # value of the game with only check and all-in
    usual: tuple[SizeWorth, ...]
    size: float | None = None  # the fixed size, if it is the answer
    restarted: bool = False  # whether the search was repeated around a better fixed size


def every_size(
    subgame: SizedSubgame,
    ranges: Sequence[Range],
    search: Search,
    *,
    iterations: int = EVERY_ITERATIONS,
    target: float = 0.05,
    threads: int | None = None,
    report: Callable[[int, int], None] | None = None,
    saving: UnsavedSteps | None = None,
) -> EverySize:
    """Find sizes for every bet and raise of the subgame's player, on later streets too; each starts with the same
    `ranges`.

    This is `search_sizes` (RED-BETS and its variants) with `iterations` of BETS per run; the player may also go all-in.
    If one usual size used everywhere is better, the search is repeated with a range around that size in place of the
    nearest range. With several ranges, a single range around the best usual size is tried too. The result is the best
    of all these, so it is never worse than a usual size or a single range around it. Usual sizes that are clearly worse
    than the first search are solved only to `ROUGH` times the target.
    """
    tried = [size for size in USUAL if size <= subgame.whole_range.high]
    steps = StepCount(search.runs + len(tried) + 2, report)
    settings = BetsSettings(variant=VARIANTS["dcfr"], discounted=True)
    sizer = on_subgame(subgame.cells, settings, iterations, threads=threads)
    solver = SizedSolver(subgame, target=target, threads=threads, saving=saving)

    def fixed(text: str, rival: float = -np.inf) -> Solution:
        tree = build_sized_tree(subgame.rules, sides_everywhere(subgame, text, ()))
        return steps.done(solver.solve_tree(tree, np.empty(0), rival=rival, rough=ROUGH * target))

    def searched(some: Sequence[Range], how: Search) -> tuple[Run, Solution]:
        sides = sides_everywhere(subgame, "all-in", tuple(some))
        for run in search_sizes(subgame.rules, sides, sizer, how, _Runs(solver.saving, subgame.rules, sides)):
            steps.done(run)
        return run, steps.done(solver.solve_tree(run.tree, run.size))

    def worth(solution: Solution) -> float:
        return subgame.to_player(solution.evaluation)

    found: list[tuple[Run | None, Solution, float | None]] = [(*searched(ranges, search), None)]
    usual: list[SizeWorth] = []
    best: tuple[float, Solution] | None = None  # best usual size and its solution
    for size in tried:
        solution = fixed(f"{size}p, all-in", rival=worth(found[0][1]))
        usual.append(SizeWorth(size, solution.evaluation))
        if best is None or worth(solution) > worth(best[1]):
            best = size, solution
    restarted = best is not None and worth(best[1]) > worth(found[0][1]) + target / 100 * subgame.pot
    around = of_ratio(best[0], RESTART_RATIO) if best is not None else ranges[0]
    if len(ranges) > 1:
        found.append((*searched([around], replace(search, extra=None)), None))
    if best is not None and restarted:
        size, solution = best
        nearest = min(range(len(ranges)), key=lambda slot: abs(sum(ranges[slot]) / 2 - size))
        found.append((*searched([*ranges[:nearest], around, *ranges[nearest + 1 :]], search), None))
        found.append((None, solution, size))
    steps.finished()
    run, solution, everywhere = max(found, key=lambda each: worth(each[1]))
    return EverySize(run, solution, fixed("all-in").evaluation, tuple(usual), everywhere, restarted)


@dataclass(frozen=True)
class _Runs(InMemory):
    """Saves the runs of a search as steps."""

    saving: UnsavedSteps
    rules: Rules
    sides: tuple[Side, Side]

    def saved(self, number: int) -> Run | None:
        step = self.saving.done()
        return None if step is None else run_of(step.said["about"], step.said["arrays"], self.rules, self.sides)

    def watch(self, number: int) -> Watch:
        return self.saving.watch()

    def finished(self, run: Run) -> Run:
        about, arrays = run_data(run)
        self.saving.save(
            SavedStep({"about": about, "arrays": {name: each.tolist() for name, each in arrays.items()}}, {})
        )
        return run


RESTART_RATIO = 1.3  #: ratio of the pot growths at the two ends of a range around a better fixed size


def sides_everywhere(subgame: SizedSubgame, text: str, ranges: tuple[Range, ...]) -> tuple[Side, Side]:
    """The bets of both players. On every street the sized player has the sizes in `text` and the `ranges`."""
    return replace(subgame, own=parse_sizes(text)[0]).both(ranges)


class StepCount:
    """Counts finished steps for progress reports; the total may grow, because runs may be repeated."""

    def __init__(self, total: int, report: Callable[[int, int], None] | None) -> None:
        self.total, self.count, self.report = total, 0, report

    def done(self, result: T) -> T:
        """Count one step and return its result."""
        self.count += 1
        self.total = max(self.total, self.count + 1)
        if self.report is not None:
            self.report(self.count, self.total)
        return result

    def finished(self) -> None:
        """Report that all steps are done."""
        if self.report is not None:
            self.report(self.count, self.count)
