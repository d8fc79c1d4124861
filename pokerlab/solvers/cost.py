"""Estimate the cost of a solve: from the speed of the last similar solve on this machine, from a trial, or from a
typical speed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.cards.combos import N_COMBOS
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy_files import stored_bytes
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.rates import expected_rate
from pokerlab.runs.steps import seconds_each
from pokerlab.solvers.configs import SAMPLING, SolveConfig
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.memory import capped, check_memory, is_compact, memory_of, numbers_of, table_bits
from pokerlab.solvers.runs import RATE, engine_of, problem_of, rate_settings
from pokerlab.solvers.subgames.compact import MOST_KEPT, compact_memory
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.trees.betting_tree import build_tree

MOST_TRIED = 200_000_000  #: maximum bytes of a solve that a cost estimate may try

# Typical speeds in seconds of one core at 2.8 GHz, measured on Leduc and 5-bucket hold'em.
SUBGAME_SECONDS = 6.5e-9  # an iteration of a subgame, for each number of a strategy
COMPACT_SECONDS = 3.8e-9  # the same from the flop on, for each number of a table (`docs/notebook/2026-11-18-flops.md`)
VECTOR_SECONDS = 2.5e-7, 2e-10  # an exact iteration: for each decision, and for each pair of hands at each ending
ENUMERATED_SECONDS = 4e-8  # an iteration with three players, for each number and each hand of the others
DENSE_SECONDS = 3.1e-11  # an exact iteration in JAX, for each pair of hands at each ending
BOARD_SECONDS = 6.7e-9  # a sampled board in JAX, for each hand at each edge
PUBLIC_SECONDS = 3e-8  # a sampled board without JAX, for each number of a strategy
DEAL_SECONDS = {"outcome": (1.2e-6, 5e-10), "chance": (1e-6, 4e-8)}
USUAL_DEAL_SECONDS = 1.5e-6, 3.5e-9  # a sampled deal: alone, and for each decision of the betting tree


def expected_cost(config: SolveConfig, *, seconds: float = 1.0, most: int = MOST_TRIED) -> Cost:
    """Estimate the cost of a solve; for `lp`, without a time. A trial takes about `seconds` and requires no
    compilation. For a solve of more than `most` bytes, a smaller one of the same kind is tried and its time scaled up;
    `counts` then includes the number of pairs tried."""
    problem = problem_of(config)
    check_memory(config, problem)
    information_sets, pairs = problem.counts
    counts = {"decisions": problem.tree.n_decisions, "information_sets": information_sets, "pairs": pairs}
    memory, disk = memory_of(config, problem), _strategy_bytes(config, problem)
    if config.algorithm == "lp":
        return Cost(None, memory, disk, counts)
    fits = (smaller for smaller in _smaller(config, problem) if memory_of(*smaller[:2]) <= most)
    tried = next(fits, None) if may_try(config.engine) else None

    def trial() -> float:
        assert tried is not None
        # the bytes of the actual solve, also for a trial on a later street
        engine = engine_of(*tried[:2], compact=is_compact(config, problem))
        return seconds_each(engine, seconds)[0] * tried[2]

    usual = lambda: usual_seconds(config, problem)  # noqa: E731
    rate = expected_rate(RATE, rate_settings(config), trial=None if tried is None else trial, usual=usual)
    if rate.source == "tried" and tried is not None and tried[2] != 1:
        counts["pairs_tried"] = tried[1].counts[1]
    took = None if rate.seconds is None else rate.seconds * iterations_to_target(config)
    return Cost(took, memory, disk + _checkpoint_bytes(config, problem), counts, rate=rate.source)


# By number of cards on the board: (iterations to 0.5% of the pot with at most three pots behind, the same with at least
# fifteen pots behind, power of the target with which iterations grow). Measured on the spots of docs/subgames.md and
# docs/notebook/2026-11-18-flops.md.
USUAL_ITERATIONS = {3: (90, 220), 4: (90, 160), 5: (70, 110)}
TARGET_POWER = 1.7


def iterations_to_target(config: SolveConfig) -> int:
    """Typical number of iterations until a subgame meets its target, at most the configured number. Other solves have
    no typical number and use all iterations.

    >>> from pokerlab.solvers.configs import SubgameConfig
    >>> flop = SubgameConfig(board="Ks7h2d", ranges=("AA", "KK"), pot=55, stack=975)
    >>> iterations_to_target(flop.solve)
    220
    """
    rules = config.rules
    if not rules.board or config.target is None:
        return config.iterations
    pot = float(sum(rules.antes))
    depth = (float(min(rules.stacks)) - pot / 2) / pot
    shallow, deep = USUAL_ITERATIONS[len(rules.board)]
    usual = float(np.interp(np.log(depth), np.log([3, 15]), [shallow, deep]))
    to_target: float = usual * (0.005 * pot / config.target) ** (1 / TARGET_POWER)
    return max(1, min(config.iterations, round(to_target)))


def _strategy_bytes(config: SolveConfig, problem: Problem) -> int:
    """Size in bytes of the strategy file. The file of a large flop has no rivers, but both players' values on the
    earlier streets."""
    if not isinstance(problem.cells, SubgameCells) or not (is_compact(config, problem) or config.engine == "jax"):
        return stored_bytes(numbers_of(problem))
    edges, n_cells = problem.tree.edge_counts.sum(axis=1), problem.cells.n_cells
    if len(n_cells) == 1 or edges[-1] * n_cells[-1] <= MOST_KEPT:
        return stored_bytes(numbers_of(problem))
    tree = problem.tree
    begins = tree.edge_street[tree.parent_edge] < tree.street
    begins[0] = True
    entries = np.bincount(tree.street[begins], minlength=len(n_cells))
    kept, places = (int(n[:-1] @ np.array(n_cells[:-1])) for n in (edges, edges + entries))
    return stored_bytes(kept) + 2 * 4 * places  # a value in 32 bits for each player


def may_try(engine: str) -> bool:
    """Whether a trial is allowed: not with JAX on a CPU, where compiling takes longer than many solves."""
    if engine != "jax":
        return True
    import jax

    return jax.default_backend() != "cpu"


def usual_seconds(config: SolveConfig, problem: Problem) -> float:
    """Typical seconds of an iteration on this number of cores, by the size of the problem."""
    tree, numbers, deals = problem.tree, numbers_of(problem), config.deals_per_iteration
    cores = min(config.n_threads, usable_cores())
    if config.algorithm in SAMPLING:
        if config.engine == "jax":
            return BOARD_SECONDS * deals * N_COMBOS * tree.n_edges / usable_cores()
        if config.algorithm == "public":
            return PUBLIC_SECONDS * deals * numbers
        alone, each = DEAL_SECONDS.get(config.algorithm, USUAL_DEAL_SECONDS)
        return (alone + each * tree.n_decisions) * deals / cores
    if isinstance(problem.cells, SubgameCells):
        if is_compact(config, problem):
            return COMPACT_SECONDS * compact_memory(problem, 16) / 4 / cores  # two tables with two bytes per number
        return SUBGAME_SECONDS * numbers / cores
    if config.engine == "jax":
        return DENSE_SECONDS * _ending_pairs(problem) / usable_cores()
    if tree.rules.n_seats > 2:
        others: int = problem.cells.n_cells[-1] ** (tree.rules.n_seats - 1)
        return ENUMERATED_SECONDS * numbers * others
    return VECTOR_SECONDS[0] * tree.n_decisions + VECTOR_SECONDS[1] * _ending_pairs(problem)


def _ending_pairs(problem: Problem) -> int:
    """Number of pairs of hands, summed over all terminal nodes of the betting tree."""
    ends_on = np.bincount(problem.tree.ending_street, minlength=len(problem.cells.n_cells))
    by_street = [joint.size for joint in problem.pairs.joint]
    return int(sum(n * size for n, size in zip(ends_on, by_street, strict=True)))


def _checkpoint_bytes(config: SolveConfig, problem: Problem) -> int:
    """Size in bytes of a checkpoint: all tables that the engine saves, such as regrets and sums."""
    if config.algorithm in SAMPLING and config.engine != "jax":
        return 16 * numbers_of(problem)
    tables = 3 if variant(_variant(config)).predictive else 2
    if isinstance(problem.cells, SubgameCells):
        if is_compact(config, problem) or config.engine == "jax":
            return compact_memory(problem, table_bits(config))
        return 4 * tables * numbers_of(problem)
    return 8 * (tables + 1) * numbers_of(problem)


def _variant(config: SolveConfig) -> str:
    return "lcfr" if config.algorithm in SAMPLING else config.algorithm


def _smaller(config: SolveConfig, problem: Problem) -> Iterator[tuple[SolveConfig, Problem, float]]:
    """Yield the solve itself, then smaller solves of the same kind for a trial. Each has the factor by which an
    iteration of the actual solve takes longer. Smaller solves sample one board at a time, begin a subgame a card or two
    later, use fewer cards in a whole game of real cards, or allow fewer raises per street in other games."""
    yield config, problem, 1.0
    rules, sizes = problem.tree.rules, config.sizes
    if config.engine == "jax" and config.algorithm in SAMPLING:
        yield replace(config, deals_per_iteration=1), problem, config.deals_per_iteration
        return
    if "@" in (sizes or ""):  # sizes from a file are for its own tree only
        return
    if rules.board:
        by_street = [(game, [side.from_street(rules, n) for side in problem.tree.sizes]) for n, game in _later(rules)]
        trees = (build_tree(game, tuple(later)) for game, later in by_street)
    elif isinstance(problem.cells, SubgameCells):
        decks = (rules.deck[-n:] for n in (36, 24) if n < len(rules.deck))
        trees = (tree_for(replace(rules, deck=deck), sizes) for deck in decks)
    else:
        trees = (tree_for(capped(rules, raises), sizes) for raises in (2, 1))
    for tree in trees:
        same = not isinstance(problem.cells, SubgameCells)
        smaller = Problem(tree, problem.cells if same else cells_for(tree.rules, problem.cells.name))
        yield config, smaller, numbers_of(problem) / numbers_of(smaller)


def _later(rules: Rules) -> Iterator[tuple[int, Rules]]:
    """Yield a subgame with one more card on its board, and one with two; each with the street on which it begins."""
    for street in range(1, len(rules.streets)):
        card = next(card for card in rules.deck if card not in rules.board)
        first = replace(rules.streets[1], n_hole=2, n_board=len(rules.board) + 1)
        rules = replace(rules, board=(*rules.board, card), streets=(first, *rules.streets[2:]))
        yield street, rules
