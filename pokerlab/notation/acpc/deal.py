"""The reference deal: the cards that the competition's dealer deals from a seed.

One Mersenne Twister (a random generator) deals the whole match, so no hand can be dealt without the hands before it.
pokerlab's own matches use `pokerlab.rng` instead.

>>> from itertools import islice
>>> from pokerlab.cards.card import cards_text
>>> from pokerlab.games.catalog import game
>>> [cards_text(deck) for deck in islice(reference_decks(game("limit2p"), 0), 2)]
['5d5c9hQd8dAs8s4h6d', '6sKs5dJd2sTh2hQh8h']

References
----------
Matsumoto and Nishimura (1998), MT19937; its `init_genrand` of 2002 turns the seed into a state.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.rules import Rules


def reference_decks(rules: Rules, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield the deck of each hand of a match, without end, in pokerlab's dealing order."""
    if not 0 <= seed < 2**32:
        raise PokerlabError(f"the reference deal takes a seed from 0 to {2**32 - 1}, not {seed}")
    twister = np.random.MT19937()
    twister._legacy_seeding(seed)
    suit_major = sorted(rules.deck, key=lambda card: (card & 3, card >> 2))
    return _decks(twister, suit_major, rules.n_dealt)


def _decks(twister: np.random.MT19937, cards: list[int], n_dealt: int) -> Iterator[tuple[int, ...]]:
    n_left = range(len(cards), len(cards) - n_dealt, -1)
    while True:
        deck, dealt = cards.copy(), []
        for n, word in zip(n_left, twister.random_raw(n_dealt).tolist(), strict=True):
            place = word % n
            dealt.append(deck[place])
            deck[place] = deck[n - 1]
        yield tuple(dealt)
