"""Agents that fail or are slow at a live table: told on stderr in full, and at the table without their own words.

An error of somebody's code may quote its cards, so the people at a table read only that the player failed and what the
dealer did for it. The line on stderr has the error, and the file of the player's last view: one line of JSON, as
programs read it (`notation.view_lines`), to be given to the player again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.files import write_whole
from pokerlab.games.views import View
from pokerlab.notation.view_lines import view_data

LOG = logging.getLogger("pokerlab.web")
SLOW_SECONDS = 5.0
"""An agent that thinks longer is called slow; it has no time limit."""


@dataclass(frozen=True)
class Failure:
    """A failed decision of the agent in a chair, with the view that it was asked about."""

    chair: int
    view: View
    why: str
    times: int  # that the agent has failed since the table was opened


def report_failure(failure: Failure, name: str, journal: Path) -> None:
    """Save the failed agent's view beside the journal of its table, and say on stderr what happened."""
    path = journal.with_suffix(f".{failure.chair}.view.json")
    try:
        write_whole(path, f"{json.dumps(view_data(failure.view))}\n".encode(), private=True)  # it has cards
        where = f"its view is in {path}"
    except (PokerlabError, OSError) as error:  # the game goes on
        where = f"its view could not be saved: {error}"
    LOG.error("table %s: %s failed: %s (%s)", journal.stem, name, PokerlabError(failure.why[:500]), where)


def report_slow(name: str, hand: int, journal: Path) -> None:
    """Say on stderr that an agent has not decided yet."""
    LOG.warning("table %s: %s has thought for %g s in hand %d", journal.stem, name, SLOW_SECONDS, hand)


def failed_data(failures: Iterable[Failure], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """For a page: who failed how often, and last in which hand; never why."""
    return [{"name": names[each.chair], "hand": each.view.hand, "times": each.times} for each in failures]
