"""Self-play by regret matching, which gives a mixed strategy for three or more players as a table of states.

Every deal is played from every seat. The player in that seat learns: it tries each of its actions, while the others
draw theirs from the current strategies. How much more an action would have won than the strategy is added to the
action's regret; later deals count more (linear weights). The strategy plays actions in proportion to positive regrets.
The result is the average strategy, in which a decision counts by the probability that the player's own actions lead to
it. This is counterfactual regret minimisation with external sampling on states that forget (`ValueFeatures` with the
betting of the street): nothing guarantees an equilibrium for three players, so measure what a response gains with
`pokerlab train q --every-action`.

There are four differences from the cited papers:

- All actions of a decision are tried only with the probability that the learning player's own actions lead there, but
  at least `LEAST`, which saves most of the work. Regrets are not divided by it, so rare decisions learn more slowly.
- The other players take any legal action with probability `TREMBLE`, so regrets are those of a game with such errors.
- The average is taken while a player learns, and so also depends on how often the others' play leads to a decision.
- In a share of the deals a *guest* plays all other seats. An equilibrium of three players may lose to two others at
  once, and guests teach how to play against pairs of simple players (as in data-biased responses; Johanson and Bowling
  2009).

>>> from pokerlab.players.registry import agent
>>> config = RegretConfig(hands=1000, features=ValueFeatures(4, 2, 3, street=True, history=True))
>>> table = learn_regrets(config, agent)
>>> table.chances.shape, table.chances.dtype
((5760, 3), dtype('uint8'))

References
----------
Lanctot, Waugh, Zinkevich and Bowling (2009), "Monte Carlo sampling for regret minimization in extensive games". Brown
and Sandholm (2019), "Solving imperfect-information games via discounted regret minimization" (linear weights). Abou
Risk and Szafron (2010), "Using counterfactual regret minimization to create competitive multiplayer poker agents".
Johanson and Bowling (2009), "Data biased robust counter strategies".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import ByHandAction, Floats, Uint8s
from pokerlab.cards.combos import combo_index
from pokerlab.cards.dealt_strengths import dealt_strengths
from pokerlab.errors import FileError, PokerlabError, RulesError
from pokerlab.files import is_a_file, is_a_folder, read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.compiled_players import CALLER, CHANCES, SPENT_EARLIER, CompiledPlayer, ValueFeatures, state_draw
from pokerlab.policies.policy import HoldemPolicy
from pokerlab.rng import stream_key
from pokerlab.runs.cost import Cost
from pokerlab.runs.rates import expected_rate
from pokerlab.runs.steps import Arrays, Watch, take_steps
from pokerlab.systems.threeplayer.q_learning import CALLS, FOLDS, RAISES, board_strengths, compiled_players, states
from pokerlab.table.limit_batch import LimitTable, deals, plays_compiled
from pokerlab.table.players import MakeAgent

KIND = "average strategy of regret matching"
FILE, CHECKPOINT = "regrets.bin", "checkpoint.bin"
SHIPPED = ("limit3p",)  # made by `pokerlab train regrets --hands 12M`
"""Names of the tables that come with the package."""
DEALS_A_STEP = 1000
REPEATS = 4  #: how often a deal is played from every seat, since dealing takes longer than playing
LEAST = 0.1
TREMBLE = 0.01  #: probability that an opponent takes any legal action, so that responses to rare actions are learned
FEATURES = ValueFeatures(16, 5, 3, street=True, expected=SPENT_EARLIER, history=True, squared=True)
GUESTS, GUEST_SHARE = ("raiser", "caller", "rulebot"), 0.0025
RATE, STEP_SECONDS = "train regrets", 0.06  # usual seconds of a step


@dataclass(frozen=True, eq=False)
class RegretPlayer(HoldemPolicy):
    """A player with a mixed strategy, and the features that define a state. `chances[state, action]` (fold, call,
    raise) are whole numbers in proportion to the probabilities; the likeliest action has 255.

    One random number, drawn at its first decision of a hand, determines its actions in all states of that hand:
    `state_draw` derives a number for each state from it.
    """

    features: ValueFeatures
    chances: Uint8s
    about: Mapping[str, Any] = field(default_factory=dict)
    _drawn: list[Any] = field(default_factory=lambda: [None, 0.0], repr=False)  # the current hand and its random number

    def act(self, view: View, rng: np.random.Generator) -> Action:
        if self._drawn[0] != view.hand or not any(step.seat == view.seat for step in view.actions):
            self._drawn[:] = [view.hand, rng.random()]
        combo = combo_index(*view.hole)
        state = int(states(self.features, view, board_strengths(view.board)[:, combo : combo + 1])[0])
        offered, chances = self._offered(view, np.array([state]))
        total = np.cumsum(chances[0])
        at = state_draw(self._drawn[1], state) * total[-1]
        return offered[int(np.searchsorted(total, at, side="right"))] if total[-1] > 0 else CALL

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Legal actions, and their probabilities with each combo."""
        offered, chances = self._offered(public, states(self.features, public, board_strengths(public.board)))
        chances[chances.sum(axis=1) == 0, offered.index(CALL)] = 1.0
        order = sorted(range(len(offered)), key=lambda place: offered[place])
        actions = tuple(offered[place] for place in order)
        return actions, chances[:, order] / chances.sum(axis=1, keepdims=True)

    def _offered(self, public: PublicView, rows: Any) -> tuple[list[Action], Floats]:
        """Legal actions from fold to raise, and their `chances[row, action]`."""
        legal = public.legal()
        offered: list[tuple[int, Action]] = [(FOLDS, FOLD)] if legal.fold else []
        offered += [(CALLS, CALL)]
        offered += [(RAISES, RaiseTo(legal.raise_min))] if legal.raise_min is not None else []
        columns = [column for column, _ in offered]
        return [action for _, action in offered], self.chances[rows][:, columns].astype(np.float64)

    def compiled(self) -> CompiledPlayer:
        """This player in the form that compiled code plays."""
        return CompiledPlayer(CHANCES, np.concatenate([self.features.numbers, self.chances.ravel().astype(np.float64)]))

    def supports(self, rules: Rules) -> bool:
        """Whether this is limit hold'em with the number of seats used in training."""
        fits = rules.is_holdem and rules.limits == "limit"
        return fits and self.features.n_states(rules.n_seats) == len(self.chances)

    def save(self, path: Path) -> None:
        """Save the player to a file for the agent `regrets:FILE`."""
        about = {**self.about, "features": self.features.data(), "version": __version__}
        write_arrays(path, KIND, about, {"chances": self.chances})


