"""One suite every game of the catalog passes."""

from __future__ import annotations

import json
import random
from math import inf

import pytest

from pokerlab.errors import IllegalAction
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game, game_names
from pokerlab.games.hands import hands_of
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.games.state import State

NAMES = tuple("abcdefghij")
MOST_ACTIONS = 60  # games without a cap on raises and stacks are called down from there


def played(rules: Rules, rng: random.Random) -> list[State]:
    states = [State.start(rules, tuple(rng.sample(rules.deck, len(rules.deck))))]
    while not states[-1].over:
        menu = states[-1].betting.legal().menu() if len(states) < MOST_ACTIONS else (CALL,)
        finite = [action for action in menu if action.to < inf]
        states.append(states[-1].after(rng.choice(finite)))
    return states


@pytest.fixture(params=game_names())
def rules(request: pytest.FixtureRequest) -> Rules:
    return game(request.param)


def test_it_is_data(rules: Rules) -> None:
    assert rules_from_json(json.dumps(json.loads(rules_to_json(rules)))) == rules
    assert sum(len(hole) for hole in rules.dealt_by[-1][0] + rules.dealt_by[-1][1]) + len(rules.dealt_by[-1][2]) == (
        rules.n_dealt
    )


def test_hands_conserve_chips_and_replay(rules: Rules) -> None:
    names = NAMES[: rules.n_seats]
    for seed in range(4):
        states = played(rules, random.Random(seed))
        final = states[-1]
        assert sum(final.payoffs()) == 0
        assert all(won >= -spent for won, spent in zip(final.payoffs(), final.betting.spent, strict=True))
        hand = HandHistory(rules, final.deck, tuple(step.action for step in final.actions), names)
        assert (list(hand.states()), hand.payoffs) == (states, final.payoffs())
        decisions = list(final.public(0, names).decisions())
        assert [before for before, _ in decisions] == [state.public(0, names) for state in states[:-1]]


def test_what_is_legal_applies_and_nothing_else_does(rules: Rules) -> None:
    for state in played(rules, random.Random(5))[:-1]:
        legal = state.betting.legal()
        ends = [end for end in (legal.raise_min, legal.raise_max) if end is not None and end < inf]
        for action in (FOLD, CALL, RaiseTo(-1), *(RaiseTo(end + by) for end in ends for by in (-1, 0, 1))):
            if action in legal:
                assert state.after(action).actions[-1].action == action
            else:
                with pytest.raises(IllegalAction):
                    state.after(action)


def test_a_view_does_not_depend_on_hidden_cards(rules: Rules) -> None:
    rng = random.Random(6)
    for state in played(rules, rng):
        seat, (holes, ups, board) = rng.randrange(rules.n_seats), rules.dealt_by[state.betting.street]
        seen = {*holes[seat], *board, *(place for up in ups for place in up)}
        hidden = [place for place in range(len(state.deck)) if place not in seen]
        cards = rng.sample([state.deck[place] for place in hidden], len(hidden))
        deck = list(state.deck)
        for place, card in zip(hidden, cards, strict=True):
            deck[place] = card
        other = State.start(rules, tuple(deck))
        for step in state.actions:
            other = other.after(step.action)
        view = state.view(seat, 1, NAMES[: rules.n_seats])
        assert other.view(seat, 1, NAMES[: rules.n_seats]) == view
        hands = hands_of(rules, view.street)
        assert hands.holes[hands.number(view.hole)].tolist() == sorted(view.hole, reverse=True)
