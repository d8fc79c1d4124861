# mypy: ignore-errors
"""Kernels of BETS deal by deal: CFR for the two players, and updates of the bet sizes.

Regrets and sums of a street are stored hand by hand, at `start[street] + cell * n_rows[street] + row`, so that the
entries used for a deal on a street are contiguous in memory. Tuples are unpacked before loops, because field access
inside a loop costs more than the loop's own work. `levels` and `bets` are those of a `sized_tree.SizedTree`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Int8s, Int32s, Int64s
from pokerlab.solvers.bet_sizing.resizing import resized
from pokerlab.solvers.vector._cfr_numba import discount

if TYPE_CHECKING:
    from pokerlab.solvers.bet_sizing.sized_tree import Levels

move = njit(resized)


class SizingSettings(NamedTuple):
    """Settings: how sizes move, and how regrets are weighted. The last five define a CFR variant."""

    n: float
    by_reach: bool
    discounted: bool  # whether regrets of sizes are discounted like those of the players
    average_from: float  # the first iteration whose sizes are averaged
    alpha: float
    beta: float
    gamma: float
    growth: float
    floor: bool


class BetsTree(NamedTuple):
    """A betting tree as arrays for `walk`."""

    actor: Int8s  # actor[decision]
    street: Int8s  # street[decision]
    first_edge: Int32s  # first_edge[decision]; one more entry ends the last
    parent_edge: Int32s  # parent_edge[decision]
    after: Int64s  # after[decision]: the next decision outside its subtree
    child: Int32s  # child[edge]: a decision, or ~ending
    row: Int32s  # row[edge]
    folder: Int8s  # folder[ending]: the player who folded, -1 at a showdown
    stake_level: Int32s  # stake_level[ending]
    start: Int64s  # start[street]
    n_rows: Int64s  # n_rows[street]


class SizeTables(NamedTuple):
    """State of each sized bet; all arrays are modified in place."""

    size: Floats  # size[bet]
    for_low: Floats  # for_low[bet]
    for_high: Floats  # for_high[bet]
    size_sum: Floats  # size_sum[bet]
    importance: Floats  # importance[bet]


class BetsTables(NamedTuple):
    """Regrets and strategy sums of the players; all arrays are modified in place."""

    regret: Floats
    sums: Floats
    now: Floats  # regrets of the current iteration; empty if deals are sampled


class BetsScratch(NamedTuple):
    """Working arrays of a walk."""

    amount: Floats  # amount[level], in chips
    worth: Floats  # worth[level]: d value of player 0 / d amount
    strategy: Floats  # strategy[edge]
    reach: Floats  # reach[edge, player]
    value: Floats  # value[edge]
    order: Int64s  # order[i]: the decisions visited


def new_scratch(n_levels: int, n_edges: int, n_decisions: int) -> BetsScratch:
    """Allocate working arrays for walks over one tree."""
    return BetsScratch(
        np.empty(n_levels), np.empty(n_levels), np.empty(n_edges), np.empty((n_edges, 2)), np.empty(n_edges),
        np.empty(n_decisions, np.int64),
    )  # fmt: skip


@njit(cache=True)
def amounts(levels: Levels, size: Floats, amount: Floats) -> None:
    """Compute `amount[level]`, the chips of each level, for the sizes `size[bet]`.

    First the array `grow` of `levels` is set at the levels of sized bets.
    """
    constant, grow, less, raised, before, bet = levels
    for level in range(len(raised)):
        if bet[level] >= 0:
            grow[level] = 1.0 + 2.0 * size[bet[level]]
        amount[level] = 0.0
        amount[level] = constant[level] + grow[level] * amount[raised[level]] - less[level] * amount[before[level]]


@njit(cache=True)
def pass_down(levels: Levels, worth: Floats) -> None:
    """Complete `worth[level]`, the derivative of the value by the chips of a level.

    At first it has only the part from terminal nodes; this adds the part from the levels that raise a level.
    """
    _, grow, less, raised, before, _ = levels
    for level in range(len(raised) - 1, 0, -1):
        worth[raised[level]] += grow[level] * worth[level]
        worth[before[level]] -= less[level] * worth[level]


@njit(cache=True)
def walk(cells, result, weight, tree, regret, gain, sums, own_weight, scratch):
    """Walk one deal through the tree, and add to `gain` (regrets of this iteration), `sums` and `worth[level]`.

    `cells[player, street]` are the players' cells; `result` is player 0's payoff of a showdown per chip. Parts of the
    tree that neither player reaches are skipped, since nothing is learned there.
    """
    actor, street, first_edge, parent_edge, after, child, row, folder, stake_level, start, n_rows = tree
    amount, worth, strategy, reach, value, order = scratch
    d, n_visited = 0, 0
    while d < len(actor):
        ours, theirs = 1.0, 1.0
        edge = parent_edge[d]
        if edge >= 0:
            ours, theirs = reach[edge, 0], reach[edge, 1]
            if ours == 0.0 and theirs == 0.0:
                value[edge] = 0.0
                d = after[d]
                continue
        order[n_visited] = d
        n_visited += 1
        s = street[d]
        first, last = first_edge[d], first_edge[d + 1]
        at = start[s] + cells[actor[d], s] * n_rows[s] + row[first]
        total = 0.0
        for k in range(last - first):
            r = regret[at + k]
            if r > 0.0:
                total += r
        for k in range(last - first):
            if total > 0.0:
                r = regret[at + k]
                p = r / total if r > 0.0 else 0.0
            else:
                p = 1.0 / (last - first)
            e = first + k
            strategy[e] = p
            reach[e, 0] = ours * p if actor[d] == 0 else ours
            reach[e, 1] = theirs * p if actor[d] == 1 else theirs
            if child[e] < 0:
                z = ~child[e]
                if folder[z] < 0:
                    v = result
                else:
                    v = -1.0 if folder[z] == 0 else 1.0
                value[e] = v * amount[stake_level[z]]
                worth[stake_level[z]] += v * reach[e, 0] * reach[e, 1]
        d += 1
    for n in range(n_visited - 1, -1, -1):
        d = order[n]
        s = street[d]
        first, last = first_edge[d], first_edge[d + 1]
        mine = actor[d]
        at = start[s] + cells[mine, s] * n_rows[s] + row[first]
        total = 0.0
        for e in range(first, last):
            total += strategy[e] * value[e]
        edge = parent_edge[d]
        other = 1.0
        if edge >= 0:
            value[edge] = total
            other = reach[edge, 1 - mine]
        factor = weight * other
        if mine == 1:
            factor = -factor
        for k in range(last - first):
            gain[at + k] += factor * (value[first + k] - total)
            sums[at + k] += own_weight * weight * reach[first + k, mine]


@njit(cache=True)
def iterate(n, t, draw, settings, deals, tree, levels, bets, sizes, tables, scratch):
    """Run `n` iterations, beginning with iteration `t` + 1. Modifies the sizes and the tables.

    `deals` is (cells[deal, player, street], result[deal], weight[deal]). `draw` has the number of a deal for each
    iteration; if it is empty, each iteration goes through all deals. With sampled deals, regrets have no discounts and
    no floor.
    """
    cells, result, weight = deals
    bet_edge, bet_level, bet_player, low, high = bets
    size, for_low, for_high, size_sum, importance = sizes
    regret, sums, now = tables
    amount, worth, reach, raised = scratch.amount, scratch.worth, scratch.reach, levels.raised
    n_bets = len(bet_level)
    slope = np.empty(n_bets)
    likely = np.empty(n_bets)
    sampled = len(draw) > 0
    gain = regret if sampled else now
    for step in range(n):
        t += 1
        amounts(levels, size, amount)
        slope[:] = 0.0
        likely[:] = 0.0
        own_weight = float(t) ** settings.gamma
        for k in range(1 if sampled else len(weight)):
            deal = draw[step] if sampled else k
            w = 1.0 if sampled else weight[deal]
            worth[:] = 0.0
            for i in range(n_bets):
                reach[bet_edge[i], 0] = 0.0
            walk(cells[deal], result[deal], w, tree, regret, gain, sums, own_weight, scratch)
            pass_down(levels, worth)
            for i in range(n_bets):
                here = 2.0 * w * worth[bet_level[i]] * amount[raised[bet_level[i]]]
                if bet_player[i] == 1:
                    here = -here
                slope[i] += here
                importance[i] += abs(here) / 2.0
                likely[i] += w * reach[bet_edge[i], 0] * reach[bet_edge[i], 1]
        keep, drop = discount(settings.alpha + settings.growth * t, t), discount(settings.beta, t)
        keep_sizes, drop_sizes = (keep, drop) if settings.discounted else (1.0, 1.0)
        if not sampled:
            for x in range(len(regret)):
                r = regret[x]
                r = r * (keep if r > 0.0 else drop) + now[x]
                regret[x] = 0.0 if settings.floor and r < 0.0 else r
                now[x] = 0.0
        for i in range(n_bets):
            rate = (likely[i] if settings.by_reach else 1.0) / min(float(t), settings.n)
            size[i], for_low[i], for_high[i] = move(
                size[i], for_low[i], for_high[i], slope[i], low[i], high[i], rate, keep_sizes, drop_sizes
            )
            if t >= settings.average_from:
                size_sum[i] += size[i]
