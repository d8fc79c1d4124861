"""Heads-up play after the flop: bets, folds and raises that reveal little about the player's hand.

A player who bets good hands and checks the others is easy to read: its checks show weakness, and a bet after them wins
the pot. Therefore the player who raised last on the previous street has the *initiative*: the other player checks with
any hand, and the one with the initiative bets most flops with any hand. Facing a bet, a hand stays in if the call alone
is worth its price; the cost of later bets is ignored. On the turn and the river the player limits how often it folds,
over all hands that it may hold after its earlier actions. A bluff risks the bet to win the pot, so it is profitable
with any hand if the player folds more often than bet / (pot + bet). There the player also reraises only with the best
of its possible hands.

Hiding one's hand has a price: worse hands are bet, better ones checked, and honest bets called. It pays against an
opponent who acts on what the player shows. How often an opponent folds to a bet of the player with the initiative, who
has shown strength, tells which opponents do: an adaptive player hides while the gain modelled from this share
(`hiding_gain`) is not below zero.

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
Davidson (2002) has no rules for two players. These were derived from how `equilibrium:limit2p` bets against itself, by
street, position and initiative (docs/notebook/2026-11-16-poki.md, "Heads-up, bets that say little").
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.actions import Kind
from pokerlab.games.views import PublicView

FIRST_BETS, LAST_BETS = 1.0, 0.8  # share of flops bet with the initiative, first to act and checked to
RAISES_AGAIN = 0.15  # largest share of its hands with which it reraises on the turn or the river
FROM_STREET = 2  # the turn: from here on folds and raises are limited to these shares
STRANGER = 20, 0.36  # bets that show strength which a stranger is assumed to have met, and the share it folded to
GAIN, PRICE = 1.69, 0.51  # small bets a hand that hiding gains: GAIN times that share, less PRICE


def hiding_gain(folded: int, faced: int) -> float:
    """Modelled gain of hiding, in small bets a hand, against an opponent who `folded` to some of the bets `faced` that
    showed strength (`shows_strength`).

    A least-squares fit to the gains measured against eighteen opponents (docs/notebook/2026-11-19-hiding.md).

    >>> [round(hiding_gain(folded, 40), 2) for folded in (2, 8, 12, 18)]  # as rulebot, formula, poki and poki:before
    [-0.25, -0.08, 0.03, 0.2]
    """
    assumed, share = STRANGER
    return GAIN * (assumed * share + folded) / (assumed + faced) - PRICE


def shows_strength(public: PublicView) -> bool:
    """Whether the next player to act, of two, faces the first bet of a street after the flop has come, made by the
    player with the initiative.

    >>> from pokerlab.games.actions import CALL, RaiseTo
    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.games.state import State
    >>> state = State.start(game("limit2p"), tuple(range(9))).after(RaiseTo(20)).after(CALL)
    >>> flop = state.public(0, ("ann", "bob"))  # bob has raised, and ann is first to act
    >>> shows_strength(flop.after(RaiseTo(10))), shows_strength(flop.after(CALL).after(RaiseTo(10)))
    (False, True)
    """
    first = public.street > 0 and public.to_call and public.betting.n_raises == 1
    return bool(first and public.rules.n_seats == 2 and initiative(public) == 1 - public.betting.actor)


def initiative(public: PublicView) -> int | None:
    """Seat that raised last on the previous street; None if no seat did."""
    raisers = [s.seat for s in public.actions if s.street == public.street - 1 and s.action.kind == Kind.RAISE]
    return raisers[-1] if raisers else None


def bets_anyway(public: PublicView, seat: int) -> float | None:
    """Probability that `seat` bets, whatever its hand, when nobody has bet on the street; None if the hand decides."""
    first, whose = public.betting.waiting.bit_count() > 1, initiative(public)
    if first and whose == 1 - seat:
        return 0.0
    if public.street == 1 and whose == seat:
        return FIRST_BETS if first else LAST_BETS
    return None


def held_to_shares(public: PublicView) -> bool:
    """Whether there is a bet to call on a street on which folds and reraises are limited (turn and river)."""
    return public.street >= FROM_STREET and bool(public.to_call)


def bluff_breaks_even(public: PublicView) -> float:
    """How often the player must fold for the opponent's bet, which is to be called, to break even as a bluff."""
    return float(public.to_call) / float(public.pot)


def balanced(p: Floats, public: PublicView, *, strength: Floats, held: Floats) -> Floats:
    """Limit the folds and reraises in `p[hand, (fold, call, ..)]` of a player that faces a bet; `held` are the weights
    of its possible hands.

    Excess folds become calls, the best hands first; excess reraises become calls, the worst hands first.
    """
    fold = at_most(bluff_breaks_even(public), p[:, 0], best_last=strength, held=held)
    raises = p[:, 2:]
    if raises.size and public.betting.n_raises > 1:
        raises = at_most(RAISES_AGAIN, p[:, 2], best_last=-strength, held=held)[:, None]
    return np.concatenate([fold[:, None], 1 - fold[:, None] - raises.sum(axis=1, keepdims=True), raises], axis=1)


def at_most(most: float, p: Floats, *, best_last: Floats, held: Floats) -> Floats:
    """Reduce `p[hand]` so that its mean over the hands `held` is at most `most`. Hands are reduced in order of
    `best_last`, from the last one on; the first ones keep their probability.

    >>> at_most(0.3, np.array([1.0, 1.0, 0.0]), best_last=np.array([0.1, 0.2, 0.9]), held=np.array([1.0, 1.0, 2.0]))
    array([1. , 0.2, 0. ])
    """
    total = held.sum()
    if total <= 0:
        return p
    order = np.argsort(best_last, kind="stable")
    share = (held * p)[order] / total
    left = most - (np.cumsum(share) - share)
    scale = np.empty(len(p))
    scale[order] = np.clip(np.divide(left, share, out=np.sign(left), where=share > 0), 0.0, 1.0)
    return np.asarray(p * scale)
