"""A picture of a training run of the connectionist player: changes in its play and in the observer's predictions.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     measured = [(0, Estimate(2.0, 1.5, 2.5, 200)), (5000, Estimate(0.4, 0.3, 0.5, 200))]
...     save_training(np.ones((5, 7)), Path(folder) / "curve.svg", hands=5000, errors=measured)
...     drawn = (Path(folder) / "curve.svg").read_text()
>>> "decisions a hand" in drawn, "RI error" in drawn
(True, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate
from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import LINES


def save_training(
    curve: Floats,
    path: Path,
    *,
    hands: int,
    errors: Sequence[tuple[int, Estimate]] = (),
    title: str = "",
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
