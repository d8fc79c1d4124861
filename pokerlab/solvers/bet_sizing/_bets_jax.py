# mypy: ignore-errors
"""Kernels of BETS on whole tables and on sampled boards: CFR iterations between which stakes follow the sizes.

`depth` is the number of raises in a row that can come before an ending.
"""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.solvers.sampling import _board_jax as board
from pokerlab.solvers.vector import _dense_jax as dense


class Sized(NamedTuple):
    """What a run of BETS goes by; the first three are those of a `sized_tree.SizedTree`."""

    levels: Any
    bets: Any
    stake_level: Any  # [ending]
    n: Any  # N of equation 4.10
    average_from: Any  # the first iteration whose sizes are averaged


class Sizes(NamedTuple):
    """What BETS keeps: the effective sizes, the regrets for both ends, and the sum of sizes to be averaged."""

    size: jax.Array  # [bet]
    for_low: jax.Array  # [bet]
    for_high: jax.Array  # [bet]
    total: jax.Array  # [bet]


def stakes(sized, size, depth):
    """`stake[ending]`. Every pass gets the levels right that are one raise further from the first."""
    levels = sized.levels
    grow = levels.grow.at[sized.bets.level].set(1 + 2 * size)
    amount = levels.constant
    for _ in range(depth):
        amount = levels.constant + grow * amount[levels.raised] - levels.less * amount[levels.before]
    return amount[sized.stake_level]


def resized(sized, sizes, slope, t):
    """Sizes after iteration t, given d value of player 0 / d size (equation 4.10)."""
    size, for_low, for_high, total = sizes
    low, high = sized.bets.low, sized.bets.high
    slope = slope * (1 - 2 * sized.bets.player)
    for_low = for_low + slope * (low - size)
    for_high = for_high + slope * (high - size)
    good_low, good_high = jnp.maximum(for_low, 0), jnp.maximum(for_high, 0)
    both = good_low + good_high
    share = jnp.where(both > 0, good_high / jnp.where(both > 0, both, 1), 0.5)
    size = size + (low + share * (high - low) - size) / jnp.minimum(t, sized.n)
    return Sizes(size, for_low, for_high, total + jnp.where(t >= sized.average_from, size, 0))


def iteration(sized, sizes, t, depth, update):
    """The tables and the sizes after iteration t, given update(stake) = (tables, slope[ending])."""
    stake, back = jax.vjp(lambda size: stakes(sized, size, depth), sizes.size)
    tables, gradient = update(stake)
    return tables, resized(sized, sizes, back(gradient)[0], t)


@partial(dense.jit, static_argnames=("alternating", "depth"), donate_argnames=("tables",))
def iterate(game, sized, tables, sizes, settings, done, n, *, alternating, depth):
    """The tables and the sizes after `n` more iterations than `done`."""

    def one(i, carried):
        tables, sizes = carried
        t = (done + 1 + i).astype(sizes.size.dtype)

        def update(stake):
            return dense.iteration(game, tables, stake, settings, t, alternating)

        return iteration(sized, sizes, t, depth, update)

    return lax.fori_loop(0, n, one, (tables, sizes))


@partial(dense.jit, static_argnames=("alternating", "depth", "n_cards"), donate_argnames=("tables",))
def iterate_boards(game, sized, tables, sizes, boards, settings, done, n, *, alternating, depth, n_cards):
    """The same as `iterate` where iterations draw boards; those of all `n` lie in the block boards[iteration, ...]."""

    def one(i, carried):
        tables, sizes = carried
        t = (done + 1 + i).astype(sizes.size.dtype)

        def update(stake):
            return board.iteration(game, tables, board.nth(boards, done + i), stake, settings, t, alternating, n_cards)

        return iteration(sized, sizes, t, depth, update)

    return lax.fori_loop(0, n, one, (tables, sizes))
