"""Searches for bet sizes that are saved in a run directory: the sizes and the value of every run.

Each finished run is saved as a file, and the unfinished one as a checkpoint. The same configuration resumes the search
from these files; the result is identical, bit for bit, to that of an uninterrupted search. This module prints nothing
and imports only NumPy, SciPy, Numba and (for `engine = "jax"`) JAX.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Cells, check_pairs_fit
from pokerlab.arrays import AnyArray, Floats
from pokerlab.errors import FileError, PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.rules import Rules
from pokerlab.runs.cost import Cost, available_memory, peak_memory
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.notes import note
from pokerlab.runs.rates import expected_rate, store_rate
from pokerlab.runs.steps import Watch, interrupts_noted, seconds_before, seconds_each
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import Side, SizedTree, build_sized_tree, check_sizable, sides
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.cost import may_try
from pokerlab.systems.bets.abstraction_worth import game_value, solved_exactly
from pokerlab.systems.bets.config import SizingConfig
from pokerlab.systems.bets.search import InMemory, Run, Sizer, best_run, make_sizer, search_sizes, seed_of
from pokerlab.trees.action_abstraction import ActionAbstraction, abstraction_of, legal_abstraction, save_abstraction

RUN, BASELINE = "bet sizing run", "bet sizing baseline"
SIZES, BASELINE_FILE, BASELINE_CHECKPOINT = "sizes.bin", "baseline.bin", "baseline-value.bin"
MOST_TRIED = {"jax": 100_000, "numba": 10_000_000}
"""By engine, the largest game, in (information set, action) pairs, that a cost estimate may run as a trial. The limit
for JAX is lower, since it takes long to compile large games."""
RATE, SECONDS_OF_A_PAIR = "bets", 3e-8  # typical seconds per pair of an exact iteration in Numba
BYTES_OF_A_PAIR = 24  #: lower bound: three arrays of 8 bytes
JAX_SECONDS_OF_A_PAIR = 6e-8
"""Typical seconds per pair of an exact iteration in JAX on two cores. 5-bucket hold'em took 3.6e-8 with one range and
8.2e-8 with two."""
JAX_BYTES = 510_000_000
JAX_BYTES_OF_A_PAIR = 240
"""Memory that a search in JAX adds to that of the process, including compilation, is `JAX_BYTES` plus this per pair. In
five runs of 5-bucket hold'em the trees had 1.48, 2.24, 2.50, 2.56 and 2.61 million pairs, and the process had used at
most 1,041, 1,195, 1,276, 1,308 and 1,316 MB by then."""
GROWTH = 1.8
"""How many times larger than the first tree later trees may get: 5-bucket hold'em had 2.8 million pairs after five
runs."""
KEPT_BYTES_OF_A_PAIR = 12


class Progress(NamedTuple):
    """Progress of a run: iterations done in its first stage (moving the sizes) or its second (solving for their
    value)."""

    run: int
    stage: Literal["sizing", "value"]
    done: int
    iterations: int


def find_bets(config: SizingConfig, directory: Path | None = None, **watched: Any) -> list[Run]:
    """Make all runs of a search. If a `directory` is given, save the runs there, or resume the search saved there."""
    with config.opened(directory) as run:
        return search_in(config, run, **watched)


def search_in(
    config: SizingConfig,
    run: RunDirectory | None,
    *,
    report: Callable[[Run], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[Run]:
    """Make all runs of a search. If a run directory is open, save them in it, and load those already saved.

    `report` is called with every finished run, `progress` about once a second with the progress of the current one.
    Ctrl-C stops the search after writing a checkpoint; a killed search loses at most about half a minute of work.
    """
    directory = None if run is None else run.path
    check_sizable(config.rules, config.sides)
    cells = cells_for(config.rules, config.cards)
    _check_fits(config, Problem(build_sized_tree(config.rules, config.sides).shape, cells).counts[1])
    sizer = sizer_of(config, cells)
    done: list[Run] = []
    with interrupts_noted() as stopped:
        saving = _Saving(config, cells, directory, progress, stopped)
        n_saved = sum(path is not None and path.exists() for path in map(saving.path, range(1, config.runs + 1)))
        for each in search_sizes(config.rules, config.sides, sizer, config.search, saving):
            done.append(each)
            if best_run(done, config.players) is each:
                saving.answer(each)
            if report is not None:
                report(each)
        if n_saved:
            note(f"{n_saved} of {len(done)} runs were read from {directory}")
    return done


def sizer_of(config: SizingConfig, cells: Cells) -> Sizer:
    """Return a function that makes the engine of a BETS run, as configured."""
    if cells.pairs is None and config.value_iterations and find_spec("jax") is None:
        raise PokerlabError(
            f"the value of sizes with {cells.name} cards needs JAX; install it with pip install 'pokerlab[jax]'"
        )
    return make_sizer(cells, config.settings, iterations=config.iterations, engine=config.engine, boards=config.boards)


def worth_of(config: SizingConfig, tree: SizedTree, size: Floats, cells: Cells, watch: Watch | None = None) -> Estimate:
    """Value to player 0 of the game with `size[bet]`, in chips per hand, solved as configured.

    If boards are sampled, they differ from those on which the sizes were found. All values use the same boards.
    """
    return game_value(
        tree,
        size,
        cells,
        iterations=config.value_iterations,
        target=config.value_target,
        engine=config.engine,
        boards=(config.boards, config.value_boards),
        seed=seed_of(config.seed, "value"),
        watch=watch,
    )[0]


@dataclass(frozen=True)
class _Saving(InMemory):
    """Completes each run of a search by its value, and saves the run if there is a directory."""

    config: SizingConfig
    cells: Cells
    directory: Path | None
    progress: Callable[[Progress], None] | None
    stopped: Callable[[], bool]

    def path(self, number: int, stage: str = "") -> Path | None:
        return None if self.directory is None else self.directory / f"run-{number:02}{stage}.bin"

    def watch(self, number: int, stage: Literal["sizing", "value"] = "sizing") -> Watch:
        report, config = self.progress, self.config
        iterations = config.iterations if stage == "sizing" else config.value_iterations
        return Watch(
            checkpoint=self.path(number, f"-{stage}"),
            progress=None if report is None else lambda done: report(Progress(number, stage, done, iterations)),
            stopped=self.stopped,
        )

    def saved(self, number: int) -> Run | None:
        path = self.path(number)
        if path is None or not path.exists():
            return None
        return read_run(path, self.config)

    def finished(self, run: Run) -> Run:
        run = replace(run, pairs=Problem(run.tree.shape, self.cells).counts[1])
        if self.config.value_iterations:
            watch = self.watch(run.number, "value")
            before, began = seconds_before(watch.checkpoint), time.perf_counter()
            worth = worth_of(self.config, run.tree, run.size, self.cells, watch)
            run = replace(run, worth=worth, value_seconds=before + time.perf_counter() - began)
        store_rate(RATE, _rate_settings(self.config), units=self.config.iterations, seconds=run.seconds)
        path = self.path(run.number)
        if path is not None:
            write_arrays(path, RUN, *run_data(run))
            for checkpoint in path.parent.glob(f"{path.stem}-*.bin"):
                checkpoint.unlink()
        if self.config.engine == "jax" and run.pairs > MOST_TRIED["jax"]:
            _forget_programs()
        return run

    def answer(self, run: Run) -> None:
        """Save the sizes of a run in the file `SIZES`, as the result of the whole search."""
        if self.directory is not None:
            save_abstraction(self.directory / SIZES, abstraction(run, self.config), {"run": run.number})


def _forget_programs() -> None:
    """Free JAX's compiled programs. The next tree cannot use them, and those of a large tree take some 100 MB."""
    import jax

    jax.clear_caches()  # type: ignore[no-untyped-call]


