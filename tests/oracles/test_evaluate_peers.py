"""Other people's evaluators on the same hands: they must order them as we do, and give the same equities.

The peers (the `peers` extra) are eval7, phevaluator and treys; a test is skipped where its peer is not installed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from pokerlab.cards.card import card_text, cards
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index
from pokerlab.cards.equity import equity
from pokerlab.cards.evaluate import evaluate_batch

Evaluator = Callable[[Iterable[int]], int]
"""Cards to a number, higher is better."""


def peer(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # eval7 calls pyparsing by names that are going away
        return pytest.importorskip(name)


def eval7_rank() -> Evaluator:
    module = peer("eval7")
    known = [module.Card(card_text(card)) for card in range(52)]
    return lambda hand: int(module.evaluate([known[card] for card in hand]))


def phevaluator_rank() -> Evaluator:
    module = peer("phevaluator")
    return lambda hand: -module.evaluate_cards(*hand)  # the same card ids as ours; lower is better there


def treys_rank() -> Evaluator:
    module = peer("treys")
    evaluator = module.Evaluator()
    known = [module.Card.new(card_text(card)) for card in range(52)]
    return lambda hand: -evaluator.evaluate([], [known[card] for card in hand])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make_peer", "n_cards", "n_hands"),
    [
        (eval7_rank, 7, 200_000),
        (eval7_rank, 5, 100_000),
        (phevaluator_rank, 7, 100_000),
        (phevaluator_rank, 6, 20_000),
        (phevaluator_rank, 5, 20_000),
        (treys_rank, 7, 20_000),
        (treys_rank, 5, 20_000),
    ],
)
def test_random_hands_in_the_same_order(make_peer: Callable[[], Evaluator], n_cards: int, n_hands: int) -> None:
    rank = make_peer()
    generator = np.random.default_rng(n_cards)
    parts = [generator.random((n_hands // 20, 52), dtype=np.float32).argpartition(7, axis=1) for _ in range(20)]
    hands = np.concatenate(parts)[:, :n_cards].astype(np.uint8)
    ours = evaluate_batch(hands)
    theirs = np.array([rank(hand) for hand in hands.tolist()])
    order = np.lexsort((theirs, ours))
    step_ours, step_theirs = np.diff(ours[order]), np.diff(theirs[order])
    assert np.array_equal(step_ours == 0, step_theirs == 0), "equal for one, different for the other"
    assert (step_theirs >= 0).all(), "the other way round"


def outcomes_of(rank: Evaluator, holes: list[tuple[int, ...]], board: tuple[int, ...]) -> np.ndarray:
    """`[player, k - 1]`: run-outs with the player one of k winners, one board after another."""
    counts = np.zeros((len(holes), len(holes)), dtype=np.int64)
    deck = set(range(52)) - {card for hole in holes for card in hole} - set(board)
    for run_out in combinations(sorted(deck), 5 - len(board)):
        ranks = [rank((*hole, *board, *run_out)) for hole in holes]
        winners = [player for player, value in enumerate(ranks) if value == max(ranks)]
        counts[winners, len(winners) - 1] += 1
    return counts


@pytest.mark.parametrize("make_peer", [eval7_rank, phevaluator_rank])
@pytest.mark.parametrize(
    ("hands", "board"),
    [
        ("AhKh QcQd 7s7d", "2h9hTc"),
        ("AhKh AcKc AsKd 5d5c", "Qh8h3c"),
        ("AdKs AhKc", "Tc4c9c8c"),
        ("2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 8c8d", "AhKhQh"),
    ],
)
def test_exact_multiway_equities(make_peer: Callable[[], Evaluator], hands: str, board: str) -> None:
    holes = [cards(hand) for hand in hands.split()]
    expected = outcomes_of(make_peer(), holes, cards(board))
    assert equity(holes, cards(board), method="exact").outcomes == tuple(map(tuple, expected.tolist()))


def test_exact_equities_of_three_ranges() -> None:
    """Jointly: every deal in which no card occurs twice, by the product of its weights."""
    rank = phevaluator_rank()
    board = cards("2h9hTcQd")
    chances = [
        {"AhKh": 1.0, "TdTs": 0.5, "JhJd": 1.0},
        {"KhJh": 1.0, "TdTh": 0.25, "QhQs": 1.0},
        {"KhQh": 2.0, "8c7c": 1.0},
    ]
    expected = np.zeros((3, 3))
    for names in product(*chances):
        holes = [cards(name) for name in names]
        if len({card for hole in holes for card in hole}) == 6:
            weight = np.prod([chance[name] for chance, name in zip(chances, names, strict=True)])
            expected += weight * outcomes_of(rank, holes, board)
    ranges = []
    for chance in chances:
        ranges.append(np.zeros(N_COMBOS))
        for name, weight in chance.items():
            ranges[-1][combo_index(*cards(name))] = weight
    result = equity(ranges, board, method="exact")
    assert np.allclose(result.outcomes, expected, rtol=1e-12)
    assert np.isclose(sum(result.equity), 1)


@pytest.mark.slow
def test_two_hands_before_the_flop() -> None:
    """All 1,712,304 boards, one by one. (eval7's own exact pre-flop equity is not used: it is wrong.)"""
    module = peer("eval7")
    evaluate, deck = module.evaluate, [module.Card(card_text(card)) for card in range(52)]
    first, second = ([deck[card] for card in cards(hand)] for hand in ("AhKh", "QcQd"))
    rest = [card for card in deck if card not in first + second]
    counts = {-1: 0, 0: 0, 1: 0}
    for board in combinations(rest, 5):
        a, b = evaluate(first + list(board)), evaluate(second + list(board))
        counts[(a > b) - (a < b)] += 1
    assert counts == {1: 787_966, 0: 6_732, -1: 917_606}
    result = equity([cards("AhKh"), cards("QcQd")], method="exact")
    assert result.outcomes == ((787_966, 6_732), (917_606, 6_732))


def test_two_whole_ranges_on_the_river() -> None:
    """Every pair of combos on one board, with weights of no symmetry."""
    rank = eval7_rank()
    board = cards("Ts9s4d4h2s")
    weights = np.random.default_rng(5).random((2, N_COMBOS)) ** 3
    combos = [combo for combo in range(N_COMBOS) if not set(CARDS_OF_COMBO[combo].tolist()) & set(board)]
    ranks = np.array([rank((*CARDS_OF_COMBO[combo].tolist(), *board)) for combo in combos])
    hole = CARDS_OF_COMBO[combos]
    apart = np.array([~np.isin(hole, pair).any(axis=1) for pair in hole])
    pairs = weights[0][combos][:, None] * weights[1][combos] * apart
    wins = (pairs * (ranks[:, None] > ranks)).sum(), (pairs * (ranks[:, None] < ranks)).sum()
    result = equity(list(weights), board, method="exact")
    assert result.n == apart.sum() == 1081 * 990
    assert np.allclose(result.wins, wins, rtol=1e-12)
    assert np.isclose(result.ties[0], pairs.sum() - sum(wins), rtol=1e-12)
