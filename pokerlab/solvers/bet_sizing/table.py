"""The bets of a run as rows, most important first, in words."""

from __future__ import annotations

from collections.abc import Mapping
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
    tree, agent_at = run.tree, agents_by_edge(run.tree)
    return [
        BetRow(
            int(agent),
            int(tree.player[agent]),
            tree.shape.rules.street_name(int(tree.shape.edge_street[tree.edge[agent]])),
            _words(run, int(tree.edge[agent]), agent_at),
            float(run.size[agent]),
            float(tree.low[agent]),
            float(tree.high[agent]),
            float(run.importance[agent]),
        )
        for agent in np.argsort(-run.importance, kind="stable")
    ]


def agents_by_edge(tree: SizedTree) -> dict[int, int]:
    """The agent of every edge that has one."""
    return {int(edge): agent for agent, edge in enumerate(tree.edge)}


def edges_to(tree: SizedTree, edge: int) -> tuple[int, ...]:
    """The edges from the root up to and including one."""
    return (*map(int, tree.shape.path(int(tree.shape.edge_decision[edge]))), edge)


def _words(run: Run, edge: int, agent_at: Mapping[int, int]) -> str:
    """The actions up to and including an edge, in words."""
    shape = run.tree.shape
    words, street = [], 0
    for e in edges_to(run.tree, edge):
        if shape.street[shape.edge_decision[e]] != street:
            street = int(shape.street[shape.edge_decision[e]])
            words.append("/")
        words.append(action_words(run, e, agent_at.get(e)))
    return ", ".join(words).replace(", /, ", " / ").replace("/, ", "/ ")


def action_words(run: Run, edge: int, agent: int | None) -> str:
    """The action of an edge; a sized bet by the size that was found."""
    shape = run.tree.shape
    if shape.kind[edge] == Kind.FOLD:
        return "fold"
    if shape.kind[edge] == Kind.CALL:
        return "call" if _faces_bet(run.tree, int(shape.edge_decision[edge])) else "check"
    return f"bet {shape.size[edge]}" if agent is None else f"bet {run.size[agent]:.2f}p"


def _faces_bet(tree: SizedTree, decision: int) -> bool:
    """Whether the players have put in different amounts; levels 0 and 1 are what each posted."""
    first, second = map(int, tree.decision_level[decision])
    posts = first < 2 and second < 2
    return bool(tree.constant[first] != tree.constant[second]) if posts else first != second
