# mypy: ignore-errors
"""Compiled part of `exact_response`: all hands on many boards at once, on a CPU or a GPU.

Opponent hands with the same buckets on every street act alike, so they have the same *reach* (probability of the
actions so far). Such hands of a board form a *column*. A board therefore needs only one reach for each column: 132
columns instead of 1,081 hands on average with `pr5`. It also needs, for each hand of ours, how many hands of a column
it beats and how many it can meet. Every sum for the river's betting is then one product of two matrices per board:

    sum[leaf, entry, hand] = reach[column, leaf, entry] * counts[column, hand]

Counts are whole numbers up to 1,081, which 16 bits hold exactly. On a GPU the reach is split into a sum of two 16-bit
numbers (22 bits in total), and products are added up in 32 bits. On a CPU everything is float32. Sums over boards are
float64.

Shapes: b boards of a batch, k columns, h hands (`WIDTH`), l leaves, e entries of the street, t turns, c combos.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pokerlab.abstraction.board_rows import RELABELLED
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS
from pokerlab.valuing import _exact_response_numba as layout
from pokerlab.valuing.street_betting import FOLD, best_values

WIDTH = layout.WIDTH
HIGHEST = jax.lax.Precision.HIGHEST
SAME_BITS = {"xla_gpu_autotune_level": 0, "xla_gpu_enable_triton_gemm": False}
"""Settings that make the compiler produce the same program every time. If it chose by timing, the last bits of results
could differ from run to run."""
HOLDS = np.zeros((N_COMBOS, 52), np.float32)  # 1 if the combo contains the card: [combo, card]
HOLDS[np.arange(N_COMBOS)[:, None], CARDS_OF_COMBO] = 1


class StreetReach(NamedTuple):
    """The opponent's reach on a street before the river, in the game with one hero."""

    before: Any  # for each earlier street [cell, e]: reach by the opponent's actions there
    folds: Any  # folds[cell, l, e]: reach by its actions on this street up to a fold, times the hero's payoff


class RiverReach(NamedTuple):
    """The opponent's reach on the river, times each leaf's payoff to the hero. Leaves are ordered as in
    `street_betting.Sums`."""

    before: Any  # for each earlier street [cell, e]
    shows: Any  # shows[cell, l, e]: showdowns alone in their sum
    both: Any  # (showdowns, folds), each [cell, l, e], that share a sum
    folds: Any  # folds[cell, l, e]: folds alone in their sum


class BettingForms(NamedTuple):
    """Parameters of the compiled code for one hero; hashable, so that JAX compiles once for each value."""

    flop: Any  # shape of each street's betting
    turn: Any
    river: Any
    scale: float  # power of two by which reach is multiplied before it is split into 16-bit numbers; 0 never splits


def river_counts(combo, rank, column, n_columns, dtype):
    """Return (won[b, k, h], met[b, k, h]): the number of hands of column k that hand h beats, minus those that beat it;
    and the number that it can meet."""
    low, high = (jnp.asarray(CARDS_OF_COMBO[:, i].astype(np.int8))[combo] for i in (1, 0))
    apart = (column >= 0)[:, None, :]
    for one in (low, high):
        for other in (low, high):
            apart = apart & (one[:, :, None] != other[:, None, :])
    beats = jnp.sign(rank[:, None, :] - rank[:, :, None])  # arrays below: [b, opponent's hand, h]
    member = (column[:, None, :] == jnp.arange(n_columns, dtype=column.dtype)[None, :, None]).astype(dtype)

    def count(matrix):
        return jnp.einsum("bkj,bjh->bkh", member, matrix.astype(dtype), precision=HIGHEST, preferred_element_type=dtype)

    return count(jnp.where(apart, beats, 0)), count(apart)


def _split(reach, scale):
    """Return the reach as terms stacked along the columns: one term (the reach itself), or two 16-bit terms that add up
    to `scale` times the reach."""
    if not scale:
        return reach
    scaled = reach * np.float32(scale)
    # a cast to 16 bits and back would be removed by the compiler
    high = jax.lax.reduce_precision(scaled, exponent_bits=5, mantissa_bits=10)
    return jnp.concatenate([high, scaled - high], axis=1).astype(jnp.float16)


def _product(reach, counts):
    """Return sum[b, l, e, h], the product of reach[b, k, l, e] and counts[b, k, h] over k."""
    return jnp.einsum("bkle,bkh->bleh", reach, counts, precision=HIGHEST, preferred_element_type=jnp.float32)


def river_values(form, tables, columns, won, met):
    """value[b, e, h] of the hero's hands on the river; columns[b, k, street] are the cells of each column."""
    reach = None
    for street, table in enumerate(tables.before):
        factor = table[columns[:, :, street]]
        reach = factor if reach is None else reach * factor
    if form.scale:
        won, met = jnp.concatenate([won, won], axis=1), jnp.concatenate([met, met], axis=1)

    def reached(table):
        return _split(reach[:, :, None, :] * table[columns[:, :, 3]], form.scale)

    both = jnp.concatenate([reached(table) for table in tables.both], axis=1)
    sums = (
        _product(reached(tables.shows), won),
        _product(both, jnp.concatenate([won, met], axis=1)),
        _product(reached(tables.folds), met),
    )
    place = [(i, j) for i, product in enumerate(sums) for j in range(product.shape[1])]

    def leaf(_, number):
        product, row = place[number]
        return sums[product][:, row]

    value = best_values(form.river, leaf, jnp.maximum)
    return value * np.float32(1 / form.scale) if form.scale else value


