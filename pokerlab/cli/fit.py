"""`pokerlab fit`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from pokerlab.cli.games import LogGame
from pokerlab.cli.output import Count, DryRun, Json, Seed, console, followed, print_json, say, say_cost
from pokerlab.cli.playing import Out, Workers, how_to_play
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.people.judging import Judgement

SHOWN_PLAYERS = 20


def fit(
    *histories: Annotated[str, Parameter(name="HISTORIES")],
    types: int = 8,
    rounds: int = 8,
    passes: int = 2,
    most_hands: Count = 20_000,
    rate: float = 0.02,
    weigh: Literal["decisions", "stakes"] = "decisions",
    seed: Seed = 7,
    game: LogGame = None,
    workers: Workers = None,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Make a player that plays like those in some hand histories: a model of a population (Sweeney 2012, chapter 6).

    Reads limit hold'em for 2 to 10 players: PHH, ACPC logs, PokerStars, the IRC database, runs of `match`. Cards that
    nobody saw are imputed. Players are told apart by types, of which each file is taken to be one match. A fifth of
    the hands is held out, and the report says how well the model predicts them. The same command goes on with a fit
    that was stopped. It plays as model:DIRECTORY. It needs JAX: pip install 'pokerlab[jax]'.

    For example:

        pokerlab fit session.txt --out runs/model
        pokerlab fit irc/199504 --types 1 --rounds 12
        pokerlab fit runs/population/hands --weigh stakes --out runs/stakes
        pokerlab fit runs/population/hands --dry-run
        pokerlab match --game limit6p --agents model:runs/model,poki,caller --hands 600

    Parameters
    ----------
    histories
        Files and directories.
    types
        Player-types; 1 is none.
    rounds
        Times that cards are imputed and learnt from; as many again with types.
    passes
        Over the hands in every round.
    most_hands
        That a round draws cards for and learns from; with all of them a round is quicker if there is memory for it.
    rate
        Learning rate (Adam).
    weigh
        What counts in learning: every decision alike, or as much as there is in the pot, so that types tell apart what
        players do when much is at stake.
    """
    from pokerlab.people.fitting import FitSettings
    from pokerlab.people.population_fit import (
        CODE,
        KIND,
        HistorySource,
        config_of,
        default_directory,
        described,
        fit_cost,
        run_fit,
    )
    from pokerlab.runs.directory import open_run
    from pokerlab.runs.steps import interrupts_noted

    if not histories:
        raise PokerlabError("name at least one file or directory of hands (see pokerlab fit --help)")
    settings = FitSettings(
        player_types=types,
        rounds=rounds,
        typed_rounds=rounds,
        passes=passes,
        most_hands=most_hands,
        rate=rate,
        weigh=weigh,
        seed=seed,
    )
    source = HistorySource(histories, game or "")
    path = out or default_directory(source, settings)
    if dry_run:
        records = source.read(workers=workers)
        say_cost(f"a fit to {records.n_hands:,} hands", fit_cost(records, settings), as_json=as_json, path=str(path))
        return
    with (
        open_run(path, KIND, config_of(source, settings), code=CODE) as run,
        interrupts_noted() as stopped,
        followed() as show,
    ):
        found = run_fit(
            run,
            source,
            settings,
            workers=workers,
            reading=lambda done, total: show("reading", done, total),
            report=lambda done, total, row: show(described(row), done, total),
            stopped=stopped,
        )
    if as_json:
        print_json({"path": str(path), "settings": settings.data(), **found.data()})
        return
    _show(found)
    say(how_to_play(f"model:{path}", "limit6p"))


def _show(found: Judgement) -> None:
    from rich.table import Table

    out = console()
    out.print(f"{found.hands:,} held-out hands, {found.decisions:,} decisions")
    table = Table("", "nats a decision", "likelier than action counts")
    for name, number in found.likelihood.items():
        gain = found.gains.get(name)
        better = "" if gain is None else f"{gain.mean:+.4f} ± {gain.half_width:.4f}"
        table.add_row(name, f"{number.mean:.4f}", better)
    out.print(table)
    said = Table("the observer said", "it was done", "n", title="Calibration")
    for row in found.calibration:
        said.add_row(f"{row['said']:.1%}", f"{row['taken']:.1%}", f"{row['n']:,}")
    out.print(said)
    if len(found.types) > 1:
        out.print(_types(found.types))
        out.print(f"A type is worth {found.type_bits[0]:.2f} bits; {found.type_bits[1]:.2f} are left after a match.")
        out.print(_players(found.players))
        if len(found.players) > SHOWN_PLAYERS:
            out.print(f"and {len(found.players) - SHOWN_PLAYERS:,} more, in report.json")


def _players(players: Sequence[Mapping[str, Any]]) -> object:
    """Those with most hands, and the likeliest type of each."""
    from rich.markup import escape
    from rich.table import Table

    who = Table("player", "hands", "type", "chance", title="Players by type")
    for player in sorted(players, key=lambda each: -each["hands"])[:SHOWN_PLAYERS]:
        best = max(range(len(player["types"])), key=lambda kind: player["types"][kind])
        who.add_row(escape(player["name"]), f"{player['hands']:,}", str(best), f"{player['types'][best]:.0%}")
    return who


def _types(types: list[dict[str, Any]]) -> object:
    from rich.table import Table

    table = Table("type", "share", "before the flop", "later", title="Types: fold / call / raise")
    for row in types:
        cells = [" / ".join(f"{share:.0%}" for share in row["actions"][when].values()) for when in row["actions"]]
        table.add_row(str(row["type"]), f"{row['share']:.0%}", *cells)
    return table
