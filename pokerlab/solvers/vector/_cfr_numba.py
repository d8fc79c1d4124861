# mypy: ignore-errors
"""Kernels of `cfr.VectorCfr`: CFR over all (edge, cell) pairs of a betting tree.

The numbers of all (edge, cell) pairs form one flat array: the entries of a decision begin at `base[decision]` and
follow action by action, with `n_cells[street]` consecutive entries for each action. Kernels modify the arrays that
they fill or update in place. Every function unpacks its tuples first, because field access inside a loop costs more
than the loop's own work.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from pokerlab.arrays import Bools, Floats, Int8s, Int32s, Int64s

FOLDED, SHOWN = 0, 1


class Game(NamedTuple):
    """A betting tree and its pairs of cells, as arrays for the passes.

    `pair[pair_start[street, player, kind] + (board * n + j) * n + i]` is the value of one chip to `player`'s hand i
    against the opponent's hand j on the same board; the kind is FOLDED (joint probability) or SHOWN (showdown).
    """

    actor: Int8s  # actor[decision]
    street: Int8s  # street[decision]
    first_edge: Int32s  # first_edge[decision]; one more entry ends the last
    parent_edge: Int32s  # parent_edge[decision]
    base: Int64s  # base[decision]
    edge_decision: Int32s  # edge_decision[edge]
    child: Int32s  # child[edge]: a decision, or ~ending
    showdown: Bools  # showdown[ending]
    stake: Floats  # stake[player, ending]: chips, negative if the player loses them
    n_cells: Int64s  # n_cells[street]
    n_hands: Int64s  # n_hands[street]
    cell_start: Int64s  # cell_start[street]
    up: Int32s  # up[cell_start[street] + cell]: the cell on the street before
    pair_start: Int64s  # pair_start[street, player, kind]
    pair: Floats


class CfrSettings(NamedTuple):
    """A CFR variant, encoded as numbers."""

    alpha: float
    beta: float
    gamma: float
    floor: bool
    predictive: bool
    growth: float
    alternating: bool


class CfrTables(NamedTuple):
    """The players' tables, with a number for each (edge, cell). All arrays are modified in place."""

    regret: Floats
    sums: Floats
    now: Floats  # regrets of the last iteration; empty unless the variant is predictive
    strategy: Floats


class CfrScratch(NamedTuple):
    """Working arrays over (edge, cell) for one pass for one player."""

    reach: Floats  # probability that the opponent's actions lead through the edge
    own: Floats  # the same for the player's own actions
    value: Floats


@njit(cache=True)
def discount(power: float, t: int):
    """(t - 1)^power / ((t - 1)^power + 1); for infinity 1, for minus infinity 0."""
    if power == float("inf"):
        return 1.0
    if power == float("-inf") or t <= 1.0:
        return 0.0
    grown = (t - 1.0) ** power
    return grown / (grown + 1.0)


@njit(cache=True)
def iterate(n: int, t: int, settings: CfrSettings, game: Game, tables: CfrTables, scratch: CfrScratch) -> None:
    """Run `n` iterations, beginning with iteration `t` + 1. Modifies the tables."""
    free = tables.regret[:0]
    for _ in range(n):
        t += 1
        for player in range(2):
            forward(player, game, tables.strategy, scratch)
            endings(player, game, scratch)
            backward(player, t, settings, game, free, free, tables, scratch)
            if settings.alternating:
                refresh(player, t, settings, game, tables)
        if not settings.alternating:
            for player in range(2):
                refresh(player, t, settings, game, tables)


@njit(cache=True)
def forward(player: int, game: Game, strategy: Floats, scratch: CfrScratch) -> None:
    """Fill the arrays `reach` and `own` for every edge, from the first decision to the last."""
    actor, street, first_edge, parent_edge, base, edge_decision = game[:6]
    n_cells, cell_start, up = game.n_cells, game.cell_start, game.up
    reach, own, _ = scratch
    for d in range(len(actor)):
        n = n_cells[street[d]]
        start = cell_start[street[d]]
        edge = parent_edge[d]
        at = 0
        hop = False
        if edge >= 0:
            above = edge_decision[edge]
            at = base[above] + (edge - first_edge[above]) * n_cells[street[above]]
            hop = street[above] != street[d]
        mine = actor[d] == player
        row = base[d]
        for _ in range(first_edge[d + 1] - first_edge[d]):
            for c in range(n):
                theirs = 1.0
                ours = 1.0
                if edge >= 0:
                    source = at + (up[start + c] if hop else c)
                    theirs = reach[source]
                    ours = own[source]
                if mine:
                    ours *= strategy[row + c]
                else:
                    theirs *= strategy[row + c]
                reach[row + c] = theirs
                own[row + c] = ours
            row += n


