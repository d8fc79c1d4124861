# mypy: ignore-errors
"""Compiled passes over one street of a subgame: all hands of a player at once, board by board.

A pass is made for one player, the *hero*. Going down it computes the reach of the *other* player at each place of the
street's betting; going up it computes the value of each place to every hand of the hero.

Shapes: a *row* is an edge of the street. A *place* is a row or (after all rows) an entry into the street from the
previous one. A *slot* is an entry or (after all entries) a row of the other player, whose reach changes only at its own
rows. Arrays are weights, regret, sums and ahead[row, board, hand]; reach[slot, hand]; value[place, hand]. Hands of a
player lie between `first` and `last`. Results do not depend on how boards are divided among threads. The readable twin
is `best_response` with the matrices of `SubgameCells.pairs`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Floats32, Int8s, Int16s, Int32s, Int64s
from pokerlab.solvers.subgames._locks_numba import best_locked, learn_locked, match_locked

BLOCK = 16
WIDTH = 4 * BLOCK
"""Endings are swept up to WIDTH together, in whole blocks: the innermost loops run over them, as vectors."""
ZERO = np.float32(0)
ONE = np.float32(1)

DOWN, UP = 1, 2
FIXED, BEST, LEARN, UNLOCKED = 0, 1, 2, 3
"""What the hero does on the way up: plays its weights, responds best, plays them and learns from the regrets, or
responds best without keeping its locks."""


class HeroWalk(NamedTuple):
    """Betting of one street from the hero's point of view."""

    hero: int
    n_entries: int
    actor: Int8s  # [decision]
    first_row: Int32s  # [decision + 1]
    place: Int32s  # [decision]: the place that leads to it
    slot: Int32s  # [decision]: where the other's reach of it is
    row_slot: Int32s  # [row]: the slot of the other's rows
    show_slot: Int32s  # slots whose reach meets a showdown, filled up to whole blocks; none before the last street
    show_first: Int32s  # [slot + 1]: their endings; as long as there are slots before filling up
    show_place: Int32s  # [ending]
    show_stake: Floats32  # [ending]: chips; with rake, those of `best_response.stakes`
    show_rake: Floats32  # [ending]: half the rake of a showdown, paid by the winner
    fold_slot: Int32s  # the same for folds, with the stake's sign as the hero sees it
    fold_first: Int32s
    fold_place: Int32s
    fold_stake: Floats32
    lock_row: Int32s  # [decision]: its first row in `locked`, or -1
    locked: Floats32  # [row, board, hand]: probability of a locked action, negative if it is free


class StreetHands(NamedTuple):
    """Hands on a street from the hero's point of view."""

    high: Int32s  # [hand]: card
    low: Int32s
    first: int  # the hero's hands
    last: int
    other_first: int
    other_last: int
    live: Floats32  # [board, hand]: 1.0, or 0.0 where the hand holds a card of the board
    order: Int16s  # [board, i]: the hero's live hands, on a final board from worst to best
    n: Int64s  # [board]: how many there are
    rank: Int16s  # [board, i]: of order[board, i]
    other_order: Int16s
    other_n: Int64s
    other_rank: Int16s


class Room(NamedTuple):
    """Working arrays of `endings`."""

    at: Floats32  # [i, WIDTH]
    won: Floats32
    total: Floats32  # [53, WIDTH]
    high: Int32s  # [i]
    low: Int32s
    other_high: Int32s
    other_low: Int32s


class PassTables(NamedTuple):
    """Tables [row, board, hand] of one street: both players' action weights, and the tables that the hero's pass
    modifies."""

    weights: Floats32
    regret: Floats32
    sums: Floats32
    ahead: Floats32


class Entries(NamedTuple):
    """Source of a street's entries: the other player's reach[slot, hand] on the previous street, and the entries' slots
    there."""

    before: Floats32
    slots: Int32s  # [entry]


class BoardPass(NamedTuple):
    """Arrays that a pass writes on one board of a street."""

    reach: Floats32  # [slot, hand]
    value: Floats32  # [place, hand]
    p: Floats32  # [action + 1, hand]
    room: Room


class Update(NamedTuple):
    """Factors of a variant at one iteration, in float32; see `core.variants`."""

    positive: np.float32
    negative: np.float32
    weight: np.float32
    positive_next: np.float32
    floor: bool
    predictive: bool


