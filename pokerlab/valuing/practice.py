"""Practice against a solution: a person plays one seat of a solved game and sees the cost of each decision.

Hand `number` of a `seed` always has the same cards and the same random choices of the other player. So only the
person's choices decide how it goes on. The cost of an action, in chips, is the best action's expected value minus its
own, if the other player and all later play follow the solution.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.sequence_form import solve_lp
>>> kuhn = solve_lp(make_problem(game("kuhn"))).strategy
>>> hand = practise(kuhn, seat=0, seed=7, number=0)
>>> hand.hole, hand.offered
('Ks', ('check', 'raise to 2'))
>>> then = practise(kuhn, seat=0, seed=7, number=0, chosen=["raise to 2"])
>>> [(decision.chosen, round(decision.cost, 3)) for decision in then.decisions], then.over
([('raise to 2', 0.167)], True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import combo_index
from pokerlab.errors import PokerlabError
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.narration import narrate
from pokerlab.games.state import State
from pokerlab.policies.policy import choose
from pokerlab.policies.spots import Spot
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import Shuffler, stream
from pokerlab.valuing.spot_values import spot_values


@dataclass(frozen=True)
class PracticeDecision:
    """One decision of the person; lists are by action. Values are None if the solution never reaches the spot."""

    spot: str
    pot: float
    actions: tuple[str, ...]
    words: tuple[str, ...]
    p: tuple[float, ...]  # frequency of each action in the solution
    ev: tuple[float, ...] | None  # expected chips of each action
    chosen: str

    @property
    def cost(self) -> float | None:
        """Chips that the chosen action loses compared with the best one; None if unknown."""
        return None if self.ev is None else max(self.ev) - self.ev[self.actions.index(self.chosen)]


@dataclass(frozen=True)
class PracticeHand:
    """A hand as the person may see it; the other player's cards are visible only at a showdown."""

    number: int
    seat: int
    hole: str
    board: str
    pot: float
    told: tuple[tuple[int, str], ...]  # (seat, action) of all actions so far
    offered: tuple[str, ...]  # empty when the hand is over
    words: tuple[str, ...]
    decisions: tuple[PracticeDecision, ...]
    over: bool
    won: float | None = None  # net chips; the pot at the beginning of a subgame belongs to neither player
    shown: str | None = None


def practise(
    strategy: Strategy, *, seat: int, seed: int, number: int, chosen: Sequence[str] = (), threads: int | None = None
) -> PracticeHand:
    """Hand `number` after the actions `chosen` by the person in `seat`; the other player acts by the strategy."""
    rules, tree = strategy.tree.rules, strategy.tree
    if rules.n_seats != 2 or seat not in (0, 1):
        raise PokerlabError(f"practice is for seat 0 or 1 of games for two, not seat {seat} of {rules.name}")
    state = State.start(rules, deck_of_hand(rules, Shuffler(seed, "practice cards"), number))
    rng = stream(seed, "practice actions", index=number)
    decision, decisions, left = 0, list[PracticeDecision](), list(chosen)
    while not state.betting.over:
        spot = Spot(strategy, decision, tuple(card for card in state.board if card is not None))
        if state.betting.actor != seat:
            action = choose(spot.actions, _mix(spot, state), rng)
        elif left:
            decisions.append(_decided(spot, state, left.pop(0), threads))
            action = spot.actions[decisions[-1].actions.index(decisions[-1].chosen)]
        else:
            break
        decision = int(tree.child[tree.edges(decision)[spot.actions.index(action)]])
        state = state.after(action)
    if left:
        raise PokerlabError(f"hand {number} was over before {left[0]!r}")
    return _seen(strategy, state, decision, seat=seat, number=number, decisions=decisions)


def _seen(
    strategy: Strategy, state: State, decision: int, *, seat: int, number: int, decisions: Sequence[PracticeDecision]
) -> PracticeHand:
    rules, betting = strategy.tree.rules, state.betting
    board = tuple(card for card in state.board if card is not None)
    spot = None if betting.over else Spot(strategy, decision, board)
    told = tuple((line.seat, line.words) for line in narrate(rules, state.actions))
    began = [float(chips) for chips in strategy.tree.decision_spent[0]]
    return PracticeHand(
        number,
        seat,
        hole=cards_text(_held(state, seat)),
        board=cards_text(board),
        pot=float(betting.pot),
        told=told,
        offered=() if spot is None else spot.names(),
        words=() if spot is None else spot.words,
        decisions=tuple(decisions),
        over=betting.over,
        won=float(state.payoffs()[seat]) + began[seat] if betting.over else None,
        shown=cards_text(_held(state, 1 - seat)) if betting.over and betting.showdown else None,
    )


def _decided(spot: Spot, state: State, wanted: str, threads: int | None) -> PracticeDecision:
    names = spot.names()
    if wanted not in names:
        raise PokerlabError(f"{wanted!r} is not among the actions here: {', '.join(names)}")
    values, hand = spot_values(spot, threads=threads), _hand(spot, state)
    ev = None if values is None or np.isnan(values.ev[hand]).any() else tuple(map(float, values.ev[hand]))
    p = tuple(map(float, _mix(spot, state)))
    return PracticeDecision(spot.title, spot.pot, names, spot.words, p, ev, wanted)


def _mix(spot: Spot, state: State) -> np.ndarray:
    return np.asarray(spot.by_hand()[1][_hand(spot, state)], np.float64)


def _hand(spot: Spot, state: State) -> int:
    """Index of the actor's hand in the arrays of a spot."""
    hole = _held(state, spot.actor)
    if spot.on_combos:
        return combo_index(*hole)
    return int(spot.strategy.cells.of_hand(hole, spot.board))


def _held(state: State, seat: int) -> tuple[int, ...]:
    return tuple(card for card in state.hole(seat) if card is not None)
