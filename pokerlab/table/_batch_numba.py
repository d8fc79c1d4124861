# mypy: ignore-errors
"""Whole hands in compiled code; `batch.play_batch` prepares the arrays and says what they mean.

`policy_start[entrant]` is where an entrant's rows begin in `cumulative[row, item]`. A script's row is the shape of the
menu; a table's row is `node * n_cells + cell`.
"""

from __future__ import annotations

import numpy as np

from pokerlab import _rng_numba as rng
from pokerlab.cards import _evaluate_numba as evaluator
from pokerlab.games import _betting_numba as betting


@betting.kernel
def menu_shape(fold, low, high):
    """Which items are legal: bit 0 fold, bit 1 a raise, bit 2 two different raises."""
    return int(fold) + 2 * int(low > 0) + 4 * int(high > low)


@betting.kernel
def _cell(cards, hole, board, n_hole, n_shown, class_of_combo):
    """The cell of `policies.tabular.cell_of`; `hole` and `board` are places in `cards`."""
    first = np.int64(cards[hole])
    if n_hole == 2:
        second = np.int64(cards[hole + 1])
        high, low = max(first, second), min(first, second)
        return np.int64(class_of_combo[(high * (high - 1) >> 1) + low])
    return (first >> 2) * 14 + (1 + (np.int64(cards[board]) >> 2) if n_shown else 0)


@betting.kernel
def _strength(cards, hole, board, n_hole, n_board, tables):
    """Higher wins; fewer than five cards are one hole card and at most one board card."""
    if n_hole + n_board >= 5:
        key, suits = np.uint64(0), np.uint64(0)
        for i in range(n_hole):
            key += evaluator.KEY_OF_CARD[cards[hole + i]]
            suits += evaluator.SUITS_OF_CARD[cards[hole + i]]
        for i in range(n_board):
            key += evaluator.KEY_OF_CARD[cards[board + i]]
            suits += evaluator.SUITS_OF_CARD[cards[board + i]]
        return np.int64(evaluator.rank_of_key(key, suits, tables))
    rank = np.int64(cards[hole] >> 2)
    return rank + 13 if n_board and cards[board] >> 2 == rank else rank


@betting.kernel
def play(
    r, tables, deck, n_hole, shown, card_key, agent_keys, seating, is_table, policy_start, cumulative, child,
    n_cells, class_of_combo, chips, b, cards, words, strength, net,
):  # fmt: skip
    """Fill `chips[hand, entrant]`. `shown[street]` counts board cards; `child[node, item]` is the betting tree.

    Work space: `b[LENGTH]`, `cards[deck]`, `words[1 + entrant, STATE_WORDS]`, `strength[seat]` and `net[seat]`.
    """
    n = r[betting.N_SEATS]
    board = n * n_hole
    n_board = shown[r[betting.LAST_STREET]]
    for hand in range(len(chips)):
        for i in range(len(deck)):
            cards[i] = deck[i]
        rng.begin(words[0], card_key, np.uint64(hand))
        rng.shuffle(words[0], cards, board + n_board)
        for entrant in range(n):
            rng.begin(words[1 + entrant], agent_keys[entrant], np.uint64(hand))
        turn = hand % n
        betting.start(r, b)
        node = 0
        while b[betting.ACTOR] != betting.NOBODY:
            seat = b[betting.ACTOR]
            entrant = seating[seat + turn if seat + turn < n else seat + turn - n]
            fold, _, low, high = betting.legal(r, b)
            if is_table[entrant]:
                street_shown = shown[b[betting.STREET]]
                row = node * n_cells + _cell(cards, seat * n_hole, board, n_hole, street_shown, class_of_combo)
            else:
                row = menu_shape(fold, low, high)
            row += policy_start[entrant]
            item = 0
            while cumulative[row, item] == 0.0:
                item += 1
            if cumulative[row, item] < 1.0:  # otherwise the action is certain, and nothing is drawn
                draw = rng.next_double(words[1 + entrant])
                while draw >= cumulative[row, item]:
                    item += 1
            if len(child):
                node = child[node, item]
            betting.apply(r, b, min(item, betting.RAISE), low if item == 2 else high)
        for seat in range(n):
            if not b[betting.FOLDED] >> seat & 1:
                strength[seat] = _strength(cards, seat * n_hole, board, n_hole, n_board, tables)
        betting.payoffs(r, b, strength, net)
        for seat in range(n):
            chips[hand, seating[seat + turn if seat + turn < n else seat + turn - n]] = net[seat]
