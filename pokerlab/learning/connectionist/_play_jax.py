# mypy: ignore-errors
"""Self-play of the connectionist structure on lanes: a batch of hands, each played to its end, and a log to learn from.

All hands of a batch begin a street together, so that one set of weights serves all lanes. They are done with it after
different numbers of decisions, so when half of the lanes are idle the others close ranks on half as many lanes, and so
on: a few stages, each a loop over lanes that are mostly busy. Every decision leaves a column in the log, one slab of
columns for each step.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.learning.connectionist import _parts_jax as parts
from pokerlab.models.connectionist import _sizes_jax as sizes
from pokerlab.models.connectionist import _structure_jax as structure
from pokerlab.table import _lanes_jax as table

NO_ROW = 2**30


class Deals(NamedTuple):
    """The hands of a batch: who plays with which cards."""

    n_players: jax.Array  # [hand]
    rank: jax.Array  # [seat, hand]
    board: jax.Array  # [hand, board column], int8
    private: jax.Array  # [hand, seat, private column], int8
    learner: jax.Array  # [hand]: the seat that the learning mind plays, or -1 where it plays all
    strangers: jax.Array  # [hand]: mask of seats that are nobody's: they never fold
    raising: jax.Array  # [hand]: how often strangers raise


class Mind(NamedTuple):
    """Parameters, and what they make of the cards of a batch.

    The mind of a population has player-types: its parameters are then those of pairs (`population.paired`).
    """

    parameters: object
    sums: jax.Array  # [(hand, street, seat), S]
    transitions: jax.Array  # [(hand, 3), C * C]
    shift: object = None  # [street, S, T]: what a player's type adds
    kinds: object = None  # [seat, hand]: the type of each player


class Log(NamedTuple):
    """The decisions of a batch as columns, what the learning mind saw and did; lanes that were idle have no row."""

    inputs: jax.Array  # [10 or 13, option, column]
    cost: jax.Array  # [option, column]
    opponents: jax.Array  # [C (+ T), column]
    own: jax.Array  # [C, option, column]: self-aware inputs
    about: jax.Array  # [C (+ T) + 4, seat, column]: what the extra layer sees
    street: jax.Array  # [column]
    action: jax.Array  # [column]
    legal: jax.Array  # [column]: `structure.legal_mask`
    row: jax.Array  # [column]: place of (hand, street, seat) in flat arrays, NO_ROW where nobody acts or is free to
    mine: jax.Array  # [column]: whether the learning mind acted
    spent: jax.Array  # [column]: small blinds that the actor had put in before
    log_chance: jax.Array  # [column]: of the action


class Played(NamedTuple):
    """What became of a batch."""

    net: jax.Array  # [seat, hand]: small blinds won
    wins: jax.Array  # [seat, hand]
    folded: jax.Array  # [hand]: mask of seats
    ended: jax.Array  # [(hand, street, seat), C]: the learning observer's belief after the seat's last action, or -1
    log: Log
    slabs: jax.Array  # [street, stage]: slabs that each stage filled
    decisions: jax.Array  # in all
    likelihood: jax.Array  # the learning observer's log-likelihood of all actions
    players: jax.Array  # [seat, T, hand]: what the population's observer believes of player-types; T is 0 without


def mind_of(parameters, deals, shift=None, kinds=None):
    """The mind of some parameters for the hands of a batch; `shift` and `kinds[seat, hand]` are a population's."""
    sums = structure.card_sums(parameters, deals.board, deals.private)
    moves = jnp.exp(structure.log_transitions(parameters, deals.board))
    return Mind(parameters, sums.reshape(-1, sums.shape[-1]), moves.reshape(-1, moves.shape[-1] ** 2), shift, kinds)


def observers(form, minds):
    """Whose observer keeps each set of beliefs: each mind's own, or the population's for an exploiter too.

    An exploiter that plays every hand as if it were the first, or is told player-types, has a set apart.
    """
    return minds[-1:] * (1 if form.memory == "kept" else 2) if form.exploits else minds


