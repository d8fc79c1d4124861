# mypy: ignore-errors
"""CFR on sampled boards as dense array passes: the kernels behind `board_cfr.BoardCfr`.

Hands that are in the same cells on every street and of the same rank on the river act and win alike, so the hands of a
board fall into *groups*, a third as many. Within an iteration the passes of `_dense_jax` go over the
groups of each board, the same on every street. Tables are by cell: strategies are read from them by each group's cell,
and what groups learn is added up by cell. So cells need not remember anything (imperfect recall).
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.solvers.vector import _dense_jax as dense


class Boards(NamedTuple):
    """One board with all hands that it leaves; with more axes in front, several."""

    cards: dense.Array  # [hand, n]: the cards held, numbered from 0
    group: dense.Array  # [hand]
    cells: dense.Array  # [street, group]; 0 where there are fewer groups
    rank: dense.Array  # [group]: higher wins
    weight: dense.Array  # [group]: how many hands


class Met(NamedTuple):
    """How the groups of a board meet: by how likely hands of both are dealt, which of them wins."""

    joint: jax.Array  # [i, j]
    showdown: jax.Array  # [i, j]: the same, negative where i loses to j, 0 where they tie


def meet(board, n_cards, dtype):
    """What the endings need of a board."""
    held = jax.nn.one_hot(board.cards, n_cards, dtype=dtype).sum(axis=1)
    apart = (held @ held.T == 0).astype(dtype)
    member = jax.nn.one_hot(board.group, len(board.rank), dtype=dtype)
    joint = member.T @ (apart @ member)
    joint = joint / joint.sum()
    rank = board.rank.astype(jnp.int32)
    return Met(joint, joint * jnp.sign(rank[:, None] - rank[None, :]))


def unit_values(game, player, reach, met):
    """`Units` by street, for `player` against an opponent with `reach[street][node, group]`."""
    joint, showdown = (x.T if player == 0 else x for x in met)
    found = []
    for street, nodes in zip(game, reach, strict=True):
        side = street.sides[1 - player]
        fold = dense._rows(nodes, side.fold_node) @ joint
        found.append(dense.Units(fold, dense._rows(nodes, side.show_node) @ showdown))
    return found


def on_groups(tables, cells):
    """`[street][edge, group]` of tables[street][edge, cell]."""
    return [dense._columns(table, cells[street].astype(jnp.int32)) for street, table in enumerate(tables)]


def by_cell(rows, cells, n_cells):
    """`[street][edge, cell]`: rows[street][edge, group] added up."""
    return [x @ jax.nn.one_hot(cells[street], n_cells[street], dtype=x.dtype) for street, x in enumerate(rows)]


def _seen(game, player, strategy, board, stake, n_cards):
    """What one board tells a player: (reach by cell, regrets by cell, slope[ending] to player 0)."""
    met = meet(board, n_cards, stake.dtype)
    n_cells = [table.shape[1] for table in strategy[player]]
    mixed = [on_groups(strategy[other], board.cells) for other in (0, 1)]
    reach = [dense.reaches(game, other, mixed[other]) for other in (0, 1)]
    units = unit_values(game, player, reach[1 - player], met)
    now, _ = dense.values(game, player, units, stake, mixed[player])
    own = [x * board.weight for x in dense.edge_reach(game, player, reach[player])]
    told = by_cell(own, board.cells, n_cells), by_cell(now, board.cells, n_cells)
    slope = dense.slopes(game, units, reach[0], stake.shape[0]) if player == 0 else None
    return *told, slope


def iteration(game, tables, boards, stake, settings, t, alternating, n_cards):
    """Tables after iteration t (a float, from 1), and slope[ending] = d value / d stake of the strategies before it."""

    def half(player, tables, strategy):
        seen = jax.vmap(lambda board: _seen(game, player, strategy, board, stake, n_cards))(boards)
        reach, now, slope = jax.tree.map(lambda x: x.mean(axis=0), seen)
        return dense.learned(game, player, tables, reach, now, settings, t), slope

    after, slope = half(0, tables, tables.strategy)
    after, _ = half(1, after, after.strategy if alternating else tables.strategy)
    return after, slope


def nth(boards, i):
    """The boards of iteration i (from 0), out of a block that begins at a multiple of its length."""
    return jax.tree.map(lambda x: x[i % x.shape[0]], boards)


@partial(dense.jit, static_argnames=("alternating", "n_cards"), donate_argnames="tables")
def iterate(game, tables, boards, stake, settings, done, n, *, alternating, n_cards):
    """`n` iterations after the first `done`, all of the block boards[iteration, ...]."""

    def one(i, tables):
        t = (done + 1 + i).astype(stake.dtype)
        return iteration(game, tables, nth(boards, done + i), stake, settings, t, alternating, n_cards)[0]

    return lax.fori_loop(0, n, one, tables)


@partial(dense.jit, static_argnames="n_cards")
def values_of_boards(game, sums, boards, stake, *, n_cards):
    """`value[board]` to player 0 of the average strategy."""
    average = dense.averages(game, sums, stake.dtype)

    def value(board):
        reach = [dense.reaches(game, player, on_groups(average[player], board.cells)) for player in (0, 1)]
        units = unit_values(game, 0, reach[1], meet(board, n_cards, stake.dtype))
        return (dense.slopes(game, units, reach[0], stake.shape[0]) * stake).sum()

    return jax.vmap(value)(boards)
