"""Omaha: the best hand of exactly two of four hole cards and three of five board cards, and equity between hands.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.evaluate import rank_label
>>> rank_label(evaluate_omaha(cards("AhKhQc2d"), cards("3h4h5h9c9d")))  # two hearts of the hand, three of the board
'flush, A-K-5-4-3'
>>> rank_label(evaluate_omaha(cards("AhKcQc2d"), cards("3h4h5h9h9d")))  # one heart makes no flush
'straight, five high'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.arrays import AnyArray, Int32s, Int64s, Uint8s
from pokerlab.cards.card import check_distinct
from pokerlab.cards.card_keys import all_combinations, rank_keys, sums_of
from pokerlab.cards.equity_question import Count, Progress
from pokerlab.cards.evaluate import evaluate, tables
from pokerlab.errors import CardError
from pokerlab.rng import stream

N_HOLE = 4
AT_ONCE = 5_000
"""Deals ranked together: each is 60 hands a player."""

_PAIRS = np.array(list(combinations(range(N_HOLE), 2)))
_THREES = np.array(list(combinations(range(5), 3)))


def evaluate_omaha(hole: Sequence[int], board: Sequence[int]) -> int:
    """The rank 0..7461 (`cards.evaluate`) of the best two hole cards with three board cards."""
    return max(evaluate((*pair, *three)) for pair in combinations(hole, 2) for three in combinations(board, 3))


class OmahaQuestion:
    """Hands of four cards (None for random ones) on a board of up to five cards, validated."""

    def __init__(
        self, hands: Sequence[Sequence[int] | AnyArray | None], board: Sequence[int], dead: Sequence[int]
    ) -> None:
        known = {f"player {i + 1}'s hand": hand for i, hand in enumerate(hands) if hand is not None}
        if wrong := next((who for who, hand in known.items() if len(hand) != N_HOLE), None):
            raise CardError(f"at Omaha a hand is four cards or random; {wrong} is neither")
        check_distinct(**known, **{"the board": board, "the dead cards": dead})
        gone = {*board, *dead, *(card for hand in known.values() for card in hand)}
        self.hands, self.board = hands, board
        self.deck = np.array([card for card in range(52) if card not in gone], np.uint8)
        self.n_random, self.n_to_come = len(hands) - len(known), 5 - len(board)
        self.n_dealt = self.n_to_come + N_HOLE * self.n_random
        if len(hands) < 2 or self.n_to_come < 0 or self.n_dealt > len(self.deck):
            raise CardError(f"{len(hands)} hands of Omaha on a board of {len(board)} cards cannot be dealt")

    @property
    def n_run_outs(self) -> int:
        """Ways to complete the board if all hands are known."""
        return comb(len(self.deck), self.n_to_come)

    def count(self, samples: int | None = None, *, seed: int = 7, progress: Progress | None = None) -> Count:
        """Count the winners over all run-outs, or over `samples` random deals.

        >>> from pokerlab.cards.card import cards
        >>> OmahaQuestion([cards("AsAhKsKh"), cards("JcTc9d8d")], cards("2c7d9s"), ()).count()
        Count(outcomes=((319.0, 0.0), (501.0, 0.0)), total=820, n=820)
        """
        outcomes, done = np.zeros((len(self.hands), len(self.hands)), np.int64), 0
        n = self.n_run_outs if samples is None else samples
        for dealt in self._run_outs() if samples is None else self._sampled(samples, seed):
            outcomes += self._outcomes(dealt)
            done += len(dealt)
            if progress is not None:
                progress(done, n)
        return Count(tuple(tuple(map(float, row)) for row in outcomes), n, n)

    def _run_outs(self) -> Iterator[Uint8s]:
        every = all_combinations(self.deck, self.n_to_come)
        return (every[first : first + AT_ONCE] for first in range(0, len(every), AT_ONCE))

    def _sampled(self, n: int, seed: int) -> Iterator[Uint8s]:
        rng = stream(seed, "omaha equity")
        for first in range(0, n, AT_ONCE):
            order = rng.random((min(AT_ONCE, n - first), len(self.deck))).argsort(axis=1)
            yield self.deck[order[:, : self.n_dealt]]

    def _outcomes(self, dealt: Uint8s) -> Int64s:
        """How often each player is one of k winners, as `outcomes[player, k - 1]`, in the given deals.

        `dealt[deal, card]` are the cards to come: the rest of the board, then the random hands.
        """
        n = len(dealt)
        boards = np.column_stack([np.tile(np.array(self.board, np.uint8), (n, 1)), dealt[:, : self.n_to_come]])
        at, ranks = self.n_to_come, []
        for hand in self.hands:
            if hand is None:
                at += N_HOLE
                ranks.append(_ranks(dealt[:, at - N_HOLE : at], boards))
            else:
                ranks.append(_ranks(np.array([hand], np.uint8), boards))
        wins = ranks == np.max(ranks, axis=0)
        winners = wins.sum(axis=0)
        return np.array([np.bincount(winners[row] - 1, minlength=len(ranks)) for row in wins])


def _ranks(holes: Uint8s, boards: Uint8s) -> Int32s:
    """The rank of each hand in `holes[deal, 4]` on its board in `boards[deal, 5]`; one hand serves all boards."""
    keys, suits = sums_of(holes[:, _PAIRS])
    more_keys, more_suits = sums_of(boards[:, _THREES])
    together = keys[:, :, None] + more_keys[:, None], suits[:, :, None] + more_suits[:, None]
    ranks: Int32s = rank_keys(*together, tables()).max(axis=(1, 2))
    return ranks
