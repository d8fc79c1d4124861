"""Playing styles of a population's members: counts of actions, and the statistics that describe a style.

References
----------
Sweeney (2012), section 6.5, Table 6-1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.units import units_per_chip
from pokerlab.table.tally import AT, N_COUNTS, tally

STATISTICS = {
    "mean": "mean, small blinds/hand",
    "deviation": "standard deviation, small blinds/hand",
    "vpip": "VP$IP, %",
    "fold": "Fold%",
    "without_showdown": "Ww/oSD, %",
    "at_showdown": "W$SD, %",
    "aggression": "AF",
}
RESULTS = ("hands", "won", "won_squared", "showdowns", "showdowns_won", "won_without_showdown", "folded_later")


class StyleCounts:
    """Counts over hands by member. `counts[member]` has the counts `tally.COUNTS`, followed by `RESULTS`."""

    def __init__(self) -> None:
        self.counts: dict[str, Floats] = {}

    def add(self, hand: HandHistory) -> None:
        counted, betting = tally(hand, Betting.start(hand.rules)), hand.final.betting
        scale = units_per_chip(hand.rules, "small_blinds_per_hand")
        for seat, name in enumerate(hand.names):
            mine = counted[seat * N_COUNTS : (seat + 1) * N_COUNTS]
            volunteered, stayed = bool(mine[AT["volunteered"]]), betting.in_hand(seat)
            won = float(hand.payoffs[seat]) * scale
            share = float(hand.payoffs[seat] + betting.spent[seat]) / float(betting.pot)
            showdown = betting.showdown and stayed
            later = (volunteered and stayed and not betting.showdown, volunteered and not stayed)
            row = self.counts.setdefault(name.partition("#")[0], np.zeros(N_COUNTS + len(RESULTS)))
            row += (*mine, 1, won, won**2, showdown, share if showdown else 0, *later)


def statistics(counts: Floats) -> dict[str, float]:
    """A member's statistics from its counts; the keys are those of `STATISTICS`."""
    of = {name: float(counts[place]) for name, place in AT.items()}
    of |= {name: float(value) for name, value in zip(RESULTS, counts[N_COUNTS:], strict=True)}
    hands, volunteered = of["hands"], max(of["volunteered"], 1)
    active = sum(of[f"{kind}_{street}"] for kind in ("bets", "raises") for street in range(4))
    mean = of["won"] / hands
    return {
        "mean": mean,
        "deviation": sqrt(max(of["won_squared"] / hands - mean**2, 0.0)),
        "vpip": 100 * of["vpip"] / hands,
        "fold": 100 * of["folded_later"] / volunteered,
        "without_showdown": 100 * of["won_without_showdown"] / volunteered,
        "at_showdown": 100 * of["showdowns_won"] / max(of["showdowns"], 1),
        "aggression": active / max(sum(of[f"calls_{street}"] for street in range(4)), 1),
    }


def summed_counts(matches: Sequence[Mapping[str, Sequence[float]]]) -> dict[str, Floats]:
    """The counts of each member over all matches."""
    counts: dict[str, Floats] = {}
    for match in matches:
        for name, row in match.items():
            counts[name] = counts.get(name, np.zeros(len(row))) + np.array(row)
    return counts
