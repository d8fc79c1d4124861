"""CFR over the 169 hand classes for two to six players before the flop.

On a flop a player gets its equity of the pot, with corrections (`PotValue`): class a of the first player against class
b of the second wins `chips * (share(a, b) + gain0[a] - gain1[b])`, and the second player wins the rest. The corrections
come from solved flops (`valuing.flop_gains`); in all-ins they are zero and the result is exact.

Cards: for the two players who contest a pot it is exact that they cannot hold the same cards. For players who folded,
only the cards of the player whose values are computed are excluded. This is exact for two players; with more, the
expectations of the seats do not quite add up to zero (docs/subgames.md has figures).

All players are updated at the same time, by discounted CFR. With two players this converges to an equilibrium. With
more there is no guarantee; `Evaluated.gain` measures what a best response of each player would still gain.

>>> from pokerlab.solvers.preflop.preflop_tree import PreflopRules, build_preflop_tree
>>> push = PreflopCfr(build_preflop_tree(PreflopRules(players=2, stack=10, open=10)))
>>> solved = push.evaluate(push.solve(300))
>>> [f"{share:.0%}" for share in (solved.used[1], solved.used[3])]  # push or fold with ten big blinds
['58%', '37%']

References
----------
Brown and Sandholm (2019), "Solving imperfect-information games via discounted regret minimization".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.combos import N_CLASSES, N_COMBOS
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.preflop.class_pairs import CLASS_SIZE, class_pairs
from pokerlab.solvers.preflop.preflop_tree import PreflopTree

DCFR = VARIANTS["dcfr"]
START = CLASS_SIZE / N_COMBOS
"""Probability of each class."""


class PotValue(NamedTuple):
    """Corrections to equity in a pot, as shares of the pot by class: for the player out of position, and for the player
    in position."""

    gain0: Floats
    gain1: Floats


@dataclass(frozen=True)
class Evaluated:
    """A strategy `p[edge, class]`, and measurements when all seats play it. Chips are in big blinds."""

    p: Floats
    reach: Floats  # reach[edge, class]: probability that the actor's own actions lead through the edge
    value: Floats  # value[edge, class] to the actor, given that the other players' actions lead to the decision
    ev: Floats  # ev[seat], per hand; with more than two players the sum is not quite 0
    gain: Floats  # gain[seat]: how much more a best response would win
    met: Floats  # met[edge, class]: probability that the other players' actions lead to the decision
    used: Floats  # used[edge]: how often the action is taken at its decision

    @property
    def exploitability(self) -> float:
        """Mean gain of best responses, in big blinds per hand."""
        return float(self.gain.mean())


class _Items(NamedTuple):
    """The ends of the hand for one seat: it folds, wins without showdown, or is left with one opponent."""

    edge: Int64s  # edge[item]: the edge that leads there
    others: Int64s  # others[item, i]: last edges of the seats that it does not meet; -1 for none
    meets: Int64s  # meets[item]: last edge of the seat that it meets; -2 if it meets none
    pot: Int64s  # pot[item]: number of the pot; -1 if all-in or without showdown
    side: Int64s  # side[item]: 0 out of position, 1 in position
    wins: Floats  # wins[item]: chips of the pot that it wins or shares; 0 if it folds
    spent: Floats  # spent[item]


class PreflopCfr:
    """Solves a preflop tree, given values of its pots; pots without a value are worth their equity."""

    def __init__(self, tree: PreflopTree, values: Mapping[int, PotValue] | None = None) -> None:
        self.tree = tree
        n = len(tree.pots)
        self.gains = np.zeros((n + 1, 2, N_CLASSES))  # index -1 (all-in) takes the last row
        for pot, value in (values or {}).items():
            self.gains[pot] = value
        self.actor = np.array(tree.actor)
        self.decision_of = np.array(tree.decision_of)
        self.first = np.array([edges[0] for edges in tree.edges])
        self.parent = np.array(tree.parent_edge)
        self.before = np.array(tree.last_edge)[self.decision_of]  # before[edge, seat]
        depth = np.zeros(tree.n_decisions, int)
        for d, edge in enumerate(tree.parent_edge):
            depth[d] = 0 if edge < 0 else depth[tree.decision_of[edge]] + 1
        self.levels = [np.flatnonzero(depth == level) for level in range(int(depth.max()) + 1)]
        seats = range(tree.rules.players)
        self.items = [_items(tree, seat) for seat in seats]
        self.edges_of = [np.flatnonzero(self.actor[self.decision_of] == seat) for seat in seats]
        self.steps = [self._steps(seat) for seat in seats]

    def uniform(self) -> Floats:
        """Return a strategy `p[edge, class]` in which all actions of a decision are equally likely."""
        counts = np.bincount(self.decision_of)[self.decision_of]
        return np.repeat(1.0 / counts[:, None], N_CLASSES, axis=1)

    def solve(self, iterations: int, start: Floats | None = None) -> Floats:
        """Run `iterations`, the first with strategy `start`. Return the average strategy `p[edge, class]`."""
        p = self.uniform() if start is None else start
        regret, sums = np.zeros_like(p), np.zeros_like(p)
        for t in range(1, iterations + 1):
            reach, met = self._reaches(p)
            value = self.values(p, reach, met)
            now = value - self._by_decision(p * value)[self.decision_of]
            regret *= np.where(regret > 0, DCFR.positive(t), DCFR.negative(t))
            regret += now
            sums = sums * DCFR.weight(t) + reach[:-1]
            p = self._matched(regret)
        return self._matched(sums)

    def evaluate(self, p: Floats) -> Evaluated:
        """Measure a strategy."""
        reach, met = self._reaches(p)
        value, own = self._passes(p, reach, met)
        _, top = self._passes(p, reach, met, best=True)
        lead, held = self._lead(met), reach[:-1]
        came = START * lead * held
        total = self._by_decision(came).sum(axis=1)[self.decision_of]
        each, used = value / np.where(lead > 0, lead, 1), came.sum(axis=1) / np.where(total > 0, total, 1)
        return Evaluated(p, held, each, own @ START, (top - own) @ START, lead, used)

    def values(self, p: Floats, reach: Floats, met: Floats) -> Floats:
        """`[edge, class]`: the actor's winnings in chips, times the probability that the other players' actions lead to
        the edge's decision."""
        return self._passes(p, reach, met)[0]

    def _passes(self, p: Floats, reach: Floats, met: Floats, *, best: bool = False) -> tuple[Floats, Floats]:
        """Return (the actor's `value[edge, class]`, `value[seat, class]` before any action)."""
        found, at_start = np.zeros_like(p), np.zeros((self.tree.rules.players, N_CLASSES))
        for seat, items in enumerate(self.items):
            own = np.zeros((len(p) + 1, N_CLASSES))  # index -1 (the start) takes the last row
            own[items.edge] = self._ends(items, reach, met)
            for level, mine in self.steps[seat]:
                edges, where = self._edges(level)
                rows = own[edges]
                if not mine:
                    total = np.add.reduceat(rows, where)
                elif best:
                    total = np.maximum.reduceat(rows, where)
                else:
                    total = np.add.reduceat(rows * p[edges], where)
                own[self.parent[level]] += total
            edges = self.edges_of[seat]
            found[edges], at_start[seat] = own[edges], own[-1]
        return found, at_start

    def _edges(self, decisions: Int64s) -> tuple[Int64s, Int64s]:
        """Return (edges of the decisions, index where each decision's edges begin)."""
        counts = np.bincount(self.decision_of)[decisions]
        where = np.cumsum(counts) - counts
        edges = np.repeat(self.first[decisions] - where, counts) + np.arange(counts.sum())
        return edges, where

    def _ends(self, items: _Items, reach: Floats, met: Floats) -> Floats:
        """`[item, class]`: chips at an end of the hand, times the probability of the other players' actions."""
        pairs = class_pairs()
        lead = np.prod(met[items.others], axis=1)
        value = lead * (items.wins - items.spent)[:, None]
        pair = np.flatnonzero(items.meets > -2)
        other = reach[items.meets[pair]] if len(pair) else np.zeros((0, N_CLASSES))
        own_gain = self.gains[items.pot[pair], items.side[pair]]
        other_gain = self.gains[items.pot[pair], 1 - items.side[pair]]
        there = met[items.meets[pair]]
        share = other @ pairs.won.T + own_gain * there - (other * other_gain) @ pairs.chance.T
        chips, spent = items.wins[pair, None], items.spent[pair, None]
        value[pair] = lead[pair] * (chips * share - spent * there)
        return np.asarray(value)

    def _reaches(self, p: Floats) -> tuple[Floats, Floats]:
        """Return (reach, met). `reach[edge, class]` is the probability of the actor's own actions up to the edge.
        `met[edge, class]` is its mean over the actor's hands, given the class of another player's hand. Both have a
        last row of ones, for seats that have not acted."""
        reach = np.ones((len(p) + 1, N_CLASSES))
        for level in self.levels:
            edges, _ = self._edges(level)
            own = self.before[edges, self.actor[self.decision_of[edges]]]
            reach[edges] = reach[own] * p[edges]
        return reach, reach @ class_pairs().chance.T

    def _lead(self, met: Floats) -> Floats:
        """`[edge, class]`: probability that the other players' actions lead to the edge's decision."""
        lead = np.ones((len(self.decision_of), N_CLASSES))
        actor = self.actor[self.decision_of]
        for seat in range(self.tree.rules.players):
            others = actor != seat
            lead[others] *= met[self.before[others, seat]]
        return lead

    def _steps(self, seat: int) -> list[tuple[Int64s, bool]]:
        """Groups of decisions that can be evaluated together, the last ones first: (decisions, whether `seat` acts at
        them)."""
        apart = [(level[(self.actor[level] == seat) == mine], mine) for level in self.levels for mine in (True, False)]
        return [(level, mine) for level, mine in reversed(apart) if len(level)]

    def _by_decision(self, rows: Floats) -> Floats:
        return np.asarray(np.add.reduceat(rows[: len(self.decision_of)], self.first))

    def _matched(self, weights: Floats) -> Floats:
        """Probabilities in proportion to positive weights; uniform if there are none."""
        positive = np.maximum(weights[: len(self.decision_of)], 0)
        total = self._by_decision(positive)[self.decision_of]
        return np.where(total > 0, positive / np.where(total > 0, total, 1), self.uniform())


def _items(tree: PreflopTree, seat: int) -> _Items:
    rows = []
    for edge, decision in enumerate(tree.decision_of):
        if tree.action[edge] == "fold" and tree.actor[decision] == seat:
            others = [e for other, e in enumerate(tree.last_edge[decision]) if other != seat]
            rows.append((edge, others, -2, -1, 0, 0.0, tree.spent[decision][seat]))
    for edge, ending in tree.endings.items():
        if seat not in ending.left:
            continue
        opponent = next((other for other in ending.left if other != seat), -1)
        others = [e for other, e in enumerate(ending.last_edge) if other not in (seat, opponent)]
        others += [-1] * (tree.rules.players - 1 - len(others))
        meets = -2 if opponent < 0 else ending.last_edge[opponent]
        side = int(opponent >= 0 and tree.rules.acts_after(seat, opponent))
        rows.append((edge, others, meets, ending.pot, side, sum(ending.spent), ending.spent[seat]))
    return _Items(*(np.array(column) for column in zip(*rows, strict=True)))
