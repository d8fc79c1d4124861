# mypy: ignore-errors
"""Kernels of `kmeans_buckets`: distributions of river strength, and nearest centres.

Shapes: count[combo, bin], points[point, edge], centres[centre, edge]. Points are cumulative distributions in whole
units (`kmeans_buckets.UNITS`) stored as float32. Their sums stay below 2^24, so additions are exact in any order and
the compiler may vectorise them freely.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.abstraction._buckets_numba import MOST_SCORE, score_combos
from pokerlab.cards.combos import N_COMBOS


@njit(cache=True, nogil=True)
def count_strengths(board, evaluator, count):
    """Count each possible combo's HS on all final boards that extend `board` (3 or 4 cards) in count[combo, bin]."""
    n_bins, n_dealt = count.shape[1], len(board)
    ranks, entries = np.empty(N_COMBOS, np.int32), np.empty(N_COMBOS, np.uint32)
    scores, final = np.empty(N_COMBOS, np.int32), np.empty(5, np.uint8)
    dead = np.uint64(0)
    for i in range(n_dealt):
        final[i] = board[i]
        dead |= np.uint64(1) << np.uint64(board[i])
    for first in range(52):
        if (dead >> np.uint64(first)) & np.uint64(1):
            continue
        final[n_dealt] = first
        for second in range(first) if n_dealt == 3 else range(1):
            if n_dealt == 3:
                if (dead >> np.uint64(second)) & np.uint64(1):
                    continue
                final[4] = second
            score_combos(final, evaluator, ranks, entries, scores)
            for combo in range(N_COMBOS):
                if scores[combo] >= 0:
                    count[combo, scores[combo] * n_bins // (MOST_SCORE + 1)] += 1


@njit(cache=True, nogil=True)
def count_scores(boards, weights, evaluator, count):
    """Add the weights of all hands on final boards to count[score]."""
    ranks, entries = np.empty(N_COMBOS, np.int32), np.empty(N_COMBOS, np.uint32)
    scores = np.empty(N_COMBOS, np.int32)
    for b in range(len(boards)):
        score_combos(boards[b], evaluator, ranks, entries, scores)
        for combo in range(N_COMBOS):
            if scores[combo] >= 0:
                count[scores[combo]] += weights[b]


@njit(cache=True, nogil=True, fastmath=True)
def find_nearest(points, centres, nearest, distance):
    """Fill `nearest[point]` and distance[point] (L1); ties go to the first centre."""
    for p in range(len(points)):
        point = points[p]
        best, least = 0, np.float32(np.inf)
        for c in range(len(centres)):
            centre, far = centres[c], np.float32(0)
            for i in range(len(point)):
                far += abs(point[i] - centre[i])
            if far < least:
                best, least = c, far
        nearest[p], distance[p] = best, least


@njit(cache=True)
def best_cuts(mass, first, second, cut):
    """Divide weighted values on a line into intervals with the least squared error.

    Sets cut[k, end]: in the best division of the values before `end` into k + 2 intervals, the last interval starts
    there. It never decreases as `end` grows, which makes the search fast. `mass[end]`, `first[end]` and `second[end]`
    are sums over the values before `end`: of weights, of weights times values, and of weights times squared values.
    """
    n_ends = len(mass)
    least, longer = np.full(n_ends, np.inf), np.empty(n_ends)
    for end in range(1, n_ends):
        least[end] = _error(mass, first, second, 0, end)
    for k in range(len(cut)):
        longer[:] = np.inf
        for end in range(k + 2, n_ends):
            for start in range(max(k + 1, cut[k, end - 1]), end):
                total = least[start] + _error(mass, first, second, start, end)
                if total < longer[end]:
                    longer[end], cut[k, end] = total, start
        least, longer = longer, least


@njit(cache=True)
def _error(mass, first, second, start, end):
    """Weighted sum of squared differences between the values start .. end - 1 and their mean."""
    weight, sum_of_values = mass[end] - mass[start], first[end] - first[start]
    return second[end] - second[start] - sum_of_values * sum_of_values / weight if weight > 0 else 0.0
