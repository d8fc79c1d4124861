"""`pokerlab reveal`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Json, print_answer, progress, tell_problems
from pokerlab.runs.vocabulary import TERMS


def reveal(
    session: Annotated[Path, Parameter(name="SESSION")],
    /,
    *,
    hero: str,
    model: Annotated[
        str | None,
        Parameter(help=f"{TERMS['model']} Default: everybody plays like `connectionist`, trained by self-play."),
    ] = None,
    last: int = 10,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Report what each opponent probably held in the hands of a session, from their actions.

    Every hand that an opponent may have held is weighted by the probability that the model would have acted as he did.
    Where he showed his cards, the report adds their probability, and how much better than a blind guess that is.

    For example:

        pokerlab reveal session.txt --hero Hero --model runs/model
        pokerlab reveal match.log --hero ann --last 3

    Parameters
    ----------
    session
        A file of limit hold'em.
    hero
        The player whose cards are known and whose opponents are revealed.
    last
        Number of hands printed, the last ones; --json has all.
    """
    from pokerlab.people.revealing import reveal_session

    with progress("weighing hands") as report:
        found = reveal_session(session, hero, model=model, rules=rules_of(game) if game else None, report=report)
    tell_problems(found.problems)
    print_answer(found.answer(last), as_json=as_json)
