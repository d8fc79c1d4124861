# mypy: ignore-errors
"""Compiled part of `response_training` that works on boards: a best response with all hands on a flop, and its
gradient. One flop takes two passes over its rivers:

1. forward: values of the hero's hands on the river, by the matrix products of `valuing._exact_response_jax`, with the
   best actions stored as one byte each; then values on the turn and the flop;
2. backward: the weight with which the hero's hands reach each sum, times the same counts of hands, summed by cell.

Reach and weights are 16-bit numbers in products and 32-bit in sums: precise enough to learn from, but not for a
measurement.

Shapes are those of `_response_training_jax`; also b boards, k columns (hands of a board with the same cells on all
streets), h hands.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pokerlab.agents._response_training_jax import reach_of
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS
from pokerlab.valuing import _exact_response_numba as layout
from pokerlab.valuing._exact_response_jax import HOLDS, WIDTH, _symmetric, river_counts
from pokerlab.valuing.street_betting import FOLD, HERO, OPPONENT, best_values

WEIGHT_SCALE = 2.0**11  # of the hero's weights, about one in two thousand runouts each, before they become 16-bit

# --- rivers -----------------------------------------------------------------------------------------------------------


def _best(shape, leaf):
    """Return (values, choices) of the hero's best actions; `choices` are in the order of its decisions in `shape`."""
    if shape[0] not in (HERO, OPPONENT):
        return leaf(shape[1]), []
    children = [_best(child, leaf) for child in shape[1]]
    below = [choice for _, choices in children for choice in choices]
    if shape[0] == OPPONENT:
        return sum(value for value, _ in children), below
    best, choice = children[0][0], jnp.zeros(children[0][0].shape, jnp.uint8)
    for number, (value, _) in enumerate(children[1:], 1):
        choice = jnp.where(value > best, np.uint8(number), choice)
        best = jnp.maximum(value, best)
    return best, [choice, *below]


def _routed(shape, weight, choices, out):
    """For each sum, set out[sum] to the weight with which the hero's choices reach it."""
    if shape[0] not in (HERO, OPPONENT):
        out[shape[1]] = weight
        return
    choice = next(choices) if shape[0] == HERO else None
    for number, child in enumerate(shape[1]):
        _routed(child, weight if choice is None else jnp.where(choice == number, weight, 0), choices, out)


class PackedRivers(NamedTuple):
    """Rivers of one turn on the device."""

    combo: Any  # [b, h]
    place: Any  # [b, combo]
    weight: Any  # [b]: one over its symmetries
    column: Any  # [b, h]; past the last column where there is no hand
    cells: Any  # [b, k, street]
    won: Any  # [b, k, h]
    met: Any


def _rivers(packed, n_columns):
    field = packed.astype(jnp.int32)
    combo, rank = field[:, layout.COMBO :][:, :WIDTH], field[:, layout.RANK :][:, :WIDTH]
    column, place = field[:, layout.COLUMN :][:, :WIDTH], field[:, layout.PLACE :][:, :N_COMBOS]
    symmetries = field[:, layout.SYMMETRIES]
    weight = jnp.where(symmetries > 0, 1 / jnp.maximum(symmetries, 1).astype(jnp.float32), 0)
    cells = field[:, layout.COLUMNS :][:, : 4 * n_columns].reshape(len(field), n_columns, 4)
    won, met = river_counts(combo, rank, column, n_columns, jnp.float16)
    return PackedRivers(combo, place, weight, jnp.where(column < 0, n_columns, column), cells, won, met)


def _product(equation, one, other):
    return jnp.einsum(equation, one, other, preferred_element_type=jnp.float32)


def _to_river(tables, cells):
    """[b, k, e]: weight with which the hands of a column reach the river."""
    reach = 1
    for street, table in enumerate(tables.to_river):
        reach = reach * table[cells[:, :, street]]
    return reach


@partial(jax.jit, static_argnames=("forms", "n_columns"), donate_argnames=("totals", "came"))
def forward_rivers(forms, tables, packed, totals, came, turn, entries, *, n_columns):
    """Return (totals[hero, t, e, combo] and came[hero][c, e] with a batch of rivers added, choices[hero][decision][b,
    e, h]).

    `came` sums, by cell, the weights with which the trained player's hands reach the river.
    """
    rivers = _rivers(packed, n_columns)
    both = jnp.concatenate([rivers.won, rivers.met], axis=1)
    of_board = jnp.arange(len(packed))[:, None]
    n_hands = jnp.zeros((len(packed), n_columns)).at[of_board, rivers.column].add(1.0, mode="drop")
    chosen, came_after = [], []
    for hero, form in enumerate(forms):
        n_on, shows = form.streets[3].n_on, form.n_shows
        before = _to_river(tables[hero], rivers.cells)
        many = before * (n_hands * rivers.weight[:, None])[:, :, None]
        came_after.append(came[hero].at[rivers.cells[:, :, 3]].add(many))
        reach = tables[hero].river[rivers.cells[:, :, 3]]  # [b, k, l, e]
        reach = (reach.astype(jnp.float32) * before[:, :, None, :]).astype(jnp.float16)
        pairs = jnp.concatenate([reach[:, :, shows:n_on], reach[:, :, n_on : n_on + form.n_both]], axis=1)
        products = (
            _product("bkle,bkh->bleh", reach[:, :, :shows], rivers.won),
            _product("bkle,bkh->bleh", pairs, both),
            _product("bkle,bkh->bleh", reach[:, :, n_on + form.n_both :], rivers.met),
        )
        place_of_sum = [(i, j) for i, product in enumerate(products) for j in range(product.shape[1])]

        def leaf(number, products=products, place_of_sum=place_of_sum):
            product, row = place_of_sum[number]
            return products[product][:, row]

        value, choices = _best(form.sums[0], leaf)
        by_combo = jnp.take_along_axis(value, rivers.place[:, None, :], axis=2) * np.float32(1 / form.scale)
        totals = totals.at[hero, turn, entries[hero]].add((rivers.weight[:, None, None] * by_combo).sum(axis=0))
        chosen.append(jnp.stack(choices))
    return totals, tuple(came_after), tuple(chosen)


