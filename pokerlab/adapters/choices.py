"""Choices at a decision: one entry of a fixed menu, or two numbers.

A `Menu` has the same entries at every decision of a game: fold, call, and every bet size of a grammar (`trees.sizes`).
A mask says which of them are available. `Numbers` are a boldness and a bet size, for learners with continuous actions;
every pair of numbers corresponds to a legal action.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> menu = Menu(game("nolimit2p"), "min, 0.5p, 1p, all-in; flop: 2p")
>>> menu.entries
('fold', 'call', 'min', '0.5p', '1p', 'all-in', '2p')
>>> view = State.start(game("nolimit2p"), tuple(range(9))).view(1, 0, ("ann", "bob"))
>>> menu.mask(view).tolist(), menu.action(view, 4)
([1, 1, 1, 0, 1, 1, 0], RaiseTo(300))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import floor, inf

import numpy as np

from pokerlab.arrays import AnyFloats, Int8s
from pokerlab.errors import IllegalAction
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView
from pokerlab.trees.sizes import Size, default_sizes, parse_sizes, raises

MOST_KEPT = 20_000


@dataclass(frozen=True)
class Menu:
    """Fold, call and the bet sizes of `text`; by default a limit game's single size, or the pot and all-in."""

    rules: Rules
    text: str | None = None

    def __getstate__(self) -> dict[str, object]:
        """The fields without the cache, for copies and other processes."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @cached_property
    def by_place(self) -> tuple[tuple[tuple[Size, ...], ...], ...]:
        """`sizes[seat][street]`."""
        sides = parse_sizes(self.text or default_sizes(self.rules), self.rules.n_seats)
        for side in sides:
            side.check(self.rules)
        return tuple(tuple(side.on_street(self.rules, s) for s in range(len(self.rules.streets))) for side in sides)

    @cached_property
    def sizes(self) -> tuple[Size, ...]:
        """All sizes of the game without duplicates: entries 2, 3 .. of the menu."""
        return tuple(dict.fromkeys(size for streets in self.by_place for sizes in streets for size in sizes))

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The names of the entries; an index is a position in this order."""
        return ("fold", "call", *map(str, self.sizes))

    def offered(self, view: PublicView) -> Mapping[int, Action]:
        """Entries available here, with their actions; sizes that give the same action are merged."""
        cached = self._cache.get(id(view.betting))
        if cached is not None:
            return cached[1]
        actions = self._offered(view)
        if len(self._cache) < MOST_KEPT:
            self._cache[id(view.betting)] = (view.betting, actions)  # with the state, so that its id stays unique
        return actions

    @cached_property
    def _cache(self) -> dict[int, tuple[Betting, dict[int, Action]]]:
        """Available entries by betting state, which is one object per sequence of actions."""
        return {}

    def _offered(self, view: PublicView) -> dict[int, Action]:
        betting = view.betting
        if betting.actor < 0:
            return {}
        entries = {0: FOLD, 1: CALL} if betting.legal().fold else {1: CALL}
        sizes = self.by_place[betting.actor][betting.street]
        if any(size.once for size in sizes):
            sizes = self._left(view, sizes)
        entries |= {2 + self.sizes.index(size): action for action, size in raises(sizes, betting).items()}
        return entries

    def _left(self, view: PublicView, sizes: tuple[Size, ...]) -> tuple[Size, ...]:
        """Return the sizes that may still be used: those without `once`, and those with it that were not used on this
        street."""
        for before, step in view.decisions():
            if step.street == view.street and step.action.kind == Kind.RAISE:
                taken = raises(sizes, before.betting).get(step.action)
                sizes = tuple(size for size in sizes if not (size.once and size == taken))
        return sizes

    def mask(self, view: PublicView) -> Int8s:
        """Return an array with 1 for each entry of the menu that is available, and 0 for the others."""
        mask = np.zeros(len(self.entries), np.int8)
        for entry in self.offered(view):
            mask[entry] = 1
        return mask

    def action(self, view: PublicView, entry: int) -> Action:
        """Action of an entry; raises `IllegalAction` unless it is available."""
        offered = self.offered(view)
        if entry not in offered:
            words = ", ".join(f"{i} {self.entries[i]}" for i in offered)
            raise IllegalAction(f"seat {view.betting.actor} cannot choose entry {entry}; offered: {words}")
        return offered[entry]

    def nearest(self, view: PublicView, entry: int) -> Action:
        """Action of an entry, or the nearest legal one: a check for a fold, a call for a raise, a legal size."""
        action = self.offered(view).get(entry)
        if action is not None:
            return action
        if entry < 2:
            return CALL
        return next(iter(raises((self.sizes[entry - 2],), view.betting)), CALL)


@dataclass(frozen=True)
class Numbers:
    """Two numbers from 0 to 1. The first is the boldness: the lowest third folds (or checks), the middle third calls,
    the highest third bets or raises. The second is the raise total: 0 is the smallest legal raise, 1 the largest (the
    pot if stacks are unlimited), on a logarithmic scale."""

    rules: Rules

    def nearest(self, view: PublicView, answer: AnyFloats) -> Action:
        """Action that corresponds to two numbers.

        >>> from pokerlab.games.catalog import game
        >>> from pokerlab.games.state import State
        >>> view = State.start(game("nolimit2p"), tuple(range(9))).view(1, 0, ("ann", "bob"))
        >>> numbers = Numbers(game("nolimit2p"))
        >>> [numbers.nearest(view, pair) for pair in ((0.1, 0), (0.5, 0), (0.9, 0), (0.9, 0.5), (0.9, 1))]
        [FOLD, CALL, RaiseTo(200), RaiseTo(2000), RaiseTo(20000)]
        """
        legal = view.legal()
        bold, share = (min(max(float(number), 0.0), 1.0) for number in answer)
        if bold < 1 / 3:
            return FOLD if legal.fold else CALL
        low, high = legal.raise_min, legal.raise_max
        if bold < 2 / 3 or low is None or high is None:
            return CALL
        if high == inf:
            high = max(low, view.betting.max_bet + view.pot + legal.call)
        if share in (0, 1) or low == high:
            return RaiseTo(high if share == 1 else low or high)
        least = float(low) or float(high) / 1000  # real bets may be as small as nothing
        to = least * (float(high) / least) ** share
        return RaiseTo(min(max(floor(to + 0.5), low), high) if legal.whole else to)
