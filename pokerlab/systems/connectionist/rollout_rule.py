"""Learning where rollouts pay: the gains of samples of several sizes over the connectionist player's own choice.

Decisions are drawn from hands that copies of the player play. Of a large sample of each, small parts choose and the
rest judges: the gain is the value of that choice less that of the player's own probabilities. How much the player's
preference counts on a street is the weight with the largest gain there; the gain of each size is then a linear function
of the inputs known before a rollout (`systems.connectionist.rollout_player`), by least squares.

References
----------
Sweeney (2012), sections 5.1 and 7.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.rng import stream
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.request import Request, setting
from pokerlab.runs.workers import Done, Runner, Task, Tick, do_tasks, here
from pokerlab.systems.connectionist.decision_rollouts import RolloutReturns, rolled_out
from pokerlab.systems.connectionist.player import make_weights, shipped_weights
from pokerlab.systems.connectionist.rollout_player import (
    N_EACH,
    N_STREETS,
    RolloutRule,
    combined,
    inputs,
    sample_values,
)
from pokerlab.systems.connectionist.settings import PLAYERS_DRAWN
from pokerlab.valuing.rollout_error import draw_decision

SIZES = (30, 100, 300)
PRIORS = (0.0, 3.0, 10.0, 30.0, 100.0, 300.0)
MOST_PARTS = 10
DECISIONS_A_TASK = 25
RULE = "rule.bin"


@dataclass(frozen=True, kw_only=True)
class RuleSettings(Request):
    """Numbers of decisions and rollouts from which a rule is learned."""

    decisions: int = setting(650, count=True, least=2)
    rollouts: int = setting(600, least=2 * max(SIZES))
    players: int = setting(0, "0 draws the number for every decision, as in training.", least=0)
    seed: int = setting(7, least=0)

    def check(self) -> None:
        """Refuse a number of players that no table has."""
        if self.players and not 2 <= self.players <= 10:
            raise PokerlabError(f"players must be 2 to 10, or 0 to draw them for every decision, not {self.players}")


@dataclass(frozen=True)
class RolloutPart:
    """Decisions number `first` to `first + n`."""

    rollouts: int
    players: int
    seed: int
    first: int
    n: int


class Gains(NamedTuple):
    """Gains of rollouts at some decisions, and the inputs known before each."""

    known: Floats  # [decision, input]
    gains: Floats  # [decision, size, prior]: small blinds


def gains_of(sample: RolloutReturns, chances: Floats) -> Floats:
    """`[size, prior]`: gains of choices by parts of a sample over the player's own, judged by the rest of it."""
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
    """The gains of some decisions."""
    player = make_weights(str(shipped_weights("connectionist")))
    known, gains = [], []
    shares = np.array(list(PLAYERS_DRAWN.values())) / sum(PLAYERS_DRAWN.values())
    for number in range(part.first, part.first + part.n):
        rng = stream(part.seed, "rollout rule", index=number)
        players = part.players or int(rng.choice(list(PLAYERS_DRAWN), p=shares))
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
    """The gains of all decisions of the settings."""
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
    """The rule learned from gains.

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
