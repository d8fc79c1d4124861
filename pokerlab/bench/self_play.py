"""Benchmarks of the connectionist player's self-play on every core, as in training. JAX fixes its devices and threads
once, and benchmarks are pinned to one core; so the hands are played in a separate process."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np

from pokerlab.bench.benchmark import Benchmark, Work

HANDS, BATCHES = 2048, 4
"""Hands at once on a core, and the number of deals in a round."""
_prepared: list[Work] = []


def _elsewhere(*, learns: bool) -> Work:
    """The work of `_self_play` in a process that may use every core."""
    import jax  # noqa: F401 - one line names the extra if it is missing

    process = ProcessPoolExecutor(1, get_context("spawn"), _prepare, (learns,))
    return lambda: process.submit(_again).result()


def _prepare(learns: bool) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    _prepared.append(_self_play(learns=learns))


def _again() -> int:
    return _prepared[0]()


def _self_play(*, learns: bool) -> Work:
    """Hands of six players with untrained weights."""
    from pokerlab.rng import stream_key
    from pokerlab.runs.cost import usable_cores
    from pokerlab.systems.connectionist.parameters import initial_parameters
    from pokerlab.systems.connectionist.self_play import device_code, divided_form, drawn_pool
    from pokerlab.systems.connectionist.settings import TrainSettings

    settings = TrainSettings(players=6, batch=HANDS * usable_cores(), pool=2)
    kernels, form, (deals, features) = device_code(), divided_form(settings), drawn_pool(settings, 0)
    pool = kernels.pool_of(form, deals.ranks, *features)
    learner = kernels.learner_of(initial_parameters(seed=7))
    key = kernels.key_of(stream_key(7, "self-play").view(np.uint32)[:2])
    do = kernels.batches if learns else kernels.played_batches

    def work() -> int:
        do(replace(form, learns=learns), settings.knobs, None, learner, pool, key, BATCHES)[-1].block_until_ready()
        return BATCHES * settings.batch

    return work


BENCHMARKS = (
    Benchmark(
        name="self-play",
        about=f"hands of the connectionist player against itself at tables of six, with all beliefs, {HANDS:,} at once "
        "on every core",
        unit="hands",
        ours=lambda: _elsewhere(learns=False),
        note="Sweeney (2012) played 2,800 a second in 2008",
        every_core=True,
    ),
    Benchmark(
        name="self-play-learning",
        about="the same with all updates computed from the hands: player, observer, baseline; weights stay "
        "untrained, and nothing is dealt again or measured during the run",
        unit="hands",
        ours=lambda: _elsewhere(learns=True),
        every_core=True,
    ),
)
