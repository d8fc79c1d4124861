"""RE-BETS, RED-BETS, REDM-BETS and REFINED-BETS: series of short BETS runs; between two runs the ranges move and the
tree is rebuilt.

After each run every range is centred on the size found in it, with the same width (RE-BETS) or the same ratio of pot
growths (RED-BETS). The tree is then rebuilt: sized bets are added where they now fit, and removed where they no longer
do. A decision may have several ranges (REDM-BETS). With `extra`, after the first run each decision keeps only its most
important sized bet, and the tree also keeps the `extra` most important of the others (REFINED-BETS).

References
----------
Hawkin (2014), algorithm 2 (RE-BETS), 5 (RED-BETS), 6 (REDM-BETS), 8, 9 and 11 (REFINED-BETS); section 8.2.1.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import groupby
from typing import Literal, NamedTuple, Protocol

import numpy as np

from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.games.actions import Kind
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream_key
from pokerlab.runs.steps import Arrays, Watch, seconds_before, take_steps
from pokerlab.solvers.bet_sizing.bets import Bets, BetsEngine, BetsSettings, deals_of, sampled_deals
from pokerlab.solvers.bet_sizing.ranges import ALPHA, Range, of_ratio, of_width
from pokerlab.solvers.bet_sizing.sized_tree import Path, Side, SizedTree, build_sized_tree
from pokerlab.trees.betting_tree import BettingTree

SAMPLED_DEALS = 1_000_000  # pool from which sampled iterations draw, if the cells have imperfect recall


class Sizer(Protocol):
    """A function that makes the engine for a run: it moves the sizes of a tree's bets."""

    def __call__(self, tree: SizedTree, run: int = 1, /) -> BetsEngine: ...


def make_sizer(cells: Cells, settings: BetsSettings, *, iterations: int, engine: str, boards: int = 8) -> Sizer:
    """Return a function that makes the engine of each BETS run. The engine "numba" works deal by deal; "jax" works on
    all pairs of cells at once or, with imperfect recall, on sampled boards.

    If deals or boards are sampled, each run draws new ones, since ten runs on the same sample would overfit it.
    """
    if engine == "numba":
        if cells.pairs is None and settings.exact:
            raise PokerlabError(f"{cells.name} forgets cards: choose sampled deals or the jax engine")
        deals = sampled_deals(cells, SAMPLED_DEALS, settings.seed) if cells.pairs is None else deals_of(cells.pairs)
        return lambda tree, run=1: Bets(
            tree, cells, deals, settings if settings.exact else _of_run(settings, run), iterations=iterations
        )
    if find_spec("jax") is None:
        raise PokerlabError("the jax engine needs JAX; install it with pip install 'pokerlab[jax]'")
    if cells.pairs is None:
        from pokerlab.solvers.bet_sizing.dense_bets import BoardBets

        return lambda tree, run=1: BoardBets(
            tree, cells, _of_run(settings, run), iterations=iterations, boards_per_iteration=boards
        )
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

    return lambda tree, run=1: DenseBets(tree, cells, settings, iterations=iterations)


def _of_run(settings: BetsSettings, run: int) -> BetsSettings:
    """The settings of a run: each run after the first gets its own seed."""
    return settings if run == 1 else replace(settings, seed=seed_of(settings.seed, "run", run))


def seed_of(seed: int, *labels: str | int) -> int:
    """Derive a seed for one part of a search."""
    return int(stream_key(seed, *labels)[0])


@dataclass(frozen=True)
class Search:
    """Settings of the search. `extra` is the number of extra bets kept after the first run; None keeps all."""

    runs: int = 10
    keeps: Literal["ratio", "width"] = "ratio"
    extra: int | None = None
    alpha: float = ALPHA


@dataclass(frozen=True, eq=False)
class Run:
    """One run of a search: size and importance of every sized bet of `tree`, and the value of these sizes."""

    number: int  # counted from 1
    tree: SizedTree
    size: Floats  # size[bet], as fractions of the pot
    importance: Floats  # importance[bet], in chips per pot fraction
    seconds: float = 0.0  # time spent moving the sizes
    worth: Estimate | None = None  # value to player 0, in chips per hand; None if not requested
    value_seconds: float = 0.0
    pairs: int = 0  # (information set, action) pairs of its game; 0 if not counted

    @property
    def abstraction(self) -> BettingTree:
        """The betting tree with the sizes that were found."""
        return self.tree.tree(self.size)


