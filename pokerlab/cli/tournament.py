"""`pokerlab tournament`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli import playing
from pokerlab.cli.games import rules_of
from pokerlab.cli.output import Count, DryRun, Json, Seed, console, print_json, progress, say, table
from pokerlab.cli.playing import MAKE, Aivat, Keep, Out, Ray, Reveal, RunningStacks, Seconds, TableGame, Units, Workers
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from rich.table import Table

ROSTER = "poki,poki:maniac,bpp,connectionist,rulebot,rulebot:tight,rulebot:aggressive,caller,raiser,random"


def tournament(
    *,
    agents: str = ROSTER,
    game: TableGame = None,
    hands: Count = 400,
    seed: Seed = 7,
    duplicate: Annotated[bool, Parameter(help="Play every deal in every seating.")] = True,
    match_hands: Count | None = None,
    tables: int | None = None,
    running_stacks: RunningStacks = False,
    reveal: Reveal = False,
    aivat: Aivat = False,
    units: Units = "mbb_per_hand",
    seconds_per_decision: Seconds = None,
    workers: Workers = None,
    ray: Ray = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Play every agent against every other: a cross-table with 95% intervals, rankings and ratings.

    Every two agents share a table, at a game for three every three, and so on. Stop it at any moment; the same command
    goes on where it was, and the result is the same as if it had never stopped, on any number of workers.

    For example:

        pokerlab tournament
        pokerlab tournament --agents caller,raiser,random --game leduc --hands 5000 --seed 1
        pokerlab tournament --agents caller,raiser,random,folder --game limit3p --dry-run

    Parameters
    ----------
    agents
        With commas between: `name[:variant][@FILE]`, `py:module:Class` or `acpc://HOST:PORT` (`pokerlab agents`).
    hands
        Deals at every table.
    match_hands
        Hands in one match, for which agents are made afresh. Default: a tenth of --hands, at most 1000, so that there
        are ten matches or more to judge agents that learn by.
    tables
        Draw this many of the possible tables, with everyone at as many as everyone else, instead of playing them all.
    """
    from pokerlab.games.units import units_per_chip
    from pokerlab.players.sources import file_digests
    from pokerlab.table.matches import game_data
    from pokerlab.table.tournament import TournamentPlan, play_tournament
    from pokerlab.table.winnings import match_length
    from pokerlab.valuing.summary import tournament_summary
    from pokerlab.web.report import run_report

    game = game or playing.game_for(agents)
    rules = rules_of(game)
    units_per_chip(rules, units)
    names, _ = playing.agent_names(agents, rules, seconds_per_decision)
    plan = TournamentPlan(
        rules,
        names,
        hands,
        match_length(hands, depend=True) if match_hands is None else match_hands,
        seed,
        duplicate,
        "running" if running_stacks else "reset",
        reveal,
        tables,
        playing.decision_seconds(names, seconds_per_decision),
    )
    runner = playing.chosen_runner(plan.agents, workers, ray)
    if aivat and not keep:
        raise PokerlabError("--aivat reads the hands kept in the run's directory: leave out --no-keep")
    if dry_run:
        playing.say_match_cost(plan.matches(), workers=workers, record=keep, as_json=as_json)
        return
    config = {
        "game": game_data(rules),
        "agents": list(plan.agents),
        "memory": file_digests(plan.agents),
        "hands": hands,
        "match_hands": plan.match_hands,
        "seed": seed,
        "duplicate": duplicate,
        "tables": tables,
        "stacks": plan.stacks,
        "reveal": reveal,
        "seconds_per_decision": plan.seconds,
    }
    with playing.opened_run("tournament", config, rules.name, out=out, keep=keep) as run:
        with progress("playing") as report:
            result = play_tournament(plan, make=MAKE, runner=runner, run=run, record=keep, report=report, units=units)
        measured = playing.measured_ways(run, result.results) if aivat and run is not None else {}
        summary = tournament_summary(result, **measured)
        if as_json:
            print_json(summary)
        else:
            _show(summary)
        if run is None:
            return
        playing.keep_result(run, summary)
        page = run_report(run.path, command=playing.command_line("tournament", config, game))
    if not as_json:
        say(f"kept in {run.path}\nreport: {page}")


