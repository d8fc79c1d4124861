"""The pictures of results: their sections handed to `pokerlab.pictures` as curves, levels and dots."""

from __future__ import annotations

from pathlib import Path

from pokerlab.errors import PokerlabError
from pokerlab.experiments.experiment import Role, Section
from pokerlab.experiments.results import Result

CURVES: tuple[Role, ...] = ("by run", "by action", "by hand", "by thousand steps", "by million hands")


def draw(result: Result, path: Path) -> None:
    """Draw the picture of a result, as .png, .svg or .pdf by the suffix of `path`. Same result, same bytes."""
    for role in CURVES:
        if _sections(result, role):
            _draw_curves(result, path, role)
            return
    if _sections(result, "by size"):
        _draw_sizes(result, path)
    else:
        raise PokerlabError(f"{result.experiment} has no values run by run, by action or by bet size to draw")


def _sections(result: Result, role: Role) -> dict[str, Section]:
    return {title: section for title, section in result.ours.sections.items() if section.role == role}


def _draw_curves(result: Result, path: Path, role: Role) -> None:
    from pokerlab.pictures.run_curves import RunCurve, save_run_curves

    panels: dict[str, list[RunCurve]] = {}
    for title, section in _sections(result, role).items():
        printed = result.published.sections.get(title, Section({}))
        panel = f"{section.sized} sized" if role == "by run" else section.sized
        panels.setdefault(panel, []).append(RunCurve(section.series, section.points, printed.points))
    levels = {each.series: number.mean for each in _sections(result, "level").values() for number in each.rows.values()}
    author = result.cites.partition(",")[0]
    digits = {"by run": 1, "by action": 1, "by hand": 0 if section.unit == "mbb/hand" else 2}.get(role, 3)
    about = {"title": result.title, "unit": section.unit, "author": author, "x": role[3:]}
    save_run_curves(panels, path, levels=levels, digits=digits, **about)


def _draw_sizes(result: Result, path: Path) -> None:
    from pokerlab.experiments.bets.table_4_1 import ROOT, half_street_value
    from pokerlab.pictures.half_street import save_half_street

    (curve,) = _sections(result, "by size").values()
    values = [(size, number.mean) for size, number in curve.points]
    ends = {
        section.series: [number.mean for number in section.rows.values()]
        for section in _sections(result, "ends").values()
    }
    save_half_street(values, ends, path, formula=half_street_value, best=ROOT)
