# mypy: ignore-errors
"""Kernels of `sequence_memory`: estimates for a sequence of bets, supported by coarser contexts.

`behind[level]` is the weight of the next coarser context's estimate, as a number of observations.
"""

from __future__ import annotations

from numba import njit

from pokerlab.arrays import Floats, Int64s


@njit(cache=True)
def action_share(contexts: Int64s, acted: Floats, stranger: Floats, behind: Floats, decision: int, kind: int):
    """Estimated frequency of actions of `kind` at a decision; starts from the coarsest context and refines it up to the
    sequence itself."""
    share = stranger[decision, kind]
    for level in range(len(contexts) - 1, -1, -1):
        counts = acted[contexts[level, decision]]
        share = (counts[kind] + behind[level] * share) / (counts[0] + counts[1] + counts[2] + behind[level])
    return share


@njit(cache=True)
def share_below(
    contexts: Int64s, shown: Floats, stranger: Floats, behind: Floats, ending: int, seat: int, strength: float
):
    """Estimated frequency with which `seat` shows a hand weaker than `strength` at the showdown `ending`. Within a
    cell, strengths count as uniform.

    `shown[context, edge]` counts the hands below each edge between cells, so its last column is the total.
    """
    n_cells = shown.shape[1] - 1
    at = strength * n_cells
    cell = min(int(at), n_cells - 1)
    inside = at - cell
    share = _between(stranger[ending, seat], cell, inside)
    for level in range(len(contexts) - 1, -1, -1):
        counts = shown[contexts[level, ending, seat]]
        share = (_between(counts, cell, inside) + behind[level] * share) / (counts[n_cells] + behind[level])
    return share


@njit(cache=True)
def _between(edges: Floats, cell: int, inside: float):
    return edges[cell] + inside * (edges[cell + 1] - edges[cell])
