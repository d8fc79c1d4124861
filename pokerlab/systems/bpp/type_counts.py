"""Counts of how hand types turn into final hand types, from which the Bayesian networks' tables are made; and their
files.

Hold'em is counted over random deals of two hands and a board, five-card stud over every hand and every order of its
cards, and pairs of stud hands over random deals. The counts ship with the package (`data`); `pokerlab train networks`
recreates them byte for byte.

>>> counts = holdem_counts()
>>> counts.partial.shape, counts.partial[3].sum() == 2 * counts.deals
((4, 45, 153, 16), np.True_)
>>> int(stud_counts().hands[3].sum()) == 2_598_960 * 5
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import AnyArray, Int64s
from pokerlab.cards.evaluate import tables
from pokerlab.cards.hand_types import (
    BOARD_STATES,
    BOARD_TUPLE_OF_SUBTYPE,
    HAND_STATES,
    RESOLUTIONS,
    SUBTYPES,
    TUPLE_OF_SUBTYPE,
    subtype_of_rank,
)
from pokerlab.files import read_arrays, write_arrays
from pokerlab.rng import stream_key
from pokerlab.systems.bpp import _type_counts_numba as kernels

N_STREETS, N_SUBTYPES = 4, len(SUBTYPES)
SEED = 2007
STREAMS = {"holdem": 32, "stud": 64}
"""Number of random streams in the shipped counts; each has 2^20 deals."""
KIND, ACTIONS_KIND = "hand type counts", "action counts by hand type"
STYLES_KIND = "action counts of three styles"
THREE_STYLES = ("aggressive", "conservative", "base")
DATA = Path(__file__).parent / "data"
Progress = Callable[[int, int], None]


class HoldemCounts(NamedTuple):
    """Counts over random deals of hold'em. Each deal counts twice, once with each player as BPP."""

    board: Int64s  # board[street, board state]
    partial: Int64s  # partial[street, board state, hand state, final type (of sixteen)]
    win: Int64s  # win[BPP's final sub-type, the opponent's, win / draw / lose]
    flush: Int64s  # flush[street, flush level of the board, flush level of the hand]
    current: Int64s  # current[street, sub-type so far]
    final: Int64s  # final[street, sub-type so far, flush level, final sub-type]
    both: Int64s  # both[street, opponent's sub-type so far, its flush level, BPP's final sub-type, the opponent's]

    @property
    def deals(self) -> int:
        return int(self.win.sum()) // 2


class StudCounts(NamedTuple):
    """Exact counts of one player's five cards, and counts of pairs of final hands from random deals."""

    hands: Int64s  # hands[street, final sub-type, sub-type of the cards so far, sub-type of the face-up cards]
    win: Int64s  # win[BPP's final sub-type, the opponent's, win / draw / lose]


def count_holdem(n_streams: int, seed: int = SEED, progress: Progress | None = None) -> HoldemCounts:
    """Count `n_streams` times 2^20 deals; the same seed gives the same counts."""
    n, shape = N_SUBTYPES, (N_STREETS, len(BOARD_STATES), len(HAND_STATES), len(RESOLUTIONS["2007-network"]))
    shapes = (
        shape[:2],
        shape,
        (n, n, 3),
        (N_STREETS, 3, 3),
        (N_STREETS, n),
        (N_STREETS, n, 3, n),
        (N_STREETS, n, 3, n, n),
    )
    counts = HoldemCounts(*(np.zeros(shape, np.int64) for shape in shapes))
    places = (TUPLE_OF_SUBTYPE, BOARD_TUPLE_OF_SUBTYPE, RESOLUTIONS["2007-network"].type_of_subtype)
    key = stream_key(seed, "hand types", "holdem")
    for stream in range(n_streams):
        kernels.count_holdem(key, stream, 1, places, tables(), subtype_of_rank(), counts)
        if progress:
            progress(stream + 1, n_streams)
    return counts


def count_stud(n_streams: int, seed: int = SEED, progress: Progress | None = None) -> StudCounts:
    """Count every five-card hand in every order of its cards, and who wins in `n_streams` times 2^20 random deals of
    two hands."""
    counts = StudCounts(
        np.zeros((N_STREETS,) + (N_SUBTYPES,) * 3, np.int64), np.zeros((N_SUBTYPES, N_SUBTYPES, 3), np.int64)
    )
    kernels.count_stud(tables(), subtype_of_rank(), counts.hands)
    key = stream_key(seed, "hand types", "stud")
    for stream in range(n_streams):
        kernels.count_stud_pairs(key, stream, 1, tables(), subtype_of_rank(), counts.win)
        if progress:
            progress(stream + 1, n_streams)
    return counts


def counts_path(game: str) -> Path:
    """Path of the shipped counts of "holdem", "stud", "actions" or "styles"."""
    return DATA / (f"{game}.bin" if game in ("actions", "styles") else f"types_{game}.bin")


def write_counts(game: str, folder: Path, progress: Progress | None = None, *, n_streams: int | None = None) -> Path:
    """Count "holdem" or "stud" and write the file. With the default number of streams its bytes equal the shipped
    file's."""
    count: Callable[..., HoldemCounts | StudCounts] = count_holdem if game == "holdem" else count_stud
    n_streams = n_streams or STREAMS[game]
    counts = count(n_streams, SEED, progress)
    path = folder / counts_path(game).name
    made = {"game": game, "command": f"pokerlab train networks {game}"}
    write_sparse(path, KIND, {**made, "deals": n_streams * kernels.DEALS_A_STREAM}, counts._asdict())
    return path


def write_sparse(path: Path, kind: str, about: Mapping[str, Any], counts: Mapping[str, Int64s]) -> None:
    """Write counts as the indices and values of their non-zero cells; most cells are zero."""
    arrays: dict[str, AnyArray] = {}
    for name, array in counts.items():
        at = np.flatnonzero(array)
        arrays |= {f"{name} at": at.astype(np.uint32), name: array.ravel()[at]}
    shapes = {name: list(array.shape) for name, array in counts.items()}
    write_arrays(path, kind, {"version": __version__, "seed": SEED, **about, "shapes": shapes}, arrays)


def read_sparse(path: Path, kind: str) -> dict[str, Int64s]:
    """Read counts written by `write_sparse`."""
    about, arrays = read_arrays(path, kind)
    counts = {name: np.zeros(shape, np.int64) for name, shape in about["shapes"].items()}
    for name, dense in counts.items():
        dense.ravel()[arrays[f"{name} at"]] = arrays[name]
    return counts


@cache
def holdem_counts() -> HoldemCounts:
    """The shipped counts of hold'em."""
    return HoldemCounts(**read_sparse(counts_path("holdem"), KIND))


@cache
def stud_counts() -> StudCounts:
    """The shipped counts of five-card stud."""
    return StudCounts(**read_sparse(counts_path("stud"), KIND))


@cache
def actions_by_type(game: str) -> Int64s:
    """`counts[round, sub-type, action]` for "holdem"; for "stud" `counts[round, sub-type, opponent's upcards, action]`.

    They were counted by `action_learning` in self-play of the combinatory player.

    >>> actions_by_type("holdem").shape, actions_by_type("stud").shape
    ((4, 28, 5), (4, 28, 28, 5))
    """
    return read_sparse(counts_path("actions"), ACTIONS_KIND)[game]


@cache
def style_counts() -> Int64s:
    """`counts[type, win, round, bpp action, action]` of `THREE_STYLES`, counted by `styles.py`."""
    return read_sparse(counts_path("styles"), STYLES_KIND)["styles"]
