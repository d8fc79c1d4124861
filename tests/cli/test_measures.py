"""`pokerlab match --aivat` and `pokerlab tournament --aivat`."""

import json
import re

import pytest

from pokerlab.cli import main


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return tmp_path


MATCH = ("match", "--game", "kuhn", "--agents", "random,caller", "--hands", "400", "--seed", "7", "--workers", "1")


def answer(capsys, *tokens):
    assert main([*tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_match_measures_in_every_way(capsys):
    found = answer(capsys, *MATCH, "--duplicate", "--aivat")
    ways = {(way["way"], way["duplicate"]): way for way in found["measures"]}
    assert list(ways) == [(way, d) for d in (False, True) for way in ("raw", "all-in", "AIVAT")]
    assert found["aivat"] == {
        "value_function": "values of CFR+ after 1,000 iterations on the whole game",
        "known_policies": ["random", "caller"],
    }
    raw, best = ways["raw", False], ways["AIVAT", False]
    assert (raw["factor"], raw["agents"][0]["n"]) == (1.0, 800)
    assert 1 < best["factor_low"] < best["factor"] < best["factor_high"]
    # What the standings say is the duplicate result.
    assert ways["raw", True]["agents"] == found["agents"]
    # The intervals of the better way lie inside what the worse one leaves open.
    assert best["agents"][0]["high"] - best["agents"][0]["low"] < raw["agents"][0]["high"] - raw["agents"][0]["low"]


def test_only_some_policies_may_be_asked(capsys):
    both = answer(capsys, *MATCH, "--aivat")["measures"][2]
    one = answer(capsys, *MATCH, "--aivat", "--known", "caller")
    assert one["aivat"]["known_policies"] == ["caller"]
    assert one["measures"][2]["factor"] < both["factor"]
    assert main([*MATCH, "--aivat", "--known", "poki"]) == 2
    assert "the policy of 'poki' cannot be queried; these can: random, caller" in capsys.readouterr().err


def test_people_read_what_aivat_says_first(capsys):
    assert main([*MATCH, "--duplicate", "--aivat"]) == 0
    text = capsys.readouterr().out
    ways = ["AIVAT, duplicate", "all-in, duplicate", "duplicate", "AIVAT", "all-in", "raw"]
    head, *rows = (re.split(r"\s\s+", line.strip()) for line in text.splitlines() if "  " in line.strip())
    assert head == ["measured", "mean", "significant", "hands needed cut"]
    assert [row[0] for row in rows] == ways  # and no other table
    assert {row[2] for row in rows} <= {"yes", "no"}
    assert "± half of a 95% interval, from n = 400 deals, 2 seatings each (duplicate)" in text
    assert "± half of a 95% interval, from n = 800 hands (not duplicate)" in text
    assert "policies known: random, caller" in " ".join(text.split())


@pytest.mark.slow
def test_a_tournament_leads_with_its_cross_table_by_aivat(capsys):
    played = ("tournament", "--game", "kuhn", "--agents", "random,caller,raiser", "--hands", "60", "--workers", "1")
    assert main([*played, "--aivat"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    best, measured, chips = (text.index(part) for part in ("the column by AIVAT", "measured", "the column in chips"))
    assert best < measured < chips
    found = answer(capsys, *played, "--aivat")
    (way,) = (way for way in found["measures"][0]["ways"] if (way["way"], way["duplicate"]) == ("AIVAT", True))
    assert f"{way['agents'][0]['mean']:+.0f}" in text[:best]


def test_duplicate_says_its_factor(capsys):
    assert main([*MATCH, "--duplicate"]) == 0
    assert "duplicate cut the hands needed: ×" in capsys.readouterr().out


def test_three_players_are_measured_without_aivat(capsys):
    tokens = ("match", "--game", "kuhn3p", "--agents", "random,caller,raiser", "--hands", "50", "--workers", "1")
    found = answer(capsys, *tokens, "--aivat")
    assert found["aivat"] == {"left_out": "kuhn3p is for 3 players; AIVAT is for two"}
    assert [way["way"] for way in found["measures"]] == ["raw", "all-in"]


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_aivat_needs_the_hands(capsys, command):
    tokens = [command, "--game", "kuhn", "--agents", "random,caller", "--hands", "10", "--no-save", "--aivat"]
    assert main(tokens) == 2
    assert "aivat needs the run directory, and this run is not saved: leave out --no-save" in capsys.readouterr().err


@pytest.mark.slow
def test_tournament_and_its_report(capsys, here):
    tokens = ("tournament", "--game", "kuhn", "--agents", "random,caller,raiser", "--hands", "100", "--workers", "1")
    found = answer(capsys, *tokens, "--aivat", "--out", "run")
    assert [table["agents"] for table in found["measures"]] == [
        ["random", "caller"],
        ["random", "raiser"],
        ["caller", "raiser"],
    ]
    assert all(len(table["ways"]) == 6 for table in found["measures"])
    assert [way["way"] for way in found["agents"][0]["measures"]] == ["raw", "all-in", "AIVAT"]
    page = (here / "run" / "report.html").read_text()
    assert page.index(">Ways of measuring</h2>") < page.index(">Standings</h2>")
    assert "policies known: random, caller, raiser" in page


LEARNER = """
from pokerlab.games.actions import CALL, FOLD
class Learner:
    seen = 0
    def act(self, view, rng):
        return FOLD if self.seen % 3 == 0 and view.legal().fold else CALL
    def observe(self, hand):
        self.seen += 1
"""


@pytest.fixture
def learner(here, monkeypatch):
    (here / "measured_learner.py").write_text(LEARNER)
    monkeypatch.syspath_prepend(str(here))
    return "py:measured_learner:Learner"


@pytest.mark.slow
def test_a_match_has_as_many_match_sets_as_players_that_learn_need(capsys, learner):
    tokens = ("match", "--game", "kuhn", "--agents", f"{learner},raiser", "--hands", "60", "--workers", "1")
    found = answer(capsys, *tokens, "--duplicate")
    assert (found["method"], found["agents"][0]["n"], found["match_hands"]) == ("match sets", 10, 6)
    alone = answer(capsys, *tokens, "--match-hands", "60")["agents"][0]
    assert (alone["low"], alone["n"], alone["significant"]) == (None, 1, False)
    assert main([*tokens, "--match-hands", "60"]) == 0
    text = capsys.readouterr().out
    assert "too few to judge" in text and "significant" not in text


@pytest.mark.slow
def test_a_pair_has_one_interval_in_all_tables_of_a_tournament(capsys, learner):
    tokens = ("tournament", "--game", "kuhn", "--agents", f"random,caller,{learner}", "--hands", "200")
    found = answer(capsys, *tokens, "--workers", "1")
    pair = next(cell for cell in found["cross_table"] if (cell["row"], cell["column"]) == ("random", "caller"))
    ways = next(table["ways"] for table in found["measures"] if table["agents"] == ["random", "caller"])
    duplicate = next(way for way in ways if way["duplicate"])
    assert (duplicate["agents"][0]["low"], duplicate["agents"][0]["high"]) == (pair["low"], pair["high"])
    assert duplicate["method"] == found["method"] == "match sets"
