"""A seat's view as one array of numbers from 0 to 1, whose length depends only on the rules.

An `Encoding` takes a `View`, so nothing hidden can get into the array. Players are counted from the seat itself: 0 is
the seat, 1 the next one clockwise. The fields, in this order:

- `hole` (52): 1 for each face-down card of the seat
- `board` (52): 1 for each board card
- `up` (players, 52): 1 for each face-up card; only in games that have some (stud)
- `street` (streets): 1 for the street
- `position` (players): 1 for the seat's own number, counted from the left of the button
- `folded` (players): 1 for each player who has folded
- `spent` (players): chips put in over the hand
- `bets` (players): chips put in on this street
- `pot`, `to_call` (1 each): chips in the pot, and chips that a call adds
- `raises`, `calls` (streets, players): numbers of bets and raises, of checks and calls, in eighths
- `steps` (history, ..): the last `history` actions, newest first: street, player, fold / call / raise, street total

Chips are in units of `scale`, the most that a seat can put in (for the pot, all seats together). If the rules set no
limit, `scale` is 200 big blinds, and larger amounts are encoded as 1.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> encoding = Encoding(game("leduc"))
>>> encoding.size, encoding.scale
(124, 13)
>>> view = State.start(game("leduc"), (46, 51, 43)).view(0, 0, ("ann", "bob"))
>>> {name: value.tolist() for name, value in encoding.named(encoding.of(view)).items() if name not in ("hole", "board")}
{'street': [1.0, 0.0], 'position': [1.0, 0.0], 'folded': [0.0, 0.0], 'spent': ...}
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, prod

import numpy as np

from pokerlab.arrays import Floats32
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Chips, Kind
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.games.views import View

MOST_COUNTED = 8
MOST_BIG_BLINDS = 200
MOST_KEPT = 20_000


@dataclass(frozen=True)
class Encoding:
    """Encodes views of one game as arrays; `history` is the number of recent actions encoded one by one."""

    rules: Rules
    history: int = 0

    def __post_init__(self) -> None:
        if self.history < 0:
            raise PokerlabError(f"history must be a number of actions, not {self.history}")

    def __getstate__(self) -> dict[str, object]:
        """The fields without the cache, for copies and other processes."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each field's array, by the field's name and in the order of the encoding."""
        n, streets = self.rules.n_seats, len(self.rules.streets)
        up = {"up": (n, 52)} if self.rules.has_up_cards else {}
        steps = {"steps": (self.history, streets + n + 4)} if self.history else {}
        one_each = {"street": (streets,), "position": (n,), "folded": (n,), "spent": (n,), "bets": (n,)}
        counts = {"pot": (1,), "to_call": (1,), "raises": (streets, n), "calls": (streets, n)}
        return {"hole": (52,), "board": (52,), **up, **one_each, **counts, **steps}

    @cached_property
    def starts(self) -> dict[str, int]:
        """The offset of each field."""
        sizes = [prod(shape) for shape in self.shapes.values()]
        return dict(zip(self.shapes, np.cumsum([0, *sizes[:-1]]).tolist(), strict=True))

    @cached_property
    def size(self) -> int:
        return sum(prod(shape) for shape in self.shapes.values())

    @cached_property
    def scale(self) -> Chips:
        """Number of chips encoded as 1."""
        return most_chips(self.rules) or MOST_BIG_BLINDS * self.rules.big_blind

    def named(self, array: Floats32) -> dict[str, Floats32]:
        """Split an array by field."""
        starts = self.starts
        return {
            name: array[starts[name] : starts[name] + prod(shape)].reshape(shape) for name, shape in self.shapes.items()
        }

    def of(self, view: View) -> Floats32:
        """Encode the seat's view as `float32[size]`."""
        array = self._betting_part(view).copy()
        for card in view.hole:
            array[card] = 1
        for card in view.board:
            array[52 + card] = 1
        if self.rules.has_up_cards:
            for i in range(self.rules.n_seats):
                for card in view.up[(view.seat + i) % self.rules.n_seats]:
                    array[self.starts["up"] + 52 * i + card] = 1
        return array

    def _betting_part(self, view: View) -> Floats32:
        """The part of the array without cards, cached because a betting state is one object per sequence of actions."""
        key = (id(view.betting), view.seat)
        kept = self._cache.get(key)
        if kept is not None:
            return kept[1]
        array = self._without_cards(view)
        if len(self._cache) < MOST_KEPT:
            self._cache[key] = (view.betting, array)  # keeps the state itself, so that no other object gets its id
        return array

    @cached_property
    def _cache(self) -> dict[tuple[int, int], tuple[Betting, Floats32]]:
        return {}

    def _without_cards(self, view: View) -> Floats32:
        at, n, seat, betting = self.starts, self.rules.n_seats, view.seat, view.betting
        array = np.zeros(self.size, np.float32)
        array[[at["street"] + betting.street, at["position"] + seat]] = 1
        turned = [*range(seat, n), *range(seat)]
        array[at["folded"] : at["folded"] + n] = [not betting.in_hand(s) for s in turned]
        chips = [betting.spent[s] for s in turned] + [betting.bets[s] for s in turned]
        chips += [betting.pot / n, betting.to_call]
        array[at["spent"] : at["raises"]] = [min(float(amount / self.scale), 1.0) for amount in chips]
        for street, actor, action in view.actions:
            if action.kind != Kind.FOLD:
                field = at["raises" if action.kind == Kind.RAISE else "calls"]
                place = field + street * n + (actor - seat) % n
                array[place] = min(array[place] + 1 / MOST_COUNTED, 1)
        if self.history:
            self._add_steps(array, view)
        return array

    def _add_steps(self, array: Floats32, view: View) -> None:
        n, streets = self.rules.n_seats, len(self.rules.streets)
        rows = array[self.starts["steps"] :].reshape(self.shapes["steps"])
        for row, (street, actor, action) in zip(rows, reversed(view.actions), strict=False):
            row[[street, streets + (actor - view.seat) % n, streets + n + action.kind]] = 1
            row[-1] = min(float(action.to) / float(self.scale), 1.0)


def most_chips(rules: Rules) -> Chips | None:
    """The most that a seat can put into a pot: its stack, or the total of capped raises; None if there is no limit.

    >>> from pokerlab.games.catalog import game
    >>> [most_chips(game(name)) for name in ("nolimit2p", "limit2p", "leduc", "kuhn-nolimit")]
    [20000, 240, 13, None]
    """
    stack = max(rules.stacks)
    if stack < inf:
        return stack
    caps = [street.max_raises for street in rules.streets]
    if rules.limits != "limit" or None in caps or rules.uncapped_heads_up:
        return None
    raised = sum(street.raise_size * (cap or 0) for street, cap in zip(rules.streets, caps, strict=True))
    return max(rules.antes) + max(rules.blinds) + raised
