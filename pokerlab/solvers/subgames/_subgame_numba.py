# mypy: ignore-errors
"""Kernels: passes over one street of a subgame, with all hands of a player at once, board by board.

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
"""Maximum number of terminal nodes that are evaluated together, in whole blocks. The innermost loops run over them, as
vectors."""
ZERO = np.float32(0)
ONE = np.float32(1)

DOWN, UP = 1, 2
FIXED, BEST, LEARN, UNLOCKED = 0, 1, 2, 3
"""What the hero does in a pass: FIXED plays its strategy; BEST plays a best response; LEARN plays its strategy and
updates its regrets; UNLOCKED plays a best response that may ignore its locks."""


class HeroWalk(NamedTuple):
    """The betting of one street from the hero's point of view."""

    hero: int
    n_entries: int
    actor: Int8s  # actor[decision]
    first_row: Int32s  # first_row[decision]; one more entry ends the last
    place: Int32s  # place[decision]: the place that leads to it
    slot: Int32s  # slot[decision]: slot with the other player's reach of it
    row_slot: Int32s  # row_slot[row]: slot of a row of the other player
    show_slot: Int32s  # slots whose reach leads to a showdown; none before the last street
    show_first: Int32s  # show_first[slot]: first showdown of each of these slots; one more entry ends the last
    show_place: Int32s  # show_place[ending]
    show_stake: Floats32  # show_stake[showdown]: chips; with rake, as by `best_response.stakes`
    show_rake: Floats32  # show_rake[showdown]: half the rake
    fold_slot: Int32s  # the same for folds; stakes are negative if the hero loses
    fold_first: Int32s
    fold_place: Int32s
    fold_stake: Floats32
    end_slot: Int32s  # slots of showdowns, then those that only folds have, padded to whole blocks
    fold_lane: Int32s  # fold_lane[slot of folds]: its index in `end_slot`
    lock_row: Int32s  # lock_row[decision]: its first row in `locked`, or -1
    locked: Floats32  # locked[row, board, hand]: probability of a locked action, negative for free ones


class StreetHands(NamedTuple):
    """The hands on a street from the hero's point of view."""

    high: Int32s  # high[hand] and low[hand]: its cards
    low: Int32s
    first: int  # the hero's hands are first .. last - 1
    last: int
    other_first: int
    other_last: int
    live: Floats32  # live[board, hand]: 1.0, or 0.0 if the hand contains a card of the board
    order: Int16s  # order[board, i]: the hero's possible hands, on a final board from worst to best
    n: Int64s  # n[board]: number of these hands
    rank: Int16s  # rank[board, i] of the hand order[board, i]
    other_order: Int16s
    other_n: Int64s
    other_rank: Int16s


class Room(NamedTuple):
    """Working arrays of `endings`."""

    at: Floats32  # at[i, WIDTH]
    won: Floats32
    total: Floats32  # total[53, WIDTH]
    high: Int32s  # high[i]
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
    """Where a street's entries come from: the other player's reach[slot, hand] on the previous street, and the entries'
    slots there."""

    before: Floats32
    slots: Int32s  # slots[entry]


class BoardPass(NamedTuple):
    """Arrays that a pass writes on one board of a street."""

    reach: Floats32  # reach[slot, hand]
    value: Floats32  # value[place, hand]
    p: Floats32  # p[action + 1, hand]
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
def set_totals(begin: int, end: int, cards: tuple[Int32s, Int32s], total: Floats32, width: int, won: Floats32) -> None:
    """Fill won[i] with the reach in `total` without that of hands that share a card with hand i."""
    for i in range(begin, end):
        a, b = cards[0][i], cards[1][i]
        for k in range(width):
            won[i, k] = total[52, k] - total[a, k] - total[b, k]


@njit(cache=True, nogil=True, error_model="numpy")
def add_totals(
    begin: int, end: int, cards: tuple[Int32s, Int32s], sign: float, total: Floats32, width: int, won: Floats32
) -> None:
    """Add that reach to won[i], with a sign."""
    for i in range(begin, end):
        a, b = cards[0][i], cards[1][i]
        for k in range(width):
            won[i, k] += sign * (total[52, k] - total[a, k] - total[b, k])


@njit(cache=True, nogil=True, error_model="numpy")
def sweep(n, rank, cards, n_other, other_rank, other_cards, at, widths, total, won):
    """Go through the hands from worst to best, and compute what showdowns and folds need. Leaves in `total` the other
    player's reach with all hands: by card, and in all.

    won[i, k] is then the other player's reach at[j, k] with hands worse than hand i, plus its reach with hands not
    better than hand i; hands that share a card with hand i are left out. Minus the reach with all such hands, this is
    what hand i wins (`settle`): ties are in the second and the third term and cancel. So does the other player's hand
    with the same cards, whatever is subtracted for it. `widths` are the numbers of columns of `won` and of `total`.
    """
    width, all_width = widths
    total[:, :all_width] = ZERO
    i, j = np.int64(0), np.int64(0)
    while i < n:
        end = i
        while end < n and rank[end] == rank[i]:
            end += 1
        begin = j
        while j < n_other and other_rank[j] < rank[i]:
            j += 1
        add_hands(begin, j, other_cards, at, all_width, total)
        set_totals(i, end, cards, total, width, won)
        begin = j
        while j < n_other and other_rank[j] == rank[i]:
            j += 1
        add_hands(begin, j, other_cards, at, all_width, total)
        add_totals(i, end, cards, ONE, total, width, won)
        i = end
    add_hands(j, n_other, other_cards, at, all_width, total)


