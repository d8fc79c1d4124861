"""Records of play cut into chunks of one size, as the kernels of model fitting take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pokerlab.arrays import AnyArray, Int64s
from pokerlab.caches import keep_jax_programs
from pokerlab.people.records import Records


def kernels() -> Any:
    """The kernels of model fitting, which need JAX."""
    from pokerlab.people import _fit_jax

    keep_jax_programs()
    return _fit_jax


def rounded(n: int) -> int:
    """The next power of two, 16 at least: kernels are compiled for each size.

    >>> rounded(5), rounded(100)
    (16, 128)
    """
    return int(max(16, 1 << max(0, n - 1).bit_length()))


def chunk_size(n_hands: int, *, cpu: int, gpu: int) -> int:
    """Number of hands in a chunk, limited by device."""
    import jax

    return min(rounded(n_hands), gpu if jax.default_backend() == "gpu" else cpu)


def rows_of(records: Records, hands: Int64s) -> tuple[Int64s, Int64s]:
    """(the decisions of some hands, the index of the hand of each)."""
    counts = np.diff(records.first)[hands]
    place = np.repeat(np.arange(len(hands)), counts)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return records.first[hands][place] + np.arange(len(place)) - starts[place], place


def columns_of(records: Records, rows: Int64s, place: Int64s, *, width: int, n_hands: int) -> Any:
    """Decisions as `_fit_jax.Columns`, padded to `width` with calls at the hand `n_hands`."""
    n = len(rows)

    def filled(values: AnyArray, dtype: Any, rest: int = 0) -> AnyArray:
        found = np.full((*values.shape[1:], width), rest, dtype)
        found[..., :n] = np.moveaxis(values, 0, -1)
        return found

    return kernels().Columns(
        inputs=filled(records.inputs[rows], np.float32),
        cost=filled(records.cost[rows], np.float32),
        street=filled(records.street[rows], np.int32),
        seat=filled(records.seat[rows], np.int32),
        action=filled(records.action[rows], np.int32, 1),
        legal=filled(records.legal[rows], np.int32),
        hand=filled(place, np.int32, n_hands),
        valid=filled(np.ones(n), np.float32),
    )


def in_chunks(records: Records, order: Int64s, *, n_hands: int, width: int) -> Iterator[Int64s]:
    """The hands in `order`, in chunks of at most `width` decisions and `n_hands` hands."""
    counts = np.diff(records.first)[order]
    at = 0
    while at < len(order):
        total = np.cumsum(counts[at : at + n_hands])
        n = max(1, int(np.searchsorted(total, width, side="right")))
        yield order[at : at + n]
        at += n
