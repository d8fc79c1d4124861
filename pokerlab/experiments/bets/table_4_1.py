"""Table 4.1 of Hawkin (2014), with figures 4.2, 4.3 and section 6.8: the bet sizes of no-limit Kuhn poker."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from pokerlab.abstraction.cells import Lossless
from pokerlab.estimates import Estimate, bare, exact
from pokerlab.experiments.experiment import Config, Rows, Section, Sections, Table, bare_rows, exact_rows
from pokerlab.experiments.records import notes_of, records
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.solvers.bet_sizing.bets import BetsSettings, thesis_settings
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import Path, build_sized_tree, sides
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.variants import variant
from pokerlab.systems.bets.search import Search, Sizer, make_sizer, run_bets, search_sizes

ROOT = 2**0.5 - 1
SIZES = "bet size, fraction of the pot"
HALF, ONE_FIRST, ONE_SECOND = "half street", "one bet: player one", "one bet: player two, after a check"
FREE_FIRST, FREE_SECOND = "unlimited: player one", "unlimited: player two, after a check"
RAISE = "how far above its low end player two's raise lies"
CURVE = "value of half-street Kuhn to the bettor, in antes, by bet size"
LEADS = "half street: where a range leads, players learn in turn (DCFR+)"
LEADS_AT_ONCE = "half street: where a range leads, players learn at once (CFR+)"
LEADS_SAMPLED = "half street: where a range leads, sampled iterations"
LEARNING = {LEADS: "in turn, discounted", LEADS_AT_ONCE: "at once", LEADS_SAMPLED: "sampled deals"}
ESCAPED = "half street: several ranges, all but the most important pruned after one run; the size after two"
WALKED = "half street: one range that moves; the size after ten runs, players learn in turn"
ONE_LEADS = "one bet: where player one's size goes from a range that both have, players learn in turn"
ONE_SAMPLED = "one bet: % of runs of sampled iterations that end within 0.06 of 0.414"
ONE_SAMPLED_LOW = "one bet: % of runs of sampled iterations that end at the low end of the range"
ONE_VALUE = "one bet: value to player one, in antes, at the sizes found, players learn in turn"
ONE_WALKED = "one bet: value to player one, in antes, after ten runs (player two's size: 0.509)"
BLOCKING = "one bet: value to player one, in antes, by player one's size (player two's: 0.509)"
TWO_SIZES = "one bet: value to player one, in antes, with a small bet besides"

Ends: TypeAlias = list[float]  #: width of a range
RANGES: dict[str, Any] = records()["hawkin2014-table-4-1"]["ranges"]
STARTS: list[Ends] = RANGES["starts"]
ONE_STARTS: list[Ends] = RANGES["one_starts"]
RAISES: list[Ends] = RANGES["raises"]
SEVERAL, WALKS, ONE_WALKS = (RANGES[key] for key in ("several", "walks", "one_walks"))
CURVE_SIZES = (0.05, 0.1, 0.2, 0.3, ROOT, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.5, 2.0)
BLOCKS = (0.05, 0.1, 0.2, 0.3, 0.35, ROOT, 0.5, 0.8)


def kuhn(name: str) -> Rules:
    """The rules of a no-limit Kuhn game. A game without a cap on raises gets a cap of three; a third raise is never
    made."""
    rules = game(name)
    return rules if rules.bounded else replace(rules, streets=(replace(rules.streets[0], max_raises=3),))


def found_sizes(part: Mapping[str, Any]) -> dict[str, float]:
    """Run BETS once. Return {path of a bet: its size}."""
    rules = kuhn(part["game"])
    ranges = [[Range(*each) for each in side] for side in part["ranges"]]
    known: dict[Path, Range] = {tuple(path.split("/")): Range(*each) for path, each in part.get("known", {}).items()}
    tree = build_sized_tree(rules, sides(part.get("sizes", "none"), ranges), known, alpha=0)
    found = run_bets(_sizer(part, Lossless(rules))(tree)).size
    return {"/".join(path): float(size) for path, size in zip(tree.paths, found, strict=True)}


def _sizer(part: Mapping[str, Any], cells: Lossless) -> Sizer:
    """Return a function that makes the engine for one way of learning: "in turn", "at once" or "sampled"."""
    learn, n = part["learn"], part["n"]
    settings = thesis_settings(part["seed"], n) if learn == "sampled" else BetsSettings(n=n)
    if learn == "in turn":
        settings = replace(settings, variant=variant("dcfr+"))
    return make_sizer(cells, settings, iterations=part["iterations"], engine="jax" if learn == "in turn" else "numba")


def searched(part: Mapping[str, Any]) -> dict[str, float]:
    """Search for player one's sizes in several runs. Return the size of its first bet, and the value of the game to it
    in antes."""
    rules = kuhn(part["game"])
    cells = Lossless(rules)
    both = sides(part["sizes"], ([Range(*each) for each in part["ranges"]], []))
    *_, last = search_sizes(rules, both, _sizer(part, cells), Search(runs=part["runs"], extra=part["extra"]))
    return {"size": float(last.size[0]), "value": solve_lp(Problem(last.abstraction, cells)).value}


def value_at(name: str, sizes: Mapping[Path, float], ranges: Sequence[int]) -> float:
    """Exact value to player one, in antes, of a Kuhn game with these sizes. `ranges` is the number of ranges of each
    player."""
    rules = kuhn(name)
    every = [Range(0.0, 1.0 + place) for place in range(max(ranges))]
    tree = build_sized_tree(rules, sides("none", (every[: ranges[0]], every[: ranges[1]])), alpha=0)
    size = np.array([sizes[path] for path in tree.paths])
    return solve_lp(Problem(tree.tree(size), Lossless(rules))).value


def half_street_value(size: float) -> float:
    """Value of the half-street game by equation 4.9, for antes of one chip; 0 if `size` >= 1. It is twice the thesis's
    value, whose antes are half a chip."""
    return 2 * size * (1 - size) / (6 * (1 + size)) if size < 1 else 0.0


def done(part: Mapping[str, Any]) -> Any:
    """Run one part of any kind. Return its result and the seconds that it took."""
    began = time.perf_counter()
    found = searched(part) if "runs" in part else found_sizes(part)
    return {**found, "seconds": time.perf_counter() - began}


def _parts(settings: Mapping[str, Any], seed: int) -> dict[str, list[dict[str, Any]]]:
    at_once = {"learn": "at once", "n": settings["n"], "iterations": settings["iterations"]}
    in_turn = {"learn": "in turn", "n": settings["n"], "iterations": settings["in_turn_iterations"]}
    sampled = {"learn": "sampled", "n": 10_000, "iterations": settings["sampled_iterations"], "seed": seed}
    half, one = {"game": "kuhn-half-street"}, {"game": "kuhn-one-bet"}
    free = {**at_once, "game": "kuhn-nolimit", "known": {"r0": (0.1, 0.3), "c/r0": (0.4, 0.6)}}
    shorter = {**at_once, "iterations": settings["iterations"] // 10}
    several = {**at_once, **half, "sizes": "none", "iterations": settings["iterations"] // 2, "runs": 2, "extra": 0}
    moving = {**in_turn, "runs": 10, "extra": None}
    fixed = {**one, "sizes": "none | 0.509p"}
    return {
        HALF: [{**at_once, **half, "ranges": [[(0.0, 1.0)], []]}],
        ONE_FIRST: [{**at_once, **one, "n": 3 * settings["n"], "ranges": [[(0.38, 0.8)], [(0.4, 0.6)]]}],
        FREE_FIRST: [{**free, "sizes": "none | min", "ranges": [[(0.3, 0.5)], [(0.3, 0.5)]]}],
        RAISE: [{**free, "ranges": [[each], [each]]} for each in RAISES],
        LEADS: [{**in_turn, **half, "ranges": [[each], []]} for each in STARTS],
        LEADS_AT_ONCE: [{**shorter, **half, "ranges": [[each], []]} for each in STARTS],
        LEADS_SAMPLED: [{**sampled, **half, "ranges": [[each], []]} for each in STARTS],
        ESCAPED: [{**several, "ranges": each} for each in SEVERAL],
        WALKED: [{**moving, **half, "sizes": "none", "ranges": [each]} for each in WALKS],
        ONE_LEADS: [{**in_turn, **one, "ranges": [[each], [each]]} for each in ONE_STARTS],
        ONE_SAMPLED: [
            {**sampled, **one, "seed": seed + place, "ranges": [[each], [each]]}
            for each in ONE_STARTS
            for place in range(settings["seeds"])
        ],
        ONE_WALKED: [{**moving, **fixed, "ranges": each} for each in ONE_WALKS],
    }


def run(config: Config) -> Table:
    """Find all sizes, the sizes at which ranges settle, and the values of the sizes."""
    parts = _parts(config.settings, config.seed)
    results = iter(config.do(done, [part for group in parts.values() for part in group]))
    found: dict[str, list[dict[str, float]]] = {what: [next(results) for _ in group] for what, group in parts.items()}
    half, one, free = found[HALF][0], found[ONE_FIRST][0], found[FREE_FIRST][0]
    two = {("r0",): 0.02, ("r1",): ROOT, ("c", "r0"): 0.509}
    first = {HALF: half["r0"], ONE_FIRST: one["r0"], FREE_FIRST: free["r0"]}
    by_size = [value_at("kuhn-half-street", {("r0",): size}, (1, 0)) for size in CURVE_SIZES]
    blocking = {f"{s:.3f}": value_at("kuhn-one-bet", {("r0",): s, ("c", "r0"): 0.509}, (1, 1)) for s in BLOCKS}
    at_ends = {
        _name(r): value_at("kuhn-one-bet", {("r0",): each["r0"], ("c", "r0"): each["c/r0"]}, (1, 1))
        for r, each in zip(ONE_STARTS, found[ONE_LEADS], strict=True)
    }
    sections: dict[str, Section | Rows] = {
        SIZES: bare_rows({**first, ONE_SECOND: one["c/r0"], FREE_SECOND: free["c/r0"]}),
        RAISE: bare_rows({_name(r): each["r0/r0"] - r[0] for r, each in zip(RAISES, found[RAISE], strict=True)}),
        CURVE: curve(list(map(exact, by_size))),
        **{what: ends(what, _rows(STARTS, found[what], "r0")) for what in LEARNING},
        ESCAPED: _rows(SEVERAL, found[ESCAPED], "size"),
        WALKED: _rows(WALKS, found[WALKED], "size"),
        BLOCKING: exact_rows(blocking),
        ONE_LEADS: _rows(ONE_STARTS, found[ONE_LEADS], "r0"),
        ONE_VALUE: exact_rows(at_ends),
        **_shares(found[ONE_SAMPLED], config.settings["seeds"]),
        ONE_WALKED: _rows(ONE_WALKS, found[ONE_WALKED], "value"),
        TWO_SIZES: exact_rows({"0.02 and 0.414": value_at("kuhn-one-bet", two, (2, 1))}),
    }
    cost = f"{sum(each['seconds'] for group in found.values() for each in group):.0f} s of runs."
    table = Table.of(sections)
    return replace(table, notes=(*notes({title: table[title] for title in table}), cost))


def curve(values: Sequence[Estimate]) -> Section:
    rows = {f"{size:.3f}": value for size, value in zip(CURVE_SIZES, values, strict=True)}
    return Section(rows, "by size", unit="value to the bettor, antes", at=CURVE_SIZES)


def ends(what: str, rows: Rows) -> Section:
    """Sizes at which the ranges settle in the half-street game, for one way of learning."""
    return Section(rows, "ends", LEARNING[what])


def _rows(starts: Sequence[Any], found: Sequence[Mapping[str, float]], what: str) -> dict[str, Estimate]:
    return bare_rows({_name(start): each[what] for start, each in zip(starts, found, strict=True)})


def _shares(found: Sequence[Mapping[str, float]], seeds: int) -> Sections:
    """For each start, the percentage of sampled runs that settle at the published size, and at the low end."""
    published, low = {}, {}
    for place, start in enumerate(ONE_STARTS):
        sizes = np.array([each["r0"] for each in found[place * seeds : (place + 1) * seeds]])
        published[_name(start)] = bare(100 * float(np.mean(np.abs(sizes - ROOT) < 0.06)), n=seeds)
        low[_name(start)] = bare(100 * float(np.mean(sizes < start[0] + 0.01)), n=seeds)
    return {ONE_SAMPLED: published, ONE_SAMPLED_LOW: low}


NEAR = 0.02
"""In notes, sizes that differ by less than this count as equal."""


def notes(table: Mapping[str, Rows]) -> tuple[str, ...]:
    """Notes on the numbers of a run; `table[title]` has the rows of a section."""
    worth = {float(size): number.mean for size, number in table[BLOCKING].items()}
    level = min(size for size, value in worth.items() if abs(value - worth[max(worth)]) < 1e-6)
    low = [start for start in ONE_STARTS if start[0] < level]
    raised = max(number.mean for number in table[RAISE].values())
    starts = [start for start in STARTS if start[0] < 1]
    ways = {LEADS: "when players learn in turn", LEADS_AT_ONCE: "at once", LEADS_SAMPLED: "sampled"}
    found = [
        f"{sum(abs(table[what][_name(start)].mean - nearer(start)) < NEAR for start in starts)} of {len(starts)} {how}"
        for what, how in ways.items()
    ]
    out = [
        f"{sum(abs(number.mean - ROOT) < NEAR for number in table[what].values())} of {len(table[what])} {how}"
        for what, how in ((ESCAPED, "sets of several ranges"), (WALKED, "single ranges that move"))
    ]
    return tuple(
        notes_of(
            "hawkin2014-table-4-1",
            level=level,
            most=worth[max(worth)],
            least=min(worth),
            at_least=worth[min(worth)],
            low=len(low),
            ended=sum(table[ONE_LEADS][_name(start)].mean < start[0] + NEAR for start in low),
            share=np.mean([table[ONE_SAMPLED][_name(start)].mean for start in low]),
            both=table[TWO_SIZES]["0.02 and 0.414"].mean,
            where="at its low end" if raised < 1e-3 else f"up to {raised:.3f} above its low end",
            found=", ".join(found),
            out=" and ".join(out),
        )
    )


def _name(start: Any) -> str:
    """A range, or several, as text."""
    if not isinstance(start[0], (int, float)):
        return ", ".join(map(_name, start))
    return f"[{start[0]:g}, {start[1]:g}]"


def nearer(range_: Sequence[float]) -> float:
    """The best size within a range in the half-street game: the one nearest to `ROOT`. In ranges from 1 on, all sizes
    are equal."""
    return float(min(max(ROOT, range_[0]), range_[1]))
