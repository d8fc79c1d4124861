# mypy: ignore-errors
"""The compiled part of `response_training`: a best response with all hands of a flop, and its gradient.

The responder (*hero*) knows the trained player's strategy. Its value on a flop is linear in the trained player's
sequence weights wherever the response stays the same, so the gradient of the value by those weights is the cost of
each sequence to the trained player: its counterfactual values. One flop takes two passes over its rivers:

1. forward: values of the hero's hands on the river, by the matrix products of `valuing._exact_response_jax`, with the
   best actions stored as one byte each; then values on the turn and the flop;
2. backward: the weight with which the hero's hands reach each sum, times the same counts of hands, added up by cell.

The rest works on tables by cell: regrets give probabilities and sequence weights before, gradients give regrets after.
Reach and weights are 16-bit numbers in products, 32-bit in sums: enough to learn from, not for a measurement.

An iteration takes some of the *lines* (ways of betting before the flop), with the entries of the river that follow from
them; on the other lines the value before the flop is the mean of earlier iterations.

Shapes: c cells, s slots (an action of the player at a decision of the street), l leaves, e entries of the street,
b boards, k columns, h hands, t turns; p[c, s, e] probabilities, before[c, e] the weight of the sequence so far.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, N_COMBOS
from pokerlab.valuing import _exact_response_numba as layout
from pokerlab.valuing._exact_response_jax import HOLDS, WIDTH, _symmetric, river_counts
from pokerlab.valuing.street_betting import FOLD, HERO, ON, OPPONENT, best_values

WEIGHT_SCALE = 2.0**11  # of the hero's weights, about one in two thousand runouts each, before they become 16-bit
MEAN_RATE = 0.1  # weight of the latest iteration in the mean values of lines
IN_CLASS = np.bincount(CLASS_OF_COMBO, minlength=N_CLASSES).astype(np.float32)


class StreetForm(NamedTuple):
    """One street for one player, hashable. In `shape` the player's own decisions are (role, ((slot, child), ..))."""

    shape: Any
    role: str  # whose decisions have slots
    decisions: Any  # the slots of each decision
    n_on: int
    n_folds: int


class PlayerForm(NamedTuple):
    """The parameters of compiled code for one hero."""

    streets: Any  # StreetForm of the trained player, by street
    hero: StreetForm  # the hero's own decisions before the flop
    sums: Any  # the river's shape for the hero, with sums in place of leaves
    shapes: Any  # the shapes of flop and turn for the hero
    n_shows: int  # sums that are showdowns alone; they come first
    n_both: int  # sums of a showdown and a fold
    parts: Any  # cells of a street for each cell of the street before
    scale: float  # of reach, before it becomes 16-bit


class Pays(NamedTuple):
    """Payoffs of leaves to the hero: [l, e] by street; on the river in the order of the sums."""

    folds: Any  # streets 0 to 2
    river: Any  # showdowns, then folds


class SequenceTables(NamedTuple):
    """The trained player's sequence weights, times the leaf's payoff to the hero."""

    river: Any  # [c, l, e], 16-bit, scaled
    turn: Any  # folds [c, l, e]
    flop: Any
    preflop: Any


class Lines(NamedTuple):
    """The lines that an iteration takes."""

    taken: Any  # [l]: 1 or 0
    mean: Any  # [c, l, 1]: mean values of the lines in earlier iterations


class ResponseGradient(NamedTuple):
    """Derivatives of the hero's value by the sequence weights in `SequenceTables`, not yet times the leaf's payoff."""

    river: Any
    turn: Any
    flop: Any
    preflop: Any


# --- tables by cell ---------------------------------------------------------------------------------------------------


def probabilities(form, regret):
    """p[c, s, e] in proportion to positive regrets; even where there are none."""
    positive = jnp.maximum(regret, 0)
    p = [None] * regret.shape[1]
    for slots in form.decisions:
        total = sum(positive[:, slot] for slot in slots)
        for slot in slots:
            p[slot] = jnp.where(total > 0, positive[:, slot] / jnp.where(total > 0, total, 1), 1 / len(slots))
    return jnp.stack(p, axis=1)


def sequences(form, p, before):
    """(on[c, l, e], folds[c, l, e], taken[c, s, e]): sequence weights at the leaves and after each own action."""
    on, folds, taken = [None] * form.n_on, [None] * form.n_folds, [None] * p.shape[1]

    def walk(node, weight):
        if node[0] == ON:
            on[node[1]] = weight
        elif node[0] == FOLD:
            folds[node[1]] = weight
        elif node[0] == form.role:
            for slot, child in node[1]:
                taken[slot] = weight * p[:, slot]
                walk(child, taken[slot])
        else:
            for child in node[1]:
                walk(child, weight)

    walk(form.shape, before)
    return jnp.stack(on, axis=1), jnp.stack(folds, axis=1), jnp.stack(taken, axis=1)


