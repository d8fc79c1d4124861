"""`pokerlab profile`: what it prints, writes and refuses."""

import json
from pathlib import Path

import pytest
from chat_server import Model, rulebot_says, serving

from pokerlab.cli import main

EXAMPLE = str(Path(__file__).parents[2] / "docs" / "example-hand.phh")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("profile") / "run"
    tokens = ("match", "--agents", "rulebot,caller,random", "--game", "limit3p", "--hands", "60", "--workers", "1")
    assert main([*tokens, "--out", str(out)]) == 0
    return str(out)


def answer(capsys, *tokens):
    capsys.readouterr()
    assert main(["profile", *tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_players_side_by_side(run, capsys):
    found = answer(capsys, run, "--player-name", "caller,random")
    assert found["players"] == {name: {"hands": 60, "cards_known": 60} for name in ("caller", "random")}
    titles = ["Style", "Blunders", "Pot odds", "Bets and strength", "Bluffs", "River calls", "Position"]
    assert list(found["sections"]) == titles
    caller, random = (found["sections"]["Bets and strength"]["fold"][name] for name in ("caller", "random"))
    assert (caller["mean"], caller["n"]) == (None, 0)  # it never folds
    assert 0 < random["low"] < random["mean"] < random["high"] < 1 and random["unit"] == "strength"
    free = found["sections"]["Blunders"]["free_fold"]
    assert free["random"]["mean"] == 0  # folding is not legal where checking is free
    assert free["caller"]["chances"] > free["caller"]["n"] > 40  # several in a hand
    vpip = found["sections"]["Style"]["vpip"]["caller"]
    assert vpip["mean"] == 0.75 and vpip["unit"] == "share"  # in the big blind it may check
    assert found["sections"]["Position"]["BTN mbb_per_hand"]["caller"]["n"] == 20


def test_people_read_tables(run, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    capsys.readouterr()
    assert main(["profile", run]) == 0
    text = capsys.readouterr().out
    assert text.startswith("profile of caller (60 hands), random (60 hands), rulebot (60 hands)")
    assert "river bets called" in text and "BTN: VPIP" in text and "100.0% [9" in text


@pytest.mark.slow
def test_one_page_for_all(run, tmp_path, capsys):
    page = tmp_path / "pages" / "profile.html"
    assert main(["profile", run, "--player-name", "rulebot,caller", "--page", str(page)]) == 0
    html = page.read_text()
    assert html.count("<h2>") == 9 and "Bankrolls" in html  # seven sections, bankrolls, how it was made
    assert html.count('class="forest"') > 30 and "rulebot" in html and "random" not in html.partition("<h2>")[0]
    assert "<script" not in html and "http" not in html.replace("http://www.w3.org/", "")
    assert f"pokerlab profile {run} --player-name rulebot,caller" in html
    again = tmp_path / "again.html"
    assert main(["profile", run, "--player-name", "rulebot,caller", "--page", str(again)]) == 0
    assert again.read_text() == html


def test_other_games_have_no_numbers_about_cards(tmp_path, capsys):
    out = str(tmp_path / "leduc")
    assert main(["match", "--game", "leduc", "--agents", "caller,random", "--hands", "20", "--out", out]) == 0
    found = answer(capsys, out)
    assert list(found["sections"]) == ["Style", "Position"]
    assert main(["profile", out]) == 0
    assert "caller: what needs cards is left out" in capsys.readouterr().out


@pytest.mark.slow
def test_a_language_model_is_measured_until_sure_and_its_answers_are_profiled(tmp_path, monkeypatch, capsys):
    """Its policy is unknown: AIVAT removes the luck of the cards and of its opponent."""
    monkeypatch.setenv("POKERLAB_CHAT_KEY", "sk-secret-0123456789")

    def says(n, messages):
        """What rulebot would, with an equity of one half; every third answer has text around it, every 15th is
        illegal."""
        if n % 15 == 14:
            return '{"action": "raise", "to": 3}'
        stated = rulebot_says(messages).replace("{", '{"equity": "50%", "pot_odds": 0.25, ')
        return stated if n % 3 else f"I think. {stated}"

    with serving(Model(says)) as url:
        tokens = ("match", "--agents", "chat:m,rulebot", "--hands", "40", "--chat-url", url, "--workers", "1")
        out = ("--aivat", "--duplicate", "--until", "5000mbb", "--out", str(tmp_path / "run"), "--json")
        assert main([*tokens, *out]) == 0
    played = json.loads(capsys.readouterr().out)
    assert played["aivat"]["known_policies"] == ["rulebot"] and played["until"]["way"] == "AIVAT"
    found = answer(capsys, str(tmp_path / "run"), "--player-name", "chat:m")
    section = {key: numbers["chat:m"] for key, numbers in found["sections"]["Answers"].items()}
    assert section["repaired"]["chances"] == played["talk"]["chat:m"]["decisions"]
    assert 0.2 < section["repaired"]["mean"] < 0.5 and section["gave_up"]["mean"] == 0
    counts = played["talk"]["chat:m"]
    illegal = counts["asked again: illegal"] / counts["calls"]
    assert illegal > 0.01 and section["illegal"]["mean"] == pytest.approx(illegal)
    assert section["illegal"]["chances"] == counts["calls"] and section["malformed"]["mean"] == 0
    section = {key: numbers["chat:m"] for key, numbers in found["sections"]["Words and deeds"].items()}
    assert -0.5 < section["stated_equity"]["low"] < section["stated_equity"]["high"] < 0.5
    assert section["stated_odds"]["n"] > 0 and section["call_below"]["mean"] == 0  # half is more than a quarter
    assert 0 < section["odds_error"]["low"] < section["odds_error"]["high"] < 0.25


def test_an_imported_hand(capsys):
    found = answer(capsys, EXAMPLE)
    assert all(player["hands"] == 1 for player in found["players"].values())


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ((), "name at least one file of hands"),
        (("RUN", "--player-name", "poki"), "no player is called 'poki'"),
        (("RUN", "--player-name", ","), "player-name is empty"),
        (("nowhere",), "nowhere"),
        (("RUN", "--page", "/proc/nothing/page.html"), "/proc/nothing"),
    ],
)
def test_mistakes_are_one_line(tokens, message, run, capsys):
    capsys.readouterr()
    assert main(["profile", *(run if token == "RUN" else token for token in tokens)]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
