"""Heads-up after the flop: bets, folds and raises that give little away of one's own hand.

Against one opponent who looks at its cards, a player who bets its good hands and checks the others is read: its checks
are weak, and a bet after them takes the pot. So whoever raised last on the street before has the *initiative*: the
other checks to it whatever it holds, with strong hands as well, and it bets most flops whatever it holds. Facing a bet,
a hand stays in by the price of the call alone, without what later bets may cost. On the turn and the river, no larger
share is folded of the hands that the player may hold, by its own earlier actions, than makes a bluff break even: a
bluff risks the bet for the pot, and gains with any hand where the share of folds is above bet / (pot + bet). And a
raise there is raised again with the best of those hands alone.

>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("limit2p"), tuple(range(9))).after(RaiseTo(20)).after(CALL)
>>> flop = state.public(0, ("ann", "bob"))  # bob, on the button, has raised; ann is first to act
>>> initiative(flop), bets_anyway(flop, 0), bets_anyway(flop.after(CALL), 1)
(1, 0.0, 0.8)
>>> bluff_breaks_even(flop.after(CALL).after(RaiseTo(10)))
0.2

References
----------
Davidson (2002) has no rules for two players. These are read off how `equilibrium:limit2p` bets against itself, by
street, place and initiative (docs/notebook/2026-11-16-poki.md, "Heads-up, bets that say little").
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.actions import Kind
from pokerlab.games.views import PublicView

FIRST_BETS, LAST_BETS = 1.0, 0.8  # how often who has the initiative bets a flop, first to act and checked to
RAISES_AGAIN = 0.15  # the share of its hands with which it raises a raise on the turn or the river, at most
FROM_STREET = 2  # folds and raises are held to these shares from here on: the turn


def initiative(public: PublicView) -> int | None:
    """The seat that raised last on the street before, or None if nobody did."""
    raisers = [s.seat for s in public.actions if s.street == public.street - 1 and s.action.kind == Kind.RAISE]
    return raisers[-1] if raisers else None


def bets_anyway(public: PublicView, seat: int) -> float | None:
    """How often `seat` bets where nobody has, whatever it holds; None where its hand decides."""
    first, whose = public.betting.waiting.bit_count() > 1, initiative(public)
    if first and whose == 1 - seat:
        return 0.0
    if public.street == 1 and whose == seat:
        return FIRST_BETS if first else LAST_BETS
    return None


def held_to_shares(public: PublicView) -> bool:
    """Whether there is a bet to call on a street where folds and raises are held to shares of the hands held."""
    return public.street >= FROM_STREET and bool(public.to_call)


def bluff_breaks_even(public: PublicView) -> float:
    """The share of folds from which the bet that is to be called gains with any hand."""
    return float(public.to_call) / float(public.pot)


def balanced(p: Floats, public: PublicView, *, strength: Floats, held: Floats) -> Floats:
    """`p[hand, (fold, call, ..)]` of a player who may hold `held`, facing a bet, with no more folds and raises again.

    Of the hands that are to be folded the best are called with instead; so are the worst of those to be raised.
    """
    fold = at_most(bluff_breaks_even(public), p[:, 0], best_last=strength, held=held)
    raises = p[:, 2:]
    if raises.size and public.betting.n_raises > 1:
        raises = at_most(RAISES_AGAIN, p[:, 2], best_last=-strength, held=held)[:, None]
    return np.concatenate([fold[:, None], 1 - fold[:, None] - raises.sum(axis=1, keepdims=True), raises], axis=1)


def at_most(most: float, p: Floats, *, best_last: Floats, held: Floats) -> Floats:
    """`p[hand]` cut so that its mean over the hands `held` is at most `most`, kept for the first in order.

    >>> at_most(0.3, np.array([1.0, 1.0, 0.0]), best_last=np.array([0.1, 0.2, 0.9]), held=np.array([1.0, 1.0, 2.0]))
    array([1. , 0.2, 0. ])
    """
    total = held.sum()
    if total <= 0:
        return p
    order = np.argsort(best_last, kind="stable")
    share = (held * p)[order] / total
    left = most - (np.cumsum(share) - share)
    kept = np.empty(len(p))
    kept[order] = np.clip(np.divide(left, share, out=np.sign(left), where=share > 0), 0.0, 1.0)
    return np.asarray(p * kept)
