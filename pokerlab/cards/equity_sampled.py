"""Sampled equity: random deals, which depend on the seed and not on the number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt

import numpy as np

from pokerlab.arrays import AnyArray, Floats, Int64s, Uint8s, Uint64s
from pokerlab.caches import compiled
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO
from pokerlab.cards.equity_question import Count, Question, Work
from pokerlab.cards.evaluate import tables
from pokerlab.errors import CardError
from pokerlab.estimates import Z95
from pokerlab.rng import stream_key

kernels = compiled("pokerlab.cards._equity_numba")
_BATCH = 1 << 15


def _range_tables(question: Question) -> tuple[AnyArray, ...]:
    """The tables from which the kernel draws ranges: `place[range]` of the player's first card among the cards dealt,
    `size[range]`, and by column of the alias tables `keep[range, column]`, `alias[range, column]`, `combos[.., 2]`."""
    chosen = [i for i, player in enumerate(question.players) if player.kind == "range"]
    width = max((len(question.players[i].combos) for i in chosen), default=1)
    size = np.zeros(len(chosen), np.uint64)
    keep, alias = np.zeros((2, len(chosen), width), np.uint64)
    combos = np.zeros((len(chosen), width, 2), np.uint8)
    for row, i in enumerate(chosen):
        size[row] = n = len(question.players[i].combos)
        keep[row, :n], alias[row, :n] = alias_table(question.players[i].weights)
        combos[row, :n] = CARDS_OF_COMBO[question.players[i].combos]
    return 5 + 2 * np.array(chosen, dtype=np.uint64), size, keep, alias, combos


def alias_table(weights: Floats) -> tuple[Uint64s, Int64s]:
    """Tables to draw an index with probability proportional to `weights` in one step.

    Each of the n columns has 1/n of the probability: `keep / 2**64` of it for its own index, the rest for its alias.

    >>> keep, alias = alias_table(np.array([1.0, 3.0]))
    >>> (keep / 2.0**64).tolist(), alias.tolist()
    ([0.5, 1.0], [1, 1])

    References
    ----------
    Walker (1977), ACM Transactions on Mathematical Software 3(3); Vose (1991), IEEE TSE 17(9).
    """
    share = weights * (len(weights) / weights.sum())
    alias = np.arange(len(weights))
    small, large = (list(np.flatnonzero(side)) for side in (share < 1, share >= 1))
    while small and large:
        poor, rich = small.pop(), large[-1]
        alias[poor] = rich
        share[rich] -= 1 - share[poor]
        if share[rich] < 1:
            small.append(large.pop())
    own = alias == np.arange(len(weights))  # columns left over by rounding have no alias
    keep = [2**64 - 1 if whole else min(int(part * 2.0**64), 2**64 - 1) for part, whole in zip(share, own, strict=True)]
    return np.array(keep, dtype=np.uint64), alias


def interval_of_share(row: Sequence[float], n: int) -> tuple[float, float]:
    """95% interval of a player's equity, from `row[k - 1]` of n deals in which the player was one of k winners.

    A normal interval, with two lost and two won pots added to the sample so that an unbroken run of wins does not count
    as certainty.

    >>> [round(bound, 4) for bound in interval_of_share([1000, 0], 1000)]
    [0.9952, 1.0]

    References
    ----------
    Agresti and Coull (1998), The American Statistician 52(2).
    """
    n += 4
    mean = (sum(weight / k for k, weight in enumerate(row, start=1)) + 2) / n
    square = (sum(weight / k**2 for k, weight in enumerate(row, start=1)) + 2) / n
    half = Z95 * sqrt((square - mean**2) / n)
    return max(0.0, mean - half), min(1.0, mean + half)


def _known_cards(question: Question) -> tuple[Uint8s, Uint64s, int]:
    """The known cards of the board and then of each player; the places to fill with random cards; the mask of all cards
    that cannot be drawn."""
    dealt = np.zeros(5 + 2 * len(question.players), dtype=np.uint8)
    dealt[: len(question.board)] = question.board
    places = list(range(len(question.board), 5))
    used = question.gone
    for i, player in enumerate(question.players):
        if player.kind == "hand":
            dealt[5 + 2 * i : 7 + 2 * i] = CARDS_OF_COMBO[player.combos[0]]
            used |= int(MASK_OF_COMBO[player.combos[0]])
        elif player.kind == "random":
            places += [5 + 2 * i, 6 + 2 * i]
    return dealt, np.array(places, dtype=np.uint64), used


def sample(question: Question, most: int, *, seed: int, half_width: float | None, work: Work) -> Count:
    """Count at most `most` random deals, in batches with a stream each, added up in order.

    Sampling stops after a batch if no player's interval is wider than twice the `half_width`.
    """
    dealt, places, used = _known_cards(question)
    ranges = _range_tables(question)
    key = stream_key(seed, "equity")
    shape = (len(question.players), len(question.players))

    def draw(batch: int) -> Int64s:
        size = min(_BATCH, most - batch * _BATCH)
        outcomes = np.zeros(shape, dtype=np.int64)
        made = kernels.sample_outcomes(
            size, key, np.uint64(batch), dealt.copy(), places, ranges, np.uint64(used), tables(), outcomes
        )
        if made < size:
            raise CardError("the ranges need the same cards: a deal without repeated cards is too rare to be sampled")
        return outcomes

    outcomes = np.zeros(shape, dtype=np.int64)
    n = 0
    for drawn in work.in_order(draw, ceil(most / _BATCH)):
        outcomes += drawn
        n = min(most, n + _BATCH)
        work.report(n, most)
        intervals = (interval_of_share(row, n) for row in outcomes.tolist())
        if half_width is not None and max(high - low for low, high in intervals) <= 2 * half_width:
            break
    return Count(tuple(tuple(row) for row in outcomes.tolist()), n, n)
