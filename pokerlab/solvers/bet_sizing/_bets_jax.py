# mypy: ignore-errors
"""BETS kernels for whole tables and for sampled boards: CFR iterations whose stakes depend on the bet sizes."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.solvers.bet_sizing.resizing import resized
from pokerlab.solvers.sampling import _board_jax as board
from pokerlab.solvers.vector import _dense_jax as dense


class Depth(NamedTuple):
    """Levels of a `sized_tree.SizedTree` after the same number of raises; tables have the layout of `_dense_jax`."""

    constant: Any  # [level]: chips
    grow: Any  # factor of `raised`, unless a sized bet makes the level
    less: Any  # factor of `before`, which is subtracted
    bet: Any  # [level]: the sized bet that makes it, -1 for none
    raised: Any  # [level]: the level that it raises, counted at the depth before
    before: Any  # [level]: the level that `raised` raised, counted two depths before
    endings: Any  # [level, n]: table of the endings whose stake it is
    raisers: Any  # [level, n]: table of the next depth's levels that raise it
    less_for: Any  # table of the levels two depths on that subtract a multiple of it


class DenseBetArrays(NamedTuple):
    """Arrays over the sized bets, in the form that kernels read."""

    place: Any  # [bet]: its level, counted over all depths
    sign: Any  # [bet]: 1 where player 0 makes it, -1 where player 1 does
    low: Any  # [bet]
    high: Any  # [bet]


class DealBlocks(NamedTuple):
    """Deals on which importance is measured; iteration t uses block t, cyclically."""

    cells: Any  # [block, player, street, deal]
    result: Any  # payoff of a showdown to player 0 per chip
    weight: Any  # [block, deal]: sums to 1 over a block


class Sized(NamedTuple):
    """Data of a BETS run."""

    depths: tuple[Depth, ...]
    stake_place: Any  # the level of its stake, counted over all depths
    bets: DenseBetArrays
    deals: DealBlocks
    n: Any  # N of equation 4.10
    discounted: Any  # whether regrets of sizes are discounted like those of the players
    average_from: Any  # the first iteration whose sizes are averaged


class DenseSizes(NamedTuple):
    """State of each bet; `importance` is the sum R of equation 5.4, divided by twice the range's width."""

    size: jax.Array  # [bet]
    for_low: jax.Array  # [bet]
    for_high: jax.Array  # [bet]
    total: jax.Array  # [bet]: the sum of the sizes to be averaged
    importance: jax.Array  # [bet]


def grown(sized, size):
    """`grow[depth][level]`: growth factors; those of sized bets are computed from `size[bet]`."""
    sizes = jnp.append(size, 0)  # index -1, for levels without a bet, reads the last one
    return [jnp.where(depth.bet >= 0, 1 + 2 * sizes[depth.bet], depth.grow) for depth in sized.depths]


def amounts(sized, grow):
    """`amount[depth][level]`: chips at each level."""
    by_depth = []
    for depth, more in zip(sized.depths, grow, strict=True):
        amount = depth.constant
        if len(by_depth) > 0:
            amount = amount + more * dense._rows(by_depth[-1], depth.raised)
        if len(by_depth) > 1:
            amount = amount - depth.less * dense._rows(by_depth[-2], depth.before)
        by_depth.append(amount)
    return by_depth


def stakes(sized, size):
    """`stake[ending]`: chips at stake at each terminal node."""
    return dense._rows(jnp.concatenate(amounts(sized, grown(sized, size))), sized.stake_place)


def slopes(sized, size, gradient):
    """`slope[bet, column]`: d value of the bettor / d size, given gradient[ending, column] = d value of player 0 / d
    stake.

    Sums over tables have a fixed order. Automatic differentiation of `stakes` would instead add to shared locations, in
    any order on a GPU.
    """
    grow = grown(sized, size)
    amount = amounts(sized, grow)
    worth = [None] * (len(grow) + 2)  # worth[depth][level, column] = d value / d amount
    for d in range(len(grow) - 1, -1, -1):
        depth = sized.depths[d]
        here = dense._added(gradient, depth.endings)
        if worth[d + 1] is not None:
            here = here + dense._added(grow[d + 1][:, None] * worth[d + 1], depth.raisers)
        if worth[d + 2] is not None:
            here = here - dense._added(sized.depths[d + 2].less[:, None] * worth[d + 2], depth.less_for)
        worth[d] = here
    raised = [jnp.zeros_like(amount[0]), *map(dense._rows, amount[:-1], [depth.raised for depth in sized.depths[1:]])]
    at_bets = dense._rows(jnp.concatenate(worth[: len(grow)]), sized.bets.place)
    return at_bets * (2 * sized.bets.sign * dense._rows(jnp.concatenate(raised), sized.bets.place))[:, None]


