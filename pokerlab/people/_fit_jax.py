# mypy: ignore-errors
"""Kernels of model fitting on records of play: the observer's beliefs, the likelihoods of hands, and gradients.

Decisions are columns (the last axis); hands of a chunk are lanes. Chunks are padded to one size, so that each kernel is
compiled once; padding columns have `valid` 0.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.cards.feature_names import BOARD_SCALE, PRIVATE_COLUMNS
from pokerlab.systems.connectionist import _decide_jax as deciding
from pokerlab.systems.connectionist import _play_jax as playing
from pokerlab.systems.connectionist import _structure_jax as structure
from pokerlab.systems.connectionist._update_jax import adam, jit, key_of
from pokerlab.systems.connectionist.parameters import BOARD_IN_ACTIONS, PRIVATE_SCALE_BY_STREET
from pokerlab.systems.connectionist.population import Model, PlayerTypes, paired
from pokerlab.table import _lanes_jax as table


class Columns(NamedTuple):
    """The decisions of a chunk of hands. Every decision is a column, the last axis of each array."""

    inputs: jax.Array  # inputs[10, option, column]
    cost: jax.Array  # cost[option, column]
    street: jax.Array  # street[column], int32
    seat: jax.Array  # seat[column], int32: the seat that acts
    action: jax.Array  # action[column], int32
    legal: jax.Array  # legal[column], int32, as in `records.Records`
    hand: jax.Array  # hand[column], int32: the lane of the hand
    valid: jax.Array  # valid[column], float32: weight of a decision in learning, 0 for padding


class ChunkHands(NamedTuple):
    """The hands of a chunk."""

    first: jax.Array  # first[hand]: the first of its columns
    count: jax.Array  # count[hand]: the number of its columns
    board: jax.Array  # board[hand, board column], int8: features of the board
    private: jax.Array  # private[hand, seat, private column], int8: features of known or imputed cards, otherwise 0
    seated: jax.Array  # seated[seat, hand]: whether a player sits there


def terms(parameters, columns, opponents):
    """Inputs of the policy other than the cards: (one-hot street, sums, values, weighted cost, moves)."""
    street = structure.one_hot_street(columns.street)
    moves = table.Moves(columns.legal % 2 == 1, columns.legal >= 2, None)
    sums, values = structure.option_terms(parameters, street, columns.inputs, opponents)
    return street, sums, values, structure.weighted_cost(parameters, street, columns.cost), moves


def chosen(by_action, action):
    """Select the action taken at each column: `by_action[action[column], .., column]`."""
    where = (jnp.arange(3)[:, None] == action).reshape(3, *(1,) * (by_action.ndim - 2), -1)
    return jnp.sum(jnp.where(where, by_action, 0.0), axis=0)


class ChunkForecasts(NamedTuple):
    """The observer's beliefs and forecasts over a chunk of hands."""

    opponents: jax.Array  # opponents[C (+ T), column]: summed beliefs about the actor's opponents
    chances: jax.Array  # chances[3, column]: predicted probability of each action
    guessed: jax.Array  # guessed[seat, T, hand]: log-evidence for player-types from actions alone
    judged: jax.Array  # judged[seat, T, hand]: log-evidence that also uses the cards in `ChunkHands.private`


