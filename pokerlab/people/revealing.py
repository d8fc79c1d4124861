"""Infer the hands that opponents probably held, by a model of how people play: every hand is weighted by the actions
taken.

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
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.answers import Answer, AnswerTable
from pokerlab.arrays import Floats
from pokerlab.cards.card import pretty
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, class_text, combo_index, live_combos
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.formats import read_hands
from pokerlab.people.agents import model_at
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.parameters import load_parameters
from pokerlab.systems.connectionist.player import shipped_weights
from pokerlab.systems.connectionist.population import alone
from pokerlab.systems.connectionist.watcher import Watcher

SHOWN_HANDS = 5
SHOWN_CLASSES = 3


@dataclass(frozen=True)
class Guess:
    """Probable hands of one opponent in one hand."""

    hand: int
    name: str
    classes: tuple[tuple[str, float], ...]  # the likeliest, with their chances
    combos: tuple[tuple[str, float], ...]
    held: str  # the hand shown, or ""
    chance: float | None  # its probability by the model
    uniform: float | None  # and if all possible hands were equally likely

    def data(self) -> dict[str, Any]:
        return vars(self) | {"classes": dict(self.classes), "combos": dict(self.combos)}


def held_by(watcher: Watcher, hand: HandHistory, *, seat: int, hero: int) -> Floats:
    """`[combo]`: probability that `seat` held each combo, given the hero's cards and all actions.

    Player-types are weighted by the observer's beliefs before the hand. Cards shown by others are not used.
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


def reveal(
    watcher: Watcher, hands: Sequence[HandHistory], hero: str, *, report: Callable[[int, int], None] | None = None
) -> list[Guess]:
    """Guesses for every opponent of `hero` who acted, hand by hand; the observer learns the players' types along the
    way."""
    guesses = []
    for number, hand in enumerate(hands):
        if hero in hand.names:
            me = hand.names.index(hero)
            for seat in sorted({step.seat for step in hand.steps} - {me}):
                guesses.append(_guess(held_by(watcher, hand, seat=seat, hero=me), hand, number + 1, seat))
        watcher.observe(hand)
        if report is not None:
            report(number + 1, len(hands))
    return guesses


def _guess(weights: Floats, hand: HandHistory, number: int, seat: int) -> Guess:
    by_class = np.bincount(CLASS_OF_COMBO, weights, minlength=N_CLASSES)
    classes = [(class_text(int(each)), float(by_class[each])) for each in np.argsort(-by_class)[:SHOWN_HANDS]]
    best = np.argsort(-weights)[:SHOWN_HANDS]
    combos = [(pretty(CARDS_OF_COMBO[each].tolist()), float(weights[each])) for each in best]
    hole = [card for card in hand.final.hole(seat) if card is not None]
    held, chance, uniform = "", None, None
    if len(hole) == 2:
        held, chance, uniform = pretty(hole), float(weights[combo_index(*hole)]), 1 / float((weights > 0).sum())
    return Guess(number, hand.names[seat], tuple(classes), tuple(combos), held, chance, uniform)


def bits_gained(guesses: Sequence[Guess]) -> Floats:
    """Return, for each guess about a hand that was shown, how much better it was than a uniform guess, in bits.

    This is the logarithm to base 2 of the ratio of the two probabilities of the hand.
    """
    pairs = [(each.chance, each.uniform) for each in guesses if each.chance is not None and each.uniform is not None]
    return np.array([np.log2(max(chance, 1e-12) / uniform) for chance, uniform in pairs])


class RevealedSession(NamedTuple):
    """Guesses for all hands of a session, and lines that could not be read."""

    hero: str
    guesses: list[Guess]
    problems: tuple[object, ...]

    @property
    def gained(self) -> Estimate | None:
        """Bits by which shown hands were predicted better than by a uniform guess; None if none were shown."""
        gained = bits_gained(self.guesses)
        return estimate(gained, units="bits", method="hands that were shown") if len(gained) else None

    def answer(self, last: int) -> Answer:
        """The answer, with a table of the `last` hands, and data on all hands."""
        shown = sorted({each.hand for each in self.guesses})[-last:]
        rows = []
        for guess in (each for each in self.guesses if each.hand in shown):
            likely = ", ".join(f"{name} {chance:.0%}" for name, chance in guess.classes[:SHOWN_CLASSES])
            showed = "" if guess.chance is None else f"{guess.held}, {guess.chance:.1%}"
            rows.append((str(guess.hand), guess.name, likely, showed))
        lines = () if self.gained is None else (f"hands that were shown: {self.gained} better than a blind guess",)
        score = None if self.gained is None else self.gained.data()
        data = {"hero": self.hero, "bits_gained": score, "guesses": [each.data() for each in self.guesses]}
        table = AnswerTable(("hand", "player", "probably held", "showed"), tuple(rows), words=4)
        return Answer("", (table,), lines, data, result=self)


def reveal_session(
    session: Path,
    hero: str,
    *,
    model: str | None = None,
    rules: Rules | None = None,
    report: Callable[[int, int], None] | None = None,
) -> RevealedSession:
    """Guess the hands of `hero`'s opponents in a file of limit hold'em, by a model or by the player `connectionist`.

    `rules` are for logs that do not name their game.
    """
    found = read_hands(session, rules)
    hands = [hand for hand in found.hands if structure.playable(hand.rules)]
    if not any(hero in hand.names for hand in hands):
        names = sorted({name for hand in hands for name in hand.names})
        there = f"there are {', '.join(names[:8])}" if names else "it has no hands of limit hold'em"
        raise PokerlabError(f"{session}: no player is called {hero!r}; {there}")
    which = model_at(model)[0] if model else alone(load_parameters(shipped_weights("connectionist"))[0])
    return RevealedSession(hero, reveal(Watcher(which), hands, hero, report=report), tuple(found.problems))
