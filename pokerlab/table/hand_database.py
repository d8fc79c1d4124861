"""Build a database from hand files of any kind: runs of matches, and hand histories in text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.formats import read_hands
from pokerlab.table.database import Database
from pokerlab.table.records import hand_files, holds_records
from pokerlab.table.records import read_hands as read_records


class HandPlaces(NamedTuple):
    """Hands from several places: files of recorded hands, and hands imported from text histories, by place."""

    recorded: list[Path]
    imported: dict[str, Sequence[HandHistory]]

    def hands(self) -> Iterator[HandHistory]:
        """All hands, in the order of the files."""
        if self.recorded:
            yield from read_records(*self.recorded)
        yield from chain(*self.imported.values())

    def database(self, problems: list[str], report: Callable[[int, int], None] | None = None) -> Database:
        """Make a database of the hands; `problems` receives the reasons for leaving out hands, and `report` counts
        files."""
        return Database(self.recorded, self.imported, problems.append, report)


def open_database(
    places: Sequence[str],
    rules: Rules | None = None,
    problems: list[str] | None = None,
    *,
    repaired: Callable[[str], None] | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Database:
    """Make a database of the hands in files, directories or patterns. Arguments are those of `find_hands`; `report`
    counts files."""
    problems = [] if problems is None else problems
    return find_hands(places, rules, problems, repaired=repaired).database(problems, report)


def find_hands(
    places: Sequence[str],
    rules: Rules | None,
    problems: list[str],
    *,
    repaired: Callable[[str], None] | None = None,
) -> HandPlaces:
    """Read the hands in files, directories or patterns; `rules` apply to logs that name no game.

    Lines and files that cannot be read are added to `problems` and skipped. `repaired` is called with one line for each
    rule by which hands were repaired.
    """
    recorded: list[Path] = []
    imported: dict[str, Sequence[HandHistory]] = {}
    for place in places:
        path = Path(place)
        try:
            if path.exists() and not holds_records(path):
                history = read_hands(path, rules)
                problems += [str(problem) if problem.path else f"{path}: {problem}" for problem in history.problems]
                for rule, n in history.repairs_by_rule.items():
                    if repaired is not None:
                        repaired(f"{path}: {n:,} hand{'s' * (n != 1)}: {rule}")
                imported[place] = history.hands
            else:
                recorded += hand_files(place)
        except FileError as error:
            if len(places) == 1:
                raise
            problems.append(str(error))
    if not recorded and not any(imported.values()):
        raise PokerlabError(f"no hands could be read from {', '.join(places)}")
    return HandPlaces(recorded, imported)
