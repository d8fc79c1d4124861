"""Solving a subgame: CFR over all hands of both players at once, with every possible board.

A terminal node takes time proportional to the number of hands: hands are sorted once on each board, and hands with a
common card are removed by inclusion and exclusion. All terminal nodes of a street are evaluated together. Numbers are
float32. Boards are divided among threads and combined in a fixed order, so the result does not depend on the number of
threads.

With rake (`games.pots.rake_of`) the game is not zero-sum, and CFR has no guarantee of approaching an equilibrium.
Reported numbers are measured: both players' values and best responses are computed with rake, and the exploitability is
the mean of the two players' gains from playing a best response.

>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> river = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> solution = solve(SubgameCfr(river), iterations=1000, target=0.1)
>>> round(solution.value), solution.exploitability <= 0.1
(40, True)

References
----------
Johanson et al. (2011), "Accelerating best response calculation in large extensive games" (all hands at once, endings in
linear time). Brown and Sandholm (2019), "Solving imperfect-information games via discounted regret minimization".
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.abstraction.subgame_cells import NextCards, SubgameCells
from pokerlab.arrays import ByStreetBoard, Floats, Floats32
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.locks import imposed
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.subgames import _subgame_numba as kernels
from pokerlab.solvers.subgames.offers import Offer
from pokerlab.solvers.subgames.subgame import check_fits, solving_memory
from pokerlab.solvers.subgames.walks import StreetWalk, make_walks

Slice: TypeAlias = tuple[int, int]  #: (first, end) of a range of boards

NO_UPDATE = kernels.Update(np.float32(1), np.float32(1), np.float32(-1), np.float32(1), False, False)


class PassTask(NamedTuple):
    """One pass: its hero, its mode (kernels.FIXED, BEST, LEARN or UNLOCKED), and the arrays it reads and modifies."""

    hero: int
    mode: int
    weights: ByStreetBoard  #: both players' strategies are in proportion to the positive part
    regret: ByStreetBoard
    sums: ByStreetBoard
    ahead: ByStreetBoard
    update: kernels.Update

    @classmethod
    def reading(cls, hero: int, mode: int, weights: ByStreetBoard) -> PassTask:
        """Make a pass that modifies nothing."""
        return cls(hero, mode, weights, weights, weights, weights, NO_UPDATE)


class PassScratch:
    """Working arrays for one pass of one hero over one board of each street from `first` on."""

    def __init__(self, passes: Passes, hero: int, first: int) -> None:
        walks = [streets[hero] for streets in passes.walks]
        n = passes.cells.n_hands
        self.reach: list[Floats32] = []
        self.value: list[Floats32] = []
        self.entry: list[Floats32] = []
        for street, walk in enumerate(walks):
            used = street >= first
            self.reach.append(np.zeros((walk.n_slots if used else 0, n), np.float32))
            self.value.append(np.zeros((walk.n_places if used else 0, n), np.float32))
            comes = passes.cells.next_cards[street] if used and street < len(walks) - 1 else None
            most = _most_boards(comes) if comes is not None else 0
            self.entry.append(np.zeros((most, len(walk.exit_slot), n), np.float32))
        most_actions = int(np.diff(passes.tree.first_edge).max())
        self.p = np.zeros((most_actions + 1, n), np.float32)
        self.room = new_room(n)


def _most_boards(comes: NextCards) -> int:
    """Largest number of boards that can follow one board."""
    last, first = (of.reduceat(comes.board, comes.first[:-1]) for of in (np.maximum, np.minimum))
    return int((last - first).max()) + 1


def new_room(n_hands: int) -> kernels.Room:
    """Allocate working arrays for the terminal nodes of a board."""
    at, won, total = (np.zeros((rows, kernels.WIDTH), np.float32) for rows in (n_hands, n_hands, 53))
    high, low, other_high, other_low = np.zeros((4, n_hands), np.int32)
    return kernels.Room(at, won, total, high, low, other_high, other_low)


class Passes:
    """Walks over the betting and the boards of a subgame, to update one player's regrets or to compute its values.

    That player is the hero of the pass. Going down, a pass computes how likely the other player is to come to each
    point of the betting (its reach); going up, it computes the value to the hero.
    """

    def __init__(self, subgame: Problem, threads: int | None = None) -> None:
        if not isinstance(subgame.cells, SubgameCells):
            raise RulesError(f"{subgame.tree.rules.name} is not a subgame: it has no board and no ranges")
        self.tree, self.cells, self.threads = subgame.tree, subgame.cells, threads or usable_cores()
        self.walks: tuple[tuple[StreetWalk, StreetWalk], ...] = make_walks(
            subgame.tree, subgame.locks, self.cells.n_hands
        )
        self.cards = [(_cards(self.cells, s, 0), _cards(self.cells, s, 1)) for s in range(len(self.walks))]
        self.last = len(self.walks) - 1
        self._starts = [np.asarray(w / w.sum(), np.float32)[None, :] for w in reversed(self.cells.weights)]
        self._root = [PassScratch(self, hero, 0) for hero in (0, 1)]
        n_workers = self.threads if self.last > 0 else 0
        self._workers = [[PassScratch(self, hero, 1) for _ in range(n_workers)] for hero in (0, 1)]

    def start(self, hero: int) -> Floats32:
        """`reach[0, hand]`: the other player's range, normalised to sum to one."""
        return self._starts[hero]

    def set_stakes(self, stake: Floats) -> None:
        """Set the stakes to `stake[ending]`, for the same betting with other sizes, without rake."""
        for walk in (walk for streets in self.walks for walk in streets):
            arrays = walk.walk
            arrays.show_stake[:] = stake[walk.show_ending]
            arrays.fold_stake[:] = np.copysign(stake[walk.fold_ending], arrays.fold_stake)

    def value(self, task: PassTask) -> float:
        """Chips per hand to the hero."""
        return float(self.of_hands(task) @ self.cells.per_hand(task.hero))

    def of_hands(self, task: PassTask, shares: Floats | None = None) -> Floats:
        """`value[hand]` to the hero: chips, times the probability that the other player's hand shares no card with it.
        Of the other player's hands only the fractions `shares[hand]` count (default: all)."""
        before = self.start(task.hero)
        if shares is not None:
            before = before * shares.astype(np.float32)
        _, value = self.board(task, 0, 0, before, self._root[task.hero])
        return np.asarray(value[len(self.walks[0][task.hero].walk.row_slot)], np.float64)

    def board(
        self, task: PassTask, street: int, board: int, before: Floats32, scratch: PassScratch | None = None
    ) -> tuple[Floats32, Floats32]:
        """Return (`reach[slot, hand]` of the other player, `value[place, hand]` to the hero) on one board, given those
        on the previous board."""
        scratch = scratch or PassScratch(self, task.hero, street)
        reach, value = scratch.reach[street], scratch.value[street]
        walk = self.walks[street][task.hero]
        out = np.empty((1, walk.walk.n_entries, self.cells.n_hands), np.float32)
        if street == self.last:
            self._visit(task, street, (board, board + 1), before, out, scratch)
            return reach, value
        self.down(task, street, board, before, scratch)
        comes = self.cells.next_cards[street]
        rows = slice(comes.first[board], comes.first[board + 1])
        first, last = int(comes.board[rows].min()), int(comes.board[rows].max()) + 1
        entry_value = scratch.entry[street][: last - first]
        self._share_out(task, street + 1, (first, last), reach, entry_value, scratch)
        kernels.add_deals(
            entry_value, comes.board[rows] - np.int32(first), comes.trade[rows], self.cells.relabelled,
            np.float32(1 / self.cells.n_deals(street)), walk.exit_place, value,
        )  # fmt: skip
        self._visit(task, street, (board, board + 1), before, out, scratch, kernels.UP)
        return reach, value

    def down(self, task: PassTask, street: int, board: int, before: Floats32, scratch: PassScratch) -> Floats32:
        """Compute the other player's reach on a board with cards to come, from its reach `before` this street.

        Return `reach[slot, hand]`: the hand's share of the range, times the probability of the other player's actions
        up to a slot. Slots are the entries to the street and the other player's actions, since its reach changes only
        there.
        """
        self._visit(task, street, (board, board + 1), before, scratch.entry[self.last], scratch, kernels.DOWN)
        return scratch.reach[street]

    def _share_out(
        self, task: PassTask, street: int, boards: Slice, before: Floats32, out: Floats32, scratch: PassScratch
    ) -> None:
        """Evaluate boards[0] .. boards[1] - 1 of a street; on the second street with several threads."""
        workers = self._workers[task.hero]
        if street != 1 or len(workers) < 2:
            self._below(task, street, boards, before, out, scratch)
            return
        cuts = np.linspace(*boards, len(workers) + 1).astype(int).tolist()
        with ThreadPoolExecutor(len(workers)) as pool:
            jobs = [
                pool.submit(self._below, task, street, (a, b), before, out[a - boards[0] : b - boards[0]], worker)
                for worker, a, b in zip(workers, cuts, cuts[1:], strict=False)
            ]
            for job in jobs:
                job.result()

    def _below(
        self, task: PassTask, street: int, boards: Slice, before: Floats32, out: Floats32, scratch: PassScratch
    ) -> None:
        if street == self.last:
            self._visit(task, street, boards, before, out, scratch)
            return
        n_rows = len(self.walks[street][task.hero].walk.row_slot)
        for board in range(*boards):
            _, value = self.board(task, street, board, before, scratch)
            out[board - boards[0]] = value[n_rows:]

    def _visit(
        self,
        task: PassTask,
        street: int,
        boards: Slice,
        before: Floats32,
        out: Floats32,
        scratch: PassScratch,
        steps: int = kernels.DOWN | kernels.UP,
    ) -> None:
        came_from = self.walks[street - 1][task.hero].exit_slot if street else np.zeros(1, np.int32)
        entries = kernels.Entries(before, came_from)
        tables = kernels.PassTables(*(each[street] for each in (task.weights, task.regret, task.sums, task.ahead)))
        written = kernels.BoardPass(scratch.reach[street], scratch.value[street], scratch.p, scratch.room)
        walk, cards = self.walks[street][task.hero].walk, self.cards[street][task.hero]
        kernels.visit(walk, cards, boards, steps, entries, task.mode, tables, task.update, written, out)


