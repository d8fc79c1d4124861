"""Compiled matches of two Bayesian players at heads-up limit hold'em; `duels.py` explains them.

Seat 0 has the big blind; seat 1 acts first before the flop, seat 0 afterwards. An action is recorded as (seat, round,
the other player's last action on this street, action), as indices of `opponent.ROUNDS`, `BPP_ACTIONS` and `ACTIONS`.
"""
# mypy: ignore-errors

from __future__ import annotations

from math import exp

import numpy as np
from numba import njit

from pokerlab._rng_numba import STATE_WORDS, begin, next_word

FOLD, CHECK, CALL, BET, RAISE = range(5)
NONE = 0  # "no action yet", an index of `BPP_ACTIONS`; the other indices are those of `ACTIONS`
MOST_ACTIONS = 24
SMALL, BIG = 10.0, 20.0


@njit(cache=True, inline="always")
def _uniform(state):
    """Draw a random number in [0, 1), the same as NumPy's generator would from this state."""
    return (next_word(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, inline="always")
def _logistic(x):
    return 1.0 / (1.0 + exp(-x)) if x > -700.0 else 0.0


@njit(cache=True)
def _of_win(tables, belief, counts, prior, step, likelihood):
    """Write how likely an action is if BPP wins, draws or loses to `likelihood[0]`, `[1]` and `[2]`.

    This is the kernel of `OpponentType.of_win`.
    """
    _, street, after, action = step
    total = 0.0
    for win in range(3):
        p = 0.0
        for kind in range(len(belief)):
            p += belief[kind] * tables[kind, win, street, after, action]
        if prior > 0:
            seen = 0.0
            for other in range(5):
                seen += counts[win, street, after, other]
            p = (prior * p + counts[win, street, after, action]) / (prior + seen)
        likelihood[win] = p
        total += p
    if total == 0.0:
        likelihood[:] = 1.0


@njit(cache=True)
def _chance(share, equity, win, likelihood):
    """Return the chance of winning: `share` of it is the combinatory model's equity, the rest the network's. Draws
    count half."""
    if share == 1.0:
        return equity
    total = half = 0.0
    for outcome in range(3):
        total += win[outcome] * likelihood[outcome]
    half = (win[0] * likelihood[0] + win[1] * likelihood[1] / 2) / total
    return half if share == 0.0 else share * equity + (1 - share) * half


@njit(cache=True)
def _decision(curve, chance, call, pot, may_raise, draw):
    """Return 0, 1 or 2 (fold, call or raise); `draw` is a random number, and `curve` a row of `duels._curve_rows`."""
    facing = call > 0
    stays = _logistic((chance - call / (call + pot) - curve[3]) / curve[4]) if facing else 1.0
    at = curve[0] + (curve[2] if facing else 0.0)
    raises = _logistic((chance - at) / curve[1]) if may_raise else 0.0
    fold, middle = 1 - stays, stays * (1 - raises)
    total = fold + middle + stays * raises
    if facing and draw * total < fold:
        return 0
    return 1 if draw * total < fold + middle or not may_raise else 2


@njit(cache=True)
def _observe(tables, belief, counts, rates, win, won, steps, n_steps, seat, trace, n_traced):
    """Update the beliefs of `seat` by each action of the other seat, as `OpponentType.after` does. Return the new
    length of the trace."""
    forgetting, prior, weight, by_winner = rates
    likelihood, weights = np.empty(3), np.empty(3)
    weighed = np.empty(len(belief))
    for i in range(n_steps):
        if steps[i, 0] == seat:
            continue
        street, after, action = steps[i, 1], steps[i, 2], steps[i, 3]
        if by_winner > 0:
            weights[:] = 0.0
            weights[0 if won > 0 else 1 if won == 0 else 2] = 1.0
        else:
            weights[:] = win[street]
        if prior > 0:
            _of_win(tables, belief, counts, prior, (0, street, after, action), likelihood)
        total = 0.0
        for kind in range(len(belief)):
            believed = belief[kind] + forgetting * (1.0 / len(belief) - belief[kind])
            p = 0.0
            for outcome in range(3):
                p += weights[outcome] * tables[kind, outcome, street, after, action]
            belief[kind], weighed[kind] = believed, believed * p**weight
            total += weighed[kind]
        if total > 0:
            belief[:] = weighed / total
        if prior > 0:
            share = (weights * likelihood).sum()
            if share > 0:
                for outcome in range(3):
                    counts[outcome, street, after, action] += weights[outcome] * likelihood[outcome] / share
        if n_traced < len(trace):
            trace[n_traced] = belief
            n_traced += 1
    return n_traced


@njit(cache=True)
def _play_hand(places, players, dealt, beliefs, counts, states, steps):
    """Play one hand. Return (chips of seat 0, number of steps, whether hands were shown).

    `places[seat]` is the index of the player in the seat.
    """
    share, curves, bluffs, tables, rates = players
    equity, win, shown = dealt
    likelihood = np.ones((2, 3))  # likelihood[seat, win / draw / lose]: of the other player's last action
    bluffing = np.zeros(2, np.int64)
    paid = np.array([10.0, 5.0])
    n = 0
    for street in range(4):
        last = np.zeros(2, np.int64)  # last action of each seat on this street
        acts = np.zeros(2, np.bool_)
        size, cap = (SMALL if street < 2 else BIG), (3 if street == 0 else 4)
        n_raises, raised, first = 0, False, True
        seat = 1 if street == 0 else 0
        while True:
            player = places[seat]
            begins = _uniform(states[player]) < bluffs[player, street]
            if not acts[seat] and begins:
                bluffing[seat] = 1
            call = paid[1 - seat] - paid[seat]
            chance = _chance(share[player], equity[seat, street], win[seat, bluffing[seat], street], likelihood[seat])
            draw = _uniform(states[player])
            choice = _decision(curves[player, street], chance, call, paid.sum(), n_raises < cap, draw)
            if choice == 0:
                name = FOLD
            elif choice == 1:
                name = CALL if raised or (street == 0 and first) else CHECK
            else:
                name = RAISE if raised or street == 0 else BET
                raised = True
            steps[n] = (seat, street, last[1 - seat], name)
            n += 1
            other = places[1 - seat]
            _of_win(
                tables[other], beliefs[other], counts[other], rates[other, 1],
                (seat, street, last[1 - seat], name), likelihood[1 - seat],
            )  # fmt: skip
            if choice == 0:
                return (-paid[0] if seat == 0 else paid[1]), n, False
            last[seat] = name
            closes = choice == 1 and acts[1 - seat]
            acts[seat], first = True, False
            if choice == 1:
                paid[seat] = paid[1 - seat]
            else:
                paid[seat] = paid[1 - seat] + size
                n_raises += 1
            if closes:
                break
            seat = 1 - seat
    return shown * paid[0], n, True


@njit(cache=True)
def play(places, players, deals, memory, keys, chips, shows, actions, trace):
    """Play a match. Return the length of the trace.

    Fills `chips[hand]`, won by player 0; `shows[hand]`, whether hands were shown; `actions[player, win, round, after,
    action]`, a player's actions counted by whether the other player won; and `trace[action, type]`, player 0's beliefs
    after each action of its opponent.

    `players` is (share of the combinatory model, curves, bluffs, tables, rates), each with a row for each player.
    `rates[player]` is (forgetting, prior, weight, 1 if it learns by the winner).
    """
    equity, win, shown = deals
    beliefs, counts = memory
    tables, rates = players[3], players[4]
    states = np.empty((2, STATE_WORDS), np.uint64)
    steps = np.empty((MOST_ACTIONS, 4), np.int64)
    nothing = np.empty((0, trace.shape[1]))
    seats = np.empty(2, np.int64)
    n_traced = 0
    for hand in range(len(chips)):
        for player in range(2):
            begin(states[player], keys[player], np.uint64(hand))
        for seat in range(2):
            seats[seat] = places[(seat + hand) % 2]
        dealt = equity[hand], win[hand], shown[hand]
        won, n, shows[hand] = _play_hand(seats, players, dealt, beliefs, counts, states, steps)
        for i in range(n):
            seat = steps[i, 0]
            bpp = -won if seat == 0 else won  # chips won by the other seat
            outcome = 0 if bpp > 0 else 1 if bpp == 0 else 2
            actions[seats[seat], outcome, steps[i, 1], steps[i, 2], steps[i, 3]] += 1
        for seat in range(2):
            player = seats[seat]
            mine = won if seat == 0 else -won
            if player == 0:
                chips[hand] = mine
            reached = _observe(
                tables[player], beliefs[player], counts[player], rates[player], win[hand, seat, 0], mine,
                steps, n, seat, trace if player == 0 else nothing, n_traced,
            )  # fmt: skip
            if player == 0:
                n_traced = reached
    return n_traced
