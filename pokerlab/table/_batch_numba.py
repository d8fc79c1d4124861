# mypy: ignore-errors
"""Whole hands between strategies in compiled code; `batch.CompiledTable` prepares the arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab import _rng_numba as rng
from pokerlab.games._betting_numba import kernel
from pokerlab.trees._ending_pots_numba import payoff


class BatchTables(NamedTuple):
    """A betting tree, the payoffs of its terminal nodes, and strategies on it."""

    node: np.ndarray  # node[decision, (actor, street, first edge, number of edges)]
    child: np.ndarray  # child[edge]: a decision, or ~ending
    pots: Any  # a `trees.ending_pots.EndingPots`
    p: np.ndarray  # the probabilities of all strategies by pair, one strategy after another
    start: np.ndarray  # start[strategy, decision]: index in `p` of the strategy's first probability at the decision
    side: np.ndarray  # side[strategy]: index of the card cells that it uses


@kernel
def play(first, cells, rank, numbers, strategy, stream, keys, words, ending, chips):
    """Fill `ending[hand]` and `chips[hand, seat]` for hands from number `first` on.

    Their cards are `cells[side, hand, seat, street]` and `rank[hand, seat]`. In hand number h, seat s plays `strategy[h
    % turns, s]` and draws from the stream with `keys[stream[h % turns, s]]`. Each action uses one random number,
    compared with the cumulative probabilities of the actions in canonical order. Work space: `words[stream,
    STATE_WORDS]`.
    """
    node, child, (fixed, first_pot, pot, pot_seats), p, start, side = numbers
    for hand in range(len(rank)):
        turn = (first + hand) % len(strategy)
        for i in range(len(keys)):
            rng.begin(words[i], keys[i], np.uint64(first + hand))
        place = 0
        while place >= 0:
            seat, street, edge, n_actions = node[place, 0], node[place, 1], node[place, 2], node[place, 3]
            who = strategy[turn, seat]
            at = start[who, place] + cells[side[who], hand, seat, street] * n_actions
            total = most = np.float64(0.0)
            for a in range(n_actions):
                total += p[at + a]
                most = max(most, p[at + a])
            if most == total:  # the only action, whatever number would be drawn
                draw = np.float64(0.0)
                rng.skip_word(words[stream[turn, seat]])
            else:
                draw = rng.next_double(words[stream[turn, seat]]) * total
            passed, last = np.float64(p[at]), edge + n_actions - 1
            while passed <= draw and edge < last:
                edge += 1
                at += 1
                passed += p[at]
            place = child[edge]
        ending[hand] = ~place
        for seat in range(rank.shape[1]):
            chips[hand, seat] = payoff(fixed, first_pot, pot, pot_seats, ~place, seat, rank[hand])
