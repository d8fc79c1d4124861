"""Hand histories of any kind as records to fit a model to: every file is a match.

PHH, ACPC logs, PokerStars and IRC are read as `pokerlab convert` reads them, and the runs of `pokerlab match`. Files
are read by several processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.formats import formats, read_hands
from pokerlab.people.records import Records, joined, records_of
from pokerlab.runs.workers import Done, Runner, Task, Tick, do_tasks, here
from pokerlab.table import records as kept

FEWEST_HANDS = 50


class Read(NamedTuple):
    """Records read from some files."""

    records: Records
    problems: tuple[str, ...]  # lines that could not be read


class _Place(NamedTuple):
    path: str
    rules: Rules | None


def read_records(
    places: Iterable[str | Path],
    *,
    rules: Rules | None = None,
    runner: Runner = here,
    report: Callable[[int, int], None] | None = None,
) -> Read:
    """The limit hold'em in files and directories; `rules` are for logs that do not name their game."""
    files = [file for place in places for file in _files(Path(place))]
    if not files:
        raise PokerlabError("name at least one file of hands or directory to fit a model to")
    tasks = [
        Task(f"{__name__}:read_match", _Place(str(file), rules), key=f"{number:05}", name=str(file))
        for number, file in enumerate(files)
    ]
    done = do_tasks(tasks, runner=runner, report=report)
    problems = tuple(line for each in done for line in each.value["problems"])
    parts = [Records(**each.arrays, names=tuple(each.value["names"])) for each in done if each.arrays]
    if not parts:
        raise PokerlabError(
            next((each.value["why"] for each in done if each.value["why"]), "there are no hands to fit")
        )
    return Read(joined(parts), problems)


def _files(place: Path) -> list[Path]:
    """The matches at a place: each file, but a directory of the IRC database is one."""
    if kept.holds_records(place):
        return kept.hand_files(place)
    if not place.exists():
        raise FileError(f"cannot read {place}: there is no such file")
    if not place.is_dir():
        return [place]
    if any(place.rglob("hdb")):
        return [place]
    endings = tuple(suffix for each in formats() if each.read for suffix in each.suffixes)
    packed = (*endings, *(f"{ending}.gz" for ending in endings))
    found = sorted(file for file in place.rglob("*") if file.name.lower().endswith(packed) and file.is_file())
    if not found:
        raise PokerlabError(f"{place} holds no file whose name ends in {', '.join(endings)}, and no hands of a run")
    return found


def read_match(place: _Place, tick: Tick) -> Done:
    """The records of one file, for a worker."""
    path = Path(place.path)
    problems: list[str] = []
    hands: Sequence[HandHistory]
    if kept.holds_records(path):
        hands = list(kept.read_hands(path))
    else:
        found = read_hands(path, place.rules)
        hands, problems = found.hands, [str(problem) for problem in found.problems]
    tick(1)
    try:
        records = records_of([hands])
    except PokerlabError as error:
        return Done({"problems": problems, "names": [], "why": f"{path}: {error}"})
    arrays = {field.name: getattr(records, field.name) for field in fields(Records) if field.name != "names"}
    return Done({"problems": problems, "names": list(records.names), "why": ""}, arrays)


def check_enough(records: Records) -> None:
    """Refuse records that no model can be fitted to."""
    if records.n_hands < FEWEST_HANDS:
        raise PokerlabError(f"there are {records.n_hands} hands, too few to fit a model to; {FEWEST_HANDS} are needed")
    if not records.known.any():
        raise PokerlabError("no player's cards are known in any hand; a model needs some hands that were shown")
