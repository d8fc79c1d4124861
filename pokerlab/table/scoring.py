"""Rankings of a tournament in addition to total bankroll: bankroll instant run-off and series.

- **Total bankroll** rewards winning the most from all opponents, including weak players.
- **Bankroll instant run-off**: the agent with the lowest bankroll is removed, bankrolls are recomputed over the tables
  of the remaining agents, and so on. It rewards agents that lose to no opponent.
- **Series**: one point for every opponent that won less than the agent over all the hands they played together, half a
  point for a draw. The amounts do not count.

References
----------
Hawkin (2014), section 3.6 and figure 5.7. Sweeney (2012), section 3.2.1, describes the same run-off.
"""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.estimates import Estimate
from pokerlab.table.tournament import TournamentResult


@dataclass(frozen=True)
class RunOffRound:
    """One round of the run-off: the winnings per hand of each remaining agent, and the agent that is removed."""

    scores: dict[int, Estimate]
    out: int
    gap: Estimate  # paired difference from the agent ranked before it


@dataclass(frozen=True)
class RunOff:
    """All rounds of the run-off, and the agents from the winner to the first one removed."""

    rounds: tuple[RunOffRound, ...]
    ranking: tuple[int, ...]


@dataclass(frozen=True)
class SeriesScore:
    """Points for opponents beaten, and the number of significant wins, out of all opponents played."""

    points: float
    n_significant: int
    n_opponents: int


def run_off(result: TournamentResult) -> RunOff:
    """Remove the worst agent repeatedly, until one agent is left, or too few agents to fill a table. Those are ranked
    as in the last round."""
    left = set(range(len(result.names)))
    rounds: list[RunOffRound] = []
    standing = list(result.ranking)
    gone: list[int] = []
    while len(left) >= max(2, result.plan.rules.n_seats):
        tables_of = {
            agent: [t for t in result.tables_of(agent) if set(result.plan.tables[t]) <= left] for agent in left
        }
        if not all(tables_of.values()):
            break  # with randomly drawn tables, an agent has no table left
        chips = {agent: result.chips(agent, tables) for agent, tables in tables_of.items()}
        unseen = {agent: result.unseen(tables) for agent, tables in tables_of.items()}
        scores = {agent: result.estimated(chips[agent], unseen[agent]) for agent in sorted(left)}
        # Ties keep the order of the previous round, which in the first round is that of the total bankroll.
        standing = sorted((agent for agent in standing if agent in left), key=lambda agent: -scores[agent].mean)
        *_, before, out = standing
        gap = result.estimated(chips[out] - chips[before], unseen[out] + unseen[before])
        rounds.append(RunOffRound(scores, out, gap))
        left.remove(out)
        gone.append(out)
    ranking = [agent for agent in standing if agent in left] + gone[::-1]
    return RunOff(tuple(rounds), tuple(ranking))


def series(result: TournamentResult) -> tuple[SeriesScore, ...]:
    """Points of every agent against every opponent it played."""
    n = len(result.names)
    scores = []
    for one in range(n):
        met = [other for other in range(n) if other != one and result.tables_of(one, other)]
        gaps = []
        for other in met:
            tables = result.tables_of(one, other)
            gap = result.chips(one, tables) - result.chips(other, tables)
            gaps.append(result.estimated(gap, 2 * result.unseen(tables)))
        points = sum(1.0 if gap.mean > 0 else 0.5 if gap.mean == 0 else 0.0 for gap in gaps)
        scores.append(SeriesScore(points, sum(gap.significant and gap.mean > 0 for gap in gaps), len(met)))
    return tuple(scores)
