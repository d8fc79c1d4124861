"""`pokerlab grid`, and the drawing of grids for other commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.answers import Answer, FixedLines
from pokerlab.cli.output import Json, print_answer, print_json
from pokerlab.runs.vocabulary import TERMS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Picture = Annotated[Path | None, Parameter(help=TERMS["picture"])]


def grid(
    hands: Annotated[
        str,
        Parameter(
            name="range", help="Items such as AhKh, AKs, AK, 99+, A5s-A2s, KQo:0.5, 15% or random, separated by commas."
        ),
    ],
    /,
    *,
    dead: Annotated[str, Parameter(help=TERMS["dead"])] = "",
    picture: Picture = None,
    as_json: Json = False,
) -> None:
    """Draw a range as the 13x13 grid of hands: pairs on the diagonal, suited above, off-suit below.

    A cell is the share of its hand class that is in the range.

    For example:

        pokerlab grid "99+, AKs, A5s-A2s, KQo:0.5"
        pokerlab grid 15% --picture range.png
    """
    from pokerlab.cards.card import cards
    from pokerlab.cards.ranges import parse_range, range_text, without_cards
    from pokerlab.pictures.grid import grid_of

    dead_cards = cards(dead)
    weights = without_cards(parse_range(hands), dead_cards)
    combos = float(weights.sum())
    values = grid_of(weights, dead=dead_cards)
    if as_json:
        print_json({"range": range_text(weights), "combos": combos, "grid": values})
    draw(
        values,
        title=f"Range {hands}",
        note=f"{combos:.6g} of 1326 combos",
        scale=(0, 1),
        picture=picture,
        silent=as_json,
    )


def draw(
    values: NDArray[np.float64],
    *,
    title: str,
    note: str = "",
    scale: tuple[float, float] | None = None,
    percent: bool = True,
    mark: int | None = None,
    picture: Path | None = None,
    silent: bool = False,
) -> None:
    """Print a grid in the terminal unless `silent`, and draw it to the file `picture`, if given."""
    from pokerlab.pictures.grid import grid_lines, save_grid

    if picture:
        save_grid(values, picture, title=title, note=note, scale=scale, percent=percent, mark=mark)
    if not silent:
        coloured = list(grid_lines(values, scale=scale, percent=percent, mark=mark))
        lines = FixedLines(lines=tuple(map(str, coloured)), coloured=lambda width: coloured)
        files = () if picture is None else (picture,)
        print_answer(Answer(title + (f", {note}" if note else ""), (lines,), files=files), as_json=False)
