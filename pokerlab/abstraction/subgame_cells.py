"""The cells of a subgame: every hand of two ranges on every possible board is a cell of its own.

`SubgameCells` numbers the hands of both players together: first those that only player 0 can hold, then those that both
can, then those that only player 1 can. So the hands of each player are one slice. It also numbers the boards of every
street; the cell of a hand on a board is `board * n_hands + hand`.

Suits are interchangeable if trading them changes neither the first board nor a range. Of boards that differ only by a
trade of such suits one is stored; the strategy on the others follows by trading the suits back.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.ranges import parse_range
>>> turn = SubgameCells(cards("KsKh7s2h"), (parse_range("AA, QQ"), parse_range("QQ, JJ:0.5")))
>>> turn.n_hands, turn.hands_of, turn.n_boards
(18, ((0, 12), (6, 18)), (1, 35))
>>> turn.of_hand(cards("AsAd"), cards("KsKh7s2h 9c")) // turn.n_hands == turn.board_of(cards("9d"))[0]
True
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import permutations
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.abstraction.cells import CellPairs, earlier_streets
from pokerlab.arrays import Floats32, Indices, Int8s, Int16s, Int32s, Int64s
from pokerlab.cards.card import N_CARDS, cards_text
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index, combo_text, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.ranges import Range
from pokerlab.errors import CardError

Trade: TypeAlias = tuple[int, int, int, int]  #: the suit that replaces each suit
NO_TRADE: Trade = (0, 1, 2, 3)
FINAL = 5
MOST_PAIRS = 20_000_000


class NextCards(NamedTuple):
    """The cards that may follow the boards of a street: rows of board b are first[b] .. first[b + 1] - 1."""

    first: Int32s
    card: Int8s
    board: Int32s  # the board of the next street, or the one stored for it
    trade: Int16s  # number of the trade of suits that turns the stored board into the real one


class Orders(NamedTuple):
    """One player's live hands on the boards of a street."""

    order: Int16s  # [board, i]: hands, on a final board from worst to best
    n: Int64s  # [board]
    rank: Int16s  # [board, i]: of order[board, i]; all 0 on boards that are not final


