"""Solves as data: configurations, run directories that continue, costs and limits of memory."""

import json
import os
import signal
import time

import numpy as np
import pytest

from pokerlab.caches import WouldCompileError
from pokerlab.errors import FileError, PokerlabError, RulesError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.catalog import game
from pokerlab.games.rules_json import rules_to_json
from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy
from pokerlab.runs import rates
from pokerlab.solvers import cost as costs
from pokerlab.solvers.configs import ALGORITHMS, SolveConfig, SubgameConfig
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.cost import expected_cost
from pokerlab.solvers.memory import check_memory, memory_of, numbers_of
from pokerlab.solvers.runs import CHECKPOINT, problem_of, run_solve, summary
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame, solving_memory
from pokerlab.trees.action_abstraction import abstraction_of, save_abstraction
from pokerlab.trees.betting_tree import build_tree


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_solves_kuhn(algorithm):
    few = algorithm not in ("mccfr", "external", "outcome", "chance", "public")
    config = SolveConfig(game="kuhn", algorithm=algorithm, iterations=300 if few else 20_000, seed=3)
    solution = run_solve(config)
    assert solution.value == pytest.approx(-1 / 18, abs=0.02)
    assert solution.exploitability < 0.04
    assert summary(config, solution)["cites"] == ALGORITHMS[algorithm]


@pytest.mark.slow
def test_public_chance_on_jax_solves_leduc():
    pytest.importorskip("jax")
    config = SolveConfig(game="leduc", algorithm="public", engine="jax", deals_per_iteration=6, iterations=300, seed=3)
    solution = run_solve(config)
    assert solution.value == pytest.approx(-0.0856, abs=0.02)
    assert solution.exploitability < 0.08


def test_what_a_directory_holds(tmp_path):
    config = SolveConfig(game="leduc", iterations=100)
    solution = run_solve(config, tmp_path / "run")
    saved = load_strategy(tmp_path / "run", game("leduc"))
    again = evaluate(Problem(saved.strategy.tree, saved.strategy.cells), saved.strategy)
    assert again.exploitability == solution.exploitability == saved.about["exploitability"]
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    assert result["value"] == solution.value
    assert result["nash_conv"] == pytest.approx(2 * solution.exploitability)
    assert result["bounds"][0] <= -0.0856 <= result["bounds"][1]
    assert [look["iteration"] for look in result["looks"]] == [1, 2, 5, 10, 20, 50, 100]


def test_equal_solves_have_equal_files(tmp_path):
    """However long each took, and whether it was made in one go."""
    for iterations, name in ((60, "a"), (20, "b"), (60, "b")):
        run_solve(SolveConfig(game="leduc", iterations=iterations), tmp_path / name)
    files = [(tmp_path / name / STRATEGY_FILE).read_bytes() for name in "ab"]
    assert files[0] == files[1]
    results = [json.loads((tmp_path / name / "result.json").read_text()) for name in "ab"]
    assert results[0]["seconds"] > 0 and results[0]["seconds"] != results[1]["seconds"]


def test_a_strategy_file_of_an_older_version_still_has_its_seconds(tmp_path):
    run_solve(SolveConfig(game="kuhn", iterations=5), tmp_path / "run")
    about, arrays = read_arrays(tmp_path / "run" / STRATEGY_FILE, "strategy")
    write_arrays(tmp_path / "old.bin", "strategy", {**about, "made": {**about["made"], "seconds": 1.5}}, arrays)
    assert load_strategy(tmp_path / "old.bin").about["seconds"] == 1.5


def test_a_subgame_is_solved_from_its_rules_alone(tmp_path):
    """As `python -m pokerlab.run` reads them; in a directory, the bits are those of the engine."""
    subgame = make_subgame("Ks7h2d5c", ("AK, 66", "QQ, T9s:0.5"), pot=100, stack=150, sizes="1p")
    asked = {"game": json.loads(rules_to_json(subgame.tree.rules)), "sizes": "1p", "threads": 2}
    for iterations in (10, 30):  # the second goes on from the first
        solution = run_solve(SolveConfig.from_data({**asked, "iterations": iterations}), tmp_path / "turn")
    straight = solve(SubgameCfr(subgame), iterations=30)
    assert all(np.array_equal(x, y) for x, y in zip(solution.strategy.p, straight.strategy.p, strict=True))
    saved = load_strategy(tmp_path / "turn", subgame.tree.rules)
    assert saved.about["algorithm"] == "dcfr" and saved.about["value"] == straight.value
    assert SubgameCfr(subgame).evaluate_strategy(saved.strategy).value == pytest.approx(straight.value, abs=1e-4)
    config = SolveConfig.from_data({**asked, "cards": "lossless"})
    assert expected_cost(config, seconds=0.01).memory == solving_memory(subgame)
    with pytest.raises(PokerlabError, match="offer fewer sizes and narrow the ranges"):
        check_memory(config, problem_of(config), available=10_000)
    with pytest.raises(RulesError, match="pr5 is a card abstraction of hold'em; for turn subgame use"):
        run_solve(SolveConfig.from_data({**asked, "cards": "pr5"}))


