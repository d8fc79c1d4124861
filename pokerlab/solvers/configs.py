"""The settings of a solve, as requests.

>>> SolveConfig.from_data({"game": "kuhn", "algoritm": "cfr"})
Traceback (most recent call last):
pokerlab.errors.PokerlabError: solve has no setting 'algoritm'; its settings are algorithm, ...
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from math import isfinite
from typing import Any, ClassVar, Final, Literal

from pokerlab.abstraction.bucket_files import kind_of_name
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.games.actions import Chips
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.notation.acpc.definition import find_game
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.request import Request, setting
from pokerlab.solvers.core.variants import VARIANTS, variant
from pokerlab.solvers.subgames.locking import SAVED
from pokerlab.solvers.subgames.subgame import DEFAULT_SIZES, subgame_rules
from pokerlab.trees.sizes import sizes_by_situation

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
    "cfr, cfr+, lcfr, dcfr, dcfr+, hs-dcfr+, pcfr+ or pdcfr+; with sampled cards mccfr (external), linear, outcome, "
    "chance or public; lp is exact, for small games. auto: cfr+ where every hand is distinct, dcfr+ with buckets prN, "
    "mccfr where nothing else works (buckets irN, or buckets with three or more players)."
)


@dataclass(frozen=True, kw_only=True)
class SolveConfig(Request):
    """Configuration of a solve: its game and settings. `game` is a catalog name, a definition file, or rules
    (`rules_to_json`).

    "auto" is replaced by an actual name when a configuration is made, so that a run always records what it used:

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
    sizes: str | None = setting(None, "Default: the fixed bets of a limit game, otherwise fcpa.")
    cards: str | None = setting(None, "Default: lossless.")
    engine: Literal["auto", "numba", "jax", "highs"] = setting(
        AUTO,
        "jax is for subgames and games with buckets (irN only with algorithm public), highs for lp. auto: jax for prN "
        "if installed, highs for lp, otherwise numba. A run is resumed with the engine it was started with.",
    )
    seed: int = setting(7, least=0)
    deals_per_iteration: int = setting(
        1, "Number of deals per iteration of a sampling algorithm; with public and jax, number of boards.", least=1
    )
    threads: int | None = setting(
        None, "Only sampling algorithms and subgames can use more than one.", identity=False, least=1
    )
    bits: Literal[16, 32] = setting(16, hidden=True)
    lock: str = setting("", hidden=True)
    lock_from: str = setting("", hidden=True)
    average_every: int = setting(
        1, "Number of sampled deals between updates of the average of three or more players.", least=1, hidden=True
    )

    def check(self) -> None:
        """Replace "auto" by actual names. Raise an error for an unknown algorithm or engine."""
        if self.algorithm == AUTO:
            object.__setattr__(self, "algorithm", _best_algorithm(self.rules, self.cards))
        if self.algorithm not in ALGORITHMS:
            raise PokerlabError(f"no algorithm is called {self.algorithm!r}; {name_hint(self.algorithm, ALGORITHMS)}")
        if self.engine == AUTO:
            object.__setattr__(self, "engine", _best_engine(self.rules, self.cards, self.algorithm))
        if self.lock_from and SAVED not in self.lock:
            raise PokerlabError(f"lock must say what is {SAVED} in {self.lock_from}, as in 'player 1: {SAVED}'")
        if self.engine not in engines_for(self.algorithm):
            raise PokerlabError(
                f"{self.algorithm} has no engine {self.engine!r}; it has {', '.join(engines_for(self.algorithm))}"
            )

    @property
    def rules(self) -> Rules:
        return find_game(self.game) if isinstance(self.game, str) else rules_from_json(json.dumps(self.game))

    @property
    def cites(self) -> str:
        """Publication of the algorithm."""
        return ALGORITHMS[self.algorithm]

    @property
    def n_threads(self) -> int:
        """Number of threads. Sampling uses at most one for each deal of an iteration."""
        if self.threads is not None:
            return self.threads
        return min(usable_cores(), self.deals_per_iteration) if self.algorithm in SAMPLING else usable_cores()

    @property
    def label(self) -> str:
        return self.rules.name

    def data(self) -> dict[str, Any]:
        """The settings as JSON values. The game is given by its rules, so that a run does not depend on the catalog."""
        return {**super().data(), "game": json.loads(rules_to_json(self.rules))}


def _exact(chips: float) -> Chips:
    """Chips as an exact number: an int, or for amounts in cents, such as 101.6 in a cash game, a `Fraction`."""
    if not isfinite(chips) or chips == int(chips):
        return int(chips) if isfinite(chips) else chips
    return Fraction(repr(float(chips)))


def engines_for(algorithm: str) -> tuple[str, ...]:
    if algorithm == "lp":
        return ("highs",)
    return ("numba", "jax") if algorithm in VARIANTS or algorithm == "public" else ("numba",)


def _best_algorithm(rules: Rules, cards: str | None) -> str:
    """Default algorithm: sampling if nothing else works for the game, otherwise the one that was fastest in
    measurements."""
    if cards in (None, "lossless"):
        return {0: "cfr+", 3: "hs-dcfr+"}.get(len(rules.board), "dcfr")
    return "mccfr" if rules.n_seats > 2 or kind_of_name(str(cards))[0] == "ir" else "dcfr+"


def _best_engine(rules: Rules, cards: str | None, algorithm: str) -> str:
    """Default engine: JAX if it is installed and cards are in buckets; small games are faster in Numba."""
    engines = engines_for(algorithm)
    dense = algorithm in VARIANTS and cards not in (None, "lossless") and rules.n_seats == 2
    return "jax" if dense and find_spec("jax") is not None else engines[0]


