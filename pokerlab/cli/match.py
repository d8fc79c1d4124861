"""`pokerlab match`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pokerlab.cli import playing
from pokerlab.cli.games import rules_of
from pokerlab.cli.output import Count, DryRun, Flag, Json, Seed, console, print_json, progress, say, table
from pokerlab.cli.playing import MAKE, Aivat, Keep, Out, Ray, Reveal, RunningStacks, Seconds, TableGame, Units, Workers
from pokerlab.errors import PokerlabError


def match(
    *,
    agents: str,
    game: TableGame = None,
    hands: Count = 1000,
    seed: Seed = 0,
    duplicate: Annotated[bool, Flag] = False,
    match_hands: Count | None = None,
    running_stacks: RunningStacks = False,
    reveal: Reveal = False,
    save: Annotated[bool, Flag] = False,
    report: Annotated[bool, Flag] = False,
    aivat: Aivat = False,
    known: str | None = None,
    units: Units = "mbb_per_hand",
    seconds_per_decision: Seconds = None,
    workers: Workers = None,
    ray: Ray = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Play agents against each other and say, with 95% intervals, what each wins.

    Of three or more agents it also gives every difference, in intervals that hold together 95 times in 100.
    The result depends on the seed alone, not on the number of workers, and is the same when the command was stopped
    at any moment and started again. Where all agents are strategies on one betting tree (equilibrium:NAME,
    strategy:FILE), hands are played in compiled code, to the same result: millions, best with --no-keep.

    For example:

        pokerlab match --agents caller,raiser --hands 2000 --seed 7 --duplicate
        pokerlab match --game nolimit3p --agents random,caller,py:my_bot:MyBot --match-hands 500
        pokerlab match --game leduc --agents py:my_bot:MyBot,caller --seconds-per-decision 2
        pokerlab match --game leduc --agents random,caller --hands 100000 --dry-run
        pokerlab match --agents equilibrium:limit2p,strategy:FILE --hands 1000000 --duplicate --no-keep

    Parameters
    ----------
    agents
        One for each seat, with commas between: `name[:variant][@FILE]`, `py:module:Class` or `acpc://HOST:PORT`
        (`pokerlab agents`). Agents start every match knowing nothing, unless FILE is memory they saved.
    hands
        Deals to play; with --duplicate each is played in every seating.
    duplicate
        Play the same cards in every seating (heads-up both, three players all six, more n rotations), which takes
        much of the luck out.
    match_hands
        Hands in one match, for which agents are made afresh. Default: 1000; where an agent learns or stacks run, a
        tenth of --hands, at most 1000, because then matches are what the interval is judged by.
    save
        Keep what agents remember at the end of each match, in the run's directory memory/.
    report
        Write a page with the results, bankroll graphs and each agent's style, report.html in the run's directory.
    known
        The agents, with commas between, whose policies --aivat may ask: by default all that can be asked and do not
        learn from hand to hand; "" for none.
    """
    from pokerlab.games.units import units_per_chip
    from pokerlab.players.registry import agent
    from pokerlab.players.sources import file_digests, modules_of
    from pokerlab.table.batch import WORTH_TABLES, compiled_table
    from pokerlab.table.match import MatchPlan, plans
    from pokerlab.table.matches import game_data, run_plans
    from pokerlab.table.winnings import match_length
    from pokerlab.valuing.summary import match_summary
    from pokerlab.web.report import run_report

    game = game or playing.game_for(agents)
    rules = rules_of(game)
    units_per_chip(rules, units)
    names, learn = playing.agent_names(agents, rules, seconds_per_decision)
    if match_hands is None:
        match_hands = match_length(hands, depend=learn or running_stacks)
    first = MatchPlan(
        rules,
        names,
        match_hands,
        seed,
        stacks="running" if running_stacks else "reset",
        reveal=reveal,
        seconds=playing.decision_seconds(names, seconds_per_decision),
    )
    todo = plans(first, hands=hands, duplicate=duplicate)
    runner = playing.chosen_runner(first.entrants, workers, ray)
    if (save or report or aivat) and not keep:
        which = "--save writes" if save else "--report writes" if report else "--aivat reads the hands kept"
        raise PokerlabError(f"{which} in the run's directory: leave out --no-keep")
    n_hands = sum(plan.hands for plan in todo)
    elsewhere = any("://" in name for name in names) or bool(modules_of(names))
    if n_hands >= WORTH_TABLES and not running_stacks and not elsewhere:
        with progress("starting"):  # strategies play in compiled code; workers find the tables that it takes
            compiled_table(rules, [agent(name) for name in first.entrants], hands=n_hands)
    if dry_run:
        playing.say_match_cost(todo, workers=workers, record=keep, as_json=as_json)
        return
    config = {
        "game": game_data(rules),
        "agents": list(first.entrants),
        "memory": file_digests(first.entrants),
        "hands": hands,
        "match_hands": match_hands,
        "seed": seed,
        "duplicate": duplicate,
        "stacks": first.stacks,
        "reveal": reveal,
        "save": save,
        "seconds_per_decision": first.seconds,
    }
    with playing.opened_run("match", config, rules.name, out=out, keep=keep) as run:
        with progress("playing") as told:
            results = run_plans(todo, make=MAKE, runner=runner, run=run, record=keep, save=save, report=told)
        measured = playing.measured_ways(run, results, known) if aivat and run is not None else {}
        summary = match_summary(results, units=units, **measured)
        if run is not None:
            playing.keep_result(run, summary)
            page = run_report(run.path, command=playing.command_line("match", config, game)) if report else None
    if as_json:
        print_json(summary)
    else:
        _show(summary)
        if run is not None:
            say(f"kept in {run.path}")
            if page is not None:
                say(f"report: {page}")


