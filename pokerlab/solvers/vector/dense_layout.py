"""Index tables of the dense solver: where each player's decisions are, by street and level.

`_dense_jax` defines the terms. All tables are NumPy arrays, made once for a problem.

>>> table(np.array([0, 2, 2]), 3)  # the owners of three things; 1 has none
array([[ 0, -1], [-1, -1], [ 1,  2]], dtype=int32)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.arrays import AnyInts, Int32s
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.vector import _dense_jax as kernels
from pokerlab.trees.betting_tree import BettingTree

START = -1  # stands for the last edge of a player who has not acted


class Nodes(NamedTuple):
    """One player's nodes on one street."""

    entries: AnyInts  # the player's last edges before the street (or START), if the street can follow them
    levels: tuple[AnyInts, ...]  # its decisions on the street, by the number of its own decisions before them
    edges: AnyInts  # the edges of these decisions, in this order

    @property
    def decisions(self) -> AnyInts:
        return np.concatenate([np.empty(0, int), *self.levels])

    @property
    def keys(self) -> AnyInts:
        """Return, for each node, the edge of the player's last action before it; START if the player has not acted."""
        return np.concatenate([self.entries, self.edges])


class Layout:
    """The order of the numbers in the dense tables of a problem, for each player and street."""

    def __init__(self, problem: Problem) -> None:
        tree = problem.tree
        self.problem = problem
        streets = range(len(tree.rules.streets))
        self.places = [(player, street) for player in (0, 1) for street in streets]
        self._last = [_last_edges(tree, player) for player in (0, 1)]
        self._nodes = [_nodes(tree, player, *self._last[player]) for player in (0, 1)]
        self.rows = [[tree.row[nodes.edges] for nodes in self._nodes[player]] for player in (0, 1)]
        """`rows[player][street]`: the rows in a `Strategy` of the edges in the order of the tables."""

    def streets(self, dtype: str) -> tuple[kernels.DenseStreet, ...]:
        """The whole game, as arguments of the kernels, with pair matrices in `dtype`."""
        pairs = self.problem.pairs
        return tuple(
            street._replace(
                joint=pairs.joint[s].astype(dtype),
                showdown=pairs.showdown[s].astype(dtype),
                parent=pairs.parent[s].astype(np.int32),
                kids=table(pairs.parent[s], pairs.n_cells[s - 1] if s else 1),
            )
            for s, street in enumerate(self.betting())
        )

    def betting(self) -> tuple[kernels.DenseStreet, ...]:
        """The betting, as arguments of the kernels; the arrays of cards are None."""
        tree = self.problem.tree
        streets = []
        for street in range(len(tree.rules.streets)):
            on = tree.ending_street == street
            fold, show = np.flatnonzero(on & ~tree.showdown), np.flatnonzero(on & tree.showdown)
            streets.append(
                kernels.DenseStreet(
                    joint=None,
                    showdown=None,
                    parent=None,
                    kids=None,
                    fold=fold.astype(np.int32),
                    fold_sign=np.where(tree.folded[fold] == 2, 1, -1).astype(np.int8),
                    show=show.astype(np.int32),
                    sides=(self._side(0, street, fold, show), self._side(1, street, fold, show)),
                )
            )
        return tuple(streets)

    def _side(self, player: int, street: int, fold: AnyInts, show: AnyInts) -> kernels.DenseSide:
        tree, all_nodes = self.problem.tree, self._nodes[player]
        at_ending = self._last[player][1]
        nodes = all_nodes[street]
        keys = nodes.keys
        before = all_nodes[street - 1].keys if street else np.array([START])
        after = all_nodes[street + 1].entries if street + 1 < len(all_nodes) else np.empty(0, int)
        entry_children, levels = self._levels(player, nodes)
        owner = _owner(tree, nodes.decisions)
        fold_node, show_node = (_places(keys, at_ending[some]) for some in (fold, show))
        return kernels.DenseSide(
            entry_source=_places(before, nodes.entries),
            entry_children=entry_children,
            levels=levels,
            decision=owner,
            edges=table(owner, len(nodes.decisions)),
            even=(1 / np.bincount(owner)[owner])[:, None],
            fold_node=fold_node,
            show_node=show_node,
            folds=table(fold_node, len(keys)),
            shows=table(show_node, len(keys)),
            next_entry=table(_places(keys, after), len(keys)),
        )

    def _levels(self, player: int, nodes: Nodes) -> tuple[Int32s, tuple[kernels.Level, ...]]:
        """Return (table of the entries' children, levels of a street); built from the last level up."""
        tree, last = self.problem.tree, self._last[player][0]
        above = [nodes.entries, *(_edges(tree, decisions) for decisions in nodes.levels)]
        children = np.empty((len(above[-1]), 0), np.int32)
        levels: list[kernels.Level] = []
        for decisions, keys in zip(reversed(nodes.levels), reversed(above[:-1]), strict=True):
            owner, source = _owner(tree, decisions), _places(keys, last[decisions])
            levels.insert(0, kernels.Level(source[owner], owner, table(owner, len(decisions)), children))
            children = table(source, len(keys))
        return children, tuple(levels)


