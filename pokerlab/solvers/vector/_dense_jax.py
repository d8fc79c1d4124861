# mypy: ignore-errors
"""Kernels of `dense.DenseCfr`: CFR over all (edge, cell) pairs of a betting tree, as dense array passes.

Each player is represented in sequence form, street by street: its *nodes* differ only by its own actions, and values
are summed over the opponent's actions in between. The rows of a street are the player's *entries* (its last edges
before the street), followed by its edges on the street, *level* by level. An edge's level is the number of the player's
own decisions before it on the street. For each player and street there are:

    reach[node, cell]     probability that the player's own actions lead there
    value[node, cell]     value of being there, weighted by the opponent's reach and the cards
    regret[edge, cell], sums[edge, cell], strategy[edge, cell]

Lists of different lengths (the edges of a decision, the terminal nodes after a node) are index tables: one row for each
list, padded with -1, which `_added` reads as 0. Sums therefore have a fixed order, and results are the same every time,
also on a GPU. The shapes of arrays do not depend on the numbers in the tables, so games of the same shape share
compiled code.
"""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

Array = Any  # a NumPy array before the transfer to the device, a JAX array on it

jit = partial(jax.jit, compiler_options={"xla_gpu_autotune_level": 0, "xla_gpu_enable_triton_gemm": False})
"""Compile without tuning the matrix products for a GPU, since each tree is compiled anew."""


class Level(NamedTuple):
    """Decisions of a player after the same number of its own decisions on the street, and their edges."""

    # source[edge]: the node before it, an index of the entries (level 0) or of the edges of the level before
    source: Array
    decision: Array  # decision[edge]: its decision, counted in the level
    edges: Array  # edges[decision, n]: index table of its edges, counted in the level
    children: Array  # children[edge, n]: index table of the next level's decisions after it


class DenseSide(NamedTuple):
    """One player's nodes on one street."""

    entry_source: Array  # entry_source[entry]: its node on the street before; on the first street, a single row of ones
    entry_children: Array  # entry_children[entry, n]: index table of the first level's decisions after it
    levels: tuple[Level, ...]
    decision: Array  # decision[edge]: its decision, counted on the street
    edges: Array  # edges[decision, n]: index table of its edges, counted on the street
    even: Array  # even[edge, 1]: 1 / (number of actions at its decision)
    fold_node: Array  # fold_node[fold]: the player's node before it
    show_node: Array  # show_node[showdown]: the player's node before it
    folds: Array  # folds[node, n]: index table of the folds after it
    shows: Array  # shows[node, n]: index table of the showdowns after it
    next_entry: Array  # next_entry[node, 1]: index table of the next street's entries


class DenseStreet(NamedTuple):
    """Data of one street that both players share."""

    joint: Array  # joint[board, i, j]: probability of a pair of cells
    showdown: Array  # showdown[board, i, j]: player 0's payoff per chip, times the probability
    parent: Array  # parent[cell]: the cell on the street before; None if cells do not change
    kids: Array  # kids[cell on the street before, n]: index table of cells, or None
    fold: Array  # fold[fold]: its number in the tree
    fold_sign: Array  # fold_sign[fold]: 1 if player 1 folded, -1 if player 0 did
    show: Array  # show[showdown]: its number in the tree
    sides: tuple[DenseSide, DenseSide]


class DenseSettings(NamedTuple):
    """A `Variant`, encoded as numbers."""

    alpha: Array
    beta: Array
    gamma: Array
    growth: Array
    floor: Array
    predictive: Array


class DenseTables(NamedTuple):
    """State of CFR: `[player][street][edge, cell]`, with edges in the order of the levels."""

    regret: tuple[tuple[Array, ...], ...]
    sums: tuple[tuple[Array, ...], ...]
    strategy: tuple[tuple[Array, ...], ...]


class Units(NamedTuple):
    """The value of one chip at the terminal nodes of a street, `[ending, cell]`: pair matrices times the opponent's
    reach."""

    fold: Array
    show: Array


def _rows(x, index):
    """Rows x[index]; every index must be valid."""
    return x.at[index].get(mode="promise_in_bounds", wrap_negative_indices=False)


def _columns(x, index):
    """Columns x[:, index]; every index must be valid."""
    return x.at[:, index].get(mode="promise_in_bounds", wrap_negative_indices=False)


def _added(x, table):
    """`sum[row, cell]`: for each row of the index table, the sum of the rows of x that it lists."""
    if x.shape[0] == 0 or table.shape[1] == 0:
        return jnp.zeros((table.shape[0], x.shape[1]), x.dtype)
    return jnp.where((table >= 0)[:, :, None], _rows(x, jnp.maximum(table, 0)), 0).sum(axis=1)


def _largest(x, table):
    """`max[row, cell]`: for each row of the index table, the maximum of the rows of x that it lists."""
    return jnp.where((table >= 0)[:, :, None], _rows(x, jnp.maximum(table, 0)), -jnp.inf).max(axis=1)