@njit(cache=True, nogil=True, error_model="numpy")
def match(weights: Floats32, board: int, rows: tuple[int, int], hands: tuple[int, int], p: Floats32) -> None:
    """Fill `p[action, hand]` with the positive part of weights[rows, board], normalised; uniform where its sum is 0."""
    n = rows[1] - rows[0]
    total = p[n, hands[0] : hands[1]]
    total[:] = ZERO
    for a in range(n):
        w = weights[rows[0] + a, board, hands[0] : hands[1]]
        for h in range(len(total)):
            total[h] += w[h] if w[h] > ZERO else ZERO
    even = ONE / np.float32(n)
    for a in range(n):
        w = weights[rows[0] + a, board, hands[0] : hands[1]]
        out = p[a, hands[0] : hands[1]]
        for h in range(len(total)):
            x = w[h] if w[h] > ZERO else ZERO
            out[h] = x / total[h] if total[h] > ZERO else even


@njit(cache=True, nogil=True, error_model="numpy")
def down(walk, cards, board, weights, sums, weight, reach, p):
    """Compute the other player's reach at its rows. Unless `weight` is negative, also multiply `sums` by `weight` and
    add the reach to them."""
    hands = (cards.other_first, cards.other_last)
    for d in range(len(walk.actor)):
        if walk.actor[d] == walk.hero:
            continue
        rows = (walk.first_row[d], walk.first_row[d + 1])
        if walk.lock_row[d] >= 0:
            match_locked(weights, board, rows, hands, walk.locked, walk.lock_row[d], p)
        else:
            match(weights, board, rows, hands, p)
        before = reach[walk.slot[d], hands[0] : hands[1]]
        for row in range(rows[0], rows[1]):
            out = reach[walk.row_slot[row], hands[0] : hands[1]]
            share = p[row - rows[0], hands[0] : hands[1]]
            for h in range(len(out)):
                out[h] = before[h] * share[h]
            if weight >= ZERO:
                total = sums[row, board, hands[0] : hands[1]]
                for h in range(len(out)):
                    total[h] = total[h] * weight + out[h]


@njit(cache=True, nogil=True, error_model="numpy")
def up(walk, cards, board, mode, weights, regret, ahead, update, value, p):
    """Compute the values of decisions from the values of their rows, from the last decision to the first; in LEARN also
    the hero's new regrets."""
    hands = (cards.first, cards.last)
    for d in range(len(walk.actor) - 1, -1, -1):
        rows = (walk.first_row[d], walk.first_row[d + 1])
        out = value[walk.place[d], hands[0] : hands[1]]
        if walk.actor[d] != walk.hero:
            out[:] = ZERO
            for row in range(rows[0], rows[1]):
                v = value[row, hands[0] : hands[1]]
                for h in range(len(out)):
                    out[h] += v[h]
            continue
        lock = walk.lock_row[d]
        if mode == BEST and lock >= 0:
            best_locked(rows, board, hands[0], walk.locked, lock, value, rows[0], out)
            continue
        if mode in (BEST, UNLOCKED):
            out[:] = value[rows[0], hands[0] : hands[1]]
            for row in range(rows[0] + 1, rows[1]):
                v = value[row, hands[0] : hands[1]]
                for h in range(len(out)):
                    out[h] = v[h] if v[h] > out[h] else out[h]
            continue
        if lock >= 0:
            match_locked(weights, board, rows, hands, walk.locked, lock, p)
        else:
            match(weights, board, rows, hands, p)
        out[:] = ZERO
        for row in range(rows[0], rows[1]):
            v, share = value[row, hands[0] : hands[1]], p[row - rows[0], hands[0] : hands[1]]
            for h in range(len(out)):
                out[h] += v[h] * share[h]
        if mode == LEARN and lock >= 0:
            learn_locked(rows, board, hands, walk.locked, lock, regret, ahead, update, value, p)
        elif mode == LEARN:
            learn(rows, board, hands, regret, ahead, update, value, out)


