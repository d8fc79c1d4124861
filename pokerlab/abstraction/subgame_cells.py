"""Cells of a subgame: every hand of two ranges on every possible board has its own cell.

`SubgameCells` numbers the hands of both players together: first those that only player 0 can hold, then those that both
can, then those that only player 1 can. So the hands of each player are one slice. It also numbers the boards of every
street; the cell of a hand on a board is `board * n_hands + hand`.

Suits are interchangeable if exchanging them changes neither the first board nor a range. Of boards that differ only by
exchanging such suits, one is stored; the strategy on the others is found by exchanging the suits back.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.ranges import parse_range
>>> turn = SubgameCells(cards("KsKh7s2h"), (parse_range("AA, QQ"), parse_range("QQ, JJ:0.5")))
>>> turn.n_hands, turn.hands_of, turn.n_boards
(18, ((0, 12), (6, 18)), (1, 35))
>>> turn.of_hand(cards("AsAd"), cards("KsKh7s2h 9c")) // turn.n_hands == turn.board_of(cards("9d"))[0]
True

A whole game is a subgame with an empty board and all hands: `whole_cells` are its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, combinations
from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.board_rows import INVERSE, RELABELLED, RELABELLED_CARD
from pokerlab.abstraction.cells import MAX_DEALS, CellPairs, earlier_streets
from pokerlab.arrays import Floats, Floats32, Int16s, Int32s, Int64s
from pokerlab.cards.card import N_CARDS, cards_text
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index, combo_text, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.ranges import Range
from pokerlab.errors import CardError
from pokerlab.games.dealing import n_splits
from pokerlab.games.rules import Rules

NO_TRADE = 0  #: exchanges of suits (trades) are numbered as in `board_rows.RELABELLED`; this one changes nothing
FINAL = 5
MOST_PAIRS = 20_000_000
SUITS_APART = "suits apart"  #: name of the card abstraction that merges no boards


class NextCards(NamedTuple):
    """Cards that may follow the boards of a street: those of board b are rows first[b] .. first[b + 1] - 1."""

    first: Int32s
    cards: Int64s  # cards[row]: bit masks
    board: Int32s  # board[row]: the stored board of the next street that represents the result
    trade: Int16s  # trade[row]: number of the exchange of suits that turns the stored board into the real one


class Orders(NamedTuple):
    """One player's possible hands on each board of a street, in the order in which arrays have them."""

    order: Int16s  # order[board, i]: hands; on a final board from worst to best
    n: Int64s  # n[board]: number of hands
    rank: Int16s  # rank[board, i] of the hand order[board, i]; 0 on boards that are not final


