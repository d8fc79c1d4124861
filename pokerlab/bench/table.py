"""Benchmarks of the table: whole hands of heads-up limit hold'em, dealt, played, checked and paid out.

Call-only hands are the fair comparison: they are the same hands for all. Random players choose from menus that differ:
RLCard's may fold with nothing to call, so its hands are shorter; the others' may not.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pokerlab.bench.benchmark import Benchmark, Work, repeated

HANDS, BATCH, SLOW = 1000, 200_000, 100


@dataclass(frozen=True)
class _Plain:
    """A player of which the table sees only `act`: even strategies are dealt to by the ordinary dealer."""

    act: Callable[..., Any]


def _ours(name: str, seconds: float | None = None) -> Work:
    from pokerlab.players.registry import agent
    from pokerlab.table.match import MatchPlan, play_match

    plan = MatchPlan("limit2p", (name, name), hands=HANDS, seed=7, seconds=seconds)
    return lambda: len(play_match(plan, lambda text: _Plain(agent(text).act)).chips)


def _compiled(name: str) -> Work:
    """Strategies in compiled code: of players that never look at their cards, or of `equilibrium:limit2p`."""
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


def _local_best_response() -> Work:
    """A player that queries its opponent's policy about every possible hand at every decision."""
    from pokerlab.players.registry import agent
    from pokerlab.table.match import MatchPlan, play_match

    plan = MatchPlan("nolimit2p", ("lbr(5p):equilibrium:nolimit2p", "equilibrium:nolimit2p"), hands=SLOW, seed=7)
    return lambda: len(play_match(plan, agent).chips)


def _rlcard(choose: Callable[[list[int]], int]) -> Work:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about the gym it was written for
        import rlcard

        table = rlcard.make("limit-holdem")

    def hand() -> None:
        state, _ = table.reset()
        while not table.is_over():
            state, _ = table.step(choose(list(state["legal_actions"])), False)
        table.get_payoffs()

    return repeated(hand, HANDS)


def _openspiel(choose: Callable[[list[int]], int]) -> Work:
    import pyspiel

    from pokerlab.games.catalog import game
    from pokerlab.verify.rules_peers import openspiel_text

    loaded = pyspiel.load_game(openspiel_text(game("limit2p")))

    def hand() -> None:
        state = loaded.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(random.choice(actions) if state.is_chance_node() else choose(actions))
        state.returns()

    return repeated(hand, HANDS)


def _pokerkit(calls_only: bool) -> Work:
    from pokerkit import Automation, FixedLimitTexasHoldem

    automations = tuple(each for each in Automation)

    def hand() -> None:
        state: Any = FixedLimitTexasHoldem.create_state(automations, True, 0, (5, 10), 10, 20, (10_000, 10_000), 2)
        while state.status:
            kinds = ["call"] if calls_only else ["call", *_other_kinds(state)]
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


def _rlcard_call(actions: list[int]) -> int:
    return 3 if 3 in actions else 0  # check, else call


def _openspiel_call(actions: list[int]) -> int:
    return 1


CALL_PEERS = {
    "RLCard": partial(_rlcard, _rlcard_call),
    "OpenSpiel": partial(_openspiel, _openspiel_call),
    "PokerKit": partial(_pokerkit, calls_only=True),
}
RANDOM_PEERS = {
    "RLCard": partial(_rlcard, random.choice),
    "OpenSpiel": partial(_openspiel, random.choice),
    "PokerKit": partial(_pokerkit, calls_only=False),
}

BENCHMARKS = (
    Benchmark(
        "dealer",
        "heads-up limit, both players call: the ordinary dealer with all its checks",
        "hands",
        partial(_ours, "caller"),
        CALL_PEERS,
        note="OpenSpiel is a C++ engine driven from Python, without views.",
    ),
    Benchmark("dealer-random", "the same with random players", "hands", partial(_ours, "random"), RANDOM_PEERS),
    Benchmark("dealer-clock", "the same on the clock", "hands", partial(_ours, "random", 60.0)),
    Benchmark(
        "batch",
        "heads-up limit, both players call: strategies that never look at their cards, in compiled code",
        "hands",
        partial(_compiled, "call"),
        CALL_PEERS,
    ),
    Benchmark("batch-random", "the same with random players", "hands", partial(_compiled, "random"), RANDOM_PEERS),
    Benchmark(
        "batch-strategy",
        "heads-up limit between strategies of 6,378 decisions and 780 card cells, in compiled code",
        "hands",
        partial(_compiled, "equilibrium:limit2p"),
        {"the ordinary dealer": partial(_ours, "equilibrium:limit2p")},
        note="The same hands, which the ordinary dealer shows to its players as views.",
    ),
    Benchmark(
        "lbr",
        "local best response that bets five pots against equilibrium:nolimit2p, with its accounts of luck",
        "hands",
        _local_best_response,
    ),
)
