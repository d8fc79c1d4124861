"""A finished hand: rules, deck, actions, names. It replays exactly, and can be censored to one seat's view.

>>> from pokerlab.games.actions import CALL, FOLD
>>> from pokerlab.games.catalog import game
>>> from pokerlab.cards.card import cards
>>> hand = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"))
>>> hand.payoffs, hand.shown
((1, -1), (0, 1))
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pokerlab.cards.card import pretty
from pokerlab.games.actions import Action, Chips, Step, chips_words
from pokerlab.games.narration import narrate
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card, State

SAID = "_said"
"""Tag for players' remarks on actions, as JSON rows of `step` (number of the action), `asked`, `answer`, `note`.

Players whose answers may be rejected add two fields. `unusable` says why the last answer could not be used, or is ''.
`rejected` lists the answers before it, as rows of `answer`, `unusable` (empty, malformed or illegal) and `again`, what
was asked next."""

FREE_FOLD = "fold for nothing"
"""In a note: the player wanted to fold where a check was free, and the action was repaired to a check."""


@dataclass(frozen=True)
class HandHistory:
    """One hand from the deal to the payoffs."""

    rules: Rules
    deck: tuple[Card, ...]  # the cards in dealing order; None for unknown cards
    actions: tuple[Action, ...]
    names: tuple[str, ...]  # of each seat
    number: int = 0
    # net chips of each seat as stated by an imported file, which may have rake or unknown cards
    recorded: tuple[Chips, ...] | None = None
    tags: Mapping[str, str] = field(default_factory=dict, compare=False)  # other information in the file: site, date ..

    @classmethod
    def of(cls, final: State, names: tuple[str, ...], number: int) -> HandHistory:
        """Make the history of a hand that has just been played."""
        history = object.__new__(cls)
        actions = tuple([step.action for step in final.actions])
        fields = history.__dict__  # a frozen dataclass sets its fields three times slower
        fields["rules"], fields["deck"], fields["actions"], fields["names"] = final.rules, final.deck, actions, names
        fields["number"], fields["recorded"], fields["tags"] = number, None, {}
        fields["final"] = final  # so that the hand need not be replayed
        return history

    def states(self) -> Iterator[State]:
        """Every state from the deal to the end, replayed."""
        state = State.start(self.rules, self.deck)
        yield state
        for action in self.actions:
            state = state.after(action)
            yield state

    @cached_property
    def final(self) -> State:
        """The state at the end."""
        *_, last = self.states()
        return last

    @property
    def steps(self) -> tuple[Step, ...]:
        """The actions with street and seat."""
        return self.final.actions

    @cached_property
    def result_known(self) -> bool:
        """Whether `payoffs` are known: a file states them, or no card that decides a pot is missing."""
        if self.recorded is not None or None not in self.deck or not self.final.betting.showdown:
            return True
        final = self.final
        shown = [card for seat in self.shown for card in (*final.hole(seat), *final.up(seat))]
        return None not in (*shown, *final.board)

    @property
    def payoffs(self) -> tuple[Chips, ...]:
        """Net chips by seat: as recorded by an imported file, otherwise by the rules."""
        if self.recorded is not None:
            return self.recorded
        # `cached_property` takes a lock, which is slower
        payoffs: tuple[Chips, ...] | None = self.__dict__.get("_payoffs")
        if payoffs is None:
            payoffs = self.__dict__["_payoffs"] = self.final.payoffs()
        return payoffs

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """The seats that show their hands: all that reach a showdown; none if the pot is won by folds."""
        betting = self.final.betting
        return tuple(s for s in range(self.rules.n_seats) if betting.showdown and betting.in_hand(s))

    def __str__(self) -> str:
        """The hand in words: the known cards, the actions by street, and the net chips of each player.

        >>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
        >>> from pokerlab.games.catalog import game
        >>> from pokerlab.cards.card import cards
        >>> print(HandHistory(game("leduc"), cards("KhQsKs"), (CALL, CALL, RaiseTo(4), FOLD), ("ann", "bob"), 7))
        leduc, hand 7: ann K♥, bob Q♠
        street 1: ann checks, bob checks
        street 2 K♠: ann bets 4, bob folds
        ann +1, bob -1
        """
        rules, final = self.rules, self.final
        held = [f"{name} {pretty(final.hole(seat) + final.up(seat))}" for seat, name in enumerate(self.names)]
        lines = [f"{rules.name}, hand {self.number}: {', '.join(held)}"]
        spoken = [(line.street, f"{self.names[line.seat]} {line.words}") for line in narrate(rules, self.steps)]
        for street in range(final.betting.street + 1):
            board = pretty(self.deck[rules.layout[street][2]])
            actions = ", ".join(words for at, words in spoken if at == street) or "no more bets"
            lines.append(f"{rules.street_name(street)}{f' {board}' if board else ''}: {actions}")
        net = zip(self.names, self.payoffs, strict=True)
        won = [f"{name} {'+' if chips >= 0 else ''}{chips_words(chips)}" for name, chips in net]
        return "\n".join([*lines, ", ".join(won)])

    def seen_by(self, *seats: int) -> HandHistory:
        """The hand without the cards that none of `seats` saw; without arguments, as a spectator saw it.

        The payoffs are then stored as recorded, since they can no longer be computed. Players' remarks about their
        hands are removed.
        """
        rules, final = self.rules, self.final
        open_seats = {*seats, *self.shown}.intersection(range(rules.n_seats))
        deck: list[Card] = [None] * len(self.deck)
        for holes, ups, board in rules.layout[: final.betting.street + 1]:
            for cards in (*(holes[seat] for seat in open_seats), *ups, board):
                deck[cards] = self.deck[cards]
        tags = {name: text for name, text in self.tags.items() if name != SAID}
        censored = replace(self, deck=tuple(deck), recorded=self.payoffs, tags=tags)
        # The result is the same as replaying the hand would give, without any hidden card.
        censored.__dict__["final"] = State(rules, censored.deck, final.betting, final.actions)
        return censored


def said_at(hand: HandHistory) -> dict[int, dict[str, Any]]:
    """Rows of the tag `SAID` by index of the action; empty if the tag cannot be read. `rejected` is None in records
    without it.

    >>> from pokerlab.games.catalog import game
    >>> tags = {SAID: '[{"step": 0, "asked": "Your cards: ..", "answer": "fold", "note": ""}]'}
    >>> said_at(HandHistory(game("leduc"), (0, 1, 2), (), ("ann", "bob"), tags=tags))[0]["answer"]
    'fold'
    """
    try:
        return {int(row["step"]): _said_row(row) for row in json.loads(hand.tags.get(SAID, "[]"))}
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        return {}


def _said_row(row: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: str(row.get(name, "")) for name in ("asked", "answer", "note", "unusable")}
    names, rejected = ("answer", "unusable", "again"), row.get("rejected")
    rows = None if rejected is None else [{name: str(each.get(name, "")) for name in names} for each in rejected]
    return {**texts, "rejected": rows}