BETS_HELP = (
    "Instead of --sizes: percent of the pot (33, 75), 2.5x (times the bet), 300c (chips), e (the same share of the pot "
    "on every street, all-in on the last), all-in or none. By street: flop 33, 75; turn+river 50, all-in. By player: "
    "A | B."
)


@dataclass(frozen=True, kw_only=True)
class TwoRanges(Request):
    """Settings of every request about the rest of a hold'em hand: both ranges, and the pot."""

    ranges: tuple[str, ...] = setting(separator="|")
    pot: float = setting()

    def check(self) -> None:
        if len(self.ranges) != 2:
            raise PokerlabError(f"{' | '.join(self.ranges)!r} is not two ranges with | between")


@dataclass(frozen=True, kw_only=True)
class OfferedBets(TwoRanges):
    """The bets that both players may make: `sizes` in the grammar of `trees.sizes`, or `bets` and others by
    situation."""

    sizes: str = setting(DEFAULT_SIZES, "Streets are called flop, turn and river.")
    bets: str = setting("", BETS_HELP)
    raises: str = setting("", "Written like --bets. Default: the sizes of --bets.")
    reraises: str = setting("", "Written like --bets. Default: the sizes of --raises.")
    donks: str = setting("", "Written like --bets. Default: the sizes of --bets.")
    all_in_from: float = setting(0.0, "In percent; 0 is off.", least=0)
    merge_within: float = setting(0.0, "In percent of the pot; 0 is off.", least=0)
    max_raises: int | str | None = setting(None)
    bits: Literal[16, 32] = setting(16)


@dataclass(frozen=True, kw_only=True)
class SubgameConfig(OfferedBets):
    """Configuration of the rest of a hold'em hand as a solve; see `subgames.subgame.make_subgame`."""

    kind: ClassVar[str] = "solve subgame"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.solvers.runs",)

    board: str = setting(help="Three, four or five cards.")
    stack: float | None = setting(None)
    stacks: str = setting(
        "", "Unequal stacks, such as 300,500, instead of --stack; chips beyond the shorter stack cannot be lost."
    )
    rake: float = setting(0.0, "Every pot is raked, since the flop has been dealt.", least=0)
    rake_cap: float | None = setting(None, least=0)
    lock: str = setting("", "Also SPOT: saved and player 1: saved. The game without locks is solved as well.")
    lock_from: str = setting("", "Run directory of the strategy that 'saved' stands for in --lock.")
    engine: Literal["numba", "jax"] = setting("numba", "jax is for a GPU.")
    algorithm: str = setting(
        AUTO,
        "cfr, cfr+, lcfr, dcfr, dcfr+, hs-dcfr+, pcfr+ or pdcfr+. auto: hs-dcfr+ on a flop, otherwise dcfr.",
    )
    iterations: int = setting(1000, identity=False, least=1, count=True)
    target_percent: float = setting(0.5, identity=False, above=0)
    threads: int | None = setting(None, identity=False, least=1)

    def check(self) -> None:
        """Raise an error if board, ranges or chips make no valid subgame. Replace "auto" by actual names."""
        super().check()
        object.__setattr__(self, "algorithm", self.solve.algorithm)

    @property
    def label(self) -> str:
        return self.board

    @property
    def solve(self) -> SolveConfig:
        """Convert to a `SolveConfig`, for a game whose rules name the board and the ranges."""
        pot, both = _exact(self.pot), (self.ranges[0], self.ranges[1])
        if self.rake_cap is not None and not self.rake:
            raise PokerlabError("a cap of the rake needs a rake: give --rake as well")
        rules = subgame_rules(
            self.board,
            both,
            pot=pot,
            stack=self._stack,
            max_raises=self.max_raises,
            rake=_exact(self.rake),
            rake_cap=None if self.rake_cap is None else _exact(self.rake_cap),
        )
        return SolveConfig(
            game=json.loads(rules_to_json(rules)),
            algorithm=self.algorithm if self.algorithm == AUTO else variant(self.algorithm).name,
            iterations=self.iterations,
            target=self.target_percent / 100 * pot,
            sizes=self._sizes,
            engine=self.engine,
            lock=self.lock,
            lock_from=self.lock_from,
            bits=self.bits,
            threads=self.threads,
        )

    @property
    def _stack(self) -> Chips | tuple[Chips, Chips]:
        """Remaining stacks: one amount for both players, or one for each."""
        if (self.stack is None) == (not self.stacks):
            raise PokerlabError("give the chips behind either by --stack or by --stacks")
        if self.stack is not None:
            return _exact(self.stack)
        try:
            first, second = (_exact(float(text)) for text in self.stacks.split(","))
        except ValueError:
            raise PokerlabError(f"{self.stacks!r} is not two stacks, as in 300,500") from None
        return first, second

    @property
    def _sizes(self) -> str:
        """Bet sizes in the grammar of `trees.sizes`."""
        apart = {name: getattr(self, name) for name in ("raises", "reraises", "donks", "all_in_from", "merge_within")}
        if self.bets:
            if self.sizes != DEFAULT_SIZES:
                raise PokerlabError("bet sizes come from --sizes or from --bets, not from both")
            return sizes_by_situation(bets=self.bets, **{**apart, "raises": self.raises or self.bets})
        if given := [name for name, value in apart.items() if value]:
            raise PokerlabError(f"{', '.join(given)}: give --bets as well")
        return self.sizes
