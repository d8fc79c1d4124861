"""The formats of hand files, by the ending of the file name.

>>> [(format.name, format.suffixes) for format in formats()[:5]]
[('ACPC log', ('.log',)), ('PHH', ('.phh',)), ('PHH, several hands', ('.phhs',)), ('PokerStars', ('.txt',)),
 ('IRC database', ('.tgz', '.tar.gz'))]
>>> format_of(Path("hands.csv"))
Traceback (most recent call last):
pokerlab.errors.FileError: hands.csv: expected a name that ends in .log, .phh, .phhs, .txt, .tgz...

Other packages add formats with `register`; `pokerlab convert` adds Parquet.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import write_whole
from pokerlab.games.catalog import game as catalog_game
from pokerlab.games.catalog import game_names
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.acpc.definition import DEFINITION_NAMES, definition_text
from pokerlab.notation.acpc.log import LogHeader, read_logs, state_line
from pokerlab.notation.imported import Imported, ReadProblem, read_text
from pokerlab.notation.irc import read_irc
from pokerlab.notation.phh import parse_phh
from pokerlab.notation.phh_text import numbered_phh_text, phh_text
from pokerlab.notation.pokerstars import parse_pokerstars
from pokerlab.notation.pokerstars_export import prepared
from pokerlab.notation.pokerstars_text import pokerstars_text

Read: TypeAlias = Callable[[Path, Rules | None], Imported]
Write: TypeAlias = Callable[[Path, Sequence[HandHistory]], Sequence[ReadProblem]]


@dataclass(frozen=True)
class Format:
    """A file format: the endings of its files' names, and the functions that read and write it (None if it cannot).

    `read` also takes the rules of the game, for files that do not contain them. `write` returns a problem for each hand
    that it could not write.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Read | None
    write: Write | None


def write_texts(
    path: Path,
    hands: Iterable[HandHistory],
    text: Callable[[int, HandHistory], str],
    *,
    between: str = "",
    header: Callable[[int], str] = lambda n_hands: "",
) -> list[ReadProblem]:
    """Write a file of the texts `text(number, hand)`. Hands for which `text` raises an error are left out and returned
    as problems.

    `header(n_hands)` comes first. The file is compressed if its name ends in `.gz`, and it is written atomically.
    """
    texts: list[str] = []
    problems = []
    for hand in hands:
        try:
            texts.append(text(len(texts) + 1, hand))
        except PokerlabError as error:
            problems.append(ReadProblem(0, f"hand {hand.number}: {error}", str(path)))
    if texts:
        content = (header(len(texts)) + between.join(texts)).encode()
        write_whole(path, gzip.compress(content, mtime=0) if path.suffix.lower() == ".gz" else content)
    return problems


def _write_phh(path: Path, hands: Sequence[HandHistory]) -> list[ReadProblem]:
    if len(hands) != 1:
        raise FileError(f"{path}: a .phh file holds one hand, not {len(hands)}; use a name that ends in .phhs")
    return write_texts(path, hands, lambda number, hand: phh_text(hand))


def _write_log(path: Path, hands: Sequence[HandHistory]) -> list[ReadProblem]:
    """Write an ACPC log: a header that names the game, and STATE lines. There is no SCORE line, since separate hands do
    not say who sits where in the match.

    The definition of a game that is not in the catalog is written next to the log.
    """
    game = replace(hands[0].rules, odd_chips="split")
    definition = definition_text(game)  # raises an error if ACPC cannot express the game
    known = game.name in game_names() and catalog_game(game.name) == game
    name = f"{DEFINITION_NAMES[game.name]}.game" if known and game.name in DEFINITION_NAMES else game.name
    if not known:
        beside = path.with_name(f"{path.name.split('.')[0]}.game")
        name = beside.name
        write_whole(beside, definition.encode())

    def line(number: int, hand: HandHistory) -> str:
        if hand.rules.odd_chips != "split":
            exact = replace(hand, rules=replace(hand.rules, odd_chips="split"))
            if hand.result_known and exact.payoffs != hand.payoffs:
                raise PokerlabError("an ACPC log splits pots exactly; this hand pays odd chips to a seat")
            hand = exact
        if hand.rules != game:
            raise PokerlabError("every hand of an ACPC log has the same game and stacks; this hand has others")
        odd = [name for name in hand.names if not name or set(name) & set(":|\n")]
        if odd:
            raise PokerlabError(f"expected names without : and | in an ACPC log, not {odd[0]!r}")
        return state_line(hand) + "\n"

    def header(n_hands: int) -> str:
        about = "# The seed is a placeholder: these hands were not dealt from a seed."
        return f"{LogHeader(path.name.split('.')[0], name, n_hands, 0)}\n{about}\n"

    return write_texts(path, hands, line, header=header)


