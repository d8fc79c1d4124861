"""Lines for programs: they follow their schemas in every kind of game, and hold no card that the seat may not know."""

import json
from fractions import Fraction
from math import inf

import numpy as np
import pytest

from pokerlab.agents.scripted import make_random
from pokerlab.cli import main
from pokerlab.errors import IllegalAction, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Legal, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.notation.view_lines import KINDS, checked, hand_data, hello_data, parse_action, schema, view_data
from pokerlab.rng import Shuffler

jsonschema = pytest.importorskip("jsonschema")
GAMES = ("limit2p", "nolimit3p", "limit6p", "leduc", "kuhn3p", "stud3p", "omaha2p", "potlimit3p", "nolimit2p:7bb")


def follows(kind, data):
    jsonschema.Draft202012Validator(schema(kind)).validate(json.loads(json.dumps(data)))


@pytest.mark.parametrize("name", GAMES)
def test_views_and_finished_hands_follow_their_schemas(name):
    rules, rng, player = game(name), np.random.default_rng(1), make_random("")
    names = tuple(f"p{seat}" for seat in range(rules.n_seats))
    for number in range(6):
        deck = deck_of_hand(rules, Shuffler(5, "cards", 0), number)
        state = State.start(rules, deck)
        while not state.over:
            view = state.view(state.betting.actor, number, names)
            data = view_data(view)
            follows("view", data)
            seen = {*data["hole"], *data["board"], *(card for up in data["up"] for card in up)}
            assert seen == {*cards_of(view.hole), *cards_of(view.board), *(c for up in view.up for c in cards_of(up))}
            state = state.after(player.act(view, rng))
        hand = HandHistory.of(state, names, number)
        for seat in range(rules.n_seats):
            data = hand_data(hand.seen_by(seat), seat)
            follows("hand", data)
            known = [other for other in range(rules.n_seats) if None not in data["hole"][other]]
            assert set(known) == {seat, *hand.shown}
            assert data["won"] == [float(chips) for chips in hand.payoffs]


def cards_of(cards):
    from pokerlab.cards.card import card_text

    return [card_text(card) for card in cards]


def view_at(name="nolimit2p", *actions):
    state = State.start(game(name), tuple(range(52)))
    for action in actions:
        state = state.after(action)
    return state.view(state.betting.actor, 0, ("a", "b"))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("fold", FOLD),
        (" call\r", CALL),
        ("raise 200", RaiseTo(200)),
        ("raise to 200.0", RaiseTo(200)),
        ("bet 20000", RaiseTo(20000)),
        ('{"action":"fold"}', FOLD),
        ('{"action": "raise", "to": 450, "why": "it is strong"}', RaiseTo(450)),
    ],
)
def test_answers_follow_the_schema_and_are_actions(text, action):
    assert parse_action(text, view_at()) == action
    follows("action", json.loads(text) if text.startswith("{") else text.strip())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "'' is not an action"),
        ("FOLD", "'FOLD' is not an action"),
        ("check", "cannot check with 50 to call; legal: fold, call, raise to 200-20000"),
        ("raise", "'raise' is not an action"),
        ("raise 100", "cannot raise to 100; legal: fold, call, raise to 200-20000"),
        ("raise 200.5", "cannot raise to 200.5"),
        ("raise -5", "is not an action"),
        ("raise 1e400", "is not an action"),
        (f"raise {'9' * 5000}", "is not an action"),
        (f'{{"action": "raise", "to": {"9" * 400}}}', "is not an action"),
        (f'{{"action": "raise", "to": {"9" * 5000}}}', "is not JSON"),
        ("{", "is not JSON"),
        ("[" * 100_000, "is not an action"),
        ('{"action": "raise"}', 'is not an action; one is {"action": "raise", "to": 300}'),
        ('{"action": "raise", "to": "300"}', "is not an action"),
        ('{"action": "raise", "to": true}', "is not an action"),
        ('{"action": "raise", "to": NaN}', "is not an action"),
        ('{"action": ["fold"]}', "is not an action"),
    ],
)
def test_other_answers_are_refused_with_what_is_legal(text, line):
    with pytest.raises(IllegalAction) as error:
        parse_action(text, view_at())
    assert line in str(error.value)


def test_a_program_may_say_that_it_cannot_play():
    with pytest.raises(PokerlabError, match="it says: only limit"):
        parse_action('{"error": "only limit"}', view_at())
    assert parse_action("check", view_at("nolimit2p", CALL)) == CALL


def test_a_total_that_json_rounds_is_the_exact_one():
    third = Fraction(100, 3)

    class View:
        def legal(self):
            return Legal(True, 5, 20, third)

    assert checked(RaiseTo(float(third)), View()).to is third
    assert view_data(view_at("limit2p"))["stacks"] == [None if s == inf else s for s in view_at("limit2p").stacks]


def test_schemas_are_schemas_and_the_command_prints_them(capsys):
    follows("hello", hello_data())
    follows("reply", {"hands": True})
    for kind in ("", *KINDS):
        assert main(["schema", *([kind] if kind else [])]) == 0
        printed = json.loads(capsys.readouterr().out)
        jsonschema.Draft202012Validator.check_schema(printed)
        assert printed["$id"] == "urn:pokerlab:lines:1"
    assert main(["schema", "veiw"]) == 2
    assert capsys.readouterr().err == "pokerlab: no line is a 'veiw'; did you mean view?\n"
