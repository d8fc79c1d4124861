"""What a seat can know. An agent gets a `View`, never a state, so it cannot see hidden cards.

`PublicView` has what all players at the table see; `View` adds the seat and its hole cards. Both are plain immutable
data; `betting` is the automaton's state after the public actions. Methods derive the table after one more action, the
same table as another seat would see it, and every decision so far.

>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> start = State.start(game("limit2p"), tuple(range(9))).public(0, ("ann", "bob"))
>>> raised = start.after(RaiseTo(20))
>>> raised.seen_by(0, (50, 51)).to_call, [(before.pot, step.action) for before, step in raised.after(CALL).decisions()]
(10, [(15, RaiseTo(20)), (30, CALL)])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pokerlab.games.actions import Action, Chips, Legal, Step
from pokerlab.games.betting import OPENER_DUE, Betting
from pokerlab.games.rules import Rules


class _Fields:
    """A view under construction, whose fields can be set; on a frozen view, setting takes five times as long."""

    __slots__ = ("actions", "betting", "board", "hand", "hole", "names", "rules", "seat", "up")


@dataclass(frozen=True)
class PublicView(_Fields):
    """The table as all players see it during hand number `hand`."""

    __slots__ = ()
    rules: Rules
    hand: int
    names: tuple[str, ...]  # by seat in this hand; a name means the same player in every hand of a match
    board: tuple[int, ...]
    up: tuple[tuple[int, ...], ...]  # face-up cards by seat (stud); empty tuples elsewhere
    actions: tuple[Step, ...]
    betting: Betting

    @classmethod
    def start(cls, rules: Rules) -> PublicView:
        """A table before the first action and without a board, for querying policies along a betting tree."""
        names = tuple(f"player {seat}" for seat in range(rules.n_seats))
        return PublicView(rules, 0, names, (), ((),) * rules.n_seats, (), Betting.start(rules))

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        """Make copies, also in other processes, from the fields, since those of a frozen object cannot be set."""
        return type(self), tuple(getattr(self, name) for name in self.__dataclass_fields__)

    @property
    def street(self) -> int:
        """The street, 0 before the flop."""
        return self.betting.street

    @property
    def pot(self) -> Chips:
        """All chips in the pot, including this street's bets."""
        return self.betting.pot

    @property
    def stacks(self) -> tuple[Chips, ...]:
        """Remaining stacks, by seat."""
        spent = self.betting.spent
        return tuple(stack - chips for stack, chips in zip(self.rules.stacks, spent, strict=True))

    @property
    def to_call(self) -> Chips:
        """Chips that the actor must add to stay in."""
        return self.betting.to_call

    def legal(self) -> Legal:
        """The actor's legal actions."""
        return self.betting._legal

    def after(self, action: Action) -> PublicView:
        """The public view after one more action, before any further cards are dealt."""
        steps = (*self.actions, Step(self.betting.street, self.betting.actor, action))
        return PublicView(self.rules, self.hand, self.names, self.board, self.up, steps, self.betting.after(action))

    def seen_by(self, seat: int, hole: tuple[int, ...]) -> View:
        """The view that `seat` would have with the hole cards `hole`."""
        shown = (self.rules, self.hand, self.names, self.board, self.up, self.actions, self.betting)
        return View(*shown, seat, hole)

    def decisions(self) -> Iterator[tuple[PublicView, Step]]:
        """Every decision so far: the public view before it, and the step taken."""
        rules, betting = self.rules, Betting.start(self.rules)
        for i, step in enumerate(self.actions):
            if betting.actor == OPENER_DUE:
                betting = betting.opened_by(step.seat)
            up = self.up
            if rules.has_up_cards:
                up = tuple(cards[: len(dealt)] for cards, dealt in zip(up, rules.dealt_by[step.street][1], strict=True))
            board = rules.board_on(self.board, step.street)
            yield PublicView(rules, self.hand, self.names, board, up, self.actions[:i], betting), step
            betting = betting.after(step.action)


@dataclass(frozen=True)
class View(PublicView):
    """The table as one seat sees it when it is to act."""

    __slots__ = ()
    seat: int
    hole: tuple[int, ...]


def view_at(
    betting: Betting,
    board: tuple[int, ...],
    hole: tuple[int, ...],
    up: tuple[tuple[int, ...], ...],
    hand: int,
    names: tuple[str, ...],
) -> View:
    """The view of the actor of `betting`."""
    view: Any = _new(_Fields)
    view.rules = betting.rules
    view.hand = hand
    view.names = names
    view.board = board
    view.up = up
    view.actions = betting.steps
    view.betting = betting
    view.seat = betting.actor
    view.hole = hole
    view.__class__ = View
    return view  # type: ignore[no-any-return]


_new = object.__new__
