"""`pokerlab train`: strategies for the players that need training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App

from pokerlab.cli.looks import looks_shown
from pokerlab.cli.output import Count, DryRun, Flag, Json, Seed, console, print_json, say
from pokerlab.cli.playing import Out, how_to_play
from pokerlab.cli.requested import command
from pokerlab.runs.cost import duration

if TYPE_CHECKING:
    from pokerlab.agents.equilibrium_training import TrainedStrategy
    from pokerlab.runs.cost import Cost
    from pokerlab.systems.bets.player import SizedPlayer, SolvedSeat

app = App(
    name="train",
    help="""Train players that need it: by a recipe, or from bet sizes that were found.

For example:

    pokerlab train equilibrium limit3p --dry-run
    pokerlab train equilibrium limit3p
    pokerlab train sized runs/bets-0 runs/bets-1 --cards pr5 --out runs/player
    pokerlab train q --against rulebot --out runs/q
    pokerlab train copycat rulebot --out runs/copy
    pokerlab train connectionist --players 6 --hands 100M --out runs/six
    pokerlab train networks holdem --out counts""",
)
for name in ("q", "copycat", "connectionist", "networks", "rollout-rule"):
    app.command(command(f"train {name}"), name=name)


@app.command
def equilibrium(
    name: str,
    /,
    *,
    iterations: Count | None = None,
    threads: int | None = None,
    out: Out = None,
    dry_run: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> None:
    """Solve for the strategy that the player equilibrium:NAME plays, and put it where that finds it.

    Card buckets that are missing are built first. Stop it at any moment; the same command goes on from its checkpoint.
    A GPU is used where JAX has one and the recipe is a dense one. limit2p and nolimit2p ship with pokerlab: what is
    trained for them is kept in the run's directory (player.bin) and can be seated as strategy:FILE.

    For example:

        pokerlab train equilibrium limit3p
        pokerlab train equilibrium nolimit2p-large --dry-run

    Parameters
    ----------
    name
        limit2p, nolimit2p, limit3p or nolimit2p-large.
    iterations
        Instead of the recipe's; a player with fewer than that stays in the run's directory.
    threads
        Of recipes that sample deals; one a core when not given.
    dry_run
        Say what it would cost in time, memory and disk, with the configuration for `python -m pokerlab.run`.
    """
    from pokerlab.agents.equilibrium_training import Training, train, training_cost

    training = Training(name, iterations, threads)
    if dry_run:
        _say_cost(name, training_cost(training), out or training.directory, as_json=as_json)
        return
    with looks_shown(training.config.iterations, None) as report:
        done = train(training, out, report=report)
    if as_json:
        print_json({**done.summary, "player": name, "path": str(done.path), "installed": done.installed})
    else:
        _say(name, done)


def _say(name: str, done: TrainedStrategy) -> None:
    found, out = done.summary, console()
    out.print(f"{found['iterations']:,} iterations in {duration(found['seconds'])}")
    if found["exploitability"] is not None:
        milli = found["exploitability"] / found["big_blind"] * 1000
        out.print(f"exploitability {milli:.3g} mbb_per_hand inside its abstraction, before it is rounded to 8 bits")
    seat = f"equilibrium:{name}" if done.installed else f"strategy:{done.path}"
    say(f"kept in {done.path}; {how_to_play(seat)}")


def _say_cost(name: str, cost: Cost, directory: Path, *, as_json: bool) -> None:
    from pokerlab.agents.recipes import recipe

    wanted = recipe(name)
    if as_json:
        print_json({"player": name, "config": wanted.config, "note": wanted.note, "estimate": cost.data()})
        return
    out = console()
    sizes = wanted.sizes or "those of the game"
    out.print(f"{wanted.rules.name}, bets {sizes}, cards {wanted.cards}, {wanted.algorithm} on {wanted.engine}")
    out.print(f"cites {wanted.cites}", markup=False)
    if building := cost.counts["buckets_seconds"]:
        out.print(f"building {wanted.cards} first: about {duration(building)} of the time")
    out.print(f"on this machine: {cost}; kept in {directory}", soft_wrap=True)
    out.print(f"elsewhere: {wanted.note}", markup=False)


@app.command
def sized(
    first: Path,
    second: Path,
    /,
    *,
    cards: str | None = None,
    algorithm: str | None = None,
    iterations: Count | None = None,
    threads: int | None = None,
    seed: Seed = 7,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Make a player of the bet sizes that `pokerlab bets` found for each seat, and say what it is worth.

    Two solves: in the first game player 0 has its found sizes and player 1 those of the opponent it was sized against,
    in the second it is the other way round. The player takes from each the strategy of the seat with found sizes
    (Hawkin 2014, sections 5.9 and 7.6). Stop it at any moment; the same command goes on from its checkpoint.

    For example:

        pokerlab bets nolimit2p --cards pr5 --player 0 --out runs/bets-0
        pokerlab bets nolimit2p --cards pr5 --player 1 --out runs/bets-1
        pokerlab train sized runs/bets-0 runs/bets-1 --out runs/player
        pokerlab match --game nolimit2p --agents strategy:runs/player,equilibrium:nolimit2p --duplicate --aivat

    Parameters
    ----------
    first
        Sizes of player 0 (in hold'em the big blind): a directory of `pokerlab bets`, or its sizes.bin.
    second
        Sizes of player 1.
    cards
        Instead of those the sizes were found with; larger ones are welcome, such as ir100.
    algorithm
        As in `pokerlab solve`; by default dcfr+ where no cards are forgotten, else external sampling, linear.
    iterations
        2,000 of each solve; where deals are sampled, of 1,024 deals each.
    threads
        Where deals are sampled; one a core when not given.
    """
    from pokerlab.systems.bets.player import SizedConfig, sized_player, train_seat

    player = sized_player(SizedConfig(first, second, cards, algorithm, iterations, threads, seed))
    directory = out or player.default_directory
    if dry_run:
        _say_sized_cost(player, directory, as_json=as_json)
        return
    seats = []
    for seat in (0, 1):
        with looks_shown(player.solve.iterations, None) as report:
            seats.append(train_seat(player, seat, directory, report=report))
    _say_sized(player, seats, directory, as_json=as_json)


