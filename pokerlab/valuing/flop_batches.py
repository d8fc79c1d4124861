"""Solve a pot on many flops at once in JAX, meant for a GPU. For each flop it gives the same as
`flop_gains.solved_flop`.

All flops of a library are one axis of the arrays (`jax.vmap` of the passes of `solvers.subgames`). A program is
compiled for each betting tree and each rounded number of hands. Boards that differ only by suits are not merged. The
number of iterations is fixed; values and best responses are float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import jax
import numpy as np

from pokerlab.arrays import Floats, Int16s, Int64s
from pokerlab.cards.card import N_CARDS
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, N_COMBOS, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.subgames.batches import end_stakes, tree_shape
from pokerlab.solvers.subgames.level_passes import LevelPasses, kernels
from pokerlab.solvers.subgames.levels import street_levels
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.solvers.subgames.walks import make_walks
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.valuing.flop_gains import ALGORITHM, CHIPS, FlopSums, FlopTree, flop_sizes, met_by

ROUNDED_HANDS = (64, 384, 768, 1344)
"""Numbers of hands are rounded up to one of these, so that few programs are compiled."""

_CARDS_AXES = kernels.LevelCards(players=None, ranges=0, live=0, streets=0, rank=0, stakes=None)  # type: ignore[arg-type]


class FlopPasses:
    """Compiled passes over many flops, for trees of one shape with any chip amounts."""

    def __init__(self, tree: BettingTree) -> None:
        self.tree, self.walks = tree, [of_heroes[0] for of_heroes in make_walks(tree)]
        self.variant = variant(ALGORITHM)
        self.passes = LevelPasses(street_levels(tree), self.variant)
        streets = self.passes.streets
        iterations = partial(kernels.iterations, streets, self.variant.floor)
        self._step = jax.jit(jax.vmap(iterations, in_axes=(_CARDS_AXES, 0, None, None)), donate_argnums=1)
        self._values = jax.jit(jax.vmap(partial(_values, streets), in_axes=(_CARDS_AXES, 0)))

    def values(self, cards: kernels.LevelCards, iterations: int) -> list[Floats]:
        """Run `iterations`. Return arrays `[flop, hand]`: each player's values, then the values of its best
        response."""
        one = kernels.LevelCards(cards.players, *(jax.tree.map(lambda a: a[0], each) for each in cards[1:5]))
        n = len(cards.ranges[0])
        tables = kernels.LevelTables(
            *(
                tuple(
                    tuple(jax.numpy.zeros((n, *shape), np.float32) for shape in levels)
                    for levels in self.passes.shapes(one)
                )
                for _ in range(2)
            )
        )
        if iterations:
            v = self.variant
            at = [[f(t) for f in (v.positive, v.negative, v.weight)] for t in range(1, iterations + 1)]
            tables = self._step(cards, tables, np.array(at, np.float32), np.int32(iterations))
        found = self._values(cards, tables.sums)
        return [np.asarray(each, np.float64)[:, 0] for each in found]

    def stakes(self, tree: BettingTree, n_turns: int) -> tuple[Any, ...]:
        """Chips at the terminal nodes of a tree with the same shape, in the form of `LevelCards.stakes`."""
        *earlier, last = end_stakes([tree], self.walks)
        return (*earlier, jax.tree.map(lambda stake: np.repeat(stake, n_turns, axis=1), last))


def _values(streets: Any, cards: Any, sums: Any) -> list[Any]:
    tables = kernels.LevelTables(sums, sums)
    ways = ((0, kernels.FIXED), (1, kernels.FIXED), (0, kernels.BEST), (1, kernels.BEST))
    return [kernels.from_root(streets, cards, hero, mode, tables, None, None)[0] for hero, mode in ways]


_PASSES: dict[bytes, FlopPasses] = {}


def _passes_of(tree: BettingTree) -> FlopPasses:
    shape = tree_shape(tree)
    if shape not in _PASSES:
        _PASSES[shape] = FlopPasses(tree)
    return _PASSES[shape]


def solved_flops(
    flops: Sequence[Sequence[int]], weights: Floats, *, chips: float, behind: float, tree: FlopTree
) -> list[FlopSums]:
    """Return the result of `flop_gains.solved_flop` for each of `flops`, after exactly `tree.iterations` iterations."""
    pot = 2 * round(chips * CHIPS / 2)
    ranges = "AA", "KK"  # any flop will do, since only the betting of this subgame is used
    betting = make_subgame(
        flops[0], ranges, pot=pot, stack=round(behind * CHIPS), sizes=flop_sizes(tree), max_raises=tree.max_raises
    ).tree
    checks = make_subgame(flops[0], ranges, pot=2, stack=1, sizes="none").tree
    passes, checking = _passes_of(betting), _passes_of(checks)
    combos, cards = _flop_cards(tuple(tuple(map(int, flop)) for flop in flops), weights)
    cards = jax.device_put(cards)
    n_turns = N_CARDS - 3
    values = passes.values(cards._replace(stakes=passes.stakes(betting, n_turns)), tree.iterations)
    wins = checking.values(cards._replace(stakes=checking.stakes(checks, n_turns)), 0)
    return [
        _sums(flop, weights, combos, [of[number] for of in values], [of[number] for of in wins], pot)
        for number, flop in enumerate(flops)
    ]


def _sums(
    flop: Sequence[int],
    weights: Floats,
    combos: Sequence[Int64s],
    values: Sequence[Floats],
    wins: Sequence[Floats],
    pot: float,
) -> FlopSums:
    """The sums of one flop. `values` by hand are in chips; `wins` by hand are probabilities of winning minus those of
    losing."""
    live = live_combos(sum(1 << int(card) for card in flop))
    of_combo = [np.where(live, weights[q][CLASS_OF_COMBO], 0.0) for q in (0, 1)]
    met, value, equity = np.zeros((3, 2, N_CLASSES))
    best = 0.0
    for player, own in enumerate(combos):
        other = of_combo[1 - player]
        total = other.sum()
        weight = met_by(other)[own] * (live[own] & (own >= 0) & (of_combo[player][own] > 0))
        there, share = CLASS_OF_COMBO[own], weight > 0
        chips = np.where(share, values[player] * total, 0.0)  # in the passes, the weights of a range add up to one
        odds = np.where(share, wins[player] * total, 0.0)
        met[player] = np.bincount(there, weight, minlength=N_CLASSES)
        value[player] = np.bincount(there, 0.5 * weight + chips / pot, minlength=N_CLASSES)
        equity[player] = np.bincount(there, 0.5 * weight + 0.5 * odds, minlength=N_CLASSES)
        own_weight = of_combo[player][own] * share
        gained = np.where(share, (values[2 + player] - values[player]) * total, 0.0)
        best += float(own_weight @ gained) / float(own_weight @ weight)
    return FlopSums(met, value, equity, best / 2 / pot)


def _flop_cards(flops: tuple[tuple[int, ...], ...], weights: Floats) -> tuple[list[Int64s], kernels.LevelCards]:
    """Return (combos of both players, padded with -1; cards of all flops, as arguments of the kernels)."""
    held_by = [np.flatnonzero(weights[q][CLASS_OF_COMBO] > 0) for q in (0, 1)]
    n = next(n for n in ROUNDED_HANDS if n >= max(map(len, held_by)))
    combos = [np.concatenate([own, np.full(n - len(own), -1)]) for own in held_by]
    held = np.zeros((N_COMBOS + 1, N_CARDS), np.float32)  # index -1 takes the last row
    np.put_along_axis(held[:-1], CARDS_OF_COMBO.astype(np.int64), 1, axis=1)
    players = []
    for own, other in (combos, combos[::-1]):
        where = np.full(N_COMBOS + 1, -1, np.int32)
        where[other[other >= 0]] = np.flatnonzero(other >= 0)
        both = CARDS_OF_COMBO[own].T.astype(np.int32)  # padding (-1) is never live
        double = np.where(own >= 0, where[own], -1)
        players.append(kernels.PlayerCards(held[own], both, double, np.arange(n, dtype=np.int32)[None]))
    left, ranks = _runouts(flops)
    on_flop = np.zeros((len(flops), N_CARDS), np.float32)
    np.put_along_axis(on_flop, np.array(flops), 1, axis=1)
    live, ranges, turns, rivers, rank = [], [], [], [], []
    for q, own in enumerate(combos):
        out = held[own]
        alive = ((on_flop @ out.T == 0) & (own >= 0)).astype(np.float32)  # arrays: [flop, hand]
        weight = np.where(own >= 0, weights[q][CLASS_OF_COMBO[own]], 0.0) * alive
        live.append(alive[:, None])
        ranges.append((weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)[:, None])
        turn = 1 - out[:, left].transpose(1, 2, 0)  # arrays: [flop, turn, hand]
        others = left[:, _OTHERS]  # arrays: [flop, turn, river]
        rivers.append((1 - out[:, others].transpose(1, 2, 3, 0)) * turn[:, :, None])
        turns.append(turn[:, None])
        rank.append(np.where(own >= 0, ranks[..., own], 0))
    n_turns, n_rivers = _OTHERS.shape
    deals = (
        np.full((len(flops), 1, 1, n_turns), 1 / (n_turns - 4)),  # four cards are in the players' hands
        np.full((len(flops), n_turns, 1, n_rivers), 1 / (n_rivers - 4)),
    )
    streets = tuple(
        kernels.StreetCards(tuple(of), share.astype(np.float32))
        for of, share in zip((turns, rivers), deals, strict=True)
    )
    return combos, kernels.LevelCards((players[0], players[1]), tuple(ranges), tuple(live), streets, tuple(rank))


_OTHERS: Int64s = np.array([[b for b in range(N_CARDS - 3) if b != a] for a in range(N_CARDS - 3)])
"""`[turn, river]`: for each turn, the indices of its rivers. Turns and rivers are numbered among the cards left by the
flop."""


@lru_cache(maxsize=2)
def _runouts(flops: tuple[tuple[int, ...], ...]) -> tuple[Int64s, Int16s]:
    """Return (`left[flop, place]`: the undealt cards; `rank[flop, turn, river, combo]`)."""
    left = np.array([[card for card in range(N_CARDS) if card not in flop] for flop in flops])
    ranks = np.zeros((len(flops), *_OTHERS.shape, N_COMBOS), np.int16)
    for number, flop in enumerate(flops):
        for a in range(len(left[0])):
            for b in range(a):
                of = rank_combos((*flop, int(left[number, a]), int(left[number, b])))
                ranks[number, a, b] = of  # for b < a, card b has index b among the rivers of turn a
                ranks[number, b, a - 1] = of
    return left, ranks
