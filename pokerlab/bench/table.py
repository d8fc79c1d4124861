"""Benchmarks of the table: whole hands of heads-up limit hold'em, dealt, played, checked and paid out.

Call-only hands are the fair comparison: they are the same hands for everyone. Random players choose from menus that
differ: RLCard's may fold with nothing to call, so its hands are shorter; the others' may not.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

from pokerlab.bench.benchmark import Benchmark, Contender, Work

HANDS, BATCH, SLOW = 1000, 200_000, 100


def _ours(name: str) -> Contender:
    def prepare() -> Work:
        from pokerlab.agents.registry import agent
        from pokerlab.table.match import MatchPlan, play_match

        plan = MatchPlan("limit2p", (name, name), hands=HANDS, seed=7)
        return lambda: len(play_match(plan, agent).chips)

    return prepare


def _batch(name: str) -> Contender:
    def prepare() -> Work:
        from pokerlab.agents.registry import agent
        from pokerlab.policies.tabular import TabularPolicy
        from pokerlab.table.batch import ScriptedPolicy, play_batch
        from pokerlab.table.match import MatchPlan
        from pokerlab.trees.menu_tree import build_menu_tree

        plan = MatchPlan("limit2p", (name, name), hands=BATCH, seed=7)
        policy: TabularPolicy | ScriptedPolicy
        policy = TabularPolicy.uniform(build_menu_tree(plan.rules)) if name == "table" else agent(name)  # type: ignore[assignment]
        return lambda: len(play_batch(plan, (policy, policy)).chips)

    return prepare


def _rlcard(choose: Callable[[list[int]], int]) -> Contender:
    def prepare() -> Work:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about the gym it was written for
            import rlcard

            table = rlcard.make("limit-holdem")

        def work() -> int:
            for _ in range(HANDS):
                state, _ = table.reset()
                while not table.is_over():
                    state, _ = table.step(choose(list(state["legal_actions"])), False)
                table.get_payoffs()
            return HANDS

        return work

    return prepare


def _openspiel(choose: Callable[[list[int]], int]) -> Contender:
    def prepare() -> Work:
        import pyspiel

        from pokerlab.bench.rules_peers import openspiel_text
        from pokerlab.games.catalog import game

        loaded = pyspiel.load_game(openspiel_text(game("limit2p")))

        def work() -> int:
            for _ in range(HANDS):
                state = loaded.new_initial_state()
                while not state.is_terminal():
                    actions = state.legal_actions()
                    state.apply_action(random.choice(actions) if state.is_chance_node() else choose(actions))
                state.returns()
            return HANDS

        return work

    return prepare


def _pokerkit(calls_only: bool) -> Contender:
    def prepare() -> Work:
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

        def work() -> int:
            for _ in range(SLOW):
                hand()
            return SLOW

        return work

    return prepare


def _other_kinds(state: Any) -> list[str]:
    kinds = ["fold"] if state.can_fold() and state.checking_or_calling_amount else []
    return [*kinds, "raise"] if state.can_complete_bet_or_raise_to() else kinds


def _rlcard_call(actions: list[int]) -> int:
    return 3 if 3 in actions else 0  # check, else call


def _openspiel_call(actions: list[int]) -> int:
    return 1


BENCHMARKS = (
    Benchmark(
        "dealer",
        "heads-up limit, both players call: the ordinary dealer with all its checks",
        "hands",
        _ours("caller"),
        {"RLCard": _rlcard(_rlcard_call), "OpenSpiel": _openspiel(_openspiel_call), "PokerKit": _pokerkit(True)},
        note="OpenSpiel is a C++ engine driven from Python, and is handed no views.",
    ),
    Benchmark(
        "dealer-random",
        "the same with random players",
        "hands",
        _ours("random"),
        {"RLCard": _rlcard(random.choice), "OpenSpiel": _openspiel(random.choice), "PokerKit": _pokerkit(False)},
    ),
    Benchmark("batch", "heads-up limit, both players call: the compiled dealer", "hands", _batch("caller")),
    Benchmark("batch-random", "the same with random players", "hands", _batch("random")),
    Benchmark("batch-table", "the same with a table over 6,378 decisions and 169 hands each", "hands", _batch("table")),
)
