"""Learn best responses by Peng's Q(lambda) on a few features of limit hold'em, in compiled hands.

Compiled code plays the opponents (`policies.compiled_players`). If they are given as a mixture, one is drawn for each
seat in every hand. Rewards, in small bets, are the chips put in (negative) and the pot won at the end. The exploration
probability falls linearly to 0 at the last hand. The learning rate is 1 / count^power. `count` is the number of all
steps so far, as published, or (`own_count`) of the steps that changed this value, so that states first reached late are
not learned too slowly. Exploration, lambda, gamma and the features are settings.

All random numbers and cards are determined by the seed and the number of the hand, so a resumed run gives the same
bits.

>>> from pokerlab.players.registry import agent
>>> learned = learn(QConfig(against={"caller": 1.0}, hands=1000, seed=1), agent)
>>> learned.values.shape, learned.curve.shape
((500, 3), (1,))

The player `q:FILE` takes the legal action of highest value in each state; `pokerlab train q` makes its file. A state
consists of features: E[HS] and PPot of the street in equal buckets, the bets to call and, if chosen, the street, the
players left, the pot, and the bets expected of opponents (`ValueFeatures`).

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> timid = QPlayer(ValueFeatures(), np.tile([0.0, -1.0, -2.0], (500, 1)))
>>> timid.act(State.start(game("limit3p"), tuple(range(52))).view(2, 0, ("a", "b", "c")), None)
FOLD

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", sections 4.3 and 5. Peng and Williams (1996),
"Incremental multi-step Q-learning", Machine Learning 22. Section 4.3 uses E[HS] on flop and turn only; here
the tabled E[HS] is used before the flop and HS on the river, with a PPot of 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import ByHandAction, Floats, Int64s
from pokerlab.cards.combos import combo_index
from pokerlab.cards.dealt_strengths import dealt_strengths
from pokerlab.cards.strength_tables import build_seconds, build_table, strength_of, table_values
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import is_a_file, is_a_folder, read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.compiled_players import MOST_RAISES, N_EARLIER, VALUES, Compilable, CompiledPlayer, ValueFeatures
from pokerlab.policies.policy import HoldemPolicy
from pokerlab.rng import stream_key
from pokerlab.runs.cost import Cost
from pokerlab.runs.notes import note
from pokerlab.runs.rates import expected_rate
from pokerlab.runs.steps import Arrays, Watch, seconds_each, take_steps
from pokerlab.table.limit_batch import LimitTable, deals, plays_compiled
from pokerlab.table.players import MakeAgent, check_supported

KIND = "values of a Q-learner"
FOLDS, CALLS, RAISES = range(3)  #: columns of `values[state, action]`


@dataclass(frozen=True, eq=False)
class QPlayer(HoldemPolicy):
    """A player by `values[state, action]` (fold, call, raise) in small bets, and the features that define a state."""

    features: ValueFeatures
    values: Floats
    about: Mapping[str, Any] = field(default_factory=dict)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """The best action in the current state (deterministic)."""
        combo = combo_index(*view.hole)
        strengths = board_strengths(view.board)
        state = int(states(self.features, view, strengths[:, combo : combo + 1])[0])
        return _best_actions(view, self.values[state : state + 1])[0]

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Return (actions taken with some combo, `p[combo, action]`: 1 for the action taken with a combo, otherwise
        0)."""
        taken = _best_actions(public, self.values[states(self.features, public, board_strengths(public.board))])
        actions = tuple(sorted(set(taken)))
        return actions, np.array([[action == column for column in actions] for action in taken], dtype=float)

    def compiled(self) -> CompiledPlayer:
        """This player in the form that compiled code plays."""
        return CompiledPlayer(VALUES, np.concatenate([self.features.numbers, self.values.ravel()]))

    def supports(self, rules: Rules) -> bool:
        """Whether this is limit hold'em. If players or their betting are a feature, the number of seats must be that of
        the training."""
        seats_count = self.features.players or self.features.history
        fits = not seats_count or self.features.n_states(rules.n_seats) == len(self.values)
        return rules.is_holdem and rules.limits == "limit" and fits


