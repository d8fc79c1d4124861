# mypy: ignore-errors
"""Kernels in JAX: passes of CFR over all boards of a street at once, level by level (`levels`), on a CPU or a GPU.

Shapes: tables and reach of a level are [row, board, hand of the acting player], values [row, board, hand of the hero].
The last street is processed one previous board at a time, so its tables are [previous board, row, board, hand]; no
other array ever covers all final boards. Boards that only pad an array have no possible hands and the probability 0.

A showdown is a product with the signs of all pairs of hands. At a fold, the hands that share a card are subtracted
using sums for every card. The readable twin is `_subgame_numba`, and the readable form of both is `best_response`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from pokerlab.solvers.subgames.levels import ENTRIES

FIXED, BEST, LEARN, UNLOCKED = 0, 1, 2, 3  # as in `_subgame_numba`
HIGHEST = lax.Precision.HIGHEST


class PlayerCards(NamedTuple):
    """A player's hands, in arrays [hand] and [card, hand]."""

    held: Any  # held[hand, card]: 1.0 for the cards of a hand
    cards: Any  # cards[2, hand]: both cards of a hand
    double: Any  # double[hand]: number of the other player's hand with the same cards, or -1
    same: Any  # same[trade, hand]: number of the hand into which an exchange of suits turns it


class StreetCards(NamedTuple):
    """Boards of a street after the first: [board before, board]."""

    live: tuple  # live[player][previous board, board, hand]: 1.0 for possible hands
    # [previous board, trade, board]: probability of the cards that an exchange of suits turns into the board's
    deals: Any


class LevelCards(NamedTuple):
    """Cards of one subgame, or of many that share a betting tree, whose first boards are then stacked along one
    axis."""

    players: tuple[PlayerCards, PlayerCards]
    ranges: tuple  # ranges[player][first board, hand]; each range adds up to 1
    live: tuple  # live[player][first board, hand]
    streets: tuple[StreetCards, ...]  # all streets but the first
    rank: tuple  # rank[player][previous board, board, hand] on the last street
    # stakes[street][hero]: EndStakes [ending, first board]; empty if all have the stakes of the tree
    stakes: tuple = ()
    # [street][level]: locked probabilities in the form of tables, -1 for free actions; None without locks
    locks: tuple = ()


class EndStakes(NamedTuple):
    """Chips of a street's endings to a hero, as in `levels.Ends`."""

    shows: Any
    folds: Any
    rakes: Any  # half the rake of showdowns; None without rake


class LevelTables(NamedTuple):
    """Tables [street][level] of both players."""

    regret: tuple
    sums: tuple


class LevelUpdate(NamedTuple):
    """Factors of a variant at one iteration."""

    positive: Any
    negative: Any
    weight: Any
    least: Any


def split(array: Any, groups: Any) -> Any:
    """Split the decisions of a level by number of actions: arrays [decision, action, ...]."""
    at = 0
    for decisions, actions in groups:
        yield array[at : at + decisions * actions].reshape(decisions, actions, *array.shape[1:])
        at += decisions * actions


def joined(parts):
    """Convert arrays [decision, action, ...] to rows."""
    return jnp.concatenate([part.reshape(-1, *part.shape[2:]) for part in parts])


def locks_of(lock, groups, dtype):
    """The locks of a level's decisions with equally many actions; None for each group without locks."""
    return [None] * len(groups) if lock is None else list(split(lock.astype(dtype), groups))


def mixed(weights, groups, lock=None):
    """Return the action probabilities of a level, in proportion to the positive part of the weights (uniform if it is
    0). Locked actions have their fixed probabilities; the others share the rest (`core.locks.imposed`)."""
    out = []
    locks = locks_of(lock, groups, weights.dtype)
    for part, fixed in zip(split(jnp.maximum(weights, 0), groups), locks, strict=True):
        even = 1 / part.shape[1]
        if fixed is not None:
            free = fixed < 0
            part = jnp.where(free, part, 0)
            even = 1 / jnp.maximum(free.sum(axis=1, keepdims=True), 1).astype(part.dtype)
        total = part.sum(axis=1, keepdims=True)
        p = jnp.where(total > 0, part / jnp.where(total > 0, total, 1), even)
        out.append(p if fixed is None else jnp.where(free, left(fixed) * p, fixed))
    return joined(out)


