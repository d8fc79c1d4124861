# mypy: ignore-errors
"""Raise sizes on no-limit lanes, and the structure's bet inputs after each: the twin of `sizes`.

Amounts are hand totals, as on lanes; K sizes, options are a call and the K sizes.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from pokerlab.games.betting_features import UNCAPPED
from pokerlab.systems.connectionist.parameters import BET_SCALE, COST_SCALE
from pokerlab.systems.connectionist.sizes import SPREADS
from pokerlab.systems.connectionist.structure import RATIOS
from pokerlab.table import _lanes_jax as table


class Spans(NamedTuple):
    """The range of each size; all are [K, lane]."""

    first: jax.Array
    centre: jax.Array
    last: jax.Array
    legal: jax.Array


LOW, CENTRE, HIGH = (np.array(each, np.int32)[:, None] for each in zip(*SPREADS, strict=True))


def spans(lanes, moves):
    """The hand totals of every size, and whether it is legal."""
    pot, level, most = jnp.sum(lanes.spent, axis=0) + moves.owed, lanes.level, moves.most
    low, high = (level - (-each * pot // 100) for each in (LOW, HIGH))
    number = jnp.arange(len(SPREADS))[:, None]
    covered = jnp.where(number == 0, moves.least, jnp.maximum(moves.least, low))
    upto = jnp.where(number == len(SPREADS) - 1, most - 1, jnp.minimum(most - 1, high - 1))
    targets = [jnp.clip(to, covered, upto) for to in (low, level + CENTRE * pot // 100, high - 1)]
    legal = jnp.concatenate([(covered <= upto) & moves.raises, moves.raises[None]])
    return Spans(*(jnp.concatenate([each, most[None]]) for each in targets), legal)


def sized_moves(lanes, moves):
    """The moves with `raises[K, lane]`: which sizes are legal."""
    return moves._replace(raises=spans(lanes, moves).legal)


def drawn(rules, lanes, action, uniform):
    """`[lane]`: the hand total of a raise, sampled by one uniform number; arbitrary for other actions."""
    found = spans(lanes, table.moves(rules, lanes))
    size = jnp.maximum(action - table.RAISE, 0)[None]
    first, last = (jnp.take_along_axis(each, size, axis=0)[0] - lanes.level for each in (found.first, found.last))
    ratio = jnp.maximum(last, 1).astype(jnp.float32) / jnp.maximum(first, 1)
    by = jnp.round(jnp.maximum(first, 1) * ratio**uniform).astype(jnp.int32)
    return lanes.level + jnp.clip(by, first, last)


def bet_inputs(rules, lanes, moves):
    """(`inputs[13, option, lane]`, `cost[option, lane]`): bet features, a 1 and inputs of sizes, after every option.

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
    raises = jnp.concatenate([jnp.zeros_like(found.legal[:1]), found.legal])  # [option, lane]
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
