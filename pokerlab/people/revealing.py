"""What opponents probably held, by a model of how people play: all hands weighed by what was done with them.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.combos import combo_text
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.systems.connectionist.population import initial_model
>>> hand = HandHistory(game("limit2p"), cards("AsAd2c7h") + (None,) * 5, (RaiseTo(20), FOLD), ("ann", "bob"))
>>> weights = held_by(Watcher(initial_model(seed=7)), hand, seat=1, hero=0)
>>> round(float(weights.sum()), 6), int((weights > 0).sum())  # all hands without ann's aces
(1.0, 1225)

References
----------
Sweeney (2012), section 6.1.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.card import pretty
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, class_text, combo_index, live_combos
from pokerlab.games.history import HandHistory
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.watcher import Watcher

SHOWN_HANDS = 5


@dataclass(frozen=True)
class Guess:
    """What one opponent probably held in one hand."""

    hand: int
    name: str
    classes: tuple[tuple[str, float], ...]  # the likeliest, with their chances
    combos: tuple[tuple[str, float], ...]
    held: str  # what he showed, or ""
    chance: float | None  # that the model gave it
    uniform: float | None  # that all possible hands alike would have given it

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "hand": self.hand, "name": self.name, "classes": dict(self.classes), "combos": dict(self.combos),
            "held": self.held, "chance": self.chance, "uniform": self.uniform,
        }  # fmt: skip


def held_by(watcher: Watcher, hand: HandHistory, *, seat: int, hero: int) -> Floats:
    """`[combo]`: how likely `seat` held each, to somebody who knows the hero's cards and all actions.

    Player-types weigh as the watcher believed before the hand. Cards that others showed are not used.
    """
    model, public = watcher.model, hand.final.public(hand.number, hand.names)
    known = [card for card in (*hand.final.hole(hero), *hand.final.board) if card is not None]
    live = live_combos(sum(1 << card for card in known))
    kinds = watcher.types_of(hand.names)[seat]
    log = np.tile(np.log(np.maximum(kinds, 1e-12))[:, None], (1, len(live)))
    for before, step in public.decisions():
        if step.seat == seat:
            spot = structure.spot_of(before.betting)
            opponents = watcher.opponents(watcher.pairs(before), before.betting, seat)
            sums = structure.combo_sums(model.parameters, before.board)
            cards = sums[None] + model.players.shift[before.street].T[:, None]
            chances = structure.think(model.parameters, spot, opponents=opponents, cards=cards).chances
            log += np.log(np.maximum(chances[..., structure.place_of(before.betting, step.action)], 1e-30))
    weights = np.exp(log - log[:, live].max()).sum(axis=0) * live
    return np.asarray(weights / weights.sum())


def revealed(
    watcher: Watcher,
    hands: Sequence[HandHistory],
    hero: str,
    *,
    report: Callable[[int, int], None] | None = None,
) -> list[Guess]:
    """Guesses for every opponent of `hero` who acted, hand by hand; the watcher learns everybody's type on the way."""
    found = []
    for number, hand in enumerate(hands):
        if hero in hand.names:
            me = hand.names.index(hero)
            for seat in sorted({step.seat for step in hand.steps} - {me}):
                found.append(_guess(held_by(watcher, hand, seat=seat, hero=me), hand, number + 1, seat))
        watcher.observe(hand)
        if report is not None:
            report(number + 1, len(hands))
    return found


def _guess(weights: Floats, hand: HandHistory, number: int, seat: int) -> Guess:
    by_class = np.bincount(CLASS_OF_COMBO, weights, minlength=N_CLASSES)
    classes = [(class_text(int(each)), float(by_class[each])) for each in np.argsort(-by_class)[:SHOWN_HANDS]]
    best = np.argsort(-weights)[:SHOWN_HANDS]
    combos = [(pretty(CARDS_OF_COMBO[each].tolist()), float(weights[each])) for each in best]
    hole = [card for card in hand.final.hole(seat) if card is not None]
    told = len(hole) == 2
    chance = float(weights[combo_index(*hole)]) if told else None
    uniform = 1 / float((weights > 0).sum()) if told else None
    return Guess(number, hand.names[seat], tuple(classes), tuple(combos), pretty(hole) if told else "", chance, uniform)


def bits_gained(guesses: Sequence[Guess]) -> Floats:
    """`[guess]`: of those whose cards were shown, how many bits better than nothing the model knew them."""
    pairs = [(each.chance, each.uniform) for each in guesses if each.chance is not None and each.uniform is not None]
    return np.array([np.log2(max(chance, 1e-12) / uniform) for chance, uniform in pairs])
