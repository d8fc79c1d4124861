"""Strategies in steps, and two strategies beside each other."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import by_seat, in_steps
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.valuing.comparison import compare_strategies
from pokerlab.valuing.simplified import costs_of, simplified

LEDUC = make_problem(game("leduc"))
SOLVED = solve_lp(LEDUC).strategy


@pytest.mark.parametrize("parts", [1, 2, 4, 3])
def test_steps_are_multiples_that_add_up_and_stay_near(parts):
    stepped = in_steps(SOLVED, parts)
    for decision in range(SOLVED.tree.n_decisions):
        p, exact = stepped.at(decision), SOLVED.at(decision)
        assert p.sum(axis=0) == pytest.approx(1)
        assert np.round(p * parts) == pytest.approx(p * parts)
        assert np.abs(p - exact).max() < 1 / parts + 1e-9
    again = in_steps(stepped, parts)
    assert all(np.array_equal(one, other) for one, other in zip(stepped.p, again.p, strict=True))


def test_costs_are_what_best_responses_and_encounters_say():
    (cost,) = costs_of(SOLVED, [50])
    rounded = simplified(SOLVED, 50)
    both, mixed = evaluate(LEDUC, rounded), evaluate(LEDUC, by_seat(rounded, SOLVED))
    assert cost.exploitability == pytest.approx(both.exploitability)
    assert cost.against_solution[0] == pytest.approx(evaluate(LEDUC, SOLVED).value - mixed.value)
    assert cost.worst[0] == pytest.approx(both.best_response[1] - evaluate(LEDUC, SOLVED).best_response[1])
    assert min(*cost.against_solution, *cost.worst) > -1e-9  # nobody gains by leaving an equilibrium
    with pytest.raises(PokerlabError, match="30 does not"):
        simplified(SOLVED, 30)


def test_rivers_with_other_sizes_are_compared_hand_by_hand():
    def river(sizes):
        spot = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes=sizes)
        return solve(SubgameCfr(spot, threads=1), iterations=400).strategy

    one, two = river("1p"), river("0.5p, 1p")
    found = compare_strategies(one, two, threads=1)
    assert found.actions == ("check", "bet 50", "bet 100")
    assert found.frequency[0][1] == 0 and sum(found.frequency[1]) == pytest.approx(1)
    assert found.expected[0] == pytest.approx(found.expected[1], abs=1)  # the pot-sized bet is the better one
    assert {row.hand for row in found.rows} == {"AA", "JTs"}
    assert found.meetings == {}  # their trees differ
    same = compare_strategies(one, simplified(one, 100), threads=1)
    assert same.meetings["1 against 1"] == pytest.approx(same.expected[0] - 50, abs=1e-3)
    assert 0 < same.apart < 1
    with pytest.raises(PokerlabError, match="is not among the actions"):
        compare_strategies(one, two, "bet 50")
