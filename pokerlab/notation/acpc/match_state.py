"""ACPC match states, `MATCHSTATE:position:hand:betting:cards`: write one for a position, and read one as a view.

In `betting`, streets are separated by `/`. A raise is `r` in limit games and `r<total>` in no-limit games, where the
total is the player's chips over the whole hand; pokerlab's `RaiseTo` has the total on the street. Only this module
converts between them. `cards` has the hands that this position may see, separated by `|`, then the board street by
street.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("nolimit2p"), cards("5d5c9hQd8dAs8s4h6d"))
>>> for action in (RaiseTo(300), CALL, RaiseTo(700)):
...     state = state.after(action)
>>> match_state_text(state, 1, hand=4)
'MATCHSTATE:1:4:r300c/r1000:|9hQd/8dAs8s'
>>> parsed = parse_match_state(game("nolimit2p"), 'MATCHSTATE:1:4:r300c/r1000:|9hQd/8dAs8s')
>>> parsed.view(("a", "b")) == state.view(1, 4, ("a", "b"))
True

References
----------
The Annual Computer Poker Competition's protocol, version 2.0.0.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pokerlab.cards.card import N_CARDS, card_text
from pokerlab.errors import IllegalAction, ParseError, RulesError
from pokerlab.games.actions import CALL, FOLD, Action, Chips, Kind, RaiseTo, Step
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card, State
from pokerlab.games.views import View
from pokerlab.notation.room import deck_of

PREFIX = "MATCHSTATE"
_CARD_OF_TEXT = {card_text(card): card for card in range(N_CARDS)}
_PLACE = re.compile(r"\d{1,2}", re.ASCII)
_MATCH_STATE = re.compile(rf"{PREFIX}:(\d{{1,2}}):(\d{{1,18}}):([^:]*):([^:]*)", re.ASCII)
_LAST_ACTION = re.compile(r"[fcr]\d*/*$", re.ASCII)
_ACTION = re.compile(r"([fcr])(\d{0,18})", re.ASCII)


def check_rules(rules: Rules) -> None:
    """Raise `RulesError` for games whose hands ACPC messages cannot describe."""
    if rules.has_up_cards or any(street.n_hole for street in rules.streets[1:]):
        raise RulesError(f"{rules.name}: ACPC messages cannot describe cards dealt to players after the first street")
    if not rules.whole_chips:
        raise RulesError(f"{rules.name}: ACPC messages can describe whole bets only")


# Actions


def earlier_streets(betting: Betting) -> Chips:
    """Chips that the actor put in before this street, including antes: hand total minus street total."""
    return betting.spent[betting.actor] - betting.bets[betting.actor]


def action_text(betting: Betting, action: Action) -> str:
    """An action of the actor of `betting` as text: `f`, `c`, `r` or `r<hand total>`."""
    if action.kind is not Kind.RAISE:
        return "f" if action.kind is Kind.FOLD else "c"
    return "r" if betting.rules.limits == "limit" else f"r{earlier_streets(betting) + action.to}"


def parse_action(betting: Betting, text: str) -> Action:
    """Parse the actor's action and check that it is legal; the inverse of `action_text`."""
    match = _ACTION.fullmatch(text)
    if match is None:
        raise ParseError(f"expected {_expected(betting.rules)}", text=text)
    action = _parsed_action(betting, *match.groups())
    betting.check(action)
    return action


def _parsed_action(betting: Betting, letter: str, total: str) -> Action:
    """Action given by a letter and, for a no-limit raise, a hand total; it may be illegal."""
    if bool(total) != (letter == "r" and betting.rules.limits != "limit"):
        raise ParseError(f"expected {_expected(betting.rules)}", text=letter + total)
    if letter == "c":
        return CALL
    if letter == "f":
        return FOLD
    if total:
        return RaiseTo(int(total) - earlier_streets(betting))
    allowed = betting.legal().raise_min  # an all-in may be less than a full raise
    return RaiseTo(betting.max_bet + betting.rules.streets[betting.street].raise_size if allowed is None else allowed)


def _expected(rules: Rules) -> str:
    return "f, c or r" if rules.limits == "limit" else "f, c or r<total chips this hand>"


# Betting


