"""Training of the connectionist player in steps, each a batch of hands.

The hands of a batch come from a pool of deals, are played on lanes and learned from. Pools are drawn in advance, in the
background. The settings and the number of a batch determine everything in it.

>>> settings = TrainSettings(players=2, hands=10_000_000)
>>> settings.batches
2442

`lane_winnings` plays matches between two sets of weights on lanes: a million hands in seconds on a GPU. In every hand a
randomly chosen seat uses one set and all others use the other; each set has its own observer. Weights trained without
self-aware inputs have zeros in their place, so that both kinds can play each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.caches import keep_jax_programs
from pokerlab.cards.card_features import CardFeatures, card_features_on_all_cores
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Z95, Estimate
from pokerlab.rng import stream, stream_key
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.steps import Arrays
from pokerlab.systems.connectionist.parameters import Parameters, initial_parameters, load_parameters, save_parameters
from pokerlab.systems.connectionist.player import weights_path
from pokerlab.systems.connectionist.population import (
    Model,
    beginning,
    load_exploiter,
    load_model,
    same_model,
    save_exploiter,
    with_tiles,
)
from pokerlab.systems.connectionist.settings import Form, TrainSettings
from pokerlab.table.lanes import MAX_LANE_SEATS, DealPool, deal_pool

N_LOOKS = 400
"""Number of rows of the learning curve."""
COLUMNS = (
    "decisions", "actions_log_likelihood", "showdowns_log_likelihood", "squared_advantage", "forgotten", "won",
    "won_squared",
)  # fmt: skip
"""Columns of the learning curve: means per hand since the row before. "forgotten" counts decisions that did not fit
into the log. Winnings are in small blinds: those of the learning seat or, in self-play, the mean over the seats."""
LARGEST_WEIGHT = 1e4


class SelfPlay:
    """A training run that can be run in steps (`runs.steps.Steps`); a step is a batch."""

    def __init__(self, settings: TrainSettings) -> None:
        self.settings = settings
        self._fixed: Parameters | Model | None = None
        if settings.response_to:
            self._fixed = _fitting(settings, settings.response_to)
        if settings.model:
            self._fixed = load_model(Path(settings.model))[0]
        self.form = divided_form(settings)
        self.parts = self.form.cores * self.form.parts
        self.pools = Pools(settings, self.form)
        self.look_batches = max(1, -(-settings.batches // N_LOOKS))

    @property
    def about(self) -> Mapping[str, Any]:
        """The settings, and the number of parts per batch on this machine, on which the rounding of results depends."""
        return {**self.settings.identity(), "parts": self.parts}

    def init(self) -> Arrays:
        """Initial arrays: small random parameters, or those of the player to start from; nothing has been played."""
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
        """Save parameters in a file: an exploiter with its model, other players without one."""
        if isinstance(self._fixed, Model):
            save_exploiter(path, parameters, self._fixed, about)
        else:
            save_parameters(path, parameters, about)

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Play and learn from `n` batches; raises `DivergedError` if parameters become too large or NaN."""
        kernels = device_code()
        settings, curve = self.settings, arrays["curve"].copy()
        key = kernels.key_of(stream_key(settings.seed, "connectionist").view(np.uint32)[:2])
        done = int(arrays["iteration"])
        for first, upto in self._pieces(done, done + n):
            pool = self.pools.of_batch(first)
            count = upto - first
            learner = _learner(arrays)  # converted again, since JAX would recompile for arrays already on several cores
            learner, numbers = kernels.batches(self.form, settings.knobs, self._fixed, learner, pool, key, count)
            arrays = _flat(learner)
            curve[first // self.look_batches] += np.asarray(numbers) * count / self.look_batches
        parameters = [array for name, array in arrays.items() if name.startswith("parameters") and array.size]
        largest = max(float(np.abs(array).max()) for array in parameters)
        if not largest < LARGEST_WEIGHT:  # also False for NaN
            raise DivergedError(settings, done)
        return {**arrays, "curve": curve}

    def _pieces(self, first: int, upto: int) -> list[tuple[int, int]]:
        """Divide the batches into ranges (first, end), so that each range uses one pool and belongs to one row of the
        curve."""
        cuts = {first, upto}
        for length in (self.look_batches, self.pools.n_batches):
            cuts.update(range(-(-first // length) * length, upto, length))
        marks = sorted(cuts)
        return list(pairwise(marks))


def _fitting(settings: TrainSettings, file: str) -> Parameters:
    """Load the parameters in a file or a run directory. Raise an error if they are for another game."""
    parameters = load_parameters(weights_path(file))[0]
    if parameters.bet.shape[2] != settings.n_bet:
        theirs = "limit" if settings.no_limit else "no-limit"
        raise PokerlabError(f"{file} plays {theirs} hold'em, but the training is at {settings.game_name}")
    return parameters


def first_exploiter(settings: TrainSettings, model: Model) -> Parameters:
    """Initial weights of an exploiter: those in `settings.start`, or those of the model's average player, plus the
    extra layer if wanted."""
    parameters = beginning(model)
    if settings.start:
        parameters, watched, _ = load_exploiter(weights_path(settings.start))
        if not same_model(watched, model):
            raise PokerlabError(f"{settings.start} was trained against a different model, not {settings.model}")
    if settings.layer and not parameters.tiles.shape[1]:
        parameters = with_tiles(parameters, seed=settings.seed)
    return parameters


class DivergedError(PokerlabError):
    """Raised if parameters became too large or NaN; the message names the settings to lower."""

    def __init__(self, settings: TrainSettings, batch: int) -> None:
        hands = batch * settings.batch
        super().__init__(
            f"the training diverged after {hands:,} hands; the last good weights are saved; lower rate "
            f"(now {settings.rate:g}) or observer_rate (now {settings.observer_rate:g})"
        )


class Pools:
    """One pool of deals for each range of batches; the next one is drawn while one is in use."""

    def __init__(self, settings: TrainSettings, form: Form) -> None:
        self.settings, self.form = settings, form
        self.n_batches = settings.pool * settings.reuse
        self._worker = ThreadPoolExecutor(1)
        self._drawn: dict[int, Future[tuple[DealPool, CardFeatures]]] = {}
        self._number = -1
        self._pool: Any = None

    def of_batch(self, batch: int) -> Any:
        """Pool from which a batch is dealt, on the device."""
        number = batch // self.n_batches
        if number != self._number:
            for each in (number, number + 1):
                if each not in self._drawn and each * self.n_batches < self.settings.batches:
                    self._drawn[each] = self._worker.submit(drawn_pool, self.settings, each)
            deals, features = self._drawn.pop(number).result()
            self._drawn = {each: future for each, future in self._drawn.items() if each > number}
            self._number, self._pool = number, None  # frees the memory of the last pool first
            self._pool = device_code().pool_of(self.form, deals.ranks, *features)
        return self._pool


def drawn_pool(settings: TrainSettings, number: int) -> tuple[DealPool, CardFeatures]:
    """Draw pool number `number`: deals of ten seats with their features, computed on all cores."""
    n_deals = settings.pool * settings.batch
    deals = deal_pool(n_deals, n_seats=MAX_LANE_SEATS, seed=settings.seed, first=number * n_deals)
    return deals, card_features_on_all_cores(deals.holes, deals.boards)


def _flat(learner: Any) -> Arrays:
    """Convert the learner's state to named arrays."""
    import jax

    found = {}
    for path, leaf in jax.tree_util.tree_flatten_with_path(learner)[0]:
        found["/".join(entry.name for entry in path)] = np.asarray(leaf)
    return found


def _learner(arrays: Arrays) -> Any:
    """Convert named arrays to the learner's state."""
    import jax

    kernels = device_code()
    exploits = "match/kinds" in arrays
    match = kernels.blank_match((), n_seats=0, n_kinds=0, n_lanes=0) if exploits else ()
    like = kernels.learner_of(initial_parameters(seed=0), match)
    paths, tree = jax.tree_util.tree_flatten_with_path(like)
    leaves = [jax.numpy.asarray(arrays["/".join(entry.name for entry in path)]) for path, _ in paths]
    return jax.tree_util.tree_unflatten(tree, leaves)


def device_code() -> Any:
    """Import the kernels, which need JAX, and make every core a device."""
    from pokerlab.systems.connectionist import _update_jax

    keep_jax_programs()
    kernels: Any = _update_jax
    kernels.parts.make_devices(usable_cores())
    return kernels


def divided_form(settings: TrainSettings) -> Form:
    """The compile-time settings. Batches are divided into the number of parts in the settings, or into one that suits
    this machine."""
    parts = device_code().parts
    form: Form = parts.divided(settings.form, settings.parts or parts.usual_parts(settings.batch))
    return form


def parameters_in(arrays: Arrays) -> Parameters:
    return Parameters(**{name: np.asarray(arrays[f"parameters/{name}"]) for name in Parameters._fields})


AT_ONCE = 16_384
POOL = 4
"""Number of batches that are dealt before playing. Every deal is played once."""


def lane_winnings(
    weights: Path, against: Path, *, players: int, capped: bool = False, no_limit: bool = False, hands: int, seed: int
) -> Estimate:
    """Winnings per hand, in small blinds, of one seat that uses `weights`; all other seats use the weights
    `against`."""
    if hands < 2:
        raise PokerlabError(f"a match on lanes needs at least 2 hands, not {hands}")
    kernels, batch = device_code(), min(hands, AT_ONCE)
    own_seed = int(
        stream(seed, "connectionist contest").integers(2**31)
    )  # so the deals differ from those of a training with this seed
    settings = TrainSettings(
        players=players,
        capped=capped,
        no_limit=no_limit,
        self_aware=True,
        response_to=str(against),
        batch=batch,
        pool=POOL,
        seed=own_seed,
    )
    own, fixed = (load_parameters(path)[0] for path in (weights, against))
    form, learner = replace(settings.form, learns=False, shrinks=(4,)), kernels.learner_of(own)
    totals, n_batches = np.zeros(2), -(-hands // batch)
    for number, first in enumerate(range(0, n_batches, POOL)):
        deals, features = drawn_pool(settings, number)
        pool, count = kernels.pool_of(form, deals.ranks, *features), min(POOL, n_batches - first)
        key = kernels.key_of(stream_key(own_seed, "play", number).view(np.uint32)[:2])
        sums = kernels.played_batches(form, settings.knobs, fixed, learner, pool, key, count)
        totals += count * np.asarray(sums, float)[1:]
    mean, squared = totals / n_batches
    n = n_batches * batch
    half = Z95 * ((squared - mean**2) / (n - 1)) ** 0.5
    return Estimate(mean, mean - half, mean + half, n, "small_blinds_per_hand", "hands")
