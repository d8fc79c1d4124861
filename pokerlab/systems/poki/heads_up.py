"""Heads-up play after the flop: bets, folds and raises that reveal little about the player's hand.

A player who bets good hands and checks the others is easy to read: its checks show weakness, and a bet after them wins
the pot. Therefore the player who raised last on the previous street has the *initiative*: the other player checks with
any hand, and the one with the initiative bets most flops with any hand. Facing a bet, a hand stays in if the call alone
is worth its price; the cost of later bets is ignored. On the turn and the river the player limits how often it folds,
over all hands that it may hold after its earlier actions. A bluff risks the bet to win the pot, so it is profitable
with any hand if the player folds more often than bet / (pot + bet). There the player also reraises only with the best
of its possible hands.

Hiding one's hand has a cost: the player bets weak hands, checks strong ones, and calls bets that are no bluffs. An
adaptive player stops hiding from an opponent who seldom bets when checked to, or seldom folds to bets.

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

from pokerlab.arrays import Floats, Int64s
from pokerlab.games.actions import Kind
from pokerlab.games.views import PublicView

FIRST_BETS, LAST_BETS = 1.0, 0.8  # with the initiative, how often it bets the flop: first to act, and after a check
RAISES_AGAIN = 0.15  # on turn and river, it reraises with at most this share of its hands
FROM_STREET = 2  # the turn; from here on, folds and reraises are limited
ATTACKS = 0.42  # hide only from opponents who bet at least this often on turn and river with nothing to call
FOLDS = 0.18  # ... and who fold to a bet after the flop at least this often
STRANGER = 20, 0.5, 0.25  # prior about a stranger: number of decisions, how often it bets, how often it folds


def worth_hiding(counts: Int64s) -> bool:
    """Whether it is worth hiding one's hand from a player with these `counts[street, facing, kind]`.

    It is not if the player seldom bets the turn and the river, since it then neither punishes checks nor bluffs. Nor is
    it if the player seldom folds, since it then pays off good hands and cannot be bluffed.

    >>> counts = np.zeros((4, 3, 4), np.int64)
    >>> counts[2, 0] = (0, 12, 7, 0)  # on the turn, with nothing to call: folds, checks, bets, calls at the cap
    >>> worth_hiding(counts), worth_hiding(counts + counts)  # 17 bets in 39 decisions, 24 in 58
    (True, False)
    """
    unopened, faced = counts[FROM_STREET:, 0].sum(axis=0), counts[1:, 1:].sum(axis=(0, 1))
    assumed, bets, folds = STRANGER
    attacks = assumed * bets + unopened[Kind.RAISE] >= ATTACKS * (assumed + unopened.sum())
    return bool(attacks and assumed * folds + faced[Kind.FOLD] >= FOLDS * (assumed + faced.sum()))


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
    """The frequency of folds above which the bet to be called would be profitable with any hand."""
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
