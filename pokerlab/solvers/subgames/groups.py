"""Prepare a subgame for the kernels of `_compact_numba`: divide the betting into groups, and number the possible hands
of each board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.abstraction.subgame_cells import NO_TRADE, SubgameCells
from pokerlab.arrays import AnyArray, Floats32, Int32s, Int64s
from pokerlab.solvers.core.best_response import stakes
from pokerlab.solvers.core.locks import FREE, Locks
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames import _compact_numba as kernels
from pokerlab.solvers.subgames._sweeps_numba import LANES, Sweeps
from pokerlab.solvers.subgames.walks import NO_LOCKS, Entry, exits_of, places_of
from pokerlab.trees.betting_tree import BettingTree

ROWS_PER_GROUP = 320
"""Approximate number of rows in a group on the final street. With more, values would leave the processor's cache; with
fewer, sweeps of terminal nodes would be less full."""

_Row: TypeAlias = tuple[int, int, float, float]  #: of a terminal node: slot (or lane), place, stake, half its rake


class StreetSide(NamedTuple):
    """One street from one hero's point of view."""

    walk: kernels.GroupWalk
    hands: kernels.LiveHands
    n_slots: int  # maximum in a group
    n_places: int


class _Hands(NamedTuple):
    """The possible hands of one player on the boards of a street; hands have the numbers of `SubgameCells`."""

    order: AnyArray  # order[board, i]: the possible hands
    n: Int64s  # n[board]: their number
    rank: AnyArray
    number: AnyArray  # number[board, hand]: the index i of a hand, or -1


def make_streets(problem: Problem) -> tuple[tuple[StreetSide, StreetSide], ...]:
    """Prepare all streets: `streets[street][hero]`."""
    tree, cells = problem.tree, problem.cells
    assert isinstance(cells, SubgameCells)
    sides = [[_live_hands(cells, street, player) for player in (0, 1)] for street in range(len(cells.n_boards))]
    entries, streets = [Entry(place=-1, decision=0, ending=-1)], []
    for street in range(len(tree.rules.streets)):
        exits = exits_of(tree, street, entries)
        locked = _locked(problem, street)
        both = []
        for hero in (0, 1):
            walk, n_slots, n_places = _group_walk(tree, street, hero, entries, exits)
            walk = walk._replace(lock_row=locked[0], locked=locked[1])
            both.append(StreetSide(walk, _board_hands(cells, sides, street, hero, walk), n_slots, n_places))
        streets.append((both[0], both[1]))
        entries = exits
    return tuple(streets)


def _locked(problem: Problem, street: int) -> tuple[Int32s, Floats32]:
    """Return `lock_row` and `locked` of a street's walks: the locks, indexed by the possible hands of the acting
    player."""
    tree, cells = problem.tree, problem.cells
    assert isinstance(cells, SubgameCells)
    row, arrays = (problem.locks or Locks({})).on_street(tree, street)
    if not arrays:
        return row, NO_LOCKS
    actors = tree.actor[tree.street == street][row >= 0]
    width = max(orders.order.shape[1] for orders in cells.orders[street])
    locked = np.full((sum(map(len, arrays)), cells.n_boards[street], width), FREE, np.float32)
    boards = np.arange(cells.n_boards[street])[:, None]
    for first, actor, array in zip(row[row >= 0], actors, arrays, strict=True):
        order = cells.orders[street][actor].order
        by_hand = array.reshape(len(array), cells.n_boards[street], -1)
        locked[first : first + len(array), :, : order.shape[1]] = by_hand[:, boards, order]
    return row, locked


def _live_hands(cells: SubgameCells, street: int, player: int) -> _Hands:
    orders = cells.orders[street][player]
    number = np.full((len(orders.n), cells.n_hands), -1, np.int16)
    for board, n in enumerate(orders.n):
        number[board, orders.order[board, :n]] = np.arange(n)
    return _Hands(orders.order, orders.n, orders.rank, number)


