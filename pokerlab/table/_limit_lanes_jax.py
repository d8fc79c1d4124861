# mypy: ignore-errors
"""Limit hold'em on thousands of lanes at once: the betting and the showdown as arrays whose last axis is the lane.

`limit_lanes` documents and checks. Nobody is ever all-in and there are no antes, so all players in a hand have spent
the same when a street begins, and what a seat owes is `level - spent[seat]`. Sets of seats are bit masks. Seats that a
lane does not use count as folded from the start. A lane whose hand is over has `actor` NOBODY and no longer changes.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

NOBODY = -1
FOLD, CALL, RAISE = 0, 1, 2
LAST_STREET = 3


class Lanes(NamedTuple):
    """A hand in progress on every lane; all are int32."""

    n_players: jax.Array  # [lane]
    street: jax.Array  # [lane]
    actor: jax.Array  # [lane]: the seat to act, or NOBODY
    level: jax.Array  # [lane]: chips that a seat must have spent to stay in
    n_raises: jax.Array  # [lane]: on this street
    folded: jax.Array  # [lane]: mask of seats that are out, or were never in
    waiting: jax.Array  # [lane]: mask of seats that must still act before the street ends
    spent: jax.Array  # [seat, lane]: chips over the whole hand, blinds included


class Moves(NamedTuple):
    """What the actor may do besides call, which is always legal, and what it owes."""

    fold: jax.Array  # [lane]
    raises: jax.Array  # [lane]
    owed: jax.Array  # [lane]: chips that a call adds


def init(rules, n_players):
    """The start of a hand of `n_players[lane]` on every lane: blinds are in, the first seat is to act."""
    lane = jnp.zeros_like(n_players)
    heads_up = n_players == 2
    seat = jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None]
    big = jnp.where(heads_up, 0, 1)
    spent = jnp.where(seat == big, rules.big_blind, jnp.where(seat == 1 - big, rules.small_blind, 0))
    seated = (1 << n_players) - 1
    return Lanes(
        n_players=n_players,
        street=lane,
        actor=jnp.where(heads_up, 1, 2 % n_players),
        level=lane + rules.big_blind,
        n_raises=lane,
        folded=~seated & ((1 << rules.n_seats) - 1),
        waiting=seated,
        spent=spent.astype(jnp.int32),
    )


def renewed(rules, lanes, which, n_players):
    """The lanes, those of `which[lane]` at the start of a new hand of `n_players[lane]`."""
    return Lanes(*(jnp.where(which, new, old) for new, old in zip(init(rules, n_players), lanes, strict=True)))


def of_seat(by_seat, seat):
    """`by_seat[seat[lane], lane]`; 0 where the seat is NOBODY."""
    seats = jnp.arange(by_seat.shape[0], dtype=jnp.int32)[:, None]
    return jnp.sum(jnp.where(seats == seat, by_seat, 0), axis=0)


def n_in_hand(rules, lanes):
    """How many seats have not folded, by lane."""
    return rules.n_seats - lax.population_count(lanes.folded)


def moves(rules, lanes):
    """What the actor of each lane may do."""
    owed = lanes.level - of_seat(lanes.spent, lanes.actor)
    capped = lanes.n_raises >= by_street(rules.max_raises, lanes.street)
    if rules.uncapped_heads_up:
        capped &= n_in_hand(rules, lanes) != 2
    acting = lanes.actor != NOBODY
    return Moves((owed > 0) & acting, ~capped & acting, jnp.where(acting, owed, 0))


def step(rules, lanes, action):
    """The lanes after each actor's legal `action[lane]` (FOLD, CALL or RAISE); lanes that are over stay as they are."""
    seat = jnp.maximum(lanes.actor, 0)
    bit = 1 << seat
    raising, folding = action == RAISE, action == FOLD
    level = lanes.level + jnp.where(raising, by_street(rules.raise_sizes, lanes.street), 0)
    mine = jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None] == seat
    spent = jnp.where(mine & ~folding, level, lanes.spent)
    folded = lanes.folded | jnp.where(folding, bit, 0)
    in_hand = ~folded & ((1 << rules.n_seats) - 1)
    waiting = jnp.where(raising, in_hand, lanes.waiting) & ~bit
    alone = in_hand & (in_hand - 1) == 0
    street_ends = (waiting == 0) & ~alone
    over = alone | (street_ends & (lanes.street == LAST_STREET))
    new_street = street_ends & ~over
    after = Lanes(
        n_players=lanes.n_players,
        street=lanes.street + new_street,
        actor=jnp.where(over, NOBODY, jnp.where(new_street, lowest(in_hand), _next(waiting, seat))),
        level=level,
        n_raises=jnp.where(new_street, 0, lanes.n_raises + raising),
        folded=folded,
        waiting=jnp.where(new_street, in_hand, waiting),
        spent=spent,
    )
    return Lanes(*(jnp.where(lanes.actor == NOBODY, old, new) for new, old in zip(after, lanes, strict=True)))


def winners(rules, lanes, rank):
    """`[seat, lane]`: who shares the pot of a hand that is over; a larger `rank[seat, lane]` is better."""
    in_hand = lanes.folded >> jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None] & 1 == 0
    ranked = jnp.where(in_hand, rank, -1)
    return ranked == jnp.max(ranked, axis=0)


def payoffs(rules, lanes, rank):
    """`[seat, lane]`, float32: the net chips of a hand that is over; ties split the pot exactly."""
    wins = winners(rules, lanes, rank)
    pot, n_winners = jnp.sum(lanes.spent, axis=0), jnp.sum(wins, axis=0)
    share = (pot - n_winners * lanes.spent).astype(jnp.float32) / n_winners
    return jnp.where(wins, share, -lanes.spent.astype(jnp.float32))


def lowest(mask):
    """The lowest seat of each mask, which acts first after the flop."""
    return lax.population_count((mask & -mask) - 1)


def _next(waiting, seat):
    """The first waiting seat after `seat`, clockwise; absent seats never wait."""
    later = waiting & ~((2 << seat) - 1)
    return lowest(jnp.where(later != 0, later, waiting))


def by_street(values, street):
    """`values[street]` for a tuple of four numbers, without a look-up."""
    found = jnp.full_like(street, values[0])
    for number, value in enumerate(values[1:], 1):
        found = jnp.where(street == number, value, found)
    return found
