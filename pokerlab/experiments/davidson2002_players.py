"""The formula and simulation players of Davidson (2002), chapter 3, against others: one among copies of another.

All comparisons are duplicate: every deal is played in each seating. Players that learn start each match knowing nobody;
a set of matches, all seatings of the same deals, is the unit of the intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pokerlab.agents.poki.player import Poki, Settings
from pokerlab.agents.poki.simulation import Budget, SimulationPoki
from pokerlab.agents.registry import agent
from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.games.protocols import Agent
from pokerlab.runs.workers import runner_for
from pokerlab.table.match import MatchPlan, MatchResult, plans
from pokerlab.table.matches import run_plans
from pokerlab.table.winnings import sample, winnings

MAKE = "pokerlab.experiments.davidson2002_players:make"
UNITS = "small_bets_per_hand"
TABLES = {2: "heads-up", 6: "six-handed", 10: "ten-handed"}
MODELS = {"": Settings(), " without opponent models": Settings(model="formula", adapts=0.0)}
WITHOUT_MODELS = "formula without opponent models"
NEURAL = "formula with neural models"
OPPONENTS = ("caller", "raiser", "random", "rulebot")
BEFORE = "formula of version 0.1.0"
MIXED = "a mixed table"
THIRD_PARTIES = ("caller", "raiser", "random", "rulebot", "formula:steady")
"""Who sits at the mixed table beside the candidate."""
TRIALS = (250, 2500)
"""Of simulations: as many as Poki had time for (200 to 300), and ten times that."""


def make(name: str) -> Agent:
    """A player of this chapter by its name in the tables, or an agent."""
    if name == NEURAL:
        return Poki(Settings(model="neural"))
    if name == BEFORE:
        return agent("poki:before")
    for models, settings in MODELS.items():
        if name == f"formula{models}":
            return Poki(settings)
        for trials in TRIALS:
            if name == f"simulation {trials}{models}":
                return SimulationPoki(settings, Budget(trials=trials))
    return agent(name)


class Comparison(NamedTuple):
    """One `candidate` among copies of `other`, at tables of `players`."""

    players: int
    candidate: str
    other: str

    @property
    def entrants(self) -> tuple[str, ...]:
        """Everyone at the table, the candidate first."""
        others = THIRD_PARTIES if self.other == MIXED else (self.other,) * (self.players - 1)
        return (self.candidate, *others)

    @property
    def row(self) -> str:
        """How a table of results calls it."""
        return f"{self.candidate} against {self.other}"


def compare(comparisons: Sequence[Comparison], config: Config, report: Report) -> dict[Comparison, Estimate]:
    """What each candidate wins, in small bets a hand."""
    sizes: Mapping[str, Any] = config.settings
    todo: list[MatchPlan] = []
    spans: dict[Comparison, slice] = {}
    for one in comparisons:
        deals = sizes["deals_a_match"][str(one.players)]
        first = MatchPlan(f"limit{one.players}p", one.entrants, deals, config.seed)
        matches = plans(first, hands=deals * sizes["matches"], duplicate=True)
        spans[one] = slice(len(todo), len(todo) + len(matches))
        todo += matches
    results = run_plans(todo, make=MAKE, runner=runner_for(config.workers), run=config.run, report=report)
    return {one: won_by_first(results[span]) for one, span in spans.items()}


def won_by_first(results: Sequence[MatchResult]) -> Estimate:
    """What the first entrant won, with its interval over sets of matches (or deals, if nobody learns)."""
    return winnings(sample(results), results[0].plan.rules, UNITS)[0]


def table_of(found: Mapping[Comparison, Estimate]) -> Table:
    """A section for each size of table, and how many intervals lie above and below zero."""
    sections: dict[str, dict[str, Estimate]] = {}
    for one, number in found.items():
        sections.setdefault(f"{TABLES[one.players]}, small bets/hand", {})[one.row] = number
    above = sum(number.low > 0 for number in found.values())
    below = [f"{TABLES[one.players]} {one.row}" for one, number in found.items() if number.high < 0]
    unsure = len(found) - above - len(below)
    lines = [f"Of {len(found)} intervals {above} lie above zero, {len(below)} below, and {unsure} hold it."]
    lines += [f"Below zero: {'; '.join(below)}."] * bool(below)
    return Table.of(sections, (*lines, "n counts sets of matches: all seatings of the same deals."))


def run(config: Config, report: Report) -> Table:
    """The formula player, with and without opponent models, against everyone and against each other."""
    comparisons = [
        Comparison(players, candidate, other)
        for players in TABLES
        for candidate, others in (("formula", (*OPPONENTS, WITHOUT_MODELS, BEFORE)), (WITHOUT_MODELS, OPPONENTS))
        for other in others
    ]
    comparisons.append(Comparison(2, NEURAL, WITHOUT_MODELS))
    comparisons += [Comparison(6, candidate, MIXED) for candidate in ("formula", WITHOUT_MODELS, BEFORE)]
    return table_of(compare(comparisons, config, report))


def run_simulation(config: Config, report: Report) -> Table:
    """With and without opponent models, at both budgets, heads-up and ten-handed."""
    comparisons = [
        Comparison(players, f"simulation {trials}{models}", f"formula{models}")
        for players in (2, 10)
        for trials in TRIALS
        for models in MODELS
    ]
    comparisons += [Comparison(players, f"simulation {TRIALS[0]}", "rulebot") for players in (2, 10)]
    return table_of(compare(comparisons, config, report))


EXPERIMENTS = (
    Experiment(
        name="davidson2002-players",
        title="The formula player against other players",
        cites="Davidson (2002), sections 3.4 and 3.6",
        about=(
            "Nothing is published to compare with: chapter 3 prints no results of matches. One candidate sits among "
            "copies of the other player; every deal is played in each seating (2, 6 or 10). Opponent models are "
            "counted actions, or a small network; without them everyone is taken for the default formula, and "
            "nobody's looseness is followed."
        ),
        published=Table(),
        run=run,
        quick={"matches": 10, "deals_a_match": {"2": 16, "6": 4, "10": 2}},
        full={"matches": 20, "deals_a_match": {"2": 600, "6": 200, "10": 200}},
    ),
    Experiment(
        name="davidson2002-simulation",
        title="Simulation against formula",
        cites="Davidson (2002), section 3.5",
        about=(
            "One simulation player sits among formula players, every deal played in each seating. It has 250 trials "
            "for a decision, as Poki had time for 200 to 300, or 2,500, and stops earlier when the answer is clear. "
            "Chapter 3 prints no results, and says that simulations were sound in principle and not robust in "
            "practice."
        ),
        published=Table(),
        run=run_simulation,
        quick={"matches": 10, "deals_a_match": {"2": 16, "10": 2}},
        full={"matches": 24, "deals_a_match": {"2": 500, "10": 100}},
    ),
)
