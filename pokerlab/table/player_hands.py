"""One row for every seat of every hand: its actions, its opportunities and its result.

`player_hands` turns hands into columns, from which every statistic is a sum (see `statistics`). The rows of hand files
are computed once and saved next to them, as `x.players.parquet` for `x.parquet` and `all.players.parquet` for several
files of one folder, with a checksum of the hands from which they were computed.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> actions = (RaiseTo(300), CALL, FOLD, CALL, RaiseTo(200), FOLD)
>>> hand = HandHistory(game("nolimit3p"), cards("AsAh2c2dKsKd5h6h7hTcJc"), actions, ("ann", "bob", "cy"))
>>> rows = player_hands([hand])
>>> rows["position"], rows["net"], rows["c_bets_1"].tolist()
(['SB', 'BB', 'BTN'], [-300.0, -100.0, 400.0], [0, 0, 1])
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.actions import Chips
from pokerlab.games.betting import Betting
from pokerlab.games.history import SAID, HandHistory
from pokerlab.games.pots import Pot, pots_of
from pokerlab.games.rules import Rules
from pokerlab.notation.room import DERIVED
from pokerlab.table.all_in import Expected, ends_all_in, expected_shares
from pokerlab.table.records import (
    BATCH,
    DERIVED_SUFFIX,
    SUFFIX,
    arrow_table,
    match_number,
    parquet_writer,
    provenance,
    read_hands,
    read_header,
)
from pokerlab.table.tally import COUNTS, N_COUNTS, tally

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 3  #: version of the saved rows; rows of another version are computed again

WHOLE = ("match", "hand", "number", "seat", "n_seats", "showdown", "won_without_showdown", "all_in")
"""`hand` counts hands within their file. `all_in` is not 0 where a seat showed down with cards to come: `adjusted` is
then 1 exact, 2 sampled, or 3 the same as `net`, because a shown hand is not known."""
TEXTS = ("file", "name", "position", "game")
REALS = ("big_blind", "small_bet", "net", "rake", "adjusted", "won")
"""In chips; `small_bet` only at limit. `net` and `adjusted` are before rake; `rake` is what the seat paid of it, where
the file of an imported hand states it. `won` is the share that a seat won of the pots it contested: 1 or 0, or a
fraction when pots are split or there are side pots."""

OnProblem = Callable[[str], None]


class HandSource(NamedTuple):
    """Hands that belong together: the name of their file, and their match, if any."""

    file: str
    match: int | None
    hands: Iterable[HandHistory]


def player_hands(
    hands: Iterable[HandHistory], *, file: str = "", match: int | None = None, on_problem: OnProblem | None = None
) -> dict[str, Any]:
    """Make columns with one row for each seat of each hand, in order. A hand that cannot be replayed, or whose chips do
    not balance, is left out; `on_problem` receives the reason, or without it the error is raised. If a hand's result is
    not known, `net`, `rake`, `adjusted` and `won` are None."""
    (columns,) = _batches([HandSource(file, match, hands)], on_problem, size=None)
    return columns


def position_name(rules: Rules, seat: int) -> str:
    """Name of the position of `seat`: SB, BB, UTG .. HJ, CO, BTN; heads-up BB and BTN; `seat 1` .. if blinds do not
    differ.

    >>> from pokerlab.games.catalog import game
    >>> [position_name(game("nolimit7p"), seat) for seat in range(7)]
    ['SB', 'BB', 'UTG', 'UTG+1', 'HJ', 'CO', 'BTN']
    """
    n = rules.n_seats
    if len(set(rules.blinds)) == 1:
        return f"seat {seat + 1}"
    if n == 2:
        return ("BB", "BTN")[seat]
    late = ("BTN", "CO", "HJ")
    from_button = n - 1 - seat
    if seat < 2:
        return ("SB", "BB")[seat]
    if from_button < min(len(late), max(n - 3, 1)):
        return late[from_button]
    return "UTG" if seat == 2 else f"UTG+{seat - 2}"


class _Game:
    """Facts about a game that rows need, computed once for hands with the same rules."""

    def __init__(self, rules: Rules) -> None:
        seats, n = range(rules.n_seats), rules.n_seats
        small_bet = float(rules.streets[0].raise_size) if rules.limits == "limit" else None
        self.rules, self.start = rules, Betting.start(rules)
        alike = {"n_seats": n, "game": rules.name, "holdem": rules.street_name(0) == "pre-flop"}
        alike |= {"big_blind": float(rules.big_blind), "small_bet": small_bet}
        self.columns = {name: [value] * n for name, value in alike.items()}
        self.columns |= {"seat": list(seats), "position": [position_name(rules, seat) for seat in seats]}


class _Rows:
    """A growing table, stored as columns. Each hand that is added makes one row for each of its seats."""

    def __init__(self) -> None:
        self._counts = array("H")
        self._others: dict[str, list[Any]] = {name: [] for name in (*WHOLE, *TEXTS, "holdem", *REALS)}
        self._game: _Game | None = None

    def __len__(self) -> int:
        return len(self._others["hand"])

    def add(self, source: HandSource, at: int, hand: HandHistory) -> None:
        """Add the rows of one hand, number `at` of its source; adds nothing if an error is raised."""
        if self._game is None or hand.rules is not self._game.rules:
            self._game = _Game(hand.rules)
        game, n = self._game, hand.rules.n_seats
        counts = tally(hand, game.start)
        by_seat = {**_ending(hand)._asdict(), **game.columns, "name": hand.names}
        alike = {"file": source.file, "match": source.match, "hand": at, "number": hand.number}
        for name, values in (*by_seat.items(), *((name, [value] * n) for name, value in alike.items())):
            self._others[name] += values
        self._counts += counts

    def columns(self) -> dict[str, Any]:
        counts = np.frombuffer(self._counts, dtype=np.uint16).reshape(-1, N_COUNTS)
        return {**self._others, **{name: np.ascontiguousarray(counts[:, i]) for i, name in enumerate(COUNTS)}}


def _batches(
    sources: Iterable[HandSource], on_problem: OnProblem | None, size: int | None = BATCH
) -> Iterator[dict[str, Any]]:
    """Yield the columns of all hands in batches of at least `size` rows; without a size, all at once."""
    rows = _Rows()
    for source in sources:
        try:
            for at, hand in enumerate(source.hands):
                try:
                    rows.add(source, at, hand)
                except PokerlabError as error:
                    if on_problem is None:
                        raise
                    where = f"{source.file}: " if source.file else ""
                    on_problem(f"{where}hand {hand.number}: {error}")
                if size is not None and len(rows) >= size:
                    yield rows.columns()
                    rows = _Rows()
        except FileError as error:  # the rest of this file cannot be read
            if on_problem is None:
                raise
            on_problem(str(error))
    if size is None or len(rows):
        yield rows.columns()


# --- how a hand ended ------------------------------------------------------------------------------------------------


class _Ending(NamedTuple):
    """Columns, by seat, that describe how a hand ended; None if the winner is not known."""

    net: Sequence[float | None]
    rake: Sequence[float | None]
    adjusted: Sequence[float | None]
    won: Sequence[float | None]
    showdown: Sequence[int]
    won_without_showdown: Sequence[int]
    all_in: Sequence[int]


def _ending(hand: HandHistory) -> _Ending:
    rules, betting = hand.rules, hand.final.betting
    n = rules.n_seats
    if not betting.over:
        raise PokerlabError(f"the hand is not over: seat {betting.actor} is to act")
    shown, nobody = hand.shown, [0] * n
    showdown = [int(seat in shown) for seat in range(n)]
    if not hand.result_known:
        unknown = [None] * n
        return _Ending(unknown, unknown, unknown, unknown, showdown, nobody, nobody)
    if (
        hand.recorded is not None and (gained := sum(hand.recorded)) > 1e-9
    ):  # bets of any real size may leave rounding errors
        raise PokerlabError(f"the chips do not balance: winners win {gained} more than losers lose")
    net, total_rake = [float(chips) for chips in hand.payoffs], float(-sum(hand.payoffs))
    last = [float(betting.in_hand(seat)) for seat in range(n)]
    pots = pots_of(rules, betting.spent, betting.folded)
    collected = _collected(net, betting.spent, pots) if shown else last  # a pot won by folds has one winner
    paid = [total_rake * chips / (sum(collected) or 1.0) for chips in collected]  # winners pay the rake
    stated = total_rake > 1e-9 or (set(hand.tags) - {SAID} and DERIVED not in hand.tags)
    rake = paid if stated else [None] * n
    net = [after + part for after, part in zip(net, paid, strict=True)]
    if not shown:
        return _Ending(net, rake, net, last, nobody, [int(won) for won in last], nobody)
    collected = [after + part for after, part in zip(collected, paid, strict=True)]
    adjusted, how = net, 0
    if ends_all_in(hand):
        expected = expected_shares(hand)
        how = 3 if expected is None else 1 if expected.exact else 2
        if expected is not None:
            adjusted = _adjusted(net, collected, expected)
    all_in = [how * shows for shows in showdown]
    return _Ending(net, rake, adjusted, _won(collected, pots), showdown, nobody, all_in)


def all_in_adjusted(hand: HandHistory) -> tuple[float, ...]:
    """Net chips by seat before rake, with all-ins at expected value, for a hand with a known result.

    >>> from pokerlab.cards.card import cards
    >>> from pokerlab.games.actions import CALL, RaiseTo
    >>> from pokerlab.games.catalog import game
    >>> hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), (RaiseTo(20000), CALL), ("a", "b"))
    >>> hand.payoffs, [round(chips) for chips in all_in_adjusted(hand)]
    ((-20000, 20000), [1514, -1514])
    """
    return tuple(nan if chips is None else chips for chips in _ending(hand).adjusted)


def _collected(net: list[float], spent: Sequence[Chips], pots: Sequence[Pot]) -> list[float]:
    """Each seat's winnings from contested pots."""
    collected = [won + float(chips) for won, chips in zip(net, spent, strict=True)]
    for pot in pots:
        if (
            len(pot.seats) == 1
        ):  # an unmatched bet is returned together with the chips that folded seats had added to it
            collected[pot.seats[0]] -= float(pot.amount)
    return collected


