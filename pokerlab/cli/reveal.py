"""`pokerlab reveal`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Json, console, print_json, progress, tell_problems
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.people.revealing import Guess

SHOWN = 3


def reveal(
    session: Annotated[Path, Parameter(name="SESSION")],
    /,
    *,
    hero: str,
    model: str | None = None,
    last: int = 10,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Say what each opponent probably held in the hands of a session, by what they did.

    Every hand that an opponent may have held is weighed by how likely the model would have done with it what he did.
    Where he showed his cards, their chance is told too, and how much better than a blind guess that is.

    For example:

        pokerlab reveal session.txt --hero Hero --model runs/model
        pokerlab reveal match.log --hero ann --last 3

    Parameters
    ----------
    session
        A file of limit hold'em.
    hero
        Whose cards are known, and whose opponents are looked at.
    model
        A model of `pokerlab fit`; otherwise everybody is taken for `connectionist`, which was trained by self-play.
    last
        How many hands are shown, the last ones; --json has all.
    """
    from pokerlab.estimates import estimate
    from pokerlab.notation.formats import read_hands
    from pokerlab.people.member import model_at
    from pokerlab.people.revealing import bits_gained, revealed
    from pokerlab.systems.connectionist.parameters import load_parameters
    from pokerlab.systems.connectionist.player import shipped_weights
    from pokerlab.systems.connectionist.population import alone
    from pokerlab.systems.connectionist.structure import playable
    from pokerlab.systems.connectionist.watcher import Watcher

    found = read_hands(session, rules_of(game) if game else None)
    tell_problems(found.problems)
    hands = [hand for hand in found.hands if playable(hand.rules)]
    if not any(hero in hand.names for hand in hands):
        names = sorted({name for hand in hands for name in hand.names})
        there = f"there are {', '.join(names[:8])}" if names else "it has no hands of limit hold'em"
        raise PokerlabError(f"{session}: nobody is called {hero!r}; {there}")
    which = model_at(model)[0] if model else alone(load_parameters(shipped_weights("connectionist"))[0])
    with progress("weighing hands") as told:
        guesses = revealed(Watcher(which), hands, hero, report=told)
    gained = bits_gained(guesses)
    known = estimate(gained, units="bits", method="hands that were shown") if len(gained) else None
    if as_json:
        score = None if known is None else known.data()
        print_json({"hero": hero, "bits_gained": score, "guesses": [each.data() for each in guesses]})
        return
    _show(guesses, last)
    if known is not None:
        console().print(f"cards that were shown: {known} better than a blind guess", markup=False)


def _show(guesses: Sequence[Guess], last: int) -> None:
    from rich.markup import escape
    from rich.table import Table

    shown = sorted({each.hand for each in guesses})[-last:]
    table = Table("hand", "player", "probably held", "showed")
    for guess in guesses:
        if guess.hand in shown:
            likely = ", ".join(f"{name} {chance:.0%}" for name, chance in guess.classes[:SHOWN])
            told = "" if guess.chance is None else f"{guess.held}, {guess.chance:.1%}"
            table.add_row(str(guess.hand), escape(guess.name), likely, told)
    console().print(table)
