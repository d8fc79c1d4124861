"""`pokerlab tables`: list strength tables, build and check them, measure sets of flops."""

from __future__ import annotations

from typing import Any

from cyclopts import App

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Json, print_answer
from pokerlab.cli.requested import command

app = App(
    name="tables",
    help="""The strength tables: list them, build the optional one, check them; flops that
represent all flops.

The table for the flop ships with pokerlab. The one for the turn is optional and
saved in the cache directory (POKERLAB_CACHE); without it the same numbers are
computed.

For example:

    pokerlab tables list
    pokerlab tables build --dry-run
    pokerlab tables build
    pokerlab tables check
    pokerlab tables flops""",
)

app.command(command("tables build"), name="build")
app.command(command("tables flops"), name="flops")


@app.command(name="list")
def list_tables(*, as_json: Json = False) -> None:
    """List the strength tables and their files."""
    tables = _tables()
    rows = tuple(
        (each["street"], "present" if each["present"] else "not built", f"{each['bytes'] / 1e6:.1f} MB", each["path"])
        for each in tables
    )
    table = AnswerTable(("table", "state", "size", "file"), rows, words=4)
    print_answer(Answer(tables=(table,), data={"tables": tables}), as_json=as_json)


@app.command
def check(*, as_json: Json = False) -> None:
    """Verify the checksums of all installed tables; a damaged table is an error."""
    from pokerlab.cards.strength_tables import check_table

    checked = {table["street"]: check_table(table["street"]) for table in _tables() if table["present"]}
    lines = (f"{street:<5} good, made by pokerlab {it['version']}: {it['command']}" for street, it in checked.items())
    print_answer(Answer(lines=tuple(lines), data={"checked": checked}), as_json=as_json)


def _tables() -> list[dict[str, Any]]:
    from pokerlab.cards.strength_tables import N_BOARD_CARDS, table_bytes, table_path

    return [
        {"street": street, "path": str(path), "present": path.exists(), "bytes": table_bytes(street)}
        for street, path in ((street, table_path(street)) for street in N_BOARD_CARDS)
    ]
