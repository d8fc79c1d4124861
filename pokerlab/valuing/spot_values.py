"""Values of the hands at a spot: expected chips (also for each action), equity, and the probability of each hand.

Chips are counted from the decision on: folding is worth 0. If both players follow the strategy afterwards, their
expected values add up to the pot less the expected rake. Equity is before rake. Values are exact in subgames, and in
whole games for two with perfect recall. In whole games a cell (card bucket) has the mean value of its hands.

>>> from pokerlab.policies.spots import spot_at
>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.subgames.cfr import SubgameCfr
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> river = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> facing = spot_at(solve(SubgameCfr(river), iterations=500).strategy, "bet 100")
>>> values = spot_values(facing)
>>> facing.actor, facing.pot, facing.actions, values.frequency.round(2), round(sum(values.expected))
(1, 200.0, (FOLD, CALL), array([0.5, 0.5]), 200)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from pokerlab.abstraction.cells import CellPairs
from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import AnyFloats, Bools, ByStreetBoard, Floats, Floats32
from pokerlab.cards.card import N_CARDS
from pokerlab.policies.spots import Spot
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import reaches, values
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames import _subgame_numba as kernels
from pokerlab.solvers.subgames.cfr import Passes, PassScratch, PassTask, weights_of
from pokerlab.solvers.subgames.small_river import RiverPasses, is_small_river
from pokerlab.trees.betting_tree import build_tree

Pair: TypeAlias = tuple[Floats, Floats]  #: an array for each player

MOST_NUMBERS = 10_000_000  #: whole games whose strategies have more numbers would take too long


@dataclass(frozen=True, eq=False)
class SpotValues:
    """Arrays by hand, in the order of `Spot.by_hand`; NaN for impossible hands."""

    actor: int
    p: Floats  # p[hand, action] of the actor
    ev: Floats  # ev[hand, action]: the actor's expected chips
    value: Pair  # value[hand]: expected chips
    equity: Pair  # equity[hand]: share of the pot if the cards were dealt out now
    weight: Pair  # weight[hand]: remaining weight in the range; 0 for impossible hands
    chance: Pair  # chance[hand]: probability that the player holds it here, given the other's cards and actions

    def columns(self, spot: Spot) -> dict[str, Floats]:
        """The values of the actor's hands, as columns of `Spot.table`."""
        of_actor = {"chance": self.chance, "equity": self.equity, "ev": self.value}
        of_action = zip(spot.names(), self.ev.T, strict=True)
        return {name: of[self.actor] for name, of in of_actor.items()} | {f"ev of {name}": ev for name, ev in of_action}

    @property
    def frequency(self) -> Floats:
        """Frequency of each action, over all hands of the actor."""
        return np.asarray(np.nansum(self.p * self.chance[self.actor][:, None], axis=0))

    @property
    def expected(self) -> tuple[float, float]:
        """Expected chips of each player; they add up to the pot, less rake."""
        return _mean(self.value[0], self.chance[0]), _mean(self.value[1], self.chance[1])

    @property
    def overall_equity(self) -> tuple[float, float]:
        """Equity of each player's whole range; the two add up to one."""
        return _mean(self.equity[0], self.chance[0]), _mean(self.equity[1], self.chance[1])


def spot_values(spot: Spot, *, threads: int | None = None) -> SpotValues | None:
    """Compute the values of a spot. Return None if that is not possible: with three players, with cells of imperfect
    recall or cells that exist only for a given board, in huge games, and at spots that the strategy never reaches."""
    strategy = spot.strategy
    if isinstance(strategy.cells, SubgameCells):
        if not spot.on_combos:
            return None
        values = _in_subgame(spot, threads)
    else:
        small = sum(p.size for p in strategy.p) <= MOST_NUMBERS
        pairs = strategy.cells.pairs if strategy.tree.rules.n_seats == 2 and not spot.on_combos and small else None
        if pairs is None:
            return None
        values = _in_whole_game(spot, pairs)
    return values if values.chance[spot.actor].any() else None


@dataclass(frozen=True, eq=False)
class _Hands:
    """Both players' weights at a decision, `[player][hand]`."""

    spot: Spot
    weight: Pair  # remaining weight in the range
    met: Pair  # total weight of the other player's hands that share no card with it
    held: tuple[Bools, Bools]  # whether the hand is possible here
    least: float = 0.0  # weights up to this count as 0, since float32 sums are not exact

    def each(self, player: int, total: Floats) -> Floats:
        """Divide `total[hand]` by the weight of the opponent hands that the hand can meet; NaN if there are none."""
        met = self.met[player]
        none = (met <= self.least) | ~self.held[player]
        return np.asarray(np.where(none, np.nan, total / np.where(none, 1, met)))

    def values(self, rows: Floats, of_player: Pair, equities: Pair) -> SpotValues:
        """Make the values from totals over the opponent's hands: `rows[action, hand]` of the actor;
        `of_player[q][hand]` and `equities[q][hand]` of player q."""
        spot = self.spot
        actor, spent = spot.actor, spot.strategy.tree.decision_spent[spot.decision]
        weight = _both(lambda q: np.where(self.held[q], self.weight[q], 0.0))
        chance = _both(lambda q: weight[q] * self.met[q])
        return SpotValues(
            actor=actor,
            p=np.where(self.held[actor][:, None], spot.by_hand()[1], np.nan),
            ev=np.stack([self.each(actor, row) for row in rows], axis=1) + spent[actor],
            value=_both(lambda q: self.each(q, of_player[q]) + spent[q]),
            equity=_both(lambda q: 0.5 + self.each(q, equities[q])),
            weight=weight,
            chance=_both(lambda q: chance[q] / max(chance[q].sum(), 1e-300)),
        )


