"""Curves of Hawkin (2014), chapters 5 to 7: the value of the sizes that BETS finds in bucketed hold'em, run by run.

The published numbers are values to player two in thousandths of a big blind (appendix A): with best-response bounds in
the 5-bucket game (perfect recall), and with 95% intervals of self-play under imperfect recall (IR-100, IR-570).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Rows, Section, Table, bare_rows, exact_rows
from pokerlab.experiments.records import notes_of
from pokerlab.games.actions import Kind
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.ranges import default_ranges
from pokerlab.systems.bets import saved_runs
from pokerlab.systems.bets.config import config_of
from pokerlab.systems.bets.search import Run, bet_rows
from pokerlab.trees.betting_tree import BettingTree

PLAYERS = {0: "player one", 1: "player two"}
MILLI = 0.1  # a thousandth of the big blind (100 chips), in chips
VALUE = "value to player two, mbb"
PAIRS = "(I, a) pairs after the fifth run, counted as printed"
OWN_PAIRS = "(I, a) pairs after the fifth run of the game as it is solved here"
IMPORTANT_SHARE = 10  # in figure 5.6, one bet in this many counts as important
NOT_A_SEARCHS = (
    "within_mbb", "players", "curves", "also_in", "runs_of", "boards_of", "compared", "levels", "histogram",
)  # fmt: skip


NUMBERS = {"one": 1, "two": 2, "three": 3}
PRUNED = ({"extra": 100}, {"extra": 200})
"""By player, the settings for curves with three ranges that are pruned against ACPC_2011."""


def curve_settings(name: str, player: int) -> dict[str, Any]:
    """Settings of the named curve.

    >>> curve_settings("RE-BETS [0.8, 1], short runs", 0)
    {'ranges': ['0.8-1.0'], 'keeps': 'width'}
    >>> [curve_settings(f"IR-100, three ranges{more}", 1)["extra"] for more in (", 25 extra bets", " pruned")]
    [25, 200]
    """
    if fixed := re.search(r"\[(.+), (.+)\]", name):
        return {"ranges": [f"{float(fixed[1])}-{float(fixed[2])}"], "keeps": "width"}
    number, extra = re.search(r"(one|two|three) range", name), re.search(r"(\d+) extra", name)
    assert number is not None
    settings = {"ranges": default_ranges(NUMBERS[number[1]])}
    return settings | ({"extra": int(extra[1])} if extra else PRUNED[player] if name.endswith("pruned") else {})


class CurveSearch(TypedDict):
    """Saved result of a search; values are to player two in mbb, as `Estimate.data` returns them."""

    worth: list[dict[str, Any]]  # by run
    elsewhere: list[dict[str, Any]]  # values of the same sizes with other buckets or on boards, if requested
    pairs: list[int]  # by run: (information set, action) pairs
    printed_pairs: list[int]  # by run: pairs counted as in the thesis
    important: list[list[float]]  # by run: the sizes of the most important tenth of all bets
    seconds: list[float]
    bets: list[tuple[str, float]]  # (actions before it, size) of the last run's ten most important bets


def search(part: Mapping[str, Any], directory: str | None) -> CurveSearch:
    """Run one search; or, if the part gives fixed sizes for both players, compute their value."""
    where = None if directory is None else Path(directory) / part["name"]
    config, also = part["config"], part.get("also_in")
    if "fixed" in part:
        worth = baseline(config, where, sizes=part["fixed"])
        return CurveSearch(
            worth=[worth.data()], elsewhere=[], pairs=[], printed_pairs=[], important=[], seconds=[], bets=[]
        )
    runs = saved_runs.find_bets(config_of(config), where)
    n_cells, by_run = cells_for(game(config["game"]), config["cards"]).n_cells, list(map(bet_rows, runs))
    return CurveSearch(
        worth=[to_player_two(worth).data() for worth in (each.worth for each in runs) if worth is not None],
        elsewhere=[_value_in(also, each, config["seed"]).data() for each in runs if each.number in part["also_of"]]
        if also
        else [],
        pairs=[each.pairs for each in runs],
        printed_pairs=[pairs_as_printed(each.abstraction, n_cells) for each in runs],
        important=[[row.size for row in rows[: max(1, round(len(rows) / IMPORTANT_SHARE))]] for rows in by_run],
        seconds=[each.seconds + each.value_seconds for each in runs],
        bets=[(row.actions, row.size) for row in by_run[-1][:10]],
    )


def called_all_ins(tree: BettingTree) -> list[int]:
    """Count the calls of an all-in that end a hand, by street."""
    called = tree.showdown & (tree.stake >= float(min(tree.rules.stacks)))
    return [int(n) for n in np.bincount(tree.ending_street[called], minlength=len(tree.rules.streets))]


def runout_pairs(tree: BettingTree, buckets: Sequence[int]) -> int:
    """Number of (information set, action) pairs that the thesis counts after called all-ins.

    The tree itself has no such pairs, since no player decides anything there. The thesis counts a fold and a call for
    each player two streets after each called all-in, if the game has that street.
    """
    return sum(4 * n * cells for n, cells in zip(called_all_ins(tree), buckets[2:], strict=False))


def pairs_as_printed(tree: BettingTree, buckets: Sequence[int]) -> int:
    """Count the (information set, action) pairs of a tree as the thesis does (section 5.8.1), up to its constant.

    The thesis counts a fold at every decision, and run-outs (`runout_pairs`).

    >>> from pokerlab.trees.betting_tree import build_tree
    >>> pairs_as_printed(build_tree(game("nolimit2p"), "fcpa | fcpa"), (5, 25, 125, 625))  # printed: 1,781,890
    1780840
    """
    folds = np.bincount(tree.edge_decision[tree.kind == Kind.FOLD], minlength=tree.n_decisions)
    without = np.bincount(tree.street[folds == 0], minlength=len(buckets))
    return int(tree.counts(buckets)[1] + without @ np.array(buckets)) + runout_pairs(tree, buckets)


def to_player_two(worth: Estimate) -> Estimate:
    """Convert a value from chips per hand to player one into thousandths of a big blind per hand to player two."""
    return worth.scaled(-1 / MILLI, "mbb_per_hand")


def _value_in(also: Mapping[str, Any], run: Run, seed: int) -> Estimate:
    """Value of a run's sizes to player two with other card buckets, or estimated on sampled boards."""
    from pokerlab.solvers.sampling.board_cfr import value_on_boards
    from pokerlab.systems.bets.abstraction_worth import game_value

    worth, strategy = game_value(
        run.tree,
        run.size,
        cells_for(game("nolimit2p"), also["cards"]),
        iterations=also["value_iterations"],
        target=also.get("within_mbb", 0) * MILLI,
        engine="jax",
        boards=(also["boards"], also["value_boards"]),
        seed=seed,
    )
    if also.get("measured"):
        worth = value_on_boards(strategy, also["value_boards"], boards_at_once=also["boards"], seed=seed)
    return to_player_two(worth)


