"""The bets of a run as rows, most important first, in words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.games.actions import Kind
from pokerlab.solvers.bet_sizing.runs import Run
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree


class BetRow(NamedTuple):
    """One sized bet: where, whose, how large (fractions of the pot), and how important (chips per pot fraction)."""

    agent: int
    player: int
    street: str
    actions: str  # the bet itself comes last
    size: float
    low: float
    high: float
    importance: float

    @property
    def at_edge(self) -> bool:
        """Whether the size leans on an end of its range: the range should move."""
        near = 0.1 * (self.high - self.low)
        return self.size < self.low + near or self.size > self.high - near


def bet_rows(run: Run) -> list[BetRow]:
    """Every sized bet of a run, most important first."""
    tree = run.tree
    return [
        BetRow(
            int(agent),
            int(tree.player[agent]),
            tree.shape.rules.street_name(int(tree.shape.edge_street[tree.edge[agent]])),
            _words(tree, run, int(tree.edge[agent])),
            float(run.size[agent]),
            float(tree.low[agent]),
            float(tree.high[agent]),
            float(run.importance[agent]),
        )
        for agent in np.argsort(-run.importance, kind="stable")
    ]


def _words(tree: SizedTree, run: Run, edge: int) -> str:
    """The actions up to and including an edge; sized bets by the size that was found."""
    shape = tree.shape
    agent_at = {int(e): agent for agent, e in enumerate(tree.edge)}
    words, street = [], 0
    for e in (*shape.path(int(shape.edge_decision[edge])), edge):
        decision = int(shape.edge_decision[e])
        if shape.street[decision] != street:
            street = int(shape.street[decision])
            words.append("/")
        if shape.kind[e] == Kind.FOLD:
            words.append("fold")
        elif shape.kind[e] == Kind.CALL:
            words.append("call" if _faces_bet(tree, decision) else "check")
        elif e in agent_at:
            words.append(f"bet {run.size[agent_at[e]]:.2f}p")
        else:
            words.append(f"bet {shape.size[e]}")
    return ", ".join(words).replace(", /, ", " / ").replace("/, ", "/ ")


def _faces_bet(tree: SizedTree, decision: int) -> bool:
    """Whether the players have put in different amounts; levels 0 and 1 are what each posted."""
    first, second = map(int, tree.decision_level[decision])
    posts = first < 2 and second < 2
    return bool(tree.constant[first] != tree.constant[second]) if posts else first != second
