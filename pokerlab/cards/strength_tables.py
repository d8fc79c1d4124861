"""HS, E[HS], E[HS^2], PPot and NPot of all hands up to suits, computed once and looked up.

The table for the flop, and E[HS] and E[HS^2] of the 169 classes before it, ship with the package. A table for the turn
(140 MB) is optional: `build_table("turn")` writes it to the cache directory. Without it the same values are computed.

Values are stored as integers in units of 1/65535, so a looked-up value is within 1/131070 (7.63e-6) of the computed
one; 0 and 1 are exact. E[HS] and E[HS^2] are over final boards; PPot and NPot deal all cards to come (two on the flop).
The one-card potential on the flop is not in the table: `strength_of_board(flop, n_to_come=1)` computes it in about a
millisecond.

>>> from pokerlab.cards.card import cards
>>> hand = flop_strength(cards("AdQc"), cards("3h4cJh"))
>>> round(hand.hs, 4), round(hand.ppot, 4), round(hand.npot, 4)
(0.5851, 0.2083, 0.2737)
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import AnyArray, Floats, Indices, Int8s, Int64s, Uint16s
from pokerlab.caches import cache_directory, compiled
from pokerlab.cards.card import check_distinct
from pokerlab.cards.card_keys import may_use_arrays
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, COMBOS_OF_CLASS, MASK_OF_COMBO, N_CLASSES, N_COMBOS
from pokerlab.cards.evaluate import tables
from pokerlab.cards.isomorphism import canonical_boards, indexer
from pokerlab.cards.strength import strength_of_board, strength_of_hand
from pokerlab.errors import CardError, FileError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.runs.cost import usable_cores

kernels = compiled("pokerlab.cards._strength_numba")
COLUMNS = ("hs", "mean_hs", "mean_hs_squared", "ppot", "npot")
SCALE = 65535
N_BOARD_CARDS = {"flop": 3, "turn": 4}
SHIPPED_FLOP = Path(__file__).parent / "data" / "strength_flop.bin"

_BOARDS_PER_PART = {"flop": 45, "turn": 316}  # this makes 39 and 52 parts; each takes a second or less
_LAYOUT = 1  # increased if the meaning of the numbers changes, so that parts of an older build are made again

Progress = Callable[[int, int], None]  #: `progress(boards done, boards in all)`


class FiveNumbers(NamedTuple):
    """The tabled values: vectors over the 1326 combos (NaN when blocked), or numbers for one hand."""

    hs: Any
    mean_hs: Any
    mean_hs_squared: Any
    ppot: Any
    npot: Any


def strength_of(board: Sequence[int]) -> FiveNumbers:
    """The five vectors over all combos on a board of 0, 3, 4 or 5 cards, from a table if there is one, otherwise
    computed.

    Before the flop HS is E[HS], the all-in equity against a random hand, and there are no potentials (NaN).

    >>> from pokerlab.cards.card import cards
    >>> from pokerlab.cards.combos import combo_index
    >>> preflop, river = strength_of([]), strength_of(cards("3h4cJhQs2d"))
    >>> preflop.hs[combo_index(*cards("AsAh"))].round(4), river.hs[combo_index(*cards("AdQc"))].round(4)
    (np.float64(0.852), np.float64(0.8677))
    """
    if len(board) == 0:
        mean, squared = (column[CLASS_OF_COMBO] for column in preflop_strength())
        none = np.full(N_COMBOS, np.nan)
        return FiveNumbers(mean, mean, squared, none, none)
    check_distinct(board=board)
    table = table_values(len(board))
    if table is None:
        return _computed(board)
    live = _live(board)
    values = np.full((5, N_COMBOS), np.nan)
    values[:, live] = (table[_indices(board, live)] / SCALE).T
    return FiveNumbers(*values)


def mean_hs_by_arrays(hole: Sequence[int], board: Sequence[int]) -> float | None:
    """E[HS] of one hand using only NumPy; equal to that of `strength_of`. None before the flop, and if the process has
    computed so many hands that compiled code should compute all hands of the board at once."""
    if len(board) == 3:
        return float(flop_strength(hole, board).mean_hs)
    if len(board) == 0 or not may_use_arrays(4_000 if len(board) == 5 else 15_000):  # they would take as long to rank
        return None
    mean = float(strength_of_hand(hole, board, by_arrays=True).mean_hs)
    return _rounded(mean) if len(board) == 4 else mean


def flop_strength(hole: Sequence[int], flop: Sequence[int]) -> FiveNumbers:
    """The five numbers of one hand on the flop, from the table."""
    if len(hole) != 2 or len(flop) != 3:
        raise CardError(f"a hand on the flop is 2 hole cards and 3 on the board, not {len(hole)} and {len(flop)}")
    check_distinct(hole=hole, board=flop)
    return FiveNumbers(*(_flop_table()[indexer(2, 3).index((*hole, *flop))] / SCALE).tolist())


@lru_cache(maxsize=1)
def preflop_strength() -> tuple[Floats, Floats]:
    """(`mean_hs[class]`, `mean_hs_squared[class]`) over all final boards, of the 169 classes."""
    _, arrays = read_arrays(SHIPPED_FLOP, _kind("flop"))
    return np.asarray(arrays["preflop"][:, 0]), np.asarray(arrays["preflop"][:, 1])


def table_path(street: str) -> Path:
    """Path of a street's table, whether or not it exists."""
    return SHIPPED_FLOP if street == "flop" else cache_directory() / "strength_turn.bin"


