# mypy: ignore-errors
"""CFR on (betting tree x cells) as dense array passes: the kernels behind `dense.DenseCfr`.

Each player is seen in sequence form, street by street. Its *nodes* on a street are rows: first the entries (what it did
before the street), then its edges, level by level (level = own decisions before it on the street). What the opponent
does in between only adds up. Per player and street:

    reach[node, cell]     how likely the player's own actions are to lead there
    value[node, cell]     what being there is worth, weighted by the opponent's reach and the cards
    regret[edge, cell], sums[edge, cell], strategy[edge, cell]

Lists of different lengths (the edges of a decision, the endings after a node) are index tables with one column for each
place, filled up with an index beyond the end; `_added` reads that as 0. Sums so have a fixed order: the same bits every
time, on a GPU too. Nothing here depends on the numbers in the tables, so games of one shape share compiled code.
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class Level(NamedTuple):
    """Decisions of a player that come after equally many of its own on the street, and their edges."""

    source: jax.Array  # [edge]: node before it, counted among the entries (level 0) or the edges of the level above
    decision: jax.Array  # [edge]: its decision, counted in the level
    edges: jax.Array  # [decision, n]: table of edges, counted in the level
    children: jax.Array  # [edge, n]: table of the next level's decisions


class Side(NamedTuple):
    """One player's nodes on one street."""

    entry_source: jax.Array  # [entry]: node of the street before (on the first street: the one row of ones)
    entry_children: jax.Array  # [entry, n]: table of the first level's decisions
    levels: tuple[Level, ...]
    decision: jax.Array  # [edge]: its decision, counted on the street
    edges: jax.Array  # [decision, n]: table of edges, counted on the street
    even: jax.Array  # [edge, 1]: 1 / (number of actions at its decision)
    fold_node: jax.Array  # [fold ending]: the node it comes after
    show_node: jax.Array  # [showdown ending]
    folds: jax.Array  # [node, n]: table of fold endings that come after a node
    shows: jax.Array  # [node, n]: table of showdown endings
    next_entry: jax.Array  # [node, 1]: table of the next street's entries


class Street(NamedTuple):
    """What both players share on one street."""

    joint: jax.Array  # [board, i, j]
    showdown: jax.Array  # [board, i, j]
    parent: jax.Array  # [cell]: the cell of the street before
    kids: jax.Array  # [cell of the street before, n]: table of cells
    fold: jax.Array  # [fold ending]: its number in the tree
    fold_sign: jax.Array  # [fold ending]: 1 where player 1 folded, -1 where player 0 did
    show: jax.Array  # [showdown ending]: its number in the tree
    sides: tuple[Side, Side]


class Settings(NamedTuple):
    """A `Variant` as numbers."""

    alpha: jax.Array
    beta: jax.Array
    gamma: jax.Array
    floor: jax.Array
    predictive: jax.Array


class Tables(NamedTuple):
    """What CFR keeps: `[player][street][edge, cell]`, edges in the order of the levels."""

    regret: tuple
    sums: tuple
    strategy: tuple


class Units(NamedTuple):
    """Value of one chip of stake to one player at the endings of a street: `[ending, cell]`."""

    fold: jax.Array
    show: jax.Array


def _added(x, table):
    """`sum[row, cell]` of the rows of x that each row of a table names."""
    if x.shape[0] == 0 or table.shape[1] == 0:
        return jnp.zeros((table.shape[0], x.shape[1]), x.dtype)
    return sum(x.at[table[:, k]].get(mode="fill", fill_value=0) for k in range(table.shape[1]))


def _largest(x, table):
    """`max[row, cell]` of the rows of x that each row of a table names."""
    columns = [x.at[table[:, k]].get(mode="fill", fill_value=-jnp.inf) for k in range(table.shape[1])]
    largest = columns[0]
    for column in columns[1:]:
        largest = jnp.maximum(largest, column)
    return largest


def _parts(levels, x):
    """Rows by edge, cut into levels."""
    ends, at = [], 0
    for level in levels:
        at += level.source.shape[0]
        ends.append(at)
    return [x[end - level.source.shape[0] : end] for level, end in zip(levels, ends, strict=True)]


def _joined(parts, like):
    return jnp.concatenate(parts) if parts else like


