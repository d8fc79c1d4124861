"""What is trained and how: the settings of a training run of the connectionist player.

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

from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.systems.connectionist.parameters import N_BET, N_SIZED_BET
from pokerlab.systems.connectionist.sizes import N_SIZES
from pokerlab.table.lanes import MAX_LANE_SEATS, LaneRules, lane_rules

PLAYERS_DRAWN: dict[int, int] = {2: 1045, 3: 975, 4: 786, 5: 625, 6: 621, 7: 494, 8: 429, 9: 377, 10: 648}
"""How many hands of the IRC records of April 1995 were dealt to so many players; eleven and twelve count as ten.

Their mean is 5.3 players (5.2 are printed); without the cut it is 5.4.
"""


Target: TypeAlias = Literal["mean", "sharpe", "ruin"]
TARGETS: tuple[Target, ...] = get_args(Target)
Memory: TypeAlias = Literal["kept", "reset", "told"]
"""What an exploiter knows of player-types as a hand begins: what the match has told so far, nothing, or the truth."""


MOST_ENTROPY = 100
"""Small blinds a nat; pots of no-limit are larger than any of limit."""


class Knobs(NamedTuple):
    """Settings that are numbers to the kernels: other values need no other program."""

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
    target: float  # its place in `TARGETS`


@dataclass(frozen=True)
class Form:
    """Settings that decide which program is compiled; it can be hashed."""

    rules: LaneRules
    players: int
    batch: int  # hands of a part
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
    learns: bool = True  # False: only plays
    memory: str = "kept"
    parts: int = 1  # of a batch, on a core (`_parts_jax`)
    cores: int = 1

    @property
    def n_options(self) -> int:
        """A call, and a raise of every size."""
        return 1 + (N_SIZES if self.rules.no_limit else 1)


@dataclass(frozen=True)
class TrainSettings:
    """Everything that decides what is learnt; the defaults are the published algorithm."""

    players: int = 0  # 0: drawn for every hand (`PLAYERS_DRAWN`)
    capped: bool = False  # the competition's games, whose raises stay capped when two players are left
    no_limit: bool = False  # no-limit hold'em: a raise is of one of several sizes
    stack: int = 200  # in no-limit, of every player at the start of a hand, in big blinds
    hands: int = 10_000_000
    batch: int = 4096  # hands between two updates
    rate: float = 0.02  # learning rate of the player
    observer_rate: float = 0.02
    optimizer: Literal["scaled", "adam"] = "scaled"  # gradients over running averages of use, or Adam's
    cooldown: float = 0.0  # the last part of the run, over which rates fall to 0
    entropy: float = 0.0  # bonus at first, in small blinds a nat
    last_entropy: float = 0.0  # at the end; by equal shares a hand until then, or in a straight line to 0
    clip: float = 0.0  # PPO's clipping of probability ratios; 0 is off
    epochs: int = 1  # passes over the same batch
    anchor_pull: float = 0.0  # share of the way to the lagging anchor that the player is pulled after each update
    anchor_rate: float = 0.001  # share of the way to the player that the anchor goes
    wolf: float = 1.0  # share of the rate while winning (WoLF); 1 is off
    strangers: float = 0.0  # share of hands in which some seats never fold and raise as often as is drawn for the hand
    self_aware: bool = False
    most_decisions: int = 150  # of a hand; then everybody calls
    skip_crowded: bool = True  # showdowns of n > 3 are worked with probability c^3/c^n and then weigh c^n/c^3
    logged_decisions: int = 40  # a hand on average, for which there is room; what is beyond is not learnt from
    against: str = ""  # parameters by which the others play, and one seat learns a response: a file or its directory
    start: str = ""  # parameters, or an exploiter, to begin with: a file or its directory
    model: str = ""  # a model of a population: the others play by it in matches, and one seat learns (an exploiter)
    target: Target = "mean"  # what is to be large: winnings, the Sharpe ratio or the gambler's-ruin ratio
    layer: bool = False  # add the extra layer of opponent tiles to what is begun with
    match_hands: int = 120  # of an exploiter's matches
    explore: float = 0.0  # small blinds that a bit on an opponent's type is worth, by the share of the match to come
    memory: Memory = "kept"  # an exploiter's of player-types; told: an ideal that only lanes can seat
    pool: int = 16  # batches that are dealt beforehand
    reuse: int = 10  # how often each deal is used, by other seats every time up to ten
    shrinks: tuple[int, ...] = (2, 4, 16)  # lanes close ranks when so small a part of them is still busy
    parts: int = 0  # that a batch is cut into, played and learnt from side by side; 0: as many as suit the machine
    seed: int = 7

    def __post_init__(self) -> None:
        if self.players and not 2 <= self.players <= MAX_LANE_SEATS:
            raise PokerlabError(f"players must be 2 to 10, or 0 to draw them for every hand, not {self.players}")
        if self.memory not in get_args(Memory):
            raise PokerlabError(f"memory must be one of {', '.join(get_args(Memory))}, not {self.memory!r}")
        if self.model and not self.players:
            raise PokerlabError("an exploiter is trained for a table of so many players; players cannot be drawn")
        if self.no_limit and (self.capped or self.model or self.layer):
            raise PokerlabError("no_limit goes with neither capped nor model nor layer, which are for limit hold'em")
        for name in (
            "hands",
            "batch",
            "stack",
            "epochs",
            "pool",
            "reuse",
            "most_decisions",
            "logged_decisions",
            "match_hands",
        ):
            if getattr(self, name) < 1:
                raise PokerlabError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if self.parts < 0 or (self.parts and self.batch % self.parts):
            raise PokerlabError(f"a batch of {self.batch} hands cannot be cut into {self.parts} parts of one size")
        for name in (each for each in Knobs._fields if each not in ("batches", "target")):
            most = MOST_ENTROPY if name in ("entropy", "last_entropy") else 1
            if not 0 <= getattr(self, name) <= most:
                raise PokerlabError(f"{name} must lie between 0 and {most}, not {getattr(self, name)}")

    @property
    def n_seats(self) -> int:
        """Seats of a lane."""
        return self.players or MAX_LANE_SEATS

    @property
    def game_name(self) -> str:
        """The game, or the largest of the games, that is played."""
        if self.no_limit:
            return f"nolimit{self.n_seats}p"
        return f"limit{self.n_seats}p" + ("" if self.capped else "-uncapped")

    @property
    def rules(self) -> LaneRules:
        """The rules of the lanes."""
        rules = game(self.game_name)
        if self.no_limit:
            rules = rules.with_stacks((self.stack * rules.big_blind,) * rules.n_seats)
        return lane_rules(rules)

    @property
    def n_bet(self) -> int:
        """Bet inputs of the structure."""
        return N_SIZED_BET if self.no_limit else N_BET

    @property
    def batches(self) -> int:
        """Updates in all."""
        return -(-self.hands // self.batch)

    @property
    def form(self) -> Form:
        """What JAX compiles for."""
        return Form(
            rules=self.rules,
            players=self.players,
            batch=self.batch,
            optimizer=self.optimizer,
            epochs=self.epochs,
            clipped=self.clip > 0,
            wolf=self.wolf < 1,
            strangers=self.strangers > 0,
            self_aware=self.self_aware,
            skip_crowded=self.skip_crowded,
            most_decisions=self.most_decisions,
            logged_decisions=self.logged_decisions,
            responds=bool(self.against),
            exploits=bool(self.model),
            match_hands=self.match_hands if self.model else 0,
            memory=self.memory,
            shrinks=self.shrinks,
        )

    @property
    def knobs(self) -> Knobs:
        """The numbers that a compiled program takes."""
        numbers = {name: getattr(self, name) for name in Knobs._fields} | {"target": TARGETS.index(self.target)}
        return Knobs(**{name: float(number) for name, number in numbers.items()})

    def data(self) -> dict[str, Any]:
        """As JSON has them."""
        return asdict(self)
