"""What a solve takes, said before anything is made: memory of the machine or the GPU, disk, and what would fit."""

import json
import time

import pytest

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.errors import PokerlabError
from pokerlab.games.dealing import start_ranges
from pokerlab.games.rules_json import rules_to_json
from pokerlab.requests.subgame import SolveSubgame
from pokerlab.solvers import cost as costs
from pokerlab.solvers import memory
from pokerlab.solvers.configs import SolveConfig, SubgameConfig
from pokerlab.solvers.cost import expected_cost, iterations_to_target
from pokerlab.solvers.memory import check_memory, check_size, memory_of, what_fits
from pokerlab.solvers.runs import CHECKPOINT, engine_of, problem_of, run_solve
from pokerlab.solvers.subgames import compact
from pokerlab.solvers.subgames.subgame import subgame_rules
from pokerlab.trees.betting_tree import TreeBuilder

FLOP = {"board": "Ks7h2d", "ranges": ("30%", "40%"), "pot": 55, "stack": 975}
SMALL = {"board": "Ks7h2d", "ranges": ("AA, KQs", "QQ, AJs"), "pot": 100, "stack": 200, "max_raises": 2}
FIVE = "0.25p, 0.33p, 0.5p, 0.75p, 1p"


def flop(sizes, ranges=("20%", "20%")):
    rules = subgame_rules("Ks7h2d", ranges, pot=55, stack=975)
    return SolveConfig.from_data({"game": json.loads(rules_to_json(rules)), "sizes": sizes})


def test_a_flop_too_large_is_refused_with_what_would_fit():
    config = flop("bet: 33%, 75%; raise: 100%")
    says = r"GB of memory, and 4.0 GB are free; at most [23] bets and raises a street would take \d\.\d GB"
    with pytest.raises(PokerlabError, match=says):
        check_size(config, 4_000_000_000)
    with pytest.raises(PokerlabError, match="GB are free; at most"):
        check_memory(config, problem_of(config), available=4_000_000_000)
    with pytest.raises(PokerlabError, match=r"more than 0\.0 GB of memory.* offer fewer sizes and narrow the ranges"):
        check_size(config, 1_000)


def test_five_sizes_are_refused_without_building_a_tree(monkeypatch):
    """The tree has millions of decisions; building those that were tried took nine minutes."""
    monkeypatch.setattr(TreeBuilder, "build", None)
    monkeypatch.setattr(memory, "available_memory", lambda: 20_000_000_000)
    began = time.process_time()
    with pytest.raises(PokerlabError, match=r"more than 8.* and 20\.0 GB are free; one bet a street would take 15"):
        problem_of(SubgameConfig(**FLOP, sizes=FIVE).solve)
    assert time.process_time() - began < 10  # far from nine minutes, on any machine


def test_what_is_counted_is_what_is_built():
    config = SubgameConfig(**SMALL, bets="flop 33; turn+river 50, e", donks="none").solve
    needed = memory_of(config, problem_of(config))
    check_size(config, needed)
    with pytest.raises(PokerlabError, match="takes about"):
        check_size(config, needed - 1)


def test_advice_names_both_changes_and_leaves_an_all_in_threshold_alone():
    config = SubgameConfig(**FLOP, bets="33, 75", max_raises=3).solve
    cells = SubgameCells(config.rules.board, start_ranges(config.rules))
    changes = list(memory._changes(config.rules, config.sizes))
    takes = {words: memory._counted(config, cells, rules, sizes, 10**12) for words, rules, sizes in changes}
    both = "at most 2 bets and raises a street and all-in from 60% of the chips left"
    assert what_fits(config, cells, takes[both]) == f"{both} would take {takes[both] / 1e9:.1f} GB"
    own = SubgameConfig(**FLOP, bets="33, 75", max_raises=3, all_in_from=50).solve
    assert not any("all-in" in words for words, _, _ in memory._changes(own.rules, own.sizes))
    assert "all-in from 50%" in own.sizes and what_fits(own, cells, takes["one bet a street"]).startswith("one bet")


def test_the_disk_of_a_large_flop_is_that_of_its_files(tmp_path, monkeypatch):
    config = SubgameConfig(**SMALL, sizes="1p", iterations=2, threads=1).solve
    monkeypatch.setattr(costs, "MOST_KEPT", 0)  # as if it were large: kept without rivers
    defaults = {**compact.CompactCfr.__init__.__kwdefaults__, "most_kept": 0}
    monkeypatch.setattr(compact.CompactCfr.__init__, "__kwdefaults__", defaults)
    told = expected_cost(config, seconds=0.001, most=0).disk
    run_solve(config, tmp_path / "run")
    files = [(tmp_path / "run" / name).stat().st_size for name in (CHECKPOINT, "strategy.bin")]
    assert 0.95 * sum(files) < told < 1.25 * sum(files)  # hands that a board blocks are counted
    assert files[1] < files[0]