def best_run(runs: Sequence[Run], players: Sequence[int]) -> Run:
    """The run whose sizes have the highest value for the sized player. If both players are sized, or values are
    missing, the last run.

    Values need not rise from run to run, because ranges move, bets appear and disappear, and sampled boards differ.
    """
    worth = [run.worth for run in runs if run.worth is not None]
    if len(players) != 1 or len(worth) < len(runs):
        return runs[-1]
    sign = 1 if players[0] == 0 else -1
    return runs[max(range(len(runs)), key=lambda number: sign * worth[number].mean)]


class InMemory:
    """Handles the runs of a search without monitoring or saving them; `saved_runs` has a version that does both."""

    def saved(self, number: int) -> Run | None:
        """The saved run of this number, if any."""
        return None

    def watch(self, number: int) -> Watch:
        """The `Watch` that monitors this run."""
        return Watch()

    def finished(self, run: Run) -> Run:
        """Called after every run: compute its value and save it, if that is wanted; return the completed run."""
        return run


def search_sizes(
    rules: Rules, both: tuple[Side, Side], sizer: Sizer, search: Search, saving: InMemory | None = None
) -> Iterator[Run]:
    """Make the runs of a search one after another. `saving` loads finished runs, monitors the current one and saves
    it."""
    saving = saving or InMemory()
    first_tree = build_sized_tree(rules, both, alpha=search.alpha)
    run: Run | None = None
    for number in range(1, search.runs + 1):
        before, run = run, saving.saved(number)
        if run is None:
            tree = next_tree(before, rules, both, search) if before else first_tree
            run = run_bets(sizer(tree, number), number, saving.watch(number))
            if number == 1 and search.extra is not None:
                run = pruned(run, rules, both, search)
            run = saving.finished(run)
        yield run


def run_bets(engine: BetsEngine, number: int = 1, watch: Watch | None = None) -> Run:
    """Make one run of BETS. A `watch` with a checkpoint lets it be interrupted and resumed."""
    before, began = seconds_before(watch.checkpoint if watch else None), time.perf_counter()
    arrays = take_steps(engine, iterations=engine.iterations, watch=watch)
    size, importance = engine.sizes(arrays), engine.importance(arrays)
    return Run(number, engine.tree, size, importance, before + time.perf_counter() - began)


def sized_and_solved(bets: BetsEngine) -> tuple[Floats, Strategy]:
    """Make one run of BETS. Return the final `size[bet]`, and the average strategy of the run's second half on the tree
    with these sizes.

    The thesis solves a second game once the sizes are known, which its section 8.2.1 calls a limitation. Here the
    strategy comes from the run itself: since sizes settle, its later strategies nearly fit the final sizes.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.abstraction.cells import Lossless
    >>> from pokerlab.solvers.bet_sizing.sized_tree import sides
    >>> from pokerlab.solvers.core.best_response import evaluate
    >>> from pokerlab.solvers.core.problem import Problem
    >>> rules = game("kuhn-half-street")
    >>> cells = Lossless(rules)
    >>> tree = build_sized_tree(rules, sides("none", ([Range(0, 1)], [])), alpha=0)
    >>> size, strategy = sized_and_solved(Bets(tree, cells, deals_of(cells.pairs), BetsSettings(), iterations=20_000))
    >>> size.round(3), round(evaluate(Problem(strategy.tree, cells), strategy).bounds.low, 3)
    (array([0.414]), 0.057)
    """
    half = bets.iterations // 2
    arrays = without_average(bets.step(bets.init(), half))
    arrays = bets.step(arrays, bets.iterations - half)
    return bets.sizes(arrays), bets.strategy(arrays)


def without_average(arrays: Arrays) -> Arrays:
    """Copy the arrays with the sums of the average strategies set to zero; regrets and sizes stay."""
    return {name: np.zeros_like(x) if name.partition("/")[0] == "sums" else x for name, x in arrays.items()}


