"""What a bet or a raise is worth beside checking or calling, by how the models say the others will answer it.

Every opponent folds the hands that its model folds, and calls with the others; one who does not look at its cards folds
as often, with any of them. A bet then wins the pot when all fold,
and is worth its price when called by hands it beats: a bluff pays where they fold often enough, a draw where folds and
its potential together pay for it, and a made hand where it beats more than half of what calls. Later bets are left out.

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
Davidson (2002), sections 3.3.4 and 3.4, says what a bluff, a semi-bluff and a bet for value are for; the sum is ours.
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
"""What a seat with some weights does at a point of a hand: the actions considered and `p[combo, action]`."""


def staying(public: PublicView, seat: int, held: Mapping[int, Floats], answer: Answer) -> Iterator[tuple[int, Floats]]:
    """(opponent, `p[combo]` of its not folding) for everyone after `seat` bets or raises, those before it calling."""
    after = public.after(RaiseTo(raise_size(public)))
    while (actor := after.betting.actor) >= 0 and actor != seat and after.street == public.street:
        actions, p = answer(held[actor], after, actor)
        folds = [i for i, action in enumerate(actions) if action.kind == Kind.FOLD]
        yield actor, 1 - p[:, folds].sum(axis=1)
        after = after.after(CALL)


def values(
    public: PublicView, seat: int, hands: PokiHands, held: Mapping[int, Floats], answer: Answer
) -> tuple[Floats, Floats]:
    """(checking or calling, betting or raising) over giving up, in bets, with each of `hands`."""
    to_call, pot = float(public.to_call), float(public.pot)
    price = float(raise_size(public)) - float(public.betting.bets[seat])
    bet = price - to_call
    ppot, npot = hands.ahead(field_array(list(held.values())))
    stays = dict(staying(public, seat, held, answer))
    nobody = everybody_beaten = beaten_now = np.ones(len(hands.numbers))
    callers = np.zeros(len(hands.numbers))
    for opponent, weights in held.items():
        calling = weights * stays.get(opponent, 1.0)  # a player who is all in does not fold
        total = hands.weight(weights)
        folds = 1 - np.divide(hands.weight(calling), total, out=np.ones(len(total)), where=total > 0)
        nobody = nobody * folds
        everybody_beaten = everybody_beaten * (folds + (1 - folds) * _later(hands.hs(calling), ppot, npot))
        beaten_now = beaten_now * _later(hands.hs(weights), ppot, npot)
        callers += 1 - folds
    called = np.maximum(1 - nobody, 1e-9)
    wins = everybody_beaten - nobody
    betting = nobody * pot + wins * (pot + bet * callers / called) - (1 - everybody_beaten) * price
    return np.asarray((beaten_now * (pot + to_call) - to_call) / bet), np.asarray(betting / bet)


def _later(hs: Floats, ppot: Floats, npot: Floats) -> Floats:
    """The chance to be ahead after the next card."""
    return np.asarray(hs * (1 - npot) + (1 - hs) * ppot)
