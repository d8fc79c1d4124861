# mypy: ignore-errors
"""Compute the value of two strategies on one final board, over all pairs of private hands at once.

Hands are the possible combos on the board, in the order of their rank; vectors have an entry for each. Decisions are
numbered depth first, so the reach of an edge can stay in the slot (depth, action) until the subtree below it is
finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Bools, Floats, Int8s, Int32s, Int64s
from pokerlab.cards._evaluate_numba import sums_of
from pokerlab.cards._showdown_numba import rank_live, sort_by_rank

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables


class ValuedTree(NamedTuple):
    """A betting tree and the payoffs of its terminal nodes to player 0."""

    actor: Int8s  # actor[decision]
    street: Int8s  # street[decision]
    first_edge: Int32s  # first_edge[decision]; one more entry ends the last
    parent_edge: Int32s  # parent_edge[decision]
    depth: Int64s  # depth[decision]
    edge_decision: Int32s  # edge_decision[edge]
    child: Int32s  # child[edge]: a decision, or ~ending
    row: Int32s  # row[edge]
    showdown: Bools  # showdown[ending]
    stake: Floats  # stake[ending], from the viewpoint of player 0
    n_slots: int  # maximum number of actions at a decision


class BothStrategies(NamedTuple):
    """Action probabilities: `p[player][start[player, street] + row[edge] * n_cells[player, street] + cell]`."""

    p: tuple[Floats, Floats]
    start: Int64s
    n_cells: Int64s


@njit(cache=True)
def shown(first: Floats, second: Floats, rank: Int64s, cards: Int64s, below: Floats):
    """Sum of first[i] * second[j] * sign(rank[i] - rank[j]) over pairs of hands without a common card. below[2, 53] is
    work space."""
    below[:] = 0.0
    total, start, n = 0.0, 0, len(rank)
    while start < n:
        end = start
        while end < n and rank[end] == rank[start]:
            a, b = cards[end, 0], cards[end, 1]
            total += first[end] * (below[1, 52] - below[1, a] - below[1, b])
            total -= second[end] * (below[0, 52] - below[0, a] - below[0, b])
            end += 1
        for i in range(start, end):
            a, b = cards[i, 0], cards[i, 1]
            below[0, a] += first[i]
            below[0, b] += first[i]
            below[0, 52] += first[i]
            below[1, a] += second[i]
            below[1, b] += second[i]
            below[1, 52] += second[i]
        start = end
    return total


@njit(cache=True)
def together(first: Floats, second: Floats, cards: Int64s, by_card: Floats):
    """Sum of first[i] * second[j] over pairs of hands without a common card. by_card[2, 53] is work space."""
    by_card[:] = 0.0
    total = 0.0
    for i in range(len(first)):
        a, b = cards[i, 0], cards[i, 1]
        by_card[0, a] += first[i]
        by_card[0, b] += first[i]
        by_card[0, 52] += first[i]
        by_card[1, a] += second[i]
        by_card[1, b] += second[i]
        by_card[1, 52] += second[i]
        total += first[i] * second[i]
    total += by_card[0, 52] * by_card[1, 52]
    for card in range(52):
        total -= by_card[0, card] * by_card[1, card]
    return total


@njit(cache=True, nogil=True)
def value_on_board(
    board: Int64s, combos: Int8s, evaluator: Tables, cells: Int64s, tree: ValuedTree, strategies: BothStrategies
):
    """Return player 0's mean winnings in chips, over all pairs of hands without a common card, on a board.
    `cells[player, street, combo]` are the hands' cells."""
    actor, street, first_edge, parent_edge, depth, edge_decision, child, row, showdown, stake, n_slots = tree
    strategy, start, n_cells = strategies
    entries, scratch = np.empty(len(combos), np.uint32), np.empty(len(combos), np.uint32)
    key, suits, blocked = sums_of(board)
    n = rank_live(combos, blocked, key, suits, evaluator, entries)
    sort_by_rank(entries, n, scratch)
    rank, cards = np.empty(n, np.int64), np.empty((n, 2), np.int64)
    cell = np.empty((2, cells.shape[1], n), np.int64)
    for i in range(n):
        combo = entries[i] & np.uint32(2047)
        rank[i] = entries[i] >> np.uint32(11)
        cards[i, 0], cards[i, 1] = combos[combo, 0], combos[combo, 1]
        for s in range(cells.shape[1]):
            cell[0, s, i], cell[1, s, i] = cells[0, s, combo], cells[1, s, combo]
    most = depth.max() + 1
    reach = np.ones((2, most * n_slots + 1, n))
    root = most * n_slots
    # for each slot of an edge, where each player's reach is stored
    slot_of = np.empty((2, most * n_slots + 1), np.int64)
    slot_of[:, root] = root
    by_card = np.empty((2, 53))
    total = 0.0
    for d in range(len(actor)):
        above = root
        if parent_edge[d] >= 0:
            p = edge_decision[parent_edge[d]]
            above = depth[p] * n_slots + parent_edge[d] - first_edge[p]
        player, s = actor[d], street[d]
        before = reach[player, slot_of[player, above]]
        other = slot_of[1 - player, above]
        for edge in range(first_edge[d], first_edge[d + 1]):
            slot = depth[d] * n_slots + edge - first_edge[d]
            slot_of[player, slot], slot_of[1 - player, slot] = slot, other
            after, at = reach[player, slot], start[player, s] + row[edge] * n_cells[player, s]
            for i in range(n):
                after[i] = before[i] * strategy[player][at + cell[player, s, i]]
            if child[edge] < 0:
                ending = ~child[edge]
                first, second = reach[0, slot_of[0, slot]], reach[1, slot_of[1, slot]]
                if showdown[ending]:
                    total += stake[ending] * shown(first, second, rank, cards, by_card)
                else:
                    total += stake[ending] * together(first, second, cards, by_card)
    return total / together(reach[0, root], reach[1, root], cards, by_card)
