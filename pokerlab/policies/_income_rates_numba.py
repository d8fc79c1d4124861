# mypy: ignore-errors
"""Kernel of `income_rates`: many preflop deals, played to the showdown without another bet.

Shapes: plays[class] (bool), total[class] (small bets won, minus what folding would have won), squares[class],
count[class].
"""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab import _rng_numba as rng
from pokerlab.cards import _evaluate_numba as evaluator


@njit(cache=True)
def _class(a: int, b: int):
    """Compiled version of `cards.combos.class_of_cards`."""
    high, low = 12 - max(a >> 2, b >> 2), 12 - min(a >> 2, b >> 2)
    return 13 * high + low if (a & 3) == (b & 3) else 13 * low + high


@njit(cache=True)
def roll_out(n, n_trials, first_trial, key, posted, price, plays, tables, total, squares, count):
    """Play `n_trials` deals between `n` players who stay in if `plays[class]`, and add the results to the totals.

    `posted[seat]` is the seat's blind in small bets, `price` the total cost of staying in. A seat that has posted the
    whole price stays in with any hand. Only the seats with the smallest blind are counted, since for them the choice
    between playing and folding is clearest.
    """
    cards = np.empty(52, np.int64)
    words = np.zeros(rng.STATE_WORDS, np.uint64)
    rank = np.empty(n, np.int64)
    held = np.empty(n, np.int64)
    smallest = posted.min()
    for trial in range(first_trial, first_trial + n_trials):
        for card in range(52):
            cards[card] = card
        rng.begin(words, key, np.uint64(trial))
        rng.shuffle(words, cards, 2 * n + 5)
        board_key, board_suits = np.uint64(0), np.uint64(0)
        for i in range(2 * n, 2 * n + 5):
            board_key += evaluator.KEY_OF_CARD[cards[i]]
            board_suits += evaluator.SUITS_OF_CARD[cards[i]]
        pot, best, winners = 0.0, -1, 0
        for seat in range(n):
            a, b = cards[2 * seat], cards[2 * seat + 1]
            held[seat] = _class(a, b)
            rank[seat] = -2
            if plays[held[seat]] or posted[seat] >= price:
                pot += price
                rank[seat] = evaluator.rank_of_key(
                    board_key + evaluator.KEY_OF_CARD[a] + evaluator.KEY_OF_CARD[b],
                    board_suits + evaluator.SUITS_OF_CARD[a] + evaluator.SUITS_OF_CARD[b],
                    tables,
                )
                if rank[seat] > best:
                    best, winners = rank[seat], 0
                winners += rank[seat] == best
            else:
                pot += posted[seat]
        for seat in range(n):
            if rank[seat] >= 0 and posted[seat] == smallest:
                gain = posted[seat] - price + (pot / winners if rank[seat] == best else 0.0)
                total[held[seat]] += gain
                squares[held[seat]] += gain * gain
                count[held[seat]] += 1
