"""The 13x13 picture of hands: pairs on the diagonal, suited above it, off-suit below, aces first.

`grid_of` converts any vector over the 169 classes or the 1326 combos to a 13x13 array; `grid_lines` draws it in a
terminal and `save_grid` as a PNG, SVG or PDF, both with the same colours. `grids_lines` and `save_grids` show several
grids side by side.

>>> from pokerlab.cards.ranges import parse_range
>>> grid = grid_of(parse_range("99+, AKs, KQo:0.5"))
>>> grid[0, :3], float(grid[2, 1])
(array([1., 1., 0.]), 0.5)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import Floats
from pokerlab.cards.card import RANKS
from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES, N_COMBOS, class_text, live_combos
from pokerlab.errors import PokerlabError
from pokerlab.pictures.figures import figure_file
from pokerlab.pictures.palette import DEAD, INK, RAMP, RED, ink_on, ramp_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.text import Text

Scale = tuple[float, float]
TitledGrid = tuple[str, Floats]


def grid_of(vector: ArrayLike, *, reduce: Literal["mean", "max"] = "mean", dead: Iterable[int] = ()) -> Floats:
    """`grid[row, column]` of `vector[169]` or `vector[1326]`.

    Combos that are NaN or contain a `dead` card do not count; a cell without any other combo is NaN. `reduce` says how
    the combos of a class are combined.

    >>> float(grid_of(np.arange(1326), reduce="max")[0, 0])
    1325.0
    """
    values = np.array(vector, dtype=np.float64)
    if values.shape == (N_CLASSES,):
        return values.reshape(13, 13)
    if values.shape != (N_COMBOS,):
        raise PokerlabError(
            f"a grid shows {N_CLASSES} classes or {N_COMBOS} combos; this array has shape {values.shape}"
        )
    live = live_combos(sum(1 << card for card in dead)) & ~np.isnan(values)
    classes, values = CLASS_OF_COMBO[live], values[live]
    count = np.bincount(classes, minlength=N_CLASSES)
    if reduce == "max":
        cells = np.full(N_CLASSES, -np.inf)
        np.maximum.at(cells, classes, values)
    else:
        cells = np.bincount(classes, weights=values, minlength=N_CLASSES) / np.maximum(count, 1)
    return np.where(count > 0, cells, np.nan).reshape(13, 13)


class _Cell(NamedTuple):
    row: int
    column: int
    name: str
    number: str
    ground: str
    ink: str


def _cells(grid: Floats, scale: Scale, percent: bool, digits: int = 1) -> Iterator[_Cell]:
    low, high = scale
    for hand_class, value in enumerate(grid.ravel()):
        number, ground = "", DEAD
        if not np.isnan(value):
            number = _number(float(value), percent, digits)
            ground = ramp_colour((value - low) / (high - low))
        yield _Cell(*divmod(hand_class, 13), class_text(hand_class), number, ground, ink_on(ground))


def _number(value: float, percent: bool, digits: int = 1) -> str:
    if not percent:
        return f"{value:.3g}"
    return f"{value:.0%}".rstrip("%") if value in (0, 1) else f"{100 * value:.{digits}f}"


def scale_of(grid: Floats) -> Scale:
    """The lowest and highest value shown, for colours that use the whole ramp."""
    shown = grid[~np.isnan(grid)]
    if not shown.size:
        raise PokerlabError("nothing to draw: no hand has a value")
    low, high = float(shown.min()), float(shown.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def grid_lines(
    grid: Floats, *, scale: Scale | None = None, percent: bool = True, mark: int | None = None
) -> Iterator[Text]:
    """Rich text, 78 columns wide: names above numbers on coloured cells, readable without colour; `mark` is a class to
    highlight."""
    from rich.text import Text

    scale = scale or scale_of(grid)
    cells = list(_cells(grid, scale, percent))
    for row in range(13):
        names, numbers = Text(), Text()
        for cell in cells[13 * row : 13 * row + 13]:
            marked = 13 * cell.row + cell.column == mark
            style = f"{cell.ink} on {cell.ground}" + (" bold reverse" if marked else "")
            names.append((f">{cell.name}<" if marked else cell.name).center(6), style)
            numbers.append((cell.number or "-").center(6), style)
        yield names
        yield numbers
    low, high = (_number(end, percent) for end in scale)
    bar = Text(f"{low} ")
    for step in range(26):
        bar.append(" ", f"on {ramp_colour(step / 25)}")
    yield bar.append(f" {high}" + (" %" if percent else ""))


GAP = " " * 3
RANKS_LINE = "  " + " ".join(reversed(RANKS)) + " "
SMALL_WIDTH = 28
"""Width of a small grid in terminal columns."""


def small_grid_lines(grid: Floats, *, scale: Scale = (0, 1)) -> Iterator[Text]:
    """Fourteen lines of rich text for a grid among others: each cell is one digit, its position on `scale` in tenths.

    Rounded to the nearest tenth: `.` for none, `#` for all ten, `-` where there is no value.

    >>> for line in list(small_grid_lines(grid_of(np.linspace(0, 1, 169))))[:3]:
    ...     print(line.plain)
      A K Q J T 9 8 7 6 5 4 3 2
    A . . . . . . . . . 1 1 1 1
    K 1 1 1 1 1 1 1 1 1 1 1 1 1
    """
    from rich.text import Text

    yield Text(RANKS_LINE, "dim")
    cells = list(_cells(grid, scale, percent=True))
    for row, (rank, tenths) in enumerate(zip(reversed(RANKS), _tenths(grid, scale), strict=True)):
        line = Text(f"{rank} ", "dim")
        for cell, tenth in zip(cells[13 * row : 13 * row + 13], tenths, strict=True):
            line.append(f"{tenth} ", f"{cell.ink} on {cell.ground}")
        yield line


def _tenths(grid: Floats, scale: Scale) -> list[str]:
    """One string per row with each cell's position on `scale` in tenths, as in `small_grid_lines`."""
    low, high = scale
    share = np.clip((grid - low) / (high - low), 0, 1)
    return ["".join("-" if np.isnan(cell) else ".123456789#"[round(10 * cell)] for cell in row) for row in share]


