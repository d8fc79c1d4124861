"""What a client's reply means, and how it is repaired."""

from dataclasses import replace

import pytest

from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.net.replies import ReplyIgnoredError, action_of, repaired, round_is_full
from pokerlab.notation.acpc.match_state import read_betting


def at(name, bets):
    return read_betting(bets, Betting.start(game(name)))[0]


@pytest.mark.parametrize(
    ("name", "bets", "text", "action", "repair"),
    [
        ("limit2p", "", "c", CALL, ""),
        ("limit2p", "", "k", CALL, ""),
        ("limit2p", "", "K", CALL, ""),
        ("limit2p", "", "C", CALL, ""),
        ("limit2p", "", "F", FOLD, ""),
        ("limit2p", "", "f", FOLD, ""),
        ("limit2p", "", "r", RaiseTo(20), ""),
        ("limit2p", "", "R", RaiseTo(20), ""),
        ("limit2p", "", "b", RaiseTo(20), ""),
        ("limit2p", "", "B", RaiseTo(20), ""),
        ("limit2p", "", "r40", RaiseTo(20), ""),
        ("limit2p", "c", "f", CALL, "cannot fold with nothing to call"),
        ("limit2p", "crrr", "r", CALL, "cannot raise here"),
        ("limit2p", "", "", CALL, "cannot read the action"),
        ("limit2p", "", "x", CALL, "cannot read the action"),
        ("limit2p", "", "fold", CALL, "cannot read the action"),
        ("limit2p", "", "r²", RaiseTo(20), ""),
        ("limit2p", "", "r 300.9junk", RaiseTo(20), ""),
        ("limit2p", "", "r-5", RaiseTo(20), ""),
        ("nolimit2p", "", "r", CALL, "cannot read the action"),
        ("nolimit2p", "", "r+", CALL, "cannot read the action"),
        ("nolimit2p", "", "r²", CALL, "cannot read the action"),
        ("nolimit2p", "", "rjunk300", CALL, "cannot read the action"),
        ("nolimit2p", "", "r300", RaiseTo(300), ""),
        ("nolimit2p", "", "r300.9", RaiseTo(300), ""),
        ("nolimit2p", "", "r300junk", RaiseTo(300), ""),
        ("nolimit2p", "", "r 300", RaiseTo(300), ""),
        ("nolimit2p", "", "r \t300", RaiseTo(300), ""),
        ("nolimit2p", "", "r+500", RaiseTo(500), ""),
        ("nolimit2p", "", "r-5", RaiseTo(200), "raises to 200"),
        ("nolimit2p", "", "r1e3", RaiseTo(200), "raises to 200"),
        ("nolimit2p", "", "r0", RaiseTo(200), "raises to 200"),
        ("nolimit2p", "", "r" + "9" * 4000, RaiseTo(20000), "raises to 20000"),
        ("nolimit2p", "r300c/", "b400", RaiseTo(100), ""),
        ("nolimit2p", "r300c/", "r399", RaiseTo(100), "raises to 400"),
        ("nolimit2p", "r300c/", "r20001", RaiseTo(19700), "raises to 20000"),
        ("nolimit2p", "r20000", "r20000", CALL, "cannot raise here"),
    ],
)
def test_an_action_is_repaired_as_the_protocol_says(name, bets, text, action, repair):
    done, said = repaired(at(name, bets), text)
    assert done == action
    assert (repair in said) if repair else said == ""


@pytest.mark.parametrize(("n_seats", "most"), [(2, 62), (3, 61), (6, 58)])
def test_nobody_may_raise_past_64_actions_in_a_round(n_seats, most):
    """Each call after a raise must still fit: a raise is illegal when the actions so far and the players exceed 64."""
    rules = replace(game(f"nolimit{n_seats}p"), stacks=(10**6,) * n_seats)
    state = State.start(rules, tuple(range(rules.n_dealt)))
    while not round_is_full(state):
        state = state.after(RaiseTo(state.betting.legal().raise_min))
    assert len(state.actions) == most + 1
    action, said = repaired(state.betting, "r500000", full=True)
    assert action == CALL
    assert said == "cannot raise past 64 actions in a round; it calls"


SENT = "MATCHSTATE:0:7:cr:5d5c|"


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (f"{SENT}:r", "r"),
        (f"{SENT}:", ""),
        (f"{SENT}:c:c", "c:c"),
        (SENT, ""),
        ("MATCHSTATE:0:7:kb:5d5c|:F", "F"),
        ("MATCHSTATE:00:07:CR:5d5c|:c", "c"),
    ],
)
def test_a_reply_answers_a_state_however_it_spells_it(reply, action):
    sent = SENT.replace("cr", "c") if "kb" not in reply and "CR" not in reply and "cr" not in reply else SENT
    assert action_of(reply, to=sent, rules=game("limit2p")) == action


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "hello",
        "MATCHSTATE",
        "MATCHSTATE:0:7:c:5d5c|:c",
        "MATCHSTATE:0:6:cr:5d5c|:c",
        "MATCHSTATE:1:7:cr:|5d5c:c",
        "MATCHSTATE:0:7:cr:5d5h|:c",
        "MATCHSTATE:0:7:cr:5d5c|9hQd:c",
        "MATCHSTATE:0:7:crzz:5d5c|:c",
        "MATCHSTATE:0:7:cr:5d5c|x",
        f"{SENT}/:c",
        "é" * 300,
    ],
)
def test_a_reply_to_anything_else_is_ignored(reply):
    with pytest.raises(ReplyIgnoredError, match="expected"):
        action_of(reply, to=SENT, rules=game("limit2p"))
