"""Public-chance sampling: full CFR where there is no board, unbiased where there is one, the same bits again."""

import numpy as np
import pytest

from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.solvers.mccfr import Sampling
from pokerlab.solvers.multiplayer import EnumeratedCfr
from pokerlab.solvers.problem import make_problem
from pokerlab.solvers.public_chance import PublicChanceCfr
from pokerlab.solvers.solve import solve


@pytest.fixture(scope="module")
def leduc():
    return make_problem(game("leduc"))


def test_without_a_board_it_is_cfr_over_every_deal():
    problem = make_problem(game("kuhn"))
    public, exact = PublicChanceCfr(problem), EnumeratedCfr(problem)
    regrets = [engine.step(engine.init(), 200)["regret"] for engine in (public, exact)]
    assert regrets[0] == pytest.approx(regrets[1], abs=1e-12)


def test_all_boards_together_give_the_exact_regrets(leduc):
    """The first iteration's update of player 0, on each of the six boards of Leduc, against every deal."""
    exact = EnumeratedCfr(leduc)
    engine = PublicChanceCfr(leduc, seed=4)
    _, rank = engine.boards.boards(0, 200)
    mean, seen = np.zeros(engine.tables.n_pairs), set()
    for number in range(200):
        blocked = int(np.flatnonzero(rank[number] < 0)[0])
        if blocked not in seen:
            seen.add(blocked)
            state = engine.init()
            state["iteration"] = np.array(number)
            mean += engine.step(state, 1)["regret"] / 6
    mine = np.repeat(leduc.tree.actor == 0, engine.tables.pairs_of_decision)
    assert len(seen) == 6
    first = exact.step(exact.init(), 1)["regret"]
    assert mean[mine] == pytest.approx(first[mine], abs=1e-12)
    assert np.abs(first[mine]).max() > 0.1


def test_leduc_is_solved(leduc):
    solution = solve(PublicChanceCfr(leduc, seed=7), iterations=5000)
    assert solution.value == pytest.approx(-0.0856, abs=0.02)
    assert solution.exploitability < 0.05


def test_same_seed_same_bits_however_it_is_cut(leduc):
    engine = PublicChanceCfr(leduc, Sampling("public", floor=True, average_power=1), seed=7)
    whole, parts = engine.step(engine.init(), 150), engine.step(engine.step(engine.init(), 70), 80)
    assert all(np.array_equal(whole[name], parts[name]) for name in whole)
    assert whole["regret"].min() == 0


def test_three_players_are_refused():
    with pytest.raises(RulesError, match="kuhn3p: public-chance sampling is for two players"):
        PublicChanceCfr(make_problem(game("kuhn3p")))
