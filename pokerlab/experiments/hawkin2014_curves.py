"""Curves of Hawkin (2014), chapters 5 and 6: values of found sizes in 5-bucket hold'em, run by run; five figures.

What is published is the value to player two in thousandths of a big blind with best-response bounds (appendix A).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pokerlab.experiments.experiment import Config, Experiment, Number, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.saved_runs import config_of, default_ranges, find_bets
from pokerlab.solvers.problem import make_problem

PLAYERS = {0: "player one", 1: "player two"}
MILLI = 0.1  # chips: a thousandth of the big blind of 100
GAIN = "gain over FCPA of the best run, % of its value"
PAIRS = "(I, a) pairs after the fifth run"
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Curve:
    """One curve: its settings, and what was printed for each player, (value, half-width) by run."""

    settings: Mapping[str, Any]
    printed: tuple[Points, Points]
    pairs: tuple[int, int] | None = None  # Tables 6.2 and 6.3


def _width(low: float, high: float) -> dict[str, Any]:
    return {"ranges": [f"{low}-{high}"], "keeps": "width"}


_FIRST = (  # Tables A.1 and A.2: T = 10,000,000
    ((51.14, 2.4), (42.8, 2.59), (36.04, 2.98), (32.25, 3.32), (30.54, 3.26), (31.51, 3.31), (30.68, 3.3),
     (29.48, 3.32), (30.36, 3.52), (30.36, 3.51)),
    ((77.88, 2.49), (92.98, 1.41), (101.84, 1.85), (107.82, 1.68), (110.99, 1.81), (115.79, 1.87), (115.38, 1.82),
     (113.07, 2.11), (111.64, 2.8), (111.74, 2.8)),
)  # fmt: skip
_LOW = (  # Tables A.3 and A.4
    ((39.6, 5.6), (34.75, 5.75), (30.25, 6.25), (29.75, 6.25), (29.69, 6.26), (29.22, 6.41), (29.73, 6.07),
     (29.82, 5.71), (29.12, 4.94), (29.38, 4.84)),
    ((104.88, 2.81), (110.58, 2.98), (113, 2.65), (114.01, 3.12), (112.77, 2.67), (113.35, 2.79), (113.36, 2.86),
     (111.18, 3.23), (111.96, 3.24), (110.32, 3.14)),
)  # fmt: skip
_MIDDLE = (  # Tables A.3 to A.6
    ((51.8, 2.2), (43.35, 2.65), (36.5, 2.9), (30.25, 3.25), (29.47, 3.15), (28.73, 3.2), (28.32, 3.15), (27.6, 3.56),
     (27.83, 3.73), (28.16, 3.57)),
    ((85.5, 2), (95.25, 1.75), (102, 1.5), (108.15, 1.65), (113.6, 1.73), (115.81, 1.69), (115.89, 1.87),
     (116.99, 1.62), (116.85, 1.89), (117.78, 1.99)),
)  # fmt: skip
_HIGH = (  # Tables A.3 and A.4
    ((60.84, 2.39), (56.08, 2.74), (51.16, 3.05), (47.02, 2.73), (42.97, 2.17), (39.42, 2.58), (36.08, 2.67),
     (32.59, 2.8), (30.16, 2.73), (29.43, 3.15)),
    ((45.88, 2.78), (54.31, 2.76), (61.39, 3), (67.02, 2.86), (76.15, 2.43), (90.87, 1.64), (102.46, 1.55),
     (109.11, 1.87), (115.63, 1.71), (117.06, 1.54)),
)  # fmt: skip
_ONE = (  # Tables A.5 to A.10
    ((47.26, 2.18), (36.55, 2.44), (31, 2.24), (28.83, 2), (28.44, 1.9), (28.09, 1.9), (27.58, 1.93), (27.07, 1.96),
     (26.74, 1.97), (25.8, 1.97)),
    ((93.81, 1.89), (103.96, 1.35), (108, 1.38), (114.91, 1.28), (118.16, 1.31), (118.43, 1.26), (118.23, 1.18),
     (118.44, 1.2), (117.02, 1.29), (118.15, 1.22)),
)  # fmt: skip
_TWO = (  # Tables A.7 to A.10
    ((27.22, 2.41), (25.13, 2.34), (24.51, 2.3), (24.15, 2.29), (23.19, 2.23), (21.96, 2.16), (20.78, 2.23),
     (20.92, 2.14), (21.19, 2.15), (20.34, 2.25)),
    ((116.33, 2.41), (122.51, 2.34), (122.72, 2.15), (122.99, 2.11), (122.73, 2), (123.35, 1.83), (122.95, 1.82),
     (123.91, 2.03), (123.4, 1.77), (124.38, 2.19)),
)  # fmt: skip
_THREE = (  # Tables A.7 and A.8
    ((26.25, 2.44), (24.31, 2.41), (23.44, 2.24), (23.28, 2.52), (22.23, 2.68), (21.03, 2.6), (19.72, 2.45),
     (19.6, 2.36), (19.89, 2.41), (19.69, 2.44)),
    ((116.69, 2.56), (123.16, 2.49), (125.02, 2.53), (125.08, 2.63), (124.96, 2.68), (124.88, 2.66), (124.66, 2.41),
     (124.92, 2.59), (124.93, 2.61), (124.91, 2.26)),
)  # fmt: skip
_EXTRA_1 = (  # Tables A.9 and A.10
    ((29.05, 2.25), (27.66, 2.11), (26.75, 2.09), (26.11, 2.02), (25.49, 1.96), (24.18, 1.91), (23.48, 1.95),
     (23.16, 1.93), (23.25, 1.99), (23.49, 2.03)),
    ((110.28, 1.98), (117.24, 1.53), (118.26, 1.61), (118.9, 1.46), (118.79, 1.44), (118.74, 1.48), (118.99, 1.44),
     (118.53, 1.3), (118.39, 1.5), (118.25, 1.51)),
)  # fmt: skip
_EXTRA_25 = (  # Tables A.9 and A.10
    ((27.24, 2.28), (25.22, 2.12), (24.45, 2.12), (23.65, 2.05), (22.86, 2.13), (22.09, 2.11), (21.26, 2.12),
     (20.73, 2.1), (21.28, 2.21), (21.36, 2.19)),
    ((116.05, 2.29), (121.77, 2.05), (122.62, 1.96), (123.24, 2.02), (122.61, 1.87), (122.61, 1.96), (123.06, 1.98),
     (123.08, 1.98), (123.13, 2.03), (122.73, 1.9)),
)  # fmt: skip

CURVES = {
    "RE-BETS [0.8, 1], short runs": Curve(_width(0.8, 1.0), _FIRST),
    "RE-BETS [0.4, 0.6]": Curve(_width(0.4, 0.6), _LOW),
    "RE-BETS [0.8, 1]": Curve(_width(0.8, 1.0), _MIDDLE),
    "RE-BETS [1.2, 1.4]": Curve(_width(1.2, 1.4), _HIGH),
    "one range": Curve({"ranges": default_ranges(1)}, _ONE, (3_217_970, 3_614_400)),
    "two ranges": Curve({"ranges": default_ranges(2)}, _TWO, (14_585_790, 17_906_500)),
    "three ranges": Curve({"ranges": default_ranges(3)}, _THREE, (28_734_090, 30_797_090)),
    "two ranges, 1 extra bet": Curve({"ranges": default_ranges(2), "extra": 1}, _EXTRA_1, (4_678_670, 5_223_850)),
    "two ranges, 25 extra bets": Curve({"ranges": default_ranges(2), "extra": 25}, _EXTRA_25, (7_104_940, 7_591_300)),
}


def search(part: Mapping[str, Any], directory: str | None) -> dict[str, Any]:
    """One search: bounds on player two's value by run (thousandths of a big blind), pairs and seconds by run."""
    where = None if directory is None else Path(directory) / part["name"]
    runs = find_bets(config_of(part["config"]), where)
    return {
        "bounds": [[-each.bounds[1] / MILLI, -each.bounds[0] / MILLI] for each in runs if each.bounds is not None],
        "pairs": [each.pairs for each in runs],
        "seconds": [each.seconds + each.value_seconds for each in runs],
    }


