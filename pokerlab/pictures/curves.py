"""Pictures of curves: the progress of solving and training, values by bet size, and our results beside published ones.

Every function writes the format given by `path`'s suffix (.png, .svg, .pdf). `unit` is a thousandth of a big blind in
chips; 1 draws chips.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     measured = [(0, Estimate(2.0, 1.5, 2.5, 200)), (5000, Estimate(0.4, 0.3, 0.5, 200))]
...     save_training(np.ones((5, 7)), Path(folder) / "curve.svg", hands=5000, errors=measured)
...     drawn = (Path(folder) / "curve.svg").read_text()
>>> "decisions a hand" in drawn, "RI error" in drawn
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import BAND, BLUE, GREEN, INK, LINES, ORANGE, RED, RULE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pokerlab.solvers.core.solve import Look
    from pokerlab.solvers.vector.counter import Trade

Points: TypeAlias = Sequence[tuple[float, Estimate]]
"""(number of the run, action or hand, value)."""


def _chips_name(unit: float) -> str:
    return "chips per hand" if unit == 1 else "thousandths of a big blind per hand"


def save_convergence(runs: Mapping[str, Sequence[Look]], path: Path, *, title: str = "", unit: float = 1.0) -> None:
    """Draw the exploitability of runs (by name) over iterations and over seconds, with logarithmic axes."""
    if not any(look.exploitability > 0 for looks in runs.values() for look in looks):
        raise PokerlabError("nothing to draw: no look has an exploitability above 0")
    name = f"exploitability, {_chips_name(unit)}"
    with figure_file(path, 9.6, 4.4, title=title) as figure:
        for place, what in enumerate(("iterations", "seconds"), 1):
            axes = plain_axes(figure.add_subplot(1, 2, place), x=what, y=name * (place == 1))
            _draw_looks(axes, runs, what, unit)
        if len(runs) > 1:
            figure.axes[0].legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.92), w_pad=2)


def _draw_looks(axes: Axes, runs: Mapping[str, Sequence[Look]], what: str, unit: float) -> None:
    for number, (name, looks) in enumerate(runs.items()):
        line = LINES[number % len(LINES)]
        shown = [look for look in looks if look.exploitability > 0 and (what == "iterations" or look.seconds > 0)]
        x = [look.iteration if what == "iterations" else look.seconds for look in shown]
        y = [look.exploitability / unit for look in shown]
        axes.plot(x, y, color=line.colour, linestyle=line.dash, linewidth=1.8, marker="o", markersize=3, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")


def save_training(
    curve: Floats, path: Path, *, hands: int, errors: Sequence[tuple[int, Estimate]] = (), title: str = ""
) -> None:
    """Draw `curve[look, number]` (`systems.connectionist.training.COLUMNS`) over the hands played. `errors` are RI
    errors, with intervals, after some numbers of hands."""
    decisions, actions, showdowns, advantage, _, won, squared = curve.T
    panels = {
        "decisions a hand": decisions,
        "log-likelihood of a decision": actions / np.maximum(decisions, 1e-9),
        "log-likelihood of showdowns, a hand": showdowns,
        "deviation of winnings, small blinds": np.sqrt(np.maximum(squared - won**2, 0)),
        "return less baseline, root mean square": np.sqrt(advantage / np.maximum(decisions, 1e-9)),
    }
    at = (np.arange(len(curve)) + 0.5) / len(curve) * hands / 1e6
    with figure_file(path, 12.5, 5.6, title=title) as figure:
        for place, (name, values) in enumerate(panels.items(), 1):
            axes = plain_axes(figure.add_subplot(2, 3, place), x="millions of hands", y=name)
            axes.plot(at, values, color=LINES[0].colour, linewidth=1.4)
        if errors:
            axes = plain_axes(figure.add_subplot(2, 3, 6), x="millions of hands", y="RI error, small blinds/decision")
            marks, measured = [done / 1e6 for done, _ in errors], [error for _, error in errors]
            means, halves = [error.mean for error in measured], [error.half_width for error in measured]
            axes.errorbar(marks, means, halves, color=LINES[0].colour, linewidth=1.4, capsize=2)
        figure.tight_layout(rect=(0, 0, 1, 0.94), h_pad=2, w_pad=2)


def save_learning(curves: Mapping[str, Floats], path: Path, *, title: str = "", every: int = 20) -> None:
    """Write learners' winnings during training, `curve[thousand]` by name, as means over `every` thousand hands."""
    with figure_file(path, 7.2, 4.0, title=title) as figure:
        axes = plain_axes(figure.add_subplot(), x="thousands of hands", y="small bets won per hand")
        axes.axhline(0, color=BAND, linewidth=0.8)
        for number, (name, curve) in enumerate(curves.items()):
            n = max(1, min(every, len(curve) // 10))
            means = curve[: len(curve) // n * n].reshape(-1, n).mean(axis=1)
            line, at = LINES[number % len(LINES)], (np.arange(len(means)) + 0.5) * n
            axes.plot(at, means, color=line.colour, linestyle=line.dash, linewidth=1.6, label=name)
        if len(curves) > 1:
            axes.legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.93))


def save_trade_off(trades: Sequence[Trade], path: Path, *, title: str = "", unit: float = 1.0) -> None:
    """Draw counter-strategies as one point per value of p: winnings from the model against exploitability."""
    name = _chips_name(unit)
    with figure_file(path, 6.4, 4.4, title=title) as figure:
        axes = plain_axes(figure.add_subplot(), x=f"exploitability, {name}", y=f"won from the model, {name}")
        x, y = [t.exploitability / unit for t in trades], [t.wins / unit for t in trades]
        axes.plot(x, y, color=BLUE, linewidth=1.8, marker="o", markersize=4)
        labelled: list[tuple[float, float]] = []
        for trade, right, up in zip(trades, x, y, strict=True):
            if all(abs(right - a) > 0.08 * max(x) or abs(up - b) > 0.05 * max(y) for a, b in labelled):
                axes.annotate(f"p = {trade.p:g}", (right, up), xytext=(6, -9), textcoords="offset points", fontsize=8)
                labelled.append((right, up))
        axes.margins(x=0.12, y=0.1)
        figure.tight_layout(rect=(0, 0, 1, 0.94))


def save_size_values(
    tried: Sequence[tuple[float, float]],
    found: Sequence[float],
    path: Path,
    *,
    worth: float,
    without: float,
    title: str,
) -> None:
    """Draw `tried`, the (size, chips) of sizes solved one by one, and a mark at each size in `found`, at the value
    `worth` of all of them together. `without` is the player's value with all-in only."""
    with figure_file(path, 7.2, 4.2, title=title) as figure:
        axes = plain_axes(figure.add_subplot(), x="bet size, pots (logarithmic)", y="the player's value, chips")
        axes.set_xscale("log")
        axes.axhline(without, color=RULE, linewidth=1, zorder=0, label="all-in only")
        if tried:  # short stacks are past every usual size
            sizes, values = zip(*sorted(tried), strict=True)
            axes.plot(sizes, values, "o-", color=BLUE, markersize=4, linewidth=1, label="one usual size")
        axes.plot(found, [worth] * len(found), "D", color=GREEN, markersize=7, label="found")
        ticks = sorted({*(size for size, _ in tried), *found})
        axes.set_xticks(ticks, [f"{size:.3g}" for size in ticks], fontsize=7, rotation=45)
        axes.minorticks_off()
        axes.legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.94))


