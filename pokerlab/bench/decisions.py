"""Benchmarks of decisions, from the view to the action, on the views of a player in a short match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import numpy as np

from pokerlab.bench.benchmark import Work
from pokerlab.games.actions import CALL, Action, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.protocols import Agent
from pokerlab.games.state import State
from pokerlab.games.views import View
from pokerlab.rng import shuffled_deck, stream
from pokerlab.table.match import MatchPlan, play_match

TEN_NAMES = tuple("abcdefghij")
TRIALS = 2000
N_RIVERS = 5


def _watched(make: Callable[[], Any], seen: list[View]) -> Agent:
    """A new player that records in `seen` every view on which it acts."""
    player = make()
    act = player.act

    def watch(view: View, rng: np.random.Generator) -> Action:
        seen.append(view)
        action: Action = act(view, rng)
        return action

    player.act = watch
    made: Agent = player
    return made


def _answered(seen: Sequence[View], make: Callable[[], Agent]) -> Work:
    """Decide at every view of `seen`, with a new player from `make`."""

    def work() -> int:
        player, rng = make(), stream(1, "bench")
        for view in seen:
            player.act(view, rng)
        return len(seen)

    return work


def _against(opponent: str, plan: MatchPlan, make: Callable[[], Agent]) -> Work:
    """Every decision of a player in a match against others called `opponent`."""
    from pokerlab.players.registry import agent

    seen: list[View] = []
    play_match(plan, lambda name: agent(name) if name == opponent else _watched(make, seen))
    return _answered(seen, make)


def formula(players: int) -> Work:
    """Every decision of one player in a short match, with models of all players and no board cached."""
    from pokerlab.policies.formula import board_ehs, board_strength
    from pokerlab.systems.poki.player import Poki

    seen: list[View] = []
    poki = Poki()
    plan = MatchPlan(f"limit{players}p", TEN_NAMES[:players], hands=50, seed=1)
    play_match(plan, lambda name: _watched(Poki, seen), on_hand=poki.observe)

    def has_met_no_board() -> Poki:
        board_strength.cache_clear()
        board_ehs.cache_clear()
        poki.forget()
        return poki

    return _answered([view for view in seen if view.names[view.seat] == TEN_NAMES[0]], has_met_no_board)


def simulation() -> Work:
    """The first decision on the flop with all ten players in, the largest possible simulation."""
    from pokerlab.systems.poki.simulation import Budget, SimulationPoki

    state = State.start(game("limit10p"), shuffled_deck(1, "bench"))
    for _ in TEN_NAMES:
        state = state.after(CALL)
    view = state.view(state.betting.actor, 0, TEN_NAMES)
    poki = SimulationPoki(budget=Budget(trials=TRIALS, clear=inf, block=TRIALS))
    return lambda: poki.simulate(view, stream(1, "bench")).trials


def bayesian(variant: str) -> Work:
    """Every decision of a Bayesian player against itself, with nothing cached."""
    from pokerlab.systems.bpp.player import BayesianPlayer
    from pokerlab.systems.bpp.readings import card_states, played_out, posterior_of_win
    from pokerlab.systems.bpp.variants import VARIANTS

    def knows_no_card() -> BayesianPlayer:
        for cached in (played_out, card_states, posterior_of_win):
            cached.cache_clear()
        return BayesianPlayer(VARIANTS[variant])

    rules = "stud2p" if variant == "2000" else "limit2p"
    return _against("none", MatchPlan(rules, ("a", "b"), hands=100, seed=1), knows_no_card)


def search() -> Work:
    """Every decision of the search player against a random player."""
    from pokerlab.systems.bpp.search.player import SearchPlayer

    return _against("random", MatchPlan("limit2p", ("search", "random"), hands=300, seed=1), SearchPlayer)


def connectionist() -> Work:
    """Every decision of the connectionist player against five random players, with NumPy."""
    from pokerlab.systems.connectionist.parameters import initial_parameters
    from pokerlab.systems.connectionist.player import Connectionist

    parameters = initial_parameters(seed=7)
    plan = MatchPlan("limit6p", ("connectionist", *["random"] * 5), hands=60, seed=1)
    return _against("random", plan, lambda: Connectionist(parameters, {}))


def decision_rollouts() -> Work:
    """Deals played out by formula players after every option of a decision."""
    from pokerlab.players.registry import agent
    from pokerlab.valuing.answers import policy_of
    from pokerlab.valuing.rollout_error import draw_decision, rollouts

    player, rules, rng = agent("formula:steady"), game("limit6p"), stream(0, "bench")
    policy = policy_of(player, rules)
    decision = draw_decision(player, policy, rules, rng)
    return lambda: len(rollouts(decision, player, policy, n=40, rng=rng)[0])


def resolver() -> Work:
    """First decision on random rivers after a preflop raise and a bet on the river; results are not cached."""
    from pokerlab.agents.equilibrium import make_equilibrium
    from pokerlab.agents.resolver import Resolver, blueprint_name

    blueprint, views = make_equilibrium(blueprint_name()), []
    for number in range(N_RIVERS):
        state = State.start(game("limit2p"), shuffled_deck(1, "bench", index=number))
        for action in (RaiseTo(20), CALL, CALL, RaiseTo(10), CALL, CALL, CALL):
            state = state.after(action)
        views.append(state.view(state.betting.actor, 0, TEN_NAMES[:2]))
    return _answered(views, lambda: Resolver(blueprint))