def baseline(settings: Mapping[str, Any]) -> tuple[float, float]:
    """Bounds on what FCPA against FCPA is worth to player two."""
    from pokerlab.solvers.dense import DenseCfr
    from pokerlab.solvers.variants import variant

    engine = DenseCfr(make_problem(game("nolimit2p"), "fcpa", settings["cards"]), variant("dcfr+"))
    low, high = engine.evaluate(engine.step(engine.init(), settings["value_iterations"])).bounds
    return -high / MILLI, -low / MILLI


def _configs(names: Sequence[str], settings: Mapping[str, Any], seed: int) -> list[dict[str, Any]]:
    common = {
        "game": "nolimit2p", "opponent": "fcpa", "cards": settings["cards"], "engine": "jax", "seed": seed,
        "variant": "dcfr+",
        "runs": settings["runs"], "iterations": settings["iterations"], "n": settings["n"],
        "value_iterations": settings["value_iterations"], "value_target": settings["within_mbb"] * MILLI,
    }  # fmt: skip
    return [
        {
            "name": f"{name} {PLAYERS[player]}".replace(" ", "-").replace(",", ""),
            "config": {**common, **CURVES[name].settings, "players": [player]},
        }
        for name in names
        for player in settings["players"]
    ]


def run_curves(names: Sequence[str], config: Config, report: Report) -> Table:
    """Every curve for every player asked for."""
    settings = config.settings
    keep = None if config.run is None else str(config.run.path / "searches")
    names = settings["curves"]
    found = do_parts(partial(search, directory=keep), _configs(names, settings, config.seed), config, report)
    low, high = baseline(settings)
    fcpa = (low + high) / 2
    sections: dict[str, dict[str, Number]] = {"FCPA, value to player two, mbb": {"both": Number(fcpa, low, high)}}
    gains, pairs = {}, {}
    where = [(name, player) for name in names for player in settings["players"]]
    for (name, player), each in zip(where, found, strict=True):
        sections[section(name, player)] = {
            f"run {i}": Number((a + b) / 2, a, b) for i, (a, b) in enumerate(each["bounds"], 1)
        }
        values = [(a + b) / 2 for a, b in each["bounds"]]
        best = fcpa - min(values) if player == 0 else max(values) - fcpa
        gains[f"{name}, {PLAYERS[player]}"] = Number(100 * best / fcpa)
        pairs[f"{name}, {PLAYERS[player]}"] = Number(float(each["pairs"][min(4, len(values) - 1)]))
    seconds = sum(sum(each["seconds"]) for each in found)
    return Table({**sections, GAIN: gains, PAIRS: pairs}, (*NOTES, f"{seconds:.0f} s of runs and solves."))


