"""Round a strategy to make its file small: few levels, and uniform play where its own actions rarely lead.

A decision affects an opponent only as often as the player's own actions lead there. Where that is almost never, uniform
play costs almost nothing and takes no space in a compressed file.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.arrays import Floats32
from pokerlab.policies.strategy import Strategy, rows_of


def own_reach(strategy: Strategy, street: int) -> Floats32:
    """`reach[row, cell]`: probability of the actor's own earlier actions on the path to each row of a street.

    If cells do not determine those of earlier streets, it is the largest probability of any earlier cell.
    """
    tree, n_cells = strategy.tree, strategy.cells.n_cells
    nested = getattr(strategy.cells, "perfect_recall", True)
    reach = np.ones((len(tree.edges_on[street]), n_cells[street]), np.float32)
    for row, edge in enumerate(tree.edges_on[street]):
        decision = int(tree.edge_decision[edge])
        earlier = [e for e in tree.path(decision) if tree.actor[tree.edge_decision[e]] == tree.actor[decision]]
        if earlier and row and tree.edge_decision[tree.edges_on[street][row - 1]] == decision:
            reach[row] = reach[row - 1]
            continue
        for e in earlier:
            on = int(tree.edge_street[e])
            taken = strategy.p[on][tree.row[e]].astype(np.float32)
            if on < street:
                taken = np.repeat(taken, n_cells[street] // n_cells[on]) if nested else taken.max()
            reach[row] *= taken
    return reach


def rounded(strategy: Strategy, *, levels: int = 15, least_reach: float = 0.0) -> Strategy:
    """Round the strategy to `levels` levels relative to the likeliest action; uniform where `own_reach` is below
    `least_reach`."""
    p = []
    for street, numbers in enumerate(strategy.p):
        starts, n_actions = rows_of(strategy.tree, street)
        if not len(starts):
            p.append(numbers)
            continue
        likeliest = np.repeat(np.maximum.reduceat(numbers, starts, axis=0), n_actions, axis=0)
        weights = np.rint(numbers / likeliest * levels).astype(np.float32)
        if least_reach:
            weights[own_reach(strategy, street) < least_reach] = 1
        p.append(weights / np.repeat(np.add.reduceat(weights, starts, axis=0), n_actions, axis=0))
    return replace(strategy, p=tuple(p))
