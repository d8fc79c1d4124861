"""The deck of each hand of a game: shuffled or, in a subgame, with its board and with hands drawn from its ranges.

>>> from pokerlab.cards.card import cards, cards_text
>>> from pokerlab.games.rules import Street
>>> streets = (Street(n_hole=2, n_board=4), Street(n_board=1))
>>> turn = Rules(name="turn subgame", n_seats=2, limits="no-limit", streets=streets, blinds=(0, 0), stacks=(200, 200),
...              antes=(50, 50), board=cards("Ks7h2d5c"), ranges=("AA, QJs", "KQ"))
>>> cards_text(deck_of_hand(turn, Shuffler(7, "cards"), 0))
'QsJsKhQhKs7h2d5cTc'
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO, live_combos
from pokerlab.cards.ranges import Range, parse_range, without_cards
from pokerlab.games.rules import Rules
from pokerlab.rng import Shuffler


def deck_of_hand(rules: Rules, shuffler: Shuffler, number: int) -> tuple[int, ...]:
    """The cards of hand `number` in dealing order, as many as the hand can use."""
    if not rules.board:
        return shuffler.deal(number, rules.deck, rules.n_dealt)
    both = _draw_hands(rules, shuffler.words(number, 2))
    left = tuple(card for card in rules.deck if card not in (*both, *rules.board))
    return (*both, *rules.board, *shuffler.deal(number, left, len(rules.streets) - 1, skip=2))


@lru_cache(maxsize=8)
def start_ranges(rules: Rules) -> tuple[Range, ...]:
    """`weights[combo]` of each seat at the start of a subgame, without hands that hold a card of the board."""
    return tuple(without_cards(parse_range(text), rules.board) for text in rules.ranges)


def _draw_hands(rules: Rules, words: list[int]) -> tuple[int, ...]:
    """A hand for each seat: pairs that share no card are drawn in proportion to the product of their weights."""
    second = start_ranges(rules)[1]
    one = _draw(_first_chances(rules), words[0])
    other = _draw(np.where(live_combos(int(MASK_OF_COMBO[one])), second, 0.0), words[1])
    return (*CARDS_OF_COMBO[one].tolist(), *CARDS_OF_COMBO[other].tolist())


@lru_cache(maxsize=8)
def _first_chances(rules: Rules) -> Floats:
    """Relative `chance[combo]` of seat 0's hand: its weight times that of all hands that seat 1 may then hold."""
    first, second = start_ranges(rules)
    return np.array(
        [w and w * second[live_combos(int(mask))].sum() for w, mask in zip(first, MASK_OF_COMBO, strict=True)]
    )


def _draw(weights: Floats, word: int) -> int:
    """The index drawn by a 64-bit word in proportion to `weights`."""
    upto = np.cumsum(weights)
    return int(np.searchsorted(upto, (word >> 11) * 2.0**-53 * upto[-1], side="right"))
