"""`pokerlab stats`: players' statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Count, Json, console, print_answer, print_json, progress, say, tell, tell_problems
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import meaning

if TYPE_CHECKING:
    from pokerlab.games.rules import Rules
    from pokerlab.table.database import Database, QueryRows
    from pokerlab.table.statistics import Summary

SHOWN_GROUPS = 24
CELL = 17
"""Width of one group's numbers in the terminal."""


def stats(
    *files: Annotated[str, Parameter(name="FILE")],
    by: str = "agent",
    min_hands: Count = 1,
    picture: Annotated[Path | None, Parameter(help=meaning("picture", "It shows bankrolls."))] = None,
    sql: str | None = None,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Print players' statistics: VPIP, PFR, aggression, showdowns, winnings .., each with its n and a 95% interval.

    Reads hands saved by `match` and `tournament` (a run directory or .parquet files) and hand histories: .log (ACPC),
    .phh and .phhs (PHH), .txt (PokerStars), the IRC database. Unreadable lines are reported on stderr and skipped.

    For example:

        pokerlab stats runs/my-tournament
        pokerlab stats session.txt --by agent,position --min-hands 50
        pokerlab stats match.log --game limit2p --by agent,street
        pokerlab stats runs/my-tournament --picture bankrolls.png
        pokerlab stats runs/my-tournament --sql "SELECT name, avg(net) FROM player_hands GROUP BY name"

    Parameters
    ----------
    files
        Files, directories, or patterns such as "runs/*/hands/*.parquet".
    by
        What to group by: agent, position, street, game, or several separated by commas.
    min_hands
        Leave out groups with fewer hands.
    sql
        Run this DuckDB query instead, over the tables hands, player_hands and player_streets.
    """
    from pokerlab.files import check_picture
    from pokerlab.pictures.bankrolls import save_bankrolls
    from pokerlab.table.bankroll import bankrolls

    if not files:
        raise PokerlabError("name at least one file of hands or directory of a run (see pokerlab stats --help)")
    if min_hands < 0:
        raise PokerlabError(f"min-hands must be at least 0, not {min_hands}")
    if picture is not None:
        check_picture(picture)
    problems: list[str] = []
    with _opened(files, rules_of(game) if game else None, problems) as database:
        tell_problems(problems)
        if picture:
            save_bankrolls(bankrolls(database, min_hands=min_hands), picture, title="Bankrolls")
        if sql:
            _answer(database.ask(sql), as_json=as_json)
        else:
            _statistics(database, [key.strip() for key in by.split(",") if key.strip()], min_hands, problems, as_json)
    if picture and not as_json:
        say(f"written to {picture}")


def _opened(places: Sequence[str], rules: Rules | None, problems: list[str]) -> Database:
    from pokerlab.table.hand_database import open_database

    try:
        with progress("reading hands") as report:
            return open_database(places, rules, problems, repaired=tell, report=report)
    except PokerlabError:
        tell_problems(problems)
        raise


# --- output ----------------------------------------------------------------------------------------------------------


def _statistics(database: Database, by: Sequence[str], min_hands: int, problems: Sequence[str], as_json: bool) -> None:
    from pokerlab.table.statistics import contents, known_results, statistics_data, summaries

    groups = summaries(database, by, min_hands=min_hands)
    if not groups:
        raise PokerlabError(f"no player has played {min_hands:,} hands or more")
    if as_json:
        print_json(statistics_data(database, groups, by) | {"problems": list(problems)})
        return
    (n_hands, n_files, games), results = contents(database), known_results(database)
    files = f" in {n_files:,} files" if n_files > 1 else ""  # a directory counts as one file
    title = f"{n_hands:,} hand{'s' * (n_hands != 1)} of {', '.join(games)}{files}"
    width = max(1, (console().width - 21) // (CELL + 3))
    shown = [groups[first : min(first + width, SHOWN_GROUPS)] for first in range(0, len(groups), width)]
    tables = [_table(some) for some in shown if some]
    tables[0] = replace(tables[0], title="\n".join([title, *results.lines()]))
    lines = ["In brackets: 95% interval. n: chances, or hands for winnings. docs/statistics.md defines each."]
    if len(groups) > SHOWN_GROUPS:
        more = f"and {len(groups) - SHOWN_GROUPS:,} more"
        lines.insert(0, f"{more}; --min-hands leaves out those with few hands, --json has all")
    if any(summary.unknown for summary in groups):
        lines.append("*: winnings leave out the showdowns whose winner is unknown; past 5% they are withheld.")
    print_answer(Answer(tables=tuple(tables), lines=tuple(lines)), as_json=False)


def _table(groups: Sequence[Summary]) -> AnswerTable:
    """Table with one column per group; winnings computed without the hands that reach a showdown are marked with a
    star."""
    from pokerlab.valuing.profile_sections import Number, style_rows

    def cell(number: Number, summary: Summary) -> str:
        star = "*" if number.kind == "mean" and summary.unknown else ""
        value = f"{number.text(number.value.mean)}{number.unit}{star} n {number.n:,.0f}\n{number.interval}"
        return number.undefined or value

    heads = []
    for summary in groups:
        unknown = f"{summary.unknown:,} of {summary.showdowns:,}\nshowdowns unknown"
        about = [f"{summary.hands:,} hands", *([unknown] if summary.unknown else [])]
        heads.append("\n".join([*(summary.group.values() or ["all players"]), *about]))
    rows = [
        (row.label, *(cell(number, summary) for number, summary in zip(row.numbers, groups, strict=True)))
        for row in style_rows(groups)
    ]
    return AnswerTable(("", *heads), tuple(rows))


def _answer(answer: QueryRows, *, as_json: bool) -> None:
    rows = tuple(tuple(f"{v:.6g}" if isinstance(v, float) else str(v) for v in row) for row in answer.rows)
    table = AnswerTable(tuple(answer.columns), rows, words=len(answer.columns))
    data = {"columns": list(answer.columns), "rows": [_plain(row) for row in answer.rows]}
    print_answer(Answer(tables=(table,), data=data), as_json=as_json)


def _plain(row: Iterable[Any]) -> list[Any]:
    """Convert values without a JSON form (dates, decimals, infinity) to text."""
    return [
        value if isinstance(value, int | str | None) or (isinstance(value, float) and not isinf(value)) else str(value)
        for value in row
    ]
