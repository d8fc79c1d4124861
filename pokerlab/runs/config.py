"""Read settings from JSON: a frozen dataclass declares names and types, a JSON object gives the values.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Search:
...     game: str
...     runs: int = 10
...     ranges: tuple[float, ...] = ()
>>> typed(Search, {"game": "leduc", "ranges": [0.5, 1]}, "a search")
Search(game='leduc', runs=10, ranges=(0.5, 1.0))
>>> typed(Search, {"game": "leduc", "runs": "many"}, "a search")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: runs must be a whole number, not 'many'
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Config = TypeVar("Config", bound=DataclassInstance)

_WORDS: dict[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    Mapping: "an object",
    Path: "a path",
    NoneType: "nothing",
}


def read_json(path: Path) -> dict[str, Any]:
    """Read the JSON object in a file."""
    try:
        found = json.loads(path.read_text())
    except OSError as error:
        raise PokerlabError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise PokerlabError(f"{path} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise PokerlabError(f'{path} does not hold a JSON object, such as {{"game": "leduc"}}')
    return found


def typed(config: type[Config], data: Mapping[str, Any], what: str) -> Config:
    """Make a `config` from the settings in `data`, after checking their names and types; `what` names it in errors.

    Lists become tuples, and text becomes a path if the setting is declared as one. The dataclass itself checks the
    values.
    """
    hints = get_type_hints(config)
    types = {each.name: hints[each.name] for each in fields(config)}
    settings: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
    }
    for name, value in settings.items():
        if name not in types:
            raise PokerlabError(f"{what} has no setting {name!r}; its settings are {', '.join(sorted(types))}")
        if not _fits(value, types[name]):
            raise PokerlabError(f"{name} must be {_words(types[name])}, not {data[name]!r}")
    for field in fields(config):
        if field.name not in settings and field.default is MISSING and field.default_factory is MISSING:
            raise PokerlabError(f"{what} needs the setting {field.name!r}, {_words(types[field.name])}")
    return config(**{name: of_type(value, types[name]) for name, value in settings.items()})


def of_type(value: Any, wanted: Any) -> Any:
    """Convert a value to the declared type of a setting: lists to tuples, text to paths, whole numbers to floats.

    >>> of_type([1, 2], tuple[float, ...]), of_type("a.png", Path | None)
    ((1.0, 2.0), PosixPath('a.png'))
    """
    value = tuple(value) if isinstance(value, list) else value
    types = {wanted, *get_args(wanted)}
    if isinstance(value, tuple) and get_origin(wanted) is tuple:
        return tuple(of_type(one, get_args(wanted)[0]) for one in value)
    if isinstance(value, str) and {int, str} <= types and re.fullmatch(r"\s*[+-]?\d+\s*", value):
        return int(value)  # a command line has text for both
    if isinstance(value, str) and Path in types and str not in types:
        return Path(value)
    if type(value) is int and float in types and int not in types:
        with suppress(OverflowError):  # the number is refused later, since it is too large
            return float(value)
    return value


def _fits(value: object, wanted: Any) -> bool:
    """Whether a value is of the type that a setting is annotated with."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return value in parts
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(one, parts[0]) for one in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    if parts:  # a union
        return any(_fits(value, part) for part in parts)
    return type(value) is {Path: str}.get(wanted, wanted) or (wanted is float and type(value) is int)


def _words(wanted: Any) -> str:
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin is tuple:
        return f"a list of {_words(parts[0]).removeprefix('a ')}s"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _WORDS[Mapping]
    return " or ".join(map(_words, parts)) if parts else _WORDS.get(wanted, str(wanted))
