"""Training of the connectionist player: `SelfPlay` monitored, stopped and resumed to the same bits."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.runs.cost import Cost
from pokerlab.runs.steps import Course, Watch, seconds_each
from pokerlab.systems.connectionist.lane_rollouts import RolloutSample, weights_rollout_errors
from pokerlab.systems.connectionist.parameters import Parameters, n_weights
from pokerlab.systems.connectionist.self_play import COLUMNS, SelfPlay, parameters_in
from pokerlab.systems.connectionist.settings import TrainSettings
from pokerlab.valuing.rollout_error import UNITS as RI_UNITS

CODE = ("pokerlab.systems.connectionist.training",)
CHECKPOINT, WEIGHTS = "checkpoint.bin", "weights.bin"
DECISIONS, ROLLOUTS = 160, 100
"""Size of the sample for an RI error during training: as many lanes as a CPU plays together."""
TRIED_BATCHES, TRIED_SECONDS = 10_000, 4.0
"""For an estimate of the cost: the most batches, and about how many seconds."""


class TrainedParameters(NamedTuple):
    """Result of a training run."""

    parameters: Parameters
    hands: int
    curve: Floats  # [look, column]
    columns: tuple[str, ...]
    errors: list[tuple[int, Estimate]]  # hands, and the RI error then


class Stop(NamedTuple):
    """A batch after which weights are saved in a file, or their RI error is measured, or both."""

    batch: int
    file: str
    measured: bool


Follow: TypeAlias = Callable[[int, Floats, list[tuple[int, Estimate]]], None]
"""Called with the hands so far, a row of the curve (`COLUMNS`) and the RI errors measured so far."""


def train(
    settings: TrainSettings,
    directory: Path,
    *,
    save_every: int = 0,
    errors: int = 0,
    report: Follow | None = None,
    stopped: Callable[[], bool] | None = None,
) -> TrainedParameters:
    """Train in `directory`, or resume there: `weights.bin` plays as `weights:DIRECTORY`, or `exploiter:DIRECTORY`.

    With `save_every` the weights after every so many hands, or the last batch that ended before, are saved as
    `weights-HANDS.bin`. The RI error is measured before the first hand and `errors` times during training, unless 0.
    """
    if save_every < 0 or errors < 0:
        raise PokerlabError(f"save_every and errors must be 0 or more, not {save_every} and {errors}")
    if errors and settings.no_limit:
        raise PokerlabError("rollout errors are measured only in limit hold'em; `errors` must be 0 in no-limit")
    engine = SelfPlay(settings)

    def progress(done: int) -> None:
        if report is not None:
            row = min(max(0, done - 1) // engine.look_batches, len(course.arrays["curve"]) - 1)
            played = done - row * engine.look_batches
            found = course.arrays["curve"][row] * engine.look_batches / max(1, played)
            report(done * settings.batch, found, _errors(course.looks))

    course = Course(engine, Watch(directory / CHECKPOINT, progress, stopped))

    def save(name: str) -> None:
        about = {
            "settings": settings.identity(),
            "hands": course.done * settings.batch,
            "seconds": round(course.seconds),
        }
        engine.save(directory / name, parameters_in(course.arrays), about)

    try:
        for stop in _stops(settings, save_every, errors):
            if stop.batch < course.done:
                continue
            course.step_to(stop.batch)
            if stop.file:
                save(stop.file)
            if stop.measured and course.done * settings.batch not in dict(_errors(course.looks)):
                save(WEIGHTS)
                found = ri_error(directory / WEIGHTS, settings.seed)
                course.looks.append((course.done * settings.batch, found.mean, found.low, found.high))
        course.step_to(settings.batches)
    finally:
        course.write()
        save(WEIGHTS)
    curve = course.arrays["curve"][: -(-course.done // engine.look_batches)]
    made = parameters_in(course.arrays)
    return TrainedParameters(made, course.done * settings.batch, curve, COLUMNS, _errors(course.looks))


def _stops(settings: TrainSettings, save_every: int, errors: int) -> list[Stop]:
    """The batches after which training pauses to save or measure; of several files of one batch only the first."""
    files: dict[int, str] = {}
    for mark in range(save_every, settings.hands, save_every) if save_every else ():
        files.setdefault(mark // settings.batch, f"weights-{mark}.bin")
    files.pop(0, None)
    measured = {settings.batches * i // errors for i in range(errors + 1)} if errors else set()
    return [Stop(batch, files.get(batch, ""), batch in measured) for batch in sorted({*files, *measured})]


def ri_error(weights: Path, seed: int) -> Estimate:
    """The rollout-improvement error of weights during training, from few decisions."""
    found = weights_rollout_errors(weights, RolloutSample(DECISIONS, ROLLOUTS, seed))
    return found.by_street["overall"].improvement


def _errors(looks: Sequence[Sequence[float]]) -> list[tuple[int, Estimate]]:
    """RI errors noted by a course."""
    return [
        (int(hands), Estimate(mean, low, high, DECISIONS, RI_UNITS, "decisions")) for hands, mean, low, high in looks
    ]


def training_cost(settings: TrainSettings, *, errors: int = 0) -> Cost:
    """An estimate from a few batches on this machine, a pool, and two measurements of the RI error if there are any.

    Compiling counts as long as it took here; JAX saves programs, so that the next run need not wait for it.
    """
    import jax

    engine = SelfPlay(replace(settings, hands=TRIED_BATCHES * settings.batch, reuse=TRIED_BATCHES))  # one pool
    drawing = _seconds(lambda: engine.pools.of_batch(0))
    beginning = _seconds(lambda: engine.step(engine.init(), 1))
    each, arrays = seconds_each(engine, TRIED_SECONDS)
    compiling = max(0.0, beginning - each)
    stretch = settings.pool * settings.reuse  # batches of a pool, while the next one is drawn by the processor's cores
    waiting = drawing if jax.default_backend() == "cpu" else max(0.0, drawing - stretch * each)
    measuring = _measuring_seconds(engine, parameters_in(arrays), errors) if errors else 0.0
    later = -(-settings.batches // stretch) - 1
    seconds = compiling + drawing + later * waiting + settings.batches * each + measuring
    counts = {
        "hands": settings.hands,
        "hands_per_second": settings.batch / (each + waiting / stretch),
        "weights": n_weights(parameters_in(arrays)),
        "compiling_seconds": compiling,
        "measuring_seconds": measuring,
    }
    return Cost(seconds, disk=2 * sum(array.nbytes for array in arrays.values()), counts=counts)


def _measuring_seconds(engine: SelfPlay, parameters: Parameters, errors: int) -> float:
    """Seconds to measure the RI error before the first hand, which compiles, and `errors` times later."""
    with TemporaryDirectory() as folder:
        weights = Path(folder) / WEIGHTS
        engine.save(weights, parameters, {"settings": engine.settings.identity()})
        first, later = (_seconds(lambda: ri_error(weights, engine.settings.seed)) for _ in range(2))
    return first + errors * later


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def described(row: Floats, errors: list[tuple[int, Estimate]]) -> str:
    """A row of the curve and the last RI error in words.

    >>> import numpy as np
    >>> error = Estimate(0.4, 0.3, 0.5, 200)
    >>> print(described(np.array([12.0, -8.0, -0.5, 60.0, 0.0, 0.25, 49.0]), [(0, error)]).replace("; ", ";\\n"))
    12.0 decisions a hand, log-likelihood -8.00 actions, -0.50 showdown;
    won +0.250, deviation 7.0 small blinds;
    RI error 0.40 ± 0.10 small blinds a decision after 0 hands
    """
    decisions, actions, showdowns, _, forgotten, won, squared = row.tolist()
    lost = f", {forgotten:.1f} of them not learned from" if forgotten > 0.05 else ""
    ri = ""
    if errors:
        hands, last = errors[-1]
        ri = f"; RI error {last.mean:.2f} ± {last.half_width:.2f} small blinds a decision after {hands:,} hands"
    return (
        f"{decisions:.1f} decisions a hand{lost}, log-likelihood {actions:.2f} actions, {showdowns:.2f} showdown; "
        f"won {won:+.3f}, deviation {max(0.0, squared - won**2) ** 0.5:.1f} small blinds{ri}"
    )
