"""Tables 5.1 and 5.2 of Hawkin (2014): bet sizes of 5-bucket hold'em after runs of BETS of different lengths."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, bare, bounds
from pokerlab.experiments.bets.curves import baseline, to_player_two
from pokerlab.experiments.experiment import Config, Experiment, Report, Table, bare_rows
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree, build_sized_tree, sides
from pokerlab.systems.bets.abstraction_worth import game_value

BINS = {"0.80 - 0.82": (0.0, 0.82), "0.82 - 0.98": (0.82, 0.98), "0.98 - 1.0": (0.98, 2.0)}
ALL, TOP = "bets with sizes of {}", "of the ten most important bets, those with sizes of {}"
GAIN = "gain over FCPA of the longest run, % of its value"
VALUES = "value to player two, mbb"
PRINTED = {  # iterations in millions: all bets by bin, the ten most important by bin
    "1m": ((152, 8, 0), (8, 2, 0)),
    "4m": ((151, 9, 0), (8, 2, 0)),
    "6m": ((150, 9, 1), (8, 1, 1)),
    "8m": ((145, 13, 2), (8, 0, 2)),
    "10m": ((142, 16, 2), (8, 0, 2)),
    "20m": ((138, 20, 2), (8, 0, 2)),
    "100m": ((126, 31, 3), (9, 0, 1)),
    "200m": ((126, 28, 6), (9, 0, 1)),
}


def counts(size: Floats) -> dict[str, int]:
    """How many sizes fall into each bin."""
    return {name: int(np.sum((size >= low) & (size < high))) for name, (low, high) in BINS.items()}


def run(config: Config, report: Report) -> Table:
    """One run, looked at on its way; sizes are means over all iterations so far."""
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

    began = time.perf_counter()
    settings: Mapping[str, Any] = config.settings
    rules = game("nolimit2p")
    cells = cells_for(rules, settings["cards"])
    tree = build_sized_tree(rules, sides("all-in | fcpa", ([Range(0.8, 1.0)], [])))
    looks = settings["looks"]
    how = BetsSettings(n=settings["n"], average_from=0.0, seed=config.seed)
    bets = DenseBets(tree, cells, how, iterations=looks[-1])
    sections: dict[str, dict[str, Estimate]] = {text.format(name): {} for text in (ALL, TOP) for name in BINS}
    state = bets.init()
    for done, look in enumerate(looks, 1):
        state = bets.step(state, look - int(state["iteration"]))
        size = bets.sizes(state)
        top = np.argsort(-bets.importance(state))[:10]
        for text, found in ((ALL, counts(size)), (TOP, counts(size[top]))):
            for name, n in found.items():
                sections[text.format(name)][f"{look} iterations"] = bare(float(n))
        report(done, len(looks))
    if settings["value_iterations"]:
        sections |= _worth(tree, size, cells, settings)
    cost = f"{time.perf_counter() - began:.0f} s of runs and solves."
    return Table.of(sections, (f"{tree.n_bets} sized bets.", *NOTES, cost))


def _worth(tree: SizedTree, size: Floats, cells: Cells, settings: Mapping[str, Any]) -> dict[str, dict[str, Estimate]]:
    """What the sizes are worth beside pot-sized bets, with bounds; the gain's come from the sizes' alone."""
    iterations = settings["value_iterations"]
    found, _ = game_value(tree, size, cells, iterations=iterations, target=0.0, engine="jax")
    sized = to_player_two(found)
    fcpa = baseline({"cards": settings["cards"], "value_iterations": iterations})
    worst, best = (100 * (fcpa.mean - end) / fcpa.mean for end in (sized.high, sized.low))
    return {VALUES: {"FCPA": fcpa, "player one sized": sized}, GAIN: {"player one": bounds(worst, best)}}


NOTES = ("Iterations here are exact; in the thesis they are sampled.",)


def _published() -> Table:
    sections = {}
    for place, name in enumerate(BINS):
        for which, text in enumerate((ALL, TOP)):
            sections[text.format(name)] = bare_rows({length: both[which][place] for length, both in PRINTED.items()})
    return Table.of({**sections, GAIN: bare_rows({"player one": 17})})


EXPERIMENT = Experiment(
    name="hawkin2014-table-5-1",
    title="Tables 5.1 and 5.2: bet sizes after runs of different lengths",
    cites="Hawkin (2014), sections 5.3 and 5.5, Tables 5.1 and 5.2",
    about="Player one sized in [0.8, 1] against FCPA in 5-bucket hold'em, one run of BETS looked at on its way.",
    published=_published(),
    run=run,
    quick={"cards": "pr5", "looks": [100, 200, 400], "n": 100, "value_iterations": 0},
    full={
        "cards": "pr5",
        "looks": [100, 200, 400, 1000, 2000, 4000, 10_000, 20_000, 40_000],
        "n": 100,
        "value_iterations": 1600,
    },
)
