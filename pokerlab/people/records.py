"""Recorded play as arrays to which a model is fitted: decisions as inputs of the connectionist structure, cards where
known.

Hands are limit hold'em with 2 to 10 players, from any history that can be read. A *match* is a sequence of hands over
which players keep their names and types; a file is one match. A *person* is one name in one match.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("limit2p"), cards("AsAd2c7h") + (None,) * 5, (RaiseTo(20), FOLD), ("ann", "bob"))
>>> found = records_of([[hand]])
>>> found.n_hands, found.action.tolist(), found.seat.tolist(), found.names
(1, [2, 0], [1, 0], ('ann', 'bob'))

The kernels of model fitting take records in chunks of one size (`in_chunks`, `columns_of`).

References
----------
Sweeney (2012), sections 6.1 and 6.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import AnyArray, Bools, Floats32, Int8s, Int32s, Int64s, Uint8s
from pokerlab.caches import keep_jax_programs
from pokerlab.errors import PokerlabError
from pokerlab.files import read_arrays, well_formed, write_arrays
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.systems.connectionist.parameters import N_BET
from pokerlab.systems.connectionist.structure import place_of, playable, spot_of
from pokerlab.table.lanes import MAX_LANE_SEATS

KIND = "records of play"
UNKNOWN = 255
"""Placeholder for an unknown card."""
NOBODY = -1
HELD_OUT = 5
"""Every fifth match is held out, or with fewer than `MANY_MATCHES` the last fifth of the hands of each."""
MANY_MATCHES = 20
MOST_MATCHES = 2**31
N_OPTIONS = 2
"""Call and raise; a fold costs nothing."""


@dataclass(frozen=True)
class Records:
    """Hands in the order in which they were played, match by match, and their decisions in order."""

    match: Int32s  # match[hand]: the number of its match
    boards: Uint8s  # boards[hand, 5]; after the first `n_board` cards come cards that nobody is known to hold
    n_board: Int8s  # n_board[hand]: number of board cards
    holes: Uint8s  # holes[hand, seat, 2]; UNKNOWN if they were not shown
    person: Int32s  # person[hand, seat]; NOBODY if the table has no such seat
    wins: Bools  # wins[hand, seat]: whether the seat won a known showdown
    showed: Bools  # showed[hand, seat]: whether the seat was in a showdown
    first: Int64s  # first[hand]: its first decision; one more entry ends the last hand
    street: Int8s  # street[decision]
    seat: Int8s  # seat[decision]: the seat that acts
    action: Int8s  # action[decision]: 0 fold, 1 call, 2 raise
    legal: Int8s  # legal[decision]: 1 if it may fold, plus 2 if it may raise
    inputs: Floats32  # inputs[decision, 10, option], as in `structure.Spot`
    cost: Floats32  # cost[decision, option]
    name_of: Int32s  # name_of[person]: index in `names`
    match_of: Int32s  # match_of[person]: the number of the person's match
    names: tuple[str, ...]

    @property
    def n_hands(self) -> int:
        return len(self.match)

    @property
    def n_decisions(self) -> int:
        return len(self.street)

    @property
    def n_seats(self) -> int:
        """Number of seats at the largest table."""
        return int(self.person.shape[1])

    @property
    def hand_of(self) -> Int64s:
        """Return, for each decision, the index of its hand."""
        return np.repeat(np.arange(self.n_hands), np.diff(self.first))

    @property
    def known(self) -> Bools:
        """Return `known[hand, seat]`: whether the seat's cards are known."""
        return np.asarray(self.holes[:, :, 0] != UNKNOWN)

    def part(self, hands: Int64s) -> Records:
        """Some of the hands, in this order; persons keep their numbers."""
        counts = np.diff(self.first)[hands]
        first = np.concatenate([[0], np.cumsum(counts)])
        rows = np.repeat(self.first[hands] - first[:-1], counts) + np.arange(first[-1])
        kept: dict[str, Any] = {"first": first}
        for name in ("match", "boards", "n_board", "holes", "person", "wins", "showed"):
            kept[name] = getattr(self, name)[hands]
        for name in ("street", "seat", "action", "legal", "inputs", "cost"):
            kept[name] = getattr(self, name)[rows]
        return Records(**kept, name_of=self.name_of, match_of=self.match_of, names=self.names)

    def held_out(self) -> Bools:
        """Return, for each hand, whether it is kept from the training, to judge the model."""
        matches, counts = np.unique(self.match, return_counts=True)
        if len(matches) >= MANY_MATCHES:
            return np.asarray(np.isin(self.match, matches[HELD_OUT - 1 :: HELD_OUT]))
        ends = np.cumsum(counts)
        place = np.arange(self.n_hands) - np.repeat(ends - counts, counts)
        return np.asarray(place >= np.repeat(counts - counts // HELD_OUT, counts))


class _Growing:
    """Columns of records under construction, to which hands are added."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Any]] = {
            field.name: [] for field in fields(Records) if field.name not in ("first", "names", "name_of", "match_of")
        }
        self.counts: list[int] = []
        self.names: dict[str, int] = {}
        self.persons: dict[tuple[int, str], int] = {}

    def add(self, match: int, hand: HandHistory) -> None:
        n_seats, rows = hand.rules.n_seats, self.rows
        betting = Betting.start(hand.rules)
        for action in hand.actions:
            spot, place = spot_of(betting), place_of(betting, action)
            rows["street"].append(spot.street)
            rows["seat"].append(betting.actor)
            rows["action"].append(place)
            # Some people fold although a check is free. Whatever was done counts as legal.
            rows["legal"].append((spot.may_fold or place == 0) + 2 * (spot.may_raise or place == 2))
            rows["inputs"].append(spot.inputs.astype(np.float32))
            rows["cost"].append(spot.cost.astype(np.float32))
            betting = betting.after(action)
        self.counts.append(len(hand.actions))
        final = hand.final
        holes = np.full((MAX_LANE_SEATS, 2), UNKNOWN, np.uint8)
        person = np.full(MAX_LANE_SEATS, NOBODY, np.int32)
        for seat in range(n_seats):
            hole = [card for card in final.hole(seat) if card is not None]
            if len(hole) == holes.shape[1]:
                holes[seat] = hole
            name = hand.names[seat]
            self.names.setdefault(name, len(self.names))
            person[seat] = self.persons.setdefault((match, name), len(self.persons))
        showed, wins = np.zeros((2, MAX_LANE_SEATS), bool)
        showed[list(hand.shown)] = True
        if hand.result_known:
            wins[[seat for seat in hand.shown if hand.payoffs[seat] + final.betting.spent[seat] > 0]] = True
        rows["match"].append(match)
        rows["n_board"].append(len(final.board))
        rows["boards"].append(_filled_board(final.board, holes))
        rows["holes"].append(holes)
        rows["person"].append(person)
        rows["showed"].append(showed)
        rows["wins"].append(wins)

    def done(self) -> Records:
        n_seats = int(max((int((person >= 0).sum()) for person in self.rows["person"]), default=2))
        kinds = {"match": np.int32} | dict.fromkeys(("n_board", "street", "seat", "action", "legal"), np.int8)
        arrays = {name: np.array(rows, kinds.get(name)) for name, rows in self.rows.items()}
        for name in ("holes", "person", "wins", "showed"):
            arrays[name] = arrays[name][:, :n_seats]
        return Records(
            **arrays,
            first=np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64),
            name_of=np.array([self.names[name] for _, name in self.persons], np.int32),
            match_of=np.array([match for match, _ in self.persons], np.int32),
            names=tuple(self.names),
        )


def _filled_board(board: Sequence[int | None], holes: Uint8s) -> Uint8s:
    """Return the board filled up to five cards, with cards that no player is known to hold.

    The added cards have no effect, since only the streets that the hand reached are used.
    """
    known = [card for card in board if card is not None]
    taken = {*known, *holes.ravel().tolist()}
    free = (card for card in range(52) if card not in taken)
    return np.array([*known, *(next(free) for _ in range(5 - len(known)))], np.uint8)


def records_of(matches: Iterable[Sequence[HandHistory]]) -> Records:
    """The records of some matches of limit hold'em.

    Hands of other games, with unknown boards, or with one name in several seats are left out.
    """
    growing, others, n_alone = _Growing(), set(), 0
    for match, hands in enumerate(matches):
        for hand in hands:
            if not playable(hand.rules):
                others.add(hand.rules.name)
            elif len(set(hand.names)) < len(hand.names):
                n_alone += 1
            elif hand.actions and None not in hand.final.board:
                growing.add(match, hand)
    if not growing.counts:
        why = f": there is {', '.join(sorted(others)[:3])}" if others else ""
        why = f": in {n_alone:,} hands one player has several seats" if n_alone else why
        raise PokerlabError(f"there are no hands of limit hold'em for 2 to 10 players to fit a model to{why}")
    return growing.done()


def joined(parts: Sequence[Records]) -> Records:
    """Concatenate records; their matches and persons stay distinct, their names are shared."""
    names: dict[str, int] = {}
    n_seats = max(part.n_seats for part in parts)
    found: dict[str, list[AnyArray]] = {field.name: [] for field in fields(Records) if field.name != "names"}
    matches = persons = decisions = 0
    for part in parts:
        places = np.array([names.setdefault(name, len(names)) for name in part.names], np.int32)
        for name in found:
            found[name].append(getattr(part, name))
        for name, rest in (("holes", UNKNOWN), ("person", NOBODY), ("wins", False), ("showed", False)):
            array = getattr(part, name)
            more = [(0, n_seats - array.shape[1]) if axis == 1 else (0, 0) for axis in range(array.ndim)]
            found[name][-1] = np.pad(array, more, constant_values=rest)
        found["person"][-1] = np.where(found["person"][-1] >= 0, found["person"][-1] + persons, NOBODY)
        found["match"][-1], found["match_of"][-1] = part.match + matches, part.match_of + matches
        found["name_of"][-1], found["first"][-1] = places[part.name_of], part.first[:-1] + decisions
        matches += int(part.match_of.max()) + 1
        persons += len(part.name_of)
        decisions += part.n_decisions
    found["first"].append(np.array([decisions]))
    arrays = {name: np.concatenate(each).astype(each[0].dtype) for name, each in found.items()}
    return Records(**arrays, names=tuple(names))


def save_records(path: Path, records: Records, about: dict[str, Any] | None = None) -> None:
    arrays = {field.name: getattr(records, field.name) for field in fields(Records) if field.name != "names"}
    write_arrays(path, KIND, {**(about or {}), "names": list(records.names)}, arrays)


def load_records(path: Path) -> Records:
    about, arrays = read_arrays(path, KIND)
    with well_formed(path):
        records = Records(**{name: np.array(array) for name, array in arrays.items()}, names=tuple(about["names"]))
        _check(records)
        return records


def _check(records: Records) -> None:
    """Refuse records from a file whose arrays do not fit each other."""
    hands, decisions, persons = len(records.match), len(records.street), len(records.name_of)
    seats = records.person.shape[-1]
    shapes = dict.fromkeys(("match", "n_board"), (hands,)) | {"boards": (hands, 5), "first": (hands + 1,)}
    shapes |= dict.fromkeys(("person", "wins", "showed"), (hands, seats)) | {"holes": (hands, seats, 2)}
    shapes |= dict.fromkeys(("street", "seat", "action", "legal"), (decisions,)) | {"cost": (decisions, N_OPTIONS)}
    shapes |= {"inputs": (decisions, N_BET, N_OPTIONS), "name_of": (persons,), "match_of": (persons,)}
    for name, shape in shapes.items():
        if getattr(records, name).shape != shape:
            raise ValueError(f"{name} has the shape {getattr(records, name).shape}, not {shape}")
    ends = {"street": 4, "seat": seats, "action": 3, "legal": 4, "n_board": 6, "name_of": len(records.names)}
    ends |= {"person": persons, "match": MOST_MATCHES, "match_of": MOST_MATCHES, "boards": 52, "holes": UNKNOWN + 1}
    for name, end in ends.items():
        array, low = getattr(records, name), NOBODY if name == "person" else 0
        if array.dtype.kind not in "iu" or (array.size and not low <= array.min() <= array.max() < end):
            raise ValueError(f"{name} goes beyond {low} to {end - 1}")
    for name, kind in (("wins", "b"), ("showed", "b"), ("inputs", "f"), ("cost", "f"), ("first", "i")):
        if getattr(records, name).dtype.kind != kind:
            raise ValueError(f"{name} is of {getattr(records, name).dtype}")
    if (np.diff(records.first) < 0).any() or records.first[0] or records.first[-1] != decisions:
        raise ValueError("hands begin in order, each where the one before it ends")


def kernels() -> Any:
    """The kernels of model fitting, which need JAX."""
    from pokerlab.people import _fit_jax

    keep_jax_programs()
    return _fit_jax


def rounded(n: int) -> int:
    """Round up to a power of two, at least 16, since kernels are compiled for each size.

    >>> rounded(5), rounded(100)
    (16, 128)
    """
    return int(max(16, 1 << max(0, n - 1).bit_length()))


def chunk_size(n_hands: int, *, cpu: int, gpu: int) -> int:
    """Number of hands in a chunk, limited by the kind of device."""
    import jax

    return min(rounded(n_hands), gpu if jax.default_backend() == "gpu" else cpu)


def rows_of(records: Records, hands: Int64s) -> tuple[Int64s, Int64s]:
    """Return (indices of the decisions of `hands`, index in `hands` of each decision's hand)."""
    counts = np.diff(records.first)[hands]
    place = np.repeat(np.arange(len(hands)), counts)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return records.first[hands][place] + np.arange(len(place)) - starts[place], place


def columns_of(records: Records, rows: Int64s, place: Int64s, *, width: int, n_hands: int) -> Any:
    """Convert the decisions `rows` to `_fit_jax.Columns` of length `width`. `place` has the number of each decision's
    hand; padding columns are calls in hand number `n_hands`, with `valid` 0."""
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
