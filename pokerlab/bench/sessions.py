"""Benchmarks of the database of sessions: importing hands, filtering a million of them, statistics at a table.

The hands are played by strategies in compiled code, with dates added: sessions of 500 hands with an hour between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

HANDS, COPIES, BATCH = 20_000, 50, 5_000
SECONDS, IN_A_SESSION, PAUSE = 40, 500, 3600
PLAYER = "equilibrium:nolimit2p"
