"""`pokerlab rollouts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli import playing
from pokerlab.cli.games import rules_of
from pokerlab.cli.output import Count, DryRun, Json, Seed, console, print_json, progress, say, say_cost, table
from pokerlab.cli.playing import Keep, Out, Workers

if TYPE_CHECKING:
    from pokerlab.estimates import Estimate

MAKE = "pokerlab.players.registry:agent"


def rollouts(
    agent: Annotated[str, Parameter(help="The agent to measure: rulebot, formula:steady .. (`pokerlab agents`).")],
    /,
    *,
    game: str = "limit6p",
    decisions: Count = 100,
    rollouts: Count = 100,
    seed: Seed = 0,
    workers: Workers = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """How much better an agent would decide if it rolled decisions out: the rollout-improvement (RI) error, by street.

    Copies of the agent play each other; of every hand one decision is drawn, and rolled out with the cards that the
    actor could not see drawn anew. The sample error is what the best option of a rollout gains over the agent with
    hindsight; the LFO error is what a rollout loses by choosing on nine tenths of its sample and being judged on the
    tenth left out; the RI error is the difference, what a rollout would gain. Below zero the agent decides better than
    the rollout. The agent must be able to say what it does with other hands.

    For example:

        pokerlab rollouts rulebot --decisions 50 --seed 1
        pokerlab rollouts formula:steady --game limit6p --decisions 1000 --rollouts 1000
        pokerlab rollouts random --game leduc --json

    Parameters
    ----------
    game
        A game of the catalog, or a definition file.
    decisions
        As many hands are played, and a decision of each is rolled out.
    rollouts
        Deals that are drawn for a decision, each played out after every option.
    """
    from pokerlab.players.registry import resolve
    from pokerlab.players.sources import file_digests
    from pokerlab.runs.workers import runner_for
    from pokerlab.table.matches import game_data
    from pokerlab.valuing.rollout_error import UNITS, expected_cost, rollout_errors

    rules = rules_of(game)
    agent = resolve(agent, rules)
    asked: dict[str, Any] = {"make": MAKE, "decisions": decisions, "rollouts": rollouts, "seed": seed}
    if dry_run:
        cost = expected_cost(agent, rules, **asked, workers=workers)
        say_cost(
            f"{decisions:,} decisions of {agent} in {rules.name}, {rollouts:,} rollouts each", cost, as_json=as_json
        )
        return
    config = {"game": game_data(rules), "agents": [agent], "memory": file_digests([agent]), **asked}
    code = ("pokerlab.valuing.rollout_error", MAKE.partition(":")[0])
    with (
        playing.opened_run("rollouts", config, rules.name, out=out, keep=keep, code=code) as run,
        progress("rolling out") as told,
    ):
        found = rollout_errors(agent, rules, **asked, runner=runner_for(workers), run=run, report=told)
    if as_json:
        errors = {
            street: {key: each.data() for key, each in of._asdict().items()} for street, of in found.by_street.items()
        }
        print_json(
            {"game": rules.name, "agent": agent, **asked, "units": UNITS, "errors": errors, "left_out": found.left_out}
        )
        return
    console().print(f"[bold]rollout errors[/] of {agent} in {rules.name}, seed {seed}, {UNITS}", soft_wrap=True)
    rows = [
        (street, f"{of.decisions.mean:.0%}", f"{of.sample.n:,}", *map(_text, of[1:]))
        for street, of in found.by_street.items()
    ]
    console().print(table(("street", "decisions", "n", "sample error", "LFO error", "RI error"), rows, plain=True))
    say(f"each ± half of a 95% interval; {rollouts:,} rollouts a decision, ten parts")
    if found.left_out:
        say(f"{found.left_out} decisions are left out: no deal that was drawn explains what the others had done")
    if run is not None:
        say(f"kept in {run.path}")


def _text(error: Estimate) -> str:
    from math import isnan

    return f"{error.mean:+.3f}" + ("" if isnan(error.low) else f" ± {error.half_width:.3f}")
