# mypy: ignore-errors
"""Kernels of `board_cfr.BoardCfr`: CFR on sampled boards as dense array passes.

Two hands are equivalent on a board if they are in the same cell on every street and have the same final rank.
Equivalent hands form a *group*; a hold'em board has about a third as many groups as hands. An iteration makes the
passes of `_dense_jax` over the groups of each of its boards, with the same groups on every street.

Regrets, sums and strategies are tables by cell. Before the passes each group reads its strategy from its cell
(`on_groups`); after them, the groups' regrets are summed by cell (`by_cell`). Cells of different streets are therefore
independent: imperfect recall is allowed.
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.solvers.vector import _dense_jax as dense


class BoardHands(NamedTuple):
    """One board and the hands possible on it; for several boards, arrays have one more leading axis."""

    cards: dense.Array  # cards[hand, n], numbered from 0
    group: dense.Array  # group[hand]: the group of each hand
    cells: dense.Array  # cells[street, group]; 0 for groups that only fill up the array
    rank: dense.Array  # rank[group]: the higher rank wins
    weight: dense.Array  # weight[group]: its number of hands


class Met(NamedTuple):
    """Matrices of a board: the value of one chip for each group i of player 0 (rows) and j of player 1 (columns)."""

    joint: jax.Array  # joint[i, j]: probability that the players are dealt hands of these groups
    showdown: jax.Array  # showdown[i, j]: the same, negative if i loses to j, and 0 if they tie


def meet(board, n_cards, dtype):
    """Compute the pair matrices of a board's groups. Pairs of hands that share a card are impossible and are subtracted
    card by card. A hand of two cards shares both with itself, so that pair is added back once. Counts are whole
    numbers, so nothing is rounded before the division."""
    held = jax.nn.one_hot(board.cards, n_cards, dtype=dtype).sum(axis=1)
    member = jax.nn.one_hot(board.group, len(board.rank), dtype=dtype)
    holding = member.T @ held  # holding[group, card]: how many of its hands contain the card
    weight = board.weight.astype(dtype)
    joint = jnp.outer(weight, weight) - holding @ holding.T + jnp.diag((board.cards.shape[1] - 1) * weight)
    joint = joint / joint.sum()
    rank = board.rank.astype(jnp.int32)
    return Met(joint, joint * jnp.sign(rank[:, None] - rank[None, :]))


def unit_values(game, player, reach, met):
    """The `Units` of each street for `player`, given the opponent's `reach[street][node, group]`."""
    joint, showdown = (x.T if player == 0 else x for x in met)
    by_street = []
    for street, nodes in zip(game, reach, strict=True):
        side = street.sides[1 - player]
        fold = _product(dense._rows(nodes, side.fold_node), joint)
        by_street.append(dense.Units(fold, _product(dense._rows(nodes, side.show_node), showdown)))
    return by_street


def on_groups(tables, cells):
    """`x[street][edge, group]`: entries of tables[street][edge, cell] for the cell of each group."""
    return [dense._columns(table, cells[street].astype(jnp.int32)) for street, table in enumerate(tables)]


def by_cell(rows, cells, n_cells):
    """`x[street][edge, cell]`: the sum of rows[street][edge, group] over the groups of each cell."""
    return [_product(x, jax.nn.one_hot(cells[s], n_cells[s], dtype=x.dtype)) for s, x in enumerate(rows)]


def _product(rows, matrix):
    """`rows @ matrix` in full precision; by default a GPU would use only ten bits of each number."""
    return jnp.dot(rows, matrix, precision=lax.Precision.HIGHEST)


def _seen(game, player, strategy, board, stake, n_cards):
    """What a player learns from one board: (reach by cell, regrets by cell, slope[ending] of player 0's value)."""
    met = meet(board, n_cards, stake.dtype)
    n_cells = [table.shape[1] for table in strategy[player]]
    mixed = [on_groups(strategy[other], board.cells) for other in (0, 1)]
    reach = [dense.reaches(game, other, mixed[other]) for other in (0, 1)]
    units = unit_values(game, player, reach[1 - player], met)
    now, _ = dense.values(game, player, units, stake, mixed[player])
    own = [x * board.weight for x in dense.edge_reach(game, player, reach[player])]
    learned = by_cell(own, board.cells, n_cells), by_cell(now, board.cells, n_cells)
    slope = dense.slopes(game, units, reach[0], stake.shape[0]) if player == 0 else None
    return *learned, slope


def iteration(game, tables, boards, stake, settings, t, alternating, n_cards):
    """Return (tables after iteration t, slope[ending]). t is a float, from 1; slopes are d value / d stake for the
    strategies before the iteration."""

    def half(player, tables, strategy):
        seen = jax.vmap(lambda board: _seen(game, player, strategy, board, stake, n_cards))(boards)
        reach, now, slope = jax.tree.map(lambda x: x.mean(axis=0), seen)
        return dense.learned(game, player, tables, reach, now, settings, t), slope

    after, slope = half(0, tables, tables.strategy)
    after, _ = half(1, after, after.strategy if alternating else tables.strategy)
    return after, slope


def nth(boards, i):
    """The boards of iteration i (from 0), from a block. Blocks begin at multiples of their length."""
    return jax.tree.map(lambda x: x[i % x.shape[0]], boards)


@partial(dense.jit, static_argnames=("alternating", "n_cards"), donate_argnames="tables")
def iterate(game, tables, boards, stake, settings, done, n, *, alternating, n_cards):
    """Return the tables after `n` more iterations; `done` iterations were run before. Iteration i (from 0) uses
    boards[i, ...]."""

    def one(i, tables):
        t = (done + 1 + i).astype(stake.dtype)
        return iteration(game, tables, nth(boards, done + i), stake, settings, t, alternating, n_cards)[0]

    return lax.fori_loop(0, n, one, tables)


@partial(dense.jit, static_argnames="n_cards")
def values_of_boards(game, sums, boards, stake, *, n_cards):
    """`value[board]`: the average strategy's value to player 0 on each board."""
    average = dense.averages(game, sums, stake.dtype)

    def value(board):
        reach = [dense.reaches(game, player, on_groups(average[player], board.cells)) for player in (0, 1)]
        units = unit_values(game, 0, reach[1], meet(board, n_cards, stake.dtype))
        return (dense.slopes(game, units, reach[0], stake.shape[0]) * stake).sum()

    return jax.vmap(value)(boards)
