"""`pokerlab spot`: a decision of a played hand, ready to be solved."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from pokerlab.answers import Answer
from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Json, print_answer
from pokerlab.errors import FileError, PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.games.history import HandHistory
    from pokerlab.games.protocols import Policy
    from pokerlab.games.rules import Rules


def spot(
    place: Annotated[
        Path, Parameter(name="HAND", help="A file of hands (.parquet, .log, .phh, .phhs, .txt) or a run directory.")
    ],
    /,
    *,
    hand: Annotated[int, Parameter(help=TERMS["hand"])] = 1,
    street: Annotated[
        Literal["flop", "turn", "river"] | None,
        Parameter(help=meaning("street", "Default: the last one reached by two players with chips left.")),
    ] = None,
    ranges_from: Annotated[
        str,
        Parameter(
            help="Source of both ranges: charts, charts:FILE, or a player with a known policy, such as "
            "equilibrium:NAME or strategy:DIR."
        ),
    ] = "charts",
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Extract a spot from a played hand, ready to be solved: board, pot, stacks, and both players' ranges.

    A spot is the start of a street with two players left. Ranges are derived from each player's earlier actions. The
    default preflop charts were solved by `pokerlab solve preflop`; --ranges-from charts:FILE reads your own. If ranges
    come from a strategy, they are narrowed on every street.

    For example:

        pokerlab spot session.txt --hand 3
        pokerlab spot docs/example-hand.phh --street turn --json
        pokerlab spot match.log --ranges-from equilibrium:nolimit2p
        pokerlab spot session.txt --ranges-from charts:mine.json
    """
    from pokerlab.games.actions import chips_words
    from pokerlab.people.hand_spots import spot_of_hand
    from pokerlab.web.hand_walks import hand_at

    played, _ = hand_at(place, hand, rules_of(game) if game else None)
    policy = _policy(ranges_from, played.rules)
    begins = spot_of_hand(played, policy, street=street)
    pot, stack = chips_words(begins.pot), chips_words(begins.stack)
    words = ["--board", begins.board, "--ranges", " | ".join(begins.ranges), "--pot", pot, "--stack", stack]
    command = shlex.join(["pokerlab", "solve", "subgame", *words])
    held = [f"{name}: {text}" for name, text in zip(begins.names, begins.ranges, strict=True)]
    answer = Answer(
        f"{begins.street} {begins.board}, pot {pot}, {stack} behind",
        lines=(*held, *_source(policy, played), f"to solve it: {command}"),
        data={"file": str(place), "hand": hand, "from": ranges_from, **begins.data(), "command": command},
    )
    print_answer(answer, as_json=as_json)


def _source(policy: Policy, hand: HandHistory) -> list[str]:
    from pokerlab.policies.solved_charts import SolvedCharts

    if not isinstance(policy, SolvedCharts):
        return []
    return [f"ranges: charts {policy.book(hand.rules).source}"]


def _policy(text: str, rules: Rules) -> Policy:
    from pokerlab.games.protocols import Policy
    from pokerlab.players.registry import resolve
    from pokerlab.players.sources import seated_agent
    from pokerlab.policies.solved_charts import SOLVED_CHARTS, charts_of

    if text == "charts":
        return SOLVED_CHARTS
    if text.startswith("charts:"):
        path = Path(text.removeprefix("charts:"))
        try:
            return charts_of(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise FileError(f"cannot read charts from {path}: {error.strerror}") from error
        except (UnicodeDecodeError, PokerlabError) as error:
            raise FileError(f"{path}: {error}") from error
    policy = seated_agent(resolve(text, rules))
    if not isinstance(policy, Policy):
        raise PokerlabError(f"{text} has no policy for every hand; use charts, equilibrium:NAME or strategy:DIR")
    return policy
