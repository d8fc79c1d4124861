# mypy: ignore-errors
"""Play hands on lanes for rollouts of the connectionist player (`lane_rollouts`). A lane first repeats given actions,
then plays on.

The players at a table are copies of one player, or an exploiter and members of the population on whose model it was
trained; the population's observer then maintains all beliefs.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.systems.connectionist import _decide_jax as deciding
from pokerlab.table import _lanes_jax as table

NOTHING = -1


class Given(NamedTuple):
    """Actions with which lanes begin: the actions of a hand up to a decision, then the option to evaluate."""

    actions: jax.Array  # actions[decision, lane], int8; the option comes last
    n: jax.Array  # n[lane]: number of given actions; 0 to play the whole hand
    actor: jax.Array  # actor[lane]: the seat whose decision is rolled out


class LanePlayer(NamedTuple):
    """The parameters of a player, or those of a population with the types of its members at the table."""

    parameters: object  # a population's are over pairs of types
    shift: object = None  # shift[street, S, T]: contribution of the player's type
    kinds: object = None  # kinds[seat, deal]: each player's type
    start: object = None  # start[seat, T, deal]: beliefs about types before the hand


class Rolled(NamedTuple):
    """Results of the rollout on each lane."""

    net: jax.Array  # net[seat, lane]: small blinds won
    log_weight: jax.Array  # log_weight[lane]: log-probability of the other players' actions before the option
    chances: jax.Array  # chances[3, lane]: probabilities of the actor's actions at the decision
    legal: jax.Array  # legal[3, lane]: which of these actions are legal
    actions: jax.Array  # actions[decision, lane], int8: all actions; NOTHING after the end
    actors: jax.Array  # actors[decision, lane], int8
    streets: jax.Array  # streets[decision, lane], int8


@partial(jax.jit, static_argnums=(0, 1))
def played(form, record, players, deals, hand, given, key):
    """Play all lanes to the end. Lane l has the cards of deal `hand[l]`. With `record`, all actions are returned too.

    `players` is one player, who plays all seats, or an exploiter (in the seat `deals.learner`) and the population.
    """
    rules, n_lanes = form.rules, len(hand)
    minds = [deciding.mind_of(each.parameters, deals, each.shift, each.kinds) for each in players]
    mind, start = minds[-1], players[-1].start
    lanes = table.init(rules, jnp.take(deals.n_players, hand))
    learner = jnp.take(deals.learner, hand)
    beliefs = deciding.first_beliefs(form, mind, n_lanes, None if start is None else jnp.take(start, hand, axis=2))
    shape = (len(given.actions), n_lanes if record else 0)
    kept = tuple(jnp.full(shape, NOTHING, jnp.int8) for _ in range(3))
    zero = jnp.zeros(n_lanes)
    start = (lanes, beliefs, jnp.int32(0), key, zero, jnp.zeros((3, n_lanes)), jnp.zeros((3, n_lanes), bool), kept)

    def busy(state):
        return jnp.any(state[0].actor != table.NOBODY)

    def body(state):
        lanes, beliefs, number, key, log_weight, chances, legal, kept = state
        key, draw = jax.random.split(key)
        log_pi, by_type, own, seen, _ = deciding.seen(form, mind, lanes, beliefs, hand)
        if len(minds) == 2:
            log_pi = jnp.where(lanes.actor == learner, deciding.seen(form, minds[0], lanes, beliefs, hand)[0], log_pi)
        moves = seen[4]
        action = deciding.sampled(log_pi, moves, jax.random.uniform(draw, lanes.actor.shape))
        action = jnp.where(number >= form.most_decisions, table.CALL, action)
        told = lax.dynamic_index_in_dim(given.actions, number, keepdims=False).astype(jnp.int32)
        action = jnp.where(number < given.n, told, action)
        before = (number < given.n - 1) & (lanes.actor != given.actor) & (lanes.actor != table.NOBODY)
        log_weight += jnp.where(before, jnp.take_along_axis(log_pi, action[None], axis=0)[0], 0.0)
        here = number == given.n - 1
        chances = jnp.where(here, jnp.exp(log_pi), chances)
        legal = jnp.where(here, jnp.stack([moves.fold, jnp.ones_like(moves.fold), moves.raises]), legal)
        after = table.step(rules, lanes, action)
        beliefs, _, _ = deciding.acted(lanes, beliefs, own=own, by_type=by_type, action=action)
        turned = deciding.turned(mind, beliefs, hand, after.street)
        beliefs = jnp.where(after.street != lanes.street, turned, beliefs)
        if record:
            acting = lanes.actor != table.NOBODY
            rows = (action, lanes.actor, lanes.street)
            kept = tuple(
                lax.dynamic_update_index_in_dim(old, jnp.where(acting, new, NOTHING).astype(jnp.int8), number, 0)
                for old, new in zip(kept, rows, strict=True)
            )
        return after, beliefs, number + 1, key, log_weight, chances, legal, kept

    lanes, _, _, _, log_weight, chances, legal, kept = lax.while_loop(busy, body, start)
    net = table.payoffs(rules, lanes, jnp.take(deals.rank, hand, axis=1)) / rules.small_blind
    return Rolled(net, log_weight, chances, legal, *kept)
