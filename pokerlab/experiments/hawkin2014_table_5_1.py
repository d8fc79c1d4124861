"""Tables 5.1 and 5.2 of Hawkin (2014): bet sizes of 5-bucket hold'em after runs of BETS of different lengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.experiments.experiment import Config, Experiment, Number, Report, Table
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import Floats, build_sized_tree, sides
from pokerlab.trees.cells import cells_for

BINS = {"0.80 - 0.82": (0.0, 0.82), "0.82 - 0.98": (0.82, 0.98), "0.98 - 1.0": (0.98, 2.0)}
ALL, TOP = "bets with sizes of {}", "of the ten most important bets, those with sizes of {}"
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

    settings: Mapping[str, Any] = config.settings
    rules = game("nolimit2p")
    cells = cells_for(rules, settings["cards"])
    tree = build_sized_tree(rules, sides("all-in | fcpa", ([Range(0.8, 1.0)], [])))
    looks = settings["looks"]
    bets = DenseBets(tree, cells, BetsSettings(n=settings["n"], average_from=0.0), iterations=looks[-1])
    watch = Bets(
        tree, cells, deals_of(bets.cfr.problem.pairs), BetsSettings(exact=False, seed=config.seed), iterations=1
    )
    sections: dict[str, dict[str, Number]] = {text.format(name): {} for text in (ALL, TOP) for name in BINS}
    state = bets.init()
    for done, look in enumerate(looks, 1):
        state = bets.step(state, look - int(state["iteration"]))
        size = bets.sizes(state)
        top = np.argsort(-watch.importance_of(bets.cfr.strategy(state), size, settings["deals"]))[:10]
        for text, found in ((ALL, counts(size)), (TOP, counts(size[top]))):
            for name, n in found.items():
                sections[text.format(name)][f"{look} iterations"] = Number(float(n))
        report(done, len(looks))
    return Table(
        sections, (f"{tree.n_agents} sized bets.", "Iterations here are exact; in the thesis they are sampled.")
    )


def _published() -> Table:
    sections: dict[str, dict[str, Number]] = {}
    for place, name in enumerate(BINS):
        for which, text in enumerate((ALL, TOP)):
            rows = {length: Number(float(both[which][place])) for length, both in PRINTED.items()}
            sections[text.format(name)] = rows
    return Table(sections)


EXPERIMENT = Experiment(
    name="hawkin2014-table-5-1",
    title="Tables 5.1 and 5.2: bet sizes after runs of different lengths",
    cites="Hawkin (2014), sections 5.3 and 5.5, Tables 5.1 and 5.2",
    about="Player one sized in [0.8, 1] against FCPA in 5-bucket hold'em, one run of BETS looked at on its way.",
    published=_published(),
    run=run,
    quick={"cards": "pr5", "looks": [100, 200, 400], "n": 100, "deals": 5_000},
    full={"cards": "pr5", "looks": [100, 200, 400, 1000, 2000, 4000, 10_000], "n": 100, "deals": 50_000},
)