def check_table(street: str) -> dict[str, Any]:
    """Verify all checksums of a street's table and return its metadata; raises `FileError` if one is wrong."""
    return read_arrays(table_path(street), _kind(street))[0]


BUILD_SECONDS = {"flop": 31.0, "turn": 28.0}  # of one core (docs/notebook/2026-11-15-strength.md)


def build_seconds(street: str, workers: int | None = None) -> float:
    """Typical seconds needed to build a street's table."""
    return BUILD_SECONDS[street] / (workers or usable_cores())


def table_bytes(street: str) -> int:
    """The size of a street's table."""
    return indexer(2, N_BOARD_CARDS[street]).size * len(COLUMNS) * 2


def table_values(n_board: int) -> Uint16s | None:
    """`values[hand, column]` (`COLUMNS`, in 1/`SCALE`) for boards of `n_board` cards; None if there is no table."""
    if n_board == 4 and (path := table_path("turn")).exists():
        return _turn_table(path, path.stat().st_mtime_ns)
    return _flop_table() if n_board == 3 else None


# --- lookup ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _flop_table() -> Uint16s:
    return read_arrays(SHIPPED_FLOP, _kind("flop"))[1]["values"]


@lru_cache(maxsize=1)
def _turn_table(path: Path, modified: int) -> Uint16s:
    """The table at `path`; it is read and verified again only if the file was modified."""
    return read_arrays(path, _kind("turn"))[1]["values"]


def _kind(street: str) -> str:
    return f"strength by hand, {street}"


def _live(board: Sequence[int]) -> Indices:
    return np.flatnonzero((MASK_OF_COMBO & np.uint64(sum(1 << int(c) for c in board))) == 0)


def _indices(board: Sequence[int], combos: Indices) -> Int64s:
    """The table rows of combos on a board."""
    hands = np.empty((len(combos), 2 + len(board)), dtype=np.int64)
    hands[:, :2], hands[:, 2:] = CARDS_OF_COMBO[combos], board
    return indexer(2, len(board)).index_many(hands)


def _computed(board: Sequence[int]) -> FiveNumbers:
    """Compute the values; those of the turn are rounded as in a table, so that no decision depends on whether there is
    one."""
    found = strength_of_board(board)
    values = np.stack([getattr(found, column) for column in COLUMNS])
    return FiveNumbers(*(_rounded(values) if len(board) == 4 else values))


def _rounded(values: Any) -> Any:
    """Round values to the table's precision."""
    return np.rint(values * SCALE) / SCALE


# --- building --------------------------------------------------------------------------------------------------------


