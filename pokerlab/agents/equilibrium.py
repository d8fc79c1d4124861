"""Agents that play a strategy from a file: `equilibrium:NAME` and `strategy:FILE`.

`equilibrium:NAME` plays the strategy that was trained by the recipe NAME (`agents.recipes`). `strategy:FILE` plays any
strategy file; FILE may also be the run directory of a solve. `strategy:FILE|FILE` names one file for each seat;
`strategy:DIRECTORY` finds both if `pokerlab train sized` has written one for each seat.

Either name may be followed by settings, as in `?translation=soft&threshold=0.1`. The translation maps bets that are not
in the tree to the tree's own bets (`trees.translation`); actions less likely than the threshold are never taken.

>>> make_strategy("nowhere.bin")
Traceback (most recent call last):
pokerlab.errors.FileError: no strategy file at nowhere.bin
>>> make_equilibrium("limit4p")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no equilibrium player is called 'limit4p'; did you mean limit3p, limit2p, nolimit2p?

References
----------
Hawkin (2014), sections 3.8.2 (translation) and 5.9 (one strategy for each seat, on trees of their own).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from pokerlab.agents.recipes import strategy_path
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import is_a_file
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, strategy_file
from pokerlab.policies.strategy_policy import StrategyPolicy

SETTINGS = ("translation", "threshold")
SEAT_FILE = "player-{seat}.bin"
"""Name of the file with one seat's strategy, if a player has a separate tree for each seat (`systems.bets.player`)."""


def make_strategy(text: str) -> StrategyPolicy:
    """Make the agent `strategy:text`."""
    _, settings = _parts(text)
    paths = strategy_paths(text)
    for path in paths:
        if not is_a_file(path):
            raise FileError(f"no strategy file at {path}")
    seats = [None] if len(paths) == 1 else range(len(paths))
    loaded = (_loaded(path, path.stat().st_mtime_ns, seat) for path, seat in zip(paths, seats, strict=True))
    return StrategyPolicy(*loaded, **settings)


def make_equilibrium(variant: str) -> StrategyPolicy:
    """Make the agent `equilibrium:variant`; `variant` is the name of a recipe, optionally followed by settings."""
    _, settings = _parts(variant)
    path = equilibrium_path(variant)
    return StrategyPolicy(_loaded(path, path.stat().st_mtime_ns), **settings)


def equilibrium_path(variant: str) -> Path:
    """Path of the strategy file of the agent `equilibrium:variant`."""
    return strategy_path(variant.partition("?")[0])


def strategy_paths(text: str) -> tuple[Path, ...]:
    """The strategy files of the agent `strategy:text`: one, or one for each seat."""
    paths = _parts(text)[0]
    if len(paths) == 1 and not is_a_file(paths[0] / STRATEGY_FILE):
        each = tuple(paths[0] / SEAT_FILE.format(seat=seat) for seat in (0, 1))
        if all(map(is_a_file, each)):
            return each
    return tuple(map(strategy_file, paths))


def _parts(text: str) -> tuple[tuple[Path, ...], dict[str, Any]]:
    """Split `FILE|FILE?name=value&name=value` into the files and the settings of `StrategyPolicy`."""
    files, _, query = text.partition("?")
    settings: dict[str, Any] = {}
    for item in filter(None, query.split("&")):
        name, _, value = item.partition("=")
        if name not in SETTINGS:
            raise PokerlabError(f"a strategy has no setting {name!r}; its settings are {', '.join(SETTINGS)}")
        try:
            settings[name] = float(value) if name == "threshold" else value
        except ValueError:
            raise PokerlabError(f"threshold must be a number, not {value!r}") from None
    return tuple(Path(file) for file in files.split("|")), settings


@lru_cache(maxsize=8)
def _loaded(path: Path, modified: int, seat: int | None = None) -> Strategy:
    """Load a strategy. It is cached for all matches; a file whose time of modification changed is loaded again."""
    return load_strategy(path, seat=seat).strategy