@partial(jax.jit, static_argnames=("forms", "n_columns"), donate_argnames=("gradients", "exits"))
def backward_rivers(forms, tables, packed, choices, weights, turn, entries, gradients, exits, *, n_columns):
    """Add a batch to the river's gradients[hero][c, l, e] and to exits[hero][t, e, combo] of the trained player, given
    weights[hero, t, e, combo] of the hero's hands."""
    rivers = _rivers(packed, n_columns)
    of_board = jnp.arange(len(packed))[:, None]
    # hands of a column have the same cells on all streets, so that one of them can stand for all
    first = jnp.zeros((len(packed), n_columns), jnp.int32).at[of_board, rivers.column].max(rivers.combo, mode="drop")
    added, added_exits = [], []
    for hero, form in enumerate(forms):
        scaled = weights[hero, turn, entries[hero]] * np.float32(WEIGHT_SCALE)
        of_hands = scaled.astype(jnp.float16)[:, rivers.combo]  # [e, b, h]
        of_hands = jnp.swapaxes(of_hands, 0, 1) * rivers.weight.astype(jnp.float16)[:, None, None]
        at_sums = [None] * (form.n_shows + form.streets[3].n_folds)
        _routed(form.sums[0], of_hands, iter(choices[hero]), at_sums)
        at_sums = jnp.stack(at_sums, axis=1)  # [b, sum, e, h]
        shows = _product("bleh,bkh->bkle", at_sums[:, : form.streets[3].n_on], rivers.won)
        folds = _product("bleh,bkh->bkle", at_sums[:, form.n_shows :], rivers.met)
        of_columns = jnp.concatenate([shows, folds], axis=2) * np.float32(1 / WEIGHT_SCALE)
        added.append(gradients[hero].at[rivers.cells[:, :, 3]].add(of_columns))
        table = tables[hero].river[rivers.cells[:, :, 3]].astype(jnp.float32)
        values = (of_columns * table).sum(axis=2) * np.float32(1 / form.scale)  # [b, k, e]
        by_combo = jnp.zeros((N_COMBOS, values.shape[2])).at[first].add(values)
        added_exits.append(exits[hero].at[turn].add(by_combo.T))
    return tuple(added), tuple(added_exits)


# --- turn and flop ----------------------------------------------------------------------------------------------------


def _street_values(shape, mass, live, goes_on):
    """value[e, combo] on a street before the river, given mass[combo, l, e] of folds and values of exits [l, e, combo].

    `mass` is the weight of each of the trained player's hands times the payoff of its fold.
    """
    mass = live[:, None, None] * mass
    by_card = jnp.einsum("cle,cd->dle", mass, jnp.asarray(HOLDS), precision=jax.lax.Precision.HIGHEST)
    first, second = (by_card[CARDS_OF_COMBO[:, i].astype(np.int32)] for i in (0, 1))
    folds = (mass.sum(axis=0)[None] - first - second + mass) * live[:, None, None]
    folds = jnp.moveaxis(folds, 0, -1)
    return best_values(shape, lambda kind, number: folds[number] if kind == FOLD else goes_on[number], jnp.maximum)


@partial(jax.jit, static_argnames=("forms",))
def flop_gradient(forms, tables, cells, cards, totals, weights):
    """Return (value[hero, l, combo] on a flop, weights[hero, t, e, combo] of its rivers, gradients of turn and flop
    folds).

    The argument `weights[hero, l, combo]` has the weights with which the hero's hands reach the flop. Gradients are
    with respect to the weights of the trained player's hands: turns [t, combo, l, e], flops [combo, l, e].
    """
    results = []
    for hero, form in enumerate(forms):
        n_flop, n_turn = (tables[hero].on[street].shape[2] for street in (1, 2))

        def value_of(total, turn_mass, flop_mass, form=form, n_flop=n_flop, n_turn=n_turn):
            def of_turn(mass, live, group, weight, rivers):
                exits = _symmetric(rivers, group, weight)
                exits = jnp.moveaxis(exits.reshape(n_turn, -1, N_COMBOS), 1, 0)
                return _street_values(form.shapes[1], mass, live, exits)

            on_turns = jax.vmap(of_turn)(
                turn_mass, cards.turn_live, cards.turn_group, cards.turn_weight, total
            )  # [t, e, combo]
            exits = _symmetric(
                (cards.turn_share[:, None, None] * on_turns).sum(axis=0), cards.flop_group, cards.flop_weight
            )
            exits = jnp.moveaxis(exits.reshape(n_flop, -1, N_COMBOS), 1, 0)
            return _street_values(form.shapes[0], flop_mass, cards.flop_live, exits)

        def on_turn(of_turn, table=tables[hero]):
            return reach_of(table, (cells.preflop, cells.flop, of_turn), 2)[:, None, :] * table.folds[2][of_turn]

        flop_mass = reach_of(tables[hero], cells, 1)[:, None, :] * tables[hero].folds[1][cells.flop]
        value, back = jax.vjp(value_of, totals[hero], jax.vmap(on_turn)(cells.turn), flop_mass)
        results.append((value, *back(weights[hero])))
    values, rivers, turns, flops = zip(*results, strict=True)
    return jnp.stack(values), jnp.stack(rivers), turns, flops