def _board_hands(
    cells: SubgameCells, sides: Sequence[Sequence[_Hands]], street: int, hero: int, walk: kernels.GroupWalk
) -> kernels.LiveHands:
    own, other = sides[street][hero], sides[street][1 - hero]
    n = np.stack([sides[street][player].n for player in (0, 1)], axis=1)
    n_rows = np.bincount(walk.actor.repeat(np.diff(walk.first_row)), minlength=2)
    source, deal, target = _from_before(cells, sides, street, hero)
    child = np.zeros(len(n) + 1, np.int32)
    if street + 1 < len(cells.n_boards):
        later = cells.next_cards[street]
        child[1:] = np.maximum.reduceat(later.board, later.first[:-1]) + 1
    listed = np.arange(own.order.shape[1]) < own.n[:, None]
    double = np.where(listed, other.number[np.arange(len(n))[:, None], own.order], -1)
    return kernels.LiveHands(
        base=np.concatenate([[0], np.cumsum(n @ n_rows)]).astype(np.int64),
        n=n,
        high=cells.high[own.order].astype(np.int8),
        low=cells.low[own.order].astype(np.int8),
        rank=own.rank,
        other_high=cells.high[other.order].astype(np.int8),
        other_low=cells.low[other.order].astype(np.int8),
        other_rank=other.rank,
        other_source=source,
        deal=deal,
        target=target,
        double=double.astype(np.int16),
        child=child,
    )


