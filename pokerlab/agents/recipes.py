"""Recipes of the equilibrium players: the abstraction, algorithm and cost of each.

A recipe is data. `pokerlab train equilibrium NAME` follows it (`agents.equilibrium_training`), and the agent
`equilibrium:NAME` plays the result. Some results ship with the package; others are stored in the cache directory after
training.

>>> recipe("limit2p").cards, recipe("limit3p").raise_caps
('pr5', (3, 2, 1, 1))
>>> recipe("limit4p")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no equilibrium player is called 'limit4p'; did you mean limit3p, limit2p, nolimit2p?
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any

from pokerlab.caches import cache_directory
from pokerlab.errors import PokerlabError, RulesError, name_hint
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_to_json
from pokerlab.policies.strategy_policy import same_game
from pokerlab.runs.config import typed

SHIPPED = Path(__file__).parent / "data"
AGAINST_RESPONSE = "cfr-br"  #: name of the algorithm of `response_training`


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A strategy to compute: its game, the abstraction that is solved instead, and the algorithm."""

    game: str
    cards: str
    algorithm: str
    iterations: int
    sizes: str | None = None
    raise_caps: tuple[int, ...] | None = None  # maximum raises by street, if the tree has fewer than the game
    engine: str = "numba"
    deals_per_iteration: int = 1
    average_every: int = 1
    turns: int | None = None  # number of turns of each flop in an iteration of cfr-br
    lines: int | None = None  # number of ways of preflop betting in an iteration of cfr-br
    seed: int = 0
    cites: str
    core_seconds: float = nan  # measured solving time, for cost estimates while buckets are missing
    note: str  # the result, its cost, and the machine

    @property
    def rules(self) -> Rules:
        """The game to solve: the table's game, possibly with fewer raises."""
        rules = game(self.game)
        if self.raise_caps is None:
            return rules
        capped = zip(rules.streets, self.raise_caps, strict=True)
        name = f"{rules.name}-{''.join(map(str, self.raise_caps))}"
        return replace(rules, name=name, streets=tuple(replace(street, max_raises=cap) for street, cap in capped))

    @property
    def config(self) -> dict[str, Any]:
        """JSON configuration for `solvers.configs.SolveConfig` and `python -m pokerlab.run`."""
        same = ("algorithm", "iterations", "sizes", "cards", "engine", "seed", "deals_per_iteration", "average_every")
        game = self.game if self.raise_caps is None else json.loads(rules_to_json(self.rules))
        return {"game": game, **{name: getattr(self, name) for name in same}}


def _recipes() -> Mapping[str, Recipe]:
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: typed(Recipe, row, f"the recipe {name}") for name, row in rows.items()}


RECIPES = _recipes()
"""The recipes by player name, from `recipes.toml`."""


def recipe(name: str) -> Recipe:
    """The recipe of the player `equilibrium:name`."""
    if name not in RECIPES:
        raise PokerlabError(f"no equilibrium player is called {name!r}; {name_hint(name, RECIPES)}")
    return RECIPES[name]


def recipe_for(rules: Rules) -> str:
    """Name of the first player made for a game, ignoring the game's stacks and number of raises per street.

    >>> recipe_for(game("limit2p")), recipe_for(game("nolimit2p"))
    ('limit2p-robust', 'nolimit2p')
    """
    for name, made in RECIPES.items():
        if same_game(rules, game(made.game)):
            return name
    games = ", ".join(dict.fromkeys(made.game for made in RECIPES.values()))
    raise RulesError(f"no equilibrium player is made for {rules.name}; there are players for {games}")


def shipped_path(name: str) -> Path:
    """Path of a player's strategy in the package, whether or not it ships."""
    return SHIPPED / f"{name}.bin"


def trained_path(name: str) -> Path:
    """The path of a trained strategy."""
    return cache_directory() / "equilibrium" / f"{name}.bin"


def tells_ranges(name: str) -> bool:
    """Whether a trained player has a meaningful range after every sequence of bets. A player trained against a response
    has none after its own rare actions: its file says to play uniformly there."""
    return is_trained(name) and recipe(name).algorithm != AGAINST_RESPONSE


def is_trained(name: str) -> bool:
    """Whether there is a strategy for a player on this machine."""
    return shipped_path(name).is_file() or trained_path(name).is_file()


def strategy_path(name: str) -> Path:
    """Path of a player's strategy file: the shipped one if there is one, so that it is the same everywhere; otherwise
    the one trained on this machine."""
    recipe(name)
    for path in (shipped_path(name), trained_path(name)):
        if path.is_file():
            return path
    raise PokerlabError(
        f"equilibrium:{name} has not been trained yet: pokerlab train equilibrium {name} (--dry-run says what it costs)"
    )
