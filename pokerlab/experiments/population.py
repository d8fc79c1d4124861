"""The style statistics of a population whose members play each other at six-handed tables.

A match is 120 deals of limit hold'em between six members drawn for it; nobody remembers anything from match to match.

References
----------
Sweeney (2012), section 6.5 and Table 6-1: VP$IP 35.0% (between bots 8.1%), Fold% 28.4 (6.4), Ww/oSD 27.5 (5.1), W$SD
45.7 (3.8), AF 0.90 (0.35), over 375 matches of a population that is not available; this is the lab's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.agents.registry import POKI_PERSONALITIES, agent
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.rng import stream
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.tally import AT, N_COUNTS, tally

FORMULA = tuple(f"poki:{name}" for name in POKI_PERSONALITIES)
STATIC = ("rulebot", "rulebot:tight", "rulebot:loose", "rulebot:passive", "rulebot:aggressive")
HANDS = 120
GAME = "limit6p"


def draw_table(seed: int, number: int, groups: Sequence[tuple[float, Sequence[str]]]) -> tuple[str, ...]:
    """Six members of one match: a kind of player is drawn for the match by its share, then a member for each seat."""
    rng = stream(seed, "population", number)
    shares = np.array([share for share, _ in groups])
    members = groups[int(rng.choice(len(groups), p=shares / shares.sum()))][1]
    return tuple(str(name) for name in rng.choice(list(members), size=6, replace=len(members) < 6))


@dataclass
class Styles:
    """Counts by member: rows of `names`, columns of `tally.COUNTS`, and results."""

    counts: dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]

    @classmethod
    def empty(cls) -> Styles:
        return cls({})

    def add(self, hand: HandHistory) -> None:
        """Count one hand."""
        found = tally(hand, Betting.start(hand.rules))
        final = hand.final
        for seat, name in enumerate(hand.names):
            member = name.split("#")[0]
            row = self.counts.setdefault(member, np.zeros(N_COUNTS + 6))
            row[:N_COUNTS] += found[seat * N_COUNTS : (seat + 1) * N_COUNTS]
            volunteered = bool(found[seat * N_COUNTS + AT["volunteered"]])
            won = hand.payoffs[seat] > 0
            showdown = final.betting.showdown and final.betting.in_hand(seat)
            row[N_COUNTS:] += (
                1,
                float(hand.payoffs[seat]) / float(hand.rules.big_blind),
                showdown,
                showdown and won,
                volunteered and won and not final.betting.showdown,
                volunteered and not final.betting.in_hand(seat),
            )

    def merge(self, other: Styles) -> None:
        """Add another's counts."""
        for name, row in other.counts.items():
            self.counts[name] = self.counts.get(name, np.zeros_like(row)) + row

    def table(self) -> dict[str, dict[str, float]]:
        """Statistics by member, as shares and ratios."""
        return {name: _statistics(row) for name, row in sorted(self.counts.items())}


def _statistics(row: np.ndarray[tuple[int], np.dtype[np.float64]]) -> dict[str, float]:
    def of(name: str) -> float:
        return float(row[AT[name]])

    def streets(name: str) -> float:
        return float(sum(row[AT[f"{name}_{street}"]] for street in range(4)))

    hands, won, showdowns, showdowns_won, without_showdown, folded = (float(value) for value in row[N_COUNTS:])
    return {
        "hands": hands,
        "small_bets_per_hand": won / hands,
        "vpip": of("vpip") / hands,
        "pfr": of("pfr") / hands,
        "fold": folded / max(of("volunteered"), 1),
        "won_without_showdown": without_showdown / max(of("volunteered"), 1),
        "won_at_showdown": showdowns_won / max(showdowns, 1),
        "aggression_factor": (streets("bets") + streets("raises")) / max(streets("calls"), 1),
    }


def play_population(
    numbers: Sequence[int],
    *,
    seed: int,
    groups: Sequence[tuple[float, Sequence[str]]],
    report: Callable[[int], None] | None = None,
) -> Styles:
    """The styles shown in the matches with these numbers."""
    styles = Styles.empty()
    for number in numbers:
        plan = MatchPlan(GAME, draw_table(seed, number, groups), hands=HANDS, seed=seed, number=number)
        play_match(plan, agent, on_hand=styles.add)
        if report is not None:
            report(number)
    return styles
