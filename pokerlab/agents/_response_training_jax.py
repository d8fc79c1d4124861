# mypy: ignore-errors
"""Compiled part of `response_training` that works on tables by cell: regrets, sequence weights and averages.

The responder (*hero*) knows the trained player's strategy. As long as the response stays the same, its value on a flop
is linear in the trained player's sequence weights. The gradient of that value with respect to the weights is therefore
the cost of each sequence to the trained player: its counterfactual values. `_response_passes_jax` computes both on the
boards of a flop. Here regrets give probabilities and sequence weights beforehand, and gradients give regrets
afterwards, as values of the trained player's hands summed by cell, street by street. A hand's reach is the product of
the weights of its cells, so cells may have perfect or imperfect recall.

An iteration covers some of the *lines* (ways of preflop betting), with the river entries that follow from them; for the
other lines the preflop value is the mean of earlier iterations.

Shapes: c cells, s slots (an action of the player at a decision of the street), l leaves, e entries of the street,
t turns; p[c, s, e] probabilities, before[c, e] the weight of the sequence so far.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, N_COMBOS
from pokerlab.valuing._exact_response_jax import HOLDS
from pokerlab.valuing.street_betting import FOLD, ON

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
    """Parameters of the compiled code for one hero."""

    streets: Any  # StreetForm of the trained player, by street
    hero: StreetForm  # the hero's own decisions before the flop
    sums: Any  # the river's shape for the hero, with sums in place of leaves
    shapes: Any  # the shapes of flop and turn for the hero
    n_shows: int  # sums that are showdowns alone; they come first
    n_both: int  # sums of a showdown and a fold
    scale: float  # of reach, before it becomes 16-bit


class Pays(NamedTuple):
    """Payoffs of leaves to the hero: [l, e] by street; for the river in the order of the sums."""

    folds: Any  # streets 0 to 2
    river: Any  # showdowns, then folds


class SequenceTables(NamedTuple):
    """The trained player's sequence weights within each street; their product over the streets of a hand is its
    reach."""

    river: Any  # [c, l, e], 16-bit, scaled, times the leaf's payoff to the hero; only the entries taken
    on: Any  # streets 0 to 2: weights of the exits [c, l, e]
    folds: Any  # streets 0 to 2: weights of the folds times their payoff to the hero [c, l, e]
    to_river: Any  # streets 0 to 2: `on` by the entries of the river that are taken [c, e]
    taken: Any  # by street: weights after each own action [c, s, e]


class CarriedOver(NamedTuple):
    """What an iteration keeps of the regrets before it."""

    discount: Any  # they are multiplied by it
    lowest: Any  # afterwards they are at least this: 0, or minus infinity


class Lines(NamedTuple):
    """Lines (ways of preflop betting) that an iteration covers."""

    taken: Any  # [l]: 1 or 0
    mean: Any  # [c, l, 1]: mean values of the lines in earlier iterations


class ResponseGradient(NamedTuple):
    """Derivatives of the hero's value with respect to the trained player's sequence weights, not yet multiplied by the
    leaf's payoff."""

    river: Any  # [c, l, e] by cell, the entries taken
    exits: Any  # [t, e, combo]: the river's values to the trained player's hands, the entries taken
    turn: Any  # folds [t, combo, l, e]
    flop: Any  # folds [combo, l, e]
    preflop: Any  # folds [c, l, 1]


class HandCells(NamedTuple):
    """The trained player's cells on a flop and on some of its turns."""

    preflop: Any  # [combo]
    flop: Any  # [combo]
    turn: Any  # [t, combo]


# --- tables by cell ---------------------------------------------------------------------------------------------------


def probabilities(form, regret):
    """p[c, s, e] in proportion to positive regrets; uniform if there are none."""
    positive = jnp.maximum(regret, 0)
    p = [None] * regret.shape[1]
    for slots in form.decisions:
        total = sum(positive[:, slot] for slot in slots)
        for slot in slots:
            p[slot] = jnp.where(total > 0, positive[:, slot] / jnp.where(total > 0, total, 1), 1 / len(slots))
    return jnp.stack(p, axis=1)


