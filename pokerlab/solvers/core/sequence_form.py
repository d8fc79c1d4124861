"""Exact solutions of small games: the sequence form as a linear program.

A *sequence* of a player is one of its own actions at one of its information sets, with all own actions before it;
sequence 0 is the empty one. A *realisation plan* x[sequence] is the probability that the player makes these choices.
Plans are the non-negative x with Ex = e: sequence 0 has 1, and the actions of an information set share the probability
of the sequence before it. A locked action has a fixed share of this, which is one more equation. Player 0's best plan
is

    maximise  q[0]   subject to  F'q <= A'x,  Ex = e,  x >= 0

where A[i, j] is player 0's payoff of a pair of sequences, and q are the values of player 1's information sets. Player
1's plan is the dual solution of the first rows. As a check, the solution's `evaluation` is computed from the strategy
by best responses, not taken from the program.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> solution = solve_lp(make_problem(game("kuhn")))
>>> round(-1 / solution.value, 9), solution.exploitability < 1e-12
(18.0, True)

References
----------
Koller, Megiddo and von Stengel (1996), "Efficient computation of equilibria for extensive two-person games", section 3.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import optimize, sparse

from pokerlab.arrays import AnyFloats, Floats, Int64s
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import evaluate, stakes
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Solution

MAX_SIZE = 200_000
"""Maximum number of payoff terms of a program. One with 117,234 took half a minute, one with 542,232 was aborted."""

Sparse: TypeAlias = Any  # scipy.sparse has no types


def solve_lp(problem: Problem, *, max_size: int = MAX_SIZE) -> Solution:
    """Solve for an equilibrium of `problem`, exact up to rounding; the solution's `iterations` are the steps of the
    linear program's solver."""
    if problem.tree.rules.rake:
        raise RulesError(
            f"{problem.tree.rules.name}: with rake a game is not zero-sum, and no linear program solves it"
        )
    size = program_size(problem)
    if size > max_size:
        raise RulesError(
            f"the linear program of {problem.tree.rules.name} with {problem.cells.name} cards has {size:,} payoff "
            f"terms, more than {max_size:,}; solve it by iteration (cfr+, dcfr ..)"
        )
    began = time.perf_counter()
    plans = [Plans.of(problem, player) for player in (0, 1)]
    x, y, n_steps = _solved(plans[0].constraints, plans[1].constraints, payoffs(problem, plans[0], plans[1]))
    sums = [np.zeros((len(edges), n)) for edges, n in zip(problem.tree.edges_on, problem.cells.n_cells, strict=True)]
    for plan, weights in zip(plans, (x, y), strict=True):
        plan.write(problem, weights, sums)
    strategy = Strategy.from_sums(problem.tree, problem.cells, sums)
    seconds = time.perf_counter() - began
    return Solution(
        strategy, evaluate(problem, strategy), n_steps, seconds, {**problem.about, "engine": "sequence form"}
    )


def program_size(problem: Problem) -> int:
    """Number of payoff terms of the program: pairs of cells that do not conflict, over all terminal nodes."""
    meeting = np.array([np.count_nonzero(joint) for joint in problem.pairs.joint])
    return int(meeting[problem.tree.ending_street].sum())


@dataclass(frozen=True)
class Plans:
    """One player's sequences: `number[edge][cell]` (-1: never dealt) and the constraints Ex = (1, 0, 0 ..)."""

    player: int
    number: dict[int, Int64s]
    last_own: Int64s  # last_own[edge]: the player's last own edge up to and including this one, -1 for none
    constraints: Sparse  # E in Ex = e: [information set + 1, sequence]

    @classmethod
    def of(cls, problem: Problem, player: int) -> Plans:
        """Number the sequences from the root down, and build their constraints."""
        tree, dealt = problem.tree, _dealt(problem, player)
        number: dict[int, Int64s] = {}
        last_own = np.full(tree.n_edges, -1)
        locks = {} if problem.locks is None else problem.locks.at
        n_sequences, n_sets = 1, 1
        rows, columns, signs = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)], [np.ones(1)]
        for decision in range(tree.n_decisions):
            up, street = int(tree.parent_edge[decision]), int(tree.street[decision])
            before = int(last_own[up]) if up >= 0 else -1
            edges = tree.edges(decision)
            if tree.actor[decision] != player:
                last_own[edges.start : edges.stop] = before
                continue
            cells = dealt[street]
            sets = np.arange(n_sets, n_sets + len(cells))
            n_sets += len(cells)
            rows.append(sets)
            columns.append(_sequences(problem, number, before, street)[cells])
            signs.append(-np.ones(len(cells)))
            for edge in edges:
                last_own[edge] = edge
                number[edge] = np.full(problem.cells.n_cells[street], -1)
                number[edge][cells] = np.arange(n_sequences, n_sequences + len(cells))
                n_sequences += len(cells)
                rows.append(sets)
                columns.append(number[edge][cells])
                signs.append(np.ones(len(cells)))
            for action, cell in _equations(locks.get(decision), cells):
                rows.append(np.array([n_sets, n_sets]))
                columns.append(
                    np.array([number[edges[action]][cell], _sequences(problem, number, before, street)[cell]])
                )
                signs.append(np.array([1.0, -locks[decision][action, cell]]))
                n_sets += 1
        entries = np.concatenate(signs), (np.concatenate(rows), np.concatenate(columns))
        return cls(player, number, last_own, sparse.csr_array(entries, shape=(n_sets, n_sequences)))

    def write(self, problem: Problem, weights: Floats, sums: list[Floats]) -> None:
        """Write a plan to `sums` as action weights. Cells that are never dealt or reached stay 0."""
        tree = problem.tree
        for edge, number in self.number.items():
            street = int(tree.edge_street[edge])
            sums[street][tree.row[edge]] = np.where(number >= 0, weights[number], 0.0)