def advantages(form, p, on, folds):
    """(value[c, e], advantage[c, s, e]) given the values of leaves; an advantage is an action's value less the mean."""
    advantage = [None] * p.shape[1]

    def walk(node):
        if node[0] == ON:
            return on[:, node[1]]
        if node[0] == FOLD:
            return folds[:, node[1]]
        if node[0] != form.role:
            return sum(walk(child) for child in node[1])
        values = [(slot, walk(child)) for slot, child in node[1]]
        mean = sum(p[:, slot] * value for slot, value in values)
        for slot, value in values:
            advantage[slot] = value - mean
        return mean

    return walk(form.shape), jnp.stack(advantage, axis=1)


@partial(jax.jit, static_argnames=("form",))
def prepare(form, regret, average, pays, weight, entries):
    """(`SequenceTables` of the present strategy, the average plus `weight` times its sequence weights).

    The table of the river holds these entries only.
    """
    on, folds, added = None, [], []
    for street, (street_form, of_street) in enumerate(zip(form.streets, regret, strict=True)):
        p = probabilities(street_form, of_street)
        if on is None:
            before = jnp.ones((p.shape[0], 1), p.dtype)
        else:  # a cell begins with the weight of its parent, in the parent's exits
            before = jnp.repeat(jnp.swapaxes(on, 1, 2).reshape(len(on), -1), form.parts[street], axis=0)
        on, fold, taken = sequences(street_form, p, before)
        added.append(average[street] + weight * taken)
        if street < 3:
            folds.append(fold * pays.folds[street])
    leaves = jnp.concatenate([on[:, list(form.sums[1])], fold[:, list(form.sums[2])]], axis=1)
    river = (leaves * (pays.river * np.float32(form.scale)))[:, :, entries].astype(jnp.float16)
    return SequenceTables(river, folds[2], folds[1], folds[0]), tuple(added)