def _from_before(
    cells: SubgameCells, sides: Sequence[Sequence[_Hands]], street: int, hero: int
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """`other_source`, `deal` and `target` for a street's boards; see `LiveHands`."""
    own, other = sides[street][hero], sides[street][1 - hero]
    source = np.zeros(other.order.shape, np.int16)
    if street == 0:  # on the first board hands have their numbers in the range
        source[0, : other.n[0]] = other.order[0, : other.n[0]] - cells.hands_of[1 - hero][0]
        return source, np.zeros(2, np.int32), np.zeros((0, own.order.shape[1]), np.int16)
    comes, before = cells.next_cards[street - 1], sides[street - 1]
    above = np.arange(len(comes.first) - 1).repeat(np.diff(comes.first))
    back = np.argsort(cells.relabelled, axis=1)  # for each exchange of suits, the hand that becomes this one
    order = np.argsort(comes.board, kind="stable")  # deals, ordered by the board that represents theirs
    target = np.zeros((len(order), own.order.shape[1]), np.int16)
    for deal, row in enumerate(order):
        board, trade = int(comes.board[row]), int(comes.trade[row])
        hands, others = own.order[board, : own.n[board]], other.order[board, : other.n[board]]
        target[deal, : len(hands)] = before[hero].number[above[row], back[trade][hands]]
        if trade == NO_TRADE:
            source[board, : len(others)] = before[1 - hero].number[above[row], others]
    deals = np.bincount(comes.board, minlength=len(own.n))
    return source, np.concatenate([[0], np.cumsum(deals)]).astype(np.int32), target


def _group_walk(
    tree: BettingTree, street: int, hero: int, entries: Sequence[Entry], exits: Sequence[Entry]
) -> tuple[kernels.GroupWalk, int, int]:
    """Return (walk of a street, largest number of slots in a group, largest number of places in a group)."""
    rows, decisions = tree.edges_on[street], np.flatnonzero(tree.street == street)
    last = street == len(tree.rules.streets) - 1
    local = {int(d): i for i, d in enumerate(decisions)}
    n_rows = len(rows)
    first_row = np.array([tree.row[tree.first_edge[d]] for d in decisions] + [n_rows], np.int32)
    actor = tree.actor[decisions]
    row_actor = actor.repeat(np.diff(first_row))
    rows_before = np.stack([np.cumsum(row_actor == p) - (row_actor == p) for p in (0, 1)], axis=1).astype(np.int64)
    begins = [local[entry.decision] if entry.decision >= 0 else -1 for entry in entries]
    ends = np.append([d for d in begins if d >= 0], len(decisions))[1:].tolist() if any(d >= 0 for d in begins) else []
    entry_cut, decision_cut = _cuts(begins, ends, first_row, last)
    place_in_street = places_of(tree, decisions, entries, n_rows)
    place, slot = np.empty(len(decisions), np.int32), np.empty(len(decisions), np.int32)
    row_slot = np.full(n_rows, -1, np.int32)
    slot_of_row = np.full(n_rows, -1, np.int32)
    stake = np.where(tree.showdown, stakes(tree, 0), stakes(tree, hero))
    shows, folds = _Endings(), _Endings()
    n_slots = n_places = 0
    exit_slot, exit_place = [], []
    for e0, e1, d0, d1 in zip(entry_cut, entry_cut[1:], decision_cut, decision_cut[1:], strict=False):
        r0, r1 = int(first_row[d0]), int(first_row[d1])
        n_entries = e1 - e0
        others = r0 + np.flatnonzero(row_actor[r0:r1] != hero)
        row_slot[others] = n_entries + np.arange(len(others))
        slot_of_row[others] = row_slot[others]
        for d in range(d0, d1):  # parents come first
            at = int(place_in_street[d])
            slot[d] = at - n_rows - e0 if at >= n_rows else slot_of_row[at]
            place[d] = r1 - r0 + at - n_rows - e0 if at >= n_rows else at - r0
            if actor[d] == hero:
                slot_of_row[first_row[d] : first_row[d + 1]] = slot[d]
        for row in range(r0, r1):
            child = int(tree.child[rows[row]])
            if child < 0 and (last or not tree.showdown[~child]):
                if tree.showdown[~child]:
                    shows.add(slot_of_row[row], row - r0, stake[~child], tree.rake[~child] / 2)
                elif last and row_actor[row] == hero:
                    shows.add(slot_of_row[row], row - r0, stake[~child], fold=True)
                else:
                    folds.add(slot_of_row[row], row - r0, stake[~child])
        for e in range(e0, e1):
            if entries[e].decision < 0 and last:
                ending = entries[e].ending
                shows.add(e - e0, r1 - r0 + e - e0, stake[ending], tree.rake[ending] / 2)
        shows.close()
        folds.close()
        n_slots, n_places = max(n_slots, n_entries + len(others)), max(n_places, r1 - r0 + n_entries)
        if not last:
            for x in exits:
                at = x.place
                exit_slot.append(at - n_rows if at >= n_rows else int(slot_of_row[at]))
                exit_place.append(at)  # in the single group, rows come before entries
    walk = kernels.GroupWalk(
        hero, np.array(entry_cut, np.int32), np.array(decision_cut, np.int32), actor, first_row, rows_before,
        place, slot, row_slot, shows.sweeps(), folds.sweeps(),
        np.array(exit_slot, np.int32), np.array(exit_place, np.int32), np.full(len(actor), -1, np.int32), NO_LOCKS,
    )  # fmt: skip
    return walk, n_slots, n_places


def _cuts(begins: list[int], ends: list[int], first_row: AnyArray, last: bool) -> tuple[list[int], list[int]]:
    """Return (first entry, first decision) of each group, as arrays. Streets before the last form a single group."""
    n_decisions = len(first_row) - 1
    if not last:
        return [0, len(begins)], [0, n_decisions]
    entry_cut, decision_cut, done, filled = [0], [0], 0, 0
    reach = iter(ends)
    for e, begin in enumerate(begins):
        end = next(reach) if begin >= 0 else done
        more = int(first_row[end] - first_row[done]) + 1
        if filled and filled + more > ROWS_PER_GROUP:
            entry_cut.append(e)
            decision_cut.append(done)
            filled = 0
        filled += more
        done = end
    return [*entry_cut, len(begins)], [*decision_cut, n_decisions]


class _Endings:
    """Collects terminal nodes, group by group, in sweeps of up to LANES slots."""

    def __init__(self) -> None:
        self.groups, self.slots, self.n_lanes = [0], list[list[int]](), list[int]()
        # (endings with slots of their own, folds that share slots with showdowns)
        self.rows: tuple[list[_Row], list[_Row]] = ([], [])
        self.first = ([0], [0])
        self._open: tuple[list[_Row], list[_Row]] = ([], [])

    def add(self, slot: int, place: int, stake: float, half_rake: float = 0.0, *, fold: bool = False) -> None:
        self._open[fold].append((int(slot), place, float(stake), float(half_rake)))

    def close(self) -> None:
        """Finish a group."""
        slots = sorted({slot for slot, *_ in self._open[False]})
        for start in range(0, len(slots), LANES):
            lanes = slots[start : start + LANES]
            for all_, found, first in zip(self.rows, self._open, self.first, strict=True):
                rows = [(lanes.index(row[0]), *row[1:]) for row in found if row[0] in lanes]
                all_ += rows + rows[-1:] * (-len(rows) % 4)
                first.append(len(all_))
            self.slots.append(lanes + lanes[:1] * (LANES - len(lanes)))
            self.n_lanes.append(len(lanes) + -len(lanes) % 4)
        self.groups.append(len(self.slots))
        self._open = ([], [])

    def sweeps(self) -> Sweeps:
        slot = np.array(self.slots, np.int32).reshape(-1, LANES)
        columns: list[AnyArray] = []
        for rows, first in zip(self.rows, self.first, strict=True):
            lane, place, stake, rake = np.array(rows, np.float64).reshape(-1, 4).T
            columns += [np.array(first, np.int32), lane.astype(np.int32), place.astype(np.int32)]
            columns += [stake.astype(np.float32), rake.astype(np.float32)]
        return Sweeps(np.array(self.groups, np.int32), slot, np.array(self.n_lanes, np.int32), *columns)
