"""Import hand files into the database of sessions: hand histories of any format, and recorded matches.

A file whose content was imported completely is skipped. If hands were left out, the file is read again, since another
version or other rules may be able to read them. The hands that are not in the database yet are added in batches; each
batch is a transaction.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, SessionStore.writing(Path(folder) / "sessions.duckdb") as store:
...     files = hand_history_files(["docs/example-hand.phh"])
...     first, again = import_files(store, files), import_files(store, files)
>>> first.new, again.new, again.skipped_files
(1, 0, 1)
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from pokerlab import __version__
from pokerlab.errors import FileError
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.formats import files_in, read_hands
from pokerlab.notation.readings import reason
from pokerlab.table.records import hand_files, holds_records, match_number, provenance
from pokerlab.table.records import read_hands as read_records
from pokerlab.table.session_rows import HandOrigin, hero_of
from pokerlab.table.session_store import SessionStore

BATCH = 5_000
"""Hands in a transaction; also those from which the hero of a recorded match is inferred."""


@dataclass
class ImportReport:
    """Numbers of an import: hands added and already present, files read and skipped, and what was left out, by
    reason."""

    new: int = 0
    known: int = 0
    files: int = 0
    skipped_files: int = 0  # imported before
    left_out: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def problem(self, words: str, why: str) -> None:
        self.left_out[reason(why)] += 1
        self.problems.append(words)


def import_files(
    store: SessionStore,
    files: Sequence[Path],
    *,
    hero: str = "",
    rules: Rules | None = None,
    report: Callable[[int, int], None] | None = None,
) -> ImportReport:
    """Import the files listed by `hand_history_files`. `hero` is the player whose results are counted, `rules` are for
    logs that name no game, and `report` counts files. Hands and files that cannot be read are left out and counted."""
    done = ImportReport()
    for number, file in enumerate(files):
        if report is not None:
            report(number, len(files))
        try:
            _import_file(store, file, hero, rules, done)
        except FileError as error:
            if len(files) == 1:
                raise
            done.problem(str(error), "the file cannot be read")
    if report is not None:
        report(len(files), len(files))
    return done


def hand_history_files(places: Sequence[str | Path]) -> list[Path]:
    """List the hand files given by files, folders and patterns; a folder of the IRC database counts as one file."""
    return [file for place in places for file in _files(Path(place))]


def _files(place: Path) -> list[Path]:
    if not place.is_dir():
        return hand_files(place)  # also expands patterns, and refuses what does not exist
    if any(place.rglob("hdb")):
        return [place]
    return hand_files(place) if holds_records(place) else files_in(place)


def _import_file(store: SessionStore, file: Path, hero: str, rules: Rules | None, done: ImportReport) -> None:
    whole = _digest(file)
    in_part = hashlib.blake2b(f"{whole} {__version__} {rules and rules.name}".encode(), digest_size=16).hexdigest()
    if store.has_file(whole) or store.has_file(in_part):
        done.skipped_files += 1
        return
    n_problems = len(done.problems)
    hands, match = _read(file, rules, done)
    name, n_hands, source = file.name, 0, None
    while batch := list(islice(hands, BATCH)):
        source = source or HandOrigin(f"{file.absolute().parent.name}/{name}", hero or hero_of(batch), match)
        added = store.add(batch, source, lambda why: done.problem(f"{name}: {why}", why.partition(": ")[2] or why))
        done.new += added.new
        done.known += added.known
        n_hands += len(batch)
    done.files += 1
    store.note_file(whole if len(done.problems) == n_problems else in_part, name, n_hands)


def _read(file: Path, rules: Rules | None, done: ImportReport) -> tuple[Iterator[HandHistory], int | None]:
    """Read the hands of a file, and the number of their match, if any."""
    if not file.is_dir() and holds_records(file):
        return read_records(file), match_number(provenance(file).about)
    read = read_hands(file, rules)
    for problem in read.problems:
        done.problem(str(problem) if problem.path else f"{file}: {problem}", problem.expected)
    if not read.hands and not read.problems:
        raise FileError(f"{file} holds no hand")
    return iter(read.hands), None


def _digest(path: Path) -> str:
    """A digest of a file's content, or of all files in a folder."""
    digest = hashlib.blake2b(digest_size=16)
    try:
        for file in sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]:
            with file.open("rb") as opened:
                digest.update(hashlib.file_digest(opened, "blake2b").digest())
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from error
    return digest.hexdigest()
