"""Benchmarks of `cards/`: evaluation, exact equity, hand potential."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pokerlab.bench.benchmark import Benchmark, Work
from pokerlab.cards.card import card_text
from pokerlab.rng import stream

N_BATCH = 1_000_000
N_SINGLE = 20_000


def random_hands(n: int) -> NDArray[np.uint8]:
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


_EVALUATORS = {"eval7": _evaluate_eval7, "phevaluator": _evaluate_phevaluator, "treys": _evaluate_treys}

BENCHMARKS = (
    Benchmark(
        name="evaluate",
        about="random 7-card hands from card numbers, in a batch",
        unit="hands",
        ours=_evaluate_batch,
        peers=_EVALUATORS,
        note="the peers take one hand a call",
    ),
    Benchmark(
        name="evaluate-one",
        about="random 7-card hands, one a call",
        unit="hands",
        ours=_evaluate_single,
        peers=_EVALUATORS,
    ),
)