def betting_text(rules: Rules, actions: Iterable[Action]) -> str:
    """Write the actions so far as betting text. Streets without betting, after an all-in, are empty."""
    betting, text = Betting.start(rules), ""
    for action in actions:
        after = betting.after(action)
        text += action_text(betting, action) + "/" * (after.street - betting.street)
        betting = after
    return text


def read_betting(
    text: str, betting: Betting, steps: tuple[Step, ...] = (), *, at: int = 0
) -> tuple[Betting, tuple[Step, ...]]:
    """Parse the actions in `text`, beginning at position `at`; the inverse of `betting_text`.

    `betting` and `steps` are the betting and the actions so far. Return both as they are after the text.
    """
    taken = list(steps)
    while at < len(text):
        match = _ACTION.match(text, at)
        if match is None or betting.actor < 0:
            over = "the betting to end here: no seat is to act"
            expected = over if betting.actor < 0 else f"{_expected(betting.rules)} from seat {betting.actor}"
            raise ParseError(f"expected {expected}", text=text, at=at, length=1)
        try:
            action = _parsed_action(betting, *match.groups())
            after = betting.after(action)
        except (IllegalAction, ParseError) as error:
            problem = error.problem if isinstance(error, ParseError) else str(error)
            raise ParseError(problem, text=text, at=at, length=len(match[0])) from error
        taken.append(Step(betting.street, betting.actor, action))
        at = match.end()
        slashes = "/" * (after.street - betting.street)
        if not text.startswith(slashes, at):
            raise ParseError(f"expected {slashes} after the last action of a street", text=text, at=at)
        at += len(slashes)
        betting = after
    return betting, tuple(taken)


# Cards


def holes_text(rules: Rules, deck: Sequence[Card], seen: Container[int]) -> str:
    """Text of the hole cards by position, separated by `|`; empty for positions not in `seen`."""
    holes = rules.layout[0][0]
    return "|".join([_known_text(deck[holes[p]]) if p in seen else "" for p in range(rules.n_seats)])


def board_text(rules: Rules, deck: Sequence[Card], street: int) -> str:
    """Board up to `street`, with a `/` before each street except the first."""
    return "/".join([_known_text(deck[board]) for _, _, board in rules.layout[: street + 1]])


def _known_text(part: Sequence[Card]) -> str:
    return "" if None in part else "".join([card_text(card) for card in part if card is not None])


