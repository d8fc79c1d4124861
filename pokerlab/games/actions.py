"""Actions: fold, call (or check), or raise to a total for the street (or bet).

A check is a call of 0 chips and a bet is a raise from 0, as in the ACPC protocol; amounts distinguish them. The
canonical order of actions is fold, call, then raises from small to large.

>>> sorted([RaiseTo(40), CALL, RaiseTo(20), FOLD])
[FOLD, CALL, RaiseTo(20), RaiseTo(40)]
"""

from __future__ import annotations

from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import NamedTuple, TypeAlias

Chips: TypeAlias = int | float | Fraction
"""An `int` at a table; a `Fraction` for parts of a split pot or an imported amount; a float only in a solver's tree."""


def chips_words(chips: Chips) -> str:
    """Chips as decimal text: exact if the decimals end; otherwise, and for floats, rounded to four places.

    >>> chips_words(40), chips_words(Fraction(59, 4)), chips_words(Fraction(100, 3)), chips_words(63.892390872)
    ('40', '14.75', '33.3333', '63.8924')
    """
    if isinstance(chips, Fraction) and 10**12 % chips.denominator == 0:
        return f"{Decimal(chips.numerator) / chips.denominator:f}"
    return f"{chips}" if isinstance(chips, int) else f"{round(float(chips), 4):.12g}"


class Kind(IntEnum):
    """The three kinds of actions, in canonical order."""

    FOLD = 0
    CALL = 1
    RAISE = 2


class Action(NamedTuple):
    """One action. `to` is the player's total for the street after a raise, and 0 otherwise."""

    kind: Kind
    to: Chips = 0

    def __repr__(self) -> str:
        return f"RaiseTo({self.to})" if self.kind == Kind.RAISE else _NAMES.get(self.kind, f"Action({self.kind!r})")

    def __str__(self) -> str:
        return f"raise to {chips_words(self.to)}" if self.kind == Kind.RAISE else repr(self).lower()


_NAMES = {kind: kind.name for kind in Kind}
FOLD = Action(Kind.FOLD)
CALL = Action(Kind.CALL)


def RaiseTo(to: Chips) -> Action:
    """Bet or raise so that this street's total becomes `to`."""
    return Action(Kind.RAISE, to)


def plain(action: Action) -> Action:
    """`action` with a plain Python total: whole amounts become `int`, whatever number type an agent used.

    >>> import numpy as np
    >>> plain(RaiseTo(np.float64(150)))
    RaiseTo(150)
    """
    to = action.to
    if to % 1 == 0:  # false for infinities and NaN
        to = int(to)
    elif hasattr(to, "item"):
        to = to.item()
    return Action(Kind(action.kind), to)


class Step(NamedTuple):
    """An action with the street on which it was taken and the seat that took it."""

    street: int
    seat: int
    action: Action


class _LegalFields(NamedTuple):
    fold: bool
    call: Chips
    raise_min: Chips | None = None
    raise_max: Chips | None = None
    whole: bool = True


class Legal(_LegalFields):
    """Legal actions of the seat to act: whether it may fold, the chips added by a call, and the range of totals for a
    raise.

    `call` is 0 for a check. Raising is allowed if `raise_max` is not None, to any total in [raise_min, raise_max] above
    0 and below infinity. If bets are `whole` chips, a total between the two ends must be an integer; the ends need not
    be, because a stack that has won part of a split pot may not be.

    >>> legal = Legal(True, 50, raise_min=200, raise_max=1000)
    >>> RaiseTo(1000) in legal, RaiseTo(250.5) in legal, legal.menu()
    (True, False, (FOLD, CALL, RaiseTo(200), RaiseTo(1000)))
    """

    _menu: tuple[Action, ...]  # cached by the first call of `menu`, because the same betting states recur

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action):
            return False
        kind, to = action
        if kind == Kind.RAISE:
            low, high = self.raise_min, self.raise_max
            if low is None or high is None or not low <= to <= high or not 0 < to < inf:
                return False
            return not self.whole or to % 1 == 0 or to in (low, high)
        return kind == Kind.CALL or (kind == Kind.FOLD and self.fold)

    def __str__(self) -> str:
        words = ["fold"] if self.fold else []
        words.append("call" if self.call else "check")
        if self.raise_min is not None:
            ends = (self.raise_min, self.raise_min if self.raise_max is None else self.raise_max)
            words.append(f"raise to {'-'.join(dict.fromkeys(map(chips_words, ends)))}")
        return ", ".join(words)

    def menu(self) -> tuple[Action, ...]:
        """Fold if legal, call, and the smallest and the largest raise if legal, in canonical order."""
        try:
            return self._menu
        except AttributeError:
            self._menu = _menu(self.fold, self.raise_min, self.raise_max)
            return self._menu


@lru_cache(maxsize=4096, typed=True)
def _menu(fold: bool, low: Chips | None, high: Chips | None) -> tuple[Action, ...]:
    menu = [FOLD, CALL] if fold else [CALL]
    if low:
        menu.append(RaiseTo(low))
    if high is not None and low != high < inf:
        menu.append(RaiseTo(high))
    return tuple(menu)