def on_deals(game, strategy, deals, n_endings):
    """`gradient[ending, deal]`: value to player 0 of a chip of each stake on single deals, weighted by both reaches,
    given `strategy[player][street][edge, cell]` and the deals' cells[player, street, deal]."""
    betting = [street._replace(parent=None) for street in game]  # a deal stays the same column on every street
    reach = []
    for player in (0, 1):
        cells = deals.cells[player]
        mixed = [dense._columns(table, cells[street]) for street, table in enumerate(strategy[player])]
        reach.append(dense.reaches(betting, player, mixed))
    gradient = jnp.zeros((n_endings, deals.result.shape[0]), deals.result.dtype)
    for street, one, other in zip(game, *reach, strict=True):
        ours, theirs = street.sides
        fold = dense._rows(one, ours.fold_node) * dense._rows(other, theirs.fold_node)
        show = dense._rows(one, ours.show_node) * dense._rows(other, theirs.show_node)
        gradient = gradient.at[street.fold].set(fold * street.fold_sign[:, None], unique_indices=True)
        gradient = gradient.at[street.show].set(show * deals.result, unique_indices=True)
    return gradient


def moved(sized, sizes, slope, important, settings, t):
    """Sizes after iteration t, given slope[bet] and each bet's importance in this iteration (equations 4.10 and
    5.4)."""
    size, for_low, for_high, total, importance = sizes
    keep, drop = (jnp.where(sized.discounted, factor, 1) for factor in dense.discounts(settings, t))
    rate = 1 / jnp.minimum(t, sized.n)
    size, for_low, for_high = resized(size, for_low, for_high, slope, sized.bets.low, sized.bets.high, rate, keep, drop)
    counted = jnp.where(t >= sized.average_from, size, 0)
    return DenseSizes(size, for_low, for_high, total + counted, importance + important)


def iteration(game, sized, strategy, sizes, settings, t, update):
    """Return the tables and the sizes after iteration t (from 0). `update(stake)` makes the iteration's update of the
    tables and returns (tables, slope[ending]). Slopes and importance are those of the strategies before the iteration.
    """
    stake = stakes(sized, sizes.size)
    deals = DealBlocks(*(x[t % x.shape[0]] for x in sized.deals))
    each = on_deals(game, strategy, deals, stake.shape[0])
    tables, exact = update(stake)
    slope = slopes(sized, sizes.size, jnp.concatenate([exact[:, None], each], axis=1))
    important = (jnp.abs(slope[:, 1:]) * deals.weight).sum(axis=1) / 2
    return tables, moved(sized, sizes, slope[:, 0], important, settings, (t + 1).astype(stake.dtype))


@partial(dense.jit, static_argnames="alternating", donate_argnames=("tables",))
def iterate(game, sized, tables, sizes, settings, done, n, *, alternating):
    """Return the tables and the sizes after `n` more iterations; `done` iterations were run before."""

    def update(tables, i, stake, t):
        return dense.iteration(game, tables, stake, settings, t, alternating)

    return _iterated(game, sized, tables, sizes, settings, done, n, update)


@partial(dense.jit, static_argnames=("alternating", "n_cards"), donate_argnames=("tables",))
def iterate_boards(game, sized, tables, sizes, boards, settings, done, n, *, alternating, n_cards):
    """Like `iterate`, but on sampled boards: the block boards[iteration, ...] has those of all `n` iterations."""

    def update(tables, i, stake, t):
        return board.iteration(game, tables, board.nth(boards, done + i), stake, settings, t, alternating, n_cards)

    return _iterated(game, sized, tables, sizes, settings, done, n, update)


def _iterated(game, sized, tables, sizes, settings, done, n, update):
    """Run `n` iterations, given update(tables, number, stake, t) = (tables, slope[ending])."""

    def one(i, carried):
        tables, sizes = carried
        t = (done + 1 + i).astype(sizes.size.dtype)
        strategy = tables.strategy
        return iteration(game, sized, strategy, sizes, settings, done + i, lambda stake: update(tables, i, stake, t))

    return lax.fori_loop(0, n, one, (tables, sizes))
