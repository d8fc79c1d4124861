"""An agent whose code runs in its own process, for tables that must outlive it.

At a live table a program or a person waits: foreign code may print, sleep or end its process, and must not cost more
than an error line. `AgentApart` has the methods of an agent and forwards them to the agent in the other process. It
sends views, never states; the random generator's state travels with each call and back, so the same seed gives the same
hand as in one process.
"""

from __future__ import annotations

import os
import signal
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

import numpy as np

from pokerlab.errors import AgentError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Observer, Prepared, plays
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.runs.workers import attribute, begin_apart, cause_of_end, started
from pokerlab.table.clock import MOST_SECONDS, Clock, OutOfTime

PATIENCE_SECONDS = 1.0
"""How long an interrupted agent may take to notice; after that its process is ended and restarted."""


@dataclass(frozen=True)
class _Problem:
    """Why there is no answer, as one line."""

    why: str


class AgentApart:
    """The agent that `make` ("module:function") makes of `name`, in a process that is started when needed. An agent
    whose process has ended raises `AgentError` and restarts without memory at the next call. With `forgive`, errors of
    its code are reported to `forgive` in one line, and the agent checks, or folds to a bet."""

    def __init__(self, name: str, *, make: str, forgive: Callable[[str], None] | None = None) -> None:
        self._name, self._make, self._forgive = name, make, forgive
        self._process: SpawnProcess | None = None
        self._pipe: Connection
        self._owes = False  # an answer, possibly one that no caller waits for any more
        self._is_made = False
        try:
            self._make_ready(name)
        except BaseException:
            self.close()
            raise

    def supports(self, rules: Rules) -> bool:
        """Whether the agent plays this game."""
        return bool(self._call_remote("supports", rules, who=self._name))

    def prepare(self) -> None:
        """Let the agent prepare, if it needs to."""
        self._call_remote("prepare", who=self._name)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """The agent's choice; `rng` advances as the agent used it."""
        try:
            action, state = self._call_remote("act", view, rng, who=f"hand {view.hand}: {self._name}")
            if self._forgive is not None:
                view.betting.check(action)
        except PokerlabError as error:
            if self._forgive is None:
                raise
            self._forgive(str(error))
            return FOLD if view.to_call else CALL
        rng.bit_generator.state = state
        chosen: Action = action
        return chosen

    def observe(self, hand: HandHistory) -> None:
        """Show the agent a hand, if it learns from them."""
        try:
            self._call_remote("observe", hand, who=f"hand {hand.number}: {self._name}")
        except PokerlabError as error:
            if self._forgive is None:
                raise
            self._forgive(str(error))

    def _call_remote(self, method: str, *arguments: Any, who: str) -> Any:
        """The answer of the agent in the other process. An interrupt of this process, such as the clock's, is passed
        on."""
        self._make_ready(who)
        with suppress(OSError):  # if the process is dead, reading from it will report it
            self._pipe.send((method, arguments, who))
        self._owes = True
        try:
            self._pipe.poll(None)
        except BaseException:
            if self._process is not None and self._process.pid is not None:
                os.kill(self._process.pid, signal.SIGALRM)
            raise
        answer = self._answer(who)
        if isinstance(answer, _Problem):
            raise AgentError(answer.why)
        return answer

    def _answer(self, who: str) -> Any:
        """The pending answer; a process that gives none has ended or was interrupted in the middle of it."""
        try:
            answer = self._pipe.recv()
        except (EOFError, OSError):
            assert self._process is not None
            ended = _Problem(f"{who}: its process ended ({cause_of_end(self._process)})")
            self.close()
            return ended
        except BaseException:
            self.close()
            raise
        self._owes = False
        return answer

    def _make_ready(self, who: str) -> None:
        """Have an agent ready for a call; if time runs out while it is being made, making it continues."""
        if self._owes and self._is_made and not self._pipe.poll(PATIENCE_SECONDS):
            self.close()
        if self._has_ended:
            self._process, self._pipe = started(_serve, self._name, self._make)
            self._ended = weakref.finalize(self, _end, self._process, self._pipe)
            self._owes, self._is_made = True, False
        if self._owes:
            self._pipe.poll(None)
            answer, was_made = self._answer(who), self._is_made
            self._is_made = True
            if isinstance(answer, _Problem) and not was_made:
                self.close()
                raise AgentError(answer.why)
        if self._has_ended:  # it ended between two calls
            self._make_ready(who)

    @property
    def _has_ended(self) -> bool:
        return self._process is None

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._ended()
        self._process, self._owes = None, False


def _end(process: SpawnProcess, pipe: Connection) -> None:
    pipe.close()
    process.kill()
    process.join()


def _serve(pipe: Connection, name: str, make: str) -> None:
    """Main loop of the other process: make the agent, then answer requests from the pipe until it closes."""
    begin_apart()
    made: list[Any] = []
    with Clock(MOST_SECONDS) as clock, suppress(EOFError, OSError):
        pipe.send(_attempt(clock, lambda: made.append(attribute(make)(name)), name))
        while True:
            method, arguments, who = pipe.recv()
            pipe.send(_attempt(clock, lambda: _call(made[0], method, arguments), who))  # noqa: B023 - called at once


def _attempt(clock: Clock, call: Callable[[], Any], who: str) -> Any:
    """The result of `call`, or its failure as a problem."""
    try:
        return clock.timed(call)
    except OutOfTime:
        return _Problem(f"{who} was interrupted")
    except PokerlabError as error:
        return _Problem(str(error))
    except BaseException as error:
        return _Problem(str(AgentError.of(who, error)))


def _call(agent: Any, method: str, arguments: tuple[Any, ...]) -> Any:
    if method == "supports":
        return plays(agent, *arguments)
    if method == "prepare":
        return agent.prepare() if isinstance(agent, Prepared) else None
    if method == "observe":
        return agent.observe(*arguments) if isinstance(agent, Observer) else None
    view, rng = arguments
    action = agent.act(view, rng)
    if not isinstance(action, Action):
        raise PokerlabError(f"hand {view.hand}: {view.names[view.seat]} returned {action!r}, not an Action")
    return action, rng.bit_generator.state
