"""Matches between agents, and their winnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.estimates import SHORT, Estimate
from pokerlab.players.registry import agent, is_quick
from pokerlab.players.seating import is_remote
from pokerlab.players.sources import foreign
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
from pokerlab.runs.notes import note
from pokerlab.runs.request import Place, setting
from pokerlab.runs.workers import Runner, attribute
from pokerlab.table.match import MatchPlan, MatchResult, plans
from pokerlab.table.matches import SHORT_HANDS, match_keys, run_plans
from pokerlab.table.prizes import check_match_prizes, prize_equities
from pokerlab.table.winnings import match_length
from pokerlab.valuing.measures import RAW, Measuring
from pokerlab.valuing.stopping import Stopping, play_until, stopping_lines, target_of
from pokerlab.valuing.summary import late_lines, match_summary, talk_lines, way_name

Summary = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Match(ComparisonRequest, kind="match"):
    """Play agents against each other and report the winnings of each with 95% intervals.

    With three or more agents it also reports all pairwise differences, with simultaneous 95% intervals. The result
    depends only on the seed, not on the number of workers or on interruptions: stop it at any moment, and the same
    command resumes it. Agents py:module:Class, cmd:PROGRAM and acpc://HOST:PORT could guess a short seed, so a match
    with them draws a secret seed and prints it; pass that number as --seed to repeat the cards. If all agents are
    strategies on one betting tree (equilibrium:NAME, strategy:DIR), hands are played in compiled code, with the same
    result; for millions of hands use --no-save.

    For example:

        pokerlab match --agents caller,raiser --hands 2000 --seed 7 --duplicate
        pokerlab match --game nolimit3p --agents random,caller,py:my_bot:MyBot --match-hands 500
        pokerlab match --game leduc --agents py:my_bot:MyBot,caller --seconds-per-decision 2
        pokerlab match --game leduc --agents random,caller --hands 100000 --dry-run
        pokerlab match --agents equilibrium:limit2p,strategy:DIR --hands 1000000 --duplicate --no-save
        pokerlab match --agents py:my_bot:MyBot,rulebot --hands 20000 --duplicate --aivat --until 100mbb
        pokerlab match --game nolimit3p:20bb --agents rulebot,caller,random --running-stacks --prizes 50,30,20
    """

    save_memory: bool = setting(
        False, "Save the memory of each agent at the end of each match, in the folder memory of the run directory."
    )
    report: bool = setting(
        False,
        "Write report.html to the run directory: the results, bankroll graphs and the playing style of each agent.",
        identity=False,
    )
    known: tuple[str, ...] | None = setting(
        None,
        "Agents, separated by commas, whose policies --aivat may query; default: all that can be queried and do not "
        'learn from hand to hand; "" for none.',
        identity=False,
        separator=",",
    )

    until: str | float | None = setting(
        None,
        "Stop as soon as half the width of the 95% interval is at most this, such as 100mbb (without a unit: in "
        "--units); --hands is then the maximum. The interval is that of the measure with the least luck, and a "
        "confidence sequence, which is valid however often it is checked.",
    )

    prizes: tuple[float, ...] = setting(
        (),
        "With --running-stacks: also report the prize equity of each agent per match, by the order in which they lost "
        "all chips and, for those with chips left, by the independent chip model (pokerlab icm).",
        identity=False,
        separator=",",
    )

    def check(self) -> None:
        super().check()
        if self.prizes:
            check_match_prizes(self.rules, self.prizes, running=self.running_stacks)
        if self.until is not None:
            target = target_of(self.until, self.units, self.rules)
            self.settle(until=f"{target:.10g} {SHORT[self.units]}")
        _ = self.plans  # refuses the wrong number of agents

    def default_match_hands(self, learns: bool) -> int:
        """Default length of a match: 1000 hands, or fewer if hands depend on each other or the match may stop early."""
        return match_length(self.hands, depend=learns or self.running_stacks, stops=self.until is not None)

    def identity(self) -> dict[str, Any]:
        """The settings that identify the match. With a target (`until`) they include `aivat` and `known`, on which the
        end of the match depends."""
        found = super().identity()
        if found.pop("until") is None:
            return found
        known = None if self.known is None else list(self.known)
        return {**found, "until": self.until, "aivat": self.aivat, "known": known}

    @cached_property
    def plans(self) -> list[MatchPlan]:
        """Plans of the matches."""
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

    def runner(self, workers: int | None, ray: str | None) -> Runner:
        """Runner of the matches. Short ones run in this process, because a new process would import and compile
        everything first."""
        short = sum(plan.hands for plan in self.plans) <= SHORT_HANDS and all(map(is_quick, self.agents))
        return super().runner(1 if short and workers is None and ray is None else workers, ray)

    @cached_property
    def stopping(self) -> Stopping | None:
        """The rule for stopping early; None without a target."""
        if self.until is None:
            return None
        how = {"aivat": self.aivat, "duplicate": self.duplicate}
        return Stopping(self.plans, target_of(self.until, self.units, self.rules), self.units, **how)

    def cost_in(self, path: Path | None, *, workers: int | None = None) -> Cost:
        how: dict[str, Any] = {
            "workers": workers,
            "record": path is not None,
            "make": self.make,
            "chat": self.chat_place,
        }
        if self.stopping is None:
            return match_cost(self.plans, **how)
        cost = match_cost(self.stopping.expected_plans, **how)
        counts = {**cost.counts, "expected_deals": self.stopping.expected_deals}
        return replace(cost, counts=counts, what=f"{self.stopping.expectation}; {cost.what}")

    def compute(self, place: Place) -> Answer:
        self.check_saved(place, "save_memory", "report")
        self.prepare_talk(place)
        self._build_tables()
        if self.stopping is None:
            results = self._play(place, 0, len(self.plans))
            data = match_summary(results, units=self.units, **self.measured(results, place, known=self.known))
        else:
            results, data = self._play_until(place, self.stopping)
        if self.prizes:
            data["prizes"] = _prize_data(results, self.prizes)
        files = self.page(place, data) if self.report else ()
        seatings = f", each in {data['seatings']} seatings" if data["duplicate"] else ""
        title = f"{data['game']}, {data['hands']:,} deals{seatings}, seed {data['seed']}"
        ways = data["measures"] if len(data["measures"]) == 2 else ()
        lines = (*stopping_lines(data), *late_lines(data), *talk_lines(data), *measure_lines(ways, data.get("aivat")))
        return Answer(title, tuple(_tables(data)), lines, data, result=results, files=files)

    def _play(self, place: Place, first: int, upto: int) -> list[MatchResult]:
        """Play plans `first` to `upto` (excluded) and return their results."""
        report, before = place.report("playing"), sum(plan.hands for plan in self.plans[:first])
        total = sum(plan.hands for plan in self.plans)
        return run_plans(
            self.plans[first:upto],
            make=self.make,
            runner=place.runner,
            run=place.directory,
            record=place.directory is not None,
            save=self.save_memory,
            keys=match_keys(len(self.plans))[first:upto],
            report=lambda done, _: report(before + done, total),
        )

    def _play_until(self, place: Place, stopping: Stopping) -> tuple[list[MatchResult], dict[str, Any]]:
        """Play until the interval is narrow enough; returns the results and their summary."""
        note(stopping.expectation)
        measuring = None
        if self.aivat and place.path is not None:
            measuring = Measuring(self.plans, place.path / "hands", make=attribute(self.make), known=self.known)
        results: list[MatchResult] = []

        def play(first: int, upto: int) -> Mapping[str, Sequence[MatchResult]]:
            new = self._play(place, first, upto)
            results.extend(new)
            if measuring is None:
                return {RAW: results}
            measuring.add(new, match_keys(len(self.plans))[first:upto], report=place.report("measuring"))
            return measuring.ways

        stopped = play_until(stopping, play)
        measured = {} if measuring is None else measuring.summarised
        data = match_summary(results, units=self.units, interval=stopping.sequence(results), **measured)
        return results, stopping.summarised(data, results, stopped)

    def _build_tables(self) -> None:
        """Build the card tables that compiled strategies use, before workers start, if there are enough hands to make
        it worthwhile."""
        from pokerlab.table.batch import WORTH_TABLES, compiled_table

        n_hands = sum(plan.hands for plan in self.plans)
        elsewhere = any(map(is_remote, self.agents)) or bool(foreign(self.agents))
        if n_hands >= WORTH_TABLES and not self.running_stacks and not elsewhere:
            compiled_table(self.rules, [agent(name) for name in self.agents], hands=n_hands)


def _tables(summary: Summary) -> list[AnswerTable]:
    """Tables of the summary. With AIVAT: winnings by method. Otherwise: winnings, differences and, if there are several
    methods, a comparison of them. Prize equities, if any, come last."""
    prizes = [_prizes(summary["prizes"])] if "prizes" in summary else []
    if "AIVAT" in [way["way"] for way in summary["measures"]]:
        return [_measures(summary), *prizes]
    tables = [_winnings(summary)]
    if len(summary["agents"]) > 2:  # for two agents the first table already has the difference
        known = summary["differences"][0]["low"] is not None
        together = f"these {len(summary['differences'])} intervals hold together 95 times in 100 (Bonferroni)"
        tables.append(differences_table(summary, together if known else ""))
    several = len(summary["measures"]) > (1 if _has_target(summary) else 2)
    return [*tables, *([_measures(summary)] if several else []), *prizes]


def _prize_data(results: Sequence[MatchResult], prizes: Sequence[float]) -> dict[str, Any]:
    """The prize equities of a match as JSON values."""
    equities = prize_equities(results, prizes)
    rows = [{"name": name, **value.data()} for name, value in zip(results[0].names, equities, strict=True)]
    return {"paid": list(prizes), "method": equities[0].mean.method, "agents": rows}


def _prizes(data: Mapping[str, Any]) -> AnswerTable:
    """Table of the agents' prize equities at the start and now, and the gains."""
    about = {"units": "prize", "method": data["method"]}
    rows = [
        (row["name"], Estimate.from_data(row, **about), row["start"], Estimate.from_data(row["gain"], **about),
         judged(row["gain"]))
        for row in data["agents"]
    ]  # fmt: skip
    paid = ", ".join(f"{prize:g}" for prize in data["paid"])
    note = f"± half of a 95% interval, from n = {data['agents'][0]['n']:,} {data['method']}; Malmuth-Harville"
    return AnswerTable(("agent", "prize equity", "at the start", "gain", ""), tuple(rows), f"prizes {paid}", note)


