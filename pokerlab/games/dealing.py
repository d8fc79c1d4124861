"""The deck of each hand: shuffled, or in a subgame with its board and with hands drawn from its ranges.

>>> from pokerlab.cards.card import cards, cards_text
>>> from pokerlab.games.rules import Street
>>> streets = (Street(n_hole=2, n_board=4), Street(n_board=1))
>>> turn = Rules(name="turn subgame", n_seats=2, limits="no-limit", streets=streets, blinds=(0, 0), stacks=(200, 200),
...              antes=(50, 50), board=cards("Ks7h2d5c"), ranges=("AA, QJs", "KQ"))
>>> cards_text(deck_of_hand(turn, Shuffler(7, "cards"), 0))
'QsJsKhQhKs7h2d5cTc'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, prod

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO, live_combos
from pokerlab.cards.ranges import Range, parse_range, without_cards
from pokerlab.games.rules import Rules
from pokerlab.rng import Shuffler


def deck_of_hand(rules: Rules, shuffler: Shuffler, number: int) -> tuple[int, ...]:
    """The cards of hand `number` in dealing order: as many as the hand can use."""
    if not rules.board:
        return shuffler.deal(number, rules.deck, rules.n_dealt)
    both = _draw_hands(rules, shuffler.words(number, 2))
    left = tuple(card for card in rules.deck if card not in (*both, *rules.board))
    return (*both, *rules.board, *shuffler.deal(number, left, len(rules.streets) - 1, skip=2))


def every_split(cards: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every way to take disjoint sets of these sizes from `cards`, each in the order of `cards`; there are
    `n_splits`.

    >>> list(every_split((1, 2, 3), (1, 2)))
    [((1,), (2, 3)), ((2,), (1, 3)), ((3,), (1, 2))]
    """
    if not sizes:
        yield ()
        return
    for part in combinations(cards, sizes[0]):
        for others in every_split([card for card in cards if card not in part], sizes[1:]):
            yield (part, *others)


def every_deal(rules: Rules, *, suits_alike: bool = True) -> list[tuple[float, tuple[int, ...]]]:
    """Every deal with its probability, as a deck in dealing order; the order of cards within a hand is ignored.

    With `suits_alike`, deals that differ only by the names of suits are merged, since no sensible player distinguishes
    them.

    >>> from pokerlab.games.catalog import game
    >>> len(every_deal(game("leduc"))), len(every_deal(game("leduc"), suits_alike=False))
    (60, 120)
    """
    layout = [slot for holes, ups, board in rules.layout for slot in (*holes, *ups, board)]
    sizes = [slot.stop - slot.start for slot in layout]
    relabelled = suit_exchanges(rules) if suits_alike else [{card: card for card in rules.deck}]
    counts = Counter(
        min(tuple(tuple(sorted(to[card] for card in part)) for part in parts) for to in relabelled)
        for parts in every_split(rules.deck, sizes)
    )
    total = counts.total()
    return [(n / total, tuple(card for part in parts for card in part)) for parts, n in counts.items()]


def suit_exchanges(rules: Rules) -> list[dict[int, int]]:
    """Every renaming of suits that preserves the deck, as {card: renamed card} for all 52 cards."""
    suits = sorted({card & 3 for card in rules.deck})
    every = [dict(zip(suits, to, strict=True)) for to in permutations(suits)]
    renamed = [{card: card & ~3 | to.get(card & 3, card & 3) for card in range(52)} for to in every]
    return [names for names in renamed if {names[card] for card in rules.deck} == set(rules.deck)]


def n_splits(n_cards: int, sizes: Sequence[int]) -> int:
    """The number of ways to take disjoint sets of these sizes from `n_cards` cards."""
    return prod(comb(n_cards - sum(sizes[:i]), n) for i, n in enumerate(sizes))


@lru_cache(maxsize=8)
def start_ranges(rules: Rules) -> tuple[Range, ...]:
    """Each seat's range at the start of a subgame, as `weights[combo]`; combos with a card of the board have weight
    0."""
    return tuple(without_cards(parse_range(text), rules.board) for text in rules.ranges)


def _draw_hands(rules: Rules, words: list[int]) -> tuple[int, ...]:
    """A hand for each seat: pairs that share no card are drawn in proportion to the product of their weights."""
    second = start_ranges(rules)[1]
    one = _draw(_first_chances(rules), words[0])
    other = _draw(np.where(live_combos(int(MASK_OF_COMBO[one])), second, 0.0), words[1])
    return (*CARDS_OF_COMBO[one].tolist(), *CARDS_OF_COMBO[other].tolist())


@lru_cache(maxsize=8)
def _first_chances(rules: Rules) -> Floats:
    """Relative probability `chance[combo]` of seat 0's hand: its weight times the total weight of the hands left for
    seat 1."""
    first, second = start_ranges(rules)
    return np.array(
        [w and w * second[live_combos(int(mask))].sum() for w, mask in zip(first, MASK_OF_COMBO, strict=True)]
    )


def _draw(weights: Floats, word: int) -> int:
    """The index drawn by a 64-bit word in proportion to `weights`."""
    upto = np.cumsum(weights)
    return int(np.searchsorted(upto, (word >> 11) * 2.0**-53 * upto[-1], side="right"))
