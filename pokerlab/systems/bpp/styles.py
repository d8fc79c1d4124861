"""Action tables of three types of opponents, counted from matches of the thesis's players.

The aggressive, the conservative and the base hybrid each play the base hybrid in compiled matches. Their actions are
counted by winner of the hand, round and the other player's last action, as the thesis counted tables 4.3, 4.7 and 4.10.
The thesis's printed tables of types do not describe these players: judged by tables 4.6 and 4.9, even the base hybrid
is aggressive.

>>> count_styles(hands=40).shape
(3, 3, 4, 5, 5)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import Int64s
from pokerlab.systems.bpp.duels import GAME, play_duel
from pokerlab.systems.bpp.type_counts import SEED, STYLES_KIND, THREE_STYLES, write_sparse
from pokerlab.systems.bpp.variants import PRIOR, thesis
from pokerlab.table.match import MatchPlan

HANDS = 10_000


def count_styles(*, hands: int = HANDS, seed: int = SEED) -> Int64s:
    """Play matches and return `counts[type, win, round, bpp action, action]` of the opponents in `THREE_STYLES`."""
    plan = MatchPlan(GAME, ("hybrid", "style"), hands, seed)
    how: dict[str, Any] = {"model": "base", "prior": PRIOR}
    duels = [play_duel(plan, (thesis(**how), thesis(style.replace("base", ""), **how))) for style in THREE_STYLES]
    return np.stack([duel.actions[1] for duel in duels]).astype(np.int64)


def write_style_counts(path: Path) -> Path:
    """Write the counts to a file, which equals the shipped one."""
    write_sparse(
        path, STYLES_KIND, {"command": "pokerlab train networks styles", "hands": HANDS}, {"styles": count_styles()}
    )
    return path
