"""The connectionist player: what it does with one hand is what it does with every hand, and it explains itself."""

import numpy as np
import pytest

from pokerlab.agents.connectionist.player import Connectionist
from pokerlab.agents.registry import agent
from pokerlab.cards.combos import combo_index
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.models.connectionist import structure
from pokerlab.models.connectionist.parameters import initial_parameters
from pokerlab.rng import shuffled_deck


@pytest.fixture(scope="module")
def player():
    drawn = initial_parameters(seed=5, spread=0.5)
    return Connectionist(drawn._replace(own=drawn.opponents * 0.5), {"settings": {"self_aware": True}})


@pytest.fixture(scope="module")
def views():
    """Three views of a hand of three, on the flop, the turn and the river."""
    state = State.start(game("limit3p-uncapped"), shuffled_deck(3, "hand"))
    found = []
    for action in (CALL, RaiseTo(20), CALL, CALL, CALL, RaiseTo(10), CALL, CALL, CALL, CALL, RaiseTo(20), CALL, CALL):
        state = state.after(action)
        if len(found) < state.betting.street and not state.over:
            found.append(state.view(state.betting.actor, 0, ("a", "b", "c")))
    return found


def test_one_hand_and_every_hand_agree(player, views):
    for view in views:
        actions, p = player.probabilities(view)
        same, every = player.by_combo(view, view.seat)
        assert same == actions
        np.testing.assert_allclose(every[combo_index(*view.hole)], p, atol=1e-6)
        assert p.sum() == pytest.approx(1)


def test_beliefs_are_those_of_walking_the_hand_step_by_step(player, views):
    """Bayes' rule after every action, and the board's transition when a street begins."""
    view = views[1]
    everyone = np.tile(player.parameters.initial.astype(float), (3, 1))
    street = 0
    for before, step in view.decisions():
        if step.street != street:
            street = step.street
            everyone = structure.moved(player.parameters, everyone, before.board)
        others = [seat for seat in range(3) if seat != step.seat and before.betting.in_hand(seat)]
        seen = structure.by_type(
            player.parameters, structure.spot_of(before.betting), opponents=everyone[others].sum(axis=0)
        )
        place = structure.PLACES[step.action.kind]
        everyone[step.seat] = structure.told(everyone[step.seat], seen[place])
    everyone = structure.moved(player.parameters, everyone, view.board)
    np.testing.assert_allclose(player.type_beliefs(view), everyone, atol=1e-12)


def test_it_says_why(player, views):
    said = player.explain(views[2])
    assert said.p.sum() == pytest.approx(1)
    assert {"worth of call", "worth of raise", "showdown strength of seat 0"} <= set(said.numbers)
    assert said.words[0].startswith("Its features are river-unordered/") or "river" in said.words[0]
    assert "the player itself" in " ".join(said.words)
    assert set(said.weights) == {0, 1, 2} - {views[2].seat}
    assert said.weights[min(said.weights)][combo_index(*views[2].hole)] == 0


def test_weights_that_are_not_there_are_named():
    with pytest.raises(PokerlabError, match="no weights of a connectionist player at nowhere"):
        agent("weights:nowhere")