@partial(jax.jit, static_argnames=("form",))
def update(form, regret, gradient, pays, discount, entries, lines):
    """(regrets after one iteration, none below 0; mean values of lines): the trained player gains what the hero loses.

    `entries` are those of `prepare`.
    """
    n_on = form.streets[3].n_on
    back = [np.argsort(order) for order in form.sums[1:]]  # from the order of the sums to that of the leaves
    whole = jnp.zeros((*gradient.river.shape[:2], pays.river.shape[1]), jnp.float32)
    river = whole.at[:, :, entries].set(gradient.river) * pays.river
    on, folds = river[:, :n_on][:, back[0]], river[:, n_on:][:, back[1]]
    updated = []
    for street in (3, 2, 1, 0):
        street_form, old = form.streets[street], regret[street]
        p = probabilities(street_form, old)
        value, advantage = advantages(street_form, p, on, folds)
        updated.append(jnp.maximum(old * discount - advantage, 0))
        if street:
            above = form.streets[street - 1]
            value = value.reshape(-1, form.parts[street], value.shape[1] // above.n_on, above.n_on).sum(axis=1)
            on = jnp.swapaxes(value, 1, 2)
            if street == 1:
                on, mean = _or_mean(on, lines)
            fold_gradient = (gradient.preflop, gradient.flop, gradient.turn)[street - 1]
            folds = fold_gradient * pays.folds[street - 1]
    return tuple(reversed(updated)), mean


def _or_mean(on, lines):
    """(values [c, l, 1] of the lines taken and mean values of the others, mean values with these added)."""
    taken = lines.taken[None, :, None] > 0
    mean = jnp.where(taken, lines.mean + MEAN_RATE * (on - lines.mean), lines.mean)
    return jnp.where(taken, on, lines.mean), mean


@partial(jax.jit, static_argnames=("form",))
def line_weights(form, regret, own):
    """How likely each line is to be bet, as a product of the mean weights of both players' hands."""
    player, hero = form.streets[0], form.hero
    played, _, _ = sequences(player, probabilities(player, regret), jnp.ones((regret.shape[0], 1), regret.dtype))
    responded, _, _ = sequences(hero, probabilities(hero, own), jnp.ones((N_CLASSES, 1), own.dtype))
    in_class = jnp.asarray(IN_CLASS)[:, None]
    return played[:, :, 0].mean(axis=0) * (responded[:, :, 0] * in_class).sum(axis=0) / N_COMBOS


# --- the hero before the flop -----------------------------------------------------------------------------------------


def _met(weight):
    """Sum of weight[..., combo] over the hands that a hand can meet."""
    by_card = weight @ jnp.asarray(HOLDS)
    first, second = (by_card[..., CARDS_OF_COMBO[:, i].astype(np.int32)] for i in (0, 1))
    return weight.sum(axis=-1, keepdims=True) - first - second + weight


@partial(jax.jit, static_argnames=("form", "n_cells"))
def hero_weights(form, regret, preflop_cells, *, n_cells):
    """(weight[l, combo] of the hero's hands on each way to the flop, gradient of the preflop folds [c, l, e = 1])."""
    p = probabilities(form.hero, regret)
    on, folds, _ = sequences(form.hero, p, jnp.ones((N_CLASSES, 1), p.dtype))
    met = _met(folds[CLASS_OF_COMBO, :, 0].T)  # [l, combo of the trained player]
    gradient = jnp.zeros((n_cells, met.shape[0])).at[preflop_cells].add(met.T)[:, :, None]
    return on[CLASS_OF_COMBO, :, 0].T, gradient


@partial(jax.jit, static_argnames=("form",))
def hero_update(form, regret, values, tables, preflop_cells, discount, lines):
    """(the hero's regrets before the flop, the value of its play in chips times pairs of hands, mean values)."""
    p = probabilities(form.hero, regret)
    on = jnp.zeros((N_CLASSES, values.shape[0])).at[CLASS_OF_COMBO].add(values.T)[:, :, None]
    on, mean = _or_mean(on, lines)
    met = _met(tables.preflop[preflop_cells][:, :, 0].T)
    folds = jnp.zeros((N_CLASSES, met.shape[0])).at[CLASS_OF_COMBO].add(met.T)[:, :, None]
    value, advantage = advantages(form.hero, p, on, folds)
    return jnp.maximum(regret * discount + advantage / IN_CLASS[:, None, None], 0), value.sum(), mean


# --- rivers -----------------------------------------------------------------------------------------------------------


def _best(shape, leaf):
    """(values, choices): the hero's best actions, `choices` in the order of its decisions in `shape`."""
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
    """Fill out[sum] with the weight with which the hero's choices reach that sum."""
    if shape[0] not in (HERO, OPPONENT):
        out[shape[1]] = weight
        return
    choice = next(choices) if shape[0] == HERO else None
    for number, child in enumerate(shape[1]):
        _routed(child, weight if choice is None else jnp.where(choice == number, weight, 0), choices, out)


def _fields(packed, n_columns):
    field = packed.astype(jnp.int32)
    combo, rank = field[:, layout.COMBO :][:, :WIDTH], field[:, layout.RANK :][:, :WIDTH]
    column, place = field[:, layout.COLUMN :][:, :WIDTH], field[:, layout.PLACE :][:, :N_COMBOS]
    symmetries = field[:, layout.SYMMETRIES]
    weight = jnp.where(symmetries > 0, 1 / jnp.maximum(symmetries, 1).astype(jnp.float32), 0)
    cell = field[:, layout.COLUMNS :][:, : 4 * n_columns].reshape(len(field), n_columns, 4)[:, :, 3]
    won, met = river_counts(combo, rank, column, n_columns, jnp.float16)
    return combo, place, weight, cell, won, met


def _product(equation, one, other):
    return jnp.einsum(equation, one, other, preferred_element_type=jnp.float32)


@partial(jax.jit, static_argnames=("forms", "n_columns"), donate_argnames=("totals",))
def forward_rivers(forms, tables, packed, totals, turn, entries, *, n_columns):
    """(totals[hero, t, e, combo] with a batch of rivers added, choices[hero][decision][b, e, h])."""
    _, place, weight, cell, won, met = _fields(packed, n_columns)
    both = jnp.concatenate([won, met], axis=1)
    chosen = []
    for hero, form in enumerate(forms):
        n_on, shows = form.streets[3].n_on, form.n_shows
        reach = tables[hero].river[cell]  # [b, k, l, e]
        pairs = jnp.concatenate([reach[:, :, shows:n_on], reach[:, :, n_on : n_on + form.n_both]], axis=1)
        products = (
            _product("bkle,bkh->bleh", reach[:, :, :shows], won),
            _product("bkle,bkh->bleh", pairs, both),
            _product("bkle,bkh->bleh", reach[:, :, n_on + form.n_both :], met),
        )
        place_of_sum = [(i, j) for i, product in enumerate(products) for j in range(product.shape[1])]

        def leaf(number, products=products, place_of_sum=place_of_sum):
            product, row = place_of_sum[number]
            return products[product][:, row]

        value, choices = _best(form.sums[0], leaf)
        by_combo = jnp.take_along_axis(value, place[:, None, :], axis=2) * np.float32(1 / form.scale)
        totals = totals.at[hero, turn, entries[hero]].add((weight[:, None, None] * by_combo).sum(axis=0))
        chosen.append(jnp.stack(choices))
    return totals, tuple(chosen)


@partial(jax.jit, static_argnames=("forms", "n_columns"), donate_argnames=("gradients",))
def backward_rivers(forms, packed, choices, weights, turn, entries, gradients, *, n_columns):
    """The river's gradients[hero][c, l, e] with a batch added, given weights[hero, t, e, combo] of the hero's hands."""
    combo, _, weight, cell, won, met = _fields(packed, n_columns)
    added = []
    for hero, form in enumerate(forms):
        scaled = weights[hero, turn, entries[hero]] * np.float32(WEIGHT_SCALE)
        of_hands = scaled.astype(jnp.float16)[:, combo]  # [e, b, h]
        of_hands = jnp.swapaxes(of_hands, 0, 1) * weight.astype(jnp.float16)[:, None, None]
        at_sums = [None] * (form.n_shows + form.streets[3].n_folds)
        _routed(form.sums[0], of_hands, iter(choices[hero]), at_sums)
        at_sums = jnp.stack(at_sums, axis=1)  # [b, sum, e, h]
        shows = _product("bleh,bkh->bkle", at_sums[:, : form.streets[3].n_on], won)
        folds = _product("bleh,bkh->bkle", at_sums[:, form.n_shows :], met)
        of_columns = jnp.concatenate([shows, folds], axis=2) * np.float32(1 / WEIGHT_SCALE)
        added.append(gradients[hero].at[cell].add(of_columns))
    return tuple(added)


# --- turn and flop ----------------------------------------------------------------------------------------------------


def _street_values(shape, table, cells, live, goes_on):
    """value[e, combo] on a street before the river, given table[c, l, e] of folds and values of exits [l, e, combo]."""
    mass = live[:, None, None] * table[cells]  # [combo, l, e]
    by_card = jnp.einsum("cle,cd->dle", mass, jnp.asarray(HOLDS), precision=jax.lax.Precision.HIGHEST)
    first, second = (by_card[CARDS_OF_COMBO[:, i].astype(np.int32)] for i in (0, 1))
    folds = (mass.sum(axis=0)[None] - first - second + mass) * live[:, None, None]
    folds = jnp.moveaxis(folds, 0, -1)
    return best_values(shape, lambda kind, number: folds[number] if kind == FOLD else goes_on[number], jnp.maximum)


@partial(jax.jit, static_argnames=("forms",))
def flop_gradient(forms, tables, cards, totals, weights):
    """(value[hero, l, combo] on a flop, weights[hero, t, e, combo] of its rivers, gradients of turn and flop folds).

    The argument `weights[hero, l, combo]` has the weights with which the hero's hands reach the flop.
    """
    results = []
    for hero, form in enumerate(forms):

        def value_of(total, turn_table, flop_table, form=form):
            def of_turn(cells, live, group, weight, rivers):
                exits = _symmetric(rivers, group, weight)
                exits = jnp.moveaxis(exits.reshape(turn_table.shape[2], -1, N_COMBOS), 1, 0)
                return _street_values(form.shapes[1], turn_table, cells, live, exits)

            on_turns = jax.vmap(of_turn)(
                cards.turn_cells, cards.turn_live, cards.turn_group, cards.turn_weight, total
            )  # [t, e, combo]
            exits = _symmetric(
                (cards.turn_share[:, None, None] * on_turns).sum(axis=0), cards.flop_group, cards.flop_weight
            )
            exits = jnp.moveaxis(exits.reshape(flop_table.shape[2], -1, N_COMBOS), 1, 0)
            return _street_values(form.shapes[0], flop_table, cards.flop_cells, cards.flop_live, exits)

        value, back = jax.vjp(value_of, totals[hero], tables[hero].turn, tables[hero].flop)
        results.append((value, *back(weights[hero])))
    values, rivers, turns, flops = zip(*results, strict=True)
    return jnp.stack(values), jnp.stack(rivers), turns, flops
