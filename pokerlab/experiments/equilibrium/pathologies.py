"""Abstraction pathologies (Waugh et al. 2009): a finer card abstraction can be more exploitable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.cells import CellPairs, Lossless
from pokerlab.arrays import Int64s
from pokerlab.experiments.experiment import Config, Table, exact_rows
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.vector.cfr import VectorCfr

MILLI = 1000.0
FIRST = {"JQK": (0, 0, 0), "JQ.K": (0, 0, 1), "J.QK": (0, 1, 1), "J.Q.K": (0, 1, 2)}
"""By name of an abstraction before the board card: the class of each rank (J, Q, K). A dot separates classes."""
LATER = ("nothing", "pair", "board", "board and pair", "hand and board")
"""What a player learns with the board card, in addition to the class before it."""
SECTION = "exploitability in the whole game, milli-antes/hand"
WORSE = "finer and easier to exploit: by how much, milli-antes/hand"


def seen(later: str, hand: int, board: int) -> tuple[int, ...]:
    """A player's information on the second street: tuples are equal if it cannot tell the situations apart."""
    things = {"pair": int(hand == board), "board": board, "hand": hand}
    return tuple(things[each] for each in later.split(" and ") if each != "nothing")


class Abstraction(NamedTuple):
    """A card abstraction of Leduc: the information before the board card, and the information added by it."""

    first: str
    later: str

    def __str__(self) -> str:
        return f"{self.first} / {self.later}"

    @property
    def cells(self) -> tuple[Int64s, Int64s]:
        """For each street the array `cell[lossless cell]`: the abstraction's cell for each cell of the exact game."""
        classes = FIRST[self.first]
        ranks = range(3)  # lossless cells on the second street are numbered board * 3 + hand
        second = [(classes[hand], *seen(self.later, hand, board)) for board in ranks for hand in ranks]
        return _numbered([(each,) for each in classes]), _numbered(second)


def finer(one: Abstraction, other: Abstraction) -> bool:
    """Whether abstraction `one` is strictly finer than `other`."""

    def refines(fine: Int64s, coarse: Int64s) -> bool:
        return all(len(set(coarse[fine == cell])) == 1 for cell in np.unique(fine))

    pairs = list(zip(one.cells, other.cells, strict=True))
    return all(refines(a, b) for a, b in pairs) and any(a.max() > b.max() for a, b in pairs)


def _numbered(keys: Sequence[tuple[int, ...]]) -> Int64s:
    places = {key: i for i, key in enumerate(sorted(set(keys)))}
    return np.array([places[key] for key in keys])


@dataclass(frozen=True, eq=False)
class MergedCells:
    """Leduc's lossless cells merged into larger cells, `merged[street][lossless cell]`. They are the same for both
    players and have perfect recall."""

    lossless: Lossless
    merged: tuple[Int64s, Int64s]
    name: str

    @property
    def n_cells(self) -> tuple[int, ...]:
        return tuple(int(cells.max()) + 1 for cells in self.merged)

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        return int(self.merged[min(len(board), 1)][self.lossless.of_hand(hole, board)])

    def label(self, street: int, cell: int) -> str:
        """Labels of the lossless cells that were merged into `cell`."""
        return "|".join(self.lossless.label(street, int(c)) for c in np.flatnonzero(self.merged[street] == cell))

    @property
    def pairs(self) -> CellPairs:
        """The pairs of both players' merged cells. All are in one block, because a merged cell may cover several
        boards."""
        whole, n = self.lossless.pairs, self.n_cells
        parent = [np.zeros(n[0], np.int32), np.zeros(n[1], np.int32)]
        parent[1][self.merged[1]] = self.merged[0][whole.parent[1]]
        sums = []
        for matrices in (whole.joint, whole.showdown):
            of_street = []
            for street, blocks in enumerate(matrices):
                cells = self.merged[street].reshape(blocks.shape[:2])
                total = np.zeros((1, n[street], n[street]))
                np.add.at(total[0], (cells[:, :, None], cells[:, None, :]), blocks)
                of_street.append(total)
            sums.append(tuple(of_street))
        return CellPairs((parent[0], parent[1]), sums[0], sums[1])


def exploitability(problem: Problem, abstraction: Abstraction, iterations: int) -> tuple[float, float]:
    """Exploitability of an abstraction's equilibrium in chips per hand: (in the whole game, inside the abstraction)."""
    lossless = problem.cells
    assert isinstance(lossless, Lossless)
    cells = MergedCells(lossless, abstraction.cells, str(abstraction))
    found = solve(VectorCfr(Problem(problem.tree, cells), variant("cfr+")), iterations=iterations, every=iterations)
    lifted = tuple(p[:, cells.merged[street]] for street, p in enumerate(found.strategy.p))
    return evaluate(problem, Strategy(problem.tree, lossless, lifted)).exploitability, found.exploitability


def run(config: Config) -> Table:
    """Solve the game for every combination of information before and after the board card."""
    problem = make_problem(game("leduc"))
    every = [Abstraction(first, later) for first, later in product(FIRST, LATER)]
    whole: dict[Abstraction, float] = {}
    for done, each in enumerate(every, 1):
        whole[each] = exploitability(problem, each, config.settings["iterations"])[0] * MILLI
        config.report(done, len(every))
    pairs = [(fine, coarse) for fine, coarse in product(every, every) if finer(fine, coarse)]
    worse = {
        f"{fine} is worse than {coarse}": whole[fine] - whole[coarse]
        for fine, coarse in pairs
        if whole[fine] > whole[coarse] + 1
    }
    notes = (
        f"Of {len(pairs)} pairs of a finer and a coarser abstraction, the finer is easier to exploit in {len(worse)}.",
        "Both players are abstracted alike. An abstract game may have several equilibria; these are where CFR+ ends.",
    )
    return Table.of(
        {SECTION: exact_rows({str(each): worth for each, worth in whole.items()}), WORSE: exact_rows(worse)}, notes
    )
