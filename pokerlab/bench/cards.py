"""Benchmarks of `cards/`: evaluation, exact equity, hand potential."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from pokerlab.arrays import Uint8s
from pokerlab.bench.benchmark import Benchmark, Work
from pokerlab.cards.card import card_text, cards
from pokerlab.rng import stream

N_BATCH = 1_000_000
N_SINGLE = 20_000


def random_hands(n: int) -> Uint8s:
    """`hands[n, 7]`, each row seven different cards."""
    deck = np.broadcast_to(np.arange(52, dtype=np.uint8), (n, 52))
    return np.ascontiguousarray(stream(0, "bench").permuted(deck, axis=1)[:, :7])


def _evaluate_batch() -> Work:
    from pokerlab.cards.evaluate import evaluate_batch

    hands = random_hands(N_BATCH)
    return lambda: len(evaluate_batch(hands))


def _evaluate_single() -> Work:
    from pokerlab.cards.evaluate import evaluate

    hands = random_hands(N_SINGLE).tolist()
    return lambda: len([evaluate(hand) for hand in hands])


def _evaluate_eval7() -> Work:
    import eval7

    hands = [[eval7.Card(card_text(card)) for card in hand] for hand in random_hands(N_SINGLE)]
    evaluate = eval7.evaluate
    return lambda: len([evaluate(hand) for hand in hands])


def _evaluate_phevaluator() -> Work:
    from phevaluator import evaluate_cards

    hands = random_hands(N_SINGLE).tolist()  # its card numbers are ours
    return lambda: len([evaluate_cards(*hand) for hand in hands])


def _evaluate_treys() -> Work:
    from treys import Card, Evaluator

    hands = [[Card.new(card_text(card)) for card in hand] for hand in random_hands(N_SINGLE)]
    evaluate = Evaluator().evaluate
    return lambda: len([evaluate(hand[:2], hand[2:]) for hand in hands])


AHKH, QCQD, FLOP = cards("AhKh"), cards("QcQd"), cards("2h7h9c")
HAND, BOARD = cards("AdQc"), cards("3h4cJh")


def _equity(board: tuple[int, ...]) -> Work:
    from pokerlab.cards.equity import equity

    return lambda: equity([AHKH, QCQD], board, method="exact", threads=1).n > 0


def _potential_of_hand() -> Work:
    from pokerlab.cards.strength import strength_of_hand

    return lambda: int(strength_of_hand(HAND, BOARD).n_runouts > 0)


def _potential_of_board() -> Work:
    from pokerlab.cards.strength import strength_of_board

    return lambda: int(strength_of_board(BOARD).n_runouts > 0)


def _features() -> Work:
    from pokerlab.cards.card_features import card_features

    hands = random_hands(N_SINGLE)
    return lambda: len(card_features(hands[:, None, :2], hands[:, 2:]).board)


Peer = Callable[[], tuple[list[Any], Callable[[list[Any]], int]]]
"""Returns the peer's 52 cards in our order, and its ranking function for a list of them, higher better."""


def _eval7() -> tuple[list[Any], Callable[[list[Any]], int]]:
    import eval7

    return [eval7.Card(card_text(card)) for card in range(52)], eval7.evaluate


def _phevaluator() -> tuple[list[Any], Callable[[list[Any]], int]]:
    from phevaluator import evaluate_cards

    return list(range(52)), lambda hand: -evaluate_cards(*hand)


def _looped_equity(peer: Peer) -> Work:
    """The equity of AhKh against QcQd on a flop, with the peer's evaluator in a Python loop."""
    theirs, rank = peer()
    first, second, flop = ([theirs[card] for card in group] for group in (AHKH, QCQD, FLOP))
    deck = [theirs[card] for card in range(52) if card not in (*AHKH, *QCQD, *FLOP)]

    def work() -> int:
        halves = 0
        for run_out in combinations(deck, 2):
            board = [*flop, *run_out]
            a, b = rank(first + board), rank(second + board)
            halves += (a > b) + (a >= b)
        return int(halves > 0)

    return work


def _looped_potential(peer: Peer) -> Work:
    """The two-card potential table of a hand as it is defined, with the peer's evaluator in a Python loop."""
    theirs, rank = peer()
    hand, flop = ([theirs[card] for card in group] for group in (HAND, BOARD))
    deck = [theirs[card] for card in range(52) if card not in (*HAND, *BOARD)]

    def work() -> int:
        table = [[0] * 3 for _ in range(3)]
        hand_now = rank(hand + flop)
        now = [(a, b, rank([a, b, *flop])) for a, b in combinations(deck, 2)]
        for run_out in combinations(deck, 2):
            board = [*flop, *run_out]
            later = rank(hand + board)
            for a, b, opponent_now in now:
                if a not in run_out and b not in run_out:
                    opponent_later = rank([a, b, *board])
                    row = table[(hand_now < opponent_now) + (hand_now <= opponent_now)]
                    row[(later < opponent_later) + (later <= opponent_later)] += 1
        return int(table[0][0] > 0)

    return work


_LOOPED = {"eval7": _eval7, "phevaluator": _phevaluator}
_EVALUATORS = {"eval7": _evaluate_eval7, "phevaluator": _evaluate_phevaluator, "treys": _evaluate_treys}

BENCHMARKS = (
    Benchmark(
        name="evaluate",
        about="random 7-card hands from card numbers, in a batch",
        unit="hands",
        ours=_evaluate_batch,
        peers=_EVALUATORS,
        note="the peers take one hand per call",
    ),
    Benchmark(
        name="evaluate-one",
        about="random 7-card hands, one per call",
        unit="hands",
        ours=_evaluate_single,
        peers=_EVALUATORS,
    ),
    Benchmark(
        name="equity",
        about="AhKh against QcQd before the flop, exactly: 1,712,304 boards",
        unit="equities",
        ours=partial(_equity, ()),
        note="no peer: eval7's exact equity is 0 here, which is wrong, and the others have none",
    ),
    Benchmark(
        name="equity-flop",
        about="AhKh against QcQd on 2h7h9c, exactly: 990 run-outs",
        unit="equities",
        ours=partial(_equity, FLOP),
        peers={name: partial(_looped_equity, peer) for name, peer in _LOOPED.items()},
        note="the peers' evaluators in a Python loop; eval7's own exact equity is 0 here too",
    ),
    Benchmark(
        name="potential",
        about="two-card potential of AdQc on 3h4cJh: 1,070,190 pairs of hand and run-out",
        unit="hands",
        ours=_potential_of_hand,
        peers={name: partial(_looped_potential, peer) for name, peer in _LOOPED.items()},
        note="the peers' evaluators in a Python loop, since they have no potential",
    ),
    Benchmark(
        name="potential-board",
        about="HS, E[HS], E[HS^2] and two-card potential of all 1,176 hands on 3h4cJh",
        unit="boards",
        ours=_potential_of_board,
    ),
    Benchmark(
        name="card-features",
        about="all 346 card features of random deals, hands of one seat on all four streets",
        unit="deals",
        ours=_features,
    ),
)
