"""Copies of players by their counted actions: they play as the originals where these were seen."""

import numpy as np
import pytest

from pokerlab.games.actions import RaiseTo
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.policies.compiled_players import CHANCES
from pokerlab.systems.threeplayer.counted_copy import COARSER, FEATURES, PRIOR, CountedActions
from pokerlab.systems.threeplayer.q_learning import board_strengths, states
from pokerlab.table.match import MatchPlan, play_match


def views_of(name, hands):
    """Views and actions of the players called `name` among others."""
    seen = []

    class Noting:
        def __init__(self):
            self.player = agent(name)

        def act(self, view, rng):
            seen.append((view, self.player.act(view, rng)))
            return seen[-1][1]

    plan = MatchPlan("limit3p", ("raiser", name, name), hands, seed=3)
    play_match(plan, lambda entrant: Noting() if entrant == name else agent(entrant))
    return seen


def test_a_coarser_state_is_the_beginning_of_a_state():
    rules = game("limit3p")
    n = FEATURES.n_states(rules.n_seats) // COARSER.n_states(rules.n_seats)
    rng = np.random.default_rng(1)
    for view, _ in views_of("rulebot", 20):
        strengths = board_strengths(view.board)[:, rng.integers(0, 1326, 9)]
        assert (states(FEATURES, view, strengths) // n).tolist() == states(COARSER, view, strengths).tolist()


def test_a_copy_acts_in_proportion_to_the_counts_and_to_those_of_coarser_states():
    seen, counts = views_of("rulebot", 20), CountedActions(3)
    for view, action in seen:
        counts.add(view, action)
    assert counts.actions.sum() == len(seen)
    counts.actions[:] = 0
    for _ in range(6):
        counts.add(seen[0][0], RaiseTo(20))
    state = int(np.flatnonzero(counts.actions.any(axis=1))[0])
    other = state + 1  # of the same coarser state
    counts.actions[other] = (0, 6, 0)
    chances = counts.copy().chances
    raises, calls = 6 + PRIOR / 2, PRIOR / 2
    assert chances[state].tolist() == [0, round(255 * calls / raises), 255]
    assert chances[other].tolist() == [0, 255, round(255 * calls / raises)]
    assert counts.copy().compiled().kind == CHANCES


def test_a_copy_of_a_rule_bot_is_nearly_one():
    counts = CountedActions(3)
    play_match(MatchPlan("limit3p", ("raiser", "rulebot", "rulebot"), 200, seed=5), counts.watch(agent, "rulebot"))
    copy, rng = counts.copy(), np.random.default_rng(1)
    same = np.mean([copy.act(view, rng).kind == action.kind for view, action in views_of("rulebot", 40)])
    assert same == pytest.approx(0.9, abs=0.1)
