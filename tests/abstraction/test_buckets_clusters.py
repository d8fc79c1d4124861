"""Clusters of similar hands: distributions as counted one by one, rounds that only improve, exact intervals."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from pokerlab.abstraction import kmeans_buckets
from pokerlab.abstraction.board_rows import board_rows
from pokerlab.abstraction.buckets import INDEX_BITS
from pokerlab.abstraction.kmeans_buckets import (
    N_BINS,
    UNITS,
    distribution_points,
    fit_centres,
    nearest_centres,
    river_keys,
)
from pokerlab.cards.combos import live_combos
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.cards.strength import strength_of_board


def points_one_by_one(board):
    """`point[combo, edge]` from HS on every river, binned by NumPy."""
    rivers = [c for c in range(52) if c not in board]
    strengths = np.stack([strength_of_board([*board, c]).hs for c in rivers])
    points = np.zeros((1326, N_BINS - 1))
    for combo in range(1326):
        hs = strengths[:, combo][~np.isnan(strengths[:, combo])]
        if len(hs):
            bins = np.minimum(np.rint(hs * 1980).astype(int) * N_BINS // 1981, N_BINS - 1)
            points[combo] = np.cumsum(np.bincount(bins, minlength=N_BINS))[:-1] * UNITS // len(hs)
    return points


@pytest.fixture(scope="module")
def points():
    boards = board_rows(4).boards[np.random.default_rng(0).integers(16432, size=12)]
    every = [distribution_points(board)[live_combos(sum(1 << int(c) for c in board))] for board in boards]
    return np.concatenate(every)


def test_distributions_on_the_turn_are_those_of_every_river():
    board = [0, 5, 17, 30]
    assert np.array_equal(distribution_points(board), points_one_by_one(board))


def test_distributions_on_the_flop_are_means_over_the_turns():
    """The sum of a hand's cumulative distributions over 47 turns, up to the units lost by rounding down."""
    board = [0, 5, 17]
    hand = 1325  # AsAh
    turns = [c for c in range(50) if c not in board]
    mean = np.mean([distribution_points([*board, c])[hand] for c in turns], axis=0)
    assert len(turns) == 47
    assert np.abs(distribution_points(board)[hand] - mean).max() <= 1


def test_nearest_centre_is_the_least_distance(points):
    centres = points[::1000].copy()
    distances = np.abs(points[:200, None, :] - centres[None]).sum(axis=2)
    nearest, distance = nearest_centres(points[:200], centres)
    assert np.array_equal(nearest, distances.argmin(axis=1))
    assert np.array_equal(distance, distances.min(axis=1))


def test_every_round_reduces_the_distance_far_below_that_of_random_centres(points, monkeypatch):
    n, costs = 20, []
    for rounds in (1, 2, 4, 8, 16):
        monkeypatch.setattr(kmeans_buckets, "MOST_ROUNDS", rounds)
        centres = fit_centres(points, n, np.random.default_rng(3))
        costs.append(nearest_centres(points, centres)[1].sum(dtype=np.float64))
    assert costs == sorted(costs, reverse=True) and costs[-1] < costs[0]
    rng = np.random.default_rng(4)
    random = [
        nearest_centres(points, points[rng.permutation(len(points))[:n]].copy())[1].sum(dtype=np.float64)
        for _ in range(5)
    ]
    assert costs[-1] < 0.9 * min(random)


def test_centres_go_from_weak_to_strong_and_do_not_depend_on_threads(points):
    alone = fit_centres(points, 10, np.random.default_rng(1))
    assert (np.diff(alone.sum(axis=1)) <= 0).all()  # more mass at low strength first
    assert (np.diff(alone, axis=1) >= 0).all()  # a median of cumulative distributions is one
    with ThreadPoolExecutor(2) as pool:
        assert np.array_equal(alone, fit_centres(points, 10, np.random.default_rng(1), pool=pool))


def test_the_turns_table_has_every_hand_at_its_nearest_centre(monkeypatch):
    """All steps of the street, on six boards."""
    rows = board_rows(4).boards[1000:1006]
    times = canonical_boards(4)[1][1000:1006]
    seen = []
    monkeypatch.setattr(kmeans_buckets, "board_rows", lambda n: SimpleNamespace(boards=rows))
    monkeypatch.setattr(kmeans_buckets, "canonical_boards", lambda n: (rows, times))
    fit = kmeans_buckets.fit_centres
    monkeypatch.setattr(kmeans_buckets, "fit_centres", lambda *a, **k: seen.append((a[0], fit(*a, **k))) or seen[0][1])
    with ThreadPoolExecutor(2) as pool:
        cells = kmeans_buckets._turn_cells(7, 500, 1, pool, lambda what, done, total: None)
    sample, centres = seen[0]
    assert sample.shape == (500, 49)
    there = set()
    for row, board in enumerate(rows):
        live = np.flatnonzero(live_combos(sum(1 << int(c) for c in board)))
        there |= {point.tobytes() for point in distribution_points(board)[live]}
        expected = np.abs(distribution_points(board)[live, None] - centres[None]).sum(axis=2).argmin(axis=1)
        assert np.array_equal(cells[row, live], expected)
    assert {point.tobytes() for point in sample} <= there  # points of possible hands


def test_river_intervals_are_optimal():
    rng = np.random.default_rng(2)
    weight = rng.integers(1, 50, size=11)
    score = np.arange(11.0)

    def error(cuts):
        total = 0.0
        for start, end in zip((0, *cuts), (*cuts, 11), strict=True):
            w, s = weight[start:end], score[start:end]
            total += (w * (s - (w * s).sum() / w.sum()) ** 2).sum()
        return total

    for n in (2, 3, 4, 5):
        best = min(combinations(range(1, 11), n - 1), key=error)
        assert (river_keys(n, weight)[0] >> INDEX_BITS).tolist() == list(best)