def next_tree(run: Run, rules: Rules, both: tuple[Side, Side], search: Search) -> SizedTree:
    known: dict[Path, Range] = {}
    for player, path, size in zip(run.tree.bets.player, run.tree.paths, run.size.tolist(), strict=True):
        default = both[player].ranges[int(path[-1][1:])]
        known[path] = of_ratio(size, default.ratio) if search.keeps == "ratio" else of_width(size, default.width)
    adds: Literal["every range", "first range"] = "every range" if search.extra is None else "first range"
    return build_sized_tree(rules, both, known, adds=adds, alpha=search.alpha)


def pruned(run: Run, rules: Rules, both: tuple[Side, Side], search: Search) -> Run:
    """Remove the less important bets from a finished run; the others keep their sizes."""
    kept = important_bets(run.tree, run.importance, search.extra or 0)
    known = {path: range_ for path, range_ in run.tree.ranges.items() if path in kept}
    tree = build_sized_tree(rules, both, known, adds="none", alpha=-np.inf)  # keep exactly these bets
    place = {path: bet for bet, path in enumerate(run.tree.paths)}
    bets = [place[path] for path in tree.paths]
    return replace(run, tree=tree, size=run.size[bets], importance=run.importance[bets])


def important_bets(tree: SizedTree, importance: Floats, extra: int) -> set[Path]:
    """Paths of the bets to keep: the most important one of every decision, and the `extra` most important of the
    others.

    This is FindImportantBets (algorithm 8), except that a bet after a removed one does not count as an extra.
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


class BetRow(NamedTuple):
    """One sized bet: where it is made, by whom, its size (fraction of the pot) and its importance (chips per pot
    fraction)."""

    number: int  # index in the tree
    player: int
    street: str
    actions: str  # all actions up to the bet, which comes last
    size: float
    low: float
    high: float
    importance: float

    @property
    def at_edge(self) -> bool:
        """Whether the size is near an end of its range (within a tenth of its width), so that the range should move."""
        near = 0.1 * (self.high - self.low)
        return self.size < self.low + near or self.size > self.high - near


def bet_rows(run: Run) -> list[BetRow]:
    """Every sized bet of a run, most important first."""
    shape, bets = run.tree.shape, run.tree.bets
    return [
        BetRow(
            number,
            int(bets.player[number]),
            shape.rules.street_name(int(shape.edge_street[bets.edge[number]])),
            _words(run, int(bets.edge[number])),
            float(run.size[number]),
            float(bets.low[number]),
            float(bets.high[number]),
            float(run.importance[number]),
        )
        for number in np.argsort(-run.importance, kind="stable").tolist()
    ]


def edges_to(tree: SizedTree, edge: int) -> tuple[int, ...]:
    """The edges on the path from the root up to and including `edge`."""
    return (*map(int, tree.shape.path(int(tree.shape.edge_decision[edge]))), edge)


def _words(run: Run, edge: int) -> str:
    """Text of all actions up to and including an edge, with a slash between streets."""
    streets = groupby(edges_to(run.tree, edge), key=lambda each: int(run.tree.shape.edge_street[each]))
    return " / ".join(", ".join(action_words(run, each) for each in edges) for _, edges in streets)


def action_words(run: Run, edge: int) -> str:
    """Text of one action; a sized bet is shown with its size, such as "bet 0.60p" (pots)."""
    shape = run.tree.shape
    if shape.kind[edge] == Kind.FOLD:
        return "fold"
    if shape.kind[edge] == Kind.CALL:
        return "call" if _faces_bet(run.tree, int(shape.edge_decision[edge])) else "check"
    bet = run.tree.levels.bet[run.tree.level_of_edge[edge]]
    return f"bet {shape.size[edge]}" if bet < 0 else f"bet {run.size[bet]:.2f}p"


def _faces_bet(tree: SizedTree, decision: int) -> bool:
    """Whether the player to act faces a bet, that is, whether the two players have put in different amounts. Levels 0
    and 1 are their antes or blinds, which may be equal."""
    first, second = map(int, tree.decision_level[decision])
    posts = first < 2 and second < 2
    return bool(tree.levels.constant[first] != tree.levels.constant[second]) if posts else first != second
