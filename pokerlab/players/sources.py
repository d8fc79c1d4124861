"""The user's modules and files that agents are made from.

>>> modules_of(["caller", "py:my.bots:Tag", "lbr:py:tag:Tag"])
('my.bots', 'tag')
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from pokerlab.games.protocols import Agent
from pokerlab.players.python_agents import search_here
from pokerlab.players.registry import agent, files_of
from pokerlab.table.apart import AgentApart


def modules_of(names: Sequence[str]) -> tuple[str, ...]:
    """The modules of agents `py:module:Class`, also inside other names (`lbr:py:..`)."""
    return tuple(dict.fromkeys(module for name in names for module in re.findall(r"(?:^|:)py:([\w.]+):", name)))


def live_agent(name: str, forgive: Callable[[str], None] | None = None) -> Agent:
    """A fresh agent for a table shared with others: the user's code runs in a separate process (`table.apart`). The
    lab's own agents stay in this process: they fail with an error at worst, and another process would load their tables
    and compiled code again."""
    if not modules_of([name]):
        return agent(name)
    search_here()
    return AgentApart(name, make="pokerlab.players.registry:agent", forgive=forgive)


def file_digests(names: Sequence[str]) -> dict[str, str]:
    """The SHA-256 of each agent's files (`name@FILE`, `strategy:FILE`, `q:FILE` ..), as part of a run's identity."""
    loaded = {name: paths for name in names if (paths := files_of(name))}
    return {name: hashlib.sha256(b"".join(map(Path.read_bytes, paths))).hexdigest() for name, paths in loaded.items()}
