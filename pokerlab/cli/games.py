"""`pokerlab games` and `pokerlab agents`: what there is to play, and who plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.cli.output import Json, console, print_json, table

if TYPE_CHECKING:
    from pokerlab.games.rules import Rules


Game = Annotated[
    str,
    Parameter(
        help="A game of the catalog (`pokerlab games`), as nolimit6p or with other stacks nolimit6p:40bb, or an ACPC "
        "game-definition file."
    ),
]
LogGame = Annotated[
    str | None,
    Parameter(help="The game of a log that does not name one: a catalog name (`pokerlab games`) or a definition file."),
]


def rules_of(name: str) -> Rules:
    """The game called `name` in the catalog, of the ACPC file at that path, or of the strategy that was kept there."""
    from pokerlab.policies.strategy_files import rules_called

    return rules_called(name)


def games(*, as_json: Json = False) -> None:
    """The games of the catalog, by the names the other commands take.

    For example:

        pokerlab games
        pokerlab games --json
    """
    from pokerlab.games.catalog import game, game_names

    found = [game(name) for name in game_names()]
    if as_json:
        print_json({"games": [_summary(rules) for rules in found]})
        return
    headings = ("game", "players", "betting", "blinds", "ante", "stack", "raises", "at most")
    shown = table(headings, [_row(_summary(rules)) for rules in found], words=8, plain=True, padding=(0, 1, 0, 0))
    for column in shown.columns:  # a name with a hole in it, at 80 columns, cannot be typed into another command
        column.no_wrap = True
    console().print(shown)
    print("raises: by how much, on early and late streets; at most: how many on a street")


def _row(summary: dict[str, object]) -> list[str]:
    """Cells for the terminal: seats that post nothing are left out, and what repeats from street to street."""
    cells = {key: "-" if value is None else str(value) for key, value in summary.items()}
    posts = cells["blinds"].split()
    while posts[-1] == "0":
        posts.pop()
    cells["blinds"] = " ".join(posts)
    cells["raise sizes"] = " ".join(dict.fromkeys(cells["raise sizes"].split()))
    caps = cells["raises a street"].split()
    cells["raises a street"] = caps[0] if len(set(caps)) == 1 else " ".join(caps)
    return list(cells.values())


def _summary(rules: Rules) -> dict[str, object]:
    from math import inf

    sizes = [street.raise_size for street in rules.streets]
    caps = [street.max_raises for street in rules.streets]
    return {
        "game": rules.name,
        "players": rules.n_seats,
        "betting": rules.limits,
        "blinds": " ".join(map(str, rules.blinds)) if any(rules.blinds) else None,
        "antes": rules.antes[0] or None,
        "stack": None if rules.stacks[0] == inf else rules.stacks[0],
        "raise sizes": " ".join(map(str, sizes)) if any(sizes) else None,
        "raises a street": " ".join("any" if cap is None else str(cap) for cap in caps),
    }


def agents(*, as_json: Json = False) -> None:
    """The agents of the lab, by the names the other commands take; `py:module:Class` is one of yours.

    For example:

        pokerlab agents
        pokerlab agents --json
    """
    from pokerlab.agents.registry import AGENTS

    if as_json:
        entries = AGENTS.items()
        found = [{"name": name, "summary": e.summary, "variants": e.variants, "cites": e.cites} for name, e in entries]
        print_json({"agents": found})
        return
    rows = [(name, ", ".join(entry.variants), entry.summary, entry.cites) for name, entry in AGENTS.items()]
    console().print(table(("agent", "variants", "what it does", "cites"), rows, words=4))
    console().print(
        "A variant is named as in rulebot:tight; py:module:Class is a class of yours, acpc://HOST:PORT a program that "
        "joins there, strategy:FILE a strategy that `pokerlab solve` kept; weights:, model: and exploiter:DIRECTORY "
        "are what `train connectionist`, `fit` and `exploit` made, and name@FILE starts from saved memory.",
        markup=False,
    )
