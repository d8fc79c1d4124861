"""A picture of a training run of the connectionist player: how the play and the observer's predictions changed.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     save_training(np.ones((5, 7)), Path(folder) / "curve.svg", hands=5000)
...     "decisions a hand" in (Path(folder) / "curve.svg").read_text()
True
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import LINES


def save_training(curve: NDArray[np.float64], path: Path, *, hands: int, title: str = "") -> None:
    """Draw `curve[look, number]` (`learning.connectionist.training.COLUMNS`) over the hands played."""
    decisions, actions, showdowns, _, _, won, squared = curve.T
    panels = {
        "decisions a hand": decisions,
        "log-likelihood of a decision": actions / np.maximum(decisions, 1e-9),
        "log-likelihood of showdowns, a hand": showdowns,
        "deviation of winnings, small blinds": np.sqrt(np.maximum(squared - won**2, 0)),
    }
    at = (np.arange(len(curve)) + 0.5) / len(curve) * hands / 1e6
    with figure_file(path, 9.0, 5.6, title=title) as figure:
        for place, (name, values) in enumerate(panels.items(), 1):
            axes = plain_axes(figure.add_subplot(2, 2, place), x="millions of hands", y=name)
            axes.plot(at, values, color=LINES[0].colour, linewidth=1.4)
        figure.tight_layout(rect=(0, 0, 1, 0.94), h_pad=2, w_pad=2)
