"""What a seat may know. An agent is handed a `View`, never a state, so it cannot see what it should not.

`PublicView` holds what everyone at the table sees; `View` adds the seat and its hole cards. Both are plain frozen data;
`betting` is the automaton's state that the public actions lead to.
"""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.games.actions import Chips, Legal, Step
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules


@dataclass(frozen=True, slots=True)
class PublicView:
    """The table as everyone sees it in the middle of hand number `hand`."""

    rules: Rules
    hand: int
    names: tuple[str, ...]  # who sits where this hand; a name means the same player in every hand of a match
    board: tuple[int, ...]
    up: tuple[tuple[int, ...], ...]  # face-up cards by seat (stud); empty tuples elsewhere
    actions: tuple[Step, ...]
    betting: Betting

    @property
    def street(self) -> int:
        """0 before the flop."""
        return self.betting.street

    @property
    def pot(self) -> Chips:
        """All chips in the middle, this street's bets included."""
        return self.betting.pot

    @property
    def stacks(self) -> tuple[Chips, ...]:
        """Chips behind, by seat."""
        spent = self.betting.spent
        return tuple(stack - chips for stack, chips in zip(self.rules.stacks, spent, strict=True))

    @property
    def to_call(self) -> Chips:
        """What the actor must add to stay in."""
        return self.betting.to_call

    def legal(self) -> Legal:
        """What the actor may do."""
        return self.betting.legal()


@dataclass(frozen=True, slots=True)
class View(PublicView):
    """What one seat sees when it is asked to act."""

    seat: int
    hole: tuple[int, ...]
