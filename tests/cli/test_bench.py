"""`pokerlab bench`: what it prints and what it gives a machine."""

import json
import re

import pytest

from pokerlab.bench import Benchmark
from pokerlab.cli import main


def missing():
    raise ImportError


@pytest.fixture(autouse=True)
def two_benchmarks(monkeypatch):
    made = [
        Benchmark("first", "counting to ten", "tens", lambda: lambda: 1, {"peer": lambda: lambda: 1, "other": missing}),
        Benchmark("second", "doing nothing", "nothings", lambda: lambda: 1, note="a note", every_core=True),
    ]
    monkeypatch.setattr(
        "pokerlab.bench.benchmarks", lambda names: [each for each in made if not names or each.name in names]
    )
    monkeypatch.setattr("pokerlab.bench.benchmark.ROUND_SECONDS", 0.001)


def test_json(capsys):
    assert main(["bench", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    first, second = answer["benchmarks"]
    assert first["unit"] == "tens"
    assert first["peers"]["other"] is None
    ratio = first["pokerlab"]["per_second"] / first["peers"]["peer"]["per_second"]
    assert first["peers"]["peer"]["ratio"] == pytest.approx(ratio)
    assert second["note"] == "a note"
    assert [first["every_core"], second["every_core"]] == [False, True]


def test_table(capsys):
    assert main(["bench", "first"]) == 0
    out = capsys.readouterr().out
    assert "first: counting to ten" in out
    assert "not installed" in out
    assert "second" not in out.replace("a second", "")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["first"], r"one core( \(number \d+\))?, best rounds"),
        (["second"], "every core, best rounds"),
        ([], r"one core( \(number \d+\))?, but every core for second, best rounds"),
    ],
)
def test_it_says_on_how_many_cores(names, said, capsys):
    assert main(["bench", *names]) == 0
    assert re.match(said, " ".join(capsys.readouterr().out.split()))


def test_list(capsys):
    assert main(["bench", "--list"]) == 0
    assert capsys.readouterr().out.split("\n")[1].split()[0] == "second"
    assert main(["bench", "--list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["benchmarks"][0]["name"] == "first"
