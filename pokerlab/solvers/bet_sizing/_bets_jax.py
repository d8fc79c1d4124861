# mypy: ignore-errors
"""Kernels of BETS for whole tables and for sampled boards: CFR iterations whose stakes depend on the bet sizes."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.solvers.bet_sizing.resizing import resized
from pokerlab.solvers.sampling import _board_jax as board
from pokerlab.solvers.vector import _dense_jax as dense


class Depth(NamedTuple):
    """The levels of a `sized_tree.SizedTree` after the same number of raises. Index tables are as in `_dense_jax`."""

    constant: Any  # constant[level], in chips
    grow: Any  # grow[level]: factor of `raised`, unless a sized bet makes the level
    less: Any  # less[level]: factor of `before`, which is subtracted
    bet: Any  # bet[level]: the sized bet that makes it, -1 for none
    raised: Any  # raised[level]: the level that it raises, counted at the depth before
    before: Any  # before[level]: the level that `raised` raised, counted two depths before
    endings: Any  # endings[level, n]: index table of the endings whose stake it is
    raisers: Any  # raisers[level, n]: index table of the next depth's levels that raise it
    less_for: Any  # index table of the levels, two depths later, that subtract a multiple of it


class DenseBetArrays(NamedTuple):
    """Arrays over the sized bets, as the kernels need them."""

    place: Any  # place[bet]: its level, counted over all depths
    sign: Any  # sign[bet]: 1 for bets of player 0, -1 for bets of player 1
    low: Any  # low[bet]
    high: Any  # high[bet]


class DealBlocks(NamedTuple):
    """The deals on which importance is measured. Iteration t uses block t; after the last block comes the first
    again."""

    cells: Any  # cells[block, player, street, deal]
    result: Any  # result[block, deal]: player 0's payoff of a showdown, per chip
    weight: Any  # weight[block, deal]: sums to 1 over a block


class Sized(NamedTuple):
    """Data of a BETS run."""

    depths: tuple[Depth, ...]
    stake_place: Any  # stake_place[ending]: the level of its stake, counted over all depths
    bets: DenseBetArrays
    deals: DealBlocks
    n: Any  # N of equation 4.10
    discounted: Any  # whether regrets of sizes are discounted like those of the players
    average_from: Any  # the first iteration whose sizes are averaged


class DenseSizes(NamedTuple):
    """State of each sized bet. `importance` is the sum R of equation 5.4, divided by twice the range's width."""

    size: jax.Array  # size[bet]
    for_low: jax.Array  # for_low[bet]
    for_high: jax.Array  # for_high[bet]
    total: jax.Array  # total[bet]: the sum of the sizes that are averaged
    importance: jax.Array  # importance[bet]


def grown(sized, size):
    """`grow[depth][level]`: growth factors; those of sized bets are computed from `size[bet]`."""
    sizes = jnp.append(size, 0)  # levels without a bet have index -1, which reads the appended 0
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
    """Return `slope[bet, column]`: the derivative of the bettor's value with respect to the size of the bet.

    It is computed from `gradient[ending, column]`, the derivative of player 0's value with respect to the chips at
    stake at a terminal node. Sums over index tables have a fixed order. Automatic differentiation of `stakes` would
    instead add numbers in any order on a GPU.
    """
    grow = grown(sized, size)
    amount = amounts(sized, grow)
    worth = [None] * (len(grow) + 2)  # worth[depth][level, column]: d value / d amount of the level
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
    """`gradient[ending, deal]`: value to player 0 of one chip at each ending on single deals, weighted by both players'
    reach. The arguments are `strategy[player][street][edge, cell]` and the deals' cells[player, street, deal]."""
    betting = [street._replace(parent=None) for street in game]  # a deal has the same column on every street
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
    """The sizes after iteration t, given slope[bet] and each bet's importance in this iteration (equations 4.10 and
    5.4)."""
    size, for_low, for_high, total, importance = sizes
    keep, drop = (jnp.where(sized.discounted, factor, 1) for factor in dense.discounts(settings, t))
    rate = 1 / jnp.minimum(t, sized.n)
    size, for_low, for_high = resized(size, for_low, for_high, slope, sized.bets.low, sized.bets.high, rate, keep, drop)
    counted = jnp.where(t >= sized.average_from, size, 0)
    return DenseSizes(size, for_low, for_high, total + counted, importance + important)


def iteration(game, sized, strategy, sizes, settings, t, update):
    """Return (tables, sizes) after iteration t (from 0). `update(stake)` makes the CFR update and returns (tables,
    slope[ending]). Slopes and importance are those of the strategies before the iteration.
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
    """Like `iterate`, but on sampled boards. boards[iteration, ...] are the boards of the `n` iterations."""

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
