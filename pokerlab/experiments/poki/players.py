"""Matches of the formula and simulation players of Davidson (2002), chapter 3, which take one seat or half of the
seats.

All comparisons are duplicate: every deal is played in each seating, or in two seatings if candidates take half of the
seats. Learning players start each match without memory. Intervals treat a match set (all seatings of the same deals) as
one unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Sections, Table, exact_rows, signs
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent
from pokerlab.players.registry import agent
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.systems.poki.simulation import Budget, SimulationPoki
from pokerlab.table.comparison import Contest
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.blunders import KINDS, blunders_of

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
"""The players at the mixed table besides the candidate."""
TRIALS = (250, 2500)
"""Numbers of trials of a simulation: about as many as Poki had time for (200 to 300), and ten times that."""


def make(name: str) -> Agent:
    """Make a player from its name in this chapter's tables, or an agent from its name."""
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


class Rivals(NamedTuple):
    """A comparison at a table of `players` players: one `candidate` against copies of `other`; with `half`, candidates
    take every second seat."""

    players: int
    candidate: str
    other: str
    half: bool = False

    @property
    def row(self) -> str:
        return f"{self.candidate} against {'as many of ' * self.half}{self.other}"

    def contest(self, settings: Mapping[str, Any]) -> Contest:
        """Make the contest between the rivals. Every deal is played in every seating; with `half`, in the two seatings
        that exchange the halves."""
        mixed, copies = self.other == MIXED, self.players // 2 if self.half else 1
        others = THIRD_PARTIES if mixed else (self.other,) * (self.players // copies - 1)
        deals = settings["deals_a_match"][MIXED if mixed else str(self.players)]
        entrants = (self.candidate, *others) * copies
        return Contest(f"limit{self.players}p", entrants, deals, settings["matches"], copies=copies)


def compare(
    rivals: Iterable[Rivals], config: Config, differences: Sequence[tuple[Rivals, Rivals]] = ()
) -> dict[tuple[int, str], Estimate]:
    """Winnings of each candidate and differences between candidates, by (players, row)."""
    won = config.play({each: each.contest(config.settings) for each in rivals}, UNITS, make=MAKE)
    rows = {(each.players, each.row): found.mean for each, found in won.items()}
    for one, other in differences:
        row = f"{one.candidate} less {other.candidate}, against {one.other}"
        rows[one.players, row] = (won[one] - won[other]).mean
    return rows


def table_of(rows: Mapping[tuple[int, str], Estimate]) -> Table:
    """A section for each table size, and a note on how many intervals lie above and below zero."""
    sections: Sections = {}
    for (players, row), number in rows.items():
        sections.setdefault(f"{TABLES[players]}, small bets/hand", {})[row] = number
    found = signs({f"{TABLES[players]} {row}": number for (players, row), number in rows.items()})
    above, below, unsure = map(len, found)
    lines = [f"Of {len(rows)} intervals {above} lie above zero, {below} below, and {unsure} hold it."]
    lines += [f"Below zero: {'; '.join(found.below)}."] * bool(below)
    return Table.of(sections, (*lines, "n counts sets of matches: all seatings of the same deals."))


def run(config: Config) -> Table:
    """Play the formula player, with and without opponent models, against all others, itself and its earlier version."""
    rivals = [Rivals(2, "formula", other) for other in (*OPPONENTS, WITHOUT_MODELS, BEFORE)]
    rivals += [Rivals(2, "rulebot", "random"), Rivals(2, NEURAL, WITHOUT_MODELS)]
    rivals += [Rivals(players, "formula", BEFORE, half=True) for players in (6, 10)]
    mixed = {each: Rivals(6, each, MIXED) for each in ("formula", WITHOUT_MODELS, BEFORE)}
    differences = [(Rivals(2, "formula", "random"), Rivals(2, "rulebot", "random"))]
    differences += [(mixed["formula"], mixed[each]) for each in (WITHOUT_MODELS, BEFORE)]
    return table_of(compare([*rivals, *mixed.values()], config, differences))


def run_simulation(config: Config) -> Table:
    """Play the simulation player at both budgets, with and without opponent models, at tables of two, six and ten."""
    few, many = TRIALS
    rivals = [Rivals(2, f"simulation {few}{models}", f"formula{models}") for models in MODELS]
    rivals += [Rivals(2, f"simulation {many}", "formula"), Rivals(2, f"simulation {few}", "rulebot")]
    rivals += [Rivals(players, f"simulation {few}", "formula") for players in (6, 10)]
    return table_of(compare(rivals, config))


STREETS = ("before the flop", "flop", "turn", "river")
HANDS_A_MATCH = 100


def counts_of_hand(hand: HandHistory) -> Counter[str]:
    """Count blunders by kind, and, by street, bets faced and bets folded to."""
    found = Counter(str(blunder.kind) for blunder in blunders_of(hand))
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        if before.to_call:
            street = STREETS[before.street]
            found[f"faced, {street}"] += 1
            found[f"folded, {street}"] += step.action.kind == Kind.FOLD
    return found


def counts_of_match(part: Mapping[str, int]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    players = part["players"]
    plan = MatchPlan(f"limit{players}p", ("poki",) * players, HANDS_A_MATCH, part["seed"], part["number"])
    play_match(plan, agent, on_hand=lambda hand: counts.update(counts_of_hand(hand)))
    return dict(counts)


def run_self_play(config: Config) -> Table:
    hands = config.settings["hands"]
    groups = {players: config.numbered(n // HANDS_A_MATCH, players=int(players)) for players, n in hands.items()}
    done = config.do_groups(counts_of_match, groups)
    counts: dict[str, Counter[str]] = {
        TABLES[int(players)]: sum(map(Counter, matches), Counter()) for players, matches in done.items()
    }
    blunders = {f"{kind}, {where}": found[kind] for where, found in counts.items() for kind in KINDS}
    folds = {
        f"{street}, {where}": _percent(found[f"folded, {street}"], found[f"faced, {street}"])
        for where, found in counts.items()
        for street in STREETS
        if found[f"faced, {street}"] > 1
    }
    played = ", ".join(f"{n:,} hands {TABLES[int(players)]}" for players, n in hands.items())
    return Table.of({"blunders": exact_rows(blunders), "folds to a bet, %": folds}, [f"Played: {played}."])


def _percent(part: int, whole: int) -> Estimate:
    share = part / whole
    half = 1.96 * sqrt(share * (1 - share) / whole)
    return Estimate(100 * share, low=100 * (share - half), high=100 * (share + half), n=whole)
