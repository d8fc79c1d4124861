# mypy: ignore-errors
"""Hold'em on thousands of lanes at once: betting and showdown as arrays whose last axis is the lane (one table).

`lanes` has documentation and checks. There are no antes. `level` counts chips over the whole hand: when a street
begins, all players who are in the hand and not all-in have spent the same amount, and a seat owes `level -
spent[seat]`, but at most the rest of its stack. Raises in no-limit games are totals over the hand as well. Sets of
seats are bit masks. Seats that a lane does not use count as folded from the start. A lane whose hand is over has
`actor` NOBODY and no longer changes.

In limit games no seat is ever all-in. Since `rules.no_limit` is known at compile time, limit games do not pay for the
computation of stacks.
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

    n_players: jax.Array  # n_players[lane]
    street: jax.Array  # street[lane]
    actor: jax.Array  # actor[lane]: the seat to act, or NOBODY
    level: jax.Array  # level[lane]: chips that a seat must have spent to stay in
    n_raises: jax.Array  # n_raises[lane]: bets and raises on this street
    folded: jax.Array  # folded[lane]: mask of seats that have folded or are empty
    waiting: jax.Array  # waiting[lane]: mask of seats that must still act before the street ends
    spent: jax.Array  # spent[seat, lane]: chips over the whole hand, including blinds
    stack: object = None  # stack[seat, lane] in no-limit games: chips at the start of the hand; 0 at empty seats
    least: object = None  # least[lane] in no-limit games: the smallest raise short of all-in, as a total for the hand


class Moves(NamedTuple):
    """The actor's options in addition to a call, which is always legal, and the chips that it owes."""

    fold: jax.Array  # fold[lane]: whether folding is legal
    raises: jax.Array  # raises[lane]: whether raising is legal
    owed: jax.Array  # owed[lane]: chips that a call adds
    least: object = None  # least[lane] in no-limit games: the smallest raise, as a total for the hand
    most: object = None  # most[lane] in no-limit games: the largest raise, as a total for the hand


def init(rules, n_players, stack=None):
    """Start a hand of `n_players[lane]` on every lane: blinds are posted, and the first seat is to act. In no-limit
    games `stack[seat, lane]` may replace the stacks of the rules."""
    lane = jnp.zeros_like(n_players)
    heads_up = n_players == 2
    seat = jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None]
    big = jnp.where(heads_up, 0, 1)
    spent = jnp.where(seat == big, rules.big_blind, jnp.where(seat == 1 - big, rules.small_blind, 0))
    seated = (1 << n_players) - 1
    lanes = Lanes(
        n_players=n_players,
        street=lane,
        actor=jnp.where(heads_up, 1, 2 % n_players),
        level=lane + rules.big_blind,
        n_raises=lane,
        folded=~seated & ((1 << rules.n_seats) - 1),
        waiting=seated,
        spent=spent.astype(jnp.int32),
    )
    return _with_stacks(rules, lanes, stack) if rules.no_limit else lanes


def _with_stacks(rules, lanes, stack):
    """Start a no-limit hand: a blind may put a seat all-in, which may even end the hand."""
    stack = jnp.where(
        jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None] < lanes.n_players,
        rules.stack if stack is None else stack,
        0,
    ).astype(jnp.int32)
    spent = jnp.minimum(lanes.spent, stack)
    level = jnp.max(spent, axis=0)
    lanes = lanes._replace(stack=stack, spent=spent, level=level, least=level + rules.big_blind)
    able = able_seats(rules, lanes)
    alone = able & (able - 1) == 0
    matched = of_seat(spent, lowest(able)) >= level
    first = _next(able, lanes.actor - 1)
    return lanes._replace(
        waiting=able,
        actor=jnp.where((able == 0) | (alone & matched), NOBODY, first).astype(jnp.int32),
    )


def renewed(rules, lanes, which, n_players, stack=None):
    """Copy of the lanes in which those in `which[lane]` are at the start of a new hand of `n_players[lane]` (see
    `init`)."""
    return chosen_lanes(which, init(rules, n_players, stack), lanes)


def chosen_lanes(which, new, old):
    """The lanes of `new` where `which[lane]`, those of `old` elsewhere."""
    return jax.tree.map(lambda a, b: jnp.where(which, a, b), new, old)


def able_seats(rules, lanes):
    """Mask of seats that are in the hand and not all-in."""
    in_hand = ~lanes.folded & ((1 << rules.n_seats) - 1)
    return in_hand & _mask(lanes.spent < lanes.stack) if rules.no_limit else in_hand


def _mask(by_seat):
    """Bit mask of the seats where `by_seat[seat, lane]` is true."""
    bits = 1 << jnp.arange(by_seat.shape[0], dtype=jnp.int32)[:, None]
    return jnp.sum(jnp.where(by_seat, bits, 0), axis=0)


def of_seat(by_seat, seat):
    """`by_seat[seat[lane], lane]`; 0 if the seat is NOBODY."""
    seats = jnp.arange(by_seat.shape[0], dtype=jnp.int32)[:, None]
    return jnp.sum(jnp.where(seats == seat, by_seat, 0), axis=0)


def n_in_hand(rules, lanes):
    """Return, for each lane (one of the tables played at once), the number of players who have not folded."""
    return rules.n_seats - lax.population_count(lanes.folded)