def baseline(config: Mapping[str, Any], directory: Path | None = None, *, sizes: str | None = None) -> Estimate:
    """Value to player two, in mbb per hand, if both players use `sizes` or, without these, the opponent's sizes."""
    common = {"game": "nolimit2p", "engine": "jax"}
    return to_player_two(saved_runs.baseline(config_of({**common, **config}), directory, sizes=sizes))


def _configs(settings: Mapping[str, Any], seed: int) -> list[dict[str, Any]]:
    common = {
        "game": "nolimit2p", "opponent": "fcpa", "engine": "jax", "seed": seed, "variant": "dcfr+",
        **{name: value for name, value in settings.items() if name not in NOT_A_SEARCHS},
        "value_target": settings.get("within_mbb", 0) * MILLI,
    }  # fmt: skip
    also = {"also_in": settings["also_in"]} if "also_in" in settings else {}
    boards = settings.get("boards_of", {})  # curves with a different number of boards per iteration
    parts = []
    for name, player in product(settings["curves"], settings["players"]):
        own = {"players": [player], "runs": _own(settings.get("runs_of", {}), name, player, settings["runs"])}
        own |= {"boards": boards[name]} if name in boards else {}
        config = {**common, **curve_settings(name, player), **own}
        where = f"{name} {PLAYERS[player]}".replace(" ", "-").replace(",", "")
        parts.append({"also_of": _measured_of(settings, name, player), "name": where, "config": config, **also})
    return parts


def _own(given: Mapping[str, Any], name: str, player: int, default: Any) -> Any:
    """Look up a setting of a curve: the one for `player`, otherwise the one for both players, otherwise `default`."""
    return given.get(f"{name}, {PLAYERS[player]}", given.get(name, default))


def _measured_of(settings: Mapping[str, Any], name: str, player: int) -> list[int]:
    """Numbers of the runs whose sizes are also evaluated with other buckets: all, or those listed in `also_in`."""
    every = range(1, _own(settings.get("runs_of", {}), name, player, settings["runs"]) + 1)
    return list(_own(settings.get("also_in", {}).get("only", {}), name, player, every))


