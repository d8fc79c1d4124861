"""`pokerlab tables`: list, build, check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App

from pokerlab.cli.output import Flag, Json, console, print_json, progress, say

app = App(
    name="tables",
    help="""The strength tables: which there are, building the optional one, checking them.

The table for the flop ships with pokerlab. The one for the turn is optional and
kept in the cache directory (POKERLAB_CACHE); without it the same numbers are
computed.

For example:

    pokerlab tables list
    pokerlab tables build --dry-run
    pokerlab tables build
    pokerlab tables check""",
)

Street = Literal["flop", "turn"]


@app.command(name="list")
def list_tables(*, as_json: Json = False) -> None:
    """Say which tables there are, and where."""
    found = _found()
    if as_json:
        print_json({"tables": found})
        return
    for table in found:
        state = "present" if table["present"] else "not built"
        say(f"{table['street']:<5} {state:<10} {table['bytes'] / 1e6:6.1f} MB  {table['path']}")


@app.command
def build(
    *,
    street: Street = "turn",
    out: Path | None = None,
    threads: int | None = None,
    dry_run: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> None:
    """Compute a table; a build that was cut short goes on where it stopped.

    Parameters
    ----------
    street
        turn for the optional table, flop for the one that ships.
    out
        Where to write it; by default where pokerlab looks for it.
    threads
        By default as many as there are processors.
    dry_run
        Say what it would cost, and build nothing.
    """
    from pokerlab.cards import strength_tables as tables

    path = out or tables.table_path(street)
    answer: dict[str, Any] = {"street": street, "path": str(path), "bytes": tables.table_bytes(street)}
    if not dry_run:
        with progress(f"boards of the {street}") as report:
            tables.build_table(street, path, workers=threads, progress=report)
    if as_json:
        print_json({**answer, "built": not dry_run})
    else:
        verb = "would write" if dry_run else "wrote"
        console().print(f"{verb} {answer['bytes'] / 1e6:.1f} MB to {path}", soft_wrap=True)


@app.command
def check(*, as_json: Json = False) -> None:
    """Compare every table that is present with its checksums; a damaged one is an error."""
    from pokerlab.cards.strength_tables import check_table

    checked = {table["street"]: check_table(table["street"]) for table in _found() if table["present"]}
    if as_json:
        print_json({"checked": checked})
        return
    for street, about in checked.items():
        console().print(f"{street:<5} good, made by pokerlab {about['version']}: {about['command']}", soft_wrap=True)


def _found() -> list[dict[str, Any]]:
    from pokerlab.cards.strength_tables import N_BOARD_CARDS, table_bytes, table_path

    return [
        {"street": street, "path": str(path), "present": path.exists(), "bytes": table_bytes(street)}
        for street, path in ((street, table_path(street)) for street in N_BOARD_CARDS)
    ]
