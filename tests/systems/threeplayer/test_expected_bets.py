"""Bets expected of opponents, from densities averaged over hands that look alike."""

import pytest

from pokerlab.errors import PokerlabError
from pokerlab.players.registry import agent
from pokerlab.systems.threeplayer.betting_densities import expected_bets
from pokerlab.table.match import MatchPlan, play_match


def test_raisers_are_expected_to_bet_and_callers_not():
    hands = []
    play_match(MatchPlan("limit3p", ("caller", "caller", "raiser"), hands=40, seed=2), agent, on_hand=hands.append)
    raiser, caller = expected_bets(hands, ["raiser"]), expected_bets(hands, ["caller"])
    assert [len(row) for row in raiser] == [13] * 4
    assert raiser[1] == (2,) * 13  # one bet on the flop, which is two buckets
    hands.clear()
    play_match(MatchPlan("limit3p", ("caller", "caller", "caller"), hands=40, seed=2), agent, on_hand=hands.append)
    assert expected_bets(hands, ["caller"])[3] == (0,) * 13 != caller[3]
    with pytest.raises(PokerlabError, match="did not act on every street"):
        expected_bets(hands, ["folder"])
