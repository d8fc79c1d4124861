"""A betting tree divided into streets, for the compiled passes of `_subgame_numba`.

The *exits* of a street are the places after which the next street begins. A call that puts a player all-in is also an
exit: it passes through the later streets without decisions, to the showdown on the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.arrays import Floats, Floats32, Int32s, Int64s
from pokerlab.solvers.core.best_response import stakes
from pokerlab.solvers.core.locks import Locks
from pokerlab.solvers.subgames._subgame_numba import BLOCK, HeroWalk
from pokerlab.trees.betting_tree import BettingTree

CARRIED = -1
NO_LOCKS: Floats32 = np.zeros((0, 1, 1), np.float32)


@dataclass(frozen=True, eq=False)
class StreetWalk:
    """One street for one hero: the arrays for the kernels, and the exits of the street."""

    walk: HeroWalk
    n_slots: int
    n_places: int
    exit_slot: Int32s  # exit_slot[exit]
    exit_place: Int32s  # exit_place[exit]
    slot_of_place: Int32s
    show_ending: Int32s  # for each showdown of the walk, its ending in the tree
    fold_ending: Int32s


def make_walks(
    tree: BettingTree, locks: Locks | None = None, n_hands: int = 1
) -> tuple[tuple[StreetWalk, StreetWalk], ...]:
    """Divide a tree into walks: `walks[street][hero]`."""
    entries = [Entry(place=-1, decision=0, ending=CARRIED)]
    walks = []
    for street in range(len(tree.rules.streets)):
        exits = exits_of(tree, street, entries)
        first, arrays = (locks or Locks({})).on_street(tree, street)
        locked = np.concatenate(arrays).reshape(-1, arrays[0].shape[1] // n_hands, n_hands) if arrays else NO_LOCKS
        both = [_street_walk(tree, street, hero, entries, exits, (first, locked)) for hero in (0, 1)]
        walks.append((both[0], both[1]))
        entries = exits
    return tuple(walks)


@dataclass(frozen=True)
class Entry:
    """A connection from a street to the next one: from a place on the earlier street to a decision on the later one, or
    to a showdown on the last street."""

    place: int
    decision: int
    ending: int


def exits_of(tree: BettingTree, street: int, entries: Sequence[Entry]) -> list[Entry]:
    """Exits from a street to the next one; none on the last street."""
    if street == len(tree.rules.streets) - 1:
        return []
    rows, exits = tree.edges_on[street], []
    for row, edge in enumerate(rows):
        child = int(tree.child[edge])
        if child >= 0 and tree.street[child] > street:
            exits.append(Entry(row, child, CARRIED))
        elif child < 0 and tree.showdown[~child]:
            exits.append(Entry(row, -1, ~child))
    exits += [Entry(len(rows) + e, -1, entry.ending) for e, entry in enumerate(entries) if entry.decision < 0]
    return exits


def _street_walk(
    tree: BettingTree,
    street: int,
    hero: int,
    entries: Sequence[Entry],
    exits: Sequence[Entry],
    locked: tuple[Int32s, Floats32],
) -> StreetWalk:
    rows = tree.edges_on[street]
    decisions = np.flatnonzero(tree.street == street)
    n_rows, n_entries = len(rows), len(entries)
    place = places_of(tree, decisions, entries, n_rows)
    row_slot = np.full(n_rows, -1, np.int32)
    others = np.flatnonzero(tree.actor[tree.edge_decision[rows]] != hero)
    row_slot[others] = n_entries + np.arange(len(others))
    slot_of_place = np.concatenate([row_slot, np.arange(n_entries, dtype=np.int32)])
    slot = np.empty(len(decisions), np.int32)
    for d, decision in enumerate(decisions):  # parents come first
        slot[d] = slot_of_place[place[d]]
        if tree.actor[decision] == hero:
            slot_of_place[[tree.row[edge] for edge in tree.edges(int(decision))]] = slot[d]
    last = street == len(tree.rules.streets) - 1
    show = [(row, ~int(tree.child[e])) for row, e in enumerate(rows) if tree.child[e] < 0 and last]
    show = [(place, ending) for place, ending in show if tree.showdown[ending]]
    show += [(n_rows + e, entry.ending) for e, entry in enumerate(entries) if last and entry.decision < 0]
    fold = [(row, ~int(tree.child[e])) for row, e in enumerate(rows) if tree.child[e] < 0]
    fold = [(place, ending) for place, ending in fold if not tree.showdown[ending]]
    shows = _by_slot(show, slot_of_place, stakes(tree, 0))
    folds = _by_slot(fold, slot_of_place, stakes(tree, hero))
    first_row = np.array([tree.row[tree.first_edge[d]] for d in decisions] + [n_rows], np.int32)
    rake = (tree.rake[shows[0]] / 2).astype(np.float32)
    walk = HeroWalk(
        hero, n_entries, tree.actor[decisions], first_row, place, slot, row_slot, *shows[1:], rake, *folds[1:],
        *_together(shows[1], folds[1]), *locked,
    )  # fmt: skip
    exit_place = np.array([x.place for x in exits], np.int32)
    exit_slot = slot_of_place[exit_place].astype(np.int32) if len(exits) else np.zeros(0, np.int32)
    n_slots, n_places = n_entries + len(others), n_rows + n_entries
    return StreetWalk(walk, n_slots, n_places, exit_slot, exit_place, slot_of_place, shows[0], folds[0])


def places_of(tree: BettingTree, decisions: Int64s, entries: Sequence[Entry], n_rows: int) -> Int32s:
    """`place[decision]`: row or entry that leads to a decision."""
    entry_of = {entry.decision: e for e, entry in enumerate(entries) if entry.decision >= 0}
    return np.array(
        [n_rows + entry_of[d] if d in entry_of else tree.row[tree.parent_edge[d]] for d in decisions.tolist()], np.int32
    )


def _together(shows: Int32s, folds: Int32s) -> tuple[Int32s, Int32s]:
    """Return (slots of showdowns, then those that only folds have, padded to whole blocks; index of each fold's slot
    among them)."""
    slots = np.concatenate([shows, np.setdiff1d(folds, shows)])
    where = {slot: lane for lane, slot in enumerate(slots.tolist())}
    filled = np.resize(slots, -(-len(slots) // BLOCK) * BLOCK) if len(slots) else slots
    return filled.astype(np.int32), np.array([where[slot] for slot in folds.tolist()], np.int32)


def _by_slot(
    endings: Sequence[tuple[int, int]], slot_of_place: Int32s, stake: Floats
) -> tuple[Int32s, Int32s, Int32s, Int32s, Floats32]:
    """Sort endings by the slot with the other player's reach. Return (endings, slots, first ending of each slot,
    places, stakes)."""
    place, ending = np.array(endings, np.int64).reshape(-1, 2).T
    order = np.argsort(slot_of_place[place], kind="stable")
    slots, first = np.unique(slot_of_place[place][order], return_index=True)
    return (
        ending[order].astype(np.int32),
        slots.astype(np.int32),
        np.append(first, len(endings)).astype(np.int32),
        place[order].astype(np.int32),
        stake[ending[order]].astype(np.float32),
    )
