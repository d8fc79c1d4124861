"""Tournaments: every agent plays every other, and several rules rank them.

In a game for n, every group of n agents plays at a table (heads-up: every pair), or with `max_tables` a random subset
of these tables in which every agent plays equally often. All tables are dealt the same cards, so a deal is one
independent unit for the whole tournament: averages over opponents, tables or seatings are taken within a deal first,
and every interval accounts for the shared cards. Since a tournament prints many numbers, its intervals are widened so
that all of them hold together 95 times in 100 (Bonferroni); among equal agents few results will be significant.

Rankings: the cross-table; total bankroll; bankroll instant run-off and series (`scoring`); ratings (`ratings`).

>>> from pokerlab.runs.workers import here
>>> plan = TournamentPlan("leduc", ("caller", "raiser", "folder"), hands=50, seed=7)
>>> result = play_tournament(plan, make="pokerlab.players.registry:agent", runner=here)
>>> result.cell(0, 1).mean == -result.cell(1, 0).mean, [result.names[i] for i in result.ranking]
(True, ['raiser', 'caller', 'folder'])

References
----------
Hawkin (2014), section 3.6, on the competition's total bankroll and run-off divisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, Literal

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.rng import stream
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Runner
from pokerlab.table.match import DEFAULT_HANDS, MatchPlan, MatchResult, plans
from pokerlab.table.matches import run_plans
from pokerlab.table.winnings import Sample, sample, with_unseen

Table = tuple[int, ...]  #: the agents at one table, by their index in the tournament, ascending


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament as data: `hands` deals at every table, in matches of at most `match_hands`."""

    game: str | Rules
    agents: tuple[str, ...]
    hands: int = DEFAULT_HANDS
    match_hands: int = DEFAULT_HANDS
    seed: int = 0
    duplicate: bool = True
    stacks: Literal["reset", "running"] = "reset"
    reveal: bool = False
    max_tables: int | None = None
    seconds: float | None = None  # for each decision, as in a `MatchPlan`

    def __post_init__(self) -> None:
        twice = {name for name in self.agents if self.agents.count(name) > 1}
        if twice:
            raise PokerlabError(f"{min(twice)} is entered twice")
        if len(self.agents) < self.rules.n_seats:
            raise PokerlabError(f"{self.rules.name} seats {self.rules.n_seats} players; {len(self.agents)} were named")
        if self.hands < 1:
            raise PokerlabError(f"a tournament needs at least one hand, not {self.hands}")
        fewest = -(-len(self.agents) // self.rules.n_seats)
        if self.max_tables is not None and self.max_tables < fewest:
            raise PokerlabError(f"{len(self.agents)} agents need at least {fewest} tables, not {self.max_tables}")

    @cached_property
    def rules(self) -> Rules:
        return game(self.game) if isinstance(self.game, str) else self.game

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Lineups of the tables."""
        n_agents, n_seats = len(self.agents), self.rules.n_seats
        if self.max_tables is None or self.max_tables >= comb(n_agents, n_seats):
            return tuple(combinations(range(n_agents), n_seats))
        return draw_tables(n_agents, n_seats, self.max_tables, self.seed)

    def matches(self) -> list[MatchPlan]:
        """Plans of all matches, those with the first deals first, so that an unfinished tournament treats all agents
        equally."""
        matches: list[MatchPlan] = []
        for table in self.tables:
            entrants = tuple(self.agents[i] for i in table)
            first = MatchPlan(
                self.game,
                entrants,
                self.match_hands,
                self.seed,
                stacks=self.stacks,
                reveal=self.reveal,
                seconds=self.seconds,
            )
            matches += plans(first, hands=self.hands, duplicate=self.duplicate)
        return sorted(matches, key=lambda plan: plan.number)


def draw_tables(n_agents: int, n_seats: int, n_tables: int, seed: int) -> tuple[Table, ...]:
    """Draw `n_tables` different tables so that agents play equally often; some may play once more than others.

    Agents are assigned to tables from a shuffled line; when it is used up, all agents are shuffled again.

    >>> tables = draw_tables(7, 3, 14, seed=0)
    >>> [sum(agent in table for table in tables) for agent in range(7)]
    [6, 6, 6, 6, 6, 6, 6]
    """
    rng = stream(seed, "tables")
    for _ in range(1000):  # a line that would repeat a table is dealt again
        drawn: dict[Table, None] = {}
        line: list[int] = []
        while len(drawn) < n_tables:
            table: list[int] = []
            while len(table) < n_seats:
                if not set(line) - set(table):
                    line += rng.permutation(n_agents).tolist()
                upcoming = next(agent for agent in line if agent not in table)
                line.remove(upcoming)
                table.append(upcoming)
            if tuple(sorted(table)) in drawn:
                break
            drawn[tuple(sorted(table))] = None
        if len(drawn) == n_tables:
            return tuple(drawn)
    raise PokerlabError(f"cannot draw {n_tables} different tables of {n_seats} from {n_agents} agents; play them all")


@dataclass(frozen=True)
class TournamentResult:
    """Result of a tournament. Agents are numbered as in the plan; `samples[t]` belongs to `plan.tables[t]`."""

    plan: TournamentPlan
    samples: tuple[Sample, ...]
    results: tuple[MatchResult, ...]
    units: str = "mbb_per_hand"

    @property
    def names(self) -> tuple[str, ...]:
        return self.plan.agents

    @property
    def method(self) -> str:
        """Kind of the independent units of every estimate."""
        return self.samples[0].method

    @property
    def hands_depend(self) -> bool:
        """Whether the units are match sets, because hands depend on each other at some table."""
        return any(result.hands_depend for result in self.results)

    @cached_property
    def n_compared(self) -> int:
        """Number of intervals that hold simultaneously: one for each agent and for each pair."""
        n = len(self.names)
        return n + comb(n, 2)

    def tables_of(self, *agents: int) -> list[int]:
        """Tables at which all of `agents` play."""
        return [t for t, table in enumerate(self.plan.tables) if set(agents) <= set(table)]

    def chips(self, agent: int, tables: Iterable[int]) -> Floats:
        """`chips[unit]` won by `agent`, averaged over `tables`, all of which include it."""
        of_tables = [self.samples[t].chips[:, self.plan.tables[t].index(agent)] for t in tables]
        return np.asarray(np.mean(of_tables, axis=0), dtype=np.float64)

    def unseen(self, tables: Sequence[int]) -> float:
        """Chips that might be decided by a kind of deal that has not occurred (`winnings`), averaged over `tables`."""
        return max((self.samples[t].unseen for t in tables), default=0.0) / max(len(tables), 1)

    def estimated(self, chips: Floats, unseen: float) -> Estimate:
        """Estimate from `chips[unit]`, with an interval widened for all numbers that the tournament prints."""
        scale = units_per_chip(self.plan.rules, self.units)
        about: dict[str, Any] = {"sizes": self.samples[0].hands, "units": self.units, "method": self.method}
        return estimate(chips * scale, interval=with_unseen(scale * unseen), **about).among(self.n_compared)

    def cell(self, row: int, column: int) -> Estimate | None:
        """Winnings per hand of `row` at tables where `column` also plays; None if there are none."""
        tables = self.tables_of(row, column)
        return self.estimated(self.chips(row, tables), self.unseen(tables)) if tables and row != column else None

    def gap(self, one: int, other: int) -> Estimate:
        """Winnings of `one` minus those of `other` over all their tables, paired by deal."""
        tables = self.tables_of(one), self.tables_of(other)
        unseen = sum(map(self.unseen, tables))
        return self.estimated(self.chips(one, tables[0]) - self.chips(other, tables[1]), unseen)

    @cached_property
    def bankroll(self) -> tuple[Estimate, ...]:
        """Total bankroll: each agent's winnings per hand over all its tables."""
        tables = [self.tables_of(agent) for agent in range(len(self.names))]
        return tuple(self.estimated(self.chips(agent, at), self.unseen(at)) for agent, at in enumerate(tables))

    @cached_property
    def ranking(self) -> tuple[int, ...]:
        """Agents from best to worst by total bankroll; ties are in the order of the plan."""
        return tuple(sorted(range(len(self.names)), key=lambda agent: -self.bankroll[agent].mean))


def tournament_result(
    plan: TournamentPlan, results: Sequence[MatchResult], *, units: str = "mbb_per_hand"
) -> TournamentResult:
    """Result of all `plan.matches()`, given the matches' results in that order."""
    by_entrants: dict[tuple[str, ...], list[MatchResult]] = {}
    for result in results:
        by_entrants.setdefault(result.plan.entrants, []).append(result)
    dependent = any(result.hands_depend for result in results)  # at one table means at all: they share units
    samples = [sample(by_entrants[tuple(plan.agents[i] for i in table)], dependent=dependent) for table in plan.tables]
    units_per_chip(plan.rules, units)  # refuse illegal units now rather than at the first query
    return TournamentResult(plan, tuple(samples), tuple(results), units)


def tournament_so_far(
    plan: TournamentPlan, results: Sequence[MatchResult | None], *, units: str = "mbb_per_hand"
) -> TournamentResult | None:
    """Result over the deals that were played at every table in every seating; None if there are none. `results` are
    those of all `plan.matches()`, None for unfinished matches. Deals finished at only some tables are left out, so that
    all agents have played the same cards."""
    open_sets = {match.number for match, result in zip(plan.matches(), results, strict=True) if result is None}
    whole = [result for result in results if result is not None and result.plan.number not in open_sets]
    if not whole:
        return None
    first = whole[0].plan
    hands = sum(r.plan.hands for r in whole if (r.plan.entrants, r.plan.seating) == (first.entrants, first.seating))
    return tournament_result(replace(plan, hands=hands), whole, units=units)


def play_tournament(
    plan: TournamentPlan,
    *,
    make: str,
    runner: Runner,
    run: RunDirectory | None = None,
    record: bool = False,
    report: Callable[[int, int], None] | None = None,
    units: str = "mbb_per_hand",
) -> TournamentResult:
    """Play or resume a tournament; the arguments are those of `run_plans`."""
    results = run_plans(plan.matches(), make=make, runner=runner, run=run, record=record, report=report)
    return tournament_result(plan, results, units=units)
