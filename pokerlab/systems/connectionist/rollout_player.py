"""The connectionist player with rollouts where a learned rule predicts that they are worth their cost.

A sample of rollouts finds better actions than the player's own for some decisions, most of all on the river, and worse
ones for others. A `RolloutRule` predicts the gain from a sample of each size from known features: street, pot,
opponents, and how undecided the player is. A sample is taken if the largest predicted gain exceeds its price. The
rollouts are then combined with the player's own preference, which counts as a certain number of rollouts. That number
is learned for each street.

>>> rule = RolloutRule((50, 200), (100.0, 30.0, 3.0, 0.0), np.zeros((2, N_INPUTS)))
>>> rule.size(np.ones(N_INPUTS), price=1.0)  # nothing is gained: the player decides alone
0
>>> values, chances = np.array([1.0, 1.2]), np.array([0.9, 0.1])
>>> rule.chosen(values, 10.0, chances, street=0), rule.chosen(values, 10.0, chances, street=3)
(0, 1)

How the rule is learned (`learn_rule`): decisions are drawn from hands that copies of the player play, and each gets a
large sample of rollouts. A small part of the sample chooses an option, and the rest evaluates the choice. The gain is
the value of the choice less that of the player's own probabilities. On each street, the player's preference gets the
weight with the largest gain. The gain of each sample size is then fitted, by least squares, as a linear function of the
features known before a rollout.

References
----------
Sweeney (2012), sections 5.1 and 7.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from math import log2
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.agents.explanation import Explanation
from pokerlab.arrays import Floats
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import read_arrays, well_formed, write_arrays
from pokerlab.games.actions import Action
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.policies.policy import choose
from pokerlab.rng import stream
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.request import Request, setting
from pokerlab.runs.workers import Done, Runner, Task, Tick, do_tasks, here
from pokerlab.systems.connectionist.decision_rollouts import RolloutReturns, rolled_out
from pokerlab.systems.connectionist.player import DATA, Connectionist, make_weights, shipped_weights
from pokerlab.systems.connectionist.settings import drawn_players
from pokerlab.valuing.rollout_error import draw_decision

KIND = "connectionist rollout rule"
RULE = DATA / "connectionist-rollouts.bin"
PRICE = 0.5
"""Price of a thousand rollouts, in small blinds."""
N_STREETS, N_EACH = 4, 4
N_INPUTS = N_STREETS * N_EACH
LEAST_CHANCE = 1e-6


def inputs(view: View, chances: Floats) -> Floats:
    """Features of a decision that are known before a rollout: 1, log2 of the pot, number of opponents left, entropy of
    the player's probabilities in nats. Each street has its own columns."""
    pot = log2(float(view.betting.pot) / (view.rules.big_blind / 2))
    opponents = sum(view.betting.in_hand(seat) for seat in range(view.rules.n_seats)) - 1
    entropy = -float((chances * np.log(np.maximum(chances, LEAST_CHANCE))).sum())
    by_street = np.zeros((N_STREETS, N_EACH))
    by_street[view.street] = 1.0, pot, opponents, entropy
    return by_street.ravel()


@dataclass(frozen=True)
class RolloutRule:
    """Rule that chooses the number of rollouts for a decision (0 for none), and the weight of the player's own
    preference."""

    sizes: tuple[int, ...]
    priors: tuple[float, ...]  # by street: weight of the player's preference, as a number of rollouts
    gains: Floats  # gains[size, input]: linear coefficients of the gain, in small blinds, from a sample of each size

    def size(self, known: Floats, *, price: float) -> int:
        """Number of rollouts for a decision with the features `known[input]`; 0 if rollouts are not worth their
        price."""
        worth = self.gains @ known - price * np.array(self.sizes) / 1000
        best = int(np.argmax(worth))
        return self.sizes[best] if worth[best] > 0 else 0

    def chosen(self, values: Floats, n: float, chances: Floats, *, street: int) -> int:
        """Index of the best option, from `values[option]` of a sample of `n` rollouts and from the player's preference.

        The player's probabilities are a softmax of its option values in small blinds. So their logarithms are values
        too.
        """
        return combined(values, n, chances, self.priors[street])


def combined(values: Floats, n: float, chances: Floats, prior: float) -> int:
    """Index of the best option. The sample counts as `n` rollouts, the player's own preference as `prior` rollouts."""
    return int(np.argmax(n * values + prior * np.log(np.maximum(chances, LEAST_CHANCE))))


def sample_values(weights: Floats, returns: Floats) -> tuple[Floats, float]:
    """Return (`values[option]`: weighted means of `returns[rollout, option]`; the effective number of rollouts)."""
    return weights @ returns / weights.sum(), float(weights.sum() ** 2 / (weights @ weights))


