"""The names of the card features in column order (`card_features` computes their values).

A name is a street and a path. A feature whose name continues another's, as `flop/pair/rank` continues `flop/pair`, can
only be on if that feature is on.

>>> PRIVATE_FEATURES[1], BOARD_NAMES[UNORDERED_RIVER][-1]
(Feature(name='pre-flop/pocket-pair/rank', kind='rank', most=13, printed=True), 'river-unordered/two-gaps')

References
----------
Sweeney (2012), appendix 9.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats32

STREETS = ("pre-flop", "flop", "turn", "river")
UNORDERED = "river-unordered"
HIGHEST_RANK = 13

# One feature a line: its kind (`flag`, `rank`, or the maximum of a count) and its name. A name that begins with a slash
# continues the last one that does not; `+` marks features that are missing from the published list.
_BOARD = {
    "flop": """
flag three
rank /rank
flag pair
rank /rank
rank /kicker
flag /above-kicker
flag no-pair
rank /hi-rank
rank /mid-rank
rank /lo-rank
flag three-flush
flag two-flush
flag no-flush
3 two-gaps
7 single-draws
3 double-draws
""",
    "turn": """
flag quads
rank three-kicker
flag /above-three
flag matches-pair
flag two-pair
rank pair-card
flag /above-pair
flag /above-kicker
flag matches-card
3 /which
rank no-pair-card
3 /flop-below
flag three-flush-same
flag three-flush-other
flag two-flush-same
flag two-flush-single
flag two-flush-other
flag no-flush-match
flag no-flush-fourth
2 one-gaps
3 singles-completed
1 doubles-completed
7 new-singles
3 new-doubles
1 doubled-singles
""",
    "river": """
rank quads-card
flag matches-three
flag three-matches-kicker
flag two-pair-matches
flag /hi-pair
rank three-card
flag /above-three
flag /above-kicker
flag matches-pair
rank two-pair-card
flag pair-matches-flop
flag pair-matches-turn
rank pair-card
flag /below-pair
2 /kickers-below
flag matches-flop
3 /which
flag matches-turn
rank no-pair-card
4 /board-above
flag flush
rank /bottom-rank
flag makes-four-flush
flag front-door-flush
flag back-door-flush
flag makes-three-flush
flag straight
2 one-gaps-of-singles
1 one-gaps-of-doubles
3 singles-completed
1 doubles-completed
3 new-singles-completed
1 new-doubles-completed
1 doubled-singles-completed
""",
    UNORDERED: """
flag quads
rank /kicker
flag full-house
rank /three-rank
rank /pair-rank
flag three
rank /rank
rank /hi-kicker
rank /lo-kicker
flag two-pair
rank /hi-rank
rank /lo-rank
rank /kicker
flag pair
rank /rank
rank /hi-kicker
rank /mid-kicker
rank /lo-kicker
rank no-pair-1
rank no-pair-2
rank no-pair-3
rank no-pair-4
rank no-pair-5
flag flush
rank /bottom-rank
flag four-flush
flag three-flush
flag straight
3 one-gaps
5 two-gaps
""",
}

_NO_PAIR = """
flag no-pair-board: set
rank /rank
{n} /which
flag no-pair-board: two-pair
rank /hi-rank
rank /lo-rank
{two_pair}
flag no-pair-board: pocket-pair
rank /rank
{n} /board-above
flag no-pair-board: pair
rank /rank
{n} /board-above
rank /kicker
{n} /kicker-board-above
flag no-pair-board: no-pair
rank /hi-rank
{n} /hi-board-above
rank /lo-rank
{n} /lo-board-above
"""

_PAIR = """
flag pair-board: quads
flag pair-board: full-pocket
flag pair-board: full-unpaired
{n} pair-board: higher-pocket-fulls
{n} pair-board: higher-unpaired-fulls
flag pair-board: trips
flag /above-pair
{n} /kickers-below
flag pair-board: pocket-pair
rank /rank
flag /above-pair
{n} /kickers-below
flag pair-board: paired-kicker
flag /above-pair
{n} /kickers-below
rank /unmatched
flag /unmatched-above-pair
{n} /unmatched-kickers-below
rank pair-board: hi-rank
rank pair-board: lo-rank
2 pair-board: above-pair
{rest}
"""

_PRIVATE = {
    "pre-flop": """
flag pocket-pair
rank /rank
rank hi-rank
rank lo-rank
flag suited
4 straights
""",
    "flop": f"""
flag three-board: quads
flag three-board: pocket-pair
rank /rank
rank three-board: hi-rank
rank three-board: lo-rank
flag pair-board: quads
flag pair-board: full-pocket
flag pair-board: full-unpaired
flag pair-board: trips
flag /above-pair
flag /above-kicker
flag pair-board: pocket-pair
rank /rank
flag /above-pair
flag /above-kicker
flag pair-board: paired-kicker
rank /unmatched
flag /unmatched-above-pair
flag /unmatched-above-kicker
rank pair-board: hi-rank
rank pair-board: lo-rank
2 pair-board: above-pair
2 pair-board: above-kicker
{_NO_PAIR.format(n=3, two_pair="3 /missing")}
flag three-flush: flush
8 /higher
flag three-flush: draw
9 /higher
flag two-flush: draw
9 /higher
flag two-flush: back-door-1
10 /higher
flag two-flush: back-door-2
10 /higher
flag no-flush: back-door
10 /higher
flag straight
2 /higher
2 one-gap-draw
flag single-draw
flag double-draw
3 higher-one-gaps
19 higher-two-gaps
2 shared-one-gap
3 shared-single
1 shared-double
4 back-door-draws
9 /higher
4 /shared-one-gap
10 /shared-single
5 /shared-double
3 singles-if-paired
2 doubles-if-paired
""",
    "turn": f"""