def test_the_same_command_goes_on_and_another_is_refused(tmp_path):
    config = SolveConfig(game="leduc", iterations=60)
    straight = run_solve(config, tmp_path / "a")
    interrupt_at(20, config, tmp_path / "b")
    assert int(read_arrays(tmp_path / "b" / CHECKPOINT, "solver checkpoint")[1]["iteration"]) < 60
    assert not (tmp_path / "b" / STRATEGY_FILE).exists()
    resumed = run_solve(config, tmp_path / "b")
    assert resumed.iterations == 60
    assert all(np.array_equal(x, y) for x, y in zip(straight.strategy.p, resumed.strategy.p, strict=True))
    with pytest.raises(PokerlabError, match=r"holds another run \(algorithm was \"cfr\+\", now \"dcfr\"\)"):
        run_solve(SolveConfig(game="leduc", iterations=60, algorithm="dcfr"), tmp_path / "b")


def test_a_finished_run_goes_on_with_more_iterations(tmp_path):
    for iterations in (40, 60):
        longer = run_solve(SolveConfig(game="leduc", iterations=iterations), tmp_path / "a")
    straight = run_solve(SolveConfig(game="leduc", iterations=60))
    assert longer.iterations == 60
    assert all(np.array_equal(x, y) for x, y in zip(straight.strategy.p, longer.strategy.p, strict=True))
    with pytest.raises(PokerlabError, match="already has 60 iterations, more than 50"):
        run_solve(SolveConfig(game="leduc", iterations=50), tmp_path / "a")


@pytest.mark.parametrize(
    ("game", "cards", "algorithm", "engine", "without_jax"),
    [
        ("leduc", None, "cfr+", "numba", "numba"),
        ("leduc", "lossless", "cfr+", "numba", "numba"),
        ("kuhn3p", None, "cfr+", "numba", "numba"),
        ("nolimit2p", "pr5", "dcfr+", "jax", "numba"),
        ("limit3p", "pr5", "mccfr", "numba", "numba"),
        ("nolimit2p", "ir100", "mccfr", "numba", "numba"),
    ],
)
def test_what_is_used_when_nothing_is_named(monkeypatch, game, cards, algorithm, engine, without_jax):
    monkeypatch.setattr("pokerlab.solvers.configs.find_spec", lambda name: object())
    config = SolveConfig(game=game, cards=cards)
    assert (config.algorithm, config.engine) == (algorithm, engine)
    monkeypatch.setattr("pokerlab.solvers.configs.find_spec", lambda name: None)
    without = SolveConfig(game=game, cards=cards)
    assert (without.algorithm, without.engine) == (algorithm, without_jax)
    assert SolveConfig(game="kuhn", algorithm="lp").engine == "highs"


def test_a_run_does_not_change_its_engine_behind_anyones_back(tmp_path):
    run_solve(SolveConfig(game="kuhn", engine="numba", iterations=5), tmp_path / "run")
    assert json.loads((tmp_path / "run" / "run.json").read_text())["config"]["engine"] == "numba"
    pytest.importorskip("jax")
    with pytest.raises(PokerlabError, match=r"engine was \"numba\", now \"jax\""):
        run_solve(SolveConfig(game="kuhn", engine="jax", iterations=5), tmp_path / "run")
    with pytest.raises(PokerlabError, match=r"holds another run \(game was kuhn, now leduc\)"):
        run_solve(SolveConfig(game="leduc", iterations=5), tmp_path / "run")


def interrupt_at(iteration, config, directory):
    """Ctrl-C at a look."""

    def press(look):
        if look.iteration == iteration:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run_solve(config, directory, report=press)


def test_a_damaged_checkpoint_is_one_line_and_stays(tmp_path):
    config = SolveConfig(game="kuhn", iterations=10)
    run_solve(config, tmp_path / "run")
    checkpoint = tmp_path / "run" / CHECKPOINT
    checkpoint.write_bytes(checkpoint.read_bytes()[:-80])
    with pytest.raises(FileError, match=r"truncated: .*; remove it to start again"):
        run_solve(config, tmp_path / "run")
    assert checkpoint.exists()


