# mypy: ignore-errors
"""The compiled part of `full_best_response` that subgames do not have: a table's answers for every hand of a board."""

from numba import njit


@njit(cache=True, nogil=True)
def gather(p, rows, cell, out):
    """out[i, 0, combo] = p[rows[i], cell[combo]] (flat `p[row, cell]`); where a row is negative, out is left alone."""
    n_cells = p.shape[1]
    for i in range(len(rows)):
        if rows[i] >= 0:
            line, into = p[rows[i]], out[i, 0]
            for combo in range(len(into)):
                c = cell[combo]
                into[combo] = line[c] if 0 <= c < n_cells else 0.0