class RolloutPlayer:
    """A connectionist player that uses rollouts for the decisions selected by a rule."""

    def __init__(self, player: Connectionist, rule: RolloutRule, price: float = PRICE) -> None:
        self.player, self.rule, self.price = player, rule, price

    def supports(self, rules: Rules) -> bool:
        return self.player.supports(rules)

    def n_rollouts(self, view: View) -> int:
        return self.rule.size(inputs(view, self.player.probabilities(view)[1]), price=self.price)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Choose an action: at random as the player without rollouts would, or, if the rule calls for rollouts, the
        best by rollouts and preference together."""
        actions, chances = self.player.probabilities(view)
        n = self.n_rollouts(view)
        if not n:
            return choose(actions, chances, rng)
        sample = rolled_out(self.player, view, n, rng)
        values, worth = sample_values(sample.weights, sample.returns)
        return sample.options[self.rule.chosen(values, worth, chances, street=view.street)]

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        return self.player.beliefs(view)

    def explain(self, view: View) -> Explanation:
        """Explain the action as the player without rollouts would, and say whether rollouts would be used."""
        explanation, n = self.player.explain(view), self.n_rollouts(view)
        more = f"It rolls this decision out {n} times." if n else "No rollout is worth its price here."
        return replace(explanation, words=(*explanation.words, more))


def save_rule(path: Path, rule: RolloutRule, about: Mapping[str, object]) -> None:
    """Save a rule; `about` describes how it was learned."""
    arrays = {"sizes": np.array(rule.sizes), "priors": np.array(rule.priors), "gains": rule.gains}
    write_arrays(path, KIND, about, arrays)


def load_rule(path: Path) -> RolloutRule:
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


SIZES = (30, 100, 300)
PRIORS = (0.0, 3.0, 10.0, 30.0, 100.0, 300.0)
MOST_PARTS = 10
DECISIONS_A_TASK = 25
RULE_FILE = "rule.bin"


@dataclass(frozen=True, kw_only=True)
class RuleSettings(Request):
    """Settings for learning a rule: numbers of decisions and rollouts."""

    decisions: int = setting(650, count=True, least=2)
    rollouts: int = setting(600, least=2 * max(SIZES))
    players: int = setting(0, "0 draws a random number for every decision, as in training.", least=0)
    seed: int = setting(7, least=0)

    def check(self) -> None:
        if self.players and not 2 <= self.players <= 10:
            raise PokerlabError(f"players must be 2 to 10, or 0 to draw them for every decision, not {self.players}")


@dataclass(frozen=True)
class RolloutPart:
    """Task: measure decisions number `first` to `first + n` (excluded)."""

    rollouts: int
    players: int
    seed: int
    first: int
    n: int


class Gains(NamedTuple):
    """Gains of rollouts at some decisions, and the features known before each."""

    known: Floats  # known[decision, input]
    gains: Floats  # gains[decision, size, prior], in small blinds


def gains_of(sample: RolloutReturns, chances: Floats) -> Floats:
    """Return `gain[size, prior]`: how much more the option chosen by rollouts wins than the player's own policy.

    A part of the sample, with `SIZES[size]` rollouts, chooses the option, and the rest of the sample evaluates it. The
    gain is the mean over several parts.
    """
    n, found = len(sample.weights), np.zeros((len(SIZES), len(PRIORS)))
    for row, size in enumerate(SIZES):
        parts = np.arange(n)[: n // size * size].reshape(-1, size)[:MOST_PARTS]
        for part in parts:
            values, worth = sample_values(sample.weights[part], sample.returns[part])
            rest = np.delete(np.arange(n), part)
            judged, _ = sample_values(sample.weights[rest], sample.returns[rest])
            own = float(chances @ judged)
            for column, prior in enumerate(PRIORS):
                found[row, column] += (judged[combined(values, worth, chances, prior)] - own) / len(parts)
    return found


def measure(part: RolloutPart, tick: Tick) -> Done:
    """Measure the gains of rollouts at some decisions."""
    player = make_weights(str(shipped_weights("connectionist")))
    known, gains = [], []
    for number in range(part.first, part.first + part.n):
        rng = stream(part.seed, "rollout rule", index=number)
        players = part.players or int(drawn_players(rng, 1)[0])
        decision = draw_decision(player, player, game(f"limit{players}p-uncapped"), rng)
        sample = rolled_out(player, decision.view, part.rollouts, rng)
        known.append(inputs(decision.view, decision.chances))
        gains.append(gains_of(sample, decision.chances))
        tick(1)
    return Done(None, {"known": np.array(known), "gains": np.array(gains)})


def rollout_gains(
    settings: RuleSettings,
    *,
    runner: Runner = here,
    run: RunDirectory | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Gains:
    starts = range(0, settings.decisions, DECISIONS_A_TASK)
    same = (settings.rollouts, settings.players, settings.seed)
    parts = [RolloutPart(*same, first, min(DECISIONS_A_TASK, settings.decisions - first)) for first in starts]
    tasks = [
        Task(f"{__name__}:measure", each, f"{each.first:06}", asdict(each), f"decisions from {each.first}", each.n)
        for each in parts
    ]
    done = do_tasks(tasks, runner=runner, run=run, folder="gains", report=report)
    return Gains(*(np.concatenate([each.arrays[name] for each in done]) for name in Gains._fields))


def learn_rule(found: Gains) -> RolloutRule:
    """Learn a rule from gains.

    >>> known = np.zeros((4, 16))
    >>> known[:2, 0], known[2:, 12] = 1, 1  # two decisions before the flop, two on the river
    >>> gains = np.zeros((4, len(SIZES), len(PRIORS)))
    >>> gains[2:, :, 2] = 1.5
    >>> rule = learn_rule(Gains(known, gains))
    >>> rule.priors[3], rule.size(known[0], price=1.0), rule.size(known[3], price=1.0)
    (10.0, 0, 30)
    """
    streets = found.known[:, ::N_EACH].argmax(axis=1)
    columns = np.zeros(N_STREETS, int)
    for street in np.unique(streets):
        columns[street] = np.argmax(found.gains[streets == street].mean(axis=(0, 1)))
    gains = np.take_along_axis(found.gains, columns[streets][:, None, None], axis=2)[..., 0]
    weights = np.linalg.lstsq(found.known, gains, rcond=None)[0]
    return RolloutRule(SIZES, tuple(PRIORS[column] for column in columns), np.asarray(weights.T, float))
