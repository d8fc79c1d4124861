"""Sample hidden cards given all actions: every hand is weighted by the actions of its player, on a CPU or a GPU.

The weight of a possible hand of a seat is the product of the model's probabilities of all the seat's actions with that
hand. Hands of all seats are sampled together by their weights until no two share a card; accepted samples then have the
distribution of all hidden cards given all actions. A test compares this with rejection sampling, the published method.

References
----------
Sweeney (2012), section 6.1.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Bools, Floats32, Int8s, Int32s, Int64s, Uint8s, Uint64s
from pokerlab.cards.card_features import card_features
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, COMBOS_OF_CLASS, MASK_OF_COMBO, N_CLASSES, N_COMBOS
from pokerlab.cards.feature_names import PRIVATE_COLUMNS
from pokerlab.people.records import UNKNOWN, Records, chunk_size, columns_of, kernels, rounded, rows_of
from pokerlab.runs.cost import usable_cores
from pokerlab.systems.connectionist.population import Model

MOST_KEPT = {"cpu": 1_000_000_000, "gpu": 40_000_000_000}
"""Bytes of features saved from round to round."""
DRAWS = 64
"""Sets of hands drawn at once; the first without a repeated card is taken."""


class Weighed(NamedTuple):
    """Weights of the hidden hands in some deals."""

    hands: Int64s  # hands[n]: indices of the deals in the records
    # log_weights[variant][row, combo], one row for each (deal, seat); -inf for impossible combos; padded, on the device
    log_weights: Any
    # log_chance[variant][row]: log-probability of all actions of a seat, averaged over its possible hands; padded
    log_chance: Any


class Kept:
    """Cache of the features of all combos on all boards, used between rounds as far as it fits in memory."""

    def __init__(self) -> None:
        import jax

        self.room = MOST_KEPT["gpu" if jax.default_backend() == "gpu" else "cpu"]
        self._features: dict[tuple[int, int], Any] = {}

    def add(self, key: tuple[int, int], features: tuple[Int8s, Int8s]) -> Any:
        """Put the features of a chunk on the device; they are cached if they fit."""
        import jax

        found = jax.device_put(features)
        if (size := features[1].nbytes) <= self.room:
            self.room -= size
            self._features[key] = found
        return found

    def get(self, key: tuple[int, int]) -> Any:
        return self._features.get(key)


def weigh(
    model: Model,
    records: Records,
    opponents: Floats32,
    kinds: Int32s,
    *,
    hands: Int64s | None = None,
    kept: Kept | None = None,
) -> Iterator[Weighed]:
    """Yield, chunk by chunk, the weights of all hands of all players with unknown cards.

    `opponents[decision, C (+ T)]` are the beliefs about the others; `kinds[variant, hand, seat]` are player-types, of
    which several variants can be evaluated at once. `kept` caches features for the next call with the same hands.
    """
    which = np.arange(records.n_hands) if hands is None else hands
    hidden = ~records.known & (records.person >= 0)
    asked = hidden[records.hand_of, records.seat]
    last = np.zeros(records.n_hands, np.int8)
    np.maximum.at(last, records.hand_of[asked], records.street[asked])
    for street in range(4):
        some = which[last[which] == street]
        size = chunk_size(len(some), cpu=64, gpu=512) if street else chunk_size(len(some), cpu=256, gpu=4096)
        chunks = [some[at : at + size] for at in range(0, len(some), size)]
        yield from _weighed_chunks(
            model, records, opponents, kinds, chunks=chunks, asked=asked, size=size, street=street, kept=kept
        )


def _weighed_chunks(
    model: Model,
    records: Records,
    opponents: Floats32,
    kinds: Int32s,
    *,
    chunks: Sequence[Int64s],
    asked: Bools,
    size: int,
    street: int,
    kept: Kept | None,
) -> Iterator[Weighed]:
    """Yield the weights for chunks of hands in which no player with hidden cards acted after `street`."""
    n_seats = records.n_seats
    combos = np.arange(N_COMBOS)
    of_class: Int64s | None = None
    if not street:  # one combo of each class is enough: all have the same features
        combos, of_class = np.array([each[0] for each in COMBOS_OF_CLASS]), CLASS_OF_COMBO.astype(int)
    before = card_features(CARDS_OF_COMBO[combos][None], np.zeros((1, 0), np.uint8)).private[0][:, PRIVATE_COLUMNS[0]]
    width = rounded(max((int(asked[rows_of(records, chunk)[0]].sum()) for chunk in chunks), default=0))
    with ThreadPoolExecutor(usable_cores()) as workers:
        for chunk, features in zip(chunks, _features(workers, records, chunks, size, street, kept), strict=True):
            rows, place = rows_of(records, chunk)
            rows, place = rows[asked[rows]], place[asked[rows]]
            columns = columns_of(records, rows, place, width=width, n_hands=size)
            row = np.full(width, size * n_seats, np.int32)
            row[: len(rows)] = place * n_seats + records.seat[rows]
            live = np.ones((size, N_COMBOS), bool)
            live[: len(chunk)] = MASK_OF_COMBO[None] & _taken(records, chunk)[:, None] == 0
            seen = np.zeros((opponents.shape[1], width), np.float32)
            seen[:, : len(rows)] = opponents[rows].T
            weights, chances = [], []
            for variant in kinds:
                kind = np.zeros(width, np.int32)
                kind[: len(rows)] = variant[chunk[place], records.seat[rows]]
                found = kernels().hand_log_weights(model, columns, seen, kind, *features, before)
                found, mean = kernels().summed_rows(found, of_class, row, live, size * n_seats)
                weights.append(found)
                chances.append(mean)
            yield Weighed(chunk, weights, chances)


def _taken(records: Records, chunk: Int64s) -> Uint64s:
    """Return, for each hand played, a bit mask of the cards on the board and of the known hole cards."""
    bits = np.uint64(1) << records.boards[chunk].astype(np.uint64)
    dealt = np.arange(5) < records.n_board[chunk, None]
    holes = records.holes[chunk].reshape(len(chunk), -1)
    shown = np.where(holes == UNKNOWN, np.uint64(0), np.uint64(1) << np.minimum(holes, 63).astype(np.uint64))
    return np.asarray(
        np.bitwise_or.reduce(np.where(dealt, bits, np.uint64(0)), axis=1) | np.bitwise_or.reduce(shown, axis=1)
    )


def _features(
    workers: ThreadPoolExecutor, records: Records, chunks: Sequence[Int64s], size: int, street: int, kept: Kept | None
) -> Iterator[Any]:
    """Yield two arrays for each chunk of hands: the features of the boards, and those of every combo on them.

    While the caller uses one chunk, the features of the next chunk are computed in the background.
    """
    if not street:
        none = card_features(np.zeros((0, N_CLASSES, 2), np.uint8), np.zeros((0, 5), np.uint8))
        yield from ((none.board, none.private) for _ in chunks)
        return

    def begun(number: int) -> Any:
        if number >= len(chunks) or (kept is not None and kept.get((street, number)) is not None):
            return None
        chunk = chunks[number]
        full = np.concatenate([chunk, np.full(size - len(chunk), chunk[0])])
        parts = np.array_split(full, usable_cores())
        return [workers.submit(_combo_features, records, part, street) for part in parts]

    ahead = begun(0)
    for number in range(len(chunks)):
        now, ahead = ahead, begun(number + 1)
        if now is None:
            assert kept is not None
            yield kept.get((street, number))
            continue
        board, private = (np.concatenate(each) for each in zip(*(future.result() for future in now), strict=True))
        yield (board, private) if kept is None else kept.add((street, number), (board, private))


def _combo_features(records: Records, hands: Int64s, street: int) -> tuple[Int8s, Int8s]:
    boards = records.boards[hands][:, : street + 2]
    holes = np.broadcast_to(CARDS_OF_COMBO, (len(hands), *CARDS_OF_COMBO.shape)).copy()
    taken = (holes[..., None] == boards[:, None, None]).any(axis=(2, 3))
    free = [next(c for c in CARDS_OF_COMBO if not set(c.tolist()) & set(board)) for board in boards.tolist()]
    holes[taken] = np.array(free, np.uint8)[np.nonzero(taken)[0]]  # they weigh nothing, but need features
    found = card_features(holes, boards)
    return found.board, found.private[:, :, : PRIVATE_COLUMNS[street].stop]


def impute(
    model: Model,
    records: Records,
    opponents: Floats32,
    kinds: Int32s,
    rng: np.random.Generator,
    *,
    hands: Int64s | None = None,
    kept: Kept | None = None,
) -> Uint8s:
    """`[hand, seat, 2]`: all hole cards; the unknown ones of `hands` are sampled given all actions.

    `kinds[hand, seat]` are player-types.
    """
    holes = records.holes.copy()
    hidden = ~records.known & (records.person >= 0)

    def keep(which: Int64s, found: Any) -> None:
        combos = np.asarray(found).reshape(-1, records.n_seats, DRAWS)
        drawn = chosen_sets(combos[: len(which)], hidden[which])
        holes[which] = np.where(hidden[which][..., None], CARDS_OF_COMBO[drawn], holes[which])

    before: tuple[Int64s, Any] | None = None  # sampled by the device while the next chunk is prepared
    for chunk in weigh(model, records, opponents, kinds[None], hands=hands, kept=kept):
        uniforms = rng.random((chunk.log_weights[0].shape[0], DRAWS), np.float32)
        now = chunk.hands, kernels().drawn(chunk.log_weights[0], uniforms)
        if before is not None:
            keep(*before)
        before = now
    if before is not None:
        keep(*before)
    return holes


def chosen_sets(combos: Int64s, hidden: Bools) -> Int64s:
    """`[hand, seat]`: from `combos[hand, seat, draw]`, those of the first draw in which no two hidden seats share a
    card.

    If there is no such draw, each seat in turn takes its first combo that is still available. That changes the
    distribution slightly, but is rare with six players or fewer.
    """
    combos = np.minimum(combos, N_COMBOS - 1)
    masks = np.where(hidden[:, :, None], MASK_OF_COMBO[combos], np.uint64(0))
    used = np.zeros((len(combos), combos.shape[2]), np.uint64)
    clash: Bools = np.zeros(used.shape, bool)
    greedy = np.zeros(hidden.shape, np.int64)
    taken = np.zeros(len(combos), np.uint64)
    every = np.arange(len(combos))
    for seat in range(combos.shape[1]):
        clash = np.asarray(clash | ((used & masks[:, seat]) != 0))
        used |= masks[:, seat]
        free = np.asarray((masks[:, seat] & taken[:, None]) == 0)
        greedy[:, seat] = np.argmax(free, axis=1)
        taken |= masks[every, seat, greedy[:, seat]]
    draw = np.where(np.all(clash, axis=1, keepdims=True), greedy, np.argmin(clash, axis=1)[:, None])
    return np.take_along_axis(combos, draw[..., None], axis=2)[..., 0]
