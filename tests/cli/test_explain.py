"""`pokerlab explain`: every kind of file, what it prints and writes, and what it refuses."""

import json
import re
from pathlib import Path

import pytest

from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.formats import write_hands as write_text
from pokerlab.players.registry import agent
from pokerlab.table.records import write_hands

DECK = cards("JcTc AsKs 7h2d Js8c4s 5s 3d")
FLOP = (RaiseTo(20), FOLD, CALL, CALL, RaiseTo(10), RaiseTo(20), FOLD)
SHOWDOWN = (CALL,) * 3 + (CALL,) * 9
NAMES = ("poki:rock", "bob:station:", "cat")
SESSION = """\
PokerStars Hand #12: Hold'em No Limit ($0.50/$1 USD) - 2021/05/06 17:08:09 ET
Table 'Vesta' 6-max Seat #2 is the button
Seat 2: roy ($98.60 in chips)
Seat 5: zoë ($41 in chips)
roy: posts small blind $0.50
zoë: posts big blind $1
*** HOLE CARDS ***
Dealt to zoë [Ah Qh]
roy: raises $2 to $3
zoë: calls $2
*** FLOP *** [As 7d 2c]
zoë: checks
roy: bets $3.20
zoë: raises $6.80 to $10
roy: folds
Uncalled bet ($6.80) returned to zoë
zoë collected $11.80 from pot
*** SUMMARY ***
Total pot $12.40 | Rake $0.60
"""


def hands(n=3):
    return [HandHistory(game("limit3p"), DECK, (SHOWDOWN, FLOP)[i % 2], NAMES, i) for i in range(n)]


@pytest.fixture
def run(tmp_path):
    """A run of two matches, three hands each."""
    for match in range(2):
        write_hands(tmp_path / "run" / "hands" / f"{match}.parquet", hands(), {"match": match})
    return tmp_path / "run"


