"""What a player does: fold, call (or check), or raise to a total for the street (or bet).

Checking is calling nothing and betting is raising from nothing, as in the ACPC protocol; amounts tell them apart. The
canonical order of actions is fold, call, then raises from small to large.

>>> sorted([RaiseTo(40), CALL, RaiseTo(20), FOLD])
[FOLD, CALL, RaiseTo(20), RaiseTo(40)]
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

Chips: TypeAlias = int | float | Fraction
"""Whole at a table; a `Fraction` where a pot or an imported amount does not divide; a float only in a solver's tree."""


class Kind(IntEnum):
    """The three things a player can do, in canonical order."""

    FOLD = 0
    CALL = 1
    RAISE = 2


class Action(NamedTuple):
    """One decision. `to` is the player's total for the street after a raise, and 0 otherwise."""

    kind: Kind
    to: Chips = 0

    def __repr__(self) -> str:
        return f"RaiseTo({self.to})" if self.kind is Kind.RAISE else self.kind.name

    def __str__(self) -> str:
        return f"raise to {self.to}" if self.kind is Kind.RAISE else self.kind.name.lower()


FOLD = Action(Kind.FOLD)
CALL = Action(Kind.CALL)


def RaiseTo(to: Chips) -> Action:
    """Bet or raise so that this street's total becomes `to`."""
    return Action(Kind.RAISE, to)


class Step(NamedTuple):
    """An action with the street it was taken on and the seat that took it."""

    street: int
    seat: int
    action: Action


class Legal(NamedTuple):
    """What the actor may do: fold or not, the chips a call adds, and the street totals a raise may make.

    `call` is 0 for a check. Raising is allowed when `raise_max` is not None, to any total in [raise_min, raise_max].
    """

    fold: bool
    call: Chips
    raise_min: Chips | None = None
    raise_max: Chips | None = None

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action):
            return False
        if action.kind is Kind.RAISE:
            return (
                self.raise_min is not None
                and self.raise_max is not None
                and self.raise_min <= action.to <= self.raise_max
            )
        return action.kind is Kind.CALL or self.fold

    def __str__(self) -> str:
        words = ["fold"] if self.fold else []
        words.append("call" if self.call else "check")
        if self.raise_min is not None:
            span = self.raise_min if self.raise_min == self.raise_max else f"{self.raise_min}-{self.raise_max}"
            words.append(f"raise to {span}")
        return ", ".join(words)

    def menu(self) -> tuple[Action, ...]:
        """Fold if legal, call, and the smallest and the largest raise, in canonical order."""
        menu = [FOLD, CALL] if self.fold else [CALL]
        if self.raise_min is not None and self.raise_max is not None:
            menu.append(RaiseTo(self.raise_min))
            if self.raise_max != self.raise_min:
                menu.append(RaiseTo(self.raise_max))
        return tuple(menu)