def section(name: str, player: int) -> str:
    """What a curve's section is called."""
    return f"{name}, {PLAYERS[player]} sized: value to player two, mbb"


NOTES = (
    "Bounds are best responses in the abstract game. The buckets are ours (nested percentiles of E[HS^2]), so the "
    "level of the values is not the thesis's; compare shapes, rankings and gains.",
    "Pairs here count a fold only when facing a bet; the thesis counts one at every decision.",
)


def curves_experiment(figure: str, names: Sequence[str], *, cites: str, about: str) -> Experiment:
    """The experiment of two neighbouring figures, one for each player."""
    published: dict[str, dict[str, Number]] = {}
    for name in names:
        for player in PLAYERS:
            rows = enumerate(CURVES[name].printed[player], 1)
            published[section(name, player)] = {f"run {i}": Number(v, v - w, v + w) for i, (v, w) in rows}
    printed = {
        f"{name}, {PLAYERS[player]}": Number(float(both[player]))
        for name in names
        if (both := CURVES[name].pairs) is not None
        for player in PLAYERS
    }
    if figure == "5-4":
        first = names[0]
        published[GAIN] = {f"{first}, {PLAYERS[0]}": Number(48.0), f"{first}, {PLAYERS[1]}": Number(88.0)}
    return Experiment(
        name=f"hawkin2014-figure-{figure}",
        title=f"Figure {figure.replace('-', '.')} and the next: {', '.join(names)}",
        cites=cites,
        about=about,
        published=Table({**published, **({PAIRS: printed} if printed else {})}),
        run=partial(run_curves, tuple(names)),
        quick={
            "cards": "pr5", "runs": 1, "iterations": 200, "n": 20, "value_iterations": 1000, "within_mbb": 5,
            "players": [0], "curves": [names[-1] if figure == "5-4" else names[0]],
        },
        full={
            "cards": "pr5", "runs": 5 if figure in ("6-5", "6-7") else 10, "iterations": 1500, "n": 100,
            "value_iterations": 3200, "within_mbb": 5, "players": [0, 1], "curves": list(names),
        },
    )  # fmt: skip