def _in_subgame(spot: Spot, threads: int | None) -> SpotValues:
    """The values of a spot in a subgame, by combo. They are computed on the board that represents the spot's board."""
    strategy = spot.strategy
    tree, cells = strategy.tree, strategy.cells
    assert isinstance(cells, SubgameCells)
    cell = cells.of_board(spot.board)[-1]  # cell[combo]
    hand = cell % cells.n_hands
    dealt = spot.board[len(cells.board) :]
    boards = [cells.board_of(dealt[: sum(cells.deals[:street])])[0] for street in range(spot.street + 1)]
    weights = weights_of(strategy)
    if is_small_river(Problem(tree, cells)):
        river = RiverPasses(Problem(tree, cells))
        by_hero = [_of_river(river, weights[0], hero, spot.decision) for hero in (0, 1)]
        reach = (by_hero[1][0], by_hero[0][0])
        equities = _both(lambda q: river.spread(q, 0.5 * river.wins[q] @ reach[1 - q][river.hands[1 - q]]))
    else:
        passes = Passes(Problem(tree, cells), threads)
        local = int(np.flatnonzero(np.flatnonzero(tree.street == spot.street) == spot.decision)[0])
        kept = strategy.values[spot.street] if strategy.values else (None, None)
        by_hero = [_of_hero(passes, weights, hero, boards, local, kept[hero]) for hero in (0, 1)]
        # a pass for one player gives the other's reach, whose sum is 1 at the start
        reach = (by_hero[1][0], by_hero[0][0])
        equities = _equities(passes, spot.street, boards[-1], reach)
    here = _Hands(
        spot,
        weight=_both(lambda q: reach[q][hand] * cells.weights[q].sum()),
        met=_both(lambda q: _met(cells, reach[1 - q])[hand]),
        held=((cell >= 0) & (cells.weights[0] > 0)[hand], (cell >= 0) & (cells.weights[1] > 0)[hand]),
        least=1e-9,
    )
    of_player = _both(lambda q: by_hero[q][2][hand])
    return here.values(by_hero[spot.actor][1][:, hand], of_player, _both(lambda q: equities[q][hand]))


def _of_hero(
    passes: Passes,
    weights: ByStreetBoard,
    hero: int,
    boards: Sequence[int],
    local: int,
    kept: AnyFloats | None,
) -> tuple[Floats, Floats, Floats]:
    """Return (the other player's `reach[hand]` at decision number `local` of the street, the hero's `value[action,
    hand]`, and its `value[hand]`). `kept` are values saved with the strategy; None to compute them."""
    task = PassTask.reading(hero, kernels.FIXED, weights)
    before = passes.start(hero)
    for street, board in enumerate(boards[:-1]):
        before = passes.down(task, street, board, before, PassScratch(passes, hero, street))
    street = len(boards) - 1
    if kept is None:
        reach, value = passes.board(task, street, boards[-1], before)
    else:
        reach = passes.down(task, street, boards[-1], before, PassScratch(passes, hero, street))
        value = np.asarray(kept).reshape(len(kept), -1, passes.cells.n_hands)[:, boards[-1]]
    walk = passes.walks[street][hero].walk
    rows = value[walk.first_row[local] : walk.first_row[local + 1]]
    return tuple(part.astype(np.float64) for part in (reach[walk.slot[local]], rows, value[walk.place[local]]))  # type: ignore[return-value]


def _of_river(river: RiverPasses, weights: Floats32, hero: int, decision: int) -> tuple[Floats, Floats, Floats]:
    """Return the same as `_of_hero`, for a small river."""
    done, rows, above = river.run(hero, weights), river.tree.edges(decision), int(river.tree.parent_edge[decision])
    reach = river.spread(1 - hero, river.start(hero) if above < 0 else done.reach[above])
    return reach, river.spread(hero, done.value[rows.start : rows.stop]), river.spread(hero, done.of_decision[decision])


