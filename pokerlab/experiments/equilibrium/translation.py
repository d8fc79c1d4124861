"""How much each rule of bet translation loses to bets outside the betting tree.

In no-limit hold'em, a local best response (LBR) that bets a single size plays against the shipped equilibrium player.
The results are lower bounds with intervals.

In no-limit Leduc poker the results are exact. The defender plays an equilibrium of the game with pot and all-in bets
(FCPA) and translates all other bets. Its opponent has one more bet size and plays a best response. For this, the
defender with its translation is written as a strategy of the larger tree (`valuing.tabulate`), in which the best
response is computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from pokerlab.abstraction.cells import Lossless
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Sections, Table, exact_rows
from pokerlab.experiments.records import notes_of
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import Solution
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.translation import DEFAULT_TRANSLATION, TRANSLATIONS
from pokerlab.valuing.lbr_winnings import lbr_winnings
from pokerlab.valuing.tabulate import tabulate

KNOWN = "fcpa"
MAKE, UNITS = "pokerlab.players.registry:agent", "mbb_per_hand"


def leduc(stack: int) -> Rules:
    """No-limit Leduc with two bets per round and stacks of `stack` antes."""
    return replace(game("leduc-nolimit"), name=f"leduc-nolimit-{stack}", stacks=(stack, stack))


@lru_cache(maxsize=2)
def equilibrium(stack: int) -> Solution:
    """The defender's exact equilibrium in the game that has only the sizes `KNOWN`."""
    rules = leduc(stack)
    return solve_lp(Problem(build_tree(rules, KNOWN), Lossless(rules)))


def gain(part: Mapping[str, Any]) -> float:
    """How much more than the value of the game a best responder with one more bet size wins: in antes, as the mean of
    both seats."""
    rules, solved = leduc(part["stack"]), equilibrium(part["stack"])
    sizes = [f"{size}p" for size in sorted({1.0, part["size"]})]
    more, won = ", ".join((*sizes, "all-in")), []
    for seat, text in enumerate((f"{more} | {KNOWN}", f"{KNOWN} | {more}")):
        problem = Problem(build_tree(rules, text), Lossless(rules))
        defender = tabulate(StrategyPolicy(solved.strategy, translation=part["rule"]), problem)
        value = solved.value if seat == 0 else -solved.value
        won.append(evaluate(problem, defender).best_response[seat] - value)
    return sum(won) / 2


def lost(part: Mapping[str, Any]) -> dict[str, Any]:
    """Losses of `equilibrium:nolimit2p` to a local best response that bets one size: the mean, and by deal."""
    rules = game("nolimit2p")
    agent = f"equilibrium:nolimit2p?translation={part['rule']}"
    (found,) = lbr_winnings(agent, rules, make=MAKE, hands=part["deals"], seed=part["seed"], sizes=[part["lbr"]])
    return {"wins": found.wins.data(), "deals": found.won.total.tolist()}


def run(config: Config) -> Table:
    """Test every size against every rule. For each rule, report the size that gains most."""
    sizes = {int(stack): found for stack, found in config.settings["sizes"].items()}
    common = {"deals": config.settings["lbr_deals"], "seed": config.seed}
    played = {
        (rule, size): [{"lbr": size, "rule": rule, **common}]
        for size in config.settings["lbr_sizes"]
        for rule in TRANSLATIONS
    }
    exactly = {
        (stack, rule): [{"stack": stack, "size": size, "rule": rule} for size in sizes[stack]]
        for stack in sizes
        for rule in TRANSLATIONS
    }
    sections = hold_em({key: found for key, (found,) in config.part_of(1, 2).do_groups(lost, played).items()})
    gains = config.do_groups(gain, exactly)
    for stack in sizes:
        name = f"Leduc, stacks of {stack} antes: gain, milli-antes/hand"
        by_rule = {rule: [1000 * won for won in gains[stack, rule]] for rule in TRANSLATIONS}
        sections[f"{name}, the best size"] = exact_rows({rule: max(won) for rule, won in by_rule.items()})
        for rule, won in by_rule.items():
            rows = {f"{size:g} pots": each for size, each in zip(sizes[stack], won, strict=True)}
            sections[f"{name}, {rule}"] = exact_rows(rows)
    return Table.of(sections, notes_of("equilibrium-translation"))


def hold_em(losses: Mapping[tuple[str, str], Mapping[str, Any]]) -> Sections:
    """Make the sections about no-limit hold'em from the results of `lost`, which are given by (translation rule, bet
    size)."""
    rules, sizes = (tuple(dict.fromkeys(names)) for names in zip(*losses, strict=True))
    numbers = {key: Estimate.from_data(each["wins"], units=UNITS) for key, each in losses.items()}
    worst = {rule: max(sizes, key=lambda size: numbers[rule, size].mean) for rule in rules}
    deals = {rule: np.array(losses[rule, size]["deals"]) for rule, size in worst.items()}
    name = "nolimit2p: LBR wins, mbb/hand"
    sections = {
        f"{name}, the size that is worst for the rule": {
            f"{rule} ({size})": numbers[rule, size].among(len(sizes)) for rule, size in worst.items()
        },
        f"nolimit2p: how much more than {DEFAULT_TRANSLATION} each loses to its own worst size, mbb/hand": {
            rule: estimate(deals[rule] - deals[DEFAULT_TRANSLATION], units=UNITS)
            for rule in rules
            if rule != DEFAULT_TRANSLATION
        },
    }
    for rule in rules:
        sections[f"{name}, {rule}"] = {size: numbers[rule, size] for size in sizes}
    return sections