def left(fixed):
    """Return [decision, 1, ...]: the probability that locked actions leave to the free actions."""
    return 1 - jnp.maximum(fixed, 0).sum(axis=1, keepdims=True)


def best_of(part, fixed):
    """Return [decision, ...]: the value of a best response, from the values [decision, action, ...]. Locked actions
    keep their probabilities, and the best free action gets the rest (`core.locks`)."""
    if fixed is None:
        return part.max(axis=1)
    free = fixed < 0
    best = jnp.where(free, part, -jnp.inf).max(axis=1)
    best = jnp.where(free.any(axis=1), left(fixed)[:, 0] * jnp.where(jnp.isinf(best), 0, best), 0)
    return jnp.where(free, 0, fixed * part).sum(axis=1) + best


def free_worth(part, share, worth, fixed):
    """Return [decision, ...]: the value with which regrets compare an action. It is the value of the decision or, if
    actions are locked, the mean value of the free actions."""
    if fixed is None:
        return worth
    share = jnp.where(fixed < 0, share, 0)
    total = share.sum(axis=1)
    return (share * part).sum(axis=1) / jnp.where(total > 0, total, 1)


def taken(reach, sources, like):
    """Select the rows `sources` (level, rows) of several levels and concatenate them; `like` gives the shape if there
    are none."""
    parts = [reach[level][rows] for level, rows in sources]
    return jnp.concatenate(parts) if parts else jnp.zeros((0, *like.shape[1:]), like.dtype)


def down(street, hero, weights, entries, locks):
    """Return {level: reach[row, board, hand]} of the other player, at the entries (key `ENTRIES`) and at the levels
    where it acts."""
    reach = {ENTRIES: entries}
    for k, level in enumerate(street.levels):
        if level.actor != hero:
            source, rows = level.before
            reach[k] = reach[source][rows] * mixed(weights[k].astype(entries.dtype), level.groups, locks[k])
    return reach


def at_once(numbers):
    """Whether the boards of the last street are processed together, by the numbers in its tables. On a GPU that keeps
    small subgames from waiting for thousands of small operations; large ones would need too much memory."""
    return jax.default_backend() == "gpu" and numbers <= 1 << 26


def part_type():
    """Type of the 16-bit numbers into which float32 numbers are split for matrix products; None if they are not split.

    They are split only on a GPU, whose matrix units are ten times as fast with 16 bits.
    """
    return jnp.bfloat16 if jax.default_backend() == "gpu" else None


def in_parts(numbers):
    """Split float32 numbers into three 16-bit arrays that add up to them, side by side on the last axis.

    `reduce_precision` is used because the compiler never removes it; it may remove a conversion to bfloat16 and back.
    """
    high = lax.reduce_precision(numbers, 8, 7)
    middle = lax.reduce_precision(numbers - high, 8, 7)
    return jnp.concatenate([high, middle, numbers - high - middle], axis=-1).astype(part_type())


def product(subscripts, numbers, matrix, axis):
    """Product over the last axis of `numbers` and `axis` of a matrix whose entries are -1, 0 and 1."""
    if numbers.dtype == jnp.float32 and part_type() is not None:
        matrix = jnp.concatenate([matrix.astype(part_type())] * 3, axis=axis)
        return jnp.einsum(subscripts, in_parts(numbers), matrix, preferred_element_type=jnp.float32)
    return jnp.einsum(subscripts, numbers, matrix.astype(numbers.dtype), precision=HIGHEST)


def met_values(ends, reach, cards, hero, live, entries):
    """Return [slot, board, hand]: the other player's reach with hands that share no card with the hero's hand."""
    own, other = cards.players[hero], cards.players[1 - hero]
    at = taken(reach, ends.sources, entries)
    by_card = product("sbj,jc->sbc", at, jnp.pad(other.held, ((0, 0), (0, 1)), constant_values=1), 0)
    one, two = own.cards
    doubles = jnp.where(own.double >= 0, at[:, :, own.double], 0)
    return (by_card[:, :, -1:] - by_card[:, :, one] - by_card[:, :, two] + doubles) * live


def showdown_signs(cards, ranks, dtype):
    """[board, hand of player 0, hand of player 1]: 1 if the first wins, -1 if the second wins, 0 for ties and
    impossible pairs. The result has the type of the parts if products of `dtype` are computed in parts."""
    apart = jnp.einsum("ic,jc->ij", cards.players[0].held, cards.players[1].held) == 0
    signs = jnp.where(apart, jnp.sign(ranks[0][:, :, None] - ranks[1][:, None, :]), 0)
    return signs.astype((dtype == jnp.float32 and part_type()) or dtype)


