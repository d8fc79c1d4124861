"""The *advantage* of one hand over another if no more bets follow, over all cards to come.

The advantage of a hand over another is its probability of winning minus its probability of losing. Hands are numbered
as in `games.hands`.

>>> from pokerlab.games.catalog import game
>>> leduc = Showdowns(game("leduc"))
>>> from pokerlab.cards.card import cards
>>> king, queen = (np.array([leduc.hands.number(cards(card))]) for card in ("Ks", "Qs"))
>>> leduc.advantage((), king, queen), leduc.advantage(cards("Qh"), king, queen)
(array([[0.5]]), array([[-1.]]))
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.arrays import Floats, Indices
from pokerlab.cards.equity import equity
from pokerlab.cards.evaluate import tables
from pokerlab.cards.matchups import edge_against
from pokerlab.errors import RulesError
from pokerlab.games.dealing import start_ranges
from pokerlab.games.hands import hands_of
from pokerlab.games.rules import Rules
from pokerlab.table.all_in import strengths_of
from pokerlab.valuing import _showdowns_numba

MOST_COMPARED = 300_000_000  #: games with more pairs of hands times boards are too large to enumerate

MOST_REMEMBERED = 2_000


class Showdowns:
    """The hands of a game for two, and their exact advantages. Small games are enumerated board by board. In hold'em
    one hand at a time is compared with all others: before the flop by a table, afterwards by enumeration."""

    def __init__(self, rules: Rules) -> None:
        n_hole, n_board = rules.streets[0].n_hole, sum(street.n_board for street in rules.streets)
        if rules.n_seats != 2 or rules.has_up_cards or any(street.n_hole for street in rules.streets[1:]):
            raise RulesError(
                f"{rules.name}: hands can be compared only in games for two in which all hole cards are dealt at once"
            )
        if rules.rake:
            raise RulesError(f"{rules.name}: advantages, and therefore LBR and AIVAT, need a game without rake")
        self.rules, self.n_board = rules, n_board
        deck = len(rules.deck)
        if not rules.holdem_hands and comb(deck, n_board) * comb(deck, n_hole) ** 2 > MOST_COMPARED:
            raise RulesError(f"{rules.name} has too many cards to compare every pair of hands on every board")
        self.hands = hands_of(rules)
        self.every: Indices = np.arange(len(self.hands))
        alike = np.ones(len(self.hands))
        self.dealt = start_ranges(rules) or (alike, alike)
        """`dealt[seat][hand]`: relative probability that a seat is dealt a hand. It is the same for all hands except in
        subgames."""
        self._advantages: dict[tuple[object, ...], Floats] = {}

    def possible(self, rows: Indices, columns: Indices) -> Floats:
        """`possible[row, column]`: 1 if two hands share no card, otherwise 0."""
        return np.asarray((self.hands.masks[rows, None] & self.hands.masks[None, columns]) == 0, np.float64)

    def pairs(self, rows: Indices, columns: Indices) -> Floats:
        """`weight[row, column]`: relative probability that seat 0 is dealt the row's hand and seat 1 the column's."""
        return self.possible(rows, columns) * self.dealt[0][rows, None] * self.dealt[1][None, columns]

    @cached_property
    def at_the_deal(self) -> float:
        """Mean advantage of seat 0 after the deal; 0 if both hands are dealt from the same distribution."""
        return 2 * equity(self.dealt, self.rules.board, method="exact").equity[0] - 1 if self.rules.board else 0.0

    def advantage(self, board: tuple[int, ...], rows: Indices, columns: Indices) -> Floats:
        """`advantage[row, column]` of the row's hand on a board, over all cards to come; 0 if the hands share a
        card."""
        if not self.rules.holdem_hands:
            return self._matrix(board)[rows[:, None], columns]
        if len(columns) == 1:
            return self._against(board, int(columns[0]))[rows, None]
        if len(rows) == 1:
            return -self._against(board, int(rows[0]))[None, columns]
        raise RulesError("hold'em compares one hand with all others, not ranges with ranges")

    def _against(self, board: tuple[int, ...], combo: int) -> Floats:
        """`advantage[other]` of every other hold'em combo over `combo` on a board."""
        if not board:
            return edge_against(combo)
        key = (board, combo)
        advantage = self._advantages.get(key)
        if advantage is None:
            out = {*board, *self.hands.holes[combo].tolist()}
            left = [card for card in range(52) if card not in out]
            to_come = 5 - len(board)
            run_outs = np.array(list(combinations(left, to_come)), np.uint8).reshape(comb(len(left), to_come), to_come)
            total = np.zeros(len(self.hands), np.int32)
            _showdowns_numba.wins_less_losses(np.array(board, np.uint8), run_outs, combo, tables(), total)
            clash = (self.hands.masks & self.hands.masks[combo]) != 0
            advantage = np.where(clash, 0.0, total / comb(len(left) - 2, to_come))
            self._cache(key, advantage)
        return advantage

    def _matrix(self, board: tuple[int, ...]) -> Floats:
        """`advantage[hand, hand]` for a small game."""
        advantage = self._advantages.get(board)
        if advantage is None:
            left = [card for card in self.rules.deck if card not in board]
            to_come, n_hole = self.n_board - len(board), self.hands.holes.shape[1]
            advantage = np.zeros((len(self.hands), len(self.hands)))
            for run_out in combinations(left, to_come):
                advantage += self._on((*board, *run_out))
            advantage *= self.possible(self.every, self.every) / comb(len(left) - 2 * n_hole, to_come)
            self._cache(board, advantage)
        return advantage

    def _on(self, board: tuple[int, ...]) -> Floats:
        """Outcome for every pair of hands on a final board: 1, 0 or -1."""
        live = np.flatnonzero(self.hands.live(board))
        boards = np.tile(np.array(board, np.uint8), (len(live), 1))
        strength = strengths_of(self.rules, self.hands.holes[live], boards)
        advantage = np.zeros((len(self.hands), len(self.hands)))
        advantage[np.ix_(live, live)] = np.sign(strength[:, None] - strength[None, :])
        return advantage

    def _cache(self, key: tuple[object, ...], advantage: Floats) -> None:
        if len(self._advantages) >= MOST_REMEMBERED:
            self._advantages.clear()
        self._advantages[key] = advantage
