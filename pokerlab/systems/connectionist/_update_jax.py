# mypy: ignore-errors
"""Training steps that run entirely on the device: deal a batch, play it, learn from it."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.systems.connectionist import _decide_jax as deciding
from pokerlab.systems.connectionist import _learn_jax as learning
from pokerlab.systems.connectionist import _parts_jax as parts
from pokerlab.systems.connectionist import _play_jax as playing
from pokerlab.systems.connectionist.parameters import Parameters
from pokerlab.systems.connectionist.population import paired
from pokerlab.systems.connectionist.settings import PLAYERS_DRAWN

# Do not search for the fastest matrix product: its result would depend on the search, and a resumed run could differ.
jit = partial(jax.jit, compiler_options={"xla_gpu_autotune_level": 0, "xla_gpu_enable_triton_gemm": False})

KEEP_BASELINE, KEEP_USE, KEEP_MOMENTS = 0.98, 0.99, 0.99
LEAST_USE = 0.02
ADAM_FIRST, ADAM_SECOND, ADAM_EPSILON = 0.9, 0.999, 1e-8
TURNS = 10
STRANGE_SEATS = 0.6
"""In hands with strangers, the share of seats that they occupy."""


class LaneMatches(NamedTuple):
    """State of an exploiter's matches, one per lane, at the beginning of the next hand."""

    kinds: jax.Array  # kinds[seat, hand]: each player's type
    believed: jax.Array  # believed[seat, T, hand]: the population's observer's beliefs
    learner: jax.Array  # learner[hand]: the exploiter's seat


class TrainingState(NamedTuple):
    """The complete state of a training run."""

    parameters: Parameters
    anchor: Parameters
    first: Parameters  # first and second: Adam's running averages
    second: Parameters
    baseline: learning.Baseline
    use: learning.Use
    iteration: jax.Array
    moments: jax.Array  # running averages of the learner's winnings per hand, and of their square
    match: LaneMatches | tuple[()]  # an exploiter's matches; their first axis is parts


LEARNER = TrainingState(*(parts.EVERYWHERE,) * 8, match=parts.DIVIDED)


class Pool(NamedTuple):
    """Deals of ten seats, drawn in advance; the first axis of all arrays is parts."""

    ranks: jax.Array  # ranks[deal, 10]
    board: jax.Array  # board[deal, board column], int8
    private: jax.Array  # private[deal, 10, private column], int8


def pool_of(form, ranks, board, private):
    """Put a pool of deals on the device."""
    return Pool(*(parts.placed(form, each) for each in (ranks, board, private)))


def key_of(words):
    """Make a JAX random key from two 32-bit words."""
    return jax.random.wrap_key_data(jnp.asarray(words))


def blank_match(parts, *, n_seats, n_kinds, n_lanes):
    """Matches that have not started; their arrays begin with the axes `parts`."""
    return LaneMatches(
        jnp.zeros((*parts, n_seats, n_lanes), jnp.int32),
        jnp.zeros((*parts, n_seats, n_kinds, n_lanes)),
        jnp.zeros((*parts, n_lanes), jnp.int32),
    )


def learner_of(parameters, match=()):
    """Make the training state before the first update. An exploiter's includes its matches."""
    parameters = Parameters(*(jnp.asarray(each, jnp.float32) for each in parameters))
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    n = parameters.bet.shape[1] + parameters.bet.shape[2]
    use = learning.Use(
        jnp.full(parameters.types.shape[::2], 1 / parameters.types.shape[2], jnp.float32),
        jnp.ones(parameters.private.shape[1]),
        jnp.ones(parameters.board.shape[::2]),
        jnp.ones(4),
    )
    baseline = learning.Baseline(jnp.zeros((4, n, n)), jnp.zeros((4, n)))
    return TrainingState(parameters, parameters, zeros, zeros, baseline, use, jnp.int32(0), jnp.zeros(2), match)


