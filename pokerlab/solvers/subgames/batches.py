"""Solve many rivers or turns at once in JAX: spots with the same betting tree but different boards, ranges and chips.

Each spot is one of the first boards of `_levels_jax`, with its own ranges and ranks of hands. So an iteration computes
all spots together, in a few large operations that use a GPU well. A player's hands are those that occur in any spot's
range. All iterations between two measurements are one call of a compiled program; measurements are in float64. A batch
ends when every spot meets the target; spots that met it earlier go on and become more exact.

Numbers of hands and spots are rounded up, since a `BatchCfr` compiles once for each size. If there are too many spots
for the memory, they are solved in parts of equal size.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.ranges import parse_range
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> tree = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p").tree
>>> boards = [cards("Ks7h2d5c8s"), cards("Ks7h2d5c8h")]
>>> solution = BatchCfr(tree).solve(boards, (parse_range("AA, JTs"), parse_range("KQ")), target=0.1)
>>> solution.value.round().tolist(), bool((solution.exploitability <= 0.1).all())
([40.0, 40.0], True)

Locks (`locking`) hold on every spot; with rake and with locks values and exploitability are those of `cfr`.

References
----------
Johanson et al. (2011), "Accelerating best response calculation in large extensive games" (all hands at once).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pokerlab.abstraction.subgame_cells import FINAL, SubgameCells
from pokerlab.arrays import Floats, Floats32, Int64s
from pokerlab.cards.card import N_CARDS, cards_text, check_distinct
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.ranges import Range, range_text
from pokerlab.errors import CardError, PokerlabError, RulesError
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.cost import available_memory, device_memory
from pokerlab.solvers.core.best_response import stakes
from pokerlab.solvers.core.locks import FREE, Locks
from pokerlab.solvers.core.solve import CLOSE, Look, is_early, milestones
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.subgames.level_passes import LevelPasses, kernels, ways_of
from pokerlab.solvers.subgames.levels import level_locks, street_levels
from pokerlab.solvers.subgames.locking import parse_locks
from pokerlab.solvers.subgames.walks import StreetWalk, make_walks
from pokerlab.trees.betting_tree import BettingTree

FIRST_LOOK = 16
HAND_UNIT = 64  #: numbers of hands are rounded up to a multiple of this
SHARE = 0.5  #: share of the device's memory that a part may take


class Spots(NamedTuple):
    """Subgames that differ in board, ranges and chips."""

    boards: Int64s  # boards[spot, card]
    weights: tuple[Floats, Floats]  # by player: [spot, combo]; 0 for combos that contain a card of the board
    trees: tuple[BettingTree, ...]  # trees[spot]; all have the same shape
    target: Floats  # target[spot]: in chips
    # locks[spot]: as for a subgame solved alone with `merge_suits=False`; empty without locks
    locks: tuple[Locks, ...] = ()

    def rows(self, which: Int64s) -> Spots:
        """Spots with the indices `which`."""
        weights = self.weights[0][which], self.weights[1][which]
        trees, locks = (tuple(of[i] for i in which.tolist() if of) for of in (self.trees, self.locks))
        return Spots(self.boards[which], weights, trees, self.target[which], locks)

    def cells(self, spot: int) -> SubgameCells:
        """Return the card cells of the spot with the index `spot`, as a subgame with this spot alone has them."""
        return SubgameCells(self.boards[spot].tolist(), [of[spot] for of in self.weights], merge_suits=False)


class HandSets(NamedTuple):
    """Combos of each player that occur in any spot's range, padded with -1 to a rounded number."""

    combos: tuple[Int64s, Int64s]


