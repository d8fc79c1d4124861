"""Value of a bet or a raise compared with checking or calling, from the opponents' predicted responses.

Every opponent folds the hands that its model folds and calls with the others; one who ignores its cards folds equally
often with any hand. A bet wins the pot when all fold, and its price when called by hands it beats: a bluff pays if they
fold often enough, a draw if folds and its potential together pay for it, and a made hand if it beats more than half of
the calling hands. Later bets are ignored.

>>> from pokerlab.systems.poki.hands import OneHand
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.policies.formula import FormulaPolicy
>>> state = State.start(game("limit2p"), cards("AsAh 7c2d AcAd9h 5s4s")).after(CALL).after(CALL)
>>> public, aces = state.public(0, ("a", "b")), OneHand(cards("AsAh"), cards("AcAd9h"))
>>> check, bet = values(public, 0, aces, {1: np.ones(1326)}, lambda held, at, seat: FormulaPolicy().by_combo(at, seat))
>>> check.round(2), bet.round(2)
(array([2.]), array([2.99]))

References
----------
Davidson (2002), sections 3.3.4 and 3.4, explains bluffs, semi-bluffs and bets for value; the sum is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.actions import CALL, Action, Kind, RaiseTo
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import raise_size
from pokerlab.systems.poki.hands import PokiHands
from pokerlab.systems.poki.weight_tables import field_array

Answer = Callable[[Floats, PublicView, int], tuple[tuple[Action, ...], Floats]]
"""Predicted actions of a seat with given weights: the actions considered and `p[combo, action]`."""


def staying(public: PublicView, seat: int, held: Mapping[int, Floats], answer: Answer) -> Iterator[tuple[int, Floats]]:
    """(opponent, `p[combo]` of not folding) for every opponent after `seat` bets or raises, if all before it call."""
    after = public.after(RaiseTo(raise_size(public)))
    while (actor := after.betting.actor) >= 0 and actor != seat and after.street == public.street:
        actions, p = answer(held[actor], after, actor)
        folds = [i for i, action in enumerate(actions) if action.kind == Kind.FOLD]
        yield actor, 1 - p[:, folds].sum(axis=1)
        after = after.after(CALL)


def values(
    public: PublicView, seat: int, hands: PokiHands, held: Mapping[int, Floats], answer: Answer
) -> tuple[Floats, Floats]:
    """(checking or calling, betting or raising) compared with giving up, in bets, for each of `hands`."""
    to_call, pot = float(public.to_call), float(public.pot)
    price = float(raise_size(public)) - float(public.betting.bets[seat])
    bet = price - to_call
    ppot, npot = hands.ahead(field_array(list(held.values())))
    stays = dict(staying(public, seat, held, answer))
    all_fold = all_beaten = beaten_now = np.ones(len(hands.numbers))
    callers = np.zeros(len(hands.numbers))
    for opponent, weights in held.items():
        calling = weights * stays.get(opponent, 1.0)  # players who are all in do not fold
        total = hands.weight(weights)
        folds = 1 - np.divide(hands.weight(calling), total, out=np.ones(len(total)), where=total > 0)
        all_fold = all_fold * folds
        all_beaten = all_beaten * (folds + (1 - folds) * _later(hands.hs(calling), ppot, npot))
        beaten_now = beaten_now * _later(hands.hs(weights), ppot, npot)
        callers += 1 - folds
    called = np.maximum(1 - all_fold, 1e-9)
    wins = all_beaten - all_fold
    betting = all_fold * pot + wins * (pot + bet * callers / called) - (1 - all_beaten) * price
    return np.asarray((beaten_now * (pot + to_call) - to_call) / bet), np.asarray(betting / bet)


def _later(hs: Floats, ppot: Floats, npot: Floats) -> Floats:
    """Probability of being ahead after the next card."""
    return np.asarray(hs * (1 - npot) + (1 - hs) * ppot)