def abstraction(run: Run, config: SizingConfig) -> ActionAbstraction:
    """The sizes of a run as an action abstraction, rounded to whole chips if the rules require them."""
    tree, edge = run.abstraction, run.tree.bets.edge
    size, importance = np.full(tree.n_edges, np.nan), np.zeros(tree.n_edges)
    size[edge], importance[edge] = run.size, run.importance
    about = {
        "run": run.number,
        "bounds": None if run.worth is None else (run.worth.low, run.worth.high),
        "players": list(config.players),
        "opponent": config.opponent,
        "cards": config.cards,
    }
    return legal_abstraction(abstraction_of(tree, size, importance, about), config.rules)


def expected_cost(config: SizingConfig, *, most: int | None = None) -> Cost:
    """Estimate the time of a search, the peak memory of its process, and the disk space of its checkpoint.

    The speed is that stored from an earlier search. If none is stored, iterations run for about a second, provided that
    the tree has at most `most` pairs (default `MOST_TRIED`) and needs no compilation; otherwise the speed is estimated
    from the number of pairs. Iterations that solve for the value of a run are counted like those of BETS, unless the
    value comes from a linear program or deals are sampled.
    """
    check_sizable(config.rules, config.sides)
    if config.cards in (None, "lossless"):
        check_pairs_fit(config.rules)
    cells = cells_for(config.rules, config.cards)
    tree = build_sized_tree(config.rules, config.sides)
    problem = Problem(tree.shape, cells)
    pairs = problem.counts[1]
    counts = {"decisions": tree.shape.n_decisions, "sized_bets": tree.n_bets, "pairs": pairs}
    _check_fits(config, pairs)
    free = config.sampled or (cells.pairs is not None and solved_exactly(problem))
    iterations = config.runs * (config.iterations + (0 if free else config.value_iterations))
    small = pairs <= (MOST_TRIED[config.engine] if most is None else most)
    rate = expected_rate(
        RATE,
        _rate_settings(config),
        trial=(lambda: seconds_each(sizer_of(config, cells)(tree))[0]) if small and may_try(config.engine) else None,
        usual=lambda: usual_seconds(config, pairs),
    )
    memory, disk = peak_memory(), 2 * 8 * (2 * pairs + 5 * tree.n_bets + 1)  # 2 arrays by pair, 5 by bet, 1 count
    if config.engine == "jax":
        disk = 2 * KEPT_BYTES_OF_A_PAIR * pairs
        memory += JAX_BYTES + JAX_BYTES_OF_A_PAIR * int(pairs * (GROWTH if config.runs > 1 else 1))
    elif rate.source != "tried":  # a trial already includes the memory of a run
        memory += BYTES_OF_A_PAIR * pairs
    counts |= {} if small or rate.seconds is not None else {"pairs_tried": 0}
    seconds = None if rate.seconds is None else rate.seconds * iterations
    return Cost(seconds, memory, disk, counts, rate=rate.source)


