# mypy: ignore-errors
"""BETS on whole tables or on sampled boards: dense CFR iterations between which stakes follow the effective sizes.

Levels and agents are those of `sized_tree`; `depth` is the number of raises in a row that can come before an ending.
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.solvers.sampling import _board_jax as board
from pokerlab.solvers.vector import _dense_jax as dense


class Levels(NamedTuple):
    """What stakes are made of."""

    constant: jax.Array  # [level]
    grow: jax.Array  # [level]
    less: jax.Array  # [level]
    raised: jax.Array  # [level]
    before: jax.Array  # [level]
    stake_level: jax.Array  # [ending]


class Agents(NamedTuple):
    """Who sizes."""

    level: jax.Array  # [agent]
    team: jax.Array  # [agent]: 1 for player 0, -1 for player 1
    low: jax.Array  # [agent]
    high: jax.Array  # [agent]


class Sizes(NamedTuple):
    """What BETS keeps: the effective sizes, the regrets for both ends, and the sum of sizes to be averaged."""

    size: jax.Array  # [agent]
    for_low: jax.Array  # [agent]
    for_high: jax.Array  # [agent]
    total: jax.Array  # [agent]


def stakes(levels, agents, size, depth):
    """`stake[ending]`. Every pass gets the levels right that are one raise further from the first."""
    grow = levels.grow.at[agents.level].set(1 + 2 * size)
    amount = levels.constant
    for _ in range(depth):
        amount = levels.constant + grow * amount[levels.raised] - levels.less * amount[levels.before]
    return amount[levels.stake_level]


def resized(agents, sizes, slope, t, inertia, average_from):
    """Sizes after iteration t, given d value of player 0 / d size (equation 4.10)."""
    size, for_low, for_high, total = sizes
    slope = slope * agents.team
    for_low = for_low + slope * (agents.low - size)
    for_high = for_high + slope * (agents.high - size)
    good_low, good_high = jnp.maximum(for_low, 0), jnp.maximum(for_high, 0)
    both = good_low + good_high
    share = jnp.where(both > 0, good_high / jnp.where(both > 0, both, 1), 0.5)
    size = size + (agents.low + share * (agents.high - agents.low) - size) / jnp.minimum(t, inertia)
    return Sizes(size, for_low, for_high, total + jnp.where(t >= average_from, size, 0))


def sized(levels, agents, sizes, t, inertia, average_from, depth, update):
    """Iteration t: (tables, sizes), given update(stake) = (tables, slope[ending])."""
    stake, back = jax.vjp(lambda size: stakes(levels, agents, size, depth), sizes.size)
    tables, gradient = update(stake)
    return tables, resized(agents, sizes, back(gradient)[0], t, inertia, average_from)


@partial(dense.jit, static_argnames=("alternating", "depth"), donate_argnames=("tables",))
def iterate(game, levels, agents, tables, sizes, settings, done, n, inertia, average_from, *, alternating, depth):
    """`n` iterations after the first `done`: (tables, sizes)."""

    def one(i, carried):
        tables, sizes = carried
        t = (done + 1 + i).astype(sizes.size.dtype)

        def update(stake):
            return dense.iteration(game, tables, stake, settings, t, alternating)

        return sized(levels, agents, sizes, t, inertia, average_from, depth, update)

    return lax.fori_loop(0, n, one, (tables, sizes))


@partial(dense.jit, static_argnames=("alternating", "depth", "n_cards"), donate_argnames=("tables",))
def iterate_boards(
    game, levels, agents, tables, sizes, boards, settings, done, n, inertia, average_from,
    *, alternating, depth, n_cards,
):  # fmt: skip
    """The same on the block boards[iteration, ...] that they all belong to."""

    def one(i, carried):
        tables, sizes = carried
        t = (done + 1 + i).astype(sizes.size.dtype)

        def update(stake):
            return board.iteration(game, tables, board.nth(boards, done + i), stake, settings, t, alternating, n_cards)

        return sized(levels, agents, sizes, t, inertia, average_from, depth, update)

    return lax.fori_loop(0, n, one, (tables, sizes))
