"""What the readers of `fuzz_readers.py` share: what a reader is, hands to write, recorded texts, a folder to work in.

Texts recorded elsewhere (`tests/conftest.py` says where they are looked for) are used where they are present; the
others are written by our own writers.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match

HAVE_PARQUET = find_spec("pyarrow") is not None
HAVE_DATABASE = find_spec("duckdb") is not None
HAVE_COMMANDS = find_spec("cyclopts") is not None and find_spec("rich") is not None
DATA = Path(os.environ.get("POKERLAB_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
MOST_RECORDED = 40  #: texts of one kind that are taken from recorded files


@dataclass(frozen=True)
class Reader:
    """What reads a text, and texts that it knows."""

    name: str
    read: Callable[[str], object]
    samples: Callable[[], Sequence[str]]
    seconds: float = 10.0  # more than it takes for a text of a few kilobytes, also on a busy machine


@cache
def played(name: str, n: int = 6) -> tuple[HandHistory, ...]:
    """Hands of players who do anything."""
    hands: list[HandHistory] = []
    rules = game(name)
    plan = MatchPlan(rules, ("random",) * rules.n_seats, hands=n, seed=11)
    play_match(plan, lambda entrant: agent(entrant), on_hand=hands.append)
    return tuple(hands)


def recorded(pattern: str, separator: str | None = None) -> list[str]:
    """Texts of recorded files, or their parts; the same few every time."""
    texts = [path.read_text(errors="replace") for path in sorted(DATA.glob(pattern))[:8]]
    parts = [part for text in texts for part in (text.split(separator) if separator else [text]) if part.strip()]
    return parts[:: max(len(parts) // MOST_RECORDED, 1)][:MOST_RECORDED]


@cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="pokerlab-fuzz-"))