def save_half_street(
    values: Sequence[tuple[float, float]],
    ends: Mapping[str, Sequence[float]],
    path: Path,
    *,
    formula: Callable[[float], float],
    best: float,
) -> None:
    """Draw half-street Kuhn: the value of a bet size by formula, our (size, value) pairs, and below them, by method, a
    dot for every size at which a learned range settled (Hawkin 2014, equation 4.9, figures 4.2, 4.3 and 6.9)."""
    sizes, dots = np.linspace(0, 3, 301), ((GREEN, "o"), (ORANGE, "s"), (RED, "^"))
    with figure_file(path, 7.2, 4.2, title="Half-street Kuhn: bet sizes and their value") as figure:
        axes = plain_axes(figure.add_subplot(), x="bet size, fraction of the pot", y="value to the bettor, antes")
        axes.plot(sizes, [formula(size) for size in sizes], color=BLUE, linewidth=1.4, label="equation 4.9")
        axes.plot(*zip(*values, strict=True), "o", color=BLUE, markersize=4, label="linear programs")
        axes.axvline(best, color=RULE, linewidth=1, zorder=0)
        for place, ((name, sizes_at_end), (colour, marker)) in enumerate(zip(ends.items(), dots, strict=True), 1):
            level = np.full(len(sizes_at_end), -0.006 * place)
            axes.plot(
                sizes_at_end, level, marker, color=colour, markersize=5, alpha=0.7, label=f"ranges end at: {name}"
            )
        axes.legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.94))