def dealt(form, knobs, pool, number, key):
    """The hands of batch `number`, which are the next ones of the pool. Seats rotate by one after each pass through the
    pool."""
    n_hands, n_batches = form.batch, pool.ranks.shape[0] // form.batch
    at, turn = number % n_batches * n_hands, number // n_batches % TURNS
    seats = (jnp.arange(form.rules.n_seats) + turn) % pool.ranks.shape[1]

    def part(array):
        return lax.dynamic_slice_in_dim(array, at, n_hands)

    who, seat, strange, how = jax.random.split(key, 4)
    if form.players:
        n_players = jnp.full(n_hands, form.players, jnp.int32)
    else:
        counts = jnp.asarray(list(PLAYERS_DRAWN.values()), jnp.float32)
        n_players = 2 + jax.random.categorical(who, jnp.log(counts), shape=(n_hands,)).astype(jnp.int32)
    learner = jnp.full(n_hands, -1, jnp.int32)
    if form.responds:
        learner = (jax.random.uniform(seat, (n_hands,)) * n_players).astype(jnp.int32)
    strangers, raising = jnp.zeros(n_hands, jnp.int32), jnp.zeros(n_hands)
    if form.strangers:
        bits = 1 << jnp.arange(form.rules.n_seats, dtype=jnp.int32)[:, None]
        there = jax.random.uniform(strange, (form.rules.n_seats, n_hands)) < STRANGE_SEATS
        mask = jnp.sum(jnp.where(there, bits, 0), axis=0)
        drawn, raising = jax.random.uniform(how, (2, n_hands))
        strangers = jnp.where(drawn < knobs.strangers, mask, 0)
    return deciding.BatchDeals(
        n_players=n_players,
        rank=jnp.take(part(pool.ranks), seats, axis=1).T,
        board=part(pool.board),
        private=jnp.take(part(pool.private), seats, axis=1),
        learner=learner,
        strangers=strangers,
        raising=raising,
    )


def begun(form, players, match, which, key):
    """Start new matches on the lanes where `which[lane]` is true: sample the players' types, and set the beliefs to the
    prior."""
    kind, seat = jax.random.split(key)
    n_seats, n_lanes = match.kinds.shape
    kinds = jax.random.categorical(kind, jnp.log(players.initial), shape=(n_seats, n_lanes)).astype(jnp.int32)
    return LaneMatches(
        jnp.where(which, kinds, match.kinds),
        jnp.where(which, players.initial[None, :, None], match.believed),
        jnp.where(which, jax.random.randint(seat, (n_lanes,), 0, n_seats), match.learner),
    )


def next_hand(match, believed):
    """Go on to the next hand of the matches, with the beliefs `believed[seat, T, hand]`. All players move by one
    seat."""
    n_seats = match.kinds.shape[0]
    turned = (jnp.roll(each, -1, axis=0) for each in (match.kinds, believed))
    return LaneMatches(*turned, (match.learner - 1) % n_seats)


def company(fixed, match, deals):
    """Make the mind (parameters with card terms) of an exploiter's opponents."""
    return deciding.mind_of(paired(fixed), deals, fixed.players.shift, match.kinds)


def one_part(form, knobs, number, fixed, parameters, match, pool, key):
    """Play one part of batch `number`. Return (arguments of `lessons_of`, the part's matches afterwards).

    An exploiter's matches are at a different hand on each lane, so every batch contains early and late hands of
    matches.
    """
    deal, play, crowd = jax.random.split(key, 3)
    deals, start, information = dealt(form, knobs, pool, number, deal), None, None
    if form.exploits:
        shift = jnp.arange(form.batch) * form.match_hands // form.batch
        of_match = (number + shift) % form.match_hands
        fresh = (of_match == 0) | (number == 0)
        match = begun(form, fixed.players, match, fresh, jax.random.fold_in(crowd, 1))
        deals, start = deals._replace(learner=match.learner), match.believed
    minds = (deciding.mind_of(parameters, deals),)
    if fixed is not None:
        minds = (*minds, company(fixed, match, deals) if form.exploits else deciding.mind_of(fixed, deals))
    played = playing.play(form, deals, minds, play, start)
    if form.exploits:
        left = 1 - (of_match + 1) / form.match_hands
        information = knobs.explore * left * learning.bits_gained(deals, start, played.players)
        match = next_hand(match, played.players)
    return (deals, played, crowd, information), match


