"""The experiment on adapting: who plays whom with which cards, and what is made of it."""

import numpy as np
import pytest

from pokerlab.experiments.connectionist import adapting, exploiters
from pokerlab.experiments.connectionist.adapting import FORGETS, IS_TOLD, REMEMBERS, TABLES
from pokerlab.experiments.experiment import Config
from pokerlab.people.exploiting import SimulatedMatches
from pokerlab.players.population import draw_table
from pokerlab.systems.connectionist.population import beginning, initial_model, save_exploiter


def test_both_meet_the_same_opponents_and_cards(tmp_path, monkeypatch):
    """Exploiters that have learnt nothing look at no types, so that remembering them changes nothing."""
    monkeypatch.setattr(exploiters, "HANDS", 4)
    model, table = initial_model(seed=7), "characters, by match"
    blind = beginning(model)._replace(opponents=np.zeros_like(model.parameters.opponents))
    for system in (REMEMBERS, FORGETS):
        about = {"settings": {"players": 6, "memory": adapting.SYSTEMS[system].memory}}
        save_exploiter(adapting.folder_of(table, system, tmp_path) / "weights.bin", blind, model, about)
    found = adapting.play_population(Config({"matches": {table: 3}}, seed=7), tmp_path)
    assert list(found) == [(table, REMEMBERS), (table, FORGETS)]
    assert found[table, REMEMBERS].shape == (3,) and np.unique(found[table, REMEMBERS]).size > 1
    np.testing.assert_array_equal(*found.values())


def test_every_reading_draws_other_tables():
    tables = {table: draw_table(7, 5, drawn.by, drawn.population) for table, drawn in TABLES.items()}
    assert len(set(tables.values())) == len(TABLES)
    assert set(tables["characters, by seat"]) <= {"caller", "random:smallest", "rulebot:tight"}
    assert len(set(tables["characters, by match"])) == 1


def invented(worth):
    """Simulated matches in which being told types, and half as much remembering them, is worth so much."""
    flat = SimulatedMatches(np.zeros(120), np.full(120, 100.0), np.ones(120), np.ones(120), 10_000)
    return {REMEMBERS: worth / 2, FORGETS: 0.0, IS_TOLD: worth}, flat


def test_what_pays_is_said_where_it_does_and_not_elsewhere():
    told, simulated, real = {}, {}, {}
    rng = np.random.default_rng(1)
    for table, worth in zip(TABLES, (0.02, 0.5, 1.0), strict=True):
        told[table] = {"gain": worth / 10, "decisions": 900, "bits": (2.5, 0.3), "named": 0.5}
        means, flat = invented(worth)
        for system, mean in means.items():
            simulated[table, system] = flat._replace(won=np.full(120, mean), squared=np.full(120, 100 + mean**2))
        luck = rng.normal(size=50)
        real[table, REMEMBERS] = luck + worth + 0.1 * rng.normal(size=50)
        real[table, FORGETS] = luck + (worth if worth < 0.1 else 0.0)
    pays, by_worth = adapting._notes(told, simulated, real)
    assert pays.endswith(": characters, by match; characters, by seat.")
    assert "published, by seat 0.010 (0.002); characters, by match 0.250 (0.050);" in by_worth
    sections = adapting._of_lanes(simulated)
    gap = sections[adapting.TITLES["told"]]["characters, by seat"]
    assert gap.mean == pytest.approx(1.0)
    assert gap.half_width == pytest.approx(1.96 * 10 * 2**0.5 / 1_200_000**0.5, rel=1e-3)
    assert sections[adapting.TITLES["explored"]] == {}  # nobody was trained so
    real[adapting.TRIED, adapting.STAKES] = real[adapting.TRIED, REMEMBERS] - 0.25
    found = adapting._of_matches(real, seed=8)
    (tried,) = found[adapting.TITLES["tried"]].items()
    assert tried[0] == adapting.STAKES and tried[1].mean == pytest.approx(-0.25)
    gains = found[adapting.TITLES["real"]]
    assert gains["characters, by seat"].significant and not gains["published, by seat"].significant


def test_gains_are_told_apart_by_who_was_there():
    table = "characters, by seat"
    gamblers = ["random:smallest" in draw_table(8, number, "seat", "characters")[1:] for number in range(60)]
    real = {(table, REMEMBERS): np.array(gamblers, float), (table, FORGETS): np.zeros(60)}
    found = adapting._by_company(real, seed=8)
    assert {who: (gain.mean, gain.n) for who, gain in found.items()} == {
        f"{table}: with random:smallest": (1, sum(gamblers)),
        f"{table}: without random:smallest": (0, 60 - sum(gamblers)),
    }
    assert 0 < sum(gamblers) < 60