def _won(collected: list[float], pots: Sequence[Pot]) -> list[float]:
    """Each seat's share of the pots it contested."""
    contested = [0.0] * len(collected)
    for pot in pots:
        if len(pot.seats) > 1:
            for seat in pot.seats:
                contested[seat] += float(pot.amount)
    return [min(max(c / pot, 0.0), 1.0) if pot > 0 else 0.0 for c, pot in zip(collected, contested, strict=True)]


def _adjusted(net: list[float], collected: list[float], expected: Expected) -> list[float]:
    """`net` with the chips collected from pots replaced by their expectation."""
    adjusted = [won - taken for won, taken in zip(net, collected, strict=True)]
    for amount, seats, shares in expected.pots:
        for seat, share in zip(seats, shares, strict=True):
            adjusted[seat] += float(amount) * share
    return adjusted


# --- saved beside the hands ------------------------------------------------------------------------------------------


def schema() -> pa.Schema:
    """The columns of the rows, as Arrow types."""
    import pyarrow as pa

    text = pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        [(name, pa.int64()) for name in WHOLE]
        + [(name, text) for name in TEXTS]
        + [("holdem", pa.bool_())]
        + [(name, pa.float64()) for name in REALS]
        + [(name, pa.uint16()) for name in COUNTS]
    )


