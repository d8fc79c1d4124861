"""Ranges: a weight from 0 to 1 for each of the 1326 combos, and the text that players write for them.

A range is a plain array `weights[combo]`. Its text is a list of items separated by commas. An item may end in `:weight`
(default 1), and a later item overrides an earlier one for the combos it names, so `any, 72o:0` excludes 72o.

=====================  ===================================================================
`AhKh`                 one combo
`AKs`, `AKo`, `AK`     the suited, the off-suit, or both kinds of a hand; `99` is a pair
`99+`                  that pair and every higher one
`KTs+`, `A2+`          the kicker up to one below the high card: KTs, KJs, KQs
`A5s-A2s`, `22-55`     from one to the other: same high card, pairs, or same gap (`JTs-76s`)
`15%`                  the best 15% of the 1326 combos by all-in equity against a random hand
`random`, `any`, `*`   every combo
`[50]AA, KQs[/50]`     a percentage for everything between the brackets, as GTO+ writes it
=====================  ===================================================================

A percentage takes whole classes in the order `STRONGEST_FIRST`; the last class gets the fraction that makes the total
exact, so that all suits are treated equally.

>>> weights = parse_range("99+, AKs, A5s-A2s, KQo:0.5")
>>> float(weights.sum()), range_text(weights)
(62.0, '99+, AKs, A5s-A2s, KQo:0.5')
>>> gto_plus_text(weights), range_text(parse_range("AA, [50]KK, QQ[/50]"))
('99+, AKs, A5s-A2s, [50]KQo[/50]', 'AA, KK-QQ:0.5')
>>> range_text(parse_range("5%"))
'77+, AJs+, AKo:0.525'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import Bools, Floats
from pokerlab.cards.card import RANKS, cards, cards_text
from pokerlab.cards.combos import (
    CLASS_OF_COMBO,
    COMBOS_OF_CLASS,
    N_CLASSES,
    N_COMBOS,
    class_index,
    combo_index,
    combo_text,
    live_combos,
)
from pokerlab.errors import CardError, ParseError, PokerlabError

Range: TypeAlias = Floats  #: `weights[combo]`, each from 0 to 1, not all zero

STRONGEST_FIRST = """
AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55 QJs K9s A5s A6s A8o
KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o
K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o
Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o
T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s
74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""
"""The 169 classes by exact all-in equity against one random hand (`pokerlab.cards.strength`)."""

_EVERY_HAND = ("random", "any", "*")
_SIZE_OF_CLASS = np.bincount(CLASS_OF_COMBO)
_HAND = re.compile(r"([2-9TJQKA]{2})([so]?)", re.IGNORECASE)
_COMBO = re.compile(r"(10|[2-9TJQKA])[cdhs♣♦♥♠] ?(10|[2-9TJQKA])[cdhs♣♦♥♠]", re.IGNORECASE)
_OMAHA_HAND = re.compile(f"{_COMBO.pattern} ?{_COMBO.pattern}", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+\.?\d*|\.\d+)%")
_WEIGHT = re.compile(r"(\d+\.?\d*|\.\d+)(e-?\d+)?", re.IGNORECASE)
_OPENED, _CLOSED = re.compile(r"\[(\d+\.?\d*)\]"), re.compile(r"\[/(\d+\.?\d*)\]$")
_EXAMPLES = "AhKh, AKs, 99+, A5s-A2s, KQo:0.5, 15%, random"


def parse_range(text: str) -> Range:
    """Parse a range in this module's grammar; errors point at the wrong item."""
    if not text.strip():
        raise ParseError(f"an empty range (ranges are written like {_EXAMPLES})", text=text)
    weights = np.zeros(N_COMBOS)
    at, bracket = 0, ""  # the percentage of the bracket that is open
    for piece in text.split(","):
        item = piece.strip()
        try:
            body, bracket, after = _brackets(item, bracket)
            share, weight = _parse_item(body)
            weight, bracket = weight * (round(float(bracket) / 100, 12) if bracket else 1.0), after
        except ParseError as error:
            start = at + len(piece) - len(piece.lstrip())
            raise ParseError(error.problem, text=text, at=start, length=len(item)) from None
        np.copyto(weights, share * weight, where=share > 0)
        at += len(piece) + 1
    if bracket:
        raise ParseError(f"the bracket [{bracket}] is not closed by [/{bracket}]", text=text)
    if not weights.any():
        raise ParseError("an empty range: every weight is zero", text=text)
    return weights


