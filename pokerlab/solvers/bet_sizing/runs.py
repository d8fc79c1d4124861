"""RE-BETS, RED-BETS, REDM-BETS and REFINED-BETS: short runs of BETS between which ranges move and the tree changes.

After each run every range is centred on the size found in it, keeping its width (RE-BETS) or its ratio of pot growths
(RED-BETS); the tree is then rebuilt, with sized bets where they now fit and without those that no longer do. A
decision may have several ranges (REDM-BETS). With `extra`, after the first run each decision keeps only its most
important sized bet, and besides those the `extra` most important ones of all (REFINED-BETS).

References
----------
Hawkin (2014), algorithm 2 (RE-BETS), 5 (RED-BETS), 6 (REDM-BETS), 8, 9 and 11 (REFINED-BETS).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from pokerlab.games.rules import Rules
from pokerlab.runs.steps import Arrays, Steps, Watch, take_steps
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, Sizing, WeightedDeals
from pokerlab.solvers.bet_sizing.ranges import ALPHA, Range, of_ratio, of_width
from pokerlab.solvers.bet_sizing.sized_tree import Floats, Path, Side, SizedTree, build_sized_tree
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.trees.cells import Cells


class BetsEngine(Steps, Protocol):
    """A run of BETS on one tree, in steps; `Bets` and `DenseBets` are such."""

    def sizes(self, state: Arrays) -> Floats:
        """`size[bet]`: fractions of the pot."""
        ...

    def importance(self, state: Arrays) -> Floats:
        """`R[bet]`: chips per pot fraction."""
        ...


@dataclass(frozen=True)
class Sizer:
    """Runs BETS on a tree for so many iterations; a watched one keeps checkpoints and continues from them."""

    engine: Callable[[SizedTree], BetsEngine]
    iterations: int

    def __call__(self, tree: SizedTree, watch: Watch | None = None) -> Sizing:
        """One run."""
        engine = self.engine(tree)
        state = take_steps(engine, iterations=self.iterations, watch=watch)
        return Sizing(engine.sizes(state), engine.importance(state))


@dataclass(frozen=True)
class Search:
    """How ranges move between runs. `extra` is the number of extra bets kept after the first run; None keeps all."""

    runs: int = 10
    keeps: Literal["ratio", "width"] = "ratio"
    extra: int | None = None
    alpha: float = ALPHA


@dataclass(frozen=True, eq=False)
class Run:
    """One run's answer: sizes and importance of the sized bets of `tree`."""

    number: int
    tree: SizedTree
    size: Floats
    importance: Floats

    @property
    def abstraction(self) -> BettingTree:
        """The betting tree with the sizes that were found."""
        return self.tree.tree(self.size)


def search_sizes(rules: Rules, both: tuple[Side, Side], sizer: Sizer, search: Search) -> Iterator[Run]:
    """The runs, one after the other."""
    tree = build_sized_tree(rules, both, alpha=search.alpha)
    for number in range(1, search.runs + 1):
        found = sizer(tree)
        run = Run(number, tree, found.size, found.importance)
        if number == 1 and search.extra is not None:
            run = pruned(run, rules, both, search)
        yield run
        if number < search.runs:
            tree = next_tree(run, rules, both, search)


def next_tree(run: Run, rules: Rules, both: tuple[Side, Side], search: Search) -> SizedTree:
    """The tree of the run after `run`."""
    known: dict[Path, Range] = {}
    for player, path, size in zip(run.tree.bets.player, run.tree.paths, run.size.tolist(), strict=True):
        default = both[player].ranges[int(path[-1][1:])]
        known[path] = of_ratio(size, default.ratio) if search.keeps == "ratio" else of_width(size, default.width)
    adds: Literal["every range", "first range"] = "every range" if search.extra is None else "first range"
    return build_sized_tree(rules, both, known, adds=adds, alpha=search.alpha)


def pruned(run: Run, rules: Rules, both: tuple[Side, Side], search: Search) -> Run:
    """The run on the tree of the bets that are kept, at the sizes found."""
    kept = important_bets(run.tree, run.importance, search.extra or 0)
    known = {path: range_ for path, range_ in run.tree.ranges.items() if path in kept}
    tree = build_sized_tree(rules, both, known, adds="none", alpha=-np.inf)  # as they are
    place = {path: bet for bet, path in enumerate(run.tree.paths)}
    bets = [place[path] for path in tree.paths]
    return Run(run.number, tree, run.size[bets], run.importance[bets])


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


def on_every_deal(cells: Cells, deals: WeightedDeals, settings: BetsSettings, iterations: int) -> Sizer:
    """BETS deal by deal (`bets.Bets`), for games of few deals, or by sampling."""
    return Sizer(lambda tree: Bets(tree, cells, deals, settings, iterations=iterations), iterations)