def sequences(form, p, before):
    """Return (on[c, l, e], folds[c, l, e], taken[c, s, e]): sequence weights at the leaves and after each own
    action."""
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
    """Return (value[c, e], advantage[c, s, e]), given the values of leaves; an advantage is an action's value minus the
    mean."""
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
def prepare(form, regret, pays, entries):
    """Make the `SequenceTables` of the current strategy; on the river only for `entries`."""
    every_on, every_folds, every_taken, to_river = [], [], [], []
    n_entries = regret[3].shape[2]
    for street, (street_form, of_street) in enumerate(zip(form.streets, regret, strict=True)):
        p = probabilities(street_form, of_street)
        on, folds, taken = sequences(street_form, p, jnp.ones((p.shape[0], p.shape[2]), p.dtype))
        every_taken.append(taken)
        if street < 3:
            every_on.append(on)
            every_folds.append(folds * pays.folds[street])
            exits = _exits(on)
            to_river.append(jnp.repeat(exits, n_entries // exits.shape[1], axis=1)[:, entries])
    leaves = jnp.concatenate([on[:, list(form.sums[1])], folds[:, list(form.sums[2])]], axis=1)
    river = (leaves * (pays.river * np.float32(form.scale)))[:, :, entries].astype(jnp.float16)
    return SequenceTables(river, tuple(every_on), tuple(every_folds), tuple(to_river), tuple(every_taken))


def _exits(on):
    """Convert on[c, l, e] to [c, entry of the next street]: an entry is a pair (e, l)."""
    return jnp.swapaxes(on, 1, 2).reshape(len(on), -1)


def reach_of(tables, cells, street):
    """[combo, e]: weight with which hands reach a street (1 or 2), given their cells on the previous streets."""
    n_entries = tables.on[street].shape[2]
    reach = 1
    for before in range(street):
        exits = _exits(tables.on[before])
        reach = reach * jnp.repeat(exits, n_entries // exits.shape[1], axis=1)[cells[before]]
    return reach


@jax.jit
def add_average(average, tables, cells, cards, on_rivers, entries, weight):
    """Add the current strategy to the average, multiplied by `weight` and by the probability that the player's own
    actions lead to the decision.

    `on_rivers[c, e]` sums the weights of hands that reach the river.
    """
    on_flop = cards.flop_live[:, None] * reach_of(tables, cells, 1)
    by_flop = jnp.zeros((tables.taken[1].shape[0], on_flop.shape[1])).at[cells.flop].add(on_flop)
    share = (cards.turn_share[:, None] * cards.turn_live)[:, :, None]
    on_turn = jax.vmap(lambda of_turn: reach_of(tables, (cells.preflop, cells.flop, of_turn), 2))(cells.turn)
    by_turn = jnp.zeros((tables.taken[2].shape[0], on_turn.shape[2])).at[cells.turn].add(share * on_turn)
    by_river = jnp.zeros((tables.taken[3].shape[0], tables.taken[3].shape[2])).at[:, entries].set(on_rivers)
    came = (jnp.ones((tables.taken[0].shape[0], 1)), by_flop, by_turn, by_river)
    return tuple(
        old + weight * reached[:, None, :] * taken
        for old, reached, taken in zip(average, came, tables.taken, strict=True)
    )


@partial(jax.jit, static_argnames=("form",))
def update(form, regret, gradient, tables, cells, pays, kept, entries, lines):
    """Return (the regrets after one iteration, the mean values of the lines). What the hero loses, the trained player
    gains.

    `entries` are those of `prepare`.
    """
    n_on = form.streets[3].n_on
    back = [np.argsort(order) for order in form.sums[1:]]  # from the order of the sums to that of the leaves
    whole = jnp.zeros((*gradient.river.shape[:2], pays.river.shape[1]), jnp.float32)
    river = whole.at[:, :, entries].set(gradient.river) * pays.river
    updated = [_learned(form.streets[3], regret[3], river[:, :n_on][:, back[0]], river[:, n_on:][:, back[1]], kept)]
    exits = jnp.zeros((*cells.turn.shape, pays.river.shape[1])).at[:, :, entries].set(gradient.exits.swapaxes(1, 2))
    street_cells, folds = cells.turn, gradient.turn
    for street in (2, 1):
        n_entries, n_exits = regret[street].shape[2], form.streets[street].n_on
        on = jnp.swapaxes(exits.reshape(*exits.shape[:-1], n_entries, n_exits), -1, -2)  # [.., combo, l, e]
        by_cell = [
            jnp.zeros((regret[street].shape[0], *values.shape[-2:])).at[street_cells].add(values)
            for values in (on, folds)
        ]
        updated.append(
            _learned(form.streets[street], regret[street], by_cell[0], by_cell[1] * pays.folds[street], kept)
        )
        exits = (on * tables.on[street][street_cells]).sum(axis=-2)
        exits = exits + (folds * tables.folds[street][street_cells]).sum(axis=-2)  # [.., combo, e]
        if street == 2:
            exits, street_cells, folds = exits.sum(axis=0), cells.flop, gradient.flop
    on = jnp.zeros((regret[0].shape[0], exits.shape[1])).at[cells.preflop].add(exits)[:, :, None]
    on, mean = _or_mean(on, lines)
    updated.append(_learned(form.streets[0], regret[0], on, gradient.preflop * pays.folds[0], kept))
    return tuple(reversed(updated)), mean


def _learned(form, regret, on, folds, kept):
    """Return the regrets of a street's cells after one iteration, given the values `on` and `folds` of the leaves."""
    _, advantage = advantages(form, probabilities(form, regret), on, folds)
    return jnp.maximum(regret * kept.discount - advantage, kept.lowest)


def _or_mean(on, lines):
    """Return (values [c, l, 1], the updated mean values). The values of lines that this iteration covers are its own
    (`on`); for the other lines they are the mean values."""
    taken = lines.taken[None, :, None] > 0
    mean = jnp.where(taken, lines.mean + MEAN_RATE * (on - lines.mean), lines.mean)
    return jnp.where(taken, on, lines.mean), mean


@partial(jax.jit, static_argnames=("form",))
def line_weights(form, regret, own):
    """Probability of each line, as a product of the mean weights of both players' hands."""
    player, hero = form.streets[0], form.hero
    played, _, _ = sequences(player, probabilities(player, regret), jnp.ones((regret.shape[0], 1), regret.dtype))
    responded, _, _ = sequences(hero, probabilities(hero, own), jnp.ones((N_CLASSES, 1), own.dtype))
    in_class = jnp.asarray(IN_CLASS)[:, None]
    return played[:, :, 0].mean(axis=0) * (responded[:, :, 0] * in_class).sum(axis=0) / N_COMBOS


# --- the hero before the flop -----------------------------------------------------------------------------------------


def _met(weight):
    """Return `sum[..., combo]`: the sum of `weight` over the hands that share no card with the combo."""
    by_card = weight @ jnp.asarray(HOLDS)
    first, second = (by_card[..., CARDS_OF_COMBO[:, i].astype(np.int32)] for i in (0, 1))
    return weight.sum(axis=-1, keepdims=True) - first - second + weight


@partial(jax.jit, static_argnames=("form", "n_cells"))
def hero_weights(form, regret, preflop_cells, *, n_cells):
    """Return (weight[l, combo] of the hero's hands on each way to the flop, gradient of the preflop folds [c, l, e =
    1])."""
    p = probabilities(form.hero, regret)
    on, folds, _ = sequences(form.hero, p, jnp.ones((N_CLASSES, 1), p.dtype))
    met = _met(folds[CLASS_OF_COMBO, :, 0].T)  # [l, combo of the trained player]
    gradient = jnp.zeros((n_cells, met.shape[0])).at[preflop_cells].add(met.T)[:, :, None]
    return on[CLASS_OF_COMBO, :, 0].T, gradient


@partial(jax.jit, static_argnames=("form",))
def hero_update(form, regret, values, tables, preflop_cells, kept, lines):
    """Return (the hero's preflop regrets, the value of its play in chips times pairs of hands, mean values)."""
    p = probabilities(form.hero, regret)
    on = jnp.zeros((N_CLASSES, values.shape[0])).at[CLASS_OF_COMBO].add(values.T)[:, :, None]
    on, mean = _or_mean(on, lines)
    met = _met(tables.folds[0][preflop_cells][:, :, 0].T)
    folds = jnp.zeros((N_CLASSES, met.shape[0])).at[CLASS_OF_COMBO].add(met.T)[:, :, None]
    value, advantage = advantages(form.hero, p, on, folds)
    return jnp.maximum(regret * kept.discount + advantage / IN_CLASS[:, None, None], kept.lowest), value.sum(), mean
