"""The report page of a match or tournament: winnings, every pair of agents, bankrolls, and the style of each agent.

The page is one HTML file without network access, readable in light and dark mode, and records how it was made. It
depends only on the run: the same run gives the same bytes. Its one script sorts tables by a click on a heading; without
scripts they stand as the tournament ranked the agents (see `page.py`).

>>> from pokerlab.pictures.report_page import ReportData, report_html
>>> agents = [{"name": "a<b", "mean": 5.0, "low": 1.0, "high": 9.0, "n": 10, "significant": True}]
>>> page = report_html(ReportData("A match", {"game": "leduc", "units": "mbb_per_hand", "agents": agents}))
>>> "a&lt;b" in page, page.count("<script"), "http:" in page.replace("http://www.w3.org/", "")
(True, 1, False)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from pokerlab.errors import FileError
from pokerlab.estimates import SHORT
from pokerlab.files import json_of, write_whole
from pokerlab.pictures.bankrolls import bankroll_parts
from pokerlab.pictures.page import made_parts, page_text, table_parts, whisker_svg, with_contents
from pokerlab.pictures.profile_page import section_parts
from pokerlab.table.bankroll import Bankroll, bankrolls
from pokerlab.table.database import Database
from pokerlab.table.records import hand_files
from pokerlab.table.statistics import Summary, summaries
from pokerlab.valuing.profile_sections import ProfileSection, style_rows
from pokerlab.valuing.summary import rating_text, way_name

SORTED = "wide sortable"
HEADS = {"agent": ' class="left"', "place": ' data-first="low"', "run-off place": ' data-first="low"'}
"""Attributes of headings; `low`: the first click puts the smallest first."""
Numbers = Mapping[str, Any]
"""`mean`, `low`, `high`, `n` and `significant`, as in `valuing.summary`; unknown ends are None."""


@dataclass(frozen=True)
class ReportData:
    """Content of a report. `result` is a match's or tournament's dictionary from `valuing.summary`."""

    title: str
    result: Mapping[str, Any]
    provenance: Mapping[str, Any] = field(default_factory=dict)  # shown unchanged, in this order
    players: Sequence[Summary] = ()
    bankrolls: Sequence[Bankroll] = ()


def run_report(run: Path, *, command: str = "", result: Mapping[str, Any] | None = None) -> Path:
    """Write `report.html` to the directory of a match or tournament; `command` is the one that reproduces the run.
    `result` is read from the directory if not given."""
    try:
        recorded = json_of((run / "run.json").read_text())
        if result is None:
            result = dict(json_of((run / "result.json").read_text()))
        title = f"{recorded['kind'].capitalize()} at {result['game']}"
        settings = {
            key.replace("_", " "): _setting(value) for key, value in recorded["config"].items() if key != "memory"
        }
        provenance = {"played by": f"pokerlab {recorded['version']}", "run": run.name, **settings}
    except OSError as error:
        raise FileError(f"{run} is not a finished run: {Path(error.filename).name} is missing") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise FileError(f"{run}: run.json or result.json is damaged") from error
    if command:
        provenance = {"command": command, **provenance}
    players, lines = [], []
    if (run / "hands").is_dir():
        with Database(hand_files(run / "hands")) as database:
            players, lines = summaries(database), bankrolls(database)
    try:
        page = report_html(ReportData(title, result, provenance, players, lines))
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise FileError(f"{run}: result.json is damaged") from error
    write_whole(run / "report.html", page.encode())
    return run / "report.html"


def _setting(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("name", json.dumps(value)))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "yes" if value is True else "no" if value is False else "all" if value is None else str(value)


def report_html(data: ReportData) -> str:
    """The page as text."""
    order = [str(agent["name"]) for agent in data.result["agents"]]
    won = [*_standings(data.result), *_cross_table(data.result)]
    drawn = bankroll_parts(_ordered(data.bankrolls, order, lambda line: line.name), STANDINGS_NOTE)
    measured = _measures(data.result)  # a row for every table, so after the graphs unless it is what was asked for
    parts = [
        *([*measured, *won, *drawn] if "value_function" in data.result.get("aivat", {}) else [*won, *drawn, *measured]),
        *_styles(_ordered(data.players, order, lambda player: player.group.get("agent", ""))),
        *made_parts(data.provenance),
    ]
    head = [f"<h1>{escape(data.title)}</h1>", f'<p class="lead">{escape(_lead(data.result))}</p>']
    return page_text(data.title, [*head, *with_contents(parts)], sorting=True)


def _ordered(items: Iterable[Any], order: Sequence[str], name: Any) -> list[Any]:
    """Sort `items` in the order of the standings, with others after them."""
    place = {agent: i for i, agent in enumerate(order)}
    return sorted(items, key=lambda item: place.get(name(item), len(place)))


def _lead(result: Mapping[str, Any]) -> str:
    words = [f"{len(result['agents'])} agents at {result['game']}"]
    if "tables" in result:
        words.append(f"{result['tables']:,} table{'s' * (result['tables'] != 1)}")
    if "hands" in result:
        seatings = ", each in every seating" if result.get("duplicate") else ""
        words.append(f"{result['hands']:,} deals{' at each' if 'tables' in result else ''}{seatings}")
    if "played" in result:
        words.append(f"{result['played']:,} hands in all")
    if "until" in result:
        words.append(f"played until ±{result['until']['half_width']:g}: intervals are confidence sequences")
    if "seed" in result:
        words.append(f"seed {result['seed']}")
    return "; ".join(words) + "."


# --- who won ---------------------------------------------------------------------------------------------------------


def _standings(result: Mapping[str, Any]) -> list[str]:
    agents, unit = result["agents"], _unit(result)
    more = [key for key in ("run_off_place", "series_points", "rating") if key in agents[0]]
    titles = {"run_off_place": "run-off place", "series_points": "series points", "rating": "rating (Elo)"}
    head = ["place", "agent", unit, "95% interval", "", *(titles[key] for key in more)]
    rows = []
    for place, agent in enumerate(agents, 1):
        cells = [
            f"<td>{place}</td>",
            f'<th scope="row">{escape(str(agent["name"]))}</th>',
            f'<td class="{_colour(agent)}">{_number(agent["mean"], result)}</td>',
            f"<td>{_interval(agent, result)}</td>",
            f"<td>{_whisker(agent, agents)}</td>",
            *(f"<td>{_reckoning(key, agent)}</td>" for key in more),
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    heads = "".join(f"<th{HEADS.get(t, '')}>{escape(t)}</th>" if t else "<td></td>" for t in head)
    behind = f"n = {agents[0]['n']:,} {result.get('method', '')}".rstrip()
    note = f"Winnings in {unit}, with 95% intervals from {behind}. Coloured: the interval leaves zero out."
    return [*table_parts("Standings", escape(note), heads, rows, table=SORTED), *_neighbours(result)]


def _reckoning(key: str, agent: Mapping[str, Any]) -> str:
    if key == "rating":
        return rating_text(agent)
    return f"{agent[key]:g} of {agent['series_opponents']}" if key == "series_points" else str(agent[key])


def _neighbours(result: Mapping[str, Any]) -> list[str]:
    """HTML of differences between neighbours in the standings, and whether they are significant."""
    sentences = []
    for gap in result.get("differences", ()):
        one, other = (escape(str(name)) for name in gap["agents"])
        if gap["mean"] < 0:
            one, other = other, one
        half = "" if gap["low"] is None else f" ± {_number((gap['high'] - gap['low']) / 2, result).lstrip('+')}"
        by = f"{_number(abs(gap['mean']), result).lstrip('+')}{half} {_unit(result)}"
        if gap["significant"]:
            sentences.append(f"{one} does better than {other} by {by}")
        else:
            sentences.append(f"{one} and {other} do not differ significantly ({by})")
    return [f'<ul class="note">{"".join(f"<li>{line}</li>" for line in sentences)}</ul>'] if sentences else []


def _cross_table(result: Mapping[str, Any]) -> list[str]:
    if "cross_table" not in result:
        return []
    names = [str(agent["name"]) for agent in result["agents"]]
    cells = {(str(cell["row"]), str(cell["column"])): cell for cell in result["cross_table"]}
    heads = "".join(f'<th title="{escape(name)}">{place}</th>' for place, name in enumerate(names, 1))
    rows = []
    for place, row in enumerate(names, 1):
        line = [
            '<td class="self"></td>' if row == column else _cell(cells.get((row, column)), (row, column), result)
            for column in names
        ]
        rows.append(f'<tr><th scope="row">{place} {escape(row)}</th>{"".join(line)}</tr>')
    note = f"The row's {escape(_unit(result))} against the column, ± half of the 95% interval."
    first = f"<th{HEADS['agent']}>agent</th>"
    return table_parts("Cross-table", note, first + heads, rows, card="card fit", table="sortable")


def _cell(numbers: Numbers | None, pair: tuple[str, str], result: Mapping[str, Any]) -> str:
    if numbers is None:
        return '<td class="even">–</td>'
    half = ""
    if numbers["low"] is not None:
        half = f"<small>± {_number((numbers['high'] - numbers['low']) / 2, result).lstrip('+')}</small>"
    title = f"{pair[0]} against {pair[1]}: {_interval(numbers, result)}, n = {numbers['n']:,}"
    return f'<td class="{_colour(numbers)}" title="{escape(title)}">{_number(numbers["mean"], result)}{half}</td>'


def _measures(result: Mapping[str, Any]) -> list[str]:
    """HTML about measuring methods: the first agent's estimate at every table, and the factor by which each method
    reduces the hands needed."""
    measures = result.get("measures", [])
    tables = measures if "tables" in result else [{"agents": [a["name"] for a in result["agents"]], "ways": measures}]
    if not tables or len(tables[0]["ways"]) < 2:
        return []
    heads = "".join(f"<th>{escape(way_name(way))}</th>" for way in tables[0]["ways"])
    rows = []
    for table in tables:
        first, *others = (str(name) for name in table["agents"])
        cells = [_measured(way, (first, " and ".join(others)), result) for way in table["ways"]]
        rows.append(f'<tr><th scope="row">{escape(first)} v {escape(", ".join(others))}</th>{"".join(cells)}</tr>')
    first = f"<th{HEADS['agent']}>table</th>"
    return table_parts("Ways of measuring", escape(_measuring(result)), first + heads, rows, table=SORTED)


def _measured(way: Mapping[str, Any], pair: tuple[str, str], result: Mapping[str, Any]) -> str:
    cell = _cell(way["agents"][0], pair, result)
    if way["factor"] is None or (way["way"] == "raw" and not way["duplicate"]):
        return cell
    factor = f"<small>×{way['factor']:.1f} ({way['factor_low']:.1f} to {way['factor_high']:.1f})</small>"
    return cell.removesuffix("</td>") + factor + "</td>"


def _measuring(result: Mapping[str, Any]) -> str:
    words = [
        f"The first agent's {_unit(result)}, ± half of the 95% interval, from the same hands; × is the factor by which "
        "a way cut the hands needed, against raw chips from as many hands with cards of their own, with its 95% "
        "interval. All-in: cards after the last bet count with all the ways they might have come."
    ]
    about = result.get("aivat", {})
    if "value_function" in about:
        known = ", ".join(map(str, about["known_policies"])) or "none"
        words.append(f"AIVAT by {about['value_function']}; policies known: {known}.")
    return " ".join(words)


def _unit(result: Mapping[str, Any]) -> str:
    return SHORT.get(result["units"], str(result["units"]))


def _colour(numbers: Numbers) -> str:
    if not numbers["significant"]:
        return "even"
    return "win" if numbers["mean"] > 0 else "lose"


def _number(value: float, result: Mapping[str, Any]) -> str:
    if result["units"] in ("mbb_per_hand", "bb_per_100"):
        return f"{value:+,.0f}" if abs(value) >= 100 else f"{value:+.1f}"
    return f"{value:+.3f}"


def _interval(numbers: Numbers, result: Mapping[str, Any]) -> str:
    if numbers["low"] is None:
        return "no interval"
    return f"{_number(numbers['low'], result)} to {_number(numbers['high'], result)}"


def _whisker(numbers: Numbers, everyone: Sequence[Numbers]) -> str:
    """SVG of an interval as a line with a dot, on the common scale of all agents."""
    ends = [0.0, *(n[key] for n in everyone for key in ("mean", "low", "high") if n[key] is not None)]
    return whisker_svg(numbers["mean"], numbers["low"], numbers["high"], span=(min(ends), max(ends)))


# --- how they played -------------------------------------------------------------------------------------------------


STANDINGS_NOTE = "; the standings allow for deals that are shared"


def _styles(players: Sequence[Summary]) -> list[str]:
    if not players:
        return []
    names = [f"{player.group.get('agent', 'all')}, {player.hands:,} hands" for player in players]
    note = (
        "Each with its 95% interval and n, the number of chances (for winnings, hands). Hands count as "
        "independent here; the standings allow for duplicate deals and for players that learn."
    )
    section = ProfileSection("How they play", tuple(style_rows(players)), note)
    return section_parts(names, section, pictured=False)
