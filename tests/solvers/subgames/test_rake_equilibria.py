"""With rake a subgame is not zero-sum, and no linear program solves it. Where a cap binds in some endings and not in
others, solutions are compared with equilibria of the game of two payoff matrices, found by a mixed-integer program
over realisation plans, and with best responses to the chips that the table pays.

References
----------
Sandholm, Gilpin and Conitzer (2005), "Mixed-integer programming methods for finding Nash equilibria", formulation 1,
here with the sequence form's constraints in place of the simplex.
"""

import numpy as np
import pytest
from scipy import optimize

from pokerlab.cards.evaluate import rank_combos
from pokerlab.games.pots import payoffs
from pokerlab.solvers.core.sequence_form import Plans
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.compact import CompactCfr
from pokerlab.solvers.subgames.small_river import SmallRiverCfr
from pokerlab.solvers.subgames.subgame import make_subgame

SPOT = {"board": "Ks7h2d5c8s", "pot": 100, "stack": 150, "sizes": "1p", "rake": 5, "rake_cap": 9}
RANGES = ("AhAd, Jh9h, KhTh", "KcQc, 9h9c, AcTc")
TARGET = 0.002


def payoff_matrices(game, plans):
    """`[player][sequence of 0, sequence of 1]`: chips that the table pays, times the chance of the cards."""
    tree, cells, rules = game.tree, game.cells, game.tree.rules
    rank = rank_combos(cells.board)[cells.combos].tolist()
    out = np.zeros((2, *(plan.constraints.shape[1] for plan in plans)))
    pairs = [
        (i, j, cells.weights[0][i] * cells.weights[1][j] / cells.pair_weight)
        for i in range(*cells.hands_of[0])
        for j in range(*cells.hands_of[1])
        if not {cells.high[i], cells.low[i]} & {cells.high[j], cells.low[j]}
    ]
    for ending, edge in enumerate(tree.ending_edge.tolist()):
        spent, folded = tree.spent[ending].tolist(), int(tree.folded[ending])
        for i, j, chance in pairs:
            paid = payoffs(rules, spent, folded, (rank[i], rank[j]))
            last = (int(plan.last_own[edge]) for plan in plans)
            at = [0 if e < 0 else plan.number[e][h] for plan, e, h in zip(plans, last, (i, j), strict=True)]
            out[:, at[0], at[1]] += [chance * float(chips) for chips in paid]
    return out


def best_value(matrix, plan):
    """The most that a realisation plan wins of `matrix @ other`, by a linear program."""
    constraints = plan.constraints.toarray()
    start = np.eye(len(constraints))[0]
    return -optimize.linprog(-matrix, A_eq=constraints, b_eq=start, method="highs").fun


def plan_of(game, strategy, plan):
    """The realisation plan of a player's strategy."""
    out = np.ones(plan.constraints.shape[1])
    for edge, number in plan.number.items():
        decision = int(game.tree.edge_decision[edge])
        up = int(game.tree.parent_edge[decision])
        before = int(plan.last_own[up]) if up >= 0 else -1
        share = strategy.at(decision)[edge - int(game.tree.first_edge[decision])]
        for hand in np.flatnonzero(number >= 0):
            out[number[hand]] = share[hand] * (1 if before < 0 else out[plan.number[before][hand]])
    return out


def least_equilibrium_value(matrices, plans, player):
    """The least value to a player in any equilibrium: plans, values of information sets, and for every sequence whether
    it is played at all; one that is played loses nothing against the best."""
    ends = [plan.constraints.toarray() for plan in plans]
    sizes = [of.shape[i] for i in (1, 0) for of in ends] + [of.shape[1] for of in ends]
    *parts, n = (int(end) for end in np.cumsum([0, *sizes]))
    columns = [slice(a, b) for a, b in zip(parts, [*parts[1:], n], strict=True)]  # x, y, p, q, plays of x and of y
    rows, low, high = [], [], []

    def add(least, most, *terms):
        row = np.zeros((len(terms[0][1]), n))
        for which, matrix in terms:
            row[:, columns[which]] = matrix
        for of, end in ((rows, row), (low, least + np.zeros(len(row))), (high, most + np.zeros(len(row)))):
            of.append(end)

    for q, won in enumerate((matrices[0], matrices[1].T)):
        start, unit = np.eye(len(ends[q]))[0], np.eye(ends[q].shape[1])
        most = 400 / 3  # no hand is dealt more often than a third of the time, and no more than 400 chips change hands
        loses = (2 + q, ends[q].T), (1 - q, -won)
        add(start, start, (q, ends[q]))
        add(0, np.inf, *loses)
        add(-np.inf, most, *loses, (4 + q, most * unit))
        add(-np.inf, 0, (q, unit), (4 + q, -unit))
    is_value, is_choice = np.zeros((2, n))
    is_value[columns[2].start : columns[3].stop] = 1
    is_choice[columns[4].start :] = 1
    goal = np.zeros(n)
    goal[columns[2 + player].start] = 1
    found = optimize.milp(
        goal,
        constraints=optimize.LinearConstraint(np.vstack(rows), np.concatenate(low), np.concatenate(high)),
        integrality=is_choice,
        bounds=optimize.Bounds(np.where(is_value, -np.inf, 0), np.where(is_value, np.inf, 1)),
    )
    assert found.success
    return found.x[columns[2].start], found.x[columns[3].start]


@pytest.mark.slow
def test_where_the_cap_binds_in_some_endings_solutions_are_equilibria():
    game = make_subgame(ranges=RANGES, **SPOT)
    assert sorted({float(rake) for rake in game.tree.rake}) == [5, 9]  # 9 instead of 15 and 20 of larger pots
    plans = [Plans.of(game, player) for player in (0, 1)]
    matrices = payoff_matrices(game, plans)
    equilibria = [least_equilibrium_value(matrices, plans, player) for player in (0, 1)]
    assert equilibria[0] == pytest.approx(equilibria[1], abs=1e-6)
    assert -sum(equilibria[0]) not in (pytest.approx(5, abs=0.1), pytest.approx(9, abs=0.1))
    for engine in (SubgameCfr(game), CompactCfr(game, bits=32), SmallRiverCfr(game)):
        solution = solve(engine, iterations=20_000, target=TARGET)
        x, y = (plan_of(game, solution.strategy, plan) for plan in plans)
        gains = best_value(matrices[0] @ y, plans[0]) - x @ matrices[0] @ y
        gains += best_value(x @ matrices[1], plans[1]) - x @ matrices[1] @ y
        assert gains / 2 == pytest.approx(solution.exploitability, abs=2e-5)
        assert gains / 2 <= TARGET + 2e-5
        assert solution.evaluation.values == pytest.approx(equilibria[0], abs=0.01)