def usual_seconds(config: SizingConfig, pairs: int) -> float | None:
    """Typical seconds per iteration of a game with this many pairs; None (unknown) if boards or deals are sampled."""
    if config.forgets or config.sampled:
        return None
    return pairs * (JAX_SECONDS_OF_A_PAIR if config.engine == "jax" else SECONDS_OF_A_PAIR)


def _rate_settings(config: SizingConfig) -> dict[str, Any]:
    """Settings that affect the time per iteration; a stored speed is used only for the same settings."""
    settings = {name: value for name, value in config.identity().items() if name not in ("seed", "runs")}
    if config.engine != "jax":
        return settings
    import jax

    return {**settings, "device": jax.default_backend()}


def _check_fits(config: SizingConfig, pairs: int) -> None:
    """Raise an error, before anything is allocated, if the arrays of a tree would not fit in memory."""
    needed, free = BYTES_OF_A_PAIR * pairs, available_memory()
    if needed > free:
        raise PokerlabError(
            f"{config.rules.name} with these ranges and {config.cards} cards has {pairs:,} (information set, action) "
            f"pairs: at least {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; give fewer ranges or fewer cells"
        )


def run_data(run: Run) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """A run as (JSON values, arrays)."""
    about = {
        "number": run.number,
        "paths": ["/".join(path) for path in run.tree.paths],
        "pairs": run.pairs,
        "worth": None if run.worth is None else asdict(run.worth),
        "seconds": run.seconds,
        "value_seconds": run.value_seconds,
    }
    arrays = {"size": run.size, "importance": run.importance, "low": run.tree.bets.low, "high": run.tree.bets.high}
    return about, arrays


