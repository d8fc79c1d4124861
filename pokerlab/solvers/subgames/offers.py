"""Safe re-solving: at the root of a subgame one player may, with each hand, accept a value instead of playing.

A subgame solved only from the ranges of a strategy is an equilibrium against those ranges: an opponent who arrives with
other hands may win more than it did from the strategy. In the re-solving game of Burch, Johanson and Bowling the
opponent chooses, with each hand, between playing the subgame and accepting `value[hand]`, which is what a best response
won from the strategy there. Against the strategy itself no hand wins more than this offer, so no hand wins more against
a solution either. Replacing the strategy by the solution therefore cannot make it easier to exploit, up to the error of
the solve.

Such a solution is safe but need not be better than the strategy, since the game values all strategies equally against
which no hand wins more than its offer. So in a fraction `bound[hand]` of its deals the opponent has no choice and must
play. These fractions are proportional to the range that the opponent is expected to have; this selects, among the safe
solutions, one that is good against that range. `bound` = 0 is the re-solving game; `bound` = 1 solves the subgame as if
no offer was made (unsafe).

Values are those of passes for single hands (`cfr.Passes.of_hands`): chips, times the probability that the other
player's hand, drawn from its range, shares no card with this one.

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
"""Names of the arrays [2, hand]; row 0 is for playing, row 1 for accepting the offer."""

OfHands: TypeAlias = Callable[[int, bool, Floats | None], Floats]
"""Function: (hero, whether it plays a best response, shares[hand] of the other player's hands that play) -> value[hand]
to the hero."""


@dataclass(frozen=True, eq=False)
class Offer:
    """The offer of `value[hand]` to `player`, which must play in a fraction `bound[hand]` of its deals. Both arrays are
    indexed by the hands of the subgame's cells; their entries for hands outside the player's range are ignored."""

    player: int
    value: Floats
    bound: Floats

    def check(self, subgame: Problem) -> None:
        """Raise an error if the subgame has rake, or if its number of hands is not that of the offer."""
        if subgame.tree.rules.rake:
            raise PokerlabError("a subgame with rake cannot be solved safely: what one wins, the other does not lose")
        n_hands = subgame.cells.n_cells[0]  # the first street has one board
        if not self.value.shape == self.bound.shape == (n_hands,):
            raise PokerlabError(f"an offer for {len(self.value)} hands in a subgame of {n_hands}")

    def init(self, *, predictive: bool = False) -> Arrays:
        """Arrays of the player's choice, all zero."""
        names = (REGRET, SUMS, AHEAD) if predictive else (REGRET, SUMS)
        return {name: np.zeros((2, len(self.value))) for name in names}

    def shares(self, arrays: Arrays, hero: int) -> Floats | None:
        """Fraction of each of the other player's hands that currently plays against the hero; None means all."""
        return None if hero == self.player else self._plays(_match(arrays[_present(arrays)]))

    def learn(self, arrays: Arrays, hero: int, values: Floats, variant: Variant, t: int) -> None:
        """Learn from a pass of iteration `t`, which is over the hands of the `hero`.

        If the hero has the choice, its regrets are updated from the `values[hand]` of playing. In the other player's
        pass, the average of the choices is updated.
        """
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
        """Value of the average strategies in the game with the offer, and best responses to them;
        `per_hand[player][hand]` converts values of hands to chips per hand."""
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
    """Name of the weights to which the current choice is proportional."""
    return AHEAD if AHEAD in arrays else REGRET


def _match(weights: Floats) -> Floats:
    """Share of the first row in the positive part of `weights[2, hand]`; 1/2 if the positive part is 0."""
    plays, takes = np.maximum(weights, 0.0)
    total = plays + takes
    share: Floats = np.divide(plays, total, out=np.full_like(total, 0.5), where=total > 0)
    return share