def answer(capsys, *tokens):
    assert main(["explain", *map(str, tokens), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_hands_of_a_run(run, capsys):
    found = answer(capsys, run, "--hand", 5)
    assert (found["number"], found["watched"], found["hand"]) == (1, 1, 5), "matches are apart"
    assert (found["agent"], found["player"], found["seat"]) == ("poki:rock", "poki:rock", 0)
    assert len(found["moments"]) == 7
    assert answer(capsys, run, "--hand", 5, "--no-watch")["watched"] == 0
    assert answer(capsys, run, "--hand", 1)["watched"] == 0


def test_who_and_by_whom(run, capsys):
    bob = answer(capsys, run, "--hand", 2, "--player-name", "bob:station:")
    assert (bob["agent"], bob["seat"], bob["hole"]) == ("poki", 1, "AsKs"), "not one of ours: as if a poki sat there"
    maniac = answer(capsys, run, "--hand", 2, "--seat", 1, "--agent", "poki:maniac")
    assert maniac["agent"] == "poki:maniac"
    assert maniac["moments"][5]["options"] != bob["moments"][5]["options"]
    assert maniac["version"]


def test_for_people(run, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["explain", str(run), "--hand", "2", "--seat", "1"]) == 0
    out = capsys.readouterr().out
    assert "bob:station: with A♠ K♠, limit3p, hand 2" in out, "the hand that was asked for, and no emoji out of names"
    assert "What poki would have believed in this seat, after watching 1 earlier hands." in out
    assert "Flop J♠ 8♣ 4♠, pot 45" in out
    assert "> bob:station: raises to 20, which it does" in out
    assert "likely " in out
    assert "A♠ K♠ is ahead of its opponent with probability" in out
    assert "  A K Q J T 9 8 7 6 5 4 3 2" in out
    assert "bob:station: wins 35, held A♠ K♠" in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_percentages_sum_to_100_and_the_sentence_is_the_line(run, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    seen = []
    for hand in ("1", "2"):
        assert main(["explain", str(run), "--hand", hand, "--seat", "1"]) == 0
        lines = capsys.readouterr().out.splitlines()
        for at, line in enumerate(lines):
            if done := re.fullmatch(r"> bob:station: (.+), which it does (.+) of the time", line):
                assert f"{done[1]} {done[2]}" in lines[at + 1]
                seen.append(sum(round(10 * float(share)) for share in re.findall(r"([\d.]+)%", lines[at + 1])))
    assert seen == [1000] * len(seen)
    assert len(seen) >= 3


@pytest.mark.slow
def test_page_and_pictures(run, capsys, tmp_path):
    page, folder = tmp_path / "hand.html", tmp_path / "pictures"
    tokens = ["--hand", "2", "--seat", "1", "--html", str(page), "--picture", str(folder), "--format", "svg"]
    assert main(["explain", str(run), *tokens]) == 0
    out = capsys.readouterr().out
    assert f"7 pictures written to {folder}" in out
    assert f"written to {page}" in out
    assert len(list(folder.glob("*.svg"))) == 7
    assert "pokerlab explain run --hand 2 --seat 1 --agent poki" in page.read_text()


def test_a_name_in_a_file_starts_no_program_and_imports_no_module(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("pokerlab.web.hand_walks.make_agent", lambda name: {"poki": agent("poki")}[name])
    for name in ("py:os:system", "cmd:touch made", "lbr:cmd:touch made", "acpc://localhost:1"):
        log = tmp_path / "match.phhs"
        write_text(log, [HandHistory(h.rules, h.deck, h.actions, ("ann", "bob", name)) for h in hands(1)])
        found = answer(capsys, log, "--player-name", name)
        assert (found["player"], found["agent"]) == (name, "poki")


def test_other_formats(tmp_path, capsys):
    log = tmp_path / "match.log"
    plain = [HandHistory(h.rules, h.deck, h.actions, ("ann", "bob", "cat"), h.number) for h in hands(2)]
    write_text(log, plain)
    found = answer(capsys, log, "--hand", 2, "--game", "limit3p", "--player-name", "cat")
    assert (found["hole"], found["watched"], found["agent"]) == ("7h2d", 1, "poki")
    phh = tmp_path / "hand.phh"
    write_text(phh, plain[1:])
    assert answer(capsys, phh, "--player-name", "bob")["hole"] == "AsKs"
    (tmp_path / "session.txt").write_text(SESSION + "\nPokerStars Hand #13: nonsense\n", encoding="utf-8")
    assert main(["explain", str(tmp_path / "session.txt")]) == 0
    captured = capsys.readouterr()
    assert "zoë with A♥ Q♥" in captured.out, "the player whom the cards were dealt to"
    assert "roy bets 3.2" in captured.out
    assert "zoë wins 5.6, held A♥ Q♥" in captured.out
    assert "1 lines could not be read" in captured.err


@pytest.mark.slow
def test_figures(capsys, tmp_path):
    picture = tmp_path / "figure.png"
    assert main(["explain", "--figure", "3.6", "--picture", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "after a fold" in out
    assert "after a raise" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    grids = answer(capsys, "--figure", "3.7")["grids"]
    assert grids["call, then bet"][3][3] < 0.1 < 0.9 < grids["raise, then bet"][3][3], "two jacks"


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        ([], "name a file of hands, or a --figure"),
        (["{run}", "--figure", "3.6"], "name a file of hands, or a --figure"),
        (["--figure", "9.9"], "no figure '9.9' of weight tables; there are 3.6 and 3.7"),
        (["--figure", "3.6", "--picture", "x.bmp"], "x.bmp: a picture ends in .png, .svg, .pdf"),
        (["{run}/none.log"], "none.log: there is no such file"),
        (["{run}", "--hand", "7"], "there is no hand 7; it holds 6"),
        (["{run}", "--hand", "0"], "hands are counted from 1"),
        (["{run}", "--seat", "3"], "there is no seat 3 in this hand; seats are 0 to 2"),
        (["{run}", "--seat", "1", "--player-name", "cat"], "--seat and --player-name contradict each other"),
        (["{run}", "--player-name", "dan"], "no player is called 'dan' in this hand; players are poki:rock"),
        (["{run}", "--agent", "caller"], "caller cannot explain its decisions"),
        (["{run}", "--agent", "cller"], "no agent is called 'cller'"),
        (["{run}", "--html", "x.txt"], "x.txt: a page ends in .html"),
        (["{run}", "--format", "bmp"], "bmp"),
        (["{session}", "--player-name", "roy"], "the cards of roy (seat 1) are not known in this hand; those of zoë"),
        (["{session}", "--hand", "2"], "there is no hand 2; it holds 1"),
        (["{empty}"], "no hand could be read"),
    ],
)
def test_mistakes_are_one_line(tokens, says, run, tmp_path, capsys):
    (tmp_path / "session.txt").write_text(SESSION, encoding="utf-8")
    (tmp_path / "empty.txt").write_text("nothing\n")
    places = {"run": run, "session": tmp_path / "session.txt", "empty": tmp_path / "empty.txt"}
    assert main(["explain", *(token.format(**places) for token in tokens)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert says in captured.err


def test_the_documentation_shows_what_is_printed(capsys, monkeypatch):
    """Every line of its example is one of the output's, in the same order; `...` leaves some out."""
    monkeypatch.setenv("COLUMNS", "100")
    docs = Path(__file__).parents[2] / "docs"
    command, *shown = re.search(r"```console\n\$ pokerlab (.*?)```", (docs / "explain.md").read_text(), re.S)[
        1
    ].splitlines()
    tokens = command.replace("docs/example-hand.phh", str(docs / "example-hand.phh")).split()
    assert main(tokens) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    place = 0
    for line in shown:
        if line != "...":
            assert line in printed[place:], "print the example anew with COLUMNS=100"
            place += printed[place:].index(line) + 1
    assert place > 50