def reaches(game, player, strategy):
    """`reach[street][node, cell]` of a player's own actions."""
    found = []
    before = jnp.ones((1, game[0].parent.shape[0]), strategy[0].dtype)
    for street, p in zip(game, strategy, strict=True):
        side = street.sides[player]
        entries = before[side.entry_source]
        above = entries if not found else entries[:, street.parent]
        nodes = [above]
        for level, part in zip(side.levels, _parts(side.levels, p), strict=True):
            above = part * above[level.source]
            nodes.append(above)
        before = jnp.concatenate(nodes)
        found.append(before)
    return found


def unit_values(game, player, reach):
    """`Units` by street, for `player` against an opponent with `reach[street][node, cell]`."""
    found = []
    for street, nodes in zip(game, reach, strict=True):
        side = street.sides[1 - player]
        # Player 0's fold wins are where player 1 folded; a showdown matrix is player 0's.
        sign = street.fold_sign if player == 0 else -street.fold_sign
        fold = _product(street.joint, nodes[side.fold_node], player) * sign[:, None].astype(nodes.dtype)
        show = _product(street.showdown, nodes[side.show_node], player)
        found.append(Units(fold, show if player == 0 else -show))
    return found


def _product(matrix, rows, player):
    """`rows[ending, cell of the opponent]` times a pair matrix, board by board."""
    if matrix.shape[0] == 1:
        return jnp.dot(rows, matrix[0].T if player == 0 else matrix[0], precision=lax.Precision.HIGHEST)
    blocks = rows.reshape(rows.shape[0], matrix.shape[0], matrix.shape[1])
    axes = "tbj,bij->tbi" if player == 0 else "tbi,bij->tbj"
    return jnp.einsum(axes, blocks, matrix, precision=lax.Precision.HIGHEST).reshape(rows.shape)


class Worth(NamedTuple):
    """Values of one player: of edges and of what its decisions are worth, `[street][edge, cell]`; `root[cell]`."""

    edge: list
    decision: list
    root: jax.Array


def values(game, player, units, stake, strategy):
    """From the endings up; `strategy[street][edge, cell]` of the player, or None to respond best."""
    edge, decision = [], []
    later = None  # value[entry of the next street, cell of this street]
    for s in range(len(game) - 1, -1, -1):
        street = game[s]
        side = street.sides[player]
        base = _added(units[s].fold * stake[street.fold][:, None], side.folds)
        base += _added(units[s].show * stake[street.show][:, None], side.shows)
        if later is not None:
            base += _added(later, side.next_entry)
        n_entries = side.entry_source.shape[0]
        parts = _parts(side.levels, base[n_entries:])
        mixes = _parts(side.levels, strategy[s]) if strategy is not None else parts
        of_decision, worth, spread = None, [], []
        for level, value, mix in zip(reversed(side.levels), reversed(parts), reversed(mixes), strict=True):
            if of_decision is not None:
                value = value + _added(of_decision, level.children)
            of_decision = _largest(value, level.edges) if strategy is None else _added(mix * value, level.edges)
            worth.insert(0, value)
            spread.insert(0, of_decision[level.decision])
        entries = base[:n_entries]
        if of_decision is not None:
            entries = entries + _added(of_decision, side.entry_children)
        edge.insert(0, _joined(worth, base[n_entries:]))
        decision.insert(0, _joined(spread, base[n_entries:]))
        if s > 0:
            later = sum(
                entries.at[:, street.kids[:, k]].get(mode="fill", fill_value=0) for k in range(street.kids.shape[1])
            )
    return Worth(edge, decision, entries[0])


def slopes(game, player, units, reach, n_endings):
    """`slope[ending]`: d value / d stake, from a player's unit values and its own reach."""
    slope = jnp.zeros(n_endings, reach[0].dtype)
    for street, unit, nodes in zip(game, units, reach, strict=True):
        side = street.sides[player]
        slope = slope.at[street.fold].set((nodes[side.fold_node] * unit.fold).sum(axis=1))
        slope = slope.at[street.show].set((nodes[side.show_node] * unit.show).sum(axis=1))
    return slope


