"""A look at one decision of a solved subgame: what every hand does there, what that is worth, and who is ahead.

Chips here are counted from the decision on: folding is worth 0, and what both players can expect adds up to the pot.
Arrays are by combo (`cards.combos`), NaN for hands that cannot be there.

>>> from pokerlab.games.actions import RaiseTo
>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> from pokerlab.solvers.subgames.cfr import SubgameCfr
>>> river = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> solution = solve(SubgameCfr(river), iterations=500)
>>> facing = spot(river, solution.strategy, (RaiseTo(100),))
>>> facing.actor, facing.pot, facing.actions, facing.frequency.round(2)
(1, 200.0, (FOLD, CALL), array([0.5, 0.5]))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.card import N_CARDS, cards_text
from pokerlab.cards.combos import N_COMBOS, combo_index
from pokerlab.errors import CardError
from pokerlab.games.actions import Action
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.subgames import _subgame_numba as kernels
from pokerlab.solvers.subgames.cells import SubgameCells, Trade, inverse
from pokerlab.solvers.subgames.cfr import ByStreet, Floats32, Passes, Scratch, Task, weights_of
from pokerlab.solvers.subgames.subgame import STREETS, Subgame, betting_tree

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SubgameSpot:
    """One decision on one board. Pairs are by player."""

    actor: int
    actions: tuple[Action, ...]
    board: tuple[int, ...]
    pot: float  # all chips in
    p: Floats  # [combo, action]: how often the actor takes it
    ev: Floats  # [combo, action]: chips the actor can expect from it
    weight: tuple[Floats, Floats]  # [combo]: the weight a hand has left of its range; 0 where it cannot be there
    value: tuple[Floats, Floats]  # [combo]: chips a hand can expect
    equity: tuple[Floats, Floats]  # [combo]: its share if the cards were dealt out now
    chance: tuple[Floats, Floats]  # [combo]: how likely the player is to hold it here, the other's cards considered

    @property
    def frequency(self) -> Floats:
        """`[action]`: how often the actor takes each action, over all its hands."""
        return np.asarray(np.nansum(self.p * self.chance[self.actor][:, None], axis=0))

    @property
    def expected(self) -> tuple[float, float]:
        """Chips each player can expect; they add up to the pot."""
        return _mean(self.value[0], self.chance[0]), _mean(self.value[1], self.chance[1])

    @property
    def overall_equity(self) -> tuple[float, float]:
        """Equity of each player's hands together; they add up to one."""
        return _mean(self.equity[0], self.chance[0]), _mean(self.equity[1], self.chance[1])


def probabilities(
    subgame: Subgame, strategy: Strategy, hole: Sequence[int], actions: Sequence[Action] = (), dealt: Sequence[int] = ()
) -> dict[Action, float]:
    """What the actor does with `hole` after `actions` and the cards `dealt` since the subgame began."""
    decision = _decision(subgame, actions, dealt)
    _check_hand(subgame, int(subgame.tree.actor[decision]), hole)
    cell = subgame.cells.of_hand(hole, (*subgame.board, *dealt))
    return dict(zip(subgame.tree.actions(decision), map(float, strategy.at(decision)[:, cell]), strict=True))


def spot(
    subgame: Subgame,
    strategy: Strategy,
    actions: Sequence[Action] = (),
    dealt: Sequence[int] = (),
    *,
    threads: int | None = None,
) -> SubgameSpot:
    """The decision after `actions` and the cards `dealt` since the subgame began, both players playing `strategy`."""
    tree, cells = subgame.tree, subgame.cells
    decision = _decision(subgame, actions, dealt)
    street, actor = int(tree.street[decision]), int(tree.actor[decision])
    spent = tree.decision_spent[decision]
    path = [cells.board_of(dealt[:n]) for n in range(street + 1)]
    passes, weights = Passes(subgame, threads), weights_of(subgame, strategy)
    local = int(np.flatnonzero(np.flatnonzero(tree.street == street) == decision)[0])
    found = [_of_hero(passes, weights, hero, [board for board, _ in path], local) for hero in (0, 1)]
    reach = (found[1][0], found[0][0])  # a pass of one player finds the reach of the other
    met = [_met(cells, reach[1 - player]) for player in (0, 1)]
    equities = _equities(subgame, street, path[-1][0], reach, threads)
    back = _Back(cells, path[-1], street)
    rows, place = found[actor][1], [of_decision for _, _, of_decision in found]
    chance = [reach[player] * met[player] * back.in_range(player) for player in (0, 1)]
    return SubgameSpot(
        actor=actor,
        actions=tree.actions(decision),
        board=(*subgame.board, *dealt),
        pot=float(spent.sum()),
        p=back.by_combo(actor, strategy.at(decision)[:, path[-1][0] * cells.n_hands :][:, : cells.n_hands].T),
        ev=back.by_combo(actor, _each(rows, met[actor]).T + spent[actor]),
        weight=_pair(np.nan_to_num(back.by_combo(q, reach[q] * cells.weights[q].sum())) for q in (0, 1)),
        value=_pair(back.by_combo(q, _each(place[q], met[q]) + spent[q]) for q in (0, 1)),
        equity=_pair(back.by_combo(q, 0.5 + _each(equities[q], met[q])) for q in (0, 1)),
        chance=_pair(np.nan_to_num(back.by_combo(q, chance[q] / max(chance[q].sum(), 1e-300))) for q in (0, 1)),
    )


