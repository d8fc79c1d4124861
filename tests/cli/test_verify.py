"""`pokerlab verify rules`: what it prints, what it returns, what it says when it cannot."""

import json

import pytest

from pokerlab.bench import rules_check
from pokerlab.bench.rules_check import Tally
from pokerlab.cli import main


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    assert main(["verify", "rules", "--hands", "40", "--peer", "openspiel", "--seed", "5", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["peer"], answer["hands"], answer["differences"], answer["stopped"]) == ("openspiel", 40, [], False)
    assert sum(sum(row.values()) for row in answer["hands_of_table"].values()) == 40


def test_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    assert main(["verify", "rules", "--hands", "40", "--peer", "openspiel"]) == 0
    out = capsys.readouterr().out
    assert "40 hands: " in out
    assert "0 differences" in out


def some_difference(peer: str, *, hands: int, report: object, **others: object) -> None:
    tally = Tally(differences=["hand 17: seat 0 may fold, the peer says [nothing]"])
    tally.hands["limit", 2] = 250
    report(tally)  # type: ignore[operator]
    if hands == 1000:
        raise KeyboardInterrupt


def test_a_difference_is_shown_and_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(rules_check, "verify", some_difference)
    assert main(["verify", "rules", "--hands", "250", "--peer", "openspiel"]) == 1
    out = capsys.readouterr().out
    assert "1 differences" in out
    assert "hand 17: seat 0 may fold, the peer says [nothing]" in out


def test_interrupted_it_says_how_to_go_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(rules_check, "verify", some_difference)
    assert main(["verify", "rules", "--hands", "1000", "--first", "50", "--peer", "openspiel"]) == 130
    assert "--peer openspiel --seed 1 --first 300 --hands 750" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("tokens", [["--hands", "0"], ["--first", "-1"], ["--workers", "0"], ["--peer", "me"]])
def test_what_cannot_be_asked(tokens: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "rules", *tokens]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_peer_that_is_not_installed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.cli.verify.DISTRIBUTIONS", {"pokerkit": "no-such-distribution"})
    assert main(["verify", "rules"]) == 2
    assert "pokerkit is not installed; pip install" in capsys.readouterr().err
