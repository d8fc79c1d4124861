"""The contract of every agent, checked by playing: run it on yours with `pokerlab verify agent py:module:Class`.

1. Every action it takes is legal, in every game it supports.
2. The same view and the same random stream give the same action: all randomness comes from `rng`.
3. A new agent starts without memory: the same match played again gives the same chips.
4. It accepts finished hands (`observe`). It saves what it learned in one file, and an agent that loads the file plays
   like the one that saved it.

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
    """An opponent that creates all kinds of situations: fold, call or any legal raise."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        menu = view.legal().menu()
        return menu[int(rng.random() * len(menu))]


class _Watched:
    """The agent under test; each decision is requested twice with the same stream."""

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
    """Raised to end a match that has served its purpose; not a subclass of Exception, so that no dealer treats it as an
    error."""


def supported_games(make: Callable[[], Agent], games: tuple[str, ...] = DEFAULT_GAMES) -> list[str]:
    """Those of `games` that the agent supports; all of them if it has no `supports`."""
    agent = make()
    return [name for name in games if plays(agent, game(name))]


def broken(make: Callable[[], Agent], rules: str | Rules, *, hands: int = 100, seed: int = 1) -> list[str]:
    """List the agent's violations of the contract in one game; empty if there are none."""
    complaints: list[str] = []
    n = (game(rules) if isinstance(rules, str) else rules).n_seats
    plan = MatchPlan(rules, ("tested", *("company",) * (n - 1)), hands=hands, seed=seed)

    def seat(entrant: str) -> Agent:
        return _Watched(make(), complaints) if entrant == "tested" else _AnyLegal()

    try:
        first = play_match(plan, seat).chips
        random.seed(seed)  # exposes an agent that uses the global generators
        np.random.seed(seed % 2**32)  # noqa: NPY002
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
    """Check that a learning agent saves its memory in one file, and that a loaded copy continues as if it had never
    stopped."""
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
            complaints.append(f"{plan.rules.name}: its memory must be one file, and it also wrote {', '.join(others)}")
        if first.read_bytes() != second.read_bytes():
            complaints.append(f"{plan.rules.name}: saving, loading and saving again changed the memory")
    if not np.array_equal(chips_of(agent, plan.number + 1), chips_of(copy, plan.number + 1)):
        complaints.append(f"{plan.rules.name}: with its memory loaded it plays differently than without the break")
    return complaints
