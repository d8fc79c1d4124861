"""Prizes for matches in which stacks carry over: the prize equity of every player after a match.

A player without chips has finished. The first to finish takes the last place; of players that finish in the same hand,
the one that began it with more chips takes the better place, and with equal stacks they share the prizes of their
places. The players that still have chips divide the prizes of the first places by the independent chip model
(`table.icm`).

>>> after_match((100, 100, 100), np.array([[50, -50, 0], [50, -50, 0]]), (50, 30, 20)).round(2).tolist()
[43.33, 20.0, 36.67]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate
from pokerlab.games.actions import Chips
from pokerlab.games.rules import Rules
from pokerlab.table.icm import check_prizes, icm
from pokerlab.table.match import MatchPlan, MatchResult


def check_match_prizes(rules: Rules, prizes: Sequence[float], *, running: bool) -> None:
    """Refuse prizes for matches whose stacks do not carry over, and prizes that cannot be paid."""
    if not running:
        raise PokerlabError("prizes are paid by the stacks at the end of a match: add --running-stacks")
    if inf in rules.stacks:
        raise PokerlabError(f"{rules.name} is played without stacks; prizes take a game with stacks, such as nolimit3p")
    check_prizes([float(stack) for stack in rules.stacks], prizes)


def after_match(stacks: Sequence[Chips], chips: Floats, prizes: Sequence[float]) -> Floats:
    """`prize[player]` after hands with results `chips[hand, player]`, from the starting `stacks`."""
    start = np.array(stacks, dtype=np.float64)
    held = np.vstack([start, start + np.cumsum(chips, axis=0)])
    left = np.flatnonzero(held[-1] > 0)
    paid = np.zeros(len(start))
    paid[: len(prizes)] = prizes
    won = np.zeros(len(start))
    won[left] = (
        paid[0] if len(left) == 1 else [each.mean for each in icm(held[-1, left].tolist(), paid[: len(left)].tolist())]
    )
    last = {who: int(np.flatnonzero(held[:, who] > 0)[-1]) for who in range(len(start)) if who not in left}
    finished = sorted(
        (hand, held[hand, who], who) for who, hand in last.items()
    )  # the first player to finish comes first
    place = len(start)
    for _, group in groupby(finished, key=itemgetter(0, 1)):
        together = [who for *_, who in group]
        won[together] = paid[place - len(together) : place].mean()
        place -= len(together)
    return won


@dataclass(frozen=True)
class PrizeEquity:
    """Prize equity of a player: its mean over matches, its equity at the start, and the paired gain."""

    mean: Estimate
    start: float
    gain: Estimate

    def data(self) -> dict[str, Any]:
        """The equity as JSON values."""
        gain = {**self.gain.data(), "significant": self.gain.significant}
        return {**self.mean.data(), "start": self.start, "gain": gain}


def prize_equities(results: Sequence[MatchResult], prizes: Sequence[float]) -> list[PrizeEquity]:
    """Prize equity of each entrant; all seatings of a match form one independent unit."""
    by_number: dict[int, list[tuple[Floats, Floats]]] = {}
    for result in results:
        stacks = _starting(result.plan)
        start = np.array([each.mean for each in icm([float(stack) for stack in stacks], prizes)])
        by_number.setdefault(result.plan.number, []).append((after_match(stacks, result.chips, prizes), start))
    units = np.array(
        [np.mean(same, axis=0) for same in by_number.values()]
    )  # units[match, (after, at the start), entrant]
    method = "matches" if len(units) == len(results) else "match sets"
    return [
        PrizeEquity(
            estimate(after, units="prize", method=method),
            float(before.mean()),
            estimate(after - before, units="prize", method=method),
        )
        for after, before in zip(units[:, 0].T, units[:, 1].T, strict=True)
    ]


def _starting(plan: MatchPlan) -> tuple[Chips, ...]:
    """Starting stack of each entrant."""
    return tuple(plan.rules.stacks[plan.seating.index(entrant)] for entrant in range(len(plan.entrants)))
