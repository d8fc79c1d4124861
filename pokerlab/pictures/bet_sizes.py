"""A picture of bet sizes: the betting tree that leads to the most important sized bets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.pictures.figures import figure_file
from pokerlab.pictures.palette import BAND, BLUE, INK, RED
from pokerlab.systems.bets.search import BetRow, Run, action_words, bet_rows, edges_to

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, MARGIN = 0.4, 0.18  # height of a row, and the margin, in inches
SIZED, GAP = 1.12, 0.16  # width of a sized bet, and space between two streets, in inches
WIDEST, THINNEST = 7.0, 0.9  # widths of lines, in points
STREET = "#f4f5f6"


@dataclass
class Branch:
    """Consecutive actions on one street (either one sized bet or only other actions), and the branches that follow."""

    words: str
    street: int
    bet: BetRow | None
    after: list[Branch]
    x: float = 0.0  # where it begins, in inches
    y: float = 0.0  # rows

    @property
    def width(self) -> float:
        """Inches that the label of the branch needs."""
        return SIZED if self.bet is not None else 0.16 + 0.068 * len(self.words)


def save_bet_sizes(run: Run, path: Path, *, title: str = "", most: int = 24) -> None:
    """Draw the betting tree of a run's `most` important bets in the format of `path`'s suffix (.png, .svg, .pdf).
    Streets go from left to right. A sized bet is a coloured line, wider for more important ones, with its solved size
    above and its range below; other actions that lead there are grey. The same call gives the same bytes."""
    rows = bet_rows(run)
    branches = important_branches(run, rows, most)
    n_rows = _place_rows(branches, 0)
    starts = _place_columns(branches)
    width, height = max(starts[-1] + 2 * MARGIN, 6.4), ROW * (n_rows + 0.6) + 0.9
    with figure_file(path, width, height, title=title) as figure:
        axes = figure.add_axes((MARGIN / width, 0.5 / height, 1 - 2 * MARGIN / width, ROW * (n_rows + 0.6) / height))
        axes.set_xlim(0, width - 2 * MARGIN)
        axes.set_ylim(n_rows - 0.4, -1.0)
        axes.axis("off")
        _draw_streets(axes, [run.tree.shape.rules.street_name(s) for s in range(len(starts) - 1)], starts)
        _draw(axes, branches, (0.0, 0.0), max(row.importance for row in rows) or 1.0)
        for place, line in enumerate(_legend(rows, most)):
            below = 0.24 - 0.16 * place
            figure.text(MARGIN / width, below / height, line, fontsize=7.5, color=INK, parse_math=False)


def _legend(rows: Sequence[BetRow], most: int) -> tuple[str, str]:
    which = f"the {most} most important of {len(rows):,} sized bets" if len(rows) > most else "all sized bets"
    colours = {0: "blue", 1: "red"}
    who = ", ".join(f"{colours[player]}: player {player}" for player in sorted({row.player for row in rows}))
    return (
        f"{which[0].upper()}{which[1:]}, in fractions of the pot; *: at an end of its range, which is below; {who}",
        "R: importance, chips per pot fraction; the wider the line the more important",
    )


def important_branches(run: Run, rows: Sequence[BetRow], most: int) -> list[Branch]:
    """The tree that leads to the first `most` of `rows`."""
    bet_at = {int(run.tree.bets.edge[row.number]): row for row in rows}
    paths = sorted(edges_to(run.tree, edge) for edge in list(bet_at)[:most])
    return _branches(run, paths, bet_at)


def _branches(run: Run, paths: Iterable[tuple[int, ...]], bet_at: Mapping[int, BetRow]) -> list[Branch]:
    shape, branches = run.tree.shape, []
    for edge, group in groupby(paths, key=lambda path: path[0]):
        bet = bet_at.get(edge)
        after = _branches(run, [path[1:] for path in group if len(path) > 1], bet_at)
        street = int(shape.street[shape.edge_decision[edge]])
        words = action_words(run, edge)
        if bet is None and len(after) == 1 and after[0].bet is None and after[0].street == street:
            words, after = f"{words}, {after[0].words}", after[0].after
        branches.append(Branch(words, street, bet, after))
    return branches


def _place_rows(branches: Sequence[Branch], row: int) -> int:
    """Give every leaf its own row, and every branch the row of its first leaf. Return the next free row."""
    for branch in branches:
        branch.y = row
        row = _place_rows(branch.after, row) if branch.after else row + 1
    return row


def _place_columns(branches: Sequence[Branch]) -> list[float]:
    """Positions where each street begins, and where the last one ends."""
    widths: dict[int, float] = {}

    def measure(some: Sequence[Branch], street: int, before: float) -> None:
        for branch in some:
            branch.x = before if branch.street == street else 0.0  # relative to the beginning of its street
            widths[branch.street] = max(widths.get(branch.street, 0.0), branch.x + branch.width)
            measure(branch.after, branch.street, branch.x + branch.width)

    def move(some: Sequence[Branch]) -> None:
        for branch in some:
            branch.x += starts[branch.street]
            move(branch.after)

    measure(branches, 0, 0.0)
    starts = [0.0]
    for street in range(max(widths) + 1):
        starts.append(starts[-1] + widths.get(street, 0.4) + GAP)
    move(branches)
    return starts


def _draw_streets(axes: Axes, names: Sequence[str], starts: Sequence[float]) -> None:
    for place, name in enumerate(names):
        left, right = starts[place], starts[place + 1]
        if place % 2 == 0:
            axes.axvspan(left - GAP / 2, right - GAP / 2, color=STREET, zorder=0, linewidth=0)
        axes.text(left + 0.05, -0.72, name, fontsize=9, fontweight="bold", color=INK)


def _draw(axes: Axes, branches: Sequence[Branch], begin: tuple[float, float], most: float) -> None:
    """Draw the lines and labels of branches that follow the point `begin`."""
    for branch in branches:
        x, y = begin
        end = branch.x + branch.width
        axes.plot([x, x, branch.x], [y, branch.y, branch.y], color=BAND, linewidth=THINNEST, zorder=1)
        if branch.bet is None:
            axes.plot([branch.x, end], [branch.y] * 2, color=BAND, linewidth=THINNEST, zorder=1)
            _write(axes, branch.words, branch.x, branch.y - 0.1, INK)
        else:
            _draw_bet(axes, branch, branch.bet, most)
        _draw(axes, branch.after, (end, branch.y), most)


def _draw_bet(axes: Axes, branch: Branch, bet: BetRow, most: float) -> None:
    colour = BLUE if bet.player == 0 else RED
    wide = THINNEST + (WIDEST - THINNEST) * sqrt(bet.importance / most)
    ends = [branch.x, branch.x + branch.width]
    axes.plot(ends, [branch.y] * 2, color=colour, linewidth=wide, zorder=2, solid_capstyle="butt")
    away = 0.08 + wide / 2 / (72 * ROW)
    _write(axes, f"bet {bet.size:.2f}{'*' if bet.at_edge else ''}", branch.x, branch.y - away, colour, bold=True)
    about = f"{bet.low:.2f}-{bet.high:.2f}, R {bet.importance:.2g}"
    _write(axes, about, branch.x, branch.y + away, INK, below=True)


def _write(axes: Axes, words: str, x: float, y: float, colour: str, *, bold: bool = False, below: bool = False) -> None:
    size, weight, side = 6 if below else 7.5, "bold" if bold else "normal", "top" if below else "bottom"
    axes.text(x + 0.05, y, words, color=colour, fontsize=size, fontweight=weight, va=side, parse_math=False)
