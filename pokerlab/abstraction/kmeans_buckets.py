"""Card buckets `irN`: clusters of similar hands, with imperfect recall.

Before the flop cells are the 169 classes. On the flop and the turn a hand is represented by the distribution of its HS
on the river, over all run-outs, in 50 bins. The distance of two hands is the earth mover's distance of their
distributions, which in one dimension is the L1 distance of the cumulative distributions. Cells are found by k-means
with that distance, started by k-means++: centres are fitted to a seeded sample of dealt hands, then every hand is
assigned to its nearest centre. On the river cells are intervals of HS that minimise the squared error, computed exactly
by dynamic programming. Cells are numbered from the weakest mean to the strongest.

A cluster's centre is the median of the cumulative distributions at each edge of the bins. The median minimises the
total L1 distance, so no round makes the clustering worse; the mean would not guarantee that.

References
----------
Johanson, Burch, Valenzano and Bowling (2013), "Evaluating state-space abstractions in extensive-form games", AAMAS
(k-means on hand-strength histograms under the earth mover's distance). Arthur and Vassilvitskii
(2007), "k-means++: the advantages of careful seeding", SODA (here with distances instead of squares, to suit medians).
Hawkin (2014), section 7.2: IR-N.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np

from pokerlab.abstraction import _kmeans_numba as kernels
from pokerlab.abstraction._buckets_numba import MOST_SCORE
from pokerlab.abstraction.board_rows import board_rows
from pokerlab.abstraction.buckets import INDEX_BITS, Buckets, Keys, Report, Segments
from pokerlab.abstraction.percentile_buckets import flop_index_of_rows
from pokerlab.arrays import Floats32, Indices, Int8s, Int16s, Int32s, Int64s
from pokerlab.cards.combos import CLASS_OF_COMBO, N_COMBOS, live_combos
from pokerlab.cards.evaluate import tables
from pokerlab.cards.isomorphism import canonical_boards, indexer
from pokerlab.rng import stream
from pokerlab.runs.cost import usable_cores

RECIPE_VERSION = 1
N_BINS = 50
UNITS = 16_384  # cumulative distributions are counted in 1/16384, so that sums over 49 edges stay below 2^24
N_SAMPLE = 100_000
MOST_ROUNDS = 50
POINTS_PER_PART = 10_000

T = TypeVar("T")


def build_clusters(
    n: int, *, seed: int, n_sample: int = N_SAMPLE, workers: int | None = None, report: Report | None = None
) -> Buckets:
    """Build `irN` with `n` cells per street; the result is the same for any number of worker threads."""
    workers, report = workers or usable_cores(), report or (lambda what, done, total: None)
    recipe = {
        "kind": "clusters of river-HS distributions", "cells": n, "bins": N_BINS, "sample": n_sample,
        "most_rounds": MOST_ROUNDS, "seed": seed, "version": RECIPE_VERSION,
    }  # fmt: skip
    with ThreadPoolExecutor(workers) as pool:
        flop = _flop_cells(n, n_sample, seed, pool, report)
        turn = _turn_cells(n, n_sample, seed, pool, report)
        river = river_keys(n, _score_weights(pool, report))
    none = np.zeros((1, 0), dtype=np.int64)
    return Buckets(
        f"ir{n}", recipe, (169, n, n, n), False, CLASS_OF_COMBO.astype(np.int32), (none, none, river), (flop, turn)
    )


def distribution_points(board: Iterable[int]) -> Floats32:
    """`point[combo, edge]`: the cumulative distribution of HS on the river at the 49 inner edges; 0 if blocked."""
    count = np.zeros((N_COMBOS, N_BINS), dtype=np.int32)
    kernels.count_strengths(np.array(list(board), dtype=np.uint8), tables(), count)
    below = np.cumsum(count, axis=1)
    total = np.maximum(below[:, -1:], 1)
    return np.asarray((below[:, :-1] * UNITS // total).astype(np.float32))


# --- clustering ------------------------------------------------------------------------------------------------------


def fit_centres(
    points: Floats32,
    n: int,
    rng: np.random.Generator,
    *,
    pool: ThreadPoolExecutor | None = None,
    report: Callable[[int], None] | None = None,
) -> Floats32:
    """Fit `centres[n, edge]` by k-means++, then by rounds until convergence. Centres are ordered from the weakest to
    the strongest mean."""
    centres = _first_centres(points, n, rng, pool)
    before = np.full(len(points), -1)
    for done in range(MOST_ROUNDS):
        nearest, _ = nearest_centres(points, centres, pool)
        if report:
            report(done + 1)
        if np.array_equal(nearest, before):
            break
        centres, before = _medians(points, nearest, centres), nearest
    return centres[np.argsort(-centres.sum(axis=1), kind="stable")]


def nearest_centres(
    points: Floats32 | Int16s, centres: Floats32, pool: ThreadPoolExecutor | None = None
) -> tuple[Int32s, Floats32]:
    """Return (`centre[point]`, `distance[point]`): the number of the nearest centre, and the earth mover's distance to
    it in bins, multiplied by `UNITS`."""
    nearest, distance = np.empty(len(points), np.int32), np.empty(len(points), np.float32)

    def assign(start: int) -> None:
        part = slice(start, start + POINTS_PER_PART)
        kernels.find_nearest(points[part].astype(np.float32, copy=False), centres, nearest[part], distance[part])

    for _ in (pool.map if pool else map)(assign, range(0, len(points), POINTS_PER_PART)):
        pass
    return nearest, distance


def _first_centres(points: Floats32, n: int, rng: np.random.Generator, pool: ThreadPoolExecutor | None) -> Floats32:
    """Draw the first centres from the points, one by one: with probability proportional to the distance from the
    nearest earlier centre."""
    centres = np.empty((n, points.shape[1]), dtype=np.float32)
    centres[0] = points[rng.integers(len(points))]
    _, far = nearest_centres(points, centres[:1], pool)
    for k in range(1, n):
        below = np.cumsum(far, dtype=np.float64)
        centres[k] = points[min(np.searchsorted(below, rng.random() * below[-1], side="right"), len(points) - 1)]
        far = np.minimum(far, nearest_centres(points, centres[k : k + 1], pool)[1])
    return centres


def _medians(points: Floats32, nearest: Int32s, centres: Floats32) -> Floats32:
    """Return new centres: in each coordinate the (lower) median of the cluster's points. An empty cluster keeps its
    centre."""
    order = np.argsort(nearest, kind="stable")
    start = np.searchsorted(nearest[order], np.arange(len(centres) + 1))
    moved = centres.copy()
    for k, (first, last) in enumerate(pairwise(start)):
        if last > first:
            middle = (last - first - 1) // 2
            moved[k] = np.partition(points[order[first:last]], middle, axis=0)[middle]
    return moved


# --- the streets -----------------------------------------------------------------------------------------------------


def _flop_cells(n: int, n_sample: int, seed: int, pool: ThreadPoolExecutor, report: Report) -> Segments:
    """`cell[row, combo]` of flops, computed for the 1,286,792 canonical hands."""
    numbering, hand_of = indexer(2, 3), flop_index_of_rows()
    points = np.zeros((numbering.size, N_BINS - 1), dtype=np.int16)

    def fill(row: int) -> None:
        live = hand_of[row] >= 0
        points[hand_of[row][live]] = distribution_points(board_rows(3).boards[row])[live]

    for _ in _with_progress(pool.map(fill, range(len(hand_of))), "distributions on the flop", len(hand_of), report):
        pass
    rng = stream(seed, "clusters", "flop")
    below = np.cumsum(numbering.multiplicities(np.arange(numbering.size)))
    sample = np.sort(np.searchsorted(below, rng.integers(below[-1], size=n_sample), side="right"))
    report_round = _rounds("centres of the flop", report)
    centres = fit_centres(points[sample].astype(np.float32), n, rng, pool=pool, report=report_round)
    cell = nearest_centres(points, centres, pool)[0].astype(np.uint16)
    return np.where(hand_of >= 0, cell[hand_of], np.uint16(0))


def _turn_cells(n: int, n_sample: int, seed: int, pool: ThreadPoolExecutor, report: Report) -> Segments:
    """`cell[row, combo]` of turns; the distributions are computed twice, because storing them would take 1.4 GB."""
    boards, rng = board_rows(4).boards, stream(seed, "clusters", "turn")
    below = np.cumsum(canonical_boards(4)[1])
    rows = np.sort(np.searchsorted(below, rng.integers(below[-1], size=n_sample), side="right"))
    which = rng.integers(1128, size=n_sample)  # indices of the 1128 possible combos
    starts = np.searchsorted(rows, np.arange(len(boards) + 1))

    def sampled(row: int) -> Floats32:
        chosen = which[starts[row] : starts[row + 1]]
        if len(chosen) == 0:
            return np.empty((0, N_BINS - 1), np.float32)
        return distribution_points(boards[row])[_live(boards[row])[chosen]]

    every = range(len(boards))
    points = np.concatenate(list(_with_progress(pool.map(sampled, every), "sample of the turn", len(boards), report)))
    centres = fit_centres(points, n, rng, pool=pool, report=_rounds("centres of the turn", report))
    cell = np.zeros((len(boards), N_COMBOS), dtype=np.uint16)

    def assign(row: int) -> None:
        live = _live(boards[row])
        cell[row, live] = nearest_centres(distribution_points(boards[row])[live], centres)[0]

    for _ in _with_progress(pool.map(assign, every), "cells of the turn", len(boards), report):
        pass
    return cell


def _live(board: Int8s) -> Indices:
    return np.flatnonzero(live_combos(sum(1 << int(card) for card in board)))


def _score_weights(pool: ThreadPoolExecutor, report: Report) -> Int64s:
    """Weight of each score over all hands on all final boards."""
    boards, times = canonical_boards(5)
    starts = range(0, len(boards), 1000)

    def count(start: int) -> Int64s:
        weight = np.zeros(MOST_SCORE + 1, dtype=np.int64)
        part = slice(start, start + 1000)
        kernels.count_scores(boards[part].astype(np.uint8), times[part], tables(), weight)
        return weight

    parts = list(_with_progress(pool.map(count, starts), "scores on the river", len(starts), report))
    return np.asarray(np.sum(parts, axis=0))


def river_keys(n: int, weight: Int64s) -> Keys:
    """Find the n intervals of scores with the least squared error, by dynamic programming. Return their bounds as
    `keys[0, n - 1]`.

    >>> (river_keys(3, np.array([5, 5, 0, 0, 0, 1, 1, 0, 0, 9])) >> INDEX_BITS).tolist()
    [[2, 7]]
    """
    score = np.arange(len(weight)) / MOST_SCORE
    mass, first, second = (np.concatenate([[0.0], np.cumsum(weight * score**power)]) for power in (0, 1, 2))
    cut = np.zeros((n - 1, len(weight) + 1), dtype=np.int32)
    kernels.best_cuts(mass, first, second, cut)
    starts, end = [], len(weight)
    for last in cut[::-1]:
        end = int(last[end])
        starts.append(end)
    return np.asarray(np.array([starts[::-1]], dtype=np.int64) << INDEX_BITS)


# --- progress ---------------------------------------------------------------------------------------------------------


def _with_progress(results: Iterator[T], what: str, total: int, report: Report) -> Iterator[T]:
    for done, result in enumerate(results):
        report(what, done + 1, total)
        yield result


def _rounds(what: str, report: Report) -> Callable[[int], None]:
    return lambda done: report(what, done, MOST_ROUNDS)
