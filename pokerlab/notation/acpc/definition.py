"""ACPC game definitions: text to `Rules` and back.

>>> from pokerlab.games.catalog import game
>>> text = definition_text(game("leduc"))
>>> print(text, end="")
GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
>>> parse_definition(text, "leduc") == game("leduc")
True
>>> parse_definition("GAMEDEF\\nlimit\\nnumPlayers = two\\nEND GAMEDEF")
Traceback (most recent call last):
pokerlab.errors.ParseError: line 3: expected whole numbers after numPlayers: "numPlayers = two" at character 14: "two"

References
----------
The Annual Computer Poker Competition's dealer, version 2.0.0: keys in any case and order, `=` optional, surplus values
ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from math import inf
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pokerlab.errors import FileError, ParseError, RulesError
from pokerlab.files import is_a_file
from pokerlab.games.actions import Chips
from pokerlab.games.catalog import game, game_names, small_deck
from pokerlab.games.rules import Rules, Street
from pokerlab.notation.imported import lines_of, read_text

UNLIMITED_STACK = 2**31 - 1
NO_CAP = 255
MAX_STREETS, MAX_BOARD, MAX_HOLE = 4, 7, 3

DEFINITION_NAMES = {
    "limit2p": "holdem.limit.2p.reverse_blinds",
    "limit3p": "holdem.limit.3p",
    "nolimit2p": "holdem.nolimit.2p.reverse_blinds",
    "nolimit3p": "holdem.nolimit.3p",
    "nolimit6p": "holdem.nolimit.6p",
    "kuhn3p": "kuhn.limit.3p",
    "leduc": "leduc.limit.2p",
}
"""Name in the catalog -> the competition's name for the same game, which is that of its `.game` file."""

_KEYS = {
    key.lower(): key
    for key in (
        *("numPlayers", "numRounds", "stack", "blind", "raiseSize", "firstPlayer", "maxRaises"),
        *("numSuits", "numRanks", "numHoleCards", "numBoardCards"),
    )
}
_LINE = re.compile(r"\s*([A-Za-z]+)\s*=?\s*(.*?)\s*$")


class _Entry(NamedTuple):
    """The numbers on a line of a definition, and the line itself for error messages."""

    values: tuple[int, ...]
    number: int
    line: str


def parse_definition(text: str, name: str = "acpc") -> Rules:
    """Parse an ACPC game definition; `name` is needed because a definition does not contain one."""
    entries, limits, last = _read_lines(text)
    definition = _Definition(entries, last)
    n = definition.one("numPlayers", range(2, 11))
    n_streets = definition.one("numRounds", range(1, MAX_STREETS + 1))
    if not limits:
        raise ParseError(f"line {last[0]}: expected limit or nolimit before the end", text=last[1])
    limited = limits == "limit"
    raise_sizes = definition.many("raiseSize", n_streets, range(1, 2**31)) if limited else (0,) * n_streets
    first = definition.many("firstPlayer", n_streets, range(1, n + 1), default=1)
    caps = definition.many("maxRaises", n_streets, range(NO_CAP + 1), default=NO_CAP)
    hole = definition.one("numHoleCards", range(1, MAX_HOLE + 1))
    board = definition.many("numBoardCards", n_streets, range(MAX_BOARD + 1))
    if sum(board) > MAX_BOARD:
        definition.refuse("numBoardCards", f"expected at most {MAX_BOARD} board cards in all, not {sum(board)}")
    stacks = definition.many("stack", n, range(1, 2**31), default=UNLIMITED_STACK)
    blinds = definition.many("blind", n, range(2**31))
    for blind, stack in zip(blinds, stacks, strict=True):
        if blind > stack:
            definition.refuse("blind", f"expected no blind above its stack; {blind} is above {stack}")
    suits, ranks = definition.one("numSuits", range(1, 5)), definition.one("numRanks", range(1, 14))
    if n * hole + sum(board) > suits * ranks:
        definition.refuse("numRanks", f"expected a deck of {n * hole + sum(board)} cards or more, not {suits * ranks}")
    return Rules(
        name=name,
        n_seats=n,
        limits="limit" if limited else "no-limit",
        blinds=blinds,
        stacks=tuple(inf if stack == UNLIMITED_STACK else stack for stack in stacks),
        deck=small_deck(ranks, suits),
        streets=tuple(
            Street(
                n_hole=hole if i == 0 else 0,
                n_board=board[i],
                first=first[i] - 1,
                raise_size=raise_sizes[i],
                max_raises=None if caps[i] == NO_CAP else caps[i],
            )
            for i in range(n_streets)
        ),
    )


