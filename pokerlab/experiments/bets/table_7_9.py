"""Hawkin (2014), sections 7.6 and 7.6.1, on a small scale: matches between players with automatic and with fixed sizes.

All players use the same card buckets. A player with automatic sizes has a strategy for each seat, on its own tree.
Winnings are measured twice: exactly within the buckets (all hands, including bet translation), and by playing duplicate
deals with real cards, with luck removed by AIVAT.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, cast

from pokerlab.agents.equilibrium import SEAT_FILE
from pokerlab.estimates import Estimate
from pokerlab.experiments.equilibrium.players import duplicate_winnings
from pokerlab.experiments.experiment import Config, Rows, Sections, Table, exact_rows
from pokerlab.experiments.records import records
from pokerlab.games.units import units_per_chip
from pokerlab.notation.acpc.definition import find_game
from pokerlab.players.registry import agent
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.bet_sizing.ranges import default_ranges
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.core.best_response import reaches, values
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.runs import run_solve
from pokerlab.systems.bets.config import config_of
from pokerlab.systems.bets.player import save_seat
from pokerlab.systems.bets.saved_runs import SIZES as SIZES_FILE
from pokerlab.systems.bets.saved_runs import find_bets
from pokerlab.valuing.across_trees import encounter
from pokerlab.valuing.measures import AIVAT

UNITS = "mbb_per_hand"
RULE = "pseudo-harmonic"  # rule of bet translation when the published table was measured here
SOLVE = ("solve_iterations", "within_mbb")  # (maximum iterations; exploitability at which to stop, if any)
SEATS = ("big blind", "dealer")  # our seats of player one and player two of the thesis

PLAYERS: Mapping[str, Mapping[str, Any]] = records()["hawkin2014-table-7-9"]["made_of"]
"""How each player is made: it ships with pokerlab, or has fixed sizes, or has sizes found against an opponent's fixed
ones. In names, brackets hold the sizes that a player assumes its opponent to have, if they differ from its own.
"""


def seats_of(name: str, made: Mapping[str, Any], settings: Mapping[str, Any], seed: int) -> list[dict[str, Any]]:
    """The tasks for making a player. There is one for each seat if its sizes differ from its opponent's, otherwise one
    in all; none if the player ships with pokerlab."""
    common = {key: made.get(key, settings[key]) for key in ("game", "cards", "engine", "iterations", "n", *SOLVE)}
    if "agent" in made:
        return []
    seats = (0, 1) if "opponent" in made else (None,)
    return [{"name": name, "made": dict(made), "seat": seat, "seed": seed, **common} for seat in seats]


def make(part: Mapping[str, Any], directory: str) -> dict[str, Any]:
    """Solve the game for one seat, or for both at once, and write a strategy file for each.

    Return, by seat, the value that the strategy guarantees in mbb per hand; and the number of (information set, action)
    pairs of the game.
    """
    seat, where = part["seat"], Path(directory) / part["name"]
    within = part["within_mbb"]
    target = within / units_per_chip(find_game(part["game"]), UNITS) if within else None
    how = {key: part[key] for key in ("game", "cards", "engine")}
    limits: dict[str, Any] = {"iterations": part["solve_iterations"], "target": target}
    solve = SolveConfig(sizes=sizes_for(part, where), algorithm="dcfr+", **how, **limits)
    solution = run_solve(solve, where / f"solve-{'both' if seat is None else seat}")
    found = {}
    for own in (0, 1) if seat is None else (seat,):
        file = where / SEAT_FILE.format(seat=own)
        save_seat(file, solution.strategy, own, {"sizes": solve.sizes}, measured=False)
        strategy = load_strategy(file, seat=own).strategy
        problem = Problem(strategy.tree, strategy.cells)
        found[SEATS[own]] = _guaranteed(problem, strategy, own)
    return {"guaranteed": found, "pairs": problem.counts[1]}


def _guaranteed(problem: Problem, strategy: Strategy, seat: int) -> float:
    scale = units_per_chip(strategy.tree.rules, UNITS)
    return -scale * values(problem, strategy, 1 - seat, reaches(problem, strategy, seat), best=True).total


def sizes_for(part: Mapping[str, Any], where: Path) -> str:
    """Text of both players' bet sizes in the game that is solved for a seat. Search for the sizes first, if needed."""
    made, seat = part["made"], part["seat"]
    if "sizes" in made:
        both = [made["sizes"], made.get("opponent", made["sizes"])]
        return " | ".join(both if seat in (None, 0) else reversed(both))
    config = config_of(
        {
            "game": part["game"], "players": [seat], "opponent": made["opponent"], "cards": part["cards"],
            "ranges": default_ranges(made["ranges"]), "extra": made.get("extra"), "runs": made["runs"],
            "engine": part["engine"], "iterations": part["iterations"], "n": part["n"], "seed": part["seed"],
            "variant": "dcfr+", "value_iterations": 0,
        }
    )  # fmt: skip
    directory = where / f"bets-{seat}"
    find_bets(config, directory)
    return f"@{directory / SIZES_FILE}"