def stage_sizes(form, n_hands):
    """How many lanes each stage has."""
    return (n_hands, *(n_hands // by for by in form.shrinks if n_hands % by == 0))


def seen(form, mind, lanes, beliefs, hand, street=None):
    """What a mind makes of the decision on every lane: its policy, and what each card-type would do.

    `street` is that of all lanes, where they are on one.
    Returns (`log_pi[action, lane]`, `by_type[action, C, lane]`, own belief `[C, lane]`, inputs as in `Log`, and for a
    population what each player-type would do with these cards, `[action, T, lane]`).
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
    """The beliefs about everybody after the board cards of `street`, one for each lane or one for all of them."""
    n_types = mind.parameters.transitions.shape[1]
    rows = jnp.take(mind.transitions, hand * 3 + jnp.maximum(street - 1, 0), axis=0, mode="clip")
    return structure.moved(beliefs, rows.T.reshape(n_types, n_types, -1))


def sampled(log_pi, moves, uniform):
    """One uniform draw over fold, call and the raises in this order."""
    chance = jnp.exp(log_pi)
    action, below = jnp.zeros(uniform.shape, jnp.int32), 0.0
    for each in chance[:-1]:
        below = below + each
        action = action + (uniform >= below)
    return _legal(action, moves)


def _legal(action, moves):
    """The action, or a call where rounding fell beyond what is legal."""
    raises = jnp.atleast_2d(moves.raises)
    size = jnp.clip(action - table.RAISE, 0, len(raises) - 1)
    may_raise = jnp.take_along_axis(raises, size[None], axis=0)[0]
    action = jnp.where(moves.fold, action, jnp.maximum(action, table.CALL))
    return jnp.where(may_raise, action, jnp.minimum(action, table.CALL))


def _stranger(form, lanes, raising, key):
    """What a stranger does who raises with a chance of `raising[lane]` and never folds; any size is as likely."""
    raises = jax.random.uniform(key, lanes.actor.shape) < raising
    if form.rules.no_limit:
        size = jax.random.randint(jax.random.fold_in(key, 1), lanes.actor.shape, 0, form.n_options - 1)
        return jnp.where(raises, table.RAISE + size, table.CALL)
    raises &= lanes.n_raises < table.by_street(form.rules.max_raises, lanes.street)  # or two would go on for ever
    return jnp.where(raises, table.RAISE, table.CALL)


def stepped(form, lanes, action, key):
    """The lanes after the actions; in no-limit the amounts of raises are drawn, each from the size that was chosen."""
    if not form.rules.no_limit:
        return table.step(form.rules, lanes, action)
    to = sizes.drawn(form.rules, lanes, action, jax.random.uniform(jax.random.fold_in(key, 2), lanes.actor.shape))
    return table.step(form.rules, lanes, jnp.minimum(action, table.RAISE), to)


class Tables(NamedTuple):
    """Hands in progress on lanes."""

    lanes: table.Lanes
    beliefs: tuple[jax.Array, ...]  # [seat, C, lane] of each observer
    told: jax.Array  # [seat, T, lane]: log-likelihood of what a seat did for each player-type, its cards known
    taken: jax.Array  # [lane]: decisions so far


class Tally(NamedTuple):
    """What is noted of a batch on its way."""

    key: jax.Array
    ended: jax.Array
    log: Log
    at: jax.Array  # columns of the log that are filled
    steps: jax.Array
    decisions: jax.Array
    likelihood: jax.Array


def _busy(tables, street):
    """Which lanes have still to act on `street`."""
    return (tables.lanes.actor != table.NOBODY) & (tables.lanes.street == street)


def _step(form, deals, minds, street, state):
    """One decision on every lane that is on `street`."""
    tables, hand, tally = state
    acting, beliefs = _busy(tables, street), tables.beliefs
    lanes = tables.lanes._replace(actor=jnp.where(acting, tables.lanes.actor, table.NOBODY))
    key, draw = jax.random.split(tally.key)
    pairs = zip(minds, (beliefs[0], beliefs[-1]), strict=False)
    views = [seen(form, mind, lanes, each, hand, street) for mind, each in pairs]
    watched = views
    if form.exploits:  # the population's observer keeps all beliefs
        watched = [*(seen(form, minds[-1], lanes, each, hand, street) for each in beliefs[:-1]), views[-1]]
    learner = jnp.take(deals.learner, hand, mode="clip")
    learns = acting & ((learner < 0) | (learner == lanes.actor))
    if form.strangers:
        strange = acting & (jnp.take(deals.strangers, hand, mode="clip") >> jnp.maximum(lanes.actor, 0) & 1 == 1)
        learns &= ~strange
    log_pi = views[0][0]
    if len(minds) == 2:
        log_pi = jnp.where(learns, log_pi, views[1][0])
    moves = views[0][3][4]
    action = sampled(log_pi, moves, jax.random.uniform(draw, lanes.actor.shape))
    if form.strangers:
        key, draw = jax.random.split(key)
        raising = jnp.take(deals.raising, hand, mode="clip")
        action = jnp.where(strange, _legal(_stranger(form, lanes, raising, draw), moves), action)
    forced = tables.taken >= form.most_decisions
    action = jnp.where(forced, table.CALL, action)
    after = stepped(form, lanes, action, draw)
    after = after._replace(actor=jnp.where(acting, after.actor, tables.lanes.actor))
    results = [
        acted(lanes, each, own=view[2], by_type=view[1], action=action)
        for each, view in zip(beliefs, watched, strict=True)
    ]
    ended, log, told = tally.ended, tally.log, tables.told
    if form.learns:
        inputs, cost, opponents, own, _, row, about = views[0][3]
        seen_row = jnp.where(acting & ~forced, row, NO_ROW)
        if not form.exploits:
            ended = ended.at[seen_row].set(results[0][1].T, mode="drop", unique_indices=True)
        column = Log(
            inputs=inputs,
            cost=cost,
            opponents=opponents,
            own=own,
            about=about,
            street=lanes.street,
            action=action,
            legal=structure.legal_mask(moves),
            row=seen_row,
            mine=learns,
            spent=table.of_seat(lanes.spent, lanes.actor).astype(jnp.float32) / form.rules.small_blind,
            log_chance=jnp.take_along_axis(log_pi, action[None], axis=0)[0],
        )
        log = Log(*(_logged(old, new, tally.at) for old, new in zip(log, column, strict=True)))
    if (by_player := views[-1][4]) is not None:
        mine = (jnp.arange(form.rules.n_seats, dtype=jnp.int32)[:, None] == lanes.actor) & ~forced
        chosen = jnp.take_along_axis(by_player, action[None, None], axis=0)[0]
        told = told + jnp.where(mine[:, None], chosen, 0.0)
    tables = Tables(after, tuple(result[0] for result in results), told, tables.taken + acting)
    return (
        tables,
        hand,
        Tally(
            key=key,
            ended=ended,
            log=log,
            at=tally.at + len(hand),
            steps=tally.steps + 1,
            decisions=tally.decisions + jnp.sum(acting),
            likelihood=tally.likelihood + jnp.sum(jnp.where(acting & ~forced, results[0][2], 0.0)),
        ),
    )


def _logged(old, new, at):
    if old.shape[-1] == 0:
        return old
    start = jnp.minimum(at, old.shape[-1] - new.shape[-1])  # the end is a dump for what does not fit
    return parts.written(old, new.astype(old.dtype), start)


def _empty_log(form, n_columns, parameters):
    if not form.learns:
        n_columns = 0

    def zeros(*shape, dtype=jnp.float32):
        return jnp.zeros((*shape, n_columns), dtype)

    n_types, n_opponents = parameters.initial.shape[0], parameters.opponents.shape[2]
    n_about, n_seats = parameters.tiles.shape[2], form.rules.n_seats
    return Log(
        inputs=zeros(parameters.bet.shape[2], form.n_options),
        cost=zeros(form.n_options),
        opponents=zeros(n_opponents),
        about=zeros(n_about, n_seats) if parameters.tiles.shape[1] else jnp.zeros((n_about, n_seats, 0), jnp.float32),
        own=zeros(n_types, form.n_options) if form.self_aware else jnp.zeros((n_types, form.n_options, 0), jnp.float32),
        street=zeros(dtype=jnp.int8),
        action=zeros(dtype=jnp.int8),
        legal=zeros(dtype=jnp.int8),
        row=zeros(dtype=jnp.int32) + NO_ROW,
        mine=zeros(dtype=jnp.bool_),
        spent=zeros(),
        log_chance=zeros(),
    )


def n_columns(form, n_hands):
    """Columns of the log, and the same with the dump at its end."""
    usable = n_hands * form.logged_decisions
    return usable, usable + n_hands


def play(form, deals, minds, key, start=None):
    """Play every hand of the batch to its end. `minds` are the learning one and, in a response, the fixed one.

    A population comes last, and is what an exploiter learns against; `start[seat, T, hand]` is what is believed of
    player-types as the hands begin.
    """
    n_hands, n_types = len(deals.n_players), minds[0].parameters.initial.shape[0]
    _, columns = n_columns(form, n_hands)
    watchers = observers(form, minds)
    starts = (start,) * len(watchers)
    if form.memory != "kept":
        starts = (None if form.memory == "reset" else told_kinds(minds[-1]), start)
    observes = form.learns and not form.exploits
    n_kinds = 0 if minds[-1].shift is None else minds[-1].shift.shape[2]
    tables = Tables(
        lanes=table.init(form.rules, deals.n_players),
        beliefs=tuple(first_beliefs(form, mind, n_hands, each) for mind, each in zip(watchers, starts, strict=True)),
        told=jnp.zeros((form.rules.n_seats, n_kinds, n_hands)),
        taken=jnp.zeros(n_hands, jnp.int32),
    )
    tally = Tally(
        key=key,
        ended=jnp.full((n_hands * 4 * form.rules.n_seats if observes else 0, n_types), -1.0),
        log=_empty_log(form, columns, minds[0].parameters),
        at=jnp.int32(0),
        steps=jnp.int32(0),
        decisions=jnp.int32(0),
        likelihood=jnp.float32(0),
    )
    slabs = jnp.zeros((4, len(stage_sizes(form, n_hands))), jnp.int32)

    def one_street(street, state):
        return _street_played(form, deals, minds, street, *state)

    tables, tally, slabs = lax.fori_loop(0, 4, one_street, (tables, tally, slabs))
    return Played(
        net=table.payoffs(form.rules, tables.lanes, deals.rank) / form.rules.small_blind,
        wins=table.winners(form.rules, tables.lanes, deals.rank),
        folded=tables.lanes.folded,
        ended=tally.ended,
        log=tally.log,
        slabs=slabs,
        decisions=tally.decisions,
        likelihood=tally.likelihood,
        players=_players_after(form, minds[-1], tables, start) if n_kinds else tables.told,
    )


def _street_played(form, deals, minds, street, tables, tally, slabs):
    """All hands of a batch to the end of a street, which new board cards begin."""
    n_hands = len(deals.n_players)
    hand = jnp.arange(n_hands, dtype=jnp.int32)
    begins = (tables.lanes.street == street) & (street > 0)
    beliefs = (
        jnp.where(begins, turned(mind, each, hand, street), each)
        for mind, each in zip(observers(form, minds), tables.beliefs, strict=True)
    )
    everyone = here = tables._replace(beliefs=tuple(beliefs))
    widths = stage_sizes(form, n_hands)
    for stage, (size, following) in enumerate(zip(widths, (*widths[1:], 0), strict=True)):
        if size < n_hands:
            here, hand = _closed_ranks(here, hand, _busy(here, street), size)
        begun = tally.steps

        def too_many(state, following=following):
            return parts.largest(form, jnp.sum(_busy(state[0], street))) > following

        here, hand, tally = lax.while_loop(
            too_many, lambda state: _step(form, deals, minds, street, state), (here, hand, tally)
        )
        slabs = slabs.at[street, stage].set(tally.steps - begun)
        everyone = (
            here
            if size == n_hands
            else jax.tree.map(
                lambda old, new, hand=hand: old.at[..., hand].set(new, mode="drop", unique_indices=True), everyone, here
            )
        )
    return everyone, tally, slabs


def told_kinds(mind):
    """`[seat, T, hand]`: what is believed of player-types by somebody who is told them."""
    kinds = jnp.arange(mind.shift.shape[2], dtype=jnp.int32)[:, None]
    return (mind.kinds[:, None] == kinds).astype(jnp.float32)


def first_beliefs(form, mind, n_hands, start=None):
    """`[seat, C, hand]`, or of pairs: what is believed before the first action."""
    initial = mind.parameters.initial
    if mind.shift is None or start is None:
        return jnp.broadcast_to(initial[None, :, None], (form.rules.n_seats, len(initial), n_hands))
    cards = jnp.sum(initial.reshape(mind.shift.shape[2], -1), axis=0)
    return (start[:, :, None] * cards[:, None]).reshape(form.rules.n_seats, len(initial), n_hands)


def _players_after(form, mind, tables, start):
    """`[seat, T, hand]`: beliefs on player-types after the hand; cards that were shown replace what was guessed.

    Section 6.3: the types of those who show are judged anew by what each type would have done with their cards.
    """
    lanes, told = tables.lanes, tables.told
    n_kinds, n_lanes = told.shape[1:]
    guessed = jnp.sum(tables.beliefs[-1].reshape(form.rules.n_seats, n_kinds, -1, n_lanes), axis=2)
    before = jnp.sum(mind.parameters.initial.reshape(n_kinds, -1), axis=1)[None, :, None] if start is None else start
    judged = structure.normalised(before * jnp.exp(told - jnp.max(told, axis=1, keepdims=True)), 1)
    seats = jnp.arange(form.rules.n_seats, dtype=jnp.int32)[:, None]
    shown = (lanes.folded >> seats & 1 == 0) & (table.n_in_hand(form.rules, lanes) >= 2)
    return jnp.where(shown[:, None], judged, guessed)


def _closed_ranks(tables, hand, busy, size):
    """(the lanes that are still busy, on `size` lanes, their hands); those too many stand for nobody and stay idle."""
    which = jnp.nonzero(busy, size=size, fill_value=len(hand))[0]
    empty = which == len(hand)
    tables = jax.tree.map(lambda array: jnp.take(array, which, axis=-1, mode="clip"), tables)
    lanes = tables.lanes._replace(actor=jnp.where(empty, table.NOBODY, tables.lanes.actor))
    hand = jnp.where(empty, NO_ROW // 64 + jnp.arange(size), jnp.take(hand, which, mode="clip"))
    return tables._replace(lanes=lanes), hand.astype(jnp.int32)
