"""A picture of a report over boards: action frequencies by texture, as divided bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pokerlab.pictures.figures import figure_file, plain_axes

FOLD, CALL, RAISES = "#c3c8cd", "#8fd6bf", ("#f2c48d", "#ef9f76", "#e5807a", "#d97fa6", "#b792d8")


def colours(actions: Sequence[str]) -> list[str]:
    """A colour for each action: one for folds, one for checks and calls, and one for each bet or raise.

    >>> colours(["fold", "call"]) == [FOLD, CALL], colours(["check", "bet 50", "bet 100"]) == [CALL, *RAISES[:2]]
    (True, True)
    """
    passive = {"fold": FOLD, "check": CALL, "call": CALL}
    raises = [action for action in actions if action not in passive]
    return [passive.get(action) or RAISES[min(raises.index(action), len(RAISES) - 1)] for action in actions]


def save_board_report(
    groups: Mapping[str, Sequence[tuple[str, Mapping[str, float]]]], path: Path, *, title: str
) -> None:
    """Draw a bar for each (texture, share by action); `groups` collects the textures of one kind."""
    bars = [bar for some in groups.values() for bar in some]
    if not bars:
        return
    actions = list(bars[0][1])
    places, at = [], 0.0
    for some in groups.values():
        for _ in some:
            places.append(at)
            at += 1
        at += 0.6
    with figure_file(path, 7.2, 1.2 + 0.24 * at, title=title[:90]) as figure:
        axes = plain_axes(figure.add_subplot(), x="frequency", y="")
        before = np.zeros(len(bars))
        for action, colour in zip(actions, colours(actions), strict=True):
            shares = np.array([bar[action] for _, bar in bars])
            axes.barh(places, shares, left=before, color=colour, label=action, height=0.8)
            before = before + shares
        axes.set_yticks(places, [name for name, _ in bars], fontsize=8)
        axes.invert_yaxis()
        axes.set_xlim(0, 1)
        axes.legend(frameon=False, fontsize=8, ncols=len(actions), loc="lower center", bbox_to_anchor=(0.5, 1.0))
        figure.tight_layout(rect=(0, 0, 1, 0.95))
