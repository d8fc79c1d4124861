"""Prepare hands for PokerStars text so that trackers accept them: dates, hand numbers, a hero, whole chips.

Hands played in pokerlab have no date. Their numbers begin at 0 in every match, no cards are hidden, and split pots are
divided exactly. PokerStars text allows none of this, so this module changes it, and counts the changes of each kind.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("limit3p"), cards("AcKdAdKhQcJd2c7d9hTh3s"), (CALL,) * 12, ("ann", "bob", "cy"))
>>> ready = prepared([hand], when=datetime(2026, 11, 17, 20, 30, 5, tzinfo=UTC))
>>> ready.hands[0].number, ready.hands[0].tags["_date"]
(179494740500001, '2026/11/17 20:30:05 UTC')
>>> list(ready.changes)[:2]
['dated 2026/11/17 20:30:05 UTC, without a date of their own',
 'numbered from 179494740500001 on, as numbers were missing or returned']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.room import hole_cards

NUMBERS_A_SECOND = 100_000
"""New hand numbers are the date in seconds times this, plus the hand's position in the file. So they differ between
exports."""


class ReadyHands(NamedTuple):
    """Hands that are ready for PokerStars text; for each kind of change, the number of hands changed."""

    hands: list[HandHistory]
    changes: dict[str, int]


def prepared(hands: Sequence[HandHistory], *, when: datetime, hero: str | None = None) -> ReadyHands:
    """Change the hands to what a card room would deal and record.

    Hands without a date get the date `when`. `hero` is the player in the line "Dealt to", whose cards are visible;
    hands that were read from PokerStars text have their own hero. Odd chips of a split pot go to the seats from the
    left of the button on; a result stated in a file is not changed.
    """
    date = f"{when.astimezone(UTC):%Y/%m/%d %H:%M:%S} UTC"
    numbers = [hand.number for hand in hands]
    anew = len(set(numbers)) < len(numbers) or min(numbers, default=1) < 1
    first = int(when.timestamp()) * NUMBERS_A_SECOND + 1
    rooms: dict[Rules, Rules] = {}
    ready, n_dated, n_odd, n_open = [], 0, 0, 0
    for place, hand in enumerate(hands):
        tags = dict(hand.tags)
        if not (tags.get("_date") or tags.get("year")):
            tags["_date"] = date
            n_dated += 1
        if hero is not None and hero in hand.names:
            tags["_hero"] = hero
        elif "_hero" not in tags:
            tags["_hero"] = ""
            n_open += any(None not in hole_cards(hand, seat) for seat in range(hand.rules.n_seats))
        rules = hand.rules
        if hand.recorded is None and hand.result_known and any(chips % rules.chip for chips in hand.payoffs):
            rules = rooms.setdefault(rules, replace(rules, odd_chips="seat by seat"))
            n_odd += 1
        number = first + place if anew else hand.number
        ready.append(HandHistory(rules, hand.deck, hand.actions, hand.names, number, hand.recorded, tags))
    changes = {
        f"dated {date}, without a date of their own": n_dated,
        f"numbered from {first} on, as numbers were missing or returned": len(hands) if anew else 0,
        "without a hero: known hands that were not shown down are written as shown": n_open,
        "odd chips of a split pot paid to a seat, as in a card room": n_odd,
    }
    return ReadyHands(ready, {words: n for words, n in changes.items() if n})
