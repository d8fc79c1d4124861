"""Solve small rivers by the algorithm of `cfr` with NumPy only, so that nothing must be compiled.

A matrix has an entry for every pair of the players' hands. With few hands and bets an iteration takes less than a
millisecond; larger rivers and earlier streets use compiled code (`cfr`). The choice of engine depends only on the
subgame. Both engines have the same arrays, so either can read the other's checkpoint.

>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> river = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> solution = solve(SmallRiverCfr(river), iterations=1000, target=0.1)
>>> round(solution.value), solution.exploitability <= 0.1
(40, True)

References
----------
As in `cfr`. Endings are plain matrix products here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import AnyFloats, Floats, Floats32, Int64s
from pokerlab.cards.evaluate import rank_combos
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation, stakes
from pokerlab.solvers.core.locks import best_locked, imposed, locked_regrets
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.subgames.offers import Offer

MOST_PRODUCTS = 2_000_000
"""Maximum of pairs of hands times edges in a small river: about the number of multiplications in an iteration."""
MOST_EDGES = 200

Mode: TypeAlias = Literal["fixed", "best", "unlocked"]


def is_small_river(subgame: Problem) -> bool:
    """Whether a subgame is one that NumPy can solve in about a second."""
    tree, cells = subgame.tree, subgame.cells
    if not isinstance(cells, SubgameCells) or len(cells.n_boards) > 1:
        return False
    own, other = (last - first for first, last in cells.hands_of)
    return tree.n_edges <= MOST_EDGES and own * other * tree.n_edges <= MOST_PRODUCTS


class RiverPass(NamedTuple):
    """Results of one pass for a hero. Hands are in the order of `SubgameCells.hands_of`."""

    p: Floats  # p[row, hand]: the hero's action probabilities
    reach: Floats  # reach[row, hand] of the other player, by its own actions and range
    value: Floats  # value[row, hand] to the hero's hands
    of_decision: Floats  # of_decision[decision, hand] to the hero's hands


class RiverPasses:
    """Passes over a small river for either player; rows are the edges of the betting tree."""

    def __init__(self, subgame: Problem) -> None:
        tree, cells = subgame.tree, subgame.cells
        assert isinstance(cells, SubgameCells)
        self.tree, self.cells = tree, cells
        self.hands = [slice(first, last) for first, last in cells.hands_of]
        self.first_row = np.asarray(tree.first_edge[:-1], np.int64)
        self.n_actions = np.diff(tree.first_edge)
        self.decision = np.asarray(tree.edge_decision, np.int64)  # decision[row]
        locks = {} if subgame.locks is None else subgame.locks.at
        self.locks = {
            d: lock[:, self.hands[tree.actor[d]]] for d, lock in locks.items()
        }  # by decision: [action, hand of the actor]
        self.levels = self._levels()
        self.meets, self.wins = self._matrices()
        self.show, self.fold = (tree.ending_edge[kind] for kind in (tree.showdown, ~tree.showdown))
        self.show_stake, self.show_rake = stakes(tree, 0)[tree.showdown, None], tree.rake[tree.showdown, None] / 2
        self.fold_stake = [stakes(tree, hero)[~tree.showdown, None] for hero in (0, 1)]

    def start(self, hero: int) -> Floats:
        """`reach[hand]`: the other player's range, normalised to sum to one."""
        weights = self.cells.weights[1 - hero][self.hands[1 - hero]]
        return np.asarray(weights / weights.sum())

    def spread(self, player: int, of_hands: Floats) -> Floats:
        """Expand numbers `[.., hand]` of a player's hands to the hands of both players; 0 for hands that it cannot
        have."""
        out = np.zeros((*of_hands.shape[:-1], self.cells.n_hands))
        out[..., self.hands[player]] = of_hands
        return out

    def match(self, weights: AnyFloats, player: int) -> Floats:
        """`p[row, hand]` in proportion to the positive part of `weights[row, 0, hand]`; uniform where that is 0."""
        positive = np.maximum(weights[:, 0, self.hands[player]], 0.0, dtype=np.float64)
        total = np.add.reduceat(positive, self.first_row, axis=0)
        none = total <= 0
        p = positive / np.where(none, 1.0, total)[self.decision]
        even = (1 / self.n_actions)[self.decision][:, None]
        p = np.where(none[self.decision], even, p)
        for rows, lock in self.locked(player):
            p[rows] = imposed(positive[rows], lock)
        return p

    def locked(self, player: int) -> Iterator[tuple[slice, Floats32]]:
        """Yield the rows and the lock of each decision of a player that has locks."""
        for decision, lock in self.locks.items():
            if self.tree.actor[decision] == player:
                first = int(self.first_row[decision])
                yield slice(first, first + len(lock)), lock

    def run(self, hero: int, weights: AnyFloats, mode: Mode = "fixed", shares: Floats | None = None) -> RiverPass:
        """Make one pass. The hero plays the strategy of `weights[row, 0, hand]` (mode "fixed") or a best response that
        keeps its locked actions ("best") or ignores the locks ("unlocked"). The other player plays the strategy of
        `weights`, with the fractions `shares[hand]` of its hands (default: 1)."""
        tree, p = self.tree, self.match(weights, hero)
        comes = self.start(hero) if shares is None else self.start(hero) * shares[self.hands[1 - hero]]
        reach = self._down(hero, comes, self.match(weights, 1 - hero))
        value = np.empty_like(p)
        value[self.show] = self.show_stake * (reach[self.show] @ self.wins[hero].T)
        if tree.rules.rake:
            value[self.show] -= self.show_rake * (reach[self.show] @ self.meets[hero].T)
        value[self.fold] = self.fold_stake[hero] * (reach[self.fold] @ self.meets[hero].T)
        of_decision = np.empty((tree.n_decisions, p.shape[1]))
        for decisions, rows, first in reversed(self.levels):
            own = (tree.actor[decisions] == hero)[:, None]
            if mode != "fixed":
                chosen = np.maximum.reduceat(value[rows], first, axis=0)
            else:
                chosen = np.add.reduceat(value[rows] * p[rows], first, axis=0)
            for rows_of, lock in self.locked(hero) if mode == "best" else ():
                at = np.flatnonzero(decisions == self.decision[rows_of.start])
                chosen[at] = best_locked(value[rows_of], lock)
            totals = np.where(own, chosen, np.add.reduceat(value[rows], first, axis=0))
            of_decision[decisions] = totals
            inner = tree.parent_edge[decisions]
            value[inner[inner >= 0]] = totals[inner >= 0]
        return RiverPass(p, reach, value, of_decision)

    def total(self, hero: int, of_root: Floats) -> float:
        """Chips per hand, from the values of the hero's hands at the first decision."""
        return float(of_root @ self.cells.per_hand(hero)[self.hands[hero]])

    def of_hands(self, weights: AnyFloats, hero: int, best: bool, shares: Floats | None) -> Floats:
        """`value[hand]` to the hero, defined as in `cfr.Passes.of_hands`."""
        return self.spread(hero, self.run(hero, weights, "best" if best else "fixed", shares).of_decision[0])

    def _down(self, hero: int, comes: Floats, p: Floats) -> Floats:
        reach = np.empty_like(p)
        for decisions, rows, _ in self.levels:
            above, theirs = self.tree.parent_edge[self.decision[rows]], self.tree.actor[self.decision[rows]] != hero
            before = comes[None, :] if decisions[0] == 0 else reach[above]
            reach[rows] = before * np.where(theirs[:, None], p[rows], 1.0)
        return reach

    def _levels(self) -> list[tuple[Int64s, Int64s, Int64s]]:
        """Return (decisions, their rows, index of each decision's first row), by the number of actions before them."""
        depth = np.zeros(self.tree.n_decisions, np.int64)
        for decision in range(1, self.tree.n_decisions):  # parents come first
            depth[decision] = depth[self.decision[self.tree.parent_edge[decision]]] + 1
        levels = []
        for level in range(int(depth.max()) + 1):
            decisions, n = np.flatnonzero(depth == level), self.n_actions[depth == level]
            levels.append((decisions, np.flatnonzero(depth[self.decision] == level), np.cumsum(n) - n))
        return levels

    def _matrices(self) -> tuple[list[Floats], list[Floats]]:
        """Return two matrices for each hero, `[hero][own hand, other's hand]`: 1 if the hands share no card, otherwise
        0; and 1, 0 or -1 if the hero wins, ties or loses."""
        high, low = self.cells.high, self.cells.low
        apart = (high[:, None] != high) & (low[:, None] != low) & (high[:, None] != low) & (low[:, None] != high)
        rank = rank_combos(self.cells.board)[self.cells.combos]
        better = apart * np.sign(rank[:, None] - rank)
        (own, other) = self.hands
        pairs = ((own, other), (other, own))
        return [apart[pair].astype(float) for pair in pairs], [better[pair].astype(float) for pair in pairs]


