"""MyAgent, a player to start from: change `policy`, check it, play it.

python test_my_agent.py
pokerlab verify agent py:my_agent:MyAgent
pokerlab match --agents py:my_agent:MyAgent,rulebot --hands 500 --duplicate --out runs/my_agent
pokerlab explain runs/my_agent --hand 3 --agent py:my_agent:MyAgent
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np

from pokerlab.agents.explanation import Explanation
from pokerlab.arrays import Floats
from pokerlab.cards.evaluate import evaluate
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import View


class MyAgent:
    """Raises good hands, calls if the price is right, and bluffs players who have folded often."""

    def __init__(self) -> None:
        self.folds: dict[str, int] = {}  # memory, by the name of a player: how often it folded to a bet,
        self.bets_faced: dict[str, int] = {}  # and how often it could have

    # --- policy: the only part that an agent must have is `act` ---

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Return a legal action. `view` has everything this seat may know; use only `rng` for random numbers."""
        actions, p, _ = self.policy(view)
        return actions[int(rng.choice(len(actions), p=p))]

    def policy(self, view: View) -> tuple[tuple[Action, ...], Floats, dict[str, float]]:
        """Actions considered, their probabilities, and the numbers behind them."""
        legal = view.legal()
        left = [seat for seat in range(view.rules.n_seats) if view.betting.in_hand(seat) and seat != view.seat]
        chance = strength(view.hole, view.board) ** len(left)  # to be ahead of all of them
        price = float(view.to_call / (view.pot + view.to_call))
        bluff = 0.5 * float(np.prod([self.fold_rate(view.names[seat]) for seat in left]))
        numbers = {"chance": chance, "price": price, "bluff": bluff}
        raises = 0.0 if legal.raise_min is None else 1.0 if chance > 0.7 else bluff
        calls = 1.0 if chance >= price or not legal.fold else 0.0
        weights = {FOLD: (1 - raises) * (1 - calls), CALL: (1 - raises) * calls}
        if legal.raise_min is not None and legal.raise_max is not None:
            weights[RaiseTo(min(legal.raise_max, max(legal.raise_min, round(view.pot * 0.7))))] = raises
        chosen = {action: weight for action, weight in weights.items() if weight > 0}
        return tuple(chosen), np.array(list(chosen.values())), numbers

    def supports(self, rules: Rules) -> bool:
        """Whether this agent plays a game; an agent without this method plays every game."""
        return rules.is_holdem

    # --- memory: learn here, between hands, never in `act` ---

    def observe(self, hand: HandHistory) -> None:
        """Learn from a finished hand as this seat saw it; unseen cards are None."""
        for state, action in zip(hand.states(), hand.actions, strict=False):
            if state.betting.to_call:
                name = hand.names[state.betting.actor]
                self.bets_faced[name] = self.bets_faced.get(name, 0) + 1
                self.folds[name] = self.folds.get(name, 0) + (action == FOLD)

    def fold_rate(self, name: str) -> float:
        """How often a player folds to a bet; before any hand, one time in four."""
        return (self.folds.get(name, 0) + 1) / (self.bets_faced.get(name, 0) + 4)

    def save(self, path: Path) -> None:
        """Write the memory to one file; `match --save-memory` does it, and py:my_agent:MyAgent@FILE reads it."""
        path.write_text(json.dumps([self.folds, self.bets_faced]))

    def load(self, path: Path) -> None:
        """Replace the memory by a saved one."""
        self.folds, self.bets_faced = json.loads(path.read_text())

    # --- explanation: for `pokerlab explain` ---

    def explain(self, view: View) -> Explanation:
        """Explain the choice made at `view`."""
        actions, p, numbers = self.policy(view)
        words = f"It is ahead {numbers['chance']:.0%} of the time and needs {numbers['price']:.0%} to call."
        return Explanation(actions, p, numbers, {}, (words,))

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """Weights of the 1326 hole cards by seat, numbered as in `cards.combos`; this agent has none."""
        return {}


@lru_cache(maxsize=1000)
def strength(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """Fraction of all hands that this one beats now, ties counted half; before the flop, a guess from its ranks.

    A card is 4 times its rank (0 is a deuce, 12 an ace) plus its suit.
    """
    if not board:
        low, high = sorted(card // 4 for card in hole)
        return min(1.0, 0.5 + low / 26 if low == high else 0.2 + (low + 2 * high) / 72)
    mine = evaluate((*hole, *board))
    others = [card for card in range(52) if card not in hole and card not in board]
    ranks = [evaluate((*other, *board)) for other in combinations(others, 2)]
    return sum((rank < mine) + 0.5 * (rank == mine) for rank in ranks) / len(ranks)