def table(owner: AnyInts, n_owners: int) -> Int32s:
    """`table[owner, n]`: indices belonging to each owner, in order, padded with -1."""
    counts = np.bincount(owner, minlength=n_owners)
    order = np.argsort(owner, kind="stable")
    place = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    indices = np.full((n_owners, int(counts.max(initial=0))), -1, np.int32)
    indices[owner[order], place] = order
    return indices


def _places(keys: AnyInts, wanted: AnyInts) -> Int32s:
    """The index in `keys` of each wanted key. Keys are distinct and include all wanted ones."""
    order = np.argsort(keys)
    return order[np.searchsorted(keys, wanted, sorter=order)].astype(np.int32)


def _edges(tree: BettingTree, decisions: AnyInts) -> AnyInts:
    return np.concatenate([np.empty(0, int), *(np.arange(*tree.first_edge[d : d + 2]) for d in decisions)])


def _owner(tree: BettingTree, decisions: AnyInts) -> Int32s:
    """`owner[edge]`: the index in `decisions` of each edge's decision."""
    return np.repeat(np.arange(len(decisions), dtype=np.int32), np.diff(tree.first_edge)[decisions])


def _last_edges(tree: BettingTree, player: int) -> tuple[AnyInts, AnyInts]:
    """`player`'s last edge (or START) before each decision and each terminal node."""
    last = np.full(tree.n_decisions, START)
    for decision in range(1, tree.n_decisions):
        edge = tree.parent_edge[decision]
        above = tree.edge_decision[edge]
        last[decision] = edge if tree.actor[above] == player else last[above]
    above = tree.edge_decision[tree.ending_edge]
    return last, np.where(tree.actor[above] == player, tree.ending_edge, last[above])


def _nodes(tree: BettingTree, player: int, last: AnyInts, at_ending: AnyInts) -> list[Nodes]:
    street_of = np.append(tree.edge_street, -1)  # START belongs to no street (-1)
    level = np.zeros(tree.n_decisions, int)
    for d in np.flatnonzero(tree.actor == player):  # numbered depth first, so earlier decisions have smaller numbers
        if street_of[last[d]] == tree.street[d]:
            level[d] = level[tree.edge_decision[last[d]]] + 1
    by_street: list[Nodes] = []
    needed = np.empty(0, int)
    for street in range(len(tree.rules.streets) - 1, -1, -1):
        mine = np.flatnonzero((tree.actor == player) & (tree.street == street))
        needed = np.concatenate([needed, last[mine], at_ending[tree.ending_street == street], [START] * (street == 0)])
        needed = np.unique(needed[street_of[needed.astype(int)] < street]).astype(int)
        levels = tuple(mine[level[mine] == k] for k in range(int(level[mine].max(initial=-1)) + 1))
        edges = np.concatenate([np.empty(0, int), *(_edges(tree, decisions) for decisions in levels)])
        by_street.insert(0, Nodes(needed, levels, edges))
    return by_street
