"""A table with open places: our agents act in theirs, and the caller acts for the open ones.

Hands are dealt as in a match: the button moves one place per hand, agents observe finished hands, and the same seed
gives the same cards and the same agents. An open place gets its `View`, like any agent.

>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> table = OpenTable(game("leduc"), (None, "raiser"))
>>> table.restart(7)
>>> table.deal()
>>> while table.to_act is not None:
...     table.act(CALL)
>>> table.number, table.won(0) + table.won(1)
(0, 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from pokerlab.errors import IllegalAction, PokerlabError
from pokerlab.games.actions import Action, Chips
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.games.views import View
from pokerlab.players.registry import Player, fresh_agent, player_name, resolve_names
from pokerlab.rng import IndexedStream, Shuffler
from pokerlab.table.dealer import acted, observer, tell
from pokerlab.table.match import unique_names
from pokerlab.table.players import check_supported

PATIENCE = 1000
"""This many consecutive hands without a decision for an open place are an error."""


class OpenTable:
    """Consecutive hands at one table; `players` are by place, None where a place is open."""

    def __init__(self, rules: Rules, players: Sequence[Player | None], *, rotate: bool = True) -> None:
        if len(players) != rules.n_seats:
            raise PokerlabError(f"{rules.name} seats {rules.n_seats} players; there are {len(players)}")
        if None not in players:
            raise PokerlabError(f"{rules.name}: every place is taken; leave at least one open")
        players = resolve_names(players, rules)
        self.rules, self.players, self.rotate = rules, players, rotate
        self.open = tuple(place for place, player in enumerate(players) if player is None)
        self.names = unique_names(
            [f"player_{place}" if player is None else player_name(player) for place, player in enumerate(players)]
        )

    def restart(self, seed: int) -> None:
        """Restart with fresh agents and the cards of `seed`."""
        self._agents = [None if player is None else fresh_agent(player) for player in self.players]
        seated = [(agent, name) for agent, name in zip(self._agents, self.names, strict=True) if agent is not None]
        check_supported([agent for agent, _ in seated], [name for _, name in seated], self.rules)
        self._observers = [observer(agent) for agent in self._agents]
        self._cards = Shuffler(seed, "cards", 0)
        self._streams = [
            None if agent is None else IndexedStream(seed, "agent", place) for place, agent in enumerate(self._agents)
        ]
        self.number = -1
        self._state: State | None = None
        self.hand: HandHistory
        """The last finished hand, with all its cards: not for players."""

    def deal(self) -> None:
        """Deal the next hand in which an open place has a decision. Hands without one are played to the end; `walked`
        is each place's winnings in them."""
        self.walked: list[Chips] = [0] * len(self.players)
        for _ in range(PATIENCE):
            self.number += 1
            self._state = State.start(self.rules, deck_of_hand(self.rules, self._cards, self.number))
            self._seats = [self.place_of(seat) for seat in range(self.rules.n_seats)]
            self._at_table = tuple(self.names[place] for place in self._seats)
            self._rngs = [None if stream is None else stream.at(self.number) for stream in self._streams]
            self._proceed()
            if self.to_act is not None:
                return
            self.walked = [before + self.won(place) for place, before in enumerate(self.walked)]
        raise PokerlabError(f"{self.rules.name}: in {PATIENCE:,} hands no open place had anything to decide")

    def _proceed(self) -> None:
        """Let agents act until it is an open place's turn or the hand is over."""
        state = self.state
        while not state.over and (agent := self._agents[place := self._seats[state.betting.actor]]) is not None:
            rng = cast(np.random.Generator, self._rngs[place])
            state = acted(state, agent, rng, self._at_table, self.number)
        self._state = state
        if state.over:
            self.hand = HandHistory.of(state, self._at_table, self.number)
            tell(self.hand, [self._observers[place] for place in self._seats])

    @property
    def state(self) -> State:
        """The hand with all its cards; must not be shown to players."""
        if self._state is None:
            raise PokerlabError("no hand has been dealt yet: reset first")
        return self._state

    def place_of(self, seat: int) -> int:
        """Place in a seat in this hand."""
        return (seat + self.number * self.rotate) % self.rules.n_seats

    def seat_of(self, place: int) -> int:
        """The seat of a place in this hand."""
        return (place - self.number * self.rotate) % self.rules.n_seats

    @property
    def to_act(self) -> int | None:
        """Open place that is to act; None when the hand is over."""
        state = self.state
        return None if state.over else self._seats[state.betting.actor]

    def act(self, action: Action) -> None:
        """Act for the open place whose turn it is; then agents act until an open place is to act or the hand ends."""
        if self.to_act is None:
            raise IllegalAction("the hand is over: reset to deal the next one")
        self._state = self.state.after(action)
        self._proceed()

    def view(self, place: int) -> View:
        """The view of a place, now or at the end of the hand."""
        return self.state.view(self.seat_of(place), self.number, self._at_table)

    def won(self, place: int) -> Chips:
        """Net chips of a place in the finished hand."""
        return self.hand.payoffs[self.seat_of(place)]
