"""Deals for sampling solvers: every player's cell on every street, and its rank at showdown.

A solver does not see cards. For it, a deal consists of `cells[player, street]` and `rank[player]` (the higher rank wins
a showdown, equal ranks tie). Deal number i of a source is always the same, so a run can be stopped and resumed
anywhere. Public-chance sampling uses boards instead: `cells[street, hand]` and `rank[hand]` of every hand at once, -1
for hands that conflict with the board.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.abstraction.cells import Lossless
>>> deals = SmallDeals(Lossless(game("leduc")), seed=7)
>>> cells, rank = deals.deal(first=1000, n=2)
>>> cells.shape, rank.shape
((2, 2, 2), (2, 2))
>>> every = deals.every()
>>> len(every.weight), float(every.weight.sum().round(12))
(24, 1.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, perm, prod
from typing import Any, Protocol

import numpy as np

from pokerlab.abstraction import _bucket_deals_numba as kernels
from pokerlab.abstraction._buckets_numba import Lookup
from pokerlab.abstraction._deals_numba import deal_places
from pokerlab.abstraction.blind import Blind
from pokerlab.abstraction.bucket_files import with_tables
from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.cells import Cells, Lossless
from pokerlab.arrays import Floats, Int32s, Int64s, Uint8s
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS
from pokerlab.errors import RulesError
from pokerlab.games.dealing import every_split
from pokerlab.games.showdown import strength
from pokerlab.rng import stream_key

MAX_EVERY_DEAL = 2_000_000
MAX_TABLE = 4_000_000
LABEL = "bucket deals"
MOST_PLAYERS = 10


class Deals(Protocol):
    """A source of deals for a sampling solver."""

    @property
    def about(self) -> dict[str, Any]:
        """Settings that determine the deals (source, seed), as JSON values."""

    def deal(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        """Deals number `first` .. `first + n - 1`: `cells[deal, player, street]` and `rank[deal, player]`."""

    def of_dealt(self, dealt: Uint8s) -> tuple[Int32s, Int32s]:
        """Cells and ranks for given cards: `dealt[deal, i]` are indices in the deck, first hands by seat, then the
        board."""


class Boards(Protocol):
    """A source of boards for public-chance sampling."""

    @property
    def about(self) -> dict[str, Any]:
        """Settings that determine the boards, as JSON values."""

    @property
    def hand_cards(self) -> Int32s:
        """Return `hand_cards[hand, k]`: the positions in the deck of each hand's cards."""

    def boards(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        """Boards from number `first` on: `cells[board, street, hand]` and `rank[board, hand]`, -1 if blocked."""


@dataclass(frozen=True, eq=False)
class EveryDeal:
    """All distinct deals of a small game: `cells[deal, player, street]`, `rank[deal, player]`, and the probability
    `weight[deal]`."""

    cells: Int32s
    rank: Int32s
    weight: Floats


class SmallDeals:
    """Deals and boards of a small game, looked up in tables of every hand on every board.

    They come from the random streams (seed, "deals") and (seed, "boards"); additional `labels` select other streams.
    """

    def __init__(self, cells: Lossless, seed: int = 0, *labels: str) -> None:
        rules = cells.rules
        self.cells, self.rules, self.seed, self._labels = cells, rules, int(seed), labels
        self.n_hole = rules.streets[0].n_hole
        self.rounds = tuple(street.n_board for street in rules.streets)
        size = comb(len(rules.deck), self.n_hole) * prod(comb(len(rules.deck), n) for n in self.rounds)
        if size > MAX_TABLE:
            raise RulesError(f"{rules.name} has too many hands on boards ({size:,}) for tables; name card buckets")

    @property
    def about(self) -> dict[str, Any]:
        return {"cards": self.cells.name, "seed": self.seed}

    @cached_property
    def tables(self) -> tuple[tuple[Int32s, ...], Int32s]:
        """Return (`cell[street][board, hand]`, `rank[board, hand]`), where boards and hands are numbered by `code_of`;
        -1 if they share a card."""
        deck = self.rules.deck
        cells, strengths = [], np.empty(0, np.int64)
        for street in range(len(self.rounds)):
            sizes = self.rounds[: street + 1]
            shape = (prod(comb(len(deck), n) for n in sizes), comb(len(deck), self.n_hole))
            cell = np.full(shape, -1, np.int32)
            strengths = np.full(shape, -1, np.int64)
            for board in every_split(range(len(deck)), sizes):
                flat = [place for part in board for place in part]
                cards, code = [deck[place] for place in flat], self.board_code(board)
                for hole in combinations([place for place in range(len(deck)) if place not in flat], self.n_hole):
                    hand = [deck[place] for place in hole]
                    cell[code, code_of(hole)] = self.cells.of_hand(hand, cards)
                    if street == len(self.rounds) - 1:
                        strengths[code, code_of(hole)] = strength(self.rules.ranking, hand, cards)
            cells.append(cell)
        rank = np.unique(strengths, return_inverse=True)[1].reshape(strengths.shape)
        return tuple(cells), np.where(strengths < 0, -1, rank).astype(np.int32)

    def board_code(self, board: Sequence[Sequence[int]]) -> int:
        """Number of a board in the tables of its street; `board` has indices in the deck, by round."""
        code = 0
        for part in board:
            code = code * comb(len(self.rules.deck), len(part)) + code_of(part)
        return code

    def deal(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        key = stream_key(self.seed, "deals", *self._labels)
        return self.of_dealt(deal_places(key, first, n, len(self.rules.deck), self.rules.n_dealt))

    def of_dealt(self, dealt: Uint8s) -> tuple[Int32s, Int32s]:
        """`cells[deal, player, street]` and `rank[deal, player]`, given indices in the deck: hands by seat, then the
        board."""
        n_players, n_hole = self.rules.n_seats, self.n_hole
        codes = _codes(dealt[:, n_players * n_hole :], self.rounds, len(self.rules.deck))
        cell, rank_of = self.tables
        cells = np.empty((len(dealt), n_players, len(self.rounds)), np.int32)
        rank = np.empty((len(dealt), n_players), np.int32)
        for player in range(n_players):
            hand = _code_rows(dealt[:, player * n_hole : (player + 1) * n_hole])
            for street, code in enumerate(codes):
                cells[:, player, street] = cell[street][code, hand]
            rank[:, player] = rank_of[codes[-1], hand]
        return cells, rank

    @cached_property
    def hand_cards(self) -> Int32s:
        """`hand_cards[hand, k]`: the positions in the deck of each hand's cards."""
        hands = sorted(combinations(range(len(self.rules.deck)), self.n_hole), key=code_of)
        return np.array(hands, np.int32)

    def boards(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        deck = self.rules.deck
        places = deal_places(stream_key(self.seed, "boards", *self._labels), first, n, len(deck), sum(self.rounds))
        codes = _codes(places, self.rounds, len(deck))
        cell, rank = self.tables
        return np.stack([cell[s][code] for s, code in enumerate(codes)], axis=1), rank[codes[-1]]

    def every(self) -> EveryDeal:
        """All deals of the game. Deals with equal cells and ranks are merged."""
        rules, n_players = self.rules, self.rules.n_seats
        if perm(len(rules.deck), rules.n_dealt) > MAX_EVERY_DEAL:
            raise RulesError(f"{rules.name} has more than {MAX_EVERY_DEAL:,} deals; sample them")
        cell, rank_of = self.tables
        rows = []
        for parts in every_split(range(len(rules.deck)), (self.n_hole,) * n_players + self.rounds):
            hands, board = [code_of(part) for part in parts[:n_players]], parts[n_players:]
            code = [self.board_code(board[: s + 1]) for s in range(len(board))]
            ranks = [int(rank_of[code[-1], hand]) for hand in hands]
            order = [sorted(set(ranks)).index(rank) for rank in ranks]
            rows.append([int(cell[s][c, hand]) for hand in hands for s, c in enumerate(code)] + order)
        unique, times = np.unique(np.array(rows, np.int32), axis=0, return_counts=True)
        cells = unique[:, :-n_players].reshape(len(unique), n_players, len(self.rounds))
        return EveryDeal(np.ascontiguousarray(cells), unique[:, -n_players:].copy(), times / times.sum())


class BucketDeals:
    """Deals of hold'em for 2 to 10 players, and boards with all hands, as cells of `buckets`.

    Additional `labels` select another stream of the same seed. For `prN` the first deal computes tables (half a minute
    of processor time) and saves them in the cache directory.

    >>> from pokerlab.abstraction.bucket_files import buckets
    >>> deals = BucketDeals(buckets("pr5"), 2, seed=7)
    >>> deals.about["buckets"], deals.about["players"], deals.hand_cards.shape
    ('pr5', 2, (1326, 2))
    """

    def __init__(self, buckets: Buckets, n_players: int, seed: int, *labels: str) -> None:
        if not 2 <= n_players <= MOST_PLAYERS:
            raise RulesError(f"deals of hold'em are for 2 to {MOST_PLAYERS} players, not {n_players}")
        self.buckets, self.n_players, self.seed = buckets, n_players, int(seed)
        self.key = stream_key(self.seed, LABEL, *labels)

    @property
    def about(self) -> dict[str, Any]:
        return {
            "source": LABEL, "buckets": self.buckets.name, "recipe": dict(self.buckets.recipe),
            "players": self.n_players, "seed": self.seed,
        }  # fmt: skip

    @cached_property
    def lookup(self) -> Lookup:
        """The arrays of the buckets, as an argument of the kernels."""
        return with_tables(self.buckets).lookup()

    @property
    def hand_cards(self) -> Int32s:
        """`hand_cards[hand, 2]`: hands are the 1326 combos."""
        return CARDS_OF_COMBO.astype(np.int32)

    def deal(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        """Deals from number `first` on: `cells[deal, player, street]` and `rank[deal, player]` (river, higher is
        better).

        The first five cards of a deck are the board; each player gets two of the next.
        """
        dealt = deal_places(self.key, first, n, 52, 5 + 2 * self.n_players)
        return self.of_dealt(np.roll(dealt, -5, axis=1))

    def of_dealt(self, dealt: Uint8s) -> tuple[Int32s, Int32s]:
        """`cells[deal, player, street]` and `rank[deal, player]` for `dealt[deal, card]`: hands by seat, then the
        board."""
        cells = np.empty((len(dealt), self.n_players, 4), np.int32)
        rank = np.empty((len(dealt), self.n_players), np.int32)
        kernels.cells_of_deals(dealt, self.lookup, cells, rank)
        return cells, rank

    def boards(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        """Boards from number `first` on: `cells[board, street, combo]` and `rank[board, combo]`, -1 if blocked."""
        cells, rank = np.empty((n, 4, N_COMBOS), np.int32), np.empty((n, N_COMBOS), np.int32)
        kernels.cells_of_boards(deal_places(self.key, first, n, 52, 5), self.lookup, cells, rank)
        return cells, rank


def deals_for(cells: Cells, n_players: int, seed: int, *labels: str) -> Deals:
    """The source of deals for a card abstraction: tables for small games, buckets for hold'em. Additional `labels`
    select another random stream. Measurements use their own label, so that they never deal the cards on which a solver
    with the same seed has trained."""
    source: Deals = _source(cells, n_players, seed, *labels)
    return source


def boards_for(cells: Cells, seed: int, *labels: str) -> Boards:
    """The source of boards for a card abstraction, for two players. Additional `labels` select another random
    stream."""
    source: Boards = _source(cells, 2, seed, *labels)
    return source


def _source(cells: Cells, n_players: int, seed: int, *labels: str) -> Any:
    if isinstance(cells, Lossless):
        return SmallDeals(cells, seed, *labels)
    if isinstance(cells, Blind):
        return Blind(cells.rules, seed, *labels)
    if isinstance(cells, Buckets):
        return BucketDeals(cells, n_players, seed, *labels)
    raise RulesError(f"the card side {cells.name} has no deals; pass a source of deals to the solver")


def code_of(places: Sequence[int]) -> int:
    """Index of a set of positions among all sets of its size, in colexicographic order.

    >>> [code_of(pair) for pair in ((0, 1), (2, 0), (1, 2), (0, 3))]
    [0, 1, 2, 3]
    """
    return sum(comb(place, i) for i, place in enumerate(sorted(places), 1))


def _code_rows(places: Uint8s) -> Int64s:
    """`code_of` for each row."""
    ordered = np.sort(places, axis=1)
    top = int(ordered.max(initial=0)) + 1
    code = np.zeros(len(places), np.int64)
    for i in range(places.shape[1]):
        code += np.array([comb(place, i + 1) for place in range(top)], np.int64)[ordered[:, i]]
    return code


def _codes(board: Uint8s, rounds: Sequence[int], n_deck: int) -> list[Int64s]:
    """`board_code` by street for each row of board positions."""
    code, at, codes = np.zeros(len(board), np.int64), 0, []
    for n in rounds:
        code = code * comb(n_deck, n) + _code_rows(board[:, at : at + n])
        at += n
        codes.append(code)
    return codes