def matched(side, lean):
    """`strategy[edge, cell]` in proportion to what is positive in lean[edge, cell], else even."""
    if lean.shape[0] == 0:
        return lean
    positive = jnp.maximum(lean, 0)
    total = _added(positive, side.edges)[side.decision]
    return jnp.where(total > 0, positive / jnp.where(total > 0, total, 1), side.even.astype(lean.dtype))


def _discount(power, t):
    """(t - 1)^power / ((t - 1)^power + 1), never a NaN."""
    kept = 1 / (1 + (t - 1) ** -power)
    return jnp.where(jnp.isinf(power), jnp.where(power > 0, 1.0, 0.0), kept).astype(t.dtype)


def _update(street, player, tables, reach, worth, settings, t):
    """One player's (regret, sums, strategy) after iteration t, on one street."""
    regret, sums, _ = tables
    side = street.sides[player]
    now = worth[0] - worth[1]
    r = regret * jnp.where(regret > 0, _discount(settings.alpha, t), _discount(settings.beta, t)) + now
    r = jnp.where(settings.floor, jnp.maximum(r, 0), r)
    lean = jnp.where(settings.predictive, r * _discount(settings.alpha, t + 1) + now, r)
    fade = jnp.exp(settings.gamma * jnp.log1p(-1 / t)).astype(r.dtype)  # 0 at t = 1 unless gamma is 0
    fade = jnp.where(settings.gamma == 0, jnp.ones_like(fade), fade)
    sums = sums * fade + reach[side.entry_source.shape[0] :]
    return r, sums, matched(side, lean)


def _half(game, player, tables, own, against, stake, settings, t):
    """`player`'s tables after iteration t, and its unit values; `own` and `against` are the reaches."""
    units = unit_values(game, player, against)
    worth = values(game, player, units, stake, tables.strategy[player])
    new = [
        _update(street, player, [x[player][s] for x in tables], own[s], (worth.edge[s], worth.decision[s]), settings, t)
        for s, street in enumerate(game)
    ]
    regret, sums, strategy = zip(*new, strict=True)

    def replaced(old, mine):
        return (mine, old[1]) if player == 0 else (old[0], mine)

    after = Tables(*(replaced(old, mine) for old, mine in zip(tables, (regret, sums, strategy), strict=True)))
    return after, units


def iteration(game, tables, stake, settings, t, alternating):
    """Tables after iteration t (a float, from 1), and slope[ending] = d value / d stake of the strategies before it."""
    reach = [reaches(game, player, tables.strategy[player]) for player in (0, 1)]
    after, units = _half(game, 0, tables, reach[0], reach[1], stake, settings, t)
    slope = slopes(game, 0, units, reach[0], stake.shape[0])
    against = reaches(game, 0, after.strategy[0]) if alternating else reach[0]
    after, _ = _half(game, 1, after, reach[1], against, stake, settings, t)
    return after, slope


@partial(jax.jit, static_argnames="alternating", donate_argnames="tables")
def iterate(game, tables, stake, settings, done, n, *, alternating):
    """`n` iterations after the first `done`."""

    def one(i, tables):
        t = (done + 1 + i).astype(stake.dtype)
        return iteration(game, tables, stake, settings, t, alternating)[0]

    return lax.fori_loop(0, n, one, tables)


@jax.jit
def current_slopes(game, strategy, stake):
    """(value to player 0, slope[ending]) of strategy[player][street][edge, cell]."""
    reach = [reaches(game, player, strategy[player]) for player in (0, 1)]
    slope = slopes(game, 0, unit_values(game, 0, reach[1]), reach[0], stake.shape[0])
    return slope @ stake, slope


@jax.jit
def bounds(game, sums, stake):
    """(value to player 0, best response of 0, best response of 1) of the average strategy, in the stakes' precision."""
    average = [
        [matched(street.sides[player], part.astype(stake.dtype)) for street, part in zip(game, sums[player], strict=True)]
        for player in (0, 1)
    ]
    reach = [reaches(game, player, average[player]) for player in (0, 1)]
    units = [unit_values(game, player, reach[1 - player]) for player in (0, 1)]
    value = slopes(game, 0, units[0], reach[0], stake.shape[0]) @ stake
    best = [values(game, player, units[player], stake, None).root.sum() for player in (0, 1)]
    return value, best[0], best[1]
