# mypy: ignore-errors
"""Kernels that walk a betting tree for one deal at a time, on tables with the layout of `pair_tables`.

The index of a pair (information set, action) is start[decision] + cell * n_actions + action. The actions of an
information set are neighbours in memory, so that a visit needs few memory accesses. A deal is cells[player, street] and
rank[player]. `Updates` says where changes go: directly to its tables, or to a log, a list of (pair, change) to be added
later in order. In a log, changes of sums have the number n_pairs + pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from pokerlab._rng_numba import STATE_WORDS, next_double
from pokerlab.arrays import Bools, Floats, Int8s, Int32s, Int64s, Uint64s
from pokerlab.trees._ending_pots_numba import payoff


class PairTree(NamedTuple):
    """A betting tree as arrays for the walks, followed by the arrays of its `EndingPots`."""

    actor: Int8s  # actor[decision]
    street: Int8s  # street[decision]
    first_edge: Int32s  # first_edge[decision]; one more entry ends the last
    child: Int32s  # child[edge]: a decision, or ~ending
    start: Int64s  # start[decision]: its first pair
    fixed: Floats  # fixed[ending, player]: chips won or lost that no showdown decides
    first_pot: Int32s  # first_pot[ending]; one more entry ends the last
    pot: Floats  # pot[pot]: chips that several players contest
    pot_seats: Int64s  # pot_seats[pot]: bit mask of these players


class Updates(NamedTuple):
    """Where changes go: to a log, or directly to the tables if `log_pair` is empty."""

    regret: Floats  # regret[pair]
    sums: Floats  # sums[pair]
    log_pair: Int64s  # log_pair[entry]
    log_change: Floats  # log_change[entry]
    n_logged: Int64s  # n_logged[1]
    floor: Bools  # floor[1]: whether regrets stay at 0 or above


class PairScratch(NamedTuple):
    """Working arrays of a walk, for the decisions and edges that it visits."""

    queue: Int32s  # queue[decision]
    chosen: Int32s  # chosen[decision]: the sampled edge
    sigma: Floats  # sigma[edge]
    of_edge: Floats  # of_edge[edge]: its value
    value: Floats  # value[decision]
    own: Floats  # own[decision]: probability that the player's own actions lead there
    others: Floats  # others[decision]: the same for all other players' actions


@njit(cache=True, error_model="numpy")
def new_scratch(n_decisions: int, n_edges: int):
    """Allocate working arrays for walks over one tree."""
    return PairScratch(
        np.empty(n_decisions, np.int32),
        np.empty(n_decisions, np.int32),
        np.empty(n_edges),
        np.empty(n_edges),
        np.zeros(n_decisions),
        np.empty(n_decisions),
        np.empty(n_decisions),
    )


@njit(cache=True, error_model="numpy")
def match_regrets(regret: Floats, at: int, sigma: Floats, first: int, n_actions: int) -> None:
    """Write the probabilities of a decision's actions by regret matching, beginning at `sigma[first]`.

    They are in proportion to the positive regrets, which begin at `regret[at]`; they are equal if no regret is
    positive.
    """
    total = 0.0
    for a in range(n_actions):
        total += max(regret[at + a], 0.0)
    for a in range(n_actions):
        sigma[first + a] = max(regret[at + a], 0.0) / total if total > 0 else 1.0 / n_actions


@njit(cache=True, error_model="numpy")
def put(table, pair, change, floor, offset, log_pair, log_change, n_logged):
    """Add `change` to table[pair], or log it at offset + pair. Return the number of logged changes."""
    if len(log_pair):
        log_pair[n_logged] = offset + pair
        log_change[n_logged] = change
        return n_logged + 1
    new = table[pair] + change
    table[pair] = max(new, 0.0) if floor else new
    return n_logged


@njit(cache=True, error_model="numpy")
def draw(sigma: Floats, first: int, n_actions: int, epsilon: float, state: Uint64s):
    """Draw an action from sigma, mixed with the uniform distribution with weight epsilon."""
    left = next_double(state)
    last = 0
    for a in range(n_actions):
        p = epsilon / n_actions + (1 - epsilon) * sigma[first + a]
        if p > 0:
            last = a
            left -= p
            if left < 0:
                break
    return last


# Walks unpack their tuples first, since access to a field inside a loop takes longer than the loop's own work.


@njit(cache=True, error_model="numpy")
def walk(player, cells, rank, tree, regret, updates, scratch, state, sampled, weight, average):
    """Update `player` on one deal. All its own actions are tried, and all actions of the other players (with `sampled`,
    one random action of theirs at each decision). Return the deal's value to `player`.

    Decisions are queued from the root and evaluated in reverse order. `weight` multiplies regrets and `average`
    multiplies sums. The sums are the player's own, or if `sampled` those of the opponent (with two players; with more,
    `average` must be 0, so that no sums are added).
    """
    actor, street, first_edge, child, start, fixed, first_pot, pot, pot_seats = tree
    regret_out, sums_out, log_pair, log_change, n_logged, floor_on = updates
    queue, chosen, sigma, of_edge, value, own, others = scratch
    n_pairs, logged, floor = len(regret_out), n_logged[0], floor_on[0]
    queue[0], n, head = 0, 1, 0
    own[0] = others[0] = 1.0
    while head < n:
        d = queue[head]
        head += 1
        mine = actor[d] == player
        first, n_actions = first_edge[d], first_edge[d + 1] - first_edge[d]
        at = start[d] + cells[actor[d], street[d]] * n_actions
        match_regrets(regret, at, sigma, first, n_actions)
        low, high = first, first + n_actions
        if sampled and not mine:
            if average > 0:
                for a in range(n_actions):
                    gain = average * sigma[first + a]
                    logged = put(sums_out, at + a, gain, False, n_pairs, log_pair, log_change, logged)
            low = first + draw(sigma, first, n_actions, 0.0, state)
            high = low + 1
            chosen[d] = low
        for edge in range(low, high):
            c = child[edge]
            if c < 0:
                continue
            own[c] = own[d] * (sigma[edge] if mine else 1.0)
            others[c] = others[d] * (1.0 if mine or sampled else sigma[edge])
            if own[c] > 0 or others[c] > 0:  # otherwise nothing below has an effect
                queue[n] = c
                n += 1
    for k in range(n - 1, -1, -1):
        d = queue[k]
        mine = actor[d] == player
        first, n_actions = first_edge[d], first_edge[d + 1] - first_edge[d]
        low, high = first, first + n_actions
        if sampled and not mine:
            low, high = chosen[d], chosen[d] + 1
        total = 0.0
        for edge in range(low, high):
            c = child[edge]
            won = value[c] if c >= 0 else payoff(fixed, first_pot, pot, pot_seats, ~c, player, rank)
            of_edge[edge] = won
            total += won if sampled and not mine else sigma[edge] * won
        value[d] = total
        if not mine:
            continue
        at = start[d] + cells[player, street[d]] * n_actions
        for a in range(n_actions):
            if others[d] > 0:
                gain = weight * others[d] * (of_edge[first + a] - total)
                logged = put(regret_out, at + a, gain, floor, 0, log_pair, log_change, logged)
            if not sampled and own[d] > 0:
                gain = average * own[d] * sigma[first + a]
                logged = put(sums_out, at + a, gain, False, n_pairs, log_pair, log_change, logged)
    n_logged[0] = logged
    return value[0]


@njit(cache=True, nogil=True, error_model="numpy")
def full_pass(
    player: int, cells: Int32s, rank: Int32s, weights: Floats, tree: PairTree, basis: Floats, updates: Updates
):
    """Make one iteration over all deals for `player`: add its regrets, and its reach times strategy, to `updates`.

    Strategies are computed from the regrets in `basis`, which do not change, so the order of deals does not matter.
    """
    state, scratch = np.empty(STATE_WORDS, np.uint64), new_scratch(len(tree.actor), len(tree.child))
    value = 0.0
    for i in range(len(cells)):
        value += weights[i] * walk(
            player, cells[i], rank[i], tree, basis, updates, scratch, state, False, weights[i], weights[i]
        )
    return value
