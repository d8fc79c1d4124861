"""All possible hands of a small game between two policies: every deal, every action, with its probability.

Sums over all hands replace the samples of a match, so means and variances of any estimate of a hand are exact.

>>> from pokerlab.agents.scripted import Scripted, caller, uniform
>>> from pokerlab.games.catalog import game
>>> players = (Scripted(caller), Scripted(uniform))
>>> chips = [(chance, float(hand.payoffs[1])) for chance, hand in every_hand(game("leduc"), players, ("a", "b"))]
>>> len(chips), round(sum(chance for chance, _ in chips), 12), abs(round(sum(c * x for c, x in chips), 12))
(240, 1.0, 0.0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import TypeAlias

from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.rules import Rules
from pokerlab.games.state import State

Parts: TypeAlias = tuple[tuple[int, ...], ...]


def every_hand(
    rules: Rules, players: Sequence[Policy], names: tuple[str, ...], *, suits_alike: bool = True
) -> Iterator[tuple[float, HandHistory]]:
    """Every possible hand with its probability; players act by `players[seat].probabilities(view)`."""

    def play(state: State, chance: float) -> Iterator[tuple[float, HandHistory]]:
        if state.over:
            yield chance, HandHistory.of(state, names, 0)
            return
        seat = state.betting.actor
        actions, p = players[seat].probabilities(state.view(seat, 0, names))
        for action, taken in zip(actions, p, strict=True):
            if taken > 0:
                yield from play(state.after(action), chance * float(taken))

    for chance, deck in every_deal(rules, suits_alike=suits_alike):
        yield from play(State.start(rules, deck), chance)


def every_deal(rules: Rules, *, suits_alike: bool = True) -> list[tuple[float, tuple[int, ...]]]:
    """Every deal with its probability, as a deck in dealing order; the order of the cards within a hand does not
    matter.

    With `suits_alike`, deals that differ only in the names of suits, which no sensible player looks at, are merged.

    >>> from pokerlab.games.catalog import game
    >>> len(every_deal(game("leduc"))), len(every_deal(game("leduc"), suits_alike=False))
    (60, 120)
    """
    layout = [slot for holes, ups, board in rules.layout for slot in (*holes, *ups, board)]
    sizes = [slot.stop - slot.start for slot in layout]
    relabelled = _suit_exchanges(rules) if suits_alike else [{card: card for card in rules.deck}]
    counts = Counter(
        min(tuple(tuple(sorted(to[card] for card in part)) for part in parts) for to in relabelled)
        for parts in _dealt(rules.deck, sizes)
    )
    total = counts.total()
    return [(n / total, tuple(card for part in parts for card in part)) for parts, n in counts.items()]


def _dealt(left: Sequence[int], sizes: Sequence[int]) -> Iterator[Parts]:
    if not sizes:
        yield ()
        return
    for part in combinations(left, sizes[0]):
        for others in _dealt([card for card in left if card not in part], sizes[1:]):
            yield (part, *others)


def _suit_exchanges(rules: Rules) -> list[dict[int, int]]:
    """Every renaming of suits that preserves the deck."""
    suits = sorted({card % 4 for card in rules.deck})
    every = [dict(zip(suits, to, strict=True)) for to in permutations(suits)]
    return [
        {card: card - card % 4 + to[card % 4] for card in rules.deck}
        for to in every
        if {card - card % 4 + to[card % 4] for card in rules.deck} == set(rules.deck)
    ]
