"""Taylor (2007): what is computed agrees with what is printed, and what is played has the shape of the tables."""

from pathlib import Path

import pytest

from pokerlab.experiments.bpp import rivals
from pokerlab.experiments.bpp.actions import FOUND
from pokerlab.experiments.bpp.matches import make, play, won
from pokerlab.experiments.experiment import Config, Table
from pokerlab.experiments.records import experiment
from pokerlab.experiments.request import draw
from pokerlab.experiments.results import Result
from pokerlab.systems.bpp.opponent import WIN
from pokerlab.systems.bpp.variants import SHIFTS

RESULTS = Path(__file__).parents[3] / "docs" / "results"


def run(name: str, **settings):
    wanted = experiment(name)
    return wanted.run(Config({**wanted.quick, **settings}, seed=3))


def test_hands_and_types() -> None:
    wanted = experiment("taylor2007-hand-types")
    found = run("taylor2007-hand-types")
    counts = "sub-types of table 3.2"
    assert {row: number.mean for row, number in found[counts].items()} == {
        row: number.mean for row, number in wanted.published[counts].items()
    }
    shares = found["table 2.1: hands in ten million"]
    assert shares["straight"].mean == 39246  # printed as 35492
    assert shares["pair"].mean == pytest.approx(4225690, abs=1)


def test_alpha() -> None:
    found = run("taylor2007-alpha")["the nearest mix, in millionths"]
    assert found["corrected: weight of the conservative table"].mean == 500_000
    assert found["corrected: distance"].mean == 0
    assert found["as printed: weight of the conservative table"].mean == pytest.approx(492_479, abs=100)


def test_flush_nodes_are_learnt_later_and_know_more_in_the_end() -> None:
    with_nodes, without = run("taylor2007-flush-nodes", hands=[300, 100_000], repeats=4).sections.values()
    assert with_nodes.rows["300 hands"].low > without.rows["300 hands"].high
    assert with_nodes.rows["100,000 hands"].high < without.rows["100,000 hands"].low


def test_a_part_is_a_match_in_both_seatings() -> None:
    (part,) = Config({}, seed=1).numbered(1, first="hybrid/0/base", second="hybrid/-0.1/old", hands=20)
    found = play(part)
    assert found == play(part)
    assert found["hands"] == 40
    assert 0 < found["won"] <= found["decided"] <= 40
    assert sum(map(sum, found["counts"][WIN.index("Lose")][0])) > 0
    assert won([found]).mean.mean == pytest.approx(sum(found["chips"]) / 40)
    assert (won([found]) - won([found])).mean.mean == 0


def test_the_old_table_says_nothing_of_hands() -> None:
    tables = make("hybrid/0/old").settings.tables
    assert tables[0, 0] == pytest.approx(tables[0, 2])


def test_types_are_followed() -> None:
    found = run("taylor2007-types", trials=3, hands=40)
    needed = found["actions until the type is known, mean"]
    assert needed["conservative"].mean < 60
    curve = found.sections["figure 4.2: conservative opponent"]
    assert curve.role == "by action"
    assert curve.points[-1][1].mean > 90  # percent


def test_players_along_a_match(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {"RIVAL": "caller", "SEARCHERS": ("raiser",), "SIMPLE": ("random",)}.items():
        monkeypatch.setattr(rivals, name, value)
    monkeypatch.setattr(rivals, "SEARCH_PLAYERS", ("caller", "raiser"))
    found = run("taylor2007-search", matches=3, hands=12)
    won = found["against random, small bets/hand"]
    gains = found["gain of raiser over caller, small bets/hand"]
    assert gains["random"].mean == pytest.approx(won["raiser"].mean - won["caller"].mean)
    curve = found.sections["raiser against random along a match, mbb/hand"]
    assert curve.at == (3, 6, 8, 10, 12)
    weights = [3, 3, 2, 2, 2]
    points = [number.mean * weight for (_, number), weight in zip(curve.points, weights, strict=True)]
    assert sum(points) / 12 == pytest.approx(1000 * won["raiser"].mean)
    result = Result("taylor2007-search", "", "Taylor (2007)", "", "quick", 3, {}, Table(), found)
    draw(result, tmp_path / "along.svg")
    assert "Against random" in (tmp_path / "along.svg").read_text()


@pytest.mark.slow
def test_tables_of_matches_have_every_cell() -> None:
    found = run("taylor2007-exact-tables", hands=10)
    assert len(found.sections) == 3
    assert all("gain of the exact table over base" in found[title] for title in found)


def test_the_players_shifts_are_those_that_were_found() -> None:
    kept = Result.read(RESULTS / "taylor2007-shifts.json").ours[FOUND]
    found = {(chance, style): kept[f"{style} {chance}"].mean for chance in SHIFTS for style in SHIFTS[chance] if style}
    assert found == {key: SHIFTS[key[0]][key[1]] for key in found}
