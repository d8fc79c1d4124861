"""Frequencies of actions by hand type: counts shipped with the package.

`systems.bpp.action_learning` counted them in self-play of the combinatory player.

>>> actions_by_type("holdem").shape, actions_by_type("stud").shape
((4, 28, 5), (4, 28, 28, 5))
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from pokerlab.arrays import Int64s
from pokerlab.files import read_arrays

KIND = "action counts by hand type"
PATH = Path(__file__).parent / "data" / "actions.bin"


@cache
def actions_by_type(game: str) -> Int64s:
    """`counts[round, sub-type, action]` of "holdem"; of "stud" `counts[round, sub-type, upcards opposite, action]`."""
    about, arrays = read_arrays(PATH, KIND)
    counts = np.zeros(about["shapes"][game], np.int64)
    counts.ravel()[arrays[f"{game} at"]] = arrays[game]
    return counts
