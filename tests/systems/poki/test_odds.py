"""Implied and reverse implied odds from what opponents are believed to hold and were seen to do."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import N_COMBOS, combo_index
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.games.views import View
from pokerlab.players.registry import agent
from pokerlab.policies.formula import implied_odds
from pokerlab.systems.poki.action_counts import ActionCounts
from pokerlab.systems.poki.answers import bets_later, calls_later, reverse_implied_odds
from pokerlab.systems.poki.player import POKI, Poki, PokiSettings
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.verify.agent_contract import broken


def facing_a_bet() -> View:
    """9h7h on 8h6c4h, 10 to call into a pot of 30, bets of 20 on the turn and the river."""
    state = State.start(game("limit2p"), cards("KcKs 9h7h 8h6c4h 2d 3s"))
    for action in (CALL, CALL, RaiseTo(10)):
        state = state.after(action)
    return state.view(1, 0, ("kings", "draw"))


def only(hand: str) -> dict[int, np.ndarray]:
    weights = np.zeros(N_COMBOS)
    weights[combo_index(*cards(hand))] = 1.0
    return {0: weights}


def test_davidsons_example_of_pot_odds() -> None:
    """Section 3.3.4: $10 to call into $50 needs one chance in six; ours needs a quarter without later bets."""
    assert implied_odds(facing_a_bet(), 0.0) == pytest.approx(10 / 40)
    assert implied_odds(facing_a_bet(), 1.0) == pytest.approx(10 / 80)


def test_reverse_implied_odds_count_what_must_still_be_paid() -> None:
    assert reverse_implied_odds(facing_a_bet(), 0.0) == pytest.approx(10 / 40)
    assert reverse_implied_odds(facing_a_bet(), 1.0) == pytest.approx(50 / 120)


def test_a_style_counts_what_it_pays_later() -> None:
    """0.5 bets on the turn and on the river are 20 chips: 30 of 30 + 10 + 40."""
    for pays_later, odds in ((0.0, 10 / 40), (0.5, 30 / 80)):
        style = replace(POKI, pays_later=pays_later, margin=0.01)
        player = Poki(PokiSettings(style=style, heads_up="as at any table"))
        assert player.triple(facing_a_bet())[2]["stays in from"] == pytest.approx(odds + 0.01)


def test_strong_hands_pay_later_and_weak_ones_do_not() -> None:
    view, strangers = facing_a_bet(), ActionCounts()
    assert calls_later(view, only("KdKh"), strangers) == 1.0
    assert bets_later(view, only("KdKh"), strangers) == 1.0
    assert calls_later(view, only("3c2d"), strangers) == 0.0
    assert bets_later(view, only("3c2d"), strangers) == 0.0


def test_what_was_seen_outweighs_what_hands_suggest() -> None:
    counts = ActionCounts()
    play_match(
        MatchPlan("limit2p", ("kings", "x"), hands=40, seed=1), lambda _: agent("raiser"), on_hand=counts.observe
    )
    assert bets_later(facing_a_bet(), only("3c2d"), counts) > 0.5


def test_the_setting_moves_the_threshold_and_keeps_the_contract() -> None:
    view = facing_a_bet()
    constant, models = (Poki(PokiSettings(odds=odds)).triple(view)[2] for odds in ("constant", "models"))
    assert models["stays in from"] > constant["stays in from"]
    assert "reverse implied odds" in models
    assert broken(lambda: Poki(PokiSettings(odds="models")), "limit3p", hands=20) == []
