"""Settings of a search for bet sizes, used by `pokerlab bets`, requests of kind "bets" and experiments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar, Final, Literal, cast

from pokerlab.abstraction.bucket_files import kind_of_name
from pokerlab.errors import PokerlabError
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_to_json
from pokerlab.games.units import units_per_chip
from pokerlab.notation.acpc.definition import find_game
from pokerlab.runs.request import Request, setting
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import parse_range, ranges_called
from pokerlab.solvers.bet_sizing.sized_tree import Side, sides
from pokerlab.solvers.core.variants import variant
from pokerlab.systems.bets.search import Search
from pokerlab.trees.sizes import with_caps

AUTO: Final = "auto"


@dataclass(frozen=True, kw_only=True)
class SizingConfig(Request):
    """Settings of a search for bet sizes. The bets of `player` have ranges; the other player uses the sizes `opponent`.

    Settings left open are filled in when a configuration is made, so that a run records the values used:

    >>> sampled, forgetful = (SizingConfig(game="nolimit2p", cards="ir100", sampled=x) for x in (True, False))
    >>> sampled.engine, sampled.algorithm, sampled.n, forgetful.engine, forgetful.algorithm, forgetful.n
    ('numba', 'cfr', 10000.0, 'jax', 'lcfr', 100.0)
    """

    kind: ClassVar[str] = "bets"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.systems.bets.saved_runs",)

    game: str = setting(help="The game must be no-limit.", positional=True)
    player: Literal["0", "1", "both"] = setting("0", "In hold'em player 0 is the big blind (player one in the thesis).")
    opponent: str = setting("fcpa")
    size_ranges: str = setting("1")
    extra: int | None = setting(None, least=0)
    runs: int = setting(10, identity=False, least=1)
    cards: str = setting("lossless", "pr5 has perfect recall; ir100 has imperfect recall, and boards are sampled.")
    iterations: int = setting(3000, "In each run of BETS.", least=1, count=True)
    n: float | None = setting(
        None,
        "After N iterations a size moves by at most 1/N of the way per iteration. Default: 100, or 10,000 if sampled.",
    )
    fixed_width: bool = setting(False, "When ranges move, keep their width instead of the ratio of pots at their ends.")
    sampled: bool = setting(False, "Sample one deal per iteration, as in the thesis.")
    algorithm: str = setting(
        AUTO,
        "cfr, cfr+, lcfr, dcfr or dcfr+. auto: cfr with --sampled, lcfr with buckets irN, cfr+ with numba and no "
        "buckets, otherwise dcfr+.",
    )
    by_reach: bool | None = setting(
        None, "Move sizes by equation 4.11 instead of 4.10; default: when sampled.", hidden=True
    )
    engine: Literal["auto", "numba", "jax"] = setting(
        AUTO, "numba is for small games and sampled deals. auto: jax where it is installed, except for sampled deals."
    )
    max_raises: int | str | None = setting(None, "Required if neither stacks nor rules limit the betting.", least=1)
    value_iterations: int = setting(
        4000,
        "Number of iterations of the solve that computes the value of a run's sizes; 0 skips it.",
        least=0,
        count=True,
    )
    within: float | None = setting(
        None,
        "Stop those solves when the bounds on the value are this close, in thousandths of a big blind (of an ante if "
        "there are no blinds). With imperfect recall, values have intervals instead of bounds.",
        above=0,
    )
    boards: int = setting(8, "Number sampled per iteration; only for cards such as ir100.", least=1)
    value_boards: int = setting(
        10_000, "Number of boards for estimating a value; only for cards such as ir100.", least=2
    )
    seed: int = setting(7, least=0)

    def check(self) -> None:
        """Raise an error if settings contradict each other; fill in the settings left open."""
        object.__setattr__(self, "size_ranges", ",".join(ranges_called(self.size_ranges)))
        if self.extra is not None and len(self.ranges) == 1:
            raise PokerlabError("extra bets need two or more ranges: with one, no decision has a bet to give up")
        if self.opponent.startswith("@"):
            raise PokerlabError(f"{self.opponent} has the sizes of both players; name the opponent's own, such as fcpa")
        if self.sampled and self.engine == "jax":
            raise PokerlabError("the jax engine uses all cards every iteration; for sampled deals choose numba")
        self._decide()

    @property
    def players(self) -> tuple[int, ...]:
        """The players whose bets are sized."""
        return (0, 1) if self.player == "both" else (int(self.player),)

    @property
    def ranges(self) -> tuple[str, ...]:
        """The ranges in which a sized bet's size may move, as text such as "0.3-0.5"."""
        return tuple(self.size_ranges.split(","))

    @property
    def value_target(self) -> float:
        """The NashConv, in chips per hand, at which the solve for a value stops."""
        return 0.0 if self.within is None else self.within / units_per_chip(self.rules, "mbb_per_hand")

    @property
    def label(self) -> str:
        return self.rules.name

    def _decide(self) -> None:
        """Fill in the settings left open with the values that produced the recorded results.

        The default engine is JAX. In it the two players learn in turn, so sizes seldom get stuck at an end of their
        range. Numba is used for sampled deals and, if JAX is missing, for games without buckets.
        """
        lossless = self.cards == "lossless"
        numba = self.sampled or (lossless and find_spec("jax") is None)
        engine = ("numba" if numba else "jax") if self.engine == AUTO else self.engine
        best = "lcfr" if self.forgets else "cfr+" if lossless and engine == "numba" else "dcfr+"
        decided = {
            "engine": engine,
            "algorithm": ("cfr" if self.sampled else best) if self.algorithm == AUTO else self.algorithm,
            "n": (10_000.0 if self.sampled else 100.0) if self.n is None else self.n,
            "by_reach": self.sampled if self.by_reach is None else self.by_reach,
        }
        for name, value in decided.items():
            object.__setattr__(self, name, value)

    @property
    def forgets(self) -> bool:
        """Whether the cards have imperfect recall, in which case values are estimated on sampled boards instead of
        bounded."""
        return self.cards != "lossless" and kind_of_name(self.cards)[0] == "ir"

    @property
    def rules(self) -> Rules:
        """The rules of the game, with `max_raises` per street if given."""
        rules = find_game(self.game)
        return rules if self.max_raises is None else with_caps(rules, self.max_raises)

    @property
    def sides(self) -> tuple[Side, Side]:
        """The bets of player 0 and of player 1: fixed sizes, or ranges for a sized player."""
        own = "none" if max(self.rules.stacks) == float("inf") else "all-in"
        text = " | ".join(own if player in self.players else self.opponent for player in (0, 1))
        ranges = [parse_range(each) for each in self.ranges]
        return sides(text, [ranges if player in self.players else [] for player in (0, 1)])

    @property
    def search(self) -> Search:
        """Settings that control how ranges move between runs."""
        return Search(runs=self.runs, keeps="width" if self.fixed_width else "ratio", extra=self.extra)

    @property
    def settings(self) -> BetsSettings:
        """Settings of each run of BETS."""
        return BetsSettings(
            exact=not self.sampled,
            n=cast(float, self.n),
            by_reach=bool(self.by_reach),
            variant=variant(self.algorithm),
            seed=self.seed,
        )

    def identity(self) -> dict[str, Any]:
        """Settings that may not change when a search is resumed: all except the number of runs, with the game as its
        rules."""
        return {**super().identity(), "game": json.loads(rules_to_json(self.rules))}

    @property
    def method(self) -> tuple[str, str]:
        """Name of the search algorithm and its place in the thesis, with any departures from it.

        >>> SizingConfig(game="leduc-nolimit", runs=1, sampled=True).method
        ('BETS', 'Hawkin (2014), algorithm 1')
        >>> SizingConfig(game="leduc-nolimit", size_ranges="0.5-0.69,1.08-1.38", algorithm="cfr+").method[0]
        'REDM-BETS with exact iterations of cfr+'
        >>> SizingConfig(game="leduc-nolimit", fixed_width=True).method[1]
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
            name, number = ("RE-BETS", 2) if self.fixed_width else ("RED-BETS", 5)
        departures = []
        if several and self.runs > 1 and self.fixed_width:
            departures.append("ranges of fixed width")
        if self.forgets and not self.sampled:
            departures.append(f"{self.algorithm} on {self.boards} sampled boards an iteration")
        elif not self.sampled:
            departures.append(f"exact iterations of {self.algorithm}")
        elif self.algorithm != "cfr":
            departures.append(f"strategies averaged as in {self.algorithm}")  # sampled iterations use no more of it
        if self.sampled and not self.by_reach:
            departures.append("sizes that move by equation 4.10")
        said = " and ".join(departures)
        return f"{name} with {said}" if said else name, f"Hawkin (2014), algorithm {number}"


def config_of(data: Mapping[str, Any]) -> SizingConfig:
    """Make a configuration from JSON values; also accepts the older names used in recorded experiments.

    >>> config_of({"game": "leduc-nolimit", "players": [0, 1], "ranges": ["0.3-0.5", "1-2"], "variant": "cfr"}).player
    'both'
    """
    given = dict(data)
    if "players" in given:
        given["player"] = "both" if len(players := given.pop("players")) == 2 else str(*players)
    if "ranges" in given:
        given["size_ranges"] = ",".join(given.pop("ranges"))
    if "keeps" in given:
        given["fixed_width"] = given.pop("keeps") == "width"
    if "variant" in given:
        given["algorithm"] = given.pop("variant")
    if chips := given.pop("value_target", None):
        given["within"] = chips * units_per_chip(find_game(given["game"]), "mbb_per_hand")
    return SizingConfig.from_data(given)
