# mypy: ignore-errors
"""The connectionist structure on the lanes of `table.lanes`: the JAX twin of `structure`, with lanes as the last axis.

Sizes: S out-states, C card-types, 4 streets, and options: call and raise, or in no-limit a call and a raise of every
size (`_decide_jax`). Weights differ by street. `street[4, lane]` is one-hot; if all lanes are on one street it is `[4,
1]`, and products are four times smaller.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.cards.feature_names import BOARD_SCALE, PRIVATE_COLUMNS
from pokerlab.games.betting_features import UNCAPPED
from pokerlab.systems.connectionist.parameters import (
    BET_SCALE,
    BOARD_IN_ACTIONS,
    BOARD_IN_TRANSITIONS,
    COST_SCALE,
    PRIVATE_SCALE_BY_STREET,
)
from pokerlab.systems.connectionist.structure import LEAST_BELIEF
from pokerlab.table import _lanes_jax as table

ILLEGAL = -1e9
PARTS, LEAST_CUT = 256, 2**15
"""On a GPU, sums over at least LEAST_CUT lanes are cut into this many parts, since one matrix product with a small
result would use only a little of the device."""


def n_parts(n):
    """Number of parts into which sums over `n` lanes or hands are divided."""
    return PARTS if jax.default_backend() == "gpu" and n % PARTS == 0 and n >= LEAST_CUT else 1


def by_lane(weights, inputs):
    """`[out, .., lane]`: the product of `weights[out, in]` and `inputs[in, .., lane]`. Its gradient is summed in
    parts."""
    parts = n_parts(inputs.shape[-1])
    if parts == 1:
        return jnp.einsum("of,f...->o...", weights, inputs)
    cut = inputs.reshape(*inputs.shape[:-1], parts, -1)
    many = jnp.broadcast_to(weights, (parts, *weights.shape))
    return jnp.einsum("gof,f...gl->o...gl", many, cut).reshape(weights.shape[0], *inputs.shape[1:])


def one_hot_street(street):
    """`[4, lane]`: the street as one-hot float32."""
    return (jnp.arange(4, dtype=jnp.int32)[:, None] == street).astype(jnp.float32)


def by_street(weights, street, inputs):
    """`[out, .., lane]`: the product of `weights[street, out, in]`, for each lane's street, and `inputs[in, .., lane]`.

    If lanes are on different streets, a lane's inputs are put in the block of its street, and the other three blocks
    are zero. One dense product then serves all lanes, and so does its gradient.
    """
    if street.shape[1] == 1:
        return by_lane(jnp.einsum("k,kof->of", street[:, 0], weights), inputs)
    blocks = street.reshape(4, *(1,) * (inputs.ndim - 1), -1) * inputs
    return by_lane(weights.transpose(1, 0, 2).reshape(weights.shape[1], -1), blocks.reshape(-1, *inputs.shape[1:]))


def legal_mask(moves):
    """`[lane]`: legal moves as a bit mask: 1 for a fold, 2 for a raise. In no-limit, 2, 4, 8 .. stand for the raise
    sizes."""
    raises = jnp.atleast_2d(moves.raises)
    return moves.fold + jnp.sum(raises << jnp.arange(1, 1 + len(raises), dtype=jnp.int32)[:, None], axis=0)


def moves_of(legal, n_options):
    """Turn a `legal_mask` back into moves, with `raises[option, lane]`."""
    places = jnp.arange(1, n_options, dtype=jnp.int32)[:, None]
    return table.Moves(legal % 2 == 1, legal.astype(jnp.int32) >> places & 1 == 1, None)


def bet_inputs(rules, lanes, moves):
    """Return (`inputs[10, option, lane]`, `cost[option, lane]`) after a call and after a raise. Inputs are the nine
    scaled bet features and a constant 1.

    `games.betting_features` is the readable twin of the features before they are scaled.
    """
    unit = rules.small_blind
    n_in = table.n_in_hand(rules, lanes)
    seat = jnp.maximum(lanes.actor, 0)
    bit = 1 << seat
    in_hand = ~lanes.folded & ((1 << rules.n_seats) - 1)
    size = table.by_street(rules.raise_sizes, lanes.street)
    pot = jnp.sum(lanes.spent, axis=0)
    seats = jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None]
    paid_in = jnp.sum(jnp.where(in_hand >> seats & 1 == 1, lanes.spent, 0), axis=0)
    others_owe = n_in * lanes.level - paid_in - moves.owed
    after_me = lax.population_count(lanes.waiting & ~bit)
    left = table.by_street(rules.max_raises, lanes.street) - lanes.n_raises
    uncapped = (n_in == 2) & rules.uncapped_heads_up
    one = jnp.ones_like(n_in)

    def features(pot, owed, ends, to_act, until_cap):
        next_stage = jnp.where(lanes.street == table.LAST_STREET, 0, lax.population_count(in_hand & ~((2 << seat) - 1)))
        found = (
            n_in - 1, ends, pot / unit, owed / unit, (pot + owed) / (unit * n_in), to_act, next_stage, n_in == 2,
            jnp.where(uncapped, UNCAPPED, until_cap), one,
        )  # fmt: skip
        return jnp.stack([each.astype(jnp.float32) for each in found])

    call = features(pot + moves.owed, others_owe, after_me == 0, after_me, left)
    raised = features(pot + moves.owed + size, others_owe + (n_in - 1) * size, jnp.zeros_like(one), n_in - 1, left - 1)
    inputs = jnp.stack([call, raised], axis=1) / BET_SCALE[:, None, None]
    cost = jnp.stack([moves.owed, moves.owed + size]).astype(jnp.float32) / (unit * COST_SCALE)
    return inputs, cost


def card_sums(parameters, board, private):
    """`[hand, street, seat, S]`: what the cards contribute to the sums of the out-states.

    `board[hand, column]` and `private[hand, seat, column]` are whole numbers from `cards.card_features`.
    """
    shared = jnp.einsum(
        "hb,ksb->hks", board.astype(jnp.float32), parameters.board * (BOARD_IN_ACTIONS / BOARD_SCALE)[:, None]
    )
    own = [
        jnp.einsum("hnp,sp->hns", private[:, :, columns].astype(jnp.float32), parameters.private[:, columns] / scale)
        for columns, scale in zip(PRIVATE_COLUMNS, PRIVATE_SCALE_BY_STREET, strict=True)
    ]
    return jnp.stack(own, axis=1) + shared[:, :, None]


def log_transitions(parameters, board):
    """`[hand, 3, before, after]`: log-weights of changes between card-types when the flop, turn and river are dealt."""
    weights = parameters.transitions[..., :-1] * (BOARD_IN_TRANSITIONS / BOARD_SCALE)[:, None, None]
    found = jnp.einsum("hb,tcdb->htcd", board.astype(jnp.float32), weights) + parameters.transitions[..., -1]
    return found - lax.stop_gradient(jnp.max(found, axis=(2, 3), keepdims=True))


def option_terms(parameters, street, inputs, opponents):
    """Return (`sums[S, option, lane]`: the out-states' sums without the cards; `values[S, option, lane]`), by equations
    (4-1) and (4-2).

    `inputs[10, option, lane]` are bet inputs; `opponents[C (+ T), lane]` is the sum of the beliefs about the opponents.
    """
    n_states = parameters.bet.shape[1]
    found = by_street(jnp.concatenate([parameters.bet, parameters.value], axis=1), street, inputs)
    theirs = by_street(parameters.opponents, street, opponents)
    return found[:n_states] + theirs[:, None], found[n_states:]


def worths(sums, values, cost):
    """`[option, lane]`: values of the options by equation (4-3); `cost[option, lane]` is already weighted."""
    return jnp.sum(jax.nn.softmax(sums, axis=0) * values, axis=0) - cost


def log_policy(sums, values, cost, moves):
    """`[3 or more, lane]`: log-probability of each action by equation (4-4)."""
    return _log_actions(worths(sums, values, cost), moves.fold, moves.raises)


def log_by_type(parameters, street, sums, values, cost, moves):
    """`[3 or more, C, lane]`: log-probability of each action for each card-type instead of the actual cards.

    Because exp(a + b) = exp(a) exp(b), one matrix product gives the out-states' probabilities for all card-types.
    """
    weight = jnp.exp(sums - lax.stop_gradient(jnp.max(sums, axis=0)))
    both = jnp.stack([weight, weight * values], axis=1)  # both[S, 2, option, lane]
    found = by_street(jnp.exp(parameters.types).transpose(0, 2, 1), street, both)
    worth = found[:, 1] / found[:, 0] - cost  # worth[C, option, lane]
    return _log_actions(worth.transpose(1, 0, 2), moves.fold, moves.raises)


def _log_actions(worth, fold, raises):
    """Softmax over (fold, call, raises): fold has value 0, the others `worth[option, .., lane]`.

    With several sizes this equals a softmax over fold, call and raise (whose value is the log-sum-exp of the sizes),
    followed by one over sizes.
    """
    if raises.ndim == 2:
        raises = raises.reshape(raises.shape[0], *(1,) * (worth.ndim - 2), raises.shape[1])
    scores = jnp.concatenate(
        [jnp.where(fold, 0.0, ILLEGAL) * jnp.ones_like(worth[:1]), worth[:1], jnp.where(raises, worth[1:], ILLEGAL)]
    )
    return jax.nn.log_softmax(scores, axis=0)


def weighted_cost(parameters, street, cost):
    """`[option, lane]`: the direct cost times its weight on the lane's street."""
    return cost * jnp.sum(parameters.cost[:, None] * street, axis=0)


def normalised(beliefs, axis):
    """Normalise beliefs to sum to 1 over an axis; no belief becomes exactly 0."""
    beliefs = jnp.maximum(beliefs, LEAST_BELIEF)
    return beliefs / jnp.sum(beliefs, axis=axis, keepdims=True)


def moved(beliefs, transitions):
    """Update `beliefs[seat, C, lane]`, or beliefs over pairs, for new board cards with the weights `transitions[C, C,
    lane]`.

    Only card-types change. The board says nothing about player-types.
    """
    n_card_types = transitions.shape[0]
    if beliefs.shape[1] == n_card_types:
        return normalised(_turned(beliefs, transitions), 1)
    by_player_type = beliefs.reshape(-1, n_card_types, beliefs.shape[2])
    players = jnp.sum(by_player_type, axis=1, keepdims=True)
    return (players * normalised(_turned(by_player_type / players, transitions), 1)).reshape(beliefs.shape)


def marginals(beliefs, n_card_types):
    """`[C + T, lane]`: beliefs about card-types, then about player-types, from `beliefs[T * C, lane]` over pairs.
    Unchanged if there is only one player-type."""
    if beliefs.shape[0] == n_card_types:
        return beliefs
    by_player_type = beliefs.reshape(-1, n_card_types, beliefs.shape[1])
    return jnp.concatenate([jnp.sum(by_player_type, axis=0), jnp.sum(by_player_type, axis=1)])


def _turned(beliefs, transitions):
    """`[seat, d, lane]`: the sum over c of `beliefs[seat, c, lane] transitions[c, d, lane]`."""
    return sum(beliefs[:, c, None] * transitions[c] for c in range(beliefs.shape[1]))


NODES = 24
LOWEST, HIGHEST = -13.0, 8.0


def log_win(beliefs, log_q, wins, in_hand):
    """`[lane]`: log-probability of the showdown's winner, equations (4-7) and (4-8).

    The definition enumerates all players' card-types. Since 1 / sum q = integral of exp(-t sum q) dt, the sum over
    card-types equals a product over players under one integral. 24 steps of the trapezoid rule in log t compute it to
    three digits or more (for |log q| <= 4). In a tie each winner counts in proportion to its share. The arguments are
    `beliefs[seat, C, lane]`, `log_q[C]`, `wins[seat, lane]` and `in_hand[seat, lane]`.
    """
    grid = jnp.linspace(LOWEST, HIGHEST, NODES)
    t = jnp.exp(grid)
    q = jnp.exp(log_q)
    alive = jnp.exp(-t[:, None] * q)  # alive[node, C]
    by_type = beliefs.transpose(1, 0, 2)
    stays = by_lane(alive, by_type).transpose(1, 0, 2)  # stays[seat, node, lane]
    takes = by_lane(alive * q, by_type).transpose(1, 0, 2)
    log_stays = jnp.where(in_hand[:, None], jnp.log(stays + 1e-30), 0.0)
    others = jnp.sum(log_stays, axis=0)[None] - log_stays
    step = grid[1] - grid[0]
    chance = jnp.sum(takes * jnp.exp(others) * t[:, None], axis=1) * step  # chance[seat, lane]
    share = wins / jnp.maximum(jnp.sum(wins, axis=0), 1)
    return jnp.sum(share * jnp.log(chance + 1e-12), axis=0)


def own_terms(parameters, street, after):
    """`[S, option, lane]`: contribution of the self-aware inputs `after[C, option, lane]`. These are the observer's
    beliefs about the actor after each option."""
    return by_street(parameters.own, street, after)


def log_likelihood(initial, transitions, log_actions):
    """Return (`[hand]`, final beliefs): the log-likelihood of all players' actions, with that of the board divided out.

    `log_actions[street, seat, C, hand]` are the sums of the log-probabilities of a seat's actions on a street for each
    card-type, 0 if the seat did not act there; `transitions[3, C, C, hand]`, `initial[C]`. Beliefs are normalised
    between the board and the actions, which divides the board out: the gradient is that of (4-5) and (4-6).
    """
    belief = jnp.broadcast_to(initial[None, :, None], log_actions.shape[1:])
    total = 0.0
    for street in range(4):
        if street:
            belief = _turned(belief, transitions[street - 1])
            belief = belief / jnp.sum(belief, axis=1, keepdims=True)
        joint = belief * jnp.exp(log_actions[street])
        told = jnp.sum(joint, axis=1)
        total = total + jnp.sum(jnp.log(told), axis=0)
        belief = joint / told[:, None]
    return total, belief


def tile_inputs(rules, lanes, beliefs, n_card_types):
    """Return `[C (+ T) + 4, seat, lane]`: inputs of the extra layer, which describe each opponent; 0 for the actor and
    for folded seats.

    `population.tile_inputs` is the readable twin. `beliefs[seat, C, lane]` are about card-types, or about pairs of
    player-type and card-type.
    """
    seats = jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None]
    others = (lanes.folded >> seats & 1 == 0) & (seats != lanes.actor)
    believed = jax.vmap(marginals, (0, None), 1)(beliefs, n_card_types)
    position = jnp.stack(
        [
            (lanes.waiting >> seats & 1).astype(jnp.float32),
            (seats > lanes.actor).astype(jnp.float32),
            (lanes.level - lanes.spent) / (rules.small_blind * COST_SCALE),
            jnp.ones(lanes.spent.shape),
        ]
    )
    return jnp.concatenate([believed, position]) * others


def tile_terms(parameters, street, inputs):
    """`[S, lane]`: contribution of the extra layer to the sums of the out-states; zero inputs contribute nothing."""
    tiles = jnp.tanh(by_street(parameters.tiles, street, inputs))
    return by_street(parameters.tile_effects, street, jnp.sum(tiles, axis=1))
