"""The contract every agent keeps, checked by playing: run it on yours with `pokerlab verify agent py:module:Class`.

1. Every action it takes is legal, in every game it supports.
2. The same view and the same random stream give the same action: all randomness comes from `rng`.
3. A fresh agent starts from nothing: the same match played again gives the same chips.
4. It survives being shown finished hands (`observe`). What it learned it saves in one file, and one that loads that
   plays on as the one that saved it.

>>> from pokerlab.players.registry import agent
>>> broken(lambda: agent("caller"), "leduc", hands=20)
[]
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action, Legal
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Learner, Observer, plays
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.table.match import MatchPlan, play_match

DEFAULT_GAMES = ("limit2p", "limit3p", "limit6p", "nolimit2p", "nolimit6p", "leduc", "kuhn", "stud2p")


class _AnyLegal:
    """Company that goes everywhere: fold, call or any legal raise."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        menu = view.legal().menu()
        return menu[int(rng.random() * len(menu))]


class _Watched:
    """The agent under test; each decision is asked for twice, with the same stream."""

    def __init__(self, agent: Agent, complaints: list[str]) -> None:
        self.agent, self.complaints = agent, complaints

    def act(self, view: View, rng: np.random.Generator) -> Action:
        state = rng.bit_generator.state
        first = self.agent.act(view, rng)
        legal: Legal = view.legal()
        if first not in legal:
            self.complaints.append(f"{view.rules.name}: returned {first!r} where legal was: {legal}")
            raise _Stop
        rng.bit_generator.state = state
        if self.agent.act(view, rng) != first:
            self.complaints.append(f"{view.rules.name}: the same view and random stream gave two different actions")
            raise _Stop
        return first

    def observe(self, hand: HandHistory) -> None:
        if isinstance(self.agent, Observer):
            self.agent.observe(hand)


class _Stop(BaseException):
    """Ends a match that has shown what it had to; not an error, so that no dealer takes it for one."""


def supported_games(make: Callable[[], Agent], games: tuple[str, ...] = DEFAULT_GAMES) -> list[str]:
    """Those of `games` that the agent says it plays; all of them if it does not say."""
    agent = make()
    return [name for name in games if plays(agent, game(name))]


def broken(make: Callable[[], Agent], rules: str | Rules, *, hands: int = 100, seed: int = 1) -> list[str]:
    """What the agent does against the contract in one game; nothing when it keeps it."""
    complaints: list[str] = []
    n = (game(rules) if isinstance(rules, str) else rules).n_seats
    plan = MatchPlan(rules, ("tested", *("company",) * (n - 1)), hands=hands, seed=seed)

    def seat(entrant: str) -> Agent:
        return _Watched(make(), complaints) if entrant == "tested" else _AnyLegal()

    try:
        first = play_match(plan, seat).chips
        random.seed(seed)  # an agent that draws from the global generators gives itself away
        np.random.seed(seed)  # noqa: NPY002
        again = play_match(plan, seat).chips
    except _Stop:
        return complaints
    except PokerlabError as error:
        return [str(error)]
    except Exception as error:
        return [f"{plan.rules.name}: {type(error).__name__}: {error}"]
    if not np.array_equal(first, again):
        complaints.append(f"{plan.rules.name}: two matches with the same seed gave different chips")
    return complaints + _memory_complaints(make, plan)


def _memory_complaints(make: Callable[[], Agent], plan: MatchPlan) -> list[str]:
    """Whether an agent that learns keeps its memory in one file, and plays on from there as if it had never stopped."""
    agent, copy = make(), make()
    if not (isinstance(agent, Learner) and isinstance(copy, Learner)):
        return []

    def chips_of(tested: Agent, number: int) -> Floats:
        later = replace(plan, number=number)
        return play_match(later, lambda entrant: tested if entrant == "tested" else _AnyLegal()).chips

    chips_of(agent, plan.number)
    complaints = []
    with tempfile.TemporaryDirectory() as directory:
        first, second = Path(directory) / "first", Path(directory) / "second"
        agent.save(first)
        copy.load(first)
        copy.save(second)
        if others := sorted(path.name for path in Path(directory).iterdir() if path not in (first, second)):
            complaints.append(f"{plan.rules.name}: its memory is to be one file, and it wrote {', '.join(others)} too")
        if first.read_bytes() != second.read_bytes():
            complaints.append(f"{plan.rules.name}: saving, loading and saving again changed the memory")
    if not np.array_equal(chips_of(agent, plan.number + 1), chips_of(copy, plan.number + 1)):
        complaints.append(f"{plan.rules.name}: with its memory loaded it plays on otherwise than without a break")
    return complaints
