"""BETS on a subgame: bet sizes for one board, two ranges, a pot and stacks.

Every iteration is one of `SubgameCfr`, over all hands and all boards, at the stakes of the current sizes. One more pass
computes the value of each terminal node per chip at stake, over all pairs of hands. The tree converts these to slopes:
how much the value changes with the size of every bet (`SizedTree.slopes`). Sizes then move as in `solvers.bet_sizing`.
The importance of a bet is a mean of absolute values over deals, which is estimated at the end on sampled deals.

>>> from pokerlab.solvers.bet_sizing.ranges import Range
>>> from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
>>> from pokerlab.solvers.subgames.subgame import subgame_rules
>>> from pokerlab.abstraction.card_sides import cells_for
>>> rules = subgame_rules("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200)
>>> tree = build_sized_tree(rules, sides("all-in", ([Range(0.3, 1.2)], [])), {("r0",): Range(0.3, 1.2)}, adds="none")
>>> bets = SubgameBets(tree, cells_for(rules), BetsSettings(), iterations=400)
>>> bets.sizes(bets.step(bets.init(), 400)).round(1)
array([0.6])

References
----------
Hawkin (2014), section 4.3 (equation 4.10); its section 8.2 asks for more than the abstract games of the thesis.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import ByStreetBoard, Floats, Floats32
from pokerlab.cards.evaluate import evaluate
from pokerlab.errors import PokerlabError
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import Shuffler
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.bet_sizing import _subgame_bets_numba as kernels
from pokerlab.solvers.bet_sizing.bets import BetsEngine, BetsSettings, WeightedDeals, importance_of
from pokerlab.solvers.bet_sizing.resizing import resized
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames._subgame_numba import Entries
from pokerlab.solvers.subgames.cfr import Passes, PassScratch, SubgameCfr
from pokerlab.systems.bets.search import Sizer

N_DEALS = 5_000
PART = 8  #: number of second-street boards that a thread processes at once


class SubgameBets(BetsEngine):
    """The engine of BETS on a subgame. Its arrays are those of `SubgameCfr`, and the sizes.

    Sizes stay fixed for the first `still` iterations, so that untrained players do not move them arbitrarily.
    """

    summed = "size_sum"

    def __init__(
        self,
        tree: SizedTree,
        cells: SubgameCells,
        settings: BetsSettings,
        *,
        iterations: int,
        threads: int | None = None,
        n_deals: int = N_DEALS,
        still: int = 0,
    ) -> None:
        if not settings.exact or settings.by_reach:
            raise PokerlabError("iterations of a subgame are exact, and their sizes move by equation 4.10")
        self.tree, self.cells, self.settings, self.iterations = tree, cells, settings, iterations
        self.n_deals, self.still = n_deals, still
        self.cfr = SubgameCfr(Problem(tree.tree(tree.middle), cells), settings.variant, threads=threads)
        self._worth = EndingWorth(self.cfr.passes)
        # The first iteration whose sizes count in the mean.
        self._first_averaged = max(int(np.ceil(settings.average_from * iterations)), still + 1)

    @property
    def about(self) -> Mapping[str, Any]:
        settings = {name: str(value) for name, value in asdict(self.settings).items()}
        run = {"ranges": self.tree.fingerprint, "iterations": self.iterations, "still": self.still}
        return {**self.cfr.about, "bets": settings, **run}

    def init(self) -> Arrays:
        """The arrays of a new run: no regrets, and every size in the middle of its range."""
        return self.begun(self.cfr.init(), self.tree.middle)

    def begun(self, arrays: Arrays, size: Floats) -> Arrays:
        """Arrays of a run that begins at `size[bet]` with the regrets in `arrays` (for a tree of the same shape)."""
        fresh = {name: np.zeros(self.tree.n_bets) for name in ("for_low", "for_high", "size_sum")}
        ends = self.tree.bets.low, self.tree.bets.high
        return {**arrays, **fresh, "size": np.clip(size, *ends), "begun": arrays["iteration"]}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Run `n` iterations; the given arrays are changed in place."""
        for _ in range(n):
            stake = self.tree.stakes(arrays["size"])
            self.cfr.passes.set_stakes(stake)
            self.cfr.step(arrays, 1)
            gradient = self._worth.by_ending(self.cfr.current(arrays)) / stake
            self._move(arrays, self.tree.slopes(gradient, arrays["size"]))
        return arrays

    def _move(self, arrays: Arrays, slope: Floats) -> None:
        """Update the sizes after an iteration (equation 4.10)."""
        bets, settings, t = self.tree.bets, self.settings, self._done(arrays) - self.still
        if t <= 0:
            return
        variant = settings.variant
        keep, drop = (variant.positive(t), variant.negative(t)) if settings.discounted else (1.0, 1.0)
        arrays["size"], arrays["for_low"], arrays["for_high"] = resized(
            arrays["size"], arrays["for_low"], arrays["for_high"], slope, bets.low, bets.high, 1 / min(t, settings.n),
            keep, drop,
        )  # fmt: skip
        if self._done(arrays) >= self._first_averaged:
            arrays["size_sum"] = arrays["size_sum"] + arrays["size"]

    @staticmethod
    def _done(arrays: Arrays) -> int:
        """Number of iterations done in this run."""
        return int(arrays["iteration"]) - int(arrays["begun"])

    def sizes(self, arrays: Arrays) -> Floats:
        """`size[bet]`: the mean effective size, or the current one if averaging has not started."""
        counted = self._done(arrays) - self._first_averaged + 1
        return self.tree.mean_size(arrays["size"], arrays["size_sum"], counted)

    def importance(self, arrays: Arrays) -> Floats:
        """`R[bet]`: importance in chips per pot fraction, for the average strategy on sampled deals."""
        strategy, seed = self.strategy(arrays), self.settings.seed
        return subgame_importance(strategy, self.tree, self.sizes(arrays), n_deals=self.n_deals, seed=seed)

    def strategy(self, arrays: Arrays) -> Strategy:
        """The players' average strategy, on the tree with the mean sizes."""
        found = self.cfr.strategy(arrays)
        return Strategy(self.tree.tree(self.sizes(arrays)), self.cells, found.p)

    def evaluate(self, arrays: Arrays) -> Evaluation:
        """Evaluate the average strategy at the mean sizes: its value, and the best response to each player."""
        self.cfr.passes.set_stakes(self.tree.stakes(self.sizes(arrays)))
        return self.cfr.evaluate(arrays)


