"""Summaries of matches and tournaments as JSON values, for `--json`, `result.json` and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from math import isfinite
from typing import Any

from pokerlab.estimates import Estimate, HalfWidth
from pokerlab.table.match import MatchResult
from pokerlab.table.ratings import ratings
from pokerlab.table.scoring import run_off, series
from pokerlab.table.tournament import TournamentResult, tournament_result
from pokerlab.table.winnings import difference, sample, winnings
from pokerlab.valuing.measures import RAW, Way, measures

Ways = Mapping[str, Sequence[MatchResult]]
"""Method of measuring -> the matches measured by it, as returned by `valuing.measures.ways_of`."""


def match_summary(
    results: Sequence[MatchResult],
    *,
    units: str,
    ways: Ways | None = None,
    aivat: Mapping[str, Any] | None = None,
    interval: HalfWidth | None = None,
) -> dict[str, Any]:
    """Compare the entrants over one or many matches: each one's winnings, and every pairwise difference.

    The intervals of the differences hold jointly with 95% confidence; otherwise one of many pairs would often seem
    significant by chance. `measures` has every method of measuring and the factor by which it reduces the hands needed;
    `aivat` says how AIVAT was done. `interval` is the rule for intervals, Student's by default.
    """
    plan, names, rules = results[0].plan, results[0].names, results[0].plan.rules
    units_won, pairs = sample(results), list(combinations(range(len(names)), 2))
    one_seating = [result for result in results if result.plan.seating == plan.seating]
    return {
        "game": rules.name,
        "seed": plan.seed,
        "duplicate": len(one_seating) < len(results),
        "hands": sum(result.plan.hands for result in one_seating),
        "played": sum(len(result.chips) for result in results),
        "matches": len(results),
        "seatings": len(results) // len(one_seating),
        "match_hands": plan.hands,
        "stacks": plan.stacks,
        **_timed(results),
        "units": units,
        "method": units_won.method,
        "agents": [
            {"name": name, **_numbers(won)}
            for name, won in zip(names, winnings(units_won, rules, units, interval=interval), strict=True)
        ],
        "differences": [
            {
                "agents": [names[i], names[j]],
                **_numbers(
                    difference(units_won, i, j, rules=rules, units=units, interval=interval).among(len(pairs), interval)
                ),
            }
            for i, j in pairs
        ],
        "measures": [_measure(way, names) for way in measures(ways or {RAW: results}, units=units, interval=interval)],
        **({"aivat": dict(aivat)} if aivat else {}),
    }


def tournament_summary(
    result: TournamentResult, *, ways: Ways | None = None, aivat: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The rankings of a tournament. Agents and cross-table are sorted from best to worst by total bankroll."""
    plan, names, order = result.plan, result.names, result.ranking
    eliminated, points, rated = run_off(result), series(result), ratings(result)
    ways = ways or {RAW: result.results}
    by_way = {
        name: result if name == RAW else tournament_result(plan, way, units=result.units) for name, way in ways.items()
    }
    return {
        "game": plan.rules.name,
        "seed": plan.seed,
        "duplicate": plan.duplicate,
        "hands": plan.hands,
        "played": sum(len(match.chips) for match in result.results),
        "matches": len(result.results),
        "match_hands": min(plan.match_hands, plan.hands),
        "stacks": plan.stacks,
        **_timed(result.results),
        "tables": len(plan.tables),
        "units": result.units,
        "method": result.method,
        "compared": result.n_compared,
        "agents": [
            {
                "name": names[i],
                **_numbers(result.bankroll[i]),
                "run_off_place": eliminated.ranking.index(i) + 1,
                "series_points": points[i].points,
                "series_significant": points[i].n_significant,
                "series_opponents": points[i].n_opponents,
                **{f"rating{end}": rated[i].data()[key] for end, key in _RATING.items()},
                "measures": [{"way": name, **_numbers(way.bankroll[i])} for name, way in by_way.items()],
            }
            for i in order
        ],
        "differences": [{"agents": [names[i], names[j]], **_numbers(result.gap(i, j))} for i, j in pairwise(order)],
        "cross_table": [
            {"row": names[row], "column": names[column], **_numbers(cell)}
            for row in order
            for column in order
            if (cell := result.cell(row, column)) is not None
        ],
        "run_off": [
            {
                "out": names[stage.out],
                "gap": _numbers(stage.gap),
                "scores": [
                    {"name": names[i], **_numbers(stage.scores[i])} for i in eliminated.ranking if i in stage.scores
                ],
            }
            for stage in eliminated.rounds
        ],
        "measures": [
            {"agents": [names[i] for i in table], "ways": _at_table(ways, [names[i] for i in table], result)}
            for table in plan.tables
        ],
        **({"aivat": dict(aivat)} if aivat else {}),
    }


