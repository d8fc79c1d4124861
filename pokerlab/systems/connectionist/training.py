"""Training of the connectionist player: `SelfPlay` followed on its way, stopped, and gone on with to the same bits."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.runs.config import typed
from pokerlab.runs.cost import Cost
from pokerlab.runs.directory import directory_for, open_run
from pokerlab.runs.job import Job, Say
from pokerlab.runs.steps import Course, Watch, interrupts_noted, seconds_each
from pokerlab.systems.connectionist.lane_rollouts import RolloutSample, weights_rollout_errors
from pokerlab.systems.connectionist.parameters import Parameters, n_weights
from pokerlab.systems.connectionist.self_play import COLUMNS, SelfPlay, parameters_in
from pokerlab.systems.connectionist.settings import TrainSettings
from pokerlab.valuing.rollout_error import UNITS as RI_UNITS

CODE = ("pokerlab.systems.connectionist.training",)
CHECKPOINT, WEIGHTS = "checkpoint.bin", "weights.bin"
DECISIONS, ROLLOUTS = 160, 100
"""How large a sample the RI error on the way is of: as many lanes as a processor plays together."""
TRIED_BATCHES, TRIED_SECONDS = 10_000, 4.0
"""For an estimate of the cost: batches at most, and how long about."""


class TrainedParameters(NamedTuple):
    """What came of a training run."""

    parameters: Parameters
    hands: int
    curve: Floats  # [look, column]
    columns: tuple[str, ...]
    errors: list[tuple[int, Estimate]]  # hands, and the RI error then


class Stop(NamedTuple):
    """A batch after which weights are kept in a file, or their RI error is measured, or both."""

    batch: int
    file: str
    measured: bool


Follow: TypeAlias = Callable[[int, Floats, list[tuple[int, Estimate]]], None]
"""Is told the hands so far, a row of the curve (`COLUMNS`) and the RI errors measured so far."""


def train(
    settings: TrainSettings,
    directory: Path,
    *,
    keep_every: int = 0,
    errors: int = 0,
    report: Follow | None = None,
    stopped: Callable[[], bool] | None = None,
) -> TrainedParameters:
    """Train in `directory`, or go on there: `weights.bin` plays as `weights:DIRECTORY`, or `exploiter:DIRECTORY`.

    With `keep_every` the weights after every so many hands, or the last batch that ended before, are kept as
    `weights-HANDS.bin`. The RI error is measured before the first hand and `errors` times on the way, if that is not 0.
    """
    if keep_every < 0 or errors < 0:
        raise PokerlabError(f"keep_every and errors must be 0 or more, not {keep_every} and {errors}")
    if errors and settings.no_limit:
        raise PokerlabError("rollout errors are measured of limit hold'em alone; `errors` must be 0 in no-limit")
    engine = SelfPlay(settings)

    def progress(done: int) -> None:
        if report is not None:
            row = min(max(0, done - 1) // engine.look_batches, len(course.arrays["curve"]) - 1)
            played = done - row * engine.look_batches
            found = course.arrays["curve"][row] * engine.look_batches / max(1, played)
            report(done * settings.batch, found, _errors(course.looks))

    course = Course(engine, Watch(directory / CHECKPOINT, progress, stopped))

    def save(name: str) -> None:
        about = {"settings": settings.data(), "hands": course.done * settings.batch, "seconds": round(course.seconds)}
        engine.save(directory / name, parameters_in(course.arrays), about)

    try:
        for stop in _stops(settings, keep_every, errors):
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


def _stops(settings: TrainSettings, keep_every: int, errors: int) -> list[Stop]:
    """Where a training pauses on its way; of several files of one batch the first is kept."""
    files: dict[int, str] = {}
    for mark in range(keep_every, settings.hands, keep_every) if keep_every else ():
        files.setdefault(mark // settings.batch, f"weights-{mark}.bin")
    files.pop(0, None)
    measured = {settings.batches * i // errors for i in range(errors + 1)} if errors else set()
    return [Stop(batch, files.get(batch, ""), batch in measured) for batch in sorted({*files, *measured})]


def ri_error(weights: Path, seed: int) -> Estimate:
    """The rollout-improvement error of weights on their way, from few decisions."""
    found = weights_rollout_errors(weights, RolloutSample(DECISIONS, ROLLOUTS, seed))
    return found.by_street["overall"].improvement


def _errors(looks: Sequence[Sequence[float]]) -> list[tuple[int, Estimate]]:
    """What a course noted of the RI error."""
    return [
        (int(hands), Estimate(mean, low, high, DECISIONS, RI_UNITS, "decisions")) for hands, mean, low, high in looks
    ]


def training_cost(settings: TrainSettings, *, errors: int = 0) -> Cost:
    """An estimate from a few batches on this machine, a pool, and two measurements of the RI error if there are any.

    Compiling is counted as long as it took here; JAX keeps programs, so that the next run need not wait for it.
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
    """What it takes to measure the RI error before the first hand, which compiles, and `errors` times on the way."""
    with TemporaryDirectory() as folder:
        weights = Path(folder) / WEIGHTS
        engine.save(weights, parameters, {"settings": engine.settings.data()})
        first, later = (_seconds(lambda: ri_error(weights, engine.settings.seed)) for _ in range(2))
    return first + errors * later


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def default_directory(settings: TrainSettings) -> Path:
    """Where a run is kept when nobody says where."""
    return directory_for("connectionist", settings.game_name, settings.data(), code=CODE)