class EndingWorth:
    """Computes the values of all terminal nodes in one pass. Boards of the second street are split into parts, which
    threads share. The parts are the same for any number of threads and are added in order, so the sums are the same
    too."""

    def __init__(self, passes: Passes) -> None:
        self.passes = passes
        n = passes.threads if passes.last else 1
        self._scratch = [(PassScratch(passes, 0, 0), PassScratch(passes, 1, 0)) for _ in range(n)]

    def by_ending(self, weights: ByStreetBoard) -> Floats:
        """`worth[ending]`: what player 0 wins at each terminal node, in chips per hand, if both players act in
        proportion to `weights`."""
        passes, root = self.passes, _Worth(self.passes, self._scratch[0], weights)
        start = np.asarray(passes.cells.per_hand(0), np.float32)[None, :]
        root.visit(0, (0, 1), np.ones(1), (passes.start(0), start))
        if not passes.last:
            return root.worth
        boards, share = root.dealt(0, 0, 1.0)
        reach = self._scratch[0][0].reach[0], self._scratch[0][1].reach[0]
        size = PART if passes.last == 1 else 1
        parts = [(first, min(first + size, boards[1])) for first in range(*boards, size)]

        def some(thread: int) -> list[Floats]:
            found = []
            for first, last in parts[thread :: len(self._scratch)]:
                part = _Worth(passes, self._scratch[thread], weights)
                part.add(1, (first, last), share[first - boards[0] : last - boards[0]], reach)
                found.append(part.worth)
            return found

        with ThreadPoolExecutor(len(self._scratch)) as pool:
            by_thread = list(pool.map(some, range(len(self._scratch))))
        for number in range(len(parts)):
            root.worth += by_thread[number % len(by_thread)][number // len(by_thread)]
        return root.worth


class _Worth:
    """Adds up `worth[ending]` in one thread; holds the arrays that the thread works in."""

    def __init__(self, passes: Passes, scratch: tuple[PassScratch, PassScratch], weights: ByStreetBoard) -> None:
        self.passes, self.scratch, self.weights = passes, scratch, weights
        self.worth = np.zeros(len(passes.tree.ending_edge))

    def add(self, street: int, boards: tuple[int, int], share: Floats, before: tuple[Floats32, Floats32]) -> None:
        """Add the terminal nodes on the boards boards[0] .. boards[1] - 1 of a street, weighted by `share`, and those
        on the boards that follow them."""
        if street == self.passes.last:
            self.visit(street, boards, share, before)
            return
        reach = self.scratch[0].reach[street], self.scratch[1].reach[street]
        for board in range(*boards):
            here = share[board - boards[0]]
            self.visit(street, (board, board + 1), np.array([here]), before)
            self.add(street + 1, *self.dealt(street, board, here), reach)

    def dealt(self, street: int, board: int, share: float) -> tuple[tuple[int, int], Floats]:
        """Return the range of boards that may follow a board, and their shares if this board's own share is `share`."""
        cells = self.passes.cells
        comes, n_left = cells.next_cards[street], 52 - len(cells.board) - street - 4
        to = comes.board[comes.first[board] : comes.first[board + 1]]
        first, last = int(to.min()), int(to.max()) + 1
        return (first, last), np.bincount(to - first) * share / n_left

    def visit(self, street: int, boards: tuple[int, int], share: Floats, before: tuple[Floats32, Floats32]) -> None:
        """Add the terminal nodes on one street, on the given boards."""
        walk, own = self.passes.walks[street]
        exits = [walks.exit_slot for walks in self.passes.walks[street - 1]] if street else [np.zeros(1, np.int32)] * 2
        passes = [
            kernels.Pass(
                self.passes.walks[street][hero].walk, self.passes.cards[street][hero],
                Entries(before[hero], exits[hero]), self.scratch[hero].reach[street],
            )
            for hero in (0, 1)
        ]  # fmt: skip
        worths = kernels.Worths(
            own.slot_of_place[walk.walk.show_place], own.slot_of_place[walk.walk.fold_place],
            np.zeros(len(walk.show_ending)), np.zeros(len(walk.fold_ending)),
        )  # fmt: skip
        scratch = self.scratch[0].value[street], self.scratch[0].p, self.scratch[0].room
        kernels.add_worths(*passes, boards, share, self.weights[street], scratch, worths)
        self.worth[walk.show_ending] += worths.show
        self.worth[walk.fold_ending] += worths.fold


def subgame_importance(
    strategy: Strategy, tree: SizedTree, size: Floats, *, n_deals: int = N_DEALS, seed: int = 7
) -> Floats:
    """`R[bet]`: importance in chips per pot fraction, for players who follow a strategy of `tree` at `size[bet]`.

    >>> from pokerlab.solvers.bet_sizing.ranges import Range
    >>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame, solve_sized
    >>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
    >>> two = river.sized(Range(0.2, 0.2), Range(0.6, 0.6))
    >>> rare, common = subgame_importance(solve_sized(river, two.tree(two.bets.low)).strategy, two, two.bets.low)
    >>> bool(0 <= rare < common)
    True
    """
    cells = strategy.cells
    assert isinstance(cells, SubgameCells)
    deals = subgame_deals(tree.shape.rules, cells, n_deals, seed)
    return importance_of(strategy, tree, size, deals, n=n_deals, seed=seed)


@lru_cache(maxsize=2)
def subgame_deals(rules: Rules, cells: SubgameCells, n: int, seed: int) -> WeightedDeals:
    """Sample `n` equally weighted deals of two hands and a board."""
    shuffler, n_streets = Shuffler(seed, "subgame deals"), len(rules.streets)
    found, result = np.empty((n, 2, n_streets), np.int32), np.empty(n)
    for deal in range(n):
        deck = deck_of_hand(rules, shuffler, deal)
        holes, board = (deck[:2], deck[2:4]), deck[4:]
        for (player, hole), street in product(enumerate(holes), range(n_streets)):
            found[deal, player, street] = cells.of_hand(hole, rules.board_on(board, street))
        result[deal] = np.sign(evaluate((*holes[0], *board)) - evaluate((*holes[1], *board)))
    return WeightedDeals(found, result, np.full(n, 1 / n))


def on_subgame(
    cells: SubgameCells, settings: BetsSettings, iterations: int, *, n_deals: int = N_DEALS, threads: int | None = None
) -> Sizer:
    """Return a function that makes the engine of each BETS run on a subgame, for `search.search_sizes`. Importance is
    estimated on `n_deals` sampled deals."""

    def engine(tree: SizedTree, run: int = 1) -> SubgameBets:
        return SubgameBets(tree, cells, settings, iterations=iterations, threads=threads, n_deals=n_deals)

    return engine
