"""Extensions of Hawkin (2014): sizing both players' bets together, and sizes and strategies from one run (section
8.2.1)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, exact
from pokerlab.experiments.bets.curves import PLAYERS, baseline
from pokerlab.experiments.experiment import Config, Rows, Sections, Table, bare_rows, exact_rows
from pokerlab.experiments.records import notes_of
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree, build_sized_tree
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.variants import variant
from pokerlab.systems.bets.config import config_of
from pokerlab.systems.bets.saved_runs import find_bets
from pokerlab.systems.bets.search import Run, sized_and_solved

if TYPE_CHECKING:
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

LEDUC, HOLDEM = "Leduc", "5-bucket hold'em"
GAMES: dict[str, dict[str, Any]] = {
    LEDUC: {"game": "leduc-nolimit", "cards": "lossless", "engine": "jax", "variant": "dcfr+"},
    HOLDEM: {"game": "nolimit2p", "cards": "pr5", "engine": "jax", "variant": "dcfr+"},
}
# (chips in the unit of the game, name of a thousandth of it)
UNITS = {LEDUC: (1.0, "thousandths of an ante"), HOLDEM: (100.0, "mbb")}
WHO = {(0,): "player one sized", (1,): "player two sized", (0, 1): "both sized"}
FCPA = "FCPA"
SIZED_BETS, PAIRS = "sized bets in the last tree", "(I, a) pairs of the last tree"
APART = "mean distance of a bet's size from the one found with only that player sized, fractions of the pot"
MOVED = "mean distance of a bet's size from that of the run before the last, fractions of the pot"
ONE_RUN, TWO_STEPS, SOLVED = "one run", "two steps", "the sizes, solved for long"


def both_sized(part: Mapping[str, Any]) -> dict[str, Any]:
    """Search for the sizes of one player or of both. Return their value, their number, and how far they moved."""
    began = time.perf_counter()
    runs = find_bets(config_of({**GAMES[part["in"]], **part["search"], "players": part["players"]}))
    last = runs[-1]
    return {
        "worth": last.worth and last.worth.data(),
        "sized_bets": last.tree.n_bets,
        "pairs": last.pairs,
        "sizes": _by_place(last),
        "moved": distance(_by_place(last), _by_place(runs[-2])) if len(runs) > 1 else None,
        "seconds": time.perf_counter() - began,
    }


def _by_place(run: Run) -> dict[str, list[float]]:
    """For every sized bet, by its path in the tree, [size, importance]. In these paths every bet except all-in is
    called `bet`."""
    places = [
        f"{player}:" + "/".join(step if step in ("f", "c", "all-in") else "bet" for step in path)
        for path, player in zip(run.tree.paths, run.tree.bets.player, strict=True)
    ]
    return dict(zip(places, np.stack([run.size, run.importance], axis=1).tolist(), strict=True))


def distance(ours: Mapping[str, Sequence[float]], others: Mapping[str, Sequence[float]]) -> float:
    """Mean distance between the sizes of the same bets in two searches, weighted by their importance in the first
    (`ours`).

    >>> distance({"0:r": [0.5, 3.0], "0:c/r": [1.0, 1.0]}, {"0:r": [0.7, 9.0], "0:c/r": [1.0, 9.0]}).__round__(3)
    0.15
    """
    shared = [place for place in ours if place in others]
    weight = np.array([ours[place][1] for place in shared])
    apart = np.array([abs(ours[place][0] - others[place][0]) for place in shared])
    return float(np.average(apart, weights=weight))


def one_or_two(part: Mapping[str, Any]) -> dict[str, float]:
    """For each method, the value that its strategy guarantees the sized player after a number of iterations; and the
    value of the game with its sizes."""
    began = time.perf_counter()
    about, player, total = GAMES[part["in"]], part["player"], part["iterations"]
    config = config_of({"game": about["game"], "players": [player], "ranges": [part["range"]]})
    cells = cells_for(config.rules, about["cards"])
    tree = build_sized_tree(config.rules, config.sides)
    size, strategy = sized_and_solved(_bets(tree, cells, total))
    found = {ONE_RUN: guaranteed(strategy, cells, player)}
    bets = _bets(tree, cells, total // 2)
    first = bets.sizes(bets.step(bets.init(), total // 2))
    found[TWO_STEPS] = guaranteed(_solved(tree, first, cells, total - total // 2), cells, player)
    if part["solve"]:
        found[SOLVED] = guaranteed(_solved(tree, size, cells, part["solve"]), cells, player)
    return {**found, "seconds": time.perf_counter() - began}


def _bets(tree: SizedTree, cells: Cells, iterations: int) -> DenseBets:
    dtype: Literal["float32", "float64"] = "float64" if cells.name == "lossless" else "float32"
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

    return DenseBets(tree, cells, BetsSettings(variant=variant("dcfr+")), iterations=iterations, dtype=dtype)


def _solved(tree: SizedTree, size: Floats, cells: Cells, iterations: int) -> Strategy:
    """Solve the game with fixed sizes from scratch, with the same engine. This is the second step of the two-step
    method."""
    still = _bets(tree.fixed(size), cells, iterations)
    return still.strategy(still.step(still.init(), iterations))


def guaranteed(strategy: Strategy, cells: Cells, player: int) -> float:
    """Mean winnings of `player` with this strategy, in chips per hand, if the opponent plays a best response.

    The opponent may use only the bet sizes in the strategy's own betting tree.
    """
    bounds = evaluate(Problem(strategy.tree, cells), strategy).bounds
    return bounds.low if player == 0 else -bounds.high


def fcpa(name: str, settings: Mapping[str, Any]) -> Estimate:
    """Value to player two when both play FCPA (fold, call, pot, all-in), in thousandths of a big blind."""
    if name == HOLDEM:
        return baseline({"cards": "pr5", "value_iterations": settings["solve"]})
    return exact(-1000 * solve_lp(make_problem(config_of({"game": GAMES[name]["game"]}).rules, "fcpa")).value)


def run(config: Config) -> Table:
    """Run both experiments of this module (sizing both players, and one run against two steps) in every game with
    settings."""
    sections: Sections = {}
    seconds = 0.0
    for name, settings in config.settings.items():
        search = {key: settings[key] for key in ("runs", "iterations", "value_iterations")}
        sized = {who: [{"in": name, "players": list(who), "search": search}] for who in WHO}
        part = {"in": name, "range": settings["range"]}
        lengths = {
            (player, total): [{**part, "player": player, "iterations": total, "solve": settings["solve"] * last}]
            for player in PLAYERS
            for total in settings["in_all"]
            for last in [total == settings["in_all"][-1]]
        }
        searches = {who: found for who, (found,) in config.part_of(1, 2).do_groups(both_sized, sized).items()}
        ways = {key: found for key, (found,) in config.do_groups(one_or_two, lengths).items()}
        base = fcpa(name, settings)
        _add(sections, _both_sections(name, searches, base))
        for player in PLAYERS:
            here = {total: found for (who, total), found in ways.items() if who == player}
            _add(sections, _one_sections(name, player, here, base))
        seconds += sum(each["seconds"] for each in (*searches.values(), *ways.values()))
    return Table.of(sections, (*notes_of("hawkin2014-beyond"), f"{seconds:.0f} s of runs and solves."))


def _add(sections: Sections, more: Mapping[str, Rows]) -> None:
    for section in filter(more.get, more):
        sections.setdefault(section, {}).update(more[section])


def value_section(name: str) -> str:
    return f"{name}: value to player two, {UNITS[name][1]}"


def given_up_section(name: str, player: int) -> str:
    return f"{name}, {PLAYERS[player]} sized: share of the sizes' gain over FCPA that is given up, %"


def _both_sections(name: str, searches: Mapping[tuple[int, ...], Mapping[str, Any]], base: Estimate) -> dict[str, Rows]:
    scale = 1000 / UNITS[name][0]
    values = {WHO[players]: Estimate.from_data(each["worth"]).scaled(-scale, "") for players, each in searches.items()}
    both = searches[0, 1]["sizes"]  # sizes from sizing both players; the other searches size one player only
    apart = {f"{name}, {who}": distance(both, searches[(player,)]["sizes"]) for player, who in PLAYERS.items()}

    def rows(key: str) -> dict[str, float]:
        return {f"{name}, {WHO[players]}": each[key] for players, each in searches.items() if each[key]}

    return {
        value_section(name): {FCPA: base, **values},
        SIZED_BETS: exact_rows(rows("sized_bets")),
        PAIRS: exact_rows(rows("pairs")),
        APART: bare_rows(apart),
        MOVED: bare_rows(rows("moved")),
    }


def _one_sections(
    name: str, player: int, lengths: Mapping[int, Mapping[str, float]], base: Estimate
) -> Mapping[str, Rows]:
    """Sections that compare one run with two; `base` is the value of FCPA to player two."""
    scale = 1000 / UNITS[name][0]
    pot = base.mean * (-1 if player == 0 else 1)
    solved = scale * lengths[max(lengths)][SOLVED]
    guarantees, given_up = {f"{FCPA}, solved": pot}, {}
    for total, each in lengths.items():
        for way in (ONE_RUN, TWO_STEPS):
            row = f"{total:,} iterations in all, {way}"
            guarantees[row] = scale * each[way]
            given_up[row] = 100 * (solved - scale * each[way]) / (solved - pot)
    guarantees[SOLVED] = solved
    heading = f"{name}, {PLAYERS[player]} sized: value that its strategy guarantees, {UNITS[name][1]}"
    sections = {heading: exact_rows(guarantees)}
    if solved > pot:  # a short solve may guarantee less than the baseline
        sections[given_up_section(name, player)] = exact_rows(given_up)
    return sections
