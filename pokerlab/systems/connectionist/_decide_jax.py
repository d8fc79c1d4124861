# mypy: ignore-errors
"""One decision on every lane: the view of a mind, the sampled action, and the beliefs after it."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

from pokerlab.systems.connectionist import _sizes_jax as sizes
from pokerlab.systems.connectionist import _structure_jax as structure
from pokerlab.table import _lanes_jax as table


class BatchDeals(NamedTuple):
    """The hands of a batch: players and cards."""

    n_players: jax.Array  # [hand]
    rank: jax.Array  # [seat, hand]
    board: jax.Array  # [hand, board column], int8
    private: jax.Array  # [hand, seat, private column], int8
    learner: jax.Array  # [hand]: the seat that the learning mind plays, or -1 where it plays all
    strangers: jax.Array  # [hand]: mask of strangers' seats: they never fold
    raising: jax.Array  # [hand]: how often strangers raise


class Mind(NamedTuple):
    """Parameters, and their terms for the cards of a batch.

    The mind of a population has player-types: its parameters are then those of pairs (`population.paired`).
    """

    parameters: object
    sums: jax.Array  # [(hand, street, seat), S]
    transitions: jax.Array  # [(hand, 3), C * C]
    shift: object = None  # [street, S, T]: contribution of a player's type
    kinds: object = None  # [seat, hand]: the type of each player


def mind_of(parameters, deals, shift=None, kinds=None):
    """The mind of some parameters for the hands of a batch; `shift` and `kinds[seat, hand]` are a population's."""
    sums = structure.card_sums(parameters, deals.board, deals.private)
    moves = jnp.exp(structure.log_transitions(parameters, deals.board))
    return Mind(parameters, sums.reshape(-1, sums.shape[-1]), moves.reshape(-1, moves.shape[-1] ** 2), shift, kinds)


def true_kinds(mind):
    """`[seat, T, hand]`: beliefs of a player who knows the player-types."""
    kinds = jnp.arange(mind.shift.shape[2], dtype=jnp.int32)[:, None]
    return (mind.kinds[:, None] == kinds).astype(jnp.float32)


def first_beliefs(form, mind, n_hands, start=None):
    """`[seat, C, hand]`, or of pairs: beliefs before the first action."""
    initial = mind.parameters.initial
    if mind.shift is None or start is None:
        return jnp.broadcast_to(initial[None, :, None], (form.rules.n_seats, len(initial), n_hands))
    cards = jnp.sum(initial.reshape(mind.shift.shape[2], -1), axis=0)
    return (start[:, :, None] * cards[:, None]).reshape(form.rules.n_seats, len(initial), n_hands)


def seen(form, mind, lanes, beliefs, hand, street=None):
    """The view of a mind on the decision of every lane: its policy, and the actions of each card-type.

    `street` is that of all lanes, where they are on one. Returns (`log_pi[action, lane]`, `by_type[action, C, lane]`,
    own belief `[C, lane]`, inputs as in `_play_jax.Log`, and for a population the actions of each player-type with
    these cards, `[action, T, lane]`).
    """
    n_seats = form.rules.n_seats
    seats = jnp.arange(n_seats, dtype=jnp.int32)[:, None]
    moves = table.moves(form.rules, lanes)
    street = structure.one_hot_street(lanes.street if street is None else street)
    if form.rules.no_limit:
        inputs, raw_cost = sizes.bet_inputs(form.rules, lanes, moves)
        moves = sizes.sized_moves(lanes, moves)
    else:
        inputs, raw_cost = structure.bet_inputs(form.rules, lanes, moves)
    mine = seats == lanes.actor
    in_hand = lanes.folded >> seats & 1 == 0
    opponents = jnp.sum(jnp.where((in_hand & ~mine)[:, None], beliefs, 0.0), axis=0)
    opponents = structure.marginals(opponents, mind.parameters.transitions.shape[1])
    own = jnp.sum(jnp.where(mine[:, None], beliefs, 0.0), axis=0)
    cost = structure.weighted_cost(mind.parameters, street, raw_cost)
    sums, values = structure.option_terms(mind.parameters, street, inputs, opponents)
    by_type = structure.log_by_type(mind.parameters, street, sums, values, cost, moves)
    row = (hand * 4 + lanes.street) * n_seats + jnp.maximum(lanes.actor, 0)
    cards = jnp.take(mind.sums, row, axis=0, mode="clip").T
    if form.self_aware:
        after = structure.normalised(own[:, None] * jnp.exp(by_type[1:]).transpose(1, 0, 2), 0)
        sums = sums + structure.own_terms(mind.parameters, street, after)
    else:
        after = jnp.zeros((own.shape[0], form.n_options, 0), jnp.float32)
    about = None
    if mind.parameters.tiles.shape[1]:
        about = structure.tile_inputs(form.rules, lanes, beliefs, mind.parameters.transitions.shape[1])
        cards = cards + structure.tile_terms(mind.parameters, street, about)
    given = (inputs, raw_cost, opponents, after, moves, row, about)
    if mind.shift is None:
        return structure.log_policy(sums + cards[:, None], values, cost, moves), by_type, own, given, None
    players = mind.parameters._replace(types=mind.shift)
    by_player = structure.log_by_type(players, street, sums + cards[:, None], values, cost, moves)
    kind = table.of_seat(jnp.take(mind.kinds, hand, axis=1, mode="clip"), lanes.actor)
    return jnp.take_along_axis(by_player, kind[None, None], axis=1)[:, 0], by_type, own, given, by_player


