# mypy: ignore-errors
"""Kernels of `compact`: passes over the boards of a subgame. Tables have only possible hands, in 16 bits with a scale,
or in 32 bits.

As in `_subgame_numba`, a pass is made for one player, the *hero*: going down it computes the reach of the *other*
player, going up the value of every place to every hand of the hero. Here the betting on a board is divided into
*groups* of entries, so that the arrays that a pass writes stay in the processor's cache. Hands are numbered separately
on each board: only possible hands, and on a final board from worst to best.

A board's numbers are contiguous in a table: `table[base[board] + rows0 * n[board, 0] + rows1 * n[board, 1] + hand]`,
where `rows0` and `rows1` are the numbers of player 0's and player 1's rows before this one. The numbers of a decision
share a scale, `scale[board, decision]`; for float32 tables it is one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from pokerlab.arrays import Floats32, Int8s, Int16s, Int32s, Int64s
from pokerlab.solvers.subgames._locks_numba import best_locked, mix_locked, new_regrets_locked
from pokerlab.solvers.subgames._subgame_numba import BEST, DOWN, LEARN, ONE, UNLOCKED, UP, ZERO
from pokerlab.solvers.subgames._sweeps_numba import (
    Sweeps,
    add_double,
    add_hand,
    compiled,
    set_apart,
    side_by_side,
    spread,
    sweep,
    take_rake,
)

GOLDEN, SCATTER = np.uint32(0x9E3779B1), np.uint32(0x85EBCA6B)  # multipliers that spread whole numbers evenly
# shift by EIGHT leaves 24 bits of a random number; PER_STEP turns them into a share of one
EIGHT, PER_STEP = np.uint32(8), np.float32(2.0**-24)
SIZE_BITS = np.int32(0x7FFFFFFF)


class GroupWalk(NamedTuple):
    """The betting of a street from the hero's point of view, divided into groups. Slots and places are numbered
    separately in each group.

    A *place* is a row or (after the group's rows) an entry; a *slot* is an entry or (after those) a row of the other
    player.
    """

    hero: int
    entry: Int32s  # entry[group + 1]: first entry of each group
    decision: Int32s  # decision[group + 1]: first decision of each group
    actor: Int8s  # actor[decision]
    first_row: Int32s  # first_row[decision]; one more entry ends the last
    rows_before: Int64s  # rows_before[row, player]: number of the player's rows before this one
    place: Int32s  # place[decision]: the place that leads to it
    slot: Int32s  # slot[decision]: slot with the other player's reach of it
    row_slot: Int32s  # row_slot[row]: slot of a row of the other player
    shows: Sweeps
    folds: Sweeps
    exit_slot: Int32s  # exit_slot[exit]: slot in the only group of a street that is not the last
    exit_place: Int32s
    lock_row: Int32s  # lock_row[decision]: its first row in `locked`, or -1
    locked: Floats32  # locked[row, board, i]: probability of a locked action, negative for free ones


class LiveHands(NamedTuple):
    """Hands on the boards of a street, from the hero's point of view. The index `i` counts the possible hands of a
    board."""

    base: Int64s  # base[board + 1]: index of the board's first number in a table
    n: Int64s  # n[board, player]: number of possible hands
    high: Int8s  # high[board, i]: cards of the hero's hands
    low: Int8s
    rank: Int16s  # rank[board, i]
    other_high: Int8s
    other_low: Int8s
    other_rank: Int16s
    other_source: Int16s  # other_source[board, i]: number of the other player's hand on the previous board
    deal: Int32s  # deal[board + 1]: index of the first deal (card) whose board this one represents
    target: Int16s  # target[deal, i]: hand on the previous board that gets the value of the hero's i-th hand
    double: Int16s  # double[board, i]: number of the other player's hand with the same cards, or -1
    child: Int32s  # child[board + 1]: first board of the next street that follows


class PackedTables(NamedTuple):
    """The numbers that determine both strategies, and those that a learning pass modifies."""

    weights: np.ndarray
    regret: np.ndarray
    regret_scale: Floats32  # regret_scale[board, decision]
    sums: np.ndarray
    sums_scale: Floats32


class Above(NamedTuple):
    """The exits of the previous board, to which a board's values are added: values, places, and the probability of each
    card."""

    value: Floats32  # value[place, i]
    places: Int32s  # places[exit]; empty if nothing is to be added
    share: np.float32


class PassArrays(NamedTuple):
    """Arrays that a pass writes on one board of a street."""

    reach: Floats32  # reach[slot, i]
    value: Floats32  # value[place, i]
    p: Floats32  # p[action + 1, i]
    out: Floats32  # out[entry, i]: values of the entries
    at: Floats32  # at[i, LANES]
    won: Floats32
    apart: Floats32
    total: Floats32  # total[53, LANES]


def stored(x, share, table):
    """Convert the number `x` to the type of `table`. For integer tables it is rounded up if its fractional part plus
    `share` is at least 1, otherwise down."""
    raise NotImplementedError


@overload(stored, inline="always")
def _stored(x, share, table):
    if isinstance(table.dtype, types.Float):
        return lambda x, share, table: x
    return lambda x, share, table: np.int16(np.floor(x + share))


def levels(table):
    """Largest number that an integer table can hold before rounding up; 0 for a float table."""
    raise NotImplementedError


@overload(levels, inline="always")
def _levels(table):
    most = np.float32(0 if isinstance(table.dtype, types.Float) else 32766)
    return lambda table: most


@compiled
def mixed(weights, at, n_actions, n, p):
    """Fill `p[action, i]` with the positive part of a decision's weights, normalised; uniform where its sum is 0.

    Each loop has a form that compilers can vectorise: it has no branches and adds up nothing.
    """
    total, even = p[n_actions, :n], ONE / np.float32(n_actions)
    total[:] = ZERO
    for a in range(n_actions):
        w, out = weights[at + a * n : at + (a + 1) * n], p[a, :n]
        for i in range(n):
            x = np.float32(w[i])
            out[i] = x if x > ZERO else ZERO
        for i in range(n):
            total[i] += out[i]
    for i in range(n):
        total[i] = ONE / total[i] if total[i] > ZERO else -ONE
    for a in range(n_actions):
        out = p[a, :n]
        for i in range(n):
            share = out[i] * total[i]
            out[i] = share if total[i] > ZERO else even


@compiled
def largest(values, n_actions, n):
    """Return the bits of the largest absolute value. The maximum is taken over bit patterns, because integers can be
    compared in vectors."""
    top = np.int32(0)
    for a in range(n_actions):
        bits = values[a, :n].view(np.int32)
        for i in range(n):
            size = bits[i] & SIZE_BITS
            top = size if size > top else top
    return top


@compiled
def keep(values, n_actions, n, table, at):
    """Store values[action, i] of a decision in a table. Return their scale.

    Numbers are rounded up or down at random, so that many small changes are not lost. The random numbers are derived
    from the largest value, which changes in every iteration; so every run gets the same ones.
    """
    most = levels(table)
    scale, factor, salt = ONE, ONE, np.uint32(0)
    if most > ZERO:
        bits = np.empty(1, np.int32)
        bits[0] = largest(values, n_actions, n)
        top = bits.view(np.float32)[0]
        if top > ZERO:
            scale, factor, salt = top / most, most / top, np.uint32(np.uint32(bits[0]) * SCATTER)
    for a in range(n_actions):
        v, out, first = values[a, :n], table[at + a * n : at + (a + 1) * n], a * n
        for i in range(n):
            drawn = np.uint32(salt + np.uint32(first + i) * GOLDEN)
            out[i] = stored(v[i] * factor, np.float32(np.int32(drawn >> EIGHT)) * PER_STEP, table)
    return scale


@compiled
def down(walk, hands, board, group, tables, weight, work):
    """Compute the other player's reach at its rows. Unless `weight` is negative, also multiply the strategy sums by
    `weight` and add the reach to them."""
    base, n0, n1, n = hands.base[board], hands.n[board, 0], hands.n[board, 1], hands.n[board, 1 - walk.hero]
    for d in range(walk.decision[group], walk.decision[group + 1]):
        if walk.actor[d] == walk.hero:
            continue
        row, n_actions = walk.first_row[d], walk.first_row[d + 1] - walk.first_row[d]
        at = base + walk.rows_before[row, 0] * n0 + walk.rows_before[row, 1] * n1
        if walk.lock_row[d] >= 0:
            mix_locked(tables.weights, at, n_actions, n, board, walk.locked, walk.lock_row[d], work.p)
        else:
            mixed(tables.weights, at, n_actions, n, work.p)
        before = work.reach[walk.slot[d], :n]
        for a in range(n_actions):
            out, share = work.reach[walk.row_slot[row + a], :n], work.p[a, :n]
            for i in range(n):
                out[i] = before[i] * share[i]
        if weight >= ZERO:
            factor = tables.sums_scale[board, d] * weight
            for a in range(n_actions):
                out, total = work.reach[walk.row_slot[row + a], :n], work.p[a, :n]
                old = tables.sums[at + a * n : at + (a + 1) * n]
                for i in range(n):
                    total[i] = np.float32(old[i]) * factor + out[i]
            tables.sums_scale[board, d] = keep(work.p, n_actions, n, tables.sums, at)


@compiled
def up(walk, hands, board, group, mode, tables, update, work):
    """Compute the values of decisions from the values of their rows, from the last decision to the first; in LEARN also
    the hero's new regrets."""
    base, n0, n1, n = hands.base[board], hands.n[board, 0], hands.n[board, 1], hands.n[board, walk.hero]
    first = walk.first_row[walk.decision[group]]
    value, p = work.value, work.p
    for d in range(walk.decision[group + 1] - 1, walk.decision[group] - 1, -1):
        row, n_actions = walk.first_row[d], walk.first_row[d + 1] - walk.first_row[d]
        place, out = row - first, value[walk.place[d], :n]
        if walk.actor[d] != walk.hero:
            out[:] = value[place, :n]
            for a in range(1, n_actions):
                v = value[place + a, :n]
                for i in range(n):
                    out[i] += v[i]
            continue
        lock = walk.lock_row[d]
        if mode == BEST and lock >= 0:
            best_locked((row, row + n_actions), board, 0, walk.locked, lock, value, place, out)
            continue
        if mode in (BEST, UNLOCKED):
            out[:] = value[place, :n]
            for a in range(1, n_actions):
                v = value[place + a, :n]
                for i in range(n):
                    out[i] = v[i] if v[i] > out[i] else out[i]
            continue
        at = base + walk.rows_before[row, 0] * n0 + walk.rows_before[row, 1] * n1
        if lock >= 0:
            mix_locked(tables.weights, at, n_actions, n, board, walk.locked, lock, p)
        else:
            mixed(tables.weights, at, n_actions, n, p)
        out[:] = ZERO
        for a in range(n_actions):
            v, share = value[place + a, :n], p[a, :n]
            for i in range(n):
                out[i] += v[i] * share[i]
        if mode == LEARN:
            scale = tables.regret_scale[board, d]
            positive, negative = scale * update.positive, scale * update.negative
            least = ZERO if update.floor else np.float32(-3e38)
            if lock >= 0:
                factors = (positive, negative, least)
                new_regrets_locked(
                    tables.regret, at, n_actions, n, board, walk.locked, lock, factors, value, place, p
                )  # fmt: skip
            for a in range(n_actions if lock < 0 else 0):
                v, new, old = value[place + a, :n], p[a, :n], tables.regret[at + a * n : at + (a + 1) * n]
                for i in range(n):
                    r = np.float32(old[i])
                    x = r * (positive if r > ZERO else negative) + (v[i] - out[i])
                    new[i] = x if x > least else least
            tables.regret_scale[board, d] = keep(p, n_actions, n, tables.regret, at)


@compiled
def showdowns(walk, hands, board, group, work):
    """Compute the values of the showdowns on a final board."""
    n, n_other, ends = hands.n[board, walk.hero], hands.n[board, 1 - walk.hero], walk.shows
    for s in range(ends.group[group], ends.group[group + 1]):
        side_by_side(work.reach, ends.slot[s], ends.n_lanes[s], n_other, work.at)
        sweep(hands, board, n, n_other, work.at, work.total, work.won, work.apart)
        first, last = ends.first[s], ends.first[s + 1]
        spread(work.won, n, first, last, ends.lane, ends.place, ends.stake, work.value)
        if last > first and ends.rake[first] > ZERO:
            take_rake(work.apart, n, first, last, ends.lane, ends.place, ends.rake, work.value)
        first, last = ends.fold_first[s], ends.fold_first[s + 1]
        spread(work.apart, n, first, last, ends.fold_lane, ends.fold_place, ends.fold_stake, work.value)


@compiled
def folds(walk, hands, board, group, work):
    """Compute the values of the folds on a board."""
    n, n_other, ends = hands.n[board, walk.hero], hands.n[board, 1 - walk.hero], walk.folds
    high, low, double = hands.high[board], hands.low[board], hands.double[board]
    other_high, other_low = hands.other_high[board], hands.other_low[board]
    for s in range(ends.group[group], ends.group[group + 1]):
        side_by_side(work.reach, ends.slot[s], ends.n_lanes[s], n_other, work.at)
        work.total[:] = ZERO
        for j in range(n_other):
            add_hand(other_high[j], other_low[j], work.at[j], work.total)
        for i in range(n):
            set_apart(high[i], low[i], work.total, work.apart[i])
            add_double(double[i], work.at, work.apart[i])
        spread(work.apart, n, ends.first[s], ends.first[s + 1], ends.lane, ends.place, ends.stake, work.value)


@compiled
def enter(walk, hands, board, group, before, came_from, work):
    """Set the other player's reach at the group's entries: its reach at the exits of the previous board, for hands that
    are still possible."""
    n, source, first = hands.n[board, 1 - walk.hero], hands.other_source[board], walk.entry[group]
    for e in range(first, walk.entry[group + 1]):
        came, out = before[came_from[e]], work.reach[e - first, :n]
        for i in range(n):
            out[i] = came[source[i]]


@compiled
def leave(walk, hands, board, group, work):
    """Copy the values of the group's entries to `work.out`."""
    n, first = hands.n[board, walk.hero], walk.entry[group]
    n_rows = walk.first_row[walk.decision[group + 1]] - walk.first_row[walk.decision[group]]
    for e in range(first, walk.entry[group + 1]):
        work.out[e, :n] = work.value[n_rows + e - first, :n]


@compiled
def add_board(hands, board, hero, share, out, exit_place, value):
    """Add the values of a board's entries to the exits of the previous board: once for every card that leads to this
    board or to a board that it represents."""
    n = hands.n[board, hero]
    for deal in range(hands.deal[board], hands.deal[board + 1]):
        target = hands.target[deal]
        for e in range(len(exit_place)):
            came, total = out[e, :n], value[exit_place[e]]
            for i in range(n):
                total[target[i]] += share * came[i]


@compiled
def visit(walk, hands, boards, steps, entries, mode, tables, update, work, above):
    """Pass DOWN, UP or both (`steps`) over the boards boards[0] .. boards[1] - 1.

    The values of a board's entries are added to the exits of the previous board (`above`, if it has places). On a board
    that is not final, the caller goes down, visits the next boards, and then goes up.
    """
    for board in range(boards[0], boards[1]):
        for group in range(len(walk.entry) - 1):
            if steps & DOWN:
                enter(walk, hands, board, group, entries.before, entries.slots, work)
                down(walk, hands, board, group, tables, update.weight, work)
            if steps & UP:
                showdowns(walk, hands, board, group, work)
                folds(walk, hands, board, group, work)
                up(walk, hands, board, group, mode, tables, update, work)
                leave(walk, hands, board, group, work)
        if len(above.places) > 0:
            add_board(hands, board, walk.hero, above.share, work.out, above.places, above.value)


@compiled
def unpack(walk, hands, order, board, player, weights, n_hands, out):
    """Fill `out[row, board * n_hands + hand]` with a player's probabilities; impossible hands get uniform ones."""
    n, n0, n1 = hands.n[board, player], hands.n[board, 0], hands.n[board, 1]
    for d in range(len(walk.actor)):
        if walk.actor[d] != player:
            continue
        row, n_actions = walk.first_row[d], walk.first_row[d + 1] - walk.first_row[d]
        at = hands.base[board] + walk.rows_before[row, 0] * n0 + walk.rows_before[row, 1] * n1
        p = np.empty((n_actions + 1, n), np.float32)
        if walk.lock_row[d] >= 0:
            mix_locked(weights, at, n_actions, n, board, walk.locked, walk.lock_row[d], p)
        else:
            mixed(weights, at, n_actions, n, p)
        for a in range(n_actions):
            out[row + a, board * n_hands : (board + 1) * n_hands] = ONE / np.float32(n_actions)
            for i in range(n):
                out[row + a, board * n_hands + order[i]] = p[a, i]
