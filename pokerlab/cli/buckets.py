"""`pokerlab buckets`: list card buckets, build them, show those of a hand."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Json, print_answer
from pokerlab.cli.requested import command
from pokerlab.runs.vocabulary import meaning

STREETS = ("pre-flop", "flop", "turn", "river")

app = App(
    name="buckets",
    help="""Card buckets of hold'em: list them, build others, show the bucket of a hand.

prN are N percentiles of strength a street, nested (perfect recall). irN are the
169 classes before the flop and N clusters of similar hands on each later street
(imperfect recall). pr5, ir100 and ir570 ship with pokerlab; others are built
into the cache directory (POKERLAB_CACHE).

For example:

    pokerlab buckets list
    pokerlab buckets show pr5 --hole AdQc --board 3h4cJh
    pokerlab buckets build ir1000 --dry-run
    pokerlab buckets build ir1000""",
)


app.command(command("buckets build"), name="build")


@app.command(name="list")
def list_buckets(*, as_json: Json = False) -> None:
    """List the available buckets and their files."""
    from pokerlab.abstraction.bucket_files import buckets_about, known_buckets

    listed = [{"path": str(path), **buckets_about(path)} for path in known_buckets().values()]
    rows = tuple((row["name"], " ".join(f"{n:,}" for n in row["n_cells"]), row["path"]) for row in listed)
    table = AnswerTable(("buckets", "cells by street", "file"), rows, words=3)
    print_answer(Answer(tables=(table,), data={"buckets": listed}), as_json=as_json)


@app.command
def show(
    name: Annotated[str, Parameter(help="Name of the buckets (`pokerlab buckets list`).")],
    /,
    *,
    hole: Annotated[str, Parameter(help="Two hole cards, such as AdQc.")] = "",
    board: Annotated[str, Parameter(help=meaning("board", "None, or three to five in order of dealing."))] = "",
    as_json: Json = False,
) -> None:
    """Show how buckets were made and, given a hand, its bucket on each street."""
    from pokerlab.abstraction.bucket_files import buckets, buckets_about, buckets_path
    from pokerlab.cards.card import cards

    made = buckets(name)
    shared = cards(board)
    seen = [shared[:n] for n in (0, 3, 4, 5) if n <= len(shared)]
    if shared and len(seen[-1]) != len(shared):
        seen.append(shared)  # a size that no street has, which `of_hand` refuses
    hand_cells = [made.of_hand(cards(hole), dealt) for dealt in seen] if hole else []
    labels = [made.label(street, cell) for street, cell in enumerate(hand_cells)]
    about = buckets_about(buckets_path(name))
    recall = "perfect" if made.perfect_recall else "imperfect"
    rows = tuple((STREETS[street], str(cell), labels[street]) for street, cell in enumerate(hand_cells))
    answer = Answer(
        f"{name}, {' '.join(f'{n:,}' for n in made.n_cells)} cells by street, {recall} recall",
        (AnswerTable(("street", "cell", "label"), rows, words=3),) if rows else (),
        (f"made by pokerlab {about['version']}: {about['command']}",),
        {**about, "cells": hand_cells, "labels": labels},
    )
    print_answer(answer, as_json=as_json)
