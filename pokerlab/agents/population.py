"""A population of players: kinds with their shares, and who of them meets at a table.

Sweeney's population (2012, section 6.5) was the bots of a commercial program, which is not available. Ours has 24
formula players, 5 static ones and 4 that simulate. He drew a kind for every match, 5:3:2, and its members for the
seats; that a kind is drawn for every seat is a second reading, in which a table is mixed.

>>> draw_table(7, 0)
('poki:hawk', 'poki:gambler', 'poki:regular', 'poki:trapper', 'poki:grinder', 'poki:student')
>>> draw_table(7, 2, by="seat")
('simbot:lynx', 'formula:passive', 'simbot:owl', 'poki:drifter', 'poki:mouse', 'poki:regular')
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from pokerlab.agents.registry import FORMULA_PERSONALITIES, POKI_PERSONALITIES, SIMBOT_PERSONALITIES
from pokerlab.rng import stream

By: TypeAlias = Literal["match", "seat"]
GAME, HANDS, SEATS = "limit6p", 120, 6
KINDS: dict[str, tuple[int, tuple[str, ...]]] = {
    "formula": (5, tuple(f"poki:{name}" for name in POKI_PERSONALITIES)),
    "static": (3, tuple(f"formula:{name}" for name in FORMULA_PERSONALITIES)),
    "simulation": (2, tuple(f"simbot:{name}" for name in SIMBOT_PERSONALITIES)),
}
"""kind -> (its share, its members)."""


def draw_table(seed: int, number: int, by: By = "match") -> tuple[str, ...]:
    """Six members of match `number`: kinds are drawn by their shares, for the match or for each seat."""
    rng = stream(seed, "population", *(() if by == "match" else (by,)), number)
    shares = np.array([share for share, _ in KINDS.values()], dtype=float)
    kinds = [members for _, members in KINDS.values()]
    drawn = rng.choice(len(kinds), size=None if by == "match" else SEATS, p=shares / shares.sum())
    if by == "match":
        members = kinds[int(drawn)]
        return tuple(str(name) for name in rng.choice(list(members), size=SEATS, replace=len(members) < SEATS))
    return tuple(str(rng.choice(list(kinds[kind]))) for kind in drawn)