def _write_pokerstars(path: Path, hands: Sequence[HandHistory]) -> list[ReadProblem]:
    ready = prepared(hands, when=datetime.now(UTC)).hands  # `pokerlab convert` reports what this changes
    return write_texts(path, ready, lambda number, hand: _pokerstars(hand), between="\n\n")


def _pokerstars(hand: HandHistory) -> str:
    """Write a hand as PokerStars text. Raise an error unless reading the text by PokerStars' rules gives the same
    hand."""
    text = pokerstars_text(hand)
    read = parse_pokerstars(text)
    if read.problems:
        raise PokerlabError(f"PokerStars has other rules: {read.problems[0].expected}")
    [again] = read.hands
    if (again.names, again.actions, again.payoffs) != (hand.names, hand.actions, hand.payoffs):
        raise PokerlabError("PokerStars text cannot express this hand")
    return text


_FORMATS = [
    Format("ACPC log", (".log",), read_logs, _write_log),
    Format("PHH", (".phh",), lambda path, rules: parse_phh(read_text(path), str(path)), _write_phh),
    Format(
        "PHH, several hands",
        (".phhs",),
        lambda path, rules: parse_phh(read_text(path), str(path)),
        lambda path, hands: write_texts(path, hands, numbered_phh_text, between="\n"),
    ),
    Format(
        "PokerStars",
        (".txt",),
        lambda path, rules: parse_pokerstars(read_text(path), str(path)),
        _write_pokerstars,
    ),
    Format("IRC database", (".tgz", ".tar.gz"), lambda path, rules: read_irc(path), None),
]


def formats() -> tuple[Format, ...]:
    """All registered formats."""
    return tuple(_FORMATS)


def register(format: Format) -> None:
    """Register a format; it replaces one of the same name."""
    _FORMATS[:] = [*(known for known in _FORMATS if known.name != format.name), format]


def format_of(path: Path) -> Format:
    """The format of `path`, by the ending of its name. The ending of a text file may be followed by `.gz`."""
    name = path.name.lower()
    for format in _FORMATS:
        if name.endswith(format.suffixes) or name.removesuffix(".gz").endswith(format.suffixes):
            return format
    *endings, last = [suffix for format in _FORMATS for suffix in format.suffixes]
    raise FileError(f"{path}: expected a name that ends in {', '.join(endings)} or {last}")


def read_hands(path: Path, rules: Rules | None = None) -> Imported:
    """The hands of a file, of a directory of the IRC database, or of all files of known formats in a directory.

    `rules` are used for files that do not name their game.
    """
    if not path.exists():
        raise FileError(f"cannot read {path}: there is no such file")
    if not path.is_dir():
        format = format_of(path)
        if format.read is None:
            raise FileError(f"{path}: {format.name} can be written but not read")
        return format.read(path, rules)
    if any(path.rglob("hdb")):
        return read_irc(path)
    return Imported.together(_read_one_of_many(file, rules) for file in files_in(path))


def files_in(directory: Path) -> list[Path]:
    """All files in a directory and below whose format can be read."""
    endings = tuple(suffix for format in _FORMATS if format.read for suffix in format.suffixes)
    packed = (*endings, *(f"{ending}.gz" for ending in endings))
    files = sorted(file for file in directory.rglob("*") if file.name.lower().endswith(packed) and file.is_file())
    if not files:
        raise FileError(f"{directory} holds no file whose name ends in {', '.join(endings)}, and none called hdb")
    return files


def _read_one_of_many(path: Path, rules: Rules | None) -> Imported:
    try:
        return read_hands(path, rules)
    except PokerlabError as error:
        return Imported((), (ReadProblem(0, str(error), str(path)),))


def write_hands(path: Path, hands: Sequence[HandHistory]) -> tuple[ReadProblem, ...]:
    """Write hands in the format given by the ending of `path`; returns a problem for each hand that the format cannot
    express."""
    format = format_of(path)
    if format.write is None:
        raise FileError(f"{path}: {format.name} can be read but not written")
    return tuple(format.write(path, hands))
