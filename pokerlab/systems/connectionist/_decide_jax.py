# mypy: ignore-errors
"""One decision on every lane: the policy, the sampled action, and the beliefs after it. A lane is one of the tables
that are played in parallel (see `table.lanes`). A *mind* is a set of parameters that plays or observes.

The functions for raise sizes in no-limit are the JAX twin of `sizes`. There are K sizes; a decision's options are a
call and a raise of each size. Amounts are chips put in over the whole hand, as on lanes.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from pokerlab.games.betting_features import UNCAPPED
from pokerlab.systems.connectionist import _structure_jax as structure
from pokerlab.systems.connectionist.parameters import BET_SCALE, COST_SCALE
from pokerlab.systems.connectionist.sizes import SPREADS
from pokerlab.systems.connectionist.structure import RATIOS
from pokerlab.table import _lanes_jax as table


class Spans(NamedTuple):
    """The range of amounts that count as each raise size; arrays are [K, lane]."""

    first: jax.Array
    centre: jax.Array
    last: jax.Array
    legal: jax.Array


LOW, CENTRE, HIGH = (np.array(each, np.int32)[:, None] for each in zip(*SPREADS, strict=True))


def spans(lanes, moves):
    """Compute the range of amounts of every raise size, and whether each size is legal."""
    pot, level, most = jnp.sum(lanes.spent, axis=0) + moves.owed, lanes.level, moves.most
    low, high = (level - (-each * pot // 100) for each in (LOW, HIGH))
    number = jnp.arange(len(SPREADS))[:, None]
    covered = jnp.where(number == 0, moves.least, jnp.maximum(moves.least, low))
    upto = jnp.where(number == len(SPREADS) - 1, most - 1, jnp.minimum(most - 1, high - 1))
    targets = [jnp.clip(to, covered, upto) for to in (low, level + CENTRE * pot // 100, high - 1)]
    legal = jnp.concatenate([(covered <= upto) & moves.raises, moves.raises[None]])
    return Spans(*(jnp.concatenate([each, most[None]]) for each in targets), legal)


def drawn(rules, lanes, action, uniform):
    """`[lane]`: amount of a raise (its total over the hand), sampled with one uniform number. Meaningless for other
    actions."""
    found = spans(lanes, table.moves(rules, lanes))
    size = jnp.maximum(action - table.RAISE, 0)[None]
    first, last = (jnp.take_along_axis(each, size, axis=0)[0] - lanes.level for each in (found.first, found.last))
    ratio = jnp.maximum(last, 1).astype(jnp.float32) / jnp.maximum(first, 1)
    by = jnp.round(jnp.maximum(first, 1) * ratio**uniform).astype(jnp.int32)
    return lanes.level + jnp.clip(by, first, last)


def bet_inputs(rules, lanes, moves):
    """Return (`inputs[13, option, lane]`, `cost[option, lane]`) after every option in no-limit. Inputs are the bet
    features, a constant 1, and three that describe the size.

    `games.betting_features` and `structure.spot_of` are the readable twin. An illegal size has the inputs of a call.
    """
    unit = rules.small_blind
    found = spans(lanes, moves)
    seats = jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None]
    seat = jnp.maximum(lanes.actor, 0)
    bit = 1 << seat
    others = (lanes.folded >> seats & 1 == 0) & (seats != seat)
    able = table.able_seats(rules, lanes) & ~bit
    n_others = jnp.sum(others, axis=0)
    spent, stack = table.of_seat(lanes.spent, seat), table.of_seat(lanes.stack, seat)
    call = (spent + moves.owed)[None]
    raises = jnp.concatenate([jnp.zeros_like(found.legal[:1]), found.legal])  # raises[option, lane]
    to = jnp.concatenate([call, jnp.where(found.legal, found.centre, call)])
    level, cost = jnp.maximum(lanes.level, to), to - spent
    pot = jnp.sum(lanes.spent, axis=0) + cost
    paid, most = lanes.spent[:, None], lanes.stack[:, None]
    owed = jnp.sum(jnp.where(others[:, None], jnp.maximum(jnp.minimum(level, most) - paid, 0), 0), axis=0)
    to_act = jnp.where(raises, lax.population_count(able), lax.population_count(lanes.waiting & ~bit))
    later = jnp.where(lanes.street == table.LAST_STREET, 0, lax.population_count(able & ~((2 << seat) - 1)))
    deepest = jnp.minimum(stack, jnp.max(jnp.where(others, lanes.stack, 0), axis=0))
    behind = jnp.maximum(deepest - level, 0) / jnp.maximum(pot, 1)
    plain = (n_others, to_act == 0, pot / unit, owed / unit, (pot + owed) / unit / (n_others + 1), to_act, later,
             n_others == 1, UNCAPPED, 1)  # fmt: skip
    inputs = [
        *(jnp.broadcast_to(each, to.shape) / scale for each, scale in zip(plain, BET_SCALE, strict=True)),
        cost / jnp.maximum(pot, 1), behind, (to >= stack).astype(jnp.float32),
    ]  # fmt: skip
    for number in RATIOS:
        inputs[number] = jnp.log1p(inputs[number])
    return jnp.stack(inputs), jnp.log1p(cost / unit / COST_SCALE)


class BatchDeals(NamedTuple):
    """The players and cards of a batch of hands."""

    n_players: jax.Array  # n_players[hand]
    rank: jax.Array  # rank[seat, hand] at the showdown
    board: jax.Array  # board[hand, board column], int8: card features
    private: jax.Array  # private[hand, seat, private column], int8: card features
    learner: jax.Array  # learner[hand]: the seat that the learning mind plays, or -1 if it plays all
    strangers: jax.Array  # strangers[hand]: bit mask of the seats of strangers, who never fold
    raising: jax.Array  # raising[hand]: probability that a stranger raises


class Mind(NamedTuple):
    """A set of parameters, with its precomputed contributions of the cards for a batch of hands.

    For a population with player-types, these are the parameters over pairs of types (`population.paired`).
    """

    parameters: object
    sums: jax.Array  # sums[(hand, street, seat), S]
    transitions: jax.Array  # transitions[(hand, 3), C * C]
    shift: object = None  # shift[street, S, T]: contribution of the player's type
    kinds: object = None  # kinds[seat, hand]: each player's type


def mind_of(parameters, deals, shift=None, kinds=None):
    """Make the mind (see the module) that uses `parameters`, for a batch of hands.

    A population also has `shift` and each player's type, `kinds[seat, hand]`.
    """
    sums = structure.card_sums(parameters, deals.board, deals.private)
    moves = jnp.exp(structure.log_transitions(parameters, deals.board))
    return Mind(parameters, sums.reshape(-1, sums.shape[-1]), moves.reshape(-1, moves.shape[-1] ** 2), shift, kinds)


def true_kinds(mind):
    """Return `[seat, T, hand]`: beliefs with probability 1 for each player's true player-type."""
    kinds = jnp.arange(mind.shift.shape[2], dtype=jnp.int32)[:, None]
    return (mind.kinds[:, None] == kinds).astype(jnp.float32)


