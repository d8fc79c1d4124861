"""Estimate the cost of finding bet sizes at one spot. The time comes from a second of iterations, or from a typical
speed if those would first have to be compiled; memory and disk come from the number of (information set, action) pairs.

>>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
>>> one, three = spot_cost(river, threads=1), spot_cost(river, sizes=3, threads=1)
>>> one.counts["pairs"] < three.counts["pairs"], one.disk is None
(True, True)
"""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.runs.cost import Cost, peak_memory, usable_cores
from pokerlab.runs.rates import expected_rate
from pokerlab.runs.steps import seconds_each
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree, build_sized_tree
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.systems.bets.search import Search
from pokerlab.systems.bets.several_sizes import both_sized
from pokerlab.systems.bets.sized_solver import BYTES_OF_A_PAIR, check_fits
from pokerlab.systems.bets.subgame_bets import SubgameBets
from pokerlab.systems.bets.subgame_sizes import EVERY_ITERATIONS, PHASES, USUAL, sides_everywhere

SECONDS_OF_A_PAIR = 8e-9  # typical iteration on one core; a turn took 7.2e-9, a small river 2.2e-8
SOLVE_ITERATIONS = 180  # typical for 0.05% of the pot (179 on a turn); each takes half as long as one of BETS
TRIED_BYTES_OF_A_PAIR = 8  # regrets and sums, which a process still holds after a trial of the speed
SAVED_BYTES_OF_A_PAIR = 28
"""Maximum bytes per pair on disk: regrets and sums of the current step, the regrets of two solvers, and three
strategies."""


def spot_cost(
    subgame: SizedSubgame, *, sizes: int = 1, both: bool = False, saved: bool = False, threads: int | None = None
) -> Cost:
    """Estimate the cost of finding `sizes` sizes of the bet, or with `both` one size for each player. Each size is
    assumed to take as long as the first.

    `saved` means that steps are saved on disk.
    """
    check_fits(subgame)
    whole, one = subgame.whole_range, subgame.sized(subgame.whole_range)
    largest = both_sized(subgame, (whole, whole)) if both else subgame.sized(*[whole] * sizes)
    sizing, solves = sum(phase.iterations for phase in PHASES), SOLVE_ITERATIONS * (len(USUAL) + 2)
    return _cost(subgame, one, largest, (2 if both else sizes) * (sizing + 0.5 * solves), saved, threads)


def every_cost(
    subgame: SizedSubgame, ranges: Sequence[Range], search: Search, *, saved: bool = False, threads: int | None = None
) -> Cost:
    """Estimate the cost of `every_size`, assuming that it does not restart."""
    check_fits(subgame)
    tree = build_sized_tree(subgame.rules, sides_everywhere(subgame, "all-in", tuple(ranges)))
    sizing, solves = search.runs * EVERY_ITERATIONS * min(len(ranges), 2), SOLVE_ITERATIONS * (len(USUAL) + 3)
    return _cost(subgame, tree, tree, sizing + 0.5 * solves, saved, threads)


def _cost(
    subgame: SizedSubgame, tried: SizedTree, largest: SizedTree, iterations: float, saved: bool, threads: int | None
) -> Cost:
    pairs, pairs_tried = (Problem(tree.shape, subgame.cells).counts[1] for tree in (largest, tried))
    about = {"board": subgame.cells.board, "pot": subgame.pot, "pairs": pairs_tried, "threads": threads}

    def trial() -> float:
        settings = BetsSettings(variant=VARIANTS["dcfr"])
        return seconds_each(SubgameBets(tried, subgame.cells, settings, iterations=1000, threads=threads))[0]

    rate = expected_rate(
        "bets spot", about, trial=trial, usual=lambda: SECONDS_OF_A_PAIR * pairs_tried / (threads or usable_cores())
    )
    memory = peak_memory() + BYTES_OF_A_PAIR * pairs
    memory -= TRIED_BYTES_OF_A_PAIR * pairs_tried if rate.source == "tried" else 0
    disk = SAVED_BYTES_OF_A_PAIR * pairs if saved else None
    seconds = None if rate.seconds is None else rate.seconds * iterations
    return Cost(seconds, memory, disk, {"pairs": pairs}, rate=rate.source)
