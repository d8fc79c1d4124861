"""Train the connectionist player. A training can be monitored and stopped; resumed, it gives exactly the same
result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.runs.cost import Cost, RateSource, usable_cores
from pokerlab.runs.rates import store_rates, stored_rates
from pokerlab.runs.steps import Arrays, Course, Watch, seconds_each
from pokerlab.systems.connectionist.lane_rollouts import RolloutSample, weights_rollout_errors
from pokerlab.systems.connectionist.parameters import Parameters, n_weights
from pokerlab.systems.connectionist.self_play import COLUMNS, SelfPlay, parameters_in
from pokerlab.systems.connectionist.settings import TrainSettings
from pokerlab.valuing.rollout_error import UNITS as RI_UNITS

CODE = ("pokerlab.systems.connectionist.training",)
CHECKPOINT, WEIGHTS = "checkpoint.bin", "weights.bin"
DECISIONS, ROLLOUTS = 160, 100
"""Numbers of decisions and of rollouts for the rollout-improvement (RI) error during training. They fill as many lanes
as a CPU plays together."""
NAME, LEAST_BATCHES = "train connectionist", 200
"""Name under which speeds on this machine are stored; minimum number of batches in a run from which they are stored."""
TRIED_BATCHES, TRIED_SECONDS = 10_000, 4.0
"""Limits of the trial that estimates the cost: number of batches, and approximate seconds."""


class TrainedParameters(NamedTuple):
    """Result of a training run."""

    parameters: Parameters
    hands: int
    curve: Floats  # curve[row, column], see `self_play.COLUMNS`
    columns: tuple[str, ...]
    errors: list[tuple[int, Estimate]]  # (hands played, RI error at that point)


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
    """Train in `directory`, or resume there. The result plays as `weights:DIRECTORY` or `exploiter:DIRECTORY`.

    With `save_every`, weights are also saved as `weights-HANDS.bin` after every `save_every` hands, rounded down to
    whole batches. Unless `errors` is 0, the RI error is measured before the first hand and `errors` times during
    training.
    """
    if save_every < 0 or errors < 0:
        raise PokerlabError(f"save_every and errors must be 0 or more, not {save_every} and {errors}")
    if errors and settings.no_limit:
        raise PokerlabError("rollout errors are measured only in limit hold'em; `errors` must be 0 in no-limit")
    engine = SelfPlay(settings)

    def progress(done: int) -> None:
        if report is not None:
            report(done * settings.batch, curve_so_far(engine, course.arrays, done)[-1], _errors(course.looks))

    course = Course(engine, Watch(directory / CHECKPOINT, progress, stopped))
    started, looks = (course.done, course.seconds), list[float]()

    def save(name: str) -> None:
        about = {
            "settings": settings.identity(),
            "hands": course.done * settings.batch,
            "seconds": round(course.seconds),
        }
        engine.save(directory / name, parameters_in(course.arrays), about)

    try:
        for batch, file, measured in _stops(settings, save_every, errors):
            if batch < course.done:
                continue
            course.step_to(batch)
            if file:
                save(file)
            if measured and course.done * settings.batch not in dict(_errors(course.looks)):
                save(WEIGHTS)
                began = time.perf_counter()
                found = ri_error(directory / WEIGHTS, settings.seed)
                looks.append(time.perf_counter() - began)
                course.looks.append((course.done * settings.batch, found.mean, found.low, found.high))
        course.step_to(settings.batches)
    finally:
        course.write()
        save(WEIGHTS)
    _keep_rates(settings, course, started, looks)
    curve = curve_so_far(engine, course.arrays, course.done)
    made = parameters_in(course.arrays)
    return TrainedParameters(made, course.done * settings.batch, curve, COLUMNS, _errors(course.looks))


def curve_so_far(engine: SelfPlay, arrays: Arrays, done: int) -> Floats:
    """The rows of the learning curve after `done` batches, as means per hand. The last row may cover only part of its
    batches."""
    n_rows = max(1, -(-done // engine.look_batches))
    curve: Floats = arrays["curve"][:n_rows].copy()
    curve[-1] *= engine.look_batches / max(1, done - (n_rows - 1) * engine.look_batches)
    return curve


def _keep_rates(settings: TrainSettings, course: Course, started: tuple[int, float], looks: Sequence[float]) -> None:
    """Store the speed of a run if it was long enough. Its time includes drawing deals and compiling."""
    done, seconds = course.done - started[0], course.seconds - started[1]
    if done >= LEAST_BATCHES:
        first, later = (looks[0], min(looks)) if looks else usual_rates(settings)[3:]
        store_rates(NAME, _depends(settings), Rates(seconds / done, 0.0, 0.0, first, later)._asdict())


def _stops(settings: TrainSettings, save_every: int, errors: int) -> list[tuple[int, str, bool]]:
    """When training pauses: (batch, file to save or "", whether to measure the RI error). Each batch has at most one
    file."""
    files: dict[int, str] = {}
    for mark in range(save_every, settings.hands, save_every) if save_every else ():
        files.setdefault(mark // settings.batch, f"weights-{mark}.bin")
    files.pop(0, None)
    measured = {settings.batches * i // errors for i in range(errors + 1)} if errors else set()
    return [(batch, files.get(batch, ""), batch in measured) for batch in sorted({*files, *measured})]


def ri_error(weights: Path, seed: int) -> Estimate:
    """Estimate the rollout-improvement (RI) error of weights from a few decisions, as during training."""
    found = weights_rollout_errors(weights, RolloutSample(DECISIONS, ROLLOUTS, seed))
    return found.by_street["overall"].improvement


def _errors(looks: Sequence[Sequence[float]]) -> list[tuple[int, Estimate]]:
    """Return (hands, RI error) for each measurement recorded during a run."""
    return [
        (int(hands), Estimate(mean, low, high, DECISIONS, RI_UNITS, "decisions")) for hands, mean, low, high in looks
    ]


class Rates(NamedTuple):
    """Seconds that each kind of work in a training takes."""

    batch: float
    drawing: float  # drawing a pool of deals
    compiling: float
    first_look: float  # the first RI error measured, which includes compiling
    look: float


def training_cost(settings: TrainSettings, *, errors: int = 0) -> Cost:
    """Estimate the cost from the stored speed of the last similar training on this machine. If none is stored, a few
    batches are timed on a GPU. On a CPU compiling them would take a minute, so typical speeds are used instead.

    Compiling is included, although JAX caches programs so that only the first run has to wait for it.
    """
    import jax

    # so many that they need only one pool
    engine = SelfPlay(replace(settings, hands=TRIED_BATCHES * settings.batch, reuse=TRIED_BATCHES))
    kept, device = stored_rates(NAME, _depends(settings)), jax.default_backend()
    if kept is not None:
        rates = Rates(**kept)
    else:
        rates = usual_rates(settings) if device == "cpu" else tried_rates(engine, errors)
    stretch = settings.pool * settings.reuse  # batches played from one pool; meanwhile the CPU draws the next one
    waiting = rates.drawing if device == "cpu" else max(0.0, rates.drawing - stretch * rates.batch)
    measuring = rates.first_look + errors * rates.look if errors else 0.0
    later = -(-settings.batches // stretch) - 1
    seconds = rates.compiling + rates.drawing + later * waiting + settings.batches * rates.batch + measuring
    arrays = engine.init()
    counts = {
        "hands": settings.hands,
        "hands_per_second": settings.batch / (rates.batch + waiting / stretch),
        "weights": n_weights(parameters_in(arrays)),
        "compiling_seconds": rates.compiling,
        "measuring_seconds": measuring,
    }
    source: RateSource = "stored" if kept is not None else "usual" if device == "cpu" else "tried"
    return Cost(seconds, disk=2 * sum(array.nbytes for array in arrays.values()), counts=counts, rate=source)


def usual_rates(settings: TrainSettings) -> Rates:
    """Speeds measured on two cores of an AMD EPYC at tables of six (docs/self-play.md), scaled to the number of cores
    and players.

    There, compiling took 37 processor-seconds and an RI error 12, with 1.6 cores busy on average.
    """
    players = settings.players or 6  # 6 stands for the mean if the number is drawn for every hand
    batch = settings.batch / 27_000 * players / 6 * 2 / usable_cores()
    return Rates(batch, 0.0, 37 / 1.6, 12 / 1.6, 12 / 1.6)


def tried_rates(engine: SelfPlay, errors: int) -> Rates:
    """Measure speeds on this machine with one pool, a few batches and, unless `errors` is 0, two RI errors."""
    drawing = _seconds(lambda: engine.pools.of_batch(0))
    beginning = _seconds(lambda: engine.step(engine.init(), 1))
    each, arrays = seconds_each(engine, TRIED_SECONDS)
    looks = [0.0, 0.0]
    if errors:
        with TemporaryDirectory() as folder:
            weights = Path(folder) / WEIGHTS
            engine.save(weights, parameters_in(arrays), {"settings": engine.settings.identity()})
            looks = [_seconds(lambda: ri_error(weights, engine.settings.seed)) for _ in range(2)]
    return Rates(each, drawing, max(0.0, beginning - each), *looks)


def _depends(settings: TrainSettings) -> dict[str, Any]:
    """Settings that affect the speed."""
    import jax

    names = ("game_name", "batch", "optimizer", "epochs", "parts", "model", "self_aware")
    return {"device": jax.default_backend(), **{name: str(getattr(settings, name)) for name in names}}


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def described(row: Floats, errors: list[tuple[int, Estimate]]) -> str:
    """Describe a row of the learning curve and the last RI error in words.

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
