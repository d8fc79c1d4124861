"""Table 4.1 of Hawkin (2014), with figures 4.2, 4.3 and section 6.8: the bet sizes of no-limit Kuhn poker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pokerlab.experiments.experiment import Config, Experiment, Number, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of, thesis_settings
from pokerlab.solvers.bet_sizing.ranges import DEFAULT_RANGES, Range
from pokerlab.solvers.bet_sizing.runs import Search, on_every_deal, search_sizes
from pokerlab.solvers.bet_sizing.sized_tree import Path, build_sized_tree, sides
from pokerlab.solvers.problem import Problem
from pokerlab.solvers.sequence_form import solve_lp
from pokerlab.trees.cells import Lossless

ROOT = 2**0.5 - 1
SIZES = "bet size, fraction of the pot"
HALF, ONE_FIRST, ONE_SECOND = "half street", "one bet: player one", "one bet: player two, after a check"
FREE_FIRST, FREE_SECOND = "unlimited: player one", "unlimited: player two, after a check"
RAISE = "how far above its low end player two's raise lies"
CURVE = "value of half-street Kuhn to the bettor, in antes, by bet size"
LEADS = "half street: where a range leads, exact iterations"
LEADS_SAMPLED = "half street: where a range leads, sampled iterations"
ESCAPED = "half street: several ranges, all but the most important pruned after one run; the size after two"
BLOCKING = "one bet: value to player one, in antes, by player one's size (player two's: 0.509)"
TWO_SIZES = "one bet: value to player one, in antes, with a small bet besides"

STARTS = (
    (0.0, 1.0), (0.0, 0.2), (0.1, 0.3), (0.3, 0.5), (0.5, 0.9), (0.6, 1.0), (0.0, 1.5), (0.0, 2.0), (0.2, 2.0),
    (0.5, 2.0), (0.8, 1.2), (0.8, 3.0), (0.01, 3.0), (1.08, 1.38), (1.95, 2.42),
)  # fmt: skip
SEVERAL = (
    DEFAULT_RANGES[3],
    (Range(0.1, 0.2), Range(0.5, 0.69), Range(0.71, 0.94)),
    (Range(0.1, 0.3), Range(0.5, 2.0), Range(1.95, 2.42)),
)
RAISES = ((0.2, 0.3), (0.3, 0.5), (0.4, 0.8))
CURVE_SIZES = (0.1, 0.2, 0.3, ROOT, 0.5, 0.7, 0.9, 1.0, 1.5, 2.0)
BLOCKS = (0.05, 0.1, 0.2, 0.3, 0.35, ROOT, 0.5, 0.8)


def kuhn(name: str) -> Rules:
    """A no-limit Kuhn game; the unlimited one with three raises, of which the third is never made."""
    rules = game(name)
    return rules if rules.bounded else replace(rules, streets=(replace(rules.streets[0], max_raises=3),))


def found_sizes(part: Mapping[str, Any]) -> dict[str, float]:
    """BETS once: sizes by path."""
    rules = kuhn(part["game"])
    ranges = [[Range(*each) for each in side] for side in part["ranges"]]
    known: dict[Path, Range] = {tuple(path.split("/")): Range(*each) for path, each in part.get("known", {}).items()}
    tree = build_sized_tree(rules, sides(part.get("sizes", "none"), ranges), known, alpha=0)
    cells = Lossless(rules)
    exact = part.get("exact", True)
    settings = BetsSettings(n=part["n"]) if exact else thesis_settings(part["seed"], part["n"])
    bets = Bets(tree, cells, deals_of(cells.pairs), settings, iterations=part["iterations"])
    found = bets.sizes(bets.step(bets.init(), part["iterations"]))
    return {"/".join(path): float(size) for path, size in zip(tree.paths, found, strict=True)}


def refined(part: Mapping[str, Any]) -> float:
    """REFINED-BETS without extra bets on the half street: the size after two runs."""
    rules = kuhn("kuhn-half-street")
    cells = Lossless(rules)
    both = sides("none", ([Range(*each) for each in part["ranges"]], []))
    sizer = on_every_deal(cells, deals_of(cells.pairs), BetsSettings(n=part["n"]), part["iterations"])
    *_, last = search_sizes(rules, both, sizer, Search(runs=2, extra=0))
    return float(last.size[0])


def value_at(name: str, sizes: Mapping[Path, float], ranges: Sequence[int]) -> float:
    """What a Kuhn game with these sizes is worth to player one, in antes: exact. `ranges` are the players' numbers."""
    rules = kuhn(name)
    every = [Range(0.0, 1.0 + place) for place in range(max(ranges))]
    tree = build_sized_tree(rules, sides("none", (every[: ranges[0]], every[: ranges[1]])), alpha=0)
    size = np.array([sizes[path] for path in tree.paths])
    return solve_lp(Problem(tree.tree(size), Lossless(rules))).value


def half_street_value(size: float) -> float:
    """Equation 4.9 with antes of one chip: twice the thesis's, whose antes are half a chip; 0 from 1 on."""
    return 2 * size * (1 - size) / (6 * (1 + size)) if size < 1 else 0.0


def done(part: Mapping[str, Any]) -> Any:
    """One part, whichever it is."""
    return refined(part) if part["kind"] == "refined" else found_sizes(part)


