"""Solve the rest of a hand from one decision: expected chips and frequency of every action.

Two players must be left. Their street is solved from its beginning, with a range for each player, and with the bets
that were made and some others. The solve goes on in rounds until time is up. The result is near equilibrium for these
ranges; whether the ranges are right is another question.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("nolimit2p"), cards("AsAh 7c2d 9h8s4c 5s Kd"))
>>> for action in (RaiseTo(300), CALL, CALL, CALL, CALL, CALL, RaiseTo(300)):
...     state = state.after(action)
>>> facing = state.view(1, 0, ("ann", "you"))  # a bet of half the pot on the river, with nothing
>>> advice = resolved(facing, dict.fromkeys((0, 1), np.ones(1326)), seconds=60, target=0.05)
>>> [str(action) for action in advice.actions][:2], bool(advice.cost(CALL) > 200)
(['fold', 'call'], True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Floats
from pokerlab.cards.combos import combo_index
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action, Chips, Kind
from pokerlab.games.dealing import start_ranges
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.spots import Spot, spot_at
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import STREETS, solving_memory, subgame_rules
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.valuing.spot_values import spot_values

TRIED = {
    "limit": {4: ("min", 2), 5: ("min", 4)},
    "pot-limit": {4: ("0.75p", 2), 5: ("0.5p, 1p", 3)},
    "no-limit": {4: ("0.75p, all-in", 2), 5: ("0.5p, 1p, all-in", 3)},
}
"""By number of board cards: (the bet sizes to try besides those made, the maximum number of bets and raises per
street). This is as much as can be solved in a few seconds."""
LEAST = 0.02
"""Minimum weight of a hand, relative to the likeliest one. Hands below it are left out, but the actor's own hand gets
at least this weight."""
MOST_MEMORY = 1_500_000_000
ROUNDS = (5, 10, 20, 50, 100, 200, 500, 1000, 2000)


@dataclass(frozen=True, eq=False)
class Resolved:
    """The solution of a decision after `iterations`, as arrays by action. Chips are counted from the decision on, so a
    fold is worth 0."""

    actions: tuple[Action, ...]
    p: Floats  # frequency with the actual hand
    ev: Floats  # expected chips of that hand
    often: Floats  # frequency over the whole range
    exploitability: float  # as a share of the pot at the beginning of the street
    iterations: int
    seconds: float

    @property
    def best(self) -> Action:
        """The action with the highest expected value."""
        return self.actions[int(np.argmax(self.ev))]

    def cost(self, action: Action) -> float:
        """Chips that an action loses compared with the best one. A raise that was not solved counts as the nearest."""
        if action in self.actions:
            return float(self.ev.max() - self.ev[self.actions.index(action)])
        raises = [i for i, each in enumerate(self.actions) if each.kind is Kind.RAISE]
        if action.kind is not Kind.RAISE or not raises:
            raise PokerlabError(f"{action} is not among {', '.join(map(str, self.actions))}")
        nearest = min(raises, key=lambda i: abs(float(self.actions[i].to) - float(action.to)))
        return float(self.ev.max() - self.ev[nearest])


def can_resolve(view: PublicView) -> bool:
    """Whether the rest of a hand can be solved: two players left on the turn or river of hold'em, with chips behind."""
    left = [seat for seat in range(view.rules.n_seats) if view.betting.in_hand(seat)]
    late = view.rules.is_holdem and len(view.board) in (4, 5) and not view.betting.over
    return late and len(left) == 2 and min(float(view.stacks[seat]) for seat in left) > 0


def street_beginning(view: PublicView) -> PublicView:
    """Public view at the beginning of the current street."""
    first = next((before for before, _ in view.decisions() if before.street == view.street), view)
    return PublicView(first.rules, first.hand, first.names, view.board, first.up, first.actions, first.betting)


def resolved(view: View, ranges: Mapping[int, Floats], **settings: Any) -> Resolved:
    """Return the last result of `resolving`, called with `settings`."""
    *_, last = resolving(view, ranges, **settings)
    return last


