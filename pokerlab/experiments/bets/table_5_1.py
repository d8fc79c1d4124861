"""Tables 5.1 and 5.2 of Hawkin (2014): bet sizes of 5-bucket hold'em after runs of BETS of different lengths."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats
from pokerlab.estimates import bare, bounds
from pokerlab.experiments.bets.curves import baseline, to_player_two
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree, build_sized_tree, sides
from pokerlab.systems.bets.abstraction_worth import game_value

BINS = {"0.80 - 0.82": (0.0, 0.82), "0.82 - 0.98": (0.82, 0.98), "0.98 - 1.0": (0.98, 2.0)}
ALL, TOP = "bets with sizes of {}", "of the ten most important bets, those with sizes of {}"
GAIN = "gain over FCPA of the longest run, % of its value"
VALUES = "value to player two, mbb"


def counts(size: Floats) -> dict[str, int]:
    """Count the sizes in each bin."""
    return {name: int(np.sum((size >= low) & (size < high))) for name, (low, high) in BINS.items()}


def run(config: Config) -> Table:
    """Make one run and record it at several lengths; sizes are means over all iterations so far."""
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

    began = time.perf_counter()
    settings: Mapping[str, Any] = config.settings
    rules = game("nolimit2p")
    cells = cells_for(rules, settings["cards"])
    tree = build_sized_tree(rules, sides("all-in | fcpa", ([Range(0.8, 1.0)], [])))
    looks = settings["looks"]
    how = BetsSettings(n=settings["n"], average_from=0.0, seed=config.seed)
    bets = DenseBets(tree, cells, how, iterations=looks[-1])
    sections: Sections = {text.format(name): {} for text in (ALL, TOP) for name in BINS}
    state = bets.init()
    for done, look in enumerate(looks, 1):
        state = bets.step(state, look - int(state["iteration"]))
        size = bets.sizes(state)
        top = np.argsort(-bets.importance(state))[:10]
        for text, found in ((ALL, counts(size)), (TOP, counts(size[top]))):
            for name, n in found.items():
                sections[text.format(name)][f"{look} iterations"] = bare(float(n))
        config.report(done, len(looks))
    if settings["value_iterations"]:
        sections |= _worth(tree, size, cells, settings)
    cost = f"{time.perf_counter() - began:.0f} s of runs and solves."
    return Table.of(sections, (f"{tree.n_bets} sized bets.", *NOTES, cost))


def _worth(tree: SizedTree, size: Floats, cells: Cells, settings: Mapping[str, Any]) -> Sections:
    """Values of the sizes and of pot-sized bets, with bounds; the bounds of the gain come from the sizes alone."""
    iterations = settings["value_iterations"]
    found, _ = game_value(tree, size, cells, iterations=iterations, target=0.0, engine="jax")
    sized = to_player_two(found)
    fcpa = baseline({"cards": settings["cards"], "value_iterations": iterations})
    worst, best = (100 * (fcpa.mean - end) / fcpa.mean for end in (sized.high, sized.low))
    return {VALUES: {"FCPA": fcpa, "player one sized": sized}, GAIN: {"player one": bounds(worst, best)}}


NOTES = ("Iterations here are exact; in the thesis they are sampled.",)
