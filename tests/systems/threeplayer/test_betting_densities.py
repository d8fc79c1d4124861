"""Densities of betting: what a hand teaches, what the model expects, and what it does as a policy."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.systems.poki.weight_tables import WeightTables
from pokerlab.systems.threeplayer.betting_densities import (
    BettingDensities,
    DensitySettings,
    Point,
    points_of,
    street_plays,
)
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.local_best_response import LocalBestResponse

NAMES = ("ann", "bob", "cat")
DEAL = (*cards("AsAh 7c2d KdQd"), *cards("Kh8c3d"), *cards("2s"), *cards("9h"))  # small blind, big blind, button


def hand(*actions):
    return HandHistory(game("limit3p"), DEAL, actions, NAMES)


def test_amounts_are_whole_bets_with_blinds():
    # The button folds, the small blind raises, the big blind folds.
    plays = street_plays(hand(FOLD, RaiseTo(20), FOLD))
    assert [(p.seat, p.amount, p.raised_last) for p in plays] == [(0, 2, True), (1, 1, False), (2, 0, False)]
    capped = street_plays(
        hand(RaiseTo(20), RaiseTo(30), RaiseTo(40), CALL, CALL, *(CALL,) * 6, RaiseTo(20), FOLD, FOLD)
    )
    assert [p.amount for p in capped if p.street == 0] == [4, 4, 4]
    assert {(p.seat, p.street): p.amount for p in capped if p.street == 3} == {(0, 3): 1, (1, 3): 0, (2, 3): 0}
    folded_small_blind = street_plays(hand(RaiseTo(20), FOLD, FOLD))
    assert {p.seat: p.amount for p in folded_small_blind} == {0: 0, 1: 1, 2: 2}


def test_points_have_the_published_strengths_and_odds_of_the_first_decision():
    played = hand(CALL, CALL, CALL, *(CALL,) * 9)
    first, flop, *_ = points_of(played, 0, DensitySettings())
    assert first.strength == pytest.approx(0.852, abs=1e-3) and first.outcome == 1  # aces before the flop: HS
    assert flop.strength < 1 and flop.odds == 0.0
    assert first.odds == pytest.approx(5 / (5 + 25 + 10 + 20 + 20))  # half a bet into 25, and a bet on each street
    decisions = list(points_of(played, 0, DensitySettings("decisions")))
    assert [(p.context, p.outcome) for p in decisions] == [(3, 1), (7, 1), (13, 1), (19, 1)]


def test_only_known_cards_teach():
    densities = BettingDensities()
    densities.observe(hand(CALL, CALL, CALL, RaiseTo(10), FOLD, FOLD).seen_by(1))
    assert densities.names == ("bob",)
    densities.observe(hand(CALL, CALL, CALL, *(CALL,) * 9).seen_by(1))
    assert densities.names == NAMES


def test_the_expected_bet_follows_the_densities():
    densities = BettingDensities()
    densities.learn("ann", [Point(3, 0, x, 0.0) for x in (0.2, 0.3, 0.4)] + [Point(3, 4, 0.95, 0.0)])
    assert densities.amounts("ann", street=3, strength=0.3).round(3).tolist() == [1, 0, 0, 0, 0]
    assert densities.amounts("ann", street=3, strength=0.95).round(3).tolist() == [0, 0, 0, 0, 1]
    assert densities.amounts("ann", street=2, strength=0.3).tolist() == [0.2] * 5  # nothing is known of the turn
    with pytest.raises(PokerlabError, match="densities of decisions have no amounts"):
        BettingDensities(DensitySettings("decisions")).amounts("ann", street=0, strength=0.5)


def test_with_an_amount_in_mind_a_player_raises_calls_or_folds():
    densities = BettingDensities(DensitySettings(doubt=0.0))
    densities.learn("ann", [Point(0, 1, 0.3, 0.0), Point(0, 1, 0.5, 0.0), Point(0, 3, 0.85, 0.0)])
    model = densities.model_of("ann")
    aces, weak = combo_index(*cards("AsAh")), combo_index(*cards("7c2d"))
    start = State.start(game("limit3p"), DEAL)
    actions, p = model.by_combo(start.public(0, NAMES), 2)
    assert actions == (FOLD, CALL, RaiseTo(20))
    assert p[aces].round(2).tolist() == [0, 0, 1] and p[weak].round(2).tolist() == [0, 1, 0]
    raised = start.after(RaiseTo(20)).after(RaiseTo(30))
    assert model.by_combo(raised.public(0, NAMES), 1)[1][aces].round(2).tolist() == [
        0,
        1,
        0,
    ]  # three bets are its three
    assert model.by_combo(raised.public(0, NAMES), 1)[1][weak].round(2).tolist() == [1, 0, 0]


@pytest.mark.parametrize("settings", [DensitySettings(weighted=True), DensitySettings("decisions", odds=True)])
def test_beliefs_and_responses_rest_on_it(settings):
    densities = BettingDensities(settings)
    plan = MatchPlan("limit3p", ("rulebot", "caller", "folder"), hands=60, seed=4)
    play_match(plan, agent, on_hand=densities.observe)
    state = State.start(game("limit3p"), DEAL).after(RaiseTo(20))
    weights = WeightTables(lambda name: densities.model_of("rulebot"), noise=0.0).at(state.public(0, NAMES))[2]
    strong, weak = combo_index(*cards("AcAd")), combo_index(*cards("8h4s"))
    assert weights[strong] > 3 * weights[weak]
    heads_up = State.start(game("limit2p"), DEAL).after(RaiseTo(20))
    response = LocalBestResponse(densities.model_of("rulebot"))
    assert response.act(heads_up.view(0, 0, NAMES[:2]), np.random.default_rng(1)) != FOLD  # with aces