def _read_lines(text: str) -> tuple[dict[str, _Entry], str, tuple[int, str]]:
    """Return (entry of each key, `limit` or `nolimit`, number and text of the last line)."""
    entries: dict[str, _Entry] = {}
    limits, last = "", (1, "")
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        last = (number, line)
        words = " ".join(line.lower().split())
        if words == "end gamedef":
            break
        if words == "gamedef":
            continue
        if words in ("limit", "nolimit"):
            limits = words
            continue
        match = _LINE.fullmatch(line)
        key = _KEYS.get(match[1].lower()) if match else None
        if match is None or key is None:
            raise ParseError(f"line {number}: expected one of limit, nolimit, {', '.join(_KEYS.values())}", text=line)
        if not re.fullmatch(r"\d{1,18}(\s+\d{1,18})*", match[2], re.ASCII):
            raise ParseError(f"line {number}: expected whole numbers after {key}", text=line, at=match.start(2))
        entries[key] = _Entry(tuple(map(int, match[2].split())), number, line)
    return entries, limits, last


class _Definition:
    """The entries of a definition, read one key at a time."""

    def __init__(self, entries: dict[str, _Entry], last: tuple[int, str]) -> None:
        self._entries, self._last = entries, last

    def refuse(self, key: str, expected: str) -> None:
        """Raise an error that points to the line of `key`."""
        entry = self._entries[key]
        raise ParseError(f"line {entry.number}: {expected}", text=entry.line)

    def one(self, key: str, legal: range) -> int:
        return self.many(key, 1, legal)[0]

    def many(self, key: str, count: int, legal: range, *, default: int | None = None) -> tuple[int, ...]:
        """The first `count` values of `key`, which must be `legal`. More values are ignored, as by the competition's
        dealer."""
        entry = self._entries.get(key)
        if entry is None:
            if default is not None:
                return (default,) * count
            raise ParseError(f"line {self._last[0]}: expected {key} before the end", text=self._last[1])
        if len(entry.values) < count:
            self.refuse(key, f"expected {count} numbers after {key}, not {len(entry.values)}")
        for value in entry.values[:count]:
            if value not in legal:
                self.refuse(key, f"expected {key} from {legal[0]} to {legal[-1]}, not {value}")
        return entry.values[:count]


def definition_text(rules: Rules) -> str:
    """Write `rules` as an ACPC definition, with the same lines as the competition's own files. Raise an error if the
    format cannot express them."""
    suits, ranks = {card & 3 for card in rules.deck}, {card >> 2 for card in rules.deck}
    lines = ["GAMEDEF", "limit" if rules.limits == "limit" else "nolimit"]
    lines += [f"numPlayers = {rules.n_seats}", f"numRounds = {len(rules.streets)}"]
    if any(stack != inf for stack in rules.stacks):
        lines.append(_row("stack", [UNLIMITED_STACK if stack == inf else stack for stack in rules.stacks]))
    lines.append(_row("blind", rules.blinds))
    if rules.limits == "limit":
        lines.append(_row("raiseSize", [street.raise_size for street in rules.streets]))
    lines.append(_row("firstPlayer", [street.first + 1 for street in rules.streets]))
    if any(street.max_raises is not None for street in rules.streets):
        caps = [NO_CAP if street.max_raises is None else street.max_raises for street in rules.streets]
        lines.append(_row("maxRaises", caps))
    lines += [f"numSuits = {len(suits)}", f"numRanks = {len(ranks)}", f"numHoleCards = {rules.streets[0].n_hole}"]
    lines += [_row("numBoardCards", [street.n_board for street in rules.streets]), "END GAMEDEF"]
    text = "\n".join(lines) + "\n"
    _check_complete(rules, text)
    return text


def _row(key: str, values: Sequence[Chips]) -> str:
    return f"{key} = {' '.join(map(str, values))}"


def _check_complete(rules: Rules, text: str) -> None:
    try:
        parsed = parse_definition(text, rules.name)
    except ParseError as error:
        raise RulesError(f"{rules.name} cannot be written as an ACPC definition: {error.problem}") from error
    lost = [field.name for field in fields(Rules) if getattr(parsed, field.name) != getattr(rules, field.name)]
    if lost:
        raise RulesError(f"{rules.name} cannot be written as an ACPC definition: it cannot express {', '.join(lost)}")


def read_definition(path: Path) -> Rules:
    """The rules of a definition file, named after the file."""
    try:
        return parse_definition(read_text(path), path.name.removesuffix(".game"))
    except ParseError as error:
        raise FileError(f"{path}: {error}") from error


def find_game(text: str) -> Rules:
    """Find a game by its catalog name, by the competition's name for it, or from a definition file.

    >>> find_game("some/where/holdem.limit.2p.reverse_blinds.game").name
    'limit2p'
    """
    if text in game_names():
        return game(text)
    if is_a_file(Path(text)):
        return read_definition(Path(text))
    known = {acpc: name for name, acpc in DEFINITION_NAMES.items()}
    name = known.get(PurePosixPath(text).name.removesuffix(".game"))
    if name is None and ("/" in text or text.endswith(".game")):
        raise FileError(f"no game definition at {text}")
    return game(name or text)
