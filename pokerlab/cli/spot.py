"""`pokerlab spot`."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from pokerlab.cli.explain import hand_at
from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Json, console, print_json, say
from pokerlab.errors import FileError, PokerlabError

if TYPE_CHECKING:
    from pokerlab.games.protocols import Policy
    from pokerlab.games.rules import Rules


def spot(
    place: Annotated[Path, Parameter(name="HAND")],
    /,
    *,
    hand: int = 1,
    street: Literal["flop", "turn", "river"] | None = None,
    ranges: str = "charts",
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """The spot of a hand that was played, ready to be solved: board, pot, stacks, and what both players may hold.

    It is the beginning of a street on which two players are left. Ranges follow from what each player did before. The
    usual charts are round numbers of ours for play before the flop; a strategy narrows ranges on every street.

    For example:

        pokerlab spot session.txt --hand 3
        pokerlab spot docs/example-hand.phh --street turn --json
        pokerlab spot match.log --ranges equilibrium:nolimit2p
        pokerlab spot session.txt --ranges charts:mine.json

    Parameters
    ----------
    place
        A file of hands (.parquet, .log, .phh, .phhs, .txt) or the directory of a run.
    hand
        Which of its hands, counted from 1.
    street
        Where the spot begins; by default the last street that two players with chips behind came to.
    ranges
        Who says what each player would do: charts, charts:FILE, or any player of ours that can be asked about a range,
        such as equilibrium:NAME or strategy:DIR.
    """
    from pokerlab.people.hand_spots import spot_of_hand

    told, _ = hand_at(place, hand, rules_of(game) if game else None)
    found = spot_of_hand(told, _policy(ranges, told.rules), street=street)
    words = ["--board", found.board, "--ranges", " | ".join(found.ranges), "--pot", str(found.pot)]
    command = shlex.join(["pokerlab", "solve", "subgame", *words, "--stack", str(found.stack)])
    if as_json:
        print_json({"file": str(place), "hand": hand, "from": ranges, **asdict(found), "command": command})
        return
    out = console()
    out.print(f"{found.street} {found.board}, pot {found.pot}, {found.stack} behind", highlight=False)
    for name, text in zip(found.names, found.ranges, strict=True):
        out.print(f"{name}: {text}", soft_wrap=True, highlight=False, markup=False)
    say(f"to solve it: {command}")


def _policy(text: str, rules: Rules) -> Policy:
    from pokerlab.games.protocols import Policy
    from pokerlab.players.registry import agent
    from pokerlab.policies.charts import USUAL_CHARTS, Charts

    if text == "charts":
        return USUAL_CHARTS
    if text.startswith("charts:"):
        path = Path(text.removeprefix("charts:"))
        try:
            return Charts.from_json(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise FileError(f"cannot read charts from {path}: {error.strerror}") from error
        except (UnicodeDecodeError, PokerlabError) as error:
            raise FileError(f"{path}: {error}") from error
    found = agent(text, rules)
    if not isinstance(found, Policy):
        raise PokerlabError(f"{text} cannot be asked what it does with every hand; charts and equilibrium:NAME can")
    return found
