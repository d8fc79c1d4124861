"""Actions counted by the strength of the hand: what is counted, and what the models say then."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.systems.poki.strength_counts import N_BINS, SITUATIONS, StrengthCounts, bins_of, updated
from pokerlab.table.match import MatchPlan, play_match

DECK = cards("AdQc7h2d3h4cJh9s2c")
SHOWN = (RaiseTo(20), CALL, *(CALL,) * 6)  # b, with 7h2d, raises before the flop; all is checked


def test_bins_are_equal_parts_from_the_weakest_to_the_strongest():
    bins, live = bins_of(()), np.bincount(bins_of(()), minlength=N_BINS)
    assert bins[combo_index(*cards("AsAh"))] == N_BINS - 1
    assert bins[combo_index(*cards("3s2h"))] == 0
    assert live.min() > 0.5 * 1326 / N_BINS


def test_a_shown_hand_counts_in_its_part_and_a_hidden_one_in_all():
    models = StrengthCounts()
    models.observe(HandHistory(game("limit2p"), DECK, SHOWN, ("a", "b")))
    raises, place = models.by_strength["b"][0, 1, SITUATIONS, :, 2], bins_of(())[combo_index(*cards("7h2d"))]
    assert raises.sum() == pytest.approx(1)
    assert np.flatnonzero(raises).tolist() == [place - 1, place, place + 1][0 if place else 1 :]
    models.observe(HandHistory(game("limit2p"), DECK, (RaiseTo(20), FOLD), ("c", "b")).seen_by(1))
    assert (models.by_strength["c"][0, 2, SITUATIONS, :, 0] > 0).all()


def test_models_say_what_was_counted():
    """Twelve folds of a part of the hands, that the prior never folds: 12 / 13 of its later ones are folded."""
    p, counts = np.array([[0.0, 1.0]]), np.array([[12.0, 0.0, 0.0, 0.0]])
    assert updated(p, counts, [0, 1])[0].tolist() == pytest.approx([12 / 13, 1 / 13])
    assert updated(np.array([[0.5, 0.5]]), np.array([[0.0, 1.0, 3.0, 0.0]]), [1, 2])[0, 1] == pytest.approx(3.5 / 5)


def test_memory_is_saved_and_loaded(tmp_path):
    models, loaded = StrengthCounts(), StrengthCounts()
    play_match(MatchPlan("limit2p", ("caller", "rulebot"), hands=8, seed=3), agent, on_hand=models.observe)
    models.save(tmp_path / "memory.bin")
    loaded.load(tmp_path / "memory.bin")
    assert sorted(loaded.by_strength) == ["caller", "rulebot"]
    assert np.array_equal(loaded.by_strength["rulebot"], models.by_strength["rulebot"])


def test_a_stranger_is_doubted_until_its_cards_explain_its_actions():
    models = StrengthCounts()
    assert models.noise.of("bob", (1, 0)) > 0.9 > 0.35 > models.noise.blind("bob")
    for _ in range(40):
        models.noise.learn("bob", (1, 0), 1.8)
    assert models.noise.of("bob", (1, 0)) < 0.3
