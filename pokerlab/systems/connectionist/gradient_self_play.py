"""Self-play by gradient ascent in matrix games: why it cycles, and how a lagging anchor or WoLF prevents cycling.

Two players of a zero-sum game simultaneously move their mixed strategies a small step up the gradient of their own
return, and project them onto the simplex. Mean returns converge to the value of the game, but around a mixed
equilibrium the strategies cycle. There are two remedies:

- a *lagging anchor*: each player has a second strategy that follows the first slowly and pulls it back;
- *WoLF* (win or learn fast): steps are smaller while a player does better than its average strategy would.

>>> pennies = np.array([[1.0, -1.0], [-1.0, 1.0]])
>>> ways = (Ascent(), Ascent(anchor=0.5), Ascent(lose_faster=4.0))
>>> [round(float(self_play(pennies, way, steps=10_000).exploitability[-1]), 2) for way in ways]
[0.4, 0.0, 0.0]

References
----------
Sweeney (2012), section 2.3.7. Singh, Kearns and Mansour (2000), "Nash convergence of gradient dynamics in general-sum
games", UAI. Bowling and Veloso (2002), "Multiagent learning using a variable learning rate", Artificial Intelligence
136. Dahl (2002), "The lagging anchor algorithm: reinforcement learning in two-player zero-sum games with imperfect
information", Machine Learning 49.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.dealing import every_deal
from pokerlab.games.rules import Rules
from pokerlab.games.state import State

MAX_PLANS = 512


@dataclass(frozen=True)
class Ascent:
    """How both players learn: the step size; the strength of the pull between anchor and strategy (0 for no anchor);
    the factor of the step size while losing (1 to turn WoLF off)."""

    step: float = 0.002
    anchor: float = 0.0
    lose_faster: float = 1.0

    def __post_init__(self) -> None:
        if self.step <= 0 or self.anchor < 0 or self.lose_faster < 1:
            raise PokerlabError(f"step must be above 0, anchor at least 0 and lose_faster at least 1: {self}")


class AscentCourse(NamedTuple):
    """History of a run: both strategies, mean returns so far, and distances from equilibrium, by step."""

    strategies: tuple[Floats, Floats]  # by player: [step, action], the mixed strategy
    mean_return: Floats  # mean_return[step] of player 0
    exploitability: Floats  # exploitability[step] of that step's strategies: half of what both players could gain
    average_exploitability: Floats  # average_exploitability[step] of the average strategies so far


def self_play(payoff: Floats, ascent: Ascent, *, steps: int, keep: int = 100) -> AscentCourse:
    """Learn for `steps` steps, starting near corners of the simplexes; record one step in every `keep`.

    `payoff[a, b]` is the payoff of player 0.
    """
    sides = (payoff, -payoff.T)
    now = [_start(len(side)) for side in sides]
    anchors, averages = [x.copy() for x in now], [x.copy() for x in now]
    returned = 0.0
    history: list[tuple[Floats, Floats, float, float, float]] = []
    for step in range(1, steps + 1):
        gradients = [sides[0] @ now[1], sides[1] @ now[0]]
        returned += float(now[0] @ gradients[0])
        for player in (0, 1):
            x, gradient = now[player], gradients[player]
            losing = ascent.lose_faster > 1 and x @ gradient < averages[player] @ gradient
            length = ascent.step * (ascent.lose_faster if losing else 1.0)
            pull = anchors[player] - x
            now[player] = onto_simplex(x + length * (gradient + ascent.anchor * pull))
            anchors[player] -= length * ascent.anchor * pull
            averages[player] += (now[player] - averages[player]) / (step + 1)
        if step % keep == 0:
            exploitable = (_exploitability(payoff, *now), _exploitability(payoff, *averages))
            history.append((now[0].copy(), now[1].copy(), returned / step, *exploitable))
    first, second, *numbers = (np.array(column) for column in zip(*history, strict=True))
    return AscentCourse((first, second), *numbers)


def _start(n: int) -> Floats:
    x = np.full(n, 0.5 / n)
    x[0] += 0.5
    return x


def _exploitability(payoff: Floats, x: Floats, y: Floats) -> float:
    return float((payoff @ y).max() - (x @ payoff).min()) / 2


def onto_simplex(x: Floats) -> Floats:
    """Project onto the simplex: the nearest mixed strategy.

    >>> onto_simplex(np.array([0.8, 0.6, -1.0])).round(12).tolist()
    [0.6, 0.4, 0.0]
    """
    descending = np.sort(x)[::-1]
    over = (np.cumsum(descending) - 1) / np.arange(1, len(x) + 1)
    return np.asarray(np.maximum(x - over[np.flatnonzero(descending > over)[-1]], 0.0))


def normal_form(rules: Rules) -> Floats:
    """`payoff[plan, plan]`: chips won by seat 0 in a small game for two, for each plan of seat 0 and of seat 1. A plan
    has one action for every decision.

    >>> from pokerlab.games.catalog import game
    >>> normal_form(game("kuhn")).shape
    (64, 64)
    """
    deals = every_deal(rules)
    turns: tuple[dict[object, tuple[Action, ...]], ...] = ({}, {})
    for _, deck in deals:
        for state in _states(State.start(rules, deck)):
            seat = state.betting.actor
            turns[seat][_turn(state)] = state.betting.legal().menu()
    if max(prod(map(len, side.values())) for side in turns) > MAX_PLANS:
        raise PokerlabError(f"{rules.name} has too many plans to make a matrix, more than {MAX_PLANS}")
    plans = [[dict(zip(side, chosen, strict=True)) for chosen in product(*side.values())] for side in turns]
    payoff = np.zeros((len(plans[0]), len(plans[1])))
    for i, first in enumerate(plans[0]):
        for j, second in enumerate(plans[1]):
            for chance, deck in deals:
                state = State.start(rules, deck)
                while not state.over:
                    state = state.after((first, second)[state.betting.actor][_turn(state)])
                payoff[i, j] += chance * float(state.payoffs()[0])
    return payoff


def _states(state: State) -> Iterator[State]:
    if not state.over:
        yield state
        for action in state.betting.legal().menu():
            yield from _states(state.after(action))


def _turn(state: State) -> object:
    return state.hole(state.betting.actor), state.board, state.actions
