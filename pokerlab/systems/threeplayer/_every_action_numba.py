# mypy: ignore-errors
"""Kernels of `every_action`: hands in which one player tries every action. A test contains the readable twin."""

from __future__ import annotations

from typing import NamedTuple

from pokerlab import _rng_numba as rng
from pokerlab.arrays import Floats, Int64s, Uint64s
from pokerlab.games import _betting_numba as betting
from pokerlab.games._betting_numba import kernel
from pokerlab.policies._compiled_players_numba import best_action, decide, state_of
from pokerlab.systems.threeplayer._q_learning_numba import EPSILON, HANDS, POWER, SMALL_BET, draw_opponents
from pokerlab.table._limit_batch_numba import settle

MOST_OPEN = 64  #: maximum number of one player's decisions in a hand
ROW, BEST, TRIED, MAY_FOLD, MAY_RAISE, ASTRAY, N_PLACES = range(7)  # columns of `decisions`, and their number


class WalkWork(NamedTuple):
    """Arrays that the kernel works in. A decision is *open* while its actions are being tried."""

    words: Uint64s  # words[2, word]: states of two random streams
    seats: Int64s  # seats[seat]: index of its player
    b: Int64s  # the current betting
    before: Int64s  # before[open decision, ..]: the betting before it
    decisions: Int64s  # decisions[open decision, column]
    worth: Floats  # worth[open decision, action] in small bets
    net: Floats  # net[seat] in chips
    draw: Floats  # draw[seat]: the seat's random number for the hand


@kernel
def learn(first, dealt, game, company, tables, work, won):
    """Play hands from number `first` on, trying every action. Set `won[hand]` to the chips won by the actions that
    looked best.

    Each deal in `dealt` is used for `n_seats` hands, with the learner in a different seat each time.
    """
    mean_hs, ppot, rank = dealt
    n_seats = game.r[betting.N_SEATS]
    for hand in range(len(won)):
        number, deal = first + hand, (first + hand) // n_seats - first // n_seats
        draw_opponents(number, company, work.words, work.seats, work.draw)
        rng.begin(work.words[1], company.keys[1], number)
        epsilon = tables.settings[EPSILON] * max(0.0, 1.0 - number / tables.settings[HANDS])
        won[hand] = walk(number % n_seats, epsilon, mean_hs[deal], ppot[deal], rank[deal], game, tables, work)


@kernel
def walk(own, epsilon, mean_hs, ppot, rank, game, tables, work):
    """Play a hand, trying actions, and update the values of all actions tried. Return the chips that seat `own` wins by
    the actions that looked best.

    At a decision that was reached by `n` actions that did not look best, all actions are tried with probability
    `epsilon ** n`, otherwise only the one that looks best.
    """
    r, settings, b = game.r, tables.settings, work.b
    depth, astray, value = 0, 0, 0.0
    copy(game.start, b)
    while True:
        opened = False
        while b[betting.ACTOR] != betting.NOBODY and not opened:
            seat, street = b[betting.ACTOR], b[betting.STREET]
            if seat != own:
                who = work.seats[seat]
                hs, potential = mean_hs[seat, street], ppot[seat, street]
                action = decide(game.kind[who], game.numbers, game.begin[who], r, b, hs, potential, work.draw[seat])
                betting.apply(r, b, action, b[betting.MAX_BET] + r[betting.RAISE_SIZE + street])
                continue
            may_fold, owed, raise_to, _ = betting.legal(r, b)
            row = 3 * state_of(tables.features, 0, r, b, owed, mean_hs[own, street], ppot[own, street])
            best = best_action(tables.values, row, may_fold, raise_to > 0)
            opened = True
            for _ in range(astray):
                opened = opened and rng.next_double(work.words[1]) < epsilon
            if opened:
                copy(b, work.before[depth])
                decision = work.decisions[depth]
                decision[ROW], decision[BEST], decision[TRIED], decision[ASTRAY] = row, best, -1, astray
                decision[MAY_FOLD], decision[MAY_RAISE] = may_fold, raise_to > 0
                depth += 1
            elif best == betting.FOLD:
                break
            else:
                betting.apply(r, b, best, b[betting.MAX_BET] + r[betting.RAISE_SIZE + street])
        if not opened:
            value = outcome(own, rank, r, b, work.net)
        while depth > 0:
            top = depth - 1
            decision = work.decisions[top]
            if not opened:
                work.worth[top, decision[TRIED]] = value / settings[SMALL_BET]
            opened = False
            action = decision[TRIED] + 1
            if action == betting.FOLD and not decision[MAY_FOLD]:
                action = betting.CALL
            if action < betting.RAISE or (action == betting.RAISE and decision[MAY_RAISE]):
                decision[TRIED] = action
                copy(work.before[top], b)
                astray = decision[ASTRAY] + (action != decision[BEST])
                street = b[betting.STREET]
                if action != betting.FOLD:
                    betting.apply(r, b, action, b[betting.MAX_BET] + r[betting.RAISE_SIZE + street])
                    break
                value = -float(b[betting.SPENT + own])
            else:
                update(tables, decision, work.worth[top])
                value = work.worth[top, decision[BEST]] * settings[SMALL_BET]
                depth -= 1
        if depth == 0:
            return value


@kernel
def outcome(own, rank, r, b, net):
    """Chips that seat `own` wins if the hand is over, or loses if it folds now."""
    if b[betting.ACTOR] != betting.NOBODY:
        return -float(b[betting.SPENT + own])
    settle(r, b, rank, net)
    return net[own]


@kernel
def update(tables, decision, worth):
    """Move the value of every legal action at a decision towards `worth[action]`, its outcome in this hand."""
    row = decision[ROW]
    tables.count[row // 3] += 1
    rate = 1.0 / tables.count[row // 3] ** tables.settings[POWER]
    for action in range(3):
        legal = action == betting.CALL or (decision[MAY_FOLD] if action == betting.FOLD else decision[MAY_RAISE])
        if legal:
            tables.values[row + action] += rate * (worth[action] - tables.values[row + action])


@kernel
def copy(source, target):
    for place in range(len(source)):
        target[place] = source[place]
