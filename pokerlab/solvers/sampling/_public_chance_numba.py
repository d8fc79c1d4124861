# mypy: ignore-errors
"""Kernels of public-chance sampling: one walk over the betting tree covers all hands of both players on a board.

Hands are those possible on the board, numbered from the weakest to the strongest. `cell[street, hand]` is the cell of a
hand, `card[hand, k]` are its cards, and `group_end[hand]` is one past the last hand that ties with it. The walk has one
vector over hands for each depth, so its memory is (depth of the tree) x (actions) x (hands), however large the tree is.
Regrets and sums have the layout of `pair_tables`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Int32s, Int64s

if TYPE_CHECKING:
    from pokerlab.solvers.core._pair_tables_numba import PairTree


class Buffers(NamedTuple):
    """Working arrays for the decisions on the path to the current one."""

    decision: Int64s  # decision[depth]
    action: Int64s  # action[depth]: the next action to visit
    own: Floats  # own[depth, hand]: reach of the player who is updated
    other: Floats  # other[depth, hand]: reach of the opponent
    sigma: Floats  # sigma[depth, action, hand]
    value: Floats  # value[depth, action, hand]
    total: Floats  # total[depth, hand]
    # held[2, card]: the opponent's reach with each card: with hands of lower rank (or all), and of this rank
    held: Floats


class BoardDeals(NamedTuple):
    """Boards, and every hand on each."""

    cells: Int32s  # cells[board, street, hand]
    ranks: Int32s  # ranks[board, hand]; negative where the board blocks the hand
    hand_cards: Int32s  # hand_cards[hand, k]


class OrderedHands(NamedTuple):
    """Hands possible on a board, weakest first."""

    n: int
    cell: Int64s  # cell[street, hand]
    card: Int64s  # card[hand, k]
    group_end: Int64s  # group_end[hand]


class PairSums(NamedTuple):
    """The learned tables, modified in place."""

    regret: Floats  # regret[pair]
    sums: Floats  # sums[pair]


class Weights(NamedTuple):
    """An iteration's weights of regrets and sums, and whether negative regrets are set to 0."""

    regret: float
    average: float
    floor: bool


@njit(cache=True, error_model="numpy")
def order_hands(cells: Int32s, ranks: Int32s, hand_cards: Int32s, cell: Int64s, card: Int64s, group_end: Int64s):
    """List the hands with `ranks[hand] >= 0`, weakest first: fill `cell`, `card` and `group_end` (see the module).
    Return the number of hands."""
    order = np.argsort(ranks, kind="mergesort")
    n_blocked = np.sum(ranks < 0)
    n = len(ranks) - n_blocked
    end = n
    for i in range(n - 1, -1, -1):
        hand = order[n_blocked + i]
        cell[:, i] = cells[:, hand]
        card[i] = hand_cards[hand]
        if i < n - 1 and ranks[hand] != ranks[order[n_blocked + i + 1]]:
            end = i + 1
        group_end[i] = end
    return n


@njit(cache=True, error_model="numpy")
def fold_values(n: int, card: Int64s, reach: Floats, held: Floats, fixed: float, out: Floats) -> None:
    """Set `out[hand]` to `fixed` chips times the opponent's reach with hands that share no card with this one."""
    held[0] = 0.0
    all_reach, n_hole = 0.0, card.shape[1]
    for h in range(n):
        all_reach += reach[h]
        for k in range(n_hole):
            held[0, card[h, k]] += reach[h]
    for h in range(n):
        met = all_reach + (n_hole - 1) * reach[h]
        for k in range(n_hole):
            met -= held[0, card[h, k]]
        out[h] = fixed * met


@njit(cache=True, error_model="numpy")
def showdown_values(
    n: int, card: Int64s, group_end: Int64s, reach: Floats, held: Floats, pot: float, out: Floats
) -> None:
    """Add to out[hand]: `pot` chips times (the opponent's reach with weaker hands + half of its reach with equal
    hands)."""
    held[0] = 0.0
    n_hole, below, h = card.shape[1], 0.0, 0
    while h < n:
        end, level = group_end[h], 0.0
        for i in range(h, end):
            for k in range(n_hole):
                held[1, card[i, k]] = 0.0
        for i in range(h, end):
            level += reach[i]
            for k in range(n_hole):
                held[1, card[i, k]] += reach[i]
        for i in range(h, end):
            won, tied = below, level + (n_hole - 1) * reach[i]
            for k in range(n_hole):
                won -= held[0, card[i, k]]
                tied -= held[1, card[i, k]]
            out[i] += pot * (won + 0.5 * tied)
        for i in range(h, end):
            for k in range(n_hole):
                held[0, card[i, k]] += reach[i]
        below += level
        h = end


