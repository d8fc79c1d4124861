"""The networks of the Bayesian player: what they say of final hands is what hands come to."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.evaluate import evaluate_batch
from pokerlab.cards.hand_types import HAND_STATES, RESOLUTIONS, board_state, hand_state, subtype_of
from pokerlab.rng import shuffled_deck
from pokerlab.systems.bpp.networks import bpp_network, final_and_win, wins_by_final
from pokerlab.systems.bpp.type_counts import STREAMS, count_holdem, holdem_counts

SEVEN_CARD_SHARES = [0.1741, 0.4383, 0.2350, 0.0483, 0.0462, 0.0303, 0.0260, 0.0017, 0.0003]
"""Of the 133,784,560 seven-card hands, by category: high card to straight flush."""


def by_category(final: np.ndarray) -> np.ndarray:
    """Sixteen types joined to nine."""
    return np.add.reduceat(final, [0, 1, 6, 10, 11, 12, 13, 14, 15])


@pytest.mark.parametrize("name", ["2007", "taylor"])
@pytest.mark.parametrize("who", ["BppFinal", "OppFinal"])
def test_final_hands_are_those_of_seven_cards_whatever_the_round(name: str, who: str) -> None:
    """Within 2e-4 of enumeration: they are counted over 33 million deals."""
    for street in range(4):
        final = bpp_network(name).posterior(who, {"Round": street})
        assert by_category(final) == pytest.approx(SEVEN_CARD_SHARES, abs=2e-4)


def test_final_hands_of_a_flop_equal_enumeration() -> None:
    """Of all hands with a pair of aces, no draw, on unpaired boards without draws: one hand stands for its type."""
    hole, board = cards("AsKd"), cards("Ah7c2d")
    evidence = {"Round": 1, "Board": board_state(board), "BppCurrent": hand_state(hole, board)}
    final = bpp_network("taylor").posterior("BppFinal", evidence)
    rest = [card for card in range(52) if card not in (*hole, *board)]
    ranks = evaluate_batch([(*hole, *board, *runout) for runout in combinations(rest, 2)])
    shares = np.bincount(RESOLUTIONS["2007-network"].type_of_rank[ranks], minlength=16) / len(ranks)
    assert final == pytest.approx(shares, abs=0.02)


def test_the_compiled_table_is_the_networks_answer() -> None:
    network, joint = bpp_network("taylor"), final_and_win("taylor")
    for index in range(30):
        deck = shuffled_deck(1, "networks", index=index)
        street = index % 4
        hole, board = deck[:2], deck[2 : 2 + (0, 3, 4, 5)[street]]
        at = (street, board_state(board), hand_state(hole, board))
        evidence = dict(zip(("Round", "Board", "BppCurrent"), at, strict=True))
        assert joint[at].sum(axis=0) == pytest.approx(network.posterior("Win", evidence), abs=1e-12)
        assert joint[at].sum(axis=1) == pytest.approx(network.posterior("BppFinal", evidence), abs=1e-12)


def test_a_better_final_hand_wins_more() -> None:
    wins = wins_by_final("taylor")[3, 0]  # the river with nothing on the board
    assert (np.diff(wins[:, 0] + wins[:, 1] / 2) >= -1e-12).all()


@pytest.mark.slow
def test_counting_by_kernel_and_by_hand_agree() -> None:
    from pokerlab.systems.bpp._type_counts_numba import DEALS_A_STREAM

    counts = count_holdem(1)
    assert counts.deals == DEALS_A_STREAM
    river = counts.current[3] / counts.current[3].sum()
    drawn = np.bincount([subtype_of(shuffled_deck(4, "hands", index=i, n_first=7)) for i in range(4000)], minlength=28)
    assert np.abs(drawn / drawn.sum() - river).max() < 0.025  # four standard errors of the commonest
    assert holdem_counts().deals == STREAMS["holdem"] * DEALS_A_STREAM
    pocket = counts.partial[0].sum(axis=(0, 2)) / (2 * counts.deals)
    assert pocket[HAND_STATES.index("PairA, suit none, sequence none")] == pytest.approx(6 / 1326, abs=3e-4)


@pytest.mark.parametrize("name", ["1993", "1999", "2000"])
def test_stud_networks_know_the_chances_of_five_cards(name: str) -> None:
    """BPP's final hand is enumerated exactly; the opponent's with Carlton's arc over 67 million pairs of hands."""
    exact = np.array([1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]) / 2598960
    starts = {"1993": range(9), "1999": [0, 5, *range(10, 17)], "2000": [0, 5, *range(18, 25)]}[name]
    for street in range(4):
        network = bpp_network(f"{name}, round {street + 1}")
        for who, tolerance in (("BppFinal", 1e-12), ("OppFinal", 1e-4 if name == "2000" else 1e-12)):
            assert np.add.reduceat(network.posterior(who), list(starts)) == pytest.approx(exact, abs=tolerance)


def test_a_pair_showing_is_seen_by_the_stud_network() -> None:
    network, types = bpp_network("1999, round 4"), RESOLUTIONS["1999"]
    pair = types.names.index("Pair of Aces")
    final = network.posterior("OppFinal", {"OppUpcards": pair})
    assert final[:pair].sum() == pytest.approx(0, abs=1e-12)  # a player who shows aces has them
    assert final[pair] > 0.7
