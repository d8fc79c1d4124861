"""Agents that fail or are slow at a live table. The full error goes to stderr; people at the table see none of its
text.

The error message of an agent may contain its cards. So the people at a table read only that the player failed, and what
the dealer did in its place. The line on stderr has the error, and a command that asks the agent about the same view
again (`table.saved_views`).
"""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.random import Generator

from pokerlab.errors import PokerlabError
from pokerlab.games.views import View
from pokerlab.table.saved_views import save_view

LOG = logging.getLogger("pokerlab.web")
SLOW_SECONDS = 5.0
"""An agent that thinks longer than this is reported as slow."""


@dataclass(frozen=True)
class AskedView:
    """A question to the agent in a chair: its view, and the random numbers that it gets."""

    chair: int
    agent: str
    view: View
    rng: Generator


@dataclass(frozen=True)
class Failure:
    """A failed decision."""

    asked: AskedView
    why: str
    times: int  # how often the agent has failed since the table was opened


def report_failure(failure: Failure, name: str, journal: Path) -> None:
    """Save the failed agent's view beside the journal of its table, and report the failure on stderr."""
    where = _saved(failure.asked, journal)
    LOG.error("table %s: %s failed: %s (%s)", journal.stem, name, PokerlabError(failure.why[:500]), where)


def report_slow(asked: AskedView, name: str, journal: Path) -> None:
    """Save the view of an agent that has not decided yet, and report on stderr that it is slow."""
    hand, where = asked.view.hand, _saved(asked, journal)
    LOG.warning("table %s: %s has thought for %g s in hand %d (%s)", journal.stem, name, SLOW_SECONDS, hand, where)


def _saved(asked: AskedView, journal: Path) -> str:
    """Save a view. Return the command that asks the agent about it again."""
    path = journal.with_suffix(f".{asked.chair}.view.json")
    try:
        save_view(path, asked.view, asked.rng)
    except (PokerlabError, OSError) as error:  # an unsaved view must not stop the game
        return f"its view could not be saved: {error}"
    return f"to ask it again: {shlex.join(['pokerlab', 'verify', 'agent', asked.agent, '--view', str(path)])}"


def failed_data(failures: Iterable[Failure], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Data for a page: which players failed, how often, and in which hand last. It never says why."""
    return [{"name": names[each.asked.chair], "hand": each.asked.view.hand, "times": each.times} for each in failures]
