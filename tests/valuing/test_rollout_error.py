"""Rollout-improvement error: its arithmetic, an exact value in Kuhn poker, and what it refuses."""

import json
from itertools import permutations

import numpy as np
import pytest

from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.valuing.rollout_error import draw_decision, fold_errors, plans_for, rollout_errors, rollouts

MAKE = "pokerlab.players.registry:agent"


def test_errors_by_their_definitions():
    """Section 5.1.1, written out: v* is hindsight's, v~ the rollout's, v^ the agent's."""
    rng = np.random.default_rng(1)
    p, v, pi, n, k = rng.random(30), rng.normal(size=(30, 3)), np.array([0.2, 0.5, 0.3]), 30, 10
    t, b = [sum(p[j] * v[j, d] for j in range(n)) for d in range(3)], sum(p)
    rolled_out = 0.0
    for i in range(k):
        part = range(i * n // k, (i + 1) * n // k)
        t_i, b_i = [sum(p[j] * v[j, d] for j in part) for d in range(3)], sum(p[j] for j in part)
        best = max(range(3), key=lambda d: (t[d] - t_i[d]) / (b - b_i))
        rolled_out += b_i / b * t_i[best] / b_i
    hindsight, own = max(t) / b, sum(pi[d] * t[d] / b for d in range(3))
    assert fold_errors(p, v, pi) == pytest.approx((hindsight - own, hindsight - rolled_out, rolled_out - own))


def test_a_part_that_has_all_the_weight_is_judged_by_the_agents_own_choice():
    weights = np.zeros(20)
    weights[3] = 1.0
    errors = fold_errors(weights, np.tile([0.0, 4.0], (20, 1)), np.array([0.5, 0.5]))
    assert errors == (2.0, 2.0, 0.0)


def test_the_mean_over_many_decisions_is_the_exact_one_in_kuhn():
    rules = game("kuhn")

    def mean_return(state, seat):
        if state.over:
            return float(state.payoffs()[seat])
        options = state.betting.legal().menu()
        return float(np.mean([mean_return(state.after(action), seat) for action in options]))

    decks = list(permutations(rules.deck, 2))
    gains: dict[tuple, np.ndarray] = {}
    chances: dict[tuple, float] = {}

    def walk(state, chance, before):
        """Collect the values of every information set, and how often its decision is the one that is drawn."""
        if state.over:
            for key in before:
                chances[key] = chances.get(key, 0.0) + chance / len(before)
            return
        seat, options = state.betting.actor, state.betting.legal().menu()
        key = (state.hole(seat), state.actions)
        values = np.array([mean_return(state.after(action), seat) for action in options])
        gains[key] = gains.get(key, 0.0) + values / 2  # two hands of the opponent, equally likely with uniform play
        for action in options:
            walk(state.after(action), chance / len(options), (*before, key))

    for deck in decks:
        walk(State.start(rules, deck), 1 / len(decks), ())
    exact = sum(chances[key] * (gains[key].max() - gains[key].mean()) for key in gains)
    assert sum(chances.values()) == pytest.approx(1.0)
    plans = plans_for("random", rules, make=MAKE, decisions=200, rollouts=100, seed=3)
    found = rollout_errors(plans).by_street["overall"]
    assert exact == pytest.approx(0.5017361)  # chips, which without blinds are the unit
    assert found.improvement.low < exact < found.improvement.high
    assert found.improvement.half_width < 0.15 * exact
    assert found.sample.mean == pytest.approx(found.lfo.mean + found.improvement.mean)


def test_deals_agree_with_what_the_actor_knew_and_count_by_what_the_others_did():
    rules, player = game("limit2p"), agent("rulebot")
    rng = np.random.default_rng(4)
    decision = draw_decision(player, player, rules, rng)
    while decision.view.street < 3:
        decision = draw_decision(player, player, rules, rng)
    weights, returns = rollouts(decision, player, player, n=60, rng=rng)
    assert 0 < (weights > 0).sum() < 60  # rulebot does not act so with every hand
    if decision.view.legal().fold:
        assert (returns[weights > 0, 0] == -float(decision.view.betting.spent[decision.view.seat])).all()
    assert len(np.unique(returns[weights > 0, 1])) > 1


def test_the_command(capsys):
    tokens = ["rollouts", "random", "--game", "leduc", "--decisions", "12", "--rollouts", "20", "--workers", "1"]
    assert main([*tokens, "--no-save", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["units"] == "small blinds/decision" and found["left_out"] == 0
    assert found["errors"]["overall"]["improvement"]["n"] == 12
    assert main([*tokens, "--dry-run"]) == 0
    assert capsys.readouterr().out.startswith("12 decisions of random in leduc, 20 rollouts each: about ")


def test_what_is_refused():
    with pytest.raises(PokerlabError, match="has no policy that can be queried for other hands"):
        plans_for("simbot", game("limit6p"), make=MAKE, decisions=2, rollouts=10, seed=1)
    with pytest.raises(PokerlabError, match="1 decisions of 10 rollouts; at least 2 of 10 are needed"):
        plans_for("random", game("leduc"), make=MAKE, decisions=1, rollouts=10, seed=1)
