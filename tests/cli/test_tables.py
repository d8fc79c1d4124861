"""`pokerlab tables`."""

import json

import pytest

from pokerlab.cards import strength_tables
from pokerlab.cli import main


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    return tmp_path


def answer(capsys, *tokens):
    assert main(["tables", *tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_list(capsys, cache):
    flop, turn = answer(capsys, "list")["tables"]
    assert (flop["street"], flop["present"], flop["bytes"]) == ("flop", True, 12_867_920)
    assert (turn["street"], turn["present"], turn["bytes"]) == ("turn", False, 139_600_500)
    assert turn["path"].startswith(str(cache))
    assert main(["tables", "list"]) == 0
    assert "not built" in capsys.readouterr().out


def test_check(capsys):
    about = answer(capsys, "check")["checked"]
    assert list(about) == ["flop"]
    assert about["flop"]["command"] == "pokerlab tables build --street flop"
    assert main(["tables", "check"]) == 0
    assert capsys.readouterr().out.startswith("flop  good")


def test_a_damaged_table_is_one_line(capsys, cache):
    (cache / "strength_turn.bin").write_bytes(strength_tables.SHIPPED_FLOP.read_bytes()[:1000])
    assert main(["tables", "check"]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "strength_turn.bin" in captured.err


def test_dry_run_builds_nothing(capsys, cache):
    found = answer(capsys, "build", "--dry-run")
    assert (found["street"], found["bytes"], "built" in found) == ("turn", 139_600_500, False)
    assert list(cache.iterdir()) == []


def test_build_calls_the_builder_with_what_was_asked(capsys, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(strength_tables, "build_table", lambda *what, **settings: asked.append((what, settings)))
    out = tmp_path / "flop"
    assert main(["tables", "build", "--street", "flop", "--out", str(out), "--threads", "1"]) == 0
    assert asked[0][0] == ("flop", out / "strength_flop.bin")
    assert asked[0][1]["workers"] == 1
    assert "wrote 12.9 MB" in capsys.readouterr().out.replace("\n", " ")


def test_unknown_street(capsys):
    assert main(["tables", "build", "--street", "river"]) == 2
    assert "river" in capsys.readouterr().err