def job(data: Mapping[str, Any]) -> Job:
    """What `python -m pokerlab.run` does for the kind "train connectionist"."""
    rest = dict(data)
    keep_every = int(rest.pop("keep_every", 0))
    unmeasured = rest.get("model") or rest.get("no_limit")
    errors = int(rest.pop("errors", 0 if unmeasured else 8))
    settings = typed(TrainSettings, rest, "training")

    def run(out: Path, say: Say) -> None:
        with open_run(out, "train connectionist", settings.data(), code=CODE), interrupts_noted() as stopped:
            lines = _lines(settings, say)
            train(settings, out, keep_every=keep_every, errors=errors, report=lines, stopped=stopped)

    return Job(default_directory(settings), lambda: training_cost(settings, errors=errors), run)


def _lines(settings: TrainSettings, say: Say) -> Follow:
    """A report that says a line every ten seconds or so."""
    began, told, first = time.monotonic(), 0.0, -1

    def report(hands: int, row: Floats, errors: list[tuple[int, Estimate]]) -> None:
        nonlocal told, first
        now = time.monotonic()
        if first < 0:
            first = hands
        if now - told > 10 or hands >= settings.hands:
            told = now
            speed = (hands - first) / max(1e-9, now - began)
            say(f"{hands:,} hands, {speed:,.0f}/s; {described(row, errors)}")

    return report


def described(row: Floats, errors: list[tuple[int, Estimate]]) -> str:
    """A row of the curve and the last RI error in words.

    >>> error = Estimate(0.4, 0.3, 0.5, 200)
    >>> print(described(np.array([12.0, -8.0, -0.5, 60.0, 0.0, 0.25, 49.0]), [(0, error)]).replace("; ", ";\\n"))
    12.0 decisions a hand, log-likelihood -8.00 actions, -0.50 showdown;
    won +0.250, deviation 7.0 small blinds;
    RI error 0.40 ± 0.10 small blinds a decision after 0 hands
    """
    decisions, actions, showdowns, _, forgotten, won, squared = row.tolist()
    lost = f", {forgotten:.1f} of them not learnt from" if forgotten > 0.05 else ""
    ri = ""
    if errors:
        hands, last = errors[-1]
        ri = f"; RI error {last.mean:.2f} ± {last.half_width:.2f} small blinds a decision after {hands:,} hands"
    return (
        f"{decisions:.1f} decisions a hand{lost}, log-likelihood {actions:.2f} actions, {showdowns:.2f} showdown; "
        f"won {won:+.3f}, deviation {max(0.0, squared - won**2) ** 0.5:.1f} small blinds{ri}"
    )