@jit
@jax.default_matmul_precision("highest")
def watched(model, columns, hands, start):
    """Compute beliefs and forecasts over a chunk; `start[seat, T, hand]` are the beliefs about player-types before each
    hand."""
    pairs, n_card_types = paired(model), model.parameters.initial.shape[0]
    n_seats, n_kinds, n_hands = start.shape
    seats = jnp.arange(n_seats, dtype=jnp.int32)[:, None]
    beliefs = (start[:, :, None] * model.parameters.initial[:, None]).reshape(n_seats, -1, n_hands)
    turns = jnp.exp(structure.log_transitions(model.parameters, hands.board)).transpose(1, 2, 3, 0)
    cards = structure.card_sums(model.parameters, hands.board, hands.private).reshape(n_hands * 4 * n_seats, -1)
    by_kind = pairs._replace(types=model.players.shift)
    empty = ChunkForecasts(
        jnp.zeros((pairs.opponents.shape[2], columns.street.shape[0])),
        jnp.zeros((3, columns.street.shape[0])),
        jnp.zeros((n_seats, n_kinds, n_hands)),
        jnp.zeros((n_seats, n_kinds, n_hands)),
    )

    def body(state):
        number, beliefs, folded, at_street, found = state
        active = number < hands.count
        column = jnp.where(active, hands.first + number, columns.street.shape[0])
        here = Columns(*(jnp.take(each, column, axis=-1, mode="clip") for each in columns))
        rows = sum(turns[n] * (here.street == n + 1) for n in range(3))
        moves_on = active & (here.street > at_street)
        beliefs = jnp.where(moves_on, structure.moved(beliefs, rows), beliefs)
        mine = (seats == here.seat) & active
        others = hands.seated & ~folded & ~mine
        opponents = structure.marginals(jnp.sum(jnp.where(others[:, None], beliefs, 0.0), axis=0), n_card_types)
        own = jnp.sum(jnp.where(mine[:, None], beliefs, 0.0), axis=0)
        street, sums, values, cost, moves = terms(pairs, here, opponents)
        by_type = structure.log_by_type(pairs, street, sums, values, cost, moves)
        likely = jnp.exp(chosen(by_type, here.action))
        updated = structure.normalised(own * likely, 0)
        told = jnp.log(jnp.maximum(jnp.sum((own * likely).reshape(n_kinds, n_card_types, n_hands), axis=1), 1e-30))
        told = told - jnp.log(jnp.sum(own.reshape(n_kinds, n_card_types, n_hands), axis=1))
        row = (jnp.arange(n_hands) * 4 + here.street) * n_seats + here.seat
        held = jnp.take(cards, row, axis=0).T
        judged = chosen(structure.log_by_type(by_kind, street, sums + held[:, None], values, cost, moves), here.action)
        found = ChunkForecasts(
            found.opponents.at[:, column].set(opponents, mode="drop"),
            found.chances.at[:, column].set(jnp.sum(own * jnp.exp(by_type), axis=1), mode="drop"),
            found.guessed + jnp.where(mine[:, None], told, 0.0),
            found.judged + jnp.where(mine[:, None], judged, 0.0),
        )
        beliefs = jnp.where(mine[:, None], updated, beliefs)
        folded = folded | (mine & (here.action == table.FOLD))
        at_street = jnp.where(active, here.street, at_street)
        return number + 1, beliefs, folded, at_street, found

    first = (jnp.int32(0), beliefs, jnp.zeros((n_seats, n_hands), bool), jnp.zeros(n_hands, jnp.int32), empty)
    return lax.while_loop(lambda state: jnp.any(state[0] < hands.count), body, first)[-1]


@jit
@jax.default_matmul_precision("highest")
def hand_log_weights(model, columns, opponents, kind, board, private, first_street):
    """`[column, combo]`: log-probability of the action of each decision if the actor holds the combo.

    Columns are decisions with unknown cards: `opponents[C (+ T), column]` are the beliefs about the actor's opponents,
    and `kind[column]` is the actor's player-type. `board[hand, feature]` and `private[hand, combo, feature]` go up to
    the last street that matters; `first_street[combo, feature]` are preflop features, the same on all boards.
    """
    parameters = model.parameters
    own = [
        parameters.private[:, which] / scale
        for which, scale in zip(PRIVATE_COLUMNS, PRIVATE_SCALE_BY_STREET, strict=True)
    ]
    before = jnp.einsum("cp,sp->cs", first_street.astype(jnp.float32), own[0])[None]
    of_board = parameters.board * (BOARD_IN_ACTIONS / BOARD_SCALE)[:, None]
    shared = jnp.einsum("hb,ksb->hks", board.astype(jnp.float32), of_board)
    later = [
        jnp.einsum("hcp,sp->hcs", private[:, :, PRIVATE_COLUMNS[k]].astype(jnp.float32), own[k]) + shared[:, k, None]
        for k in (1, 2, 3)
        if PRIVATE_COLUMNS[k].stop <= private.shape[2]
    ]
    sums_of_cards = jnp.concatenate([before, *later])  # [1 + 3 hands, combo, S]
    n_hands = board.shape[0]
    place = jnp.where(columns.street == 0, 0, 1 + (columns.street - 1) * n_hands + columns.hand)
    street, sums, values, cost, moves = terms(parameters, columns, opponents)
    shift = jnp.einsum("kst,kl,tl->sl", model.players.shift, street, one_hot(kind, model.players.initial.shape[0]))
    sums = sums + shift[:, None]
    weight = jnp.exp(sums - jnp.max(sums, axis=0))
    # both[column, S, (share, worth) x option]
    both = jnp.concatenate([weight, weight * values], axis=1).transpose(2, 0, 1)
    of_cards = jnp.exp(sums_of_cards - jnp.max(sums_of_cards, axis=2, keepdims=True))
    found = jnp.einsum("lcs,lso->lco", jnp.take(of_cards, place, axis=0, mode="clip"), both)
    call, raised = (found[..., 2 + option] / found[..., option] - cost[option][:, None] for option in (0, 1))
    fold = jnp.where(moves.fold, 0.0, structure.ILLEGAL)[:, None]
    raised = jnp.where(moves.raises[:, None], raised, structure.ILLEGAL)
    most = jnp.maximum(jnp.maximum(call, raised), fold)
    total = jnp.log(jnp.exp(call - most) + jnp.exp(raised - most) + jnp.exp(fold - most)) + most
    action = columns.action[:, None]
    score = jnp.where(action == table.FOLD, fold, jnp.where(action == table.CALL, call, raised))
    return (score - total) * columns.valid[:, None]


