# mypy: ignore-errors
"""Self-play of the connectionist structure on lanes: play a batch of hands to the end, and log all decisions for
learning.

All hands of a batch begin a street together, so that one set of weights serves all lanes. They finish it after
different numbers of decisions. When few lanes are still busy, they are packed into fewer lanes. This gives a few
stages, each a loop over mostly busy lanes. In every step each busy lane makes one decision. A decision is a column of
the log, and the columns of one step form a slab.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.systems.connectionist import _decide_jax as deciding
from pokerlab.systems.connectionist import _parts_jax as parts
from pokerlab.systems.connectionist import _structure_jax as structure
from pokerlab.table import _lanes_jax as table

NO_ROW = 2**30


class DecisionLog(NamedTuple):
    """The decisions of a batch, one per column: inputs and actions of the learning mind. Idle lanes have the row
    NO_ROW."""

    inputs: jax.Array  # inputs[10 or 13, option, column]: bet inputs
    cost: jax.Array  # cost[option, column]
    opponents: jax.Array  # opponents[C (+ T), column]: sum of the beliefs about the opponents
    own: jax.Array  # own[C, option, column]: self-aware inputs
    about: jax.Array  # about[C (+ T) + 4, seat, column]: inputs of the extra layer
    street: jax.Array  # street[column]
    action: jax.Array  # action[column]
    legal: jax.Array  # legal[column], as by `_structure_jax.legal_mask`
    row: jax.Array  # row[column]: index of (hand, street, seat) in flat arrays; NO_ROW without a decision
    mine: jax.Array  # mine[column]: whether the learning mind acted
    spent: jax.Array  # spent[column]: what the actor had put in before, in small blinds
    log_chance: jax.Array  # log_chance[column]: log-probability of the action


class BatchOutcome(NamedTuple):
    """The result of playing a batch."""

    net: jax.Array  # net[seat, hand]: small blinds won
    wins: jax.Array  # wins[seat, hand]: whether the seat wins the pot
    folded: jax.Array  # folded[hand]: bit mask of seats
    # ended[(hand, street, seat), C]: the learning observer's belief after the seat's last action, or -1
    ended: jax.Array
    log: DecisionLog
    slabs: jax.Array  # slabs[street, stage]: number of slabs filled by each stage
    decisions: jax.Array  # number of decisions in all hands
    likelihood: jax.Array  # the learning observer's log-likelihood of all actions
    # players[seat, T, hand]: the population's observer's beliefs about player-types; T is 0 without types
    players: jax.Array


def observers(form, minds):
    """The number of the mind whose observer updates each set of beliefs. It is each mind's own observer, or against a
    population always the population's.

    Against a population, a second set of beliefs exists only if the exploiter plays every hand as if it were the first,
    or if it knows the player-types.
    """
    return minds[-1:] * (1 if form.memory == "kept" else 2) if form.exploits else minds


def stage_sizes(form, n_hands):
    """Number of lanes in each stage."""
    return (n_hands, *(n_hands // by for by in form.shrinks if n_hands % by == 0))


class HandsInPlay(NamedTuple):
    """Hands in progress on lanes."""

    lanes: table.Lanes
    beliefs: tuple[jax.Array, ...]  # beliefs[seat, C, lane] of each observer
    told: jax.Array  # told[seat, T, lane]: log-likelihood, by player-type, of a seat's actions with its actual cards
    taken: jax.Array  # taken[lane]: number of decisions so far


class BatchTally(NamedTuple):
    """Counts and sums accumulated over a batch."""

    key: jax.Array
    ended: jax.Array
    log: DecisionLog
    at: jax.Array  # number of filled columns of the log
    steps: jax.Array
    decisions: jax.Array
    likelihood: jax.Array


def _busy(tables, street):
    """Which lanes still have decisions on `street`."""
    return (tables.lanes.actor != table.NOBODY) & (tables.lanes.street == street)


def _step(form, deals, minds, street, state):
    """Play one decision on every lane that is on `street`."""
    tables, hand, tally = state
    acting = _busy(tables, street)
    lanes = tables.lanes._replace(actor=jnp.where(acting, tables.lanes.actor, table.NOBODY))
    key, draw = jax.random.split(tally.key)
    views, watched = _views(form, minds, lanes, tables.beliefs, hand, street)
    learns, strange = _whose(form, deals, lanes, hand, acting)
    log_pi = views[0][0]
    if len(minds) == 2:
        log_pi = jnp.where(learns, log_pi, views[1][0])
    moves = views[0][3][4]
    action = deciding.sampled(log_pi, moves, jax.random.uniform(draw, lanes.actor.shape))
    if form.strangers:
        key, draw = jax.random.split(key)
        raising = jnp.take(deals.raising, hand, mode="clip")
        theirs = deciding.legal(deciding.stranger_action(form, lanes, raising, draw), moves)
        action = jnp.where(strange, theirs, action)
    forced = tables.taken >= form.most_decisions
    action = jnp.where(forced, table.CALL, action)
    after = deciding.stepped(form, lanes, action, draw)
    after = after._replace(actor=jnp.where(acting, after.actor, tables.lanes.actor))
    results = [
        deciding.acted(lanes, each, own=view[2], by_type=view[1], action=action)
        for each, view in zip(tables.beliefs, watched, strict=True)
    ]
    ended, log, told = tally.ended, tally.log, tables.told
    if form.learns:
        row = jnp.where(acting & ~forced, views[0][3][5], NO_ROW)
        if not form.exploits:
            ended = ended.at[row].set(results[0][1].T, mode="drop", unique_indices=True)
        column = _column(form, lanes, views[0], action, log_pi, row, learns)
        log = DecisionLog(*(_logged(old, new, tally.at) for old, new in zip(log, column, strict=True)))
    if (by_player := views[-1][4]) is not None:
        mine = (jnp.arange(form.rules.n_seats, dtype=jnp.int32)[:, None] == lanes.actor) & ~forced
        chosen = jnp.take_along_axis(by_player, action[None, None], axis=0)[0]
        told = told + jnp.where(mine[:, None], chosen, 0.0)
    tables = HandsInPlay(after, tuple(result[0] for result in results), told, tables.taken + acting)
    tally = BatchTally(
        key=key,
        ended=ended,
        log=log,
        at=tally.at + len(hand),
        steps=tally.steps + 1,
        decisions=tally.decisions + jnp.sum(acting),
        likelihood=tally.likelihood + jnp.sum(jnp.where(acting & ~forced, results[0][2], 0.0)),
    )
    return tables, hand, tally


def _views(form, minds, lanes, beliefs, hand, street):
    """Return (results of `seen` for each mind, with the beliefs by which it plays; results of `seen` for the observers
    that update the sets of beliefs)."""
    pairs = zip(minds, (beliefs[0], beliefs[-1]), strict=False)
    views = [deciding.seen(form, mind, lanes, each, hand, street) for mind, each in pairs]
    if not form.exploits:
        return views, views
    others = (deciding.seen(form, minds[-1], lanes, each, hand, street) for each in beliefs[:-1])
    return views, [*others, views[-1]]  # the population's observer updates all beliefs


def _whose(form, deals, lanes, hand, acting):
    """Return two arrays with a truth value for each lane (one of the hands played at once).

    The first says whether the player to act is one that learns. The second says whether it is a stranger, a simple
    player that never folds; it is None if no strangers take part.
    """
    learner = jnp.take(deals.learner, hand, mode="clip")
    learns = acting & ((learner < 0) | (learner == lanes.actor))
    if not form.strangers:
        return learns, None
    strange = acting & (jnp.take(deals.strangers, hand, mode="clip") >> jnp.maximum(lanes.actor, 0) & 1 == 1)
    return learns & ~strange, strange


def _column(form, lanes, view, action, log_pi, row, learns):
    """The entries of the log for one step: a decision on every lane."""
    inputs, cost, opponents, own, moves, _, about = view[3]
    return DecisionLog(
        inputs=inputs,
        cost=cost,
        opponents=opponents,
        own=own,
        about=about,
        street=lanes.street,
        action=action,
        legal=structure.legal_mask(moves),
        row=row,
        mine=learns,
        spent=table.of_seat(lanes.spent, lanes.actor).astype(jnp.float32) / form.rules.small_blind,
        log_chance=jnp.take_along_axis(log_pi, action[None], axis=0)[0],
    )


def _logged(old, new, at):
    if old.shape[-1] == 0:
        return old
    start = jnp.minimum(at, old.shape[-1] - new.shape[-1])  # columns that do not fit are written at the very end
    return parts.written(old, new.astype(old.dtype), start)


def _empty_log(form, n_columns, parameters):
    if not form.learns:
        n_columns = 0

    def zeros(*shape, dtype=jnp.float32):
        return jnp.zeros((*shape, n_columns), dtype)

    n_types, n_opponents = parameters.initial.shape[0], parameters.opponents.shape[2]
    n_about, n_seats = parameters.tiles.shape[2], form.rules.n_seats
    return DecisionLog(
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
    """Return (number of usable columns of the log, number of all columns). The rest, at the end, collects what does not
    fit."""
    usable = n_hands * form.logged_decisions
    return usable, usable + n_hands


def play(form, deals, minds, key, start=None):
    """Play every hand of the batch to the end. `minds` are the mind that learns and, if the others play by fixed
    parameters, the mind of these.

    An exploiter's fixed mind is that of the population, and `start[seat, T, hand]` are the beliefs about player-types
    at the beginning of each hand.
    """
    n_hands, n_types = len(deals.n_players), minds[0].parameters.initial.shape[0]
    _, columns = n_columns(form, n_hands)
    watchers = observers(form, minds)
    starts = (start,) * len(watchers)
    if form.memory != "kept":
        starts = (None if form.memory == "reset" else deciding.true_kinds(minds[-1]), start)
    observes = form.learns and not form.exploits
    n_kinds = 0 if minds[-1].shift is None else minds[-1].shift.shape[2]
    tables = HandsInPlay(
        lanes=table.init(form.rules, deals.n_players),
        beliefs=tuple(
            deciding.first_beliefs(form, mind, n_hands, each) for mind, each in zip(watchers, starts, strict=True)
        ),
        told=jnp.zeros((form.rules.n_seats, n_kinds, n_hands)),
        taken=jnp.zeros(n_hands, jnp.int32),
    )
    tally = BatchTally(
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
    return BatchOutcome(
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
    """Play all hands of a batch through a street, beginning with its board cards."""
    n_hands = len(deals.n_players)
    hand = jnp.arange(n_hands, dtype=jnp.int32)
    begins = (tables.lanes.street == street) & (street > 0)
    beliefs = (
        jnp.where(begins, deciding.turned(mind, each, hand, street), each)
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


def _players_after(form, mind, tables, start):
    """`[seat, T, hand]`: beliefs about player-types after the hand, using the cards of players who showed them.

    As in section 6.3, the type of such a player is inferred again from the probability of its actions with its actual
    cards, for each type.
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
    """Return (the busy lanes packed into `size` lanes, their hands); surplus lanes are idle."""
    which = jnp.nonzero(busy, size=size, fill_value=len(hand))[0]
    empty = which == len(hand)
    tables = jax.tree.map(lambda array: jnp.take(array, which, axis=-1, mode="clip"), tables)
    lanes = tables.lanes._replace(actor=jnp.where(empty, table.NOBODY, tables.lanes.actor))
    hand = jnp.where(empty, NO_ROW // 64 + jnp.arange(size), jnp.take(hand, which, mode="clip"))
    return tables._replace(lanes=lanes), hand.astype(jnp.int32)
