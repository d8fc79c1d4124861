"""Q(lambda) at the ordinary table, for opponents that compiled code cannot play.

This is the learner of `q_learning.QLearning`, with the same cards, random numbers and updates, so both learn the same
from the same hands. Here every opponent is an agent at the dealer's table. Opponents are made anew for every step of
1,000 hands, like those of an empirical game, and observe finished hands as in matches. Agents that run in their own
processes (`table.apart`) get only views, and have a time limit for their decisions, as in matches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.cards.combos import combo_index
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.protocols import Agent
from pokerlab.games.views import View
from pokerlab.rng import IndexedStream, Shuffler
from pokerlab.runs.notes import note
from pokerlab.runs.steps import Arrays
from pokerlab.systems.threeplayer import q_learning
from pokerlab.systems.threeplayer.every_action import EveryAction
from pokerlab.systems.threeplayer.q_learning import (
    CALLS,
    FOLDS,
    RAISES,
    QConfig,
    board_strengths,
    compiled_opponent,
    states,
)
from pokerlab.table.apart import AgentApart
from pokerlab.table.clock import FOREIGN_SECONDS, Clock, clock_for
from pokerlab.table.dealer import observer, play_hand, tell
from pokerlab.table.players import MakeAgent, check_supported


class LearnerSeat:
    """The learner at the table: it explores, and updates the values in `arrays` during play."""

    def __init__(self, config: QConfig, arrays: Arrays, settings: Any) -> None:
        from pokerlab.policies._compiled_players_numba import best_action
        from pokerlab.systems.threeplayer import _q_learning_numba as kernels

        self._best_action = best_action
        self.config, self.arrays, self._settings, self._kernels = config, arrays, settings, kernels
        self._rows = np.empty(kernels.MOST_DECISIONS, np.int64)
        self._traces = np.empty(kernels.MOST_DECISIONS)
        self.begin(0)

    def begin(self, hand: int) -> None:
        """Start a hand: earlier actions get no credit for what follows."""
        self._n_steps, self._last, self._last_value, self._reward = 0, -1, 0.0, 0.0
        self._explore = self.config.explore * max(0.0, 1.0 - hand / self.config.hands)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        values, legal, combo = self.arrays["values"], view.legal(), combo_index(*view.hole)
        strengths = board_strengths(view.board)[:, combo : combo + 1]
        row = 3 * int(states(self.config.features, view, strengths)[0])
        may_fold, may_raise = bool(legal.fold), legal.raise_min is not None
        best = int(self._best_action(values, row, may_fold, may_raise))
        self._update(float(values[row + best]))
        action, self._last_value = best, float(values[row + best])
        if rng.random() < self._explore:
            which = int(rng.random() * (1 + may_fold + may_raise))
            action = which if may_fold else which + CALLS
        size = float(view.rules.streets[view.street].raise_size)
        cost = {FOLDS: 0.0, CALLS: float(view.to_call), RAISES: float(view.to_call) + size}[action]
        self._last, self._reward = row + action, -cost / self._settings[self._kernels.SMALL_BET]
        return {FOLDS: FOLD, CALLS: CALL, RAISES: RaiseTo(legal.raise_min or 0)}[action]

    def _update(self, worth: float) -> None:
        if self._last >= 0:
            tables = (self.arrays["values"], self.arrays["count"], self._settings, self._rows, self._traces)
            step = (self._n_steps, self._last, self._last_value, self._reward, worth)
            self._n_steps = int(self._kernels.update(*tables, *step))

    def end(self, pot_won: float) -> None:
        """Learn from the end of the hand; the learner gets `pot_won` chips of the pot."""
        self._reward += pot_won / self._settings[self._kernels.SMALL_BET]
        self._update(0.0)


class DealtQLearning(q_learning.QLearning):
    """`QLearning` against opponents that are agents."""

    def __init__(self, config: QConfig, make: MakeAgent) -> None:
        self._prepare(config)
        self._make = make
        self._deck = Shuffler(config.seed, "learning", "cards")
        self._drawing, self._trying, *self._acting = (
            IndexedStream(config.seed, "learning", *labels)
            for labels in (("opponents",), ("learner",), *(("agents", seat) for seat in range(config.rules.n_seats)))
        )
        made = [make(name) for name in config.against]
        check_supported(made, list(config.against), config.rules)
        self._seconds = FOREIGN_SECONDS if any(isinstance(each, AgentApart) for each in made) else None

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Learn from `n` times `HANDS_A_STEP` hands."""
        done, size = int(arrays["iteration"]), q_learning.HANDS_A_STEP
        learner = LearnerSeat(self.config, arrays, self._settings)
        small_bet = float(self.config.rules.streets[0].raise_size)
        for step in range(done, done + n):
            seats = range(self.config.rules.n_seats)
            others = [[self._make(name) for name in self.config.against] for _ in seats]
            numbers = range(step * size, (step + 1) * size)
            with clock_for(self._seconds, on_late=_note_late) as clock:
                won = [self._hand(number, learner, others, clock) for number in numbers]
            arrays["curve"][step] = sum(won) / small_bet / size
        arrays["iteration"] = np.array(done + n)
        return arrays

    def _hand(self, number: int, learner: LearnerSeat, others: list[list[Agent]], clock: Clock | None) -> float:
        """Play one hand; returns the learner's winnings in chips."""
        config, n = self.config, self.config.rules.n_seats
        own, draw = number % n, self._drawing.at(number)
        who = [min(int(np.searchsorted(self._upto, draw.random(), side="right")), len(self._upto) - 1) for _ in others]
        seats: list[Agent] = [others[seat][who[seat]] for seat in range(n)]
        seats[own] = learner
        streams = [self._trying.at(number) if seat == own else self._acting[seat].at(number) for seat in range(n)]
        names = tuple(f"seat {seat}" for seat in range(n))
        deck = deck_of_hand(config.rules, self._deck, number)
        learner.begin(number)
        clocks = [None if seat == own else clock for seat in range(n)] if clock else ()
        hand = play_hand(config.rules, seats, deck, streams, names=names, number=number, clocks=clocks)
        watching = [None if seat == own else observer(each) for seat, each in enumerate(seats)]
        if any(watching):
            tell(hand, watching, clocks=clocks)
        learner.end(float(hand.payoffs[own] + hand.final.betting.spent[own]))
        return float(hand.payoffs[own])


def _note_late(name: str) -> None:
    note(f"{name} took longer than {FOREIGN_SECONDS:g} seconds for a decision")


def learning_engine(config: QConfig, make: MakeAgent) -> q_learning.QLearning:
    """Make a learner: a compiled one if compiled code can play all opponents, otherwise one at the ordinary table."""
    if config.every_action:
        return EveryAction(config, make)
    if all(compiled_opponent(make(name)) is not None for name in config.against):
        return q_learning.QLearning(config, make)
    return DealtQLearning(config, make)