def one_hot(index, n):
    """`[n, column]`: 1 in row `index[column]`, otherwise 0."""
    return (jnp.arange(n)[:, None] == index).astype(jnp.float32)


@partial(jit, static_argnums=4)
def summed_rows(log_chance, of_class, row, live, n_rows):
    """Return (`log_weights[row, combo]`, -inf for impossible combos; `[row]`, log of the mean weight of possible
    combos).

    Sums `log_chance[decision, combo]` over the decisions of each row; with `of_class[combo]` (or None) it has one
    column for each class instead. `live[hand, combo]` marks the possible combos for all rows of a hand.
    """
    total = jax.ops.segment_sum(log_chance, row, n_rows + 1)[:n_rows]
    total = total if of_class is None else total[:, of_class]
    live = jnp.repeat(live, n_rows // live.shape[0], axis=0)
    weights = jnp.where(live, total, -jnp.inf)
    mean = jax.nn.logsumexp(weights, axis=1) - jnp.log(jnp.maximum(jnp.sum(live, axis=1), 1))
    return weights, mean


@jit
def drawn(log_weights, uniforms):
    """`[row, draw]`: combos sampled in proportion to their weights, using the random numbers `uniforms[row, draw]`."""
    weights = jnp.exp(log_weights - jnp.max(log_weights, axis=1, keepdims=True))
    total = jnp.cumsum(weights, axis=1)
    return jax.vmap(lambda sums, u: jnp.searchsorted(sums, u * sums[-1], side="right"))(total, uniforms)


class FitBatch(NamedTuple):
    """Hands with known or imputed cards, to learn from."""

    columns: Columns
    opponents: jax.Array  # opponents[C (+ T), column]: beliefs about the actor's opponents
    hands: ChunkHands
    kinds: jax.Array  # kinds[column], int32: the actor's player-type
    wins: jax.Array  # wins[seat, hand]: whether the seat won a showdown
    showed: jax.Array  # showed[seat, hand]: whether the seat was in a showdown


class Store(NamedTuple):
    """All decisions and hands to learn from, on the device; the last of each is padding."""

    columns: Columns  # without their `hand`
    opponents: jax.Array  # opponents[C (+ T), column]
    kinds: jax.Array  # kinds[column]
    board: jax.Array  # board[hand, board column], int8
    private: jax.Array  # private[hand, seat, private column], int8
    wins: jax.Array  # wins[seat, hand]
    showed: jax.Array  # showed[seat, hand]


class Chunks(NamedTuple):
    """Chunks of hands, each learned from at once, padded to one size."""

    rows: jax.Array  # rows[chunk, column]: the decision in the store
    place: jax.Array  # place[chunk, column]: index of the decision's hand in the chunk
    hands: jax.Array  # hands[chunk, hand]: the hand in the store


def batch_of(store, chunks, number):
    """Chunk `number` as a batch, gathered from `store`."""
    rows, place, hands = (each[number] for each in chunks)
    columns = Columns(*(jnp.take(each, rows, axis=-1) for each in store.columns))._replace(hand=place)
    cards = ChunkHands(None, None, jnp.take(store.board, hands, axis=0), jnp.take(store.private, hands, axis=0), None)
    ends = (jnp.take(each, hands, axis=1) for each in (store.wins, store.showed))
    return FitBatch(columns, jnp.take(store.opponents, rows, axis=1), cards, jnp.take(store.kinds, rows), *ends)


def objective(model, batch):
    """Return (log-likelihood of actions given cards, plus the observer's log-likelihood of actions and showdowns; the
    first term alone)."""
    parameters, columns = model.parameters, batch.columns
    n_hands, n_seats = batch.hands.private.shape[:2]
    street, sums, values, cost, moves = terms(parameters, columns, batch.opponents)
    shift = jnp.einsum(
        "kst,kl,tl->sl", model.players.shift, street, one_hot(batch.kinds, model.players.initial.shape[0])
    )
    sums = sums + shift[:, None]
    row = (columns.hand * 4 + columns.street) * n_seats + columns.seat
    cards = structure.card_sums(parameters, batch.hands.board, batch.hands.private)
    held = jnp.take(cards.reshape(n_hands * 4 * n_seats, -1), row, axis=0, mode="clip").T
    log_pi = structure.log_policy(sums + held[:, None], values, cost, moves)
    acted = jnp.sum(columns.valid * chosen(log_pi, columns.action))

    fixed = (lax.stop_gradient(each) for each in (sums, values, cost))
    by_type = chosen(structure.log_by_type(parameters, street, *fixed, moves), columns.action)  # [C, column]
    there = (columns.hand < n_hands).astype(jnp.float32)
    log_actions = jax.ops.segment_sum((by_type * there).T, jnp.where(there > 0, row, 0), n_hands * 4 * n_seats)
    log_actions = log_actions.reshape(n_hands, 4, n_seats, -1).transpose(1, 2, 3, 0)
    turns = jnp.exp(structure.log_transitions(parameters, batch.hands.board)).transpose(1, 2, 3, 0)
    told, final = structure.log_likelihood(parameters.initial, turns, log_actions)
    known = jnp.any(batch.wins, axis=0)
    showdowns = jnp.where(known, structure.log_win(final, parameters.showdown, batch.wins, batch.showed), 0.0)
    return acted + jnp.sum(told) + jnp.sum(showdowns), acted


class FitState(NamedTuple):
    """The current model, and Adam's running averages."""

    model: Model
    first: Model
    second: Model
    count: jax.Array


@jit
@jax.default_matmul_precision("highest")
def passed(learner, store, chunks, n, rate):
    """Make one pass over the first `n` chunks with one update for each. Return (the learner afterwards, the total
    log-likelihood of the chunks' actions)."""

    def body(number, state):
        learner, total = state
        learner, acted = update(learner, batch_of(store, chunks, number), rate)
        return learner, total + acted

    return lax.fori_loop(0, n, body, (learner, jnp.float32(0)))


def update(learner, batch, rate):
    """Return (the learner after one gradient step on a batch, the log-likelihood of its actions before the step)."""
    gradient, acted = jax.grad(objective, has_aux=True)(learner.model, batch)
    n = jnp.maximum(jnp.sum(batch.columns.valid), 1.0)
    old = learner.model
    post = jnp.maximum(old.parameters.initial * gradient.parameters.initial, 1e-6)
    gradient = jax.tree.map(lambda each: each / n, gradient)
    count = learner.count + 1
    direction, first, second = adam(gradient, learner.first, learner.second, count.astype(jnp.float32))
    new = jax.tree.map(lambda a, b: a + rate * b, old, direction)
    initial = (1 - rate) * old.parameters.initial + rate * post / jnp.sum(post)
    parameters = new.parameters._replace(
        initial=initial / jnp.sum(initial), showdown=jnp.clip(new.parameters.showdown, -4.0, 4.0)
    )
    shift = new.players.shift if old.players.shift.shape[2] > 1 else old.players.shift
    return FitState(Model(parameters, PlayerTypes(shift, old.players.initial)), first, second, count), acted


@partial(jit, static_argnums=0)
@jax.default_matmul_precision("highest")
def population_played(form, mind, cards, *, kinds, start, key, number):
    """Play one hand of every match. `kinds[seat, hand]` are the kinds of player.

    `mind` is (the parameters for each pair of deals, the shift); `cards` is (ranks, board, private) of the deals.
    """
    ranks, board, private = cards
    nobody = jnp.zeros(ranks.shape[1], jnp.int32)
    deals = deciding.BatchDeals(nobody + form.players, ranks, board, private, nobody - 1, nobody, nobody)
    parameters, shift = mind
    there = deciding.mind_of(parameters, deals, shift, kinds)
    return playing.play(form, deals, (there,), jax.random.fold_in(key_of(key), number), start)
