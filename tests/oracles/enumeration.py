"""All possible hands of a small game between two policies: every deal, every action, with its probability.

Sums over all hands replace the samples of a match, so means and variances of any estimate of a hand are exact.

>>> from pokerlab.agents.scripted import Scripted, caller, uniform
>>> from pokerlab.games.catalog import game
>>> players = (Scripted(caller), Scripted(uniform))
>>> chips = [(chance, float(hand.payoffs[1])) for chance, hand in every_hand(game("leduc"), players, ("a", "b"))]
>>> len(chips), round(sum(chance for chance, _ in chips), 12), abs(round(sum(c * x for c, x in chips), 12))
(240, 1.0, 0.0)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pokerlab.games.dealing import every_deal
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.vector.multiplayer import deal_values
from pokerlab.solvers.vector.multiplayer import every_deal as every_deal_of


def every_hand(
    rules: Rules, players: Sequence[Policy], names: tuple[str, ...], *, suits_alike: bool = True
) -> Iterator[tuple[float, HandHistory]]:
    """Every possible hand with its probability; players act by `players[seat].probabilities(view)`."""
    for chance, deck in every_deal(rules, suits_alike=suits_alike):
        yield from hands_from(State.start(rules, deck), players, names, chance)


def hands_from(
    state: State, players: Sequence[Policy], names: tuple[str, ...], chance: float = 1.0
) -> Iterator[tuple[float, HandHistory]]:
    """Every hand that can follow a state with these cards, with `chance` times its probability."""
    if state.over:
        yield chance, HandHistory.of(state, names, 0)
        return
    seat = state.betting.actor
    actions, p = players[seat].probabilities(state.view(seat, 0, names))
    for action, taken in zip(actions, p, strict=True):
        if taken > 0:
            yield from hands_from(state.after(action), players, names, chance * float(taken))


def player_values(problem: Problem, strategy: Strategy) -> tuple[float, ...]:
    """Each player's value when all play `strategy`, in chips per hand."""
    every = every_deal_of(problem)
    return tuple(deal_values(problem, every, strategy, p).root for p in range(problem.tree.rules.n_seats))
