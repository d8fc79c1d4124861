"""The process in which a foreign agent runs, the counterpart of `table.apart`.

It has the agent, the rules, and what the agent was shown, but no deck, no other player's cards, no results and no seed.
Calls arrive through a pipe; answers go back as JSON. The process may use half of the memory that is free when it
starts.

A *watched* process also records every file that the agent reads, by an audit hook of the interpreter, and every module
that it imports; each answer reports the new ones. Apart from Python, installed packages and pokerlab's tables, these
files determine how the agent plays. Files that compiled libraries read without Python's knowledge are missed.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import sysconfig
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.caches import cache_directory
from pokerlab.errors import AgentError, PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.protocols import Learner, Loadable, Observer, Policy, Prepared, Talker, plays
from pokerlab.games.rules import Rules
from pokerlab.runs.cost import available_memory
from pokerlab.runs.processes import begin_apart
from pokerlab.runs.workers import attribute
from pokerlab.table.apart_messages import action_of, action_text, generator, hand_of, public_of, state_text, view_of
from pokerlab.table.clock import MOST_SECONDS, Clock, OutOfTime

ABILITIES: dict[str, tuple[type, tuple[str, ...]]] = {
    "observes": (Observer, ("observe",)),
    "prepares": (Prepared, ("prepare",)),
    "loads": (Loadable, ("load",)),
    "learns": (Learner, ("save",)),
    "talks": (Talker, ("keep_talk", "end_talk")),
    "has a policy": (Policy, ("by_combo", "probabilities", "likelihood")),
}
"""Optional abilities of an agent besides acting: for each the protocol, and its methods."""

MEMORY_SHARE, LEAST_MEMORY = 0.5, 1 << 30  # share of the free memory, and bytes
_SYSTEM = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/")


def serve(pipe: Connection, name: str, make: str, folder: str, watched: bool) -> None:
    """Make the agent, then answer calls from the pipe until it closes."""
    begin_apart(leads=True)
    os.chdir(folder)
    del sys.argv[1:]  # hide the command's options, which include the seed
    np.random.seed()  # noqa: NPY002 - processes forked from one server would all begin with the same state
    most = max(int(MEMORY_SHARE * available_memory()), LEAST_MEMORY)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    files = Files() if watched else None
    with Clock(MOST_SECONDS) as clock, suppress(EOFError, OSError):
        seat = Seat()
        pipe.send_bytes(_answer(clock, lambda: seat.take(attribute(make)(name)), name, files))
        while True:
            method, rules, arguments, who = pipe.recv()
            if method == "files":
                pipe.send_bytes(json.dumps({"value": [] if files is None else files.read()}).encode())
                continue
            call = partial(seat.call, method, rules, arguments)
            pipe.send_bytes(_answer(clock, call, who, files))


def _answer(clock: Clock, call: Callable[[], Any], who: str, files: Files | None) -> bytes:
    """Return the result of `call` as JSON, or its failure in one line, together with the files read meanwhile."""
    try:
        answer: dict[str, Any] = {"value": clock.timed(call)}
    except OutOfTime:
        answer = {"problem": f"{who} was interrupted"}
    except PokerlabError as error:
        answer = {"problem": str(error)}
    except BaseException as error:
        answer = {"problem": str(AgentError.of(who, error))}
    if files is not None and (new := files.new()):
        answer["read"] = new
    return json.dumps(answer).encode()


class Seat:
    """The agent in this process, with its current rules and random generator."""

    _agent: Any
    _rules: Rules

    def __init__(self) -> None:
        self._rng, self._state = np.random.default_rng(0), ""

    def take(self, agent: Any) -> list[str]:
        """Put an agent in this seat. Return the names of the optional abilities (`ABILITIES`) that it has."""
        self._agent = agent
        return [ability for ability, (protocol, _) in ABILITIES.items() if isinstance(self._agent, protocol)]

    def call(self, method: str, rules: Rules | None, arguments: tuple[Any, ...]) -> Any:
        """Call a method and return the agent's answer as JSON values; `rules` is None if they have not changed."""
        if rules is not None:
            self._rules = rules
        return getattr(self, f"_{method}")(*arguments)

    def _supports(self) -> bool:
        return plays(self._agent, self._rules)

    def _prepare(self) -> None:
        self._agent.prepare()

    def _act(self, packed: tuple[Any, ...], state: str) -> tuple[str, str]:
        """Return (action, the random generator's state afterwards, or '' if it was not used)."""
        view = view_of(self._rules, packed)
        if state != self._state:
            content = json.loads(state)
            if type(self._rng.bit_generator).__name__ != content["bit_generator"]:
                self._rng = generator(content["bit_generator"])
            self._rng.bit_generator.state = content
        action = self._agent.act(view, self._rng)
        if not isinstance(action, Action):
            raise PokerlabError(f"hand {view.hand}: {view.names[view.seat]} returned {action!r}, not an Action")
        self._state = state_text(self._rng)
        return action_text(action), "" if self._state == state else self._state

    def _observe(self, packed: tuple[Any, ...]) -> None:
        self._agent.observe(hand_of(self._rules, packed))

    def _save(self, path: str) -> None:
        self._agent.save(Path(path))

    def _load(self, path: str) -> None:
        self._agent.load(Path(path))

    def _keep_talk(self, path: str) -> None:
        self._agent.keep_talk(Path(path))

    def _end_talk(self) -> None:
        self._agent.end_talk()

    def _by_combo(self, packed: tuple[Any, ...], seat: int) -> tuple[list[str], Any]:
        actions, p = self._agent.by_combo(public_of(self._rules, packed), seat)
        return list(map(action_text, actions)), np.asarray(p, dtype=np.float64).tolist()

    def _probabilities(self, packed: tuple[Any, ...]) -> tuple[list[str], Any]:
        actions, p = self._agent.probabilities(view_of(self._rules, packed))
        return list(map(action_text, actions)), np.asarray(p, dtype=np.float64).tolist()

    def _likelihood(self, packed: tuple[Any, ...], seat: int, action: str) -> Any:
        p = self._agent.likelihood(public_of(self._rules, packed), seat, action_of(action))
        return np.asarray(p, dtype=np.float64).tolist()


