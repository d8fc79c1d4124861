"""Recipes of the equilibrium players: the abstraction, algorithm and cost of each.

A recipe is data. `pokerlab train equilibrium NAME` follows it (`agents.equilibrium_training`), and the agent
`equilibrium:NAME` plays the result. Some results ship with the package; the others are stored in the cache directory
once they are made.

>>> recipe("limit2p").cards, recipe("limit3p").raise_caps
('pr5', (3, 2, 1, 1))
>>> recipe("limit4p")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no equilibrium player is called 'limit4p'; did you mean limit3p, limit2p, nolimit2p?
"""

from __future__ import annotations

import json
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

SHIPPED = Path(__file__).parent / "data"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A strategy to solve for: its game, the abstraction that is solved instead, and the algorithm."""

    game: str
    cards: str
    algorithm: str
    iterations: int
    sizes: str | None = None
    raise_caps: tuple[int, ...] | None = None  # by street, where the tree has fewer raises than the game
    engine: str = "numba"
    deals_per_iteration: int = 1
    average_every: int = 1
    seed: int = 0
    cites: str
    core_seconds: float = nan  # measured solving time, for dry runs that cannot try because buckets are missing
    note: str  # result and cost, and the machine

    @property
    def rules(self) -> Rules:
        """The game that is solved: the table's game, possibly with fewer raises."""
        rules = game(self.game)
        if self.raise_caps is None:
            return rules
        capped = zip(rules.streets, self.raise_caps, strict=True)
        name = f"{rules.name}-{''.join(map(str, self.raise_caps))}"
        return replace(rules, name=name, streets=tuple(replace(street, max_raises=cap) for street, cap in capped))

    @property
    def config(self) -> dict[str, Any]:
        """JSON configuration for `solvers.configs.config_of` and `python -m pokerlab.run`."""
        same = ("algorithm", "iterations", "sizes", "cards", "engine", "seed", "deals_per_iteration", "average_every")
        game = self.game if self.raise_caps is None else json.loads(rules_to_json(self.rules))
        return {"game": game, **{name: getattr(self, name) for name in same}}


# fmt: off
RECIPES: Mapping[str, Recipe] = {
    "limit2p": Recipe(
        game="limit2p", cards="pr5", algorithm="dcfr+", iterations=4000, engine="jax",
        cites="Xu et al. 2024 (DCFR+); Hawkin (2014), section 5.1 (five buckets a street)",
        note="ships; exploitability 0.04 mbb in its abstraction, 0.14 in 8 bits; 13 seconds on one H200 GPU",
    ),
    "nolimit2p": Recipe(
        game="nolimit2p", sizes="fcpa", cards="pr5", algorithm="dcfr+", iterations=10_000, engine="jax",
        cites="Xu et al. 2024 (DCFR+); Hawkin (2014), sections 5.1 and 5.8 (FCPA)",
        note="ships; exploitability 0.04 mbb in its abstraction, 0.67 in 8 bits; 11 seconds on one H200 GPU",
    ),
    "limit3p": Recipe(
        game="limit3p", raise_caps=(3, 2, 1, 1), cards="ir100", algorithm="linear", iterations=5000,
        deals_per_iteration=1024, average_every=8, core_seconds=319 * 9,
        cites="Abou Risk and Szafron (2010) (CFR for three players); Brown and Sandholm (2019) (linear weights)",
        note="no equilibrium is claimed; 5.1 million deals took 319 seconds on 8 to 10 threads",
    ),
    "nolimit2p-large": Recipe(
        game="nolimit2p", sizes="h_ftr", cards="pr5", algorithm="dcfr+", iterations=10_000, engine="jax",
        cites="Xu et al. 2024 (DCFR+); Hawkin (2014), section 5.8 (H_FTR)",
        note="exploitability 0.10 mbb in its abstraction; 54 seconds on one H200 GPU",
    ),
}
# fmt: on
"""By player name; the registry has the names, without imports."""


def recipe(name: str) -> Recipe:
    """The recipe of the player `equilibrium:name`."""
    if name not in RECIPES:
        raise PokerlabError(f"no equilibrium player is called {name!r}; {name_hint(name, RECIPES)}")
    return RECIPES[name]


def recipe_for(rules: Rules) -> str:
    """The name of the player made for a game, whatever its stacks and its number of raises per street.

    >>> recipe_for(game("nolimit2p"))
    'nolimit2p'
    """
    for name, made in RECIPES.items():
        if same_game(rules, game(made.game)):
            return name
    games = ", ".join(dict.fromkeys(made.game for made in RECIPES.values()))
    raise RulesError(f"no equilibrium player is made for {rules.name}; there are players for {games}")


def shipped_path(name: str) -> Path:
    """The path of a player's strategy in the package, if it ships."""
    return SHIPPED / f"{name}.bin"


def trained_path(name: str) -> Path:
    """The path of a trained strategy."""
    return cache_directory() / "equilibrium" / f"{name}.bin"


def is_trained(name: str) -> bool:
    """Whether there is a strategy for a player on this machine."""
    return shipped_path(name).is_file() or trained_path(name).is_file()


def strategy_path(name: str) -> Path:
    """The strategy of a player: the one that ships, so that it is the same everywhere, else the one trained here."""
    recipe(name)
    for path in (shipped_path(name), trained_path(name)):
        if path.is_file():
            return path
    raise PokerlabError(
        f"equilibrium:{name} has not been trained yet: pokerlab train equilibrium {name} (--dry-run says what it costs)"
    )
