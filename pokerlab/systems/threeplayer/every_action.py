"""Best responses by trying every action: a stronger learner than Q(lambda) that also needs fewer hands.

At each of its decisions the learner tries every legal action, followed by the actions that look best so far. So one
deal shows the outcome of every action against the same cards and opponents. The value of an action moves towards its
outcome by 1 / count^power, where `count` counts the visits to the state. If `n` actions that did not look best were
taken before, a decision is tried in full only with probability explore^n. `explore` falls linearly to 0, so that most
is learned about states to which the best actions lead.

The opponents must be compiled players: their random numbers for a hand are fixed before it begins, so a hand can be
resumed from every decision. Each deal is used for as many hands as there are seats, with the learner in a different
seat each time.

>>> from pokerlab.players.registry import agent
>>> from pokerlab.systems.threeplayer.q_learning import QConfig, learn
>>> config = QConfig(against={"folder": 1.0}, hands=2000, every_action=True, seed=1)
>>> round(float(learn(config, agent, engine=EveryAction).curve[-1]), 2)  # it takes the blinds and pays none
1.0
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.dealt_strengths import dealt_strengths
from pokerlab.runs.steps import Arrays
from pokerlab.systems.threeplayer import q_learning
from pokerlab.table.limit_batch import deals


class EveryAction(q_learning.QLearning):
    """`QLearning` that tries every action; its learning curve shows the winnings of the actions that looked best."""

    def init(self) -> Arrays:
        arrays = super().init()
        return {**arrays, "count": np.zeros(len(arrays["values"]) // 3, np.int64)}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Learn from `n` times `HANDS_A_STEP` hands."""
        from pokerlab._rng_numba import STATE_WORDS
        from pokerlab.systems.threeplayer import _every_action_numba as kernels
        from pokerlab.systems.threeplayer._q_learning_numba import SMALL_BET

        table, n_seats, size = self._table, self.config.rules.n_seats, q_learning.HANDS_A_STEP
        company, tables = self._company(), self._tables(arrays)
        work = kernels.WalkWork(
            words=np.empty((2, STATE_WORDS), np.uint64),
            seats=np.empty(n_seats, np.int64),
            b=np.empty_like(table.game.start),
            before=np.empty((kernels.MOST_OPEN, len(table.game.start)), np.int64),
            decisions=np.empty((kernels.MOST_OPEN, kernels.N_PLACES), np.int64),
            worth=np.empty((kernels.MOST_OPEN, 3)),
            net=np.empty(n_seats),
            draw=np.empty(n_seats),
        )
        done = int(arrays["iteration"])
        for step in range(done, done + n):
            first = step * size
            dealt = range(first // n_seats, -(-(first + size) // n_seats))
            strengths = dealt_strengths(*deals(table.rules, dealt.start, len(dealt), self._cards))
            won = np.empty(size)
            kernels.learn(first, strengths, table.game, company, tables, work, won)
            arrays["curve"][step] = won.mean() / self._settings[SMALL_BET]
        arrays["iteration"] = np.array(done + n)
        return arrays