@dataclass(frozen=True, eq=False)
class BatchSolution:
    """Solutions of all spots; values are chips per hand."""

    spots: Spots
    hands: HandSets
    value: Floats  # value[spot]: to player 0
    best_response: Floats  # best_response[spot, player]
    rake: Floats  # rake[spot]: chips that the house takes
    iterations: Int64s  # iterations[spot]
    seconds: float  # time of iterations and measurements, with compilation
    sums: tuple[tuple[Floats32, ...], ...]  # sums[street][level]: strategy sums [spot, row, board, hand]

    @property
    def exploitability(self) -> Floats:
        """Return, for each spot, the mean of the two players' gains from playing a best response."""
        return np.asarray((self.best_response.sum(axis=1) + self.rake) / 2)

    def strategy(self, spot: int) -> Strategy:
        """Average strategy of one spot, in the form of a subgame solved alone with `merge_suits=False`."""
        board, weights = self.spots.boards[spot].tolist(), [of[spot] for of in self.spots.weights]
        tree, cells = self.spots.trees[spot], self.spots.cells(spot)
        rules = replace(tree.rules, board=tuple(board), ranges=tuple(map(range_text, weights)))
        tree = replace(tree, rules=rules)
        out = []
        for street, levels in enumerate(street_levels(tree)):
            sums = np.zeros((levels.n_rows, cells.n_boards[street], cells.n_hands))
            for level, of_spots in zip(levels.levels, self.sums[street], strict=True):
                own = slice(*cells.hands_of[level.actor])
                combos = self.hands.combos[level.actor]
                order = np.argsort(combos)
                at = order[np.searchsorted(combos, cells.combos[own], sorter=order)]
                sums[level.rows, :, own] = of_spots[spot][:, :, at]
            out.append(sums.reshape(levels.n_rows, -1))
        solved = Strategy.from_sums(tree, cells, out)
        if self.spots.locks:
            self.spots.locks[spot].impose(tree, solved.p)
        return replace(solved, p=tuple(p.astype(np.float32) for p in solved.p))


