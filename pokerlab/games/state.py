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
    """Everything about a hand, including hidden cards."""

    rules: Rules
    deck: tuple[Card, ...]  # dealing order (`Rules.layout`), at least `rules.n_dealt` cards
    betting: Betting
    actions: tuple[Step, ...] = ()

    @classmethod
    def start(cls, rules: Rules, deck: tuple[Card, ...]) -> State:
        """The hand after the deal, antes and blinds."""
        check_deck(rules, deck)
        state = cls.at(rules, deck, Betting.start(rules))
        return state.opened() if state.betting.actor == OPENER_DUE else state

    @classmethod
    def at(cls, rules: Rules, deck: tuple[Card, ...], betting: Betting) -> State:
        """Make the state of a hand from its deck and its betting state, which contains the actions so far."""
        state = object.__new__(cls)
        fields = state.__dict__  # a frozen dataclass sets its fields three times slower
        fields["rules"], fields["deck"], fields["betting"], fields["actions"] = rules, deck, betting, betting.steps
        return state

    def after(self, action: Action) -> State:
        """The hand after the actor takes `action`; illegal actions raise `IllegalAction`."""
        if isinstance(action, Action) and type(action.to) is not int:
            action = plain(action)
        betting = self.betting.after(action)
        state = State(self.rules, self.deck, betting, (*self.actions, betting.steps[-1]))
        return state.opened() if betting.actor == OPENER_DUE else state

    def opened(self) -> State:
        """Return the hand after naming the seat with the best cards showing; ties go to the first seat left of the
        button."""
        best, opener = -1, 0
        for seat in range(self.rules.n_seats):
            if self.betting.in_hand(seat):
                showing = strength("high", self._known(self.up(seat), seat), ())
                if showing > best:
                    best, opener = showing, seat
        return State(self.rules, self.deck, self.betting.opened_by(opener), self.actions)

    @property
    def over(self) -> bool:
        return self.betting.over

    @property
    def board(self) -> tuple[Card, ...]:
        """Board cards dealt so far."""
        return self.rules.takers[self.betting.street][2](self.deck)

    def hole(self, seat: int) -> tuple[Card, ...]:
        """The face-down cards of `seat` dealt so far."""
        return self.rules.takers[self.betting.street][0][seat](self.deck)

    def up(self, seat: int) -> tuple[Card, ...]:
        """The face-up cards of `seat` dealt so far."""
        return self.rules.takers[self.betting.street][1][seat](self.deck)

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
        board, hole, up = self.seen_by(seat)
        return View(self.rules, hand, names, board, up, self.actions, self.betting, seat, hole)

    def seen_by(self, seat: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """The cards that `seat` sees: (board, hole, up cards of all seats)."""
        return self._known(self.board), self._known(self.hole(seat), seat), self._all_up()

    def payoffs(self) -> tuple[Chips, ...]:
        """Net chips by seat at the end of the hand."""
        rules, betting = self.rules, self.betting
        if not betting.over:
            where = rules.street_name(betting.street)
            raise IllegalAction(f"the hand is not over: seat {betting.actor} is to act on the {where}")
        strengths = [0] * rules.n_seats
        if betting.showdown:
            deck, unknown = self.deck, None in self.deck
            take_hole, take_up, take_board = rules.takers[betting.street]
            board = self._known(take_board(deck)) if unknown else take_board(deck)
            for seat in range(rules.n_seats):
                if not betting.folded >> seat & 1:
                    mine = take_hole[seat](deck) + take_up[seat](deck)
                    strengths[seat] = strength(rules.ranking, self._known(mine, seat) if unknown else mine, board)
        return payoffs(rules, betting.spent, betting.folded, strengths)


def check_deck(rules: Rules, deck: tuple[Card, ...]) -> None:
    """Raise `CardError` unless a hand can be dealt from `deck`."""
    if len(deck) < rules.n_dealt:
        raise CardError(f"{rules.name} deals {rules.n_dealt} cards; the deck has {len(deck)}")
    if len(set(deck)) < len(deck) and len(known := [card for card in deck if card is not None]) > len(set(known)):
        twice = next(card for card in known if known.count(card) > 1)
        raise CardError(f"{rules.name}: the deck holds {card_text(twice)} twice")
    if rules.board and deck[rules.layout[0][2]] != rules.board:
        raise CardError(f"{rules.name} begins on {cards_text(rules.board)}, but this deck has another board")
