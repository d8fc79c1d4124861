"""Runs as pages watch them: what their files say so far, and nothing that they do not."""

import asyncio
import json

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, request
from watched_runs import tournament_of

from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.files import write_arrays
from pokerlab.requests.tournament import Tournament
from pokerlab.runs.directory import is_under_way, open_run
from pokerlab.runs.steps import CHECKPOINT
from pokerlab.runs.workers import here
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.runs import run_solve
from pokerlab.systems.bets.saved_runs import RUN
from pokerlab.systems.connectionist.settings import TrainSettings
from pokerlab.table.tournament import TournamentPlan, play_tournament
from pokerlab.web.hall import Hall
from pokerlab.web.server import application
from pokerlab.web.watch import Runs


def test_a_part_of_a_tournament_is_reckoned_as_a_shorter_one(tmp_path):
    """Of the last deals one table is missing: what is shown is the tournament of the deals before."""
    plan, config = tournament_of("leduc", "caller", "raiser", "random", hands=30)
    with open_run(tmp_path / "cup", "tournament", config) as run:
        play_tournament(plan, make="pokerlab.players.registry:agent", runner=here, run=run)
    sorted((tmp_path / "cup" / "matches").iterdir())[-1].unlink()
    seen = Runs(tmp_path).run("cup")
    shorter = TournamentPlan(plan.rules, plan.agents, 20, match_hands=10, seed=7)
    result = play_tournament(shorter, make="pokerlab.players.registry:agent", runner=here)
    assert (seen["done"], seen["total"]) == (17, 18)
    assert (seen["tournament"]["hands"], seen["tournament"]["of_hands"]) == (20, 30)
    assert [agent["mean"] for agent in seen["tournament"]["agents"]] == [
        result.bankroll[i].mean for i in result.ranking
    ]
    for path in (tmp_path / "cup" / "matches").iterdir():
        path.unlink()
    assert Runs(tmp_path).run("cup")["tournament"] is None


def test_a_tournament_with_a_secret_seed_is_found(tmp_path, monkeypatch):
    """Its matches were dealt from the seed that the run drew, wherever the page is served from."""
    source = (
        "from pokerlab.games.actions import CALL\nclass Calls:\n    def act(self, view, rng):\n        return CALL\n"
    )
    (tmp_path / "calling_bot.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    cup = Tournament(game="leduc", agents=("py:calling_bot:Calls", "raiser"), hands=20)
    answer = cup.run(tmp_path / "runs" / "cup", workers=1)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    seen = Runs(tmp_path / "runs").run("cup")
    assert seen["done"] == seen["total"] > 0
    assert seen["tournament"]["seed"] == answer.data["seed"] >= 2**62
    means = [agent["mean"] for agent in seen["tournament"]["agents"]]
    assert means == [agent["mean"] for agent in answer.data["agents"]]


def test_runs_under_way_come_first_and_others_are_not_looked_into(tmp_path):
    run_solve(SolveConfig(game="kuhn", iterations=5), tmp_path / "solved")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("{")
    with open_run(tmp_path / "other", "egta", {}), open_run(tmp_path / "going", "solve", {"game": "kuhn"}):
        listed = Runs(tmp_path).listed()
        assert is_under_way(tmp_path / "going") and not is_under_way(tmp_path / "solved")
    assert [(run["name"], run["game"], run["under_way"]) for run in listed] == [
        ("going", "kuhn", True),
        ("solved", "kuhn", False),
    ]
    assert not is_under_way(tmp_path / "going")
    assert Runs(tmp_path / "nowhere").listed() == []
    for name in ("..", "nothing", ".", "going/../going"):
        with pytest.raises(PokerlabError, match="there is no run"):
            Runs(tmp_path).run(name)
    with pytest.raises(PokerlabError, match="a run of egta saves nothing to show"):
        Runs(tmp_path).run("other")


def test_the_curve_of_a_solve_is_that_of_its_looks(tmp_path):
    solution = run_solve(SolveConfig(game="kuhn", iterations=50), tmp_path / "solved")
    seen = Runs(tmp_path).run("solved")
    worst, value = seen["curves"]
    assert seen["done"] == 50
    assert [x for x, _ in worst["points"]] == [1, 2, 5, 10, 20, 50]
    assert worst["points"][-1][1] == pytest.approx(solution.exploitability, rel=1e-5)
    assert value["points"][-1][1] == pytest.approx(solution.value, rel=1e-5)


def test_trainings_and_searches_are_drawn_as_far_as_they_are(tmp_path):
    settings = TrainSettings(players=2, hands=10_000_000)
    curve = np.zeros((349, 7))
    curve[:3, 0], curve[:3, 1] = 2.0, [-8, -6, -4]
    with open_run(tmp_path / "net", "train connectionist", settings.data()) as run:
        arrays = {"iteration": np.array(14), "curve": curve, "looks": np.zeros(0)}
        write_arrays(run.path / "checkpoint.bin", CHECKPOINT, {"seconds": 9.5}, arrays)
    likelihood = Runs(tmp_path).run("net")["curves"][0]
    assert [y for _, y in likelihood["points"]] == [-4, -3]  # the third row is not full yet: seven batches make one
    assert likelihood["points"][0][0] == pytest.approx(3.5 * settings.batch / 1e6)
    with open_run(tmp_path / "q", "train q", {"game": "limit3p"}) as run:
        won = np.repeat([1.0, 2.0, 0.0], [300, 100, 600])
        arrays = {"iteration": np.array(400), "curve": won, "looks": np.zeros(0)}
        write_arrays(run.path / "checkpoint.bin", CHECKPOINT, {"seconds": 1.0}, arrays)
    seen = Runs(tmp_path).run("q")
    assert (seen["done"], seen["total"]) == (400, 1000)
    assert [y for _, y in seen["curves"][0]["points"]] == [1.0] * 150 + [2.0] * 50
    with open_run(tmp_path / "bets", "bets", {"game": "leduc-nolimit"}) as run:
        for number, low in ((1, 0.1), (2, 0.2)):
            worth = Estimate(low, low, low + 0.02, 1, "chips_per_hand", "bounds").__dict__
            about = {"number": number, "worth": worth, "seconds": 1.0, "value_seconds": 0.5}
            write_arrays(run.path / f"run-{number:02}.bin", RUN, about, {})
        write_arrays(run.path / "run-03-sizing.bin", CHECKPOINT, {}, {})
    seen = Runs(tmp_path).run("bets")
    assert (seen["done"], seen["seconds"]) == (2, 3.0)
    assert seen["curves"][0]["points"] == [[1, 0.11], [2, 0.21]]
    assert seen["curves"][0]["bounds"] == [[0.1, 0.12], [0.2, 0.22]]


def test_pages_are_told_of_runs(tmp_path):
    run_solve(SolveConfig(game="kuhn", iterations=5), tmp_path / "runs" / "solved")
    app = application(Hall(tmp_path, ()), hosts=[HOST], runs=tmp_path / "runs")

    async def go():
        return [await request(app, path) for path in ("/api/runs", "/api/runs/solved", "/api/runs/%2e%2e")]

    listed, one, none = asyncio.run(go())
    assert [run["name"] for run in json.loads(listed[2])["runs"]] == ["solved"]
    assert json.loads(one[2])["unit"] == "iterations"
    assert none[0] in (400, 404)
