"""The actions of a hand in words.

>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> [line.words for line in narrate(game("nolimit2p"), (RaiseTo(300), CALL, CALL, RaiseTo(20000 - 300)))]
['raises to 300', 'calls 200', 'checks', 'bets 19700 and is all-in']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from pokerlab.games.actions import Action, Chips, Kind, Step, chips_words
from pokerlab.games.betting import OPENER_DUE, Betting
from pokerlab.games.rules import Rules


class Line(NamedTuple):
    """One action in words, with its street and seat."""

    street: int
    seat: int
    words: str


def exact_text(chips: Chips) -> str:
    """Chips with all their digits, as text that can be parsed again: `14.75` for a fraction."""
    return chips_words(chips) if isinstance(chips, Fraction) else str(chips)


def action_name(action: Action, *, to_call: Chips, opened: bool, chips: Callable[[Any], str] = exact_text) -> str:
    """Name of an action: `fold`, `check`, `call`, `bet 100` or `raise to 300`.

    A call of nothing is a check; a raise is a bet if the betting of the street is not yet `opened` (blinds open it).

    >>> from pokerlab.games.actions import CALL, RaiseTo
    >>> [action_name(action, to_call=0, opened=False) for action in (CALL, RaiseTo(25))]
    ['check', 'bet 25']
    """
    if action.kind is Kind.RAISE:
        return f"{'raise to' if opened else 'bet'} {chips(action.to)}"
    return "check" if action.kind is Kind.CALL and not to_call else str(action)


def name_in(betting: Betting, action: Action) -> str:
    """Name of an action of the seat to act.

    >>> from pokerlab.games.actions import CALL, RaiseTo
    >>> from pokerlab.games.catalog import game
    >>> limped = Betting.start(game("nolimit2p")).after(CALL)
    >>> [name_in(limped, action) for action in (CALL, RaiseTo(300))]  # the big blind may check
    ['check', 'raise to 300']
    """
    return action_name(action, to_call=betting.to_call, opened=betting.max_bet > 0, chips=chips_words)


def action_words(betting: Betting, action: Action) -> str:
    """`folds`, `checks`, `calls 50`, `bets 100` or `raises to 300`, with `and is all-in` if the actor then is."""
    seat, chips = betting.actor, betting.to_call
    if action.kind is Kind.FOLD:
        return "folds"
    if action.kind is Kind.CALL:
        words = f"calls {chips_words(chips)}" if chips else "checks"
    else:
        words = f"{'raises to' if betting.max_bet else 'bets'} {chips_words(action.to)}"
        chips = action.to - betting.bets[seat]
    all_in = chips and betting.spent[seat] + chips >= betting.rules.stacks[seat]
    return words + " and is all-in" if all_in else words


def narrate(rules: Rules, actions: Iterable[Action | Step]) -> Iterator[Line]:
    """Yield the actions of a hand in words; if cards decide who opens, actions must be `Step` values, which name the
    seat."""
    betting = Betting.start(rules)
    for item in actions:
        action = item.action if isinstance(item, Step) else item
        if betting.actor == OPENER_DUE and isinstance(item, Step):
            betting = betting.opened_by(item.seat)
        yield Line(betting.street, betting.actor, action_words(betting, action))
        betting = betting.after(action)
