"""Table 6-1 of Sweeney (2012): how a population plays at six-handed tables of its own members.

A match is 120 deals of limit hold'em between six members drawn for it; nobody remembers anything from match to match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import bare
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.players.population import GAME, HANDS, POPULATIONS, draw_table
from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match
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
AVERAGE, SPREAD = "average of the bots", "standard deviation between bots"
FEWEST_HANDS = 200  # of a bot that counts for the averages: fewer say more about luck than about style

RESULTS = ("hands", "won", "won_squared", "showdowns", "showdowns_won", "won_without_showdown", "folded_later")


class Styles:
    """Counts by member: `counts[member]` is in the order of `tally.COUNTS`, then of `RESULTS`."""

    def __init__(self) -> None:
        self.counts: dict[str, Floats] = {}

    def add(self, hand: HandHistory) -> None:
        """Count one hand."""
        found, betting = tally(hand, Betting.start(hand.rules)), hand.final.betting
        small_blind = float(min(blind for blind in hand.rules.blinds if blind))
        for seat, name in enumerate(hand.names):
            mine = found[seat * N_COUNTS : (seat + 1) * N_COUNTS]
            volunteered, stayed = bool(mine[AT["volunteered"]]), betting.in_hand(seat)
            won = float(hand.payoffs[seat]) / small_blind
            share = float(hand.payoffs[seat] + betting.spent[seat]) / float(betting.pot)
            showdown = betting.showdown and stayed
            later = (volunteered and stayed and not betting.showdown, volunteered and not stayed)
            row = self.counts.setdefault(name.partition("#")[0], np.zeros(N_COUNTS + len(RESULTS)))
            row += (*mine, 1, won, won**2, showdown, share if showdown else 0, *later)


def statistics(counts: Floats) -> dict[str, float]:
    """A member's numbers by the keys of `STATISTICS`."""
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


def styles_in_match(part: Mapping[str, int]) -> dict[str, list[float]]:
    """The counts of everyone in one match."""
    styles = Styles()
    seed, number = part["seed"], part["number"]
    plan = MatchPlan(GAME, draw_table(seed, number), HANDS, seed, number)
    play_match(plan, agent, on_hand=styles.add)
    return {name: row.tolist() for name, row in styles.counts.items()}


def summed(matches: Sequence[Mapping[str, Sequence[float]]]) -> dict[str, Floats]:
    """The counts of each member over all matches."""
    counts: dict[str, Floats] = {}
    for match in matches:
        for name, row in match.items():
            counts[name] = counts.get(name, np.zeros(len(row))) + np.array(row)
    return counts


def run(config: Config) -> Table:
    """Play the matches and describe the members."""
    counts = summed(config.do(styles_in_match, config.numbered(config.settings["matches"])))
    in_order = [name for _, names in POPULATIONS["published"].values() for name in names if name in counts]
    members = {name: statistics(counts[name]) for name in in_order}
    hands = {name: int(counts[name][N_COUNTS]) for name in members}
    by_member = {
        f"{STATISTICS[key]} of each bot": {name: bare(found[key], n=hands[name]) for name, found in members.items()}
        for key in ("vpip", "aggression", "at_showdown", "mean")
    }
    return Table.of({**_summary(members, hands), **by_member}, _notes(members, hands))


def _summary(members: Mapping[str, Mapping[str, float]], hands: Mapping[str, int]) -> Sections:
    known = [found for name, found in members.items() if hands[name] >= FEWEST_HANDS]
    average, spread = {}, {}
    for key, name in STATISTICS.items():
        values = np.array([found[key] for found in known])
        if len(values) > 1:
            average[name] = bare(float(values.mean()), n=len(values))
            spread[name] = bare(float(values.std(ddof=1)), n=len(values))
    return {AVERAGE: average, SPREAD: spread}


def _notes(members: Mapping[str, Mapping[str, float]], hands: Mapping[str, int]) -> tuple[str, ...]:
    known = [name for name in members if hands[name] >= FEWEST_HANDS]
    if not known:
        return ()
    ends = {key: sorted(known, key=lambda name: members[name][key]) for key in ("vpip", "aggression")}
    tight, loose = ends["vpip"][0], ends["vpip"][-1]
    passive, aggressive = ends["aggression"][0], ends["aggression"][-1]
    return (
        f"Tightest {tight} ({members[tight]['vpip']:.1f}%), loosest {loose} ({members[loose]['vpip']:.1f}%); "
        f"most passive {passive} ({members[passive]['aggression']:.2f}), "
        f"most aggressive {aggressive} ({members[aggressive]['aggression']:.2f}).",
        f"Averages are over the {len(known)} bots with {FEWEST_HANDS} hands or more, each counting alike.",
    )