def parse_player(text: str) -> tuple[int, ...] | Range | None:
    """Parse a player's holding: two cards (`AhKh`), four for Omaha, a range, or None for a random hand (`random`).

    >>> parse_player("AhKh"), parse_player("random"), float(parse_player("99+").sum())
    ((50, 46), None, 36.0)
    """
    body = text.strip()
    if body.lower() in _EVERY_HAND:
        return None
    return cards(body) if _COMBO.fullmatch(body) or _OMAHA_HAND.fullmatch(body) else parse_range(text)


def range_text(weights: Range) -> str:
    """Format a range as text, largest weights first; `parse_range(range_text(weights))` is exactly `weights`."""
    check_range(weights)
    items = []
    for weight in sorted({float(w) for w in weights if w > 0}, reverse=True):
        mark = "" if weight == 1 else f":{weight!r}"
        items += [name + mark for name in _names(weights == weight)]
    return ", ".join(items)


def gto_plus_text(weights: Range) -> str:
    """Format a range with weights in brackets, as GTO+ does: AA, [50]KK, QQ[/50]."""
    check_range(weights)
    items = []
    for weight in sorted({float(w) for w in weights if w > 0}, reverse=True):
        names, share = ", ".join(_names(weights == weight)), f"{100 * weight:.10g}"
        items.append(names if weight == 1 else f"[{share}]{names}[/{share}]")
    return ", ".join(items)


def check_range(weights: Range) -> None:
    """Raise unless `weights` is a range: 1326 numbers from 0 to 1, not all zero."""
    if weights.shape != (N_COMBOS,):
        raise PokerlabError(f"a range has {N_COMBOS} weights, one for each combo; this array has shape {weights.shape}")
    if not np.all((weights >= 0) & (weights <= 1)):
        raise PokerlabError("the weights of a range are numbers from 0 to 1")
    if not weights.any():
        raise PokerlabError("an empty range: every weight is zero")


def without_cards(weights: Range, dead: Iterable[int]) -> Range:
    """Copy of the range without hands that contain `dead` cards; raises an error if no hand is left.

    >>> float(without_cards(parse_range("AA"), cards("As")).sum())
    3.0
    """
    dead = tuple(dead)
    alive = np.where(live_combos(sum(1 << card for card in dead)), weights, 0.0)
    if not alive.any():
        text = range_text(weights)
        shown = text if len(text) <= 60 else text[:57] + "..."
        raise CardError(f"no hand of the range {shown} is left: {cards_text(dead)} cannot be in it")
    return alive


def _brackets(item: str, bracket: str) -> tuple[str, str, str]:
    """Return (item without brackets, percentage of the bracket around it, percentage of the bracket still open after
    it)."""
    if opened := _OPENED.match(item):
        if bracket or float(opened[1]) > 100:
            raise ParseError("a bracket has a percentage up to 100, and none stands in another", text=item)
        item, bracket = item[opened.end() :], opened[1]
    if not (closed := _CLOSED.search(item)):
        return item.strip(), bracket, bracket
    if not bracket or float(closed[1]) != float(bracket):
        raise ParseError(f"[/{closed[1]}] closes {f'[{bracket}]' if bracket else 'no bracket'}", text=item)
    return item[: closed.start()].strip(), bracket, ""


def _parse_item(item: str) -> tuple[Floats, float]:
    """Return (`share[combo]` that the item selects, its weight)."""
    body, colon, tail = (part.strip() for part in item.partition(":"))
    if colon and not (_WEIGHT.fullmatch(tail) and float(tail) <= 1):
        raise ParseError("a weight is a number from 0 to 1, as in KQo:0.5", text=item)
    weight = float(tail) if colon else 1.0
    if body.lower() in _EVERY_HAND:
        return np.ones(N_COMBOS), weight
    if percent := _PERCENT.fullmatch(body):
        return _strongest(float(percent[1])), weight
    share = np.zeros(N_COMBOS)
    if _COMBO.fullmatch(body):
        share[combo_index(*cards(body))] = 1
        return share, weight
    ends = [_HAND.fullmatch(end.strip()) for end in body.removesuffix("+").split("-")]
    if not all(ends) or len(ends) > 2 or (len(ends) == 2 and body.endswith("+")):
        raise ParseError(f"not a hand or a range of hands (write {_EXAMPLES})", text=item)
    for hand_class in _classes([_ranks_and_kind(end) for end in ends if end], upwards=body.endswith("+")):
        share[COMBOS_OF_CLASS[hand_class]] = 1
    return share, weight


