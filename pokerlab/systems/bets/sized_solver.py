"""Solve one subgame for many sizes of its bet in turn, each starting from the regrets of the previous solve.

The game with a bet of 0.6 pots is similar to the one with 0.5. If the players start with the regrets of the solved
game, they need only a third to a half of the iterations. A size that is only compared with others needs even fewer: its
solve is abandoned as soon as the opponent's best response shows that it cannot be the best size. `solve_sized` is the
readable twin, which always starts without regrets and completes every solve.

>>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
>>> solver = SizedSolver(river, target=0.1, threads=1)
>>> half, more = solver.solve(0.5), solver.solve(0.6)
>>> round(half.value, 1), round(more.value, 1), more.iterations < half.iterations
(-4.3, -4.2, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Int32s
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.cost import available_memory
from pokerlab.runs.steps import Arrays, Course, Steps
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_subgame import MOST_ITERATIONS, SizedSubgame
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look, Solution
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.systems.bets.saved_steps import SavedStep, UnsavedSteps
from pokerlab.systems.bets.subgame_bets import SubgameBets

CONTINUED = 100
"""Iteration number at which a solve with earlier regrets begins. The solver discounts early iterations strongly, and
these regrets must not be discounted like that."""
BYTES_OF_A_PAIR = 40
"""Memory of a search in bytes per pair: regrets and sums, the regrets of the previous solve, the current strategy and
the best one. Measured: 33 on a flop, 47 on a turn."""
FIRST_LOOK = 12
LOOK_GROWTH = 1.2


@dataclass(frozen=True, eq=False)
class Known:
    """Results of one solve from which the next one starts: the tree, the sizes of its bets, and both players' regrets
    on each street."""

    tree: SizedTree
    size: Floats
    regrets: Arrays


def spot_memory(subgame: SizedSubgame) -> int:
    """Memory in bytes needed to solve a subgame for one size after another."""
    return BYTES_OF_A_PAIR * Problem(subgame.sized(subgame.whole_range).shape, subgame.cells).counts[1]


def check_fits(subgame: SizedSubgame) -> None:
    """Raise an error if solving the subgame would not fit in memory. Flops are large: 1,176 pairs of cards can
    follow."""
    needed, free = spot_memory(subgame), available_memory()
    if needed > free:
        raise PokerlabError(
            f"finding sizes on this {subgame.rules.name} takes {needed / 1e9:,.2f} GB, and {free / 1e9:,.2f} GB are "
            "free: narrow the ranges, cap the raises or give the opponent fewer sizes"
        )


class Phase(NamedTuple):
    """Settings of one run of BETS: iterations, N, and the width of its range as a ratio. The range is centred on the
    size found by the previous run, if any."""

    iterations: int
    n: float
    ratio: float


class SizedSolver:
    """Solves a subgame for given sizes of its bet, to an exploitability of `target` percent of the pot.

    Every run of BETS and every solve is a step; `saving` decides whether it is saved. Copies of a solver share
    `saving`.
    """

    def __init__(
        self,
        subgame: SizedSubgame,
        *,
        target: float = 0.05,
        threads: int | None = None,
        saving: UnsavedSteps | None = None,
    ) -> None:
        check_fits(subgame)
        self.subgame, self.target, self.threads = subgame, target, threads
        self.saving = saving or UnsavedSteps()
        self._known: Known | None = None

    def solve(self, *sizes: float, rival: float = -np.inf, rough: float = np.inf) -> Solution:
        """Solve the game with a bet of these sizes. Abandon the solve once its value is certain to be below `rival`.

        `rival` is in chips per hand of the player whose bet is sized. The solution of an abandoned solve understates
        the value; its exploitability is at most `rough` percent of the pot.
        """
        tree = self.subgame.sized(*(Range(each, each) for each in sizes))
        return self.solve_tree(tree, np.array(sizes, np.float64), rival=rival, rough=rough)

    def solve_tree(self, tree: SizedTree, size: Floats, *, rival: float = -np.inf, rough: float = np.inf) -> Solution:
        """Solve the game of any tree of the subgame at `size[bet]`; `rival` and `rough` are as for `solve`."""
        engine = SubgameCfr(Problem(tree.tree(size), self.subgame.cells), threads=self.threads)
        step = self.saving.done()
        if step is None:
            step = self._solved(engine, tree, size, rival=rival, rough=rough)
            self.saving.save(step)
        strategy = Strategy(engine.subgame.tree, self.subgame.cells, tuple(step.large["strategy"].values()))
        self._known = Known(tree, size, step.large["known"])
        self.saving.held(known=self._known, strategy=strategy)
        evaluation = Evaluation(step.said["value"], tuple(step.said["best_response"]))
        looks = tuple(Look(*row) for row in step.said["looks"])
        return Solution(strategy, evaluation, looks[-1].iteration, looks[-1].seconds, engine.about, looks)

    def _solved(self, engine: SubgameCfr, tree: SizedTree, size: Floats, *, rival: float, rough: float) -> SavedStep:
        course = Course(_Begun(engine, lambda: self.begun(engine, tree, size)), self.saving.watch())
        first, looks = CONTINUED if self._known else 0, [Look(int(row[0]), *row[1:]) for row in course.looks]
        upto = next_look(looks[-1].iteration) if looks else FIRST_LOOK
        while True:
            course.step_to(first + upto)
            evaluation = engine.evaluate(course.arrays)
            looks.append(Look(upto, course.seconds, evaluation.value, evaluation.exploitability))
            course.looks.append(looks[-1])
            percent = 100 * evaluation.exploitability / self.subgame.pot
            worse = evaluation.best_response[self.subgame.player] < rival  # an upper bound on the value to the bettor
            if percent <= self.target or (worse and percent <= rough) or upto == MOST_ITERATIONS:
                break
            upto = next_look(upto)
        said = {"value": evaluation.value, "best_response": evaluation.best_response, "looks": looks}
        p = {f"p{street}": p for street, p in enumerate(engine.strategy(course.arrays).p)}
        return SavedStep(said, {"strategy": p, "known": _regrets(course.arrays)})

    def run_bets(
        self, tree: SizedTree, size: Floats, phase: Phase, *, still: int, alone: bool = False
    ) -> tuple[Floats, float]:
        """Run BETS from `size[bet]`. Return the new sizes and the seconds it took.

        The players start with the regrets of the previous step and leave theirs for the next one. With `alone` they do
        neither.
        """
        step = self.saving.done()
        if step is None:
            step = self._run(tree, size, phase, still=still, alone=alone)
            self.saving.save(step)
        found = np.array(step.said["sizes"])
        if not alone:
            self._known = Known(tree, found, step.large["known"])
            self.saving.held(known=self._known)
        return found, step.said["seconds"]

    def _run(self, tree: SizedTree, size: Floats, phase: Phase, *, still: int, alone: bool) -> SavedStep:
        settings = BetsSettings(n=phase.n, variant=VARIANTS["dcfr"], discounted=True)
        bets = SubgameBets(
            tree, self.subgame.cells, settings, iterations=phase.iterations, threads=self.threads, still=still
        )

        def begun() -> Arrays:
            return bets.begun(bets.cfr.init() if alone else self.begun(bets.cfr, tree, size), size)

        course = Course(_Begun(bets, begun), self.saving.watch())
        course.step_to(int(course.arrays["begun"]) + phase.iterations)
        said = {"sizes": bets.sizes(course.arrays).tolist(), "seconds": course.seconds}
        return SavedStep(said, {} if alone else {"known": _regrets(course.arrays)})

    def around(self, near: float, sizes: Sequence[float]) -> Iterator[tuple[float, SizedSolver]]:
        """Yield the sizes from `near` upwards, then those below it downwards. Each comes with a solver that starts from
        the regrets of the size before it.

        This solver must have solved a game near `near`; it is copied and not changed.
        """
        upwards, downwards = [s for s in sizes if s >= near], [s for s in sizes if s < near]
        for chain in (sorted(upwards), sorted(downwards, reverse=True)):
            solver = copy(self)
            yield from ((size, solver) for size in chain)

    def begun(self, engine: SubgameCfr, tree: SizedTree, size: Floats) -> Arrays:
        """Initial arrays for a tree: regrets of the previously solved tree where actions match, otherwise zeros."""
        arrays = engine.init()
        if self._known is None:
            return arrays
        before = matched_edges(tree, size, self._known)
        for street, edges in enumerate(tree.shape.edges_on):
            rows = np.flatnonzero(before[edges] >= 0)
            known_rows = self._known.tree.shape.row[before[edges[rows]]]
            arrays[f"regret{street}"][rows] = self._known.regrets[f"regret{street}"][known_rows]
        return {**arrays, "iteration": np.array(CONTINUED)}


@dataclass(frozen=True, eq=False)
class _Begun:
    """An engine that starts from given arrays."""

    engine: Steps
    init: Callable[[], Arrays]

    @property
    def about(self) -> Mapping[str, Any]:
        return self.engine.about

    def step(self, arrays: Arrays, n: int) -> Arrays:
        return self.engine.step(arrays, n)


def next_look(iteration: int) -> int:
    """The iteration of the next measurement."""
    return min(int(LOOK_GROWTH * iteration), MOST_ITERATIONS)


def _regrets(arrays: Arrays) -> Arrays:
    return {name: each for name, each in arrays.items() if name.startswith("regret")}


def matched_edges(tree: SizedTree, size: Floats, known: Known) -> Int32s:
    """`known_edge[edge]`: the edge of the same action sequence in the previously solved tree; -1 if there is none.

    A bet of a fraction of the pot, whether sized or fixed, matches the one of nearest size in that tree.
    """
    names, parts = _actions(tree, size)
    known_names, known_parts = _actions(known.tree, known.size)
    before = np.full(tree.shape.n_edges, -1, np.int32)
    for decision, parent in enumerate(tree.shape.parent_edge):
        there = 0 if parent < 0 else int(known.tree.shape.child[before[parent]]) if before[parent] >= 0 else -1
        if there < 0:
            continue
        for edge in tree.shape.edges(decision):
            same = [each for each in known.tree.shape.edges(there) if known_names[each] == names[edge]]
            if same and names[edge] == BET:
                same.sort(key=lambda each: abs(np.log(known_parts[each] / parts[edge])))
            before[edge] = same[0] if same else -1
    return before


BET = "bet"


def _actions(tree: SizedTree, size: Floats) -> tuple[list[str], Floats]:
    """Return (`name[edge]`, `part[edge]`). For bets of a fraction of the pot, `part` is that fraction and all of them
    have the same name; for other actions `part` is NaN."""
    parts = np.array([each.amount if each and each.unit == "p" else np.nan for each in tree.shape.size])
    parts[tree.bets.edge] = size
    kinds = zip(tree.shape.kind.tolist(), tree.shape.size, parts, strict=True)
    return [f"{kind} {size}" if np.isnan(part) else BET for kind, size, part in kinds], parts
