"""A hand in progress: rules, the deck in dealing order, and the actions so far. Only the dealer has access to it.

>>> from pokerlab.games.actions import CALL, FOLD
>>> from pokerlab.games.catalog import game
>>> from pokerlab.cards.card import cards
>>> state = State.start(game("leduc"), cards("KhQsKs"))
>>> for action in (CALL, CALL, CALL, CALL):
...     state = state.after(action)
>>> state.over, state.board, state.payoffs()
(True, (47,), (1, -1))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pokerlab.cards.card import card_text, cards_text
from pokerlab.errors import CardError, IllegalAction
from pokerlab.games.actions import Action, Chips, Step, plain
from pokerlab.games.betting import OPENER_DUE, Betting
from pokerlab.games.pots import payoffs
from pokerlab.games.rules import Rules
from pokerlab.games.showdown import strength
from pokerlab.games.views import PublicView, View

Card = int | None  #: a card, or None if an imported hand does not show it


@dataclass(frozen=True)
class State:
    """Everything about a hand, hidden cards included."""

    rules: Rules
    deck: tuple[Card, ...]  # dealing order (`Rules.layout`), at least `rules.n_dealt` cards
    betting: Betting
    actions: tuple[Step, ...] = ()

    @classmethod
    def start(cls, rules: Rules, deck: tuple[Card, ...]) -> State:
        """The hand after the deal, antes and blinds."""
        if len(deck) < rules.n_dealt:
            raise CardError(f"{rules.name} deals {rules.n_dealt} cards; the deck has {len(deck)}")
        if len(set(deck)) < len(deck) and len(known := [card for card in deck if card is not None]) > len(set(known)):
            twice = next(card for card in known if known.count(card) > 1)
            raise CardError(f"{rules.name}: the deck holds {card_text(twice)} twice")
        if rules.board and deck[rules.layout[0][2]] != rules.board:
            raise CardError(f"{rules.name} begins on {cards_text(rules.board)}, but this deck has another board")
        state = cls(rules, deck, Betting.start(rules))
        return state.opened() if state.betting.actor == OPENER_DUE else state

    def after(self, action: Action) -> State:
        """The hand after the actor takes `action`; illegal actions raise `IllegalAction`."""
        betting = self.betting
        if isinstance(action, Action) and type(action.to) is not int:
            action = plain(action)
        step = Step(betting.street, betting.actor, action)
        state = State(self.rules, self.deck, betting.after(action), (*self.actions, step))
        state.__dict__["_dealt"] = self._dealt
        return state.opened() if state.betting.actor == OPENER_DUE else state

    def opened(self) -> State:
        """The hand after the seat that shows the best cards is named; ties go to the first seat left of the button."""
        best, opener = -1, 0
        for seat in range(self.rules.n_seats):
            if self.betting.in_hand(seat):
                showing = strength("high", self._known(self.up(seat), seat), ())
                if showing > best:
                    best, opener = showing, seat
        return State(self.rules, self.deck, self.betting.opened_by(opener), self.actions)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.betting.over

    @property
    def board(self) -> tuple[Card, ...]:
        """Board cards dealt so far."""
        deck = self.deck
        return tuple([deck[place] for place in self.rules.dealt_by[self.betting.street][2]])

    def hole(self, seat: int) -> tuple[Card, ...]:
        """The face-down cards of `seat` dealt so far."""
        deck = self.deck
        return tuple([deck[place] for place in self.rules.dealt_by[self.betting.street][0][seat]])

    def up(self, seat: int) -> tuple[Card, ...]:
        """The face-up cards of `seat` dealt so far."""
        deck = self.deck
        return tuple([deck[place] for place in self.rules.dealt_by[self.betting.street][1][seat]])

    def _all_up(self) -> tuple[tuple[int, ...], ...]:
        n = self.rules.n_seats
        if not self.rules.has_up_cards:
            return ((),) * n
        return tuple(self._known(self.up(seat), seat) for seat in range(n))

    def _known(self, cards: tuple[Card, ...], seat: int | None = None) -> tuple[int, ...]:
        if None in cards:
            whose = "the board" if seat is None else f"seat {seat}'s hand"
            raise CardError(f"{whose} is not known in this history")
        return cards  # type: ignore[return-value]

    def public(self, hand: int, names: tuple[str, ...]) -> PublicView:
        """The table as all players see it."""
        board = self._known(self.board)
        return PublicView(self.rules, hand, names, board, self._all_up(), self.actions, self.betting)

    def view(self, seat: int, hand: int, names: tuple[str, ...]) -> View:
        """The table as `seat` sees it."""
        street = self.betting.street
        cards = self._dealt.get((street, seat))
        if cards is None:
            cards = self._known(self.board), self._known(self.hole(seat), seat), self._all_up()
            self._dealt[street, seat] = cards
        board, hole, up = cards
        return View(self.rules, hand, names, board, up, self.actions, self.betting, seat, hole)

    @cached_property
    def _dealt(self) -> dict[tuple[int, int], tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]]:
        """(board, hole, up cards) by (street, seat), shared by all states of a hand."""
        return {}

    def payoffs(self) -> tuple[Chips, ...]:
        """Net chips by seat at the end of the hand."""
        rules, betting = self.rules, self.betting
        if not betting.over:
            where = rules.street_name(betting.street)
            raise IllegalAction(f"the hand is not over: seat {betting.actor} is to act on the {where}")
        strengths = [0] * rules.n_seats
        if betting.showdown:
            board = self._known(self.board)
            for seat in range(rules.n_seats):
                if betting.in_hand(seat):
                    mine = self._known(self.hole(seat) + self.up(seat), seat)
                    strengths[seat] = strength(rules.ranking, mine, board)
        return payoffs(rules, betting.spent, betting.folded, strengths)
