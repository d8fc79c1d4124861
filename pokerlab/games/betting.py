"""The public betting automaton: the seat to act, its legal actions, and the state after an action. It never uses cards.

States are immutable: `after(action)` returns the next state. The table, the importers and the tree builder all use it.
If cards decide which seat opens a street (stud), the automaton stops with `actor == OPENER_DUE` until
`opened_by(seat)`.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.actions import CALL, RaiseTo
>>> betting = Betting.start(game("nolimit2p"))
>>> betting.actor, str(betting.legal())
(1, 'fold, call, raise to 200-20000')
>>> betting = betting.after(RaiseTo(300)).after(CALL)
>>> betting.street, betting.pot, betting.actor
(1, 600, 0)
>>> betting.after(RaiseTo(50))
Traceback (most recent call last):
pokerlab.errors.IllegalAction: seat 0 cannot raise to 50 on the flop; legal: check, raise to 100-19700

References
----------
The no-limit minimum follows the ACPC reference dealer (2.0.0) if `short_all_in_reopens` is set, and otherwise the usual
card room rule: a raise adds at least the last full raise, and a short all-in reopens the betting only for players who
now face a full raise in total.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from pokerlab.errors import IllegalAction
from pokerlab.games.actions import Action, Chips, Kind, Legal, Step, plain
from pokerlab.games.rules import HIGHEST_SHOWING, Rules

MAX_REMEMBERED = 100_000
NOBODY = -1
OPENER_DUE = -2


@dataclass(frozen=True)
class Betting:
    """A state of a hand's betting. Sets of seats are bit masks: bit `seat`."""

    rules: Rules
    street: int
    actor: int  # the seat to act, NOBODY when betting is over, OPENER_DUE before `opened_by`
    spent: tuple[Chips, ...]  # chips of each seat over the whole hand, including antes and blinds
    bets: tuple[Chips, ...]  # chips of each seat on this street, including blinds but not antes
    max_bet: Chips  # the street total to match
    folded: int
    all_in: int
    waiting: int  # seats that must still act before the street ends
    acted: int  # seats that have acted on this street
    n_raises: int
    full_raise: Chips  # chips that the last full bet or raise added
    min_to: Chips  # total to which the smallest no-limit raise goes on this street

    @classmethod
    def start(cls, rules: Rules) -> Betting:
        """The state after antes and blinds, with the first seat to act."""
        root: Betting | None = rules.__dict__.get("betting_root")
        if root is None:
            root = rules.__dict__["betting_root"] = cls._compute_start(rules)
        return root

    @classmethod
    def _compute_start(cls, rules: Rules) -> Betting:
        spent, bets, all_in = [], [], 0
        for seat, (ante, blind, stack) in enumerate(zip(rules.antes, rules.blinds, rules.stacks, strict=True)):
            paid = min(ante, stack)
            bet = min(blind, stack - paid)
            spent.append(paid + bet)
            bets.append(bet)
            all_in |= (paid + bet >= stack) << seat
        largest = max(rules.blinds)
        lone = all_in.bit_count() == rules.n_seats - 1  # if so, the unposted part of a blind need not be matched
        max_bet = largest if rules.call_full_blind and not lone else max(bets)
        new = cls(
            rules=rules,
            street=0,
            actor=NOBODY,
            spent=tuple(spent),
            bets=tuple(bets),
            max_bet=max_bet,
            folded=0,
            all_in=all_in,
            waiting=0,
            acted=0,
            n_raises=0,
            full_raise=rules.full_bets[0],
            min_to=max_bet + (largest if rules.short_all_in_reopens and largest else rules.smallest_bet),
        )
        new._set(steps=(), _followers={}, _visited=[])
        new._open_street()
        return new

    # States are immutable and recur from hand to hand, so each caches its successors, up to MAX_REMEMBERED for one
    # `Rules` value; all of them share `_visited`, which counts the cached states.
    _followers: ClassVar[dict[Action, Betting]]
    _visited: ClassVar[list[None]]

    # A state has one predecessor, so it stores the actions that lead to it; two states compare without them.
    steps: ClassVar[tuple[Step, ...]]

    def __getstate__(self) -> dict[str, object]:
        """Return the fields without the cache, for copying and for other processes."""
        fields = {name: value for name, value in self.__dict__.items() if name != "_legal"}
        return {**fields, "_followers": {}, "_visited": []}

    @property
    def pot(self) -> Chips:
        """All chips put in, including this street's bets."""
        return sum(self.spent)

    @property
    def over(self) -> bool:
        """Whether the betting of this hand has ended."""
        return self.actor == NOBODY

    @property
    def showdown(self) -> bool:
        """Whether the hand is over with two or more players still in it."""
        return self.over and self.folded.bit_count() < self.rules.n_seats - 1

    def in_hand(self, seat: int) -> bool:
        """Whether `seat` has not folded."""
        return not self.folded >> seat & 1

    @property
    def to_call(self) -> Chips:
        """Chips that the actor must add to stay in, never more than its stack; 0 if no seat is to act."""
        seat = self.actor
        if seat < 0:
            return 0
        return min(self.max_bet - self.bets[seat], self.rules.stacks[seat] - self.spent[seat])

    def legal(self) -> Legal:
        """The actor's legal actions; raises `IllegalAction` if no seat is to act."""
        return self._legal

    @cached_property
    def _legal(self) -> Legal:
        rules, seat = self.rules, self.actor
        if seat < 0:
            raise IllegalAction(f"no seat is to act on the {rules.street_name(self.street)}")
        owed = self.max_bet - self.bets[seat]
        left = rules.stacks[seat] - self.spent[seat]
        if owed >= left:
            return Legal(True, left)
        fold = owed > 0 or rules.fold_any_time
        if self._raising_closed(seat, owed):
            return Legal(fold, owed)
        all_in_to = self.bets[seat] + left
        if rules.limits == "no-limit":
            low, high = self.min_to, all_in_to
        elif rules.limits == "limit":
            low = high = self.max_bet + rules.streets[self.street].raise_size
        else:
            low, high = self.min_to, self.max_bet + self.pot + owed
        return Legal(fold, owed, min(low, all_in_to), min(max(high, low), all_in_to), rules.whole_chips)

    def _raising_closed(self, seat: int, owed: Chips) -> bool:
        rules = self.rules
        able = self._able()
        if able == 1 << seat:
            return True  # no opponent could respond to a raise
        if not (rules.uncallable_raises or self._callable(seat)):
            return True
        cap = rules.streets[self.street].max_raises
        if cap is not None and self.n_raises >= cap:
            heads_up = rules.n_seats - self.folded.bit_count() == 2
            if not (rules.uncapped_heads_up and heads_up and cap):
                return True
        if self.acted >> seat & 1 and not rules.short_all_in_reopens and owed < self.full_raise:
            return True
        return seat in rules.responders

    def _callable(self, seat: int) -> bool:
        """Whether another seat in the hand has enough chips to call more than the bet to match."""
        return any(
            other != seat and self.in_hand(other) and stack - spent + bet > self.max_bet
            for other, (stack, spent, bet) in enumerate(zip(self.rules.stacks, self.spent, self.bets, strict=True))
        )

    def _able(self) -> int:
        """Seats that are in the hand and have chips left."""
        return ((1 << self.rules.n_seats) - 1) & ~(self.folded | self.all_in)

    def check(self, action: Action) -> None:
        """Raise `IllegalAction`, which lists the legal actions, unless the actor may take `action`."""
        legal = self.legal()
        if action in legal:
            return
        if not isinstance(action, Action):
            raise IllegalAction(f"seat {self.actor} returned {action!r}, not an Action; legal: {legal}")
        where = f"seat {self.actor} cannot {action} on the {self.rules.street_name(self.street)}"
        between = Legal(legal.fold, legal.call, legal.raise_min, legal.raise_max, whole=False)
        whole = "; bets are whole chips" if legal.whole and action in between else ""
        raise IllegalAction(f"{where}; legal: {legal}{whole}")

    def after(self, action: Action) -> Betting:
        """The state after the actor takes `action`; illegal actions raise `IllegalAction`."""
        if type(action) is not Action:  # another tuple may be equal to an action
            return self._compute_after(action)
        new = self._followers.get(action)
        if new is None:
            new = self._compute_after(action)
            if len(self._visited) < MAX_REMEMBERED:
                self._followers[action] = new
                self._visited.append(None)
        return new

    def _compute_after(self, action: Action) -> Betting:
        self.check(action)
        seat, bit = self.actor, 1 << self.actor
        new = self._copy()
        step = Step(self.street, seat, action if type(action.to) is int else plain(action))
        new._set(acted=self.acted | bit, waiting=self.waiting & ~bit, steps=(*self.steps, step))
        if action.kind == Kind.FOLD:
            new._set(folded=self.folded | bit)
        elif action.kind == Kind.CALL:
            new._pay(seat, self.to_call)
        else:
            new._pay(seat, action.to - self.bets[seat])
            new._raised_to(seat, action.to)
        new._pass_turn()
        return new

    def opened_by(self, seat: int) -> Betting:
        """Return the state after the dealer names the seat with the best cards showing; it opens, or the next seat that
        can."""
        if self.actor != OPENER_DUE:
            raise IllegalAction(f"seat {seat} cannot open: seat {self.actor} is already to act")
        new = self._copy()
        new._set(actor=new._next(seat, new.waiting))
        return new

    # The methods below change a new copy before it is returned; a returned Betting never changes.

    def _copy(self) -> Betting:
        new = object.__new__(Betting)
        fields = new.__dict__
        fields.update(self.__dict__)
        fields.pop("_legal", None)  # cached values of the old state
        fields["_followers"] = {}
        return new

    def _set(self, **fields: object) -> None:
        self.__dict__.update(fields)

    def _pay(self, seat: int, chips: Chips) -> None:
        if not chips:
            return
        spent, bets = list(self.spent), list(self.bets)
        spent[seat] += chips
        bets[seat] += chips
        self._set(spent=tuple(spent), bets=tuple(bets))
        if spent[seat] >= self.rules.stacks[seat]:
            self._set(all_in=self.all_in | 1 << seat)

    def _raised_to(self, seat: int, to: Chips) -> None:
        rules = self.rules
        by = to - self.max_bet
        full_raise = max(self.full_raise, by)
        if rules.short_all_in_reopens:
            min_to = max(self.min_to, to + by)  # the rule of ACPC's reference dealer
        else:
            min_to = to + max(full_raise, rules.smallest_bet)
        self._set(max_bet=to, n_raises=self.n_raises + 1, full_raise=full_raise, min_to=min_to)
        self._set(waiting=self._able() & ~(1 << seat))

    def _pass_turn(self) -> None:
        if self.rules.n_seats - self.folded.bit_count() == 1:
            self._set(actor=NOBODY)
        elif self.waiting:
            if self.rules.call_full_blind and self._able().bit_count() == 1:
                self._set(max_bet=max(self.bets))  # the unposted part of a blind need not be matched
            self._set(actor=self._next(self.actor + 1, self.waiting))
        elif self.street == len(self.rules.streets) - 1:
            self._set(actor=NOBODY)
        else:
            self._next_street()

    def _next(self, seat: int, seats: int) -> int:
        """The first of `seats` at or after `seat`, clockwise."""
        n = self.rules.n_seats
        while not seats >> seat % n & 1:
            seat += 1
        return seat % n

    def _next_street(self) -> None:
        rules = self.rules
        self._set(bets=(0,) * rules.n_seats, max_bet=0, acted=0, n_raises=0)
        self._set(street=self.street + 1, full_raise=rules.full_bets[self.street + 1], min_to=rules.smallest_bet)
        self._open_street()

    def _open_street(self) -> None:
        rules, able = self.rules, self._able()
        lone = able.bit_count() == 1 and max(self.bets) <= self.bets[able.bit_length() - 1]
        if not able or lone:
            self._set(street=len(rules.streets) - 1, actor=NOBODY)  # the rest of the board runs out
            return
        for seat in rules.responders:
            if self.bets[seat] >= self.max_bet:
                able &= ~(1 << seat)
        if not able:  # only responders have chips: no seat can open
            self._set(waiting=0)
            self._pass_turn()
            return
        first = rules.streets[self.street].first
        self._set(waiting=able, actor=OPENER_DUE if first == HIGHEST_SHOWING else self._next(first, able))
