"""Benchmarks of the table: whole hands of heads-up limit hold'em, including dealing, playing, checking and payoffs.

The fair comparison is of hands where players only call, since these are the same for all. Random players choose from
different menus: RLCard's may fold with nothing to call, so its hands are shorter.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pokerlab.bench.benchmark import Work, repeated

HANDS, BATCH, SLOW = 1000, 200_000, 100


@dataclass(frozen=True)
class _Plain:
    """A player with only the method `act`, so that even strategies play at the ordinary table."""

    act: Callable[..., Any]


def dealt(name: str, seconds: float | None = None) -> Work:
    from pokerlab.players.registry import agent
    from pokerlab.table.match import MatchPlan, play_match

    plan = MatchPlan("limit2p", (name, name), hands=HANDS, seed=7, seconds=seconds)
    return lambda: len(play_match(plan, lambda text: _Plain(agent(text).act)).chips)


def foreign(name: str, *, apart: bool) -> Work:
    """A player against one that always raises, with its code in a separate process or in the dealer's."""
    from pokerlab.players.registry import agent
    from pokerlab.players.sources import IN_PROCESS
    from pokerlab.table.apart import AgentApart
    from pokerlab.table.match import MatchPlan, play_match

    plan = MatchPlan("limit2p", (name, "raiser"), hands=SLOW, seed=7)
    player = AgentApart(name, make=IN_PROCESS) if apart else agent(name)
    return lambda: len(play_match(plan, lambda text: player if text == name else _Plain(agent(text).act)).chips)


def compiled(name: str) -> Work:
    """Compiled strategies: of players that never look at their cards, or of `equilibrium:limit2p`."""
    from pokerlab.abstraction.blind import Blind
    from pokerlab.games.actions import Kind
    from pokerlab.players.registry import agent
    from pokerlab.policies.strategy import Strategy
    from pokerlab.policies.strategy_policy import StrategyPolicy
    from pokerlab.table.match import MatchPlan, play_match
    from pokerlab.trees.betting_tree import build_tree

    plan = MatchPlan("limit2p", (name, name), hands=BATCH, seed=7)
    if name.startswith("equilibrium"):
        policy = agent(name)
    else:
        tree, cells = build_tree(plan.rules), Blind(plan.rules)
        calls = tuple((tree.kind[on] == Kind.CALL)[:, None].astype(float) for on in tree.edges_on)
        policy = StrategyPolicy(Strategy(tree, cells, calls) if name == "call" else Strategy.uniform(tree, cells))
    return lambda: len(play_match(plan, lambda _: policy).chips)


def local_best_response() -> Work:
    """A player that queries its opponent's policy about every possible hand at every decision."""
    from pokerlab.players.registry import agent
    from pokerlab.table.match import MatchPlan, play_match

    plan = MatchPlan("nolimit2p", ("lbr(5p):equilibrium:nolimit2p", "equilibrium:nolimit2p"), hands=SLOW, seed=7)
    return lambda: len(play_match(plan, agent).chips)


def rlcard_hands(*, calls: bool) -> Work:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about the gym it was written for
        import rlcard

        table = rlcard.make("limit-holdem")

    def hand() -> None:
        state, _ = table.reset()
        while not table.is_over():
            actions = list(state["legal_actions"])
            check_or_call = 3 if 3 in actions else 0
            state, _ = table.step(check_or_call if calls else random.choice(actions), False)
        table.get_payoffs()

    return repeated(hand, HANDS)


def openspiel(*, calls: bool) -> Work:
    import pyspiel

    from pokerlab.games.catalog import game
    from pokerlab.verify.rules_peers import openspiel_text

    loaded = pyspiel.load_game(openspiel_text(game("limit2p")))

    def hand() -> None:
        state = loaded.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(1 if calls and not state.is_chance_node() else random.choice(actions))
        state.returns()

    return repeated(hand, HANDS)


def pokerkit(*, calls: bool) -> Work:
    from pokerkit import Automation, FixedLimitTexasHoldem

    automations = tuple(each for each in Automation)

    def hand() -> None:
        state: Any = FixedLimitTexasHoldem.create_state(automations, True, 0, (5, 10), 10, 20, (10_000, 10_000), 2)
        while state.status:
            kinds = ["call"] if calls else ["call", *_other_kinds(state)]
            kind = random.choice(kinds)
            if kind == "call":
                state.check_or_call()
            elif kind == "fold":
                state.fold()
            else:
                state.complete_bet_or_raise_to()

    return repeated(hand, SLOW)


def _other_kinds(state: Any) -> list[str]:
    kinds = ["fold"] if state.can_fold() and state.checking_or_calling_amount else []
    return [*kinds, "raise"] if state.can_complete_bet_or_raise_to() else kinds
