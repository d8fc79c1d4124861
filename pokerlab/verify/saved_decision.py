"""An agent's answer to a view that was saved when it failed or was slow (`table.saved_views`)."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from pokerlab.errors import AgentError, PokerlabError
from pokerlab.games.narration import action_words
from pokerlab.games.protocols import Prepared
from pokerlab.games.views import View
from pokerlab.players.sources import live_agent
from pokerlab.table.clock import FOREIGN_SECONDS, OutOfTime
from pokerlab.table.players import check_supported
from pokerlab.table.saved_views import saved_view


class SavedDecision(NamedTuple):
    """What an agent answered: its action in words, or its failure."""

    agent: str
    game: str
    hand: int
    legal: str
    action: str
    failure: str
    seconds: float

    def lines(self) -> list[str]:
        """The answer for the terminal."""
        answer = self.failure or f"{self.agent} {self.action}"
        return [f"{answer} (after {self.seconds:.2f} s)", f"legal in hand {self.hand} of {self.game}: {self.legal}"]


def decision_about(name: str, path: Path) -> SavedDecision:
    """Ask a fresh agent to decide on the view in a file, with the random numbers of the original decision."""
    view, rng = saved_view(path)
    agent = live_agent(name, seconds=FOREIGN_SECONDS)
    check_supported([agent], [name], view.rules)
    if isinstance(agent, Prepared):
        agent.prepare()
    began, action, failure = perf_counter(), "", ""
    try:
        chosen = agent.act(view, rng)
        view.betting.check(chosen)
        action = action_words(view.betting, chosen)
    except OutOfTime:
        failure = f"{_who(view)} took longer than {FOREIGN_SECONDS:g} s"
    except PokerlabError as error:
        failure = str(error)
    except (Exception, SystemExit) as error:
        failure = str(AgentError.of(_who(view), error))
    finally:
        seconds = round(perf_counter() - began, 2)
        if callable(close := getattr(agent, "close", None)):
            close()
    return SavedDecision(name, view.rules.name, view.hand, str(view.legal()), action, failure, seconds)


def _who(view: View) -> str:
    return f"hand {view.hand}: {view.names[view.seat]}"
