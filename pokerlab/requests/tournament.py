"""Tournaments: every agent plays every other; agents are ranked by several scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.estimates import SHORT
from pokerlab.requests.play import ComparisonRequest, differences_table, match_cost, measure_lines
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, setting
from pokerlab.table.tournament import TournamentPlan, play_tournament
from pokerlab.table.winnings import match_length
from pokerlab.valuing.summary import late_lines, rating_text, talk_lines, tournament_summary, way_name

ROSTER = (
    *("poki", "poki:maniac", "bpp", "connectionist"),
    *("rulebot", "rulebot:tight", "rulebot:aggressive", "caller", "raiser", "random"),
)

Summary = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Tournament(ComparisonRequest, kind="tournament"):
    """Play every agent against every other: a cross-table with 95% intervals, rankings and ratings.

    In a game for two, every pair of agents plays; in a game for three, every group of three, and so on. Stop it at any
    moment; the same command resumes it, with the same result as an uninterrupted run, for any number of workers.

    For example:

        pokerlab tournament
        pokerlab tournament --agents caller,raiser,random --game leduc --hands 5000 --seed 1
        pokerlab tournament --agents caller,raiser,random,folder --game limit3p --dry-run
    """

    agents: tuple[str, ...] = setting(ROSTER, separator=",")
    hands: int = setting(400, "At each table.", count=True, least=1)
    duplicate: bool = setting(True)
    match_hands: int | None = setting(
        None,
        "Default: a tenth of --hands, at most 1000, so that agents that learn are judged by ten matches or more.",
        count=True,
        least=1,
    )
    tables: int | None = setting(
        None, "Number of tables to sample, with every agent equally often. Default: all possible tables."
    )

    def check(self) -> None:
        super().check()
        _ = self.plan  # refuses too few agents and tables

    def default_match_hands(self, learns: bool) -> int:
        """Default length of a match: a tenth of the hands, at most 1000."""
        return match_length(self.hands, depend=True)

    @cached_property
    def plan(self) -> TournamentPlan:
        """Plan of the tournament."""
        return TournamentPlan(
            self.rules,
            self.agents,
            self.hands,
            self.match_hands or self.hands,
            self.seed,
            self.duplicate,
            "running" if self.running_stacks else "reset",
            self.reveal,
            self.tables,
            self.seconds_per_decision,
        )

    def cost_in(self, path: Path | None, *, workers: int | None = None) -> Cost:
        return match_cost(
            self.plan.matches(), workers=workers, record=path is not None, make=self.make, chat=self.chat_place
        )

    def compute(self, place: Place) -> Answer:
        self.check_saved(place)
        self.prepare_talk(place)
        result = play_tournament(
            self.plan,
            make=self.make,
            runner=place.runner,
            run=place.directory,
            record=place.directory is not None,
            report=place.report("playing"),
            units=self.units,
        )
        data = tournament_summary(result, **self.measured(result.results, place))
        seatings, n = " in every seating" if data["duplicate"] else "", data["tables"]
        title = (
            f"{data['game']}, {n} table{'s' * (n != 1)}, {data['hands']:,} deals{seatings} at each, seed "
            f"{data['seed']}: {data['played']:,} hands"
        )
        lines = (*late_lines(data), *talk_lines(data))
        return Answer(title, tuple(_tables(data)), lines, data, result=result, files=self.page(place, data))


def _tables(summary: Summary) -> list[AnswerTable]:
    """Tables of the result: the cross-table by AIVAT if measured, the cross-table by chips, rankings, and differences
    between neighbours in the ranking."""
    unit, tables = SHORT[summary["units"]], []
    if by_aivat := _aivat_cells(summary):
        note = f"The row's {unit} against the column by AIVAT, ± half of its 95% interval; in brackets: not significant"
        tables.append(_cross_table(summary, by_aivat, note))
    if "aivat" in summary:
        tables.append(_measures(summary))
    chips = {(cell["row"], cell["column"]): cell for cell in summary["cross_table"]}
    note = (
        f"The row's {unit} against the column{' in chips' * bool(by_aivat)}, ± half of its 95% interval "
        f"(n = {summary['agents'][0]['n']:,} {summary['method']}); in brackets: not significant. All intervals below "
        f"and here hold together 95 times in 100 ({summary['compared']} compared, Bonferroni)"
    )
    return [*tables, _cross_table(summary, chips, note, totals=True), _rankings(summary), differences_table(summary)]


def _aivat_cells(summary: Summary) -> dict[tuple[str, str], Summary]:
    """Winnings of each agent at two-player tables, by the AIVAT variant that removes most luck."""
    cells: dict[tuple[str, str], Summary] = {}
    for at in summary.get("measures", ()):
        ways = [way for way in at["ways"] if way["way"] == "AIVAT"]
        if ways and len(at["agents"]) == 2:
            one, other = at["agents"]
            cells |= {(one, other): ways[-1]["agents"][0], (other, one): ways[-1]["agents"][1]}
    return cells


def _cross_table(
    summary: Summary, cells: Mapping[tuple[str, str], Summary], note: str, *, totals: bool = False
) -> AnswerTable:
    names = [row["name"] for row in summary["agents"]]
    rows: list[tuple[Cell, ...]] = []
    for place, row in enumerate(summary["agents"], 1):
        against = [_cell(cells.get((row["name"], column))) for column in names]
        rows.append((str(place), row["name"], *against, *([_cell(row)] if totals else [])))
    places = [str(place) for place in range(1, len(names) + 1)]
    return AnswerTable(("", "agent", *places, *(["total"] if totals else [])), tuple(rows), note=note, words=2)


def _cell(numbers: Summary | None) -> str:
    """
    >>> _cell({"mean": 120.0, "low": 100.0, "high": 140.0, "significant": True})
    '+120\\n±20'
    """
    if numbers is None:
        return ""
    text = f"{numbers['mean']:+.0f}"
    text += "" if numbers["low"] is None else f"\n±{(numbers['high'] - numbers['low']) / 2:.0f}"
    return text if numbers["significant"] else f"({text})"


def _measures(summary: Summary) -> AnswerTable:
    """Table of the first agent's winnings at every table by each measuring method, the method that removes most luck
    first."""
    rows: list[tuple[Cell, ...]] = []
    for at in summary["measures"]:
        cells = []
        for way in reversed(at["ways"]):
            times = "" if way["factor"] is None or way_name(way) == "raw" else f"\n×{way['factor']:.1f}"
            cells.append(_cell(way["agents"][0]) + times)
        rows.append(("\n".join(at["agents"]), *cells))
    note = "±: half of the 95% interval; ×: the factor by which a way cut the hands needed"
    notes = "\n".join([note, *measure_lines((), summary["aivat"])])
    headings = ["measured", *(way_name(way) for way in reversed(summary["measures"][0]["ways"]))]
    return AnswerTable(tuple(headings), tuple(rows), note=notes)


def _rankings(summary: Summary) -> AnswerTable:
    rows = [
        (
            str(place),
            row["name"],
            f"{row['mean']:+.1f}",
            str(row["run_off_place"]),
            f"{row['series_points']:g} of {row['series_opponents']}",
            rating_text(row),
        )
        for place, row in enumerate(summary["agents"], 1)
    ]
    heads = ("", "agent", "total bankroll", "run-off place", "series points", "rating (Elo)")
    return AnswerTable(heads, tuple(rows), words=2)
