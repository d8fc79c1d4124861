"""Solving one subgame for many sizes of its bet, one after the other, each time from what the players knew before.

A game with a bet of 0.6 pots is much like the one with 0.5: players who begin with the regrets that they had there need
a third to a half of the iterations. A size that is only compared with others needs still fewer: it is given up as
soon as the best response to its opponent shows that it cannot be the best. `solve_sized` is the readable twin, which
knows nothing before and solves everything to the end.

>>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
>>> solver = SizedSolver(river, target=0.1, threads=1)
>>> half, more = solver.solve(0.5), solver.solve(0.6)
>>> round(half.value, 1), round(more.value, 1), more.iterations < half.iterations
(-4.3, -4.2, True)
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.runs.cost import available_memory
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_subgame import MOST_ITERATIONS, SizedSubgame
from pokerlab.solvers.bet_sizing.sized_tree import Floats, Ints, SizedTree
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look, Solution
from pokerlab.solvers.subgames.cfr import SubgameCfr

CONTINUED = 100
"""The iteration that players who know something begin after: their regrets are not discounted as beginners' are."""
BYTES_OF_A_PAIR = 40
"""Regrets and sums of a solve, what was known before, this strategy and the best yet: 33 on a flop, 47 on a turn."""
FIRST_LOOK = 12
LOOK_GROWTH = 1.2


class Known(NamedTuple):
    """What players knew at the end of a solve: a tree, the sizes of its bets, and their regrets by street."""

    tree: SizedTree
    size: Floats
    regrets: Arrays


def spot_memory(subgame: SizedSubgame) -> int:
    """Bytes that solving one size after the other takes, before any is taken."""
    return BYTES_OF_A_PAIR * Problem(subgame.sized(subgame.whole_range).shape, subgame.cells).counts[1]


def check_fits(subgame: SizedSubgame) -> None:
    """Refuse a subgame whose sizes would not fit into memory: a flop has 1,176 pairs of cards to come."""
    needed, free = spot_memory(subgame), available_memory()
    if needed > free:
        raise PokerlabError(
            f"sizes of bets on this {subgame.rules.name} take {needed / 1e9:,.2f} GB, and {free / 1e9:,.2f} GB are "
            "free: narrow the ranges, cap the raises or give the opponent fewer sizes"
        )


class SizedSolver:
    """Solves a subgame for sizes of its bet; values have an exploitability of `target` percent of the pot."""

    def __init__(self, subgame: SizedSubgame, *, target: float = 0.05, threads: int | None = None) -> None:
        check_fits(subgame)
        self.subgame, self.target, self.threads = subgame, target, threads
        self._known: Known | None = None

    def solve(self, *sizes: float, rival: float = -np.inf, rough: float = np.inf) -> Solution:
        """The game with a bet of these sizes, solved; or given up once it is worth less than `rival` for certain.

        `rival` is chips a hand to the sized player. What was given up has a value below it, and an exploitability of at
        most `rough` percent of the pot.
        """
        tree = self.subgame.sized(*(Range(each, each) for each in sizes))
        return self.solve_tree(tree, np.array(sizes, np.float64), rival=rival, rough=rough)

    def solve_tree(self, tree: SizedTree, size: Floats, *, rival: float = -np.inf, rough: float = np.inf) -> Solution:
        """The game of any tree of the subgame at `size[bet]`, in the same way."""
        engine = SubgameCfr(Problem(tree.tree(size), self.subgame.cells), threads=self.threads)
        arrays = self.begun(engine, tree, size)
        first, upto, began, looks = int(arrays["iteration"]), FIRST_LOOK, time.perf_counter(), list[Look]()
        while not looks or looks[-1].iteration < MOST_ITERATIONS:
            arrays = engine.step(arrays, first + upto - int(arrays["iteration"]))
            evaluation = engine.evaluate(arrays)
            looks.append(Look(upto, time.perf_counter() - began, evaluation.value, evaluation.exploitability))
            percent = 100 * evaluation.exploitability / self.subgame.pot
            worse = evaluation.best_response[self.subgame.player] < rival  # however well the bettor plays
            if percent <= self.target or (worse and percent <= rough):
                break
            upto = min(int(LOOK_GROWTH * upto), MOST_ITERATIONS)
        self.learn(tree, size, arrays)
        last = looks[-1]
        return Solution(engine.strategy(arrays), evaluation, last.iteration, last.seconds, engine.about, tuple(looks))

    def around(self, near: float, sizes: Sequence[float]) -> Iterator[tuple[float, SizedSolver]]:
        """Sizes from `near` upwards, then downwards, each with a solver that knows the one before.

        This solver knows a game of about `near`, and goes on knowing it.
        """
        upwards, downwards = [s for s in sizes if s >= near], [s for s in sizes if s < near]
        for chain in (sorted(upwards), sorted(downwards, reverse=True)):
            solver = copy(self)
            yield from ((size, solver) for size in chain)

    def learn(self, tree: SizedTree, size: Floats, arrays: Arrays) -> None:
        """Take the regrets of `arrays`, of a game with these sizes, for what players know."""
        self._known = Known(tree, size, {name: each for name, each in arrays.items() if name.startswith("regret")})

    def begun(self, engine: SubgameCfr, tree: SizedTree, size: Floats) -> Arrays:
        """Arrays to begin a tree with: what players know of it from the tree before, and nothing for the rest."""
        arrays = engine.init()
        if self._known is None:
            return arrays
        before = matched_edges(tree, size, self._known)
        for street, edges in enumerate(tree.shape.edges_on):
            rows = np.flatnonzero(before[edges] >= 0)
            known_rows = self._known.tree.shape.row[before[edges[rows]]]
            arrays[f"regret{street}"][rows] = self._known.regrets[f"regret{street}"][known_rows]
        return {**arrays, "iteration": np.array(CONTINUED)}


def matched_edges(tree: SizedTree, size: Floats, known: Known) -> Ints:
    """`edge before[edge]`: the same action after the same actions in the tree that is known; -1 where there is none.

    A bet of some part of the pot, sized or fixed, is the same as the one there whose size is nearest.
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
    """`name[edge]`, the same for all bets of parts of the pot, and `part[edge]` of the pot that those are."""
    parts = np.array([each.amount if each and each.unit == "p" else np.nan for each in tree.shape.size])
    parts[tree.bets.edge] = size
    kinds = zip(tree.shape.kind.tolist(), tree.shape.size, parts, strict=True)
    return [f"{kind} {size}" if np.isnan(part) else BET for kind, size, part in kinds], parts
