"""Failing or slow agents at a live table: full report on stderr, but at the table nothing of the agent's own text.

An error of somebody's code may quote its cards, so the people at a table read only that the player failed and what the
dealer did for it. The line on stderr has the error, and the command that asks the player about the same view again
(`table.saved_views`).
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
"""An agent that thinks longer is called slow."""


@dataclass(frozen=True)
class AskedView:
    """What the agent in a chair is asked: its view, with the random numbers that it is given."""

    chair: int
    agent: str
    view: View
    rng: Generator


@dataclass(frozen=True)
class Failure:
    """A failed decision."""

    asked: AskedView
    why: str
    times: int  # that the agent has failed since the table was opened


def report_failure(failure: Failure, name: str, journal: Path) -> None:
    """Save the failed agent's view beside the journal of its table, and say on stderr what happened."""
    where = _saved(failure.asked, journal)
    LOG.error("table %s: %s failed: %s (%s)", journal.stem, name, PokerlabError(failure.why[:500]), where)


def report_slow(asked: AskedView, name: str, journal: Path) -> None:
    """The same for an agent that has not decided yet."""
    hand, where = asked.view.hand, _saved(asked, journal)
    LOG.warning("table %s: %s has thought for %g s in hand %d (%s)", journal.stem, name, SLOW_SECONDS, hand, where)


def _saved(asked: AskedView, journal: Path) -> str:
    """Save a view, and return the command that asks about it again."""
    path = journal.with_suffix(f".{asked.chair}.view.json")
    try:
        save_view(path, asked.view, asked.rng)
    except (PokerlabError, OSError) as error:  # the game goes on
        return f"its view could not be saved: {error}"
    return f"to ask it again: {shlex.join(['pokerlab', 'verify', 'agent', asked.agent, '--view', str(path)])}"


def failed_data(failures: Iterable[Failure], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """For a page: who failed how often, and last in which hand; never why."""
    return [{"name": names[each.asked.chair], "hand": each.asked.view.hand, "times": each.times} for each in failures]
