"""A person's seat, driven by a script of typed lines."""

import pytest

from pokerlab.agents.human import Human, LeftTable, parse_action
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, Action, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.games.views import View
from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match


def play(lines: list[str], name: str = "limit2p", against: str = "caller", hands: int = 2) -> list[str]:
    """What the person is shown; the match ends when the lines do."""
    shown: list[str] = []
    answers = iter(lines)
    you = Human(lambda _: next(answers, "q"), shown.append)
    plan = MatchPlan(name, ("you", against), hands=hands, seed=3)
    try:
        play_match(plan, lambda entrant: you if entrant == "you" else agent(entrant))
    except LeftTable:
        shown.append("left")
    return shown


def test_a_whole_hand_is_told_and_its_end_shown() -> None:
    shown = play(["c", "c", "r", "c", "q"])
    text = "\n".join(shown)
    assert "pre-flop: caller calls 5" in text
    assert "turn: caller calls 20" in text  # what happened after one's own raise is told on the next street
    assert "=== hand 1 over, board 5♠ T♦ Q♣ 7♦ 2♦" in text
    assert "+30" in text
    assert "-30" in text
    assert shown[-1] == "left"


def test_what_is_typed_wrongly_is_explained_and_asked_again() -> None:
    shown = play(["dance", "r 7", "?", "c", "q"])
    assert any("'dance' is not an action; legal: check, raise to 20" in line for line in shown)
    assert any("cannot raise to 7; legal: check, raise to 20" in line for line in shown)
    assert any("q leave" in line for line in shown)


def test_hidden_cards_are_not_shown_before_the_end() -> None:
    deck = tuple(range(9))
    other = (deck[0], deck[1], deck[7], deck[8], *deck[4:7], deck[2], deck[3])
    shown = []
    for cards in (deck, other):
        lines: list[str] = []
        you = Human(lambda _: "c", lines.append)
        view = State.start(game("limit2p"), cards).after(CALL).view(0, 0, ("you", "bot"))
        you.act(view, None)  # type: ignore[arg-type]
        shown.append(lines)
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("text", "to"), [("min", 200), ("half", 200), ("pot", 300), ("raise to 450", 450), ("b 450", 450), ("max", 20000)]
)
def test_sizes(text: str, to: int) -> None:
    view = State.start(game("nolimit2p"), tuple(range(9))).view(1, 0, ("bot", "you"))
    assert parse_action(text, view) == RaiseTo(to)


def test_raising_where_nobody_may() -> None:
    state = State.start(game("kuhn"), (43, 47)).after(RaiseTo(2))
    with pytest.raises(PokerlabError, match="not possible here; legal: fold, call"):
        parse_action("r", state.view(1, 0, ("a", "b")))


def seen_after(name: str, *actions: Action) -> View:
    state = State.start(game(name), tuple(range(9)))
    for action in actions:
        state = state.after(action)
    return state.view(state.betting.actor, 0, ("bot", "you"))


@pytest.mark.parametrize(
    ("name", "before", "text", "says"),
    [
        ("nolimit2p", (RaiseTo(20000),), "check", "cannot check with 19900 to call; legal: fold, call$"),
        ("nolimit2p", (RaiseTo(20000),), "k", "cannot check with 19900 to call"),
        ("nolimit2p", (CALL,), "call", "cannot call: there is nothing to call; legal: check, raise to 200-20000"),
        ("limit2p", (), "all-in", "cannot go all-in here with inf behind; legal: fold, call, raise to 20"),
        ("limit2p", (), "pot", "cannot raise to 30; legal: fold, call, raise to 20"),
        ("nolimit2p", (RaiseTo(9000),), "pot", "cannot raise to 27000; legal: fold, call, raise to 17900-20000"),
    ],
)
def test_words_do_what_they_say_or_nothing(name: str, before: tuple[Action, ...], text: str, says: str) -> None:
    with pytest.raises(PokerlabError, match=f"^{says}"):
        parse_action(text, seen_after(name, *before))


def test_all_in_may_be_a_call() -> None:
    assert parse_action("all-in", seen_after("nolimit2p", RaiseTo(20000))) == CALL
    assert parse_action("all-in", seen_after("nolimit2p", RaiseTo(300))) == RaiseTo(20000)
    assert parse_action("c", seen_after("nolimit2p", CALL)) == CALL
    assert parse_action("check", seen_after("nolimit2p", CALL)) == CALL
