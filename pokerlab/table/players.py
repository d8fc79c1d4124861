"""Make players from their names within the time limit, and check that they support the game. This module imports
little, so that a process that only tests a player starts quickly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pokerlab.errors import AgentError, RulesError, one_line
from pokerlab.games.protocols import Agent, Observer, plays
from pokerlab.games.rules import Rules
from pokerlab.runs.workers import attribute
from pokerlab.table.clock import MAKING_SECONDS, Clock, OutOfTime, clock_for

MakeAgent: TypeAlias = Callable[[str], Agent]


def made(make: MakeAgent, entrant: str, clock: Clock | None) -> Agent:
    """Make an agent; raises an error if that takes too long."""
    if clock is None:
        return make(entrant)
    seconds = max(clock.seconds, MAKING_SECONDS)
    try:
        return clock.timed(lambda: make(entrant), seconds)
    except OutOfTime:
        raise AgentError(f"{entrant} was not made within {seconds:g} seconds") from None


class UnsupportedError(RulesError):
    """Raised for an agent that does not play a game."""

    def __init__(self, agent: str, rules: Rules) -> None:
        super().__init__(agent, rules)  # unchanged, so that the error can be pickled between processes
        self.agent, self.rules = agent, rules

    def __str__(self) -> str:
        return one_line(f"{self.agent} does not play {self.rules.name}")


def check_supported(agents: Sequence[Agent], names: Sequence[str], rules: Rules) -> None:
    """Refuse agents that do not support these rules."""
    for agent, name in zip(agents, names, strict=True):
        if not plays(agent, rules):
            raise UnsupportedError(name, rules)


def check_players(names: Sequence[str], *, make: str, rules: Rules, seconds: float | None = None) -> bool:
    """Make every player once with `make` ("module:function"), and refuse players that do not play the game. Return
    whether any of them learns from finished hands."""
    with clock_for(seconds) as clock:
        agents = [made(attribute(make), name, clock) for name in names]
    check_supported(agents, names, rules)
    return any(isinstance(agent, Observer) for agent in agents)
