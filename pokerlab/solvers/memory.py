"""The memory that a solve needs, estimated before anything is allocated; for a subgame, before its betting tree is
built.

A solve that does not fit raises an error, with advice on settings that would fit. The edges of a subgame's tree are
counted (`trees.betting_tree.total_of_edges`) without building it, so this takes only milliseconds even for huge trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pokerlab.abstraction.cells import Lossless
from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Int64s
from pokerlab.cards.combos import N_COMBOS
from pokerlab.errors import PokerlabError
from pokerlab.games.dealing import start_ranges
from pokerlab.games.rules import Rules
from pokerlab.runs.cost import available_memory, device_or_available_memory
from pokerlab.solvers.configs import SAMPLING, SolveConfig
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames.subgame import solving_edge_bytes
from pokerlab.trees.betting_tree import total_of_edges

MATRICES = 6  #: matrices of probabilities and of showdowns, and both again for each player
_ARRAYS = 12  # number of float64 arrays over (information set, action) pairs, including those of measurements
_ON_THE_WAY = 3
_ARRAYS_SAMPLING = 5  # number of arrays: regrets and sums; those that a measurement makes from the sums
COUNTED = 4  #: counting stops when a tree takes this multiple of the free memory


def numbers_of(problem: Problem) -> int:
    """Number of (edge, cell) pairs, with empty cells: the length of one of the solver's arrays."""
    return problem.tree.counts(problem.cells.n_cells)[1]


def is_compact(config: SolveConfig, problem: Problem) -> bool:
    """Whether a solve uses compact tables of `bits` bits: subgames that begin on the flop, with variants that do not
    predict."""
    return _is_compact(config, problem.tree.rules)


def _is_compact(config: SolveConfig, rules: Rules) -> bool:
    return len(rules.board) == 3 and config.algorithm in VARIANTS and not VARIANTS[config.algorithm].predictive


def memory_of(config: SolveConfig, problem: Problem) -> int:
    """Approximate memory of a solve's arrays in bytes."""
    locks = 0 if problem.locks is None else 2 * problem.locks.nbytes
    if isinstance(problem.cells, SubgameCells) and config.algorithm in VARIANTS:
        by_edge = problem.tree.edge_counts * _edge_bytes(config, problem.tree.rules, problem.cells)
        return locks + int(by_edge.sum()) + 8 * sum(problem.cells.n_cells)
    sampling = config.algorithm in SAMPLING
    if sampling and config.engine == "jax":  # intermediate values for every edge, board and hand
        boards = _ON_THE_WAY * config.deals_per_iteration * N_COMBOS * problem.tree.n_edges
        return 4 * (boards + _ARRAYS_SAMPLING * numbers_of(problem))
    arrays = 8 * (_ARRAYS_SAMPLING if sampling else _ARRAYS) * numbers_of(problem)
    if sampling or problem.tree.rules.n_seats > 2:
        return arrays
    if isinstance(problem.cells, Lossless):  # do not build tables only to measure them
        matrices = problem.cells.pair_bytes
    else:
        matrices = sum(joint.nbytes for joint in problem.pairs.joint)
    return arrays + MATRICES * matrices


def _edge_bytes(config: SolveConfig, rules: Rules, cells: SubgameCells) -> Int64s:
    """Return `bytes[street, player]`: the memory of one action of the subgame's tree in all arrays of the solve."""
    if _is_compact(config, rules) or config.engine == "jax":
        from pokerlab.solvers.subgames.compact import compact_edge_bytes

        return compact_edge_bytes(cells, table_bits(config))
    return solving_edge_bytes(cells, predictive=VARIANTS[config.algorithm].predictive)


def table_bits(config: SolveConfig) -> int:
    """Bits per number in a subgame's tables; always 32 with the engine jax."""
    return 32 if config.engine == "jax" else config.bits


def free_memory(config: SolveConfig) -> int:
    """Bytes that a solve may use: of the GPU, if it runs on one, otherwise of this machine."""
    return device_or_available_memory() if config.engine == "jax" else available_memory()


def check_memory(config: SolveConfig, problem: Problem, available: int | None = None) -> None:
    """Raise an error if the arrays of a solve would not fit in the free memory."""
    needed, free = memory_of(config, problem), free_memory(config) if available is None else available
    if needed > free:
        name, (_, pairs) = problem.tree.rules.name, problem.counts
        raise PokerlabError(
            f"{name} with these sizes and {problem.cells.name} cards has {pairs:,} (information set, action) pairs: "
            f"about {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; {what_fits(config, problem.cells, free)}"
        )


def check_size(config: SolveConfig, most: int | None = None, room: str = "") -> None:
    """Before a subgame's tree is built, raise an error if its tables would take more than `most` bytes (default: the
    free memory). `room` describes this limit in the message."""
    rules = config.rules
    if not rules.board or "@" in (config.sizes or "") or config.algorithm not in VARIANTS:
        return
    most = free_memory(config) if most is None else most
    cells = SubgameCells(rules.board, start_ranges(rules))
    needed = _counted(config, cells, rules, config.sizes or "", COUNTED * most)
    if needed > most:
        about = "about" if needed <= COUNTED * most else "more than"
        raise PokerlabError(
            f"{rules.name} with these sizes takes {about} {needed / 1e9:.1f} GB of memory, and "
            f"{room or f'{most / 1e9:.1f} GB are free'}; {what_fits(config, cells, most)}"
        )


def _counted(config: SolveConfig, cells: SubgameCells, rules: Rules, sizes: str, most: int) -> int:
    """Size in bytes of a subgame's tables with changed rules or sizes; exact up to `most`."""
    by_edge = _edge_bytes(config, rules, cells).tolist()
    return total_of_edges(rules, sizes, by_edge, most) + 8 * sum(cells.n_cells)


def what_fits(config: SolveConfig, cells: object, most: int) -> str:
    """Advice for a solve that takes too much memory: a change of settings, and the memory it would then need."""
    rules, sizes = config.rules, config.sizes or ""
    if not rules.board or "@" in sizes or not isinstance(cells, SubgameCells):
        return "offer fewer sizes or fewer cells"
    for words, game, text in _changes(rules, sizes):
        takes = _counted(config, cells, game, text, most)
        if takes <= most:
            return f"{words} would take {takes / 1e9:.1f} GB"
    return "offer fewer sizes and narrow the ranges"


def _changes(rules: Rules, sizes: str) -> Iterator[tuple[str, Rules, str]]:
    """Yield changes of settings that make a tree smaller: (description, rules, sizes). If the sizes already say from
    which share of the stack on bets are all-in, that share is not changed."""
    soon = " | ".join(f"{side.strip()}; all-in from 60%" for side in sizes.split("|"))
    many, few = (f"at most {n} bets and raises a street" for n in (3, 2))
    all_in, free = "all-in from 60% of the chips left", "all-in from" not in sizes
    yield many, capped(rules, 3), sizes
    yield few, capped(rules, 2), sizes
    if free:
        yield all_in, rules, soon
        yield f"{few} and {all_in}", capped(rules, 2), soon
    yield "one bet a street", capped(rules, 1), sizes
    if free:
        yield f"one bet a street and {all_in}", capped(rules, 1), soon


def capped(rules: Rules, raises: int) -> Rules:
    """Copy of the game with at most `raises` raises per street."""
    caps = [raises if street.max_raises is None else min(raises, street.max_raises) for street in rules.streets]
    streets = tuple(replace(street, max_raises=cap) for street, cap in zip(rules.streets, caps, strict=True))
    return replace(rules, streets=streets)
