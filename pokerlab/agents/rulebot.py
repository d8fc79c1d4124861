"""BasicRuleBot: a deterministic player that uses E[HS], the amount to call and implied odds, without deception.

It estimates its probability of winning as E[HS] against one random hand, to the power of the number of opponents left.
It raises if this is high. It calls if this justifies the price, counting the bets that it expects to win on later
streets (implied odds). Otherwise it checks if that is free, or folds.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.cards.card import cards
>>> deal = (*cards("AsAh"), *cards("7c2d"), *cards("3h4cJhQs2c"))
>>> state = State.start(game("limit2p"), deal)
>>> RuleBot().act(state.view(1, 0, ("a", "b")), None)
CALL
>>> RuleBot().act(state.after(CALL).view(0, 0, ("a", "b")), None)
RaiseTo(20)

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 4.2. It names the features and prints no
numbers; the thresholds are ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pokerlab.arrays import ByHandAction, Floats
from pokerlab.cards.combos import combo_index
from pokerlab.cards.strength_tables import mean_hs_by_arrays, strength_of
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.views import PublicView, View
from pokerlab.policies.compiled_players import CompiledPlayer
from pokerlab.policies.formula import implied_odds, raise_size
from pokerlab.policies.policy import HoldemPolicy


@dataclass(frozen=True)
class RuleBot(HoldemPolicy):
    """A player with two thresholds on its probability of winning: one for raising, one for calling."""

    raise_at: float = 1.25  # raises if its probability of winning is at least this many times 1 / players left
    call_at: float = 1.0  # calls if its probability of winning is at least this many times the implied odds
    future_bets: float = 1.0  # number of bets that it expects to win on each later street

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Choose an action; the same view always gives the same action."""
        return self._action(view, mean_hs_of_hand(view.hole, view.board))

    def compiled(self) -> CompiledPlayer:
        """The same player in the form that compiled code plays."""
        return CompiledPlayer.rules(self.raise_at, self.call_at, self.future_bets)

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Return (actions, `p[combo, action]`: 1 for the action taken with a combo, otherwise 0)."""
        strengths, which = np.unique(np.nan_to_num(mean_hs(public.board)), return_inverse=True)
        taken = [self._action(public, float(strength)) for strength in strengths]
        actions = tuple(sorted(set(taken)))
        return actions, np.array([[action == each for each in actions] for action in taken], dtype=float)[which]

    def _action(self, public: PublicView, strength: float) -> Action:
        legal = public.legal()
        players = public.rules.n_seats - public.betting.folded.bit_count()
        chance = strength ** (players - 1)
        if legal.raise_min is not None and chance * players >= self.raise_at:
            return RaiseTo(raise_size(public))
        if not legal.fold or chance >= self.call_at * implied_odds(public, self.future_bets):
            return CALL
        return FOLD


@lru_cache(maxsize=256)
def mean_hs(board: tuple[int, ...]) -> Floats:
    """E[HS] of all combos on a board."""
    return np.asarray(strength_of(board).mean_hs)


@lru_cache(maxsize=256)
def mean_hs_of_hand(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """E[HS] of one hand. The first hands of a process are computed one by one, to avoid waiting for compilation."""
    alone = mean_hs_by_arrays(hole, board)
    return float(mean_hs(board)[combo_index(*hole)]) if alone is None else alone


VARIANTS = {
    "": RuleBot(),
    "tight": RuleBot(raise_at=1.4, call_at=1.6),
    "loose": RuleBot(raise_at=1.3, call_at=0.6),
    "passive": RuleBot(raise_at=1.7),
    "aggressive": RuleBot(raise_at=1.05),
}


def make_rulebot(variant: str, **thresholds: float) -> RuleBot:
    """Make the rule bot of a variant; `thresholds` replaces its numbers."""
    return replace(VARIANTS[variant], **thresholds)
