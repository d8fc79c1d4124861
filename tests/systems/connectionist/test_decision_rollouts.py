"""Rollouts of the connectionist player's decisions, and the player that makes them where they pay."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.rng import shuffled_deck, stream
from pokerlab.systems.connectionist.decision_rollouts import RolloutReturns, rolled_out
from pokerlab.systems.connectionist.parameters import initial_parameters
from pokerlab.systems.connectionist.player import Connectionist
from pokerlab.systems.connectionist.rollout_player import (
    N_INPUTS,
    PRIORS,
    SIZES,
    RolloutPlayer,
    RolloutRule,
    RuleSettings,
    gains_of,
    inputs,
    load_rule,
    sample_values,
    save_rule,
)
from pokerlab.valuing.rollout_error import SampledDecision, rollouts

LINE = (CALL, RaiseTo(20), CALL, CALL, CALL, RaiseTo(10), CALL, CALL, CALL, CALL, CALL, CALL, RaiseTo(20))


@pytest.fixture(scope="module")
def player():
    drawn = initial_parameters(seed=5, spread=0.5)
    return Connectionist(drawn._replace(own=drawn.opponents * 0.5), {"settings": {"self_aware": True}})


def view_after(n):
    """What the actor sees after so many actions of a hand of three; the river's bet is the last of them."""
    state = State.start(game("limit3p-uncapped"), shuffled_deck(3, "hand"))
    for action in LINE[:n]:
        state = state.after(action)
    return state.view(state.betting.actor, 0, ("a", "b", "c"))


def test_who_folds_loses_what_is_in_and_a_last_call_shows_the_hands(player):
    view = view_after(len(LINE))
    assert view.street == 3
    sample = rolled_out(player, view, 60, stream(1, "rollouts"))
    assert sample.options[:2] == (FOLD, CALL)
    spent = float(view.betting.spent[view.seat]) / 5
    assert set(sample.returns[:, 0]) == {-spent}
    assert (
        sample.returns[:, 1].max() > 0 > sample.returns[:, 1].min()
    )  # with the others' cards unknown it wins and loses
    assert set(np.round(sample.returns[sample.returns[:, 1] < 0, 1] + spent, 6)) <= {-4.0, 0.0, -8.0, -12.0, -16.0}


@pytest.mark.parametrize("n", [2, len(LINE)])
def test_deals_played_together_win_what_deals_played_one_by_one_win(player, n):
    view = view_after(n)
    actions, chances = player.probabilities(view)
    together = rolled_out(player, view, 1500, stream(2, "together"))
    assert together.options == actions
    weights, returns = rollouts(SampledDecision(view, actions, chances), player, player, n=120, rng=stream(3, "single"))
    for option in range(1, len(actions)):
        means, errors = [], []
        for w, r in ((together.weights, together.returns[:, option]), (weights, returns[:, option] / 5)):
            mean = w @ r / w.sum()
            means.append(mean)
            errors.append((w**2 @ (r - mean) ** 2) ** 0.5 / w.sum())
        assert abs(means[0] - means[1]) < 3 * np.hypot(*errors), actions[option]


def test_a_price_too_high_leaves_the_player_as_it_is(player):
    rule = RolloutRule((50, 200), (0.0,) * 4, np.full((2, N_INPUTS), 0.1))
    view = view_after(len(LINE))
    costly, cheap = RolloutPlayer(player, rule, 1000.0), RolloutPlayer(player, rule, 0.0)
    assert (costly.n_rollouts(view), cheap.n_rollouts(view)) == (0, 50)
    assert costly.act(view, stream(4, "act")) == player.act(view, stream(4, "act"))
    assert "No rollout" in costly.explain(view).words[-1] and "50 times" in cheap.explain(view).words[-1]
    assert cheap.act(view, stream(4, "act")).kind in Kind


def test_what_is_known_before_a_rollout(player):
    view = view_after(len(LINE))
    known = inputs(view, np.array([0.5, 0.5, 0.0])).reshape(4, 4)
    assert known[:3].sum() == 0
    assert known[3].tolist() == pytest.approx([1, np.log2(float(view.betting.pot) / 5), 2, np.log(2)])


def test_gains_are_judged_by_the_rest_of_the_sample():
    """The second option wins 1 in every deal, but the player never takes it."""
    returns = np.tile([0.0, 1.0], (600, 1))
    gains = gains_of(RolloutReturns((FOLD, CALL), np.ones(600), returns), np.array([1.0, 0.0]))
    assert gains.shape == (len(SIZES), len(PRIORS))
    assert gains[:, 0] == pytest.approx(1.0)  # the sample alone decides
    assert gains[0, -1] == 0  # 30 rollouts against a preference that counts like 300
    assert sample_values(np.array([1.0, 3.0]), np.array([[0.0], [4.0]])) == (pytest.approx([3.0]), pytest.approx(1.6))


def test_a_rule_comes_back_from_its_file(tmp_path):
    rule = RolloutRule((50, 200), (30.0, 3.0, 0.0, 0.0), np.arange(2.0 * N_INPUTS).reshape(2, N_INPUTS))
    save_rule(tmp_path / "rule.bin", rule, {"decisions": 5})
    found = load_rule(tmp_path / "rule.bin")
    assert (found.sizes, found.priors) == (rule.sizes, rule.priors) and np.array_equal(found.gains, rule.gains)
    save_rule(tmp_path / "other.bin", RolloutRule((50,), (0.0,) * 4, np.zeros((1, 3))), {})
    with pytest.raises(PokerlabError, match=r"gains have the shape \(1, 3\)"):
        load_rule(tmp_path / "other.bin")
    with pytest.raises(PokerlabError, match="rollouts must be at least 600, not 100"):
        RuleSettings(rollouts=100)


def test_the_player_that_ships_rolls_out_rivers():
    ours, view = agent("connectionist:rollouts"), view_after(len(LINE))
    assert ours.supports(game("limit6p")) and not ours.supports(game("nolimit2p"))
    assert ours.n_rollouts(view) in (0, *SIZES)
    assert ours.act(view, stream(5, "act")) in view.legal().menu()