def test_the_disk_and_memory_of_jax_are_those_of_32_bits():
    pytest.importorskip("jax")
    config = SubgameConfig(**SMALL, sizes="1p", engine="jax").solve
    problem = problem_of(config)
    tables = sum(array.nbytes for array in engine_of(config, problem).init().values())
    assert 0.9 * tables < costs._checkpoint_bytes(config, problem) <= tables
    assert memory_of(config, problem) >= 0.9 * tables


class Gpu:
    def memory_stats(self):
        return {"bytes_limit": 3_000_000, "bytes_in_use": 1_000_000}


def test_a_solve_on_a_gpu_is_held_against_its_memory(monkeypatch):
    jax = pytest.importorskip("jax")
    config = SubgameConfig(**SMALL, sizes="1p", engine="jax").solve
    assert memory.free_memory(config) > 100_000_000  # a CPU has no memory of its own
    monkeypatch.setattr(jax, "devices", lambda: [Gpu()])
    assert memory.free_memory(config) == 2_000_000
    with pytest.raises(PokerlabError, match=r"and 0\.0 GB are free"):
        problem_of(config)
    assert memory.free_memory(SubgameConfig(**SMALL, sizes="1p").solve) > 100_000_000


def test_a_dry_run_says_decisions_boards_hands_and_the_time_to_the_target(monkeypatch):
    """The flop of docs/notebook/2026-11-18-flops.md: 218 iterations, 14 minutes, 6.8 GB and 87 MB on disk."""
    monkeypatch.setattr(costs, "may_try", lambda engine: False)
    monkeypatch.setattr(memory, "available_memory", lambda: 10**11)
    monkeypatch.setattr(costs, "usable_cores", lambda: 2)
    monkeypatch.setattr("pokerlab.runs.rates.stored_rates", lambda *_, **__: None)
    request = SolveSubgame(**FLOP, bets="33, 75", raises="100", max_raises=3, all_in_from=67, threads=2)
    cost = request.cost()
    assert cost.what == (
        "894 decisions, 49 turns, 2,352 rivers, 359 and 475 hands, about 220 iterations to 0.5% of the pot"
    )
    assert 10 * 60 < cost.seconds < 20 * 60 and cost.disk == pytest.approx(6.9e9, rel=0.1)
    assert cost.counts["iterations"] == 220 and cost.counts["boards"] == [1, 49, 2352]


def test_fewer_iterations_are_expected_for_a_higher_target_and_never_more_than_allowed():
    expected = [
        iterations_to_target(SubgameConfig(**FLOP, target_percent=percent, iterations=most).solve)
        for percent, most in ((0.5, 1000), (2.0, 1000), (0.1, 1000), (0.1, 300))
    ]
    assert expected == [220, 97, 567, 300]


@pytest.mark.parametrize(
    ("caps", "expected"),
    [("flop 3; turn 2; river 1", (3, 2, 1)), ("2; river 0", (2, 2, 0)), ("turn+river 1", (None, 1, 1))],
)
def test_raises_are_capped_by_street(caps, expected):
    config = SubgameConfig(**{**SMALL, "max_raises": caps}, sizes="0.5p").solve
    assert tuple(street.max_raises for street in config.rules.streets) == expected
    tree = problem_of(config).tree
    bets = [0] * 3
    for ending in range(len(tree.ending_edge)):
        path = tree.path(~ending)
        for street in range(3):
            bets[street] = max(bets[street], sum(tree.edge_street[e] == street and tree.kind[e] == 2 for e in path))
    assert all(most is None or n == most for n, most in zip(bets, expected, strict=True))


def test_a_cap_is_the_same_run_as_a_number_and_as_text():
    plain, text = (SubgameConfig(**{**SMALL, "max_raises": cap}) for cap in (2, "2"))
    assert plain.identity() == text.identity() and text.max_raises == 2
    for wrong, says in (("flop x", "'flop x' is not a number of raises"), ("preflop 2", "flop subgame has no preflop")):
        with pytest.raises(PokerlabError, match=says):
            SubgameConfig(**{**SMALL, "max_raises": wrong})