@njit(cache=True, error_model="numpy")
def match_all(regret: Floats, at: int, n_actions: int, n: int, cell: Int64s, sigma: Floats) -> None:
    """Fill `sigma[action, hand]` by regret matching in each hand's cell."""
    for h in range(n):
        pair, total = at + cell[h] * n_actions, 0.0
        for a in range(n_actions):
            total += max(regret[pair + a], 0.0)
        for a in range(n_actions):
            sigma[a, h] = max(regret[pair + a], 0.0) / total if total > 0 else 1.0 / n_actions


@njit(cache=True, error_model="numpy")
def learn(tables, weights, at, n_actions, n, cell, value, total, own, sigma):
    """At one decision, add each hand's regrets to those of its cell, and its reach times strategy to the sums of its
    cell."""
    regret, sums = tables
    weight, average, floor = weights
    for h in range(n):
        pair = at + cell[h] * n_actions
        for a in range(n_actions):
            regret[pair + a] += weight * (value[a, h] - total[h])
            sums[pair + a] += average * own[h] * sigma[a, h]
    if floor:
        for h in range(n):
            pair = at + cell[h] * n_actions
            for a in range(n_actions):
                regret[pair + a] = max(regret[pair + a], 0.0)


@njit(cache=True, error_model="numpy")
def public_walk(
    player: int, hands: OrderedHands, tree: PairTree, tables: PairSums, buffers: Buffers, weights: Weights
) -> None:
    """Update `player` (of two) for all hands of both players on one board."""
    n, cell, card, group_end = hands
    actor, street, first_edge, child, start, fixed, first_pot, pot, _ = tree
    decision, action, own, other, sigma, value, total, held = buffers
    depth = 0
    decision[0], action[0] = 0, 0
    own[0, :n] = 1.0
    other[0, :n] = 1.0
    while depth >= 0:
        d, a = decision[depth], action[depth]
        n_actions, mine, c = first_edge[d + 1] - first_edge[d], actor[d] == player, cell[street[d]]
        if a == 0:
            match_all(tables.regret, start[d], n_actions, n, c, sigma[depth])
            total[depth, :n] = 0.0
        if a < n_actions:
            action[depth] += 1
            for h in range(n):
                own[depth + 1, h] = own[depth, h] * (sigma[depth, a, h] if mine else 1.0)
                other[depth + 1, h] = other[depth, h] * (1.0 if mine else sigma[depth, a, h])
            to = child[first_edge[d] + a]
            if to >= 0:
                depth += 1
                decision[depth], action[depth] = to, 0
                continue
            fold_values(n, card, other[depth + 1], held, fixed[~to, player], value[depth, a])
            for k in range(first_pot[~to], first_pot[~to + 1]):
                showdown_values(n, card, group_end, other[depth + 1], held, pot[k], value[depth, a])
            continue
        for b in range(n_actions):
            for h in range(n):
                total[depth, h] += value[depth, b, h] * (sigma[depth, b, h] if mine else 1.0)
        if mine:
            learn(tables, weights, start[d], n_actions, n, c, value[depth], total[depth], own[depth], sigma[depth])
        depth -= 1
        if depth >= 0:
            value[depth, action[depth] - 1, :n] = total[depth + 1, :n]


@njit(cache=True, nogil=True, error_model="numpy")
def run_boards(t, powers, deals, scale, tree, tables, buffers, floor):
    """Run one iteration on each board of `deals`, beginning with iteration number `t`. Modifies the tables."""
    cells, ranks, hand_cards = deals
    n_streets, n_hands = cells.shape[1], cells.shape[2]
    cell = np.empty((n_streets, n_hands), np.int64)
    card, group_end = np.empty(hand_cards.shape, np.int64), np.empty(n_hands, np.int64)
    for i in range(len(cells)):
        n = order_hands(cells[i], ranks[i], hand_cards, cell, card, group_end)
        iteration = float(t + i)
        weight = scale * (iteration ** powers[0] if powers[0] else 1.0)
        average = iteration ** powers[1] if powers[1] else 1.0
        hands = OrderedHands(n, cell, card, group_end)
        for player in range(2):
            public_walk(player, hands, tree, tables, buffers, Weights(weight, average, floor))
