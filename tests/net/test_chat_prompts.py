"""Prompts: no card that the seat may not know, templates of the user's, and names that say what is wrong."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.net.chat.replies import UnusableReply, read_reply
from pokerlab.net.chat.settings import SETTINGS, ChatPlace, ChatSettings
from pokerlab.net.chat.wording import Prompts, rules_words
from pokerlab.players.registry import SCHEMES, agent
from pokerlab.players.sources import file_digests
from pokerlab.verify.prompts_check import CARD, scan_prompts


@pytest.mark.parametrize(
    ("name", "memory", "hands"),
    [
        ("nolimit2p", "none", 150),
        ("limit2p", "hand", 100),
        ("nolimit6p", "none", 60),
        ("limit6p", "hand", 60),
        ("stud3p", "none", 40),
    ],
)
def test_no_prompt_shows_a_card_that_the_seat_may_not_know(name, memory, hands):
    scan = scan_prompts(name, hands=hands, seed=1, memory=memory)
    assert scan.prompts > hands and scan.cards >= 2 * scan.prompts and scan.leaks == ()


def test_notes_tell_only_cards_that_were_shown():
    """After many hands every card was shown once; so matches of two hands, with other cards each."""
    scans = [scan_prompts("nolimit6p", hands=2, seed=seed, memory="notes") for seed in range(30)]
    assert sum(scan.prompts for scan in scans) > 200 and all(scan.leaks == () for scan in scans)


def test_the_scan_finds_a_card_out_of_place(monkeypatch, capsys):
    monkeypatch.setattr("pokerlab.net.chat.wording.rules_words", lambda rules: "An ace is written As.")
    scan = scan_prompts("limit2p", hands=5, seed=1)
    assert len(scan.leaks) >= 5 and re.fullmatch(r"hand \d: the prompt of seat \d shows As", scan.leaks[0])
    assert main(["verify", "prompts", "--hands", "2", "--json"]) == 1
    assert [each["game"] for each in json.loads(capsys.readouterr().out)["scans"]][1:3] == ["limit2p", "nolimit6p"]


# --- templates -------------------------------------------------------------------------------------------------------


def test_templates_of_the_user_replace_the_labs_and_are_part_of_the_identity(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "prompts", "mine"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "written to mine/system.txt"
    assert main(["new", "prompts", "mine"]) == 2
    view = State.start(game("nolimit2p"), tuple(range(52))).view(1, 0, ("a", "b"))
    labels = {"a": "Villain", "b": "Hero"}
    assert Prompts("mine").decision(view, labels) == Prompts().decision(view, labels)
    before = file_digests(["chat:m", "chat:m?prompts=mine"])
    assert before["chat:m"] == before["chat:m?prompts=mine"]
    Path("mine/decision.txt").write_text("Pay $$5. You hold $cards with $to_call to call.")
    Path("mine/again.txt").unlink()
    assert Prompts("mine").decision(view, labels) == "Pay $5. You hold 2h 2s with 50 to call."
    assert Prompts("mine").again(view, "it is empty") == Prompts().again(view, "it is empty")
    after = file_digests(["chat:m", "chat:m?prompts=mine"])
    assert after["chat:m"] == before["chat:m"] != after["chat:m?prompts=mine"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("$deck", r"decision.txt has the placeholder \$deck; there are \$session, \$game"),
        ("costs $ 5", r"decision.txt has a \$ that begins no placeholder; a dollar sign is written \$\$"),
    ],
)
def test_what_is_wrong_with_a_template_is_one_line(text, line, tmp_path):
    (tmp_path / "decision.txt").write_text(text)
    with pytest.raises(PokerlabError, match=line):
        agent(f"chat:m?prompts={tmp_path}")
    with pytest.raises(PokerlabError, match="has no templates of prompts: they are called system, notes, decision"):
        agent(f"chat:m?prompts={tmp_path / 'none'}")


@pytest.mark.parametrize("name", ["limit2p", "nolimit6p", "leduc", "stud3p", "omaha2p", "kuhn"])
def test_the_rules_in_words_name_no_card_and_every_street(name):
    rules = game(name)
    words = rules_words(rules)
    assert not CARD.search(words) and f"The game is {name}: {rules.limits} betting, {rules.n_seats} players" in words
    assert all(f"{rules.street_name(street)}: " in words for street in range(len(rules.streets)))
    assert not CARD.search(Prompts().system(rules, notes=True))


def test_a_straddle_leaves_the_blinds_their_names():
    rules = game("nolimit6p:100bb,straddle=2bb")
    view = State.start(rules, tuple(range(52))).view(3, 0, tuple("abcdef"))
    prompt = Prompts().decision(view, {name: name for name in "abcdef"})
    seats = re.findall(r"Seat \d: [a-f](?: \((.*?)\))?,", prompt)
    assert seats == ["small blind", "big blind", "straddle", "", "", "button"]
    assert "Blinds: 50, 100 and 200." in rules_words(rules)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "kuhn",
            [
                "Seats: seat 1 (blind 1), seat 2 (button, blind 1). Blinds: 1 each.",
                "street 1: 1 card face down to each player; bets and raises of 1; at most 1 bet.",
                "The deck has only 3 cards, of the ranks Q, K, A from low to high.",
                "The highest card wins.",
            ],
        ),
        (
            "leduc",
            [
                "Seats: seat 1 (blind 1), seat 2 (button, blind 1). Blinds: 1 each.",
                "street 2: 1 card to the board; bets and raises of 4; at most 2 bets and raises.",
                "The deck has only 6 cards, of the ranks Q, K, A from low to high.",
                "Of a player's own cards and the board together, more cards of one rank win, such as a pair; then "
                "higher cards do.",
            ],
        ),
        ("stud3p", ["The best five cards of a player's own cards win."]),
        ("rhode-island", ["The best three cards of a player's own cards and the board win."]),
        ("limit2p", ["Seats: seat 1 (big blind), seat 2 (button, small blind). Blinds: 5 and 10."]),
    ],
)
def test_the_rules_of_small_games_are_their_own(name, lines):
    words = rules_words(game(name)).splitlines()
    assert [line for line in lines if line not in words] == []
    assert not re.search(r"\b1 cards", "\n".join(words))


def test_the_first_message_asks_for_equity_and_pot_odds():
    words = Prompts().system(game("limit2p"))
    assert '"equity"' in words and '"pot_odds"' in words and "You may add" in words


# --- names and answers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("chat:m?memory=long", "memory of chat:m is one of none, hand, notes, not 'long'"),
        ("chat:m?temperature=3", "temperature of chat:m is a number from 0 to 2, not '3'"),
        ("chat:m?tries=1.5", "tries of chat:m is a number from 1 to 20"),
        ("chat:m?colour=red", "chat:m has no setting 'colour'; there are temperature, memory"),
    ],
)
def test_settings_that_are_wrong_are_refused(name, line):
    with pytest.raises(PokerlabError, match=line):
        agent(name)


def test_the_registry_explains_every_setting_with_its_default():
    assert tuple(SCHEMES["chat"].settings) == SETTINGS
    for each in fields(ChatSettings):
        if each.name not in ("model", "prompts", "temperature"):
            assert (
                SCHEMES["chat"]
                .settings[each.name]
                .endswith(f"({each.default:g})" if isinstance(each.default, float) else f"({each.default})")
            )


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"url": "ftp://x"}, "is not the address of a server: it is written http://HOST:PORT/v1"),
        ({"url": "http://user:word@host/v1"}, "is not the address of a server"),
        ({"url": "http://host/v1?key=sk-1"}, "is not the address of a server"),
        ({"budget": ["calls"]}, "'calls' is no budget: it is written calls=500"),
        ({"budget": ["love=5"]}, "'love=5' is no budget"),
        ({"prices": ["m=3"]}, "'m=3' is no price: it is written MODEL=IN/OUT"),
    ],
)
def test_options_that_are_wrong_are_refused(options, line):
    with pytest.raises(PokerlabError, match=line):
        ChatPlace.of_options(**options)


def view_at(name, *actions):
    state = State.start(game(name), tuple(range(52)))
    for action in actions:
        state = state.after(action)
    return state.view(state.betting.actor, 0, ("a", "b"))


@pytest.mark.parametrize(
    ("text", "action", "repairs"),
    [
        ("call", CALL, ()),
        ("raise to 300", RaiseTo(300), ()),
        ("Call.", CALL, ("case or punctuation",)),
        ("**Fold**", FOLD, ("case or punctuation",)),
        ("My action: raise to 1,000 chips", RaiseTo(1000), ("case or punctuation",)),
        ('{"action": "RAISE", "to": 300}', RaiseTo(300), ("case or punctuation",)),
        ('{"action": "raise to 300"}', RaiseTo(300), ("case or punctuation",)),
        ('{"action": "raise", "to": 99999}', RaiseTo(20000), ("more than all its chips",)),
        ('{"action": "all-in"}', RaiseTo(20000), ("all-in in words",)),
        ('<think>maybe {"action": "fold"}</think>', FOLD, ("text around JSON",)),
        ('{"action": "call"}\n{"action": "call"}', CALL, ("text around JSON",)),
    ],
)
def test_repairs_have_names(text, action, repairs):
    reply = read_reply(text, view_at("nolimit2p"))
    assert (reply.action, reply.repairs) == (action, repairs)


def test_repairs_that_depend_on_the_table():
    assert read_reply("raise", view_at("limit2p"))[:2] == (RaiseTo(20), ("case or punctuation", "size left out"))
    assert read_reply('{"action": "raise"}', view_at("limit2p"))[:2] == (RaiseTo(20), ("size left out",))
    assert read_reply("fold", view_at("nolimit2p", CALL))[:2] == (CALL, ("case or punctuation", "fold for nothing"))
    assert read_reply('{"action":"raise","to":999}', view_at("limit2p")).repairs == ("more than the limit",)
    with pytest.raises(UnusableReply, match="a raise names its total"):
        read_reply('{"action": "raise"}', view_at("nolimit2p"))
    with pytest.raises(UnusableReply, match="cannot check with 50 to call"):
        read_reply('{"action": "check"}', view_at("nolimit2p"))


TOKENS = (
    *[
        "raise",
        "bet",
        "to",
        " ",
        "300",
        ",",
        "$",
        "call",
        "fold",
        "all-in",
        "{",
        "}",
        "1e999",
        "-1",
        "null",
        "[]",
        "\n",
        "<think>",
        "</think>",
        "```",
        "action:",
        ".",
    ],
    *('"action": ', '"raise"', ', "to": ', "9" * 400),
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(TOKENS)).map("".join)))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_legal_action_or_unusable(text):
    for view in VIEWS:
        try:
            assert read_reply(text, view).action in view.legal()
        except UnusableReply as error:
            assert error.kind in ("empty", "malformed", "illegal")


VIEWS = [view_at("nolimit2p"), view_at("limit2p", CALL), view_at("nolimit2p", RaiseTo(20000))]
