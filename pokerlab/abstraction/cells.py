"""Cells (card buckets): a player's cards on a street as one number. Hands in the same cell are played alike.

Every card abstraction, lossless or not, is a `Cells` object: it has the number of cells on each street, and returns the
cell of a hand. A two-player solver of a whole game also needs `CellPairs`: the probability of each pair of cells, and
its value at the showdown. Cells with perfect recall have them as `pairs`; with imperfect recall `pairs` is None. This
module has the lossless cells of games with few cards. The cells of hold'em are in `buckets`.

>>> from pokerlab.games.catalog import game
>>> leduc = Lossless(game("leduc"))
>>> leduc.n_cells, leduc.pairs.joint[0].sum().round(12), leduc.label(1, leduc.of_hand((40,), (44,)))
((3, 9), np.float64(1.0), 'Q on K')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Protocol, TypeAlias

import numpy as np

from pokerlab.arrays import Floats, Int32s
from pokerlab.cards.card import cards_text
from pokerlab.errors import RulesError
from pokerlab.games.dealing import every_split, n_splits, suit_exchanges
from pokerlab.games.rules import Rules
from pokerlab.games.showdown import strength
from pokerlab.runs.cost import available_memory

MAX_DEALS = 30_000_000
TRIED_BOARDS, TRIED_WIDTHS = 400, 5

Rounds: TypeAlias = tuple[tuple[int, ...], ...]
Relabelling: TypeAlias = dict[int, int]


class Cells(Protocol):
    """A card abstraction: number of cells by street, and the cell of a hand."""

    @property
    def name(self) -> str:
        """Name on the command line and in files."""

    @property
    def n_cells(self) -> tuple[int, ...]:
        """Number of cells by street."""

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Cell of a hand on the street of `board`."""

    def label(self, street: int, cell: int) -> str:
        """Short readable name of a cell."""

    @property
    def pairs(self) -> CellPairs | None:
        """Pairs of two players' cells; None with imperfect recall."""


@dataclass(frozen=True, eq=False)
class CellPairs:
    """Pairs of two players' cells, for perfect recall: a cell determines the cells on the previous streets.

    Cells of a street are numbered `board * n_hands + hand`. Both cells of a pair are on the same board; if cells do not
    depend on the board, there is only one. Cells without hands have probability 0.
    """

    parent: tuple[Int32s, ...]  #: `parent[street][cell]`: the cell on the previous street; 0 on the first street
    joint: tuple[Floats, ...]
    """`joint[street][board, i, j]`: the probability that player 0 holds hand i and player 1 hand j."""
    showdown: tuple[Floats, ...]
    """`showdown[street][board, i, j]`: `joint` times (probability that i wins minus probability that it loses)."""

    @property
    def n_cells(self) -> tuple[int, ...]:
        """Number of cells by street, including empty ones."""
        return tuple(joint.shape[0] * joint.shape[1] for joint in self.joint)


def check_pairs_fit(rules: Rules, *, matrices: int = 2, available: int | None = None) -> None:
    """Raise `RulesError` if the pair matrices of a game clearly would not fit in memory, before they are built.

    The number of boards that differ up to suits is estimated from random boards, and the number of hands from a few of
    these. The limit is 1.5 times the free memory.
    """
    if rules.board or rules.has_up_cards or any(street.n_hole for street in rules.streets[1:]):
        return
    sizes, relabellings = [street.n_board for street in rules.streets], _relabellings(rules)
    n_boards = n_splits(len(rules.deck), sizes)
    n_hands = n_boards * comb(len(rules.deck) - sum(sizes), rules.streets[0].n_hole)
    # only ranks matter, or `Lossless` itself raises an error for the game
    if len(relabellings) == 1 or n_hands > MAX_DEALS:
        return
    drawn, n_same, width = np.random.default_rng(0), 0, 0
    for n in range(TRIED_BOARDS):
        deck = drawn.permutation(rules.deck).tolist()
        parts = [tuple(sorted(deck[sum(sizes[:i]) : sum(sizes[: i + 1])])) for i in range(len(sizes))]
        same = [names for names in relabellings if all(_relabelled(part, names) == part for part in parts)]
        n_same += len(same)
        if n < TRIED_WIDTHS:
            holes = combinations(deck[sum(sizes) :], rules.streets[0].n_hole)
            width = max(width, len({min(_relabelled(hole, names) for names in same) for hole in holes}))
    needed = 8 * matrices * n_boards * n_same / TRIED_BOARDS / len(relabellings) * width**2
    if needed > 1.5 * (free := available_memory() if available is None else available):
        raise RulesError(
            f"{rules.name}: pairs of hands take about {needed / 1e9:,.0f} GB, and {free / 1e9:.1f} GB are free; "
            "only sampling solvers (--algorithm mccfr) need none"
        )


