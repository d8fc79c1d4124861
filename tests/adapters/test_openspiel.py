"""Our games in OpenSpiel: OpenSpiel's own simulations, its solvers, and its players at our tables."""

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game, game_names
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.runs import run_solve
from pokerlab.solvers.subgames.subgame import subgame_rules
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.verify.agent_contract import broken

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import expected_game_score, exploitability, random_agent  # noqa: E402
from open_spiel.python.algorithms.gambit import export_gambit  # noqa: E402

from pokerlab.adapters.openspiel import SpielGame, most_decisions  # noqa: E402
from pokerlab.adapters.openspiel_players import (  # noqa: E402
    bot_player,
    learner_player,
    policy_player,
    redrawn,
    spiel_game,
)

UNBOUNDED = ("kuhn-half-street", "kuhn-one-bet", "kuhn-nolimit")
BOUNDED = [name for name in game_names() if name not in UNBOUNDED and not name.endswith("-uncapped")]
LEDUC_VALUE = -0.085606424078
"""README.md: `pokerlab solve leduc --algorithm lp`."""


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDED)
def test_openspiel_plays_at_random_and_finds_nothing_wrong(name):
    spiel = pyspiel.load_game(f"pokerlab(game={name})")
    pyspiel.random_sim_test(spiel, num_sims=3, serialize=True, verbose=False)  # it raises what it finds wrong


def test_games_without_a_bound_are_refused():
    with pytest.raises(RulesError, match="kuhn-nolimit sets no bound to bets"):
        SpielGame({"game": "kuhn-nolimit"})
    with pytest.raises(RulesError, match="hands that are drawn from ranges cannot be dealt in OpenSpiel"):
        SpielGame(rules=subgame_rules("Ks7h2d5c8s", ("AA", "KQ"), pot=100, stack=100))


def test_bet_sizes_are_those_of_the_grammar():
    spiel = pyspiel.load_game("pokerlab(game=leduc-nolimit,sizes=0.5p & 1p; street2: all-in)")
    state = spiel.new_initial_state()
    for move in (0, 1, 2, 1):
        state.apply_action(move)
    assert spiel.num_distinct_actions() == 5
    assert state.is_chance_node()
    state.apply_action(3)
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["call", "0.5p", "1p", "all-in"]
    pyspiel.random_sim_test(spiel, num_sims=3, serialize=True, verbose=False)  # it raises what it finds wrong


def test_hands_end_within_the_decisions_that_are_announced():
    assert [most_decisions(game(name)) for name in ("kuhn", "leduc", "limit2p")] == [3, 8, 23]
    for name in ("kuhn", "leduc", "leduc-nolimit", "nolimit3p", "stud3p"):
        rules, rng = game(name), np.random.default_rng(1)
        for _ in range(50):
            state = State.start(rules, tuple(rng.permutation(rules.deck).tolist()))
            while not state.over:
                menu = [action for action in state.betting.legal().menu() if action.kind][:2]
                state = state.after(menu[rng.integers(len(menu))])
            assert len(state.actions) <= most_decisions(rules)


def test_a_hand_there_is_a_hand_here():
    """Random hands, move by move: the same actor, the same actions, the same chips."""
    for name in ("leduc", "limit3p", "stud2p", "nolimit2p"):
        spiel, rules, rng = pyspiel.load_game(f"pokerlab(game={name})"), game(name), np.random.default_rng(2)
        for _ in range(30):
            deck = rng.permutation(len(rules.deck)).tolist()
            there, here, dealt = spiel.new_initial_state(), State.start(rules, tuple(rules.deck[i] for i in deck)), 0
            while not there.is_terminal():
                if there.is_chance_node():
                    there.apply_action(deck[dealt])
                    dealt += 1
                    continue
                assert there.current_player() == here.betting.actor
                offered = spiel_game(rules, None).menu.offered(here.public(0, ("",) * rules.n_seats))
                assert there.legal_actions() == sorted(offered)
                entry = int(rng.choice(there.legal_actions()))
                there.apply_action(entry)
                here = here.after(offered[entry])
            assert here.over
            assert there.returns() == [float(chips) for chips in here.payoffs()]


def ours_there(name, algorithm="lp"):
    """Our strategy as a policy of OpenSpiel, by information state."""
    rules = game(name)
    found = run_solve(SolveConfig(game=name, algorithm=algorithm)).strategy
    cells, spiel = Lossless(rules), pyspiel.load_game(f"pokerlab(game={name})")

    def probabilities(state):
        node = state.node
        decision = 0
        for step in node.steps:
            edges = found.tree.edges(decision)
            decision = int(found.tree.child[edges[found.tree.actions(decision).index(step.action)]])
        view = node.view(state.current_player())
        p = found.at(decision)[:, cells.of_hand(view.hole, view.board)]
        return list(zip(state.legal_actions(), p.tolist(), strict=True))

    return spiel, policies.tabular_policy_from_callable(spiel, lambda state: dict(probabilities(state)))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("kuhn", -1 / 18), ("leduc", LEDUC_VALUE)])