@partial(jax.jit, static_argnames=("forms", "n_columns"), donate_argnames=("totals",), compiler_options=SAME_BITS)
def add_rivers(forms, tables, packed, totals, turn, *, n_columns):
    """Add the rivers of a batch to totals[hero, t, e, c], each divided by its number of symmetries.

    `packed[b, field]` has boards of one turn as written by `pack_boards`. Rows that only fill up the batch are 0.
    """
    field = packed.astype(jnp.int32)
    combo, rank = field[:, layout.COMBO :][:, :WIDTH], field[:, layout.RANK :][:, :WIDTH]
    column, place = field[:, layout.COLUMN :][:, :WIDTH], field[:, layout.PLACE :][:, :N_COMBOS]
    symmetries = field[:, layout.SYMMETRIES].astype(totals.dtype)
    weight = jnp.where(symmetries > 0, 1 / jnp.maximum(symmetries, 1), 0)[:, None, None]
    columns = field[:, layout.COLUMNS :][:, : 4 * n_columns].reshape(len(field), n_columns, 4)
    dtype = jnp.float16 if forms[0].scale else jnp.float32
    won, met = river_counts(combo, rank, column, n_columns, dtype)
    for hero, form in enumerate(forms):
        value = river_values(form, tables[hero], columns, won, met)
        by_combo = jnp.take_along_axis(value, place[:, None, :], axis=2)
        totals = totals.at[hero, turn].add((weight * by_combo.astype(totals.dtype)).sum(axis=0))
    return totals


def _symmetric(values, group, weight):
    """Sum over i of weight[i] times values[..., combo with its suits relabelled by group[i]]."""
    relabelled = jnp.asarray(RELABELLED.astype(np.int32))
    total = weight[0] * values[..., relabelled[group[0]]]
    for i in range(1, group.shape[0]):
        total += weight[i] * values[..., relabelled[group[i]]]
    return total


def street_values(shape, tables, cells, live, goes_on):
    """Return value[e, c] on a street before the river, given cells[c, street], live[c] and the values of its exits [l,
    e, c]."""
    reach = live.astype(jnp.float32)[:, None]
    for street, table in enumerate(tables.before):
        reach = reach * table[cells[:, street]]
    mass = reach[:, None, :] * tables.folds[cells[:, len(tables.before)]]  # mass[c, l, e]
    by_card = jnp.einsum("cle,cd->dle", mass, jnp.asarray(HOLDS), precision=HIGHEST)
    first, second = (by_card[jnp.asarray(CARDS_OF_COMBO[:, i].astype(np.int32))] for i in (0, 1))
    folds = (mass.sum(axis=0)[None] - first - second + mass) * live.astype(jnp.float32)[:, None, None]
    folds = jnp.moveaxis(folds, 0, -1)

    def leaf(kind, number):
        return folds[number].astype(goes_on.dtype) if kind == FOLD else goes_on[number]

    return best_values(shape, leaf, jnp.maximum)


class Cards(NamedTuple):
    """A flop and its turns; of turns that are equal up to suits only one is present. Arrays over turns are padded to 49
    with weight 0."""

    flop_cells: Any  # cells on the flop: [c, street]
    flop_live: Any  # flop_live[c]
    flop_group: Any  # flop_group[i]: relabellings of suits that leave the flop unchanged
    flop_weight: Any  # flop_weight[i]: 1 over the number of turns possible given two hands; 0 past the last relabelling
    turn_cells: Any  # turn_cells[t, c, street]
    turn_live: Any  # turn_live[t, c]
    turn_group: Any  # turn_group[t, i]
    turn_weight: Any  # turn_weight[t, i]: as `flop_weight`, for rivers
    turn_share: Any  # turn_share[t]: 1 over the number of the turn's symmetries


@partial(jax.jit, static_argnames=("forms",), compiler_options=SAME_BITS)
def flop_values(forms, tables, cards, totals):
    """Return value[hero, e, c] on a flop, from totals[hero, t, e, c] of its rivers."""
    values = []
    for hero, form in enumerate(forms):
        flop, turn = tables[hero]

        def of_turn(cells, live, group, weight, total, form=form, turn=turn):
            exits = _symmetric(total, group, weight)
            exits = jnp.moveaxis(exits.reshape(turn.folds.shape[2], -1, N_COMBOS), 1, 0)
            return street_values(form.turn, turn, cells, live, exits)

        by_turn = (cards.turn_cells, cards.turn_live, cards.turn_group, cards.turn_weight)
        on_turns = jax.vmap(of_turn)(*by_turn, totals[hero])
        total = (cards.turn_share[:, None, None] * on_turns).sum(axis=0)
        exits = _symmetric(total, cards.flop_group, cards.flop_weight)
        exits = jnp.moveaxis(exits.reshape(flop.folds.shape[2], -1, N_COMBOS), 1, 0)
        values.append(street_values(form.flop, flop, cards.flop_cells, cards.flop_live, exits))
    return jnp.stack(values)
