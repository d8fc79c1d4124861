"""Failing or slow agents at a live table: full report on stderr, but at the table nothing of the agent's own text.

An error message of user code may quote hidden cards, so the people at a table are told only that the player failed and
what the dealer did on its behalf. The line on stderr has the error, and the file of the player's last view: one line of
JSON in the form that programs read (`notation.view_lines`), so that the player can be tested with it again.
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
    """A failed decision of the agent in a chair, with the view on which it was to decide."""

    chair: int
    view: View
    why: str
    times: int  # that the agent has failed since the table was opened


def report_failure(failure: Failure, name: str, journal: Path) -> None:
    """Save the failed agent's view next to the journal of its table, and report the failure on stderr."""
    path = journal.with_suffix(f".{failure.chair}.view.json")
    try:
        write_whole(path, f"{json.dumps(view_data(failure.view))}\n".encode(), private=True)  # it has cards
        where = f"its view is in {path}"
    except (PokerlabError, OSError) as error:  # the game goes on
        where = f"its view could not be saved: {error}"
    LOG.error("table %s: %s failed: %s (%s)", journal.stem, name, PokerlabError(failure.why[:500]), where)


def report_slow(name: str, hand: int, journal: Path) -> None:
    """Report on stderr that an agent has not decided yet."""
    LOG.warning("table %s: %s has thought for %g s in hand %d", journal.stem, name, SLOW_SECONDS, hand)


def failed_data(failures: Iterable[Failure], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Data for a page: which players failed, how often, and last in which hand; the reason is never included."""
    return [{"name": names[each.chair], "hand": each.view.hand, "times": each.times} for each in failures]