def acted(lanes, beliefs, *, own, by_type, action):
    """(beliefs after an action, those about the actor, the log-likelihood of the action)."""
    told = jnp.take_along_axis(by_type, action[None, None], axis=0)[0]
    updated = structure.normalised(own * jnp.exp(told), 0)
    seats = jnp.arange(beliefs.shape[0], dtype=jnp.int32)[:, None]
    likelihood = jnp.log(jnp.maximum(jnp.sum(own * jnp.exp(told), axis=0), structure.LEAST_BELIEF))
    return jnp.where((seats == lanes.actor)[:, None], updated, beliefs), updated, likelihood


def turned(mind, beliefs, hand, street):
    """The beliefs about all seats after the board cards of `street`, one for each lane or one for all of them."""
    n_types = mind.parameters.transitions.shape[1]
    rows = jnp.take(mind.transitions, hand * 3 + jnp.maximum(street - 1, 0), axis=0, mode="clip")
    return structure.moved(beliefs, rows.T.reshape(n_types, n_types, -1))


def sampled(log_pi, moves, uniform):
    """Sample fold, call or the raises, in this order, by one uniform number."""
    chance = jnp.exp(log_pi)
    action, below = jnp.zeros(uniform.shape, jnp.int32), 0.0
    for each in chance[:-1]:
        below = below + each
        action = action + (uniform >= below)
    return legal(action, moves)


def legal(action, moves):
    """The action, or a call where rounding made it illegal."""
    raises = jnp.atleast_2d(moves.raises)
    size = jnp.clip(action - table.RAISE, 0, len(raises) - 1)
    may_raise = jnp.take_along_axis(raises, size[None], axis=0)[0]
    action = jnp.where(moves.fold, action, jnp.maximum(action, table.CALL))
    return jnp.where(may_raise, action, jnp.minimum(action, table.CALL))


def stranger_action(form, lanes, raising, key):
    """The action of a stranger, who raises with the probability `raising[lane]`, to any size, and never folds."""
    raises = jax.random.uniform(key, lanes.actor.shape) < raising
    if form.rules.no_limit:
        size = jax.random.randint(jax.random.fold_in(key, 1), lanes.actor.shape, 0, form.n_options - 1)
        return jnp.where(raises, table.RAISE + size, table.CALL)
    raises &= lanes.n_raises < table.by_street(form.rules.max_raises, lanes.street)  # or two would raise forever
    return jnp.where(raises, table.RAISE, table.CALL)


def stepped(form, lanes, action, key):
    """The lanes after the actions; in no-limit the amount of a raise is sampled from its size."""
    if not form.rules.no_limit:
        return table.step(form.rules, lanes, action)
    to = sizes.drawn(form.rules, lanes, action, jax.random.uniform(jax.random.fold_in(key, 2), lanes.actor.shape))
    return table.step(form.rules, lanes, jnp.minimum(action, table.RAISE), to)
