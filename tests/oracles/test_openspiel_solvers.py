"""OpenSpiel computes the same values, best responses and CFR+ trajectory for Kuhn and Leduc."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import textbook_cfr

from pokerlab.games.actions import Kind
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.vector.cfr import VectorCfr

pyspiel = pytest.importorskip("pyspiel")

GAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


def move_of(action, legal, name):
    """Our action as OpenSpiel numbers it: Kuhn has pass and bet, Leduc fold, call and raise."""
    if name == "leduc":
        return int(action.kind)
    return int(action.kind == Kind.RAISE or (action.kind == Kind.CALL and legal.call > 0))


def information_states(problem, name):
    """Their information state -> (our decision, our cell, [their move of each of our edges])."""
    rules, found = problem.tree.rules, {}

    def walk(ours, theirs, deck):
        if theirs.is_chance_node():  # the board of Leduc
            theirs = theirs.child(deck[2])
        if ours.over:
            return
        actions = [step.action for step in ours.actions]
        decision, seat, legal = problem.tree.decision_after(actions), ours.betting.actor, ours.betting.legal()
        edges = problem.tree.actions(decision)
        moves = [move_of(action, legal, name) for action in edges]
        cell = problem.cells.of_hand(ours.hole(seat), ours.board)
        known = found.setdefault(theirs.information_state_string(seat), (decision, cell, moves))
        assert known == (decision, cell, moves), "one information state of theirs is in two of our cells"
        for action, move in zip(edges, moves, strict=True):
            walk(ours.after(action), theirs.child(move), deck)

    n, loaded = len(rules.deck), pyspiel.load_game(GAMES[name])
    for deck in np.ndindex(*(n,) * rules.n_dealt):
        if len(set(deck)) == rules.n_dealt:
            theirs = loaded.new_initial_state()
            theirs.apply_action(deck[0])
            theirs.apply_action(deck[1])
            walk(State.start(rules, tuple(rules.deck[card] for card in deck)), theirs, deck)
    return found


@pytest.fixture(scope="module", params=GAMES)
def both(request):
    """(problem, OpenSpiel's game, their information states in our terms)."""
    problem = make_problem(game(request.param))
    return problem, pyspiel.load_game(GAMES[request.param]), information_states(problem, request.param)


def as_theirs(strategy, states):
    table = {
        key: [(move, float(p)) for move, p in zip(moves, strategy.at(decision)[:, cell], strict=True)]
        for key, (decision, cell, moves) in states.items()
    }
    return pyspiel.TabularPolicy(table)


def test_every_information_state_is_known(both):
    problem, theirs, states = both
    assert len(states) == len(textbook_cfr.GameTree(problem.tree.rules).members)
    uniform = pyspiel.UniformRandomPolicy(theirs)
    assert evaluate(problem, problem.uniform()).nash_conv == pytest.approx(pyspiel.nash_conv(theirs, uniform, True))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_strategies_are_as_exploitable(both, seed):
    problem, theirs, states = both
    rng = np.random.default_rng(seed)
    weights = [rng.exponential(size=p.shape) ** seed for p in problem.uniform().p]
    strategy = Strategy.from_sums(problem.tree, problem.cells, weights)
    found = evaluate(problem, strategy)
    policy = as_theirs(strategy, states)
    assert found.nash_conv == pytest.approx(pyspiel.nash_conv(theirs, policy, True), rel=1e-9)
    values = pyspiel.expected_returns(theirs.new_initial_state(), policy, -1, True, 0.0)
    assert (found.value, -found.value) == pytest.approx(tuple(values), abs=1e-12)


@pytest.mark.parametrize(("name", "solver"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
def test_trajectories_are_the_same(both, name, solver):
    problem, theirs, _ = both
    engine, other = VectorCfr(problem, VARIANTS[name]), getattr(pyspiel, solver)(theirs)
    state = engine.init()
    for _ in range(3):
        state = engine.step(state, 4)
        for _ in range(4):
            other.evaluate_and_update_policy()
        expected = pyspiel.nash_conv(theirs, other.average_policy(), True)
        assert engine.evaluate(state).nash_conv == pytest.approx(expected, rel=1e-6)
