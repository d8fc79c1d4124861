"""A search for bet sizes as data: a configuration goes in, a directory with every run's sizes and value comes out.

`pokerlab bets` and `python -m pokerlab.solvers.bet_sizing` both end here. Each finished run is a file, and a run on its
way keeps checkpoints; the same configuration goes on from there, to the same bits as if it had never stopped. Nothing
here prints, and nothing beyond NumPy, SciPy, Numba and (for `engine = "jax"`) JAX is imported.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_to_json
from pokerlab.notation.acpc.definition import game_called
from pokerlab.runs.config import typed
from pokerlab.runs.directory import open_run, run_name
from pokerlab.runs.steps import Watch, interrupts_noted, seconds_before, seconds_each
from pokerlab.solvers.bet_sizing.abstraction_worth import Engine, game_value, solved_exactly
from pokerlab.solvers.bet_sizing.bets import BetsSettings, deals_of, sampled_deals
from pokerlab.solvers.bet_sizing.ranges import Range, parse_range
from pokerlab.solvers.bet_sizing.runs import Run, Search, Sizer, next_tree, on_every_deal, pruned
from pokerlab.solvers.bet_sizing.sized_tree import Side, SizedTree, build_sized_tree, sides
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import variant
from pokerlab.trees.action_abstraction import ActionAbstraction, abstraction_of, played, save_abstraction
from pokerlab.trees.cells import Cells, cells_for

RUN = "bet sizing run"
SAMPLED_DEALS = 1_000_000  # of which sampled iterations draw, where cells forget
SIZES = "sizes.bin"


@dataclass(frozen=True, kw_only=True)
class SizingConfig:
    """What is sized and how. `players` are those whose bets have ranges; the others bet by `opponent`."""

    game: str
    players: tuple[int, ...] = (0,)
    opponent: str = "fcpa"
    ranges: tuple[str, ...] = ("0.71-0.94",)
    keeps: Literal["ratio", "width"] = "ratio"
    extra: int | None = None
    runs: int = 10
    cards: str = "lossless"
    iterations: int = 3000
    n: float = 100.0
    variant: str = "cfr+"
    sampled: bool = False
    by_reach: bool = False
    engine: Engine = "numba"
    max_raises: int | None = None  # a street; for games without another end
    value_iterations: int = 4000  # of the solve that says what a run's sizes are worth; 0 leaves it out
    value_target: float = 0.0  # chips of NashConv at which it is good enough
    boards: int = 8  # an iteration of the jax engine, with cells that forget
    value_boards: int = 10_000  # on which values are measured, with cells that forget
    seed: int = 7

    def __post_init__(self) -> None:
        least = {
            "runs": 1, "iterations": 1, "value_iterations": 0, "seed": 0, "extra": 0, "max_raises": 1,
            "boards": 1, "value_boards": 2,
        }  # fmt: skip
        for what, smallest in least.items():
            given = getattr(self, what)
            if given is not None and given < smallest:
                raise PokerlabError(f"{what} must be at least {smallest}, not {given}")
        if not self.ranges:
            raise PokerlabError("bet sizing needs a range, such as 0.71-0.94")
        if self.extra is not None and len(self.ranges) == 1:
            raise PokerlabError("extra bets need two or more ranges: with one, no decision has a bet to give up")
        if self.opponent.startswith("@"):
            raise PokerlabError(f"{self.opponent} has the sizes of both players; name the opponent's own, such as fcpa")
        if not set(self.players) <= {0, 1} or not self.players:
            raise PokerlabError(f"players to be sized are 0, 1 or both, not {self.players}")
        if self.sampled and self.engine == "jax":
            raise PokerlabError("the jax engine goes through all cards every iteration; sampled deals are numba's")

    @property
    def rules(self) -> Rules:
        """The game, with the largest number of raises a street where it is given."""
        rules = game_called(self.game)
        if self.max_raises is None:
            return rules
        streets = tuple(replace(street, max_raises=self.max_raises) for street in rules.streets)
        return replace(rules, streets=streets)

    @property
    def sides(self) -> tuple[Side, Side]:
        """What both players may bet."""
        unlimited = max(self.rules.stacks) == float("inf")
        own = "none" if unlimited else "all-in"
        text = " | ".join(own if player in self.players else self.opponent for player in (0, 1))
        ranges: list[list[Range]] = [[], []]
        for player in self.players:
            ranges[player] = [parse_range(text) for text in self.ranges]
        return sides(text, ranges)

    @property
    def search(self) -> Search:
        """How ranges move."""
        return Search(runs=self.runs, keeps=self.keeps, extra=self.extra)

    def identity(self) -> dict[str, Any]:
        """What a search may not change while it goes on: everything but how long it goes on."""
        return {
            **{name: value for name, value in asdict(self).items() if name != "runs"},
            "rules": json.loads(rules_to_json(self.rules)),
        }


def config_of(data: Mapping[str, Any]) -> SizingConfig:
    """A configuration from JSON values."""
    return typed(SizingConfig, data, "bet sizing")


@dataclass(frozen=True, eq=False)
class SizedRun:
    """A finished run: its sizes, what they are worth to player 0 in chips (None: not asked), and what it cost."""

    run: Run
    pairs: int  # (information set, action) pairs of its game
    bounds: tuple[float, float] | None
    seconds: float  # of sizing
    value_seconds: float

    @property
    def value(self) -> float | None:
        """The middle of the bounds."""
        return None if self.bounds is None else (self.bounds[0] + self.bounds[1]) / 2


def default_directory(config: SizingConfig) -> Path:
    """Where a search is kept when nobody says where."""
    return Path("runs") / run_name("bets", config.rules.name, config.identity())


class Progress(NamedTuple):
    """How far a run is: so many `iterations` of its sizing, or of the solve that says what its sizes are worth."""

    run: int
    stage: Literal["sizing", "value"]
    done: int
    iterations: int


def find_bets(
    config: SizingConfig,
    directory: Path | None = None,
    *,
    report: Callable[[SizedRun], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[SizedRun]:
    """All runs of a search; with a `directory`, they are kept there and those it holds are not made again.

    `report` is told every finished run, `progress` about once a second how far the present one is. On Ctrl-C a
    checkpoint is written first; a search that is killed loses half a minute.
    """
    cells = cells_for(config.rules, config.cards)
    with interrupts_noted() as stopped:
        watching = _Watching(directory, progress, stopped)
        if directory is None:
            return _runs(config, cells, watching, report)
        with open_run(directory, "bets", config.identity()):
            return _runs(config, cells, watching, report)


@dataclass(frozen=True)
class _Watching:
    """Where runs are kept and who is told."""

    directory: Path | None
    progress: Callable[[Progress], None] | None
    stopped: Callable[[], bool]

    def path(self, number: int) -> Path | None:
        return None if self.directory is None else self.directory / f"run-{number:02}.bin"

    def watch(self, number: int, stage: Literal["sizing", "value"], iterations: int) -> Watch:
        told, path = self.progress, self.path(number)
        return Watch(
            checkpoint=None if path is None else path.with_name(f"{path.stem}-{stage}.bin"),
            progress=None if told is None else lambda done: told(Progress(number, stage, done, iterations)),
            stopped=self.stopped,
        )

    def keep(self, found: SizedRun, config: SizingConfig) -> None:
        """Write a run, and its sizes as the answer; its checkpoints are not needed any more."""
        path = self.path(found.run.number)
        if path is None:
            return
        if not path.exists():
            _write(path, found)
        save_abstraction(path.with_name(SIZES), abstraction(found, config), {"run": found.run.number})
        for checkpoint in path.parent.glob(f"{path.stem}-*.bin"):
            checkpoint.unlink()


def _runs(
    config: SizingConfig, cells: Cells, watching: _Watching, report: Callable[[SizedRun], None] | None
) -> list[SizedRun]:
    rules, both, search = config.rules, config.sides, config.search
    sizer = sizer_of(config, cells)
    done: list[SizedRun] = []
    tree = build_sized_tree(rules, both)
    for number in range(1, config.runs + 1):
        path = watching.path(number)
        if path is not None and path.exists():
            found = _read(path, config)
        else:
            found = _made(config, cells, sizer, tree=tree, number=number, watching=watching)
        if number == config.runs or path is None or not path.exists():
            watching.keep(found, config)
        done.append(found)
        if report is not None:
            report(found)
        if number < config.runs:
            tree = next_tree(found.run, rules, both, search)
    return done


def sizer_of(config: SizingConfig, cells: Cells) -> Sizer:
    """BETS with the settings of a configuration."""
    settings = BetsSettings(
        exact=not config.sampled,
        n=config.n,
        by_reach=config.by_reach,
        variant=variant(config.variant),
        seed=config.seed,
    )
    pairs = cells.pairs
    measured = pairs is None and config.value_iterations > 0
    if (config.engine == "jax" or measured) and find_spec("jax") is None:
        what = "the jax engine" if config.engine == "jax" else f"what sizes are worth with {cells.name} cards"
        raise PokerlabError(f"{what} needs JAX; install it with pip install 'pokerlab[jax]'")
    if config.engine == "numba":
        if pairs is None and not config.sampled:
            raise PokerlabError(f"{cells.name} forgets cards: take sampled deals, or the jax engine")
        deals = sampled_deals(cells, SAMPLED_DEALS, config.seed) if pairs is None else deals_of(pairs)
        return on_every_deal(cells, deals, settings, config.iterations)
    if pairs is None:
        from pokerlab.solvers.bet_sizing.board_bets import on_boards

        return on_boards(cells, settings, config.iterations, config.boards)
    from pokerlab.solvers.bet_sizing.dense_bets import on_tables

    return on_tables(cells, deals_of(pairs), settings, config.iterations)


def _made(
    config: SizingConfig, cells: Cells, sizer: Sizer, *, tree: SizedTree, number: int, watching: _Watching
) -> SizedRun:
    watch = watching.watch(number, "sizing", config.iterations)
    solving = watching.watch(number, "value", config.value_iterations)
    before, before_solving = seconds_before(watch.checkpoint), seconds_before(solving.checkpoint)
    began = time.perf_counter()
    sizing = sizer(tree, watch)
    run = Run(number, tree, sizing.size, sizing.importance)
    if number == 1 and config.extra is not None:
        run = pruned(run, config.rules, config.sides, config.search)
    sized = time.perf_counter()
    bounds = None
    if config.value_iterations:
        worth, _ = game_value(
            run.tree,
            run.size,
            cells,
            iterations=config.value_iterations,
            target=config.value_target,
            engine=config.engine,
            boards=(config.boards, config.value_boards),
            seed=config.seed,
            watch=solving,
        )
        bounds = (worth.low, worth.high)
    pairs = Problem(run.tree.shape, cells).counts[1]
    value_seconds = before_solving + time.perf_counter() - sized
    return SizedRun(run, pairs, bounds, before + sized - began, value_seconds)


def abstraction(found: SizedRun, config: SizingConfig) -> ActionAbstraction:
    """A run's answer as it is played: whole chips where the rules want them."""
    run = found.run
    tree = run.abstraction
    size, importance = np.full(tree.n_edges, np.nan), np.zeros(tree.n_edges)
    size[run.tree.bets.edge], importance[run.tree.bets.edge] = run.size, run.importance
    about = {
        "run": run.number,
        "bounds": found.bounds,
        "players": list(config.players),
        "opponent": config.opponent,
        "cards": config.cards,
    }
    return played(abstraction_of(tree, size, importance, about), config.rules)