def _equations(lock: AnyFloats | None, cells: Int64s) -> list[tuple[int, int]]:
    """(action, cell) of the locked actions that need an equation; if every action is locked, the last one needs
    none."""
    if lock is None:
        return []
    fixed = lock >= 0
    fixed[-1] &= ~fixed.all(axis=0)
    return [(action, cell) for action in range(len(lock)) for cell in cells.tolist() if fixed[action, cell]]


def _dealt(problem: Problem, player: int) -> list[Int64s]:
    """Return, for each street, the cells that the player can be dealt."""
    axis = 2 if player == 0 else 1
    return [np.flatnonzero(joint.sum(axis=axis).reshape(-1)) for joint in problem.pairs.joint]


def _sequences(problem: Problem, number: dict[int, Int64s], edge: int, street: int) -> Int64s:
    """`sequence[cell]` for cells of `street`: the sequence that ends with `edge`, which was taken with the cell's
    earlier cell."""
    cell: Int64s = np.arange(problem.cells.n_cells[street])
    if edge < 0:
        return np.zeros_like(cell)
    for s in range(street, int(problem.tree.edge_street[edge]), -1):
        cell = problem.pairs.parent[s][cell].astype(np.int64)
    return number[edge][cell]


def payoffs(problem: Problem, first: Plans, second: Plans) -> Sparse:
    """A[i, j]: player 0's payoff for its sequence i and player 1's sequence j, times the probability of the cards."""
    tree, pairs = problem.tree, problem.pairs
    stake = stakes(tree, 0)
    values, rows, columns = [], [], []
    for street, joint in enumerate(pairs.joint):
        board, i, j = np.nonzero(joint)
        mine, theirs = board * joint.shape[1] + i, board * joint.shape[2] + j
        folded, shown = joint[board, i, j], pairs.showdown[street][board, i, j]
        for ending in np.flatnonzero(tree.ending_street == street):
            edge = tree.ending_edge[ending]
            values.append((shown if tree.showdown[ending] else folded) * stake[ending])
            rows.append(_sequences(problem, first.number, int(first.last_own[edge]), street)[mine])
            columns.append(_sequences(problem, second.number, int(second.last_own[edge]), street)[theirs])
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    shape = first.constraints.shape[1], second.constraints.shape[1]
    return sparse.csr_array(entries, shape=shape)  # entries for the same pair are added


def _solved(first: Sparse, second: Sparse, payoff: Sparse) -> tuple[Floats, Floats, int]:
    """Solve the program. Return both players' optimal plans and the number of steps. Variables are (x, q)."""
    n_sets, n_sequences = first.shape
    n_values = second.shape[0]
    unit = abs(payoff).max()  # scales payoffs, since the solver's tolerances are absolute
    result = optimize.linprog(
        np.concatenate([np.zeros(n_sequences), [-1.0], np.zeros(n_values - 1)]),
        A_ub=sparse.hstack([-payoff.T / unit, second.T], format="csr"),
        b_ub=np.zeros(second.shape[1]),
        A_eq=sparse.hstack([first, sparse.csr_array((n_sets, n_values))], format="csr"),
        b_eq=np.concatenate([[1.0], np.zeros(n_sets - 1)]),
        bounds=[(0, None)] * n_sequences + [(None, None)] * n_values,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:
        raise PokerlabError(f"the linear program was not solved: {' '.join(str(result.message).split())}")
    x, y = result.x[:n_sequences], -result.ineqlin.marginals
    return np.maximum(x, 0.0), np.maximum(y, 0.0), int(result.nit)
