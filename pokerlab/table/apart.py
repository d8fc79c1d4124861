"""Run an agent's code in its own process: it receives views, and cannot reach the dealer, the deck or the results.

Foreign code may read other stack frames, replace functions, print, sleep or end its process. `AgentApart` has the
methods of an agent and forwards calls to the agent in the other process (`table.apart_process`). It sends views, never
states. The random generator's state travels with each call and back, so the same seed gives the same hands as in one
process. Every agent of every match has a separate process, so that it cannot remember an earlier match with the same
cards.
"""

from __future__ import annotations

import os
import signal
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import ByAction, ByHand, ByHandAction, Floats
from pokerlab.errors import AgentError, PokerlabError
from pokerlab.files import json_of
from pokerlab.games.actions import CALL, FOLD, Action
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.runs.processes import cause_of_end, end_group, started
from pokerlab.runs.reads import note_reads
from pokerlab.table.apart_messages import action_of, action_text, pack_hand, pack_public, state_text
from pokerlab.table.apart_process import ABILITIES, serve
from pokerlab.table.clock import MAKING_SECONDS, OutOfTime

PATIENCE_SECONDS = 1.0
"""How long an interrupted agent may take to notice; after that its process is ended and restarted."""

PRELOADED = ("pokerlab.players.registry", "pokerlab.table.apart_process", "pokerlab.games.catalog")
"""Modules imported before agents' processes are forked, so that starting one takes milliseconds."""


class AgentApart:
    """Proxy of the agent that `make` ("module:function") makes from `name`, in a process that is started when needed.
    It has the agent's optional methods (`observe`, `save`, `by_combo` ..). If the agent's process ends, the proxy
    raises `AgentError`, and the next call restarts the agent without memory. With `forgive`, errors in the agent's code
    are passed to `forgive` as one line, and the agent checks, or folds to a bet. A call that takes more than `seconds`
    raises `OutOfTime`, even if the clock's alarm cannot interrupt it. The files that a `watched` agent reads are
    recorded for the result of the task (`runs.reads`)."""

    def __init__(
        self,
        name: str,
        *,
        make: str,
        forgive: Callable[[str], None] | None = None,
        seconds: float | None = None,
        watched: bool = False,
    ) -> None:
        self._name, self._make, self._forgive, self._seconds, self._watched = name, make, forgive, seconds, watched
        self._process: BaseProcess | None = None
        self._pipe: Connection
        self._owes = False  # an answer, possibly one that no caller waits for any more
        self._is_made = False
        self._rules: Rules | None = None  # those that the other process has
        self._talk: Path | None = None  # where the agent writes down what it says
        self._keeps_talk = False  # whether the agent in the present process knows
        self.n_stopped = 0  # how often its process was ended because it ignored the end of its time
        try:
            self._make_ready(name)
        except BaseException:
            self.close()
            raise

    def supports(self, rules: Rules) -> bool:
        return bool(self._call_remote("supports", rules, who=self._name))

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Return the agent's choice. Afterwards `rng` is in the state in which the agent left its copy."""
        who = f"hand {view.hand}: {view.names[view.seat]}"
        try:
            packed = pack_public(view), view.seat, view.hole
            answer = self._call_remote("act", view.rules, packed, state_text(rng), who=who)
            with _usable(who):
                action, state = answer
                chosen, after = action_of(action), json_of(state) if state else None
                if after is not None:
                    before = rng.bit_generator.state
                    try:
                        rng.bit_generator.state = after
                    except BaseException:
                        rng.bit_generator.state = before
                        raise
            if self._forgive is not None:
                view.betting.check(chosen)
        except PokerlabError as error:
            if self._forgive is None:
                raise
            self._forgive(str(error))
            return FOLD if view.to_call else CALL
        return chosen

    def _observe(self, hand: HandHistory) -> None:
        try:
            self._call_remote("observe", hand.rules, pack_hand(hand), who=f"hand {hand.number}: {self._name}")
        except PokerlabError as error:
            if self._forgive is None:
                raise
            self._forgive(str(error))

    def _prepare(self) -> None:
        self._call_remote("prepare", self._rules, who=self._name)

    def _save(self, path: Path) -> None:
        self._call_remote("save", self._rules, str(path), who=self._name)

    def _load(self, path: Path) -> None:
        self._call_remote("load", self._rules, str(path), who=self._name)

    def _keep_talk(self, path: Path) -> None:
        self._talk = path  # sent with the first call of each process

    def _end_talk(self) -> None:
        self._call_remote("end_talk", self._rules, who=self._name)

    def _by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        answer = self._call_remote("by_combo", public.rules, pack_public(public), seat, who=self._name)
        return _actions_and(answer, self._name, 2)

    def _probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        packed = pack_public(view), view.seat, view.hole
        return _actions_and(self._call_remote("probabilities", view.rules, packed, who=self._name), self._name, 1)

    def _likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        arguments = pack_public(public), seat, action_text(action)
        answer = self._call_remote("likelihood", public.rules, *arguments, who=self._name)
        with _usable(self._name):
            return _numbers(answer, 1)

    def files(self) -> tuple[Path, ...]:
        """The files that a watched agent has read so far, the sources of its modules among them."""
        answer = self._call_remote("files", self._rules, who=self._name)
        with _usable(self._name):
            return tuple(Path(path) for path in answer)

    def _call_remote(self, method: str, rules: Rules | None, *arguments: Any, who: str) -> Any:
        """Call a method in the agent's process and return its answer. An interrupt of this process, such as the
        clock's, is passed on."""
        self._make_ready(who)
        if self._talk is not None and not self._keeps_talk:
            self._keeps_talk = True
            self._call_remote("keep_talk", None, str(self._talk), who=who)
        with suppress(OSError):  # if the process is dead, reading from it will report it
            self._pipe.send((method, None if rules is self._rules else rules, arguments, who))
        self._owes, self._rules = True, rules
        try:
            if not self._pipe.poll(self._seconds):
                raise OutOfTime
        except BaseException:
            if self._process is not None and self._process.pid is not None:
                os.kill(self._process.pid, signal.SIGALRM)
            raise
        answer = self._answer(who)
        if "problem" in answer:
            raise AgentError(str(answer["problem"]))
        return answer.get("value")

    def _answer(self, who: str) -> dict[str, Any]:
        """Receive the pending answer; if there is none, the process has ended or was interrupted while sending it."""
        try:
            answer = json_of(self._pipe.recv_bytes())
        except (EOFError, OSError):
            assert self._process is not None
            ended = {"problem": f"{who}: its process ended ({cause_of_end(self._process)})"}
            self.close()
            return ended
        except ValueError:
            self.close()
            return {"problem": f"{who}: its process sent something else than an answer"}
        except BaseException:
            self.close()
            raise
        self._owes = False
        if not isinstance(answer, dict):
            return {"problem": f"{who}: its process sent no answer"}
        if self._watched and isinstance(read := answer.get("read"), list):
            note_reads(map(str, read))
        return answer

    def _make_ready(self, who: str) -> None:
        """Wait until the agent is ready for a call. If a clock interrupts the wait, the agent is still being made in
        the background."""
        if self._owes and self._is_made and not self._pipe.poll(PATIENCE_SECONDS):
            self.n_stopped += 1
            self.close()
        if self._has_ended:
            self._process, self._pipe = started(
                serve, self._name, self._make, str(Path.cwd()), self._watched, preloaded=PRELOADED
            )
            self._ended = weakref.finalize(self, _end, self._process, self._pipe)
            self._owes, self._is_made, self._rules, self._keeps_talk = True, False, None, False
        if self._owes:
            if not self._is_made and self._seconds is not None:
                most = max(self._seconds, MAKING_SECONDS)
                if not self._pipe.poll(most):
                    self.close()
                    raise AgentError(f"{self._name} was not made within {most:g} seconds")
            self._pipe.poll(None)
            answer, was_made = self._answer(who), self._is_made
            self._is_made = True
            if not was_made and "problem" in answer:
                self.close()
                raise AgentError(str(answer["problem"]))
            if not was_made:
                with _usable(who):
                    self.__class__ = _class_with(tuple(each for each in ABILITIES if each in answer["value"]))
        if self._has_ended:  # it ended between two calls
            self._make_ready(who)

    @property
    def _has_ended(self) -> bool:
        return self._process is None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._ended()
        self._process, self._owes = None, False


