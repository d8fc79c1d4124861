"""A picture of a Bayesian network and its beliefs: a box for each node with its likeliest states as bars.

Parents are above their children. Observed nodes are shaded; nodes with many states show only the likeliest.

>>> import tempfile
>>> from pokerlab.systems.bpp.networks import bpp_network
>>> network = bpp_network("taylor")
>>> with tempfile.TemporaryDirectory() as folder:
...     save_network(network, network.beliefs({"Round": 0}), Path(folder) / "bpp.svg", seen={"Round": 0}, title="BPP")
...     text = (Path(folder) / "bpp.svg").read_text()
>>> "OppConservative" in text, "StraightFlush" in text
(True, False)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.pictures.figures import figure_file
from pokerlab.pictures.palette import BAND, INK, LINES, RULE
from pokerlab.systems.bpp.bayesian_network import BayesianNetwork, Node

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_STATES = 6
WIDTH, LINE, GAP = 2.7, 0.17, 0.55  # inches: a box, a state, the space between rows
MARGIN = 0.3
LONGEST = 36  # characters of a state


def save_network(
    network: BayesianNetwork, beliefs: Mapping[str, Floats], path: Path, *, seen: Collection[str] = (), title: str = ""
) -> None:
    """Draw the network with `beliefs[node][state]`; the suffix of `path` selects the format."""
    layers = _layers(network)
    shown = {node.name: _shown(node, beliefs[node.name]) for node in network.nodes}
    heights = [max(LINE * (len(shown[node.name]) + 1.6) for node in layer) for layer in layers]
    width = (WIDTH + MARGIN) * max(map(len, layers)) + MARGIN
    height = sum(heights) + GAP * (len(layers) - 1) + 2 * MARGIN + 0.3
    with figure_file(path, width, height, title=title) as figure:
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_xlim(0, width)
        axes.set_ylim(0, height)
        axes.axis("off")
        places = _places(layers, heights, width, height)
        arrow = {"arrowstyle": "-|>", "color": BAND, "linewidth": 0.9}
        for node in network.nodes:
            x, y = places[node.name]
            for parent in node.parents:
                start = (places[parent][0] + WIDTH / 2, places[parent][1] - LINE * (len(shown[parent]) + 1.6))
                axes.annotate("", (x + WIDTH / 2, y), start, arrowprops=arrow, zorder=1)
        for node in network.nodes:
            _box(axes, places[node.name], node.name, shown[node.name], seen=node.name in seen)


def _layers(network: BayesianNetwork) -> list[list[Node]]:
    """Group nodes by the length of the longest path from a node without parents."""
    depth: dict[str, int] = {}
    for node in network.nodes:
        depth[node.name] = 1 + max((depth[parent] for parent in node.parents), default=-1)
    for node in reversed(network.nodes):  # roots are placed just above their first child
        children = [depth[child.name] for child in network.nodes if node.name in child.parents]
        if children and not node.parents:
            depth[node.name] = min(children) - 1
    return [[n for n in network.nodes if depth[n.name] == d] for d in sorted(set(depth.values()))]


def _shown(node: Node, belief: Floats) -> list[tuple[str, float]]:
    """The likeliest states, in the node's own order; states below one in a thousand are omitted."""
    likely = sorted(np.argsort(-belief, kind="stable")[:MOST_STATES].tolist())
    return [(node.states[i], float(belief[i])) for i in likely if belief[i] >= 0.001]


def _places(
    layers: list[list[Node]], heights: list[float], width: float, height: float
) -> dict[str, tuple[float, float]]:
    """Upper left corner of each box."""
    places, top = {}, height - MARGIN - 0.3
    for layer, tall in zip(layers, heights, strict=True):
        space = (width - WIDTH * len(layer)) / (len(layer) + 1)
        for i, node in enumerate(layer):
            places[node.name] = (space + i * (WIDTH + space), top)
        top -= tall + GAP
    return places


def _box(axes: Axes, at: tuple[float, float], name: str, states: list[tuple[str, float]], *, seen: bool) -> None:
    from matplotlib.patches import Rectangle

    x, y = at
    tall = LINE * (len(states) + 1.6)
    face = RULE if seen else "white"
    axes.add_patch(Rectangle((x, y - tall), WIDTH, tall, facecolor=face, edgecolor=INK, linewidth=0.8, zorder=2))
    axes.text(x + 0.06, y - 0.14, name, fontsize=8, fontweight="bold", color=INK, va="center", zorder=3)
    bars = x + WIDTH - 0.95
    for i, (state, p) in enumerate(states):
        middle = y - LINE * (i + 1.9)
        label = state if len(state) <= LONGEST else state[: LONGEST - 1] + "…"
        axes.text(x + 0.06, middle, label, fontsize=6, color=INK, va="center", zorder=3, parse_math=False)
        axes.add_patch(Rectangle((bars, middle - 0.05), 0.5 * p, 0.1, facecolor=LINES[0][0], linewidth=0, zorder=3))
        axes.text(x + WIDTH - 0.06, middle, f"{p:.1%}", fontsize=6, color=INK, va="center", ha="right", zorder=3)
