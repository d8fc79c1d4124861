"""Benchmarks of the connectionist player: lanes, models of a population, exploiters, decisions."""

from __future__ import annotations

from typing import Any

from pokerlab.bench.benchmark import Benchmark, Work
from pokerlab.bench.decisions import answered, watched

LANES = 4096
BATCH = 2048
STEPS = 50
FIT_MATCHES = 64


def _lanes(name: str) -> Work:
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


def _exploiting() -> Work:
    """An exploiter with the extra layer among five players of an untrained model."""
    import jax

    from pokerlab.systems.connectionist.exploiter_parameters import beginning, with_tiles
    from pokerlab.systems.connectionist.population import initial_model
    from pokerlab.systems.connectionist.self_play import device_code, drawn_pool
    from pokerlab.systems.connectionist.settings import TrainSettings

    settings = TrainSettings(players=6, capped=True, batch=BATCH, pool=2, model="its own", optimizer="adam")
    deals, features = drawn_pool(settings, 0)
    kernels, model = device_code(), initial_model(seed=7)
    pool = kernels.pool_of(settings.form, deals.ranks, *features)
    match = kernels.blank_match((1,), n_seats=settings.n_seats, n_kinds=len(model.players.initial), n_lanes=BATCH)
    learner, key = kernels.learner_of(with_tiles(beginning(model), seed=7), match), jax.random.key(1)

    def work() -> int:
        result = kernels.batches(settings.form, settings.knobs, model, learner, pool, key, 4)[1]
        result.block_until_ready()
        return 4 * BATCH

    return work


def _fit() -> Work:
    """One round of a fit with eight player-types to matches played by an untrained model."""
    from pokerlab.people.fitting import Fit, FitSettings
    from pokerlab.people.simulating import Simulation, simulate
    from pokerlab.systems.connectionist.population import initial_model

    model = initial_model(seed=7)
    records = simulate(model, Simulation(matches=FIT_MATCHES, hands=8, seed=7)).records
    engine = Fit(records, FitSettings(), model)
    arrays = engine.init()

    def work() -> int:
        engine.step(arrays, 1)
        return records.n_hands

    return work


def _decisions() -> Work:
    """Every decision of a short match, by NumPy."""
    from pokerlab.games.views import View
    from pokerlab.players.registry import agent
    from pokerlab.systems.connectionist.parameters import initial_parameters
    from pokerlab.systems.connectionist.player import Connectionist
    from pokerlab.table.match import MatchPlan, play_match

    seen: list[View] = []
    kind, parameters = watched(Connectionist, seen), initial_parameters(seed=7)
    plan = MatchPlan("limit6p", ("connectionist", *["random"] * 5), hands=60, seed=1)
    play_match(plan, lambda name: kind(parameters, {}) if name == "connectionist" else agent(name))
    return answered(seen, lambda: Connectionist(parameters, {}))


def _rollouts() -> Work:
    """Rollouts of river decisions, a hundred of each."""
    import numpy as np

    from pokerlab.games.catalog import game
    from pokerlab.systems.connectionist.decision_rollouts import rolled_out
    from pokerlab.systems.connectionist.player import make_weights, shipped_weights
    from pokerlab.valuing.rollout_error import draw_decision

    player, rules, rng = make_weights(str(shipped_weights("connectionist"))), game("limit2p"), np.random.default_rng(1)
    drawn = (draw_decision(player, player, rules, rng).view for _ in range(200))
    views = [view for view in drawn if view.street == 3]

    def work() -> int:
        return sum(len(rolled_out(player, view, 100, rng).weights) for view in views)

    return work


BENCHMARKS = (
    Benchmark(
        name="lanes",
        about=f"hands of six-player limit hold'em on {LANES:,} lanes at once in JAX, actions at random, betting alone",
        unit="hands",
        ours=lambda: _lanes("limit6p-uncapped"),
    ),
    Benchmark(
        name="lanes-no-limit",
        about=f"hands of six-player no-limit hold'em on {LANES:,} lanes at once in JAX, actions and raises at random",
        unit="hands",
        ours=lambda: _lanes("nolimit6p"),
    ),
    Benchmark(
        name="exploiter-learning",
        about=f"hands that an exploiter learns from against a model with eight player-types, {BATCH:,} matches at once",
        unit="hands",
        ours=_exploiting,
    ),
    Benchmark(
        name="population-fit",
        about="hands in a round of fitting a model with eight player-types: watched, their cards imputed, learned from",
        unit="hands",
        ours=_fit,
    ),
    Benchmark(
        name="connectionist",
        about="decisions of the connectionist player at a table of six, in NumPy, beliefs about everyone included",
        unit="decisions",
        ours=_decisions,
    ),
    Benchmark(
        name="connectionist-rollouts",
        about="rollouts of every option of river decisions of the connectionist player, two players, 100 at once",
        unit="rollouts",
        ours=_rollouts,
    ),
)
