"""RE-BETS to REFINED-BETS on no-limit Leduc, pruning, and searches that are kept."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.errors import FileError, PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.files import read_arrays
from pokerlab.games.catalog import game
from pokerlab.run import main
from pokerlab.runs.steps import CHECKPOINT, Watch, seconds_before, take_steps
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import DEFAULT_RANGES, Range
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.systems.bets import saved_runs
from pokerlab.systems.bets.config import SizingConfig, config_of
from pokerlab.systems.bets.saved_runs import Progress, find_bets
from pokerlab.systems.bets.search import Search, best_run, bet_rows, important_bets, make_sizer, run_bets, search_sizes
from pokerlab.trees.action_abstraction import load_abstraction
from pokerlab.trees.betting_tree import BettingTree, build_tree

RULES = game("leduc-nolimit")
CELLS = Lossless(RULES)
LEDUC = {"game": "leduc-nolimit", "engine": "numba"}  # Kuhn compiles faster in JAX
FCPA = -0.0713722547  # exact; Hawkin (2014) gives -0.072


def exact_value(chips: float) -> Estimate:
    return Estimate(chips, chips, chips, None, "chips_per_hand", kind="exact")


def value(tree: BettingTree) -> float:
    return solve_lp(Problem(tree, CELLS)).value


def test_the_baseline() -> None:
    assert value(build_tree(RULES, "fcpa")) == pytest.approx(FCPA, abs=1e-9)


@pytest.mark.parametrize(("player", "worth"), [(0, -0.060), (1, -0.078)])
def test_bets_is_worth_what_the_thesis_found(player: int, worth: float) -> None:
    """Section 5.2: one run from [0.8, 1.5]."""
    ranges: list[list[Range]] = [[], []]
    ranges[player] = [Range(0.8, 1.5)]
    tree = build_sized_tree(RULES, sides("all-in | fcpa" if player == 0 else "fcpa | all-in", ranges))
    bets = Bets(tree, CELLS, deals_of(CELLS.pairs), BetsSettings(), iterations=6000)
    size = bets.sizes(bets.step(bets.init(), 6000))
    assert value(tree.tree(size)) == pytest.approx(worth, abs=0.0006)


@pytest.mark.slow
def test_re_bets_gains_more_than_the_first_run() -> None:
    """Section 5.8: about 21% for player one after ten runs; here four, each of fewer iterations."""
    both = sides("all-in | fcpa", ([Range(0.8, 1.0)], []))
    sizer = make_sizer(CELLS, BetsSettings(), iterations=4000, engine="numba")
    gains = [
        100 * (value(run.abstraction) - FCPA) / -FCPA
        for run in search_sizes(RULES, both, sizer, Search(runs=4, keeps="width"))
    ]
    assert gains[0] < 3 < 10 < gains[-1] < 22
    assert sorted(gains) == gains


def test_pruning_keeps_the_best_of_every_decision_and_some_extras() -> None:
    tree = build_sized_tree(RULES, sides("all-in | fcpa", (DEFAULT_RANGES[2], [])))
    rng = np.random.default_rng(2)
    importance = rng.random(tree.n_bets)
    for extra in (0, 1, 4):
        kept = important_bets(tree, importance, extra)
        decisions = [path[:-1] for path in kept]
        assert len(decisions) - len(set(decisions)) == extra
        for path in kept:  # nobody is kept below a bet that is not
            assert all(path[:n] in kept for n in range(1, len(path)) if path[:n] in tree.paths)
    best = dict(zip(tree.paths, importance.tolist(), strict=True))
    kept = important_bets(tree, importance, 0)
    for path in kept:
        other = (*path[:-1], "r1" if path[-1] == "r0" else "r0")
        assert best[path] >= best.get(other, 0)


def test_a_pruned_search_has_extra_bets_from_then_on() -> None:
    both = sides("all-in | fcpa", (DEFAULT_RANGES[2], []))
    sizer = make_sizer(CELLS, BetsSettings(), iterations=300, engine="numba")
    for run in search_sizes(RULES, both, sizer, Search(runs=3, extra=2)):
        decisions = [path[:-1] for path in run.tree.paths]
        assert len(decisions) - len(set(decisions)) == 2
        assert np.all((run.size >= run.tree.bets.low) & (run.size <= run.tree.bets.high))


def test_both_players_can_be_sized_at_once() -> None:
    both = sides("all-in | all-in", ([Range(0.71, 0.94)], [Range(0.71, 0.94)]))
    sizer = make_sizer(CELLS, BetsSettings(), iterations=500, engine="numba")
    *_, run = search_sizes(RULES, both, sizer, Search(runs=2))
    assert set(run.tree.bets.player.tolist()) == {0, 1} and run.tree.n_bets == 24
    assert -0.1 < value(run.abstraction) < -0.03


def test_a_kept_search_goes_on_where_it_was(tmp_path: Path) -> None:
    config = {**LEDUC, "players": [1], "ranges": ["0.5-0.69", "1.08-1.38"], "iterations": 200, "extra": 1}
    whole = find_bets(config_of({**config, "runs": 3}))
    find_bets(config_of({**config, "runs": 1}), tmp_path / "search")
    seen: list[int] = []
    parts = find_bets(config_of({**config, "runs": 3}), tmp_path / "search", report=lambda run: seen.append(run.number))
    assert seen == [1, 2, 3]
    for one, other in zip(whole, parts, strict=True):
        assert one.tree.paths == other.tree.paths and one.pairs == other.pairs
        np.testing.assert_array_equal(one.size, other.size)
        assert one.worth == other.worth
    rows = bet_rows(parts[-1])
    assert [row.importance for row in rows] == sorted((row.importance for row in rows), reverse=True)
    with pytest.raises(PokerlabError, match="holds another run"):
        find_bets(config_of({**config, "runs": 3, "n": 50}), tmp_path / "search")


@pytest.mark.parametrize(("player", "expected"), [("1", {1: 1, 2: 2, 3: 2}), ("0", {1: 1, 2: 1, 3: 1})])
def test_the_sizes_of_a_search_are_those_of_its_best_run(
    player: str, expected: dict[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = iter([0.3, -0.2, 0.1])  # to player 0
    monkeypatch.setattr(saved_runs, "worth_of", lambda *_: exact_value(next(values)))
    found = {}
    for runs in (1, 2, 3, 2):  # the last one reads what is there
        config = config_of({**LEDUC, "player": player, "iterations": 50, "runs": runs})
        last = find_bets(config, tmp_path)[-1]
        assert last.number == runs
        found[runs] = load_abstraction(tmp_path / "sizes.bin").about["run"]
    assert found == expected


def test_without_values_or_with_both_players_sized_the_last_run_is_the_result(tmp_path: Path) -> None:
    for number, more in enumerate(({"value_iterations": 0}, {"player": "both"})):
        config = config_of({**LEDUC, "iterations": 20, "runs": 2, **more})
        assert best_run(find_bets(config, tmp_path / str(number)), config.players).number == 2


def test_runs_on_sampled_deals_draw_their_own() -> None:
    tree = build_sized_tree(RULES, sides("all-in | fcpa", ([Range(0.8, 1.2)], [])))
    for exact in (True, False):
        sizer = make_sizer(CELLS, BetsSettings(exact=exact, n=100), iterations=300, engine="numba")
        first, again, second = (run_bets(sizer(tree, number)).size for number in (1, 1, 2))
        np.testing.assert_array_equal(first, again)
        assert (first == second).all() == exact


def interrupt_in(stage: str, config: SizingConfig, directory: Path) -> None:
    """Ctrl-C in the second run, at the first sign of life from a stage."""
    pressed: list[Progress] = []

    def press(at: Progress) -> None:
        if (at.run, at.stage) == (2, stage) and not pressed:
            assert 0 < at.done < at.iterations
            pressed.append(at)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        find_bets(config, directory, progress=press)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["numba", "jax"])
def test_a_search_stopped_inside_a_run_ends_with_the_same_bits(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "jax":
        pytest.importorskip("jax")
    monkeypatch.setattr(
        "pokerlab.systems.bets.abstraction_worth.MAX_SIZE", 0
    )  # no linear program: it cannot be stopped
    config = config_of(
        {
            **({"game": "kuhn-nolimit", "opponent": "min", "ranges": ["0.2-0.5"]} if engine == "jax" else LEDUC),
            "iterations": 60,
            "runs": 2,
            "value_iterations": 50,
            "max_raises": 2,
            "engine": engine,
        }
    )
    forgot: list[None] = []  # programs of large trees, after each of two runs
    monkeypatch.setattr(saved_runs, "_forget_programs", lambda: forgot.append(None))
    monkeypatch.setitem(saved_runs.MOST_TRIED, "jax", 0)
    whole = find_bets(config, tmp_path / "whole")
    assert len(forgot) == (2 if engine == "jax" else 0)
    for stage in ("sizing", "value"):
        interrupt_in(stage, config, tmp_path / "search")
        assert (tmp_path / "search" / f"run-02-{stage}.bin").exists()
        assert not (tmp_path / "search" / "run-02.bin").exists()
    parts = find_bets(config, tmp_path / "search")
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one.size, other.size)
        np.testing.assert_array_equal(one.importance, other.importance)
        assert one.worth == other.worth
    kept = {path.name for path in (tmp_path / "search").iterdir()}
    assert kept == {"run.json", "run-01.bin", "run-02.bin", "sizes.bin"}
    files = [(tmp_path / name / "sizes.bin").read_bytes() for name in ("whole", "search")]
    assert files[0] == files[1]


@pytest.mark.parametrize("exact", [True, False])
def test_a_run_of_bets_that_was_killed_ends_with_the_same_bits(exact: bool, tmp_path: Path) -> None:
    """Nothing is written on the way out; what counts is the last checkpoint, here one after every step."""
    tree = build_sized_tree(RULES, sides("all-in | fcpa", ([Range(0.8, 1.5)], [])))
    sizer = make_sizer(CELLS, BetsSettings(exact=exact), iterations=300, engine="numba")
    whole = run_bets(sizer(tree))

    class Killed(BaseException):
        pass

    def kill(done: int) -> None:
        if done >= 20:
            raise Killed

    path = tmp_path / "checkpoint.bin"
    with pytest.raises(Killed):
        take_steps(sizer(tree), iterations=300, watch=Watch(path, kill), checkpoint_seconds=1e-9)
    assert 1 <= int(read_arrays(path, CHECKPOINT)[1]["iteration"]) < 300
    assert seconds_before(path) > 0
    resumed = run_bets(sizer(tree), watch=Watch(path))
    np.testing.assert_array_equal(resumed.size, whole.size)
    np.testing.assert_array_equal(resumed.importance, whole.importance)
    other = build_sized_tree(RULES, sides("all-in | fcpa", ([Range(0.8, 1.4)], [])))
    with pytest.raises(FileError, match="is a checkpoint of another run \\(ranges was"):
        run_bets(sizer(other), watch=Watch(path))


def test_a_damaged_run_is_one_line_and_can_be_made_again(tmp_path: Path) -> None:
    config = config_of({**LEDUC, "iterations": 50, "runs": 2, "max_raises": 1})
    first = find_bets(config, tmp_path / "search")
    path = tmp_path / "search" / "run-01.bin"
    whole = path.read_bytes()
    path.write_bytes(whole[:-64] + bytes(64))  # the last array
    with pytest.raises(
        FileError, match=r"run-01\.bin is damaged: .*; remove it, and the same command makes that run again"
    ):
        find_bets(config, tmp_path / "search")
    path.unlink()
    again = find_bets(config, tmp_path / "search")
    np.testing.assert_array_equal(first[1].size, again[1].size)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "cannot read"),
        ("runs: 3", "is not JSON"),
        ("[1]", "does not hold a JSON object"),
        ('{"runs": 1}', "bets needs the setting 'game', text"),
        ('{"game": "leduc-nolimit", "runs": "3"}', "runs must be a whole number, not '3'"),
        ('{"game": "leduc-nolimit", "size_ranges": 1}', "size_ranges must be text, not 1"),
        ('{"game": "leduc-nolimit", "extra": 1.5}', "extra must be a whole number or nothing, not 1.5"),
        ('{"game": "leduc-nolimit", "engine": "abacus"}', "engine must be 'auto' or 'numba' or 'jax', not 'abacus'"),
    ],
)
def test_a_bad_configuration_file_is_one_line(
    text: str | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.json"
    if text is not None:
        path.write_text(text.replace("{", '{"kind": "bets", ', 1))
    assert main([str(path)]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_a_configuration_file_is_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.json"
    path.write_text(
        json.dumps({"kind": "bets", **LEDUC, "n": 50, "runs": 1, "iterations": 20, "max_raises": 1, "extra": None})
    )
    assert main([str(path), "--out", str(tmp_path / "run")]) == 0
    assert json.loads((tmp_path / "run" / "result.json").read_text())["runs"][0]["pairs"] == 420
    assert "of 4)" in capsys.readouterr().out  # sized bets
    assert (tmp_path / "run" / "sizes.bin").exists()


@pytest.mark.parametrize(
    ("asked", "engine", "variant", "n", "by_reach"),
    [
        ({"engine": "numba"}, "numba", "cfr+", 100, False),
        ({"sampled": True}, "numba", "cfr", 10_000, True),
        ({"sampled": True, "variant": "cfr+", "by_reach": False, "n": 50}, "numba", "cfr+", 50, False),
        ({"cards": "pr5"}, "jax", "dcfr+", 100, False),
        ({"cards": "pr5", "engine": "numba"}, "numba", "dcfr+", 100, False),
        ({"cards": "ir100"}, "jax", "lcfr", 100, False),
        ({"cards": "ir100", "sampled": True}, "numba", "cfr", 10_000, True),
    ],
)
def test_what_is_left_open_is_decided_once(
    asked: dict[str, Any], engine: str, variant: str, n: float, by_reach: bool
) -> None:
    found = config_of({"game": "nolimit2p", **asked})
    assert (found.engine, found.algorithm, found.n, found.by_reach) == (engine, variant, n, by_reach)
    assert config_of({**asked, "game": "nolimit2p", "engine": engine, "variant": variant}) == found


@pytest.mark.parametrize(("has_jax", "engine", "variant"), [(True, "jax", "dcfr+"), (False, "numba", "cfr+")])
def test_small_games_need_no_jax(has_jax: bool, engine: str, variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.systems.bets.config.find_spec", lambda name: has_jax or None)
    found = config_of({"game": "leduc-nolimit"})
    assert (found.engine, found.algorithm) == (engine, variant)


def test_configurations_are_checked() -> None:
    with pytest.raises(PokerlabError, match="no setting 'range'"):
        config_of({"game": "leduc-nolimit", "range": 1})
    with pytest.raises(PokerlabError, match="player cannot be '2'"):
        SizingConfig(game="leduc-nolimit", player="2")
    with pytest.raises(PokerlabError, match="for sampled deals choose numba"):
        SizingConfig(game="leduc-nolimit", sampled=True, engine="jax")


def test_values_that_need_jax_say_so_before_the_sizing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(Lossless):
        """Leduc as if its cells did not remember."""

        pairs = None  # type: ignore[assignment]

    monkeypatch.setattr(saved_runs, "find_spec", lambda name: None)
    config = config_of({**LEDUC, "sampled": True, "iterations": 10})
    with pytest.raises(PokerlabError, match="the value of sizes with lossless cards needs JAX"):
        saved_runs.sizer_of(config, Forgetful(RULES))