@njit(cache=True, nogil=True, error_model="numpy")
def learn(rows, board, hands, regret, ahead, update, value, out):
    """Update the regrets of one decision and, with prediction, the regrets that determine the next strategy."""
    least = ZERO if update.floor else -np.float32(np.inf)
    for row in range(rows[0], rows[1]):
        v, r = value[row, hands[0] : hands[1]], regret[row, board, hands[0] : hands[1]]
        for h in range(len(out)):
            x = r[h] * (update.positive if r[h] > ZERO else update.negative) + (v[h] - out[h])
            r[h] = x if x > least else least
        if update.predictive:
            a = ahead[row, board, hands[0] : hands[1]]
            for h in range(len(out)):
                a[h] = r[h] * update.positive_next + (v[h] - out[h])


@njit(cache=True, nogil=True, error_model="numpy")
def gather(reach: Floats32, slots: Int32s, order: Int16s, n: int, at: Floats32) -> None:
    """Fill `at[i, k]` with the reach of the i-th hand in slots[k], BLOCK slots at a time."""
    for start in range(0, len(slots), BLOCK):
        for i in range(n):
            hand = order[i]
            for k in range(BLOCK):
                at[i, start + k] = reach[slots[start + k], hand]


@njit(cache=True, nogil=True, error_model="numpy")
def add_hands(begin: int, end: int, cards: tuple[Int32s, Int32s], at: Floats32, width: int, total: Floats32) -> None:
    """Add `at[i]` of the other player's hands i = begin .. end - 1 to `total[card]` for both of the hand's cards, and
    to `total[52]`."""
    for i in range(begin, end):
        a, b = cards[0][i], cards[1][i]
        for k in range(width):
            total[52, k] += at[i, k]
            total[a, k] += at[i, k]
            total[b, k] += at[i, k]


@njit(cache=True, nogil=True, error_model="numpy")
def add_totals(
    begin: int, end: int, cards: tuple[Int32s, Int32s], sign: float, total: Floats32, width: int, won: Floats32
) -> None:
    """For the hands i = begin .. end - 1, add to won[i] `sign` times (the reach in `total`, minus the reach with hands
    that hold the first card of hand i, minus the reach with hands that hold its second card)."""
    for i in range(begin, end):
        a, b = cards[0][i], cards[1][i]
        for k in range(width):
            won[i, k] += sign * (total[52, k] - total[a, k] - total[b, k])


@njit(cache=True, nogil=True, error_model="numpy")
def sweep(n, rank, cards, n_other, other_rank, other_cards, at, width, total, won):
    """Set `won[i, k]` to the other player's reach `at[j, k]` with the hands j that lose to hand i, minus its reach with
    the hands that beat it.

    Hands are processed from worst to best. `total` has the other player's reach with the hands below, in total and by
    card, so that hands sharing a card can be subtracted. The result is (hands below) + (hands not above) - (all hands):
    ties are in the second and third terms and cancel, and so does the other player's identical hand, whatever is
    subtracted for it.
    """
    won[:n, :width] = ZERO
    total[:, :width] = ZERO
    i, j = np.int64(0), np.int64(0)
    while i < n:
        end = i
        while end < n and rank[end] == rank[i]:
            end += 1
        begin = j
        while j < n_other and other_rank[j] < rank[i]:
            j += 1
        add_hands(begin, j, other_cards, at, width, total)
        add_totals(i, end, cards, ONE, total, width, won)
        begin = j
        while j < n_other and other_rank[j] == rank[i]:
            j += 1
        add_hands(begin, j, other_cards, at, width, total)
        add_totals(i, end, cards, ONE, total, width, won)
        i = end
    add_hands(j, n_other, other_cards, at, width, total)
    add_totals(0, n, cards, -ONE, total, width, won)


@njit(cache=True, nogil=True, error_model="numpy")
def cards_in_order(order: Int16s, n: int, cards: StreetHands, high: Int32s, low: Int32s) -> None:
    """Set `high[i]` and `low[i]` to the two cards of the i-th hand in `order`."""
    for i in range(n):
        high[i], low[i] = cards.high[order[i]], cards.low[order[i]]


