"""What is solved and how, as data: the settings of a solve.

>>> config_of({"game": "kuhn", "algoritm": "cfr"})
Traceback (most recent call last):
pokerlab.errors.PokerlabError: a solve has no setting 'algoritm'; its settings are algorithm, ...
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from pokerlab.abstraction.bucket_files import kind_of_name
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.notation.acpc.definition import game_called
from pokerlab.runs.config import typed
from pokerlab.runs.cost import usable_cores
from pokerlab.solvers.core.variants import VARIANTS, variant
from pokerlab.solvers.subgames.subgame import DEFAULT_SIZES, subgame_rules

SAMPLING = {
    "mccfr": "Lanctot et al. 2009 (external sampling)",
    "external": "Lanctot et al. 2009",
    "linear": "Brown and Sandholm 2019 (external sampling, later iterations count for more)",
    "outcome": "Lanctot et al. 2009",
    "chance": "Zinkevich et al. 2007",
    "public": "Johanson et al. 2012",
}
ALGORITHMS = {
    **{name: found.cites for name, found in VARIANTS.items()},
    **SAMPLING,
    "lp": "Koller, Megiddo and von Stengel 1996",
}
"""Every algorithm by name, with what it cites."""

AUTO = "auto"


@dataclass(frozen=True, kw_only=True)
class SolveConfig:
    """What is solved and how. `game` is a catalog name, a definition file, or rules as `rules_to_json` has them.

    "auto" is replaced by a name when a configuration is made, so that a run always says what it used:

    >>> auto = SolveConfig(game="leduc")
    >>> auto.algorithm, auto.engine
    ('cfr+', 'numba')
    >>> SolveConfig(game="nolimit2p", cards="pr5").algorithm, SolveConfig(game="nolimit2p", cards="ir100").algorithm
    ('dcfr+', 'mccfr')
    """

    game: str | Mapping[str, Any]
    algorithm: str = AUTO
    iterations: int = 1000
    target: float | None = None  # stop at this exploitability, in chips a hand
    sizes: str | None = None  # default: the game's own, or fcpa
    cards: str | None = None  # default: lossless
    engine: str = AUTO
    seed: int = 0  # of sampling algorithms
    deals_per_iteration: int = 1  # of sampling algorithms
    threads: int = 1  # of sampling algorithms, at most as many as deals in an iteration; and of subgames
    average_every: int = 1  # of sampling for three or more: a walk for the average on every so many deals

    def __post_init__(self) -> None:
        if self.algorithm == AUTO:
            object.__setattr__(self, "algorithm", _best_algorithm(self.rules, self.cards))
        if self.algorithm not in ALGORITHMS:
            raise PokerlabError(f"no algorithm is called {self.algorithm!r}; {name_hint(self.algorithm, ALGORITHMS)}")
        if self.engine == AUTO:
            object.__setattr__(self, "engine", _best_engine(self.rules, self.cards, self.algorithm))
        if self.engine not in engines_for(self.algorithm):
            raise PokerlabError(
                f"{self.algorithm} has no engine {self.engine!r}; it has {', '.join(engines_for(self.algorithm))}"
            )
        if self.target is not None and not self.target > 0:
            raise PokerlabError(f"target must be an exploitability above 0, not {self.target:g}")
        least = {"iterations": 1, "deals_per_iteration": 1, "threads": 1, "average_every": 1, "seed": 0}
        for what, smallest in least.items():
            if getattr(self, what) < smallest:
                raise PokerlabError(f"{what} must be at least {smallest}, not {getattr(self, what)}")

    @property
    def rules(self) -> Rules:
        """The game."""
        return game_called(self.game) if isinstance(self.game, str) else rules_from_json(json.dumps(self.game))

    @property
    def cites(self) -> str:
        """Where the algorithm is published."""
        return ALGORITHMS[self.algorithm]

    def data(self) -> dict[str, Any]:
        """As plain JSON values; the game as its rules, so that a run means the same everywhere."""
        return {**asdict(self), "game": json.loads(rules_to_json(self.rules))}

    def identity(self) -> dict[str, Any]:
        """What a run may not change while it goes on: everything but how long it goes on, and on how many threads."""
        return {name: value for name, value in self.data().items() if name not in ("iterations", "target", "threads")}


def engines_for(algorithm: str) -> tuple[str, ...]:
    """What an algorithm can run on."""
    if algorithm == "lp":
        return ("highs",)
    return ("numba", "jax") if algorithm in VARIANTS or algorithm == "public" else ("numba",)


def _best_algorithm(rules: Rules, cards: str | None) -> str:
    """The algorithm for whoever names none: sampling where nothing else works, else what was the fastest."""
    if cards in (None, "lossless"):
        return "dcfr" if rules.board else "cfr+"
    return "mccfr" if rules.n_seats > 2 or kind_of_name(str(cards))[0] == "ir" else "dcfr+"


def _best_engine(rules: Rules, cards: str | None, algorithm: str) -> str:
    """JAX where it is installed and cards are in buckets; small games are faster in Numba."""
    engines = engines_for(algorithm)
    dense = algorithm in VARIANTS and cards not in (None, "lossless") and rules.n_seats == 2
    return "jax" if dense and find_spec("jax") is not None else engines[0]


def config_of(data: Mapping[str, Any]) -> SolveConfig:
    """A configuration from JSON values."""
    return typed(SolveConfig, data, "a solve")


@dataclass(frozen=True, kw_only=True)
class SubgameConfig:
    """The rest of a hold'em hand and how it is solved; see `subgames.subgame.make_subgame`."""

    board: str
    ranges: tuple[str, ...]
    pot: float
    stack: float
    sizes: str = DEFAULT_SIZES
    max_raises: int | None = None
    algorithm: str = "dcfr"
    iterations: int = 1000
    target: float = 0.5  # stop at this exploitability, in percent of the pot
    threads: int | None = None  # by default one a core; any number gives the same bits

    @property
    def solve(self) -> SolveConfig:
        """The same as a solve of the game whose rules name the board and the ranges."""
        if len(self.ranges) != 2:
            raise PokerlabError(f"a subgame is for two ranges, not {len(self.ranges)}")
        if not self.target > 0:
            raise PokerlabError(f"target must be above 0% of the pot, not {self.target:g}")
        pot, stack = (int(chips) if float(chips).is_integer() else chips for chips in (self.pot, self.stack))
        both = (self.ranges[0], self.ranges[1])
        return SolveConfig(
            game=json.loads(
                rules_to_json(subgame_rules(self.board, both, pot=pot, stack=stack, max_raises=self.max_raises))
            ),
            algorithm=variant(self.algorithm).name,
            iterations=self.iterations,
            target=self.target / 100 * pot,
            sizes=self.sizes,
            threads=usable_cores() if self.threads is None else self.threads,
        )
