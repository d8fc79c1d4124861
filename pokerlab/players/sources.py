"""Agents of the user, `py:module:Class` and `cmd:PROGRAM`: their processes, and the files that determine how they play.

>>> foreign(["caller", "py:my.bots:Tag", "lbr:py:tag:Tag", "cmd:./bot --fast"])
('py:my.bots:Tag', 'py:tag:Tag', 'cmd:./bot --fast')
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import is_a_file
from pokerlab.games.protocols import Agent, Observer
from pokerlab.games.rules import Rules
from pokerlab.players.python_agents import search_here
from pokerlab.players.registry import SCHEMES, agent, files_of
from pokerlab.table.apart import AgentApart
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.players import check_supported

IN_PROCESS = "pokerlab.players.registry:agent"
"""A function with which workers make agents, as "module:function". It makes all agents in the worker's own process."""

FIRST_HANDS = 3
PYTHON = "py:"
_FOREIGN = re.compile(rf"(?:^|:)((?:{'|'.join(name for name, each in SCHEMES.items() if each.apart)}):.+)", re.DOTALL)
_read: dict[str, tuple[Path, ...]] = {}
"""By name of an agent of the user, the files that it was seen to read."""


def foreign(names: Sequence[str]) -> tuple[str, ...]:
    """The agents among `names` whose code is not pokerlab's, including those inside other names (`lbr:py:..`)."""
    return tuple(dict.fromkeys(found[1] for name in names if (found := _FOREIGN.search(name))))


def seated_agent(name: str) -> Agent:
    """Make an agent for a match. Code of the user runs in a separate process, which gets only views. pokerlab's own
    agents stay in this process, and so does a local best response, which queries the user's agent in the other
    process."""
    if not foreign([name]):
        return agent(name)
    if not name.startswith("lbr"):
        search_here()
        return AgentApart(name, make=IN_PROCESS, watched=True)
    from pokerlab.valuing.local_best_response import make_lbr

    return make_lbr(name, seated_agent)


def live_agent(name: str, forgive: Callable[[str], None] | None = None, *, seconds: float | None = None) -> Agent:
    """Make an agent for a live table. Code of the user runs in a separate process (`table.apart`), where a call of more
    than `seconds` raises `OutOfTime`. pokerlab's own agents stay in this process: they do nothing worse than raise an
    error, and another process would have to load their tables and compiled code again."""
    if not foreign([name]):
        return agent(name)
    search_here()
    return AgentApart(name, make=IN_PROCESS, forgive=forgive, seconds=seconds)


def examine(name: str, rules: Rules, seconds: float | None) -> bool:
    """Make a user's agent in a separate process and let it play its first hands. Return whether it learns. The files
    that it reads and the modules that it imports are remembered for `file_digests`; files that it opens in later hands
    are saved with the result of each match (`runs.reads`)."""
    search_here()
    (inner,) = foreign([name])
    watched = AgentApart(inner, make=IN_PROCESS, seconds=seconds, watched=True)
    try:
        check_supported([watched], [inner], rules)
        plan = MatchPlan(rules, (inner, *("random",) * (rules.n_seats - 1)), hands=FIRST_HANDS, seconds=seconds)
        with suppress(PokerlabError):  # the match reports its errors
            play_match(plan, lambda entrant: watched if entrant == inner else agent(entrant))
        _read[inner] = watched.files()
        return isinstance(watched, Observer)
    finally:
        watched.close()


def file_digests(names: Sequence[str]) -> dict[str, str]:
    """SHA-256 of each agent's files, as part of a run's identity: those in its name (`name@FILE`, `strategy:FILE`,
    `q:FILE`, the program and the files among the arguments of `cmd:PROGRAM` ..), and for the user's classes everything
    that they read and imported when they were examined."""
    digests = {}
    for name in names:
        digest, paths, read = hashlib.sha256(), files_of(name), False
        for path in paths:
            try:
                digest.update(path.read_bytes())
            except OSError as error:
                raise FileError(f"cannot read {path}: {error.strerror}") from error
        for inner in foreign([name]):
            if inner.startswith(PYTHON):
                digest.update(b"".join(map(_line, _files_read(inner))))
                read = True
        if paths or read:
            digests[name] = digest.hexdigest()
    return digests


def _files_read(name: str) -> tuple[Path, ...]:
    if name not in _read:  # the agent was not examined
        search_here()
        watched = AgentApart(name, make=IN_PROCESS, watched=True)
        _read[name] = watched.files()
        watched.close()
    return _read[name]


def _line(path: Path) -> bytes:
    content = path.read_bytes() if is_a_file(path) else b"missing"
    return f"{path.name} {hashlib.sha256(content).hexdigest()}\n".encode()