class Files:
    """Files that this process reads from now on, recorded by an audit hook (which cannot be removed)."""

    def __init__(self) -> None:
        paths = {sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")}
        self._known = (*_SYSTEM, *(f"{path}/" for path in (*paths, cache_directory())))
        self._package = f"{Path(__file__).parents[1]}/"
        self._read: set[str] = set()
        self._written: set[str] = set()
        self._reported: set[str] = set()
        self._size = 0, 0
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in ("open", "sqlite3.connect") or not isinstance(arguments[0], str | bytes | os.PathLike):
            return
        path = os.path.abspath(os.fsdecode(arguments[0]))  # noqa: PTH100 - a hook should import and call little
        mode, flags = arguments[1:3] if event == "open" else ("r", 0)
        writes = any(sign in mode for sign in "wax+") if isinstance(mode, str) else bool((flags or 0) & 3)
        (self._written if writes and path not in self._read else self._read).add(path)

    def read(self) -> list[str]:
        """Files that were read, and sources of imported modules, sorted; excludes files that the agent wrote."""
        return sorted(path for path in self._opened() if Path(path).is_file())

    def new(self) -> list[str]:
        """Files not yet reported, including those that the agent tried to open but that do not exist."""
        size = len(self._read), len(sys.modules)
        if size == self._size:  # the usual case: the decision opened no file
            return []
        self._size = size
        new = self._opened() - self._reported
        self._reported |= new
        return sorted(
            path for path in new if not path.startswith(self._package)
        )  # runs already store a digest of pokerlab's code

    def _opened(self) -> set[str]:
        modules = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        paths = {os.path.abspath(file) for file in modules if file}  # noqa: PTH100
        paths |= {path for path in self._read if not path.startswith(self._package)}
        return {path for path in paths - self._written if self._counts(path)}

    def _counts(self, path: str) -> bool:
        libraries = ("/site-packages/", "/dist-packages/", "/__pycache__/")
        return not path.startswith(self._known) and not any(part in path for part in libraries)