def moves(rules, lanes):
    """Return the legal actions of the player to act on each lane."""
    owed = lanes.level - of_seat(lanes.spent, lanes.actor)
    acting = lanes.actor != NOBODY
    if rules.no_limit:
        most = of_seat(lanes.stack, lanes.actor)
        left = most - of_seat(lanes.spent, lanes.actor)
        answered = able_seats(rules, lanes) != 1 << jnp.maximum(lanes.actor, 0)  # another seat has chips, too
        raises = (owed < left) & answered & acting
        least = jnp.minimum(lanes.least, most)
        return Moves((owed > 0) & acting, raises, jnp.where(acting, jnp.minimum(owed, left), 0), least, most)
    capped = lanes.n_raises >= by_street(rules.max_raises, lanes.street)
    if rules.uncapped_heads_up:
        capped &= n_in_hand(rules, lanes) != 2
    return Moves((owed > 0) & acting, ~capped & acting, jnp.where(acting, owed, 0))


def step(rules, lanes, action, to=None):
    """Apply each actor's legal `action[lane]` (FOLD, CALL or RAISE); finished lanes do not change. In no-limit games
    `to[lane]` is the actor's total for the hand after its raise."""
    seat = jnp.maximum(lanes.actor, 0)
    bit = 1 << seat
    raising, folding = action == RAISE, action == FOLD
    if rules.no_limit:
        level = jnp.where(raising, to, lanes.level)
        paid = jnp.minimum(level, of_seat(lanes.stack, seat))
    else:
        level = paid = lanes.level + jnp.where(raising, by_street(rules.raise_sizes, lanes.street), 0)
    mine = jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None] == seat
    spent = jnp.where(mine & ~folding, paid, lanes.spent)
    folded = lanes.folded | jnp.where(folding, bit, 0)
    in_hand = ~folded & ((1 << rules.n_seats) - 1)
    able = able_seats(rules, lanes._replace(spent=spent, folded=folded))
    waiting = jnp.where(raising, able, lanes.waiting) & ~bit
    alone = in_hand & (in_hand - 1) == 0
    street_ends = (waiting == 0) & ~alone
    settled = able & (able - 1) == 0  # fewer than two seats are left that could bet
    over = alone | (street_ends & ((lanes.street == LAST_STREET) | settled))
    new_street = street_ends & ~over
    after = Lanes(
        n_players=lanes.n_players,
        street=lanes.street + new_street,
        actor=jnp.where(over, NOBODY, jnp.where(new_street, lowest(able), _next(waiting, seat))),
        level=level,
        n_raises=jnp.where(new_street, 0, lanes.n_raises + raising),
        folded=folded,
        waiting=jnp.where(new_street, able, waiting),
        spent=spent,
    )
    if rules.no_limit:
        least = jnp.where(raising, jnp.maximum(lanes.least, 2 * level - lanes.level), lanes.least)
        after = after._replace(stack=lanes.stack, least=jnp.where(new_street, level + rules.big_blind, least))
    return chosen_lanes(lanes.actor == NOBODY, lanes, after)


def winners(rules, lanes, rank):
    """`[seat, lane]`: whether a seat wins the main pot of a finished hand; a larger `rank[seat, lane]` is better."""
    ranked = jnp.where(_in_hand(rules, lanes), rank, -1)
    return ranked == jnp.max(ranked, axis=0)


def payoffs(rules, lanes, rank):
    """`[seat, lane]`: net chips of a finished hand as float32; ties split each pot exactly."""
    if rules.no_limit:
        return _payoffs_of_pots(rules, lanes, rank)
    wins = winners(rules, lanes, rank)
    pot, n_winners = jnp.sum(lanes.spent, axis=0), jnp.sum(wins, axis=0)
    share = (pot - n_winners * lanes.spent).astype(jnp.float32) / n_winners
    return jnp.where(wins, share, -lanes.spent.astype(jnp.float32))


def _payoffs_of_pots(rules, lanes, rank):
    """`payoffs` with side pots; each distinct amount that a remaining seat has spent is the upper limit of a pot. Whole
    chips and the remainders of splits are summed separately, so that large pots are not rounded to single precision."""
    spent, in_hand = lanes.spent, _in_hand(rules, lanes)
    tops = jnp.sort(jnp.where(in_hand, spent, 0), axis=0)
    whole, rest, below = -spent, jnp.zeros(spent.shape, jnp.float32), jnp.zeros_like(tops[0])
    for top in tops:
        amount = jnp.sum(jnp.minimum(spent, top) - jnp.minimum(spent, below), axis=0)
        ranked = jnp.where(in_hand & (spent >= top), rank, -1)
        wins = (ranked == jnp.max(ranked, axis=0)) & in_hand
        n_winners = jnp.maximum(jnp.sum(wins, axis=0), 1)
        whole = whole + jnp.where(wins, amount // n_winners, 0)
        rest = rest + jnp.where(wins, (amount % n_winners) / n_winners, 0.0)
        below = top
    return whole.astype(jnp.float32) + rest


def _in_hand(rules, lanes):
    """`[seat, lane]`: whether the seat has not folded."""
    return lanes.folded >> jnp.arange(rules.n_seats, dtype=jnp.int32)[:, None] & 1 == 0


def lowest(mask):
    """Lowest seat in each mask; this seat acts first after the flop."""
    return lax.population_count((mask & -mask) - 1)


def _next(waiting, seat):
    """The first waiting seat after `seat`, clockwise; absent seats never wait."""
    later = waiting & ~((2 << seat) - 1)
    return lowest(jnp.where(later != 0, later, waiting))


def by_street(values, street):
    """`values[street]` for a tuple of four numbers, without a look-up."""
    selected = jnp.full_like(street, values[0])
    for number, value in enumerate(values[1:], 1):
        selected = jnp.where(street == number, value, selected)
    return selected
