"""Beyond Hawkin (2014): one bet size for a river with real ranges, beside a grid of sizes solved one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.experiments.experiment import Config, Experiment, Number, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.games.rules import Rules
from pokerlab.rng import stream
from pokerlab.solvers.bet_sizing.bets import BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import DEFAULT_RANGES, Range, of_ratio
from pokerlab.solvers.bet_sizing.river import RiverHands
from pokerlab.solvers.bet_sizing.runs import on_every_deal
from pokerlab.solvers.bet_sizing.sized_tree import Path, SizedTree, build_sized_tree, sides
from pokerlab.solvers.cfr import VectorCfr
from pokerlab.solvers.problem import Problem
from pokerlab.solvers.solve import solve
from pokerlab.solvers.subgame import betting_tree
from pokerlab.solvers.variants import variant
from pokerlab.table.estimate import estimate

POT = 100.0
KEPT = "share of what the best single size adds, % (over spots where it adds 0.1% of the pot)"
LOSS = "value given up against the best size of the grid, % of the pot"
ADDED = "what the best single size adds to check and all-in, % of the pot"
RATIO = 1.5  # of the range that moves after the first run
GRID = tuple(float(x) for x in np.round(np.geomspace(0.1, 4.0, 24), 3))


def spot(seed: int, index: int, n_hands: int) -> tuple[RiverHands, Rules]:
    """A random river: five cards, `n_hands` hands of random weights for each player, 1 to 6 pots behind."""
    rng = stream(seed, "rivers", index=index)
    board = rng.permutation(52)[:5]
    weights = []
    for _ in range(2):
        weight = np.zeros(1326)
        weight[rng.permutation(1326)[:n_hands]] = rng.random(n_hands)
        weights.append(weight)
    stack = float(np.round(POT * rng.uniform(1, 6)))
    tree = betting_tree(5, pot=POT, stack=stack, sizes="all-in")
    return RiverHands([int(card) for card in board], (weights[0], weights[1])), tree.rules


def one_bet(rules: Rules, ranges: Mapping[str, Range]) -> SizedTree:
    """The tree in which player 0 has these ranges for its first bet, and all-in; player 1 has FCPA."""
    both = sides("all-in | fcpa", (tuple(ranges.values()), []))
    known: dict[Path, Range] = {(name,): range_ for name, range_ in ranges.items()}
    return build_sized_tree(rules, both, known, adds="none")


def found_size(hands: RiverHands, rules: Rules, part: Mapping[str, Any]) -> float:
    """REFINED-BETS for the one bet: the default ranges that fit, then the most important one, moving."""
    sizer = on_every_deal(hands, deals_of(hands.pairs), BetsSettings(n=part["n"]), part["iterations"])
    fitting = [range_ for range_ in DEFAULT_RANGES[3] if range_.high < all_in(rules)]
    tree = one_bet(rules, {f"r{place}": range_ for place, range_ in enumerate(fitting)})
    found = sizer(tree)
    size = float(found.size[np.argmax(found.importance)])
    for _ in range(part["runs"] - 1):
        size = float(sizer(one_bet(rules, {"r0": of_ratio(size, RATIO)})).size[0])
    return size


def all_in(rules: Rules) -> float:
    """The largest size that is not all-in, in pots."""
    return float(rules.stacks[0]) / POT - 0.5 - 0.02


def value(rules: Rules, size: float | None, hands: RiverHands, target: float) -> float:
    """What the river is worth to player 0 with its bet at `size`, in chips within `target`."""
    tree = one_bet(rules, {} if size is None else {"r0": Range(0.02, all_in(rules))})
    problem = Problem(tree.tree(np.array([] if size is None else [size])), hands)
    return solve(VectorCfr(problem, variant("dcfr+")), iterations=5000, target=target).value


def done(part: Mapping[str, Any]) -> dict[str, float]:
    """One spot: the size found, the best of the grid, and what they are worth."""
    hands, rules = spot(part["seed"], part["index"], part["hands"])
    target = part["within"] * POT / 100
    size = found_size(hands, rules, part)
    grid = {each: value(rules, each, hands, target) for each in GRID if each < all_in(rules)}
    best = max(grid, key=lambda each: grid[each])
    return {
        "size": size,
        "value": value(rules, size, hands, target),
        "best_size": best,
        "best_value": grid[best],
        "without": value(rules, None, hands, target),
    }


def run(config: Config, report: Report) -> Table:
    """Every spot."""
    settings = dict(config.settings)
    n = settings.pop("spots")
    parts = [{**settings, "seed": config.seed, "index": index} for index in range(n)]
    found = do_parts(done, parts, config, report)
    loss = np.array([100 * (each["best_value"] - each["value"]) / POT for each in found])
    added = np.array([100 * (each["best_value"] - each["without"]) / POT for each in found])
    worth = added > 0.1
    kept = 100 * (1 - loss[worth] / added[worth])
    rows = {
        LOSS: {"mean": _mean(loss), "largest": Number(float(loss.max()), n=n)},
        ADDED: {"mean": _mean(added), "largest": Number(float(added.max()), n=n)},
        KEPT: {"mean": _mean(kept), "least": Number(float(kept.min()), n=len(kept))} if len(kept) else {},
    }
    over = float(np.mean(loss <= 0))
    return Table(
        rows, (f"The size found is at least as good as the best of the grid in {100 * over:.0f}% of {n} spots.",)
    )


def _mean(values: np.ndarray) -> Number:
    if len(values) < 2:
        return Number(float(values.mean()), n=len(values))
    found = estimate(values, units="", method="spots")
    return Number(found.mean, found.low, found.high, found.n)


EXPERIMENT = Experiment(
    name="hawkin2014-river",
    title="One bet size for a river with real ranges",
    cites="beyond Hawkin (2014); its section 8.2 names what is missing",
    about=(
        "Random boards, random ranges of random weights, one to six pots behind. Player 0's first bet has one size, "
        "besides all-in; player 1 has FCPA. The size is found by BETS from the three default ranges, of which the most "
        "important is kept and moves. The grid has 24 sizes from 0.1 to 4 pots; every value is solved with every hand "
        "apart."
    ),
    published=Table({}),
    run=run,
    quick={"spots": 6, "hands": 60, "runs": 4, "iterations": 300, "n": 30, "within": 0.05},
    full={"spots": 300, "hands": 120, "runs": 5, "iterations": 800, "n": 50, "within": 0.02},
)