def _show(summary: Mapping[str, Any]) -> None:
    out = console()
    each = f", each in {summary['seatings']} seatings" if summary["duplicate"] else ""
    out.print(f"[bold]{summary['game']}[/], {summary['hands']:,} deals{each}, seed {summary['seed']}")
    if "AIVAT" in [way["way"] for way in summary["measures"]]:
        _show_measures(summary)
    else:
        _show_winnings(summary)
        if len(summary["measures"]) > 2:
            _show_measures(summary)
    ways = summary["measures"] if len(summary["measures"]) == 2 else ()
    for line in playing.measure_lines(ways, summary.get("aivat")):
        out.print(line, markup=False)


def _show_winnings(summary: Mapping[str, Any]) -> None:
    """What every agent won in chips."""
    from pokerlab.estimates import SHORT

    out = console()
    shown = table(("agent", SHORT[summary["units"]], "95% interval"), ())
    shown.add_column("")
    for row in summary["agents"]:
        verdict = "significant" if row["significant"] else "not significant"
        verdict = "too few to judge" if row["low"] is None else verdict
        shown.add_row(row["name"], f"{row['mean']:+.1f}", playing.interval_text(row), verdict)
    out.print(shown)
    out.print(f"intervals from n = {summary['agents'][0]['n']:,} {summary['method']}")
    if len(summary["agents"]) > 2:  # of two, one's gain is the other's loss, and that is in the table
        for line in playing.difference_lines(summary):
            out.print(line, markup=False)
        if summary["differences"][0]["low"] is not None:
            out.print(f"these {len(summary['differences'])} intervals hold together 95 times in 100 (Bonferroni)")
    for line in playing.late_lines(summary):
        out.print(line, markup=False)


def _show_measures(summary: Mapping[str, Any]) -> None:
    """Every way of measuring, for every agent (of two, the first: the other's is the same with the other sign).

    The ways that take out most luck come first.
    """
    from pokerlab.estimates import SHORT
    from pokerlab.valuing.summary import way_name

    names = [agent["name"] for agent in summary["agents"]]
    shown = names[:1] if len(names) == 2 else names
    unit = SHORT[summary["units"]]
    title = f"what {names[0]} wins, {unit}" if len(shown) == 1 else unit
    columns = [text for name in shown for text in ("mean" if len(shown) == 1 else name, "95% interval", "significant")]
    rows = []
    for way in reversed(summary["measures"]):
        cells = [
            text
            for row in way["agents"][: len(shown)]
            for text in (f"{row['mean']:+.1f}", playing.interval_text(row), "yes" if row["significant"] else "no")
        ]
        factor = "" if way_name(way) == "raw" else playing.factor_text(way)
        rows.append([way_name(way), *cells, factor])
    out = console()
    out.print(table(["measured", *columns, "hands needed cut"], rows, plain=True, title=title, title_justify="left"))
    for method in dict.fromkeys(way["method"] for way in reversed(summary["measures"])):
        same = [way for way in summary["measures"] if way["method"] == method]
        kind = "duplicate" if same[0]["duplicate"] else "not duplicate" if summary["duplicate"] else "all"
        out.print(f"intervals from n = {same[0]['agents'][0]['n']:,} {method} ({kind})", markup=False)