def resolving(
    view: View,
    ranges: Mapping[int, Floats],
    *,
    seconds: float,
    target: float = 0.003,
    also: Action | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Iterator[Resolved]:
    """Solve the street of `view` and yield the solution at its decision after every round.

    `ranges[seat]` are weights by combo at the beginning of the street, from public information (ignoring the actor's
    own cards). Solving ends after about `seconds`, when the exploitability is below `target` of the pot, or when
    `stopped`, but not before one round. `also` is an action that must be among those tried.
    """
    if not can_resolve(view):
        raise PokerlabError("a hand can be solved at the table only with two players left on the turn or river")
    start = street_beginning(view)
    problem = _problem(view, start, ranges, also)
    if solving_memory(problem) > MOST_MEMORY:
        raise PokerlabError("this spot is too large to be solved at the table")
    engine = SubgameCfr(problem, threads=1)
    engine.step(engine.init(), 1)  # compile, if necessary, before the time limit starts
    began, arrays, done, each, pot = perf_counter(), engine.init(), 0, 0.0, float(start.pot)
    path = ", ".join(str(step.action) for step in view.actions if step.street == view.street)
    for upto in ROUNDS:
        while done < upto and not (done >= ROUNDS[0] and perf_counter() - began + each > seconds):
            before, n = perf_counter(), min(upto - done, max(1, int(0.2 / each)) if each else 1)
            arrays = engine.step(arrays, n)
            each, done = (perf_counter() - before) / n, done + n
            if stopped is not None and stopped() and done >= ROUNDS[0]:
                break
        strategy = engine.strategy(arrays)
        gap = engine.evaluate(arrays).exploitability / pot
        yield _at(spot_at(strategy, path), view, gap, done, perf_counter() - began)
        if gap <= target or done < upto or (stopped is not None and stopped()) or perf_counter() - began > seconds:
            return


def _problem(view: View, start: PublicView, ranges: Mapping[int, Floats], also: Action | None) -> Problem:
    """The street as a subgame in which player 0 acts first."""
    seats = acting_order(start)
    weights = [relative_weights(ranges[seat], view.hole if seat == view.seat else None) for seat in seats]
    made = [step.action for step in view.actions if step.street == view.street]
    bets = [action for action in (*made, *((also,) if also else ())) if action.kind is Kind.RAISE]
    sizes, raises = TRIED[start.rules.limits][len(start.board)]
    if bets and start.rules.limits != "limit":
        own = ", ".join(dict.fromkeys(f"{float(action.to):g}c once" for action in bets))
        sizes += f"; {STREETS[len(start.board)]}: {own}"
    return street_problem(start, (weights[0], weights[1]), sizes=sizes, raises=max(raises, len(bets) + 1))


def acting_order(start: PublicView) -> tuple[int, int]:
    """The two seats left in a hand at the beginning of a street, in order of acting."""
    first = start.betting.actor
    return first, next(seat for seat in range(start.rules.n_seats) if seat != first and start.betting.in_hand(seat))


def street_problem(start: PublicView, weights: tuple[Floats, Floats], *, sizes: str, raises: int) -> Problem:
    """The rest of a hand from the beginning of a street, as a subgame in which player 0 acts first.

    `weights` are by combo, for both players in acting order; `raises` is the maximum number of bets and raises per
    street.
    """
    rules = street_rules(start, weights, raises=raises)
    return Problem(tree_for(rules, sizes), SubgameCells(rules.board, start_ranges(rules)))


def street_rules(start: PublicView, ranges: tuple[str | Floats, str | Floats], *, raises: int) -> Rules:
    """Rules for `street_problem`; `ranges` are weights by combo or range texts."""
    stack = min(*(start.stacks[seat] for seat in acting_order(start)), _most_bet(start))
    least = start.legal().raise_min or start.rules.big_blind
    rake, cap = start.rules.rake, start.rules.rake_cap
    rules = subgame_rules(start.board, ranges, pot=start.pot, stack=stack, smallest_bet=least, rake=rake, rake_cap=cap)
    return _with_bets(rules, start, raises)


def _with_bets(rules: Rules, start: PublicView, raises: int) -> Rules:
    """The rules with at most `raises` bets and raises per street, or fewer if the game allows fewer. In limit games the
    sizes of bets stay those of the game."""
    fixed, streets = start.rules.limits == "limit", []
    for ours, theirs in zip(rules.streets, start.rules.streets[start.street :], strict=True):
        most = raises if theirs.max_raises is None else min(raises, theirs.max_raises)
        streets.append(replace(ours, max_raises=most, raise_size=theirs.raise_size if fixed else ours.raise_size))
    return replace(rules, limits="limit" if fixed else "no-limit", streets=tuple(streets))


def relative_weights(weights: Floats, hole: tuple[int, ...] | None = None) -> Floats:
    """Divide weights by the largest. Those below `LEAST` become 0, except that `hole` gets at least `LEAST`."""
    relative = weights / weights.max() if weights.max() > 0 else np.ones_like(weights)
    relative = np.where(relative < LEAST, 0.0, relative).round(3)
    if hole is not None:
        relative[combo_index(*hole)] = max(relative[combo_index(*hole)], LEAST)
    return np.asarray(relative)


def _most_bet(start: PublicView) -> Chips:
    """The most chips that a player can still bet: finite in limit games, otherwise infinite."""
    left = start.rules.streets[start.street :]
    if start.rules.limits != "limit" or any(street.max_raises is None for street in left):
        return inf
    return sum(street.raise_size * (street.max_raises or 0) for street in left)


def _at(spot: Spot, view: View, gap: float, iterations: int, seconds: float) -> Resolved:
    values = spot_values(spot, threads=1)
    if values is None or spot.actor != (view.seat != street_beginning(view).betting.actor):
        raise PokerlabError("the solved strategy never reaches this decision")
    hand = combo_index(*view.hole)
    return Resolved(spot.actions, values.p[hand], values.ev[hand], values.frequency, gap, iterations, seconds)
