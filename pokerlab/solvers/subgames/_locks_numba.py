# mypy: ignore-errors
"""Kernels for decisions with locks. Their readable twins are in `core.locks`.

locked[row, board, hand] is a probability, or negative for free actions; `at` is the first row of a decision. The
functions for compact tables do the same with the numbers of a decision contiguous: `table[at + action * n + i]`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

ZERO, ONE = np.float32(0), np.float32(1)
LEAST = np.float32(-3e38)

compiled = njit(cache=True, nogil=True, error_model="numpy")


@compiled
def left_of(locked, at, n_actions, board, h):
    """Return (probability that locked actions leave to the free actions, number of free actions)."""
    left, n_free = ONE, 0
    for a in range(n_actions):
        fixed = locked[at + a, board, h]
        if fixed >= ZERO:
            left -= fixed
        else:
            n_free += 1
    return left, n_free


@compiled
def match_locked(weights, board, rows, hands, locked, at, p):
    """Fill `p[action, hand]`: locked actions keep their probability; the rest is in proportion to the positive part of
    the weights."""
    n = rows[1] - rows[0]
    for h in range(hands[0], hands[1]):
        left, n_free = left_of(locked, at, n, board, h)
        total = ZERO
        for a in range(n):
            if locked[at + a, board, h] < ZERO:
                total += max(weights[rows[0] + a, board, h], ZERO)
        for a in range(n):
            fixed = locked[at + a, board, h]
            if fixed >= ZERO:
                p[a, h] = fixed
            elif total > ZERO:
                p[a, h] = left * (max(weights[rows[0] + a, board, h], ZERO) / total)
            else:
                p[a, h] = left / np.float32(n_free)


@compiled
def best_locked(rows, board, first, locked, at, value, place, out):
    """Fill `out[i]` of hand first + i: locked actions keep their probability, the rest goes to the best free action;
    action values are in value[place ..]."""
    n = rows[1] - rows[0]
    for i in range(len(out)):
        left, n_free = left_of(locked, at, n, board, first + i)
        total, best = ZERO, LEAST
        for a in range(n):
            fixed, v = locked[at + a, board, first + i], value[place + a, first + i]
            if fixed >= ZERO:
                total += fixed * v
            else:
                best = max(best, v)
        out[i] = total + left * best if n_free > 0 else total


@compiled
def free_mean(n_actions, board, h, locked, at, value, place, p):
    """Mean value of a hand's free actions, weighted by their probabilities."""
    mean, left = ZERO, ZERO
    for a in range(n_actions):
        if locked[at + a, board, h] < ZERO:
            mean += p[a, h] * value[place + a, h]
            left += p[a, h]
    return mean / left if left > ZERO else ZERO


@compiled
def learn_locked(rows, board, hands, locked, at, regret, ahead, update, value, p):
    """Update the regrets of the free actions relative to their own mean; the regrets of locked actions stay 0."""
    n, least = rows[1] - rows[0], ZERO if update.floor else LEAST
    for h in range(hands[0], hands[1]):
        mean = free_mean(n, board, h, locked, at, value, rows[0], p)
        for a in range(n):
            if locked[at + a, board, h] >= ZERO:
                continue
            r, now = regret[rows[0] + a, board, h], value[rows[0] + a, h] - mean
            r = max(r * (update.positive if r > ZERO else update.negative) + now, least)
            regret[rows[0] + a, board, h] = r
            if update.predictive:
                ahead[rows[0] + a, board, h] = r * update.positive_next + now


@compiled
def mix_locked(weights, first, n_actions, n, board, locked, at, p):
    """`match_locked` for compact tables; the weights of a decision begin at index `first`."""
    for i in range(n):
        left, n_free = left_of(locked, at, n_actions, board, i)
        total = ZERO
        for a in range(n_actions):
            if locked[at + a, board, i] < ZERO:
                total += max(np.float32(weights[first + a * n + i]), ZERO)
        for a in range(n_actions):
            fixed = locked[at + a, board, i]
            if fixed >= ZERO:
                p[a, i] = fixed
            elif total > ZERO:
                p[a, i] = left * (max(np.float32(weights[first + a * n + i]), ZERO) / total)
            else:
                p[a, i] = left / np.float32(n_free)


@compiled
def new_regrets_locked(table, first, n_actions, n, board, locked, at, factors, value, place, p):
    """`learn_locked` for compact tables: replaces the probabilities p[action, i] by the new regrets, to be stored.
    `factors` are (factor of positive regrets, factor of negative regrets, minimum regret)."""
    positive, negative, least = factors
    for i in range(n):
        mean = free_mean(n_actions, board, i, locked, at, value, place, p)
        for a in range(n_actions):
            r = np.float32(table[first + a * n + i])
            new = max(r * (positive if r > ZERO else negative) + (value[place + a, i] - mean), least)
            p[a, i] = new if locked[at + a, board, i] < ZERO else ZERO
