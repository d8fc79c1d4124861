"""Input of an equity calculation: players, board and dead cards, validated; and how the work is divided.

Used by `equity`, `equity_exact` and `equity_sampled`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice, permutations
from math import comb
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import AnyArray, Floats, Indices, Uint8s
from pokerlab.cards.card import cards_text, check_distinct
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index, live_combos
from pokerlab.errors import CardError

Player: TypeAlias = Sequence[int] | AnyArray | None  #: two cards, 1326 weights, or `None` for a random hand
Progress: TypeAlias = Callable[[int, int], None]  #: called with (units done, total units)

DRAWS_PER_WORD = 5  #: cards drawn from one random word
MAX_TRIES = 100_000  #: random deals tried, at most, for each valid one (in which no two players have the same card)


class Holding(NamedTuple):
    """Combos that a player may have given the known cards, and their weights."""

    kind: Literal["hand", "range", "random"]
    combos: Indices
    weights: Floats


@dataclass(frozen=True)
class Question:
    """The players' holdings, the board and the dead cards."""

    players: tuple[Holding, ...]
    board: Uint8s
    dead: tuple[int, ...]

    @property
    def n_to_come(self) -> int:
        return 5 - len(self.board)

    @property
    def gone(self) -> int:
        """Mask of board and dead cards."""
        return mask_of([*self.board.tolist(), *self.dead])

    @property
    def n_run_outs(self) -> int:
        """Number of ways to complete the board after every player has cards."""
        return comb(52 - len(self.board) - len(self.dead) - 2 * len(self.players), self.n_to_come)


class Count(NamedTuple):
    """The answer: see `equity.EquityResult`."""

    outcomes: tuple[tuple[float, ...], ...]
    total: float
    n: int


def make_question(hands: Sequence[Player], board: Sequence[int], dead: Sequence[int]) -> Question:
    """Validate the input and list the combos of each player."""
    if len(hands) < 2:
        raise CardError(f"equity is between two or more players, not {len(hands)}")
    if len(board) > 5:
        raise CardError(f"a board has at most 5 cards, not {len(board)}")
    n_cards = 2 * len(hands) + 5 + len(dead)
    if n_cards > 52:
        raise CardError(f"{len(hands)} players, a board and {len(dead)} dead cards need {n_cards} cards; a deck has 52")
    ranges = {i: _weights(i, hand) for i, hand in enumerate(hands) if isinstance(hand, np.ndarray) and hand.size != 2}
    fixed = {i: _hole(i, hand) for i, hand in enumerate(hands) if hand is not None and i not in ranges}
    known = {"the board": tuple(map(int, board)), "the dead cards": tuple(map(int, dead))}
    check_distinct(**{f"player {i + 1}'s hand": hole for i, hole in fixed.items()}, **known)
    gone = [*known["the board"], *known["the dead cards"], *(card for hole in fixed.values() for card in hole)]
    live = live_combos(mask_of(gone))
    players = []
    for i in range(len(hands)):
        if i in fixed:
            players.append(Holding("hand", np.array([combo_index(*fixed[i])]), np.ones(1)))
            continue
        weights = ranges.get(i, np.ones(N_COMBOS))
        combos = np.flatnonzero(live & (weights > 0))
        if not len(combos):
            raise CardError(f"player {i + 1}'s range has no hand without the cards {cards_text(sorted(gone)[::-1])}")
        players.append(Holding("range" if i in ranges else "random", combos, weights[combos]))
    return Question(tuple(players), np.array(board, dtype=np.uint8), known["the dead cards"])


def _hole(player: int, hand: Sequence[int] | AnyArray) -> tuple[int, int]:
    if len(hand) != 2:
        raise CardError(f"player {player + 1} needs two cards, {N_COMBOS} weights or None, not {len(hand)} values")
    return int(hand[0]), int(hand[1])


def _weights(player: int, weights: AnyArray) -> Floats:
    if weights.shape != (N_COMBOS,):
        raise CardError(f"player {player + 1}'s range must be {N_COMBOS} weights, not an array {list(weights.shape)}")
    if not np.all(np.isfinite(weights) & (weights >= 0)):
        raise CardError(f"player {player + 1}'s range has weights below zero or not finite")
    if not weights.any():
        raise CardError(f"player {player + 1}'s range is empty")
    return weights.astype(np.float64)


def mask_of(cards: Sequence[int]) -> int:
    """An integer with bit `card` set for each card."""
    return sum(1 << card for card in cards)


# --- suits that may be exchanged -------------------------------------------------------------------------------------

SUIT_ORDERS = np.array(list(permutations(range(4))))


@cache
def permuted_combos() -> Indices:
    """`[order, combo]`: the combo that results from replacing each suit s by `SUIT_ORDERS[order, s]`."""
    cards = CARDS_OF_COMBO.astype(np.intp)
    moved = (cards & ~3) | SUIT_ORDERS[:, cards & 3]
    high, low = moved.max(axis=2), moved.min(axis=2)
    return np.asarray(high * (high - 1) // 2 + low)


def symmetries(question: Question, *, of_ranges: bool) -> Indices:
    """The suit orders that leave the board, the dead cards and, if `of_ranges`, every player's weights unchanged."""
    orders = np.arange(len(SUIT_ORDERS))
    for group in (question.board.tolist(), question.dead):
        cards = np.array(group, dtype=np.intp)
        moved = (cards & ~3) | SUIT_ORDERS[orders][:, cards & 3]
        orders = orders[(np.sort(moved, axis=1) == np.sort(cards)).all(axis=1)]
    if of_ranges:
        for _, combos, weights in question.players:
            every_weight = np.zeros(N_COMBOS)
            every_weight[combos] = weights
            orders = orders[(every_weight[permuted_combos()[orders]] == every_weight).all(axis=1)]
    return orders


# --- work in parts ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """The number of threads to use, and the callback for progress."""

    threads: int
    progress: Progress | None

    def in_order(self, part: Callable[[int], AnyArray], n_parts: int) -> Iterator[AnyArray]:
        """Compute `part(0), part(1), ..` on several threads (kernels release the GIL) and yield the results in
        order."""
        if self.threads == 1 or n_parts == 1:
            yield from map(part, range(n_parts))
            return
        numbers = iter(range(n_parts))
        with ThreadPoolExecutor(self.threads) as pool:
            ahead = islice(numbers, 2 * self.threads)
            waiting: deque[Future[AnyArray]] = deque(pool.submit(part, number) for number in ahead)
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(pool.submit(part, number) for number in islice(numbers, 1))
                yield result

    def report(self, done: int, to_do: int) -> None:
        """Call the progress callback, if any."""
        if self.progress is not None:
            self.progress(done, to_do)
