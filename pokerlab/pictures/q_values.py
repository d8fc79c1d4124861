"""Pictures of a Q-learner: its actions by E[HS], PPot and bets to call.

>>> import tempfile
>>> from pokerlab.policies.compiled_players import ValueFeatures
>>> player = QPlayer(ValueFeatures(), np.random.default_rng(1).random((500, 3)))
>>> with tempfile.TemporaryDirectory() as folder:
...     save_actions(player, Path(folder) / "actions.svg")
...     "1 bet to call" in (Path(folder) / "actions.svg").read_text()
True
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.arrays import Int64s
from pokerlab.pictures.figures import figure_file
from pokerlab.pictures.palette import INK, RULE
from pokerlab.systems.threeplayer.q_learning import CALLS, FOLDS, RAISES, QPlayer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STREETS = ("before the flop", "flop", "turn", "river")
COLOURS = {FOLDS: "#c9d3df", CALLS: "#7fa8dc", RAISES: "#1b3f86"}
NAMES = {FOLDS: "fold", CALLS: "check or call", RAISES: "bet or raise"}


def save_actions(player: QPlayer, path: Path, *, title: str = "") -> None:
    """Draw a grid for each number of bets to call and, if distinguished, each street, number of players and pot. States
    never visited, whose values are all 0, stay blank."""
    from matplotlib.patches import Patch

    features = player.features
    rows = list(product(range(4 if features.street else 1), range(_n_left(player)), range(features.pot)))
    best = _best(player)
    with figure_file(path, 1.0 + 1.75 * features.call, 1.5 + 1.75 * len(rows), title=title) as figure:
        grid = figure.subplots(len(rows), features.call, squeeze=False, sharex=True, sharey=True)
        for place, (street, left, pot) in enumerate(rows):
            for bets in range(features.call):
                axes = grid[place, bets]
                _draw(axes, best[:, :, bets, street, left, pot])
                if place == 0:
                    words = "nothing to call" if bets == 0 else f"{bets} bet{'s' * (bets > 1)} to call"
                    axes.set_title(words, fontsize=8, color=INK)
            named = [STREETS[street]] * features.street + [f"{left + 2} players"] * features.players
            named += [f"pot from {2**pot * (pot > 0)} bets"] * (features.pot > 1)
            grid[place, 0].set_ylabel("\n".join([*named, "PPot"]), fontsize=8, color=INK)
        for axes in grid[-1]:
            axes.set_xlabel("E[HS]", fontsize=8, color=INK)
        patches = [Patch(color=COLOURS[action], label=NAMES[action]) for action in (FOLDS, CALLS, RAISES)]
        figure.legend(handles=patches, loc="lower center", ncols=3, frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0.35 / figure.get_figheight(), 1, 1 - 0.35 / figure.get_figheight()))


def _n_left(player: QPlayer) -> int:
    features = player.features
    return len(player.values) // (features.n_states(2)) if features.players else 1


def _best(player: QPlayer) -> Int64s:
    """`[hs, ppot, bets, street, left, pot]`: best action, -1 where nothing was learned."""
    features = player.features
    order = [CALLS, RAISES, FOLDS]
    best = np.array(order)[player.values[:, order].argmax(axis=1)]
    best[~player.values.any(axis=1)] = -1
    free = np.arange(len(best)).reshape(features.hs, features.ppot, features.call, -1)[:, :, 0].ravel()
    may = np.array([CALLS, RAISES])  # no fold when there is nothing to call
    best[free] = np.where(best[free] == -1, -1, may[player.values[free][:, may].argmax(axis=1)])
    shape = (features.hs, features.ppot, features.call, 4 if features.street else 1, _n_left(player), features.pot)
    return np.asarray(best.reshape(shape))


def _draw(axes: Axes, actions: Int64s) -> None:
    from matplotlib.colors import ListedColormap

    shown = np.ma.masked_less(actions.T, 0)
    colours = ListedColormap([COLOURS[action] for action in (FOLDS, CALLS, RAISES)])
    axes.imshow(shown, origin="lower", extent=(0, 1, 0, 1), cmap=colours, vmin=0, vmax=2, aspect="equal")
    axes.tick_params(colors=INK, labelsize=7, length=0)
    for side in axes.spines.values():
        side.set_color(RULE)
