"""Card abstractions of small games made by merging lossless cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.abstraction.cells import CellPairs, Lossless
from pokerlab.arrays import Int64s


@dataclass(frozen=True, eq=False)
class MergedCells:
    """Leduc's lossless cells, merged: `merged[street][lossless cell]`, alike for both players, with perfect recall."""

    lossless: Lossless
    merged: tuple[Int64s, Int64s]
    name: str

    @property
    def n_cells(self) -> tuple[int, ...]:
        """Cells by street."""
        return tuple(int(cells.max()) + 1 for cells in self.merged)

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The cell of a hand on the street of `board`."""
        return int(self.merged[min(len(board), 1)][self.lossless.of_hand(hole, board)])

    def label(self, street: int, cell: int) -> str:
        """The lossless cells in it."""
        return "|".join(self.lossless.label(street, int(c)) for c in np.flatnonzero(self.merged[street] == cell))

    @property
    def pairs(self) -> CellPairs:
        """Sums over the lossless cells; one block, because merged cells of different boards may meet."""
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