def one_batch(form, knobs, fixed, learner, pool, key):
    """Return (the learner after one more batch, the batch's statistics). `fixed` is None in self-play, the other
    players' parameters if these do not learn, and a `Model` if the learner is an exploiter."""
    keys = parts.keys(form, jax.random.fold_in(key, learner.iteration))
    weights = parts.spread(form, (fixed, learner.parameters))
    play = partial(one_part, form, knobs, learner.iteration)
    part, match = parts.each(form, play, *weights, learner.match, pool, keys)
    for _ in range(form.epochs):
        learners = parts.spread(form, learner._replace(match=()))
        lessons = parts.mean(form, parts.each(form, partial(learning.lessons_of, form, knobs), learners, *part))
        learner = updated(form, knobs, learner, lessons)
    return learner._replace(iteration=learner.iteration + 1, match=match), lessons.numbers


@partial(jit, static_argnums=0)
@jax.default_matmul_precision("highest")
def played_match(form, knobs, model, parameters, pool, asked, key):
    """Play a match on every lane, from its first hand to its last, without learning.

    Returns `numbers[hand, 4]` and the state of the matches at the beginning of hand number `asked[lane]`. The numbers
    are means over lanes: the exploiter's winnings in small blinds, their square, and the entropies, in bits, of the
    beliefs about the player-types of the opponents and of the exploiter after the hand.
    """
    n_seats = form.rules.n_seats
    seats = jnp.arange(n_seats, dtype=jnp.int32)[:, None]
    blank = blank_match((), n_seats=n_seats, n_kinds=len(model.players.initial), n_lanes=form.batch)
    pool = jax.tree.map(lambda each: each[0], pool)
    match = begun(form, model.players, blank, jnp.ones(form.batch, bool), jax.random.fold_in(key, form.match_hands))

    def body(state, number):
        match, kept = state
        kept = jax.tree.map(lambda old, new: jnp.where(number == asked, new, old), kept, match)
        deal, play = jax.random.split(jax.random.fold_in(key, number))
        deals = dealt(form, knobs, pool, number, deal)._replace(learner=match.learner)
        minds = (deciding.mind_of(parameters, deals), company(model, match, deals))
        played = playing.play(form, deals, minds, play, match.believed)
        own = seats == match.learner
        unsure = -jnp.sum(played.players * jnp.log2(jnp.maximum(played.players, 1e-12)), axis=1)
        entropies = [jnp.sum(unsure * which) / jnp.sum(which) for which in (~own, own)]
        numbers = [*(each / form.batch for each in learning.winnings(form, deals, played)), *entropies]
        return (next_hand(match, played.players), kept), jnp.stack(numbers)

    (_, kept), numbers = lax.scan(body, (match, match), jnp.arange(form.match_hands))
    return numbers, kept


@partial(jit, static_argnums=0)
@jax.default_matmul_precision("highest")
def batches(form, knobs, fixed, learner, pool, key, n):
    """Return (the learner after `n` more batches, the means of their statistics)."""

    def work(knobs, fixed, learner, pool, key, n):
        def body(_, state):
            learner, total = state
            learner, numbers = one_batch(form, knobs, fixed, learner, pool, key)
            return learner, total + numbers

        learner, total = lax.fori_loop(0, n, body, (learner, jnp.zeros(learning.N_NUMBERS)))
        return learner, total / n

    everywhere = parts.EVERYWHERE
    given = (everywhere, everywhere, LEARNER, parts.DIVIDED, everywhere, everywhere)
    return parts.on_cores(form, work, given, (LEARNER, everywhere))(knobs, fixed, learner, pool, key, n)