@lru_cache
def _class_with(abilities: tuple[str, ...]) -> type[AgentApart]:
    """Make a subclass of `AgentApart` with the methods of `abilities` only, since callers check which methods an agent
    has."""
    methods = [method for ability in abilities for method in ABILITIES[ability][1]]
    return type("AgentApart", (AgentApart,), {method: getattr(AgentApart, f"_{method}") for method in methods})


def _actions_and(answer: Any, who: str, n_axes: int) -> tuple[tuple[Action, ...], Any]:
    """Return (the actions, the numbers) in an agent's answer; the last axis of the numbers has one entry for each
    action."""
    with _usable(who):
        actions, p = answer
        found, numbers = tuple(map(action_of, actions)), _numbers(p, n_axes)
        if numbers.shape[-1] != len(found):
            raise ValueError(f"{len(found)} actions have {numbers.shape[-1]} numbers")
        return found, numbers


def _numbers(answer: Any, n_axes: int) -> Floats:
    numbers: Floats = np.array(answer, dtype=np.float64)
    if numbers.ndim != n_axes:
        raise ValueError(f"an array of {n_axes} axes, not of {numbers.ndim}")
    return numbers


@contextmanager
def _usable(who: str) -> Iterator[None]:
    """Turn errors of using what a process sent into one line: its code may send anything."""
    try:
        yield
    except PokerlabError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        raise AgentError(f"{who}: its process sent an answer that cannot be used ({error})") from error


def _end(process: BaseProcess, pipe: Connection) -> None:
    pipe.close()
    end_group(process)
