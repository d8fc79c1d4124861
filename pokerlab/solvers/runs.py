"""Run a solve by its configuration; checkpoint, strategy and result are saved in a run directory.

This module prints nothing and imports only NumPy, SciPy, Numba and (for `engine = "jax"`) JAX.

>>> solution = run_solve(SolveConfig(game="kuhn", algorithm="lp"))
>>> round(solution.value, 6)
-0.055556
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from pokerlab.abstraction.cells import check_pairs_fit
from pokerlab.abstraction.subgame_cells import HANDS, SubgameCells, has_many_pairs
from pokerlab.answers import json_text
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, save_strategy, strategy_file
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.rates import store_rate
from pokerlab.runs.request import RESULT
from pokerlab.runs.steps import Watch, check_not_beyond, interrupts_noted
from pokerlab.solvers.configs import SAMPLING, SolveConfig
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import Engine, Look, Solution, solve
from pokerlab.solvers.core.variants import VARIANTS, variant
from pokerlab.solvers.memory import MATRICES, check_memory, check_size, is_compact
from pokerlab.solvers.subgames.locking import locked_problem
from pokerlab.solvers.subgames.small_river import SmallRiverCfr, is_small_river

CHECKPOINT, RATE = "checkpoint.bin", "solve"


def problem_of(config: SolveConfig) -> Problem:
    """Make the betting tree and the cells of a configuration. Raise an error if they would not fit in memory."""
    rules, cards = config.rules, config.cards
    if config.lock:
        saved = _locked_from(config.lock_from) if config.lock_from else None
        check_size(config)
        return locked_problem(rules, config.sizes, config.lock, saved)
    if config.algorithm not in SAMPLING and cards in (None, "lossless") and rules.n_seats == 2:
        if config.algorithm in VARIANTS and config.engine == "numba" and not rules.board and has_many_pairs(rules):
            cards = HANDS
        else:
            check_pairs_fit(rules, matrices=MATRICES)
    check_size(config)
    return make_problem(rules, config.sizes, cards)


def _locked_from(name: str) -> Strategy:
    """Load the strategy to which the word `saved` in locks refers."""
    if not strategy_file(Path(name)).is_file():
        raise PokerlabError(
            f"lock_from: {name} holds no saved strategy; players and models of people have no probabilities for the "
            "bets of a subgame, which is no-limit: lock frequencies instead, as in 'bet 50: KQ call 40%'"
        )
    return load_strategy(Path(name)).strategy


def engine_of(config: SolveConfig, problem: Problem, *, compact: bool | None = None) -> Engine:
    """Make the engine of a configuration; every algorithm except `lp` has one. `compact` overrides `is_compact`."""
    rules = problem.tree.rules
    if (rules.rake or problem.locks) and config.algorithm in SAMPLING:
        raise PokerlabError(f"{rules.name}: only the variants of CFR support rake and locks")
    if config.algorithm in SAMPLING:
        return _sampling_engine(config, problem)
    if config.engine == "jax" and rules.board:
        from pokerlab.solvers.subgames.level_cfr import LevelCfr

        return LevelCfr(problem, variant(config.algorithm))
    if config.engine == "jax":
        from pokerlab.solvers.vector.dense import DenseCfr

        return DenseCfr(problem, variant(config.algorithm))
    if problem.tree.rules.n_seats > 2:
        from pokerlab.solvers.vector.multiplayer import EnumeratedCfr

        return EnumeratedCfr(problem, variant(config.algorithm))
    compact = is_compact(config, problem) if compact is None else compact
    if is_small_river(problem) and not compact:
        return SmallRiverCfr(problem, variant(config.algorithm))
    if compact:
        from pokerlab.solvers.subgames.compact import CompactCfr

        return CompactCfr(problem, variant(config.algorithm), bits=config.bits, threads=config.n_threads)
    if isinstance(problem.cells, SubgameCells):
        from pokerlab.solvers.subgames.cfr import SubgameCfr

        return SubgameCfr(problem, variant(config.algorithm), threads=config.n_threads)
    from pokerlab.solvers.vector.cfr import VectorCfr

    return VectorCfr(problem, variant(config.algorithm))


def _sampling_engine(config: SolveConfig, problem: Problem) -> Engine:
    if config.engine == "jax":
        from pokerlab.solvers.sampling.board_cfr import BoardCfr

        boards = config.deals_per_iteration
        return BoardCfr(problem, variant("lcfr"), boards_per_iteration=boards, seed=config.seed)
    from pokerlab.solvers.sampling.mccfr import MonteCarloCfr, Sampling

    kind = "external" if config.algorithm in ("mccfr", "linear") else config.algorithm
    power = 1.0 if config.algorithm == "linear" else 0.0
    sampling = Sampling(
        cast(Any, kind),
        deals_per_iteration=config.deals_per_iteration,
        average_every=config.average_every,
        regret_power=power,
        average_power=power,
    )
    if kind == "public":
        from pokerlab.solvers.sampling.public_chance import PublicChanceCfr

        return PublicChanceCfr(problem, sampling, seed=config.seed)
    return MonteCarloCfr(problem, sampling, seed=config.seed, threads=config.n_threads)


def run_solve(config: SolveConfig, directory: Path | None = None, **watched: Any) -> Solution:
    """Solve. If a `directory` is given, save checkpoint, strategy and result there, or resume the run in it
    (`solve_in`)."""
    with config.opened(directory) as run:
        solution = solve_in(config, run, **watched)
        if run is not None:
            run.write(RESULT, (json_text(summary(config, solution)) + "\n").encode())
    return solution


def solve_in(
    config: SolveConfig,
    run: RunDirectory | None,
    *,
    report: Callable[[Look], None] | None = None,
    interim: Callable[[Solution], None] | None = None,
    progress: Callable[[int], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Solution:
    """Solve. If a `run` is given, save checkpoint and strategy there, and resume from its checkpoint.

    A finished run is continued if it is requested again with more iterations or a lower target. At every measurement,
    `report` gets the measurement and `interim` the solution so far. About once a second, `progress` gets the number of
    iterations done, and `stopped` is called: if it returns True, the checkpoint is written and KeyboardInterrupt
    raised, as on Ctrl-C.
    """
    problem, watch = problem_of(config), Watch(None, progress, stopped)
    check_memory(config, problem)
    if run is None:
        return _solved(config, problem, watch, report, interim)
    check_not_beyond(run.path / CHECKPOINT, config.iterations)
    solution = _solved(config, problem, replace(watch, checkpoint=run.path / CHECKPOINT), report, interim)
    save_strategy(run.path / STRATEGY_FILE, solution.strategy, made_by(config, solution))
    return solution


def made_by(config: SolveConfig, solution: Solution) -> dict[str, Any]:
    """Record of how a strategy was solved, for its file."""
    settings = {name: getattr(config, name) for name in ("algorithm", "cites", "engine", "seed")}
    return {**settings, **({"lock": config.lock} if config.lock else {}), **solution.figures}


def summary(config: SolveConfig, solution: Solution) -> dict[str, Any]:
    """A solution as JSON values, in chips per hand (the value is player 0's). With three or more players, NashConv is
    the sum of the players' separate gains; exploitability, half of NashConv, exists only for two players."""
    rules, evaluation = solution.strategy.tree.rules, solution.evaluation
    information_sets, pairs = Problem(solution.strategy.tree, solution.strategy.cells).counts
    left_out = () if rules.n_seats == 2 else ("exploitability",)
    return {
        "game": rules.name,
        "players": rules.n_seats,
        **{name: number for name, number in made_by(config, solution).items() if name not in left_out},
        "sizes": " | ".join(dict.fromkeys(side.text for side in solution.strategy.tree.sizes)),
        "cards": solution.strategy.cells.name,
        "units": "chips_per_hand",
        "big_blind": float(rules.big_blind),
        "nash_conv": _number(evaluation.nash_conv),
        "bounds": [_number(end) for end in (evaluation.bounds.low, evaluation.bounds.high)]
        if rules.n_seats == 2 and not rules.rake
        else None,
        "information_sets": information_sets,
        "pairs": pairs,
        "looks": [_look_data(look, rules.n_seats) for look in solution.looks],
    }


def _target(config: SolveConfig) -> float | None:
    """The exploitability at which to stop. With three or more players the setting means NashConv, which is twice
    that."""
    return config.target if config.target is None or config.rules.n_seats == 2 else config.target / 2


def _look_data(look: Look, n_seats: int) -> dict[str, Any]:
    gap, times = ("exploitability", 1) if n_seats == 2 else ("nash_conv", 2)
    when = {"iteration": look.iteration, "seconds": look.seconds}
    return {**when, "value": _number(look.value), gap: _number(times * look.exploitability)}


def _solved(
    config: SolveConfig,
    problem: Problem,
    watch: Watch,
    report: Callable[[Look], None] | None,
    interim: Callable[[Solution], None] | None,
) -> Solution:
    if config.algorithm == "lp":
        return solve_lp(problem)
    engine = engine_of(config, problem)
    engine.step(engine.init(), 1)  # compile, if necessary, before time is measured
    with interrupts_noted() as interrupted:
        requested = watch.stopped
        watch = replace(watch, stopped=lambda: interrupted() or (requested is not None and requested()))
        solution = solve(
            engine,
            iterations=config.iterations,
            target=_target(config),
            report=report,
            interim=interim,
            watch=watch,
        )
    if watch.checkpoint is not None:  # only for a single run, not for one of many boards
        store_rate(RATE, rate_settings(config), units=solution.iterations, seconds=solution.seconds)
    return solution


def rate_settings(config: SolveConfig) -> dict[str, Any]:
    """Settings that affect the time of an iteration."""
    settings = {name: value for name, value in config.identity().items() if name != "seed"}
    if config.engine != "jax":
        return {**settings, "threads": config.n_threads}
    import jax

    return {**settings, "device": jax.default_backend()}


def _number(value: float) -> float | None:
    """A value as a JSON number; None for NaN."""
    return None if value != value else float(value)
