"""`pokerlab demo`: the lab at work in half a minute, and a longer demonstration with a tournament."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from pokerlab.cli.output import console, say
from pokerlab.runs.vocabulary import meaning

RIVER = '--board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300'
STEPS = (
    ("How strong is a hand on this flop, and how may it improve?", "odds AdQc --board 3h4cJh"),
    ("How should this river be played?", f"solve subgame {RIVER} --picture {{out}}/river.png"),
    ("Who is the better player?", "match --agents poki,rulebot --hands 100 --duplicate --out {out}/match"),
)
"""(question, command that answers it)."""

TOURNAMENT = (
    (
        "How much does a near-equilibrium player win, with luck removed?",
        "match --game limit2p --agents equilibrium:limit2p,rulebot --hands 50 --duplicate --aivat --out {out}/aivat",
    ),
    ("Who is the best player?", "tournament --out {out}/tournament"),
)

Out = Annotated[Path, Parameter(help=meaning("out", "Pictures go there too."))]

ABOUT = """Show the lab at work: a hand's odds, a solved river with a picture, a match with error bars.

It takes about twenty seconds at first on two idle cores, most of it compiling, and then a few seconds.

For example:

    pokerlab demo
    pokerlab demo tournament"""

demo = App(name="demo", help=ABOUT, help_format="plaintext")


@demo.default
def first(*, out: Out = Path("runs/demo")) -> int:
    """Run a short demonstration of the lab."""
    status = _answer(STEPS, out)
    if not status:
        us = program_name(sys.argv[0])
        say(f"\nAll commands: {us} --help")
        say(f"Ten players against each other, in some minutes: {us} demo tournament")
        say("To play yourself, in a browser:")
        say(f"{us} play --web --against poki --open")
    return status


@demo.command
def tournament(*, out: Out = Path("runs/demo")) -> int:
    """Measure a near-equilibrium player with luck removed, then hold a tournament of ten players.

    For example:

        pokerlab demo tournament
    """
    return _answer(TOURNAMENT, out)


def _answer(steps: Sequence[tuple[str, str]], out: Path) -> int:
    """Run the commands one after another. Return the exit status of the first that fails, otherwise 0."""
    from pokerlab.cli import main

    out.mkdir(parents=True, exist_ok=True)
    for number, (question, line) in enumerate(steps, 1):
        command = line.format(out=out)
        console().print(f"\n[bold cyan]{number}. {question}[/]\n[dim]$ pokerlab {command}[/]", highlight=False)
        console().print("[dim]computing ..[/]\n")
        if status := main(shlex.split(command)):
            return status
    return 0


def program_name(program: str) -> str:
    """The command name to print in hints: what a user who ran `program` can type.

    >>> program_name(".venv/bin/pokerlab"), program_name("-c")
    ('.venv/bin/pokerlab', 'pokerlab')
    """
    return program if Path(program).name == "pokerlab" else "pokerlab"
