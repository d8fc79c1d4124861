"""What tests of several adapters share."""

import numpy as np
import pytest

from pokerlab.games.catalog import game
from pokerlab.games.state import State


@pytest.fixture
def twins():
    """`twins("leduc")`: pairs of states that differ only in cards which the seat to act cannot see."""

    def pairs(name, n=40):
        rules, rng = game(name), np.random.default_rng(3)
        for _ in range(n):
            deck = rng.permutation(rules.deck)
            state = State.start(rules, tuple(deck.tolist()))
            for _ in range(rng.integers(8)):
                menu = state.betting.legal().menu()
                after = state.after(menu[rng.integers(len(menu))])
                state = state if after.over else after
            holes, ups, board = rules.dealt_by[state.betting.street]
            seen = {*holes[state.betting.actor], *board, *(place for up in ups for place in up)}
            hidden = [place for place in range(len(deck)) if place not in seen]
            deck[hidden] = rng.permutation(deck[hidden])
            yield state, State(rules, tuple(deck.tolist()), state.betting, state.actions)

    return pairs
