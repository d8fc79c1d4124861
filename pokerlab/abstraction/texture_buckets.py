"""Card buckets `txF-T-R`: board texture and strength of the hand on the board, with imperfect recall.

Before the flop cells are the 169 classes. Later a cell is the texture of the board (`_buckets_numba.texture`: suits,
pairs, straights, high cards, and which of these the last card changed) together with one of F, T or R parts of the
hands. On the flop and the turn hands are divided by E[HS], then into four by the variance of HS on the river, which
distinguishes a draw from a made hand; on the river they are divided by HS. Parts by strength become narrower towards
the strongest hands, which win the large pots.

The texture is public: an opponent that distinguishes boards gains from a player that does not.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pokerlab.abstraction._buckets_numba import MOST_SCORE, N_TEXTURES
from pokerlab.abstraction.board_rows import board_rows
from pokerlab.abstraction.bucket_files import N_VARIED
from pokerlab.abstraction.buckets import INDEX_BITS, Buckets, Grid, Keys, Report, means_and_squares_of_board
from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES, N_COMBOS, live_combos
from pokerlab.cards.isomorphism import indexer
from pokerlab.cards.strength_tables import SCALE
from pokerlab.runs.cost import usable_cores

RECIPE_VERSION = 1
NARROWING = 1.5  #: of n parts, the strongest has the share n^-1.5 of the hands


def build_textures(parts: tuple[int, int, int], *, workers: int | None = None, report: Report | None = None) -> Buckets:
    """Build `txF-T-R`; the result is the same for any number of worker threads."""
    workers, report = workers or usable_cores(), report or (lambda what, done, total: None)
    flop, turn = (_grid(n // N_VARIED, size, workers, report) for n, size in zip(parts[:2], (3, 4), strict=True))
    n_cells = (N_CLASSES, *(n * N_TEXTURES[size] for size, n in enumerate(parts, 3)))
    none = np.zeros((1, 0), dtype=np.int64)
    recipe = {
        "kind": "textures and strength", "parts": list(parts), "varied": N_VARIED, "narrowing": NARROWING,
        "version": RECIPE_VERSION,
    }  # fmt: skip
    name = "tx" + "-".join(map(str, parts))
    preflop = CLASS_OF_COMBO.astype(np.int32)
    return Buckets(name, recipe, n_cells, False, preflop, (none, none, _river_keys(parts[2])), grids=(flop, turn))


def cuts(n: int) -> Floats:
    """For each part except the first, the share of hands below it.

    >>> cuts(4).round(3).tolist()
    [0.35, 0.646, 0.875]
    """
    return np.asarray(1 - (1 - np.arange(1, n) / n) ** NARROWING)


def _river_keys(n: int) -> Keys:
    """`keys[texture, n - 1]`: HS is uniform on every board, so all textures have the same keys."""
    return np.tile(np.ceil(cuts(n) * MOST_SCORE).astype(np.int64) << INDEX_BITS, (N_TEXTURES[5], 1))


def _grid(n: int, size: int, workers: int, report: Report) -> Grid:
    """The grid of flops (3) or turns (4) with n parts by strength, over all boards and hands."""
    boards = board_rows(size).boards.tolist()
    values = np.empty((len(boards), 2, N_COMBOS), np.int64)

    def fill(row: int) -> None:
        values[row] = means_and_squares_of_board(boards[row])

    with ThreadPoolExecutor(workers) as pool:
        for done, _ in enumerate(pool.map(fill, range(len(boards)))):
            report(f"strength on the {'flop' if size == 3 else 'turn'}", done + 1, len(boards))
    live = np.stack([live_combos(sum(1 << card for card in board)) for board in boards])
    times = np.broadcast_to(indexer(size).multiplicities(np.arange(len(boards)))[:, None], live.shape)[live]
    mean, squared = values[:, 0][live], values[:, 1][live]
    least = np.concatenate([[0], _quantiles(mean, times, cuts(n))])
    part = np.searchsorted(least, mean, side="right") - 1
    varies = squared * SCALE - mean * mean
    evenly = np.arange(1, N_VARIED) / N_VARIED
    within = [_quantiles(varies[part == i], times[part == i], evenly) for i in range(n)]
    return np.concatenate([least[:, None], np.array(within)], axis=1)


def _quantiles(values: Int64s, weights: Int64s, shares: Floats) -> Int64s:
    """For each share, the smallest value below which this share of the weight lies."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order]) / weights.sum()
    return np.asarray(values[order][np.searchsorted(below, shares)])