def _ranks_and_kind(hand: re.Match[str]) -> tuple[int, int, str]:
    """Return (high rank, low rank, kind) of a hand such as `AKs`; the kind is "s" (suited), "o" (off-suit) or ""
    (both)."""
    low, high = sorted(RANKS.index(rank) for rank in hand[1].upper())
    if low == high and hand[2]:
        raise ParseError("a pair is neither suited nor off-suit", text=hand.string)
    return high, low, hand[2].lower()


def _classes(ends: Sequence[tuple[int, int, str]], *, upwards: bool) -> Iterator[int]:
    """Yield the classes of `X`, `X+` (upwards) or `X-Y`."""
    (high, low, kind), (last_high, last_low, last_kind) = ends[0], ends[-1]
    if upwards:
        last_high, last_low = (12, 12) if high == low else (high, high - 1)
    if high - low == last_high - last_low:
        hands = [(rank, rank - high + low) for rank in range(min(high, last_high), max(high, last_high) + 1)]
    else:
        hands = [(high, rank) for rank in range(min(low, last_low), max(low, last_low) + 1)]
        if high != last_high or high in (low, last_low):
            raise ParseError("the ends need the same high card, or both be pairs, or have the same gap", text="")
    if kind != last_kind:
        raise ParseError("the ends must both be suited, both off-suit, or both unmarked", text="")
    for high, low in hands:
        kinds = [""] if high == low else [kind] if kind else ["s", "o"]
        yield from (class_index(RANKS[high] + RANKS[low] + kind) for kind in kinds)


def _strongest(percent: float) -> Floats:
    """Return `share[combo]` for a range of the strongest combos, which are `percent` of all."""
    if not 0 < percent <= 100:
        raise ParseError("a percentage is above 0 and at most 100", text="")
    order = [class_index(name) for name in STRONGEST_FIRST.split()]
    size = _SIZE_OF_CLASS[order]
    before = np.cumsum(size) - size
    share_of_class = np.empty(N_CLASSES)
    # Rounded so that the last weight prints as 0.525, not as the nearest float below it.
    share_of_class[order] = np.clip((percent * N_COMBOS / 100 - before) / size, 0, 1).round(12)
    return share_of_class[CLASS_OF_COMBO]


def _names(selected: Bools) -> Iterator[str]:
    """Yield items for a set of combos: pairs, then classes by high card, then single combos of incomplete classes."""
    whole = np.bincount(CLASS_OF_COMBO[selected], minlength=N_CLASSES) == _SIZE_OF_CLASS
    if whole.all():
        yield "random"
        return
    if whole.any():
        yield from _class_names(whole)
    for combo in np.flatnonzero(selected)[::-1]:
        if not whole[CLASS_OF_COMBO[combo]]:
            yield combo_text(int(combo))


def _class_names(whole: Bools) -> Iterator[str]:
    for top, bottom in _runs([whole[class_index(rank + rank)] for rank in RANKS]):
        yield _span(RANKS[top] * 2, RANKS[bottom] * 2, open_ended=top == 12)
    for high in range(12, 0, -1):
        kickers = RANKS[:high]
        suited, off_suit = (_runs([whole[class_index(RANKS[high] + low + kind)] for low in kickers]) for kind in "so")
        both = [run for run in suited if run in off_suit]
        for kind, runs in (("", both), ("s", suited), ("o", off_suit)):
            for top, bottom in runs:
                if kind and (top, bottom) in both:
                    continue
                ends = (RANKS[high] + kickers[rank] + kind for rank in (top, bottom))
                yield _span(*ends, open_ended=top == high - 1)


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """(top, bottom) of each run of true flags, highest first.

    >>> _runs([True, True, False, True])
    [(3, 3), (1, 0)]
    """
    runs: list[tuple[int, int]] = []
    for index in range(len(flags) - 1, -1, -1):
        if flags[index] and runs and runs[-1][1] == index + 1:
            runs[-1] = (runs[-1][0], index)
        elif flags[index]:
            runs.append((index, index))
    return runs


def _span(top: str, bottom: str, *, open_ended: bool) -> str:
    if top == bottom:
        return top
    return f"{bottom}+" if open_ended else f"{top}-{bottom}"
