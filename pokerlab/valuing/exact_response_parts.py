"""Where a best response's winnings come from: by preflop betting, by kind of flop, by its own hand.

The response's preflop actions are those that are best over all measured flops. Given these actions, its winnings are a
sum over the ways in which the preflop betting can end. Where the betting leads to a flop, the term is a mean over
flops. All breakdowns add up to the same total.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb, sqrt
from typing import Any

import numpy as np

from pokerlab.arrays import Bools, Floats
from pokerlab.cards.board_texture import texture
from pokerlab.cards.combos import N_CLASSES, N_COMBOS
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.estimates import Estimate, bare, exact, margin
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.valuing.exact_response import Measurement
from pokerlab.valuing.exact_response_estimate import COMBOS_IN_CLASS, N_FLOPS, N_RAW_FLOPS, mean_exits
from pokerlab.valuing.street_betting import FOLD, HERO, ON, OPPONENT, Shape

UNITS = "chips_per_hand"
PAIRS = N_COMBOS * comb(50, 2)  #: number of pairs of two hands without a common card


@dataclass(frozen=True, eq=False)
class ResponseParts:
    """The parts of the best response's winnings in one seat, in chips per hand."""

    measurement: Measurement
    seat: int

    @cached_property
    def _weights(self) -> Floats:
        return np.asarray(canonical_boards(3)[1][self.measurement.flops], np.float64)

    @cached_property
    def _exits(self) -> Floats:
        """`value[leaf, class]`, averaged over the measured flops."""
        return mean_exits(self.measurement.values[self.seat], self._weights)

    @cached_property
    def _routes(self) -> dict[tuple[str, int], Bools]:
        """For each leaf of the preflop betting, a mask of the classes of hands whose best actions lead to it."""
        preflop = self.measurement.preflop[self.seat]

        def value(node: Shape) -> Any:
            if node[0] not in (HERO, OPPONENT):
                return preflop.folds[node[1]] if node[0] == FOLD else self._exits[node[1]]
            children = np.stack([value(child) for child in node[1]])
            return children.max(axis=0) if node[0] == HERO else children.sum(axis=0)

        def walk(node: Shape, classes: Bools) -> Iterator[tuple[tuple[str, int], Bools]]:
            if node[0] not in (HERO, OPPONENT):
                yield (node[0], node[1]), classes
                return
            best = np.stack([value(child) for child in node[1]]).argmax(axis=0)
            for number, child in enumerate(node[1]):
                yield from walk(child, classes & (best == number) if node[0] == HERO else classes)

        return dict(walk(preflop.shape, np.ones(N_CLASSES, bool)))

    def by_line(self) -> dict[str, Estimate]:
        """Winnings by preflop betting line, in the order of the betting tree."""
        preflop, tree = self.measurement.preflop[self.seat], self.measurement.strategy.tree
        parts = {}
        for (kind, number), line in line_names(tree, self.seat).items():
            hands = COMBOS_IN_CLASS * self._routes[kind, number]
            if kind == FOLD:
                parts[line] = exact(float(preflop.folds[number] @ hands / PAIRS), units=UNITS)
            else:
                parts[line] = self._mean(self._on_flops(number))
        return parts

    def by_texture(self) -> dict[str, tuple[float, Estimate]]:
        """Return (share of all flops, winnings on such flops) by the flop's suits and pairs."""
        boards = canonical_boards(3)[0][self.measurement.flops]
        kinds = [texture([int(card) for card in board]) for board in boards]
        names = np.array([f"{kind.suits}, {kind.pairs}" for kind in kinds])
        won = np.sum([self._on_flops(number) for kind, number in self._routes if kind == ON], axis=0)
        parts = {}
        for name in sorted(set(names), key=lambda name: -self._weights[names == name].sum()):
            of_kind = names == name
            share = float(self._weights[of_kind].sum() / self._weights.sum())
            parts[str(name)] = share, self._mean(won, of_kind)
        return parts

    def by_class(self) -> Floats:
        """`chips[class]`: winnings of each class of hands."""
        preflop = self.measurement.preflop[self.seat]
        won: Floats = np.zeros(N_CLASSES)
        for (kind, number), classes in self._routes.items():
            won += np.where(classes, preflop.folds[number] if kind == FOLD else self._exits[number], 0)
        return won / comb(50, 2)

    def _on_flops(self, number: int) -> Floats:
        """`chips[flop]`: winnings per hand on each flop, after the preflop betting with the leaf `number`."""
        hands = COMBOS_IN_CLASS * self._routes[ON, number]
        scale = N_RAW_FLOPS / comb(48, 3) / PAIRS
        return np.asarray(self.measurement.values[self.seat][:, number] @ hands * scale)

    def _mean(self, values: Floats, which: Bools | None = None) -> Estimate:
        """Weighted mean over the measured flops, or over those in `which`; exact if all flops were measured."""
        which = np.ones(len(values), bool) if which is None else which
        values, weights = values[which], self._weights[which]
        mean, n = float(weights @ values / weights.sum()), len(values)
        if len(self.measurement.flops) == N_FLOPS:
            return exact(mean, units=UNITS)
        if n == 1:
            return bare(mean, n=n, units=UNITS, method="flops")
        left = 1 - len(self.measurement.flops) / N_FLOPS
        spread = left * n / (n - 1) * ((weights * (values - mean)) ** 2).sum() / weights.sum() ** 2
        half = margin(sqrt(spread), n)
        return Estimate(mean, mean - half, mean + half, n, UNITS, "flops")


def line_names(tree: BettingTree, hero: int) -> dict[tuple[str, int], str]:
    """Names of the preflop betting lines by leaf, with leaves numbered as in `street_betting`.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.trees.betting_tree import build_tree
    >>> names = line_names(build_tree(game("limit2p")), hero=0)
    >>> names["fold", 0], names["on", 0], names["on", 4], len(names)
    ('fold', 'call, check', 'raise, call', 14)
    """
    numbers: dict[str, int] = {ON: 0, FOLD: 0}
    names: dict[tuple[str, int], str] = {}

    def walk(decision: int, words: tuple[str, ...]) -> None:
        for edge in tree.edges(decision):
            child, said = int(tree.child[edge]), (*words, tree.name(edge).split()[0])
            if child >= 0 and tree.street[child] == 0:
                walk(child, said)
                continue
            kind = FOLD if child < 0 and not tree.showdown[~child] else ON
            names[kind, numbers[kind]] = ", ".join(said)
            numbers[kind] += 1

    walk(0, ())
    return names