def test_a_run_with_a_file_of_sizes_does_not_go_on_with_other_sizes_in_it(tmp_path):
    file, rules = tmp_path / "sizes.bin", game("leduc-nolimit")

    def write(sizes: str) -> None:
        save_abstraction(file, abstraction_of(build_tree(rules, sizes)), {})

    config = SolveConfig(game="leduc-nolimit", sizes=f"@{file}", iterations=3)
    write("0.5p, all-in")
    run_solve(config, tmp_path / "run")
    assert run_solve(config, tmp_path / "run").iterations == 3
    write("1p, all-in")  # as many decisions
    with pytest.raises(FileError, match="is a checkpoint of another run \\(tree was"):
        run_solve(config, tmp_path / "run")


def test_a_target_stops_it():
    solution = run_solve(SolveConfig(game="leduc", iterations=100_000, target=0.01))
    assert solution.exploitability <= 0.01
    assert solution.iterations < 1000


def test_the_target_of_three_players_is_nash_conv():
    """A target of NashConv is reached later than the same number of half of it."""
    solution = run_solve(SolveConfig(game="kuhn3p", iterations=100_000, target=0.01))
    before = [2 * look.exploitability for look in solution.looks[:-1]]
    assert solution.evaluation.nash_conv <= 0.01 and min(before) > 0.01


def test_three_players_and_jax():
    three = run_solve(SolveConfig(game="kuhn3p", algorithm="cfr", iterations=200))
    assert three.exploitability < 0.02
    assert summary(SolveConfig(game="kuhn3p"), three)["bounds"] is None
    pytest.importorskip("jax")
    dense = run_solve(SolveConfig(game="kuhn", engine="jax", iterations=200))
    assert dense.value == pytest.approx(-1 / 18, abs=1e-3)


def test_rules_stand_for_a_game_and_names_for_directories():
    by_name = SolveConfig(game="leduc")
    by_rules = SolveConfig(game=json.loads(rules_to_json(game("leduc"))))
    assert by_name.data() == by_rules.data()
    assert by_name.directory == by_rules.directory
    assert by_name.directory == SolveConfig(game="leduc", iterations=7).directory
    assert by_name.directory != SolveConfig(game="leduc", seed=1).directory
    assert SolveConfig.from_data(by_name.data()).rules == game("leduc")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"game": "leduc", "algorithm": "crf"}, "no algorithm is called 'crf'; did you mean cfr"),
        ({"game": "leduc", "engine": "cuda"}, "engine must be 'auto' or 'numba' or 'jax' or 'highs', not 'cuda'"),
        ({"game": "leduc", "engine": "jax", "algorithm": "lp"}, "lp has no engine 'jax'; it has highs"),
        ({"game": "leduc", "engine": "jax", "algorithm": "mccfr"}, "mccfr has no engine 'jax'; it has numba"),
        ({"game": "nolimit2p", "cards": "hs3"}, "no card buckets are called 'hs3'"),
        ({"game": "leduc", "target": 0}, "target must be above 0, not 0"),
        ({"game": "leduc", "target": float("nan")}, "target must be above 0, not nan"),
        ({"game": "leduc", "iterations": 0}, "iterations must be at least 1, not 0"),
        ({"game": "leduc", "iterations": "many"}, "iterations must be a whole number, not 'many'"),
        ({"game": "leduc", "iterations": True}, "iterations must be a whole number, not True"),
        ({"game": "leduc", "target": "low"}, "target must be a number or nothing, not 'low'"),
        ({"game": "leduc", "iteration": 5}, "solve has no setting 'iteration'"),
        ({}, "solve needs the setting 'game', text or an object"),
    ],
)
def test_configurations_that_are_wrong(data, says):
    with pytest.raises(PokerlabError) as error:
        SolveConfig.from_data(data)
    assert says in str(error.value)


@pytest.mark.slow
def test_what_is_too_big_is_said_before_anything_is_allocated():
    config = SolveConfig(game="leduc")
    with pytest.raises(
        PokerlabError, match=r"leduc with these sizes and lossless cards has 672 .* pairs: about 0.0 GB"
    ):
        check_memory(config, problem_of(config), available=1000)
    check_memory(config, problem_of(config), available=10**7)
    with pytest.raises(RulesError, match="more than 3,000,000 decisions; offer fewer sizes"):
        problem_of(SolveConfig(game="nolimit2p", sizes="min", cards="pr5"))
    with pytest.raises(RulesError, match="too many cards to tell every hand apart"):
        run_solve(SolveConfig(game="nolimit2p"))


