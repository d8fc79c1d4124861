"""Random hands of hold'em and Omaha for the tests of notation."""

from dataclasses import replace

import pytest

from pokerlab.games.actions import RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.notation.room import deck_of, hole_cards


def _play(rules, rng, *, known=1.0, names=None, number=0):
    """A hand with random actions; each hidden hand is known with probability `known`."""
    order = list(rules.deck)
    rng.shuffle(order)
    state = State.start(rules, tuple(order[: rules.n_dealt]))
    while not state.over:
        legal = state.betting.legal()
        menu = list(legal.menu())
        if legal.raise_min is not None and legal.raise_max - legal.raise_min > 1:
            step = rules.chip
            span = int((min(legal.raise_max, legal.raise_min * 6) - legal.raise_min) // step)
            menu.append(RaiseTo(legal.raise_min + step * rng.randint(0, span)))
        state = state.after(rng.choice(menu))
    return _as_seen(
        HandHistory.of(state, names or tuple(f"p{i + 1}" for i in range(rules.n_seats)), number), rng, known
    )


def _as_seen(hand, rng, known):
    """The hand without undealt board cards and without some hands that were not shown."""
    shown = set(hand.shown)
    holes = {
        seat: hole_cards(hand, seat) for seat in range(hand.rules.n_seats) if seat in shown or rng.random() < known
    }
    n_board = len(hand.rules.dealt_by[hand.final.betting.street][2])
    board = [hand.deck[slot] for slot in hand.rules.dealt_by[-1][2][:n_board]]
    return replace(hand, deck=deck_of(hand.rules, holes, board))


@pytest.fixture(scope="session")
def play():
    """`play(rules, rng, known=..., names=..., number=...)` gives a random finished hand."""
    return _play