def make_regrets(text: str) -> RegretPlayer:
    """Make the agent `regrets:FILE`; FILE may be a directory of `pokerlab train regrets`, or the name of a shipped
    table."""
    path = regrets_path(text)
    if not is_a_file(path):
        raise FileError(f"no table of `pokerlab train regrets` at {path}")
    features, chances, about = _loaded(path, path.stat().st_mtime_ns)
    return RegretPlayer(features, chances, about)


def regrets_path(text: str) -> Path:
    """The file of the agent `regrets:text`."""
    if text in SHIPPED:
        return Path(__file__).parent / "data" / f"{text}.bin"
    return Path(text) / FILE if is_a_folder(Path(text)) else Path(text)


def regrets_for(rules: Rules) -> str:
    """The name of the table made for a game.

    >>> regrets_for(game("limit3p"))
    'limit3p'
    """
    if rules.name not in SHIPPED:
        raise RulesError(f"no table of regrets is made for {rules.name}; there are tables for {', '.join(SHIPPED)}")
    return rules.name


@lru_cache(maxsize=8)
def _loaded(path: Path, modified: int) -> tuple[ValueFeatures, Uint8s, Mapping[str, Any]]:
    about, arrays = read_arrays(path, KIND)
    with well_formed(path):
        features = ValueFeatures(**about["features"])
        return features, shaped(arrays["chances"], None, 3), about


@dataclass(frozen=True)
class RegretConfig:
    """Settings of self-play."""

    game: str = "limit3p"
    hands: int = 1_000_000  # number of deals; each is played `REPEATS` times from every seat
    features: ValueFeatures = FEATURES
    guests: tuple[str, ...] = GUESTS  # agents; in some deals one of them plays all other seats
    guest_share: float = GUEST_SHARE  # share of such deals
    seed: int = 7

    def __post_init__(self) -> None:
        if self.hands < DEALS_A_STEP or self.hands % DEALS_A_STEP:
            raise PokerlabError(f"the number of hands must be a multiple of {DEALS_A_STEP:,}, not {self.hands:,}")
        if min(self.features.hs, self.features.ppot, self.features.call, self.features.pot) < 1:
            raise PokerlabError(f"every feature needs one bucket or more: {self.features}")
        if not 0 <= self.guest_share < 1 or (self.guest_share and not self.guests):
            raise PokerlabError(
                f"the share of guests must be 0 or more and below 1, and 0 without a guest, not {self.guest_share}"
            )
        if not plays_compiled(self.rules):
            raise PokerlabError(f"tables of regrets play limit hold'em, not {self.rules.name}")

    @cached_property
    def rules(self) -> Rules:
        return game(self.game)

    def data(self) -> dict[str, Any]:
        return {**asdict(self), "features": self.features.data()}


