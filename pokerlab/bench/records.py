"""Benchmarks of records: reading hands from text, writing and reading Parquet, rows of players, and statistics."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from pokerlab.bench.benchmark import REMARKS, NoDataError, Work, counted

if TYPE_CHECKING:
    from pokerlab.games.history import HandHistory

HANDS = 20_000
HISTORIES = 1_000
COPIES = 25
"""Copies of the hands, for statistics over a million rows."""


@cache
def _played(game: str = "limit2p", n_players: int = 2, n_hands: int = HANDS) -> tuple[HandHistory, ...]:
    """Hands by random players, as read from a file: without the dealer's states."""
    from dataclasses import replace

    from pokerlab.players.registry import agent
    from pokerlab.table.match import MatchPlan, play_match

    hands: list[HandHistory] = []
    plan = MatchPlan(game, ("random",) * n_players, hands=n_hands, seed=7)
    play_match(plan, agent, on_hand=lambda hand: hands.append(replace(hand)))
    return tuple(hands)


def histories(ending: str) -> Work:
    """Read a text file in the format of `ending`: hands are parsed and replayed, and chips are checked."""
    from pokerlab.notation.formats import read_hands, write_hands

    path = Path(_folder().name) / f"histories.{ending}"
    if not path.exists():
        write_hands(path, _played("nolimit6p", 6, HISTORIES))
    return lambda: len(read_hands(path).hands)


def real_histories(name: str, benchmark: str) -> Work:
    """Read a collection of recorded hands in a separate process, and report its memory with the totals. Collections are
    not part of the project; they are looked for under $POKERLAB_TEST_DATA, or next to the checkout."""
    from pokerlab.runs.workers import apart

    data = Path(os.environ.get("POKERLAB_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
    path = data / name
    if not path.exists():
        raise NoDataError(f"{name} is not among the recorded files in {data}; POKERLAB_TEST_DATA names another folder")

    def work() -> int:
        totals = apart("pokerlab.bench.records:reading_totals", str(path), who=name)
        problems = totals["problems"]
        REMARKS[benchmark] = [
            f"{totals['hands']:,} hands, {problems:,} left out or inconsistent, {totals['unknown']:,} winners unknown, "
            f"{totals['repaired']:,} repaired, {totals['rake_stated']:,} with a stated rake; {totals['megabytes']:,} MB"
        ]
        return int(totals["hands"])

    return work


def reading_totals(path: str) -> dict[str, Any]:
    """Totals over the files of a collection, and the peak of this process's memory."""
    import resource

    from pokerlab.notation.readings import readings

    files = list(readings(Path(path)))
    totals: dict[str, Any] = {key: sum(getattr(file, key) for file in files) for key in ("hands", "unknown")}
    totals |= {key: sum(getattr(file, key) for file in files) for key in ("rake_stated", "unbalanced")}
    totals |= {key: sum(sum(getattr(file, key).values()) for file in files) for key in ("repaired", "problems")}
    return {**totals, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="pokerlab-bench-")


def _file() -> Path:
    from pokerlab.table.records import write_hands

    path = Path(_folder().name) / "hands.parquet"
    if not path.exists():
        write_hands(path, _played(), {})
    return path


def write() -> Work:
    from pokerlab.table.records import write_hands

    hands, path = _played(), Path(_folder().name) / "written.parquet"
    return lambda: write_hands(path, hands, {})


def read() -> Work:
    from pokerlab.table.records import read_hands

    path = _file()
    return lambda: sum(1 for _ in read_hands(path))


def rows() -> Work:
    from pokerlab.table.player_hands import player_hands
    from pokerlab.table.records import read_hands

    path = _file()
    return lambda: len(player_hands(read_hands(path))["seat"]) // 2


def statistics() -> Work:
    from pokerlab.table.database import Database
    from pokerlab.table.player_hands import player_file
    from pokerlab.table.statistics import summaries

    copies = [Path(_folder().name) / str(i) / "hands.parquet" for i in range(COPIES)]
    for copy in copies:  # in separate folders, with the rows computed once
        copy.parent.mkdir(exist_ok=True)
        for file in (_file(), player_file([_file()])):
            copy.with_name(file.name).write_bytes(file.read_bytes())
    database = Database(copies)

    return counted(lambda: summaries(database), 2 * HANDS * COPIES)
