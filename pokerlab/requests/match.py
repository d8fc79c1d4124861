"""Matches: agents against each other, and their winnings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.estimates import SHORT
from pokerlab.players.registry import agent
from pokerlab.players.seating import MAKE, is_remote
from pokerlab.players.sources import modules_of
from pokerlab.requests.hints import command_line
from pokerlab.requests.play import (
    ComparisonRequest,
    differences_table,
    factor_text,
    judged,
    match_cost,
    measure_lines,
    numbers_of,
)
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, setting
from pokerlab.table.match import MatchPlan, plans
from pokerlab.table.matches import run_plans
from pokerlab.table.winnings import match_length
from pokerlab.valuing.summary import late_lines, match_summary, way_name

Summary = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Match(ComparisonRequest):
    """Play agents against each other and report the winnings of each with 95% intervals.

    With three or more agents it also reports every difference, in simultaneous 95% intervals. The result depends only
    on the seed, not on the number of workers or on interruptions: stop it at any moment, and the same command resumes
    it. If all agents are strategies on one betting tree (equilibrium:NAME, strategy:DIR), hands are played in compiled
    code, with the same result; for millions of hands use --no-save.

    For example:

        pokerlab match --agents caller,raiser --hands 2000 --seed 7 --duplicate
        pokerlab match --game nolimit3p --agents random,caller,py:my_bot:MyBot --match-hands 500
        pokerlab match --game leduc --agents py:my_bot:MyBot,caller --seconds-per-decision 2
        pokerlab match --game leduc --agents random,caller --hands 100000 --dry-run
        pokerlab match --agents equilibrium:limit2p,strategy:DIR --hands 1000000 --duplicate --no-save
    """

    kind: ClassVar[str] = "match"

    save_memory: bool = setting(
        False, "Save what agents remember at the end of each match, in the folder memory of the run directory."
    )
    report: bool = setting(
        False,
        "Write a page with the results, bankroll graphs and the style of each agent, report.html in the run directory.",
        identity=False,
    )
    known: tuple[str, ...] | None = setting(
        None,
        "Agents, separated by commas, whose policies --aivat may query; default: all that can be queried and do not "
        'learn from hand to hand; "" for none.',
        identity=False,
        separator=",",
    )

    def check(self) -> None:
        super().check()
        _ = self.plans  # refuses the wrong number of agents

    def default_match_hands(self, learns: bool) -> int:
        """1000, or fewer where the hands of a match depend on each other."""
        return match_length(self.hands, depend=learns or self.running_stacks)

    @cached_property
    def plans(self) -> list[MatchPlan]:
        """The matches."""
        first = MatchPlan(
            self.rules,
            self.agents,
            self.match_hands or self.hands,
            self.seed,
            stacks="running" if self.running_stacks else "reset",
            reveal=self.reveal,
            seconds=self.seconds_per_decision,
        )
        return plans(first, hands=self.hands, duplicate=self.duplicate)

    def cost_in(self, path: Path | None, *, workers: int | None = None) -> Cost:
        self._build_tables()
        return match_cost(self.plans, workers=workers, record=path is not None)

    def compute(self, place: Place) -> Answer:
        self.check_saved(place, {"save_memory": self.save_memory, "report": self.report, "aivat": self.aivat})
        self._build_tables()
        results = run_plans(
            self.plans,
            make=MAKE,
            runner=place.runner,
            run=place.directory,
            record=place.directory is not None,
            save=self.save_memory,
            report=place.report("playing"),
        )
        measured = {}
        if self.aivat and place.path is not None:
            from pokerlab.valuing.measures import measured_ways

            report = place.report("measuring")
            measured = measured_ways(results, place.path / "hands", make=agent, known=self.known, report=report)
        data = match_summary(results, units=self.units, **measured)
        files: tuple[Path, ...] = ()
        if self.report and place.path is not None:
            from pokerlab.pictures.report_page import run_report

            files = (run_report(place.path, command=command_line(self), result=data),)
        seatings = f", each in {data['seatings']} seatings" if data["duplicate"] else ""
        title = f"{data['game']}, {data['hands']:,} deals{seatings}, seed {data['seed']}"
        ways = data["measures"] if len(data["measures"]) == 2 else ()
        lines = (*late_lines(data), *measure_lines(ways, data.get("aivat")))
        return Answer(title, tuple(_tables(data)), lines, data, result=results, files=files)

    def _build_tables(self) -> None:
        """Build the card tables of compiled strategies before workers start, if there are enough hands to repay it."""
        from pokerlab.table.batch import WORTH_TABLES, compiled_table

        n_hands = sum(plan.hands for plan in self.plans)
        elsewhere = any(map(is_remote, self.agents)) or bool(modules_of(self.agents))
        if n_hands >= WORTH_TABLES and not self.running_stacks and not elsewhere:
            compiled_table(self.rules, [agent(name) for name in self.agents], hands=n_hands)


def _tables(summary: Summary) -> list[AnswerTable]:
    """Tables of winnings, differences and, if there are several, ways of measuring; with AIVAT only the last."""
    if "AIVAT" in [way["way"] for way in summary["measures"]]:
        return [_measures(summary)]
    tables = [_winnings(summary)]
    if len(summary["agents"]) > 2:  # for two agents the first table already has the difference
        known = summary["differences"][0]["low"] is not None
        together = f"these {len(summary['differences'])} intervals hold together 95 times in 100 (Bonferroni)"
        tables.append(differences_table(summary, together if known else ""))
    return [*tables, _measures(summary)] if len(summary["measures"]) > 2 else tables


def _winnings(summary: Summary) -> AnswerTable:
    rows = [(row["name"], numbers_of(row, summary), judged(row)) for row in summary["agents"]]
    note = f"± half of a 95% interval, from n = {summary['agents'][0]['n']:,} {summary['method']}"
    return AnswerTable(("agent", SHORT[summary["units"]], ""), tuple(rows), note=note)


def _measures(summary: Summary) -> AnswerTable:
    """Table of every agent's winnings by way of measuring, the way that removes most luck first.

    With two agents only the first is shown, since the other's winnings are the negative.
    """
    names = [row["name"] for row in summary["agents"]]
    shown = names[:1] if len(names) == 2 else names
    unit = SHORT[summary["units"]]
    heads = [text for name in shown for text in ("mean" if len(shown) == 1 else name, "significant")]
    rows: list[tuple[Cell, ...]] = []
    for way in reversed(summary["measures"]):
        cells = [
            cell for row in way["agents"][: len(shown)] for cell in (numbers_of(row, summary), bool(row["significant"]))
        ]
        rows.append((way_name(way), *cells, "" if way_name(way) == "raw" else factor_text(way)))
    notes = []
    for method in dict.fromkeys(way["method"] for way in reversed(summary["measures"])):
        same = [way for way in summary["measures"] if way["method"] == method]
        kind = "duplicate" if same[0]["duplicate"] else "not duplicate" if summary["duplicate"] else "all"
        notes.append(f"± half of a 95% interval, from n = {same[0]['agents'][0]['n']:,} {method} ({kind})")
    title = f"what {names[0]} wins, {unit}" if len(shown) == 1 else unit
    return AnswerTable(("measured", *heads, "hands needed cut"), tuple(rows), title, "\n".join(notes))