def build_table(
    street: str, path: Path | None = None, *, workers: int | None = None, progress: Progress | None = None
) -> Path:
    """Build a street's table (the flop's includes preflop values) at `path`, by default where lookups expect it.

    Parts are saved, merged at the end and then deleted; an interrupted build resumes with the missing parts.
    """
    path = path or table_path(street)
    boards, _ = canonical_boards(N_BOARD_CARDS[street])
    per_part = _BOARDS_PER_PART[street]
    parts = path.with_name(path.name + ".parts")
    starts = range(0, len(boards), per_part)

    def part(start: int) -> Path:
        file = parts / f"{start:05d}.bin"
        if not _part_is_good(file, street):
            write_arrays(file, _kind(street) + ", part", {"layout": _LAYOUT}, _part(boards[start : start + per_part]))
        return file

    files = []
    with ThreadPoolExecutor(workers or usable_cores()) as pool:
        for start, file in zip(starts, pool.map(part, starts), strict=True):
            files.append(file)
            if progress:
                progress(min(start + per_part, len(boards)), len(boards))
    values = _assembled(street, files)
    extra = {"preflop": _preflop_values()} if street == "flop" else {}
    about = {
        "command": f"pokerlab tables build --street {street}",
        "version": __version__,
        "rows": f"hands of {indexer(2, N_BOARD_CARDS[street]).cards_per_round} cards up to suits, by `isomorphism`",
        "columns": list(COLUMNS),
        "unit": f"1/{SCALE}",
        "preflop": "E[HS], E[HS^2] by class (13 x 13 grid, ace first)" if extra else "no",
    }
    write_arrays(path, _kind(street), about, {"values": values, **extra})
    shutil.rmtree(parts)
    return path


def _part(boards: Int8s) -> dict[str, AnyArray]:
    """`index[hand]` and `values[hand, 5]` of all hands on some boards."""
    indices, values = [], []
    for board in boards.tolist():
        live = _live(board)
        every, first = np.unique(_indices(board, live), return_index=True)
        indices.append(every)
        values.append(np.stack(_computed(board))[:, live[first]].T)
    return {"index": np.concatenate(indices), "values": np.rint(np.concatenate(values) * SCALE).astype(np.uint16)}


def _part_is_good(file: Path, street: str) -> bool:
    if not file.exists():
        return False
    try:
        return bool(read_arrays(file, _kind(street) + ", part")[0] == {"layout": _LAYOUT})
    except FileError:
        return False


def _assembled(street: str, files: Sequence[Path]) -> Uint16s:
    size = indexer(2, N_BOARD_CARDS[street]).size
    values, filled = np.zeros((size, len(COLUMNS)), dtype=np.uint16), np.zeros(size, dtype=bool)
    for file in files:
        _, part = read_arrays(file, _kind(street) + ", part")
        values[part["index"]] = part["values"]
        filled[part["index"]] = True
    if not filled.all():
        raise FileError(f"{files[0].parent} lacks {size - filled.sum()} hands: delete it and build again")
    return values


def _preflop_values() -> Floats:
    """`[class, (E[HS], E[HS^2])]` over all 2,118,760 final boards of a hand, computed from the 134,459 that differ by
    more than suits."""
    boards, multiplicity = canonical_boards(5)
    total = np.zeros((N_COMBOS, 2))
    counts = np.ones(N_COMBOS)
    no_runout, no_key = np.full((1, 2), kernels.NO_CARD), np.zeros(1, dtype=np.int64)
    for board, times in zip(boards.astype(np.uint8), multiplicity, strict=True):
        sums = np.zeros((N_COMBOS, kernels.N_SUMS))
        kernels.sum_over_runouts(board, no_runout, no_key, counts, tables(), sums)
        hs = (sums[:, kernels.WORSE_LATER] + sums[:, kernels.NOT_BETTER_LATER]) / 2 / comb(45, 2)
        total[:, 0] += times * hs
        total[:, 1] += times * hs * hs
    by_class = np.array([total[combos].mean(axis=0) for combos in COMBOS_OF_CLASS])
    assert by_class.shape == (N_CLASSES, 2)
    return by_class / comb(50, 5)
