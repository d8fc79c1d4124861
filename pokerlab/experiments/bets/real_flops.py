"""One bet size for flops with the ranges of a pot, in JAX on a GPU, compared with a grid of sizes solved one by one."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pokerlab.estimates import bare, exact
from pokerlab.experiments.bets.spots import POT, Drawn, beside_grid, summary
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.experiments.records import notes_of
from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame

_COMPILED: dict[bytes, Any] = {}  #: programs by the shape of the tree


def done(part: Mapping[str, Any]) -> dict[str, float]:
    """Find the size on one flop. Return what `spots.beside_grid` does, in seconds of the clock, and the seconds of
    compiling, before the others began."""
    from pokerlab.solvers.subgames.batches import tree_shape  # needs JAX
    from pokerlab.systems.bets.level_sizer import LevelSizer

    spot = make_sized_subgame(
        part["flop"], (part["ranges"][0], part["ranges"][1]), pot=POT, stack=part["stack"], player=part["player"]
    )
    began = time.perf_counter()
    solver = LevelSizer(spot, target=part["within"])
    solver = LevelSizer(
        spot, target=part["within"], passes=_COMPILED.setdefault(tree_shape(solver.tree), solver.passes)
    )
    solver.compile()
    compiling = time.perf_counter() - began
    drawn = Drawn("flop", (0, 0), (part["stack"], part["stack"]), part["grid"], sizes=1)
    found = beside_grid(spot, drawn, part["within"], clock=time.perf_counter, solver=solver)
    print(f"{part['flop']}: compiled in {compiling:.1f} s; {found}", flush=True)
    return {**found, "compiling": compiling}


def run(config: Config) -> Table:
    settings = config.settings
    kept = {key: settings[key] for key in ("ranges", "stack", "player", "within", "grid")}
    found = config.do(done, [{**kept, "flop": flop} for flop in settings["flops"]])
    sections: Sections = {}
    for flop, each in zip(settings["flops"], found, strict=True):
        sections[f"{flop}: value above half of the pot, %"] = {
            "check and all-in only": bare(each["without"]),
            "a bet of the pot": bare(each["pot_value"]),
            "best of the grid": bare(each["best_value"]),
            "the size found": bare(each["value"]),
        }
        sections[f"{flop}: size in pots"] = {
            "best of the grid": bare(each["best_size"]),
            "runs of BETS alone": bare(each["first_size"]),
            "found": bare(each["size"]),
        }
    sections["seconds before the first step, compiling included"] = {
        flop: exact(each["compiling"]) for flop, each in zip(settings["flops"], found, strict=True)
    }
    sections |= summary(found, settings["grid"], "seconds")
    return Table.of(sections, notes_of("hawkin2014-river", worth_it=0.1))
