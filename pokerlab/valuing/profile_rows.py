"""The rows of a profile (`profiles`) by section; their keys, labels and meanings are in `profile_rows.toml`.

>>> ROWS["bluff"].label, ROWS["bluff"].kind
('bluffs among river bets', 'share')
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal, NamedTuple


class Row(NamedTuple):
    """What one number of the profile is: a share of opportunities, a mean over them (of strengths or of mbb), or the
    difference of two means."""

    key: str
    label: str
    kind: Literal["share", "strength", "mbb"]
    meaning: str


SECTIONS: dict[str, tuple[Row, ...]] = {
    title: tuple(Row(key, *about) for key, about in rows.items())
    for title, rows in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
"""By section, the rows whose numbers need the player's cards."""

ROWS = {row.key: row for rows in SECTIONS.values() for row in rows}