class RunCurve(NamedTuple):
    """One curve: its name, our points, and the published points."""

    name: str
    ours: Points
    published: Points


def save_run_curves(
    panels: Mapping[str, Sequence[RunCurve]],
    path: Path,
    *,
    title: str,
    unit: str,
    levels: Mapping[str, float],
    author: str,
    x: str = "run",
    digits: int = 1,
) -> None:
    """Draw each panel's curves and reference levels. The legend gives the last values with `digits` decimals."""
    with figure_file(path, max(4.9 * len(panels), 6.6), 4.5, title=title) as figure:
        for place, (name, curves) in enumerate(panels.items(), 1):
            axes = plain_axes(figure.add_subplot(1, len(panels), place), x=x, y=unit)
            _draw_panel(axes, curves, levels, digits)
            axes.set_title(name, loc="left", fontsize=10, fontweight="bold", color=INK)
        kinds = {number.kind for curves in panels.values() for curve in curves for _, number in curve.ours}
        shades = {"interval": "95% intervals", "bounds": "best-response bounds"}
        shade = " and ".join(words for kind, words in shades.items() if kind in kinds)
        note = "Filled, solid: ours (the last value after its name)" + (f", shaded {shade}." if shade else ".")
        if any(curve.published for curves in panels.values() for curve in curves):
            note += f" Hollow, dashed: {author}."
        figure.text(0.012, 0.015, note, fontsize=8, color=INK, parse_math=False)
        figure.tight_layout(rect=(0, 0.04, 1, 0.94), w_pad=2)


def _draw_panel(axes: Axes, curves: Sequence[RunCurve], levels: Mapping[str, float], digits: int) -> None:
    from matplotlib.ticker import MaxNLocator

    for name, value in levels.items():
        axes.axhline(value, color=BAND, linewidth=1.2, linestyle=(0, (1.2, 1.4)), label=f"{name}: {value:.{digits}f}")
    for place, curve in enumerate(curves):
        colour, _, marker = LINES[place % len(LINES)]
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 4.5}
        _line(axes, curve.published, style | {"markerfacecolor": "white", "linestyle": (0, (4, 2)), "linewidth": 1.0})
        low, high = ([getattr(number, end) for _, number in curve.ours] for end in ("low", "high"))
        axes.fill_between([run for run, _ in curve.ours], low, high, color=colour, alpha=0.15, linewidth=0)
        last = f"{curve.name}: {curve.ours[-1][1].mean:.{digits}f}"
        _line(axes, curve.ours, style | {"linewidth": 1.8, "label": last})
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.08)
    axes.legend(frameon=False, fontsize=8)


def _line(axes: Axes, points: Points, style: dict[str, Any]) -> None:
    axes.plot([run for run, _ in points], [number.mean for _, number in points], **style)