class SizingCost(NamedTuple):
    """What a search would take, going by its first tree."""

    decisions: int
    sized_bets: int
    pairs: int
    seconds: float
    memory_bytes: int
    disk_bytes: int  # checkpoints of a run on its way


def expected_cost(config: SizingConfig) -> SizingCost:
    """An estimate from about a second of the first run.

    A run's value counts as iterations of the same kind; not where a linear program gives it, nor with sampled deals.
    """
    cells = cells_for(config.rules, config.cards)
    tree = build_sized_tree(config.rules, config.sides)
    problem = Problem(tree.shape, cells)
    pairs = problem.counts[1]
    each, state = seconds_each(sizer_of(config, cells).engine(tree))
    joint = cells.pairs
    free = config.sampled or (joint is not None and solved_exactly(problem))
    matrices = sum(matrix.nbytes for matrix in joint.joint) if joint is not None else 0
    return SizingCost(
        tree.shape.n_decisions,
        tree.n_bets,
        pairs,
        config.runs * each * (config.iterations + (0 if free else config.value_iterations)),
        8 * 12 * pairs + 6 * matrices,
        2 * sum(np.asarray(array).nbytes for array in state.values()),
    )


def _write(path: Path, found: SizedRun) -> None:
    run = found.run
    about = {
        "number": run.number,
        "paths": ["/".join(path) for path in run.tree.paths],
        "pairs": found.pairs,
        "bounds": found.bounds,
        "seconds": found.seconds,
        "value_seconds": found.value_seconds,
    }
    arrays = {"size": run.size, "importance": run.importance, "low": run.tree.bets.low, "high": run.tree.bets.high}
    write_arrays(path, RUN, about, arrays)


def _read(path: Path, config: SizingConfig) -> SizedRun:
    try:
        about, arrays = read_arrays(path, RUN)
    except FileError as error:
        raise FileError(f"{error}; remove it, and the same command makes that run again") from error
    paths = [tuple(text.split("/")) for text in about["paths"]]
    known = {p: Range(float(a), float(b)) for p, a, b in zip(paths, arrays["low"], arrays["high"], strict=True)}
    tree = build_sized_tree(config.rules, config.sides, known, adds="none", alpha=-np.inf)
    place = {p: i for i, p in enumerate(paths)}
    order = [place[p] for p in tree.paths]
    run = Run(about["number"], tree, np.array(arrays["size"])[order], np.array(arrays["importance"])[order])
    bounds = None if about["bounds"] is None else (about["bounds"][0], about["bounds"][1])
    return SizedRun(run, about["pairs"], bounds, about["seconds"], about["value_seconds"])
