"""The betting of a street divided into levels, for passes over all boards at once.

Level k has the decisions after k actions on the street, so the same player acts at all of them. Its rows (the edges of
its decisions) are contiguous, ordered by the decisions' number of actions. A pass is made for one player, the *hero*:
going down it computes the *other* player's reach, which changes only on that player's levels; going up it computes the
value to the hero.

>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> river = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> [(level.actor, level.groups) for level in street_levels(river.tree)[0].levels]
[(0, ((1, 2),)), (1, ((2, 2),)), (0, ((1, 2),))]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import Floats32, Int32s, Int64s
from pokerlab.solvers.core.locks import FREE, Locks
from pokerlab.solvers.subgames.walks import StreetWalk, make_walks
from pokerlab.trees.betting_tree import BettingTree

ENTRIES = -1  #: stands for the entries of the street in place of a level

Source: TypeAlias = tuple[int, Int32s]  #: (level or ENTRIES, rows of it)
RowAt: TypeAlias = tuple[int, int]  #: (level or ENTRIES, a row of it)


@dataclass(frozen=True, eq=False)
class BettingLevel:
    """The decisions after the same number of actions on a street."""

    actor: int
    groups: tuple[tuple[int, int], ...]  # (number of decisions, actions of each), in the order of the rows
    rows: Int32s  # rows[i]: row of the street
    before: Source  # for each row, the entry or earlier row at which the actor's reach last changed


@dataclass(frozen=True, eq=False)
class Ends:
    """Terminal nodes of one kind for a hero's pass; those with the same reach of the other player share a slot."""

    sources: tuple[Source, ...]  # where the slots are, one source after the other
    slot: Int32s  # slot[ending]
    stake: Floats32  # stake[ending]: chips; of showdowns those of the winner, of folds negative if the hero loses
    rake: Floats32  # rake[ending]: half the rake of a showdown (see `best_response.stakes`), 0 for folds

    @property
    def n_slots(self) -> int:
        return sum(len(rows) for _, rows in self.sources)


@dataclass(frozen=True, eq=False)
class Gather:
    """How the values of a level's rows (or of the entries) are gathered from decisions of the next level, terminal
    nodes and exits."""

    shows: Int32s  # showdowns, as indices of endings
    folds: Int32s
    exits: Int32s
    order: Int32s  # order[i]: index in the list of the next level's decisions, then shows, folds and exits


@dataclass(frozen=True, eq=False)
class HeroSide:
    """The parts of a street that depend on which player is the hero."""

    shows: Ends
    folds: Ends
    exits: tuple[Source, ...]  # where the other player's reach of the exits is; `exit_order` restores their order
    exit_order: Int32s


@dataclass(frozen=True, eq=False)
class StreetLevels:
    """One street, divided into levels."""

    n_entries: int
    n_rows: int
    n_exits: int
    levels: tuple[BettingLevel, ...]
    rows_from: tuple[Gather, ...]  # by level
    entries_from: Gather
    sides: tuple[HeroSide, HeroSide]


def street_levels(tree: BettingTree) -> tuple[StreetLevels, ...]:
    """The levels of every street."""
    return tuple(_street(walks) for walks in make_walks(tree))


def level_locks(tree: BettingTree, street: int, rows: Int32s, locks: Locks, shape: tuple[int, int]) -> Floats32 | None:
    """Return `lock[row, board, hand]` of a level's rows, FREE where nothing is locked; None if no decision of the level
    is locked. `shape` is (number of boards, number of hands) in `locks`."""
    where, table = {int(row): i for i, row in enumerate(rows)}, None
    for decision, lock in locks.at.items():
        first = int(tree.row[tree.first_edge[decision]])
        if tree.street[decision] != street or first not in where:
            continue
        if table is None:
            table = np.full((len(rows), *shape), FREE, np.float32)
        table[where[first] : where[first] + len(lock)] = lock.reshape(-1, *shape)
    return table


def _street(walks: tuple[StreetWalk, StreetWalk]) -> StreetLevels:
    walk = walks[0].walk
    n_rows, n_entries = int(walk.first_row[-1]), walk.n_entries
    n_actions = np.diff(walk.first_row)
    decision_of_row = np.repeat(np.arange(len(walk.actor)), n_actions)
    depth = np.zeros(len(walk.actor), np.int64)
    for d, place in enumerate(walk.place):  # parents come first
        depth[d] = 0 if place >= n_rows else depth[decision_of_row[place]] + 1
    members = [np.flatnonzero(depth == k) for k in range(int(depth.max(initial=-1)) + 1)]
    members = [of[np.argsort(n_actions[of], kind="stable")] for of in members]
    rows = [np.concatenate([np.arange(*walk.first_row[[d, d + 1]]) for d in of]).astype(np.int32) for of in members]
    where = {int(row): (k, i) for k, of in enumerate(rows) for i, row in enumerate(of)}  # row -> (level, index in it)
    where |= {n_rows + e: (ENTRIES, e) for e in range(n_entries)}
    at_slot = [_rows_of_slots(of_hero, where) for of_hero in walks]
    levels = tuple(_level(walks, of, own, at_slot) for of, own in zip(members, rows, strict=True))
    place_of = walk.place.tolist()
    # place -> index of the decision to which it leads
    position = {place_of[d]: i for of in members for i, d in enumerate(of.tolist())}
    show = {int(place): i for i, place in enumerate(walk.show_place)}
    fold = {int(place): i for i, place in enumerate(walk.fold_place)}
    leave = {int(place): i for i, place in enumerate(walks[0].exit_place)}
    n_next = [len(of) for of in members[1:]] + [0]
    ways = (position, show, fold, leave)
    return StreetLevels(
        n_entries,
        n_rows,
        len(walks[0].exit_place),
        levels,
        tuple(_gather(of.tolist(), n, ways) for of, n in zip(rows, n_next, strict=True)),
        _gather(range(n_rows, n_rows + n_entries), len(members[0]) if members else 0, ways),
        (_side(walks, 0, at_slot[0]), _side(walks, 1, at_slot[1])),
    )


