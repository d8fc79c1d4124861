"""The shipped charts of solved preflop play, as a list for a page on which a user chooses by position.

For seats between an opener and the blinds, the page offers only their own opens. In the solve no seat behind them could
call, which distorts their responses to an open (see `policies.solved_charts`).

>>> [book] = chart_list()
>>> [(row["words"], row["share"]) for row in book["ranges"] if row["seat"] == "CO"][:3]
[('opens to 2.5 bb', 0.3063), ("calls BB's 3-bet", 0.0963), ("4-bets to 23 bb against BB's 3-bet", 0.0468)]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from pokerlab.cards.combos import N_COMBOS
from pokerlab.cards.ranges import parse_range
from pokerlab.policies.solved_charts import POSITIONS, ChartBook, shipped_books

RAISES = ("open", "3-bet", "4-bet", "5-bet")
"""Names of the raises before the flop, the first one first."""


@cache
def chart_list() -> list[dict[str, Any]]:
    """Every book of charts, with its source and its ranges by seat. A range has its text, the action in words, and its
    share of all hands."""
    return [
        {
            "source": book.source,
            "players": book.players,
            "stack": book.stack,
            "ranges": sorted(_ranges(book), key=lambda row: -POSITIONS.index(row["seat"])),
        }
        for book in shipped_books()
    ]


def _ranges(book: ChartBook) -> Iterator[dict[str, Any]]:
    for spot, chart in book.charts.items():
        *before, seat = spot.split(", ")
        raisers = [words.removesuffix(" raise") for words in before if words.endswith(" raise")]
        # left out, since nobody could call behind a raise
        of_two = len(raisers) == len(before) and len({*raisers, seat}) <= 2
        if not of_two or (len({*raisers, seat}) == 2 and not {"SB", "BB"} & {*raisers[1:], seat}):
            continue
        for action in ("call", "raise"):
            if text := chart.get(action):
                share = round(float(parse_range(text).sum()) / N_COMBOS, 4)
                size = "all-in" if chart.get("to") == book.stack else f"to {chart.get('to', 0):g} bb"
                yield {"seat": seat, "words": _words(raisers, action, size), "text": text, "share": share}


def _words(raisers: list[str], action: str, size: str) -> str:
    n = len(raisers)
    theirs = f"{raisers[-1]}'s {RAISES[n - 1]}" if raisers else ""
    if action == "call":
        return f"calls {theirs}"
    return f"{RAISES[n]}s {size}" + (f" against {theirs}" if theirs else "")
