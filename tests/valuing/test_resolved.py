"""Decisions solved on the spot: the same answers as solving the street as a subgame, for either player."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.spots import spot_at
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.valuing.resolved import can_resolve, resolved, resolving, street_beginning
from pokerlab.valuing.spot_values import spot_values

TO_RIVER = (RaiseTo(300), CALL, CALL, CALL, CALL, CALL)
DECK = "JsTs KcQd Ks7h2d 5c 8s"


def state_after(name, deck, *actions):
    state = State.start(game(name), cards(deck))
    for action in actions:
        state = state.after(action)
    return state


def ranges_of(*texts):
    return {seat: parse_range(text) for seat, text in enumerate(texts)}


def test_a_river_is_what_its_subgame_says():
    """Nuts or air against a bluff-catcher: what air expects, and how often it bluffs over all, as in the subgame."""
    view = state_after("nolimit2p", DECK, *TO_RIVER).view(0, 0, ("a", "b"))
    found = resolved(view, ranges_of("AA, JTs", "KQ"), seconds=60, target=1e-4)
    river = make_subgame(
        "Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=600, stack=19700, sizes="0.5p, 1p, all-in", smallest_bet=100, max_raises=3
    )
    spot = spot_at(solve(SubgameCfr(river), iterations=1000).strategy)
    values = spot_values(spot)
    assert found.actions == spot.actions and found.exploitability <= 1e-4
    assert found.ev.max() == pytest.approx(np.nanmax(values.ev[combo_index(*cards("JsTs"))]), abs=3)
    assert found.often[0] == pytest.approx(values.frequency[0], abs=0.05)  # how often it checks


def test_a_bet_that_was_made_and_one_that_is_asked_for_are_in_the_tree():
    view = state_after("nolimit2p", DECK, *TO_RIVER, RaiseTo(257)).view(1, 0, ("a", "b"))
    found = resolved(view, ranges_of("AA, JTs", "KQ"), seconds=60, target=0.01, also=RaiseTo(1234))
    assert RaiseTo(1234) in found.actions
    assert found.cost(RaiseTo(1234)) >= 0 and found.cost(found.best) == 0
    assert found.cost(RaiseTo(1235)) == found.cost(RaiseTo(1234))  # not there: the nearest
    with pytest.raises(PokerlabError, match="not among"):
        resolved(
            state_after("nolimit2p", DECK, *TO_RIVER).view(0, 0, ("a", "b")), ranges_of("AA", "KQ"), seconds=1
        ).cost(FOLD)


def test_a_hand_outside_its_range_is_judged_too():
    view = state_after("nolimit2p", DECK, *TO_RIVER, RaiseTo(600)).view(1, 0, ("a", "b"))
    found = resolved(view, ranges_of("AA, JTs", "77"), seconds=60, target=0.01)
    assert np.isfinite(found.ev).all()


def test_limit_has_its_own_bets_and_both_seats_can_ask():
    deck = "JsTs KcQd Ks7h2d 5c 8s"
    to_river = (RaiseTo(20), CALL, CALL, CALL, CALL, CALL)
    for actions, seat, offered in (
        ((), 0, (CALL, RaiseTo(20))),
        ((RaiseTo(20),), 1, (FOLD, CALL, RaiseTo(40))),
        ((CALL, RaiseTo(20)), 0, (FOLD, CALL, RaiseTo(40))),
    ):
        view = state_after("limit2p", deck, *to_river, *actions).view(seat, 0, ("a", "b"))
        found = resolved(view, ranges_of("AA, JTs, KQ", "KQ, 77"), seconds=60, target=0.01)
        assert found.actions == offered
    assert found.p[0] > 0.9  # jack high faces a bet


def test_the_turn_and_players_who_have_folded():
    """Three began, one folded before the flop: the two who are left are the players, by who acts first."""
    state = state_after("nolimit3p", "JsTs KcQd 2c3c Ks7h2d 5c 8s", RaiseTo(300), FOLD, CALL, CALL, CALL)
    view = state.view(state.betting.actor, 0, ("a", "b", "c"))
    assert can_resolve(view) and street_beginning(view).actions == view.actions
    ranges = {seat: parse_range("AA, JTs, 32s, KQ") for seat in range(3)}
    found = resolved(view, ranges, seconds=60, target=0.02)
    assert found.actions[0] == CALL and found.exploitability <= 0.02


def test_what_cannot_be_solved_at_a_table():
    flop = state_after("nolimit2p", DECK, RaiseTo(300), CALL)
    assert not can_resolve(flop.view(0, 0, ("a", "b")))
    assert not can_resolve(state_after("leduc", "KsQsQh").view(0, 0, ("a", "b")))
    shove = state_after("nolimit2p", DECK, *TO_RIVER, RaiseTo(19700))
    assert not can_resolve(shove.view(1, 0, ("a", "b")))
    with pytest.raises(PokerlabError, match="the turn or river"):
        resolved(flop.view(0, 0, ("a", "b")), {}, seconds=1)


def test_it_stops_after_a_round_when_nobody_waits():
    view = state_after("nolimit2p", DECK, *TO_RIVER).view(0, 0, ("a", "b"))
    rounds = list(resolving(view, ranges_of("AA, JTs", "KQ"), seconds=60, target=0.0, stopped=lambda: True))
    assert [found.iterations for found in rounds] == [5]