def _show(summary: Mapping[str, Any]) -> None:
    from pokerlab.estimates import SHORT

    out = console()
    seatings, n = " in every seating" if summary["duplicate"] else "", summary["tables"]
    out.print(
        f"[bold]{summary['game']}[/], {n} table{'s' * (n != 1)}, {summary['hands']:,} deals{seatings} at each, "
        f"seed {summary['seed']}: {summary['played']:,} hands"
    )
    if by_aivat := _aivat_cells(summary):
        out.print(_cross_table(summary, by_aivat))
        out.print(f"The row's {SHORT[summary['units']]} against the column by AIVAT, ± half of its 95% interval.")
    if "aivat" in summary:
        out.print(_measures(summary))
        for line in playing.measure_lines((), summary["aivat"]):
            out.print(line, markup=False)
    chips = {(cell["row"], cell["column"]): cell for cell in summary["cross_table"]}
    out.print(_cross_table(summary, chips, totals=True))
    out.print(
        f"The row's {SHORT[summary['units']]} against the column{' in chips' * bool(by_aivat)}, ± half of its 95% "
        f"interval (n = {summary['agents'][0]['n']:,} {summary['method']}); dim: not significant."
    )
    out.print(_rankings(summary))
    for line in (*playing.difference_lines(summary), *playing.late_lines(summary)):
        out.print(line, markup=False)


def _aivat_cells(summary: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """What each of two at a table wins from the other by AIVAT, in the way that takes out most luck."""
    cells: dict[tuple[str, str], Mapping[str, Any]] = {}
    for at in summary.get("measures", ()):
        ways = [way for way in at["ways"] if way["way"] == "AIVAT"]
        if ways and len(at["agents"]) == 2:
            one, other = at["agents"]
            cells |= {(one, other): ways[-1]["agents"][0], (other, one): ways[-1]["agents"][1]}
    return cells


def _cross_table(
    summary: Mapping[str, Any], cells: Mapping[tuple[str, str], Mapping[str, Any]], *, totals: bool = False
) -> Table:
    names = [row["name"] for row in summary["agents"]]
    rows = []
    for place, agent in enumerate(summary["agents"], 1):
        row = [_cell(cells.get((agent["name"], column))) for column in names]
        name = agent["name"].replace(":", ":\n", 1)  # cells have two lines anyway
        rows.append([str(place), name, *row, *([_cell(agent)] if totals else [])])
    places = [str(place) for place in range(1, len(names) + 1)]
    shown = table(["", "agent", *places, *(["total"] if totals else [])], rows, words=2, padding=(0, 0, 0, 1))
    shown.columns[1].overflow = "fold"
    if totals:
        shown.columns[-1].style = "bold"
    return shown


def _cell(numbers: Mapping[str, Any] | None) -> str:
    if numbers is None:
        return ""
    text = f"{numbers['mean']:+.0f}"
    text += "" if numbers["low"] is None else f"\n±{(numbers['high'] - numbers['low']) / 2:.0f}"
    return text if numbers["significant"] else f"[dim]{text}[/]"


def _measures(summary: Mapping[str, Any]) -> Table:
    """Every table measured in every way: what its first agent wins, and the factor."""
    from pokerlab.valuing.summary import way_name

    rows = []
    for at in summary["measures"]:
        cells = []
        for way in reversed(at["ways"]):  # those that take out most luck first
            times = "" if way["factor"] is None else f"\n×{way['factor']:.1f}"
            cells.append(_cell(way["agents"][0]) + ("" if way_name(way) == "raw" else times))
        rows.append(["\n".join(at["agents"]), *cells])
    caption = "±: half of the 95% interval; ×: the factor by which a way cut the hands needed"
    headings = ["measured", *(way_name(way) for way in reversed(summary["measures"][0]["ways"]))]
    return table(headings, rows, padding=(0, 0, 0, 1), caption=caption)


def _rankings(summary: Mapping[str, Any]) -> Table:
    rows = [
        (
            str(place),
            agent["name"],
            f"{agent['mean']:+.1f}",
            str(agent["run_off_place"]),
            f"{agent['series_points']:g} of {agent['series_opponents']}",
            f"{agent['rating']:+.0f} ± {(agent['rating_high'] - agent['rating_low']) / 2:.0f}",
        )
        for place, agent in enumerate(summary["agents"], 1)
    ]
    shown = table(("", "agent", "total bankroll", "run-off place", "series points", "rating (Elo)"), rows, words=2)
    shown.columns[1].no_wrap = True  # what is cut short may be like another name
    return shown
