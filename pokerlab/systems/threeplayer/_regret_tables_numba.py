# mypy: ignore-errors
"""Kernels of `regret_tables`: self-play by regret matching on a table of states. A test contains the readable twin."""

from __future__ import annotations

from typing import NamedTuple

from pokerlab import _rng_numba as rng
from pokerlab.arrays import Floats, Int64s, Uint64s
from pokerlab.games import _betting_numba as betting
from pokerlab.games._betting_numba import kernel
from pokerlab.policies._compiled_players_numba import decide, state_of
from pokerlab.systems.threeplayer._every_action_numba import MAY_FOLD, MAY_RAISE, ROW, TRIED, copy, outcome


class RegretTables(NamedTuple):
    """The features, and the regrets and averages learned so far."""

    features: Floats
    regret: Floats  # regret[3 * state + action]; updated in place
    total: Floats  # total[3 * state + action]: the average strategy, not normalised; updated in place


class RegretSettings(NamedTuple):
    """Settings of the self-play."""

    least: float
    tremble: float
    guests: float  # share of walks in which a guest plays all other seats
    repeats: int


class RegretWork(NamedTuple):
    """Arrays that the kernel works in. A decision is *open* while its actions are being tried."""

    words: Uint64s  # words[word]: state of the random stream
    b: Int64s  # the current betting
    before: Int64s  # before[open decision, ..]: the betting before it
    decisions: Int64s  # decisions[open decision, column]
    mixed: Floats  # mixed[open decision, action]: its strategy
    reach: Floats  # reach[open decision]: probability that the player's own actions lead to it
    worth: Floats  # worth[open decision, action]
    net: Floats  # net[seat] in chips
    now: Floats  # now[action]: strategy at the current decision
    draw: Floats  # draw[seat]: a guest's random number for the hand


@kernel
def learn(first, settings, dealt, game, key, tables, work):
    """Learn from the deals from number `first` on. Each is played `settings.repeats` times from every seat.

    In a share of the walks, all other seats are played by one guest, a player of `game`.
    """
    mean_hs, ppot, rank = dealt
    n_seats = game.r[betting.N_SEATS]
    for deal in range(len(rank)):
        rng.begin(work.words, key, first + deal)
        weight = first + deal + 1.0
        for _ in range(settings.repeats):
            for own in range(n_seats):
                guest = -1
                if settings.guests > 0 and rng.next_double(work.words) < settings.guests:
                    guest = int(rng.next_double(work.words) * len(game.kind))
                    for seat in range(n_seats):
                        work.draw[seat] = rng.next_double(work.words)
                walk(own, guest, weight, settings, mean_hs[deal], ppot[deal], rank[deal], game, tables, work)


@kernel
def walk(own, guest, weight, settings, mean_hs, ppot, rank, game, tables, work):
    """Play a deal for seat `own`. Adds the regrets of its actions, and adds its strategy to the average. Return the
    chips that its strategy wins.

    A decision of seat `own` is opened (all its actions are tried) with the probability that its own actions lead there,
    but at least `settings.least`. Otherwise one action is drawn. The other seats take any legal action with probability
    `settings.tremble`; if `guest` is not -1, that guest plays them all.
    """
    r, b = game.r, work.b
    depth, reach, value = 0, 1.0, 0.0
    copy(game.start, b)
    while True:
        opened = False
        while b[betting.ACTOR] != betting.NOBODY:
            seat, street = b[betting.ACTOR], b[betting.STREET]
            hs, potential = mean_hs[seat, street], ppot[seat, street]
            if seat != own and guest >= 0:
                action = decide(game.kind[guest], game.numbers, game.begin[guest], r, b, hs, potential, work.draw[seat])
                betting.apply(r, b, action, b[betting.MAX_BET] + r[betting.RAISE_SIZE + street])
                continue
            may_fold, owed, raise_to, _ = betting.legal(r, b)
            row = 3 * state_of(tables.features, 0, r, b, owed, hs, potential)
            match_regrets(tables.regret, row, may_fold, raise_to > 0, work.now)
            if seat == own:
                for action in range(3):
                    tables.total[row + action] += weight * reach * work.now[action]
                opened = reach >= 1.0 or rng.next_double(work.words) < max(reach, settings.least)
                if opened:
                    copy(b, work.before[depth])
                    copy(work.now, work.mixed[depth])
                    decision = work.decisions[depth]
                    decision[ROW], decision[TRIED] = row, -1
                    decision[MAY_FOLD], decision[MAY_RAISE] = may_fold, raise_to > 0
                    work.reach[depth] = reach
                    depth += 1
                    break
            elif rng.next_double(work.words) < settings.tremble:
                for action in range(3):
                    legal = is_legal(action, may_fold, raise_to > 0)
                    work.now[action] = legal / (1.0 + may_fold + (raise_to > 0))
            action = drawn(work.now, rng.next_double(work.words))
            if action == betting.FOLD and seat == own:
                break
            betting.apply(r, b, action, b[betting.MAX_BET] + r[betting.RAISE_SIZE + street])
        if not opened:
            value = outcome(own, rank, r, b, work.net)
        while depth > 0:
            top = depth - 1
            decision = work.decisions[top]
            if not opened:
                work.worth[top, decision[TRIED]] = value
            opened = False
            action = decision[TRIED] + 1
            if action == betting.FOLD and not decision[MAY_FOLD]:
                action = betting.CALL
            if action < betting.RAISE or (action == betting.RAISE and decision[MAY_RAISE]):
                decision[TRIED] = action
                copy(work.before[top], b)
                reach = work.reach[top] * work.mixed[top, action]
                if action != betting.FOLD:
                    betting.apply(r, b, action, b[betting.MAX_BET] + r[betting.RAISE_SIZE + b[betting.STREET]])
                    break
                value = -float(b[betting.SPENT + own])
            else:
                value = add_regrets(tables.regret, decision, work.mixed[top], work.worth[top], weight)
                depth -= 1
        if depth == 0:
            return value


@kernel
def add_regrets(regret, decision, mixed, worth, weight):
    """Add to each legal action's regret how much more it wins than the strategy `mixed`. Return what the strategy
    wins."""
    value = 0.0
    for action in range(3):
        if is_legal(action, decision[MAY_FOLD], decision[MAY_RAISE]):
            value += mixed[action] * worth[action]
    for action in range(3):
        if is_legal(action, decision[MAY_FOLD], decision[MAY_RAISE]):
            regret[decision[ROW] + action] += weight * (worth[action] - value)
    return value


@kernel
def match_regrets(regret, row, may_fold, may_raise, mixed):
    """Set `mixed[action]` in proportion to positive regrets; if there are none, uniformly over the legal actions."""
    total = 0.0
    for action in range(3):
        mixed[action] = max(regret[row + action], 0.0) if is_legal(action, may_fold, may_raise) else 0.0
        total += mixed[action]
    for action in range(3):
        if total > 0:
            mixed[action] /= total
        elif is_legal(action, may_fold, may_raise):
            mixed[action] = 1.0 / (1 + may_fold + may_raise)


@kernel
def is_legal(action, may_fold, may_raise):
    return action == betting.CALL or (may_fold if action == betting.FOLD else may_raise)


@kernel
def drawn(mixed, draw):
    """Draw an action by the uniform number `draw`: the first at which the cumulative probability exceeds it."""
    if draw < mixed[betting.FOLD]:
        return betting.FOLD
    return (
        betting.CALL if draw < mixed[betting.FOLD] + mixed[betting.CALL] or mixed[betting.RAISE] <= 0 else betting.RAISE
    )
