"""`pokerlab train copycat`."""

from __future__ import annotations

from pokerlab.cli import playing
from pokerlab.cli.games import Game, rules_of
from pokerlab.cli.output import Count, DryRun, Json, Seed, print_json, progress, say
from pokerlab.cli.playing import MAKE, Out, Workers

CODE = ("pokerlab.systems.threeplayer.copycat_learning", MAKE.partition(":")[0])


def copycat(
    original: str,
    /,
    *,
    against: str = "caller,rulebot",
    game: Game = "limit3p",
    matches: int = 10,
    hands: Count = 1000,
    seed: Seed = 7,
    workers: Workers = None,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Watch an agent of limit hold'em with its cards seen, and keep a model of it that copycat:DIRECTORY plays.

    The model has a density of E[HS] for each of fold, call and raise, by the street, the bets to call and whether two
    players are left or more. copycat:DIRECTORY draws its actions by it; copycat:DIRECTORY?pure takes the likeliest one
    and, at a table of three, can be learned against (`pokerlab train q`, `pokerlab egta --rounds`). Stop it at any
    moment; the same command goes on with the matches that are left.

    For example:

        pokerlab train copycat poki --against rulebot,formula --out runs/copy
        pokerlab match --game limit3p --agents copycat:runs/copy,rulebot,rulebot
        pokerlab egta --strategies caller,rulebot,copycat:runs/copy?pure --rounds 3

    Parameters
    ----------
    original
        The agent to imitate (`pokerlab agents`).
    against
        The company it is watched in, with commas between; those beyond the seats of a match take turns.
    matches
        How many matches it is watched for.
    hands
        Hands in a match.
    """
    from pokerlab.errors import PokerlabError
    from pokerlab.players.sources import file_digests
    from pokerlab.runs.directory import directory_for, open_run
    from pokerlab.systems.threeplayer.copycat import COPYCAT_FILE
    from pokerlab.systems.threeplayer.copycat_learning import CopycatPlan, learn_copycats
    from pokerlab.table.limit_batch import plays_compiled

    rules = rules_of(game)
    if not plays_compiled(rules):
        raise PokerlabError(f"copycats play limit hold'em, not {rules.name}")
    (name, *more), _ = playing.agent_names(original, rules)
    if more:
        raise PokerlabError(f"one agent is imitated at a time, not {original}")
    company, _ = playing.agent_names(against, rules)
    plan = CopycatPlan(rules.name, name, company, matches, hands, seed, file_digests((name, *company)))
    if dry_run:
        each = [plan.match(number) for number in range(matches)]
        playing.say_match_cost(each, workers=workers, record=True, as_json=as_json)
        return
    path = out or directory_for("copycat", rules.name, plan.data(), code=CODE)
    runner = playing.chosen_runner((name, *company), workers, None)
    with open_run(path, "train copycat", plan.data(), code=CODE) as run, progress("watching") as report:
        (densities,) = learn_copycats(plan, make=MAKE, runner=runner, run=run, report=report)
        densities.save(run.path / COPYCAT_FILE)
    n_points = densities.n_points(name)
    if as_json:
        print_json({**plan.data(), "path": str(path), "decisions": n_points})
        return
    say(f"{n_points:,} decisions of {name} in {matches * hands:,} hands")
    say(playing.how_to_play(f"copycat:{path}", game))
