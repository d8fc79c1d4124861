"""Common frame of all picture files: one font, one style of axes, and the same bytes for the same drawing.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     with figure_file(Path(folder) / "line.svg", 4, 3, title="A line") as figure:
...         _ = plain_axes(figure.add_subplot(), x="hands").plot([0, 1], [0, 1])
...     [path.name for path in Path(folder).iterdir()]
['line.svg']
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.files import check_picture
from pokerlab.pictures.palette import INK, RULE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_UNSAID: dict[str, Any] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


@contextmanager
def figure_file(path: Path, width: float, height: float, *, title: str = "") -> Iterator[Figure]:
    """Context with a white figure of this size (inches) and title to draw on. At the end it is written to `path`, in
    the format of its suffix; a missing directory is created. Neither a date nor a library version goes into the file.
    """
    check_picture(path)
    with drawing(width, height) as figure:
        figure.text(0.12 / width, 1 - 0.1 / height, title, fontsize=12, fontweight="bold", va="top", parse_math=False)
        yield figure
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150, metadata=_UNSAID[path.suffix.lower()])


@contextmanager
def drawing(width: float, height: float, *, salt: str = "pokerlab") -> Iterator[Figure]:
    """Context with a figure (size in inches) that needs no display; `salt` keeps the identifiers of its SVG distinct
    from those of others."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    settings: Any = {"font.family": "DejaVu Sans", "svg.fonttype": "none", "svg.hashsalt": salt, "path.simplify": False}
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # of a name; the picture shows a box there
        figure = Figure(figsize=(width, height), facecolor="white")
        FigureCanvasAgg(figure)
        yield figure


def plain_axes(axes: Axes, *, x: str = "", y: str = "") -> Axes:
    """Apply the house style to axes: labels, a light grid, no frame."""
    axes.set_xlabel(x, fontsize=9, color=INK)
    axes.set_ylabel(y, fontsize=9, color=INK)
    axes.grid(color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, labelsize=8, length=0, which="both")
    axes.spines[["top", "right"]].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(RULE)
    return axes
