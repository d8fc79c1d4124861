"""Readers of files of ours, whole or damaged, for `fuzz_readers.py`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
from fuzz_texts import HAVE_COMMANDS, HAVE_PARQUET, Reader, folder, played

from pokerlab.abstraction.bucket_files import buckets_path, load_buckets
from pokerlab.abstraction.cells import Lossless
from pokerlab.experiments.results import Result
from pokerlab.files import MAGIC, VERSION, write_arrays
from pokerlab.games.catalog import game
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.pictures.report_page import run_report
from pokerlab.players.registry import agent
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.runs.directory import open_run
from pokerlab.runs.steps import Watch, check_not_beyond, seconds_before, take_steps
from pokerlab.runs.workers import Plain, Task, do_tasks, here
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.systems.bets import saved_runs
from pokerlab.systems.bets.config import SizingConfig
from pokerlab.systems.bpp.learned_types import count_players, write_types
from pokerlab.systems.threeplayer.betting_densities import BettingDensities
from pokerlab.systems.threeplayer.q_learning import QPlayer, make_q, save_q
from pokerlab.systems.threeplayer.regret_tables import RegretPlayer, make_regrets
from pokerlab.table.records import read_hands, write_hands
from pokerlab.trees.action_abstraction import ActionAbstraction, load_abstraction, save_abstraction
from pokerlab.trees.betting_tree import build_tree


@cache
def kuhn_strategy() -> Strategy:
    return Strategy.uniform(build_tree(game("leduc")), Lossless(game("leduc")))


@cache
def strategy_bytes() -> bytes:
    path = folder() / "strategy.bin"
    save_strategy(path, kuhn_strategy(), {"algorithm": "none"}, store_tree=True)
    return path.read_bytes()


@cache
def _abstraction_bytes() -> bytes:
    tree = build_tree(game("leduc-nolimit"), "1p")
    path = folder() / "sizes.bin"
    save_abstraction(path, ActionAbstraction(tree, np.ones(tree.n_edges), np.ones(tree.n_edges), {}), {})
    return path.read_bytes()


def header_of(content: bytes) -> str:
    """The header of a file of ours without its checksum, as text to change."""
    size = int.from_bytes(content[12:16], "little")
    about = json.loads(content[16 : 16 + size])
    about.pop("sha256", None)
    return json.dumps(about, indent=0)


def with_header(content: bytes, header: str) -> bytes:
    """A file of ours with another header over the same data."""
    size = int.from_bytes(content[12:16], "little")
    start = -(-(16 + size) // 64) * 64
    new = header.encode("utf-8", "replace")
    head = MAGIC + VERSION.to_bytes(4, "little") + len(new).to_bytes(4, "little") + new
    return head + b" " * (-len(head) % 64) + content[start:]


def read_file(content: Callable[[], bytes], load: Callable[[Path], object], header: str) -> None:
    path = folder() / "fuzzed.bin"
    path.write_bytes(with_header(content(), header))
    load(path)


def read_damaged(load: Callable[[Path], object], suffix: str, text: str) -> None:
    """A file of ours whose bytes were changed: `text` is its bytes as Latin-1."""
    path = folder() / f"damaged{suffix}"
    path.write_bytes(text.encode("latin-1", "replace"))
    load(path)


@cache
def _parquet_bytes() -> bytes:
    path = folder() / "sample.parquet"
    write_hands(path, played("nolimit2p"), {"seed": 11})
    return path.read_bytes()


def read_run_json(text: str) -> None:
    where = folder() / "run"
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir()
    (where / "run.json").write_text(text, errors="replace")
    with open_run(where, "match", {"hands": 10}):
        pass


@cache
def run_jsons() -> list[str]:
    with open_run(folder() / "fresh", "match", {"hands": 10}) as opened:
        return [(opened.path / "run.json").read_text()]


def results() -> list[str]:
    kept = sorted(Path(__file__).parents[1].glob("docs/results/*.json"), key=lambda path: path.stat().st_size)
    return [path.read_text() for path in kept[:6]]


def read_result(text: str) -> None:
    path = folder() / "result.json"
    path.write_text(text, errors="replace")
    Result.from_json(text, source="result.json")
    if HAVE_COMMANDS:
        from fuzz_typed import called

        from pokerlab.cli import main

        called(main, ["reproduce", "--from", str(path), "--json"])


def result_pages() -> list[str]:
    """The two files that a report is made of, one after the other."""
    from fuzz_typed import called

    from pokerlab.cli import main

    where = folder() / "match"
    called(main, f"match --game leduc --agents caller,raiser --hands 3 --workers 1 --out {where}".split())
    return [(where / "run.json").read_text() + BETWEEN + (where / "result.json").read_text()]


BETWEEN = "\n== result.json\n"


def read_result_page(text: str) -> None:
    where = folder() / "report"
    where.mkdir(exist_ok=True)
    asked, _, result = text.partition(BETWEEN)
    (where / "run.json").write_text(asked, errors="replace")
    (where / "result.json").write_text(result, errors="replace")
    run_report(where)


# Memories, values, buckets, checkpoints, results of tasks, searches for bet sizes


@cache
def memory_bytes(name: str) -> bytes:
    """What an agent that has seen a few hands keeps."""
    learned, path = agent(name), folder() / "memory.bin"
    for hand in played("limit2p"):
        learned.observe(hand.seen_by(0))
    learned.save(path)
    return path.read_bytes()


def load_memory(name: str, path: Path) -> None:
    """An agent that has loaded a memory can act, and learn from the next hand."""
    learned = agent(name)
    learned.load(path)
    hand = played("limit2p")[1]
    state = next(iter(hand.states()))
    seat = state.betting.actor
    learned.act(state.view(seat, 0, hand.names), np.random.default_rng(1))
    learned.observe(hand.seen_by(seat))


@cache
def _q_bytes() -> bytes:
    path, features = folder() / "q.bin", ValueFeatures()
    save_q(path, QPlayer(features, np.zeros((features.n_states(2), 3))))
    return path.read_bytes()


def load_q(path: Path) -> None:
    state = next(iter(played("limit2p")[0].states()))
    player = make_q(str(path))
    if player.supports(state.rules):
        player.act(state.view(state.betting.actor, 0, ("a", "b")), np.random.default_rng(1))


@cache
def _regret_bytes() -> bytes:
    path, features = folder() / "regrets.bin", ValueFeatures()
    RegretPlayer(features, np.ones((features.n_states(2), 3), np.uint8), {}).save(path)
    return path.read_bytes()


def load_regrets(path: Path) -> None:
    state = next(iter(played("limit2p")[0].states()))
    player = make_regrets(str(path))
    if player.supports(state.rules):
        player.act(state.view(state.betting.actor, 0, ("a", "b")), np.random.default_rng(1))


@cache
def _density_bytes() -> bytes:
    path, densities = folder() / "densities.bin", BettingDensities()
    for hand in played("limit2p"):
        densities.observe(hand)
    densities.save(path)
    return path.read_bytes()


@cache
def _type_bytes() -> bytes:
    path = folder() / "types.bin"
    write_types(path, count_players(played("limit2p")))
    return path.read_bytes()


@cache
def _bucket_bytes() -> bytes:
    return buckets_path("pr5").read_bytes()


def load_cells(path: Path) -> None:
    """Buckets that load say of every hand a cell that there is."""
    made = load_buckets(path)
    board = (0, 5, 10, 15, 20)
    for street, n_board in enumerate((0, 3, 4, 5)):
        assert 0 <= made.of_hand((50, 51), board[:n_board]) < made.n_cells[street]
    if made.pairs is not None:
        assert made.pairs.n_cells == made.n_cells


@cache
def _engine() -> VectorCfr:
    tree = build_tree(game("kuhn"))
    return VectorCfr(Problem(tree, Lossless(tree.rules)), variant("cfr+"))


@cache
def _checkpoint_bytes() -> bytes:
    path = folder() / "checkpoint.bin"
    path.unlink(missing_ok=True)
    take_steps(_engine(), iterations=2, watch=Watch(path))
    return path.read_bytes()


def load_checkpoint(path: Path) -> None:
    check_not_beyond(path, 10)
    seconds_before(path)
    take_steps(_engine(), iterations=10, watch=Watch(path))


TASKS = [Task("pokerlab.runs.workers:plain", Plain("builtins:abs", -3), key="one", about=-3)]


@cache
def _task_bytes() -> bytes:
    with open_run(folder() / "tasks", "test", {}) as run:
        do_tasks(TASKS, runner=here, run=run)
        return (run.path / "results" / "one.result").read_bytes()


def load_task(path: Path) -> None:
    """A result that cannot be used is made again."""
    with open_run(folder() / "tasks", "test", {}) as run:
        path.replace(run.path / "results" / "one.result")
        assert len(do_tasks(TASKS, runner=here, run=run)) == 1


SEARCH = SizingConfig(game="leduc-nolimit", runs=1, iterations=2, engine="numba")


@cache
def _search_bytes() -> bytes:
    where = folder() / "search"
    saved_runs.find_bets(SEARCH, where)
    return min(where.rglob("run*.bin")).read_bytes()


@cache
def _baseline_bytes() -> bytes:
    path = folder() / "baseline.bin"
    worth = {"mean": 0.5, "low": 0.4, "high": 0.6, "n": None, "units": "chips_per_hand", "method": "bounds"}
    write_arrays(path, saved_runs.BASELINE, {"sizes": "fcpa | fcpa", "worth": worth}, {})
    return path.read_bytes()


OURS: dict[str, tuple[Callable[[], bytes], Callable[[Path], object]]] = {
    "strategy": (strategy_bytes, load_strategy),
    "size": (_abstraction_bytes, load_abstraction),
    "Q-learner": (_q_bytes, load_q),
    "regrets": (_regret_bytes, load_regrets),
    "betting densities": (_density_bytes, lambda path: BettingDensities().load(path)),
    "types of opponents": (_type_bytes, partial(load_memory, "bpp")),
    "bucket": (_bucket_bytes, load_cells),
    "checkpoint": (_checkpoint_bytes, load_checkpoint),
    "task": (_task_bytes, load_task),
    "search": (_search_bytes, lambda path: saved_runs.read_run(path, SEARCH)),
    "baseline": (_baseline_bytes, saved_runs.read_baseline),
    **{
        f"{name} memory": (partial(memory_bytes, name), partial(load_memory, name))
        for name in ("poki", "poki:neural", "bpp", "search:max")
    },
}
"""Kinds of files: the bytes of one, and what reads them."""

LARGE = ("bucket", "poki:neural memory", "search:max memory")
"""Files too large to change byte by byte; their checksums are those of the others."""


def file_readers() -> list[Reader]:
    """Files of ours: their headers changed, and their bytes."""
    found = [
        Reader(f"{kind} headers", partial(read_file, content, load), partial(samples_of, content))
        for kind, (content, load) in OURS.items()
    ]
    found += [
        Reader(f"damaged {kind} files", partial(read_damaged, load, ".bin"), partial(samples_of_bytes, content))
        for kind, (content, load) in OURS.items()
        if kind not in LARGE
    ]
    if HAVE_PARQUET:
        load = partial(read_damaged, lambda path: [*read_hands(path)], ".parquet")
        found.append(Reader("damaged records", load, partial(samples_of_bytes, _parquet_bytes)))
        if HAVE_COMMANDS:
            found.append(Reader("reports", read_result_page, result_pages))
    rules = ("leduc-nolimit", "stud3p", "nolimit2p")
    return [
        *found,
        Reader("rules as JSON", rules_from_json, lambda: [rules_to_json(game(name)) for name in rules]),
        Reader("run.json", read_run_json, run_jsons),
        Reader("results", read_result, results),
    ]


def samples_of(content: Callable[[], bytes]) -> list[str]:
    return [header_of(content())]


def samples_of_bytes(content: Callable[[], bytes]) -> list[str]:
    return [content().decode("latin-1")]
