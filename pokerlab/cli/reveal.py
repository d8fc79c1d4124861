"""`pokerlab reveal`: probable cards of the opponents."""

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
        Parameter(help=f"{TERMS['model']} Default: all players play like `connectionist`, trained by self-play."),
    ] = None,
    last: int = 10,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Infer the probable cards of each opponent in the hands of a session from their actions.

    Every possible hand of an opponent is weighted by the probability that the model would have taken the same actions.
    If the opponent showed its cards, the report adds the probability it had assigned to them, and the gain over a blind
    guess.

    For example:

        pokerlab reveal session.txt --hero Hero --model runs/model
        pokerlab reveal match.log --hero ann --last 3

    Parameters
    ----------
    session
        A file of limit hold'em.
    hero
        The player whose cards are known. The hands of its opponents are revealed.
    last
        Number of last hands to print; --json has all.
    """
    from pokerlab.people.revealing import reveal_session

    with progress("weighing hands") as report:
        revealed = reveal_session(session, hero, model=model, rules=rules_of(game) if game else None, report=report)
    tell_problems(revealed.problems)
    print_answer(revealed.answer(last), as_json=as_json)
