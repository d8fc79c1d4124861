"""`pokerlab convert`: hand histories from one format to another."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Flag, Json, print_json, tell_problems

if TYPE_CHECKING:
    from pokerlab.games.history import HandHistory
    from pokerlab.games.rules import Rules
    from pokerlab.notation.imported import Imported, ReadProblem


def convert(
    source: Path,
    target: Path,
    /,
    *,
    hero: str | None = None,
    game: LogGame = None,
    strict: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> int:
    """Convert hand histories between the formats given by the file endings.

    Read and written: .log (ACPC), .phh and .phhs (PHH), .txt (PokerStars), .parquet (our own). Read only: the IRC
    database, as a directory or a .tgz. In any other directory, each file is read in turn.

    Unreadable hands are reported on stderr, and the rest is converted. The exit status is 2 if no hand could be read,
    or, with --strict, if any hand could not.

    For example:

        pokerlab convert session.txt session.phhs
        pokerlab convert holdem.199504.tgz irc.parquet
        pokerlab convert match.log match.txt --game limit2p
        pokerlab convert runs/match/hands match.txt --hero poki

    Parameters
    ----------
    source
        The file or directory to read.
    target
        The file to write.
    hero
        The player whose cards are known. PokerStars text deals cards to no other. Default: as the file says, or none.
    strict
        Write nothing if a hand could not be read or had to be repaired; one that cannot be written gives status 2 too.
    """
    from pokerlab.errors import FileError, PokerlabError, name_hint
    from pokerlab.notation.formats import Format, format_of, read_hands, register, write_hands
    from pokerlab.notation.pokerstars_export import prepared

    register(Format("Parquet", (".parquet",), partial(_read_parquet, source), partial(_write_parquet, source)))
    if format_of(target).write is None:
        raise FileError(f"{target}: {format_of(target).name} can be read but not written")
    if source.exists() and target.exists() and source.samefile(target):
        # Formats differ in what they record, so that part of the original could be lost.
        raise FileError(f"{target}: would replace its own source; name another file to write")
    history = read_hands(source, rules_of(game) if game else None)
    problems = list(history.problems)
    changed = bool(problems or history.repairs)
    hands: Sequence[HandHistory] = history.hands
    if hero is not None and hands and not any(hero in hand.names for hand in hands):
        names = dict.fromkeys(name for hand in hands for name in hand.names)
        others = f"it has {_count(len(names), 'other player')}"
        raise PokerlabError(f"no hand of {source} has a player {hero!r}; {name_hint(hero, names, others)}")
    n_written, changes = 0, dict[str, int]()
    if hands and not (strict and changed):
        if format_of(target).name == "PokerStars":
            hands, changes = prepared(hands, when=_last_change(source), hero=hero)
        unwritable = write_hands(target, hands)
        problems += unwritable
        n_written = len(hands) - len(unwritable)
    if as_json:
        listed = [problem.data() for problem in problems]
        repairs = [repair._asdict() for repair in history.repairs]
        about = {"source": str(source), "target": str(target), "hands": n_written, "changes": changes}
        print_json(about | {"problems": listed, "repairs": repairs})
    else:
        tell_problems(problems)
        for rule, n in (history.repairs_by_rule | changes).items():
            print(f"{_count(n, 'hand')}: {rule}", file=sys.stderr)
        print(f"{_count(n_written, 'hand')} written to {target}, {_count(len(problems), 'problem')}")
    return 0 if n_written and not (strict and (changed or problems)) else 2


def _last_change(source: Path) -> datetime:
    """Time of the last change of a file, or of the newest file in a directory: the latest time its hands can have."""
    files = [source] if source.is_file() else [file for file in source.rglob("*") if file.is_file()]
    return datetime.fromtimestamp(max(file.stat().st_mtime for file in files), UTC)


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n:,} {what}s"


def _read_parquet(source: Path, path: Path, rules: Rules | None) -> Imported:
    from pokerlab.notation.imported import Imported
    from pokerlab.table.records import DERIVED_SUFFIX, read_hands

    if path != source and path.name.endswith(DERIVED_SUFFIX):  # written by `pokerlab stats`
        return Imported(())
    return Imported(tuple(read_hands(path)))


def _write_parquet(source: Path, path: Path, hands: Sequence[HandHistory]) -> list[ReadProblem]:
    from pokerlab.table.records import write_hands

    write_hands(path, hands, {"command": "pokerlab convert", "source": source.name})
    return []