def _decision(subgame: Subgame, actions: Sequence[Action], dealt: Sequence[int]) -> int:
    decision = subgame.tree.decision_after(actions)
    street = int(subgame.tree.street[decision])
    if len(dealt) != street:
        name = STREETS[len(subgame.board) + street]
        raise CardError(f"{subgame.tree.describe(decision) or 'the start'} is on the {name}, {street} cards after "
                        f"{cards_text(subgame.board)}; {len(dealt)} were named")  # fmt: skip
    return decision


def _check_hand(subgame: Subgame, player: int, hole: Sequence[int]) -> None:
    if not subgame.cells.weight_of_combo[player][combo_index(*hole)] > 0:
        raise CardError(f"{cards_text(hole)} is not in player {player}'s range on {cards_text(subgame.board)}")


def _of_hero(
    passes: Passes, weights: ByStreet, hero: int, boards: Sequence[int], local: int
) -> tuple[Floats, Floats, Floats]:
    """(the other's `reach[hand]` of a decision, `value[action, hand]` and `value[hand]` to the hero)."""
    task = Task.reading(hero, kernels.FIXED, weights)
    before = passes.start(hero)
    for street, board in enumerate(boards[:-1]):
        before = passes.down(task, street, board, before, Scratch(passes, hero, street))
    street = len(boards) - 1
    reach, value = passes.board(task, street, boards[-1], before)
    walk = passes.walks[street][hero].walk
    rows = value[walk.first_row[local] : walk.first_row[local + 1]]
    return tuple(part.astype(np.float64) for part in (reach[walk.slot[local]], rows, value[walk.place[local]]))  # type: ignore[return-value]


def _equities(
    subgame: Subgame, street: int, board: int, reach: tuple[Floats, Floats], threads: int | None
) -> list[Floats]:
    """`value[hand]` of each player in chips of a pot of 1, both checking to the end."""
    tree = betting_tree(len(subgame.board), pot=1, stack=1, sizes="none")
    checking = Subgame(tree, subgame.cells, 1, 1, "none")
    passes = Passes(checking, threads)
    n = subgame.cells.n_hands
    weights: list[Floats32] = [
        np.zeros((len(edges), b, n), np.float32) for edges, b in zip(tree.edges_on, subgame.cells.n_boards, strict=True)
    ]
    found = []
    for hero in (0, 1):
        n_slots = passes.walks[street - 1][hero].n_slots if street else 1
        before = np.repeat(reach[1 - hero].astype(np.float32)[None, :], n_slots, axis=0)
        _, value = passes.board(Task.reading(hero, kernels.FIXED, weights), street, board, before)
        found.append(value[len(passes.walks[street][hero].walk.row_slot)].astype(np.float64))
    return found


def _met(cells: SubgameCells, reach: Floats) -> Floats:
    """`met[hand]`: the other's reach, hands that share a card left out."""
    high, low = (np.bincount(card, weights=reach, minlength=N_CARDS) for card in (cells.high, cells.low))
    by_card = high + low
    return np.asarray(reach.sum() - by_card[cells.high] - by_card[cells.low] + reach)


def _each(value: Floats, met: Floats) -> Floats:
    """Values for each opponent met; NaN where none is."""
    none = met <= 1e-9
    return np.asarray(np.where(none, np.nan, value / np.where(none, 1, met)))


class _Back:
    """From hands on the board that stands for a real one to combos on the real one."""

    def __init__(self, cells: SubgameCells, board: tuple[int, Trade], street: int) -> None:
        number, trade = board
        self.cells, self.live = cells, cells.live[street][number] > 0
        self.combo = cells.combos[cells.traded_hands(inverse(trade))]

    def in_range(self, player: int) -> NDArray[np.bool_]:
        """`[hand]`: whether the player can hold it here."""
        return np.asarray(self.live & (self.cells.weights[player] > 0))

    def by_combo(self, player: int, by_hand: NDArray[np.floating]) -> Floats:
        """`[combo, ..]`, NaN for hands that the player cannot hold here."""
        out = np.full((N_COMBOS, *by_hand.shape[1:]), np.nan)
        held = self.in_range(player)
        out[self.combo[held]] = by_hand[held]
        return out


def _mean(of_combo: Floats, chance: Floats) -> float:
    return float(np.nansum(of_combo * chance))


def _pair(both: Iterable[Floats]) -> tuple[Floats, Floats]:
    first, second = both
    return first, second