def _cards(cells: SubgameCells, street: int, hero: int) -> kernels.StreetHands:
    own, other = cells.orders[street][hero], cells.orders[street][1 - hero]
    return kernels.StreetHands(
        cells.high, cells.low, *cells.hands_of[hero], *cells.hands_of[1 - hero], cells.live[street],
        own.order, own.n, own.rank, other.order, other.n, other.rank,
    )  # fmt: skip


class SubgameCfr:
    """The engine of subgames; see `core.solve`. `memory` is the maximum in bytes (default: free memory). With an
    `offer`, the game that is solved and evaluated is the one in which a player may accept it (`offers`)."""

    def __init__(
        self,
        subgame: Problem,
        variant: Variant | None = None,
        *,
        threads: int | None = None,
        memory: int | None = None,
        offer: Offer | None = None,
    ) -> None:
        self.subgame, self.variant, self.offer = subgame, variant or VARIANTS["dcfr"], offer
        if offer is not None:
            offer.check(subgame)
        if not self.variant.alternating:
            raise PokerlabError(f"{self.variant.name}: in subgames players update in turn, not both at once")
        check_fits(subgame, solving_memory(subgame, predictive=self.variant.predictive), memory)
        self.passes = Passes(subgame, threads)

    first_look = 12
    few_looks = True

    @property
    def about(self) -> Mapping[str, Any]:
        return {**self.subgame.about, "solver": "subgame", "variant": self.variant.name}

    def init(self) -> Arrays:
        """Arrays `regret0[row, board, hand]` and so on by street, all zero."""
        names = ["regret", "sums"] + (["ahead"] if self.variant.predictive else [])
        arrays: Arrays = {"iteration": np.array(0)}
        for street, edges in enumerate(self.subgame.tree.edges_on):
            shape = (len(edges), self.passes.cells.n_boards[street], self.passes.cells.n_hands)
            arrays |= {f"{name}{street}": np.zeros(shape, np.float32) for name in names}
        return arrays if self.offer is None else arrays | self.offer.init(predictive=self.variant.predictive)

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Run `n` iterations: player 0 learns against player 1, then player 1 against the new player 0."""
        regret, sums = self._by_street(arrays, "regret"), self._by_street(arrays, "sums")
        ahead = self._by_street(arrays, "ahead") if self.variant.predictive else regret
        for t in range(int(arrays["iteration"]) + 1, int(arrays["iteration"]) + n + 1):
            update = update_at(self.variant, t)
            for hero in (0, 1):
                task = PassTask(hero, kernels.LEARN, ahead, regret, sums, ahead, update)
                shares = None if self.offer is None else self.offer.shares(arrays, hero)
                values = self.passes.of_hands(task, shares)
                if self.offer is not None:
                    self.offer.learn(arrays, hero, values, self.variant, t)
            arrays["iteration"] = np.array(t)
        return arrays

    def current(self, arrays: Arrays) -> list[Floats32]:
        """Weights `[street][row, board, hand]`; the current strategy is proportional to their positive part."""
        return self._by_street(arrays, "ahead" if self.variant.predictive else "regret")

    def strategy(self, arrays: Arrays) -> Strategy:
        """The average strategy, float32."""
        tree, cells = self.subgame.tree, self.subgame.cells
        locks = {} if self.subgame.locks is None else self.subgame.locks.at
        p = []
        for street, sums in enumerate(self._by_street(arrays, "sums")):
            out = sums.reshape(len(sums), cells.n_cells[street]).copy()
            for d in np.flatnonzero(tree.street == street).tolist():
                first, n = int(tree.row[tree.first_edge[d]]), len(tree.edges(d))
                if d in locks:
                    out[first : first + n] = imposed(out[first : first + n], locks[d])
                    continue
                total = out[first : first + n].sum(axis=0)
                out[first : first + n, total <= 0] = 1  # never reached, so uniform
                total[total <= 0] = n
                out[first : first + n] /= total
            p.append(out)
        return Strategy(tree, cells, tuple(p))

    def evaluate(self, arrays: Arrays) -> Evaluation:
        weights = self._by_street(arrays, "sums")
        if self.offer is None:
            return self._evaluation(weights)

        def of_hands(hero: int, best: bool, shares: Floats | None) -> Floats:
            return self.passes.of_hands(
                PassTask.reading(hero, kernels.BEST if best else kernels.FIXED, weights), shares
            )

        return self.offer.evaluation(arrays, of_hands, (self.passes.cells.per_hand(0), self.passes.cells.per_hand(1)))

    def evaluate_strategy(self, strategy: Strategy) -> Evaluation:
        """Value of any strategy of this subgame, and best responses to it."""
        strategy.refuse_unless_whole()
        return self._evaluation(weights_of(strategy))

    def _evaluation(self, weights: ByStreetBoard) -> Evaluation:
        value = self.passes.value(PassTask.reading(0, kernels.FIXED, weights))
        raked = bool(self.subgame.tree.rules.rake)
        other = self.passes.value(PassTask.reading(1, kernels.FIXED, weights)) if raked else -value
        best = [self.passes.value(PassTask.reading(hero, kernels.BEST, weights)) for hero in (0, 1)]
        unlocked = () if self.subgame.locks is None else (kernels.UNLOCKED,) * 2
        free = tuple(self.passes.value(PassTask.reading(q, mode, weights)) for q, mode in enumerate(unlocked))
        return Evaluation(value, (best[0], best[1]), -value - other, free)

    def _by_street(self, arrays: Arrays, name: str) -> list[Floats32]:
        return [arrays[f"{name}{street}"] for street in range(len(self.subgame.tree.rules.streets))]


def update_at(variant: Variant, t: int) -> kernels.Update:
    """Factors of a variant at iteration `t`."""
    factors = variant.positive(t), variant.negative(t), variant.weight(t), variant.positive(t + 1)
    positive, negative, weight, ahead = map(np.float32, factors)
    return kernels.Update(positive, negative, weight, ahead, variant.floor, variant.predictive)


def weights_of(strategy: Strategy) -> list[Floats32]:
    """Convert a subgame strategy's probabilities to the layout of the passes, `[street][row, board, hand]`."""
    n = strategy.cells.n_cells[0]  # the first street has one board
    return [np.ascontiguousarray(p, np.float32).reshape(len(p), -1, n) for p in strategy.p]
