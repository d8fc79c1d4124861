"""Solve rivers of a strategy that was saved without rivers, when a user looks at one.

A river can be solved in a fraction of a second if the ranges that reach it are known, so a solved flop need not be
saved with its rivers. The ranges follow from the saved streets, and the actions are those of the same tree.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Floats
from pokerlab.cards.ranges import range_text
from pokerlab.errors import PokerlabError
from pokerlab.policies.spots import Spot, spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.trees.action_abstraction import explicit_tree

TARGET = 0.002  #: target exploitability, as a share of the pot
ITERATIONS = 2000


def spot_in(strategy: Strategy, text: str, *, threads: int | None = None) -> Spot:
    """Return the spot of a strategy, solving its street again if it was not saved."""
    spot = spot_at(strategy, text)
    if not strategy.values or spot.street < len(strategy.p):
        return spot
    tree = strategy.tree
    path = [edge for edge in tree.path(spot.decision) if tree.street[tree.edge_decision[edge]] == spot.street]
    entry = int(tree.edge_decision[path[0]]) if path else spot.decision
    river = _solved(strategy, entry, spot.board, threads)
    return spot_at(river, ", ".join(map(tree.name, path)))


def _solved(strategy: Strategy, entry: int, board: tuple[int, ...], threads: int | None) -> Strategy:
    """Solve the last street again, starting at its first decision `entry`."""
    tree, rules = strategy.tree, strategy.tree.rules
    ranges = [_weights(strategy, entry, board, player) for player in (0, 1)]
    if not all(weights.any() for weights in ranges):
        raise PokerlabError("the strategy never reaches this river")
    alone = replace(
        rules,
        name="river subgame",
        streets=(replace(rules.streets[-1], n_hole=2, n_board=len(board)),),
        antes=tuple(int(chips) if chips == int(chips) else chips for chips in tree.decision_spent[entry].tolist()),
        board=board,
        ranges=tuple(map(range_text, ranges)),
    )
    end = entry + 1
    while end < tree.n_decisions and tree.street[end] == tree.street[entry] and not _opens(strategy, end):
        end += 1
    edges = slice(tree.first_edge[entry], tree.first_edge[end])
    n_actions = np.diff(tree.first_edge)[entry:end]
    again = explicit_tree(alone, n_actions, tree.kind[edges], tree.to[edges], tree.sizes[0].text)
    engine = SubgameCfr(Problem(again, SubgameCells(board, ranges)), threads=threads)
    return solve(engine, iterations=ITERATIONS, target=TARGET * float(sum(alone.antes))).strategy


def _opens(strategy: Strategy, decision: int) -> bool:
    """Whether a decision is the first one on its street."""
    tree = strategy.tree
    before = int(tree.edge_decision[tree.parent_edge[decision]])
    return bool(tree.street[before] != tree.street[decision])


def _weights(strategy: Strategy, entry: int, board: tuple[int, ...], player: int) -> Floats:
    """`weight[combo]` of a player at the beginning of the last street, divided by the largest; tiny weights
    become 0."""
    tree, cells = strategy.tree, strategy.cells
    assert isinstance(cells, SubgameCells)
    cell_of = cells.of_board(board)
    weights = np.where(cell_of[-1] >= 0, cells.weight_of_combo[player], 0.0)
    for edge in tree.path(entry):
        if tree.actor[tree.edge_decision[edge]] == player:
            street = int(tree.street[tree.edge_decision[edge]])
            weights = weights * np.asarray(strategy.p[street][tree.row[edge]], np.float64)[cell_of[street]]
    most = weights.max()
    return np.where(weights > 1e-4 * most, weights / most if most else 0.0, 0.0)