def meet(part: Mapping[str, Any]) -> dict[str, Any]:
    """Measure the first player's winnings against the second: exactly within the buckets, and in duplicate deals with
    AIVAT."""
    one, other = part["players"]
    scale = units_per_chip(find_game(part["game"]), UNITS)
    entrants = (f"{one}?translation={RULE}", f"{other}?translation={RULE}")
    found: dict[str, Any] = {"played": duplicate_winnings(entrants, part)[AIVAT].data()}
    for way, settings in (("exact", f"?translation={RULE}"), ("soft", "?translation=soft")):
        players = [cast(StrategyPolicy, agent(f"{name}{settings}")) for name in (one, other)]
        seats = [encounter(*seated, least=part["least_likely"]) for seated in (players, players[::-1])]
        wins = [scale * seats[0].value, -scale * seats[1].value]  # winnings of the first player, by seat
        found[way] = {"wins": wins, "left_out": max(each.left_out for each in seats)}
    return found


def run(config: Config) -> Table:
    with config.with_run() as at, at.place("players") as directory:  # strategies need a place
        return _met(at, directory)


def _met(config: Config, directory: Path) -> Table:
    settings = config.settings
    players: Mapping[str, Mapping[str, Any]] = {
        name: PLAYERS[name] | settings["changes"] for name in settings["players"]
    }
    making = [part for name, made in players.items() for part in seats_of(name, made, settings, config.seed)]
    names = {name: made.get("agent", f"strategy:{directory / name}") for name, made in players.items()}
    sizes = {key: settings[key] for key in ("game", "deals", "matches", "least_likely")}
    pairs = list(combinations(names, 2))
    meeting = [{"players": [names[one], names[other]], "seed": config.seed, **sizes} for other, one in pairs]
    made_of = list(zip(making, config.do(make, making, directory=str(directory)), strict=True))
    met = dict(zip(pairs, config.do(meet, meeting), strict=True))
    winnings = _winnings(met)
    return Table.of({**_values(players, made_of), **winnings}, _notes(met, winnings[PLAYED]))


VALUE = "wins at least, in its own game, mbb/hand"
MARGIN = "wins at least from its opponent's sizes in its own games, mbb/hand, both seats"
PAIRS = "(I, a) pairs"
EXACT = "wins, mbb/hand, exactly in the buckets"
SOFT = "wins, mbb/hand, exactly in the buckets, if both translate as the thesis does (soft)"
PLAYED = "wins, mbb/hand, duplicate deals and AIVAT"


def _values(players: Mapping[str, Mapping[str, Any]], made_of: list[tuple[Any, Any]]) -> Sections:
    won: dict[str, dict[str, float]] = {name: {} for name in players}
    pairs: dict[str, int] = {}
    for name, made in players.items():
        if "agent" in made:
            strategy = cast(StrategyPolicy, agent(made["agent"])).strategy(0)
            problem = Problem(strategy.tree, strategy.cells)
            won[name] = {where: _guaranteed(problem, strategy, seat) for seat, where in enumerate(SEATS)}
            pairs[name] = problem.counts[1]
    for part, found in made_of:
        won[part["name"]] |= found["guaranteed"]
        for seat in found["guaranteed"] if part["seat"] is not None else ("both seats",):
            pairs[f"{part['name']}, {seat}"] = found["pairs"]
    worth = {f"{name}, {seat}": won[name][seat] for name in players for seat in SEATS}
    margins = {name: sum(won[name].values()) / 2 for name in players if "opponent" in players[name]}
    return {VALUE: exact_rows(worth), MARGIN: exact_rows(margins), PAIRS: exact_rows(pairs)}


def _winnings(met: Mapping[tuple[str, str], Mapping[str, Any]]) -> Sections:
    rows = {f"{one} against {other}": found for (other, one), found in met.items()}
    exact: dict[str, float] = {}
    soft: dict[str, float] = {}
    for row, found in rows.items():
        by_seat = found["exact"]["wins"]
        exact |= {row: sum(by_seat) / 2, f"{row}, {SEATS[0]}": by_seat[0], f"{row}, {SEATS[1]}": by_seat[1]}
        soft[row] = sum(found["soft"]["wins"]) / 2
    played = {row: Estimate.from_data(found["played"], units=UNITS) for row, found in rows.items()}
    return {EXACT: exact_rows(exact), SOFT: exact_rows(soft), PLAYED: played}


def _notes(met: Mapping[tuple[str, str], Mapping[str, Any]], played: Rows) -> tuple[str, ...]:
    unsure = [row for row, won in played.items() if not won.significant]
    left = max((found[way]["left_out"] for found in met.values() for way in ("exact", "soft")), default=0.0)
    return (
        "By playing alone not significant: " + (", ".join(unsure) if unsure else "none") + ".",
        f"Exact values leave out hands of {left:.1g} of all at most.",
    )
