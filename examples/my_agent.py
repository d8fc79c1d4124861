"""A template for an agent of your own: copy it, change `act`, and play it.

pokerlab verify agent py:my_agent:MyAgent
pokerlab match --game limit2p --agents py:my_agent:MyAgent,caller --hands 2000 --duplicate
pokerlab play --against py:my_agent:MyAgent
"""

from pokerlab.games.actions import CALL, FOLD, RaiseTo


class MyAgent:
    """Raises with pairs and high cards, calls small bets, folds the rest; bluffs one time in ten."""

    def act(self, view, rng):
        """Return a legal action. `view` holds what your seat may know; draw random numbers only from `rng`."""
        legal = view.legal()
        high, low = sorted((card // 4 for card in view.hole), reverse=True)[:2] if len(view.hole) > 1 else (0, 0)
        strong = high == low or high + low >= 20  # ranks count from 0 (deuce) to 12 (ace)
        if legal.raise_min is not None and (strong or rng.random() < 0.1):
            return RaiseTo(legal.raise_min)
        if legal.fold and view.to_call > view.pot / 2 and not strong:
            return FOLD
        return CALL

    # Optional, each may be left out:

    def supports(self, rules):
        """Whether this agent plays these rules; without this method, everything."""
        return rules.is_holdem

    def observe(self, hand):
        """See each finished hand as your seat saw it (cards you did not see are None); learn here, not in `act`."""
