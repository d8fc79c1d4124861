"""Estimate from solved flops how much more than its equity each class of hands wins after the flop.

A pot is solved on each flop of a library with the ranges that arrive there (`solved_flop`). For each class, the
expected value minus the equity is averaged over these flops. From these means follow each player's gains
(`solvers.preflop.preflop_cfr.PotValue`). They are chosen so that, with the same ranges, the pot is divided as on the
solved flops:

    gain0[a] - mean over b of gain1[b] = value - equity of class a, and likewise for the other player

where b is weighted by how often the other player holds each class, given a. The equity is that on the same flops, not
on all flops; this removes most of the error from having few flops. Classes that are not in a range get their gain from
a regression on equity and features of the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Indices
from pokerlab.cards.card import N_CARDS
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, live_combos
from pokerlab.policies.spots import spot_at
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.preflop.class_pairs import CLASS_SIZE, class_pairs
from pokerlab.solvers.preflop.preflop_cfr import PotValue
from pokerlab.solvers.subgames.compact import CompactCfr
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.trees.sizes import sizes_by_situation
from pokerlab.valuing.spot_values import spot_values

CHIPS = 100  #: chips per big blind on the solved flops
ALGORITHM = "hs-dcfr+"
WEAKER = 0.2
"""Classes outside a range get at most this quantile of the gains of the classes in it."""
LUCK = 8
"""Number of flops at which a class's own mean and the regression have equal weight."""


class FlopTree(NamedTuple):
    """Betting sizes on the flop and later, and the accuracy at which a flop counts as solved."""

    bet: float = 67.0  # bet size in percent of the pot
    max_raises: int = 1  # maximum bets and raises per street
    all_in_from: float = 60.0  # a bet above this percentage of the chips left becomes all-in
    target_percent: float = 1.0
    iterations: int = 60


def flop_sizes(tree: FlopTree) -> str:
    """Bet sizes in the grammar of `trees.sizes`. There are no bets into the player who bet last on the previous
    street."""
    bet = f"{tree.bet:g}"
    return sizes_by_situation(
        bets=bet, raises=bet, reraises="", donks="none", all_in_from=tree.all_in_from, merge_within=0
    )


class FlopSums(NamedTuple):
    """Sums over the combos of each class, `[player, class]`, and the exploitability as a share of the pot."""

    met: Floats  # weight of the other player's hands that can be dealt with it
    value: Floats  # `met` times the share of the pot that it wins
    equity: Floats  # `met` times its equity
    exploitability: float


def solved_flop(flop: Sequence[int], weights: Floats, *, chips: float, behind: float, tree: FlopTree) -> FlopSums:
    """Solve a flop. `weights[player, class]` are the ranges (the player out of position first); `chips` in the pot and
    `behind` are in big blinds.

    >>> both = np.zeros((2, N_CLASSES))
    >>> both[0, [0, 2 * 14]] = both[1, [14, 3 * 14]] = 1.0  # AA and QQ against KK and JJ
    >>> sums = solved_flop((1, 18, 35), both, chips=20, behind=10, tree=FlopTree())
    >>> ((sums.value[0] / np.maximum(sums.met[0], 1e-9))[[0, 28]] > 0.5).tolist()
    [True, False]
    """
    pot = 2 * round(chips * CHIPS / 2)
    of_combo = weights[0][CLASS_OF_COMBO], weights[1][CLASS_OF_COMBO]
    game = make_subgame(
        flop, of_combo, pot=pot, stack=round(behind * CHIPS), sizes=flop_sizes(tree), max_raises=tree.max_raises
    )  # fmt: skip
    engine = CompactCfr(game, variant(ALGORITHM), threads=1, most_kept=0)
    solution = solve(engine, iterations=tree.iterations, target=tree.target_percent / 100 * pot)
    values = spot_values(spot_at(solution.strategy, ""), threads=1)
    assert values is not None, "the first decision is always reached"
    live = live_combos(sum(1 << card for card in flop))
    met, value, equity = np.zeros((3, 2, N_CLASSES))
    for player in (0, 1):
        here = live & (of_combo[player] > 0)
        weight = np.where(here, met_by(np.where(live, of_combo[1 - player], 0.0)), 0.0)
        for sums, each in ((met, 1.0), (value, values.value[player] / pot), (equity, values.equity[player])):
            sums[player] = np.bincount(CLASS_OF_COMBO, np.nan_to_num(weight * each), minlength=N_CLASSES)
    return FlopSums(met, value, equity, solution.exploitability / pot)