def earlier_streets(parent: Sequence[Int32s], last: Floats, n_boards: Sequence[int]) -> tuple[Floats, ...]:
    """Pair matrices of every street, by summing that of the last street."""
    matrices = [last]
    for street in range(len(parent) - 1, 0, -1):
        n_before = n_boards[street - 1]
        matrices.insert(0, street_before(parent[street], matrices[0], n_before, len(parent[street - 1]) // n_before))
    return tuple(matrices)


def street_before(parent: Int32s, matrix: Floats, n_boards: int, n_hands: int) -> Floats:
    """Sum a pair matrix over cells with the same parent, which gives that of the previous street."""
    up, total = parent.reshape(matrix.shape[:2]), np.zeros((n_boards, n_hands, n_hands))
    board, hand = up[:, :1] // n_hands, up % n_hands
    np.add.at(total, (board[:, :, None], hand[:, :, None], hand[:, None, :]), matrix)
    return total


class Lossless:
    """Lossless cells: hands share a cell only if exchanging suits that leave the board unchanged turns one into the
    other. For small decks, which are enumerated."""

    name = "lossless"

    def __init__(self, rules: Rules) -> None:
        if rules.has_up_cards:
            raise RulesError(f"{rules.name} has no card side for solvers, as cards are dealt face up to seats")
        self.rules = rules
        self._sizes = tuple(street.n_board for street in rules.streets)
        self._n_hole = rules.streets[0].n_hole
        n_hands = n_splits(len(rules.deck), (*self._sizes, self._n_hole))
        if n_hands > MAX_DEALS or any(street.n_hole for street in rules.streets[1:]):
            advice = "name card buckets, such as --cards pr5" if rules.is_holdem else "only hold'em has card buckets"
            raise RulesError(
                f"{rules.name} has too many cards to tell every hand apart ({n_hands:,} hands on boards); {advice}"
            )
        self._relabellings = _relabellings(rules)
        canonical = [self._canonical_boards(street) for street in range(len(rules.streets))]
        self._boards = [[one for one, _ in boards.values()] for boards in canonical]
        self._multiplicity = [n for _, n in canonical[-1].values()]
        self._hands = [[self._hands_on(board) for board in boards] for boards in self._boards]
        self._board_number = [{key: i for i, key in enumerate(boards)} for boards in canonical]
        self._hand_number = [[{hand: i for i, hand in enumerate(h)} for h in hands] for hands in self._hands]
        self._width = [max(len(hands) for hands in on_street) for on_street in self._hands]

    @property
    def n_cells(self) -> tuple[int, ...]:
        """Number of cells by street, including empty ones."""
        return tuple(len(boards) * width for boards, width in zip(self._boards, self._width, strict=True))

    @property
    def n_information(self) -> tuple[int, ...]:
        """Number of cells by street, without empty ones."""
        return tuple(sum(map(len, hands)) for hands in self._hands)

    @property
    def pair_bytes(self) -> int:
        """Bytes of a matrix with one float64 for every pair of hands on the same board, on all streets together."""
        return 8 * sum(len(boards) * width**2 for boards, width in zip(self._boards, self._width, strict=True))

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The cell of a hand on the street of `board` (cards in dealing order)."""
        street = next(s for s in range(len(self._sizes)) if sum(self._sizes[: s + 1]) == len(board))
        canonical, relabellings = self._canonical(self._rounds(board))
        number = self._board_number[street][canonical]
        return number * self._width[street] + self._hand_number[street][number][self._hand(hole, relabellings)]

    def label(self, street: int, cell: int) -> str:
        """Name of a cell: the hand, and the board if there is one; suits only if they matter."""
        board_number, hand_number = divmod(cell, self._width[street])
        hands = self._hands[street][board_number]
        if hand_number >= len(hands):
            return "-"
        hole = cards_text(hands[hand_number])
        board = cards_text([card for part in self._boards[street][board_number] for card in part])
        if len(self._relabellings) == 1:  # only ranks matter
            hole, board = hole[::2], board[::2]
        return f"{hole} on {board}" if board else hole

    @cached_property
    def pairs(self) -> CellPairs:
        if self.rules.n_seats != 2:
            raise RulesError(f"{self.rules.name} is for {self.rules.n_seats} players; pairs of cells are for two")
        if (needed := 2 * self.pair_bytes) > (free := available_memory()):  # raise an error before allocating
            raise RulesError(
                f"{self.rules.name}: pairs of hands take {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; "
                "only sampling solvers (--algorithm mccfr) need none"
            )
        n_boards = [len(boards) for boards in self._boards]
        parent = self._parents()
        joint, showdown = self._last_street()
        return CellPairs(parent, earlier_streets(parent, joint, n_boards), earlier_streets(parent, showdown, n_boards))

    def _rounds(self, board: Sequence[int]) -> Rounds:
        parts = (tuple(board[sum(self._sizes[:s]) : sum(self._sizes[: s + 1])]) for s in range(len(self._sizes)))
        return tuple(part for part in parts if part)

    def _canonical(self, rounds: Rounds) -> tuple[Rounds, list[Relabelling]]:
        """Return (the smallest relabelling of a board, the relabellings of suits that produce it)."""
        boards = [tuple(_relabelled(part, names) for part in rounds) for names in self._relabellings]
        best = min(boards)
        return best, [names for board, names in zip(boards, self._relabellings, strict=True) if board == best]

    @staticmethod
    def _hand(hole: Sequence[int], relabellings: list[Relabelling]) -> tuple[int, ...]:
        return min(_relabelled(hole, relabelling) for relabelling in relabellings)

    def _canonical_boards(self, street: int) -> dict[Rounds, tuple[Rounds, int]]:
        """For each canonical board of a street: (a board that it represents, the number of boards that it
        represents)."""
        boards: dict[Rounds, tuple[Rounds, int]] = {}
        for rounds in every_split(self.rules.deck, [n for n in self._sizes[: street + 1] if n]):
            canonical, _ = self._canonical(rounds)
            one, n = boards.get(canonical, (rounds, 0))
            boards[canonical] = (one, n + 1)
        return dict(sorted(boards.items()))

    def _holes(self, board: Rounds) -> list[tuple[int, ...]]:
        out = {card for part in board for card in part}
        return list(combinations([card for card in self.rules.deck if card not in out], self._n_hole))

    def _hands_on(self, board: Rounds) -> list[tuple[int, ...]]:
        relabellings = self._canonical(board)[1]
        return sorted({self._hand(hole, relabellings) for hole in self._holes(board)})

    def _parents(self) -> tuple[Int32s, ...]:
        parents = [np.zeros(len(self._boards[0]) * self._width[0], np.int32)]
        for street in range(1, len(self._boards)):
            up = np.zeros((len(self._boards[street]), self._width[street]), np.int32)
            n_before = sum(self._sizes[:street])
            for b, board in enumerate(self._boards[street]):
                before = [card for part in board for card in part][:n_before]
                # An empty cell gets the parent of the first hand, since its parent must be on the same board.
                up[b] = self.of_hand(self._hands[street][b][0], before)
                for h, hand in enumerate(self._hands[street][b]):
                    up[b, h] = self.of_hand(hand, before)
            parents.append(up.reshape(-1))
        return tuple(parents)

    def _last_street(self) -> tuple[Floats, Floats]:
        boards, width = self._boards[-1], self._width[-1]
        joint = np.zeros((len(boards), width, width))
        showdown = np.zeros_like(joint)
        for b, (board, multiplicity) in enumerate(zip(boards, self._multiplicity, strict=True)):
            holes = self._holes(board)
            relabellings = self._canonical(board)[1]
            cell = np.array([self._hand_number[-1][b][self._hand(hole, relabellings)] for hole in holes])
            flat = [card for part in board for card in part]
            rank = np.array([strength(self.rules.ranking, hole, flat) for hole in holes])
            mask = np.array([sum(1 << card for card in hole) for hole in holes])
            weight = multiplicity * ((mask[:, None] & mask[None, :]) == 0).astype(float)
            where = (cell[:, None], cell[None, :])
            np.add.at(joint[b], where, weight)
            np.add.at(showdown[b], where, weight * np.sign(rank[:, None] - rank[None, :]))
        total = joint.sum()
        return joint / total, showdown / total


def _relabellings(rules: Rules) -> list[Relabelling]:
    """Relabellings of cards that do not change the game: permutations of suits or, if only ranks matter, one that
    removes suits."""
    n_cards = rules.streets[0].n_hole + sum(street.n_board for street in rules.streets)
    if rules.ranking == "high" and n_cards < 5:
        return [{card: card & ~3 for card in range(52)}]
    return suit_exchanges(rules)


def _relabelled(cards: Sequence[int], relabelling: Relabelling) -> tuple[int, ...]:
    return tuple(sorted(relabelling[card] for card in cards))