def players_table(sources: Iterable[HandSource], on_problem: OnProblem | None = None) -> pa.Table:
    """The rows of hands as a table in memory."""
    import pyarrow as pa

    parts = [arrow_table(rows, schema()) for rows in _batches(sources, on_problem)]
    return pa.concat_tables(parts).unify_dictionaries() if parts else schema().empty_table()


def player_file(files: Sequence[Path], on_problem: OnProblem | None = None) -> Path:
    """Return the file with the rows of `files`, all of one folder, after computing it if it is missing or out of date.
    `on_problem` receives the problems of hands and files that were left out, now or when the file was computed."""
    folder = files[0].parent
    stem = files[0].name.removesuffix(SUFFIX) if len(files) == 1 else "all"
    kept = folder / (stem + DERIVED_SUFFIX)
    sources, of = file_sources(files)
    problems = _problems(kept, of)
    if problems is None:
        problems = []
        with parquet_writer(kept, schema()) as writer:
            for rows in _batches(sources, problems.append):
                writer.write(rows)
            problems = [problem.replace(f"{folder}/", "", 1) for problem in problems]  # folders may be moved
            writer.about("player hands", FORMAT, {"of": of, "problems": problems})
    for problem in problems:
        if on_problem is None:
            raise FileError(f"{folder}/{problem}")
        on_problem(f"{folder}/{problem}")
    return kept


def file_sources(files: Sequence[Path]) -> tuple[list[HandSource], str]:
    """Hands of files in one folder, read on demand, and a checksum of all of them."""
    sources, digest = [], hashlib.sha256()
    for file in files:
        try:
            said = provenance(file)
            match, content = match_number(said.about), said.sha256
        except FileError:  # reading the file will report the problem
            match, content = None, "unreadable"
        sources.append(HandSource(file.name, match, read_hands(file)))
        digest.update(f"{file.name} {content}\n".encode())
    return sources, digest.hexdigest()


def _problems(kept: Path, of: str) -> list[str] | None:
    """Problems recorded in the file `kept`; None if it does not exist or was computed from other hands."""
    if not kept.exists():
        return None
    try:
        header = read_header(kept, "player hands", FORMAT)
    except FileError:
        return None
    return list(header["problems"]) if header["of"] == of else None
