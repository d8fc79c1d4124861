"""What agents are made of besides the code of the lab: modules of yours, and files that they load.

>>> modules_of(["caller", "py:my.bots:Tag", "lbr:py:tag:Tag"])
('my.bots', 'tag')
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from pokerlab.agents.equilibrium import strategy_paths
from pokerlab.agents.recipes import strategy_path
from pokerlab.games.protocols import Agent
from pokerlab.players.registry import (
    COPYCAT,
    EQUILIBRIUM,
    EXPLOITER,
    MEMBER,
    Q_LEARNER,
    STRATEGY,
    WEIGHTS,
    agent,
    search_here,
)
from pokerlab.systems.connectionist.player import weights_path
from pokerlab.systems.connectionist.population import model_path
from pokerlab.systems.threeplayer.copycat import copycat_path
from pokerlab.systems.threeplayer.q_learner import q_path
from pokerlab.table.apart import AgentApart


def modules_of(names: Sequence[str]) -> tuple[str, ...]:
    """The modules of agents `py:module:Class`, also where such an agent is only asked."""
    return tuple(dict.fromkeys(module for name in names for module in re.findall(r"(?:^|:)py:([\w.]+):", name)))


def live_agent(name: str, forgive: Callable[[str], None] | None = None) -> Agent:
    """A fresh agent for a table that others sit at: code of yours runs in a process of its own (`table.apart`).

    The lab's own agents stay in this process: they end in nothing worse than an error, and their tables and compiled
    code would be loaded once more.
    """
    if not modules_of([name]):
        return agent(name)
    search_here()
    return AgentApart(name, make="pokerlab.players.registry:agent", forgive=forgive)


def file_digests(names: Sequence[str]) -> dict[str, str]:
    """The SHA-256 of what agents load (`name@FILE`, `strategy:FILE`, `q:FILE` ..), as part of a run."""
    digests = {}
    for name in names:
        asked = re.sub(r"^lbr(\([^)]*\))?:", "", name)
        if asked.startswith(STRATEGY):
            files = strategy_paths(asked.removeprefix(STRATEGY))
        elif asked.startswith(Q_LEARNER):
            files = (q_path(asked.removeprefix(Q_LEARNER)),)
        elif asked.startswith(COPYCAT):
            files = (copycat_path(asked.removeprefix(COPYCAT)),)
        elif asked.startswith(WEIGHTS):
            files = (weights_path(asked.removeprefix(WEIGHTS)),)
        elif asked.startswith(EXPLOITER):
            files = (weights_path(asked.removeprefix(EXPLOITER).partition("@")[0]),)
        elif asked.startswith(MEMBER):
            files = (model_path(Path(asked.removeprefix(MEMBER).partition("@")[0])),)
        elif asked.startswith(EQUILIBRIUM):
            files = (strategy_path(asked.removeprefix(EQUILIBRIUM).partition("?")[0]),)
        elif "@" in asked and "://" not in asked:
            files = (Path(asked.partition("@")[2]),)
        else:
            continue
        digests[name] = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return digests
