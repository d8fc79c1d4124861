"""Equity: exact results against plain enumeration, sampled ones against exact ones, and invalid input."""

from __future__ import annotations

from itertools import chain, combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards import _showdown_numba
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_COMBOS, class_index, combo_index
from pokerlab.cards.equity import EquityResult, equity
from pokerlab.cards.equity_exact import count_boards, count_deals, count_random
from pokerlab.cards.equity_question import Work, make_question
from pokerlab.cards.equity_sampled import alias_table, interval_of_share
from pokerlab.cards.evaluate import evaluate_batch
from pokerlab.cards.ranges import parse_player
from pokerlab.errors import PokerlabError

QUIET = Work(threads=1, progress=None)


def plain_outcomes(holes, board=(), dead=()):  # type: ignore[no-untyped-def]
    """The twin of `deal_outcomes`: all run-outs, each hand of seven evaluated."""
    gone = {*chain.from_iterable(holes), *board, *dead}
    deck = [card for card in range(52) if card not in gone]
    n_to_come = 5 - len(board)
    flat = np.fromiter(chain.from_iterable(combinations(deck, n_to_come)), dtype=np.uint8)
    run_outs = flat.reshape(comb(len(deck), n_to_come), n_to_come)
    ranks = []
    for hole in holes:
        known = np.tile(np.array([*hole, *board], dtype=np.uint8), (len(run_outs), 1))
        ranks.append(evaluate_batch(np.hstack([known, run_outs])))
    best = np.max(ranks, axis=0)
    n_winners = np.sum(ranks == best, axis=0)
    return tuple(
        tuple(int(((rank == best) & (n_winners == k)).sum()) for k in range(1, len(holes) + 1)) for rank in ranks
    )


def class_range(*names: str, weight: float = 1.0) -> np.ndarray:
    return np.isin(CLASS_OF_COMBO, [class_index(name) for name in names]) * weight


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "dead"),
    [("AhKh QcQd", ""), ("AhAd KhKd", ""), ("7s6s AsKd 2d2s", ""), ("2c3c 4c5c 6c7c 8c9c TcJc QcKc", "AcAd")],
)
def test_every_board_before_the_flop(hands: str, dead: str) -> None:
    holes = [cards(hand) for hand in hands.split()]
    result = equity(holes, dead=cards(dead))
    assert result.method == "exact"
    assert result.outcomes == plain_outcomes(holes, dead=cards(dead))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.permutations(range(52)), st.integers(2, 5), st.integers(3, 5), st.integers(0, 4))
def test_any_hands_on_any_board(deck: list[int], n_players: int, n_board: int, n_dead: int) -> None:
    holes = [(deck.pop(), deck.pop()) for _ in range(n_players)]
    board, dead = deck[:n_board], deck[n_board : n_board + n_dead]
    result = equity(holes, board, dead)
    assert result.outcomes == plain_outcomes(holes, board, dead)
    assert result.n == result.total == sum(sum(w / k for k, w in enumerate(row, 1)) for row in result.outcomes)


def test_aces_against_a_random_hand() -> None:
    """The published count of all 2,097,572,400 deals: 85.2% for the aces."""
    result = equity([cards("AsAh"), None])
    assert (result.wins[0], result.ties[0], result.n) == (1_781_508_418, 11_402_312, 2_097_572_400)


def test_boards_up_to_suits() -> None:
    """134,459 classes stand for the 2,598,960 boards; without symmetry each stands for itself."""
    orders = np.array(list(permutations(range(4))))
    deck = np.arange(52, dtype=np.uint8)
    run_outs, counts = np.empty((2_598_960, 5), np.uint8), np.empty(2_598_960, np.int64)
    assert _showdown_numba.list_run_outs(deck, 5, orders, run_outs, counts) == 134_459
    assert counts[:134_459].sum() == 2_598_960
    assert _showdown_numba.list_run_outs(deck[:10], 3, orders[:1], run_outs[:, :3], counts) == 120


@pytest.mark.parametrize("board", ["Ts9s4d", "Ts9s4d4h", "Ts9s4d4h2s", "5c6d7h8s9c"])
def test_deals_and_boards_agree(board: str) -> None:
    """Two methods give the same counts: each pair of combos with every run-out, and both ranges on every board."""
    symmetric = [class_range("AA", "KQs", "98o", "54s"), class_range("TT", "AKo", "76s", weight=0.5)]
    lopsided = symmetric[1].copy()
    lopsided[combo_index(*cards("KcKd"))] = 3
    whole = [class_range("AA", "JTs", "22"), class_range("AA", "AKs", "T9o")]
    for ranges in (symmetric, [symmetric[0], lopsided], whole, [symmetric[0], None], [cards("JsTd"), lopsided]):
        question = make_question(ranges, cards(board), cards("3c"))
        deals, boards = count_deals(question, QUIET), count_boards(question, QUIET)
        assert deals.n == boards.n
        assert np.allclose(deals.outcomes, boards.outcomes, rtol=1e-12)
        assert np.isclose(deals.total, boards.total, rtol=1e-12)
        if ranges is whole:
            assert deals == boards
            assert all(isinstance(count, int) for row in deals.outcomes for count in row)


