"""`pokerlab report`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from pokerlab.cli.grid import Picture
from pokerlab.cli.output import Count, DryRun, Json, console, print_json, progress, say, say_cost, table
from pokerlab.cli.playing import Out, Workers
from pokerlab.cli.show import Csv
from pokerlab.cli.solve_subgame import MaxRaises, Pot, Ranges, Stack, two_ranges

if TYPE_CHECKING:
    from pokerlab.valuing.board_reports import Group


def report(
    *,
    ranges: Ranges,
    pot: Pot,
    stack: Stack,
    sizes: str = "0.5p, 1p, all-in",
    street: Literal["flop", "turn", "river"] = "river",
    on: str = "",
    boards: Annotated[int, Parameter(help="How many boards are drawn; 0 takes all that can come.")] = 50,
    spot: str = "",
    max_raises: MaxRaises = None,
    target: float = 0.5,
    iterations: Count = 1000,
    seed: int = 7,
    workers: Workers = None,
    out: Out = None,
    csv_file: Csv = None,
    picture: Picture = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Solve the same spot on many boards: how often it comes, what is done, EV, equity, realisation, by texture.

    Every board is solved on its own, on worker processes, and kept with its strategy. Stop it at any moment: the same
    command goes on where it was, also with more boards.

    For example:

        pokerlab report --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300 --boards 20
        pokerlab report --ranges "30% | 40%" --pot 60 --stack 200 --on Ks7h2d --street turn --boards 0 --csv turns.csv
        pokerlab report --ranges "30% | 40%" --pot 60 --stack 200 --spot check --picture river.svg
        pokerlab report --ranges "20% | 25%" --pot 55 --stack 975 --street flop --sizes 0.5p --boards 10 --dry-run

    Parameters
    ----------
    sizes
        The bets, as for `pokerlab solve`.
    street
        Where play begins.
    on
        Cards that every board begins with.
    spot
        Actions on that street that lead to the decision; nothing is the first one.
    target
        Solve each board to this exploitability, in percent of the pot, or up to the iterations.
    iterations
        At most this many, for each board.
    seed
        Of the boards that are drawn.
    """
    from pokerlab.pictures.figures import check_suffix
    from pokerlab.runs.workers import runner_for
    from pokerlab.valuing.board_reports import BoardReport, default_directory, report_cost, report_csv, run_report

    asked = BoardReport(
        ranges=two_ranges(ranges), pot=pot, stack=stack, sizes=sizes, street=street, on=on, boards=boards, spot=spot,
        max_raises=max_raises, target=target, iterations=iterations, seed=seed,
    )  # fmt: skip
    if picture is not None:
        check_suffix(picture)
    if dry_run:
        say_cost("report", report_cost(asked, workers), as_json=as_json)
        return
    where = out or default_directory(asked)
    with progress("boards") as tell:
        found = run_report(asked, where, runner=runner_for(workers), report=tell)
    rows = found["rows"]
    if csv_file is not None:
        csv_file.parent.mkdir(parents=True, exist_ok=True)
        csv_file.write_text(report_csv(rows))
    groups = _groups(rows, whole=boards == 0)
    if picture is not None:
        from pokerlab.pictures.board_reports import save_board_report

        title = f"{street} of {asked.ranges[0]} against {asked.ranges[1]}"
        save_board_report(
            {by: [(g.name, g.actions) for g in some] for by, some in groups.items()}, picture, title=title
        )
    if as_json:
        listed = {by: [{**g._asdict(), "expected": g.expected.data()} for g in some] for by, some in groups.items()}
        print_json({**found, "units": "pots", "groups": listed, "out": str(where)})
        return
    _show(groups, rows)
    for path in filter(None, (csv_file, picture)):
        say(f"written to {path}")
    say(f"{len(rows)} boards, kept with their strategies in {where}; `pokerlab show` shows each")


def _groups(rows: Sequence[Mapping[str, Any]], *, whole: bool) -> dict[str, list[Group]]:
    from pokerlab.cards.board_texture import Texture
    from pokerlab.valuing.board_reports import grouped

    return {by: grouped(rows, by, whole=whole) for by in ("", *Texture._fields)}


def _show(groups: Mapping[str, Sequence[Group]], rows: Sequence[Mapping[str, Any]]) -> None:
    lines, actions = [], list(groups[""][0].actions) if groups[""] else []
    for some in groups.values():
        for group in some:
            interval = "" if group.expected.kind == "exact" else f"{group.expected.half_width:.2f}"
            worth = f"{group.expected.mean:.3f}", interval, f"{group.equity:.0%}", f"{group.realisation:.0%}"
            shares = (f"{group.actions[action]:.0%}" for action in actions)
            lines.append((group.name, str(group.boards), f"{group.share:.0%}", *worth, *shares))
    if not lines:
        say("the solutions never come to this spot")
        return
    does = [action.removeprefix("raise ") for action in actions]
    headings = ("boards", "n", "share", "EV", "±", "equity", "real.", *does)
    console().print(table(headings, lines, plain=True, collapse_padding=True))
    reached = groups[""][0].reached
    if reached < 1:
        say(f"the spot is come to {reached:.1%} of the time")
    worst = max(row["exploitability"] for row in rows)
    say(f"the least exact board is solved to {worst:.2%} of the pot; EV in pots, ± its 95% interval over boards")