@njit(cache=True)
def endings(player: int, game: Game, scratch: CfrScratch) -> None:
    """Fill the array `value` for the edges that end the hand, from the opponent's reach."""
    street, first_edge, base, child, showdown = game.street, game.first_edge, game.base, game.child, game.showdown
    stake, n_cells, n_hands, pair_start, pair = game.stake, game.n_cells, game.n_hands, game.pair_start, game.pair
    reach, _, value = scratch
    for d in range(len(street)):
        s = street[d]
        n, hands = n_cells[s], n_hands[s]
        row = base[d]
        for edge in range(first_edge[d], first_edge[d + 1]):
            if child[edge] < 0:
                ending = ~child[edge]
                matrix = pair_start[s, player, SHOWN if showdown[ending] else FOLDED]
                chips = stake[player, ending]
                for c in range(row, row + n):
                    value[c] = 0.0
                for board in range(n // hands):
                    out = row + board * hands
                    for j in range(hands):
                        weight = reach[out + j] * chips
                        if weight != 0.0:
                            line = matrix + (board * hands + j) * hands
                            for i in range(hands):
                                value[out + i] += pair[line + i] * weight
            row += n


@njit(cache=True)
def backward(player, t, settings, game, model, sure, tables, scratch):
    """Fill the array `value` from the last decision up.

    At the decisions of `player` the arrays `regret`, `sums` and `now` are also updated.

    If `model` and `sure` are not empty, the model decides in place of the player with probability `sure`. The value of
    an action is then (1 - sure) times its own plus sure times the value of the model's choice.
    """
    actor, street, first_edge, parent_edge, base, edge_decision = game[:6]
    n_cells, cell_start, up = game.n_cells, game.cell_start, game.up
    regret, sums, now, strategy = tables
    _, own, value = scratch
    alpha, beta, gamma, floor, predictive, growth, _ = settings
    overruled = len(sure) > 0
    keep, drop = discount(alpha + growth * t, t), discount(beta, t)
    fade = ((t - 1.0) / t) ** gamma if gamma != 0.0 else 1.0
    for d in range(len(actor) - 1, -1, -1):
        s = street[d]
        n = n_cells[s]
        first, n_actions = base[d], first_edge[d + 1] - first_edge[d]
        edge = parent_edge[d]
        target = -1
        hop = False
        if edge >= 0:
            above = edge_decision[edge]
            target = base[above] + (edge - first_edge[above]) * n_cells[street[above]]
            hop = street[above] != s
            if hop:
                for c in range(target, target + n_cells[street[above]]):
                    value[c] = 0.0
        for c in range(n):
            total = 0.0
            if actor[d] == player:
                if overruled:
                    bound = 0.0
                    for k in range(n_actions):
                        x = first + k * n + c
                        bound += sure[x] * model[x] * value[x]
                    for k in range(n_actions):
                        x = first + k * n + c
                        value[x] = bound + (1.0 - sure[x]) * value[x]
                for k in range(n_actions):
                    total += strategy[first + k * n + c] * value[first + k * n + c]
                for k in range(n_actions):
                    x = first + k * n + c
                    gain = value[x] - total
                    r = regret[x]
                    r = r * (keep if r > 0.0 else drop) + gain
                    if floor and r < 0.0:
                        r = 0.0
                    regret[x] = r
                    if predictive:
                        now[x] = gain
                    sums[x] = sums[x] * fade + own[x]
            else:
                for k in range(n_actions):
                    total += value[first + k * n + c]
            if target >= 0:
                if hop:
                    value[target + up[cell_start[s] + c]] += total
                else:
                    value[target + c] = total


@njit(cache=True)
def refresh(player: int, t: int, settings: CfrSettings, game: Game, tables: CfrTables) -> None:
    """Fill the array `strategy` of `player` for the next iteration, by regret matching."""
    actor, street, first_edge, base, n_cells = game.actor, game.street, game.first_edge, game.base, game.n_cells
    regret, _, now, strategy = tables
    predictive, keep = settings.predictive, discount(settings.alpha + settings.growth * (t + 1), t + 1)
    for d in range(len(actor)):
        if actor[d] != player:
            continue
        n = n_cells[street[d]]
        first, n_actions = base[d], first_edge[d + 1] - first_edge[d]
        for c in range(n):
            total = 0.0
            for k in range(n_actions):
                x = first + k * n + c
                r = regret[x] * keep + now[x] if predictive else regret[x]
                r = r if r > 0.0 else 0.0
                strategy[x] = r
                total += r
            for k in range(n_actions):
                x = first + k * n + c
                strategy[x] = strategy[x] / total if total > 0.0 else 1.0 / n_actions
