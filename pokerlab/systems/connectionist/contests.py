"""Matches between two sets of connectionist weights, played on lanes: a million hands in seconds on a GPU (JAX).

One seat, chosen at random for every hand, plays by one set and all others by the other, each with its own observer.
Weights trained without self-aware inputs have zeros there, so that both kinds can play each other.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.estimates import Z95, Estimate
from pokerlab.rng import stream, stream_key
from pokerlab.systems.connectionist.parameters import load_parameters
from pokerlab.systems.connectionist.self_play import device_code, drawn_pool
from pokerlab.systems.connectionist.settings import TrainSettings

AT_ONCE = 16_384
POOL = 4
"""Batches dealt before playing; every deal is played once."""


def lane_winnings(
    weights: Path, against: Path, *, players: int, capped: bool = False, no_limit: bool = False, hands: int, seed: int
) -> Estimate:
    """Winnings per hand of one seat with `weights` among others that play by `against`, in small blinds."""
    if hands < 2:
        raise PokerlabError(f"a match on lanes needs at least 2 hands, not {hands}")
    kernels, batch = device_code(), min(hands, AT_ONCE)
    own_seed = int(
        stream(seed, "connectionist contest").integers(2**31)
    )  # differs from the deals of a training with this seed
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
