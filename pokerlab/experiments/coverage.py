"""Coverage of published curves by our values, and the differences between them.

A curve that several figures show is counted once.

>>> from pokerlab.experiments.experiment import Section, Table
>>> from pokerlab.estimates import bounds
>>> published = Table({"c": Section({"run 1": bounds(9, 11), "run 2": bounds(7, 9)}, "by run", at=(1.0, 2.0))})
>>> ours = Table({"c": Section({"run 1": bounds(10.5, 12.5)}, "by run", at=(1.0,))})
>>> row = covered([("6", published, ours)])["6"]
>>> row.printed, row.beside, row.overlapping, row.differences
(2, 1, 1, (1.5,))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Section, Table


class Covered(NamedTuple):
    """The numbers of one chapter's curves."""

    printed: int
    beside: int  # of the printed ones, those that ours stand beside
    overlapping: int  # of these, those whose bounds or intervals have a point in common
    differences: tuple[float, ...]  # ours less printed, in the curves' unit

    def quantile(self, q: float) -> float:
        """A quantile of the differences' size."""
        return float(np.quantile(np.abs(self.differences), q)) if self.differences else float("nan")


def covered(tables: Iterable[tuple[str, Table, Table]]) -> dict[str, Covered]:
    """The numbers by chapter, from (chapter, published, ours) of every result; a curve belongs to its first one."""
    chapter_of: dict[str, str] = {}
    printed: dict[tuple[str, str], Estimate] = {}
    ours: dict[tuple[str, str], Estimate] = {}
    for chapter, published, found in tables:
        for title, section in published.sections.items():
            if section.role == "by run":
                chapter_of.setdefault(title, chapter)
                printed |= {(title, row): number for row, number in section.rows.items()}
                mine = found.sections.get(title, Section({})).rows
                ours |= {(title, row): number for row, number in mine.items() if (title, row) not in ours}
    rows: dict[str, Covered] = {}
    for chapter in sorted(set(chapter_of.values())):
        keys = [key for key in printed if chapter_of[key[0]] == chapter]
        both = [(printed[key], ours[key]) for key in keys if key in ours]
        meet = sum(there.low <= here.high and here.low <= there.high for there, here in both)
        rows[chapter] = Covered(len(keys), len(both), meet, tuple(here.mean - there.mean for there, here in both))
    return rows
