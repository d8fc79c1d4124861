# mypy: ignore-errors
"""Compiled part of `full_best_response`: table lookups for every hand of a board."""

from __future__ import annotations

from numba import njit

from pokerlab.arrays import Floats32, Int32s, Int64s


@njit(cache=True, nogil=True)
def gather(p: Floats32, rows: Int64s, cell: Int32s, out: Floats32) -> None:
    """Set out[i, 0, combo] to p[rows[i], cell[combo]], or to 0 if the combo has no cell. If rows[i] is negative, out[i]
    stays unchanged."""
    n_cells = p.shape[1]
    for i in range(len(rows)):
        if rows[i] >= 0:
            line, into = p[rows[i]], out[i, 0]
            for combo in range(len(into)):
                c = cell[combo]
                into[combo] = line[c] if 0 <= c < n_cells else 0.0
