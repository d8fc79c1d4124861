"""Populations of players: which kinds of players they have, in which shares, and who plays at a table.

Sweeney's population (2012, section 6.5) consisted of the bots of a commercial program, which is not available. Ours has
24 formula players, 5 static ones and 4 that simulate. Sweeney drew one kind of player for every match, with weights
5:3:2, and then members of that kind for the seats. The text may also mean that a kind is drawn for every seat, so that
tables are mixed; both are possible here.

The *characters* are a second population, whose members differ as much as pokerlab's fast players can: one never folds
and never raises, one acts at random, and one plays only good cards.

>>> draw_table(7, 0)
('poki:hawk', 'poki:gambler', 'poki:regular', 'poki:trapper', 'poki:grinder', 'poki:student')
>>> draw_table(7, 2, by="seat")
('simbot:lynx', 'formula:passive', 'simbot:owl', 'poki:drifter', 'poki:mouse', 'poki:regular')
>>> draw_table(7, 0, by="seat", population="characters")
('rulebot:tight', 'random:smallest', 'caller', 'caller', 'random:smallest', 'caller')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from pokerlab.players.registry import personalities
from pokerlab.rng import stream

By: TypeAlias = Literal["match", "seat"]
Population: TypeAlias = Literal["published", "characters"]
GAME, HANDS, SEATS = "limit6p", 120, 6


class PlayerKind(NamedTuple):
    """A kind of player: how often it is drawn, and its members."""

    share: int
    members: tuple[str, ...]


POPULATIONS: dict[Population, dict[str, PlayerKind]] = {
    "published": {
        "formula": PlayerKind(5, personalities("poki")),
        "static": PlayerKind(3, personalities("formula")),
        "simulation": PlayerKind(2, personalities("simbot")),
    },
    "characters": {
        "station": PlayerKind(1, ("caller",)),
        "gambler": PlayerKind(1, ("random:smallest",)),
        "rock": PlayerKind(1, ("rulebot:tight",)),
    },
}


def kind_of_table(names: Sequence[str], population: Population = "published") -> str:
    """Kind of the players at a table; "mixed" if there are several kinds.

    >>> kind_of_table(("simbot:owl", "simbot:lynx")), kind_of_table(("simbot:owl", "poki:rock"))
    ('simulation', 'mixed')
    """
    kinds = POPULATIONS[population].items()
    found = {kind for kind, of in kinds for name in names if name.partition("#")[0] in of.members}
    return found.pop() if len(found) == 1 else "mixed"


def draw_table(seed: int, number: int, by: By = "match", population: Population = "published") -> tuple[str, ...]:
    """Draw the six players of match `number`. Their kind is drawn once for the match, or (`by` "seat") for each
    seat."""
    names = (population,) if population != "published" else ()
    rng = stream(seed, "population", *names, *(() if by == "match" else (by,)), number)
    kinds = list(POPULATIONS[population].values())
    shares = np.array([kind.share for kind in kinds], dtype=float)
    drawn = rng.choice(len(kinds), size=None if by == "match" else SEATS, p=shares / shares.sum())
    if by == "match":
        members = kinds[int(drawn)].members
        return tuple(str(name) for name in rng.choice(list(members), size=SEATS, replace=len(members) < SEATS))
    return tuple(str(rng.choice(list(kinds[kind].members))) for kind in drawn)