def _parts(levels, x):
    """Split the rows x[edge] into one part for each level."""
    ends, at = [], 0
    for level in levels:
        at += level.source.shape[0]
        ends.append(at)
    return [x[end - level.source.shape[0] : end] for level, end in zip(levels, ends, strict=True)]


def reaches(game, player, strategy):
    """`reach[street][node, cell]` of a player's own actions."""
    by_street = []
    before = jnp.ones((1, strategy[0].shape[1]), strategy[0].dtype)
    for street, p in zip(game, strategy, strict=True):
        side = street.sides[player]
        entries = _rows(before, side.entry_source)
        above = entries if not by_street or street.parent is None else _columns(entries, street.parent)
        nodes = [above]
        for level, part in zip(side.levels, _parts(side.levels, p), strict=True):
            above = part * _rows(above, level.source)
            nodes.append(above)
        before = jnp.concatenate(nodes)
        by_street.append(before)
    return by_street


def unit_values(game, player, reach):
    """The `Units` of each street for `player`, given the opponent's `reach[street][node, cell]`."""
    by_street = []
    for street, nodes in zip(game, reach, strict=True):
        side = street.sides[1 - player]
        fold = _product(street.joint, _rows(nodes, side.fold_node), player)
        by_street.append(Units(fold, _product(street.showdown, _rows(nodes, side.show_node), player)))
    return by_street


def signs(street, player):
    """Sign of `player`'s stake at folds (-1 if it folded), and at showdowns (relative to player 0's matrix)."""
    mine = 1 if player == 0 else -1
    return mine * street.fold_sign, mine


def _product(matrix, rows, player):
    """`rows[ending, cell of the opponent]` times a pair matrix, board by board."""
    if matrix.shape[0] == 1:
        return jnp.dot(rows, matrix[0].T if player == 0 else matrix[0], precision=lax.Precision.HIGHEST)
    blocks = rows.reshape(rows.shape[0], matrix.shape[0], matrix.shape[1])
    axes = "tbj,bij->tbi" if player == 0 else "tbi,bij->tbj"
    return jnp.einsum(axes, blocks, matrix, precision=lax.Precision.HIGHEST).reshape(rows.shape)


def values(game, player, units, stake, strategy):
    """Return (advantages of edges over their decisions, `now[street][edge, cell]`; the value `root[cell]`).
    `strategy[street][edge, cell]` is the player's own strategy; with None it plays a best response."""
    advantages = []
    later = None  # later[entry of the next street, cell of this street]: its value
    for s in range(len(game) - 1, -1, -1):
        street, side = game[s], game[s].sides[player]
        fold_sign, show_sign = signs(street, player)
        base = _added(units[s].fold * (_rows(stake, street.fold) * fold_sign)[:, None], side.folds)
        base += _added(units[s].show * (_rows(stake, street.show) * show_sign)[:, None], side.shows)
        if later is not None:
            base += _added(later, side.next_entry)
        n_entries = side.entry_source.shape[0]
        entries, parts = base[:n_entries], _parts(side.levels, base[n_entries:])
        mixes = _parts(side.levels, strategy[s]) if strategy is not None else parts
        of_decision, now = None, []
        for level, value, mix in zip(reversed(side.levels), reversed(parts), reversed(mixes), strict=True):
            if of_decision is not None:
                value = value + _added(of_decision, level.children)
            of_decision = _largest(value, level.edges) if strategy is None else _added(mix * value, level.edges)
            now.insert(0, value - _rows(of_decision, level.decision))
        if of_decision is not None:
            entries = entries + _added(of_decision, side.entry_children)
        advantages.insert(0, jnp.concatenate(now) if now else base[n_entries:])
        if street.kids is None:
            later = entries
        elif s > 0:
            later = jnp.where(street.kids >= 0, _columns(entries, jnp.maximum(street.kids, 0)), 0).sum(axis=2)
    return advantages, entries[0]


def slopes(game, units, reach, n_endings):
    """`slope[ending]` = d value of player 0 / d stake, from player 0's `units` and its own reach."""
    slope = jnp.zeros(n_endings, reach[0].dtype)
    for street, unit, nodes in zip(game, units, reach, strict=True):
        side = street.sides[0]
        fold = (_rows(nodes, side.fold_node) * unit.fold).sum(axis=1) * street.fold_sign
        slope = slope.at[street.fold].set(fold)
        slope = slope.at[street.show].set((_rows(nodes, side.show_node) * unit.show).sum(axis=1))
    return slope


def matched(side, lean):
    """`strategy[edge, cell]` in proportion to the positive part of lean[edge, cell]; uniform if there is none."""
    if lean.shape[0] == 0:
        return lean
    positive = jnp.maximum(lean, 0)
    total = _rows(_added(positive, side.edges), side.decision)
    return jnp.where(total > 0, positive / jnp.where(total > 0, total, 1), side.even.astype(lean.dtype))


