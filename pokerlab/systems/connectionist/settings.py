"""Settings of a training run of the connectionist player, by self-play or against a model of a population.

>>> TrainSettings(players=6).game_name, TrainSettings().n_seats
('limit6p-uncapped', 10)
>>> TrainSettings(players=1)
Traceback (most recent call last):
pokerlab.errors.PokerlabError: players must be 2 to 10, or 0 to draw them for every hand, not 1

References
----------
Sweeney (2012), sections 4.4, 4.5, 5.4.2, 6.2, 6.4, 6.5.1 and 7.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from pokerlab.arrays import Int64s
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.runs.config import typed
from pokerlab.runs.request import Request, setting
from pokerlab.systems.connectionist.parameters import N_BET, N_SIZED_BET
from pokerlab.systems.connectionist.sizes import N_SIZES
from pokerlab.table.lanes import MAX_LANE_SEATS, LaneRules, lane_rules

PLAYERS_DRAWN: dict[int, int] = {2: 1045, 3: 975, 4: 786, 5: 625, 6: 621, 7: 494, 8: 429, 9: 377, 10: 648}
"""Number of hands by number of players in the IRC records of April 1995; eleven and twelve count as ten.

Their mean is 5.3 players (5.2 are printed); without the cut it is 5.4.
"""


def drawn_players(rng: np.random.Generator, n: int) -> Int64s:
    """Random numbers of players at `n` tables, distributed as in recorded play (`PLAYERS_DRAWN`)."""
    shares = np.array(list(PLAYERS_DRAWN.values())) / sum(PLAYERS_DRAWN.values())
    return rng.choice(list(PLAYERS_DRAWN), n, p=shares)


Objective: TypeAlias = Literal["mean", "sharpe", "ruin"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
Memory: TypeAlias = Literal["kept", "reset", "told"]
"""What an exploiter knows about player-types before a hand: "kept" is what it learned in the match so far, "reset" is
nothing, "told" is the truth."""


MOST_ENTROPY = 100
"""Maximum entropy bonus, in small blinds per nat. It is high because no-limit pots are large."""


class Knobs(NamedTuple):
    """Numeric settings of the kernels; changing them requires no recompilation."""

    rate: float
    observer_rate: float
    cooldown: float
    batches: float
    entropy: float
    last_entropy: float
    clip: float
    anchor_pull: float
    anchor_rate: float
    wolf: float
    strangers: float
    explore: float
    target: float  # index of the objective in `OBJECTIVES`


KNOB_SETTINGS = {
    knob: {"explore": "information_bonus", "target": "objective"}.get(knob, knob) for knob in Knobs._fields
}
"""For each knob, the name of the setting that gives its value."""


@dataclass(frozen=True)
class Form:
    """Settings that determine the compiled program; they are hashable."""

    rules: LaneRules
    players: int
    batch: int  # number of hands in a part
    optimizer: str
    epochs: int
    clipped: bool
    wolf: bool
    strangers: bool
    self_aware: bool
    skip_crowded: bool
    most_decisions: int
    logged_decisions: int
    responds: bool
    shrinks: tuple[int, ...]
    exploits: bool = False
    match_hands: int = 0
    learns: bool = True  # if False, hands are only played
    memory: str = "kept"
    parts: int = 1  # parts of a batch on each core (`_parts_jax`)
    cores: int = 1

    @property
    def n_options(self) -> int:
        """Number of options other than folding: a call, and a raise of every size."""
        return 1 + (N_SIZES if self.rules.no_limit else 1)


SAME_IN_FORM = (
    *("rules", "players", "batch", "optimizer", "epochs", "self_aware", "skip_crowded", "most_decisions"),
    *("logged_decisions", "memory", "shrinks"),
)
"""Fields of `Form` that are settings of the same name."""
RENAMED = {"target": "objective", "stack": "stack_big_blinds", "against": "response_to", "explore": "information_bonus"}
"""Settings that had another name in files of earlier versions: old name -> new name."""


Preset: TypeAlias = Literal["modern", "published"]
PRESETS: dict[Preset, dict[str, Any]] = {
    "published": {
        "optimizer": "scaled",
        "rate": 0.02,
        "observer_rate": 0.02,
        "cooldown": 0.0,
        "entropy": 0.0,
        "last_entropy": 0.0,
        "strangers": 0.0,
    },
    "modern": {
        "optimizer": "adam",
        "rate": 0.01,
        "observer_rate": 0.01,
        "cooldown": 0.5,
        "entropy": 1.0,
        "last_entropy": 0.03,
        "strangers": 0.05,
    },
}
"""Named settings for learning: those printed in the thesis, and those with which the shipped players were trained."""
MODERN_NO_LIMIT: dict[str, Any] = {"rate": 0.005, "entropy": 50.0, "last_entropy": 0.5}


def preset_settings(preset: Preset, *, no_limit: bool = False, responds: bool = False) -> dict[str, Any]:
    """The settings that a preset names, for limit or no-limit, in self-play or for a response to fixed weights.

    A response has no strangers, and its bonus is that of the end of self-play, as in the experiments of chapter 5.

    >>> preset_settings("modern", no_limit=True)["entropy"], preset_settings("published", no_limit=True)["entropy"]
    (50.0, 0.0)
    """
    settings = dict(PRESETS[preset])
    if preset == "modern":
        settings |= MODERN_NO_LIMIT if no_limit else {}
        settings |= {"entropy": settings["last_entropy"], "strangers": 0.0} if responds else {}
    return settings


@dataclass(frozen=True, kw_only=True)
class TrainSettings(Request):
    """All settings of a training run that affect its result.

    The defaults are the printed learner (`PRESETS["published"]`), which scales learning rates by use: gradients are
    divided by running averages of use. The entropy bonus, strangers, the anchor, clipping, WoLF and the cooldown of
    rates are additions.
    """

    players: int = setting(
        0, "0 draws a random number for every hand, distributed as in records of play (5.3 on average).", least=0
    )
    capped: bool = setting(False)
    no_limit: bool = setting(
        False,
        "Train for no-limit hold'em: a raise is about half the pot, the pot or twice the pot, or all-in. Without an "
        "entropy bonus (50, for example) players soon learn to go all-in with every hand.",
    )
    stack_big_blinds: int = setting(
        200, "Stack of each player at the start of a no-limit hand, in big blinds.", least=1
    )
    hands: int = setting(10_000_000, "All of them are learned from.", count=True, least=1)
    batch: int = setting(4096, "Some thousands suit a CPU, a hundred thousand a GPU.", least=1)
    rate: float = setting(0.02)
    observer_rate: float = setting(0.02, "Learning rate of the observer.")
    optimizer: Literal["scaled", "adam"] = setting(
        "scaled", "Optimizer: adam, or scaled, which divides gradients by how often each weight is used."
    )
    cooldown: float = setting(0.0, "Share of the hands, at the end, over which learning rates fall to 0; 0 is off.")
    entropy: float = setting(0.0, "Bonus for the entropy of actions at the start of training, in small blinds per nat.")
    last_entropy: float = setting(
        0.0,
        "Bonus for the entropy of actions at the end of training. In between it changes exponentially if both bonuses "
        "are above 0, otherwise linearly.",
    )
    clip: float = setting(
        0.0, "Clip probability ratios to 1 ± this value, as in PPO; for --epochs above 1. 0 disables clipping."
    )
    epochs: int = setting(1, "Number of passes over each batch.", least=1)
    anchor_pull: float = setting(
        0.0, "Fraction of the distance to its anchor (a lagging average) that the player moves per update; 0 is off."
    )
    anchor_rate: float = setting(0.001, "Fraction of the distance to the player that the anchor moves per update.")
    wolf: float = setting(
        1.0, "Factor of the learning rate while the player does better than its anchor would (WoLF); 1 is off."
    )
    strangers: float = setting(
        0.0,
        "Share of hands in which some seats never fold and raise with a random frequency. Pure self-play never meets "
        "such players, and forgets how to play against them.",
    )
    self_aware: bool = setting(
        False, "Show the player what an observer would believe about its hand after each possible action."
    )
    most_decisions: int = setting(150, "Number of decisions after which everybody calls.", least=1, hidden=True)
    # a showdown of n > 3 players is evaluated with probability c^3/c^n, with weight c^n/c^3
    skip_crowded: bool = setting(True, "Learn from a sample of showdowns between more than three players.", hidden=True)
    logged_decisions: int = setting(
        40,
        "Average number of decisions per hand for which memory is reserved; further ones are not learned from.",
        least=1,
        hidden=True,
    )
    response_to: str = setting(
        "", "Learn a response: one seat learns, all other seats use these weights (a file or a run directory)."
    )
    start: str = setting("", "Weights, as a file or a run directory. Default: small random ones.")
    # one seat, the exploiter, learns in matches against members of this population
    model: str = setting("", hidden=True)
    objective: Objective = setting("mean", hidden=True)
    layer: bool = setting(False, hidden=True)
    match_hands: int = setting(120, least=1, hidden=True)
    information_bonus: float = setting(0.0, hidden=True)
    memory: Memory = setting("kept", hidden=True)
    pool: int = setting(16, "Number of batches dealt in advance while earlier ones are played.", least=1)
    reuse: int = setting(
        10,
        "How many times each deal is reused; seats rotate on each of the first ten uses. Raise it where the CPU deals "
        "more slowly than a GPU plays.",
        least=1,
    )
    shrinks: tuple[int, ...] = setting(  # busy lanes are packed when only 1 in this many is busy
        (2, 4, 16), "Reduce the lanes to 1 in this many when no more than that are still busy.", hidden=True
    )
    parts: int = setting(
        0,
        "Number of parts of a batch, played and learned from in parallel; 0 is one per core, or as many as fill a GPU. "
        "A run is resumed with as many parts as it was started with.",
        least=0,
    )
    seed: int = setting(7, least=0)

    def check(self) -> None:
        if self.players and not 2 <= self.players <= MAX_LANE_SEATS:
            raise PokerlabError(f"players must be 2 to 10, or 0 to draw them for every hand, not {self.players}")
        if self.model and not self.players:
            raise PokerlabError("an exploiter is trained for a fixed number of players; players cannot be 0")
        if self.no_limit and (self.capped or self.model or self.layer):
            raise PokerlabError("no_limit excludes capped, model and layer, which are for limit hold'em")
        if self.parts and self.batch % self.parts:
            raise PokerlabError(f"a batch of {self.batch} hands cannot be divided into {self.parts} equal parts")
        for name in (each for each in KNOB_SETTINGS.values() if each not in ("batches", "objective")):
            most = MOST_ENTROPY if name in ("entropy", "last_entropy") else 1
            if not 0 <= getattr(self, name) <= most:
                raise PokerlabError(f"{name} must lie between 0 and {most}, not {getattr(self, name)}")

    @property
    def n_seats(self) -> int:
        """Number of seats on a lane."""
        return self.players or MAX_LANE_SEATS

    @property
    def game_name(self) -> str:
        """Name of the game; if the number of players is random, that of the largest game."""
        if self.no_limit:
            return f"nolimit{self.n_seats}p"
        return f"limit{self.n_seats}p" + ("" if self.capped else "-uncapped")

    @property
    def rules(self) -> LaneRules:
        rules = game(self.game_name)
        if self.no_limit:
            rules = rules.with_stacks((self.stack_big_blinds * rules.big_blind,) * rules.n_seats)
        return lane_rules(rules)

    @property
    def n_bet(self) -> int:
        return N_SIZED_BET if self.no_limit else N_BET

    @property
    def batches(self) -> int:
        """Number of batches of hands in the whole training; each batch makes one update of the parameters."""
        return -(-self.hands // self.batch)

    @property
    def form(self) -> Form:
        """The compile-time settings."""
        return Form(
            **{name: getattr(self, name) for name in SAME_IN_FORM},
            clipped=self.clip > 0,
            wolf=self.wolf < 1,
            strangers=self.strangers > 0,
            responds=bool(self.response_to),
            exploits=bool(self.model),
            match_hands=self.match_hands if self.model else 0,
        )

    @property
    def knobs(self) -> Knobs:
        """The numeric settings, which the compiled program takes as arguments."""
        numbers = {knob: getattr(self, name) for knob, name in KNOB_SETTINGS.items() if knob != "target"}
        numbers |= {"target": OBJECTIVES.index(self.objective)}
        return Knobs(**{name: float(number) for name, number in numbers.items()})

    @property
    def label(self) -> str:
        return self.game_name


def settings_in(about: Mapping[str, Any]) -> TrainSettings:
    """Training settings of a file's weights; `about` is the file's metadata.

    >>> settings_in({"settings": {"players": 6, "target": "ruin"}}).objective
    'ruin'
    """
    return typed(TrainSettings, {RENAMED.get(name, name): v for name, v in about["settings"].items()}, "training")