class SubgameCells:
    """The lossless cells of a subgame. `merge_suits=False` stores equivalent boards separately. `deals` are the numbers
    of cards dealt before each later street; by default each deals one, until the board has five cards."""

    def __init__(
        self,
        board: Sequence[int],
        ranges: Sequence[Range],
        *,
        merge_suits: bool = True,
        deals: Sequence[int] | None = None,
        deck: Sequence[int] = range(N_CARDS),
        name: str = "",
    ) -> None:
        self.name = name or ("lossless" if merge_suits else SUITS_APART)
        self.board, self.deck = tuple(board), tuple(deck)
        self.deals = (1,) * (FINAL - len(self.board)) if deals is None else tuple(deals)
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
        self._trades = [NO_TRADE]
        self.boards: list[list[tuple[int, ...]]] = [[()]]
        """`boards[street][board]`: the cards dealt after the first street."""
        self.next_cards: list[NextCards] = []
        alike = self._symmetries() if merge_suits else [NO_TRADE]
        own = set(self.board)
        groups = [[trade for trade in alike if {_swap(card, trade) for card in own} == own]]
        for n in self.deals:
            groups = self._deal(groups, n)

    @property
    def n_boards(self) -> tuple[int, ...]:
        """Number of boards by street."""
        return tuple(map(len, self.boards))

    @property
    def n_cells(self) -> tuple[int, ...]:
        """Number of cells by street, including hands that conflict with their board."""
        return tuple(n * self.n_hands for n in self.n_boards)

    def n_deals(self, street: int) -> int:
        """Number of possible deals of the next street, given both players' hands."""
        left = len(self.deck) - len(self.board) - sum(self.deals[:street]) - 4
        return comb(left, self.deals[street])

    @property
    def merged(self) -> bool:
        """Whether some stored boards also represent other boards."""
        return len(self._trades) > 1

    def hand_of(self, hole: Sequence[int]) -> int:
        """Number of a hand, which must be in one of the ranges."""
        number = int(self._number[combo_index(*hole)])
        if number < 0:
            raise CardError(f"{cards_text(hole)} is in neither range on {cards_text(self.board)}")
        return number

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Cell of a hand; `board` begins with the cards of the subgame's board, in any order."""
        first = len(self.board)
        if set(board[:first]) != set(self.board) or set(hole) & set(board):
            raise CardError(
                f"{cards_text(hole)} on {cards_text(board)} is not a hand of the subgame on {cards_text(self.board)}"
            )
        number, trade = self.board_of(board[first:])
        return number * self.n_hands + self.hand_of([_swap(card, trade) for card in hole])

    def board_of(self, dealt: Sequence[int]) -> tuple[int, int]:
        """Return the stored board for the cards `dealt` since the first street, and the suit exchange from the real
        board to it."""
        number, to, at = 0, NO_TRADE, 0
        if len(dealt) > sum(self.deals):
            raise CardError(f"{cards_text(self.board)} and {cards_text(dealt)} are more cards than are dealt")
        for comes, n in zip(self.next_cards, self.deals, strict=True):
            if at == len(dealt):
                break
            rows = slice(comes.first[number], comes.first[number + 1])
            mask = sum(1 << _swap(card, to) for card in dealt[at : at + n])
            matches = np.flatnonzero(comes.cards[rows] == mask)
            if not len(matches):
                came = cards_text(dealt[at : at + n])
                raise CardError(f"{came} cannot follow {cards_text((*self.board, *dealt[:at]))}: it is already dealt")
            row, at = int(rows.start + matches[0]), at + n
            back = int(INVERSE[self._trades[comes.trade[row]]])
            number, to = int(comes.board[row]), _after(to, back)
        return number, to

    def of_board(self, board: Sequence[int]) -> list[Int32s]:
        """`cell[combo]` on each street up to the board's; -1 for combos in neither range or in conflict with
        the board."""
        cells = []
        for n in accumulate(self.deals, initial=len(self.board)):
            if n > len(board):
                break
            number, trade = self.board_of(board[len(self.board) : n])
            hand = self._number[RELABELLED[trade]]
            live = (hand >= 0) & live_combos(sum(1 << card for card in board[:n]))
            cells.append(np.where(live, number * self.n_hands + hand, -1).astype(np.int32))
        return cells

    def label(self, street: int, cell: int) -> str:
        """The hand, and the whole board if there is one."""
        board, hand = divmod(cell, self.n_hands)
        cards, held = (*self.board, *self.boards[street][board]), combo_text(int(self.combos[hand]))
        return f"{held} on {cards_text(cards)}" if cards else held

    @cached_property
    def relabelled(self) -> Int32s:
        """Return, for each exchange of suits and each hand, the hand that it becomes.

        Of boards that differ only by an exchange of suits (a trade), one is stored. `relabelled[trade, hand]` is the
        hand on the stored board that corresponds to `hand` on the real board.
        """
        return np.stack([self._number[RELABELLED[INVERSE[t]][self.combos]] for t in self._trades]).astype(np.int32)

    @cached_property
    def live(self) -> tuple[Floats32, ...]:
        """Return `live[street][board, hand]`: 0.0 if the hand contains a card of the board, otherwise 1.0."""
        mask = (np.uint64(1) << self.high.astype(np.uint64)) | (np.uint64(1) << self.low.astype(np.uint64))
        dealt = [np.array([sum(1 << card for card in b) for b in boards], np.uint64) for boards in self.boards]
        return tuple(((mask[None, :] & d[:, None]) == 0).astype(np.float32) for d in dealt)

    @cached_property
    def orders(self) -> tuple[tuple[Orders, Orders], ...]:
        """`orders[street][player]`."""
        return tuple(self._orders(street) for street in range(len(self.boards)))

    @cached_property
    def pair_weight(self) -> float:
        """Sum of weight times weight over all pairs of hands that share no card."""
        a, b = self.weights
        total = a.sum() * b.sum() + (a * b).sum()
        by_card = [np.bincount(c, weights=w, minlength=N_CARDS) for w in (a, b) for c in (self.high, self.low)]
        return float(total - (by_card[0] + by_card[1]) @ (by_card[2] + by_card[3]))

    def per_hand(self, player: int) -> Floats:
        """`share[hand]`: weights that convert a player's values by hand to chips per hand."""
        own, other = self.weights[player], self.weights[1 - player]
        return np.asarray(own * other.sum() / self.pair_weight)

    @cached_property
    def pairs(self) -> CellPairs | None:
        """All pairs of hands: a readable twin of what the kernels do, only for few hands and without merged boards.
        None for whole games, which have too many pairs."""
        if self.name == HANDS:
            return None
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

    def _symmetries(self) -> list[int]:
        """Suit exchanges that leave both ranges unchanged."""
        return [t for t, moved in enumerate(RELABELLED) if all((w[moved] == w).all() for w in self.weight_of_combo)]

    def _deal(self, groups: list[list[int]], n: int) -> list[list[int]]:
        """Add a street of `n` cards. `groups[board]` are the suit exchanges that leave a board unchanged; returns those
        of the new boards."""
        boards: list[tuple[int, ...]] = []
        new_groups, first, rows = [], [0], []
        for before, group in zip(self.boards[-1], groups, strict=True):
            out, stands_for = {*self.board, *before}, dict[tuple[int, ...], tuple[int, int]]()
            for dealt in combinations([card for card in self.deck if card not in out], n):
                if dealt not in stands_for:
                    moved = [tuple(sorted(_swap(card, trade) for card in dealt)) for trade in group]
                    for there, trade in zip(reversed(moved), reversed(group), strict=True):
                        # the unchanged board is written last and has precedence
                        stands_for[there] = (len(boards), trade)
                    new_groups.append([trade for there, trade in zip(moved, group, strict=True) if there == dealt])
                    boards.append((*before, *dealt))
            for dealt, (number, trade) in sorted(stands_for.items()):
                rows.append((sum(1 << card for card in dealt), number, self._trade_number(trade)))
            first.append(len(rows))
        masks, to, by = zip(*rows, strict=True)
        self.boards.append(boards)
        self.next_cards.append(
            NextCards(
                np.array(first, np.int32), np.array(masks, np.int64), np.array(to, np.int32), np.array(by, np.int16)
            )
        )
        return new_groups

    def _trade_number(self, trade: int) -> int:
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
        ranks: dict[tuple[int, ...], Int32s] = {}  # cards dealt in either order make the same hands
        for b, dealt in enumerate(self.boards[street]):
            cards = tuple(sorted(dealt)) if final else ()
            if cards not in ranks:
                whole = (*self.board, *cards)
                ranks[cards] = rank_combos(whole)[self.combos] if final else np.zeros(self.n_hands, np.int32)
            by_hand = ranks[cards]
            for (first, last), (order, n, rank) in zip(self.hands_of, orders, strict=True):
                hands = first + np.flatnonzero(self.live[street][b, first:last])
                hands = hands[np.argsort(by_hand[hands], kind="stable")]
                order[b, : n[b]], rank[b, : n[b]] = hands, by_hand[hands]
        return orders[0], orders[1]


