"""Bet-sizing experiments: the small ones run, the large ones are well formed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokerlab.estimates import bare, bounds
from pokerlab.experiments.bets import beyond as beyond
from pokerlab.experiments.bets import curves as curves
from pokerlab.experiments.bets import leduc as leduc
from pokerlab.experiments.bets import table_4_1 as kuhn
from pokerlab.experiments.bets import table_7_3 as important
from pokerlab.experiments.bets import tables as lengths
from pokerlab.experiments.bets.curves import PAIRS, curve_settings, title
from pokerlab.experiments.bets.step_sizes import settled
from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import EXPERIMENTS, experiment
from pokerlab.experiments.results import Result
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.ranges import DEFAULT_RANGES
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.systems.bets import saved_runs

RESULTS = Path(__file__).parents[3] / "docs" / "results"


@pytest.mark.slow
def test_table_4_1_in_small() -> None:
    settings = {
        "n": 100, "iterations": 40_000, "in_turn_iterations": 1_500, "sampled_iterations": 20_000, "seeds": 1,
    }  # fmt: skip
    found = kuhn.run(Config(settings, seed=7))
    for row, published in experiment("hawkin2014-table-4-1").published[kuhn.SIZES].items():
        assert found[kuhn.SIZES][row].mean == pytest.approx(published.mean, rel=0.05)
    for row, published in experiment("hawkin2014-table-4-1").published[kuhn.CURVE].items():
        assert found[kuhn.CURVE][row].mean == pytest.approx(published.mean, abs=1e-9)
    assert found[kuhn.LEADS_AT_ONCE]["[0.5, 2]"].mean > 1  # trapped, and
    for start in kuhn.STARTS:  # not if players learn in turn
        best = kuhn.nearer(start) if start[0] < 1 else start[0]
        assert found[kuhn.LEADS][kuhn._name(start)].mean == pytest.approx(best, abs=0.01)
    assert all(number.mean < 0.45 for number in found[kuhn.ESCAPED].values())  # or with several ranges
    assert found[kuhn.WALKED]["[1.08, 1.38]"].mean == pytest.approx(kuhn.ROOT, abs=0.01)
    assert found[kuhn.BLOCKING]["0.050"].mean > found[kuhn.BLOCKING]["0.414"].mean
    assert found[kuhn.ONE_LEADS]["[0.1, 0.9]"].mean == pytest.approx(0.1, abs=0.01)
    assert found[kuhn.TWO_SIZES]["0.02 and 0.414"].mean > 0


def test_notes_are_what_the_numbers_say() -> None:
    kept = {name: Result.read(RESULTS / f"hawkin2014-{name}.json").ours for name in ("leduc", "table-4-1")}
    numbers = {title: {row: number.mean for row, number in kept["leduc"][title].items()} for title in kept["leduc"]}
    assert leduc.notes(numbers) == kept["leduc"].notes[:-1]
    assert "Nearest is no cap, blinds:" in leduc.notes(numbers)[0] and "from run 15 on" in leduc.notes(numbers)[1]
    for player, gain in (("player one", 31.0), ("player two", 43.0)):
        numbers[leduc.GAIN][f"{leduc.NO_CAP}, RE-BETS, {player}"] = gain
    assert "Nearest is no cap, antes:" in leduc.notes(numbers)[0]

    rows = {title: dict(kept["table-4-1"][title]) for title in kept["table-4-1"]}
    assert kuhn.notes(rows) == kept["table-4-1"].notes[:-1]
    rows[kuhn.RAISE]["[0.2, 0.3]"] = bare(0.05)
    rows[kuhn.LEADS]["[0, 1]"] = bare(0.9)
    assert "up to 0.050 above its low end" in kuhn.notes(rows)[1]
    assert "12 of 13 when players learn in turn" in kuhn.notes(rows)[2]


def test_leduc_in_small() -> None:
    part = {**leduc.METHODS["RE-BETS"], "runs": 2, "iterations": 1500, "game": leduc.BLINDS, "player": 1}
    assert leduc.done(part)["gains"]["2"] > 3
    assert leduc.fcpa(leduc.TWO_BETS, 0) == pytest.approx(-0.0713722547, abs=1e-9)
    assert leduc.fcpa(leduc.BLINDS, 1) == pytest.approx(0.0286432656, abs=1e-9)  # the big blind's
    assert leduc.fcpa(leduc.SMALL_FIRST, 1) == pytest.approx(0.0467, abs=5e-5)


@pytest.mark.slow
def test_beyond_in_small() -> None:
    search = {"runs": 2, "iterations": 1_500, "value_iterations": 1}
    settings = {beyond.LEDUC: {**search, "range": "0.8-1.5", "in_all": [500, 3_000], "solve": 5_000}}
    found = beyond.run(Config(settings, seed=7))
    values = found[beyond.value_section(beyond.LEDUC)]
    assert values[beyond.FCPA].mean == pytest.approx(71.3722547, abs=1e-6)
    one, both, two = (values[who].mean for who in ("player one sized", "both sized", "player two sized"))
    assert one < both < two
    assert found[beyond.SIZED_BETS]["Leduc, both sized"].mean == 24
    given_up = found[beyond.given_up_section(beyond.LEDUC, 0)]
    assert given_up["3,000 iterations in all, one run"].mean < 25 < given_up["500 iterations in all, one run"].mean


def test_the_gain_of_table_5_1_by_its_full_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lengths, "game_value", lambda *_, **__: (bounds(-5.1, -4.9), None))
    monkeypatch.setattr(
        saved_runs, "baseline", lambda config, directory, sizes: bounds(-6.3, -6.1)
    )  # of a config that is legal
    found = lengths._worth(None, None, None, experiment("hawkin2014-table-5-1").full)  # type: ignore[arg-type]
    gain = found[lengths.GAIN]["player one"]
    assert (gain.mean, gain.low, gain.high) == pytest.approx((100 * 12 / 62, 100 * 11 / 62, 100 * 13 / 62))


def test_curves_have_ten_printed_runs_for_each_player() -> None:
    figures = [experiment(name) for name in EXPERIMENTS if name.startswith("hawkin2014-figure-")]
    assert len(figures) == 10
    found = {title: s for each in figures for title, s in each.published.sections.items() if s.role == "by run"}
    names = {name for each in figures for name in each.full["curves"]}
    assert len(names) == 22 and {title(name, player) for name in names for player in (0, 1)} <= set(found)
    assert all(curve_settings(name, 0)["ranges"] for name in names)
    assert all(len(curve.rows) == 10 for curve in found.values())
    assert found[title("IR-570, three ranges", 1)].rows["run 9"].low == pytest.approx(195.59 - 1.08)
    several = experiment("hawkin2014-figure-6-5").published
    assert several[title("two ranges", 0)]["run 10"].mean == 20.34
    assert several[PAIRS]["three ranges, player two"].mean == 30_797_090


@pytest.mark.slow
def test_the_important_bets_of_tables_7_3_and_7_4() -> None:
    assert [len(important.printed(player)) for player in (0, 1)] == [25, 25]
    rules = game("nolimit2p")
    three = DEFAULT_RANGES[3]
    trees = (
        build_sized_tree(rules, sides("all-in | fcpa", (three, []))),
        build_sized_tree(rules, sides("fcpa | all-in", ([], three))),
    )
    for player, tree in enumerate(trees):
        known = set(tree.paths)
        paths = [important.path_of(bet, tree, player) for bet in important.printed(player)]
        assert sum(path in known for path in paths) >= 24  # a first tree has almost all of them
    assert important.path_of("dc/cc/e", trees[0], 0) == ("1p", "c", "c", "c", "r1")  # the opponent opens for the pot
    assert important.path_of("edc/cd", trees[1], 1) == ("r1", "1p", "c", "c", "r0")
    assert important.path_of("x", trees[0], 0) is None
    found = important.alike("player one", [("a", 0.5), ("b", 1.0)], [("b", 1.25), ("c", 0.1), ("a", 0.5)])
    assert [number.mean for number in found.values()] == [2, 0.125, 0.25]


def test_pairs_of_the_fifth_run_are_named_so() -> None:
    def searched(runs: int) -> curves.CurveSearch:
        pairs = list(range(1, runs + 1))
        return curves.CurveSearch(
            worth=[], elsewhere=[], pairs=pairs, printed_pairs=[10 * n for n in pairs], important=[[0.31, 0.29]] * runs,
            seconds=[], bets=[],
        )  # fmt: skip

    found = curves._sizes_of_trees({"long": searched(7), "short": searched(3)})
    assert found[PAIRS]["long"].mean == 50 and found[curves.OWN_PAIRS]["long"].mean == 5  # type: ignore[index]
    (fewer,) = (rows for title, rows in found.items() if "fewer than five" in title)
    assert {row: number.mean for row, number in fewer.items()} == {"short, run 3": 3}  # type: ignore[union-attr]
    histogram = curves._histogram({"long": 6}, {"long": searched(7)})
    assert histogram[curves.GENERATED]["long, run 6"].mean == 60  # type: ignore[index]
    (near,) = (rows for title, rows in histogram.items() if "near" in title)
    assert {row: number.mean for row, number in near.items()} == {"0.3": 2}  # type: ignore[union-attr]


def test_a_gain_divides_by_the_size_of_the_baseline() -> None:
    worths = [bounds(-30.0, -30.0), bounds(-20.0, -20.0)]
    assert curves._best_gain(worths, 1, bounds(-40.0, -40.0)) == pytest.approx(50)
    assert curves._best_gain(worths, 0, bounds(-10.0, -10.0)) == pytest.approx(200)


def test_sizes_settle_unless_they_move_by_ordinary_regret_matching():
    ordinary, slow = (settled({"range": [0.2, 0.8], "n": n, "iterations": 10_000}) for n in (1, 300))
    assert ordinary["moves"] > 0.5
    assert slow["moves"] < 0.05
    assert slow["size"] == pytest.approx(2**0.5 - 1, abs=0.01)
    assert abs(ordinary["size"] - (2**0.5 - 1)) > 0.05
