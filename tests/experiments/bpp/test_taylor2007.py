"""Taylor (2007): what is computed agrees with what is printed, and what is played has the shape of the tables."""

from pathlib import Path

import pytest

from pokerlab.experiments.bpp import defaults, learned, rivals
from pokerlab.experiments.bpp.curves import APART, FITTED, PRINTED, fitted_player
from pokerlab.experiments.bpp.matches import MODELS, play, settings_of, won
from pokerlab.experiments.bpp.types import USED
from pokerlab.experiments.experiment import Config, Table
from pokerlab.experiments.records import experiment
from pokerlab.experiments.request import draw
from pokerlab.experiments.results import Result
from pokerlab.systems.bpp.opponent import WIN
from pokerlab.systems.bpp.variants import FITTED_BLUFFS, FITTED_CURVES, SHIFTS, VARIANTS

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
    tables = settings_of("hybrid/0/old").tables
    assert tables[0, 0] == pytest.approx(tables[0, 2])


def test_types_are_followed() -> None:
    found = run("taylor2007-types", trials=4, turns=2, hands=70)
    calls = found[f"{USED}: calls of conservative opponents, %"]
    assert sum(number.mean for number in calls.values()) == pytest.approx(100)
    assert calls["called conservative"].mean >= 75
    assert calls["called aggressive"].mean == 0
    curve = found.sections["figure 4.2: conservative opponent"]
    assert curve.role == "by action"
    assert curve.points[-1][1].mean > 80  # percent
    aggressive = found.sections["figure 4.2: aggressive opponent"]
    assert aggressive.points[-1][1].mean < 20


def test_recorded_calls_are_right_often_enough_with_the_base_type() -> None:
    """Base called base in 80% of trials, the others right in 90% within 200 actions, wrong calls counted."""
    record = Result.read(RESULTS / "taylor2007-types.json").ours
    for style, least in (("base", 80), ("aggressive", 90), ("conservative", 90)):
        calls = record[f"{USED}: calls of {style} opponents, %"]
        assert calls[f"called {style}"].mean >= least
        assert sum(number.mean for number in calls.values()) == pytest.approx(100)


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


def test_the_chosen_default_is_compared_with_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among three clear cases the best is chosen and is better than the worst; pairs have the same cards."""
    for name, value in {"CANDIDATES": ("folder", "caller", "rulebot"), "CHOOSING": ("raiser",)}.items():
        monkeypatch.setattr(defaults, name, value)
    monkeypatch.setattr(defaults, "OTHERS", ("caller", "random"))
    found = run("taylor2007-defaults", choosing=3, matches=4, hands=60)
    assert found.notes[0] == "Chosen: rulebot, which wins most from raiser together."
    gains = found["test: gain of rulebot over, small bets/hand"]
    mean = found["test: mean over opponents, small bets/hand"]
    assert gains["folder"].mean == pytest.approx(mean["rulebot"].mean - mean["folder"].mean)
    assert gains["folder"].low > 0.5
    assert found["test: p-values after Holm of these gains"]["folder"].mean < 0.05
    assert "it wins more than folder, caller, less than nobody" in found.notes[1]
    each = [found[f"test: against {other}, small bets/hand"]["caller"].mean for other in ("caller", "random")]
    assert sum(each) / 2 == pytest.approx(mean["caller"].mean)


def test_the_default_is_the_recorded_choice_and_no_player_is_better() -> None:
    record = Result.read(RESULTS / "taylor2007-defaults.json").ours
    chosen = max(
        defaults.CANDIDATES, key=lambda player: record["choosing: mean over opponents, small bets/hand"][player].mean
    )
    assert VARIANTS[""] == VARIANTS[chosen.removeprefix("bpp:")]
    gains = record[f"test: gain of {chosen} over, small bets/hand"]
    assert set(gains) == set(defaults.CANDIDATES) - {chosen}
    assert min(gain.mean for gain in gains.values()) > 0


def test_players_of_the_tables_are_named_agents() -> None:
    for model in MODELS:
        assert settings_of(f"hybrid/0.0/{model}") == VARIANTS[f"{model}-table"]


def test_types_learned_of_other_players_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "WATCHED", ("caller", "raiser"))
    found = run("taylor2007-learned-types", logs=1, logged=40, matches=2, hands=25)
    assert found["bets and raises in the logs, %"]["raiser"].mean > 90  # at the cap it calls
    assert found["raiser is called, %"]["raiser"].mean == found["caller is called, %"]["caller"].mean == 100
    assert found.notes[0].startswith("After 25 hands a player is called its own type in 4 of 4 matches")
    gains = found["gain of all types over printed types, small bets/hand"]
    assert set(gains) == {"caller", "raiser"}


@pytest.mark.slow
def test_tables_of_matches_have_every_cell() -> None:
    found = run("taylor2007-exact-tables", hands=10)
    assert len(found.sections) == 3
    assert all("gain of the exact table over base" in found[title] for title in found)


def test_the_players_curves_are_those_that_were_fitted() -> None:
    record = Result.read(RESULTS / "taylor2007-curves.json").ours
    player = fitted_player({name: number.mean for name, number in record[FITTED].items()})
    assert player.decides == FITTED_CURVES
    assert player.bluffs == pytest.approx(FITTED_BLUFFS)
    assert player.shifts == SHIFTS


def test_fitted_curves_are_within_six_points_a_cell_on_other_cards() -> None:
    found = run("taylor2007-generated", matches=1, hands=1000)
    printed = experiment("taylor2007-generated").published
    for title in PRINTED.values():
        apart = [abs(number.mean - printed[title][cell].mean) for cell, number in found[title].items()]
        assert sum(apart) / len(apart) < 6


def test_a_short_fit_is_deterministic_and_improves() -> None:
    found = [run("taylor2007-curves", deals=150, evaluations=25) for _ in range(2)]
    assert found[0] == found[1]
    before, after = (found[0][f"{who}: {APART}"] for who in ("before the fit", "fitted"))
    assert sum(number.mean for number in after.values()) < sum(number.mean for number in before.values())
