"""Noise: what shown hands teach, and what it does to weight tables."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.systems.poki.action_counts import BLIND, GRID, ActionCounts, Noise
from pokerlab.systems.poki.weight_tables import WeightTables, given
from pokerlab.table.match import MatchPlan, play_match

HERE, THERE = (0, 1), (3, 2)


def learned(*ratios, place=HERE):
    noise = Noise((4, 3))
    for ratio in ratios:
        noise.learn("bob", place, ratio)
    return noise


def test_evidence_is_the_growth_of_the_shown_hand():
    noise = learned(0.25, 4.0)
    evidence = noise.evidence_of(["bob"])[(0, *HERE)]
    assert np.exp(evidence) == pytest.approx((GRID + (1 - GRID) * 0.25) * (GRID + (1 - GRID) * 4))


def test_cards_that_fit_take_noise_away_and_others_bring_it():
    stranger = learned().of("bob", HERE)
    assert learned(*[2.0] * 10).of("bob", HERE) < stranger < learned(*[0.2] * 10).of("bob", HERE)
    assert learned(*[1e-9] * 40).of("bob", HERE) == pytest.approx(1, abs=1e-3)


def test_other_contexts_count_in_part():
    here, there = (learned(*[0.3] * 6, place=place).of("bob", HERE) for place in (HERE, THERE))
    assert learned().of("bob", HERE) < there < here
    assert learned(0.3).of("somebody else", HERE) == learned().of("bob", HERE)


def test_what_is_known_is_forgotten_when_more_is_learned():
    noise = learned()
    before = noise.of("bob", HERE)
    noise.learn("bob", HERE, 0.1)
    assert noise.of("bob", HERE) > before


def test_a_table_keeps_the_share_of_an_action_and_full_noise_says_nothing():
    public = State.start(game("limit2p"), tuple(range(9))).public(0, ("ann", "bob"))
    model, held = ActionCounts().model_of("bob"), np.linspace(0.5, 1.0, 1326)
    shares = []
    for noise in (0.0, 0.6, 1.0):
        tables = WeightTables(lambda name: model, noise=lambda public, seat, noise=noise: noise)
        _, p = tables.acts(held, public, 1)
        shares.append(held @ p / held.sum())
        assert (np.ptp(p, axis=0).max() < 1e-12) == (noise == 1.0)
        changed = tables.reweighted(held, public, 1, RaiseTo(20))
        assert np.allclose(changed / changed.sum(), held / held.sum()) == (noise == 1.0)
    assert shares[1] == pytest.approx(shares[0])
    assert shares[2] == pytest.approx(shares[0])


def test_the_ratio_of_a_shown_hand_is_learned():
    """One hand, checked down: bob's first call, with nines, is the first thing noise hears of him."""
    hand = HandHistory(game("limit2p"), cards("Th3h9c9dJs8c4s2c7d"), (CALL,) * 8, ("ann", "bob"))
    counts, public = ActionCounts(), State.start(game("limit2p"), hand.deck).public(0, hand.names)
    actions, by_action = given(counts.model_of("bob"), np.ones(1326), public, 1)
    p = by_action[:, actions.index(CALL)]
    nines = p[combo_index(*cards("9c9d"))] / p.mean()
    counts.observe(hand)
    evidence = counts.noise.evidence_of(["bob"])[0, 0, 1]
    assert np.exp(evidence) == pytest.approx(GRID + (1 - GRID) * nines)


def test_hidden_cards_teach_nothing():
    """Censored to one seat or not: only hands that everyone was shown count."""
    plan = MatchPlan("limit2p", ("caller", "rulebot"), hands=20, seed=3)
    open_, censored = ActionCounts(), ActionCounts()

    def look(hand):
        open_.observe(hand)
        censored.observe(hand.seen_by(0))

    play_match(plan, agent, on_hand=look)
    names = ["caller", "rulebot"]
    assert np.array_equal(open_.noise.evidence_of(names), censored.noise.evidence_of(names))
    assert open_.noise.evidence_of(names).any()


@pytest.mark.parametrize(("name", "low", "high"), [("random", 0.9, 1.0), ("rulebot", 0.0, 0.35)])
def test_who_looks_at_its_cards_is_found_out(name, low, high):
    counts = ActionCounts()
    play_match(MatchPlan("limit2p", ("caller", name), hands=80, seed=3), agent, on_hand=counts.observe)
    assert low <= counts.noise.of(name, (1, 0)) <= high


def test_who_is_blind_is_decided_by_all_contexts_together():
    """Two shown actions in each of ten contexts: of one context alone they would leave a doubt."""
    scattered, alone = Noise((4, 3)), Noise((4, 3))
    for street in range(4):
        for facing in range(3):
            for _ in range(2):
                scattered.learn("bob", (street, facing), 0.1)
    for _ in range(2):
        alone.learn("bob", HERE, 0.1)
    assert alone.blind("bob") < 0.9 < 0.999 < scattered.blind("bob")
    assert scattered.blind("a stranger") == pytest.approx(BLIND)
    assert scattered.of("bob", HERE) > 0.999


def test_a_long_acquaintance_is_not_blind():
    assert learned(*[3.0] * 2000).blind("bob") == pytest.approx(0, abs=1e-12)
    assert 0 <= learned(*[3.0] * 2000).of("bob", HERE) < 0.1