@contextmanager
def _reading(path: Path, kind: str, again: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, AnyArray]]]:
    """Context that yields the contents of a file; an error about them gets the advice to remove the file."""
    try:
        with well_formed(path):
            yield read_arrays(path, kind)
    except FileError as error:
        raise FileError(f"{error}; remove it, and the same command {again} again") from error


def read_run(path: Path, config: SizingConfig) -> Run:
    """Read a saved run of the search `config` from its file."""
    with _reading(path, RUN, "makes that run") as (about, arrays):
        return run_of(about, arrays, config.rules, config.sides)


def run_of(about: Mapping[str, Any], arrays: Mapping[str, ArrayLike], rules: Rules, both: tuple[Side, Side]) -> Run:
    """The inverse of `run_data`, given the game and both players' bets."""
    paths = [tuple(text.split("/")) for text in about["paths"]]
    found = {name: shaped(np.asarray(arrays[name]), len(paths)) for name in ("low", "high", "size", "importance")}
    known = {p: Range(float(a), float(b)) for p, a, b in zip(paths, found["low"], found["high"], strict=True)}
    tree = build_sized_tree(rules, both, known, adds="none", alpha=-np.inf)
    place = {p: i for i, p in enumerate(paths)}
    order = [place[p] for p in tree.paths]
    return Run(
        about["number"],
        tree,
        found["size"][order],
        found["importance"][order],
        seconds=about["seconds"],
        worth=None if about["worth"] is None else Estimate(**about["worth"]),
        value_seconds=about["value_seconds"],
        pairs=about["pairs"],
    )


class Gain(NamedTuple):
    """What the sized player wins with the found sizes, less its winnings with the opponent's sizes (the baseline): in
    chips per hand, and in percent of the baseline."""

    chips: float
    percent: float | None  # None if the baseline is 0


def baseline(config: SizingConfig, directory: Path | None = None, **how: Any) -> Estimate:
    """Value to player 0, in chips per hand, if both players use the opponent's sizes. It is saved in the search's
    directory, if one is given.

    >>> print(baseline(SizingConfig(game="leduc-nolimit")))
    -0.071 to -0.071 chips/hand
    """
    with config.opened(directory) as run:
        return baseline_in(config, run, **how)


def baseline_in(
    config: SizingConfig,
    run: RunDirectory | None,
    *,
    sizes: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Estimate:
    """Value to player 0, in chips per hand, if both players use the opponent's sizes; solved like the runs' values.

    `sizes` replaces both players' sizes ("h_f | fcpa"). With the open directory of a search the value is saved there,
    and an interrupted solve is resumed.
    """
    saved = None if run is None else run.path / BASELINE_FILE
    if saved is not None and saved.exists():
        return read_baseline(saved)
    checkpoint = None if run is None else run.path / BASELINE_CHECKPOINT
    both = sizes or f"{config.opponent} | {config.opponent}"
    fixed = build_sized_tree(config.rules, sides(both, ([], [])))
    cells = cells_for(config.rules, config.cards)
    with interrupts_noted() as stopped:
        worth = worth_of(config, fixed, np.empty(0), cells, Watch(checkpoint, progress, stopped))
    if saved is not None:
        write_arrays(saved, BASELINE, {"sizes": both, "worth": asdict(worth)}, {})
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return worth


def read_baseline(path: Path) -> Estimate:
    with _reading(path, BASELINE, "solves it") as (about, _):
        return Estimate(**about["worth"])


def gain(run: Run, base: Estimate, player: int) -> Gain | None:
    """Gain of `player` from the sizes of a run, compared with the baseline `base`; None if the run has no value."""
    if run.worth is None:
        return None
    chips = (run.worth.mean - base.mean) * (1 if player == 0 else -1)
    return Gain(chips, 100 * chips / abs(base.mean) if abs(base.mean) > 1e-9 else None)
