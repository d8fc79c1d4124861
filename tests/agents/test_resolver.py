"""The player that re-solves rivers: a pure function of public history, safe, and the blueprint everywhere else."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.agents.resolver import Resolver
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.experiments.equilibrium.resolving import conceded, exploitability
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.hands import hands_of
from pokerlab.games.state import State
from pokerlab.players.registry import agent, files_of, resolve
from pokerlab.rng import shuffled_deck
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.river_response import River, range_before
from pokerlab.verify.agent_contract import broken

RULES = game("limit2p")
NAMES = ("a", "b")
CHECKED = (RaiseTo(20), CALL, CALL, RaiseTo(10), CALL, CALL, CALL)  # usual lines: a bet on the flop,
RERAISED = (RaiseTo(20), RaiseTo(30), CALL, RaiseTo(10), CALL, RaiseTo(20), CALL)  # and bets on every street
LIMPED = (CALL,) * 6  # the blueprint never calls before the flop


@pytest.fixture(scope="module")
def blueprint():
    return agent("equilibrium:limit2p")  # the smaller file


@pytest.fixture(scope="module")
def resolver(blueprint):
    return Resolver(blueprint, iterations=100)


def river_state(number, actions):
    state = State.start(RULES, shuffled_deck(5, "resolver", index=number))
    for action in actions:
        state = state.after(action)
    return state


def river(number=0, actions=CHECKED):
    return river_state(number, actions).public(0, NAMES)


def test_earlier_streets_are_the_blueprint(blueprint, resolver):
    state = State.start(RULES, shuffled_deck(5, "resolver", index=0))
    for action in (RaiseTo(20), CALL, CALL, CALL, RaiseTo(20), CALL):
        public = state.public(0, NAMES)
        ours, theirs = (policy.by_combo(public, public.betting.actor) for policy in (resolver, blueprint))
        assert ours[0] == theirs[0] and np.array_equal(ours[1], theirs[1])
        state = state.after(action)
    public = state.public(0, NAMES)
    ours, theirs = (policy.by_combo(public, public.betting.actor) for policy in (resolver, blueprint))
    assert np.abs(ours[1] - theirs[1])[hands_of(RULES).live(public.board)].max() > 0.1  # the river is not


def test_the_same_history_gives_the_same_strategy_in_any_order(blueprint):
    one, other = Resolver(blueprint, iterations=20), Resolver(blueprint, iterations=20)
    first, second = river(1), river(2)
    later = first.after(RaiseTo(20))
    asked = {
        id(player): [player.by_combo(public, public.betting.actor)[1] for public in order]
        for player, order in ((one, (first, later, second)), (other, (second, later, first)))
    }
    for left, right in zip(asked[id(one)], reversed(asked[id(other)]), strict=True):
        assert np.array_equal(left, right)


@pytest.mark.parametrize("actions", [CHECKED, RERAISED])
def test_it_is_safe_and_better_than_its_blueprint(blueprint, actions):
    """The opponent's best response on the river, exact: with the blueprint's range, and hand by hand with any range."""
    start = river(3, actions)
    safe, unsafe = (Resolver(blueprint, iterations=200, expected=share) for share in (0.0, 1.0))
    before = exploitability(start, blueprint, blueprint)
    assert exploitability(start, blueprint, safe) < before
    assert exploitability(start, blueprint, Resolver(blueprint)) < 0.6 * before
    assert conceded(start, blueprint, safe) < 0.001 * float(start.pot)  # the error of solving
    assert conceded(start, blueprint, Resolver(blueprint)) < 0.001 * float(start.pot)
    assert conceded(start, blueprint, unsafe) > 5 * conceded(start, blueprint, Resolver(blueprint))


def test_a_best_response_to_the_blueprint_wins_its_offer_at_most_hand_by_hand(blueprint):
    start, seat = river(4, RERAISED), 1
    own, every = range_before(blueprint, start, seat), hands_of(RULES).live(start.board).astype(float)
    subgame = River(start, (every, own))
    policies = blueprint, Resolver(blueprint, iterations=400, expected=0.0)
    before, after = (subgame.best_values(0, subgame.played_by(policy, 1)) for policy in policies)
    assert (after - before).max() < 0.005 * float(start.pot)
    assert (before - after).max() > 0.01 * float(start.pot)


def test_where_the_blueprint_never_comes_its_own_actions_are_played(blueprint, resolver):
    public = river(5, LIMPED).after(CALL)  # the dealer, who never limps, is to act
    assert public.betting.actor == 1 and range_before(blueprint, public, 1) is None
    assert resolver.river(public, 1) is None
    ours, theirs = (policy.by_combo(public, 1) for policy in (resolver, blueprint))
    assert ours[0] == theirs[0] and np.array_equal(ours[1], theirs[1])


def test_an_opponent_who_does_what_the_blueprint_never_does_may_hold_any_hand(blueprint, resolver):
    public = river(5, LIMPED)  # the big blind meets a dealer that limps
    assert public.betting.actor == 0 and range_before(blueprint, public, 1) is None
    solved = resolver.river(public, 0)
    assert solved is not None and np.ptp(solved.river.cells.weights[1]) == pytest.approx(0)
    actions, p = resolver.by_combo(public, 0)
    assert actions == (CALL, RaiseTo(20)) and 0.05 < p[hands_of(RULES).live(public.board), 1].mean() < 0.95


def test_hands_outside_its_range_are_played_as_the_blueprint(blueprint, resolver):
    public = river(6, RERAISED)
    seat = public.betting.actor
    own = range_before(blueprint, public, seat)
    out = (own == 0) & hands_of(RULES).live(public.board)
    assert 0 < out.sum() < 1000
    ours, theirs = (policy.by_combo(public, seat) for policy in (resolver, blueprint))
    assert ours[0] == theirs[0] and np.array_equal(ours[1][out], theirs[1][out])


@pytest.mark.parametrize("stacks", [(25, 400), (70, 70), (95, 130), (200, 300)])
def test_any_stacks_are_played_legally(blueprint, stacks):
    rules = replace(RULES, stacks=stacks)
    assert broken(lambda: Resolver(blueprint, iterations=2), rules, hands=25) == []


def test_the_same_seed_gives_the_same_match():
    plan = MatchPlan("limit2p", ("resolver:limit2p?iterations=5&blueprint=limit2p", "random"), hands=30, seed=3)
    assert np.array_equal(play_match(plan, agent).chips, play_match(plan, agent).chips)


def test_names_and_settings():
    assert resolve("resolver", RULES) == "resolver:limit2p"
    assert [path.name for path in files_of("resolver:limit2p")] == ["limit2p-robust.bin"]
    assert [path.name for path in files_of("resolver:limit2p?blueprint=limit2p")] == ["limit2p.bin"]
    made = agent("resolver:limit2p?blueprint=limit2p&iterations=7&expected=0.25")
    assert (made.iterations, made.expected) == (7, 0.25)
    assert not made.supports(game("nolimit2p")) and not made.supports(game("limit3p"))
    with pytest.raises(RulesError, match="no resolver is made for limit3p; there is one for limit2p"):
        resolve("resolver", game("limit3p"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("resolver", "resolver alone is no agent; its variants: limit2p"),
        ("resolver:limit3p", "resolver has no variant 'limit3p'; its variants: limit2p"),
        ("resolver:limit2p?speed=3", "resolver has no setting 'speed'; did you mean expected"),
        ("resolver:limit2p?iterations=1e3", "iterations of resolver must be a whole number from 1 to 100000"),
        ("resolver:limit2p?expected=2", "expected of resolver must be a share from 0 to 1, not '2'"),
        ("resolver:limit2p?expected=nan", "expected of resolver must be a share from 0 to 1, not 'nan'"),
        ("resolver:limit2p?blueprint=nolimit2p", "no blueprint of resolver is called 'nolimit2p'"),
    ],
)
def test_bad_names_are_one_line(text, message):
    with pytest.raises(PokerlabError, match=message.replace("?", r"\?")):
        agent(text)
