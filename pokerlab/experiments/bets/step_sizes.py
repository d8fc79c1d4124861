"""How far a bet size moves in an iteration: N from 1, ordinary regret matching, to 1,000, in half-street Kuhn poker.

The effective size moves the fraction 1/min(t, N) of the way to where regret matching on its two regrets points
(equation 4.10). With N = 1 it goes there at once: the sizer is then a player by ordinary regret matching. The best size
is known, the square root of 2 less 1.

References
----------
Hawkin (2014), section 4.3, why sizes move slowly, and sections 6.1 and 8.2.6, how N and the number of iterations T are
chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pokerlab.abstraction.cells import Lossless
from pokerlab.estimates import bare
from pokerlab.experiments.bets.table_4_1 import NEAR, ROOT, kuhn
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides

TITLES = {"size": "mean size, fraction of the pot", "moves": "how far the effective size moves in the last iterations"}
LOOKS = 200
"""Iterations at the end whose effective sizes are compared."""


def settled(part: Mapping[str, Any]) -> dict[str, float]:
    """Run BETS once on half-street Kuhn poker. Return the mean size, and how far the effective size still moves: the
    distance between its smallest and its largest value in the last iterations."""
    rules, iterations = kuhn("kuhn-half-street"), int(part["iterations"])
    cells, looks = Lossless(rules), min(LOOKS, iterations // 2)
    tree = build_sized_tree(rules, sides("none", ([Range(*part["range"])], [])), alpha=0)
    bets = Bets(tree, cells, deals_of(cells.pairs), BetsSettings(n=part["n"]), iterations=iterations)
    arrays = bets.step(bets.init(), iterations - looks)
    seen = []
    for _ in range(looks):
        arrays = bets.step(arrays, 1)
        seen.append(float(arrays["size"][0]))
    return {"size": float(bets.sizes(arrays)[0]), "moves": max(seen) - min(seen)}


def run(config: Config) -> Table:
    """Mean size and movement of the effective size, by range, N and number of iterations."""
    asked = config.settings
    keys = [(tuple(ends), n, t) for ends in asked["ranges"] for n in asked["n"] for t in asked["iterations"]]
    found = dict(
        zip(keys, config.do(settled, [{"range": list(r), "n": n, "iterations": t} for r, n, t in keys]), strict=True)
    )
    sections: Sections = {}
    for (ends, n, t), numbers in found.items():
        for what, title in TITLES.items():
            rows = sections.setdefault(f"range [{ends[0]:g}, {ends[1]:g}]: {title}", {})
            rows[f"N = {n:,}, {t:,} iterations"] = bare(numbers[what])
    last, ranges = asked["iterations"][-1], [tuple(ends) for ends in asked["ranges"]]
    at_end = {n: [found[ends, n, last] for ends in ranges] for n in asked["n"]}
    near = [n for n, runs in at_end.items() if all(abs(each["size"] - ROOT) < NEAR for each in runs)]
    still = [n for n, runs in at_end.items() if all(each["moves"] < NEAR for each in runs)]
    note = (
        f"The best size is {ROOT:.3f}. After {last:,} iterations the mean size is within {NEAR:g} of it in every range "
        f"with N = {_listed(near)}, and the effective size is at rest (it moves by less than {NEAR:g}) with N = "
        f"{_listed(still)}."
    )
    return Table.of(sections, [note])


def _listed(numbers: list[int]) -> str:
    """Numbers in words; 'none of these' if there are none."""
    return ", ".join(f"{n:,}" for n in numbers) or "none of these"