def test_deals_and_boards_agree_before_the_flop() -> None:
    question = make_question(
        [class_range("AA"), class_range("AKs", "AA")], (), cards("2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h5s6c6d6h6s")
    )
    assert count_deals(question, QUIET) == count_boards(question, QUIET)


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        ("AhKh random", "2h7h9c", ""),
        ("random 6h5h", "2h3h4h", "Ah8h"),  # straight flushes
        ("AhKh random QcQd", "2h7hTh5h", "Kd"),
        ("AhQs random KhQd 22", "2h7hTh5h9h", ""),  # a flush on the board, higher ones in hands
        ("AcAd 99+,T9s:0.5 random", "AsAhTc9c", ""),
        ("random AdKd", "2c2d2h", ""),  # full houses beat flushes
        ("AhKh QcQd random", "", ""),
    ],
)
def test_a_random_hand_counted_by_its_ranks_is_every_hand(players: str, board: str, dead: str) -> None:
    hands = [parse_player(text) for text in players.split()]
    question = make_question(hands, cards(board), cards(dead))
    by_ranks, one_by_one = (count(question, Work(1, None)) for count in (count_random, count_deals))
    assert by_ranks == one_by_one
    assert by_ranks.n > 1000


@pytest.mark.slow
def test_four_players_before_the_flop() -> None:
    players = [parse_player(text) for text in ("AhKh", "QcQd", "99+, AKs", "random")]
    exact, sampled = (equity(players, method=method, threads=1) for method in ("exact", "sampled"))
    assert exact.n == 31_472_511_840
    assert sum(exact.equity) == pytest.approx(1, abs=1e-12)
    for share, (low, high) in zip(exact.equity, sampled.interval, strict=True):
        assert low - 5e-4 < share < high + 5e-4
        assert high - low < 0.002


def test_a_range_is_the_sum_of_its_hands() -> None:
    """A weighted range against a hand: each combo by its weight, without those that hold a known card."""
    board, hand = cards("QsJh4d"), cards("AhKh")
    weights = class_range("QQ", "AKo") + class_range("T9s", weight=0.25)
    expected, total, n_live = np.zeros((2, 2)), 0.0, 0
    for combo in np.flatnonzero(weights):
        hole = tuple(CARDS_OF_COMBO[combo].tolist())
        if not set(hole) & {*board, *hand}:
            outcomes = np.array(plain_outcomes([hand, hole], board))
            expected += weights[combo] * outcomes
            total += weights[combo] * 990
            n_live += 1
    result = equity([hand, weights], board)
    assert n_live == 3 + 6 + 4
    assert result.n == n_live * 990
    assert np.allclose(result.outcomes, expected, rtol=1e-12)
    assert np.isclose(result.total, total)


def test_the_order_of_players_and_suits_does_not_matter() -> None:
    ranges = [class_range("AA", "KK"), class_range("AKs", "QQ"), cards("9h8h")]
    board = cards("Th7h2c")
    first = equity(ranges, board)
    turned = equity([ranges[2], ranges[0], ranges[1]], board)
    assert turned.outcomes == (first.outcomes[2], first.outcomes[0], first.outcomes[1])
    other_suits = equity([ranges[0], ranges[1], cards("9s8s")], cards("Ts7s2d"))
    assert other_suits == first


def test_sampled_answers_cover_the_exact_ones() -> None:
    """95% intervals, 4 questions, 60 seeds each. Fewer than 50 hits of 60 would happen once in 5,800."""
    questions = [
        ([cards("AhKh"), cards("QcQd")], ""),
        ([cards("AhKh"), None], "Th7h2c"),
        ([class_range("AA", "AKs", "QJs"), class_range("AA", "AQs", "76s", weight=0.3) + class_range("KK")], "Ah7c2d"),
        ([class_range("AA", "KK"), class_range("AA", "AKs"), class_range("AKo"), cards("5s5d")], "Th7h2c9c"),
    ]
    n_hits = n_tries = 0
    for hands, board in questions:
        exact = equity(hands, cards(board), method="exact").equity
        hits = np.zeros(len(hands))
        for seed in range(60):
            result = equity(hands, cards(board), method="sampled", samples=4000, seed=seed, threads=1)
            hits += [low <= share <= high for share, (low, high) in zip(exact, result.interval, strict=True)]
            assert np.isclose(sum(result.equity), 1)
        assert (hits >= 50).all()
        n_hits, n_tries = n_hits + int(hits.sum()), n_tries + 60 * len(hands)
    assert 0.92 < n_hits / n_tries < 0.98


def test_random_hands_have_equal_equity() -> None:
    result = equity([None] * 5, method="sampled", samples=200_000, seed=4)
    assert all(low < 0.2 < high for low, high in result.interval)


