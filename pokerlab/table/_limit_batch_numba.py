# mypy: ignore-errors
"""Whole hands of limit hold'em between players of `policies.compiled_players`; `limit_batch` prepares the arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab import _rng_numba as rng
from pokerlab.arrays import Floats, Int32s, Int64s, Uint64s
from pokerlab.games import _betting_numba as betting
from pokerlab.games._betting_numba import kernel
from pokerlab.policies._compiled_players_numba import decide

if TYPE_CHECKING:
    from pokerlab.cards.dealt_strengths import DealtStrengths


class LimitDraws(NamedTuple):
    """Sources of random numbers: a stream for each place at the table, and work space."""

    stream: Int64s  # stream[turn, seat]: the stream that the seat draws from
    keys: Uint64s  # keys[stream, 2]
    words: Uint64s  # words[word]: work space for the state of a stream
    draw: Floats  # draw[seat]: the seat's random number for the hand


class LimitGame(NamedTuple):
    """A game and its players, encoded as numbers."""

    r: Int64s  # the rules, as in `games.compiled`
    start: Int64s  # the betting before the first action
    kind: Int64s  # kind[player]: the player's kind
    begin: Int64s  # begin[player]: where the player's own `numbers` begin
    numbers: Floats


@kernel
def play(first: int, dealt: DealtStrengths, game: LimitGame, lineups: Int64s, draws: LimitDraws, b: Int64s, chips):
    """Fill `chips[hand, seat]` for hands from number `first` on, given the strengths of their cards in `dealt`.

    In hand number h, seat s is player `lineups[h % turns, s]`, which uses the first random number at h of its stream in
    `draws`; `b` is work space of the size of `game.start`.
    """
    mean_hs, ppot, rank = dealt
    r, start, kind, begin, numbers = game
    for hand in range(len(rank)):
        turn = (first + hand) % len(lineups)
        for seat in range(r[betting.N_SEATS]):
            rng.begin(draws.words, draws.keys[draws.stream[turn, seat]], np.uint64(first + hand))
            draws.draw[seat] = rng.next_double(draws.words)
        for place in range(len(start)):
            b[place] = start[place]
        while b[betting.ACTOR] != betting.NOBODY:
            seat = b[betting.ACTOR]
            who, street = lineups[turn, seat], b[betting.STREET]
            hs, potential = mean_hs[hand, seat, street], ppot[hand, seat, street]
            action = decide(kind[who], numbers, begin[who], r, b, hs, potential, draws.draw[seat])
            betting.apply(r, b, action, b[betting.MAX_BET] + r[betting.RAISE_SIZE + street])
        settle(r, b, rank[hand], chips[hand])


@kernel
def settle(r: Int64s, b: Int64s, rank: Int32s, net: Floats) -> None:
    """Fill `net[seat]` for a hand in which no seat is all-in, so that there is one pot; shares of it are
    rounded once."""
    pot, best, winners = 0, -1, 0
    for seat in range(r[betting.N_SEATS]):
        pot += b[betting.SPENT + seat]
        if not b[betting.FOLDED] >> seat & 1:
            if rank[seat] > best:
                best, winners = rank[seat], 0
            winners += rank[seat] == best
    for seat in range(r[betting.N_SEATS]):
        spent = b[betting.SPENT + seat]
        wins = not b[betting.FOLDED] >> seat & 1 and rank[seat] == best
        net[seat] = (pot - winners * spent) / winners if wins else -float(spent)
