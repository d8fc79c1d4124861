"""`pokerlab demo`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pokerlab.cli.output import console, say
from pokerlab.runs.vocabulary import meaning

STEPS = (
    ("How strong is a hand on this flop, and how may it improve?", "odds AdQc --board 3h4cJh"),
    ("How strong are all other hands?", "odds --grid --board 3h4cJh --picture {out}/hs-3h4cJh.png"),
    ("Who wins after an all-in?", 'equity AhKh QcQd "99+, AKs"'),
    (
        "How much does a near-equilibrium player win, with luck removed?",
        "match --game limit2p --agents equilibrium:limit2p,rulebot --hands 50 --duplicate --aivat --out {out}/match",
    ),
    ("Who is the best player?", "tournament --out {out}/tournament"),
)
"""(question, command that answers it)."""


def demo(*, out: Annotated[Path, Parameter(help=meaning("out", "Pictures go there too."))] = Path("runs/demo")) -> int:
    """Show the lab at work: a few commands and their answers, in about two minutes.

    For example:

        pokerlab demo
    """
    from pokerlab.cli import main

    out.mkdir(parents=True, exist_ok=True)
    for question, line in STEPS:
        command = line.format(out=out)
        console().print(f"\n[bold cyan]{question}[/]\n[dim]$ pokerlab {command}[/]\n", highlight=False)
        if status := main(shlex.split(command)):
            return status
    console().print("\n[dim]`pokerlab --help` lists all commands.[/] To play yourself, in a browser:")
    say(table_line(sys.argv[0]))
    return 0


def table_line(program: str) -> str:
    """The command that opens a table in a browser, for a user who ran pokerlab as `program`.

    >>> table_line(".venv/bin/pokerlab"), table_line("-c")
    ('.venv/bin/pokerlab play --web --against poki --open', 'pokerlab play --web --against poki --open')
    """
    us = program if Path(program).name == "pokerlab" else "pokerlab"
    return f"{us} play --web --against poki --open"