class SmallRiverCfr:
    """The engine of small rivers; see `core.solve`. Its arrays, and `offer`, are those of `cfr.SubgameCfr`."""

    def __init__(self, subgame: Problem, variant: Variant | None = None, *, offer: Offer | None = None) -> None:
        self.subgame, self.variant, self.offer = subgame, variant or VARIANTS["dcfr"], offer
        if offer is not None:
            offer.check(subgame)
        self.passes = RiverPasses(subgame)

    first_look = 12
    few_looks = True

    @property
    def about(self) -> Mapping[str, Any]:
        return {**self.subgame.about, "solver": "subgame", "variant": self.variant.name}

    def init(self) -> Arrays:
        """The arrays before the first iteration: `regret0[row, 0, hand]` and `sums0[row, 0, hand]`, all zero."""
        names = ["regret0", "sums0"] + (["ahead0"] if self.variant.predictive else [])
        shape = (self.subgame.tree.n_edges, 1, self.passes.cells.n_hands)
        arrays: Arrays = {"iteration": np.array(0), **{name: np.zeros(shape, np.float32) for name in names}}
        return arrays if self.offer is None else arrays | self.offer.init(predictive=self.variant.predictive)

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Run `n` iterations: player 0 learns against player 1, then player 1 against the new player 0."""
        for t in range(int(arrays["iteration"]) + 1, int(arrays["iteration"]) + n + 1):
            for hero in (0, 1):
                self._learn(arrays, hero, t)
            arrays["iteration"] = np.array(t)
        return arrays

    def strategy(self, arrays: Arrays) -> Strategy:
        """The average strategy, float32."""
        average = Strategy.from_sums(self.subgame.tree, self.subgame.cells, [arrays["sums0"][:, 0]])
        p = average.p[0].astype(np.float32)
        for decision, lock in () if self.subgame.locks is None else self.subgame.locks.at.items():
            rows = slice(self.passes.first_row[decision], self.passes.first_row[decision] + len(lock))
            p[rows] = imposed(arrays["sums0"][rows, 0], lock)
        return replace(average, p=(p,))

    def evaluate(self, arrays: Arrays) -> Evaluation:
        sums, passes = arrays["sums0"], self.passes
        if self.offer is not None:
            shares = passes.cells.per_hand(0), passes.cells.per_hand(1)
            return self.offer.evaluation(arrays, partial(passes.of_hands, sums), shares)
        value = passes.total(0, passes.run(0, sums).of_decision[0])
        raked = bool(self.subgame.tree.rules.rake)
        other = passes.total(1, passes.run(1, sums).of_decision[0]) if raked else -value
        best = [passes.total(hero, passes.run(hero, sums, "best").of_decision[0]) for hero in (0, 1)]
        heroes = () if self.subgame.locks is None else (0, 1)
        free = tuple(passes.total(hero, passes.run(hero, sums, "unlocked").of_decision[0]) for hero in heroes)
        return Evaluation(value, (best[0], best[1]), -value - other, free)

    def _learn(self, arrays: Arrays, hero: int, t: int) -> None:
        """Make one pass that updates the hero's regrets and the other player's sums."""
        variant, tree, passes = self.variant, self.subgame.tree, self.passes
        shares = None if self.offer is None else self.offer.shares(arrays, hero)
        done = passes.run(hero, arrays["ahead0" if variant.predictive else "regret0"], shares=shares)
        if self.offer is not None:
            self.offer.learn(arrays, hero, passes.spread(hero, done.of_decision[0]), variant, t)
        own = tree.actor[passes.decision] == hero
        mine, theirs = (
            np.ix_(rows, [0], range(*passes.cells.hands_of[q])) for rows, q in ((own, hero), (~own, 1 - hero))
        )
        regrets = done.value - done.of_decision[passes.decision]
        for rows, lock in passes.locked(hero):
            regrets[rows] = locked_regrets(done.p[rows], done.value[rows], lock)
        now = regrets[own][:, None, :]
        before = arrays["regret0"][mine].astype(np.float64)
        regret = before * np.where(before > 0, variant.positive(t), variant.negative(t)) + now
        regret = np.maximum(regret, 0.0) if variant.floor else regret
        arrays["regret0"][mine] = regret
        if variant.predictive:
            arrays["ahead0"][mine] = regret * variant.positive(t + 1) + now
        arrays["sums0"][theirs] = arrays["sums0"][theirs] * variant.weight(t) + done.reach[~own][:, None, :]