def _equities(passes: Passes, street: int, board: int, reach: Pair) -> Pair:
    """For each player, `value[hand]`: (equity - 1/2) if both check to the end, times the reach of the other player's
    hands."""
    cells = passes.cells
    rules = replace(passes.tree.rules, blinds=(0, 0), antes=(0.5, 0.5), stacks=(1.5, 1.5), rake=0)
    tree = build_tree(rules, "none")
    checking = Passes(Problem(tree, cells), passes.threads)
    weights: list[Floats32] = [
        np.zeros((len(edges), b, cells.n_hands), np.float32)
        for edges, b in zip(tree.edges_on, cells.n_boards, strict=True)
    ]

    def of_player(hero: int) -> Floats:
        n_slots = checking.walks[street - 1][hero].n_slots if street else 1
        before = np.repeat(reach[1 - hero].astype(np.float32)[None, :], n_slots, axis=0)
        _, value = checking.board(PassTask.reading(hero, kernels.FIXED, weights), street, board, before)
        return np.asarray(value[len(checking.walks[street][hero].walk.row_slot)], np.float64)

    return _both(of_player)


def _met(cells: SubgameCells, reach: Floats) -> Floats:
    """`met[hand]`: total reach of the other player's hands that share no card with it."""
    high, low = (np.bincount(card, weights=reach, minlength=N_CARDS) for card in (cells.high, cells.low))
    by_card = high + low
    return np.asarray(reach.sum() - by_card[cells.high] - by_card[cells.low] + reach)


def _in_whole_game(spot: Spot, pairs: CellPairs) -> SpotValues:
    """Values by cell in a whole game."""
    actor, of_cell = spot.actor, CellValues(spot.strategy, pairs)
    rows, reach = of_cell.totals(spot.decision), of_cell.reach(spot.decision)
    own = (np.asarray(spot.strategy.at(spot.decision)) * rows).sum(axis=0)
    edges = spot.strategy.tree.edges(spot.decision)
    others = np.sum([of_cell.of_edge[1 - actor][edge] for edge in edges], axis=0)
    of_player = _both(lambda q: own if q == actor else others)
    equities = _both(lambda q: (0.5 - q) * _times(pairs.showdown[spot.street], reach[1 - q], q))
    n_boards, n_hands, _ = pairs.joint[spot.street].shape
    here = np.repeat((spot.by_hand()[0].reshape(n_boards, n_hands) > 0).any(axis=1), n_hands)
    return _Hands(spot, reach, of_cell.met(spot.decision), (here, here)).values(rows, of_player, equities)


class CellValues:
    """Values of a strategy for a whole game at every decision, by cell (card bucket). They are computed from the
    matrices of all pairs of cells."""

    def __init__(self, strategy: Strategy, pairs: CellPairs) -> None:
        self.strategy, self.pairs = strategy, pairs
        problem = Problem(strategy.tree, strategy.cells)
        self._through = [reaches(problem, strategy, player) for player in (0, 1)]
        self.of_edge = [values(problem, strategy, q, self._through[1 - q], best=False).of_edge for q in (0, 1)]

    def reach(self, decision: int) -> Pair:
        """For each player, `[cell]`: the probability that its own actions lead to a decision."""
        # At an edge of the other player, a player's reach does not change.
        edges, actor = self.strategy.tree.edges(decision), int(self.strategy.tree.actor[decision])
        return _both(lambda q: np.sum([self._through[q][e] for e in (edges if q == actor else edges[:1])], axis=0))

    def totals(self, decision: int) -> Floats:
        """`[action, cell]`: the actor's values, summed over the opponent's cells."""
        tree = self.strategy.tree
        return np.stack([self.of_edge[int(tree.actor[decision])][edge] for edge in tree.edges(decision)])

    def met(self, decision: int) -> Pair:
        """For each player, `[cell]`: the probability that it has the cell and that the opponent's actions lead to the
        decision."""
        reach, street = self.reach(decision), int(self.strategy.tree.street[decision])
        return _both(lambda q: _times(self.pairs.joint[street], reach[1 - q], q))

    def ev(self, decision: int) -> Floats:
        """`[cell, action]`: the actor's expected chips from a decision on; NaN if no opponent reaches it."""
        tree = self.strategy.tree
        actor = int(tree.actor[decision])
        met = self.met(decision)[actor]
        each = self.totals(decision) / np.where(met > 0, met, np.nan)
        return np.asarray(each.T + tree.decision_spent[decision][actor])


def _times(matrix: Floats, reach: Floats, player: int) -> Floats:
    """`[cell]` of `player`: a street's matrix over pairs of cells, summed over the other player's cells with weights
    `reach`."""
    blocks = reach.reshape(matrix.shape[0], -1)
    return np.asarray(np.einsum("bij,bj->bi" if player == 0 else "bij,bi->bj", matrix, blocks)).reshape(-1)


def _mean(of_hand: Floats, chance: Floats) -> float:
    return float(np.nansum(of_hand * chance))


def _both(of_player: Callable[[int], Floats]) -> Pair:
    return of_player(0), of_player(1)