def level_parts(settings: Mapping[str, Any], config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts that compute values of fixed sizes for comparison. Both players use the opponent's sizes, or one of
    them uses others."""
    opponent = settings.get("opponent", "fcpa")
    common = {"config": {**config, "runs": 1, "value_target": 0.0}}
    parts = [{"name": opponent.upper(), "fixed": f"{opponent} | {opponent}", "sized": "", **common}]
    for level, player in product(settings.get("levels", ()), settings["players"]):
        both = (level, opponent) if player == 0 else (opponent, level)
        sized = PLAYERS[player]
        parts.append({"name": f"{level.upper()}, {sized}", "fixed": " | ".join(both), "sized": sized, **common})
    return parts if settings["compared"] else parts[1:]


def run_curves(config: Config) -> Table:
    import_module("jax")  # if it is missing, say so before computing buckets
    settings = config.settings
    keep = None if config.run is None else str(config.run.path / "searches")
    parts = _configs(settings, config.seed)
    levels = level_parts(settings, parts[0]["config"])
    parts += levels
    found: list[CurveSearch] = config.do(search, parts, directory=keep)
    worths = [list(map(Estimate.from_data, each["worth"])) for each in found]
    where = [(name, player) for name in settings["curves"] for player in settings["players"]]
    rows = [f"{name}, {PLAYERS[player]}" for name, player in where]
    sections = _sizes_of_trees(dict(zip(rows, found, strict=False)))
    if "histogram" in settings:
        sections |= _histogram(settings["histogram"], dict(zip(rows, found, strict=False)))
    for (name, player), each, worth in zip(where, found, worths, strict=False):
        sections[title(name, player)] = curve(name, player, worth)
        if each["elsewhere"]:
            other = f"{name}, {settings['also_in']['what']}"
            there = list(map(Estimate.from_data, each["elsewhere"]))
            sections[title(other, player)] = curve(other, player, there, _measured_of(settings, name, player))
        top = f"{name}, {PLAYERS[player]} sized: the ten most important bets of the last run, fractions of the pot"
        sections[top] = bare_rows(dict(each["bets"]))
    fixed = {part["name"]: worth[0] for part, worth in zip(parts, worths, strict=True) if "fixed" in part}
    for part in levels:
        level = part["name"]
        sections[f"{level}, {VALUE}"] = Section({"both": fixed[level]}, "level", level, part["sized"], VALUE)
    if settings["compared"]:
        opponent = fixed[settings.get("opponent", "fcpa").upper()]
        gains = [_best_gain(worth, player, opponent) for (_, player), worth in zip(where, worths, strict=False)]
        sections[gain(settings)] = bare_rows(dict(zip(rows, gains, strict=True)))
    seconds = sum(sum(each["seconds"]) for each in found)
    kind = "7-1" if settings.get("also_in", {}).get("measured") else "5-4" if "boards" not in settings else "7-3"
    return Table.of(sections, (*notes_of(f"hawkin2014-figure-{kind}"), f"{seconds:.0f} s of runs and solves."))


def _sizes_of_trees(found: Mapping[str, CurveSearch]) -> dict[str, Section | Rows]:
    """Numbers of (information set, action) pairs in the trees of the fifth run (or the last), counted as in the thesis
    and as in our trees."""
    fifth = {row: each for row, each in found.items() if len(each["pairs"]) > 4}
    fewer = {f"{row}, run {len(each['pairs'])}": each["pairs"][-1] for row, each in found.items() if row not in fifth}
    sections: dict[str, Section | Rows] = {}
    if fifth:
        sections[PAIRS] = exact_rows({row: each["printed_pairs"][4] for row, each in fifth.items()})
        sections[OWN_PAIRS] = exact_rows({row: each["pairs"][4] for row, each in fifth.items()})
    if fewer:
        sections["(I, a) pairs after the last run, where there are fewer than five"] = exact_rows(fewer)
    return sections


def _histogram(runs: Mapping[str, int], found: Mapping[str, CurveSearch]) -> dict[str, Section | Rows]:
    """Figure 5.6 (the sizes of important bets after certain runs) and two rows of Table 5.3 (the number of pairs in
    their trees)."""
    sections: dict[str, Section | Rows] = {}
    pairs = {}
    for row, run in runs.items():
        sizes = [round(size, 1) for size in found[row]["important"][run - 1]]
        counted = {f"{size:.1f}": sizes.count(size) for size in sorted(set(sizes))}
        near = f"{row}, run {run}: how many of the most important tenth of bets have a size near"
        sections[near] = bare_rows(counted)
        pairs[f"{row}, run {run}"] = found[row]["printed_pairs"][run - 1]
    return {**sections, GENERATED: exact_rows(pairs)}


GENERATED = "(I, a) pairs of P1_8 and P2_6 (Table 5.3), counted as printed"


def _best_gain(worths: Sequence[Estimate], player: int, fixed: Estimate) -> float:
    """Gain of the best run over fixed sizes for the player whose bets are sized, in percent."""
    sign = -1 if player == 0 else 1
    return 100 * max(sign * (worth.mean - fixed.mean) for worth in worths) / abs(fixed.mean)


def curve(name: str, player: int, worths: Sequence[Estimate], runs: Sequence[int] | None = None) -> Section:
    """A section with the values of one curve, for all runs or for the given ones."""
    at = range(1, len(worths) + 1) if runs is None else runs
    rows = {f"run {number}": worth for number, worth in zip(at, worths, strict=True)}
    return Section(rows, "by run", name, PLAYERS[player], VALUE, tuple(map(float, at)))


def title(name: str, player: int) -> str:
    return f"{name}, {PLAYERS[player]} sized: {VALUE}"


def gain(settings: Mapping[str, Any]) -> str:
    return f"gain over {settings.get('opponent', 'fcpa').upper()} of the best run, % of its value"