def show_values(side, reach, hero, signs, live, entries):
    """Return [slot, board, hand]: the other player's reach with hands that lose to the hero's hand, minus its reach
    with hands that beat it."""
    at = taken(reach, side.shows.sources, entries)
    if hero == 0:
        return product("sbj,bij->sbi", at, signs, 2) * live
    return product("sbi,bij->sbj", at, signs, 1) * -live


class RowEnds(NamedTuple):
    """The values to which a street's rows lead: [slot, board, hand] at terminal nodes and [exit, board, hand] at exits.
    Also the stakes of the terminal nodes."""

    shows: Any
    met: Any  # with rake, the other player's reach at showdowns; otherwise None
    folds: Any
    exits: Any
    stakes: EndStakes  # stakes[ending, first board] or [ending, 1]


def stakes_of(cards, street, hero, number, board=None):
    """Stakes of a street's endings to a hero, [ending, first board], or on one of them [ending, 1]."""
    if cards.stakes:
        return EndStakes(*(each if each is None or board is None else each[:, board, None]
                           for each in cards.stakes[number][hero]))  # fmt: skip
    shows, folds = street.sides[hero].shows, street.sides[hero].folds
    return EndStakes(shows.stake[:, None], folds.stake[:, None], shows.rake[:, None] if shows.rake.any() else None)


def gathered(gather, side, decisions, values):
    """Return the values of a level's rows, or of the entries, gathered from the next level's `decisions`, terminal
    nodes and exits."""
    parts = [] if decisions is None else [decisions]

    def chips(ends, which, of, stake):
        return of[ends.slot[which]] * stake[which].astype(of.dtype)[:, :, None]

    if len(gather.shows):
        won = chips(side.shows, gather.shows, values.shows, values.stakes.shows)
        raked = values.stakes.rakes is not None
        parts.append(won - chips(side.shows, gather.shows, values.met, values.stakes.rakes) if raked else won)
    if len(gather.folds):
        parts.append(chips(side.folds, gather.folds, values.folds, values.stakes.folds))
    if len(gather.exits):
        parts.append(values.exits[gather.exits])
    return jnp.concatenate(parts)[gather.order]


def up(street, hero, mode, weights, values, update, locks):
    """Return (the values of the entries, the values of the rows by level, the weights by level). In mode LEARN the
    hero's weights are its new regrets."""
    side, decisions = street.sides[hero], None
    rows, regrets = [None] * len(street.levels), list(weights)
    for k in reversed(range(len(street.levels))):
        level = street.levels[k]
        rows[k] = gathered(street.rows_from[k], side, decisions, values)
        parts = list(split(rows[k], level.groups))
        fixed = locks_of(None if mode == UNLOCKED else locks[k], level.groups, rows[k].dtype)
        if level.actor != hero:
            decisions = jnp.concatenate([part.sum(axis=1) for part in parts])
        elif mode in (BEST, UNLOCKED):
            decisions = jnp.concatenate([best_of(part, lock) for part, lock in zip(parts, fixed, strict=True)])
        else:
            p = list(split(mixed(weights[k].astype(rows[k].dtype), level.groups, locks[k]), level.groups))
            worth = [(share * part).sum(axis=1) for share, part in zip(p, parts, strict=True)]
            decisions = jnp.concatenate(worth)
            if mode == LEARN:
                worth = [free_worth(*each) for each in zip(parts, p, worth, fixed, strict=True)]
                regrets[k] = learned(weights[k], rows[k], worth, level.groups, update, locks[k])
    return gathered(street.entries_from, side, decisions, values), rows, tuple(regrets)


def learned(regret, rows, worth, groups, update, lock):
    """Return the regrets of a level after an iteration; those of locked actions stay 0."""
    now = joined([part - w[:, None] for part, w in zip(split(rows, groups), worth, strict=True)])
    now = now if lock is None else jnp.where(lock < 0, now, 0)
    return jnp.maximum(regret * jnp.where(regret > 0, update.positive, update.negative) + now, update.least)


def summed(street, hero, sums, reach, update):
    """Return the other player's strategy sums after an iteration."""
    return tuple(
        old if level.actor == hero else old * update.weight + reach[k]
        for k, (level, old) in enumerate(zip(street.levels, sums, strict=True))
    )


