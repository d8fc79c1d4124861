"""The connectionist player with rollouts where a learned rule predicts that they pay.

A sample of rollouts finds better actions than the player's own on some decisions, most of all on the river, and worse
ones on others. A `RolloutRule` predicts the gain of a sample of each size from known features: street, pot, opponents,
and how undecided the player is. A sample is taken where the largest gain exceeds its price, and is combined with the
player's own preference, which counts like a number of rollouts, learned for each street.

>>> rule = RolloutRule((50, 200), (100.0, 30.0, 3.0, 0.0), np.zeros((2, N_INPUTS)))
>>> rule.size(np.ones(N_INPUTS), price=1.0)  # nothing is gained: the player decides alone
0
>>> values, chances = np.array([1.0, 1.2]), np.array([0.9, 0.1])
>>> rule.chosen(values, 10.0, chances, street=0), rule.chosen(values, 10.0, chances, street=3)
(0, 1)

References
----------
Sweeney (2012), section 7.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import log2
from pathlib import Path

import numpy as np

from pokerlab.agents.explanation import Explanation
from pokerlab.arrays import Floats
from pokerlab.errors import FileError
from pokerlab.files import read_arrays, well_formed, write_arrays
from pokerlab.games.actions import Action
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.policies.policy import choose
from pokerlab.systems.connectionist.decision_rollouts import rolled_out
from pokerlab.systems.connectionist.player import DATA, Connectionist, make_weights, shipped_weights

KIND = "connectionist rollout rule"
RULE = DATA / "connectionist-rollouts.bin"
PRICE = 0.5
"""Small blinds that a thousand rollouts have to gain."""
N_STREETS, N_EACH = 4, 4
N_INPUTS = N_STREETS * N_EACH
LEAST_CHANCE = 1e-6


def inputs(view: View, chances: Floats) -> Floats:
    """Features of a decision before a rollout, by street: 1, log2 of the pot, opponents left, entropy in nats."""
    pot = log2(float(view.betting.pot) / (view.rules.big_blind / 2))
    opponents = sum(view.betting.in_hand(seat) for seat in range(view.rules.n_seats)) - 1
    entropy = -float((chances * np.log(np.maximum(chances, LEAST_CHANCE))).sum())
    by_street = np.zeros((N_STREETS, N_EACH))
    by_street[view.street] = 1.0, pot, opponents, entropy
    return by_street.ravel()


@dataclass(frozen=True)
class RolloutRule:
    """Rule for the number of rollouts of a decision (0: none), and the weight of the player's own preference."""

    sizes: tuple[int, ...]
    priors: tuple[float, ...]  # by street: weight of the player's preference, in rollouts
    gains: Floats  # [size, input]: linear coefficients of a sample's gain in small blinds

    def size(self, known: Floats, *, price: float) -> int:
        """Number of rollouts for a decision with the features `known[input]`; 0 where none are worth their price."""
        worth = self.gains @ known - price * np.array(self.sizes) / 1000
        best = int(np.argmax(worth))
        return self.sizes[best] if worth[best] > 0 else 0

    def chosen(self, values: Floats, n: float, chances: Floats, *, street: int) -> int:
        """The option of the largest `values[option]` by a sample worth `n` rollouts and the preference together.

        The player's probabilities are a soft-max of its option values, so their logarithms are in small blinds.
        """
        return combined(values, n, chances, self.priors[street])


def combined(values: Floats, n: float, chances: Floats, prior: float) -> int:
    """The best option if the player's preference counts like `prior` rollouts beside `n`."""
    return int(np.argmax(n * values + prior * np.log(np.maximum(chances, LEAST_CHANCE))))


def sample_values(weights: Floats, returns: Floats) -> tuple[Floats, float]:
    """(`values[option]` of a weighted sample, its effective number of rollouts)."""
    return weights @ returns / weights.sum(), float(weights.sum() ** 2 / (weights @ weights))


class RolloutPlayer:
    """A connectionist player that rolls out the decisions selected by a rule."""

    def __init__(self, player: Connectionist, rule: RolloutRule, price: float = PRICE) -> None:
        self.player, self.rule, self.price = player, rule, price

    def supports(self, rules: Rules) -> bool:
        """Whether the player without rollouts supports the rules."""
        return self.player.supports(rules)

    def n_rollouts(self, view: View) -> int:
        """Number of rollouts for a decision."""
        return self.rule.size(inputs(view, self.player.probabilities(view)[1]), price=self.price)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """An action by its probabilities, or the best by a sample and these together."""
        actions, chances = self.player.probabilities(view)
        n = self.n_rollouts(view)
        if not n:
            return choose(actions, chances, rng)
        sample = rolled_out(self.player, view, n, rng)
        values, worth = sample_values(sample.weights, sample.returns)
        return sample.options[self.rule.chosen(values, worth, chances, street=view.street)]

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """The beliefs of the player without rollouts."""
        return self.player.beliefs(view)

    def explain(self, view: View) -> Explanation:
        """The explanation of the player without rollouts, and whether it would roll out."""
        explanation, n = self.player.explain(view), self.n_rollouts(view)
        more = f"It rolls this decision out {n} times." if n else "No rollout is worth its price here."
        return replace(explanation, words=(*explanation.words, more))


def save_rule(path: Path, rule: RolloutRule, about: Mapping[str, object]) -> None:
    """Save a rule; `about` describes how it was learned."""
    arrays = {"sizes": np.array(rule.sizes), "priors": np.array(rule.priors), "gains": rule.gains}
    write_arrays(path, KIND, about, arrays)


def load_rule(path: Path) -> RolloutRule:
    """The rule in a file."""
    _, arrays = read_arrays(path, KIND)
    with well_formed(path):
        rule = RolloutRule(
            tuple(arrays["sizes"].tolist()), tuple(arrays["priors"].tolist()), np.array(arrays["gains"], float)
        )
    if rule.gains.shape != (len(rule.sizes), N_INPUTS):
        raise FileError(f"{path}: gains have the shape {rule.gains.shape}, not {(len(rule.sizes), N_INPUTS)}")
    return rule


def make_rollout_player(price: float = PRICE) -> RolloutPlayer:
    """The agent `connectionist:rollouts`: the weights of `connectionist:any` and the shipped rule."""
    return RolloutPlayer(make_weights(str(shipped_weights("connectionist:any"))), load_rule(RULE), price)