HANDS = "hands"
"""Name of the card abstraction `whole_cells`."""
MOST_MATRICES = 1e6
"""If there are more pairs of hands on boards than this, the passes for subgames are faster than matrices (7 times as
fast at 5 million)."""


def has_many_pairs(rules: Rules) -> bool:
    """Whether a game has so many pairs of hands that `whole_cells` are faster than pair matrices."""
    sizes = [street.n_board for street in rules.streets]
    holdem = rules.ranking == "high" and [street.n_hole for street in rules.streets] == [2] + [0] * (len(sizes) - 1)
    if rules.n_seats != 2 or not holdem or rules.has_up_cards or sizes[0] or not 3 <= sum(sizes) <= FINAL:
        return False
    n_boards, left = n_splits(len(rules.deck), sizes), len(rules.deck) - sum(sizes)
    return n_boards * comb(left, 2) <= MAX_DEALS and n_boards / len(RELABELLED) * comb(left, 2) ** 2 > MOST_MATRICES


def whole_cells(rules: Rules) -> SubgameCells:
    """Cells of a whole game with two hole cards: each hand on each board has its own cell.

    >>> from pokerlab.games.catalog import game
    >>> from dataclasses import replace
    >>> small = replace(game("limit2p"), deck=tuple(range(24)), streets=game("limit2p").streets[:2])
    >>> whole_cells(small).n_boards
    (1, 166)
    """
    out = sum(1 << card for card in range(N_CARDS) if card not in rules.deck)
    weights = live_combos(out).astype(np.float64)
    deals = [street.n_board for street in rules.streets[1:]]
    return SubgameCells((), (weights, weights), deals=deals, deck=rules.deck, name=HANDS)


def _swap(card: int, trade: int) -> int:
    return int(RELABELLED_CARD[trade, card])


def _after(first: int, second: int) -> int:
    """Number of the suit exchange that does the same as `first` followed by `second`."""
    both = RELABELLED_CARD[second][RELABELLED_CARD[first]]
    return int(np.flatnonzero((both == RELABELLED_CARD).all(axis=1))[0])
