"""A solve from its configuration, in a run directory that gets checkpoint, strategy and result.

Nothing here prints, and nothing beyond NumPy, SciPy, Numba and (for `engine = "jax"`) JAX is imported.

>>> solution = run_solve(SolveConfig(game="kuhn", algorithm="lp"))
>>> round(solution.value, 6)
-0.055556
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Lossless, check_pairs_fit
from pokerlab.answers import json_text
from pokerlab.cards.combos import N_COMBOS
from pokerlab.errors import PokerlabError
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy_files import STRATEGY_FILE, save_strategy, stored_bytes
from pokerlab.runs.cost import Cost, available_memory
from pokerlab.runs.directory import RunDirectory, open_run
from pokerlab.runs.request import RESULT
from pokerlab.runs.steps import Watch, check_not_beyond, interrupts_noted, seconds_each
from pokerlab.solvers.configs import SAMPLING, SolveConfig
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import Engine, Look, Solution, solve
from pokerlab.solvers.core.variants import VARIANTS, variant
from pokerlab.solvers.subgames.subgame import solving_memory
from pokerlab.trees.action_abstraction import tree_for

CHECKPOINT = "checkpoint.bin"
MOST_TRIED = 200_000_000
"""Maximum bytes of a solve that a dry run may try."""
_ARRAYS = 12  # float64 arrays over (information set, action) pairs, including those of measurements
_MATRICES = 6  # joint and showdown, and both again from each player's side
_ON_THE_WAY = 3
_ARRAYS_SAMPLING = 5  # regrets, sums; arrays that a measurement makes of the sums


def problem_of(config: SolveConfig) -> Problem:
    """The betting tree and the cells of a configuration; pairs of hands that could not fit are refused first."""
    rules = config.rules
    if config.algorithm not in SAMPLING and config.cards in (None, "lossless") and rules.n_seats == 2:
        check_pairs_fit(rules, matrices=_MATRICES)
    return make_problem(rules, config.sizes, config.cards)


def engine_of(config: SolveConfig, problem: Problem) -> Engine:
    """The engine of a configuration; every algorithm but `lp` has one."""
    if config.algorithm in SAMPLING:
        return _sampling_engine(config, problem)
    if config.engine == "jax":
        from pokerlab.solvers.vector.dense import DenseCfr

        return DenseCfr(problem, variant(config.algorithm))
    if problem.tree.rules.n_seats > 2:
        from pokerlab.solvers.vector.multiplayer import EnumeratedCfr

        return EnumeratedCfr(problem, variant(config.algorithm))
    if problem.tree.rules.board:
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
    """Solve; with a `directory`, save checkpoint, strategy and result there and resume what it holds (`solve_in`)."""
    if directory is None:
        return solve_in(config, None, **watched)
    with open_run(directory, config.kind, config.identity(), code=config.modules) as run:
        solution = solve_in(config, run, **watched)
        run.write(RESULT, (json_text(summary(config, solution)) + "\n").encode())
    return solution


def solve_in(
    config: SolveConfig,
    run: RunDirectory | None,
    *,
    report: Callable[[Look], None] | None = None,
    progress: Callable[[int], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Solution:
    """Solve; with a `run`, save checkpoint and strategy there and resume from its checkpoint.

    A finished run is extended when it is requested again with more iterations or a lower target. `progress` receives
    the number of iterations done, and `stopped` is called, about once a second: if it returns True, the checkpoint is
    written and KeyboardInterrupt raised, as on Ctrl-C.
    """
    problem, watch = problem_of(config), Watch(None, progress, stopped)
    check_memory(config, problem)
    if run is None:
        return _solved(config, problem, watch, report)
    check_not_beyond(run.path / CHECKPOINT, config.iterations)
    solution = _solved(config, problem, replace(watch, checkpoint=run.path / CHECKPOINT), report)
    save_strategy(run.path / STRATEGY_FILE, solution.strategy, made_by(config, solution))
    return solution


def made_by(config: SolveConfig, solution: Solution) -> dict[str, Any]:
    """A strategy file's record of how its strategy was solved."""
    settings = {name: getattr(config, name) for name in ("algorithm", "cites", "engine", "seed")}
    return {**settings, **solution.figures}


def summary(config: SolveConfig, solution: Solution) -> dict[str, Any]:
    """A solution as plain JSON values; chips per hand, to player 0."""
    rules, evaluation = solution.strategy.tree.rules, solution.evaluation
    information_sets, pairs = Problem(solution.strategy.tree, solution.strategy.cells).counts
    return {
        "game": rules.name,
        **made_by(config, solution),
        "sizes": " | ".join(dict.fromkeys(side.text for side in solution.strategy.tree.sizes)),
        "cards": solution.strategy.cells.name,
        "units": "chips_per_hand",
        "big_blind": float(rules.big_blind),
        "nash_conv": _number(evaluation.nash_conv),
        "bounds": [_number(end) for end in (evaluation.bounds.low, evaluation.bounds.high)]
        if rules.n_seats == 2
        else None,
        "information_sets": information_sets,
        "pairs": pairs,
        "looks": [
            {**look._asdict(), "value": _number(look.value), "exploitability": _number(look.exploitability)}
            for look in solution.looks
        ],
    }


