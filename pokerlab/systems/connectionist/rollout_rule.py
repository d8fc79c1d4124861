"""Learning where rollouts pay: what samples of several sizes gain over the connectionist player's own choice.

Decisions are drawn from hands that copies of the player play. Of a large sample of each, small parts choose and the
rest judges: the gain is what the choice is worth there, less what the player's own chances are worth. How much the
player's preference counts on a street is what gains most there; the gain of each size is then a linear function of what
is known before a rollout (`systems.connectionist.rollout_player`), by least squares.

References
----------
Sweeney (2012), sections 5.1 and 7.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.rng import stream
from pokerlab.runs.config import typed
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory, directory_for, open_run
from pokerlab.runs.job import Job, Say
from pokerlab.runs.workers import Done, Task, Tick, do_tasks, runner_for
from pokerlab.systems.connectionist.decision_rollouts import RolloutReturns, rolled_out
from pokerlab.systems.connectionist.player import make_weights, shipped_weights
from pokerlab.systems.connectionist.rollout_player import (
    N_EACH,
    N_STREETS,
    RolloutRule,
    combined,
    inputs,
    sample_values,
    save_rule,
)
from pokerlab.systems.connectionist.settings import PLAYERS_DRAWN
from pokerlab.valuing.rollout_error import drawn_decision

SIZES = (30, 100, 300)
PRIORS = (0.0, 3.0, 10.0, 30.0, 100.0, 300.0)
MOST_PARTS = 10
DECISIONS_A_TASK = 25
RULE = "rule.bin"
CODE = ("pokerlab.systems.connectionist.rollout_rule",)


@dataclass(frozen=True)
class RuleSettings:
    """Of how many decisions, rolled out how often, a rule is learnt."""

    decisions: int = 650
    rollouts: int = 600
    players: int = 0  # 0: drawn for every decision as in training
    seed: int = 7
    workers: int = 0  # 0: as many as there are cores

    def __post_init__(self) -> None:
        if self.decisions < 2 or self.rollouts < 2 * max(SIZES):
            raise PokerlabError(f"a rule needs 2 decisions and {2 * max(SIZES)} rollouts, not {self}")


@dataclass(frozen=True)
class RolloutPart:
    """Decisions number `first` to `first + n`."""

    rollouts: int
    players: int
    seed: int
    first: int
    n: int


class Gains(NamedTuple):
    """What was found of decisions."""

    known: Floats  # [decision, input]
    gains: Floats  # [decision, size, prior]: small blinds


def gains_of(sample: RolloutReturns, chances: Floats) -> Floats:
    """`[size, prior]`: what choices by parts of a sample gain over the player's own, judged by the rest of it."""
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
        decision = drawn_decision(player, player, game(f"limit{players}p-uncapped"), rng)
        sample = rolled_out(player, decision.view, part.rollouts, rng)
        known.append(inputs(decision.view, decision.chances))
        gains.append(gains_of(sample, decision.chances))
        tick(1)
    return Done(None, {"known": np.array(known), "gains": np.array(gains)})


def found_gains(
    settings: RuleSettings, *, run: RunDirectory | None = None, report: Callable[[int, int], None] | None = None
) -> Gains:
    """The gains of all decisions that are asked for."""
    starts = range(0, settings.decisions, DECISIONS_A_TASK)
    same = (settings.rollouts, settings.players, settings.seed)
    parts = [RolloutPart(*same, first, min(DECISIONS_A_TASK, settings.decisions - first)) for first in starts]
    tasks = [
        Task(f"{__name__}:measure", each, f"{each.first:06}", asdict(each), f"decisions from {each.first}", each.n)
        for each in parts
    ]
    runner = runner_for(settings.workers or usable_cores())
    done = do_tasks(tasks, runner=runner, run=run, folder="gains", report=report)
    return Gains(*(np.concatenate([each.arrays[name] for each in done]) for name in Gains._fields))


def learnt_rule(found: Gains) -> RolloutRule:
    """The rule that gains teach.

    >>> known = np.zeros((4, 16))
    >>> known[:2, 0], known[2:, 12] = 1, 1  # two decisions before the flop, two on the river
    >>> gains = np.zeros((4, len(SIZES), len(PRIORS)))
    >>> gains[2:, :, 2] = 1.5
    >>> rule = learnt_rule(Gains(known, gains))
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


def job(data: Mapping[str, Any]) -> Job:
    """What `python -m pokerlab.run` does for the kind "rollout rule"."""
    settings = typed(RuleSettings, data, "a rollout rule")
    asked = {name: value for name, value in asdict(settings).items() if name != "workers"}

    def run(out: Path, say: Say) -> None:
        with open_run(out, "rollout rule", asked, code=CODE) as kept:
            rule = learnt_rule(found_gains(settings, run=kept))
            save_rule(out / RULE, rule, asked)
        priors = ", ".join(f"{prior:g}" for prior in rule.priors)
        say(f"by street the player's own preference counts like {priors} rollouts; the rule is kept in {out / RULE}")

    seconds = 0.15 * settings.decisions * settings.rollouts / 600 / (settings.workers or usable_cores())
    return Job(directory_for("rollout-rule", "connectionist", asked, code=CODE), lambda: Cost(seconds), run)
