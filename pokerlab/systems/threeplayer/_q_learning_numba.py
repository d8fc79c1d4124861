# mypy: ignore-errors
"""Kernels of `q_learning`: hands in which one player learns by Peng's Q(lambda). A test contains the readable twin."""

from __future__ import annotations

from typing import NamedTuple

from pokerlab import _rng_numba as rng
from pokerlab.arrays import Floats, Int64s, Uint64s
from pokerlab.games import _betting_numba as betting
from pokerlab.games._betting_numba import kernel
from pokerlab.policies._compiled_players_numba import best_action, decide, state_of
from pokerlab.table._limit_batch_numba import settle

EPSILON, HANDS, TRACE, GAMMA, POWER, SMALL_BET = range(6)  # indices of `settings`
MOST_DECISIONS = 64


class DrawnOpponents(NamedTuple):
    """The players from whom an opponent is drawn for every seat in every hand."""

    upto: Floats  # upto[player]: cumulative probabilities
    keys: Uint64s  # keys of two random streams: for opponents and for exploration


class QTables(NamedTuple):
    """The learner's values and settings."""

    settings: Floats
    features: Floats
    values: Floats  # values[3 * state + action]; updated in place
    count: Int64s  # one count of all steps, or one for each value; updated in place


class QWork(NamedTuple):
    """Arrays that the kernel works in."""

    words: Uint64s  # words[2, word]: states of two random streams
    seats: Int64s  # seats[seat]: index of its player
    b: Int64s  # the current betting
    rows: Int64s  # rows[decision]: index of its action-value
    traces: Floats  # traces[decision]: its eligibility trace
    net: Floats  # net[seat] in chips
    draw: Floats  # draw[seat]: the seat's random number for the hand


@kernel
def draw_opponents(number, company, words, seats, draw):
    """Draw the opponents of hand `number`, and the random number of each seat."""
    rng.begin(words[0], company.keys[0], number)
    for seat in range(len(seats)):
        chance, who = rng.next_double(words[0]), 0
        while who < len(company.upto) - 1 and company.upto[who] <= chance:
            who += 1
        seats[seat] = who
    for seat in range(len(seats)):
        draw[seat] = rng.next_double(words[0])


@kernel
def learn(first, dealt, game, company, tables, work, won):
    """Play hands from number `first` on, with cards of the strengths `dealt`, and learn. Set `won[hand]` to the
    learner's winnings in chips.

    `game` is a `LimitGame` with the opponents as its players. In hand h the learner is in seat h mod n.
    """
    mean_hs, ppot, rank = dealt
    r, start, kind, begin, numbers = game
    settings, features, values, count = tables
    words, seats, b, rows, traces, net, drawn = work
    n_seats = r[betting.N_SEATS]
    for hand in range(len(rank)):
        number = first + hand
        own = number % n_seats
        draw_opponents(number, company, words, seats, drawn)
        rng.begin(words[1], company.keys[1], number)
        for place in range(len(start)):
            b[place] = start[place]
        epsilon = settings[EPSILON] * max(0.0, 1.0 - number / settings[HANDS])
        n_steps, last, last_value, reward = 0, -1, 0.0, 0.0
        while b[betting.ACTOR] != betting.NOBODY:
            seat, street = b[betting.ACTOR], b[betting.STREET]
            hs, potential = mean_hs[hand, seat, street], ppot[hand, seat, street]
            if seat != own:
                who = seats[seat]
                action = decide(kind[who], numbers, begin[who], r, b, hs, potential, drawn[seat])
            else:
                may_fold, owed, raise_to, _ = betting.legal(r, b)
                may_raise = raise_to > 0
                row = 3 * state_of(features, 0, r, b, owed, hs, potential)
                if last >= 0:
                    worth = values[row + best_action(values, row, may_fold, may_raise)]
                    n_steps = update(values, count, settings, rows, traces, n_steps, last, last_value, reward, worth)
                action = best_action(values, row, may_fold, may_raise)
                last_value = values[row + action]
                if rng.next_double(words[1]) < epsilon:
                    which = int(rng.next_double(words[1]) * (1 + may_fold + may_raise))
                    action = which if may_fold else which + betting.CALL
                last = row + action
                if action == betting.FOLD:
                    reward = 0.0
                elif action == betting.CALL:
                    reward = -owed / settings[SMALL_BET]
                else:
                    reward = -(owed + r[betting.RAISE_SIZE + street]) / settings[SMALL_BET]
            betting.apply(r, b, action, b[betting.MAX_BET] + r[betting.RAISE_SIZE + street])
        settle(r, b, rank[hand], net)
        won[hand] = net[own]
        if last >= 0:
            reward += (net[own] + b[betting.SPENT + own]) / settings[SMALL_BET]
            update(values, count, settings, rows, traces, n_steps, last, last_value, reward, 0.0)


@kernel
def update(values, count, settings, rows, traces, n_steps, last, last_value, reward, worth):
    """Learn from one step: after the action-value number `last`, whose value is `last_value`, came `reward` and a state
    of value `worth`. Return `n_steps` + 1."""
    own = len(count) > 1
    count[last if own else 0] += 1
    rate = 1.0 / count[last if own else 0] ** settings[POWER]
    target = reward + settings[GAMMA] * worth
    own_error, error = target - values[last], target - last_value
    for step in range(n_steps):
        traces[step] *= settings[GAMMA] * settings[TRACE]
        before = 1.0 / count[rows[step]] ** settings[POWER] if own else rate
        values[rows[step]] += before * traces[step] * error
    values[last] += rate * own_error
    rows[n_steps], traces[n_steps] = last, 1.0
    return n_steps + 1
