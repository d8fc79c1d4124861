"""Hands on disk as Parquet: one row per hand with everything needed to replay it exactly, and its provenance.

`write_hands` writes a file atomically; `read_hands` returns the same hands. A row has the deck (`AsKd??..`, in dealing
order), the actions (`c r300 f`, raises as street totals), names and stacks by seat, the rules as JSON, and results and
tags of imported hands. Any Parquet reader can read it; `database` uses DuckDB.

The file's metadata, under the key `pokerlab`, is JSON: format, version, number of hands, a SHA-256 of the rows, and
`about`, which describes how the hands were produced (command, seed, game, match ..).

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"))
>>> with TemporaryDirectory() as folder:
...     n_written = write_hands(Path(folder) / "hands.parquet", [hand], {"seed": 7})
...     back = list(read_hands(folder))
>>> n_written, back == [hand]
(1, True)
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab import __version__
from pokerlab.cards.card import RANKS, SUITS
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import json_of
from pokerlab.games.actions import CALL, FOLD, Action, Chips, Kind, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import chips_of, chips_text, rules_from_json, rules_to_json
from pokerlab.games.state import Card

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
KEY = b"pokerlab"
SUFFIX = ".parquet"
DERIVED_SUFFIX = ".players.parquet"  #: suffix of files computed from hands, which are not files of hands themselves

BATCH = 10_000

_TEXT_OF_CARD: dict[Card, str] = {None: "??", **{i: RANKS[i // 4] + SUITS[i % 4] for i in range(52)}}
_CARD_OF_TEXT = {text: card for card, text in _TEXT_OF_CARD.items()}
_FOLD, _CALL = Kind.FOLD, Kind.CALL  # looked up once: attribute access of an enumeration is slow
_UNREADABLE = (OSError, ValueError, TypeError, AttributeError, LookupError, RuntimeError, ArithmeticError, MemoryError)
"""Exceptions of Arrow, JSON and our own code on reading a damaged file; Arrow's errors derive from these."""
_OTHER_FIELDS = tuple(field.name for field in fields(Rules) if field.name != "stacks")


@dataclass(frozen=True)
class Provenance:
    """Description of the origin of a hand file."""

    about: Mapping[str, Any]
    hands: int
    sha256: str
    version: str


# --- writing ---------------------------------------------------------------------------------------------------------


def write_hands(path: Path, hands: Iterable[HandHistory], about: Mapping[str, Any]) -> int:
    """Write `hands` to `path` atomically, and return their number. `about` is a JSON object; its `match` (or `number`)
    and `seating`, if present, also become columns."""
    digest, n_hands = hashlib.sha256(_json(about)), 0
    rows_of = _Rows(about)
    with parquet_writer(path, _schema()) as writer:
        remaining = iter(hands)
        while batch := list(islice(remaining, BATCH)):
            n_hands += len(batch)
            columns = rows_of.columns(batch)
            digest.update(_content(columns))
            writer.write(columns)
        writer.about("hands", FORMAT, {"about": dict(about), "hands": n_hands, "sha256": digest.hexdigest()})
    return n_hands


class parquet_writer:  # noqa: N801, a context manager that is used like a function
    """Context that writes columns to a Parquet file, which gets its name only on success."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.path, self.schema = path, schema
        self.partial = path.with_name(f"{path.name}.{os.getpid()}.partial")

    def __enter__(self) -> parquet_writer:
        import pyarrow.parquet as pq

        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._writer = pq.ParquetWriter(self.partial, self.schema, compression="zstd", write_page_checksum=True)
        return self

    def write(self, columns: Mapping[str, Any]) -> None:
        """Add rows, given as columns in any form Arrow takes."""
        self._writer.write_table(arrow_table(columns, self.schema))

    def about(self, kind: str, format: int, content: Mapping[str, Any]) -> None:
        """Write the file's metadata; call it once, after the last rows."""
        header = {"kind": kind, "format": format, "version": __version__, **content}
        self._writer.add_key_value_metadata({KEY: json.dumps(header, sort_keys=True).encode()})

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._writer.close()
        if kind is None:
            self.partial.replace(self.path)
        else:
            self.partial.unlink(missing_ok=True)


def arrow_table(columns: Mapping[str, Any], schema: pa.Schema) -> pa.Table:
    """A table of `schema` made from columns in any form Arrow takes."""
    import pyarrow as pa

    try:
        return pa.table([pa.array(columns[field.name], type=field.type) for field in schema], schema=schema)
    except (OverflowError, UnicodeError, pa.ArrowInvalid) as error:
        raise PokerlabError(f"these hands cannot be recorded: {error}") from error


def hands_table(hands: Iterable[HandHistory]) -> pa.Table:
    """Hands as an in-memory table, with the columns of `write_hands`."""
    return arrow_table(_Rows({}).columns(list(hands)), _schema())


