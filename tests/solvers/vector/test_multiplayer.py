"""Every deal, any number of players: values, best responses, CFR, and three-player Kuhn's known equilibria."""

import numpy as np
import pytest
from oracles.enumeration import player_values

from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.pots import payoffs
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.vector.multiplayer import EnumeratedCfr, deal_values, evaluate_many, every_deal
from pokerlab.trees._ending_pots_numba import payoff
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.ending_pots import ending_pots

BET = RaiseTo(2)
SITUATIONS = {
    "a": [(), (CALL, CALL, BET), (CALL, BET, FOLD), (CALL, BET, CALL)],
    "b": [(CALL,), (BET,), (CALL, CALL, BET, FOLD), (CALL, CALL, BET, CALL)],
    "c": [(CALL, CALL), (CALL, BET), (BET, FOLD), (BET, CALL)],
}
"""Szafron, Gibson and Sturtevant's names: player a, b or c; situation 1 to 4; `x_jk` bets or calls with card j in k."""


def random_strategy(problem, seed):
    rng = np.random.default_rng(seed)
    sums = [rng.random((len(e), n)) for e, n in zip(problem.tree.edges_on, problem.cells.n_cells, strict=True)]
    return Strategy.from_sums(problem.tree, problem.cells, sums)


def szafron_strategy(problem, *, b11, b21, b32, c33, c34, a33=0.5):
    """The member of their family with c11 = 0, by its free parameters."""
    p = {(player, j, k): 0.0 for player in "abc" for j in range(1, 5) for k in range(1, 5)}
    p |= {(player, 4, k): 1.0 for player in "abc" for k in (2, 3, 4)} | {("c", 4, 1): 1.0, ("a", 3, 3): a33}
    p |= {("b", 1, 1): b11, ("b", 2, 1): b21, ("b", 4, 1): 2 * (b11 + b21), ("b", 3, 2): b32}
    p |= {("b", 3, 3): (1 + b11 + 2 * b21) / 2, ("c", 2, 1): 0.5, ("c", 3, 3): c33, ("c", 3, 4): c34}
    tree = problem.tree
    rows = np.empty((tree.n_edges, 4))
    for player, situations in SITUATIONS.items():
        for k, actions in enumerate(situations, 1):
            passive, aggressive = tree.edges(tree.decision_after(actions))
            rows[aggressive] = [p[player, j, k] for j in range(1, 5)]
            rows[passive] = 1 - rows[aggressive]
    return Strategy(tree, problem.cells, (rows,))


@pytest.fixture(scope="module")
def kuhn3p():
    return make_problem(game("kuhn3p"))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_two_players_are_evaluated_as_by_pairs_of_cells(name):
    problem = make_problem(game(name))
    strategy = random_strategy(problem, 1)
    ours, pairs = evaluate_many(problem, strategy), evaluate(problem, strategy)
    assert ours.value == pytest.approx(pairs.value, abs=1e-12)
    assert ours.best_response == pytest.approx(pairs.best_response, abs=1e-12)


@pytest.mark.parametrize(
    "free",
    [
        {"b11": 0.0, "b21": 0.0, "b32": 0.0, "c33": 0.5, "c34": 0.0},
        {"b11": 0.1, "b21": 0.2, "b32": 0.5, "c33": 0.2, "c34": 0.3},
        {"b11": 0.25, "b21": 0.25, "b32": 0.9375, "c33": 0.0, "c34": 1.0},
    ],
)
def test_szafrons_equilibria_leave_nothing_to_gain(kuhn3p, free):
    """Szafron et al. (2013): with beta = max(b11, b21) players get -(1/2 + beta)/24, -1/48 and (1 + beta)/24."""
    strategy = szafron_strategy(kuhn3p, **free)
    beta = max(free["b11"], free["b21"])
    values = player_values(kuhn3p, strategy)
    assert values == pytest.approx((-(0.5 + beta) / 24, -1 / 48, (1 + beta) / 24), abs=1e-12)
    assert evaluate_many(kuhn3p, strategy).best_response == pytest.approx(values, abs=1e-12)


def test_outside_szafrons_family_somebody_gains(kuhn3p):
    free = {"b11": 0.1, "b21": 0.2, "b32": 0.5, "c34": 0.3}
    for wrong in ({"c33": 0.5}, {"c33": 0.2, "a33": 0.0}):  # c33 is at most 1/2 - b32 + (3 b11 + 4 b21) / 4 = 0.275
        evaluation = evaluate_many(kuhn3p, szafron_strategy(kuhn3p, **free, **wrong))
        assert evaluation.nash_conv > 0.001


def test_cfr_finds_an_equilibrium_of_three_player_kuhn_with_the_values_of_the_family(kuhn3p):
    """Player b's value is -1/48 in all of the family; how often b bets the jack or queen divides the rest."""
    solution = solve(EnumeratedCfr(kuhn3p, VARIANTS["cfr+"]), iterations=2000)
    assert solution.evaluation.nash_conv < 2e-5
    values = player_values(kuhn3p, solution.strategy)
    assert values[1] == pytest.approx(-1 / 48, abs=2e-5)
    beta = 24 * values[2] - 1
    assert -1e-3 < beta < 0.25 + 1e-3
    _, bet = kuhn3p.tree.edges(kuhn3p.tree.decision_after((CALL,)))
    assert solution.strategy.p[0][kuhn3p.tree.row[bet], :2].max() == pytest.approx(beta, abs=2e-3)


@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr", "pcfr+"])
def test_variants_solve_kuhn(name):
    solution = solve(EnumeratedCfr(make_problem(game("kuhn")), VARIANTS[name]), iterations=500)
    assert solution.value == pytest.approx(-1 / 18, abs=1e-3)
    assert solution.exploitability < 0.005


def test_the_first_iteration_adds_exact_regrets():
    problem = make_problem(game("leduc"))
    engine = EnumeratedCfr(problem)
    state = engine.step(engine.init(), 1)
    by_street = engine.tables.by_street(state["regret"])
    values, tree = deal_values(problem, every_deal(problem), problem.uniform(), 0), problem.tree
    for decision in np.flatnonzero(tree.actor == 0):
        edges = tree.edges(int(decision))
        at = np.stack([values.of_edge[e] for e in edges])
        rows = [int(tree.row[e]) for e in edges]
        assert by_street[tree.street[decision]][rows] == pytest.approx(at - at.mean(axis=0), abs=1e-12)


def test_endings_pay_as_the_table_does():
    """Side pots, ties, and bets nobody matched: three players with different stacks, every order of hands."""
    for rules, sizes in ((game("kuhn3p"), None), (game("nolimit3p").with_stacks((300, 700, 2000)), "all-in")):
        tree = build_tree(rules, sizes)
        pots = ending_pots(tree)
        rank = np.array([[0, 1, 2], [2, 1, 0], [1, 1, 0], [0, 1, 1], [3, 3, 3]], np.int32)
        for ending, (spent, folded) in enumerate(zip(tree.spent.tolist(), tree.folded.tolist(), strict=True)):
            table = [payoffs(rules, [int(chips) for chips in spent], folded, row) for row in rank.tolist()]
            for player in range(3):
                expected = [float(net[player]) for net in table]
                assert pots.payoffs(ending, player, rank) == pytest.approx(expected, abs=1e-12)
                compiled = [payoff(*pots, ending, player, row) for row in rank]
                assert compiled == pytest.approx(expected, abs=1e-12)
