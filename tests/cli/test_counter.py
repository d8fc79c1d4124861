"""`pokerlab counter` and `pokerlab lbr`."""

import json

import pytest

from pokerlab.cli import main
from pokerlab.valuing.lbr_winnings import SWEPT


def test_a_counter_is_written_and_plays(tmp_path, capsys):
    file, picture = tmp_path / "counter", tmp_path / "trade.svg"
    line = ["counter", "caller", "--game", "leduc", "--p", "0", "--p", "1", "--iterations", "300"]
    assert main([*line, "--out", str(file), "--picture", str(picture), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["best_response"] == pytest.approx(1000 * 22 / 15)
    nash, best = found["counters"]
    assert (nash["p"], best["p"]) == (0, 1)
    assert nash["exploitability"] < 5 < 1000 < best["exploitability"]
    assert best["wins"] == pytest.approx(1000 * 22 / 15, abs=1)
    assert "responses to caller" in picture.read_text()

    assert (
        main(
            [
                "match",
                "--game",
                "leduc",
                "--agents",
                f"strategy:{file},caller",
                "--hands",
                "300",
                "--no-save",
                "--workers",
                "1",
            ]
        )
        == 0
    )
    assert "caller" in capsys.readouterr().out
    assert main(["counter", str(file), "--p", "1", "--iterations", "300"]) == 0
    assert f"{best['exploitability']:+.1f} mbb/hand" in capsys.readouterr().out


def test_data_biased(capsys):
    line = [
        "counter",
        "random",
        "--game",
        "leduc",
        "--watched",
        "300",
        "--p",
        "0.9",
        "--iterations",
        "200",
        "--seed",
        "3",
    ]
    assert main(line) == 0
    out = capsys.readouterr().out
    assert "data-biased (300 hands watched) responses to random" in out
    assert "a best response wins +2373.6 mbb/hand from it" in out


PEEKING = """
import sys
from pathlib import Path
from pokerlab.games.actions import CALL


class Peeking:
    def act(self, view, rng):
        frame, seen = sys._getframe(), []
        while frame is not None:
            seen += [name for name in ("deck", "shuffler") if name in frame.f_locals]
            frame = frame.f_back
        Path("seen.txt").write_text(" ".join(["acted", *seen]))
        return CALL
"""


def test_the_opponent_of_watched_hands_plays_in_its_own_process_from_a_secret_seed(tmp_path, monkeypatch, capsys):
    (tmp_path / "peeking_bot.py").write_text(PEEKING)
    monkeypatch.chdir(tmp_path)
    line = ["counter", "random", "--game", "leduc", "--watched", "20", "--p", "0.9", "--iterations", "20"]
    assert main([*line, "--against", "py:peeking_bot:Peeking", "--out", "run"]) == 0
    assert (tmp_path / "seen.txt").read_text() == "acted"
    assert "data-biased (20 hands watched)" in capsys.readouterr().out
    assert json.loads((tmp_path / "run" / "seed.json").read_text())["seed"] >= 2**62


def test_lbr(capsys):
    assert main(["lbr", "folder", "--hands", "10", "--workers", "1", "--no-save", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (menu,) = found["menus"]
    assert (menu["chips"]["mean"], menu["chips"]["n"], found["hands"]) == (750.0, 10, 10)
    assert menu["wins"]["mean"] == pytest.approx(750)  # the same every hand: no luck to take out
    assert found["always_folding"]["mean"] == 750
    tokens = ["lbr", "caller", "--game", "kuhn", "--menus", "none", "--hands", "10", "--workers", "1", "--no-save"]
    assert main(tokens) == 0
    words = capsys.readouterr().out.split()
    assert " ".join(words[:9]) == "local best response to caller in kuhn, seed 7"
    assert "none" in words
    assert "these are lower bounds on what a best response would win" in " ".join(words)


def test_lbr_over_sizes_leads_with_the_worst(capsys, tmp_path):
    tokens = ["lbr", "random", "--game", "leduc-nolimit", "--hands", "40", "--seed", "3", "--workers", "1"]
    tokens += ["--out", str(tmp_path / "run")]
    assert main([*tokens, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    menus = {menu["sizes"]: menu for menu in found["menus"]}
    assert list(menus) == [*SWEPT, "fcpa", ", ".join(SWEPT)]
    assert {menu["wins"]["n"] for menu in menus.values()} == {40}
    most = max(menus.values(), key=lambda menu: menu["wins"]["mean"])
    assert (found["worst"]["sizes"], found["worst"]["compared"]) == (most["sizes"], 13)
    assert found["worst"]["wins"]["mean"] == most["wins"]["mean"]
    assert found["worst"]["wins"]["low"] < most["wins"]["low"]  # it was picked from many
    assert main(tokens) == 0
    captured = capsys.readouterr()
    assert "26 of 26 results were read from" in captured.err
    first, line, *_ = captured.out.splitlines()
    assert line.startswith(f"worst for it, of 13 menus: bets of {most['sizes']} win {most['wins']['mean']:+.1f} ± ")
    assert "seed 3" in first and "n = 40 deals, 2 seatings each, one of 13 compared" in line
    assert "always folding would lose 1000.0" in captured.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("lbr caller --game limit3p", "limit3p is for 3 players; local best response is for two"),
        ("lbr caller --menus fcpa", "limit2p has one bet size; its sizes can only be `min`, not 'fcpa'"),
        ("lbr nobody", "no agent is called 'nobody'"),
        ("counter caller", "caller needs a game to be exploited in: name one with --game"),
        ("counter caller --game leduc --iterations 0", "iterations must be at least 1, not 0"),
        ("counter caller --game leduc --picture trade.gif", "a picture ends in"),
        ("counter caller --game leduc --p 2", "p must be a probability, not 2.0"),
        ("counter caller --game limit2p", "limit2p has too many cards to tell every hand apart"),
        ("counter caller --game leduc --algorithm mccfr", "no CFR variant is called 'mccfr'"),
    ],
)
def test_mistakes_are_one_line(line, problem, capsys):
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and problem in error
