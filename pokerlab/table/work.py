"""What a worker is handed and what it hands back. Workers write no files; whoever asked them does.

A `Task` is plain data and names its agents' maker by a dotted path, so any process on any machine can play it.

>>> task = Task(MatchPlan("leduc", ("caller", "raiser"), hands=3), make="pokerlab.agents.registry:agent")
>>> played = attempt(task)
>>> played.result.chips.shape, played.files
((3, 2), {})
>>> attempt(Task(MatchPlan("leduc", ("caller", "nobody"), hands=3), make="pokerlab.agents.registry:agent"))
"no agent is called 'nobody'; ..."
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent
from pokerlab.table.match import MatchPlan, MatchResult, play_match, unique_names


@dataclass(frozen=True)
class Task:
    """A match to play, the maker of its agents as "module:function", and what to bring back besides the result."""

    plan: MatchPlan
    make: str
    key: str = "0"  # names this match's files within its run
    record: bool = False  # bring back every hand as Parquet, `hands/<key>.parquet`
    save: bool = False  # bring back what agents save of their memory, `memory/<agent>.<key>`


@dataclass(frozen=True)
class Played:
    """A finished task: the result, and the content of the files that belong to it by path within the run."""

    result: MatchResult
    files: dict[str, bytes] = field(default_factory=dict)


Outcome: TypeAlias = Played | str
"""A finished task, or the line that says why it could not be finished."""

OnHands: TypeAlias = Callable[[int], None]
"""Told how many more hands have been played."""

Runner: TypeAlias = Callable[[Sequence[Task], OnHands], Iterator[tuple[int, Outcome]]]
"""Plays tasks somewhere, in any order, and yields (which, outcome) as each ends."""


def attempt(task: Task, on_hand: Callable[[HandHistory], None] | None = None) -> Outcome:
    """Play `task`; whatever goes wrong becomes a line."""
    try:
        return play_task(task, on_hand)
    except PokerlabError as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def play_task(task: Task, on_hand: Callable[[HandHistory], None] | None = None) -> Played:
    """Play `task` and collect what it asks for."""
    files: dict[str, bytes] = {}
    hands: list[HandHistory] = []

    def each(hand: HandHistory) -> None:
        if task.record:
            hands.append(replace(hand))  # without the states it has remembered, which are most of its size
        if on_hand is not None:
            on_hand(hand)

    def end(agents: Sequence[Agent]) -> None:
        for name, agent in zip(unique_names(task.plan.entrants), agents, strict=True):
            save = getattr(agent, "save", None)
            if task.save and save is not None:
                files[f"memory/{file_name(name)}.{task.key}"] = _content(save)

    result = play_match(task.plan, attribute(task.make), on_hand=each, on_end=end)
    if task.record:
        files[f"hands/{task.key}.parquet"] = _recorded(task.plan, hands)
    return Played(result, files)


def attribute(path: str) -> Any:
    """What "module:name" names."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def file_name(agent: str) -> str:
    """An agent's name as part of a file name.

    >>> file_name("py:my.module:Bot")
    'py-my.module-Bot'
    """
    return re.sub(r"[^A-Za-z0-9._#-]+", "-", agent)


def _content(write: Callable[[Path], object]) -> bytes:
    """What `write` writes when it is given a path."""
    with tempfile.TemporaryDirectory(prefix="pokerlab-") as where:
        path = Path(where) / "file"
        write(path)
        return path.read_bytes()


def _recorded(plan: MatchPlan, hands: Sequence[HandHistory]) -> bytes:
    from pokerlab.table.kept import plan_data
    from pokerlab.table.records import write_hands

    return _content(lambda path: write_hands(path, hands, plan_data(plan)))