def read_cards(rules: Rules, text: str, street: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Parse the cards of a message on `street`. Return (hole cards by position, empty if unknown; board)."""
    first, *later = text.split("/")
    parts = first.split("|")
    if len(parts) != rules.n_seats:
        raise ParseError(f"expected {rules.n_seats} hands separated by |", text=text)
    if len(later) != street:
        raise ParseError(f"expected {street} boards after /, not {len(later)}", text=text)
    holes, boards = [_cards(part) for part in parts], [_cards(part) for part in later]
    n_hole, n_first = rules.streets[0].n_hole, rules.streets[0].n_board
    if n_first:  # the first street's board has no / before it
        last = holes.pop()
        holes, boards = [*holes, last[: len(last) - n_first]], [last[len(last) - n_first :], *boards]
    for hole in holes:
        if hole and len(hole) != n_hole:
            raise ParseError(f"expected {n_hole} cards in a hand or none, not {len(hole)}", text=text)
    for i, board in enumerate(boards, start=0 if n_first else 1):
        if len(board) != rules.streets[i].n_board:
            raise ParseError(f"expected {rules.streets[i].n_board} board cards on street {i + 1}", text=text)
    together = [card for group in (*holes, *boards) for card in group]
    if len(set(together)) < len(together):
        raise ParseError("expected different cards", text=text)
    if len(rules.deck) < N_CARDS and not set(together) <= set(rules.deck):
        raise ParseError(f"expected cards of the {len(rules.deck)}-card deck of {rules.name}", text=text)
    return tuple(holes), tuple([card for board in boards for card in board])


@lru_cache(maxsize=8192)  # room for every hand of two cards
def _cards(text: str) -> tuple[int, ...]:
    try:
        return tuple([_CARD_OF_TEXT[text[at : at + 2]] for at in range(0, len(text), 2)])
    except KeyError as error:
        raise ParseError(f"expected cards such as Td, not {error}", text=text) from error


# Match states


def match_state_text(state: State, position: int, hand: int) -> str:
    """The message about a state to `position`: it has that player's cards and, at a showdown, those of all who have not
    folded."""
    betting = state.betting
    seen = {position}
    if betting.showdown:
        seen.update(seat for seat in range(state.rules.n_seats) if betting.in_hand(seat))
    bets = betting_text(state.rules, [step.action for step in state.actions])
    shown = holes_text(state.rules, state.deck, seen) + board_text(state.rules, state.deck, betting.street)
    return f"{PREFIX}:{position}:{hand}:{bets}:{shown}"


@dataclass(frozen=True)
class MatchState:
    """A parsed match state."""

    position: int
    hand: int
    betting: Betting
    actions: tuple[Step, ...]
    holes: tuple[tuple[int, ...], ...]  # holes[position]; empty if hidden
    board: tuple[int, ...]
    shown: str = field(compare=False, default="")  # the cards as text

    @property
    def to_act(self) -> bool:
        """Whether the receiver must reply with an action."""
        return self.betting.actor == self.position

    def view(self, names: tuple[str, ...]) -> View:
        """The view of the player who gets the message; `names` are by position."""
        rules = self.betting.rules
        up: tuple[tuple[int, ...], ...] = ((),) * rules.n_seats
        hole = self.holes[self.position]
        return View(rules, self.hand, names, self.board, up, self.actions, self.betting, self.position, hole)

    def final(self) -> State:
        """The finished hand, with the cards this position saw."""
        rules = self.betting.rules
        return State(rules, deck_of(rules, dict(enumerate(self.holes)), self.board), self.betting, self.actions)

    def history(self, names: tuple[str, ...]) -> HandHistory:
        """The finished hand as this position saw it; `names` are by position."""
        return HandHistory.of(self.final(), names, self.hand).seen_by(self.position)


def parse_match_state(rules: Rules, text: str) -> MatchState:
    """Parse a match state; the inverse of `match_state_text`."""
    return MatchStateReader(rules).read(text)


class MatchStateReader:
    """Reads match states of one game. Parsed betting is cached, since the same betting occurs in many messages."""

    def __init__(self, rules: Rules, *, remember: int = 5_000) -> None:
        check_rules(rules)
        self._rules, self._remember = rules, remember
        self._start = Betting.start(rules)
        self._known: dict[str, tuple[Betting, tuple[Step, ...]]] = {}
        self._last: MatchState | None = None

    def read(self, text: str) -> MatchState:
        """The match state described by `text`."""
        match = _MATCH_STATE.fullmatch(text)
        if match is None or int(match[1]) >= self._rules.n_seats:
            raise self._refusal(text)
        place, number, bets, shown = match.groups()
        position, last = int(place), self._last
        betting, actions = self._known.get(bets) or self._betting(bets)
        if last is not None and last.shown == shown and last.betting.street == betting.street:
            holes, board = last.holes, last.board
        else:
            holes, board = read_cards(self._rules, shown, betting.street)
        if not holes[position]:
            raise ParseError(f"expected the hole cards of position {position}", text=text)
        self._last = MatchState(position, int(number), betting, actions, holes, board, shown)
        return self._last

    def _refusal(self, text: str) -> ParseError:
        """Error that explains why `text` is not a match state."""
        fields, n = text.split(":"), self._rules.n_seats
        if len(fields) != 5 or fields[0] != PREFIX:
            return ParseError(f"expected {PREFIX}:position:hand:betting:cards", text=text)
        at = len(PREFIX) + 1
        if not _PLACE.fullmatch(fields[1]) or int(fields[1]) >= n:
            return ParseError(f"expected a position from 0 to {n - 1}", text=text, at=at, length=len(fields[1]))
        return ParseError("expected a hand number", text=text, at=at + len(fields[1]) + 1, length=len(fields[2]))

    def _betting(self, bets: str) -> tuple[Betting, tuple[Step, ...]]:
        match = _LAST_ACTION.search(bets)
        before = bets[: match.start()] if match else ""
        if before in self._known:
            read = read_betting(bets, *self._known[before], at=len(before))
        else:
            read = read_betting(bets, self._start)
        if len(self._known) >= self._remember:
            self._known.clear()
        self._known[bets] = read
        return read