def _timed(results: Sequence[MatchResult]) -> dict[str, Any]:
    """What matches say about time: the limit per decision (None for no limit); by name, how often each player was late,
    and how often its process was ended because it ignored the limit. Also the counts of language models."""
    late, stopped = Counter[str](), Counter[str]()
    for result in results:
        late.update(dict(zip(result.names, result.late, strict=False)))
        stopped.update(dict(zip(result.names, result.stopped, strict=False)))
    return {
        "seconds_per_decision": results[0].plan.seconds,
        "late": dict(late),
        "stopped": dict(stopped),
        **_talked(results),
    }


def _talked(results: Sequence[MatchResult]) -> dict[str, Any]:
    """Counts of language models (calls, decisions ..) over all matches, by name; {} if there are none."""
    talk: dict[str, Counter[str]] = {}
    for result in results:
        for name, counts in zip(result.names, result.talk, strict=False):
            if counts:
                talk.setdefault(name, Counter()).update(counts)
    return {"talk": {name: dict(sorted(counts.items())) for name, counts in talk.items()}} if talk else {}


def talk_lines(summary: Mapping[str, Any]) -> list[str]:
    """Counts of language models, one line per player.

    >>> talk_lines({"talk": {"chat:m": {"calls": 1200, "decisions": 1190, "repaired: text around JSON": 3}}})
    ['chat:m: calls 1,200, decisions 1,190, repaired: text around JSON 3']
    """
    return [
        f"{name}: {', '.join(f'{what} {n:,}' for what, n in counts.items())}"
        for name, counts in summary.get("talk", {}).items()
    ]


_RATING = {"": "mean", "_low": "low", "_high": "high"}


def rating_text(row: Mapping[str, Any]) -> str:
    """An agent's rating as text; it has no interval after a single round of matches.

    >>> rating_text({"rating": 94.2, "rating_low": 30.0, "rating_high": 158.4})
    '+94 ± 64'
    >>> rating_text({"rating": 94.2, "rating_low": None, "rating_high": None})
    '+94'
    """
    half = "" if row["rating_low"] is None else f" ± {(row['rating_high'] - row['rating_low']) / 2:.0f}"
    return f"{row['rating']:+.0f}{half}"


def late_lines(summary: Mapping[str, Any]) -> list[str]:
    """Sentences about players that exceeded the time limit.

    >>> late_lines({"seconds_per_decision": 2.0, "late": {"ann": 1, "bob": 0}})
    ['ann was late once (over 2 s a decision): it checked, or folded to a bet']
    """

    def times(n: int) -> str:
        return "once" if n == 1 else f"{n:,} times"

    limit, lines = summary["seconds_per_decision"], []
    for name, n in summary["late"].items():
        stopped = summary.get("stopped", {}).get(name, 0)
        ended = f"; {times(stopped)} it did not stop, and its process was ended and started anew" if stopped else ""
        late = f"{name} was late {times(n)} (over {limit:g} s a decision): it checked, or folded to a bet{ended}"
        lines += [late] if n else []
    return lines


def way_name(way: Mapping[str, Any]) -> str:
    """Display name of a method of measuring.

    >>> [way_name({"way": way, "duplicate": True}) for way in ("raw", "AIVAT")]
    ['duplicate', 'AIVAT, duplicate']
    """
    if not way["duplicate"]:
        return str(way["way"])
    return "duplicate" if way["way"] == "raw" else f"{way['way']}, duplicate"


def _at_table(ways: Ways, names: Sequence[str], result: TournamentResult) -> list[dict[str, Any]]:
    """Results of every method of measuring at one table of a tournament, in the units of the cross-table."""
    here = {name: [result for result in results if list(result.names) == names] for name, results in ways.items()}
    ways_here = measures(here, units=result.units, dependent=result.hands_depend)
    return [_measure(way, names, among=result.n_compared) for way in ways_here]


def _measure(way: Way, names: Sequence[str], *, among: int = 1) -> dict[str, Any]:
    factor = (way.factor.mean, way.factor.low, way.factor.high)
    times = [number if isfinite(number) else None for number in factor]
    return {
        "way": way.name,
        "duplicate": way.duplicate,
        "method": way.winnings[0].method,
        "agents": [{"name": name, **_numbers(won.among(among))} for name, won in zip(names, way.winnings, strict=True)],
        **dict(zip(("factor", "factor_low", "factor_high"), times, strict=True)),
    }


def _numbers(number: Estimate) -> dict[str, Any]:
    return {**number.data(), "significant": number.significant}
