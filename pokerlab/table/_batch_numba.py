# mypy: ignore-errors
"""Whole hands in compiled code; `batch.play_batch` prepares the arrays and says what they mean.

`policy_start[entrant]` is where an entrant's rows begin in `cumulative[row, item]` and `certain[row]` (the only item,
or -1). A script's row is the shape of the menu; a table's row is `node * n_cells + cell`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab import _rng_numba as rng
from pokerlab.cards import _evaluate_numba as evaluator
from pokerlab.games import _betting_numba as betting

N_ITEMS = 4
SCRIPT, TABLE = 0, 1
MENU_SHAPES = 8


@njit(cache=True)
def menu_shape(fold, low, high):
    """Which items are legal: bit 0 fold, bit 1 a raise, bit 2 two different raises."""
    return int(fold) + 2 * int(low > 0) + 4 * int(high > low)


@njit(cache=True)
def _cell(hole, board, n_hole, n_shown, class_of_combo):
    if n_hole == 2:
        high, low = max(hole[0], hole[1]), min(hole[0], hole[1])
        return np.int64(class_of_combo[high * (high - 1) // 2 + low])
    return (hole[0] >> 2) * 14 + (1 + (board[0] >> 2) if n_shown else 0)


@njit(cache=True)
def _strength(hole, board, n_hole, tables):
    """Higher wins; fewer than five cards are one hole card and at most one board card."""
    if n_hole + len(board) >= 5:
        key, suits = np.uint64(0), np.uint64(0)
        for card in hole:
            key += evaluator.KEY_OF_CARD[card]
            suits += evaluator.SUITS_OF_CARD[card]
        for card in board:
            key += evaluator.KEY_OF_CARD[card]
            suits += evaluator.SUITS_OF_CARD[card]
        return np.int64(evaluator.rank_of_key(key, suits, tables))
    rank = np.int64(hole[0] >> 2)
    return rank + 13 if len(board) and board[0] >> 2 == rank else rank


@njit(cache=True)
def play(
    rules, tables, deck, n_hole, shown, card_key, agent_keys, seating, kind, policy_start, cumulative, certain, child,
    n_cells, class_of_combo, chips,
):  # fmt: skip
    """Fill `chips[hand, entrant]`. `shown[street]` counts board cards; `child[node, item]` is the betting tree."""
    n = rules.n_seats
    b = np.zeros(betting.LENGTH, np.int64)
    cards = deck.copy()
    card_state = np.zeros(rng.STATE_WORDS, np.uint64)
    states = np.zeros((n, rng.STATE_WORDS), np.uint64)
    strength = np.zeros(n, np.int64)
    net = np.zeros(n, np.float64)
    n_board = shown[-1]
    n_dealt = n * n_hole + n_board
    for hand in range(len(chips)):
        cards[:] = deck
        rng.begin(card_state, card_key, np.uint64(hand))
        rng.shuffle(card_state, cards, n_dealt)
        for entrant in range(n):
            rng.begin(states[entrant], agent_keys[entrant], np.uint64(hand))
        board = cards[n * n_hole : n_dealt]
        betting.start(rules, b)
        node = 0
        while b[betting.ACTOR] != betting.NOBODY:
            seat = b[betting.ACTOR]
            entrant = seating[(seat + hand) % n]
            fold, _, low, high = betting.legal(rules, b)
            if kind[entrant] == SCRIPT:
                row = menu_shape(fold, low, high)
            else:
                hole = cards[seat * n_hole : (seat + 1) * n_hole]
                row = node * n_cells + _cell(hole, board, n_hole, shown[b[betting.STREET]], class_of_combo)
            row += policy_start[entrant]
            item = certain[row]
            if item < 0:
                draw = rng.next_double(states[entrant])
                item = 0
                while draw >= cumulative[row, item]:
                    item += 1
            if len(child):
                node = child[node, item]
            betting.apply(rules, b, min(item, betting.RAISE), low if item == 2 else high)
        for seat in range(n):
            if not b[betting.FOLDED] >> seat & 1:
                strength[seat] = _strength(cards[seat * n_hole : (seat + 1) * n_hole], board, n_hole, tables)
        betting.payoffs(rules, b, strength, net)
        for seat in range(n):
            chips[hand, seating[(seat + hand) % n]] = net[seat]