def met_by(weights: Floats) -> Floats:
    """`met[combo]`: total weight of the combos that share no card with it.

    >>> from pokerlab.cards.ranges import parse_range
    >>> float(met_by(parse_range("AA"))[-1])  # ace of spades and ace of hearts
    1.0
    """
    high, low = CARDS_OF_COMBO.T.astype(np.intp)
    by_card = np.bincount(high, weights, minlength=N_CARDS) + np.bincount(low, weights, minlength=N_CARDS)
    return np.asarray(weights.sum() - by_card[high] - by_card[low] + weights)


def pot_value(weights: Floats, met: Floats, value: Floats, equity: Floats, *, flops: int) -> PotValue:
    """Compute the gains of a pot from `weights[player, class]` and sums over `flops`, `[player, class]`."""
    held = [np.flatnonzero((weights[q] > 0) & (met[q] > 0)) for q in (0, 1)]
    extra = [(value[q] - equity[q])[held[q]] / met[q][held[q]] for q in (0, 1)]
    other = [_given(weights[1 - q], held[q], held[1 - q]) for q in (0, 1)]
    matrix = np.block([[np.eye(len(held[0])), -other[0]], [-other[1], np.eye(len(held[1]))]])
    solved = np.linalg.lstsq(matrix, np.concatenate(extra), rcond=1e-9)[0]
    both = np.split(solved, [len(held[0])])
    # a constant that changes no share of the pot
    shift = float(_weighted(both[1], weights[1][held[1]] * CLASS_SIZE[held[1]]))
    first, second = (
        _everywhere(held[q], both[q] - shift, weights[q], weights[1 - q], flops) for q in (0, 1)
    )  # fmt: skip
    return PotValue(first, second)


def _given(weights: Floats, own: Indices, others: Indices) -> Floats:
    """`[own class, other class]`: frequencies of the other player's classes, given one's own class."""
    pairs = class_pairs().chance[np.ix_(own, others)] * weights[others]
    return np.asarray(pairs / pairs.sum(axis=1, keepdims=True))


def _weighted(values: Floats, weights: Floats) -> float:
    return float((values * weights).sum() / weights.sum())


def _everywhere(held: Indices, gains: Floats, own: Floats, other: Floats, flops: int) -> Floats:
    """Extend gains to all classes. Gains of classes in the range are shrunk towards a regression, more strongly if
    there were few flops, because the mean of a class is then mostly luck. Other classes get the value of the
    regression, limited to that of the weaker classes in the range. They are outside the range because they seemed to
    lose; if a guess made them profitable, far too many would enter the range in the next round."""
    features = class_features(other)
    trust = np.sqrt(CLASS_SIZE[held] * (0.05 + own[held]))[:, None]
    penalty = 0.1 * np.eye(features.shape[1])
    rows, targets = np.vstack([features[held] * trust, penalty]), np.append(gains * trust[:, 0], np.zeros(len(penalty)))
    found = features @ np.linalg.lstsq(rows, targets, rcond=None)[0]
    found = np.clip(found, gains.min(), gains.max())
    outside = np.setdiff1d(np.arange(N_CLASSES), held)
    found[outside] = np.minimum(found[outside], np.quantile(gains, WEAKER))
    found[held] += (gains - found[held]) * flops / (flops + LUCK)
    return np.asarray(found)


def class_features(other: Floats) -> Floats:
    """`[class, feature]`: inputs of the regression. They are a constant one, the equity against the range `other` and
    its square, and whether the class is suited, paired, connected or has a high card."""
    pairs = class_pairs()
    equity = (pairs.won @ other) / (pairs.chance @ other)
    row, column = np.divmod(np.arange(N_CLASSES), 13)
    gap = abs(row - column)
    return np.stack(
        [np.ones(N_CLASSES), equity, equity**2, column > row, gap == 0, (gap > 0) / np.maximum(gap, 1),
         (12 - np.minimum(row, column)) / 12],
        axis=1,
    ).astype(float)  # fmt: skip


def first_guess(chips: float, behind: float) -> PotValue:
    """Gains to start with, before any flop is solved: strong hands, suited hands and the later position win more than
    their equity."""
    features = class_features(np.ones(N_CLASSES))
    depth = min(1.0, float(np.sqrt(behind / chips / 16)))
    gain = depth * (0.8 * (features[:, 1] - 0.5) + 0.04 * features[:, 3])
    return PotValue(gain - 0.04 * depth, gain + 0.04 * depth)
