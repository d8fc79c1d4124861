"""Preflop betting in big blinds: seats, sizes, and a tree in which at most two players see a flop.

A seat folds, raises to a single size, or calls. A call is allowed only if two players are then left. With `cold_calls`,
a seat that will be in position may also be the first to call an open; the seats behind it then fold or raise. A raise
of at least `all_in_from` of the stack is all-in. Limping is not allowed; if all fold, the big blind wins.

>>> tree = build_preflop_tree(PreflopRules(players=2, stack=10, open=10))
>>> [(tree.seat_name(d), tree.actions_of(d)) for d in range(tree.n_decisions)]
[('SB', ('fold', 'raise')), ('BB', ('fold', 'call'))]
>>> six = build_preflop_tree(PreflopRules())
>>> six.n_decisions, len(six.pots), six.line(six.decision("CO raise, BTN raise, CO"))
(251, 45, 'CO raise, BTN raise')
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from pokerlab.errors import PokerlabError

SEATS = ("UTG", "MP", "CO", "BTN", "SB", "BB")
"""Names of six seats in the order of their first action; fewer players leave out the first ones."""
FOLD, CALL, RAISE = "fold", "call", "raise"
MOST_PREFLOP_DECISIONS = 20_000


@dataclass(frozen=True)
class PreflopRules:
    """Number of seats, the stack and the opens in big blinds, and raises as multiples of the raise that is faced."""

    players: int = 6
    stack: float = 100.0
    open: float = 2.5
    small_blind_open: float = 3.0  # not used heads-up, where the small blind has the button
    reraise_in: float = 3.0  # raise of an open by a seat in position
    reraise_out: float = 4.0  # raise of an open by a seat out of position
    raise_again: float = 2.3  # fourth bet and later raises
    all_in_from: float = 0.35  # a raise to this share of the stack becomes all-in
    cold_calls: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.players <= len(SEATS):
            raise PokerlabError(f"charts are for 2 to {len(SEATS)} players, not {self.players}")
        if not 1.5 <= self.stack <= 1000:
            raise PokerlabError(f"charts are for stacks of 1.5 to 1,000 big blinds, not {self.stack:g}")
        if min(self.open, self.small_blind_open) < 2 or min(self.reraise_in, self.reraise_out, self.raise_again) < 2:
            raise PokerlabError("an open must be at least 2 big blinds, and a raise at least twice the one before")

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS[-self.players :]

    def acts_after(self, seat: int, other: int) -> bool:
        """Whether `seat` acts after `other` on a flop."""
        first = self.players - 2 if self.players > 2 else 1  # the small blind, or heads-up the big blind
        return (seat - first) % self.players > (other - first) % self.players

    def raise_to(self, seat: int, raises: int, facing: float, opener: int, callers: int) -> float:
        """Total to which `seat` raises after `raises` raises, the last of which was to `facing`."""
        if raises == 0:
            to = self.small_blind_open if self.players > 2 and seat == self.players - 2 else self.open
        elif raises == 1:
            to = facing * ((self.reraise_in if self.acts_after(seat, opener) else self.reraise_out) + callers)
        else:
            to = facing * self.raise_again
        return self.stack if to >= self.all_in_from * self.stack else round(to, 2)


class FlopPot(NamedTuple):
    """A pot that two players contest on a flop; the first of its seats is out of position. Chips are in big blinds."""

    seats: tuple[int, int]
    raises: int
    raiser: int  # seat that raised last
    chips: float
    behind: float


class PreflopEnding(NamedTuple):
    """An end of the betting: who is left, chips by seat, and the index of its pot (-1: no betting on a flop)."""

    left: tuple[int, ...]
    spent: tuple[float, ...]
    pot: int
    last_edge: tuple[int, ...]  # by seat: edge of its last action, -1 if it took none


@dataclass
class PreflopTree:
    """A preflop tree. Decisions are numbered so that each comes before those that follow it in the betting; the edges
    of decision d have the numbers first_edge[d] .. first_edge[d + 1] - 1."""

    rules: PreflopRules
    actor: list[int] = field(default_factory=list)
    parent_edge: list[int] = field(default_factory=list)
    # last_edge[decision][seat]: edge of the seat's last action
    last_edge: list[tuple[int, ...]] = field(default_factory=list)
    spent: list[tuple[float, ...]] = field(default_factory=list)
    edges: list[list[int]] = field(default_factory=list)  # edges[decision]: its edges
    action: list[str] = field(default_factory=list)  # by edge
    to: list[float] = field(default_factory=list)  # by edge: what the actor has put in after it, in big blinds
    decision_of: list[int] = field(default_factory=list)  # by edge
    endings: dict[int, PreflopEnding] = field(default_factory=dict)  # edge -> the ending to which it leads
    pots: list[FlopPot] = field(default_factory=list)

    @property
    def n_decisions(self) -> int:
        return len(self.actor)

    @property
    def n_edges(self) -> int:
        return len(self.action)

    def seat_name(self, decision: int) -> str:
        return self.rules.seats[self.actor[decision]]

    def actions_of(self, decision: int) -> tuple[str, ...]:
        return tuple(self.action[edge] for edge in self.edges[decision])

    def line(self, decision: int) -> str:
        """The actions before a decision as text, without folds: `CO raise, BTN raise`."""
        words: list[str] = []
        edge = self.parent_edge[decision]
        while edge >= 0:
            decision = self.decision_of[edge]
            if self.action[edge] != FOLD:
                words.append(f"{self.seat_name(decision)} {self.action[edge]}")
            edge = self.parent_edge[decision]
        return ", ".join(reversed(words))

    def decision(self, spot: str) -> int:
        """The decision at a spot such as `CO raise, BTN raise, CO`: actions, then the seat to act. All other seats have
        folded."""
        for d in range(self.n_decisions):
            if ", ".join(filter(None, (self.line(d), self.seat_name(d)))) == spot:
                return d
        raise PokerlabError(f"there is no decision {spot!r} before the flop")


@dataclass(frozen=True)
class _Point:
    """A point in the construction of the tree: the seats still to act, in order, and the actions so far."""

    waiting: tuple[int, ...]
    alive: tuple[int, ...]
    spent: tuple[float, ...]
    raises: int = 0
    raiser: int = -1
    opener: int = -1
    callers: int = 0
    last_edge: tuple[int, ...] = ()


def build_preflop_tree(rules: PreflopRules) -> PreflopTree:
    """Build the whole tree."""
    n = rules.players
    spent = [0.0] * n
    spent[-2], spent[-1] = 0.5, 1.0
    tree = PreflopTree(rules)
    _grow(tree, _Point(tuple(range(n)), tuple(range(n)), tuple(spent), last_edge=(-1,) * n), -1)
    return tree


def _grow(tree: PreflopTree, at: _Point, parent: int) -> None:
    if len(at.alive) == 1 or not at.waiting:
        _end(tree, at, parent)
        return
    seat = at.waiting[0]
    actions = _actions(tree.rules, at, seat)
    decision = tree.n_decisions
    if decision >= MOST_PREFLOP_DECISIONS:
        raise PokerlabError(f"the tree before the flop has more than {MOST_PREFLOP_DECISIONS:,} decisions")
    tree.actor.append(seat)
    tree.parent_edge.append(parent)
    tree.last_edge.append(at.last_edge)
    tree.spent.append(at.spent)
    first = tree.n_edges
    tree.edges.append(list(range(first, first + len(actions))))
    for action, to in actions:
        tree.action.append(action)
        tree.to.append(to)
        tree.decision_of.append(decision)
    for edge, (action, to) in zip(tree.edges[decision], actions, strict=True):
        _grow(tree, _after(at, seat, action, to, edge), edge)


def _actions(rules: PreflopRules, at: _Point, seat: int) -> list[tuple[str, float]]:
    facing = max(at.spent)
    found = [(FOLD, at.spent[seat])]
    closes = len(at.alive) == 2
    cold = rules.cold_calls and at.raises == 1 and at.callers == 0 and rules.acts_after(seat, at.opener)
    if at.raises and (closes or (cold and facing < rules.stack)):
        found.append((CALL, facing))
    if facing < rules.stack:
        found.append((RAISE, rules.raise_to(seat, at.raises, facing, at.opener, at.callers)))
    return found


def _after(at: _Point, seat: int, action: str, to: float, edge: int) -> _Point:
    spent = tuple(to if other == seat else chips for other, chips in enumerate(at.spent))
    last = tuple(edge if other == seat else e for other, e in enumerate(at.last_edge))
    waiting, alive = at.waiting[1:], at.alive
    if action == FOLD:
        alive = tuple(other for other in alive if other != seat)
        if alive == (len(spent) - 1,) or len(alive) == 1:
            waiting = ()
        return _Point(waiting, alive, at.spent, at.raises, at.raiser, at.opener, at.callers, last)
    if action == CALL:
        return _Point(waiting, alive, spent, at.raises, at.raiser, at.opener, at.callers + 1, last)
    n = len(spent)
    order = [(seat + step) % n for step in range(1, n)]
    waiting = tuple(other for other in order if other in alive)
    opener = seat if at.raises == 0 else at.opener
    return _Point(waiting, alive, spent, at.raises + 1, seat, opener, at.callers, last)


def _end(tree: PreflopTree, at: _Point, edge: int) -> None:
    pot = -1
    if len(at.alive) == 2 and max(at.spent) < tree.rules.stack:
        a, b = at.alive
        seats = (b, a) if tree.rules.acts_after(a, b) else (a, b)
        chips = round(sum(at.spent), 2)
        found = FlopPot(seats, at.raises, at.raiser, chips, round(tree.rules.stack - max(at.spent), 2))
        if found not in tree.pots:
            tree.pots.append(found)
        pot = tree.pots.index(found)
    tree.endings[edge] = PreflopEnding(at.alive, at.spent, pot, at.last_edge)