def _rows_of_slots(walk: StreetWalk, where: Mapping[int, RowAt]) -> list[RowAt]:
    """`[slot]`: the level, and the row in it, that a slot refers to."""
    rows = np.flatnonzero(walk.walk.row_slot >= 0)
    by_slot = {int(walk.walk.row_slot[row]): where[int(row)] for row in rows}
    return [(ENTRIES, slot) if slot < walk.walk.n_entries else by_slot[slot] for slot in range(walk.n_slots)]


def _level(
    walks: tuple[StreetWalk, StreetWalk], members: Int64s, rows: Int32s, at_slot: Sequence[Sequence[RowAt]]
) -> BettingLevel:
    walk = walks[0].walk
    actor = int(walk.actor[members[0]])
    assert (walk.actor[members] == actor).all(), "one player acts on a level"
    n_actions = np.diff(walk.first_row)[members]
    counts, n = np.unique(n_actions, return_counts=True)
    groups = tuple((int(decisions), int(actions)) for actions, decisions in zip(counts, n, strict=True))
    other = 1 - actor  # this player's pass computes the reach of the level's actor
    at = [at_slot[other][slot] for slot in walks[other].walk.slot[members]]
    (source,) = {level for level, _ in at}
    return BettingLevel(actor, groups, rows, (source, np.repeat([i for _, i in at], n_actions).astype(np.int32)))


def _gather(places: Sequence[int], n_next: int, ways: Sequence[dict[int, int]]) -> Gather:
    position, *ends = ways
    parts: tuple[list[int], ...] = tuple([way[place] for place in places if place in way] for way in ends)
    first = np.cumsum([n_next, *(len(part) for part in parts)])
    taken, order = [0, 0, 0], []
    for place in places:
        if place in position:
            order.append(position[place])
            continue
        kind = next(kind for kind, way in enumerate(ends) if place in way)
        order.append(int(first[kind]) + taken[kind])
        taken[kind] += 1
    return Gather(*(np.array(part, np.int32) for part in (*parts, order)))


def _side(walks: tuple[StreetWalk, StreetWalk], hero: int, at_slot: Sequence[RowAt]) -> HeroSide:
    walk, same = walks[hero].walk, walks[0].walk
    none = np.zeros_like(walk.fold_stake)
    shows, folds = (
        _ends(at_slot, *of, ours)
        for of, ours in (
            ((walk.show_slot, walk.show_first, walk.show_place, walk.show_stake, walk.show_rake), same.show_place),
            ((walk.fold_slot, walk.fold_first, walk.fold_place, walk.fold_stake, none), same.fold_place),
        )
    )
    sources, order = _by_level([at_slot[slot] for slot in walks[hero].exit_slot])
    return HeroSide(shows, folds, sources, order)


def _ends(
    at_slot: Sequence[RowAt],
    slots: Int32s,
    first: Int32s,
    place: Int32s,
    stake: Floats32,
    rake: Floats32,
    ours: Int32s,
) -> Ends:
    """Collect the showdowns, or the folds, that end a street in the pass of one hero.

    They are sorted in the order of player 0's pass, which `ours` lists, because both passes share one numbering of
    rows.
    """
    n = len(first) - 1
    sources, order = _by_level([at_slot[slot] for slot in slots[:n]])
    slot_of = dict(zip(place.tolist(), order[np.repeat(np.arange(n), np.diff(first))].tolist(), strict=True))
    at = {p: i for i, p in enumerate(place.tolist())}
    index = np.array([at[p] for p in ours.tolist()], np.intp)
    slot = np.array([slot_of[p] for p in ours.tolist()], np.int32)
    return Ends(sources, slot, stake[index], rake[index])


def _by_level(at: Sequence[RowAt]) -> tuple[tuple[Source, ...], Int32s]:
    """Return (rows grouped by level, position of each of `at` among them)."""
    sources, order, n = [], np.zeros(len(at), np.int32), 0
    for level, members in _grouped(at):
        sources.append((level, np.array([at[i][1] for i in members], np.int32)))
        order[members] = np.arange(n, n + len(members))
        n += len(members)
    return tuple(sources), order


def _grouped(at: Sequence[RowAt]) -> Iterator[tuple[int, list[int]]]:
    for level in sorted({level for level, _ in at}):
        yield level, [i for i, (k, _) in enumerate(at) if k == level]
