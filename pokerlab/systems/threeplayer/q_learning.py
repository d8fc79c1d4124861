"""Best responses by learning: Peng's Q(lambda) on a few features of limit hold'em, in compiled hands.

The opponents are played by compiled code (`policies.compiled_players`); from a mixture, each is sampled every hand.
Rewards are chips as they go in and the pot at the end, in small bets. The exploration probability falls linearly to 0
at the last hand. The learning rate is 1 / count^power, where `count` is the number of all steps learned from, as
published, or that of the value's own steps (`own_count`), so that states reached late are not learned slowly.
Exploration, lambda, gamma and the features are settings.

All random numbers and cards follow from the seed and the number of the hand, so a resumed run gives the same bits.

>>> from pokerlab.players.registry import agent
>>> learned = learn(QConfig(against={"caller": 1.0}, hands=1000, seed=1), agent)
>>> learned.values.shape, learned.curve.shape
((500, 3), (1,))

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", sections 4.3 and 5. Peng and Williams (1996),
"Incremental multi-step Q-learning", Machine Learning 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.dealt_strengths import dealt_strengths
from pokerlab.cards.strength_tables import build_table, table_values
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.policies.compiled_players import Compilable, CompiledPlayer, ValueFeatures
from pokerlab.rng import stream_key
from pokerlab.runs.cost import Cost
from pokerlab.runs.notes import note
from pokerlab.runs.steps import Arrays, Watch, seconds_each, take_steps
from pokerlab.systems.threeplayer.q_learner import Q_FILE, QPlayer, save_q
from pokerlab.table.limit_batch import LimitTable, deals, plays_compiled
from pokerlab.table.players import MakeAgent

HANDS_A_STEP = 1000
CHECKPOINT = "checkpoint.bin"
WORTH_TURN_TABLE = 50_000
"""Number of hands from which building the turn table first pays off."""


@dataclass(frozen=True)
class QConfig:
    """Settings of a Q-learner and its opponents; the defaults are the published ones."""

    game: str = "limit3p"
    against: Mapping[str, float] = field(default_factory=lambda: {"rulebot": 1.0})  # agents and their probabilities
    hands: int = 1_000_000
    explore: float = 0.5  # initial probability of exploring
    trace: float = 1.0  # lambda
    gamma: float = 1.0
    power: float = 0.5  # of the count, in the learning rate 1 / count^power
    own_count: bool = False  # each value counts its own steps
    features: ValueFeatures = field(default_factory=ValueFeatures)
    seed: int = 7
    files: Mapping[str, str] = field(default_factory=dict)  # digests of the files that opponents load

    def __post_init__(self) -> None:
        if self.hands < HANDS_A_STEP or self.hands % HANDS_A_STEP:
            raise PokerlabError(f"the number of hands must be a multiple of {HANDS_A_STEP:,}, not {self.hands:,}")
        for name in ("explore", "trace", "gamma"):
            if not 0 <= getattr(self, name) <= 1:
                raise PokerlabError(f"{name} must lie between 0 and 1, not {getattr(self, name)}")
        if not self.against or min(self.against.values()) <= 0:
            raise PokerlabError("name at least one opponent, each with a probability above 0")
        if min(self.features.hs, self.features.ppot, self.features.call, self.features.pot) < 1:
            raise PokerlabError(f"every feature needs one bucket or more: {self.features}")
        if not plays_compiled(self.rules):
            raise PokerlabError(f"Q-learners play limit hold'em, not {self.rules.name}")

    @cached_property
    def rules(self) -> Rules:
        """The rules of the game."""
        return game(self.game)

    def data(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return {**asdict(self), "features": self.features.data()}


def opponents(config: QConfig, make: MakeAgent) -> list[CompiledPlayer]:
    """The opponents as compiled players."""
    players = []
    for name in config.against:
        player = make(name)
        compiled = player.compiled() if isinstance(player, Compilable) else None
        if compiled is None:
            raise PokerlabError(
                f"{name} cannot be learned against: compiled code plays caller, raiser, folder, rulebot and q:FILE"
            )
        players.append(compiled)
    return players


class QLearning:
    """The learning as steps of `HANDS_A_STEP` hands: values, the count, and the learner's winnings in each step."""

    def __init__(self, config: QConfig, make: MakeAgent) -> None:
        self.config, self._table = config, LimitTable(config.rules, opponents(config, make))
        chances = np.array(list(config.against.values()))
        self._upto = np.cumsum(chances / chances.sum())
        self._cards = stream_key(config.seed, "learning", "cards")
        self._keys = np.stack([stream_key(config.seed, "learning", who) for who in ("opponents", "learner")])
        small_bet = float(config.rules.streets[0].raise_size)
        self._settings = np.array(
            [config.explore, config.hands, config.trace, config.gamma, config.power, small_bet], dtype=np.float64
        )

    @property
    def about(self) -> dict[str, Any]:
        """The configuration."""
        return self.config.data()

    def init(self) -> Arrays:
        """Start with every value at 0."""
        n_states = self.config.features.n_states(self.config.rules.n_seats)
        return {
            "iteration": np.array(0),
            "values": np.zeros(3 * n_states),
            "count": np.zeros(3 * n_states if self.config.own_count else 1, np.int64),
            "curve": np.zeros(self.config.hands // HANDS_A_STEP),
        }

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Learn from `n` times `HANDS_A_STEP` hands."""
        from pokerlab._rng_numba import STATE_WORDS
        from pokerlab.systems.threeplayer import _q_learning_numba as kernels

        table, n_seats = self._table, self.config.rules.n_seats
        company = kernels.DrawnOpponents(self._upto, self._keys)
        tables = kernels.QTables(self._settings, self.config.features.numbers, arrays["values"], arrays["count"])
        work = kernels.QWork(
            words=np.empty((2, STATE_WORDS), np.uint64),
            seats=np.empty(n_seats, np.int64),
            b=np.empty_like(table.game.start),
            rows=np.empty(kernels.MOST_DECISIONS, np.int64),
            traces=np.empty(kernels.MOST_DECISIONS),
            net=np.empty(n_seats),
        )
        done = int(arrays["iteration"])
        for step in range(done, done + n):
            first = step * HANDS_A_STEP
            strengths = dealt_strengths(*deals(table.rules, first, HANDS_A_STEP, self._cards))
            won = np.empty(HANDS_A_STEP)
            kernels.learn(first, strengths, table.game, company, tables, work, won)
            arrays["curve"][step] = won.sum() / self._settings[kernels.SMALL_BET] / HANDS_A_STEP
        arrays["iteration"] = np.array(done + n)
        return arrays


class Learned(NamedTuple):
    """The player, its `values[state, action]`, and `curve[thousand]`, winnings per hand during training, in small bets.

    The curve includes the cost of exploration.
    """

    player: QPlayer
    values: Floats
    curve: Floats


def learn(config: QConfig, make: MakeAgent, *, watch: Watch | None = None) -> Learned:
    """Learn from all hands, or resume from the checkpoint of `watch`; `make` returns an opponent by its name."""
    engine = QLearning(config, make)
    arrays = take_steps(engine, iterations=config.hands // HANDS_A_STEP, watch=watch)
    values = arrays["values"].reshape(-1, 3)
    about = {"config": config.data(), "steps_learned_from": int(arrays["count"].sum())}
    return Learned(QPlayer(config.features, values, about), values, arrays["curve"])


def train_q(config: QConfig, directory: Path, *, make: MakeAgent, watch: Watch) -> Learned:
    """Learn, saving checkpoints and the final player in `directory`; a missing turn table is built first."""
    build_turn_table(config.hands)
    learned = learn(config, make, watch=Watch(directory / CHECKPOINT, watch.progress, watch.stopped))
    save_q(directory / Q_FILE, learned.player)
    return learned


def build_turn_table(hands: int) -> None:
    """Build the turn table if it is missing and there are enough hands to learn from."""
    if hands >= WORTH_TURN_TABLE and table_values(4) is None:
        note("building the turn table first; later runs reuse it")
        build_table("turn")


def learning_cost(config: QConfig, make: MakeAgent) -> Cost:
    """An estimate from a second of learning."""
    longer = replace(config, hands=max(config.hands, 10_000 * HANDS_A_STEP))  # enough for a fast machine in that time
    seconds, arrays = seconds_each(QLearning(longer, make))
    size = sum(array.nbytes for array in arrays.values())
    steps = config.hands // HANDS_A_STEP
    return Cost(seconds * steps, disk=2 * size, counts={"hands": config.hands, "states": arrays["values"].size // 3})
