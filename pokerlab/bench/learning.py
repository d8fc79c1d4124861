"""Benchmarks of the connectionist player's learning: lanes, self-play, models of a population, exploiters, rollouts.

Self-play runs on every core, as in training. JAX fixes its devices and threads once per process, and benchmarks are
pinned to one core; so self-play hands are played in a separate process.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import numpy as np

from pokerlab.bench.benchmark import AFTERWARDS, Work, counted

LANES = 4096
HANDS_AT_ONCE = 2048
"""Hands of self-play at once on a core, and matches of an exploiter at once."""
BATCHES = 4
STEPS = 50
FIT_MATCHES = 64
_prepared: list[Work] = []


def lanes(name: str) -> Work:
    """Random decisions on lanes of six seats that continue with the next hand when one ends."""
    import jax
    import jax.numpy as jnp

    from pokerlab.games.catalog import game
    from pokerlab.table import _lanes_jax
    from pokerlab.table.lanes import lane_rules

    table: Any = _lanes_jax
    rules = lane_rules(game(name))
    six = jnp.full(LANES, 6, jnp.int32)

    @jax.jit
    def many(lanes: Any, key: Any) -> Any:
        def body(_: int, state: Any) -> Any:
            lanes, key, ended = state
            key, draw, size = jax.random.split(key, 3)
            moves = table.moves(rules, lanes)
            action = jnp.where(moves.fold, 0, 1) + jax.random.randint(draw, (LANES,), 0, 2)
            action = jnp.where((action == 2) & ~moves.raises, 1, action)
            to = jax.random.randint(size, (LANES,), moves.least, moves.most + 1) if rules.no_limit else None
            after = table.step(rules, lanes, action, to)
            over = after.actor == table.NOBODY
            return table.renewed(rules, after, over, six), key, ended + jnp.sum(over)

        return jax.lax.fori_loop(0, STEPS, body, (lanes, key, jnp.int32(0)))

    state = (table.init(rules, six), jax.random.key(1))

    def work() -> int:
        nonlocal state
        lanes, key, ended = many(*state)
        state = (lanes, key)
        return int(ended)

    return work


def exploiting() -> Work:
    """Training of an exploiter with the extra layer against five players of an untrained model."""
    import jax

    from pokerlab.systems.connectionist.population import beginning, initial_model, with_tiles
    from pokerlab.systems.connectionist.self_play import device_code, drawn_pool
    from pokerlab.systems.connectionist.settings import TrainSettings

    settings = TrainSettings(players=6, capped=True, batch=HANDS_AT_ONCE, pool=2, model="its own", optimizer="adam")
    deals, features = drawn_pool(settings, 0)
    kernels, model = device_code(), initial_model(seed=7)
    pool = kernels.pool_of(settings.form, deals.ranks, *features)
    match = kernels.blank_match(
        (1,), n_seats=settings.n_seats, n_kinds=len(model.players.initial), n_lanes=HANDS_AT_ONCE
    )
    learner, key = kernels.learner_of(with_tiles(beginning(model), seed=7), match), jax.random.key(1)

    def learn() -> None:
        kernels.batches(settings.form, settings.knobs, model, learner, pool, key, BATCHES)[1].block_until_ready()

    return counted(learn, BATCHES * HANDS_AT_ONCE)


def fit() -> Work:
    """One round of a fit with eight player-types to matches played by an untrained model."""
    from pokerlab.people.fitting import Fit, FitSettings
    from pokerlab.people.simulating import Simulation, simulate
    from pokerlab.systems.connectionist.population import initial_model

    model = initial_model(seed=7)
    records = simulate(model, Simulation(matches=FIT_MATCHES, hands=8, seed=7)).records
    engine = Fit(records, FitSettings(), model)
    arrays = engine.init()

    return counted(lambda: engine.step(arrays, 1), records.n_hands)


def rollouts() -> Work:
    """Rollouts of river decisions, a hundred of each."""
    from pokerlab.games.catalog import game
    from pokerlab.systems.connectionist.decision_rollouts import rolled_out
    from pokerlab.systems.connectionist.player import make_weights, shipped_weights
    from pokerlab.valuing.rollout_error import draw_decision

    player, rules, rng = make_weights(str(shipped_weights("connectionist"))), game("limit2p"), np.random.default_rng(1)
    drawn = (draw_decision(player, player, rules, rng).view for _ in range(200))
    views = [view for view in drawn if view.street == 3]

    return lambda: sum(len(rolled_out(player, view, 100, rng).weights) for view in views)


def self_play(*, learns: bool) -> Work:
    """Run the work of `_self_play` in a process that may use every core."""
    import jax  # noqa: F401 - one line names the extra if it is missing

    process = ProcessPoolExecutor(1, get_context("spawn"), _prepare, (learns,))
    AFTERWARDS.callback(process.shutdown)
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

    settings = TrainSettings(players=6, batch=HANDS_AT_ONCE * usable_cores(), pool=2)
    kernels, form, (deals, features) = device_code(), divided_form(settings), drawn_pool(settings, 0)
    pool = kernels.pool_of(form, deals.ranks, *features)
    learner = kernels.learner_of(initial_parameters(seed=7))
    key = kernels.key_of(stream_key(7, "self-play").view(np.uint32)[:2])
    do = kernels.batches if learns else kernels.played_batches

    def play() -> None:
        do(replace(form, learns=learns), settings.knobs, None, learner, pool, key, BATCHES)[-1].block_until_ready()

    return counted(play, BATCHES * settings.batch)
