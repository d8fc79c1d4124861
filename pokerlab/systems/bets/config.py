"""What a search for bet sizes is asked for: one configuration for `pokerlab bets` and `python -m pokerlab.run`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from typing import Any, Final, Literal, cast

from pokerlab.abstraction.bucket_files import kind_of_name
from pokerlab.errors import PokerlabError
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_to_json
from pokerlab.notation.acpc.definition import game_called
from pokerlab.runs.config import typed
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import parse_range
from pokerlab.solvers.bet_sizing.sized_tree import Side, sides
from pokerlab.solvers.core.variants import variant
from pokerlab.systems.bets.search import Search

AUTO: Final = "auto"
_LEAST = {
    "runs": 1, "iterations": 1, "value_iterations": 0, "seed": 0, "extra": 0, "max_raises": 1, "boards": 1,
    "value_boards": 2,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SizingConfig:
    """What is sized and how. `players` are those whose bets have ranges; the others bet by `opponent`.

    What is left open is decided when a configuration is made, so that a run always says what it used:

    >>> sampled, forgetful = (SizingConfig(game="nolimit2p", cards="ir100", sampled=x) for x in (True, False))
    >>> sampled.engine, sampled.variant, sampled.n, forgetful.engine, forgetful.variant, forgetful.n
    ('numba', 'cfr', 10000.0, 'jax', 'lcfr', 100.0)
    """

    game: str
    players: tuple[int, ...] = (0,)
    opponent: str = "fcpa"
    ranges: tuple[str, ...] = ("0.71-0.94",)
    keeps: Literal["ratio", "width"] = "ratio"
    extra: int | None = None
    runs: int = 10
    cards: str = "lossless"
    iterations: int = 3000
    n: float | None = None  # by default 100, or the thesis's 10,000 where deals are sampled
    variant: str = AUTO
    sampled: bool = False
    by_reach: bool | None = None  # equation 4.11 instead of 4.10, by default where deals are sampled
    engine: Literal["auto", "numba", "jax"] = AUTO
    max_raises: int | None = None  # a street; for games without another end
    value_iterations: int = 4000  # of the solve that says what a run's sizes are worth; 0 leaves it out
    value_target: float = 0.0  # chips of NashConv at which it is good enough
    boards: int = 8  # an iteration of the jax engine, with cells that forget
    value_boards: int = 10_000  # on which values are measured, with cells that forget
    seed: int = 7

    def __post_init__(self) -> None:
        for what, smallest in _LEAST.items():
            given = getattr(self, what)
            if given is not None and given < smallest:
                raise PokerlabError(f"{what} must be at least {smallest}, not {given}")
        if not self.ranges:
            raise PokerlabError("bet sizing needs a range, such as 0.71-0.94")
        if self.extra is not None and len(self.ranges) == 1:
            raise PokerlabError("extra bets need two or more ranges: with one, no decision has a bet to give up")
        if self.opponent.startswith("@"):
            raise PokerlabError(f"{self.opponent} has the sizes of both players; name the opponent's own, such as fcpa")
        if not set(self.players) <= {0, 1} or not self.players:
            raise PokerlabError(f"players to be sized are 0, 1 or both, not {self.players}")
        if self.sampled and self.engine == "jax":
            raise PokerlabError("the jax engine goes through all cards every iteration; sampled deals are numba's")
        self._decide()

    def _decide(self) -> None:
        """Put names and numbers in place of what was left open: those that the recorded results were made with.

        JAX, whose players learn in turn and are seldom trapped by a range, is the engine wherever it can be; without it
        small games have Numba.
        """
        lossless = self.cards == "lossless"
        numba = self.sampled or (lossless and find_spec("jax") is None)
        engine = ("numba" if numba else "jax") if self.engine == AUTO else self.engine
        best = "lcfr" if self.forgets else "cfr+" if lossless and engine == "numba" else "dcfr+"
        decided = {
            "engine": engine,
            "variant": ("cfr" if self.sampled else best) if self.variant == AUTO else self.variant,
            "n": (10_000.0 if self.sampled else 100.0) if self.n is None else self.n,
            "by_reach": self.sampled if self.by_reach is None else self.by_reach,
        }
        for name, value in decided.items():
            object.__setattr__(self, name, value)

    @property
    def forgets(self) -> bool:
        """Whether the cards have imperfect recall, so that values are measured on sampled boards and not bounded."""
        return self.cards != "lossless" and kind_of_name(self.cards)[0] == "ir"

    @property
    def rules(self) -> Rules:
        """The game, with the largest number of raises a street where it is given."""
        rules = game_called(self.game)
        if self.max_raises is None:
            return rules
        streets = tuple(replace(street, max_raises=self.max_raises) for street in rules.streets)
        return replace(rules, streets=streets)

    @property
    def sides(self) -> tuple[Side, Side]:
        """What both players may bet."""
        own = "none" if max(self.rules.stacks) == float("inf") else "all-in"
        text = " | ".join(own if player in self.players else self.opponent for player in (0, 1))
        ranges = [parse_range(each) for each in self.ranges]
        return sides(text, [ranges if player in self.players else [] for player in (0, 1)])

    @property
    def search(self) -> Search:
        """How ranges move."""
        return Search(runs=self.runs, keeps=self.keeps, extra=self.extra)

    @property
    def settings(self) -> BetsSettings:
        """How each run of BETS goes."""
        return BetsSettings(
            exact=not self.sampled,
            n=cast(float, self.n),
            by_reach=bool(self.by_reach),
            variant=variant(self.variant),
            seed=self.seed,
        )

    def identity(self) -> dict[str, Any]:
        """What a search may not change while it goes on: everything but how long it goes on."""
        return {
            **{name: value for name, value in asdict(self).items() if name != "runs"},
            "rules": json.loads(rules_to_json(self.rules)),
        }

    @property
    def algorithm(self) -> tuple[str, str]:
        """The algorithm's name and where in the thesis it stands; departures from it are named.

        >>> SizingConfig(game="leduc-nolimit", runs=1, sampled=True).algorithm
        ('BETS', 'Hawkin (2014), algorithm 1')
        >>> SizingConfig(game="leduc-nolimit", ranges=("0.5-0.69", "1.08-1.38"), variant="cfr+").algorithm[0]
        'REDM-BETS with exact iterations of cfr+'
        >>> SizingConfig(game="leduc-nolimit", keeps="width").algorithm[1]
        'Hawkin (2014), algorithm 2'
        """
        several = len(self.ranges) > 1
        if self.extra is not None:
            name, number = "REFINED-BETS", 11
        elif self.runs == 1:
            name, number = "BETS", 1
        elif several:
            name, number = "REDM-BETS", 6
        else:
            name, number = ("RED-BETS", 5) if self.keeps == "ratio" else ("RE-BETS", 2)
        departures = []
        if several and self.runs > 1 and self.keeps == "width":
            departures.append("ranges of fixed width")
        if self.forgets and not self.sampled:
            departures.append(f"{self.variant} on {self.boards} sampled boards an iteration")
        elif not self.sampled:
            departures.append(f"exact iterations of {self.variant}")
        elif self.variant != "cfr":
            departures.append(f"strategies averaged as in {self.variant}")  # all that sampled iterations take from it
        if self.sampled and not self.by_reach:
            departures.append("sizes that move by equation 4.10")
        said = " and ".join(departures)
        return f"{name} with {said}" if said else name, f"Hawkin (2014), algorithm {number}"


def config_of(data: Mapping[str, Any]) -> SizingConfig:
    """A configuration from JSON values."""
    return typed(SizingConfig, data, "bet sizing")
