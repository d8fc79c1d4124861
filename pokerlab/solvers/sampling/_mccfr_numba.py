# mypy: ignore-errors
"""Kernels of sampling CFR: they walk each deal (`core._pair_tables_numba`), or only along sampled actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from pokerlab._rng_numba import STATE_WORDS, begin
from pokerlab.solvers.core._pair_tables_numba import draw, match_regrets, new_scratch, put, walk
from pokerlab.trees._ending_pots_numba import payoff

if TYPE_CHECKING:
    from pokerlab.solvers.core._pair_tables_numba import Updates

CHANCE, EXTERNAL, OUTCOME = 0, 1, 2


class SamplingSettings(NamedTuple):
    """Settings of the sampling. `average_every` matters with more than two players; with 0 the average is not
    updated."""

    kind: int
    epsilon: float
    average_every: int


@njit(cache=True, error_model="numpy")
def trajectory(player, cells, rank, tree, regret, updates, scratch, state, epsilon, weight, average):
    """Update `player` along one sampled line of play; its own actions are drawn with exploration probability `epsilon`.

    The probability of the other players' actions cancels with the probability of sampling them. What remains is to
    divide by `q`, the probability with which the player's own actions were drawn.
    """
    actor, street, first_edge, child, start, fixed, first_pot, pot, pot_seats = tree
    regret_out, sums_out, log_pair, log_change, n_logged, floor_on = updates
    queue, chosen, sigma = scratch.queue, scratch.chosen, scratch.sigma
    n_pairs, logged, floor = len(regret_out), n_logged[0], floor_on[0]
    n, d, q = 0, 0, 1.0
    while d >= 0:
        mine = actor[d] == player
        first, n_actions = first_edge[d], first_edge[d + 1] - first_edge[d]
        at = start[d] + cells[actor[d], street[d]] * n_actions
        match_regrets(regret, at, sigma, first, n_actions)
        action = draw(sigma, first, n_actions, epsilon if mine else 0.0, state)
        if mine:
            q *= epsilon / n_actions + (1 - epsilon) * sigma[first + action]
        elif average > 0:
            for a in range(n_actions):
                gain = average / q * sigma[first + a]
                logged = put(sums_out, at + a, gain, False, n_pairs, log_pair, log_change, logged)
        queue[n], chosen[n] = d, action
        n += 1
        d = child[first + action]
    won = payoff(fixed, first_pot, pot, pot_seats, ~d, player, rank) / q
    for k in range(n - 1, -1, -1):
        d = queue[k]
        if actor[d] != player:
            continue
        first, n_actions = first_edge[d], first_edge[d + 1] - first_edge[d]
        at = start[d] + cells[player, street[d]] * n_actions
        p = sigma[first + chosen[k]]
        for a in range(n_actions):
            gain = weight * won * ((1.0 if a == chosen[k] else 0.0) - p)
            logged = put(regret_out, at + a, gain, floor, 0, log_pair, log_change, logged)
        won *= p  # for earlier decisions: times the probability of this own action
    n_logged[0] = logged


@njit(cache=True, error_model="numpy")
def average_walk(player, cells, tree, regret, updates, scratch, state, average):
    """Add `player`'s strategy to the sums along its own sampled actions and all actions of the other players."""
    actor, street, first_edge, child, start = tree.actor, tree.street, tree.first_edge, tree.child, tree.start
    _, sums_out, log_pair, log_change, n_logged, _ = updates
    queue, sigma, logged = scratch.queue, scratch.sigma, n_logged[0]
    queue[0], n, head = 0, 1, 0
    while head < n:
        d = queue[head]
        head += 1
        first, n_actions = first_edge[d], first_edge[d + 1] - first_edge[d]
        low, high = first, first + n_actions
        if actor[d] == player:
            at = start[d] + cells[player, street[d]] * n_actions
            match_regrets(regret, at, sigma, first, n_actions)
            for a in range(n_actions):
                gain = average * sigma[first + a]
                logged = put(sums_out, at + a, gain, False, len(sums_out), log_pair, log_change, logged)
            low = first + draw(sigma, first, n_actions, 0.0, state)
            high = low + 1
        for edge in range(low, high):
            if child[edge] >= 0:
                queue[n] = child[edge]
                n += 1
    n_logged[0] = logged


@njit(cache=True, error_model="numpy")
def one_deal(number, cells, rank, tree, regret, updates, scratch, state, settings, weight, average):
    """Update every player once on one deal, in the order of seats."""
    n_players = len(rank)
    here = average if n_players == 2 else 0.0
    for player in range(n_players):
        if settings.kind == CHANCE:
            walk(player, cells, rank, tree, regret, updates, scratch, state, False, weight, average)
        elif settings.kind == EXTERNAL:
            walk(player, cells, rank, tree, regret, updates, scratch, state, True, weight, here)
        else:
            trajectory(player, cells, rank, tree, regret, updates, scratch, state, settings.epsilon, weight, here)
    if settings.kind != CHANCE and n_players > 2 and settings.average_every and number % settings.average_every == 0:
        for player in range(n_players):
            average_walk(player, cells, tree, regret, updates, scratch, state, average)


@njit(cache=True, nogil=True, error_model="numpy")
def run_deals(key, first, t, t_step, powers, cells, rank, tree, updates, settings):
    """Run the deals with numbers from `first` on, given as cells[deal, player, street] and rank[deal, player]. Return
    the number of deals done.

    Iteration numbers start at `t` and increase by `t_step` (0: all deals belong to iteration `t`); they weight regrets
    by t ** powers[0] and sums by t ** powers[1]. With a log, the function stops before the log could overflow.
    """
    n_edges = len(tree.child)
    state, scratch = np.empty(STATE_WORDS, np.uint64), new_scratch(len(tree.actor), n_edges)
    most = 2 * rank.shape[1] * n_edges  # maximum number of changes from one deal
    for i in range(len(cells)):
        if len(updates.log_pair) and updates.n_logged[0] + most > len(updates.log_pair):
            return i
        begin(state, key, np.uint64(first + i))
        iteration = float(t + i * t_step)
        weight = iteration ** powers[0] if powers[0] else 1.0
        average = iteration ** powers[1] if powers[1] else 1.0
        one_deal(first + i, cells[i], rank[i], tree, updates.regret, updates, scratch, state, settings, weight, average)
    return len(cells)


@njit(cache=True, nogil=True, error_model="numpy")
def apply_log(updates: Updates, low: int, high: int) -> None:
    """Add the logged changes of regrets and sums of pairs low .. high - 1, in their order."""
    n_pairs = len(updates.regret)
    for i in range(updates.n_logged[0]):
        pair = updates.log_pair[i]
        if low <= pair < high:
            new = updates.regret[pair] + updates.log_change[i]
            updates.regret[pair] = max(new, 0.0) if updates.floor[0] else new
        elif low <= pair - n_pairs < high:
            updates.sums[pair - n_pairs] += updates.log_change[i]