def first_beliefs(form, mind, n_hands, start=None):
    """`[seat, C, hand]`, or `[seat, T * C, hand]` for pairs: beliefs before the first action."""
    initial = mind.parameters.initial
    if mind.shift is None or start is None:
        return jnp.broadcast_to(initial[None, :, None], (form.rules.n_seats, len(initial), n_hands))
    cards = jnp.sum(initial.reshape(mind.shift.shape[2], -1), axis=0)
    return (start[:, :, None] * cards[:, None]).reshape(form.rules.n_seats, len(initial), n_hands)


def seen(form, mind, lanes, beliefs, hand, street=None):
    """Compute the log-probabilities of actions at the decision of every lane, by a mind's policy and for each
    card-type.

    `street` is given if all lanes are on one street. Returns (`log_pi[action, lane]` with the actual cards,
    `by_type[action, C, lane]`, the belief about the actor `[C, lane]`, inputs for `_play_jax.DecisionLog`, and for a
    population `[action, T, lane]`, the log-probabilities for each player-type with the actual cards; otherwise None).
    """
    n_seats = form.rules.n_seats
    seats = jnp.arange(n_seats, dtype=jnp.int32)[:, None]
    moves = table.moves(form.rules, lanes)
    street = structure.one_hot_street(lanes.street if street is None else street)
    if form.rules.no_limit:
        inputs, raw_cost = bet_inputs(form.rules, lanes, moves)
        moves = moves._replace(raises=spans(lanes, moves).legal)  # raises[K, lane]
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
    """Return (beliefs about all seats after an action, the belief about the actor alone, the log-likelihood of the
    action)."""
    told = jnp.take_along_axis(by_type, action[None, None], axis=0)[0]
    updated = structure.normalised(own * jnp.exp(told), 0)
    seats = jnp.arange(beliefs.shape[0], dtype=jnp.int32)[:, None]
    likelihood = jnp.log(jnp.maximum(jnp.sum(own * jnp.exp(told), axis=0), structure.LEAST_BELIEF))
    return jnp.where((seats == lanes.actor)[:, None], updated, beliefs), updated, likelihood


def turned(mind, beliefs, hand, street):
    """Update the beliefs about all seats for the board cards of `street`, which is one number or `[lane]`."""
    n_types = mind.parameters.transitions.shape[1]
    rows = jnp.take(mind.transitions, hand * 3 + jnp.maximum(street - 1, 0), axis=0, mode="clip")
    return structure.moved(beliefs, rows.T.reshape(n_types, n_types, -1))


def sampled(log_pi, moves, uniform):
    """Sample an action (fold, call, raises) with one uniform number per lane."""
    chance = jnp.exp(log_pi)
    action, below = jnp.zeros(uniform.shape, jnp.int32), 0.0
    for each in chance[:-1]:
        below = below + each
        action = action + (uniform >= below)
    return legal(action, moves)


def legal(action, moves):
    """Return the action, or a call if rounding made the action illegal."""
    raises = jnp.atleast_2d(moves.raises)
    size = jnp.clip(action - table.RAISE, 0, len(raises) - 1)
    may_raise = jnp.take_along_axis(raises, size[None], axis=0)[0]
    action = jnp.where(moves.fold, action, jnp.maximum(action, table.CALL))
    return jnp.where(may_raise, action, jnp.minimum(action, table.CALL))


def stranger_action(form, lanes, raising, key):
    """Sample the action of a stranger, who raises with probability `raising[lane]`, to any size, and never folds."""
    raises = jax.random.uniform(key, lanes.actor.shape) < raising
    if form.rules.no_limit:
        size = jax.random.randint(jax.random.fold_in(key, 1), lanes.actor.shape, 0, form.n_options - 1)
        return jnp.where(raises, table.RAISE + size, table.CALL)
    # otherwise two strangers could raise forever
    raises &= lanes.n_raises < table.by_street(form.rules.max_raises, lanes.street)
    return jnp.where(raises, table.RAISE, table.CALL)


def stepped(form, lanes, action, key):
    """Apply one action to every lane; in no-limit, sample the amount of a raise from the range of its size."""
    if not form.rules.no_limit:
        return table.step(form.rules, lanes, action)
    to = drawn(form.rules, lanes, action, jax.random.uniform(jax.random.fold_in(key, 2), lanes.actor.shape))
    return table.step(form.rules, lanes, jnp.minimum(action, table.RAISE), to)
