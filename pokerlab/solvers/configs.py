"""The settings of a solve as data.

>>> config_of({"game": "kuhn", "algoritm": "cfr"})
Traceback (most recent call last):
pokerlab.errors.PokerlabError: solve has no setting 'algoritm'; its settings are algorithm, ...
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar, Final, Literal

from pokerlab.abstraction.bucket_files import kind_of_name
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.notation.acpc.definition import game_called
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.request import Request, setting
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
    **{name: member.cites for name, member in VARIANTS.items()},
    **SAMPLING,
    "lp": "Koller, Megiddo and von Stengel 1996",
}
"""Every algorithm by name, with its citation."""

AUTO: Final = "auto"

ALGORITHMS_HELP = (
    "cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+ or pdcfr+; with sampled cards mccfr (external), linear, outcome, chance or "
    "public; lp is exact, for small games. auto: cfr+ where every hand is distinct, dcfr+ with buckets prN, mccfr "
    "where nothing else works (buckets irN, or buckets with three or more players)."
)


@dataclass(frozen=True, kw_only=True)
class SolveConfig(Request):
    """A solve: its game and its settings. `game` is a catalog name, a definition file, or rules (`rules_to_json`).

    "auto" is replaced by a name when a configuration is made, so that a run always records what it used:

    >>> auto = SolveConfig(game="leduc")
    >>> auto.algorithm, auto.engine
    ('cfr+', 'numba')
    >>> SolveConfig(game="nolimit2p", cards="pr5").algorithm, SolveConfig(game="nolimit2p", cards="ir100").algorithm
    ('dcfr+', 'mccfr')
    """

    kind: ClassVar[str] = "solve"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.solvers.runs",)

    game: str | Mapping[str, Any] = setting(positional=True)
    algorithm: str = setting(AUTO, ALGORITHMS_HELP)
    iterations: int = setting(1000, identity=False, least=1, count=True)
    target: float | None = setting(None, identity=False, above=0)
    sizes: str | None = setting(None, "Default: the game's own at limit, otherwise fcpa.")
    cards: str | None = setting(None, "Default: lossless.")
    engine: Literal["auto", "numba", "jax", "highs"] = setting(
        AUTO,
        "jax is for bucketed games (irN: with public); lp has highs. auto: jax for prN where installed, otherwise "
        "numba. A run is resumed with the engine it was started with.",
    )
    seed: int = setting(7, least=0)
    deals_per_iteration: int = setting(
        1,
        "Sampling algorithms: deals an iteration (public with jax: boards an iteration).",
        least=1,
    )
    threads: int | None = setting(
        None, "Only sampling algorithms and subgames use more than one.", identity=False, least=1
    )
    average_every: int = setting(
        1, "Sampling for three or more players: deals between two updates of the average.", least=1, hidden=True
    )

    def check(self) -> None:
        """Replace "auto" and refuse an algorithm or engine that does not exist."""
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

    @property
    def rules(self) -> Rules:
        """The game."""
        return game_called(self.game) if isinstance(self.game, str) else rules_from_json(json.dumps(self.game))

    @property
    def cites(self) -> str:
        """The publication of the algorithm."""
        return ALGORITHMS[self.algorithm]

    @property
    def n_threads(self) -> int:
        """The number of threads; sampling cannot use more than there are deals in an iteration."""
        if self.threads is not None:
            return self.threads
        return min(usable_cores(), self.deals_per_iteration) if self.algorithm in SAMPLING else usable_cores()

    @property
    def label(self) -> str:
        """The name of the game."""
        return self.rules.name

    def data(self) -> dict[str, Any]:
        """As JSON values; the game as its rules, so that a run means the same everywhere."""
        return {**super().data(), "game": json.loads(rules_to_json(self.rules))}


def engines_for(algorithm: str) -> tuple[str, ...]:
    """The engines of an algorithm."""
    if algorithm == "lp":
        return ("highs",)
    return ("numba", "jax") if algorithm in VARIANTS or algorithm == "public" else ("numba",)


def _best_algorithm(rules: Rules, cards: str | None) -> str:
    """The default algorithm: sampling where nothing else works, else the fastest one measured."""
    if cards in (None, "lossless"):
        return "dcfr" if rules.board else "cfr+"
    return "mccfr" if rules.n_seats > 2 or kind_of_name(str(cards))[0] == "ir" else "dcfr+"


def _best_engine(rules: Rules, cards: str | None, algorithm: str) -> str:
    """The default engine: JAX where it is installed and cards are in buckets; small games are faster in Numba."""
    engines = engines_for(algorithm)
    dense = algorithm in VARIANTS and cards not in (None, "lossless") and rules.n_seats == 2
    return "jax" if dense and find_spec("jax") is not None else engines[0]


def config_of(data: Mapping[str, Any]) -> SolveConfig:
    """A configuration from JSON values."""
    return SolveConfig.from_data(data)


@dataclass(frozen=True, kw_only=True)
class SubgameConfig(Request):
    """The rest of a hold'em hand as a solve; see `subgames.subgame.make_subgame`."""

    kind: ClassVar[str] = "solve subgame"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.solvers.runs",)

    board: str = setting(help="Three, four or five cards.")
    ranges: tuple[str, ...] = setting(separator="|")
    pot: float = setting()
    stack: float = setting()
    sizes: str = setting(DEFAULT_SIZES, "flop, turn and river name streets.")
    max_raises: int | None = setting(None)
    algorithm: str = setting("dcfr", "cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+ or pdcfr+.")
    iterations: int = setting(1000, identity=False, least=1, count=True)
    target_percent: float = setting(0.5, identity=False, above=0)
    threads: int | None = setting(None, identity=False, least=1)

    def check(self) -> None:
        """Refuse a board, ranges or chips that do not make a subgame."""
        self.solve  # noqa: B018

    @property
    def label(self) -> str:
        """The board."""
        return self.board

    @property
    def solve(self) -> SolveConfig:
        """The same as a solve of the game whose rules name the board and the ranges."""
        if len(self.ranges) != 2:
            raise PokerlabError(f"{' | '.join(self.ranges)!r} is not two ranges with | between")
        pot, stack = (int(chips) if float(chips).is_integer() else chips for chips in (self.pot, self.stack))
        both = (self.ranges[0], self.ranges[1])
        return SolveConfig(
            game=json.loads(
                rules_to_json(subgame_rules(self.board, both, pot=pot, stack=stack, max_raises=self.max_raises))
            ),
            algorithm=variant(self.algorithm).name,
            iterations=self.iterations,
            target=self.target_percent / 100 * pot,
            sizes=self.sizes,
            threads=self.threads,
        )
