"""`pokerlab match --until`: it stops after the same hands with any number of workers and interruptions."""

import json
from pathlib import Path

import pytest

from pokerlab.cli import main
from pokerlab.run import request
from pokerlab.runs.workers import here

LEDUC = ("match", "--game", "leduc", "--agents", "random,caller")
UNTIL = (*LEDUC, "--hands", "4000", "--until", "150mbb")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys, *tokens):
    assert main([*tokens, "--json"]) == 0
    captured = capsys.readouterr()
    return json.loads(captured.out), captured.err


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.slow
def test_it_stops_when_the_interval_is_narrow(capsys):
    found, said = answer(capsys, *UNTIL, "--duplicate", "--workers", "1")
    until, first = found["until"], found["agents"][0]
    assert (until["stopped"], until["interval"], until["way"]) == ("narrow enough", "confidence sequence", "raw")
    assert until["duplicate"] and until["most_deals"] == 4000 and found["match_hands"] == 50
    assert found["hands"] < 4000 and found["hands"] % 50 == 0 and first["n"] == found["hands"]
    assert 100 < until["reached"] <= 150
    assert first["high"] - first["low"] == pytest.approx(2 * until["reached"])
    assert said.startswith("pokerlab: ±150 mbb/hand by chips of duplicate deals usually takes about ")
    # The same deals without a target, as many as were played: the same means, narrower intervals.
    plain, _ = answer(capsys, *LEDUC, "--hands", str(found["hands"]), "--match-hands", "50", "--duplicate")
    assert plain["agents"][0]["mean"] == first["mean"]
    assert plain["agents"][0]["high"] - first["mean"] < (first["high"] - first["mean"]) / 1.4
    duplicate, raw = (way["hands_needed"] for way in found["measures"][::-1])
    assert 2 * found["hands"] / 2 < duplicate < raw


@pytest.mark.slow
def test_aivat_stops_sooner(capsys):
    chips, _ = answer(capsys, *UNTIL, "--duplicate", "--workers", "1")
    assert main([*UNTIL, "--duplicate", "--aivat", "--workers", "1"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "hands for ±150" in text and "± half of a 95% confidence sequence" in text
    assert "deals: ±" in text and "by AIVAT, duplicate, within the target of ±150" in text
    best, _ = answer(capsys, *UNTIL, "--duplicate", "--aivat", "--workers", "1")
    assert best["hands"] < chips["hands"] and best["until"]["way"] == "AIVAT"


def test_three_agents_stop_when_all_differences_are_narrow(capsys):
    tokens = ("match", "--game", "kuhn3p", "--agents", "random,caller,raiser", "--hands", "3000", "--duplicate")
    found, said = answer(capsys, *tokens, "--until", "300mbb", "--workers", "1", "--no-save")
    widths = [(gap["high"] - gap["low"]) / 2 for gap in found["differences"]]
    assert max(widths) == pytest.approx(found["until"]["reached"]) and 200 < max(widths) <= 300
    assert found["hands"] < 3000 and {way["hands_needed"] for way in found["measures"]} == {None}
    assert said.endswith("how many deals of kuhn3p that takes is not known; at most 3,000 deals\n")


def test_at_the_maximum_it_says_what_is_missing(capsys):
    assert main([*LEDUC, "--until", "50", "--hands", "200", "--duplicate", "--workers", "1", "--no-save"]) == 0
    text = capsys.readouterr().out
    assert "stopped at the maximum of 200 deals: ±" in text
    assert "short of the target of ±50, which would take about " in text


def interrupted(tasks, tick):
    """A runner that is stopped after the first task of a round that has several."""
    for each in here(tasks, tick):
        yield each
        if len(tasks) > 2:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_workers_and_interruptions_change_nothing(tmp_path, monkeypatch):
    asked = request(
        "match", {"agents": ["random", "caller"], "game": "leduc", "hands": 4000, "until": 150, "duplicate": True}
    )
    whole = asked.run(tmp_path / "one", workers=1)
    asked.run(tmp_path / "two", workers=2)
    assert files(tmp_path / "one") == files(tmp_path / "two")
    with monkeypatch.context() as patch:
        patch.setattr(type(asked), "runner", lambda *_: interrupted)
        with pytest.raises(KeyboardInterrupt):
            asked.run(tmp_path / "three")
    assert not (tmp_path / "three" / "result.json").exists()
    assert asked.run(tmp_path / "three", workers=1).data == whole.data
    assert files(tmp_path / "one") == files(tmp_path / "three")


def test_the_target_is_part_of_the_run(capsys):
    assert main([*UNTIL, "--workers", "1", "--out", "run"]) == 0
    capsys.readouterr()
    assert main([*UNTIL[:-1], "200mbb", "--workers", "1", "--out", "run"]) == 2
    assert 'until was "150 mbb/hand", now "200 mbb/hand"' in capsys.readouterr().err
    assert main([*UNTIL[:-1], "15", "--units", "bb_per_100", "--workers", "1", "--out", "other"]) == 0
    assert capsys.readouterr().err.startswith("pokerlab: ±15 bb/100 by chips usually takes about 7,000 deals; ")


def test_a_dry_run_says_how_many_hands_to_expect(capsys):
    assert main([*UNTIL, "--duplicate", "--dry-run"]) == 0
    text = capsys.readouterr().out
    assert "±150 mbb/hand by chips of duplicate deals usually takes about " in text
    cost, _ = answer(capsys, *UNTIL, "--duplicate", "--dry-run")
    assert cost["hands"] < 8000 and cost["expected_deals"] <= cost["hands"] // 2 < cost["expected_deals"] + 50


BOT = """
class Bot:
    '''Raises with an ace, otherwise calls; it cannot be asked what it would do.'''
    def act(self, view, rng):
        menu = view.legal().menu()
        return menu[-1] if max(view.hole) >= 48 else menu[view.legal().fold]
"""


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["rulebot", "equilibrium"])
def test_an_agent_that_cannot_be_queried_is_measured_by_its_opponents_policy(opponent, tmp_path, monkeypatch, capsys):
    (tmp_path / "silent_bots.py").write_text(BOT)
    monkeypatch.syspath_prepend(tmp_path)
    tokens = ("match", "--game", "limit2p", "--agents", f"py:silent_bots:Bot,{opponent}", "--hands", "40", "--aivat")
    tokens += ("--until", "100mbb", "--match-hands", "40", "--duplicate", "--workers", "1")
    found, _ = answer(capsys, *tokens)
    (known,) = found["aivat"]["known_policies"]
    assert known.startswith(opponent)
    ways = {(way["way"], way["duplicate"]): way for way in found["measures"]}
    assert ways["AIVAT", False]["factor"] > 2
