"""`pokerlab egta`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from pokerlab.cli import playing
from pokerlab.cli.games import Game, rules_of
from pokerlab.cli.looks import check_picture
from pokerlab.cli.output import Count, DryRun, Flag, Json, Seed, console, print_json, progress, say, say_cost, table
from pokerlab.cli.playing import MAKE, Keep, Out, Workers
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from rich.table import Table

    from pokerlab.empirical.empirical_games import EmpiricalGame, EmpiricalPlan
    from pokerlab.empirical.response_rounds import Play, RespondTo, ResponseRound
    from pokerlab.runs.directory import RunDirectory

CODE = ("pokerlab.table.matches", MAKE.partition(":")[0])
SHOWN_SHARES = 5
Richer = Annotated[
    bool, Flag, Parameter(help="Once responses gain nothing, learners tell apart streets, players and pots too.")
]


def egta(
    *,
    game: Game = "limit3p",
    strategies: str = "caller,raiser,rulebot",
    instances: int = 25,
    hands: Count = 1000,
    seed: Seed = 7,
    units: str | None = None,
    more: int = 0,
    rounds: int = 0,
    respond_to: Literal["nearest", "average"] = "nearest",
    learn_hands: Count = 1_000_000,
    richer: Richer = False,
    picture: Path | None = None,
    workers: Workers = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Take agents as strategies of a symmetric game: payoffs of every profile, and who is in equilibrium.

    For every multiset of strategies that fills the table, instances are played: matches in which positions rotate and
    agents begin knowing nothing. Payoffs, and epsilons (what a player gains at most by playing another strategy), come
    with 95% intervals; replicator dynamics, regret matching, fictitious play and, for two players, a linear program
    look for an equilibrium in mixtures. Instances are kept one by one: stop it at any moment and go on with the same
    command; name more strategies or ask for more instances, and only what is new is played.

    For example:

        pokerlab egta --strategies caller,raiser,rulebot,folder --dry-run
        pokerlab egta --strategies caller,raiser,rulebot,folder
        pokerlab egta --strategies caller,raiser,rulebot:tight,rulebot --more 20
        pokerlab egta --game leduc --strategies caller,raiser,random --hands 200
        pokerlab egta --strategies caller,raiser,rulebot,folder --rounds 5
        pokerlab egta --strategies caller,raiser,rulebot,folder --rounds 16 --respond-to average

    Parameters
    ----------
    strategies
        With commas between: `name[:variant][@FILE]` or `py:module:Class` (`pokerlab agents`).
    instances
        Matches for every profile; each is one independent unit of the intervals.
    hands
        Hands in one instance.
    units
        small_bets_per_hand (by default at limit), mbb_per_hand (by default elsewhere), small_blinds_per_hand or
        bb_per_100.
    more
        So many times, play as many instances again of a profile: of one that makes the epsilon of the solution most
        uncertain.
    rounds
        At limit hold'em, so many times: let a Q-learner respond to a mixture of the strategies, and add it to them;
        until a response gains nothing significant (`pokerlab train q`).
    respond_to
        Which mixture: the one nearest to an equilibrium, which has the smallest epsilon; or the average of all
        strategies, in which later responses count more.
    learn_hands
        How many hands a response is learned from: whole thousands.
    picture
        Draw replicator dynamics here (.svg, .png or .pdf), by default into the run: a triangle for three strategies,
        shares over the steps for other numbers.
    """
    from pokerlab.empirical.allocation import play_where_it_matters
    from pokerlab.empirical.empirical_games import EmpiricalPlan, play_empirical
    from pokerlab.empirical.empirical_summary import empirical_summary
    from pokerlab.empirical.response_rounds import rounds_summary
    from pokerlab.games.units import units_per_chip
    from pokerlab.pictures.replicator import save_replicator
    from pokerlab.runs.directory import directory_for, open_run
    from pokerlab.table.matches import game_data

    rules = rules_of(game)
    check_picture(picture)
    units = units or ("small_bets_per_hand" if rules.limits == "limit" and rules.is_holdem else "mbb_per_hand")
    units_per_chip(rules, units)
    names, _ = playing.agent_names(strategies, rules)
    plan = EmpiricalPlan(rules, names, instances, hands, seed, playing.decision_seconds(names, None))
    runner = playing.chosen_runner(plan.strategies, workers, None)
    config = {"game": game_data(rules), "hands": hands, "seed": seed}
    path = playing.kept_in(out, keep, lambda: directory_for("egta", rules.name, config, code=CODE))
    if dry_run:
        _say_cost(plan, path, workers, as_json=as_json)
        if rounds and not as_json:
            say(f"then up to {rounds} rounds: {learn_hands:,} hands to learn from, and every profile of the response")
        return
    with nullcontext() if path is None else open_run(path, "egta", config, code=CODE) as run:

        def play(each: EmpiricalPlan) -> EmpiricalGame:
            with progress("playing") as report:
                return play_empirical(each, make=MAKE, runner=runner, units=units, run=run, report=report)

        done: list[ResponseRound] = []
        if rounds:
            found, done = _in_rounds(plan, play, run, rounds=rounds, to=respond_to, hands=learn_hands, richer=richer)
            plan = found.plan
        found = play_where_it_matters(plan, blocks=more, play=play)
        summary = empirical_summary(found) | ({"rounds": rounds_summary(found, done)} if rounds else {})
        if as_json:
            print_json(summary)
        else:
            _show(summary)
        if run is not None:
            playing.keep_result(run, summary)
        drawn = picture or (None if path is None else path / "replicator.svg")
        if drawn is not None:
            save_replicator(found.game, drawn, title=f"{rules.name}: replicator dynamics, 400 steps")
    for what, where in (("kept in", path), ("picture", drawn)):
        if where is not None and not as_json:
            say(f"{what}: {where}")


