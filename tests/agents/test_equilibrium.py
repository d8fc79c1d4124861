"""The equilibrium players that ship: what they are, legal answers to strange bets, extra raises, their settings."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.agents.recipes import RECIPES, is_trained, recipe, shipped_path, strategy_path
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import SCHEMES, agent
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import about_strategy, load_strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.rng import shuffled_deck
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.table.match import MatchPlan, plans, play_match
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.translation import RULES
from pokerlab.verify.agent_contract import broken

SHIPPED = ("limit2p", "nolimit2p")


@pytest.fixture(scope="module")
def nolimit():
    return agent("equilibrium:nolimit2p")


def deal(number, rules):
    return shuffled_deck(1, number, rules.deck)


def check_answer(policy, state):
    """Every action it may take is legal, and they are all there is."""
    actions, p = policy.probabilities(state.view(state.betting.actor, 0, ("a", "b")))
    assert all(action in state.betting.legal() for action in actions)
    assert p.sum() == pytest.approx(1) and (p >= 0).all()
    return actions, p


def test_recipes_are_the_registered_ones():
    assert tuple(RECIPES) == SCHEMES["equilibrium"].variants
    assert all(shipped_path(name).is_file() and is_trained(name) for name in SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_is_what_the_recipe_says(name):
    found, wanted = about_strategy(strategy_path(name)), recipe(name)
    made = found["made"]
    assert (made["recipe"], made["iterations"], made["algorithm"]) == (name, wanted.iterations, wanted.algorithm)
    assert found["cells"]["name"] == wanted.cards
    big_blind = float(wanted.rules.big_blind)
    assert made["before_rounding"] / big_blind < 0.05e-3  # 0.05 mbb
    assert made["exploitability"] / big_blind < 1e-3
    assert shipped_path(name).stat().st_size < 5_000_000


def test_its_exploitability_is_what_the_file_says():
    saved = load_strategy(strategy_path("nolimit2p"))
    found = evaluate(Problem(saved.strategy.tree, saved.strategy.cells), saved.strategy)
    assert found.exploitability == pytest.approx(saved.about["exploitability"], rel=1e-6)
    assert found.value == pytest.approx(-6.1729, abs=1e-4)  # chips to the big blind
    assert found.bounds.low < -6.1729 < found.bounds.high


def test_a_player_that_is_not_trained_says_how_to_train_it(monkeypatch, tmp_path):
    monkeypatch.setattr("pokerlab.agents.recipes.cache_directory", lambda: tmp_path)
    with pytest.raises(PokerlabError, match="equilibrium:limit3p has not been trained yet: pokerlab train equilibrium"):
        agent("equilibrium:limit3p")


# --- strange bets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("translation", RULES)
def test_the_minimum_fifty_times_in_a_row(translation):
    policy, rules = agent(f"equilibrium:nolimit2p?translation={translation}"), game("nolimit2p")
    state = State.start(rules, deal(0, rules))
    for _ in range(50):
        check_answer(policy, state)
        state = state.after(RaiseTo(state.betting.legal().raise_min))
    actions, _ = check_answer(policy, state)
    assert actions == (CALL,)  # in the tree both have been all-in for long
    assert state.betting.pot == 2 * 5100 - 100  # fifty raises of one big blind


@pytest.mark.parametrize("street", range(1, 4))
@pytest.mark.parametrize("over", [0, 1])
def test_the_smallest_bet_and_one_chip_more(nolimit, street, over):
    """A bet of one big blind, the smallest there is, or one chip more, into pots of 2, 6 and 100 big blinds."""
    rules = game("nolimit2p")
    for opening in (CALL, RaiseTo(300), RaiseTo(5000)):
        state = State.start(rules, deal(street, rules)).after(opening).after(CALL)
        while state.betting.street < street:
            state = state.after(CALL)
        state = state.after(RaiseTo(state.betting.legal().raise_min + over))
        check_answer(nolimit, state)


def test_all_in_at_every_point(nolimit):
    rules = game("nolimit2p")
    for number in range(4):
        state = State.start(rules, deal(number, rules))
        while not state.betting.over:
            if state.betting.legal().raise_max is not None:
                actions, _ = check_answer(nolimit, state.after(RaiseTo(state.betting.legal().raise_max)))
                assert set(actions) == {FOLD, CALL}
            state = state.after(CALL)


def test_a_stack_of_one_chip_behind_the_blind(nolimit):
    rules = replace(game("nolimit2p"), stacks=(101, 20_000))
    state = State.start(rules, deal(0, rules))
    check_answer(nolimit, state)
    for action in (CALL, RaiseTo(101)):  # the small blind calls, the big blind has one chip more
        state = state.after(action)
        check_answer(nolimit, state)


@pytest.mark.parametrize("stacks", [(20_000, 20_000), (150, 20_000), (700, 433)])
def test_it_keeps_the_contract_with_any_stacks(stacks):
    rules = replace(game("nolimit2p"), stacks=stacks)
    assert broken(lambda: agent("equilibrium:nolimit2p"), rules, hands=30) == []


def test_raises_beyond_the_tree_are_answered():
    """A tree with one raise a street in a game of two: the second raise is understood as a call."""
    rules = game("leduc")
    capped = replace(rules, name="capped", streets=tuple(replace(street, max_raises=1) for street in rules.streets))
    policy = StrategyPolicy(Strategy.uniform(build_tree(capped), Lossless(capped)))
    assert policy.supports(rules)
    assert broken(lambda: policy, "leduc", hands=200) == []
    state = State.start(rules, tuple(rules.deck)).after(RaiseTo(3)).after(RaiseTo(5))
    actions, p = check_answer(policy, state)
    assert actions == (CALL,) and p.tolist() == [1.0]


# --- playing ---------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_match():
    plan = MatchPlan("nolimit2p", ("equilibrium:nolimit2p", "random"), hands=40, seed=3)
    assert np.array_equal(play_match(plan, agent).chips, play_match(plan, agent).chips)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_it_beats_a_caller(name):
    todo = plans(MatchPlan(name, (f"equilibrium:{name}", "caller"), seed=1), hands=200, duplicate=True)
    chips = np.mean([play_match(plan, agent).chips[:, 0] for plan in todo], axis=0)
    assert chips.mean() > 2 * chips.std() / np.sqrt(len(chips))