def _winnings(summary: Summary) -> AnswerTable:
    rows = [(row["name"], numbers_of(row, summary), judged(row)) for row in summary["agents"]]
    note = f"± half of {_interval(summary)}, from n = {summary['agents'][0]['n']:,} {summary['method']}"
    return AnswerTable(("agent", SHORT[summary["units"]], ""), tuple(rows), note=note)


def _measures(summary: Summary) -> AnswerTable:
    """Make a table of every agent's winnings with one row for each way to measure them.

    The first row is the way that removes the most luck. With two agents only the first is shown, since the second wins
    what the first loses.
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
        needed = (way["hands_needed"],) if _has_target(summary) else ()
        rows.append((way_name(way), *cells, "" if way_name(way) == "raw" else factor_text(way), *needed))
    notes = []
    for method in dict.fromkeys(way["method"] for way in reversed(summary["measures"])):
        same = [way for way in summary["measures"] if way["method"] == method]
        kind = "duplicate" if same[0]["duplicate"] else "not duplicate" if summary["duplicate"] else "all"
        notes.append(f"± half of {_interval(summary)}, from n = {same[0]['agents'][0]['n']:,} {method} ({kind})")
    title = f"what {names[0]} wins, {unit}" if len(shown) == 1 else unit
    heads.append("hands needed cut")
    if _has_target(summary):
        heads.append(f"hands for ±{summary['until']['half_width']:g}")
    return AnswerTable(("measured", *heads), tuple(rows), title, "\n".join(notes))


def _has_target(summary: Summary) -> bool:
    """Whether this was a match of two agents that played until their interval was narrow enough."""
    return "until" in summary and len(summary["agents"]) == 2


def _interval(summary: Summary) -> str:
    """Name of the kind of interval used in a summary."""
    return "a 95% confidence sequence" if "until" in summary else "a 95% interval"
