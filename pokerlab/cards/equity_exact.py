"""Exact equity: every deal of hole cards with every run-out, or two ranges on every board.

The first method works for any number of players and is less work before the flop, as it counts the run-outs of a deal
by their ranks; the second is less work after the flop, with two whole ranges on few boards. Suit permutations that
leave the question unchanged make deals, or boards, equal; one of each class is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, comb, inf, prod

import numpy as np

from pokerlab.arrays import Floats, Indices
from pokerlab.cards import _equity_numba, _showdown_numba
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO, N_COMBOS
from pokerlab.cards.equity_question import SUIT_ORDERS, Count, Question, Work, permuted_combos, symmetries
from pokerlab.cards.evaluate import tables
from pokerlab.errors import CardError

MAX_DEALS = 4_000_000  #: more deals of hole cards than this are not listed

# Measured on one core of 2.8 GHz; used only to choose between two exact methods, and between exact and sampled.
_SECONDS_PER_DEAL = (1e-6, 1.5e-6, 6e-6, 30e-6, 0.15e-3, 0.7e-3)  # by cards to come, for two players
_SECONDS_PER_BOARD = 25e-6

# --- exact, deal by deal ---------------------------------------------------------------------------------------------


def deals_seconds(question: Question) -> float:
    """Estimated seconds of `count_deals` on one core; infinite if it is not possible."""
    n_deals = prod(len(player.combos) for player in question.players)
    if n_deals > MAX_DEALS:
        return inf
    n_classes = n_deals / len(symmetries(question, of_ranges=False))
    return ceil(n_classes) * _SECONDS_PER_DEAL[question.n_to_come] * len(question.players) / 2


def _joint_deals(question: Question) -> tuple[Indices, Floats]:
    """`combos[deal, player]` of every deal without repeated cards, and the deals' weights."""
    deals = np.zeros((1, 0), dtype=np.intp)
    masks, weights = np.zeros(1, dtype=np.uint64), np.ones(1)
    for player in question.players:
        new_masks = MASK_OF_COMBO[player.combos]
        old, new = np.nonzero((masks[:, None] & new_masks) == 0)
        deals = np.column_stack([deals[old], player.combos[new]])
        masks, weights = masks[old] | new_masks[new], weights[old] * player.weights[new]
    if not len(deals):
        raise CardError("no deal gives every player a hand of their range: they need the same cards")
    return deals, weights


def _merge_deals(deals: Indices, weights: Floats, orders: Indices) -> tuple[Indices, Floats]:
    """One deal of each class that suit permutations make equal, with the weight of the class."""
    if deals.shape[1] > 6 or len(deals) == 1:  # the index of a deal of seven players would not fit into 64 bits
        return deals, weights
    places = N_COMBOS ** np.arange(deals.shape[1], dtype=np.int64)
    lowest = np.full(len(deals), np.iinfo(np.int64).max)
    for order in orders:
        np.minimum(lowest, permuted_combos()[order][deals] @ places, out=lowest)
    _, first, of_class = np.unique(lowest, return_index=True, return_inverse=True)
    return deals[first], np.bincount(of_class, weights).astype(np.float64)


def count_deals(question: Question, work: Work) -> Count:
    """Count every deal of hole cards, with every run-out by `deal_outcomes`."""
    deals, weights = _joint_deals(question)
    n_deals, total = len(deals), float(weights.sum())
    deals, weights = _merge_deals(deals, weights, symmetries(question, of_ranges=False))
    holes = CARDS_OF_COMBO[deals].astype(np.uint8)
    size = max(1, min(1000, len(deals) // 64))  # small enough to show progress, large enough for the overhead
    n_players = len(question.players)

    def count(chunk: int) -> Floats:
        part = slice(chunk * size, (chunk + 1) * size)
        outcomes = np.zeros((len(holes[part]), n_players, n_players), dtype=np.int64)
        _equity_numba.deal_outcomes(holes[part], question.board, np.uint64(question.gone), tables(), outcomes)
        return np.tensordot(weights[part], outcomes.astype(np.float64), axes=1)

    outcomes = np.zeros((n_players, n_players))
    for chunk, counted in enumerate(work.in_order(count, ceil(len(deals) / size))):
        outcomes += counted
        work.report(min(len(deals), (chunk + 1) * size), len(deals))
    return _exact(question, outcomes, total * question.n_run_outs, n_deals * question.n_run_outs)


def _exact(question: Question, outcomes: Floats, total: float, n: int) -> Count:
    """The count, as integers if all weights are whole (their sums are exact as doubles below 2**53)."""
    whole = total < 2**53 and all((player.weights == np.round(player.weights)).all() for player in question.players)
    number: Callable[[float], float] = round if whole else float
    return Count(tuple(tuple(number(w) for w in row) for row in outcomes), number(total), n)


# --- exact, board by board -------------------------------------------------------------------------------------------


def boards_seconds(question: Question) -> float:
    """Estimated seconds of `count_boards` on one core; infinite if it is not possible."""
    if len(question.players) != 2:
        return inf
    n_boards = comb(52 - question.gone.bit_count(), question.n_to_come)
    return n_boards / len(symmetries(question, of_ranges=True)) * _SECONDS_PER_BOARD


def count_boards(question: Question, work: Work) -> Count:
    """Count two ranges on every board, by `board_outcomes`."""
    live = np.unique(np.concatenate([player.combos for player in question.players]))
    weights = np.zeros((len(live), 2))
    for player, (_, combos, weight) in enumerate(question.players):
        weights[np.searchsorted(live, combos), player] = weight
    deck = np.array([card for card in range(52) if not question.gone >> card & 1], dtype=np.uint8)
    run_outs = np.empty((comb(len(deck), question.n_to_come), question.n_to_come), dtype=np.uint8)
    counts = np.empty(len(run_outs), dtype=np.int64)
    orders = SUIT_ORDERS[symmetries(question, of_ranges=True)]
    n_boards = _showdown_numba.list_run_outs(deck, question.n_to_come, orders, run_outs, counts)
    holes = CARDS_OF_COMBO[live].astype(np.uint8)
    size = 256

    def count(chunk: int) -> Floats:
        part = slice(chunk * size, min(n_boards, (chunk + 1) * size))
        result = np.zeros(3)
        _showdown_numba.board_outcomes(run_outs[part], counts[part], question.board, holes, weights, tables(), result)
        return result

    sums = np.zeros(3)
    for chunk, counted in enumerate(work.in_order(count, ceil(n_boards / size))):
        sums += counted
        work.report(min(n_boards, (chunk + 1) * size), n_boards)
    win, tie, total = sums.tolist()
    masks = [MASK_OF_COMBO[player.combos] for player in question.players]
    n_deals = int(np.count_nonzero((masks[0][:, None] & masks[1]) == 0))
    if not n_deals:
        raise CardError("no deal gives every player a hand of their range: they need the same cards")
    return _exact(
        question, np.array([[win, tie], [max(0.0, total - win - tie), tie]]), total, n_deals * question.n_run_outs
    )