def grids_lines(grids: Sequence[TitledGrid], width: int) -> Iterator[Text]:
    """Lines of rich text with small grids, as many side by side as fit into `width` columns."""
    from rich.text import Text

    gap = Text(GAP)
    for place, some in enumerate(_beside(grids, width)):
        if place:
            yield Text()
        columns = [
            [Text(name[:SMALL_WIDTH].ljust(SMALL_WIDTH), "bold"), *small_grid_lines(grid)] for name, grid in some
        ]
        yield from map(gap.join, zip(*columns, strict=True))


def plain_grids(grids: Sequence[TitledGrid], width: int) -> list[str]:
    """The lines of `grids_lines` without colours.

    >>> plain_grids([("check", grid_of(np.linspace(0, 1, 169)))], 80)[:3]
    ['check', '  A K Q J T 9 8 7 6 5 4 3 2', 'A . . . . . . . . . 1 1 1 1']
    """
    lines: list[str] = []
    for some in _beside(grids, width):
        columns = [
            [
                name[:SMALL_WIDTH].ljust(SMALL_WIDTH),
                RANKS_LINE,
                *(f"{rank} {' '.join(row)} " for rank, row in zip(reversed(RANKS), _tenths(grid, (0, 1)), strict=True)),
            ]
            for name, grid in some
        ]
        lines += [*([""] if lines else []), *(GAP.join(each).rstrip() for each in zip(*columns, strict=True))]
    return lines


