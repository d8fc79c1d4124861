"""Comparison of hands at showdown: one number per hand for each kind of ranking.

- `high`: the best five-card poker hand; with fewer than five cards, groups of equal ranks and then high cards (Kuhn's
  single card, Leduc's pair or high card).
- `three-card`: Rhode Island hold'em (Shi and Littman 2001): straight flush, trips, straight, flush, pair, high.
- `omaha`: the best hand of exactly two hole cards and three board cards.

>>> from pokerlab.cards.card import cards
>>> strength("high", cards("Kh"), cards("Ks")) > strength("high", cards("As"), cards("Ks"))
True
>>> strength("three-card", cards("2h"), cards("3hAh")) > strength("three-card", cards("2c"), cards("2h2s"))
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pokerlab.cards.evaluate import evaluate
from pokerlab.cards.omaha import evaluate_omaha
from pokerlab.games.rules import Ranking


def strength(ranking: Ranking, hole: Sequence[int], board: Sequence[int]) -> int:
    """Number that orders the hands of one game at one showdown; the higher wins, equal ones tie. Up cards count as hole
    cards."""
    together = (*hole, *board)
    if ranking == "high":
        return evaluate(together) if len(together) >= 5 else _few_cards(together)
    if ranking == "omaha":
        return evaluate_omaha(hole, board)
    return _three_card(together)


def _few_cards(cards: Iterable[int]) -> int:
    """Strength of up to four cards: first by the sizes of groups of equal ranks (two pair beats one), then by their
    ranks."""
    groups = sorted(((count, rank) for rank, count in Counter(card >> 2 for card in cards).items()), reverse=True)
    groups += [(0, 0)] * (4 - len(groups))
    value = 0
    for count, _ in groups:
        value = value * 5 + count
    for _, rank in groups:
        value = value * 13 + rank
    return value


def _three_card(cards: Sequence[int]) -> int:
    ranks = sorted((card >> 2 for card in cards), reverse=True)
    flush = len({card & 3 for card in cards}) == 1
    wheel = ranks == [12, 1, 0]
    straight = wheel or (ranks[0] - ranks[1] == 1 and ranks[1] - ranks[2] == 1)
    distinct = len(set(ranks))
    if straight and flush:
        category = 5
    elif distinct == 1:
        category = 4
    elif straight:
        category = 3
    elif flush:
        category = 2
    else:
        category = 1 if distinct == 2 else 0
    return category << 28 | (1 if wheel else _few_cards(cards))
