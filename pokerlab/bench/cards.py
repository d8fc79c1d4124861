"""Benchmarks of `cards/`: evaluation, exact equity, hand potential."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from pokerlab.arrays import Uint8s
from pokerlab.bench.benchmark import Work
from pokerlab.cards.card import card_text, cards
from pokerlab.rng import stream

N_BATCH = 1_000_000
N_SINGLE = 20_000


def random_hands(n: int) -> Uint8s:
    """Draw `n` random hands of seven different cards each: `hands[n, 7]`."""
    deck = np.broadcast_to(np.arange(52, dtype=np.uint8), (n, 52))
    return np.ascontiguousarray(stream(0, "bench").permuted(deck, axis=1)[:, :7])


def evaluate_batch() -> Work:
    from pokerlab.cards.evaluate import evaluate_batch

    hands = random_hands(N_BATCH)
    return lambda: len(evaluate_batch(hands))


def evaluate_single() -> Work:
    from pokerlab.cards.evaluate import evaluate

    hands = random_hands(N_SINGLE).tolist()
    return lambda: len([evaluate(hand) for hand in hands])


def evaluate_eval7() -> Work:
    import eval7

    hands = [[eval7.Card(card_text(card)) for card in hand] for hand in random_hands(N_SINGLE)]
    evaluate = eval7.evaluate
    return lambda: len([evaluate(hand) for hand in hands])


def evaluate_phevaluator() -> Work:
    from phevaluator import evaluate_cards

    hands = random_hands(N_SINGLE).tolist()  # this peer numbers cards as pokerlab does
    return lambda: len([evaluate_cards(*hand) for hand in hands])


def evaluate_treys() -> Work:
    from treys import Card, Evaluator

    hands = [[Card.new(card_text(card)) for card in hand] for hand in random_hands(N_SINGLE)]
    evaluate = Evaluator().evaluate
    return lambda: len([evaluate(hand[:2], hand[2:]) for hand in hands])


AHKH, QCQD, FLOP = cards("AhKh"), cards("QcQd"), cards("2h7h9c")
HAND, BOARD = cards("AdQc"), cards("3h4cJh")


def exact_equity(board: str, others: Sequence[str] = ()) -> Work:
    """The equity of AhKh, QcQd and any other players."""
    from pokerlab.cards.equity import equity
    from pokerlab.cards.ranges import parse_player

    players = [AHKH, QCQD, *map(parse_player, others)]
    return lambda: equity(players, cards(board), method="exact", threads=1).n > 0


def listed_equity(board: str, others: Sequence[str]) -> Work:
    """Equity of the same players with every deal of hole cards counted separately, including those of random hands."""
    from pokerlab.cards.equity_exact import count_deals
    from pokerlab.cards.ranges import parse_player

    return _counted(count_deals, [AHKH, QCQD, *map(parse_player, others)], board)


RANGES = "22+, A2+, KT+", "15%"


def ranges_equity(*, by_boards: bool) -> Work:
    """The equity of two ranges on a flop, board by board or deal by deal."""
    from pokerlab.cards.equity_exact import count_boards, count_deals
    from pokerlab.cards.ranges import parse_player

    return _counted(count_boards if by_boards else count_deals, [parse_player(text) for text in RANGES], "2h7h9c")


def _counted(count: Callable[..., Any], players: list[Any], board: str) -> Work:
    from pokerlab.cards.equity_question import Work, make_question

    question = make_question(players, cards(board), ())
    return lambda: count(question, Work(1, None)).n > 0


def sampled_equity(others: Sequence[str], *, by_deal: bool = False) -> Work:
    """A million random deals of AhKh, QcQd and any other players, counted one by one if `by_deal`."""
    from pokerlab.cards.equity import equity
    from pokerlab.cards.ranges import parse_player

    players = [AHKH, QCQD, *map(parse_player, others)]
    return lambda: equity(players, method="sampled", threads=1).n // (1 if by_deal else N_BATCH)


def sampled_by_eval7(n: int, *, by_deal: bool = False) -> Work:
    """Like `sampled_equity` for `n` deals, with a range and a random hand as the others, ranked by eval7 in a Python
    loop."""
    import eval7

    first, second = ([eval7.Card(card_text(card)) for card in hand] for hand in (AHKH, QCQD))
    third = [list(combo) for combo, _ in eval7.HandRange("99+, AKs").hands]
    deck = [card for card in eval7.Deck().cards if card not in (*first, *second)]
    possible = [combo for combo in third if all(card in deck for card in combo)]
    evaluate, draw = eval7.evaluate, Random(7)

    def work() -> int:
        shares = 0.0
        for _ in range(n):
            a, b = draw.choice(possible)
            dealt = [card for card in draw.sample(deck, 9) if card != a and card != b][:7]  # two cards more than needed
            board = dealt[2:]
            ranks = [evaluate(hand + board) for hand in (first, second, [a, b], dealt[:2])]
            best = max(ranks)
            shares += (ranks[0] == best) / ranks.count(best)
        return n if by_deal else int(shares > 0)

    return work


def potential_of_hand() -> Work:
    from pokerlab.cards.strength import strength_of_hand

    return lambda: int(strength_of_hand(HAND, BOARD).n_runouts > 0)


def potential_of_board() -> Work:
    from pokerlab.cards.strength import strength_of_board

    return lambda: int(strength_of_board(BOARD).n_runouts > 0)


def features() -> Work:
    from pokerlab.cards.card_features import card_features

    hands = random_hands(N_SINGLE)
    return lambda: len(card_features(hands[:, None, :2], hands[:, 2:]).board)


def _peer(name: str) -> tuple[list[Any], Callable[[list[Any]], int]]:
    """A peer's 52 cards in our order, and its function that ranks a list of them; higher is better."""
    if name == "eval7":
        import eval7

        return [eval7.Card(card_text(card)) for card in range(52)], eval7.evaluate
    from phevaluator import evaluate_cards

    return list(range(52)), lambda hand: -evaluate_cards(*hand)


def looped_equity(peer: str, *, random: bool = False) -> Work:
    """Equity of AhKh against QcQd on a flop, with the peer's evaluator in a Python loop; if `random`, against QcQd and
    every possible third hand."""
    theirs, rank = _peer(peer)
    first, second, flop = ([theirs[card] for card in group] for group in (AHKH, QCQD, FLOP))
    deck = [theirs[card] for card in range(52) if card not in (*AHKH, *QCQD, *FLOP)]

    def work() -> int:
        halves = 0
        for run_out in combinations(deck, 2):
            board = [*flop, *run_out]
            a, b = rank(first + board), rank(second + board)
            if not random:
                halves += (a > b) + (a >= b)
                continue
            for third in combinations([card for card in deck if card not in run_out], 2):
                best = max(b, rank([*third, *board]))
                halves += (a > best) + (a >= best)
        return int(halves > 0)

    return work


def looped_potential(peer: str) -> Work:
    """Compute a hand's two-card potential table as it is defined, in a Python loop with the evaluator of `peer`."""
    theirs, rank = _peer(peer)
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
