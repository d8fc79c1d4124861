"""Arrays of what a seat may know: every field in its place, and nothing that is hidden."""

import pickle
from copy import deepcopy

import numpy as np
import pytest

from pokerlab.adapters.choices import Menu
from pokerlab.adapters.encoding import Encoding, most_chips
from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State

GAMES = ("limit2p", "limit3p", "nolimit3p", "potlimit2p", "leduc", "kuhn3p", "rhode-island", "stud3p", "kuhn-nolimit")


def states(name, seed):
    """Every state of a random hand."""
    rules, rng = game(name), np.random.default_rng(seed)
    state = State.start(rules, tuple(rng.permutation(rules.deck).tolist()))
    while not state.over:
        yield state
        menu = state.betting.legal().menu()
        state = state.after(menu[rng.integers(len(menu))] if rng.random() < 0.7 else CALL)
    yield state


def view(state, seat):
    return state.view(seat, 0, tuple("abc"[: state.rules.n_seats]))


@pytest.mark.parametrize("name", GAMES)
def test_numbers_are_between_0_and_1_and_as_many_as_the_rules_say(name):
    encoding = Encoding(game(name), history=5)
    for seed in range(20):
        for state in states(name, seed):
            for seat in range(state.rules.n_seats):
                array = encoding.of(view(state, seat))
                assert array.shape == (encoding.size,)
                assert array.dtype == np.float32
                assert array.min() >= 0
                assert array.max() <= 1


@pytest.mark.parametrize("name", GAMES)
def test_hidden_cards_make_no_difference_and_own_cards_do(name, twins):
    encoding = Encoding(game(name), history=5)
    for state, other in twins(name):
        seat, holes = state.betting.actor, state.rules.dealt_by[state.betting.street][0]
        seen = encoding.of(view(state, seat))
        assert np.array_equal(seen, encoding.of(view(other, seat)))
        deck, mine, theirs = list(state.deck), holes[seat][0], holes[seat - 1][0]
        deck[mine], deck[theirs] = deck[theirs], deck[mine]
        changed = State(state.rules, tuple(deck), state.betting, state.actions)
        assert not np.array_equal(seen, encoding.of(view(changed, seat)))


def test_every_field_says_what_it_should():
    rules = game("nolimit3p")
    state = State.start(rules, cards("AsAh KsKh QsQh 2c3c4c 5d 6d"))
    for action in (RaiseTo(300), FOLD, RaiseTo(900), CALL, RaiseTo(1000)):
        state = state.after(action)
    encoding = Encoding(rules, history=3)
    fields = encoding.named(encoding.of(view(state, 2)))
    assert np.flatnonzero(fields["hole"]).tolist() == sorted(cards("QsQh"))
    assert np.flatnonzero(fields["board"]).tolist() == sorted(cards("2c3c4c"))
    assert fields["street"].tolist() == [0, 1, 0, 0]
    assert fields["position"].tolist() == [0, 0, 1]
    assert fields["folded"].tolist() == [0, 1, 0], "from seat 2: itself, seat 0 who folded, seat 1"
    chips = {name: (fields[name] * 20000).round().tolist() for name in ("spent", "bets", "to_call")}
    assert chips == {"spent": [900, 50, 1900], "bets": [0, 0, 1000], "to_call": [1000]}
    assert fields["pot"][0] * 3 * 20000 == pytest.approx(2850)
    assert (fields["raises"] * 8).tolist() == [[1, 0, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert (fields["calls"] * 8).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    newest, middle, oldest = fields["steps"]
    assert np.flatnonzero(newest).tolist() == [1, 4 + 2, 4 + 3 + 2, 10], "flop, two seats on, a raise, a total"
    assert newest[-1] * 20000 == pytest.approx(1000)
    assert np.flatnonzero(middle).tolist() == [0, 4 + 0, 4 + 3 + 1], "before the flop, itself, a call"
    assert oldest[-1] * 20000 == pytest.approx(900)


def test_arrays_are_new_each_time():
    state = next(states("limit2p", 0))
    encoding = Encoding(state.rules)
    first = encoding.of(view(state, 0))
    first[:] = 7
    assert encoding.of(view(state, 0)).max() == 1


def test_copies_know_nothing_of_the_states_of_others():
    """What was computed is kept by the identity of betting states, which means nothing in another process."""
    encoding, menu = Encoding(game("limit2p")), Menu(game("limit2p"))
    state = next(states("limit2p", 0))
    encoding.of(view(state, 1))
    menu.mask(view(state, 1))
    for kept in (encoding, menu):
        assert kept._cache
        for other in (deepcopy(kept), pickle.loads(pickle.dumps(kept))):
            assert other == kept
            assert not other._cache


def test_bounds():
    assert most_chips(game("limit6p")) == 240
    with pytest.raises(PokerlabError, match="history must be a number of actions, not -1"):
        Encoding(game("leduc"), -1)