@njit(cache=True, nogil=True, error_model="numpy")
def endings(walk: HeroWalk, cards: StreetHands, board: int, reach: Floats32, value: Floats32, room: Room) -> None:
    """Compute the values of the terminal nodes on a board."""
    order, n, other, n_other = cards.order[board], cards.n[board], cards.other_order[board], cards.other_n[board]
    own_cards, other_cards = (room.high, room.low), (room.other_high, room.other_low)
    cards_in_order(order, n, cards, room.high, room.low)
    cards_in_order(other, n_other, cards, room.other_high, room.other_low)
    at, won, total = room.at, room.won, room.total
    for start in range(0, len(walk.show_slot), WIDTH):
        slots = walk.show_slot[start : start + WIDTH]
        gather(reach, slots, other, n_other, at)
        rank, other_rank = cards.rank[board], cards.other_rank[board]
        sweep(n, rank, own_cards, n_other, other_rank, other_cards, at, len(slots), total, won)
        for k in range(start, min(start + WIDTH, len(walk.show_first) - 1)):
            for e in range(walk.show_first[k], walk.show_first[k + 1]):
                out = value[walk.show_place[e]]
                out[:] = ZERO
                for i in range(n):
                    out[order[i]] = walk.show_stake[e] * won[i, k - start]
                if walk.show_rake[e] > ZERO:
                    same, half = reach[walk.show_slot[k]], walk.show_rake[e]
                    for i in range(n):
                        all_ = total[52, k - start] - total[room.high[i], k - start] - total[room.low[i], k - start]
                        out[order[i]] -= half * (all_ + same[order[i]])
    for start in range(0, len(walk.fold_slot), WIDTH):
        slots = walk.fold_slot[start : start + WIDTH]
        gather(reach, slots, other, n_other, at)
        won[:n, : len(slots)] = ZERO
        total[:, : len(slots)] = ZERO
        add_hands(0, n_other, other_cards, at, len(slots), total)
        add_totals(0, n, own_cards, ONE, total, len(slots), won)
        for k in range(start, min(start + WIDTH, len(walk.fold_first) - 1)):
            same = reach[walk.fold_slot[k]]  # a hand's own double was taken off twice, once for each card
            for e in range(walk.fold_first[k], walk.fold_first[k + 1]):
                out = value[walk.fold_place[e]]
                out[:] = ZERO
                for i in range(n):
                    out[order[i]] = walk.fold_stake[e] * (won[i, k - start] + same[order[i]])


@njit(cache=True, nogil=True, error_model="numpy")
def enter(cards: StreetHands, board: int, before: Floats32, exit_slot: Int32s, reach: Floats32) -> None:
    """Fill `reach[entry, hand]` of the other player on a board: its reach before[slot, hand] at the end of the previous
    street, or 0 for hands that hold a card of the board."""
    live = cards.live[board]
    for e in range(len(exit_slot)):
        came, out = before[exit_slot[e]], reach[e]
        for h in range(len(out)):
            out[h] = came[h] * live[h]


@njit(cache=True, nogil=True, error_model="numpy")
def visit(walk, cards, boards, steps, entries, mode, tables, update, scratch, out):
    """Go DOWN, UP or both on boards[0] .. boards[1] - 1; going up fills `out[i, entry]` with the value of the i-th
    board.

    Between going down and up on a board that is not final, the caller computes the values of its exits.
    """
    first, last = boards
    weights, regret, sums, ahead = tables
    reach, value, p, room = scratch
    n_rows = len(walk.row_slot)
    for board in range(first, last):
        if steps & DOWN:
            enter(cards, board, entries.before, entries.slots, reach)
            down(walk, cards, board, weights, sums, update.weight, reach, p)
        if steps & UP:
            endings(walk, cards, board, reach, value, room)
            up(walk, cards, board, mode, weights, regret, ahead, update, value, p)
            for e in range(walk.n_entries):
                out[board - first, e] = value[n_rows + e]


@njit(cache=True, nogil=True, error_model="numpy")
def add_deals(entry_value, deal_board, deal_relabelling, relabelled, share, exit_place, value):
    """Fill in the values of a board's exits: `share` of the sum over the possible next cards.

    If a card's board is represented by another, equivalent board, a hand has the value there of the hand with suits
    exchanged.
    """
    for x in range(len(exit_place)):
        out = value[exit_place[x]]
        out[:] = ZERO
        for deal in range(len(deal_board)):
            came, hand = entry_value[deal_board[deal], x], relabelled[deal_relabelling[deal]]
            for h in range(len(out)):
                out[h] += came[hand[h]]
        for h in range(len(out)):
            out[h] *= share