def _in_rounds(
    plan: EmpiricalPlan, play: Play, run: RunDirectory | None, *, rounds: int, to: RespondTo, hands: int, richer: bool
) -> tuple[EmpiricalGame, list[ResponseRound]]:
    """The loop, with a line that follows the learners, and a picture of how they learned."""
    from dataclasses import replace

    from pokerlab.empirical.response_rounds import RICHER, Learning, respond_in_rounds
    from pokerlab.pictures.q_values import save_curves
    from pokerlab.players.registry import agent
    from pokerlab.runs.steps import Watch, interrupts_noted
    from pokerlab.systems.threeplayer.q_learning import HANDS_A_STEP, Learned, QConfig, train_q

    if run is None:
        raise PokerlabError("--rounds keeps what is learned in the run's directory: leave out --no-keep")
    stages = [Learning(hands), *([replace(RICHER, hands=hands)] if richer else [])]

    def learn(asked: Sequence[tuple[QConfig, Path]]) -> list[Learned]:
        with interrupts_noted() as stopped, progress("learning") as report:
            watch = Watch(None, lambda done: report(done, hands // HANDS_A_STEP), stopped)
            return [train_q(config, where, make=agent, watch=watch) for config, where in asked]

    directory = run.path / "learned"
    found, done = respond_in_rounds(
        plan, rounds=rounds, stages=stages, play=play, learn=learn, directory=directory, to=to
    )
    curves = {f"round {each.number}": each.curve for each in done}
    save_curves(curves, run.path / "curves.svg", title=f"{plan.rules.name}: what responses won while they learned")
    return found, done


def _say_cost(plan: EmpiricalPlan, path: Path | None, workers: int | None, *, as_json: bool) -> None:
    """What is left to play would cost."""
    from pokerlab.empirical.empirical_games import instance_keys
    from pokerlab.runs.cost import Cost

    matches = plan.matches()
    keys = instance_keys(matches)
    there = [path is not None and (path / "matches" / f"{key}.result").exists() for key in keys]
    left = [match for match, done in zip(matches, there, strict=True) if not done]
    if left:
        playing.say_match_cost(left, workers=workers, record=False, as_json=as_json)
    else:
        say_cost(f"all {len(matches):,} instances are there", Cost(0.0), as_json=as_json)


def _show(summary: Mapping[str, Any]) -> None:
    from pokerlab.estimates import SHORT

    out, unit = console(), SHORT[summary["units"]]
    out.print(
        f"[bold]{summary['game']}[/], {len(summary['profiles'])} profiles of {len(summary['strategies'])} strategies, "
        f"{summary['instances']} instances of {summary['hands']:,} hands each, seed {summary['seed']}"
    )
    out.print(_profiles(summary))
    out.print(
        f"What each player of a strategy wins, {unit}, ± half of its 95% interval (n = {_n_instances(summary)} "
        "instances); epsilon: what one player gains at most by playing another strategy, with its bootstrap interval."
    )
    out.print(_solutions(summary))
    if "rounds" in summary:
        out.print(_rounds(summary))
        stable = next(each["round"] for each in summary["rounds"] if each["most_stable"])
        out.print(f"the most stable of these mixtures against all strategies: that of round {stable}")
    ranked = [each for each in summary["alpha_rank"] if each["share"] > 0.005][:SHOWN_SHARES]
    shares = "; ".join(f"{_profile_text(each['profile'])} {each['share']:.0%}" for each in ranked)
    out.print(f"alpha-rank, the share of the long run at a profile: {shares}", markup=False)
    best = summary["equilibrium"]
    verdict = "an equilibrium of these payoffs" if best["epsilon"]["mean"] < 1e-9 else "the nearest to an equilibrium"
    epsilon = _ends(best["epsilon"], _digits(summary))
    out.print(f"{verdict}: {_mixture_text(best['mixture'])}; epsilon {epsilon} {unit}", markup=False)


def _n_instances(summary: Mapping[str, Any]) -> str:
    least, most = (find(row["instances"] for row in summary["profiles"]) for find in (min, max))
    return f"{least}" if least == most else f"{least} to {most}"


def _profiles(summary: Mapping[str, Any]) -> Table:
    rows, digits = [], _digits(summary)
    for row in summary["profiles"]:
        won = row["payoffs"]
        cells = [_number(won[name], digits) if name in won else "" for name in summary["strategies"]]
        rows.append([_profile_text(row["profile"]), *cells, _ends(row["epsilon"], digits, "\n")])
    return table(["profile", *map(_short, summary["strategies"]), "epsilon"], rows)


def _solutions(summary: Mapping[str, Any]) -> Table:
    rows, digits = [], _digits(summary)
    for each in summary["solutions"]:
        method = each["method"] + ("" if each["outcome"] in (None, "converged") else f" ({each['outcome']})")
        rows.append([method, _mixture_text(each["mixture"]), _ends(each["epsilon"], digits, "\n")])
    return table(["found by", "everybody plays", "epsilon"], rows, words=2)


def _rounds(summary: Mapping[str, Any]) -> Table:
    rows, digits = [], _digits(summary)
    for each in summary["rounds"]:
        gain = _ends(each["gain"], digits, "\n") + ("" if each["significant"] else "\nnot significant")
        against = _mixture_text(each["mixture"])
        rows.append([str(each["round"]), against, _short(each["response"]), gain, _ends(each["epsilon"], digits, "\n")])
    return table(["round", "everybody plays", "response", "its gain", "epsilon, against all"], rows, words=3)


def _short(name: str) -> str:
    """A learner by its directory alone.

    >>> _short("q:runs/egta-limit3p-1a2b3c4d/learned/2"), _short("rulebot:tight")
    ('q:2', 'rulebot:tight')
    """
    return f"q:{Path(name).name}" if name.startswith("q:") else name


def _digits(summary: Mapping[str, Any]) -> int:
    return 1 if summary["units"] in ("mbb_per_hand", "bb_per_100") else 3


def _number(numbers: Mapping[str, Any], digits: int) -> str:
    mean = round(numbers["mean"], digits) + 0.0  # not -0.000
    half = "" if numbers["low"] is None else f"\n±{(numbers['high'] - numbers['low']) / 2:.{digits}f}"
    return f"{mean:+.{digits}f}{half}"


def _ends(numbers: Mapping[str, Any], digits: int, between: str = " ") -> str:
    """
    >>> _ends({"mean": 0.25, "low": 0.1, "high": 0.41}, 3)
    '0.250 (0.100 to 0.410)'
    """
    return f"{numbers['mean']:.{digits}f}{between}({numbers['low']:.{digits}f} to {numbers['high']:.{digits}f})"


def _profile_text(names: Sequence[str]) -> str:
    """
    >>> _profile_text(["caller", "caller", "rulebot"])
    '2 caller, rulebot'
    """
    counted = Counter(map(_short, names))
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in counted.items())


def _mixture_text(mixture: Mapping[str, float]) -> str:
    """
    >>> _mixture_text({"caller": 0.25, "raiser": 0.0, "rulebot": 0.75})
    'rulebot 75.0%, caller 25.0%'
    """
    shares = sorted(mixture.items(), key=lambda item: -item[1])
    return ", ".join(f"{_short(name)} {share:.1%}" for name, share in shares if share >= 0.0005)
