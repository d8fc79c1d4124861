"""A cash table: players come and go between hands, keep their chips from hand to hand, and may buy more.

Chairs are fixed; the button moves to the next player with chips, and the rules follow the number of players dealt in
(`Rules.for_players`). A player without chips keeps the chair, is not dealt in, and can buy more or leave. There are no
missed blinds. Cards and each player's randomness depend only on (seed, hand, name), so one player's random choices do
not affect another's.

>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> class Caller:
...     def act(self, view, rng):
...         return CALL
>>> table = CashTable(game("nolimit6p"), seed=7)
>>> for name in ("ann", "bob", "eve"):
...     table.sit(name, Caller(), chips=1000)
>>> [table.play().names for _ in range(2)]
[('bob', 'eve', 'ann'), ('eve', 'ann', 'bob')]
>>> table.leave("ann") + sum(player.chips for player in table.players)
3000
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Chips
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Observer
from pokerlab.games.rules import Rules
from pokerlab.rng import Shuffler, stream
from pokerlab.table.dealer import observer, play_hand, tell
from pokerlab.table.players import check_supported


@dataclass
class CashPlayer:
    """A player at the table: its current chips, and the chips it has bought."""

    name: str
    agent: Agent
    chair: int
    chips: Chips
    bought: Chips
    net: Chips = 0  # won or lost so far; the only balance where chips are unlimited

    @cached_property
    def observer(self) -> Observer | None:
        return observer(self.agent)


class CashTable:
    """A table for up to `rules.n_seats` players; `rules.stacks` is the default buy-in."""

    def __init__(self, rules: Rules, *, seed: int = 0, reveal: bool = False) -> None:
        # Half chips in front of a player could never be bet, so odd chips go to the first seat.
        self.rules = replace(rules, odd_chips="first seat") if rules.whole_chips else rules
        self.reveal, self.hands = reveal, 0
        self._seed, self._shuffler = seed, Shuffler(seed, "cards", "cash")
        self._chairs: list[CashPlayer | None] = [None] * rules.n_seats
        self._button = rules.n_seats - 1

    @property
    def players(self) -> tuple[CashPlayer, ...]:
        """The players at the table, by chair."""
        return tuple(player for player in self._chairs if player is not None)

    def player(self, name: str) -> CashPlayer:
        player = next((one for one in self.players if one.name == name), None)
        if player is None:
            here = ", ".join(one.name for one in self.players) or "no players"
            raise PokerlabError(f"{name} is not at the table; here: {here}")
        return player

    def sit(self, name: str, agent: Agent, *, chips: Chips | None = None, chair: int | None = None) -> None:
        """Seat `agent` under `name`, with `chips` (default: the game's stack), in `chair` (default: the first free)."""
        if any(player.name == name for player in self.players):
            raise PokerlabError(f"{name} is already at the table")
        free = [i for i, taken in enumerate(self._chairs) if taken is None]
        if not free:
            raise PokerlabError(f"{name} cannot sit down: all {len(self._chairs)} chairs are taken")
        chair = free[0] if chair is None else chair
        if chair not in free:
            raise PokerlabError(f"{name} cannot have chair {chair}; free: {', '.join(map(str, free))}")
        check_supported([agent], [name], self.rules)
        chips = self.rules.stacks[0] if chips is None else chips
        self._check_amount(name, chips)
        self._chairs[chair] = CashPlayer(name, agent, chair, chips, chips)

    def leave(self, name: str) -> Chips:
        """Remove `name` from the table. Return the chips that the player takes along."""
        player = self.player(name)
        self._chairs[player.chair] = None
        return player.chips

    def buy(self, name: str, chips: Chips) -> None:
        player = self.player(name)
        self._check_amount(name, chips)
        player.chips += chips
        player.bought += chips

    def play(self) -> HandHistory:
        """Play one hand with every player that has chips."""
        lineup = self._lineup()
        if len(lineup) < 2:
            raise PokerlabError(f"a hand needs two players with chips; there is {len(lineup) or 'none'}")
        rules = self.rules.for_players(tuple(player.chips for player in lineup))
        hand = play_hand(
            rules,
            [player.agent for player in lineup],
            deck_of_hand(rules, self._shuffler, self.hands),
            [stream(self._seed, "agent", "cash", player.name, index=self.hands) for player in lineup],
            names=tuple(player.name for player in lineup),
            number=self.hands,
        )
        for player, won in zip(lineup, hand.payoffs, strict=True):
            player.net += won
            player.chips += won
        self._button = lineup[-1].chair
        self.hands += 1
        tell(hand, [player.observer for player in lineup], reveal=self.reveal)
        return hand

    def _lineup(self) -> list[CashPlayer]:
        """Players dealt into the next hand, ordered from the left of its button to the button."""
        n = len(self._chairs)
        around = [self._chairs[(self._button + step) % n] for step in range(1, n + 1)]
        able = [player for player in around if player is not None and player.chips > 0]
        return able[1:] + able[:1]

    def _check_amount(self, name: str, chips: Chips) -> None:
        if not chips > 0 or (self.rules.whole_chips and chips != inf and chips != int(chips)):
            kind = "a whole number of chips above 0" if self.rules.whole_chips else "chips"
            raise PokerlabError(f"{name} cannot buy {chips} chips; a player buys {kind}")