def test_costs_come_from_iterating_a_little(monkeypatch):
    monkeypatch.setattr(rates, "stored_rates", lambda *_, **__: None)
    cost = expected_cost(SolveConfig(game="leduc", iterations=10_000), seconds=0.05)
    assert cost.counts == {"decisions": 36, "information_sets": 288, "pairs": 672}
    assert 1e-6 < cost.seconds / 10_000 < 0.01
    assert cost.disk > 672 * 8 * 3
    assert expected_cost(SolveConfig(game="kuhn", algorithm="lp")).seconds is None


def test_a_dry_run_of_a_subgame_compiles_nothing(monkeypatch):
    monkeypatch.setattr(costs, "engine_of", lambda *_, **__: refused())
    monkeypatch.setattr(costs, "usable_cores", lambda: 2)
    turn = SubgameConfig(board="Ks7h2d5c", ranges=("30%", "30%"), pot=60, stack=200, iterations=100, threads=2).solve
    cost, numbers = expected_cost(turn), numbers_of(problem_of(turn))
    assert cost.seconds == pytest.approx(6.5e-9 * numbers * 95 / 2) and numbers > 1_000_000
    assert cost.disk > 8 * numbers
    assert "(at a usual rate: none was measured here yet)" in str(cost)


def refused():
    raise WouldCompileError


def test_a_run_keeps_its_rate_for_the_next_estimate(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(rates, "RATED_SECONDS", 0.0)
    solution = run_solve(SolveConfig(game="leduc", iterations=50), tmp_path / "run")
    monkeypatch.setattr(costs, "engine_of", None)  # nothing is tried
    cost = expected_cost(SolveConfig(game="leduc", iterations=1000, seed=3))
    assert cost.seconds == pytest.approx(solution.seconds * 20) and cost.rate == "stored"
    assert "(at the rate of the last such run here)" in str(cost)
    with pytest.raises(TypeError):  # another algorithm would be tried
        expected_cost(SolveConfig(game="leduc", algorithm="dcfr"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "tried"),
    [
        (SolveConfig(game="leduc-unrestricted"), 1_248),  # with two raises a street
        (SubgameConfig(board="KsQh7d2c", ranges=("AA", "KK"), pot=10, stack=20, threads=1).solve, None),
        (SolveConfig(game="limit2p", cards="pr5", engine="numba"), None),
        (
            SubgameConfig(
                board="KsQh7d", ranges=("AA", "KK"), pot=10, stack=40, bets="flop 33; turn+river 50, e", threads=1
            ).solve,
            None,
        ),
        (
            SubgameConfig(
                board="KsQh7d2c", ranges=("AA", "KK"), pot=10, stack=20, sizes="turn: 1p; street2: 0.5p"
            ).solve,
            None,
        ),
    ],
)
def test_a_dry_run_of_a_large_solve_tries_a_smaller_one(config, tried, monkeypatch):
    problem, made = problem_of(config), []
    monkeypatch.setattr(rates, "stored_rates", lambda *_, **__: None)
    most = memory_of(config, problem) - 1
    monkeypatch.setattr(costs, "engine_of", lambda config, smaller, compact: made.append(smaller) or Idle(smaller))
    cost = expected_cost(config, seconds=0.001, most=most)
    (smaller,) = made
    assert memory_of(config, smaller) <= most
    assert cost.counts["pairs_tried"] == (tried or smaller.counts[1]) < cost.counts["pairs"] == problem.counts[1]
    assert cost.memory == most + 1
    assert "(by a smaller game of " in str(cost)
    nothing = expected_cost(config, seconds=0.001, most=0)
    assert nothing.seconds == costs.iterations_to_target(config) * costs.usual_seconds(config, problem)
    assert (cost.rate, nothing.rate) == ("tried", "usual")
    assert len(made) == 1


class Idle:
    """An engine that does nothing."""

    def __init__(self, problem):
        self.about = {}

    def init(self):
        return {"iteration": np.array(0)}

    def step(self, arrays, n):
        time.sleep(0.001)
        return {"iteration": arrays["iteration"] + n}


def test_sampled_boards_of_a_gpu_are_counted_in_its_memory():
    one, many = (
        SolveConfig(game="nolimit2p", cards="ir100", algorithm="public", engine="jax", deals_per_iteration=n)
        for n in (1, 32)
    )
    problem = problem_of(one)
    boards = 4 * 3 * 1326 * problem.tree.n_edges
    assert memory_of(many, problem) - memory_of(one, problem) == 31 * boards