def dealt(reach, street, side, entries):
    """The other player's reach at the exits: [exit, hand] on a street with one board, otherwise [exit, board, hand]."""
    return taken(reach, side.exits, entries)[side.exit_order]


def after_deal(values, deals, same):
    """Return values [exit, hand] before a card is dealt, summed from values[exit, board, hand] after it."""
    by_trade = jnp.einsum("tb,ebi->tei", deals.astype(values.dtype), values, precision=HIGHEST)
    return sum(by_trade[t][:, same[t]] for t in range(same.shape[0]))


def locks_on(cards, street, number, board=None):
    """Return the locks of a street by level, None for levels without locks. On the last street, `board` selects the
    locks on the boards that follow one previous board."""
    locks = cards.locks[number] if cards.locks else (None,) * len(street.levels)
    return [lock if lock is None or board is None else lock[board] for lock in locks]


def last_street(street, cards, hero, mode, tables, entries, signs, live, stakes, update, locks):
    """Make a pass over boards of the last street, given the other player's reach at their `entries`. Return (values of
    the entries, tables)."""
    reach = down(street, hero, tables.regret, entries, locks)
    side = street.sides[hero]
    values = RowEnds(
        show_values(side, reach, hero, signs, live, entries),
        None if stakes.rakes is None else met_values(side.shows, reach, cards, hero, live, entries),
        met_values(side.folds, reach, cards, hero, live, entries),
        None,
        stakes,
    )
    out, _, regrets = up(street, hero, mode, tables.regret, values, update, locks)
    sums = summed(street, hero, tables.sums, reach, update) if mode == LEARN else tables.sums
    return out, LevelTables(regrets, sums)


def stored(street, hero, board, tables, new):
    """Write what a pass learned after one previous board to the tables of the last street: the hero's regrets and the
    other player's sums.

    Updating a slice works in place on the device; `.at[board].set` would become a scatter that copies the row.
    """
    put = lax.dynamic_update_index_in_dim
    regret, sums = list(tables.regret[-1]), list(tables.sums[-1])
    for k, level in enumerate(street.levels):
        if level.actor == hero:
            regret[k] = put(regret[k], new.regret[k], board, 0)
        else:
            sums[k] = put(sums[k], new.sums[k], board, 0)
    return LevelTables((*tables.regret[:-1], tuple(regret)), (*tables.sums[:-1], tuple(sums)))


def rivers(streets, cards, hero, mode, tables, leaving, update):
    """Make a pass over the last street, one previous board at a time or all at once, given the other player's reach
    `leaving` those boards. Return (values[exit, previous board] before the card is dealt, tables)."""
    street, below, own = streets[-1], cards.streets[-1], cards.players[hero]

    def one(board, tables):
        last = LevelTables(*(tuple(table[board] for table in of[-1]) for of in tables))
        live = [of[board] for of in below.live]
        inside = leaving[:, board][:, None, :] * live[1 - hero]
        signs = showdown_signs(cards, [of[board] for of in cards.rank], inside.dtype)
        stakes, locks = stakes_of(cards, street, hero, -1, board), locks_on(cards, street, -1, board)
        value, new = last_street(street, cards, hero, mode, last, inside, signs, live[hero], stakes, update, locks)
        return after_deal(value, below.deals[board], own.same), new

    def in_turn(board, state):
        tables, out = state
        before, new = one(board, tables)
        if mode == LEARN:
            tables = stored(street, hero, board, tables, new)
        return tables, lax.dynamic_update_index_in_dim(out, before, board, 1)

    n_boards = leaving.shape[1]
    if at_once(sum(table.size for table in tables.regret[-1])):
        before, new = jax.vmap(lambda board: one(board, tables))(jnp.arange(n_boards))
        if mode == LEARN:
            tables = LevelTables(*((*of[:-1], last) for of, last in zip(tables, new, strict=True)))
        return tables, before.swapaxes(0, 1)
    out = jnp.zeros((leaving.shape[0], n_boards, own.same.shape[1]), leaving.dtype)
    return lax.fori_loop(0, n_boards, in_turn, (tables, out))


