"""The observer of a population model at a table: its beliefs about every player, hand by hand. Needs only NumPy.

Within a hand, beliefs follow from the betting, the board, and the beliefs about player-types before the hand. After the
hand the beliefs about player-types are remembered under the players' names. For players who showed their cards, the
likelihood of their actions with these cards replaces the observer's estimate for each type.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.views import PublicView
>>> from pokerlab.systems.connectionist.population import initial_model
>>> watcher = Watcher(initial_model(seed=7))
>>> start = PublicView.start(game("limit3p"))
>>> watcher.pairs(start).shape, watcher.marginals(start).shape
((3, 64), (3, 16))

References
----------
Sweeney (2012), section 6.3.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.parameters import Parameters
from pokerlab.systems.connectionist.population import Model, PlayerTypes, paired

REMEMBERED = 256
"""Maximum number of points in a hand whose beliefs are cached."""


class Watcher:
    """A model's observer at one table. `types[name]` are its beliefs about a player's type between hands."""

    def __init__(self, model: Model) -> None:
        # Double precision makes probabilities of one hand and of all hands agree, whatever the order of sums.
        self.model = Model(_doubled(model.parameters), PlayerTypes(*(array.astype(float) for array in model.players)))
        self.types: dict[str, Floats] = {}
        self._pairs = _doubled(paired(model))
        self._known: dict[tuple[Any, ...], Floats] = {}

    @property
    def n_card_types(self) -> int:
        """Number of card-types, C."""
        return len(self.model.parameters.initial)

    def types_of(self, names: tuple[str, ...]) -> Floats:
        """`[seat, T]`: beliefs about these players' types before a hand."""
        return np.array([self.types.get(name, self.model.players.initial) for name in names])

    def marginals(self, public: PublicView) -> Floats:
        """`[seat, C (+ T)]`: beliefs over card-types, then over player-types if there are several."""
        return structure.marginals(self.pairs(public), self.n_card_types)

    def pairs(self, public: PublicView) -> Floats:
        """`[seat, T * C]`: beliefs over pairs of a player-type and a card-type."""
        pairs = self._known.get(_point(public))
        if pairs is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            pairs = self._known[_point(public)] = self._computed(public)
        return pairs

    def _computed(self, public: PublicView) -> Floats:
        """Compute the beliefs, continuing from the last cached point of the hand."""
        points = [*(before for before, _ in public.decisions()), public]
        types, cards = self.types_of(public.names), self.model.parameters.initial
        found, first = (types[:, :, None] * cards).reshape(len(types), -1), 0
        for number in range(len(points) - 2, 0, -1):
            known = self._known.get(_point(points[number]))
            if known is not None:
                found, first = known, number
                break
        for before, after in pairwise(points[first:]):
            step = after.actions[-1]
            opponents = self.opponents(found, before.betting, step.seat)
            seen = structure.by_type(self._pairs, structure.spot_of(before.betting), opponents=opponents)
            found = found.copy()
            likelihood = seen[structure.place_of(before.betting, step.action)]
            found[step.seat] = structure.updated(found[step.seat], likelihood)
            for street in range(before.street + 1, after.street + 1):
                found = structure.moved(self._pairs, found, public.rules.board_on(public.board, street))
        return found

    def opponents(self, pairs: Floats, betting: Betting, seat: int) -> Floats:
        """`[C (+ T)]`: the sum of the beliefs about all players in the hand except `seat`, an input of the action
        function."""
        others = [other for other in range(len(pairs)) if other != seat and betting.in_hand(other)]
        return structure.marginals(np.asarray(pairs[others].sum(axis=0)), self.n_card_types)

    def observe(self, hand: HandHistory) -> None:
        """Update the beliefs about player-types after a finished hand."""
        if len(self.model.players.initial) == 1:
            return
        public = hand.final.public(hand.number, hand.names)
        before = self.types_of(hand.names)
        after = structure.marginals(self.pairs(public), self.n_card_types)[:, self.n_card_types :]
        for seat in hand.shown:
            if None not in hand.final.hole(seat):
                after[seat] = structure.updated(before[seat], self._by_type_with_cards(hand, public, seat))
        self.types |= dict(zip(hand.names, after, strict=True))
        self._known.clear()

    def _by_type_with_cards(self, hand: HandHistory, public: PublicView, seat: int) -> Floats:
        """`[T]`: likelihood of a seat's actions with the cards it showed, by player-type, scaled to a maximum of 1."""
        parameters, shift = self.model.parameters, self.model.players.shift
        log = np.zeros(shift.shape[2])
        hole = tuple(int(card) for card in hand.final.hole(seat) if card is not None)
        for before, step in public.decisions():
            if step.seat == seat:
                cards = structure.card_sums(parameters, hole, before.board) + shift[before.street].T
                opponents = self.opponents(self.pairs(before), before.betting, seat)
                spot = structure.spot_of(before.betting)
                chances = structure.think(parameters, spot, opponents=opponents, cards=cards).chances
                log += np.log(np.maximum(chances[:, structure.place_of(before.betting, step.action)], 1e-30))
        return np.asarray(np.exp(log - log.max()))


def _doubled(parameters: Parameters) -> Parameters:
    return Parameters(*(array.astype(float) for array in parameters))


def _point(public: PublicView) -> tuple[Any, ...]:
    """Cache key of the beliefs at a point of a hand."""
    return public.rules.name, public.names, public.board, public.actions