def test_a_seed_gives_the_same_answer_on_any_number_of_threads() -> None:
    hands = [cards("AhKh"), class_range("QQ", "JTs"), None]
    answers = [equity(hands, method="sampled", samples=150_000, seed=9, threads=threads) for threads in (1, 2, 5)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].outcomes != equity(hands, method="sampled", samples=150_000, seed=10).outcomes
    exact = [equity([cards("AhKh"), class_range("QQ", weight=0.1)], threads=threads) for threads in (1, 2)]
    assert exact[0] == exact[1]


def test_sampling_until_the_half_width() -> None:
    heard: list[tuple[int, int]] = []
    result = equity(
        [cards("AhKh"), cards("QcQd")], method="sampled", half_width=0.002, progress=lambda *step: heard.append(step)
    )
    low, high = result.interval[0]
    assert 0.0018 < (high - low) / 2 <= 0.002
    assert heard[-1][0] == result.n == 32768 * len(heard)
    assert equity([cards("AhKh"), cards("QcQd")], method="sampled", half_width=1e-9, samples=5000).n == 5000


def test_progress_of_exact_work_reaches_its_total() -> None:
    heard: list[tuple[int, int]] = []
    equity([None, None], cards("2c3c4c"), progress=lambda *step: heard.append(step))
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert heard[-1][0] == heard[-1][1]


def test_intervals() -> None:
    low, high = interval_of_share([500, 0], 1000)
    assert (round(low, 4), round(high, 4)) == (0.4691, 0.5309)  # 0.5 +- 1.96 * 0.5 / sqrt(1004)
    low, high = interval_of_share([0, 1000], 1000)  # always split: known far better than a coin
    assert high - low < 0.02
    exact = equity([cards("AhKh"), cards("AdKd")], cards("2c3c4c5c6c"))
    assert exact.interval == ((0.5, 0.5), (0.5, 0.5))


def test_alias_tables_hold_the_weights() -> None:
    weights = np.random.default_rng(2).random(317) ** 4
    keep, alias = alias_table(weights)
    share = keep / 2.0**64
    drawn = share + np.bincount(alias, 1 - share, minlength=len(weights))
    assert np.allclose(drawn / len(weights), weights / weights.sum(), rtol=1e-9, atol=1e-15)


@pytest.mark.slow
def test_auto_counts_what_it_can_and_samples_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.caches._left", -np.inf)  # as if everything were compiled, whatever ran before
    assert equity([cards("AhKh"), None, None], cards("2c3c4c5d6d"), samples=1000).method == "exact"
    sampled = equity([cards("AhKh"), None, None], samples=1000)
    assert (sampled.method, sampled.n, sampled.seed) == ("sampled", 1000, 7)


ACES = class_range("AA")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([cards("AhKh")],), "two or more players, not 1"),
        (([None] * 25,), "25 players, a board and 0 dead cards need 55 cards; a deck has 52"),
        (([None] * 23, (), cards("2c3c")), "need 53 cards"),
        (([None, None], range(6)), "at most 5 cards, not 6"),
        (([cards("AhKh"), cards("AhQd")],), "Ah is both in player 1's hand and in player 2's hand"),
        (([cards("AhKh"), None], cards("KhQd2c")), "Kh is both in player 1's hand and in the board"),
        (([(0, 1, 2), None],), "player 1 needs two cards, 1326 weights or None, not 3 values"),
        (([None, np.zeros(N_COMBOS)],), "player 2's range is empty"),
        (([None, np.full(N_COMBOS, -1.0)],), "player 2's range has weights below zero or not finite"),
        (([None, np.ones(169)],), r"player 2's range must be 1326 weights, not an array \[169\]"),
        (([cards("AhAd"), ACES], cards("AcKd2h")), "player 2's range has no hand without the cards AhAdAcKd2h"),
        (([ACES, ACES, ACES],), "they need the same cards"),
        (([(60, 1), None],), "60 is not a card"),
    ],
)
def test_bad_questions_get_one_clear_line(arguments, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PokerlabError, match=message) as error:
        equity(*arguments)
    assert "\n" not in str(error.value)


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(PokerlabError, match="too many to count exactly"):
        equity([None] * 4, method="exact")
    with pytest.raises(PokerlabError, match="too rare to be sampled"):
        equity([ACES, ACES, ACES], method="sampled")
    single = np.zeros(N_COMBOS)
    single[combo_index(*cards("AhKh"))] = 1
    with pytest.raises(PokerlabError, match="too rare to be sampled"):
        equity([single, single], method="sampled")
    with pytest.raises(PokerlabError, match='not "guess"'):
        equity([None, None], method="guess")  # type: ignore[arg-type]
    with pytest.raises(PokerlabError, match="more than zero"):
        equity([None, None], samples=0)


def test_a_result_is_a_value() -> None:
    result = EquityResult("exact", ((6, 1), (3, 1)), 10, 10, None)
    assert (result.win, result.tie, result.equity) == ((0.6, 0.3), (0.1, 0.1), (0.65, 0.35))
