"""Safe re-solving: at the root of a subgame one player is offered, hand by hand, a value instead of playing.

A subgame that is solved from the ranges of a strategy alone is an equilibrium only against those ranges: an opponent
who comes with other hands may win more than it did from the strategy. In the re-solving game of Burch, Johanson and
Bowling the opponent chooses with each hand between `value[hand]`, what a best response won from the strategy there, and
the subgame. The strategy itself concedes no hand more than the offer, so a solution does not either: replacing the
strategy by it cannot make the strategy easier to exploit, up to the error of solving.

Such a solution is only safe: it need not be better than the strategy, as every way to concede no more than the offer is
worth the same. So with a share `bound[hand]` of its deals the opponent is not asked and plays. These shares are chosen
in proportion to the range that it is expected to have; then, of the safe solutions, the one that is good against that
range is found. `bound` = 0 is the re-solving game, 1 solves the subgame as if no offer was made (unsafe).

Values are those of passes for single hands (`cfr.Passes.of_hands`): chips times the probability that the other's hand,
drawn from its range, shares no card with this one.

>>> from pokerlab.solvers.core.variants import VARIANTS
>>> offer = Offer(player=0, value=np.array([3.0, -1.0]), bound=np.array([0.5, 0.0]))
>>> arrays = offer.init()
>>> offer.shares(arrays, hero=1)
array([0.75, 0.5 ])
>>> offer.learn(arrays, 0, np.array([5.0, -2.0]), VARIANTS["cfr+"], t=1)  # playing is worth more, and less
>>> offer.shares(arrays, hero=1)
array([1., 0.])

References
----------
Burch, Johanson and Bowling (2014), "Solving imperfect information games using decomposition", AAAI, section 4. Brown
and Sandholm (2017), "Safe and nested subgame solving for imperfect-information games", for the example in which unsafe
solving fails. Mixing in the opponent's expected range is a departure from both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import Variant

REGRET, SUMS, AHEAD = "offer_regret", "offer_sums", "offer_ahead"
"""Arrays [2, hand]: of playing, and of taking the offer."""

OfHands: TypeAlias = Callable[[int, bool, Floats | None], Floats]
"""(hero, whether it responds best, shares[hand] of the other's hands that come) -> value[hand] to the hero"""


@dataclass(frozen=True, eq=False)
class Offer:
    """The offer of `value[hand]` to `player`, which is bound to play in a share `bound[hand]` of its deals. Both are
    by hand of the subgame's cells; those of hands that the player cannot hold have no effect."""

    player: int
    value: Floats
    bound: Floats

    def check(self, subgame: Problem) -> None:
        """Refuse a subgame with rake, or of other hands."""
        if subgame.tree.rules.rake:
            raise PokerlabError("a subgame with rake cannot be solved safely: what one wins, the other does not lose")
        n_hands = subgame.cells.n_cells[0]  # the first street has one board
        if not self.value.shape == self.bound.shape == (n_hands,):
            raise PokerlabError(f"an offer for {len(self.value)} hands in a subgame of {n_hands}")

    def init(self, *, predictive: bool = False) -> Arrays:
        """The arrays of the choice, all zero."""
        names = (REGRET, SUMS, AHEAD) if predictive else (REGRET, SUMS)
        return {name: np.zeros((2, len(self.value))) for name in names}

    def shares(self, arrays: Arrays, hero: int) -> Floats | None:
        """The share of each hand of the other that plays against the hero at present; None is all of them."""
        return None if hero == self.player else self._plays(_match(arrays[_present(arrays)]))

    def learn(self, arrays: Arrays, hero: int, values: Floats, variant: Variant, t: int) -> None:
        """Learn from a pass of iteration `t`: the player's regrets from the `values[hand]` of playing if it is the
        hero, else the average of its choices."""
        p = _match(arrays[_present(arrays)])
        if hero != self.player:
            sums = arrays[SUMS]
            sums *= variant.weight(t)
            sums[0] += p
            sums[1] += 1 - p
            return
        regret, gain = arrays[REGRET], values - self.value
        now = np.stack([(1 - p) * gain, -p * gain])
        regret *= (
            variant.positive(t) if variant.floor else np.where(regret > 0, variant.positive(t), variant.negative(t))
        )
        regret += now
        if variant.floor:
            np.maximum(regret, 0.0, out=regret)
        if variant.predictive:
            arrays[AHEAD] = regret * variant.positive(t + 1) + now

    def evaluation(self, arrays: Arrays, of_hands: OfHands, per_hand: tuple[Floats, Floats]) -> Evaluation:
        """Value and best responses of the average strategies in the game with the offer; `per_hand[player][hand]` turns
        values of hands into chips per hand."""
        player, bound = self.player, self.bound
        mine, theirs = per_hand[player], per_hand[1 - player]
        plays = self._plays(_match(arrays[SUMS]))
        taken = mine @ ((1 - plays) * self.value)
        value = float(mine @ (plays * of_hands(player, False, None)) + taken)
        played = of_hands(player, True, None)
        best = float(mine @ (bound * played + (1 - bound) * np.maximum(played, self.value)))
        against = float(theirs @ of_hands(1 - player, True, plays) - taken)
        return Evaluation(value, (best, against)) if player == 0 else Evaluation(-value, (against, best))

    def _plays(self, p: Floats) -> Floats:
        return self.bound + (1 - self.bound) * p


def _present(arrays: Arrays) -> str:
    """The name of the weights that the present choice is in proportion to."""
    return AHEAD if AHEAD in arrays else REGRET


def _match(weights: Floats) -> Floats:
    """The share of the first row in the positive part of `weights[2, hand]`; one half where that is 0."""
    plays, takes = np.maximum(weights, 0.0)
    total = plays + takes
    share: Floats = np.divide(plays, total, out=np.full_like(total, 0.5), where=total > 0)
    return share
