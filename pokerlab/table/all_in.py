"""All-ins at their expected value: what each pot is worth to its players at the moment when the betting ends.

When betting ends with cards to come and two or more players show their hands, only chance remains. The expected share
of each pot, over all run-outs and given every shown hand, has the same mean as the actual result and less variance.
Folded hands count as unknown even if a record has them; only cards dealt face up are known.

Hold'em is exact for any number of players. Other games are enumerated if there are at most `MOST_ENUMERATED` run-outs;
otherwise `N_SAMPLES` run-outs are sampled, always the same ones for the same cards.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), (RaiseTo(20000), CALL), ("a", "b"))
>>> [[round(share, 5) for share in pot.shares] for pot in expected_shares(hand).pots]
[[0.53786, 0.46214]]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Int64s, Uint8s
from pokerlab.cards.card import cards_text
from pokerlab.cards.equity import equity
from pokerlab.cards.evaluate import evaluate_batch
from pokerlab.games.actions import Chips
from pokerlab.games.dealing import every_split, n_splits
from pokerlab.games.history import HandHistory
from pokerlab.games.pots import pots_of
from pokerlab.games.rules import Rules
from pokerlab.games.showdown import strength
from pokerlab.rng import stream

MOST_ENUMERATED = 20_000
N_SAMPLES = 10_000
SEED = 0


class PotShares(NamedTuple):
    """A pot that two or more seats can win, and the share that each of them can expect."""

    amount: Chips
    seats: tuple[int, ...]
    shares: tuple[float, ...]


class Expected(NamedTuple):
    """The pots of an all-in; `exact` is False if run-outs were sampled."""

    pots: tuple[PotShares, ...]
    exact: bool


class _Showing(NamedTuple):
    """The cards on the table when betting ended: those `held` by each seat that shows, the `board`, and the rest of the
    deck."""

    held: dict[int, tuple[int, ...]]
    board: tuple[int, ...]
    left: tuple[int, ...]
    to_come: dict[int, int]  # number of cards that each showing seat will get
    board_to_come: int


def ends_all_in(hand: HandHistory) -> bool:
    """Whether two or more players showed down with cards to come when betting ended."""
    steps = hand.steps
    street = steps[-1].street if steps else 0
    return bool(hand.shown) and street < len(hand.rules.streets) - 1


def expected_shares(hand: HandHistory) -> Expected | None:
    """Expected shares of the contested pots of an all-in; None if some shown hand is unknown."""
    showing = _showing(hand)
    if showing is None:
        return None
    betting = hand.final.betting
    pots = [pot for pot in pots_of(hand.rules, betting.spent, betting.folded) if len(pot.seats) > 1]
    if hand.rules.holdem_hands:
        return Expected(tuple(PotShares(*pot, _holdem_shares(pot.seats, showing)) for pot in pots), exact=True)
    run_outs, exact = _run_outs(showing)
    strengths = _strengths(hand.rules, showing, run_outs)
    return Expected(tuple(PotShares(*pot, _shares(strengths, pot.seats)) for pot in pots), exact)


def _showing(hand: HandHistory) -> _Showing | None:
    rules, deck = hand.rules, hand.deck
    steps = hand.steps
    holes, ups, board = rules.dealt_by[steps[-1].street if steps else 0]
    all_holes, all_ups, all_board = rules.dealt_by[-1]
    held = {seat: [deck[place] for place in holes[seat] + ups[seat]] for seat in hand.shown}
    table = [deck[place] for place in board]
    folded_up = [deck[place] for seat in range(rules.n_seats) if seat not in held for place in ups[seat]]
    gone = {card for cards in (*held.values(), table, folded_up) for card in cards}
    if None in gone:
        return None
    return _Showing(
        {seat: tuple(cards) for seat, cards in held.items()},  # type: ignore[arg-type]
        tuple(table),  # type: ignore[arg-type]
        tuple(card for card in rules.deck if card not in gone),
        {seat: len(all_holes[seat] + all_ups[seat]) - len(held[seat]) for seat in held},
        len(all_board) - len(board),
    )


def _holdem_shares(seats: Sequence[int], showing: _Showing) -> tuple[float, ...]:
    others = sorted(card for seat, cards in showing.held.items() if seat not in seats for card in cards)
    hands = sorted(showing.held[seat] for seat in seats)
    shares = _equities(tuple(hands), tuple(sorted(showing.board)), tuple(others))
    return tuple(shares[hands.index(showing.held[seat])] for seat in seats)


@lru_cache(maxsize=100_000)  # duplicate deals and round robins repeat the same cards
def _equities(hands: tuple[tuple[int, ...], ...], board: tuple[int, ...], others: tuple[int, ...]) -> tuple[float, ...]:
    return equity(hands, board, others, method="exact", threads=1).equity


def _run_outs(showing: _Showing) -> tuple[Uint8s, bool]:
    """`run_outs[run, card]`: the board's cards to come, then each seat's. Also returns whether these are all run-outs
    (else a sample)."""
    sizes = [showing.board_to_come, *showing.to_come.values()]
    n = n_splits(len(showing.left), sizes)
    if n <= MOST_ENUMERATED:
        every = [[card for part in parts for card in part] for parts in every_split(showing.left, sizes)]
        return np.array(every, dtype=np.uint8).reshape(n, sum(sizes)), True
    known = [cards_text(cards) for cards in (showing.board, *showing.held.values())]
    rng = stream(SEED, "run-outs", *known)
    decks = np.tile(np.array(showing.left, dtype=np.uint8), (N_SAMPLES, 1))
    rows = np.arange(N_SAMPLES)
    for place in range(sum(sizes)):
        other = rng.integers(place, len(showing.left), N_SAMPLES)
        decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place]
    return decks[:, : sum(sizes)], False


def _strengths(rules: Rules, showing: _Showing, run_outs: Uint8s) -> dict[int, Int64s]:
    """`strengths[seat][run]`: the strength of each showing seat's final hand in each run-out."""
    n = len(run_outs)

    def dealt(known: tuple[int, ...], to_come: Uint8s) -> Uint8s:
        return np.hstack([np.tile(np.array(known, dtype=np.uint8), (n, 1)), to_come])

    board = dealt(showing.board, run_outs[:, : showing.board_to_come])
    at, strengths = showing.board_to_come, {}
    for seat, cards in showing.held.items():
        mine = dealt(cards, run_outs[:, at : at + showing.to_come[seat]])
        at += showing.to_come[seat]
        strengths[seat] = strengths_of(rules, mine, board)
    return strengths


def strengths_of(rules: Rules, mine: Uint8s, board: Uint8s) -> Int64s:
    """Apply `games.showdown.strength` to each row, vectorised where the evaluator supports it."""
    if rules.ranking == "omaha":
        fives = [
            np.hstack([mine[:, pair], board[:, three]])
            for pair in combinations(range(mine.shape[1]), 2)
            for three in combinations(range(board.shape[1]), 3)
        ]
        return np.asarray(np.max([evaluate_batch(hands) for hands in fives], axis=0).astype(np.int64))
    if rules.ranking == "high" and 5 <= mine.shape[1] + board.shape[1] <= 7:
        return evaluate_batch(np.hstack([mine, board])).astype(np.int64)
    rows = zip(mine.tolist(), board.tolist(), strict=True)
    return np.array([strength(rules.ranking, hole, table) for hole, table in rows], dtype=np.int64)


def _shares(strengths: dict[int, Int64s], seats: tuple[int, ...]) -> tuple[float, ...]:
    """Return the mean share of each of `seats` in a pot that the best hand among them wins."""
    of_seat = np.array([strengths[seat] for seat in seats])
    wins = of_seat == of_seat.max(axis=0)
    return tuple((wins / wins.sum(axis=0)).mean(axis=1).tolist())