class RegretLearning:
    """Self-play in steps of `DEALS_A_STEP` deals. Its arrays are the regrets and the sums of the average strategy."""

    def __init__(self, config: RegretConfig, make: MakeAgent) -> None:
        self.config = config
        guests = compiled_players(config.rules, config.guests, make)
        self._table = LimitTable(config.rules, guests or [CompiledPlayer(CALLER)])
        self._cards, self._draws = (stream_key(config.seed, "regrets", what) for what in ("cards", "draws"))

    @property
    def about(self) -> dict[str, Any]:
        """The settings except the number of deals, since a run with fewer deals is the beginning of a run with more."""
        return {name: value for name, value in self.config.data().items() if name != "hands"}

    def init(self) -> Arrays:
        n = 3 * self.config.features.n_states(self.config.rules.n_seats)
        return {"iteration": np.array(0), "regret": np.zeros(n), "total": np.zeros(n)}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Learn from `n` times `DEALS_A_STEP` deals."""
        from pokerlab._rng_numba import STATE_WORDS
        from pokerlab.systems.threeplayer import _regret_tables_numba as kernels
        from pokerlab.systems.threeplayer._every_action_numba import MOST_OPEN, N_PLACES

        config = self.config
        tables = kernels.RegretTables(config.features.numbers, arrays["regret"], arrays["total"])
        work = kernels.RegretWork(
            words=np.empty(STATE_WORDS, np.uint64),
            b=np.empty_like(self._table.game.start),
            before=np.empty((MOST_OPEN, len(self._table.game.start)), np.int64),
            decisions=np.empty((MOST_OPEN, N_PLACES), np.int64),
            mixed=np.empty((MOST_OPEN, 3)),
            reach=np.empty(MOST_OPEN),
            worth=np.empty((MOST_OPEN, 3)),
            net=np.empty(config.rules.n_seats),
            now=np.empty(3),
            draw=np.empty(config.rules.n_seats),
        )
        settings = kernels.RegretSettings(LEAST, TREMBLE, config.guest_share, REPEATS)
        done = int(arrays["iteration"])
        for first in range(done * DEALS_A_STEP, (done + n) * DEALS_A_STEP, DEALS_A_STEP):
            dealt = dealt_strengths(*deals(config.rules, first, DEALS_A_STEP, self._cards))
            kernels.learn(first, settings, dealt, self._table.game, self._draws, tables, work)
        arrays["iteration"] = np.array(done + n)
        return arrays


def learn_regrets(config: RegretConfig, make: MakeAgent, *, watch: Watch | None = None) -> RegretPlayer:
    """Play all deals, or resume from the checkpoint of `watch`; returns the average strategy.

    `make` returns a guest by its name.
    """
    rate = (RATE, _rate_settings(config))
    arrays = take_steps(RegretLearning(config, make), iterations=config.hands // DEALS_A_STEP, watch=watch, rate=rate)
    total = arrays["total"].reshape(-1, 3)
    largest = total.max(axis=1, keepdims=True)
    chances = np.rint(255 * np.divide(total, largest, out=np.zeros_like(total), where=largest > 0))
    return RegretPlayer(config.features, chances.astype(np.uint8), {"config": config.data()})


def learning_cost(config: RegretConfig) -> Cost:
    """Estimate the cost at the stored speed of the last similar run, or at a typical one."""
    rate = expected_rate(RATE, _rate_settings(config), trial=None, usual=lambda: STEP_SECONDS)
    steps, size = config.hands // DEALS_A_STEP, 2 * 8 * 3 * config.features.n_states(config.rules.n_seats)
    what = f"{config.hands:,} deals, {size // 48:,} states"
    return Cost(None if rate.seconds is None else rate.seconds * steps, disk=size, what=what, rate=rate.source)


def _rate_settings(config: RegretConfig) -> dict[str, Any]:
    return {"game": config.game, "features": config.features.data()}
