"""Blunders of a hold'em player: actions that are wrong whatever the opponents hold.

- *folded for nothing*: a fold when checking was free;
- *folded aces*: a pair of aces folded before the flop in a limit game;
- *folded the nuts*: a fold, on the flop or later, of a hand that no possible hand beats;
- *called with nothing*: a call on the river with a hand that beats no possible hand and is beaten by some.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> deck = cards("AsAh 7c2d AcAd9h 5s4s")
>>> hand = HandHistory(game("limit2p"), deck, (CALL, CALL, CALL, RaiseTo(10), FOLD), ("ann", "bob"))
>>> [(blunder.name, blunder.kind) for blunder in blunders_of(hand)]
[('ann', 'folded the nuts')]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np

from pokerlab.cards.card import rank_of
from pokerlab.cards.combos import combo_index, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.games.actions import Action, Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.views import View

Blundered = Literal["folded for nothing", "folded aces", "folded the nuts", "called with nothing"]
KINDS: tuple[Blundered, ...] = get_args(Blundered)
ACE = 12


class Blunder(NamedTuple):
    """A blunder in a hand: the player, the kind of blunder and the situation."""

    name: str
    kind: Blundered
    view: View


def blunder(view: View, action: Action) -> Blundered | None:
    """The kind of blunder if the player with `view` takes `action`; None if it is none."""
    if action.kind == Kind.FOLD:
        return _folding(view)
    last = view.street == len(view.rules.streets) - 1
    if action.kind == Kind.CALL and view.to_call and last:
        beats, beaten_by = hands_beaten(view.hole, view.board)
        return "called with nothing" if not beats and beaten_by else None
    return None


def _folding(view: View) -> Blundered | None:
    if not view.to_call:
        return "folded for nothing"
    if view.street:
        return None if hands_beaten(view.hole, view.board)[1] else "folded the nuts"
    aces = all(rank_of(card) == ACE for card in view.hole)
    return "folded aces" if aces and view.rules.limits == "limit" else None


def hands_beaten(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, int]:
    """Return (number of possible opponent hands that `hole` beats on `board`, number that beat it).

    >>> from pokerlab.cards.card import cards
    >>> hands_beaten(cards("AdQc"), cards("3h4cJh"))  # Davidson (2002), section 3.3.1
    (628, 444)
    """
    ranks = rank_combos(board)
    theirs = ranks[live_combos(sum(1 << card for card in (*hole, *board)))]
    mine = ranks[combo_index(*hole)]
    return int(np.count_nonzero(theirs < mine)), int(np.count_nonzero(theirs > mine))


def blunders_of(hand: HandHistory) -> Iterator[Blunder]:
    """Every blunder of a finished hand whose cards are known."""
    for state, action in zip(hand.states(), hand.actions, strict=False):
        seat = state.betting.actor
        view = state.view(seat, hand.number, hand.names)
        kind = blunder(view, action)
        if kind is not None:
            yield Blunder(hand.names[seat], kind, view)