def _schema() -> pa.Schema:
    import pyarrow as pa

    text, repeated = pa.string(), pa.dictionary(pa.int32(), pa.string())
    return pa.schema({
        "match": pa.int64(), "seating": repeated, "number": pa.int64(), "game": repeated, "names": pa.list_(text),
        "deck": text, "actions": text, "stacks": repeated, "rules": repeated, "recorded": text,
        "tags": pa.map_(text, text),
    })  # fmt: skip


class _Rows:
    """Converts hands to columns; caches the text of the rules, which most hands share."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        seating = about.get("seating")
        self._match = match_number(about)
        self._seating = None if seating is None else _joined(seating)
        self._last: tuple[Rules | None, str, str] = (None, "", "")
        self._json: dict[tuple[Any, ...], str] = {}

    def columns(self, hands: list[HandHistory]) -> dict[str, list[Any]]:
        """The columns of `_schema` for some hands."""
        said = [self._rules(hand.rules) for hand in hands]
        text_of = _TEXT_OF_CARD.__getitem__
        return {
            "match": [self._match] * len(hands),
            "seating": [self._seating] * len(hands),
            "number": [int(hand.number) for hand in hands],
            "game": [hand.rules.name for hand in hands],
            "names": [hand.names for hand in hands],
            "deck": ["".join(map(text_of, hand.deck)) for hand in hands],
            "actions": [_actions_text(hand.actions) for hand in hands],
            "stacks": [stacks for _, stacks in said],
            "rules": [rules for rules, _ in said],
            "recorded": [None if hand.recorded is None else _chips_line(hand.recorded) for hand in hands],
            "tags": [list(hand.tags.items()) if hand.tags else None for hand in hands],
        }

    def _rules(self, rules: Rules) -> tuple[str, str]:
        """Split rules into (JSON without the stacks, stacks): if stacks carry over they change every hand, and the rest
        does not."""
        last, text, stacks = self._last
        if rules is not last:
            key = tuple([getattr(rules, name) for name in _OTHER_FIELDS])
            text = self._json.get(key) or rules_to_json(rules, without=("stacks",))
            self._json[key] = text
            stacks = _chips_line(rules.stacks)
            self._last = (rules, text, stacks)
        return text, stacks


def match_number(about: Mapping[str, Any]) -> int | None:
    """Number of the match within a longer comparison; None if `about` does not have it."""
    match = about.get("match", about.get("number"))
    return match if isinstance(match, int) else None


def _joined(seating: Any) -> str:
    return seating if isinstance(seating, str) else "-".join(map(str, seating))


def _chips_line(amounts: Iterable[Chips]) -> str:
    return " ".join([chips_text(chips) for chips in amounts])


def _actions_text(actions: tuple[Action, ...]) -> str:
    return " ".join(
        [
            "c" if kind is _CALL else "f" if kind is _FOLD else f"r{to}" if type(to) is int else f"r{chips_text(to)}"
            for kind, to in actions
        ]
    )


def _content(columns: Mapping[str, list[Any]]) -> bytes:
    """Bytes covered by the checksum after `about`: the columns of each batch."""
    return _json(list(columns.values()))


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


# --- reading ---------------------------------------------------------------------------------------------------------


def hand_files(*places: str | Path) -> list[Path]:
    """List the hand files given by files, folders (searched recursively) and patterns such as
    `runs/*/hands/*.parquet`."""
    files: list[Path] = []
    for place in places:
        path = Path(place)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*" + SUFFIX) if not p.name.endswith(DERIVED_SUFFIX))
            if not inside:
                raise FileError(f"{path}: there are no hands ({SUFFIX} files) in this folder")
            files += inside
        elif path.exists():
            files.append(path)
        elif not glob.has_magic(str(place)):
            raise FileError(f"cannot read {path}: there is no such file")
        else:
            matched = sorted(Path(p) for p in glob.glob(str(place), recursive=True))  # noqa: PTH207, may be absolute
            files += [p for p in matched if not p.name.endswith(DERIVED_SUFFIX)]
            if not matched:
                raise FileError(f"{place}: no such file")
    return files


def holds_records(place: Path) -> bool:
    """Whether `place` is a file of recorded hands, by its suffix, or a folder with such a file at any depth."""
    return place.suffix.lower() == SUFFIX or (place.is_dir() and next(place.rglob("*" + SUFFIX), None) is not None)


def read_hands(*places: str | Path) -> Iterator[HandHistory]:
    """Read the hands of files, folders or patterns exactly as they were written; a damaged file raises `FileError`."""
    for path in hand_files(*places):
        yield from _read_file(path)


def provenance(path: Path) -> Provenance:
    """Read the provenance of a hand file from its metadata."""
    with _opened(path) as file:
        return _provenance(path, file)


def _provenance(path: Path, file: Any) -> Provenance:
    header = _header(path, file, "hands", FORMAT)
    try:
        return Provenance(dict(header["about"]), int(header["hands"]), str(header["sha256"]), str(header["version"]))
    except _UNREADABLE as error:
        raise FileError(f"{path} is damaged: its metadata lack {error}") from error


def is_hands(path: Path) -> bool:
    """Whether `path` is marked as a hand file; its content may still be damaged."""
    try:
        provenance(path)
    except FileError:
        return False
    return True


def read_header(path: Path, kind: str, format: int) -> dict[str, Any]:
    """The metadata of one of our Parquet files; refuses files of another kind or format."""
    with _opened(path) as file:
        return _header(path, file, kind, format)


def _header(path: Path, file: Any, kind: str, format: int) -> dict[str, Any]:
    metadata = file.metadata.metadata or {}
    try:
        header: dict[str, Any] = dict(json_of(metadata[KEY]))
    except (KeyError, ValueError, TypeError):
        raise FileError(f"{path} is a Parquet file, but not one of pokerlab's") from None
    if header.get("kind") != kind:
        raise FileError(f"{path} holds {header.get('kind')!r}, not {kind!r}")
    if header.get("format") != format:
        raise FileError(f"{path} has format {header.get('format')}; this pokerlab reads format {format}")
    return header


def _opened(path: Path) -> Any:
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except OSError as error:
        reason = error.strerror or "it is damaged"
        raise FileError(f"cannot read {path}: {reason}") from error
    except _UNREADABLE:
        raise FileError(f"{path} is not a Parquet file, or is damaged") from None


def _read_file(path: Path) -> Iterator[HandHistory]:
    hand_of, n_hands = _Hands(), 0
    with _opened(path) as file:
        said = _provenance(path, file)
        digest = hashlib.sha256(_json(said.about))
        try:
            for batch in file.iter_batches(batch_size=BATCH):
                columns = {name: _values(batch.column(name)) for name in batch.schema.names}
                columns["names"] = [tuple(names) for names in columns["names"]]
                digest.update(_content(columns))
                n_hands += len(batch)
                yield from hand_of.hands(columns)
        except _UNREADABLE as error:
            raise FileError(f"{path} is damaged: {str(error).strip().partition(chr(10))[0]}") from error
    if digest.hexdigest() != said.sha256 or n_hands != said.hands:
        raise FileError(f"{path} is damaged: its {n_hands} hands are not those that were written")


def _values(column: Any) -> list[Any]:
    """Convert a column to Python values; repeated texts share one object."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        values: list[Any] = column.to_pylist()
        return values
    texts = [*column.dictionary.to_pylist(), None]
    return [texts[i] for i in column.indices.fill_null(len(texts) - 1).to_numpy()]


