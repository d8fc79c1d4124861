"""Size one bet of a subgame in JAX, on a GPU: BETS, and the values of sizes, with programs that are compiled once.

The trees of different sizes differ: after a small bet more raises fit below all-in. Here the tree of the smallest size
serves all of them. An amount that would exceed the stack is all-in, so some actions of a larger bet's tree have the
same chips as all-in and as a call; that changes no value. So sizes differ only in the chips of the terminal nodes,
which are an argument of the compiled programs, and regrets carry over from size to size.

The slope of the value in the size is the value of the game in which each terminal node pays the derivative of its
stake: one more pass over the tree.

>>> from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
>>> from pokerlab.systems.bets.subgame_sizes import best_size
>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
>>> found = best_size(river, target=0.2, solver=LevelSizer(river, target=0.2))
>>> 0.5 < found.size < 0.8, round(found.evaluation.value, 1)
(True, -4.2)
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Floats
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.resizing import resized
from pokerlab.solvers.bet_sizing.sized_subgame import MOST_ITERATIONS, SizedSubgame
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look, Solution, solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames.batches import HAND_UNIT
from pokerlab.solvers.subgames.level_cfr import LevelCfr
from pokerlab.solvers.subgames.level_passes import LevelPasses, kernels
from pokerlab.solvers.subgames.walks import make_walks
from pokerlab.systems.bets.sized_solver import CONTINUED, FIRST_LOOK, Phase, SizedSolver, next_look
from pokerlab.trees.betting_tree import BettingTree


class LevelSizer(SizedSolver):
    """`SizedSolver` in JAX. It saves nothing, and its solutions have no strategy: `solve_alone` makes one."""

    def __init__(self, subgame: SizedSubgame, *, target: float = 0.05, passes: LevelPasses | None = None) -> None:
        super().__init__(subgame, target=target)
        least = subgame.whole_range.low
        self.sized = subgame.sized(Range(least, least))
        tree = self.tree
        apart = SubgameCells(subgame.rules.board, subgame.cells.weight_of_combo, merge_suits=False)
        self.engine = LevelCfr(Problem(tree, apart), VARIANTS["dcfr"])
        if passes is not None:  # compiled for another board
            self.engine.passes = passes
        self.engine.cards = padded(self.engine.cards)
        self._walks = [of_heroes[0] for of_heroes in make_walks(tree)]
        self._regret: Any = None

    @property
    def passes(self) -> LevelPasses:
        """Compiled programs, for other boards with the same tree and rounded numbers of hands."""
        return self.engine.passes

    @property
    def tree(self) -> BettingTree:
        """The betting tree; it has the same shape whatever the bet sizes are."""
        return self.sized.shape

    def compile(self) -> None:
        """Compile all programs, which takes longer than the first steps."""
        amounts, slopes = self._amounts(self.sized.bets.low[0])
        cards = self._at(amounts)
        tables = self.passes.step(cards, self._begun(), 0, 1)
        self._evaluation(cards, tables)
        self._slope(slopes, tables)

    def solve(self, *sizes: float, rival: float = -np.inf, rough: float = np.inf) -> Solution:
        """Solve the game at a size; without one, the sized bet is all-in, which the player has anyway."""
        assert len(sizes) <= 1, "one bet is sized"
        size = sizes[0] if sizes else self.subgame.of_chips(self.subgame.all_in * self.subgame.pot)
        cards = self._at(self._amounts(size)[0])
        tables, first, upto, done = self._begun(), CONTINUED if self._regret else 0, FIRST_LOOK, 0
        looks: list[Look] = []
        began = time.perf_counter()
        while True:
            tables = self.passes.step(cards, tables, first + done, upto - done)
            done, evaluation = upto, self._evaluation(cards, tables)
            looks.append(Look(done, time.perf_counter() - began, evaluation.value, evaluation.exploitability))
            percent = 100 * evaluation.exploitability / self.subgame.pot
            worse = evaluation.best_response[self.subgame.player] < rival
            if percent <= self.target or (worse and percent <= rough) or upto == MOST_ITERATIONS:
                break
            upto = next_look(upto)
        self._regret = tables.regret
        return Solution(None, evaluation, done, looks[-1].seconds, self.engine.about, tuple(looks))  # type: ignore[arg-type]

    def solve_alone(self, size: float) -> Solution:
        """Solve the game at a size on a tree of its own, from the start, for a strategy without repeated actions."""
        engine = LevelCfr(Problem(self.subgame.at(size), self.subgame.cells), VARIANTS["dcfr"])
        return solve(engine, iterations=MOST_ITERATIONS, target=self.target / 100 * self.subgame.pot)

    def run_bets(
        self, tree: SizedTree, size: Floats, phase: Phase, *, still: int, alone: bool = False
    ) -> tuple[Floats, float]:
        """Run BETS in the range of `tree`, from `size[bet]`; see `SizedSolver.run_bets`."""
        low, high = float(tree.bets.low[0]), float(tree.bets.high[0])
        variant, began = self.engine.variant, time.perf_counter()
        tables, first = self._begun(), CONTINUED if self._regret else 0
        now, for_low, for_high = float(np.clip(size[0], low, high)), 0.0, 0.0
        averaged: list[float] = []
        for n in range(1, phase.iterations + 1):
            amounts, slopes = self._amounts(now)
            tables = self.passes.step(self._at(amounts), tables, first + n - 1, 1)
            t = n - still
            if t <= 0:
                continue
            now, for_low, for_high = resized(
                now, for_low, for_high, self._slope(slopes, tables), low, high, 1 / min(t, phase.n),
                variant.positive(t), variant.negative(t),
            )  # fmt: skip
            if n > phase.iterations // 2:
                averaged.append(now)
        self._regret = tables.regret
        return np.clip([np.mean(averaged)], low, high), time.perf_counter() - began

    def _amounts(self, size: float) -> tuple[Floats, Floats]:
        """(chips of every level of the tree at `size`, at most the stack, and their slopes in the size)."""
        levels, bet = self.sized.levels, int(self.sized.bets.level[0])
        most = float(self.subgame.rules.stacks[0])
        amount, slope = levels.constant.copy(), np.zeros(len(levels.constant))
        for level in range(len(amount)):
            raised, before = levels.raised[level], levels.before[level]
            grow, less = 1 + 2 * size if level == bet else levels.grow[level], levels.less[level]
            slope[level] = grow * slope[raised] - less * slope[before] + 2 * amount[raised] * (level == bet)
            amount[level] += grow * amount[raised] - less * amount[before]
            if amount[level] >= most:
                amount[level], slope[level] = most, 0.0
        return amount, slope

    def _at(self, of_level: Floats) -> kernels.LevelCards:
        """The cards, with stakes of the terminal nodes by their level."""
        tree = self.tree
        stake = of_level[self.sized.stake_level]
        sign = [np.where(tree.folded == 1 << hero, -1.0, 1.0) for hero in (0, 1)]
        n_boards = len(self.engine.cards.rank[0])
        out = []
        for number, walk in enumerate(self._walks):
            wide = n_boards if number == len(self._walks) - 1 else 1
            shows = np.repeat(stake[walk.show_ending][:, None], wide, axis=1).astype(np.float32)
            folds = [(s * stake)[walk.fold_ending][:, None].repeat(wide, axis=1).astype(np.float32) for s in sign]
            out.append(tuple(kernels.EndStakes(shows, of_hero, None) for of_hero in folds))
        return self.engine.cards._replace(stakes=tuple(out))

    def _begun(self) -> kernels.LevelTables:
        """Tables that start from the regrets of the last step. They are copied: a step may overwrite its tables."""
        tables = self.passes.zeros(self.engine.cards)
        if self._regret is None:
            return tables
        return kernels.LevelTables(tuple(tuple(of.copy() for of in levels) for levels in self._regret), tables.sums)

    def _slope(self, slopes: Floats, tables: kernels.LevelTables) -> float:
        """Slope of the bettor's value in its size, if both players play by their current regrets."""
        way = (self.subgame.player, kernels.FIXED)
        return self._chips(way, self.passes.look(self._at(slopes), tables.regret, (way,))[way])

    def _chips(self, way: tuple[int, int], values: Floats) -> float:
        cells, hero = self.engine.cells, way[0]
        share = cells.per_hand(hero)[slice(*cells.hands_of[hero])]
        return float(values[0, : len(share)] @ share)

    def _evaluation(self, cards: kernels.LevelCards, tables: kernels.LevelTables) -> Evaluation:
        values = self.passes.look(cards, tables.sums)
        chips = {way: self._chips(way, of) for way, of in values.items()}
        return Evaluation(chips[0, kernels.FIXED], (chips[0, kernels.BEST], chips[1, kernels.BEST]))


def padded(cards: kernels.LevelCards) -> kernels.LevelCards:
    """Add hands that nobody holds, up to a rounded number, so that boards with nearly as many hands share compiled
    programs."""
    more = [-len(player.held) % HAND_UNIT for player in cards.players]

    def longer(array: Any, player: int, value: float = 0) -> Any:
        array = np.asarray(array)
        return np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, more[player])], constant_values=value)

    players = [
        kernels.PlayerCards(
            np.pad(np.asarray(each.held), ((0, more[q]), (0, 0))),
            longer(each.cards, q),
            longer(each.double, q, -1),
            longer(each.same, q),
        )
        for q, each in enumerate(cards.players)
    ]

    def both(of: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(longer(each, q) for q, each in enumerate(of))

    streets = tuple(kernels.StreetCards(both(street.live), street.deals) for street in cards.streets)
    return cards._replace(
        players=(players[0], players[1]), ranges=both(cards.ranges), live=both(cards.live), streets=streets,
        rank=both(cards.rank),
    )  # fmt: skip
