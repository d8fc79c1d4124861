"""`pokerlab buckets`: list, build, show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import App

from pokerlab.cli.output import DryRun, Flag, Json, console, print_json, progress

app = App(
    name="buckets",
    help="""Card buckets of hold'em: which there are, building others, where a hand falls.

prN are N percentiles of strength a street, nested (perfect recall). irN are the
169 classes before the flop and N clusters of like hands on each later street
(imperfect recall). pr5, ir100 and ir570 ship with pokerlab; others are built
into the cache directory (POKERLAB_CACHE).

For example:

    pokerlab buckets list
    pokerlab buckets show pr5 --hand AdQc --board 3h4cJh
    pokerlab buckets build ir1000 --dry-run
    pokerlab buckets build ir1000""",
)


@app.command(name="list")
def list_buckets(*, as_json: Json = False) -> None:
    """Say which buckets there are, and where."""
    from pokerlab.abstraction.bucket_files import buckets_about, known_buckets

    found = [{"path": str(path), **buckets_about(path)} for path in known_buckets().values()]
    if as_json:
        print_json({"buckets": found})
        return
    for each in found:
        cells = " ".join(f"{n:,}" for n in each["n_cells"])
        console().print(f"{each['name']:<6} {cells:<20} {each['path']}", soft_wrap=True)


@app.command
def build(
    name: str,
    /,
    *,
    boards: int = 200_000,
    all_boards: Annotated[bool, Flag] = False,
    seed: int = 1,
    threads: int | None = None,
    out: Path | None = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Build buckets where pokerlab finds them by name.

    Parameters
    ----------
    name
        pr2 .. pr10 or ir2 .. ir1981.
    boards
        prN: over how many seeded boards percentiles and pairs of hands are counted.
    all_boards
        prN: over every board instead.
    seed
        Decides the sampled boards, or the sample that clusters are fitted to.
    threads
        By default as many as there are processors. The result is the same.
    out
        Where to write; by default into the cache directory.
    """
    from pokerlab.abstraction.build_buckets import BucketsConfig, build_path

    config = BucketsConfig(name=name, boards=None if all_boards else boards, seed=seed, workers=threads)
    path, cost = build_path(name, out), config.cost
    answer: dict[str, Any] = {"name": name, "path": str(path), "built": not dry_run, "estimate": cost.data()}
    if not dry_run:
        with progress(f"building {name}") as report:
            config.build(path, report)
    if as_json:
        print_json(answer)
    elif dry_run:
        console().print(f"would write to {path}: {cost}", soft_wrap=True)
    else:
        console().print(f"wrote {path.stat().st_size / 1e6:.1f} MB to {path}", soft_wrap=True)


@app.command
def show(name: str, /, *, hand: str = "", board: str = "", as_json: Json = False) -> None:
    """Say how buckets were made and, of a hand, into which cell it falls on each street.

    Parameters
    ----------
    name
        pr5, or buckets that were built.
    hand
        Two hole cards, such as AdQc.
    board
        None, three, four or five cards in order of dealing.
    """
    from pokerlab.abstraction.bucket_files import buckets, buckets_about, buckets_path
    from pokerlab.cards.card import cards

    made = buckets(name)
    shared = cards(board)
    seen = [shared[:n] for n in (0, 3, 4, 5) if n <= len(shared)]
    if shared and len(seen[-1]) != len(shared):
        seen.append(shared)  # a size that no street has: refused below, by those who know
    found = [made.of_hand(cards(hand), dealt) for dealt in seen] if hand else []
    labels = [made.label(street, cell) for street, cell in enumerate(found)]
    about = buckets_about(buckets_path(name))
    if as_json:
        print_json({**about, "cells": found, "labels": labels})
        return
    recall = "perfect" if made.perfect_recall else "imperfect"
    console().print(f"{name}: {' '.join(f'{n:,}' for n in made.n_cells)} cells by street, {recall} recall")
    console().print(f"made by pokerlab {about['version']}: {about['command']}", soft_wrap=True)
    for street, (cell, label) in enumerate(zip(found, labels, strict=True)):
        console().print(f"{('pre-flop', 'flop', 'turn', 'river')[street]:<9} cell {cell:<5} {label}")
