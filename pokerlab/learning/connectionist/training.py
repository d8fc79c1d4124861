"""Training of the connectionist player in steps: it can be followed, stopped, and gone on with to the same bits.

A step is a batch of hands: dealt from a pool that was drawn beforehand (and is drawn anew, in the background, when it
has been used), played on lanes, and learnt from. Everything is decided by the settings and the number of the batch.

>>> settings = TrainSettings(players=2, hands=10_000_000)
>>> settings.batches
2442
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.card_features import CardFeatures, card_features
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.learning.connectionist.rollouts import weights_rollout_errors
from pokerlab.learning.connectionist.settings import Form, TrainSettings
from pokerlab.models.connectionist.exploiter import (
    beginning,
    load_exploiter,
    same_model,
    save_exploiter,
    with_tiles,
)
from pokerlab.models.connectionist.parameters import (
    Parameters,
    initial_parameters,
    load_parameters,
    n_weights,
    save_parameters,
)
from pokerlab.models.connectionist.population import Model, load_model
from pokerlab.rng import stream_key
from pokerlab.runs.config import typed
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import directory_for, open_run
from pokerlab.runs.job import Job, Say
from pokerlab.runs.steps import Arrays, Course, Watch, interrupts_noted
from pokerlab.table.lanes import MAX_LANE_SEATS, DealPool, deal_pool
from pokerlab.valuing.rollout_error import UNITS as RI_UNITS

CODE = ("pokerlab.learning.connectionist.training",)
CHECKPOINT, WEIGHTS = "checkpoint.bin", "weights.bin"
N_LOOKS = 400
"""Rows of the learning curve."""
COLUMNS = (
    "decisions", "actions_log_likelihood", "showdowns_log_likelihood", "squared_advantage", "forgotten", "won",
    "won_squared",
)  # fmt: skip
"""What is noted of the hands between two looks, a hand. Decisions that did not fit the log are forgotten; small blinds
are won by the learning seat of a response, in self-play by the mean seat."""
LARGEST_WEIGHT = 1e4
DECISIONS, ROLLOUTS = 200, 100
"""How large a sample the RI error on the way is of: a second on a GPU."""


class SelfPlay:
    """The training as `runs.steps.Steps`; an iteration is a batch."""

    def __init__(self, settings: TrainSettings) -> None:
        self.settings = settings
        self._fixed: Parameters | Model | None = None
        if settings.against:
            self._fixed = _fitting(settings, settings.against)
        if settings.model:
            self._fixed = load_model(Path(settings.model))[0]
        self.form = divided_form(settings)
        self.parts = self.form.cores * self.form.parts
        self._pools = _Pools(settings, self.form)
        self.look_batches = max(1, -(-settings.batches // N_LOOKS))

    @property
    def about(self) -> Mapping[str, Any]:
        """The settings, and how many parts batches have on this machine, which decides on the bits that come of it."""
        return {**self.settings.data(), "parts": self.parts}

    def init(self) -> Arrays:
        """Small random parameters, or those to start from; nothing has been played."""
        kernels = device_code()
        settings, match = self.settings, ()
        if isinstance(self._fixed, Model):
            parameters = first_exploiter(settings, self._fixed)
            n_kinds = len(self._fixed.players.initial)
            match = kernels.blank_match(
                (self.parts,), n_seats=settings.n_seats, n_kinds=n_kinds, n_lanes=self.form.batch
            )
        elif settings.start:
            parameters = _fitting(settings, settings.start)
        else:
            parameters = initial_parameters(seed=settings.seed, n_bet=settings.n_bet)
        curve = np.zeros((-(-settings.batches // self.look_batches), len(COLUMNS)))
        return {**_flat(kernels.learner_of(parameters, match)), "curve": curve}

    def save(self, path: Path, parameters: Parameters, about: Mapping[str, Any]) -> None:
        """Keep parameters as the agent that they are."""
        if isinstance(self._fixed, Model):
            save_exploiter(path, parameters, self._fixed, about)
        else:
            save_parameters(path, parameters, about)

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Play and learn from `n` batches; refuses to go on where numbers have ceased to be numbers."""
        kernels = device_code()
        settings, curve = self.settings, arrays["curve"].copy()
        learner = _learner(arrays)
        key = kernels.key_of(stream_key(settings.seed, "connectionist").view(np.uint32)[:2])
        done = int(arrays["iteration"])
        for first, upto in self._pieces(done, done + n):
            pool = self._pools.of_batch(first)
            count = upto - first
            learner, numbers = kernels.batches(self.form, settings.knobs, self._fixed, learner, pool, key, count)
            curve[first // self.look_batches] += np.asarray(numbers) * count / self.look_batches
        new = {**_flat(learner), "curve": curve}
        learnt = [array for name, array in new.items() if name.startswith("parameters") and array.size]
        largest = max(float(np.abs(array).max()) for array in learnt)
        if not largest < LARGEST_WEIGHT:  # nor where it is not a number
            raise DivergedError(settings, done)
        return new

    def _pieces(self, first: int, upto: int) -> list[tuple[int, int]]:
        """Runs of batches that share a pool and a row of the curve."""
        cuts = {first, upto}
        for length in (self.look_batches, self._pools.n_batches):
            cuts.update(range(-(-first // length) * length, upto, length))
        marks = sorted(cuts)
        return list(pairwise(marks))


def _fitting(settings: TrainSettings, file: str) -> Parameters:
    """The parameters in a file, which must be of the game that is trained."""
    parameters = load_parameters(Path(file))[0]
    if parameters.bet.shape[2] != settings.n_bet:
        theirs = "limit" if settings.no_limit else "no-limit"
        raise PokerlabError(f"{file} plays {theirs} hold'em, and the training is of {settings.game_name}")
    return parameters


def first_exploiter(settings: TrainSettings, model: Model) -> Parameters:
    """What an exploiter begins with: another exploiter of the model, or the model's average player; then the layer."""
    parameters = beginning(model)
    if settings.start:
        parameters, watched, _ = load_exploiter(Path(settings.start))
        if not same_model(watched, model):
            raise PokerlabError(f"{settings.start} was learnt against another model than {settings.model}")
    if settings.layer and not parameters.tiles.shape[1]:
        parameters = with_tiles(parameters, seed=settings.seed)
    return parameters


class DivergedError(PokerlabError):
    """Parameters that are no longer numbers, and what to lower."""

    def __init__(self, settings: TrainSettings, batch: int) -> None:
        hands = batch * settings.batch
        super().__init__(
            f"the training diverged after {hands:,} hands; the last good weights are kept; lower rate "
            f"(now {settings.rate:g}) or observer_rate (now {settings.observer_rate:g})"
        )


class _Pools:
    """The pool of each stretch of batches; the next one is drawn while one is used."""

    def __init__(self, settings: TrainSettings, form: Form) -> None:
        self.settings, self.form = settings, form
        self.n_batches = settings.pool * settings.reuse
        self._worker = ThreadPoolExecutor(1)
        self._drawn: dict[int, Future[tuple[DealPool, CardFeatures]]] = {}
        self._number = -1
        self._pool: Any = None

    def of_batch(self, batch: int) -> Any:
        """The pool from which a batch is dealt, on the device."""
        number = batch // self.n_batches
        if number != self._number:
            for each in (number, number + 1):
                if each not in self._drawn and each * self.n_batches < self.settings.batches:
                    self._drawn[each] = self._worker.submit(drawn_pool, self.settings, each)
            deals, features = self._drawn.pop(number).result()
            self._drawn = {each: future for each, future in self._drawn.items() if each > number}
            self._number, self._pool = number, None  # lets go of the last one first
            self._pool = device_code().pool_of(self.form, deals.ranks, *features)
        return self._pool


def drawn_pool(settings: TrainSettings, number: int) -> tuple[DealPool, CardFeatures]:
    """Pool number `number`: deals of ten seats with their features, computed on all cores."""
    n_deals = settings.pool * settings.batch
    deals = deal_pool(n_deals, n_seats=MAX_LANE_SEATS, seed=settings.seed, first=number * n_deals)
    parts = np.array_split(np.arange(n_deals), 4 * usable_cores())
    with ThreadPoolExecutor(usable_cores()) as workers:
        found = list(workers.map(lambda part: card_features(deals.holes[part], deals.boards[part]), parts))
    return deals, CardFeatures(*(np.concatenate(each) for each in zip(*found, strict=True)))


def _flat(learner: Any) -> Arrays:
    """The learner as named arrays."""
    import jax

    found = {}
    for path, leaf in jax.tree_util.tree_flatten_with_path(learner)[0]:
        found["/".join(entry.name for entry in path)] = np.asarray(leaf)
    return found


def _learner(arrays: Arrays) -> Any:
    """The learner of named arrays."""
    import jax

    kernels = device_code()
    exploits = "match/kinds" in arrays
    match = kernels.blank_match((), n_seats=0, n_kinds=0, n_lanes=0) if exploits else ()
    like = kernels.learner_of(initial_parameters(seed=0), match)
    paths, tree = jax.tree_util.tree_flatten_with_path(like)
    leaves = [jax.numpy.asarray(arrays["/".join(entry.name for entry in path)]) for path, _ in paths]
    return jax.tree_util.tree_unflatten(tree, leaves)


def device_code() -> Any:
    """The kernels, which need JAX."""
    from pokerlab.learning.connectionist import _update_jax

    kernels: Any = _update_jax
    kernels.parts.make_devices(usable_cores())
    return kernels


def divided_form(settings: TrainSettings) -> Form:
    """What JAX compiles for, with batches in the parts that the settings ask for or that suit this machine."""
    parts = device_code().parts
    form: Form = parts.divided(settings.form, settings.parts or parts.usual_parts(settings.batch))
    return form


def parameters_in(arrays: Arrays) -> Parameters:
    """The parameters of a training run's arrays."""
    return Parameters(**{name: np.asarray(arrays[f"parameters/{name}"]) for name in Parameters._fields})


class Trained(NamedTuple):
    """What came of a training run."""

    parameters: Parameters
    hands: int
    curve: NDArray[np.float64]  # [look, column]
    columns: tuple[str, ...]
    errors: list[tuple[int, Estimate]]  # hands, and the RI error then


class Stop(NamedTuple):
    """A batch after which weights are kept in a file, or their RI error is measured, or both."""

    batch: int
    file: str
    measured: bool


Follow: TypeAlias = Callable[[int, NDArray[np.float64], list[tuple[int, Estimate]]], None]
"""Is told the hands so far, a row of the curve (`COLUMNS`) and the RI errors measured so far."""


def train(
    settings: TrainSettings,
    directory: Path,
    *,
    keep_every: int = 0,
    errors: int = 0,
    report: Follow | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Trained:
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
    return Trained(made, course.done * settings.batch, curve, COLUMNS, _errors(course.looks))


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
    found = weights_rollout_errors(weights, decisions=DECISIONS, rollouts=ROLLOUTS, seed=seed)
    return found.by_street["overall"].improvement


def _errors(looks: Sequence[Sequence[float]]) -> list[tuple[int, Estimate]]:
    """What a course noted of the RI error."""
    return [
        (int(hands), Estimate(mean, low, high, DECISIONS, RI_UNITS, "decisions")) for hands, mean, low, high in looks
    ]


def training_cost(settings: TrainSettings) -> Cost:
    """An estimate from a few batches on this machine."""
    from pokerlab.runs.steps import seconds_each

    few = replace(settings, hands=max(settings.hands, 10_000 * settings.batch), pool=1)
    seconds, arrays = seconds_each(SelfPlay(few), 2.0)
    size = sum(array.nbytes for array in arrays.values())
    counts = {"hands": settings.hands, "hands_per_second": settings.batch / seconds}
    counts["weights"] = n_weights(parameters_in(arrays))
    return Cost(seconds * settings.batches, disk=2 * size, counts=counts)


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

    return Job(default_directory(settings), lambda: training_cost(settings), run)


def _lines(settings: TrainSettings, say: Say) -> Follow:
    """A report that says a line every ten seconds or so."""
    import time

    began, told, first = time.monotonic(), 0.0, -1

    def report(hands: int, row: NDArray[np.float64], errors: list[tuple[int, Estimate]]) -> None:
        nonlocal told, first
        now = time.monotonic()
        if first < 0:
            first = hands
        if now - told > 10 or hands >= settings.hands:
            told = now
            speed = (hands - first) / max(1e-9, now - began)
            say(f"{hands:,} hands, {speed:,.0f}/s; {described(row, errors)}")

    return report


def described(row: NDArray[np.float64], errors: list[tuple[int, Estimate]]) -> str:
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