def test_our_equilibrium_is_one_for_openspiel_too(name, value):
    spiel, policy = ours_there(name)
    assert expected_game_score.policy_value(spiel.new_initial_state(), [policy] * 2)[0] == pytest.approx(
        value, abs=1e-9
    )
    assert exploitability.nash_conv(spiel, policy) == pytest.approx(0, abs=1e-8)


def test_openspiels_cfr_solves_our_kuhn():
    spiel = pyspiel.load_game("pokerlab(game=kuhn)")
    solver = pyspiel.CFRPlusSolver(spiel)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    average = solver.tabular_average_policy()
    assert pyspiel.nash_conv(spiel, average) < 1e-3
    returns = pyspiel.expected_returns(spiel.new_initial_state(), average, -1, True)
    assert returns[0] == pytest.approx(-1 / 18, abs=1e-3)


@pytest.mark.slow
def test_openspiels_cfr_solves_our_leduc():
    """By way of its Gambit format, which makes of a Python game one of C++, fifty times as fast."""
    spiel = pyspiel.load_efg_game(export_gambit(pyspiel.load_game("pokerlab(game=leduc)")))
    solver = pyspiel.CFRPlusSolver(spiel)
    for _ in range(600):
        solver.evaluate_and_update_policy()
    average = solver.tabular_average_policy()
    nash_conv = pyspiel.nash_conv(spiel, average)
    returns = pyspiel.expected_returns(spiel.new_initial_state(), average, -1, True)
    assert nash_conv < 0.005
    assert abs(returns[0] - LEDUC_VALUE) <= nash_conv


# --- their players at our tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["leduc", "limit3p", "stud2p"])
def test_hidden_cards_do_not_reach_a_player(name, twins):
    player = policy_player(None)
    drawn = set()
    for pair in twins(name):
        one, other = (state.view(state.betting.actor, 0, ("",) * state.rules.n_seats) for state in pair)
        states = [player.state(view, np.random.default_rng(7)) for view in (one, other)]
        assert states[0].node.dealt == states[1].node.dealt
        assert states[0].information_state_string() == states[1].information_state_string()
        assert states[0].information_state_tensor() == states[1].information_state_tensor()
        assert states[0].node.view(one.seat).hole == one.hole
        assert states[0].node.view(one.seat).board == one.board
        drawn |= {redrawn(one, np.random.default_rng(seed)) for seed in range(5)}
    assert len(drawn) > 50, "what is unseen is drawn anew"


def test_an_openspiel_policy_keeps_the_contract_of_agents():
    for name in ("leduc", "limit2p", "nolimit3p"):
        uniform = policies.UniformRandomPolicy(SpielGame({"game": name}))
        assert broken(lambda uniform=uniform: policy_player(uniform), name, hands=30) == []


def test_bots_and_learners_of_openspiel_play():
    for name in ("kuhn", "leduc", "limit2p", "nolimit2p"):
        players = {
            "bot": lambda: bot_player(lambda seat: pyspiel.make_uniform_random_bot(seat, 7)),
            "learner": lambda: learner_player(lambda seat: random_agent.RandomAgent(seat, 4)),
        }
        result = play_match(MatchPlan(name, ("bot", "learner"), hands=30), lambda made, all=players: all[made]())
        assert np.ptp(result.chips) > 0


@pytest.mark.slow
def test_a_policy_of_openspiels_own_leduc_plays_ours():
    """Solved there, played here."""
    theirs = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRPlusSolver(theirs)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    average = solver.tabular_average_policy()
    players = {"theirs": lambda: policy_player(average, other=theirs), "raiser": lambda: agent("raiser")}
    result = play_match(MatchPlan("leduc", ("theirs", "raiser"), hands=2000, seed=2), lambda name: players[name]())
    mean, error = result.chips[:, 0].mean(), result.chips[:, 0].std() / 2000**0.5
    assert mean > 2 * error, "whoever raises always loses to an equilibrium"


def test_what_another_game_does_not_know():
    rules, theirs = game("leduc-nolimit"), pyspiel.load_game("leduc_poker")
    state = State.start(rules, rules.deck).after(RaiseTo(37))
    player = policy_player(policies.UniformRandomPolicy(theirs), other=theirs)
    with pytest.raises(RulesError, match="raise to 37 is no action of OpenSpiel's leduc_poker here"):
        player.act(state.view(1, 0, ("a", "b")), np.random.default_rng(1))
    own = policy_player(policies.UniformRandomPolicy(SpielGame({"game": "leduc-nolimit"})))
    assert (
        own.act(state.after(CALL).view(0, 0, ("a", "b")), np.random.default_rng(1)) in state.after(CALL).betting.legal()
    )