def _beside(grids: Sequence[TitledGrid], width: int) -> Iterator[Sequence[TitledGrid]]:
    n = max(1, (width + len(GAP)) // (SMALL_WIDTH + len(GAP)))
    return (grids[first : first + n] for first in range(0, len(grids), n))


def save_grid(
    grid: Floats,
    path: Path,
    *,
    title: str = "",
    note: str = "",
    scale: Scale | None = None,
    percent: bool = True,
    mark: int | None = None,
) -> None:
    """Write one large grid in the format of `path`'s suffix (.png, .svg, .pdf). The same call gives the same bytes."""
    scale = scale or scale_of(grid)
    cells = list(_cells(grid, scale, percent))
    _save_cells([("", cells)], path, (title, note), side=8.0, columns=1, scale=scale, percent=percent, mark=mark)


def save_grids(
    grids: Sequence[TitledGrid],
    path: Path,
    *,
    title: str = "",
    note: str = "",
    scale: Scale = (0, 1),
    percent: bool = True,
    columns: int = 3,
) -> None:
    """Write (title, grid) pairs as one picture with a common `scale`, at most `columns` side by side."""
    if not grids:
        raise PokerlabError("nothing to draw: no grids")
    cells = [(name, list(_cells(grid, scale, percent=percent, digits=0 if percent else 1))) for name, grid in grids]
    columns = min(columns, len(grids))
    _save_cells(cells, path, (title, note), side=4.4, columns=columns, scale=scale, percent=percent)


def _save_cells(
    grids: Sequence[tuple[str, list[_Cell]]], path: Path, words: tuple[str, str], *,
    side: float, columns: int, scale: Scale, percent: bool, mark: int | None = None,
) -> None:  # fmt: skip
    """Draw grids `side` inches wide, each below its name, with a title and a note above them all and the colour ramp
    beside them."""
    gap, above, margin, header, bar = 0.3, 0.36 * any(name for name, _ in grids), 0.3, 0.85, 0.95
    n_rows = -(-len(grids) // columns)
    width = 2 * margin + columns * side + (columns - 1) * gap + bar
    height = margin + header + n_rows * (side + above) + (n_rows - 1) * gap
    with figure_file(path, width, height) as figure:
        for place, (name, cells) in enumerate(grids):
            row, column = divmod(place, columns)
            left, top = margin + column * (side + gap), header + above + row * (side + above + gap)
            axes = figure.add_axes((left / width, 1 - (top + side) / height, side / width, side / height))
            _draw_grid(axes, cells, mark=mark, size=1.0 if side > 5 else 0.62)
            axes.set_title(name, loc="left", fontsize=11.5, fontweight="bold", pad=5, parse_math=False)
        styles: tuple[dict[str, Any], ...] = ({"fontsize": 16, "fontweight": "bold"}, {"fontsize": 10.5, "color": INK})
        for text, down, style in zip(words, (0.32, 0.64), styles, strict=True):
            figure.text(margin / width, 1 - down / height, text, va="center", parse_math=False, **style)
        left = (width - margin - bar + 0.22) / width
        _draw_bar(figure.add_axes((left, margin / height, 0.2 / width, side / height)), scale, percent)


def _draw_grid(axes: Axes, cells: Sequence[_Cell], *, mark: int | None = None, size: float = 1.0) -> None:
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Rectangle

    # One collection for all cells: separate patches would take most of the time.
    squares = [[(c.column + x, c.row + y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))] for c in cells]
    grounds = [cell.ground for cell in cells]
    axes.add_collection(PolyCollection(squares, facecolors=grounds, edgecolors="white", linewidths=1.2 * size))
    for cell in cells:
        words: dict[str, Any] = {"color": cell.ink, "ha": "center", "va": "center", "zorder": 4}
        axes.text(cell.column + 0.5, cell.row + 0.36, cell.name, fontsize=11 * size, fontweight="bold", **words)
        axes.text(cell.column + 0.5, cell.row + 0.7, cell.number or "–", fontsize=8.5 * size, **words)
    if mark is not None:
        row, column = divmod(mark, 13)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=RED, linewidth=3, zorder=3))
    axes.set(xlim=(0, 13), ylim=(13, 0))
    axes.set_axis_off()


def _draw_bar(axes: Axes, scale: Scale, percent: bool) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import FuncFormatter

    low, high = scale
    steps = np.linspace(low, high, 256).reshape(-1, 1)
    ramp = LinearSegmentedColormap.from_list("pokerlab", RAMP)
    axes.imshow(steps, cmap=ramp, origin="lower", aspect="auto", extent=(0, 1, low, high))
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}" if percent else f"{value:.3g}"))
    axes.tick_params(length=0, labelsize=10)
    for side in axes.spines.values():
        side.set_visible(False)