def hands_of_columns(columns: Mapping[str, list[Any]]) -> Iterator[HandHistory]:
    """Yield the hands of a table with the columns of `hands_table`: each column is a list with one value per hand."""
    return _Hands().hands(columns)


class _Hands:
    """Converts columns to hands; hands with the same rules share one `Rules` object."""

    def __init__(self) -> None:
        self._rules: dict[tuple[str, str], Rules] = {}
        self._actions: dict[str, Action] = {"c": CALL, "f": FOLD}

    def hands(self, columns: Mapping[str, list[Any]]) -> Iterator[HandHistory]:
        """Yield the hands of a table: each column is a list with one value per hand."""
        known = self._actions
        for number, names, deck, actions, stacks, rules, recorded, tags in zip(
            *[columns[c] for c in ("number", "names", "deck", "actions", "stacks", "rules", "recorded", "tags")],
            strict=True,
        ):
            yield HandHistory(
                self._of(rules, stacks),
                tuple([_CARD_OF_TEXT[deck[i : i + 2]] for i in range(0, len(deck), 2)]),
                tuple([known.get(word) or self._raise(word) for word in actions.split()]),
                names,
                number,
                None if recorded is None else _chips_of_line(recorded),
                dict(tags) if tags else {},
            )

    def _raise(self, word: str) -> Action:
        if word[0] != "r":
            raise FileError(f"{word!r} is not an action")
        action = RaiseTo(chips_of(word[1:]))
        if len(self._actions) < BATCH:
            self._actions[word] = action
        return action

    def _of(self, rules: str, stacks: str) -> Rules:
        known = self._rules.get((rules, stacks))
        if known is None:
            if len(self._rules) >= BATCH:
                self._rules.clear()  # with running stacks almost every hand has its own
            known = self._rules[rules, stacks] = rules_from_json(rules, stacks=_chips_of_line(stacks))
        return known


def _chips_of_line(line: str) -> tuple[Chips, ...]:
    return tuple([chips_of(word) for word in line.split()])