def _parts(settings: Mapping[str, Any], seed: int) -> list[dict[str, Any]]:
    common = {"kind": "bets", "n": settings["n"], "iterations": settings["iterations"], "seed": seed}
    half = {**common, "game": "kuhn-half-street"}
    first_two = {"r0": (0.1, 0.3), "c/r0": (0.4, 0.6)}
    free = {**common, "game": "kuhn-nolimit", "known": first_two}
    sampled = {"exact": False, "n": 10_000, "iterations": settings["sampled_iterations"]}
    return [
        {**half, "ranges": [[(0.0, 1.0)], []]},
        {**common, "game": "kuhn-one-bet", "n": 3 * settings["n"], "ranges": [[(0.38, 0.8)], [(0.4, 0.6)]]},
        {**free, "sizes": "none | min", "ranges": [[(0.3, 0.5)], [(0.3, 0.5)]]},
        *({**free, "ranges": [[each], [each]]} for each in RAISES),
        *({**half, "iterations": settings["iterations"] // 10, "ranges": [[each], []]} for each in STARTS),
        *({**half, **sampled, "ranges": [[each], []]} for each in STARTS),
        *({**common, "kind": "refined", "iterations": settings["iterations"] // 2, "ranges": r} for r in SEVERAL),
    ]


def run(config: Config, report: Report) -> Table:
    """Every size, where ranges lead, and what sizes are worth."""
    found = do_parts(done, _parts(config.settings, config.seed), config, report)
    half, one, free, raises = found[0], found[1], found[2], found[3 : 3 + len(RAISES)]
    at = 3 + len(RAISES)
    exact, sampled = (found[a : a + len(STARTS)] for a in (at, at + len(STARTS)))
    two = {("r0",): 0.02, ("r1",): ROOT, ("c", "r0"): 0.509}
    sections = {
        SIZES: {
            HALF: Number(half["r0"]),
            ONE_FIRST: Number(one["r0"]),
            ONE_SECOND: Number(one["c/r0"]),
            FREE_FIRST: Number(free["r0"]),
            FREE_SECOND: Number(free["c/r0"]),
        },
        RAISE: {_name(r): Number(each["r0/r0"] - r[0]) for r, each in zip(RAISES, raises, strict=True)},
        CURVE: {f"{s:.3f}": Number(value_at("kuhn-half-street", {("r0",): s}, (1, 0))) for s in CURVE_SIZES},
        LEADS: {_name(r): Number(each["r0"]) for r, each in zip(STARTS, exact, strict=True)},
        LEADS_SAMPLED: {_name(r): Number(each["r0"]) for r, each in zip(STARTS, sampled, strict=True)},
        ESCAPED: {", ".join(map(_name, r)): Number(s) for r, s in zip(SEVERAL, found[-len(SEVERAL) :], strict=True)},
        BLOCKING: {
            f"{s:.3f}": Number(value_at("kuhn-one-bet", {("r0",): s, ("c", "r0"): 0.509}, (1, 1))) for s in BLOCKS
        },
        TWO_SIZES: {"0.02 and 0.414": Number(value_at("kuhn-one-bet", two, (2, 1)))},
    }
    return Table(sections, NOTES)


NOTES = (
    "With one bet a hand a small bet of player one keeps player two from betting; below 0.35 that is worth more than "
    "0.414, so ranges that reach down there end at their low end, and rightly. 0.414 and 0.509 are found from ranges "
    "[0.38, 0.8] and [0.4, 0.6].",
    "Unlimited raises: [0.1, 0.3] and [0.4, 0.6] as in the thesis, with player two's smallest raise in the tree, which "
    "moves with player one's bet. A raise that has a range lies at its low end.",
    "On the half street a bet of 1 or more is never called by worse; nothing there says that smaller is better. "
    "Sampled iterations are also trapped at 0. Several ranges, of which the most important is kept, lead out of both.",
)


def _name(range_: Sequence[float]) -> str:
    return f"[{range_[0]:g}, {range_[1]:g}]"


def nearer(range_: Sequence[float]) -> float:
    """The best size in a range on the half street; ranges from 1 on have no best."""
    return float(min(max(ROOT, range_[0]), range_[1]))


def _published() -> Table:
    best = {_name(r): Number(nearer(r)) for r in STARTS if r[1] <= 1}
    return Table(
        {
            SIZES: {
                HALF: Number(0.414),
                ONE_FIRST: Number(0.414),
                ONE_SECOND: Number(0.509),
                FREE_FIRST: Number(0.252),
                FREE_SECOND: Number(0.542),
            },
            RAISE: {_name(r): Number(0.0) for r in RAISES},
            CURVE: {f"{s:.3f}": Number(half_street_value(s)) for s in CURVE_SIZES},
            LEADS: best,
            LEADS_SAMPLED: best,
            ESCAPED: {", ".join(map(_name, r)): Number(0.414) for r in SEVERAL[:2]},
        }
    )


EXPERIMENT = Experiment(
    name="hawkin2014-table-4-1",
    title="Table 4.1: bet sizes of no-limit Kuhn poker",
    cites="Hawkin (2014), sections 4.2 to 4.5 and 6.8, Table 4.1, equation 4.9, figures 4.2 and 4.3",
    about=(
        "BETS on every deal of each iteration (CFR+, N = 100, with one bet a hand 300), and where it says so on one "
        "sampled deal of each (plain "
        "CFR, equation 4.11, N = 10,000, as the thesis). Sizes are means over the second half of a run. Values come "
        "from linear programs; antes are one chip, so a value is twice that of equation 4.9, whose antes are half."
    ),
    published=_published(),
    run=run,
    quick={"n": 100, "iterations": 400_000, "sampled_iterations": 200_000},
    full={"n": 100, "iterations": 2_000_000, "sampled_iterations": 2_000_000},
)
