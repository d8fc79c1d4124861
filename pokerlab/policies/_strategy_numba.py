# mypy: ignore-errors
"""Kernel of `strategy`: convert a strategy's numbers from one layout to another."""

from __future__ import annotations

from numba import njit


@njit(cache=True)
def pair_up(p, decisions, first_edge, row, start, out):
    """Copy p[row, cell] of the decisions of a street to out[start[decision] + cell * n_actions + action]."""
    for d in decisions:
        first, n_actions = row[first_edge[d]], first_edge[d + 1] - first_edge[d]
        for cell in range(p.shape[1]):
            for action in range(n_actions):
                out[start[d] + cell * n_actions + action] = p[first + action, cell]
