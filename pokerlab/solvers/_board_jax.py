# mypy: ignore-errors
"""CFR on sampled boards as dense array passes: the kernels behind `board_cfr.BoardCfr`.

Within an iteration hands are hands: the passes of `_dense_jax` go over columns (board, hand), the same on every street.
Tables are by cell: strategies are read from them by each column's cell, and what columns learn is added up by cell. So
cells need not remember anything (imperfect recall).
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.solvers import _dense_jax as dense


class Boards(NamedTuple):
    """Boards with all hands that they leave; one more axis in front where there are several iterations' worth."""

    cells: dense.Array  # [street, board, hand]
    rank: dense.Array  # [board, hand]: higher wins
    cards: dense.Array  # [board, hand, n]: the cards held, numbered from 0; one or two


class Met(NamedTuple):
    """How the hands of some boards meet."""

    held: jax.Array  # [board, hand, card]: 1 where the hand holds the card
    beats: jax.Array  # [board, i, j]: 1 where i beats j, -1 where it loses, 0 where they tie or share a card
    n_hole: int
    chance: float  # of one ordered pair of hands on one of the boards


def meet(boards, n_cards, dtype):
    """What the endings need of some boards."""
    held = jax.nn.one_hot(boards.cards, n_cards, dtype=dtype).sum(axis=2)
    apart = jnp.einsum("bic,bjc->bij", held, held) == 0
    rank = boards.rank.astype(jnp.int32)
    beats = jnp.where(apart, jnp.sign(rank[:, :, None] - rank[:, None, :]), 0).astype(dtype)
    n_boards, n_hands, n_hole = boards.cards.shape
    left = n_hands if n_hole == 1 else round((1 + (1 + 8 * n_hands) ** 0.5) / 2)  # cards: n_hands = C(left, n_hole)
    n_others = left - 1 if n_hole == 1 else (left - 2) * (left - 3) // 2
    return Met(held, beats, n_hole, 1 / (n_boards * n_hands * n_others))


def unit_values(game, player, reach, met):
    """`Units` by street, for `player` against an opponent with `reach[street][node, column]`."""
    n_boards, n_hands = met.held.shape[:2]
    axes = "tbj,bij->tbi" if player == 0 else "tbi,bij->tbj"
    found = []
    for street, nodes in zip(game, reach, strict=True):
        side = street.sides[1 - player]
        rows = dense._rows(nodes, side.fold_node).reshape(-1, n_boards, n_hands)
        by_card = jnp.einsum("tbh,bhc->tbc", rows, met.held)
        clash = jnp.einsum("tbc,bhc->tbh", by_card, met.held)  # a hand of two cards clashes with itself twice
        fold = rows.sum(axis=2, keepdims=True) - clash + (met.n_hole - 1) * rows
        rows = dense._rows(nodes, side.show_node).reshape(-1, n_boards, n_hands)
        show = jnp.einsum(axes, rows, met.beats)
        found.append(dense.Units(*(met.chance * x.reshape(x.shape[0], n_boards * n_hands) for x in (fold, show))))
    return found


def on_columns(tables, columns):
    """`[street][edge, column]` of tables[street][edge, cell], given columns[street][column] = cell."""
    return [dense._columns(table, cells) for table, cells in zip(tables, columns, strict=True)]


def by_cell(rows, columns, n_cells):
    """`[street][edge, cell]`: rows[street][edge, column] added up."""
    return [x @ jax.nn.one_hot(cells, n, dtype=x.dtype) for x, cells, n in zip(rows, columns, n_cells, strict=True)]


def iteration(game, tables, boards, stake, settings, t, alternating, n_cards):
    """Tables after iteration t (a float, from 1), and slope[ending] = d value / d stake of the strategies before it."""
    met = meet(boards, n_cards, stake.dtype)
    columns = [cells.reshape(-1).astype(jnp.int32) for cells in boards.cells]
    n_cells = [table.shape[1] for table in tables.strategy[0]]
    strategy = [on_columns(tables.strategy[player], columns) for player in (0, 1)]
    reach = [dense.reaches(game, player, strategy[player]) for player in (0, 1)]

    def half(player, tables, against):
        units = unit_values(game, player, against, met)
        now, _ = dense.values(game, player, units, stake, strategy[player])
        own = dense.edge_reach(game, player, reach[player])
        told = by_cell(own, columns, n_cells), by_cell(now, columns, n_cells)
        return dense.learned(game, player, tables, *told, settings, t), units

    after, units = half(0, tables, reach[1])
    slope = dense.slopes(game, units, reach[0], stake.shape[0])
    against = dense.reaches(game, 0, on_columns(after.strategy[0], columns)) if alternating else reach[0]
    after, _ = half(1, after, against)
    return after, slope


def nth(boards, i):
    """The boards of one iteration."""
    return jax.tree.map(lambda x: x[i], boards)


@partial(jax.jit, static_argnames=("alternating", "n_cards"), donate_argnames="tables")
def iterate(game, tables, boards, stake, settings, done, n, *, alternating, n_cards):
    """`n` iterations after the first `done`, on as many of boards[iteration, ...]."""

    def one(i, tables):
        t = (done + 1 + i).astype(stake.dtype)
        return iteration(game, tables, nth(boards, i), stake, settings, t, alternating, n_cards)[0]

    return lax.fori_loop(0, n, one, tables)


@partial(jax.jit, static_argnames="n_cards")
def values_of_boards(game, sums, boards, stake, *, n_cards):
    """`value[board]` to player 0 of the average strategy."""
    met = meet(boards, n_cards, stake.dtype)
    columns = [cells.reshape(-1).astype(jnp.int32) for cells in boards.cells]
    average = dense.averages(game, sums, stake.dtype)
    reach = [dense.reaches(game, player, on_columns(average[player], columns)) for player in (0, 1)]
    total = jnp.zeros(len(columns[0]), stake.dtype)
    for street, unit, nodes in zip(game, unit_values(game, 0, reach[1], met), reach[0], strict=True):
        side = street.sides[0]
        fold = dense._rows(stake, street.fold) * street.fold_sign
        total += (dense._rows(nodes, side.fold_node) * unit.fold * fold[:, None]).sum(axis=0)
        show = dense._rows(stake, street.show)
        total += (dense._rows(nodes, side.show_node) * unit.show * show[:, None]).sum(axis=0)
    n_boards = boards.rank.shape[0]
    return n_boards * total.reshape(n_boards, -1).sum(axis=1)
