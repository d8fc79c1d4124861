"""RE-BETS, RED-BETS, REDM-BETS and REFINED-BETS: short runs of BETS between which ranges move and the tree changes.

After each run every range is centred on the size found in it, saving its width (RE-BETS) or its ratio of pot growths
(RED-BETS); the tree is then rebuilt, with sized bets where they now fit and without those that no longer do. A
decision may have several ranges (REDM-BETS). With `extra`, after the first run each decision keeps only its most
important sized bet, and besides those the `extra` most important ones of all (REFINED-BETS).

References
----------
Hawkin (2014), algorithm 2 (RE-BETS), 5 (RED-BETS), 6 (REDM-BETS), 8, 9 and 11 (REFINED-BETS).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Literal, TypeAlias

import numpy as np

from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.games.rules import Rules
from pokerlab.runs.steps import Watch, seconds_before, take_steps
from pokerlab.solvers.bet_sizing.bets import Bets, BetsEngine, BetsSettings, deals_of, sampled_deals
from pokerlab.solvers.bet_sizing.ranges import ALPHA, Range, of_ratio, of_width
from pokerlab.solvers.bet_sizing.sized_tree import Path, Side, SizedTree, build_sized_tree
from pokerlab.trees.betting_tree import BettingTree

Sizer: TypeAlias = Callable[[SizedTree], BetsEngine]  #: makes the engine that sizes the bets of a tree

SAMPLED_DEALS = 1_000_000  # of which sampled iterations draw, where cells forget


def make_sizer(cells: Cells, settings: BetsSettings, *, iterations: int, engine: str, boards: int = 8) -> Sizer:
    """Make BETS for "numba", deal by deal, or "jax", on whole tables or, with imperfect recall, sampled boards."""
    if engine == "numba":
        if cells.pairs is None and settings.exact:
            raise PokerlabError(f"{cells.name} forgets cards: take sampled deals, or the jax engine")
        deals = sampled_deals(cells, SAMPLED_DEALS, settings.seed) if cells.pairs is None else deals_of(cells.pairs)
        return lambda tree: Bets(tree, cells, deals, settings, iterations=iterations)
    if find_spec("jax") is None:
        raise PokerlabError("the jax engine needs JAX; install it with pip install 'pokerlab[jax]'")
    if cells.pairs is None:
        from pokerlab.solvers.bet_sizing.board_bets import BoardBets

        return lambda tree: BoardBets(tree, cells, settings, iterations=iterations, boards_per_iteration=boards)
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

    return lambda tree: DenseBets(tree, cells, settings, iterations=iterations)


@dataclass(frozen=True)
class Search:
    """Settings of the search. `extra` is the number of extra bets kept after the first run; None keeps all."""

    runs: int = 10
    keeps: Literal["ratio", "width"] = "ratio"
    extra: int | None = None
    alpha: float = ALPHA


@dataclass(frozen=True, eq=False)
class Run:
    """One run of a search: the size and the importance of every sized bet of `tree`, and the value of these sizes."""

    number: int  # from 1
    tree: SizedTree
    size: Floats  # [bet], fractions of the pot
    importance: Floats  # [bet], chips per pot fraction
    seconds: float = 0.0  # of sizing
    worth: Estimate | None = None  # to player 0, chips a hand; None: not requested
    value_seconds: float = 0.0
    pairs: int = 0  # (information set, action) pairs of its game, where they were counted

    @property
    def abstraction(self) -> BettingTree:
        """The betting tree with the sizes that were found."""
        return self.tree.tree(self.size)


class InMemory:
    """Runs of a search that are neither watched nor saved; `saved_runs` saves them."""

    def saved(self, number: int) -> Run | None:
        """The saved run of this number, if any."""
        return None

    def watch(self, number: int) -> Watch:
        """The `Watch` that the run is made under."""
        return Watch()

    def finished(self, run: Run) -> Run:
        """Complete (and save) a finished run."""
        return run


def search_sizes(
    rules: Rules, both: tuple[Side, Side], sizer: Sizer, search: Search, saving: InMemory | None = None
) -> Iterator[Run]:
    """Make the runs of a search, one after the other; `saving` loads, watches and saves them."""
    saving = saving or InMemory()
    first_tree = build_sized_tree(rules, both, alpha=search.alpha)
    run: Run | None = None
    for number in range(1, search.runs + 1):
        before, run = run, saving.saved(number)
        if run is None:
            tree = next_tree(before, rules, both, search) if before else first_tree
            run = run_bets(sizer(tree), number, saving.watch(number))
            if number == 1 and search.extra is not None:
                run = pruned(run, rules, both, search)
            run = saving.finished(run)
        yield run


def run_bets(engine: BetsEngine, number: int = 1, watch: Watch | None = None) -> Run:
    """Make a run of BETS; with a `watch` it saves checkpoints and resumes from them."""
    before, began = seconds_before(watch.checkpoint if watch else None), time.perf_counter()
    arrays = take_steps(engine, iterations=engine.iterations, watch=watch)
    size, importance = engine.sizes(arrays), engine.importance(arrays)
    return Run(number, engine.tree, size, importance, before + time.perf_counter() - began)


def next_tree(run: Run, rules: Rules, both: tuple[Side, Side], search: Search) -> SizedTree:
    """The tree of the run after `run`."""
    known: dict[Path, Range] = {}
    for player, path, size in zip(run.tree.bets.player, run.tree.paths, run.size.tolist(), strict=True):
        default = both[player].ranges[int(path[-1][1:])]
        known[path] = of_ratio(size, default.ratio) if search.keeps == "ratio" else of_width(size, default.width)
    adds: Literal["every range", "first range"] = "every range" if search.extra is None else "first range"
    return build_sized_tree(rules, both, known, adds=adds, alpha=search.alpha)


def pruned(run: Run, rules: Rules, both: tuple[Side, Side], search: Search) -> Run:
    """The run restricted to the tree of the remaining bets, at the sizes found."""
    kept = important_bets(run.tree, run.importance, search.extra or 0)
    known = {path: range_ for path, range_ in run.tree.ranges.items() if path in kept}
    tree = build_sized_tree(rules, both, known, adds="none", alpha=-np.inf)  # as they are
    place = {path: bet for bet, path in enumerate(run.tree.paths)}
    bets = [place[path] for path in tree.paths]
    return replace(run, tree=tree, size=run.size[bets], importance=run.importance[bets])


def important_bets(tree: SizedTree, importance: Floats, extra: int) -> set[Path]:
    """Paths of the most important bet of every decision, and of the `extra` most important others that follow them.

    FindImportantBets (algorithm 8), except that a bet below one that is not kept is not counted as an extra.
    """
    order = np.argsort(-importance, kind="stable")
    kept: set[Path] = set()
    decisions: set[Path] = set()
    rest: list[Path] = []
    for bet in order:
        path = tree.paths[bet]
        if path[:-1] in decisions:
            rest.append(path)
        else:
            decisions.add(path[:-1])
            kept.add(path)
    sized = set(tree.paths)
    for path in rest:
        if extra <= 0:
            break
        if all(path[:n] in kept for n in range(1, len(path)) if path[:n] in sized):
            kept.add(path)
            extra -= 1
    return {path for path in kept if all(path[:n] in kept for n in range(1, len(path)) if path[:n] in sized)}