def _say_sized(player: SizedPlayer, seats: Sequence[SolvedSeat], directory: Path, *, as_json: bool) -> None:
    from pokerlab.systems.bets.player import margin

    won = margin(seats)
    if as_json:
        each = [{"seat": s.seat, "path": str(s.path), "guarantee": s.guarantee, **s.summary} for s in seats]
        print_json({"player": f"strategy:{directory}", "margin": won, "units": "chips_per_hand", "seats": each})
        return
    out, milli = console(), 1000 / float(player.solve.rules.big_blind)
    for solved in seats:
        found, own = solved.summary, player.found[solved.seat]
        worth = ""
        if solved.guarantee is not None:
            low, high = sorted(milli * (1 - 2 * solved.seat) * bound for bound in found["bounds"])
            worth = f"; worth {low:+.2f} to {high:+.2f} mbb/hand, as kept at least {milli * solved.guarantee:+.2f}"
        say(
            f"seat {solved.seat}, sizes found against {own.opponent}: {found['pairs']:,} pairs, "
            f"{found['iterations']:,} iterations in {duration(found['seconds'])}{worth}"
        )
    if won is not None:
        out.print(f"over both seats it wins {milli * won[0]:+.2f} to {milli * won[1]:+.2f} mbb/hand from those sizes")
    say(how_to_play(f"strategy:{directory}"))


def _say_sized_cost(player: SizedPlayer, directory: Path, *, as_json: bool) -> None:
    from pokerlab.systems.bets.player import training_cost

    costs = training_cost(player)
    if as_json:
        print_json({"player": f"strategy:{directory}", "seats": [cost.data() for cost in costs]})
        return
    solve, out = player.solve, console()
    out.print(f"{solve.rules.name}, cards {solve.cards}, {solve.algorithm} on {solve.engine}")
    for seat, cost in enumerate(costs):
        pairs = f"{cost.counts['pairs']:,} pairs, {solve.iterations:,} iterations"
        out.print(f"seat {seat}: {pairs}: {cost}", soft_wrap=True)
    say(f"one after the other; to be kept in {directory}")
