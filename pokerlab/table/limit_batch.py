"""Compiled hands of limit hold'em: the same hands as the ordinary dealer deals.

Strategies on a betting tree use `table.batch`. Players of `policies.compiled_players` depend only on the strength of
their own hand and on the betting, so a hand is a walk of the compiled betting automaton. Cards come from the ordinary
dealer's streams, and both give the same chips hand for hand. `match.play_match` uses this automatically when it can.

>>> from pokerlab.games.catalog import game
>>> limit_table(game("limit3p"), [object()] * 3) is None
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import inf

import numpy as np

from pokerlab.abstraction._deals_numba import deal_places
from pokerlab.arrays import Floats, Int64s, Uint8s, Uint64s
from pokerlab.cards.dealt_strengths import DealtStrengths, dealt_strengths
from pokerlab.games.betting import Betting
from pokerlab.games.compiled import betting_array, rules_array
from pokerlab.games.rules import Rules
from pokerlab.policies.compiled_players import SCRIPTS, Compilable, CompiledPlayer

HANDS_AT_ONCE = 5040  # a multiple of any number of seats, so that every batch begins with the first lineup


class LimitTable:
    """A table for compiled players in any seating."""

    def __init__(self, rules: Rules, players: Sequence[CompiledPlayer]) -> None:
        from pokerlab.table._limit_batch_numba import LimitGame

        self.rules = rules
        self.look_at_cards = any(player.kind not in SCRIPTS.values() for player in players)
        self.game = LimitGame(
            r=rules_array(rules),
            start=betting_array(Betting.start(rules)),
            kind=np.array([player.kind for player in players]),
            begin=np.cumsum([0, *(len(player.numbers) for player in players[:-1])]),
            numbers=np.concatenate([player.numbers for player in players]),
        )

    def batches(
        self, hands: int, lineups: Int64s, cards: Uint64s, draws: Uint64s, stream: Int64s
    ) -> Iterator[tuple[int, Floats]]:
        """Play `hands` hands. Yield each batch as the number of its first hand and the winnings `chips[hand, seat]`.

        The seating repeats after `len(lineups)` hands. In hand h, with t = h % len(lineups), seat s is taken by the
        player with index `lineups[t, s]`, whose random numbers come from the stream with the key `draws[stream[t, s]]`.
        The stream with the key `cards` shuffles the deck.
        """
        from pokerlab._rng_numba import STATE_WORDS
        from pokerlab.table import _limit_batch_numba as kernels

        sources = kernels.LimitDraws(stream, draws, np.empty(STATE_WORDS, np.uint64), np.empty(self.rules.n_seats))
        work = np.empty_like(self.game.start)
        for first in range(0, hands, HANDS_AT_ONCE):
            n = min(HANDS_AT_ONCE, hands - first)
            strengths = _strengths(self.rules, first, n, cards.tobytes(), self.look_at_cards)
            chips = np.empty((n, self.rules.n_seats))
            kernels.play(first, strengths, self.game, lineups, sources, work, chips)
            yield first, chips


def deals(rules: Rules, first: int, n: int, cards: Uint64s) -> tuple[Uint8s, Uint8s]:
    """Deal `n` hands, beginning with hand number `first`. The random stream with the key `cards` shuffles the deck.

    Return the hole cards `holes[hand, seat, 2]` and the boards `boards[hand, 5]`.
    """
    dealt = np.array(rules.deck, np.uint8)[deal_places(cards, first, n, len(rules.deck), rules.n_dealt)]
    return dealt[:, : 2 * rules.n_seats].reshape(n, rules.n_seats, 2), dealt[:, 2 * rules.n_seats :]


@lru_cache(maxsize=64)  # empirical games deal the same cards to all their profiles
def _strengths(rules: Rules, first: int, n: int, key: bytes, look_at_cards: bool) -> DealtStrengths:
    return dealt_strengths(*deals(rules, first, n, np.frombuffer(key, np.uint64)), flop_and_turn=look_at_cards)


def plays_compiled(rules: Rules) -> bool:
    """Whether a game is limit hold'em with unlimited chips, the only game that compiled players play."""
    usual = rules.is_holdem and rules.limits == "limit" and rules.odd_chips == "split" and not rules.board
    return usual and set(rules.stacks) == {inf} and rules.whole_chips and not rules.antes_are_dead


def limit_table(rules: Rules, agents: Sequence[object]) -> LimitTable | None:
    """Make the table at which `agents` play `rules` in compiled code; None if the ordinary dealer has to deal."""
    if not plays_compiled(rules):
        return None
    players = [agent.compiled() if isinstance(agent, Compilable) else None for agent in agents]
    compiled = [player for player in players if player is not None]
    return LimitTable(rules, compiled) if len(compiled) == len(players) else None
