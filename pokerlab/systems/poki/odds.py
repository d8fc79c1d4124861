"""Pot odds that include later streets, with the opponents' actions there estimated from their models.

- **Implied odds**: a draw that comes in also wins the bets that opponents call on later streets. The number of callers
  is estimated from the weight of their hands that would call a bet, mixed with their observed frequency.
- **Reverse implied odds**: a made hand that must be shown down also pays the opponents' bets on later streets, with
  frequencies estimated in the same way.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.state import State
>>> from pokerlab.cards.card import cards
>>> from pokerlab.policies.formula import implied_odds
>>> state = State.start(game("limit2p"), cards("AdQc 7h2d 3h4cJh 9s 2c"))
>>> for action in (CALL, CALL, RaiseTo(10)):
...     state = state.after(action)
>>> view = state.view(1, 0, ("a", "b"))  # 10 to call into 30; bets of 20 on the turn and on the river
>>> round(implied_odds(view, 1.0), 4), round(reverse_implied_odds(view, 0.5), 4), reverse_implied_odds(view, 0.0)
(0.125, 0.375, 0.25)

References
----------
Davidson (2002), section 3.3.4, defines these odds and notes that there is no simple formula for them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.actions import Kind
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import board_ehs, later_bets
from pokerlab.systems.poki.action_counts import ActionCounts
from pokerlab.systems.poki.counted_formula import N_STREETS, PRIOR


def reverse_implied_odds(public: PublicView, cost: float) -> float:
    """The probability of winning from which to call and go to showdown, paying `cost` bets on each later street."""
    later = cost * later_bets(public)
    to_call = float(public.to_call)
    return (to_call + later) / (float(public.pot) + to_call + 2 * later) if to_call else 0.0


def calls_later(public: PublicView, believed: Mapping[int, Floats], counts: ActionCounts) -> float:
    """Expected number of opponents who call a bet on a later street."""
    return sum(_share(public, seat, weights, counts, facing=1) for seat, weights in believed.items())


def bets_later(public: PublicView, believed: Mapping[int, Floats], counts: ActionCounts) -> float:
    """Probability that an opponent bets on a later street when checked to."""
    checks = [1 - _share(public, seat, weights, counts, facing=0) for seat, weights in believed.items()]
    return 1 - float(np.prod(checks))


def _share(public: PublicView, seat: int, weights: Floats, counts: ActionCounts, *, facing: int) -> float:
    """Frequency with which `seat` stays in against a bet (`facing` 1) or bets (0), from its range and past actions."""
    strength = board_ehs(public.board, 1)
    good = strength >= (counts.style.call_at if facing else counts.style.bet_at)
    by_hands = float(weights[good].sum() / weights.sum()) if weights.sum() > 0 else 0.5
    seen = counts.count_of(public.names[seat])[min(public.street + 1, N_STREETS - 1), facing]
    did = seen.sum() - seen[Kind.FOLD] if facing else seen[Kind.RAISE]
    return float((PRIOR * by_hands + did) / (PRIOR + seen.sum()))