@lru_cache(maxsize=256)
def board_strengths(board: tuple[int, ...]) -> Floats:
    """`[E[HS] or PPot, combo]` on a board."""
    strength = strength_of(board)
    return np.asarray(np.nan_to_num(np.stack([strength.mean_hs, strength.ppot])))


def states(features: ValueFeatures, public: PublicView, strengths: Floats) -> Int64s:
    """`[hand]`: the actor's state with each hand, given `strengths[E[HS] or PPot, hand]`."""
    mean_hs = strengths[0] ** 2 if features.squared else strengths[0]
    hs, ppot = (
        np.minimum((values * n).astype(np.int64), n - 1)
        for values, n in ((mean_hs, features.hs), (strengths[1], features.ppot))
    )
    bets = min(-(-int(public.to_call) // int(public.rules.streets[public.street].raise_size)), features.call - 1)
    state = (hs * features.ppot + ppot) * features.call + bets
    if features.street:
        state = state * len(public.rules.streets) + public.street
    if features.players:
        left = public.rules.n_seats - public.betting.folded.bit_count()
        state = state * (public.rules.n_seats - 1) + left - 2
    if features.pot > 1:
        edges = int(public.rules.streets[public.street].raise_size) * 2 ** np.arange(1, features.pot)
        state = state * features.pot + int(np.searchsorted(edges, int(public.betting.pot), side="right"))
    if features.n_expected > 1:
        state = state * features.n_expected + _expected(features, public)
    if features.history:
        betting, n = public.betting, public.rules.n_seats
        state = state * n + betting.actor
        for after in range(1, n):
            state = 2 * state + (not betting.folded >> ((betting.actor + after) % n) & 1)
        state = state * (MOST_RAISES + 1) + min(betting.n_raises, MOST_RAISES)
    return np.asarray(state, dtype=np.int64)


def _expected(features: ValueFeatures, public: PublicView) -> int:
    """Number of the bucket for the most bets that an opponent is expected to put in on this street.

    The expectation for an opponent depends on the street and on how much it put in on earlier streets. Buckets are
    numbered from 0, and a larger number means more bets (`betting_densities.expected_bets`).
    """
    betting, small_bet = public.betting, int(public.rules.streets[0].raise_size)
    others = [s for s in range(public.rules.n_seats) if s != betting.actor and not betting.folded >> s & 1]
    earlier = [int(betting.spent[s] - betting.bets[s]) // small_bet for s in others]
    return max(features.expected[public.street][min(spent, N_EARLIER - 1)] for spent in earlier)


def _best_actions(public: PublicView, values: Floats) -> list[Action]:
    """The legal action of highest value in each row; ties go to call, then raise, then fold."""
    legal = public.legal()
    offered: list[tuple[int, Action]] = [(CALLS, CALL)]
    offered += [(RAISES, RaiseTo(legal.raise_min))] if legal.raise_min is not None else []
    offered += [(FOLDS, FOLD)] if legal.fold else []
    best = values[:, [column for column, _ in offered]].argmax(axis=1)
    return [offered[place][1] for place in best]


def save_q(path: Path, player: QPlayer) -> None:
    """Save a player to a file for the agent `q:FILE`."""
    about = {**player.about, "features": player.features.data(), "version": __version__}
    write_arrays(path, KIND, about, {"values": player.values})


def make_q(text: str) -> QPlayer:
    """Make the agent `q:FILE`; FILE may be a directory of `pokerlab train q`."""
    path = q_path(text)
    if not is_a_file(path):
        raise FileError(f"no values of a Q-learner at {path}")
    return _loaded(path, path.stat().st_mtime_ns)


def q_path(text: str) -> Path:
    """The file of the agent `q:text`."""
    return Path(text) / Q_FILE if is_a_folder(Path(text)) else Path(text)


Q_FILE = "player.bin"


@lru_cache(maxsize=16)
def _loaded(path: Path, modified: int) -> QPlayer:
    about, arrays = read_arrays(path, KIND)
    with well_formed(path):
        features = ValueFeatures(**about["features"])
        if min(features.hs, features.ppot, features.call) < 1:
            raise ValueError(f"{features}: every feature needs one bucket or more")
        by_seats = features.players or features.history
        values = shaped(arrays["values"], None if by_seats else features.n_states(2), 3)
        return QPlayer(features, values, about)


HANDS_A_STEP = 1000
CHECKPOINT = "checkpoint.bin"
# typical seconds of a step with the turn table, and without it
RATE, STEP_SECONDS, PLAIN_SECONDS = "train q", 0.01, 0.6
WORTH_TURN_TABLE = 50_000
"""Number of hands from which building the turn table first pays off."""


@dataclass(frozen=True)
class QConfig:
    """Settings of a Q-learner and its opponents; the defaults are the published ones."""

    game: str = "limit3p"
    against: Mapping[str, float] = field(default_factory=lambda: {"rulebot": 1.0})  # agent -> its probability
    hands: int = 1_000_000
    explore: float = 0.5  # initial probability of exploring
    trace: float = 1.0  # the lambda of Q(lambda)
    gamma: float = 1.0
    power: float = 0.5  # exponent in the learning rate 1 / count^power
    own_count: bool = False  # whether each value has its own count
    every_action: bool = False  # whether to learn by trying every action (`every_action.py`)
    features: ValueFeatures = field(default_factory=ValueFeatures)
    seed: int = 7
    files: Mapping[str, str] = field(default_factory=dict)  # path -> digest of each file that opponents load

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
        if self.every_action and (self.trace, self.gamma) != (1.0, 1.0):
            raise PokerlabError("a learner that tries every action learns from whole hands: trace and gamma must be 1")

    @cached_property
    def rules(self) -> Rules:
        return game(self.game)

    def data(self) -> dict[str, Any]:
        """The settings as JSON values; `every_action` only if it is set."""
        data = {**asdict(self), "features": self.features.data()}
        return {name: value for name, value in data.items() if name != "every_action" or value}


def compiled_opponent(player: object) -> CompiledPlayer | None:
    """The player in the form that compiled code plays; None if it can play only at the ordinary table."""
    return player.compiled() if isinstance(player, Compilable) else None


def opponents(config: QConfig, make: MakeAgent) -> list[CompiledPlayer]:
    """The opponents as compiled players."""
    return compiled_players(config.rules, tuple(config.against), make)


def compiled_players(rules: Rules, names: Sequence[str], make: MakeAgent) -> list[CompiledPlayer]:
    """The agents called `names`, in the form that compiled code plays."""
    players, agents = [], [make(name) for name in names]
    check_supported(agents, names, rules)
    for name, made in zip(names, agents, strict=True):
        compiled = compiled_opponent(made)
        if compiled is None:
            raise PokerlabError(
                f"compiled code cannot play {name}; it plays caller, raiser, folder, rulebot and q:FILE"
            )
        players.append(compiled)
    return players


class QLearning:
    """Learning in steps of `HANDS_A_STEP` hands. Its arrays are the values, their counts, and the winnings in each
    step."""

    def __init__(self, config: QConfig, make: MakeAgent) -> None:
        self._table = LimitTable(config.rules, opponents(config, make))
        self._prepare(config)

    def _prepare(self, config: QConfig) -> None:
        """Set up random streams and settings."""
        self.config = config
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
        return self.config.data()

    def init(self) -> Arrays:
        n_states = self.config.features.n_states(self.config.rules.n_seats)
        return {
            "iteration": np.array(0),
            "values": np.zeros(3 * n_states),
            "count": np.zeros(3 * n_states if self.config.own_count else 1, np.int64),
            "curve": np.zeros(self.config.hands // HANDS_A_STEP),
        }

    def _company(self) -> Any:
        """The opponents, as arguments of the kernels."""
        from pokerlab.systems.threeplayer._q_learning_numba import DrawnOpponents

        return DrawnOpponents(self._upto, self._keys)

    def _tables(self, arrays: Arrays) -> Any:
        """The settings, values and counts, as arguments of the kernels."""
        from pokerlab.systems.threeplayer._q_learning_numba import QTables

        return QTables(self._settings, self.config.features.numbers, arrays["values"], arrays["count"])

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Learn from `n` times `HANDS_A_STEP` hands."""
        from pokerlab._rng_numba import STATE_WORDS
        from pokerlab.systems.threeplayer import _q_learning_numba as kernels

        table, n_seats = self._table, self.config.rules.n_seats
        company, tables = self._company(), self._tables(arrays)
        work = kernels.QWork(
            words=np.empty((2, STATE_WORDS), np.uint64),
            seats=np.empty(n_seats, np.int64),
            b=np.empty_like(table.game.start),
            rows=np.empty(kernels.MOST_DECISIONS, np.int64),
            traces=np.empty(kernels.MOST_DECISIONS),
            net=np.empty(n_seats),
            draw=np.empty(n_seats),
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
    """Result of learning: the player, its `values[state, action]`, and `curve[thousand]`, its winnings per hand, in
    small bets, in every thousand hands of the training.

    The curve includes the cost of exploration.
    """

    player: QPlayer
    values: Floats
    curve: Floats


MakeEngine = Callable[[QConfig, MakeAgent], QLearning]
"""A function that makes the learner for a configuration; `dealt_learning.learning_engine` allows opponents of any
kind."""


def learn(config: QConfig, make: MakeAgent, *, watch: Watch | None = None, engine: MakeEngine = QLearning) -> Learned:
    """Learn from all hands, or resume from the checkpoint of `watch`; `make` makes an opponent from its name."""
    rate = (RATE, _rate_settings(config))
    arrays = take_steps(engine(config, make), iterations=config.hands // HANDS_A_STEP, watch=watch, rate=rate)
    values = arrays["values"].reshape(-1, 3)
    about = {"config": config.data(), "steps_learned_from": int(arrays["count"].sum())}
    return Learned(QPlayer(config.features, values, about), values, arrays["curve"])


def train_q(
    config: QConfig, directory: Path, *, make: MakeAgent, watch: Watch, engine: MakeEngine = QLearning
) -> Learned:
    """Learn, and save checkpoints and the final player in `directory`. Build the turn's strength table first if it is
    missing."""
    build_turn_table(config.hands)
    watch = Watch(directory / CHECKPOINT, watch.progress, watch.stopped)
    learned = learn(config, make, watch=watch, engine=engine)
    save_q(directory / Q_FILE, learned.player)
    return learned


def build_turn_table(hands: int) -> None:
    """Build the turn's strength table if it is missing and the training is long enough to benefit from it."""
    if _builds_turn_table(hands):
        note("building the turn table first; later runs reuse it")
        build_table("turn")


def _builds_turn_table(hands: int) -> bool:
    return hands >= WORTH_TURN_TABLE and table_values(4) is None


def learning_cost(config: QConfig, make: MakeAgent, *, engine: MakeEngine = QLearning) -> Cost:
    """Estimate the cost at the stored speed of the last similar run; without one, at the speed of a one-second trial
    or, if a trial would have to compile or build the turn table, at a typical speed."""
    # more hands than any machine plays during the trial
    longer = replace(config, hands=max(config.hands, 10_000 * HANDS_A_STEP))
    tried, builds = engine(longer, make), _builds_turn_table(config.hands)
    rate = expected_rate(
        RATE,
        _rate_settings(config),
        trial=None if builds else lambda: seconds_each(tried)[0],
        usual=lambda: PLAIN_SECONDS if config.hands < WORTH_TURN_TABLE else STEP_SECONDS,
    )
    arrays, steps = tried.init(), config.hands // HANDS_A_STEP
    seconds = None if rate.seconds is None else rate.seconds * steps + builds * build_seconds("turn")
    size = sum(array.nbytes for array in arrays.values())
    counts = {"hands": config.hands, "states": arrays["values"].size // 3}
    return Cost(seconds, disk=2 * size, counts=counts, rate=rate.source)


def _rate_settings(config: QConfig) -> dict[str, Any]:
    settings = {"game": config.game, "against": dict(config.against), "features": config.features.data()}
    every = {"every_action": True} if config.every_action else {}
    return {**settings, **every, "turn_table": config.hands >= WORTH_TURN_TABLE}