class BatchCfr:
    """Solves many rivers, or many turns, at once. Their betting has the shape of `tree`; pots and stacks may differ."""

    def __init__(self, tree: BettingTree, variant: Variant | None = None) -> None:
        if len(tree.rules.board) not in (FINAL - 1, FINAL):
            raise RulesError(f"{tree.rules.name}: batches are of turns or rivers")
        self.tree, self.walks = tree, [of_heroes[0] for of_heroes in make_walks(tree)]
        self.passes = LevelPasses(street_levels(tree), variant or VARIANTS["dcfr"])

    def solve(
        self,
        boards: Sequence[Sequence[int]],
        ranges: tuple[Range, Range],
        *,
        target: float | Floats,
        iterations: int = 1000,
        trees: Sequence[BettingTree] | None = None,
        lock: str = "",
        most: int | None = None,
    ) -> BatchSolution:
        """Solve all spots to an exploitability of `target` chips (one number, or [spot]), or for `iterations`.

        `ranges` are weights [combo] (the same on every board) or [spot, combo]. `trees` are the trees of the spots, if
        pots and stacks differ; their shape must be that of the batch's tree (`tree_shape`). `lock` fixes what players
        do on every spot (`locking`). `most` is the maximum number of spots in memory at once; by default as many as
        fit.
        """
        began = time.perf_counter()
        weights = live_weights(boards, ranges, len(self.tree.rules.board))
        trees = tuple(trees or [self.tree] * len(boards))
        if len(trees) != len(boards) or any(tree_shape(tree) != tree_shape(self.tree) for tree in {*trees}):
            raise PokerlabError("every spot of a batch has a tree of the same shape")
        spots = Spots(np.array(boards, np.int64), weights, trees, np.broadcast_to(target, len(boards)))
        if lock:
            spots = spots._replace(locks=self._locks(spots, ranges, lock))
        hands = HandSets(tuple(rounded_hands(of) for of in spots.weights))  # type: ignore[arg-type]
        n = len(spots.boards)
        most = most or max(1, int(SHARE * _free_memory() / self.bytes_of_spot(hands, locked=bool(lock))))
        n_parts = -(-n // most)
        size = min(most, rounded_up(-(-n // n_parts)))
        parts = []
        for first in range(0, n, size):
            which = np.arange(first, first + size)
            part = spots.rows(np.where(which < n, which, first))  # padding repeats the first spot
            parts.append(self._part(part, hands, iterations, min(size, n - first)))
        value, best, rake, done, sums = zip(*parts, strict=True)
        together = tuple(
            tuple(levels[0] if len(levels) == 1 else np.concatenate(levels) for levels in zip(*of_parts, strict=True))
            for of_parts in zip(*sums, strict=True)
        )
        return BatchSolution(
            spots, hands, np.concatenate(value), np.concatenate(best), np.concatenate(rake), np.concatenate(done),
            time.perf_counter() - began, together,
        )  # fmt: skip

    def _locks(self, spots: Spots, ranges: tuple[Range, Range], lock: str) -> tuple[Locks, ...]:
        """The locks of each spot."""
        out = []
        for spot, board in enumerate(spots.boards.tolist()):
            texts = tuple(range_text(of if of.ndim == 1 else of[spot]) for of in ranges)
            tree = replace(spots.trees[spot], rules=replace(spots.trees[spot].rules, board=tuple(board), ranges=texts))
            out.append(parse_locks(lock, tree, spots.cells(spot)))
        return tuple(out)

    def bytes_of_spot(self, hands: HandSets, *, locked: bool = False) -> int:
        """Approximate memory of a spot on the device: its tables and, for rivers, the signs of all pairs of hands and a
        measurement's copies of them. A turn's rivers are processed turn by turn, so only their tables count."""
        n_hands = [len(of) for of in hands.combos]
        total = 0
        for number, street in enumerate(self.passes.streets):
            boards = 1 if number == 0 else N_CARDS - FINAL + 1
            numbers = boards * sum(len(level.rows) * n_hands[level.actor] for level in street.levels)
            total += numbers * ((8 if number else 72) + 4 * locked)
        return total + (12 * n_hands[0] * n_hands[1] if len(self.passes.streets) == 1 else 0)

    def _part(
        self, spots: Spots, hands: HandSets, iterations: int, n: int
    ) -> tuple[Floats, Floats, Floats, Int64s, list[list[Floats32]]]:
        """(value, best responses, rake, iterations, sums) of the first `n` spots of one part."""
        cards, shares = self.cards(spots, hands)
        tables, done, looks = self.passes.zeros(cards), 0, list[Look]()
        ways = ways_of(raked=any(tree.rake.any() for tree in {*spots.trees}))
        value = best = rake = np.zeros(0)
        for upto in milestones(iterations, None, CLOSE, first=FIRST_LOOK):
            if looks and upto < iterations and is_early(upto, looks[-1], 1.0):
                continue
            tables, done = self.passes.step(cards, tables, done, upto - done), upto
            by_hand = self.passes.look(cards, tables.sums, ways)
            chips = {way: (of * shares[way[0]]).sum(axis=1)[:n] for way, of in by_hand.items()}
            value = chips[0, kernels.FIXED]
            best = np.stack([chips[hero, kernels.BEST] for hero in (0, 1)], axis=1)
            rake = -value - chips.get((1, kernels.FIXED), -value)
            # largest exploitability, as a multiple of the target
            worst = float(((best.sum(axis=1) + rake) / 2 / spots.target[:n]).max())
            looks.append(Look(done, 0.0, 0.0, worst))
            if worst <= 1:
                break
        sums = [[_by_spot(np.asarray(t), street, n) for t in of] for street, of in enumerate(tables.sums)]
        return value, best, rake, np.full(n, done), sums

    def cards(self, spots: Spots, hands: HandSets) -> tuple[kernels.LevelCards, tuple[Floats, Floats]]:
        """Return (cards and chips of spots on the device, `shares[player][spot, hand]` as from `batch_cards`)."""
        cards, shares = batch_cards(spots, hands)
        if any(tree is not self.tree for tree in spots.trees):
            cards = cards._replace(stakes=end_stakes(spots.trees, self.walks))
        if spots.locks:
            cards = cards._replace(locks=self._level_locks(spots, hands))
        return self.passes.on_device(cards), shares

    def _level_locks(self, spots: Spots, hands: HandSets) -> tuple[tuple[Floats32 | None, ...], ...]:
        """`[street][level]`: the locks of all spots in the layout of tables."""
        cells, out = [spots.cells(spot) for spot in range(len(spots.boards))], []
        for number, street in enumerate(self.passes.streets):
            of_street: list[Floats32 | None] = []
            for level in street.levels:
                combos = hands.combos[level.actor]
                tables = [
                    _of_combos(
                        level_locks(tree, number, level.rows, locks, (own.n_boards[number], own.n_hands)), own, combos
                    )
                    for tree, locks, own in zip(spots.trees, spots.locks, cells, strict=True)
                ]
                if all(table is None for table in tables):
                    of_street.append(None)
                    continue
                shape = (len(level.rows), cells[0].n_boards[number], len(combos))
                stacked = np.stack([np.full(shape, FREE, np.float32) if of is None else of for of in tables])
                if number == 0:  # rows are [row, spot, hand]; on the last street, after one board
                    stacked = stacked[:, :, 0].swapaxes(0, 1)
                    stacked = stacked[None] if len(self.passes.streets) == 1 else stacked
                of_street.append(stacked)
            out.append(tuple(of_street))
        return tuple(out)


def _of_combos(table: Floats32 | None, cells: SubgameCells, combos: Int64s) -> Floats32 | None:
    """Return a spot's locks [row, board, hand] for the hands `combos`; hands that are not in the spot's ranges are
    FREE."""
    if table is None:
        return None
    number = np.full(N_COMBOS + 1, -1)  # index -1 takes the last entry
    number[cells.combos] = np.arange(cells.n_hands)
    return np.where(number[combos] >= 0, table[:, :, number[combos]], np.float32(FREE))


def end_stakes(trees: Sequence[BettingTree], walks: Sequence[StreetWalk]) -> tuple[Any, ...]:
    """Make `LevelCards.stakes` for trees of one shape; `walks[street]` are player 0's walks over it."""
    chips = [np.stack([stakes(tree, hero) for tree in trees], axis=1).astype(np.float32) for hero in (0, 1)]
    rakes = np.stack([tree.rake / 2 for tree in trees], axis=1).astype(np.float32)  # rakes[ending, spot]
    return tuple(
        tuple(
            kernels.EndStakes(
                chips[0][walk.show_ending], of_hero[walk.fold_ending], rakes[walk.show_ending] if rakes.any() else None
            )
            for of_hero in chips
        )
        for walk in walks
    )


def _by_spot(table: Floats32, street: int, n: int) -> Floats32:
    """A table as a view [spot, row, board, hand], for the first `n` spots."""
    if street > 0:  # the previous boards are the spots
        return table[:n]
    # [row, spot, hand]; the last street has the previous board as first axis
    of_spots = table if table.ndim == 3 else table[0]
    return of_spots.swapaxes(0, 1)[:n, :, None]


def tree_shape(tree: BettingTree) -> bytes:
    """The betting of a tree without its chips, as bytes. Trees with the same shape can be solved together."""
    parts = (tree.actor, tree.street, tree.first_edge, tree.child, tree.folded)
    return b"|".join(np.asarray(part).tobytes() for part in parts)


def live_weights(boards: Sequence[Sequence[int]], ranges: tuple[Range, Range], n_cards: int) -> tuple[Floats, Floats]:
    """Ranges `[spot, combo]` on boards of `n_cards` cards, without the combos that conflict with the board."""
    for board in boards:
        check_distinct(board=board)
        if len(board) != n_cards:
            raise CardError(f"every board of a batch has {n_cards} cards, not {cards_text(board)}")
    if not len(boards):
        raise PokerlabError("a batch needs a board")
    live = np.stack([live_combos(sum(1 << int(card) for card in board)) for board in boards])
    one, two = (np.where(live, np.broadcast_to(of, live.shape), 0.0) for of in ranges)
    return one, two


def rounded_hands(weights: Floats) -> Int64s:
    """Combos that occur in any row of `weights[spot, combo]`, padded with -1."""
    combos = np.flatnonzero((weights > 0).any(axis=0))
    return np.concatenate([combos, np.full(-len(combos) % HAND_UNIT, -1)])


def rounded_up(n: int) -> int:
    """Round `n` up by at most an eighth, so that few sizes need compilation.

    >>> [rounded_up(n) for n in (1, 7, 9, 100, 1000)]
    [1, 7, 9, 104, 1024]
    """
    unit = max(1, 1 << max(0, n.bit_length() - 4))
    return -(-n // unit) * unit


def batch_cards(spots: Spots, hands: HandSets) -> tuple[kernels.LevelCards, tuple[Floats, Floats]]:
    """Return (cards of spots in the form of kernels, `shares[player][spot, hand]` that convert values by hand to
    chips)."""
    combos = hands.combos
    held = np.zeros((N_COMBOS + 1, N_CARDS), np.float32)  # index -1 takes the last row
    np.put_along_axis(held[:-1], CARDS_OF_COMBO.astype(np.int64), 1, axis=1)
    weights = [np.where(own >= 0, of[:, own], 0.0) for of, own in zip(spots.weights, combos, strict=True)]
    players = []
    for own, other in (combos, combos[::-1]):
        where = np.full(N_COMBOS + 1, -1, np.int32)
        where[other[other >= 0]] = np.flatnonzero(other >= 0)
        same = np.arange(len(own), dtype=np.int32)[None]
        both = CARDS_OF_COMBO[own].T.astype(np.int32)  # padding (-1) is never possible
        players.append(kernels.PlayerCards(held[own], both, np.where(own >= 0, where[own], -1), same))
    shares = _shares(weights, players, spots)
    ranges = tuple(of / of.sum(axis=1, keepdims=True) for of in weights)
    live = tuple(((held[own] @ _on_board(spots.boards).T == 0) & (own >= 0)[:, None]).T for own in combos)
    live = tuple(of.astype(np.float32) for of in live)
    streets: tuple[kernels.StreetCards, ...] = ()
    if spots.boards.shape[1] == FINAL:
        ranks = np.stack([rank_combos(board) for board in spots.boards.tolist()])[None]
    else:
        streets, ranks = _rivers(spots.boards, held, combos)
    rank = tuple(np.where(own >= 0, ranks[:, :, own], 0) for own in combos)
    return kernels.LevelCards((players[0], players[1]), ranges, live, streets, rank), shares


def _on_board(boards: Int64s) -> Floats32:
    """Return an array `[spot, card]` with 1.0 for the cards of a spot's board, and 0.0 for the others."""
    out = np.zeros((len(boards), N_CARDS), np.float32)
    np.put_along_axis(out, boards, 1, axis=1)
    return out


def _rivers(
    boards: Int64s, held: Floats32, combos: tuple[Int64s, Int64s]
) -> tuple[tuple[kernels.StreetCards, ...], Any]:
    """Return (cards of the river street after each turn, `ranks[spot, river, combo]`)."""
    left = np.stack([np.flatnonzero(row == 0) for row in _on_board(boards)])  # left[spot, river]
    live = tuple((1 - held[own][:, left]).transpose(1, 2, 0) for own in combos)
    n_deals = left.shape[1] - 4  # four cards are in the players' hands
    deals = np.full((len(boards), 1, left.shape[1]), 1 / n_deals, np.float32)
    ranks = [
        [rank_combos((*board, card)) for card in of] for board, of in zip(boards.tolist(), left.tolist(), strict=True)
    ]
    return (kernels.StreetCards(live, deals),), np.array(ranks)


def _shares(weights: Sequence[Floats], players: Sequence[kernels.PlayerCards], spots: Spots) -> tuple[Floats, Floats]:
    own, other = weights
    by_card = [of @ player.held.astype(np.float64) for of, player in zip(weights, players, strict=True)]
    double = players[0].double
    both = np.where(double >= 0, own * other[:, double], 0.0).sum(axis=1)
    pairs = own.sum(axis=1) * other.sum(axis=1) - (by_card[0] * by_card[1]).sum(axis=1) + both
    if not (pairs > 1e-9).all():
        board = spots.boards[int(np.argmin(pairs))].tolist()
        raise CardError(f"the ranges have no two hands that can be dealt together on {cards_text(board)}")
    return own * (other.sum(axis=1) / pairs)[:, None], other * (own.sum(axis=1) / pairs)[:, None]


def _free_memory() -> float:
    """Bytes that a computation may use: the GPU's free memory, or half of the machine's."""
    of_device = device_memory()
    return available_memory() / 2 if of_device is None else of_device
