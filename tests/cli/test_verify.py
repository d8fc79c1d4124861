"""`pokerlab verify`: what it prints, what it returns, what it says when it cannot."""

import json
from pathlib import Path

import pytest

from pokerlab.cli import main
from pokerlab.verify import rules_check
from pokerlab.verify.rules_check import Tally


@pytest.mark.slow
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
    assert "--peer openspiel --seed 7 --first 300 --hands 750" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("tokens", [["--hands", "0"], ["--first", "-1"], ["--workers", "0"], ["--peer", "me"]])
def test_what_cannot_be_asked(tokens: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "rules", *tokens]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_peer_that_is_not_installed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.cli.verify.DISTRIBUTIONS", {"pokerkit": "no-such-distribution"})
    assert main(["verify", "rules"]) == 2
    assert "pokerkit is not installed; pip install" in capsys.readouterr().err


def test_hands_are_read_and_counted_by_file(tmp_path, capsys):
    text = Path("docs/example-hand.phh").read_text()
    (tmp_path / "site.phh").write_text(text)
    (tmp_path / "broken.phhs").write_text(f"[1]\n{text}\n[2]\n{text.replace('variant', 'varnish')}")
    (tmp_path / "notes.md").write_text("no hands")
    assert main(["verify", "hands", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    counts = {each["name"]: (each["hands"], sum(each["problems"].values())) for each in found["files"]}
    assert counts == {"broken.phhs": (1, 1), "site.phh": (1, 0)}
    assert found["unbalanced"] == 0
    assert [(each["unknown"], each["rake_stated"], each["rake_mbb_per_hand"]) for each in found["files"]] == [
        (0, 0, 0.0), (0, 0, 0.0),
    ]  # fmt: skip
    (tmp_path / "site.phh").write_text(f"{text}winnings = [0, 160, 0, 0, 0, 0]\n")  # of a pot of 165
    assert main(["verify", "hands", str(tmp_path / "site.phh"), "--json"]) == 0
    (raked,) = json.loads(capsys.readouterr().out)["files"]
    assert (raked["rake_stated"], raked["rake_mbb_per_hand"]) == (1, 500.0)
    assert main(["verify", "hands", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "broken.phhs: 1 not read: expected" in said
    assert "2 hands in" in said and "0 unbalanced" in said
    assert "won by ?" not in said and "unknown" in said


def test_hands_that_make_chips_are_noticed(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("pokerlab.notation.readings.MOST_RAKE", -1)
    assert main(["verify", "hands", "docs/example-hand.phh"]) == 1
    assert "1 unbalanced" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "held", "status"),
    [("hands", 940, 0), ("hands", 900, 1), ("sequence of hands", 940, 0), ("sequence of hands", 934, 1)],
)
def test_confidence_sequences_must_hold_95_times_in_100(kind, held, status, capsys, monkeypatch):
    from pokerlab.estimates import share
    from pokerlab.verify.intervals import KINDS, SEQUENCES, Coverage

    assert kind in KINDS | SEQUENCES
    found = [Coverage(kind, 100, share(held, 1000), 0.0)]
    monkeypatch.setattr("pokerlab.verify.intervals.check_all", lambda **how: found)
    assert main(["verify", "intervals", "--json"]) == status
    assert '"held"' in capsys.readouterr().out