@njit(cache=True, nogil=True, error_model="numpy")
def cards_in_order(order: Int16s, n: int, cards: StreetHands, high: Int32s, low: Int32s) -> None:
    """Set `high[i]` and `low[i]` to the two cards of the i-th hand in `order`."""
    for i in range(n):
        high[i], low[i] = cards.high[order[i]], cards.low[order[i]]


@njit(cache=True, nogil=True, error_model="numpy")
def endings(walk: HeroWalk, cards: StreetHands, board: int, reach: Floats32, value: Floats32, room: Room) -> None:
    """Compute the values of the terminal nodes on a board. Showdowns and folds are evaluated together, WIDTH slots at a
    time, since a fold needs only the sums over all hands, which are computed for showdowns anyway."""
    order, n, other, n_other = cards.order[board], cards.n[board], cards.other_order[board], cards.other_n[board]
    own_cards, other_cards = (room.high, room.low), (room.other_high, room.other_low)
    cards_in_order(order, n, cards, room.high, room.low)
    cards_in_order(other, n_other, cards, room.other_high, room.other_low)
    n_shows = len(walk.show_first) - 1
    for start in range(0, len(walk.end_slot), WIDTH):
        slots = walk.end_slot[start : start + WIDTH]
        gather(reach, slots, other, n_other, room.at)
        shown = (start, min(start + WIDTH, n_shows))
        width = -(-max(shown[1] - start, 0) // BLOCK) * BLOCK
        widths = (width, len(slots))
        rank, other_rank = cards.rank[board], cards.other_rank[board]
        if width > 0:
            sweep(n, rank, own_cards, n_other, other_rank, other_cards, room.at, widths, room.total, room.won)
            settle(walk, cards, board, shown, width, reach, value, room)
        else:
            room.total[:, : len(slots)] = ZERO
            add_hands(0, n_other, other_cards, room.at, len(slots), room.total)
        folds(walk, cards, board, (start, start + len(slots)), reach, value, room)


@njit(cache=True, nogil=True, error_model="numpy")
def settle(walk, cards, board, shown, width, reach, value, room):
    """Set the values of showdowns at the slots shown[0] .. shown[1] - 1 from the results of `sweep`."""
    order, n, won, total = cards.order[board], cards.n[board], room.won, room.total
    add_totals(0, n, (room.high, room.low), -ONE, total, width, won)
    for k in range(shown[0], shown[1]):
        for e in range(walk.show_first[k], walk.show_first[k + 1]):
            out, stake = value[walk.show_place[e]], walk.show_stake[e]
            out[:] = ZERO
            for i in range(n):
                # unsigned indices need no check of their sign
                out[np.uint32(order[i])] = stake * won[i, np.uint32(k - shown[0])]
            if walk.show_rake[e] > ZERO:
                same, half = reach[walk.show_slot[k]], walk.show_rake[e]
                by_card = total[:, k - shown[0]]
                for i in range(n):
                    all_ = by_card[52] - by_card[room.high[i]] - by_card[room.low[i]]
                    out[order[i]] -= half * (all_ + same[order[i]])


@njit(cache=True, nogil=True, error_model="numpy")
def folds(walk, cards, board, lanes, reach, value, room):
    """Set the values of folds at the lanes lanes[0] .. lanes[1] - 1 from the sums over all hands."""
    live, by_card = cards.live[board], np.empty(53, np.float32)
    for k in range(len(walk.fold_lane)):
        lane = walk.fold_lane[k] - lanes[0]
        if lane < 0 or walk.fold_lane[k] >= lanes[1]:
            continue
        by_card[:] = room.total[:, lane]
        same = reach[walk.fold_slot[k]]  # the same hand of the other player was subtracted twice, once for each card
        for e in range(walk.fold_first[k], walk.fold_first[k + 1]):
            out, stake = value[walk.fold_place[e]], walk.fold_stake[e]
            for h in range(len(out)):
                out[h] = by_card[52] - by_card[np.uint32(cards.high[h])]
            for h in range(len(out)):
                out[h] -= by_card[np.uint32(cards.low[h])]
            for h in range(len(out)):
                out[h] = live[h] * (stake * (out[h] + same[h]))


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
    """Make the pass DOWN, UP or both on the boards boards[0] .. boards[1] - 1. Going up sets `out[i, entry]` to the
    values on the i-th board.

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
