"""Training by recipe: what is kept and where, rounding, resuming, and what it would cost."""

import numpy as np
import pytest

from pokerlab.agents import equilibrium_training as equilibrium
from pokerlab.agents import recipes
from pokerlab.agents.equilibrium_training import Training, training_cost
from pokerlab.agents.recipes import Recipe, recipe, trained_path
from pokerlab.errors import PokerlabError
from pokerlab.players.registry import agent
from pokerlab.policies.strategy_files import about_strategy, load_strategy
from pokerlab.requests.equilibrium import TrainEquilibrium
from pokerlab.run import main
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem

LEDUC = Recipe(game="leduc", cards="lossless", algorithm="cfr+", iterations=400, cites="", note="")
KUHN3 = Recipe(
    game="kuhn3p", cards="lossless", algorithm="linear", iterations=20, deals_per_iteration=8, cites="", note=""
)


@pytest.fixture(autouse=True)
def small_recipes(monkeypatch, tmp_path):
    """Recipes of games that are solved in a moment, and a cache directory of their own."""
    monkeypatch.setattr(recipes, "RECIPES", {**recipes.RECIPES, "leduc": LEDUC, "kuhn3p": KUHN3})
    monkeypatch.setattr(recipes, "cache_directory", lambda: tmp_path / "cache")


def test_the_player_is_put_where_it_is_found(tmp_path):
    with pytest.raises(PokerlabError, match="pokerlab train equilibrium leduc"):
        agent("equilibrium:leduc")
    done = TrainEquilibrium(name="leduc").run(tmp_path / "run").result
    assert done.installed and done.path == trained_path("leduc")
    assert done.path.read_bytes() == (tmp_path / "run" / "player.bin").read_bytes()
    assert agent("equilibrium:leduc").rules.name == "leduc"
    assert done.summary["exploitability"] < 0.002


def test_the_file_says_what_rounding_cost(tmp_path):
    TrainEquilibrium(name="leduc").run(tmp_path)
    saved, exact = load_strategy(tmp_path / "player.bin"), load_strategy(tmp_path / "strategy.bin")
    found = evaluate(Problem(saved.strategy.tree, saved.strategy.cells), saved.strategy)
    assert saved.about["exploitability"] == pytest.approx(found.exploitability)
    assert saved.about["before_rounding"] == pytest.approx(exact.about["exploitability"])
    assert saved.about["recipe"] == "leduc"
    assert max(np.abs(a - b).max() for a, b in zip(saved.strategy.p, exact.strategy.p, strict=True)) < 1 / 255


def test_fewer_iterations_make_another_player_and_the_rest_goes_on_from_there(tmp_path):
    first = TrainEquilibrium(name="leduc", iterations=100).run(tmp_path / "run").result
    assert not first.installed and first.path == tmp_path / "run" / "player.bin"
    assert not trained_path("leduc").exists()
    TrainEquilibrium(name="leduc").run(tmp_path / "run")
    TrainEquilibrium(name="leduc").run(tmp_path / "at once")
    p = [load_strategy(tmp_path / place / "strategy.bin").strategy.p for place in ("run", "at once")]
    assert all(np.array_equal(a, b) for a, b in zip(*p, strict=True))


def test_three_players_are_kept_without_a_value(tmp_path):
    done = TrainEquilibrium(name="kuhn3p", threads=2).run(tmp_path).result
    made = about_strategy(done.path)["made"]
    assert made["iterations"] == 20 and "before_rounding" not in made
    assert agent("equilibrium:kuhn3p").rules.n_seats == 3


def test_recipes_are_configurations_of_runs():
    for name in ("limit2p", "nolimit2p", "limit3p", "nolimit2p-large"):
        config = SolveConfig.from_data(recipe(name).config)
        assert (config.cards, config.iterations) == (recipe(name).cards, recipe(name).iterations)
    rules = recipe("limit3p").rules
    assert [street.max_raises for street in rules.streets] == [3, 2, 1, 1]
    assert Training(name="limit3p", threads=64).config.threads == 16


@pytest.mark.slow
def test_costs(monkeypatch, tmp_path):
    cost = training_cost(Training(name="leduc"))
    assert cost.counts["buckets_seconds"] == 0 and 0 < cost.seconds < 60 and cost.disk > 1000
    monkeypatch.setattr(equilibrium, "buckets_path", lambda name: tmp_path / name)
    monkeypatch.setattr(equilibrium, "usable_cores", lambda: 2)
    cost = training_cost(Training(name="limit3p"))
    building = cost.counts["buckets_seconds"]
    assert building == pytest.approx(94, abs=1)  # 140 + 48 seconds of processor time
    assert cost.seconds == pytest.approx(building + 319 * 9 / 2) and cost.memory is None
    assert cost.seconds < 30 * 60


def test_the_plain_command(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text('{"kind": "train equilibrium", "name": "leduc", "iterations": 10}')
    assert main([str(config), "--out", str(tmp_path / "run")]) == 0
    assert "10 iterations in" in capsys.readouterr().out
    config.write_text('{"kind": "train equilibrium", "name": "chess"}')
    assert main([str(config)]) == 2
    assert "no equilibrium player is called 'chess'" in capsys.readouterr().err


def test_a_training_that_does_not_fit_is_refused_before_anything_is_built(tmp_path, capsys, monkeypatch):
    training = pytest.importorskip("pokerlab.agents.response_training", exc_type=ImportError)
    monkeypatch.setattr(training, "device_or_available_memory", lambda: 4_500_000_000)
    monkeypatch.setattr(equilibrium, "make_buckets", lambda name: pytest.fail("built buckets"))
    config = tmp_path / "config.json"
    config.write_text('{"kind": "train equilibrium", "name": "limit2p-robust"}')
    assert main([str(config), "--out", str(tmp_path / "run")]) == 2
    refusal = "this training takes about 8.7 GB of memory, and 4.5 GB are free; 5,000 cells of the river would fit"
    assert f"{refusal}, pr12-10-9-9 has 9,720" in capsys.readouterr().err