def visit(streets, cards, hero, mode, number, tables, entries, update):
    """Make a pass over all boards of a street and of the streets after it. Return (values of the street's entries,
    tables, values of rows and entries by street).

    The street must not be the last. `entries` is the other player's reach [entry, board, hand]; if there are three
    streets, the first has one board.
    """
    street, side, own = streets[number], streets[number].sides[hero], cards.players[hero]
    locks = locks_on(cards, street, number)
    reach = down(street, hero, tables.regret[number], entries, locks)
    leaving = dealt(reach, street, side, entries)
    if number + 2 == len(streets):
        tables, exits = rivers(streets, cards, hero, mode, tables, leaving, update)
        seen = []
    else:
        below = cards.streets[number]
        inside = leaving * below.live[1 - hero][0]
        value, tables, seen = visit(streets, cards, hero, mode, number + 1, tables, inside, update)
        exits = after_deal(value * below.live[hero][0], below.deals[0], own.same)[:, None, :]
    live = cards.live[hero] if number == 0 else cards.streets[number - 1].live[hero][0]
    folds = met_values(side.folds, reach, cards, hero, live, entries)
    ends = RowEnds(None, None, folds, exits, stakes_of(cards, street, hero, number))
    out, rows, regrets = up(street, hero, mode, tables.regret[number], ends, update, locks)
    if mode == LEARN:
        sums = summed(street, hero, tables.sums[number], reach, update)
        new = (tables.regret, regrets), (tables.sums, sums)
        tables = LevelTables(*((*of[:number], own, *of[number + 1 :]) for of, own in new))
    return out, tables, [(rows, out), *seen]


def first_signs(streets, cards, dtype):
    """Compute the showdown signs of subgames that begin on the river, once for all passes; None if a card is still to
    come."""
    return showdown_signs(cards, [of[0] for of in cards.rank], dtype) if len(streets) == 1 else None


def from_root(
    streets: Any, cards: Any, hero: int, mode: int, tables: Any, signs: Any, update: Any, dtype: Any = jnp.float32
) -> tuple[Any, LevelTables, list]:
    """Return (values[first board, hand] to the hero, tables, values of rows and entries by street except the last).

    `signs` are the result of `first_signs` in the number type `dtype` of the pass.
    """
    entries = jnp.asarray(cards.ranges[1 - hero], dtype)[None]
    if len(streets) > 1:
        out, tables, rows = visit(streets, cards, hero, mode, 0, tables, entries, update)
        return out[0], tables, rows
    own = LevelTables(*(tuple(table[0] for table in of[0]) for of in tables))
    stakes, locks = stakes_of(cards, streets[0], hero, 0), locks_on(cards, streets[0], 0, 0)
    out, new = last_street(streets[0], cards, hero, mode, own, entries, signs, cards.live[hero], stakes, update, locks)
    return out[0], LevelTables(*((tuple(table[None] for table in of),) for of in new)), []


def iterations(streets: Any, floor: bool, cards: Any, tables: Any, updates: Any, n: Any) -> LevelTables:
    """Run `n` iterations: player 0 learns against player 1, then player 1 against the new player 0. `updates[i]` has
    the fields positive, negative and weight of `LevelUpdate`."""
    signs, least = first_signs(streets, cards, jnp.float32), 0.0 if floor else -jnp.inf

    def one(i, tables):
        update = LevelUpdate(updates[i, 0], updates[i, 1], updates[i, 2], least)
        for hero in (0, 1):
            tables = from_root(streets, cards, hero, LEARN, tables, signs, update)[1]
        return tables

    return lax.fori_loop(0, n, one, tables)


def evaluated(streets: Any, ways: Any, cards: Any, tables: Any) -> list:
    """Return for each (hero, mode) in `ways` the hero's values [first board, hand] in float64, if both players play by
    the tables `tables.regret`."""
    signs = first_signs(streets, cards, jnp.float64)
    return [from_root(streets, cards, hero, mode, tables, signs, None, jnp.float64)[0] for hero, mode in ways]


def row_values(streets: Any, cards: Any, tables: Any, hero: int) -> list:
    """Return the hero's values of rows and entries by street, without the last street, if both players play by the
    tables `tables.regret`."""
    signs = first_signs(streets, cards, jnp.float32)
    return from_root(streets, cards, hero, FIXED, tables, signs, None)[2]


def finished(tables: Any) -> Any:
    """Wait until the tables are computed: calls return when work has been sent to the device, before it is done."""
    return jax.block_until_ready(tables)
