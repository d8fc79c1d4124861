"""Hawkin (2014), sections 5.2 and 5.8: gains of automatic bet sizes over pot-sized bets in no-limit Leduc poker."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from pokerlab.abstraction.cells import Lossless
from pokerlab.experiments.experiment import Config, Table, exact_rows
from pokerlab.experiments.records import notes_of, records
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import sides
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.variants import variant
from pokerlab.systems.bets.search import Search, make_sizer, search_sizes
from pokerlab.trees.betting_tree import build_tree

Groups: TypeAlias = dict[tuple[str, ...], list[dict[str, Any]]]
Numbers: TypeAlias = Mapping[str, Mapping[str, float]]
"""Numbers by section and row."""
TWO_BETS, NO_CAP, BLINDS = "two bets a round", "no cap, antes", "no cap, blinds"
SMALL_FIRST = "no cap, blinds, the small one opens both rounds"
UNCAPPED = (NO_CAP, BLINDS, SMALL_FIRST)
VALUE = "value to the player whose bets are sized, in antes"
GAIN = "gain over FCPA, % of its value"
SIZE = "sized bets in the last tree"
ON_THE_WAY = "gain of RE-BETS over FCPA after so many runs, % of FCPA's value"
LEADS = "two bets a round, player one: value in antes after eight runs of 2,000 iterations from one range"
STARTS = ((0.1, 0.25), (0.5, 0.69), (0.71, 0.94), (1.95, 2.42), (0.5, 2.0))
EVERY = 5  # the value of the sizes is computed after every this many runs
PLAYERS = {0: "player one", 1: "player two"}

METHODS: dict[str, dict[str, Any]] = records()["hawkin2014-leduc"]["methods"]


def leduc(name: str) -> Rules:
    """The rules of the Leduc game of section 5.2, or of one of section 5.8, with antes or blinds. With blinds, stacks
    are 200 big blinds and the small blind acts first."""
    if name == TWO_BETS:
        return game("leduc-nolimit")
    rules = game("leduc-unrestricted")
    if name == NO_CAP:
        return rules
    first, second = rules.streets
    rules = replace(rules, name="leduc-blinds", antes=(0, 0), stacks=(400, 400), min_bet=2)
    if name == SMALL_FIRST:
        return replace(rules, blinds=(1, 2))
    # the small blind acts first, as in hold'em
    return replace(rules, blinds=(2, 1), streets=(replace(first, first=1), second))


def seat_of(name: str, player: int) -> int:
    """Our seat for a player of the thesis. Its player one acts first; with blinds that is our seat 1, the small
    blind."""
    return 1 - player if name == BLINDS else player


def values(name: str, part: Mapping[str, Any], player: int) -> tuple[dict[int, float], int]:
    """Return ({run: value of its sizes to the player}, for every fifth run; number of sized bets in the last tree)."""
    rules, seat = leduc(name), seat_of(name, player)
    cells = Lossless(rules)
    ranges: list[list[Range]] = [[], []]
    ranges[seat] = [Range(*each) for each in part["ranges"]]
    both = sides("all-in | fcpa" if seat == 0 else "fcpa | all-in", ranges)
    in_turn = part.get("learn") == "in turn"
    learn, engine = (BetsSettings(variant=variant("dcfr+")), "jax") if in_turn else (BetsSettings(), "numba")
    sizer = make_sizer(cells, learn, iterations=part["iterations"], engine=engine)
    worth = {}
    for run in search_sizes(rules, both, sizer, Search(part["runs"], part["keeps"], part.get("extra"))):
        if run.number % EVERY == 0 or run.number == part["runs"]:
            value = solve_lp(Problem(run.abstraction, cells)).value
            worth[run.number] = value if seat == 0 else -value
    return worth, run.tree.n_bets


def fcpa(name: str, player: int) -> float:
    """Value of the game to the player if both players use FCPA (fold, call, pot, all-in)."""
    worth = solve_lp(Problem(build_tree(leduc(name), "fcpa"), Lossless(leduc(name)))).value
    return worth if seat_of(name, player) == 0 else -worth


def done(part: Mapping[str, Any]) -> dict[str, Any]:
    """Run one method for one player in one game."""
    began = time.perf_counter()
    found, n_bets = values(part["game"], part, part["player"])
    base = fcpa(part["game"], part["player"])
    gains = {str(number): 100 * (each - base) / abs(base) for number, each in found.items()}
    last = found[part["runs"]] / float(leduc(part["game"]).big_blind)
    return {"value": last, "gains": gains, "sized_bets": n_bets, "seconds": time.perf_counter() - began}


def run(config: Config) -> Table:
    """Run every method in the game with two bets, and RE-BETS in the other games."""
    settings = config.settings
    names = [(TWO_BETS, method) for method in METHODS] + [(name, "RE-BETS") for name in UNCAPPED]
    common = {"runs": settings["runs"], "iterations": settings["iterations"]}
    groups: Groups = {
        (name, method, who): [{**common, **METHODS[method], "game": name, "player": player}]
        for name, method in names
        for player, who in PLAYERS.items()
    }
    starting = {"game": TWO_BETS, "player": 0, "keeps": "ratio", "runs": 8, "iterations": 2_000}
    starts: Groups = {
        (f"[{low:g}, {high:g}], players learn {learn}",): [{**starting, "ranges": [(low, high)], "learn": learn}]
        for low, high in STARTS
        for learn in ("in turn", "at once")
    }
    found = {key: each for key, (each,) in config.do_groups(done, groups | starts).items()}
    by_row = {", ".join(key): found[key] for key in groups}
    on_the_way = {
        f"{name}, {player}, {number}": gain
        for name, method, player in groups
        if method == "RE-BETS"
        for number, gain in found[name, method, player]["gains"].items()
    }
    sections = {
        VALUE: {f"{TWO_BETS}, FCPA, {PLAYERS[0]}": fcpa(TWO_BETS, 0)}
        | {row: each["value"] for row, each in by_row.items()},
        GAIN: {row: list(each["gains"].values())[-1] for row, each in by_row.items()},
        ON_THE_WAY: on_the_way,
        LEADS: {row: found[row,]["value"] for (row,) in starts},
        SIZE: {row: each["sized_bets"] for row, each in by_row.items()},
    }
    cost = f"{sum(each['seconds'] for each in found.values()):.0f} s of runs and linear programs."
    return Table.of({title: exact_rows(rows) for title, rows in sections.items()}, (*notes(sections), cost))


PRINTED_UNCAPPED = (30.0, 43.0)
"""Published gains of player one and player two in the game without a cap on bets, in percent."""
LEVEL = 2.0
"""Gains count as levelled off once they stay within this many percentage points of the last gain."""


def notes(sections: Numbers) -> tuple[str, ...]:
    gains = {
        name: tuple(sections[GAIN][f"{name}, RE-BETS, {player}"] for player in PLAYERS.values()) for name in UNCAPPED
    }
    nearest = min(gains, key=lambda name: sum(abs(a - b) for a, b in zip(gains[name], PRINTED_UNCAPPED, strict=True)))
    fits = "; ".join(f"{name}: {one:.1f} and {two:.1f}" for name, (one, two) in gains.items())
    level = max(_levels_off(sections[ON_THE_WAY], f"{nearest}, {player}, ") for player in PLAYERS.values())
    pot = sections[VALUE][f"{TWO_BETS}, FCPA, {PLAYERS[0]}"]
    led = {learn: [v for row, v in sections[LEADS].items() if row.endswith(learn)] for learn in ("in turn", "at once")}
    ways = " and ".join(
        f"players who learn {learn} end at {min(found):.3f} to {max(found):.3f}, {sum(v < pot for v in found)} of "
        f"{len(found)} below that"
        for learn, found in led.items()
    )
    return tuple(
        notes_of(
            "hawkin2014-leduc", printed=PRINTED_UNCAPPED, fits=fits, nearest=nearest, near=LEVEL, level=level,
            every=EVERY, pot=pot, ways=ways,
        )
    )  # fmt: skip


def _levels_off(on_the_way: Mapping[str, float], row: str) -> int:
    """The first run after which all gains stay within `LEVEL` of the last gain."""
    gains = {int(each.removeprefix(row)): gain for each, gain in on_the_way.items() if each.startswith(row)}
    last = gains[max(gains)]
    far = [number for number, gain in gains.items() if abs(gain - last) > LEVEL]
    return min(number for number in gains if number > max(far, default=0))
