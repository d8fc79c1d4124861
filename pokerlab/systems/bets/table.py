"""The sized bets of a run as rows of text, most important first."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import numpy as np

from pokerlab.games.actions import Kind
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.systems.bets.search import Run


class BetRow(NamedTuple):
    """One sized bet: where, whose, how large (fractions of the pot), and how important (chips per pot fraction)."""

    number: int  # in the tree
    player: int
    street: str
    actions: str  # the bet itself comes last
    size: float
    low: float
    high: float
    importance: float

    @property
    def at_edge(self) -> bool:
        """Whether the size is at an end of its range, so that the range should move."""
        near = 0.1 * (self.high - self.low)
        return self.size < self.low + near or self.size > self.high - near


def bet_rows(run: Run) -> list[BetRow]:
    """Every sized bet of a run, most important first."""
    shape, bets = run.tree.shape, run.tree.bets
    return [
        BetRow(
            number,
            int(bets.player[number]),
            shape.rules.street_name(int(shape.edge_street[bets.edge[number]])),
            _words(run, int(bets.edge[number])),
            float(run.size[number]),
            float(bets.low[number]),
            float(bets.high[number]),
            float(run.importance[number]),
        )
        for number in np.argsort(-run.importance, kind="stable").tolist()
    ]


def edges_to(tree: SizedTree, edge: int) -> tuple[int, ...]:
    """The edges from the root up to and including one."""
    return (*map(int, tree.shape.path(int(tree.shape.edge_decision[edge]))), edge)


def _words(run: Run, edge: int) -> str:
    """The actions up to and including an edge, in words, with a slash between streets."""
    streets = groupby(edges_to(run.tree, edge), key=lambda each: int(run.tree.shape.edge_street[each]))
    return " / ".join(", ".join(action_words(run, each) for each in edges) for _, edges in streets)


def action_words(run: Run, edge: int) -> str:
    """The action of an edge in words; a sized bet by the size found."""
    shape = run.tree.shape
    if shape.kind[edge] == Kind.FOLD:
        return "fold"
    if shape.kind[edge] == Kind.CALL:
        return "call" if _faces_bet(run.tree, int(shape.edge_decision[edge])) else "check"
    bet = run.tree.levels.bet[run.tree.level_of_edge[edge]]
    return f"bet {shape.size[edge]}" if bet < 0 else f"bet {run.size[bet]:.2f}p"


def _faces_bet(tree: SizedTree, decision: int) -> bool:
    """Whether the players have put in different amounts; levels 0 and 1 are what each posted."""
    first, second = map(int, tree.decision_level[decision])
    posts = first < 2 and second < 2
    return bool(tree.levels.constant[first] != tree.levels.constant[second]) if posts else first != second
