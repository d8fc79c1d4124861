"""Exact equity: all deals of hole cards with all run-outs, or two ranges on all boards.

The first method works for any number of players and is less work before the flop, since it counts the run-outs of a
deal by their ranks; a random hand is not dealt but counted by its ranks as well. The second is less work after the
flop, with two whole ranges on few boards. Suit permutations that leave the question unchanged make deals, or boards,
equivalent; one of each class is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, comb, inf, prod

import numpy as np

from pokerlab.arrays import Floats, Indices
from pokerlab.caches import compiled, may_run_uncompiled, seconds_by
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO, N_COMBOS
from pokerlab.cards.equity_arrays import Deal
from pokerlab.cards.equity_question import SUIT_ORDERS, Count, Question, Work, permuted_combos, symmetries
from pokerlab.cards.evaluate import tables
from pokerlab.errors import CardError

deal_kernels = compiled("pokerlab.cards._equity_numba")
random_kernels = compiled("pokerlab.cards._equity_random_numba")
board_kernels = compiled("pokerlab.cards._showdown_numba")
MAX_DEALS = 4_000_000  #: more deals of hole cards than this are not listed

# Measured on one core of 2.8 GHz; used only to choose between exact methods, and between exact and sampled. By cards to
# come, for two players, or for two and a random hand: in compiled code, and in NumPy.
_SECONDS_PER_DEAL = (1e-6, 1.5e-6, 6e-6, 30e-6, 0.15e-3, 0.7e-3)
_PLAIN_PER_DEAL = (0.3e-3, 0.4e-3, 0.6e-3, 1e-3, 1.5e-3, 3e-3)
_SECONDS_PER_RANDOM = (6e-6, 13e-6, 0.13e-3, 1.2e-3, 7e-3, 45e-3)
_PLAIN_PER_RANDOM = (0.5e-3, 1e-3, 2e-3, 8e-3, 40e-3, 0.15)
_SECONDS_PER_BOARD = 25e-6
_DEALS, _RANDOM, _BOARDS = "_equity_numba.deal_outcomes", "_equity_random_numba", "_showdown_numba.board_outcomes"

# --- exact, deal by deal ---------------------------------------------------------------------------------------------


def random_seconds(question: Question) -> float:
    """Estimated seconds of `count_random` on one core, including compilation; infinite if it is not possible."""
    place = _place_of_random(question)
    if place is None:
        return inf
    n_classes, to_come = _n_classes(_without(question, place)), question.n_to_come
    return seconds_by(n_classes * _PLAIN_PER_RANDOM[to_come], n_classes * _SECONDS_PER_RANDOM[to_come], _RANDOM)


def _place_of_random(question: Question) -> int | None:
    """Index of the last player with a random hand; None if there is none."""
    return max((i for i, player in enumerate(question.players) if player.kind == "random"), default=None)


def _without(question: Question, place: int) -> Question:
    """The question without one of its players."""
    return replace(question, players=question.players[:place] + question.players[place + 1 :])


def deals_seconds(question: Question) -> float:
    """Estimated seconds of `count_deals` on one core, compiling included; infinite if it is not possible."""
    n_hands, to_come = _n_classes(question) * len(question.players) / 2, question.n_to_come
    return seconds_by(n_hands * _PLAIN_PER_DEAL[to_come], n_hands * _SECONDS_PER_DEAL[to_come], _DEALS)


def _n_classes(question: Question) -> float:
    """Approximate number of deals of hole cards if one of each class is counted; infinite if there are too many."""
    n_deals = prod(len(player.combos) for player in question.players)
    return inf if n_deals > MAX_DEALS else ceil(n_deals / len(symmetries(question, of_ranges=True)))


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
    """Keep one deal of each class of equivalent deals under suit permutations, with the weight of the class."""
    if deals.shape[1] > 6 or len(deals) == 1:  # the index of a deal of seven players would not fit into 64 bits
        return deals, weights
    places = N_COMBOS ** np.arange(deals.shape[1], dtype=np.int64)
    lowest = np.full(len(deals), np.iinfo(np.int64).max)
    for order in orders:
        np.minimum(lowest, permuted_combos()[order][deals] @ places, out=lowest)
    _, first, of_class = np.unique(lowest, return_index=True, return_inverse=True)
    return deals[first], np.bincount(of_class, weights).astype(np.float64)


def count_deals(question: Question, work: Work) -> Count:
    """Count all deals of hole cards, each with all run-outs, by `deal_outcomes`."""
    return _count_listed(question, work, None)


def count_random(question: Question, work: Work) -> Count:
    """Count all deals of hole cards except to the last random hand, each with all run-outs and all such hands, by
    `random_outcomes`."""
    return _count_listed(question, work, _place_of_random(question))


def _count_listed(question: Question, work: Work, place: int | None) -> Count:
    """Count all deals of hole cards; if `place` is given, the random hand of that player is not dealt."""
    deals, weights = _joint_deals(question if place is None else _without(question, place))
    n_deals, total = len(deals), float(weights.sum())
    deals, weights = _merge_deals(deals, weights, symmetries(question, of_ranges=False))
    holes = CARDS_OF_COMBO[deals].astype(np.uint8)
    n_players, n_hands = len(question.players), question.n_run_outs
    if place is not None:
        n_hands *= comb(52 - question.gone.bit_count() - 2 * (n_players - 1), 2)
    size = max(1, min(1000, len(deals) // 64))  # small enough to show progress, large enough for the overhead
    if place is None:
        plain = may_run_uncompiled(len(deals) * n_players / 2 * _PLAIN_PER_DEAL[question.n_to_come], _DEALS)
    else:
        plain = may_run_uncompiled(len(deals) * _PLAIN_PER_RANDOM[question.n_to_come], _RANDOM)

    def count(chunk: int) -> Floats:
        part = slice(chunk * size, (chunk + 1) * size)
        outcomes = np.zeros((len(holes[part]), n_players, n_players), dtype=np.int64)
        if plain:
            for hole, outcome in zip(holes[part], outcomes, strict=True):
                deal = Deal(hole, question.board, question.gone)
                outcome[:] = deal.outcomes() if place is None else deal.random_outcomes()
        else:
            kernel = deal_kernels.deal_outcomes if place is None else random_kernels.random_outcomes
            kernel(holes[part], question.board, np.uint64(question.gone), tables(), outcomes)
        return np.tensordot(weights[part], outcomes.astype(np.float64), axes=1)

    outcomes = np.zeros((n_players, n_players))
    for chunk, counted in enumerate(work.in_order(count, ceil(len(deals) / size))):
        outcomes += counted
        work.report(min(len(deals), (chunk + 1) * size), len(deals))
    if place is not None:  # the kernel and its twin put the random hand last
        outcomes = np.insert(outcomes[:-1], place, outcomes[-1], axis=0)
    return _exact(question, outcomes, total * n_hands, n_deals * n_hands)


def _exact(question: Question, outcomes: Floats, total: float, n: int) -> Count:
    """Make the count, with integers if all weights are whole numbers. Sums of doubles below 2**53 are exact."""
    whole = total < 2**53 and all((player.weights == np.round(player.weights)).all() for player in question.players)
    number: Callable[[float], float] = round if whole else float
    return Count(tuple(tuple(number(w) for w in row) for row in outcomes), number(total), n)


# --- exact, board by board -------------------------------------------------------------------------------------------


def boards_seconds(question: Question) -> float:
    """Estimated seconds of `count_boards` on one core, compiling included; infinite if it is not possible."""
    if len(question.players) != 2:
        return inf
    n_boards = comb(52 - question.gone.bit_count(), question.n_to_come)
    return seconds_by(inf, n_boards / len(symmetries(question, of_ranges=True)) * _SECONDS_PER_BOARD, _BOARDS)


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
    n_boards = board_kernels.list_run_outs(deck, question.n_to_come, orders, run_outs, counts)
    holes = CARDS_OF_COMBO[live].astype(np.uint8)
    size = 256

    def count(chunk: int) -> Floats:
        part = slice(chunk * size, min(n_boards, (chunk + 1) * size))
        result = np.zeros(3)
        board_kernels.board_outcomes(run_outs[part], counts[part], question.board, holes, weights, tables(), result)
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
    outcomes = np.array([[win, tie], [max(0.0, total - win - tie), tie]])
    return _exact(question, outcomes, total, n_deals * question.n_run_outs)


def exact_methods(question: Question) -> list[tuple[float, Callable[[Question, Work], Count]]]:
    """Each method with its estimated seconds on one core; infinite if a method is not possible."""
    return [
        (deals_seconds(question), count_deals),
        (random_seconds(question), count_random),
        (boards_seconds(question), count_boards),
    ]