def _discount(power, t):
    """(t - 1)^power / ((t - 1)^power + 1), also for an infinite power."""
    kept = 1 / (1 + (t - 1) ** -power)
    return jnp.where(jnp.isinf(power), jnp.where(power > 0, 1.0, 0.0), kept).astype(t.dtype)


def discounts(settings, t):
    """Discount factors of positive and of negative regrets at iteration t."""
    return _discount(settings.alpha + settings.growth * t, t), _discount(settings.beta, t)


def updated(side, regret, sums, reach, now, settings, t):
    """Return (regret, sums, strategy) of a player on one street after iteration t, given `reach[edge, cell]` of the
    player's own actions."""
    keep, drop = discounts(settings, t)
    regret = regret * jnp.where(regret > 0, keep, drop) + now
    regret = jnp.where(settings.floor, jnp.maximum(regret, 0), regret)
    lean = jnp.where(settings.predictive, regret * discounts(settings, t + 1)[0] + now, regret)
    fade = jnp.where(settings.gamma == 0, 1, jnp.exp(settings.gamma * jnp.log1p(-1 / t)))  # is 0 at t = 1
    return regret, sums * fade + reach, matched(side, lean)


def half(game, player, tables, own, against, stake, settings, t):
    """Return the tables after `player`'s part of iteration t, and its units; `own` and `against` are the reaches."""
    units = unit_values(game, player, against)
    now, _ = values(game, player, units, stake, tables.strategy[player])
    return learned(game, player, tables, edge_reach(game, player, own), now, settings, t), units


def edge_reach(game, player, reach):
    """`reach[street][edge, cell]`: the rows of reach[street][node, cell] that are edges rather than entries."""
    return [nodes[street.sides[player].entry_source.shape[0] :] for street, nodes in zip(game, reach, strict=True)]


def learned(game, player, tables, reach, now, settings, t):
    """Return the tables after `player`'s update with the advantages of its edges, now[street][edge, cell]."""
    new = [
        updated(street.sides[player], tables.regret[player][s], tables.sums[player][s], reach[s], now[s], settings, t)
        for s, street in enumerate(game)
    ]
    mine = DenseTables(*zip(*new, strict=True))
    return DenseTables(*((x, old[1]) if player == 0 else (old[0], x) for x, old in zip(mine, tables, strict=True)))


def iteration(game, tables, stake, settings, t, alternating):
    """Return the tables after iteration t (a float, from 1), and slope[ending] = d value / d stake for the strategies
    before it."""
    reach = [reaches(game, player, tables.strategy[player]) for player in (0, 1)]
    after, units = half(game, 0, tables, reach[0], reach[1], stake, settings, t)
    slope = slopes(game, units, reach[0], stake.shape[0])
    against = reaches(game, 0, after.strategy[0]) if alternating else reach[0]
    after, _ = half(game, 1, after, reach[1], against, stake, settings, t)
    return after, slope


@partial(jit, static_argnames="alternating", donate_argnames="tables")
def iterate(game, tables, stake, settings, done, n, *, alternating):
    """Return the tables after `n` more iterations; `done` iterations were run before."""

    def one(i, tables):
        t = (done + 1 + i).astype(stake.dtype)
        return iteration(game, tables, stake, settings, t, alternating)[0]

    return lax.fori_loop(0, n, one, tables)


one_iteration = jit(iteration, static_argnames="alternating")


def finished(tables: DenseTables) -> DenseTables:
    """Wait until the device has finished computing the tables."""
    return jax.block_until_ready(tables)


@jit
def current_slopes(game, strategy, stake):
    """Return (value to player 0, slope[ending]) of strategy[player][street][edge, cell]."""
    reach = [reaches(game, player, strategy[player]) for player in (0, 1)]
    slope = slopes(game, unit_values(game, 0, reach[1]), reach[0], stake.shape[0])
    return (slope * stake).sum(), slope


def averages(game, sums, dtype):
    """`strategy[player][street][edge, cell]` in proportion to the sums."""
    return [
        [matched(street.sides[player], part.astype(dtype)) for street, part in zip(game, sums[player], strict=True)]
        for player in (0, 1)
    ]


@jit
def bounds(game, sums, stake):
    """Return (value to player 0, best response of player 0, best response of player 1) of the average strategy, in the
    stakes' precision."""
    average = averages(game, sums, stake.dtype)
    reach = [reaches(game, player, average[player]) for player in (0, 1)]
    units = [unit_values(game, player, reach[1 - player]) for player in (0, 1)]
    value = (slopes(game, units[0], reach[0], stake.shape[0]) * stake).sum()
    best = [values(game, player, units[player], stake, None)[1].sum() for player in (0, 1)]
    return value, best[0], best[1]
