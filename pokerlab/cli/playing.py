"""What `pokerlab match` and `pokerlab tournament` share: who plays, where, what is kept, and what it would cost."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.output import Flag, json_text, progress, say_cost
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.games.rules import Rules
    from pokerlab.runs.directory import RunDirectory
    from pokerlab.runs.workers import Runner
    from pokerlab.table.match import MatchPlan, MatchResult

MAKE = "pokerlab.players.registry:agent"
SECONDS = 600.0
"""For a decision of an agent that is not the lab's; the reference dealer of ACPC gives programs as long."""

Workers = Annotated[
    int | None, Parameter(help="Worker processes; one a core when not given, and 1 plays in this process.")
]
Seconds = Annotated[
    float | None,
    Parameter(
        help="The time for each decision; whoever takes longer checks, or folds to a bet, and is counted. By default "
        "600 seconds where agents py:module:Class play, as at the competition's dealer, and no limit otherwise."
    ),
]
Ray = Annotated[
    list[str] | None,
    Parameter(
        consume_multiple=True,
        negative="",
        help="Play on a Ray cluster: at ADDRESS (host:port, ray://host:port or auto), or a new one on this machine.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(help="Keep the run here (default: a directory of its own under runs/); the same command continues it."),
]
Keep = Annotated[bool, Parameter(help="Whether to write the run to disk.")]
Units = Annotated[str, Parameter(help="mbb_per_hand, small_bets_per_hand, small_blinds_per_hand or bb_per_100.")]
RunningStacks = Annotated[
    bool,
    Flag,
    Parameter(help="Keep what is won and lost from hand to hand instead of starting each with the same stacks."),
]
Reveal = Annotated[bool, Flag, Parameter(help="Show agents that learn every card after the hand: a research option.")]
Aivat = Annotated[
    bool,
    Flag,
    Parameter(
        help="Measure the hands again with the luck of the cards, and of players whose policies can be asked, taken "
        "out (AIVAT), and with all-ins at their expected value; say by which factor each way cut the hands needed."
    ),
]


TableGame = Annotated[
    str | None,
    Parameter(
        help="A game of the catalog (`pokerlab games`), as nolimit6p or with other stacks nolimit6p:40bb, or an ACPC "
        "game-definition file. Default: what strategies among the agents were made for, otherwise limit2p."
    ),
]


def game_for(agents: str) -> str:
    """The game of a table when none is named: that of the first strategy among the agents, otherwise limit2p.

    >>> game_for("caller,equilibrium:nolimit2p"), game_for("caller,rulebot")
    ('nolimit2p', 'limit2p')
    """
    from pokerlab.agents.equilibrium import strategy_paths
    from pokerlab.agents.recipes import RECIPES
    from pokerlab.errors import RulesError
    from pokerlab.games.catalog import game
    from pokerlab.players.registry import EQUILIBRIUM, STRATEGY
    from pokerlab.policies.strategy_files import rules_of_strategy

    for name in agents.split(","):
        kind, _, rest = name.strip().partition(":")
        if f"{kind}:" == EQUILIBRIUM and rest.partition("?")[0] in RECIPES:
            return RECIPES[rest.partition("?")[0]].game
        if f"{kind}:" == STRATEGY and (path := strategy_paths(rest)[0]).is_file():
            rules = rules_of_strategy(path)
            with suppress(RulesError):
                if game(rules.name) == rules:
                    return rules.name
            return str(path)
    return "limit2p"


def how_to_play(name: str, game: str = "") -> str:
    """The line that ends a training.

    >>> how_to_play("q:runs/q", "limit3p")
    'it plays as q:runs/q: pokerlab play --against q:runs/q --game limit3p'
    """
    line = shlex.join(["pokerlab", "play", "--against", name, *(["--game", game] if game else [])])
    return f"it plays as {name}: {line}"


def agent_names(text: str, rules: Rules, seconds: float | None = None) -> tuple[tuple[str, ...], bool]:
    """The agents of a list with commas, each of which exists and plays this game, and whether any of them learns.

    A name without a variant is replaced by the player made for the game, such as `connectionist:2p`.
    Agents `py:module:Class` are made in a process of their own: what their code does there costs no more than a line.
    """
    from pokerlab.players.python_agents import search_here
    from pokerlab.players.registry import resolve_names
    from pokerlab.players.sources import modules_of
    from pokerlab.runs.workers import apart
    from pokerlab.table.clock import longest_silence
    from pokerlab.table.players import check_players

    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise PokerlabError(f'{text!r} is not a list of agents; for example "caller,raiser"')
    names = resolve_names(names, rules)
    known = [name for name in dict.fromkeys(names) if "://" not in name]  # those would wait for somebody to join
    yours = [name for name in known if modules_of([name])]
    learn = check_players([name for name in known if name not in yours], make=MAKE, rules=rules)
    search_here()
    for name in yours:
        tried = "pokerlab.table.players:check_players"
        limit = decision_seconds(names, seconds)
        limits: dict[str, Any] = {"silence": longest_silence(limit), "seconds": limit}
        learn = apart(tried, [name], who=name, make=MAKE, rules=rules, **limits) or learn
    return names, learn


def decision_seconds(names: Sequence[str], seconds: float | None) -> float | None:
    """The seconds that each decision may take: as asked for, or the competition's where agents are not the lab's."""
    from pokerlab.players.sources import modules_of
    from pokerlab.table.clock import check_seconds

    if seconds is not None:
        check_seconds(seconds)
        return seconds
    return SECONDS if modules_of(names) else None


def late_lines(summary: Mapping[str, Any]) -> list[str]:
    """What is to be said of players that were late.

    >>> late_lines({"seconds_per_decision": 2.0, "late": {"ann": 1, "bob": 0}})
    ['ann was late once (over 2 s a decision): it checked, or folded to a bet']
    """
    limit = summary["seconds_per_decision"]
    return [
        f"{name} was late {'once' if n == 1 else f'{n:,} times'} (over {limit:g} s a decision): "
        "it checked, or folded to a bet"
        for name, n in summary["late"].items()
        if n
    ]


def chosen_runner(names: Sequence[str], workers: int | None, ray: Sequence[str] | None) -> Runner:
    """Where the matches are played: those of agents `py:module:Class` never in this process."""
    from pokerlab.players.sources import modules_of
    from pokerlab.runs.workers import on_processes, runner_for

    if workers is not None and workers < 1:
        runner_for(workers)  # refuses
    remote = [name for name in names if "://" in name]
    if remote and (ray is not None or (workers or 1) > 1):
        raise PokerlabError(f"{remote[0]} plays one match at a time, in this process: use --workers 1")
    if ray is None and modules_of(names) and (remote or workers == 1):
        return lambda tasks, tick: on_processes(tasks, tick, workers=1)
    if ray is None:
        return runner_for(1 if remote else workers)
    from pokerlab.runs.cluster import on_ray

    if len(ray) > 1:
        raise PokerlabError(f"--ray takes one address, not {len(ray)}")
    return on_ray(ray[0] if ray else None, workers=workers)


def kept_in(out: Path | None, keep: bool, default: Callable[[], Path]) -> Path | None:
    """Where a run is kept; None: nowhere."""
    if out is not None and not keep:
        raise PokerlabError("--out and --no-keep contradict each other")
    return (out or default()) if keep else None


def opened_run(
    kind: str,
    config: Mapping[str, Any],
    game: str,
    *,
    out: Path | None,
    keep: bool,
    code: tuple[str, ...] = ("pokerlab.table.matches", MAKE.partition(":")[0]),
) -> AbstractContextManager[RunDirectory | None]:
    """The run's directory, or nothing when nothing is kept; modules `code`, and those of the agents, make the run."""
    from pokerlab.players.sources import modules_of
    from pokerlab.runs.directory import directory_for, open_run

    code = (*code, *modules_of(config["agents"]))
    path = kept_in(out, keep, lambda: directory_for(kind, game, config, code=code))
    return nullcontext() if path is None else open_run(path, kind, config, code=code)


def command_line(kind: str, config: Mapping[str, Any], game: str) -> str:
    """The command that asks for the run of `config`, whatever the words in which it was asked for.

    >>> command_line("match", {"agents": ["caller", "raiser"], "seed": 7, "duplicate": False, "save": True}, "leduc")
    'pokerlab match --game leduc --agents caller,raiser --seed 7 --save'
    """
    words = ["pokerlab", kind, "--game", game, "--agents", ",".join(config["agents"])]
    for key, value in config.items():
        if key == "stacks":
            words += ["--running-stacks"] * (value == "running")
        elif key == "duplicate" and kind == "tournament":
            words += ["--no-duplicate"] * (not value)
        elif value is True:
            words.append(f"--{key}")
        elif isinstance(value, int | float) and value is not False:
            words += [f"--{key.replace('_', '-')}", str(value)]
    return shlex.join(words)


def keep_result(run: RunDirectory, summary: Mapping[str, Any]) -> None:
    """Write what `--json` prints into the run."""
    run.write("result.json", (json_text(summary) + "\n").encode())


def measured_ways(run: RunDirectory, results: Sequence[MatchResult], known: str | None = None) -> dict[str, Any]:
    """The `ways` in which the matches of a run are measured, and how `aivat` was done, or why it was not."""
    from pokerlab.errors import RulesError
    from pokerlab.players.registry import agent
    from pokerlab.table.matches import match_keys
    from pokerlab.table.records import read_hands
    from pokerlab.valuing.aivat import known_policy
    from pokerlab.valuing.aivat_baselines import value_function
    from pokerlab.valuing.measures import ways_of

    rules = results[0].plan.rules
    entrants = {name: text for r in results for name, text in zip(r.names, r.plan.entrants, strict=True)}
    made = {name: known_policy(agent(text), rules) for name, text in entrants.items() if "://" not in text}
    policies = {name: policy for name, policy in made.items() if policy is not None}
    if known is not None:
        asked = [name for name in known.split(",") if name]
        for name in asked:
            if name not in policies:
                raise PokerlabError(f"the policy of {name!r} cannot be asked; of these it can: {', '.join(policies)}")
        policies = {name: policies[name] for name in asked}
    try:
        value = value_function(rules)
        about: dict[str, Any] = {"value_function": value.name, "known_policies": list(policies)}
    except RulesError as error:
        value, about = None, {"left_out": str(error)}
    files = [run.path / "hands" / f"{key}.parquet" for key in match_keys(len(results))]
    with progress("measuring") as report:
        ways = ways_of(results, lambda i: read_hands(files[i]), policies=policies, value=value, report=report)
    return {"ways": ways, "aivat": about}


def measure_lines(ways: Sequence[Mapping[str, Any]], aivat: Mapping[str, Any] | None) -> Iterator[str]:
    """What each way of measuring cut the hands needed by, in words; then how AIVAT was done."""
    from pokerlab.valuing.summary import way_name

    for way in ways:
        name = way_name(way)
        if name != "raw":
            yield f"{name} cut the hands needed: {factor_text(way)}"
    if aivat is not None and "left_out" in aivat:
        yield f"AIVAT left out: {aivat['left_out']}"
    elif aivat is not None:
        known = ", ".join(aivat["known_policies"]) or "none, so that only the cards' luck is taken out"
        yield f"AIVAT by {aivat['value_function']}; policies known: {known}"


def factor_text(way: Mapping[str, Any]) -> str:
    """
    >>> factor_text({"factor": 4.0, "factor_low": 3.21, "factor_high": 5.0})
    '×4.0 (3.2 to 5.0)'
    """
    if way["factor"] is None:
        return "unknown" if way["agents"][0]["low"] is None else "no luck left"
    times, low, high = (
        f"{way[key]:,.0f}" if way["factor"] >= 100 else f"{way[key]:.1f}"
        for key in ("factor", "factor_low", "factor_high")
    )
    return f"×{times} ({low} to {high})"


def say_match_cost(plans: Sequence[MatchPlan], *, workers: int | None, record: bool, as_json: bool) -> None:
    """What `--dry-run` says."""
    from pokerlab.players.sources import modules_of
    from pokerlab.runs.cost import usable_cores
    from pokerlab.runs.workers import apart
    from pokerlab.table.cost import expected_cost

    workers = usable_cores() if workers is None else workers
    yours = [name for plan in plans for name in plan.entrants if modules_of([name])]
    if yours:
        tried = "pokerlab.table.cost:expected_cost"
        cost = apart(tried, plans, who=yours[0], make=MAKE, record=record, workers=workers)
    else:
        cost = expected_cost(plans, make=MAKE, record=record, workers=workers)
    what = f"{len(plans):,} matches, {cost.counts['hands']:,} hands on {workers} workers"
    say_cost(what, cost, as_json=as_json)


def interval_text(numbers: Mapping[str, Any]) -> str:
    """A 95% interval.

    >>> interval_text({"low": -3.21, "high": 14.0}), interval_text({"low": None, "high": None})
    ('-3.2 to +14.0', 'none')
    """
    low, high = numbers["low"], numbers["high"]
    return "none" if low is None else f"{low:+.1f} to {high:+.1f}"


def difference_lines(summary: Mapping[str, Any]) -> list[str]:
    """The differences between agents in words."""
    from pokerlab.estimates import Estimate, verdict

    lines = []
    for row in summary["differences"]:
        one, other = row["agents"]
        gap = Estimate.from_data(row, units=summary["units"], method=summary["method"])
        lines.append(verdict(one, other, gap))
    return lines
