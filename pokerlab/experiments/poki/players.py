"""The formula and simulation players of Davidson (2002), chapter 3, against others: one among copies, or half.

All comparisons are duplicate: every deal is played in each seating, or in two where the candidates are half of the
table. Players that learn start each match knowing nobody; a set of matches, all seatings of the same deals, is the unit
of the intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.games.catalog import game
from pokerlab.games.protocols import Agent
from pokerlab.players.registry import agent
from pokerlab.runs.workers import runner_for
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.systems.poki.simulation import Budget, SimulationPoki
from pokerlab.table.match import MatchPlan, MatchResult, plans
from pokerlab.table.matches import run_plans
from pokerlab.table.winnings import Sample, sample, winnings

MAKE = "pokerlab.experiments.poki.players:make"
UNITS = "small_bets_per_hand"
TABLES = {2: "heads-up", 6: "six-handed", 10: "ten-handed"}
MODELS = {"": PokiSettings(), " without opponent models": PokiSettings(model="formula", adapts=0.0)}
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
        return Poki(PokiSettings(model="neural"))
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
    """One `candidate` among copies of `other` (or, if `half`, every second player), at tables of `players`."""

    players: int
    candidate: str
    other: str
    half: bool = False

    @property
    def entrants(self) -> tuple[str, ...]:
        """Everyone at the table, the candidate first."""
        if self.half:
            return (self.candidate, self.other) * (self.players // 2)
        others = THIRD_PARTIES if self.other == MIXED else (self.other,) * (self.players - 1)
        return (self.candidate, *others)

    @property
    def row(self) -> str:
        """How a table of results calls it."""
        return f"{self.candidate} against {'as many of ' * self.half}{self.other}"

    def plans(self, deals: int, matches: int, seed: int) -> list[MatchPlan]:
        """Its matches: every seating of the deals, or the two that exchange the halves of the table."""
        first = MatchPlan(f"limit{self.players}p", self.entrants, deals, seed)
        every = plans(first, hands=deals * matches, duplicate=True)
        return [plan for plan in every if not self.half or plan.seating[0] < 2]

    def sample(self, results: Sequence[MatchResult], *, by_set: bool = False) -> Sample:
        """What a candidate won in the matches, in the first column; `by_set` even if nobody learns."""
        found = sample(results, dependent=by_set or None)
        step = 2 if self.half else self.players
        return replace(found, chips=found.chips[:, ::step].mean(axis=1, keepdims=True))


class Difference(NamedTuple):
    """How much more the candidate of `one` comparison wins than that of the `other`, on the same deals."""

    one: Comparison
    other: Comparison

    @property
    def players(self) -> int:
        """At the table."""
        return self.one.players

    @property
    def row(self) -> str:
        """How a table of results calls it."""
        return f"{self.one.candidate} less {self.other.candidate}, against {self.one.other}"


Found = Mapping[Comparison | Difference, Estimate]
"""What was won, in small bets a hand."""


def compare(
    comparisons: Sequence[Comparison], config: Config, report: Report, *, differences: Sequence[Difference] = ()
) -> Found:
    """What each candidate wins, and how much more than another."""
    sizes: Mapping[str, Any] = config.settings
    todo: list[MatchPlan] = []
    spans: dict[Comparison, slice] = {}
    for one in comparisons:
        deals = sizes["deals_a_match"][MIXED if one.other == MIXED else str(one.players)]
        matches = one.plans(deals, sizes["matches"], config.seed)
        spans[one] = slice(len(todo), len(todo) + len(matches))
        todo += matches
    results = run_plans(todo, make=MAKE, runner=runner_for(config.workers), run=config.run, report=report)
    found: dict[Comparison | Difference, Estimate] = {
        one: _won(one.sample(results[span]), one) for one, span in spans.items()
    }
    for pair in differences:
        mine, theirs = (one.sample(results[spans[one]], by_set=True) for one in pair)
        found[pair] = _won(replace(mine, chips=mine.chips - theirs.chips), pair.one)
    return found


def _won(found: Sample, one: Comparison) -> Estimate:
    return winnings(found, game(f"limit{one.players}p"), UNITS)[0]


def table_of(found: Found) -> Table:
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
    """The formula player, with and without opponent models, against everyone, each other and what it was."""
    comparisons = [Comparison(2, "formula", other) for other in (*OPPONENTS, WITHOUT_MODELS, BEFORE)]
    comparisons += [Comparison(2, "rulebot", "random"), Comparison(2, NEURAL, WITHOUT_MODELS)]
    comparisons += [Comparison(players, "formula", BEFORE, half=True) for players in (6, 10)]
    mixed = {each: Comparison(6, each, MIXED) for each in ("formula", WITHOUT_MODELS, BEFORE)}
    differences = [Difference(Comparison(2, "formula", "random"), Comparison(2, "rulebot", "random"))]
    differences += [Difference(mixed["formula"], mixed[each]) for each in (WITHOUT_MODELS, BEFORE)]
    return table_of(compare([*comparisons, *mixed.values()], config, report, differences=differences))


def run_simulation(config: Config, report: Report) -> Table:
    """At both budgets, with and without opponent models, heads-up and ten-handed."""
    few, many = TRIALS
    comparisons = [Comparison(2, f"simulation {few}{models}", f"formula{models}") for models in MODELS]
    comparisons += [Comparison(2, f"simulation {many}", "formula"), Comparison(2, f"simulation {few}", "rulebot")]
    comparisons.append(Comparison(10, f"simulation {few}", "formula"))
    return table_of(compare(comparisons, config, report))


EXPERIMENTS = (
    Experiment(
        name="davidson2002-players",
        title="The formula player against other players",
        cites="Davidson (2002), sections 3.4 and 3.6",
        about=(
            "Nothing is published to compare with: chapter 3 prints no results of matches. One candidate sits among "
            "copies of the other player, and every deal is played in each seating (2, or 6 at the mixed table); or "
            "every second player is a candidate, and the halves of the table change places. Opponent models are "
            "counted actions, or a small network; without them everyone is taken for the default formula, and "
            f"nobody's looseness is followed. At the mixed table are {', '.join(THIRD_PARTIES)}."
        ),
        published=Table(),
        run=run,
        quick={"matches": 10, "deals_a_match": {"2": 16, "6": 8, "10": 6, MIXED: 4}},
        full={"matches": 20, "deals_a_match": {"2": 200, "6": 400, "10": 250, MIXED: 40}},
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
        full={"matches": 16, "deals_a_match": {"2": 100, "10": 20}},
    ),
)
