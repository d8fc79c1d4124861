"""What a player gains who bets off the tree, by how its bets are understood: exact, in no-limit Leduc poker.

The defender plays an equilibrium of the game with pot and all-in bets (FCPA) and translates everything else. The other
player has one more size and responds best to exactly that: the defender, translation included, is written down as a
strategy of the larger tree (`valuing.tabulate`), and the best response is computed there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Experiment, Report, Table, exact_rows
from pokerlab.experiments.parts import do_parts
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import Solution
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.cells import Lossless
from pokerlab.trees.translation import RULES
from pokerlab.valuing.tabulate import tabulate

KNOWN = "fcpa"


def leduc(stack: int) -> Rules:
    """No-limit Leduc with two bets a round and stacks of so many antes."""
    return replace(game("leduc-nolimit"), name=f"leduc-nolimit-{stack}", stacks=(stack, stack))


@lru_cache(maxsize=2)
def equilibrium(stack: int) -> Solution:
    """The defender's strategy, exact."""
    rules = leduc(stack)
    return solve_lp(Problem(build_tree(rules, KNOWN), Lossless(rules)))


def gain(part: Mapping[str, Any]) -> float:
    """What one more size (in pots) wins a best responder beyond the value of the game, in antes, mean of both seats."""
    rules, solved = leduc(part["stack"]), equilibrium(part["stack"])
    sizes = [f"{size}p" for size in sorted({1.0, part["size"]})]
    more, won = ", ".join((*sizes, "all-in")), []
    for seat, text in enumerate((f"{more} | {KNOWN}", f"{KNOWN} | {more}")):
        problem = Problem(build_tree(rules, text), Lossless(rules))
        defender = tabulate(StrategyPolicy(solved.strategy, translation=part["rule"]), problem)
        value = solved.value if seat == 0 else -solved.value
        won.append(evaluate(problem, defender).best_response[seat] - value)
    return sum(won) / 2


def run(config: Config, report: Report) -> Table:
    """Every size against every rule, and for each rule the size that gains most."""
    sizes = {int(stack): found for stack, found in config.settings["sizes"].items()}
    parts = [{"stack": stack, "size": size, "rule": rule} for stack in sizes for size in sizes[stack] for rule in RULES]
    found = do_parts(gain, parts, config, report)
    sections: dict[str, dict[str, Estimate]] = {}
    for stack in sizes:
        here = [(part, 1000 * won) for part, won in zip(parts, found, strict=True) if part["stack"] == stack]
        name = f"stacks of {stack} antes: gain, milli-antes/hand"
        by_rule = {rule: [(part["size"], won) for part, won in here if part["rule"] == rule] for rule in RULES}
        most = {rule: max(won for _, won in each) for rule, each in by_rule.items()}
        sections[f"{name}, the best size"] = exact_rows(most)
        for rule, each in by_rule.items():
            sections[f"{name}, {rule}"] = exact_rows({f"{size:g} pots": won for size, won in each})
    return Table.of(sections, NOTES)


NOTES = (
    "Numbers are exact: linear programs and best responses, no sampling.",
    "Between pot and all-in, hard translation (geometric) changes its mind at one size: at stacks of 12 antes the "
    "first bet is taken for all-in from 2.35 pots on, and at 400 from 14.1. That is where it is exploited.",
    "At 400 antes the two sizes are too far apart for any rule: a bet of two pots is nothing like one of two hundred. "
    "The rules that mix then pay for small steps off the pot, which geometric does not notice.",
)

EXPERIMENT = Experiment(
    name="equilibrium-translation",
    title="Betting off the tree, by translation",
    cites="Hawkin (2014), section 3.8.2; Ganzfried and Sandholm (2013)",
    about=(
        "Nothing is published to compare with. The defender plays an exact equilibrium of no-limit Leduc with pot and "
        "all-in bets; its opponent has one more size and responds best to it, translation included."
    ),
    published=Table(),
    run=run,
    quick={"sizes": {"12": [1.1, 2.4], "400": [1.1]}},
    full={"sizes": {"12": [1.1, 1.5, 2.0, 2.3, 2.4, 3.0, 4.0], "400": [1.1, 1.5, 2.0, 5.0, 14.0, 14.3, 50.0]}},
)