@partial(jit, static_argnums=0)
@jax.default_matmul_precision("highest")
def played_batches(form, knobs, fixed, learner, pool, key, n):
    """Play `n` batches without learning. Return means per hand: decisions, winnings and squared winnings.

    Winnings are those of the learner's seat in small blinds, or in self-play the mean over the seats.
    """

    def one(knobs, number, fixed, parameters, pool, key):
        deal, play = jax.random.split(key)
        deals = dealt(form, knobs, pool, number, deal)
        minds = (deciding.mind_of(parameters, deals),)
        if fixed is not None:
            minds = (*minds, deciding.mind_of(fixed, deals))
        played = playing.play(form, deals, minds, play)
        return jnp.stack([played.decisions, *learning.winnings(form, deals, played)]) / form.batch

    def work(knobs, fixed, parameters, pool, key, n):
        def body(number, total):
            keys = parts.keys(form, jax.random.fold_in(key, number))
            weights = parts.spread(form, (fixed, parameters))
            return total + parts.mean(form, parts.each(form, partial(one, knobs, number), *weights, pool, keys))

        return lax.fori_loop(0, n, body, jnp.zeros(3)) / n

    everywhere = parts.EVERYWHERE
    given = (everywhere, everywhere, everywhere, parts.DIVIDED, everywhere, everywhere)
    return parts.on_cores(form, work, given, everywhere)(knobs, fixed, learner.parameters, pool, key, n)


def updated(form, knobs, learner, lessons):
    """Return the learner after an update with the lessons of a batch."""
    use = averaged(KEEP_USE, learner.use, lessons.use)
    baseline = averaged(KEEP_BASELINE, learner.baseline, lessons.baseline)
    rest = 1 - learner.iteration / knobs.batches
    slower = jnp.where(knobs.cooldown > 0, jnp.clip(rest / jnp.maximum(knobs.cooldown, 1e-9), 0.0, 1.0), 1.0)
    gradient, old = lessons.gradient, learner.parameters
    first, second = learner.first, learner.second
    if form.optimizer == "adam":
        count = (learner.iteration * form.epochs + 1).astype(jnp.float32)
        direction, first, second = adam(gradient, first, second, count)
    else:
        direction = _over_use(gradient, use)
    rates = {name: slower * (knobs.rate if name in learning.PLAYER else knobs.observer_rate) for name in old._fields}
    new = Parameters(*(getattr(old, name) + rates[name] * getattr(direction, name) for name in old._fields))
    initial = (1 - rates["initial"]) * old.initial + rates["initial"] * gradient.initial
    new = new._replace(initial=initial / jnp.sum(initial), showdown=jnp.clip(new.showdown, -4.0, 4.0))
    anchor = learner.anchor
    pulled = {
        name: getattr(new, name) + knobs.anchor_pull * (getattr(anchor, name) - getattr(new, name))
        for name in learning.PLAYER
    }
    new = new._replace(**pulled)
    anchor = jax.tree.map(lambda a, p: a + knobs.anchor_rate * (p - a), anchor, new)
    moments = averaged(KEEP_MOMENTS, learner.moments, lessons.numbers[-2:])
    return learner._replace(
        parameters=new, anchor=anchor, first=first, second=second, baseline=baseline, use=use, moments=moments
    )


def averaged(keep, old, new):
    """Running averages after one more value; `keep` is the weight of the old ones. Works on trees of arrays."""
    return jax.tree.map(lambda old, new: keep * old + (1 - keep) * new, old, new)


def adam(gradient, first, second, count):
    """Return (direction, both running averages) of Adam (Kingma and Ba 2015) at update number `count`, counted
    from 1."""
    first = averaged(ADAM_FIRST, first, gradient)
    second = jax.tree.map(lambda a, g: ADAM_SECOND * a + (1 - ADAM_SECOND) * g * g, second, gradient)
    grown = (1 - ADAM_FIRST**count, 1 - ADAM_SECOND**count)
    direction = jax.tree.map(lambda a, b: a / grown[0] / (jnp.sqrt(b / grown[1]) + ADAM_EPSILON), first, second)
    return direction, first, second


def _over_use(gradient, use):
    """Divide the gradient by how often each parameter is used, so that rarely used ones learn as fast as others."""
    by_street = use.decisions[:, None, None]
    times = dict.fromkeys(("bet", "opponents", "own", "value", "tiles", "tile_effects"), by_street) | {
        "private": use.private,
        "board": use.board[:, None],
        "cost": use.decisions,
        "types": by_street * use.types[:, None],
        "transitions": use.types[:-1, :, None, None] * use.types[1:, None, :, None],
        "showdown": use.types[-1],
    }
    return gradient._replace(
        **{name: getattr(gradient, name) / jnp.maximum(used, LEAST_USE) for name, used in times.items()}
    )
