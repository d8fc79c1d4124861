"""The value of a bet or a raise compared with checking or calling, from the opponents' predicted responses.

Every opponent folds the hands that its model folds and calls with the others; an opponent who ignores its cards folds
equally often with any hand. A bet wins the pot if all opponents fold. If one calls, it wins the size of the bet from
worse hands and loses it to better ones. So a bluff is profitable if opponents fold often enough, a semi-bluff if their
folds and the chance to improve together are enough, and a made hand if it beats more than half of the calling hands.
Later bets are ignored.

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

Pot odds can include bets on later streets, which are estimated from the models:

- **Implied odds**: a draw that comes in also wins the bets that opponents call on later streets. How many call is
  estimated from the weight of the hands with which they would call a bet, and from how often they were seen to call.
- **Reverse implied odds**: a made hand that must be shown down also pays the opponents' bets on later streets. How
  often they bet is estimated in the same way.

>>> from pokerlab.policies.formula import implied_odds
>>> state = State.start(game("limit2p"), cards("AdQc 7h2d 3h4cJh 9s 2c"))
>>> for action in (CALL, CALL, RaiseTo(10)):
...     state = state.after(action)
>>> view = state.view(1, 0, ("a", "b"))  # 10 to call into 30; bets of 20 on the turn and on the river
>>> round(implied_odds(view, 1.0), 4), round(reverse_implied_odds(view, 0.5), 4), reverse_implied_odds(view, 0.0)
(0.125, 0.375, 0.25)

References
----------
Davidson (2002), sections 3.3.4 and 3.4, explains bluffs, semi-bluffs and bets for value; the formula for their sum is
ours. Section 3.3.4 also defines implied odds and notes that there is no simple formula for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.actions import CALL, Action, Kind, RaiseTo
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import board_ehs, later_bets, raise_size
from pokerlab.systems.poki.action_counts import ActionCounts
from pokerlab.systems.poki.counted_formula import N_STREETS, PRIOR
from pokerlab.systems.poki.hands import PokiHands
from pokerlab.systems.poki.weight_tables import field_array

Answer = Callable[[Floats, PublicView, int], tuple[tuple[Action, ...], Floats]]
"""A function that predicts how a seat with given `weights[combo]` acts: (actions, `p[combo, action]`)."""


def staying(public: PublicView, seat: int, held: Mapping[int, Floats], answer: Answer) -> Iterator[tuple[int, Floats]]:
    """Yield (opponent, probability `p[combo]` of not folding) for every opponent, if `seat` bets or raises and all
    opponents before it call."""
    after = public.after(RaiseTo(raise_size(public)))
    while (actor := after.betting.actor) >= 0 and actor != seat and after.street == public.street:
        actions, p = answer(held[actor], after, actor)
        folds = [i for i, action in enumerate(actions) if action.kind == Kind.FOLD]
        yield actor, 1 - p[:, folds].sum(axis=1)
        after = after.after(CALL)


def values(
    public: PublicView, seat: int, hands: PokiHands, held: Mapping[int, Floats], answer: Answer
) -> tuple[Floats, Floats]:
    """For each of `hands`, return (value of checking or calling, value of betting or raising), in bets, compared with
    giving up."""
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


def reverse_implied_odds(public: PublicView, cost: float) -> float:
    """Probability of winning above which a call is profitable, if the player goes to the showdown and pays `cost` bets
    on each later street."""
    later = cost * later_bets(public)
    to_call = float(public.to_call)
    return (to_call + later) / (float(public.pot) + to_call + 2 * later) if to_call else 0.0


def calls_later(public: PublicView, believed: Mapping[int, Floats], counts: ActionCounts) -> float:
    """Expected number of opponents who call a bet on a later street."""
    return sum(_share(public, seat, weights, counts, facing=1) for seat, weights in believed.items())


def bets_later(public: PublicView, believed: Mapping[int, Floats], counts: ActionCounts) -> float:
    """Probability that at least one opponent bets on a later street when checked to."""
    checks = [1 - _share(public, seat, weights, counts, facing=0) for seat, weights in believed.items()]
    return 1 - float(np.prod(checks))


def _share(public: PublicView, seat: int, weights: Floats, counts: ActionCounts, *, facing: int) -> float:
    """Estimate, from the range and the counted actions of `seat`, how often it stays in when facing a bet (`facing` 1),
    or bets when facing none (`facing` 0)."""
    strength = board_ehs(public.board, 1)
    good = strength >= (counts.style.call_at if facing else counts.style.bet_at)
    by_hands = float(weights[good].sum() / weights.sum()) if weights.sum() > 0 else 0.5
    seen = counts.count_of(public.names[seat])[min(public.street + 1, N_STREETS - 1), facing]
    did = seen.sum() - seen[Kind.FOLD] if facing else seen[Kind.RAISE]
    return float((PRIOR * by_hands + did) / (PRIOR + seen.sum()))
