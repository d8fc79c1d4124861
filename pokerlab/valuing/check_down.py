"""A value function without solving: as if the bet on the table were called and there were no more bets.

The value is the *stake* times the advantage of the hand over all cards to come (`valuing.showdowns`). The stake is the
amount each player has put in; a bet not yet called counts only up to doubling it, since large bets are often not
called. Because the advantage already averages over the cards to come, its mean over the next cards is known without
dealing them. Future bets make a hand worth more; `growth[street]` multiplies the value on each street. All of this is
fixed in advance.

>>> from pokerlab.games.catalog import game
>>> CheckDown(game("limit2p")).name
'check-down value, times 1, 1, 1, 1 by street'
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats, Indices
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView
from pokerlab.valuing.aivat import check_rules
from pokerlab.valuing.showdowns import Showdowns

HOLDEM_GROWTH = (2.0, 1.6, 1.3, 1.0)
"""For hold'em, rounded; chosen, like the doubling of the stake, on other hands than those in the documents."""


class CheckDown:
    """Stake times advantage times `growth[street]`, for any stacks."""

    def __init__(self, rules: Rules, growth: tuple[float, ...] | None = None) -> None:
        check_rules(rules)
        self.rules, self.showdowns = rules, Showdowns(rules)
        self.growth = (1.0,) * len(rules.streets) if growth is None else growth
        assert len(self.growth) == len(rules.streets)

    @property
    def name(self) -> str:
        """Short description."""
        return f"check-down value, times {', '.join(f'{times:g}' for times in self.growth)} by street"

    def supports(self, rules: Rules) -> bool:
        """Whether the cards are the same; bets and stacks may differ."""
        same = ("n_seats", "deck", "layout", "board", "ranges")
        return all(getattr(rules, name) == getattr(self.rules, name) for name in same)

    def root(self) -> float:
        """0 if both seats are dealt from the same distribution."""
        return self.growth[0] * at_stake(Betting.start(self.rules)) * self.showdowns.at_the_deal

    def value(self, public: PublicView, rows: Indices, columns: Indices) -> Floats:
        """Exact once betting is over."""
        return self._value(public, self._street(public), rows, columns)

    def expected(self, public: PublicView, rows: Indices, columns: Indices) -> Floats:
        """The mean of the advantage over the next cards is the advantage without them."""
        return self._value(public, self._street(public) + 1, rows, columns)

    def _value(self, public: PublicView, street: int, rows: Indices, columns: Indices) -> Floats:
        betting = public.betting
        if betting.folded:
            stake = float(min(betting.spent))
            return np.full((len(rows), len(columns)), -stake if betting.folded & 1 else stake)
        times = 1.0 if betting.over else self.growth[street]
        return times * at_stake(betting) * self.showdowns.advantage(public.board, rows, columns)

    def _street(self, public: PublicView) -> int:
        """The last street whose cards are all dealt."""
        at, street = 0, -1
        for number, dealt in enumerate(self.rules.streets):
            at += dealt.n_board
            street = number if at == len(public.board) else street
        return street


def at_stake(betting: Betting) -> float:
    """The loser's assumed loss: the amount matched so far, plus at most as much again of an uncalled bet."""
    most, least = max(betting.spent), min(betting.spent)
    return float(least if betting.over else min(most, 2 * least, *betting.rules.stacks))
