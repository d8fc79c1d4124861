"""`pokerlab population`."""

from __future__ import annotations

from typing import Literal

from pokerlab.cli.output import DryRun, Json, Seed, print_json, progress, say, say_cost
from pokerlab.cli.playing import Out, Workers


def population(
    *,
    matches: int = 375,
    by: Literal["match", "seat"] = "match",
    of: Literal["published", "characters"] = "published",
    seed: Seed = 7,
    workers: Workers = None,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Record short matches of a population of players, for models to be fitted to.

    A match is 120 deals of limit hold'em between six members, Poki-style, static and simulating ones 5:3:2 (Sweeney
    2012, section 6.5). Nobody remembers earlier matches. What a spectator saw is kept: actions, boards, and hands at a
    showdown.

    For example:

        pokerlab population --matches 375 --out runs/population
        pokerlab population --matches 20 --by seat --seed 1 --workers 2
        pokerlab population --of characters --by seat
        pokerlab fit runs/population/hands --out runs/model

    Parameters
    ----------
    matches
        How many; 375 are 45,000 deals.
    by
        Whether a kind is drawn for each match, as published, or for each seat.
    of
        The published population, or characters that differ as much as can be, each as often: caller, random:smallest
        and rulebot:tight.
    """
    from pokerlab.players.population_play import FOLDER, PopulationPlay, default_directory, opened, play_cost, record

    settings = PopulationPlay(matches, by, seed, of)
    path = out or default_directory(settings)
    if dry_run:
        say_cost(f"{matches:,} matches, {settings.hands:,} deals", play_cost(settings, workers), as_json=as_json)
        return
    with opened(settings, path) as run, progress("playing") as told:
        files = record(settings, run, workers=workers, report=told)
    if as_json:
        numbers = {"matches": matches, "deals": settings.hands, "by": by, "of": of, "seed": seed}
        print_json({**numbers, "path": str(path), "files": len(files)})
        return
    say(f"{settings.hands:,} deals in {len(files):,} matches are kept in {path / FOLDER}")