rank quads-board: hi-rank
flag three-board: quads
flag three-board: full
flag /kicker-above
rank /kicker
flag three-board: pocket-pair
flag /higher-full
rank /rank
rank three-board: hi-rank
rank three-board: lo-rank
2 three-board: above-kicker
flag two-pair-board: quads
flag /higher
flag two-pair-board: full
flag /higher
flag two-pair-board: pocket-pair
rank /rank
2 /pairs-below
flag two-pair-board: dead-pocket-pair
rank two-pair-board: hi-rank
2 /pairs-below
2 /pairs-below-lo
{_PAIR.format(n=2, rest="4 pair-board: above-kickers")}
{_NO_PAIR.format(n=4, two_pair="4 /board-below-hi" + chr(10) + "4 /board-below-lo")}
flag four-flush: flush
8 /higher
flag three-flush: flush
8 /higher
flag three-flush: draw
9 /higher
flag two-suits: front-door-draw
9 /higher
flag two-suits: back-door-draw
9 /higher
flag two-flush: draw
9 /higher
+flag one-gap-straight
+flag two-gap-straight
+3 higher-straights
+2 one-gap-draw
flag single-draw
flag double-draw
11 higher-one-gaps
24 higher-two-gaps
2 shared-one-gap
3 shared-flop-single
3 shared-new-single
1 shared-flop-double
1 shared-doubled-single
1 shared-new-double
""",
    "river": f"""
rank quads-board: best-kicker
flag full-board: quads
flag /higher
flag full-board: higher-full
flag three-board: quads
flag three-board: full
13 /higher
rank three-board: hi-rank
rank three-board: lo-rank
flag two-pair-board: quads
flag /higher
flag two-pair-board: full
3 /higher
flag two-pair-board: pocket-pair
rank /rank
flag /above-kicker
flag two-pair-board: kicker-pair
rank two-pair-board: hi-rank
{_PAIR.format(n=3, rest="5 pair-board: board-below-hi" + chr(10) + "5 pair-board: board-below-lo")}
{_NO_PAIR.format(n=5, two_pair="5 /board-below-hi" + chr(10) + "5 /board-below-lo").replace("/which", "/board-above")}
flag five-flush: in-play
7 /higher
flag four-flush: flush
8 /higher
flag three-flush: flush
8 /higher
flag one-gap-straight
flag two-gap-straight
2 higher-one-gaps
+4 higher-two-gaps
""",
}


class Feature(NamedTuple):
    """A feature's full name (street, then path), its kind (flag, rank or count), its maximum, and whether the published
    list has it."""

    name: str
    kind: str
    most: int
    printed: bool


def _read(street: str, text: str) -> Iterator[Feature]:
    last = ""
    for line in text.split("\n"):
        if line:
            kind, _, path = line.removeprefix("+").partition(" ")
            path = path.replace(": ", "/")
            last, path = (last, last + path) if path.startswith("/") else (path, path)
            most = {"flag": 1, "rank": HIGHEST_RANK}.get(kind) or int(kind)
            kind = "count" if kind.isdigit() else kind
            yield Feature(f"{street}/{path}", kind, most, printed=not line.startswith("+"))


def _columns(lists: dict[str, str]) -> tuple[tuple[Feature, ...], dict[str, slice]]:
    features: list[Feature] = []
    columns = {}
    for street, text in lists.items():
        first = len(features)
        features += _read(street, text)
        columns[street] = slice(first, len(features))
    return tuple(features), columns


BOARD_FEATURES, _board_columns = _columns(_BOARD)
PRIVATE_FEATURES, _private_columns = _columns(_PRIVATE)
BOARD_NAMES = tuple(feature.name for feature in BOARD_FEATURES)
PRIVATE_NAMES = tuple(feature.name for feature in PRIVATE_FEATURES)

BOARD_COLUMNS: tuple[slice, ...] = (slice(0, 0), *(_board_columns[street] for street in STREETS[1:]))
"""The columns of the features that a street adds, by street; a board has those of its street and earlier ones."""
UNORDERED_RIVER: slice = _board_columns[UNORDERED]
"""The columns of the 30 features that the action function uses instead on the river."""
PRIVATE_COLUMNS: tuple[slice, ...] = tuple(_private_columns[street] for street in STREETS)

BOARD_SCALE: Floats32 = np.array([feature.most for feature in BOARD_FEATURES], np.float32)
PRIVATE_SCALE: Floats32 = np.array([feature.most for feature in PRIVATE_FEATURES], np.float32)
"""The divisors that scale the columns to 0 .. 1."""