class SubgameCells:
    """The lossless card side of a subgame. `merge_suits=False` stores equivalent boards separately."""

    name = "lossless"

    def __init__(self, board: Sequence[int], ranges: Sequence[Range], *, merge_suits: bool = True) -> None:
        self.board = tuple(board)
        alive = live_combos(sum(1 << card for card in board))
        self.weight_of_combo = tuple(np.where(alive, weights, 0.0) for weights in ranges)
        a, b = (weights > 0 for weights in self.weight_of_combo)
        parts = [np.flatnonzero(part) for part in (a & ~b, a & b, ~a & b)]
        self.combos = np.concatenate(parts)
        self.n_hands = len(self.combos)
        self.hands_of = ((0, len(parts[0]) + len(parts[1])), (len(parts[0]), self.n_hands))
        self.weights = tuple(weights[self.combos] for weights in self.weight_of_combo)
        self.high, self.low = CARDS_OF_COMBO[self.combos].T.astype(np.int32)
        if not self.pair_weight > 0:
            raise CardError(f"the ranges have no two hands that can be dealt together on {cards_text(board)}")
        self._number = np.full(N_COMBOS, -1)
        self._number[self.combos] = np.arange(self.n_hands)
        self._trades: list[Trade] = [NO_TRADE]
        self.boards: list[list[tuple[int, ...]]] = [[()]]
        """`boards[street][board]`: the cards dealt after the first street."""
        self.next_cards: list[NextCards] = []
        alike = self._symmetries() if merge_suits else [NO_TRADE]
        groups = [[trade for trade in alike if _traded(self.board, trade) == tuple(sorted(self.board))]]
        for _ in range(len(self.board), FINAL):
            groups = self._deal(groups)

    @property
    def n_boards(self) -> tuple[int, ...]:
        """Boards by street."""
        return tuple(map(len, self.boards))

    @property
    def n_cells(self) -> tuple[int, ...]:
        """Cells by street, hands that hold a card of their board included."""
        return tuple(n * self.n_hands for n in self.n_boards)

    @property
    def merged(self) -> bool:
        """Whether some stored boards stand for others."""
        return len(self._trades) > 1

    def hand_of(self, hole: Sequence[int]) -> int:
        """The number of a hand, which must be in one of the ranges."""
        number = int(self._number[combo_index(*hole)])
        if number < 0:
            raise CardError(f"{cards_text(hole)} is in neither range on {cards_text(self.board)}")
        return number

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The cell of a hand; `board` begins with the subgame's own, in any order."""
        first = len(self.board)
        if set(board[:first]) != set(self.board) or set(hole) & set(board):
            raise CardError(
                f"{cards_text(hole)} on {cards_text(board)} is not a hand of the subgame on {cards_text(self.board)}"
            )
        number, trade = self.board_of(board[first:])
        return number * self.n_hands + self.hand_of([_swap(card, trade) for card in hole])

    def board_of(self, dealt: Sequence[int]) -> tuple[int, Trade]:
        """The stored board for the cards `dealt` since the first street, and the trade that turns the real into it."""
        number, to = 0, NO_TRADE
        if len(dealt) >= len(self.boards):
            raise CardError(f"{cards_text(self.board)} and {cards_text(dealt)} are more than five cards")
        for comes, card in zip(self.next_cards, dealt, strict=False):
            rows = slice(comes.first[number], comes.first[number + 1])
            matches = np.flatnonzero(comes.card[rows] == _swap(card, to))
            if not len(matches):
                raise CardError(f"{cards_text([card])} cannot follow {cards_text(self.board)}: it is already dealt")
            row = int(rows.start + matches[0])
            back = _inverse(self._trades[comes.trade[row]])
            number, to = int(comes.board[row]), _after(to, back)
        return number, to

    def of_board(self, board: Sequence[int]) -> list[Int32s]:
        """`cell[combo]` on each street up to the board's; -1 for combos in neither range or with a card of it."""
        cells = []
        for n in range(len(self.board), len(board) + 1):
            number, trade = self.board_of(board[len(self.board) : n])
            hand = self._number[_traded_combos(trade)]
            live = (hand >= 0) & live_combos(sum(1 << card for card in board[:n]))
            cells.append(np.where(live, number * self.n_hands + hand, -1).astype(np.int32))
        return cells

    def label(self, street: int, cell: int) -> str:
        """The hand, and the whole board."""
        board, hand = divmod(cell, self.n_hands)
        return f"{combo_text(int(self.combos[hand]))} on {cards_text((*self.board, *self.boards[street][board]))}"

    @cached_property
    def relabelled(self) -> Int32s:
        """`relabelled[trade, hand]`: the hand on the stored board."""
        return np.stack([self._number[_traded_combos(_inverse(t))[self.combos]] for t in self._trades]).astype(np.int32)

    @cached_property
    def live(self) -> tuple[Floats32, ...]:
        """`live[street][board, hand]`: 1.0, or 0.0 if the hand holds a card that was dealt."""
        mask = (np.uint64(1) << self.high.astype(np.uint64)) | (np.uint64(1) << self.low.astype(np.uint64))
        dealt = [np.array([sum(1 << card for card in b) for b in boards], np.uint64) for boards in self.boards]
        return tuple(((mask[None, :] & d[:, None]) == 0).astype(np.float32) for d in dealt)

    @cached_property
    def orders(self) -> tuple[tuple[Orders, Orders], ...]:
        """`orders[street][player]`."""
        return tuple(self._orders(street) for street in range(len(self.boards)))

    @cached_property
    def pair_weight(self) -> float:
        """The sum of weight times weight over all pairs of hands that share no card."""
        a, b = self.weights
        total = a.sum() * b.sum() + (a * b).sum()
        by_card = [np.bincount(c, weights=w, minlength=N_CARDS) for w in (a, b) for c in (self.high, self.low)]
        return float(total - (by_card[0] + by_card[1]) @ (by_card[2] + by_card[3]))

    @cached_property
    def pairs(self) -> CellPairs:
        """All pairs of hands, the readable twin of the kernels; for few hands and without merged boards."""
        if self.merged:
            raise CardError("merged boards have no pairs of cells; use merge_suits=False")
        if self.n_boards[-1] * self.n_hands**2 > MOST_PAIRS:
            raise CardError(f"{self.n_hands:,} hands on {self.n_boards[-1]:,} boards are too many to list their pairs")
        apart = (self.high[:, None] != self.high) & (self.low[:, None] != self.low)
        apart &= (self.high[:, None] != self.low) & (self.low[:, None] != self.high)
        weight = np.where(apart, self.weights[0][:, None] * self.weights[1], 0.0)
        live = self.live[-1].astype(np.float64)
        joint = live[:, :, None] * live[:, None, :] * weight
        rank = np.stack([rank_combos((*self.board, *b))[self.combos] for b in self.boards[-1]])
        showdown = joint * np.sign(rank[:, :, None] - rank[:, None, :])
        parent = [np.zeros(self.n_hands, np.int32)]
        for comes, n in zip(self.next_cards, self.n_boards[1:], strict=True):
            above = np.repeat(np.arange(len(comes.first) - 1), np.diff(comes.first))
            up = np.empty(n, np.int64)
            up[comes.board] = above
            parent.append((up[:, None] * self.n_hands + np.arange(self.n_hands)).astype(np.int32).reshape(-1))
        n_pairs = joint.sum()
        spread = (earlier_streets(parent, part / n_pairs, self.n_boards) for part in (joint, showdown))
        return CellPairs(tuple(parent), *spread)

    def _symmetries(self) -> list[Trade]:
        """The trades that leave both ranges unchanged."""
        trades: list[Trade] = [NO_TRADE]
        trades += [t for t in permutations(range(4)) if t != NO_TRADE]  # type: ignore[misc]
        return [t for t in trades if all((w[_traded_combos(t)] == w).all() for w in self.weight_of_combo)]

    def _deal(self, groups: list[list[Trade]]) -> list[list[Trade]]:
        """Add a street. `groups[board]` are the trades that leave a board unchanged; returns those of new boards."""
        boards: list[tuple[int, ...]] = []
        new_groups, first, rows = [], [0], []
        for before, group in zip(self.boards[-1], groups, strict=True):
            out, stands_for = {*self.board, *before}, dict[int, tuple[int, Trade]]()
            for card in (card for card in range(N_CARDS) if card not in out):
                if card not in stands_for:
                    for trade in reversed(group):  # the identity is first in the group, so it overwrites the others
                        stands_for[_swap(card, trade)] = (len(boards), trade)
                    new_groups.append([trade for trade in group if _swap(card, trade) == card])
                    boards.append((*before, card))
            rows += [(card, number, self._trade_number(trade)) for card, (number, trade) in sorted(stands_for.items())]
            first.append(len(rows))
        dealt, to, by = zip(*rows, strict=True)
        self.boards.append(boards)
        self.next_cards.append(
            NextCards(
                np.array(first, np.int32), np.array(dealt, np.int8), np.array(to, np.int32), np.array(by, np.int16)
            )
        )
        return new_groups

    def _trade_number(self, trade: Trade) -> int:
        if trade not in self._trades:
            self._trades.append(trade)
        return self._trades.index(trade)

    def _orders(self, street: int) -> tuple[Orders, Orders]:
        n_boards, final = self.n_boards[street], street == len(self.boards) - 1
        orders = []
        for first, last in self.hands_of:
            order, rank = (np.zeros((n_boards, last - first), np.int16) for _ in range(2))
            n = self.live[street][:, first:last].sum(axis=1).astype(np.int64)
            orders.append(Orders(order, n, rank))
        for b, dealt in enumerate(self.boards[street]):
            by_hand = rank_combos((*self.board, *dealt))[self.combos] if final else np.zeros(self.n_hands, np.int32)
            for (first, last), (order, n, rank) in zip(self.hands_of, orders, strict=True):
                hands = first + np.flatnonzero(self.live[street][b, first:last])
                hands = hands[np.argsort(by_hand[hands], kind="stable")]
                order[b, : n[b]], rank[b, : n[b]] = hands, by_hand[hands]
        return orders[0], orders[1]


def _swap(card: int, trade: Trade) -> int:
    return card & ~3 | trade[card & 3]


def _traded(cards: Sequence[int], trade: Trade) -> tuple[int, ...]:
    return tuple(sorted(_swap(card, trade) for card in cards))


def _inverse(trade: Trade) -> Trade:
    """The trade that undoes a trade."""
    return tuple(trade.index(suit) for suit in range(4))  # type: ignore[return-value]


def _after(first: Trade, second: Trade) -> Trade:
    return tuple(second[suit] for suit in first)  # type: ignore[return-value]


def _traded_combos(trade: Trade) -> Indices:
    """`combo_after[combo]`."""
    cards = CARDS_OF_COMBO.astype(np.intp)
    moved = (cards & ~3) | np.array(trade)[cards & 3]
    high, low = moved.max(axis=1), moved.min(axis=1)
    return np.asarray(high * (high - 1) // 2 + low)