def expected_cost(config: SolveConfig, *, seconds: float = 1.0, most: int = MOST_TRIED) -> Cost:
    """An estimate from about `seconds` of iterations, after one that may compile; for `lp`, without a time. A solve
    that takes more than `most` bytes is not tried: a smaller one of the same kind is, and its time is scaled. If that
    takes too much as well, the time is unknown. `counts` then has the number of pairs tried."""
    problem = problem_of(config)
    check_memory(config, problem)
    information_sets, pairs = problem.counts
    counts = {"decisions": problem.tree.n_decisions, "information_sets": information_sets, "pairs": pairs}
    took, disk = None, stored_bytes(_numbers(problem))
    fits = (smaller for smaller in _smaller(config, problem) if memory_of(*smaller[:2]) <= most)
    tried = None if config.algorithm == "lp" else next(fits, None)
    if tried is not None:
        each, arrays = seconds_each(engine_of(*tried[:2]), seconds)
        took = each * tried[2] * config.iterations
        growth = _numbers(problem) / _numbers(tried[1])
        disk += int(growth * sum(np.asarray(array).nbytes for array in arrays.values()))
    if tried is None or tried[2] != 1:
        counts["pairs_tried"] = 0 if tried is None else tried[1].counts[1]
    return Cost(took, memory_of(config, problem), disk, counts)


def _smaller(config: SolveConfig, problem: Problem) -> Iterator[tuple[SolveConfig, Problem, float]]:
    """A solve, then smaller ones of its kind, each with the factor by which an iteration of the whole takes longer.
    Boards are sampled one at a time; a subgame begins a card later; other games have fewer raises per street."""
    yield config, problem, 1.0
    rules, sizes = problem.tree.rules, config.sizes
    if config.engine == "jax" and config.algorithm in SAMPLING:
        yield replace(config, deals_per_iteration=1), problem, config.deals_per_iteration
        return
    if rules.board:
        later = list(_later(rules))
    elif "@" in (sizes or ""):  # the sizes of a file are for its own tree
        later = []
    else:
        later = [_capped(rules, raises) for raises in (2, 1)]
    for game in later:
        cells = cells_for(game, None) if rules.board else problem.cells
        smaller = Problem(tree_for(game, sizes), cells)
        yield config, smaller, _numbers(problem) / _numbers(smaller)


def _later(rules: Rules) -> Iterator[Rules]:
    """A subgame with one card more on its board, and with two."""
    while len(rules.streets) > 1:
        card = next(card for card in rules.deck if card not in rules.board)
        first = replace(rules.streets[1], n_hole=2, n_board=len(rules.board) + 1)
        rules = replace(rules, board=(*rules.board, card), streets=(first, *rules.streets[2:]))
        yield rules


def _capped(rules: Rules, raises: int) -> Rules:
    """The game with at most `raises` raises per street."""
    caps = [raises if street.max_raises is None else min(raises, street.max_raises) for street in rules.streets]
    streets = tuple(replace(street, max_raises=cap) for street, cap in zip(rules.streets, caps, strict=True))
    return replace(rules, streets=streets)


def memory_of(config: SolveConfig, problem: Problem) -> int:
    """Approximate memory of a solve's arrays in bytes."""
    if problem.tree.rules.board and config.algorithm in VARIANTS:
        return solving_memory(problem, predictive=VARIANTS[config.algorithm].predictive)
    sampling = config.algorithm in SAMPLING
    if sampling and config.engine == "jax":  # intermediate values of every hand of every board at every edge
        boards = _ON_THE_WAY * config.deals_per_iteration * N_COMBOS * problem.tree.n_edges
        return 4 * (boards + _ARRAYS_SAMPLING * _numbers(problem))
    arrays = 8 * (_ARRAYS_SAMPLING if sampling else _ARRAYS) * _numbers(problem)
    if sampling or problem.tree.rules.n_seats > 2:
        return arrays
    if isinstance(problem.cells, Lossless):  # tables that might not fit are not built just to be measured
        matrices = problem.cells.pair_bytes
    else:
        matrices = sum(joint.nbytes for joint in problem.pairs.joint)
    return arrays + _MATRICES * matrices


def check_memory(config: SolveConfig, problem: Problem, available: int | None = None) -> None:
    """Refuse a solve whose arrays would not fit into the free memory."""
    needed, free = memory_of(config, problem), available_memory() if available is None else available
    if needed > free:
        name, (_, pairs) = problem.tree.rules.name, problem.counts
        raise PokerlabError(
            f"{name} with these sizes and {problem.cells.name} cards has {pairs:,} (information set, action) pairs: "
            f"about {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; offer fewer sizes or fewer cells"
        )


def _solved(config: SolveConfig, problem: Problem, watch: Watch, report: Callable[[Look], None] | None) -> Solution:
    if config.algorithm == "lp":
        return solve_lp(problem)
    engine = engine_of(config, problem)
    engine.step(engine.init(), 1)  # compiles, if necessary, before the clock starts
    with interrupts_noted() as interrupted:
        requested = watch.stopped
        watch = replace(watch, stopped=lambda: interrupted() or (requested is not None and requested()))
        return solve(engine, iterations=config.iterations, target=config.target, report=report, watch=watch)


def _numbers(problem: Problem) -> int:
    """The length of one array over (edge, cell), empty cells included."""
    return problem.tree.counts(problem.cells.n_cells)[1]


def _number(value: float) -> float | None:
    """JSON has no NaN."""
    return None if value != value else float(value)
