"""BETS on the transformed game itself, with every low and high branch: slow, but a check of `bets`.

When a sized bet is made, a hidden member of the bettor's team bets low or high. The choice stays hidden, so the two
players' information sets are those of the betting tree, but each contains many histories. The regrets for low and for
high are computed by their definition, from the utilities of both choices.

References
----------
Hawkin (2014), sections 4.1 and 4.3, equations 5.1 to 5.4 and 5.15.
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.solvers.bet_sizing.bets import BetsSettings, WeightedDeals
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree


class TransformedGame:
    """The state of the transformed game; `step` makes one exact iteration of BETS."""

    def __init__(self, tree: SizedTree, deals: WeightedDeals, settings: BetsSettings) -> None:
        self.tree, self.deals, self.settings = tree, deals, settings
        self.t = 0
        self.probability = np.full(tree.n_bets, 0.5)
        self.size_regret = np.zeros((tree.n_bets, 2))  # size_regret[bet, (low, high)]
        # importance[bet]: R summed over iterations, deal by deal (5.4 and 5.15)
        self.importance = np.zeros(tree.n_bets)
        self.regret: dict[tuple[int, int], Floats] = {}  # by (decision, cell)
        self.bet_at = {int(edge): bet for bet, edge in enumerate(tree.bets.edge)}

    @property
    def sizes(self) -> Floats:
        """Effective size of every sized bet (equation 4.1)."""
        low, high = self.tree.bets.low, self.tree.bets.high
        return np.asarray(low + self.probability * (high - low))

    def step(self) -> None:
        """Make one iteration over all deals."""
        self.t += 1
        self._gain: dict[tuple[int, int], Floats] = {}
        gained = np.zeros_like(self.size_regret)
        posts = {level: float(self.tree.levels.constant[level]) for level in range(3)}
        for deal, weight in enumerate(self.deals.weight):
            self._size_gain = np.zeros_like(self.size_regret)
            self._walk(deal, 0, posts, (float(weight), 1.0, 1.0, 1.0))
            gained += self._size_gain
            self.importance += np.abs(self._size_gain).sum(axis=1) / (2 * (self.tree.bets.high - self.tree.bets.low))
        for key, gain in self._gain.items():
            variant, regret = self.settings.variant, self.regret.get(key, np.zeros(len(gain)))
            kept = np.where(regret > 0, variant.positive(self.t), variant.negative(self.t)) * regret + gain
            self.regret[key] = np.maximum(kept, 0.0) if variant.floor else kept
        if self.settings.discounted:
            variant, positive = self.settings.variant, self.size_regret > 0
            self.size_regret *= np.where(positive, variant.positive(self.t), variant.negative(self.t))
        self.size_regret += gained
        good = np.maximum(self.size_regret, 0.0)
        total = good.sum(axis=1)
        wanted = np.where(total > 0, good[:, 1] / np.where(total > 0, total, 1.0), 0.5)
        self.probability += (wanted - self.probability) / min(self.t, self.settings.n)

    def _walk(
        self, deal: int, decision: int, amount: dict[int, float], reach: tuple[float, float, float, float]
    ) -> float:
        """Player 0's expected chips from a decision on. `reach` are the probabilities of the cards, of each player's
        actions, and of the sizes."""
        shape = self.tree.shape
        actor, street = int(shape.actor[decision]), int(shape.street[decision])
        key = (decision, int(self.deals.cells[deal, actor, street]))
        edges = shape.edges(decision)
        good = np.maximum(self.regret.get(key, np.zeros(len(edges))), 0.0)
        strategy = good / good.sum() if good.sum() > 0 else np.full(len(edges), 1 / len(edges))
        value = np.empty(len(edges))
        for k, edge in enumerate(edges):
            onward = list(reach)
            onward[1 + actor] *= float(strategy[k])
            value[k] = self._bet(deal, edge, amount, tuple(onward))
        here = float(strategy @ value)
        others = reach[0] * reach[2 - actor] * reach[3]
        sign = 1 if actor == 0 else -1
        self._gain[key] = self._gain.get(key, np.zeros(len(edges))) + sign * others * (value - here)
        return here

    def _bet(self, deal: int, edge: int, amount: dict[int, float], reach: tuple[float, ...]) -> float:
        tree, level = self.tree, int(self.tree.level_of_edge[edge])
        bet = self.bet_at.get(edge)
        if bet is None:
            grown = {level: self._amount(level, amount, float(tree.levels.grow[level]))} if level >= 0 else {}
            return self._after(deal, edge, {**amount, **grown}, reach)
        chance = np.array([1 - self.probability[bet], self.probability[bet]])
        value = np.empty(2)
        for action, size in enumerate((tree.bets.low[bet], tree.bets.high[bet])):
            grown = {level: self._amount(level, amount, 1 + 2 * float(size))}
            value[action] = self._after(deal, edge, {**amount, **grown}, (*reach[:3], reach[3] * float(chance[action])))
        here = float(chance @ value)
        sign = 1 if tree.bets.player[bet] == 0 else -1
        self._size_gain[bet] += sign * np.prod(reach) * (value - here)
        return here

    def _amount(self, level: int, amount: dict[int, float], grow: float) -> float:
        levels = self.tree.levels
        before = float(levels.less[level]) * amount[int(levels.before[level])]
        return float(levels.constant[level]) + grow * amount[int(levels.raised[level])] - before

    def _after(self, deal: int, edge: int, amount: dict[int, float], reach: tuple[float, ...]) -> float:
        shape, child = self.tree.shape, int(self.tree.shape.child[edge])
        if child >= 0:
            return self._walk(deal, child, amount, (reach[0], reach[1], reach[2], reach[3]))
        spent = [amount[int(level)] for level in self.tree.ending_level[~child]]
        folded = int(shape.folded[~child])
        if folded:
            return -spent[0] if folded == 1 else spent[1]
        return float(self.deals.result[deal]) * min(spent)
