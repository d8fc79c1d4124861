"""A card is the integer `4 * rank + suit`: rank 0 = deuce .. 12 = ace, suit 0..3 = clubs, diamonds, hearts, spades.

>>> card("As"), card_text(51), cards("AdQc"), cards_text((50, 40))
(51, 'As', (49, 40), 'AhQc')
"""

from __future__ import annotations

from collections.abc import Iterable

from pokerlab.errors import CardError, ParseError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"
N_CARDS = 52

_TEXT = tuple(rank + suit for rank in RANKS for suit in SUITS)
_SUIT_OF = {**{s: i for i, s in enumerate(SUITS)}, **{s: i for i, s in enumerate(SUIT_SYMBOLS)}}


def rank_of(card: int) -> int:
    """Rank of a card, from 0 for a deuce to 12 for an ace."""
    return card >> 2


def card_text(card: int) -> str:
    """A card as two characters, such as `As`."""
    return _TEXT[card]


def cards_text(cards: Iterable[int]) -> str:
    """Cards as text without spaces, such as `AhQc`."""
    return "".join(_TEXT[c] for c in cards)


def pretty(cards: Iterable[int | None]) -> str:
    """Cards with suit symbols; unknown ones as `??`.

    >>> pretty((51, 34, None))
    'A♠ T♥ ??'
    """
    return " ".join("??" if c is None else RANKS[c // 4] + SUIT_SYMBOLS[c % 4] for c in cards)


def card(text: str) -> int:
    """Parse one card."""
    parsed = cards(text)
    if len(parsed) != 1:
        raise ParseError("expected one card", text=text)
    return parsed[0]


def cards(text: str) -> tuple[int, ...]:
    """Parse cards such as `AdQc`, `ad qc`, `A♦ Q♣` or `10d`; duplicates are an error."""
    parsed: list[int] = []
    at = 0
    while at < len(text):
        if text[at] in " ,":
            at += 1
            continue
        width = 2 if text.startswith("10", at) else 1
        rank = RANKS.find("T" if width == 2 else text[at].upper())
        suit = _SUIT_OF.get(text[at + width : at + width + 1].lower(), -1)
        if rank < 0 or suit < 0:
            raise ParseError("not a card (rank 23456789TJQKA, suit cdhs)", text=text, at=at, length=width + 1)
        value = 4 * rank + suit
        if value in parsed:
            raise ParseError("the same card twice", text=text, at=at, length=width + 1)
        parsed.append(value)
        at += width + 1
    return tuple(parsed)


def check_distinct(**groups: Iterable[int]) -> None:
    """Raise `CardError` when two named groups (or one group) hold the same card.

    >>> check_distinct(hole=cards("AdQc"), board=cards("3h4cAd"))
    Traceback (most recent call last):
    pokerlab.errors.CardError: Ad is both in hole and in board
    """
    owner: dict[int, str] = {}
    for name, group in groups.items():
        for value in group:
            if not 0 <= value < N_CARDS:
                raise CardError(f"{value} is not a card: cards are 0..51")
            if value in owner:
                where = f"twice in {name}" if owner[value] == name else f"both in {owner[value]} and in {name}"
                raise CardError(f"{card_text(value)} is {where}")
            owner[value] = name
