"""`pokerlab buckets`."""

import json

import pytest

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.cards.card import cards
from pokerlab.cli import main


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    return tmp_path


def answer(capsys, *tokens):
    assert main(["buckets", *tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refusal(capsys, *tokens):
    assert main(["buckets", *tokens]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    return line


def test_pr5_is_listed_and_shown(capsys):
    ir100, ir570, nested, pr5 = answer(capsys, "list")["buckets"]
    assert (ir100["name"], ir100["n_cells"]) == ("ir100", [169, 100, 100, 100])
    assert (ir570["name"], ir570["n_cells"]) == ("ir570", [169, 570, 570, 570])
    assert (nested["name"], nested["n_cells"]) == ("pr12-10-9-9", [12, 120, 1080, 9720])
    assert (pr5["name"], pr5["n_cells"]) == ("pr5", [5, 25, 125, 625])
    shown = answer(capsys, "show", "pr5", "--hole", "AdQc", "--board", "3h4cJh")
    assert len(shown["cells"]) == 2 and shown["cells"][1] // 5 == shown["cells"][0] == 4
    assert shown["recipe"]["kind"] == "nested percentiles"
    assert main(["buckets", "show", "pr5", "--hole", "AdQc"]) == 0
    assert ["pre-flop", "4", "4"] in [line.split() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.slow
def test_a_build_is_found_by_name(capsys, cache):
    made = answer(capsys, "build", "pr2", "--boards", "3", "--threads", "1")
    assert made["built"] and made["file"] == str(cache / "buckets" / "pr2.bin")
    assert buckets("pr2").n_cells == (2, 4, 8, 16)
    assert {each["name"] for each in answer(capsys, "list")["buckets"]} == {
        "ir100",
        "ir570",
        "pr12-10-9-9",
        "pr2",
        "pr5",
    }
    assert answer(capsys, "show", "pr2")["command"] == "pokerlab buckets build pr2 --boards 3 --seed 7"


@pytest.mark.slow
def test_parts_by_street_are_nested_without_pairs(capsys, cache):
    answer(capsys, "build", "pr3-2-2-4", "--boards", "3", "--threads", "1")
    made = buckets("pr3-2-2-4")
    assert made.n_cells == (3, 6, 12, 48) and made.pairs is None and made.perfect_recall
    *_, flop, turn, river = made.of_board(cards("Ks7h2d5c8s"))
    live = river >= 0
    assert (river[live] // 4 == turn[live]).all() and (turn[live] // 2 == flop[live]).all()
    assert "with up to 32,000 cells on a street" in refusal(capsys, "build", "pr40-40-40-40")


def test_dry_run_builds_nothing(capsys, cache):
    found = answer(capsys, "build", "ir100", "--dry-run")
    assert "built" not in found and found["disk_bytes"] == 48_300_000
    assert main(["buckets", "build", "pr8", "--boards", "0", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("building pr8: about ") and said.endswith("134.3 MB on disk\n")
    assert list(cache.iterdir()) == []


def test_mistakes_are_one_line(capsys):
    assert "there are pr2 .. pr10, ir2 .. ir1981, prA-B-C-D and txF-T-R" in refusal(capsys, "build", "hs5")
    assert "ships with pokerlab" in refusal(capsys, "build", "pr5")
    assert "pokerlab buckets build ir1000" in refusal(capsys, "show", "ir1000")
    assert "boards of 0, 3, 4 or 5 cards, not 2" in refusal(capsys, "show", "pr5", "--hole", "AdQc", "--board", "3h4c")
    assert "3h is both in hole and in board" in refusal(capsys, "show", "pr5", "--hole", "3hQc", "--board", "3h4cJh")


def test_a_damaged_file_is_one_line(capsys, cache):
    answer(capsys, "build", "pr2", "--boards", "2", "--threads", "1")
    path = cache / "buckets" / "pr2.bin"
    damaged = bytearray(path.read_bytes())
    damaged[-100] ^= 1
    path.write_bytes(damaged)
    assert "pr2.bin is damaged" in refusal(capsys, "show", "pr2")
