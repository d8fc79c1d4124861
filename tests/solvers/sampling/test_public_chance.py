"""Public-chance sampling: full CFR where there is no board, unbiased where there is one, the same bits again."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.sampling import _public_chance_numba as kernels
from pokerlab.solvers.sampling.mccfr import Sampling
from pokerlab.solvers.sampling.public_chance import PublicChanceCfr
from pokerlab.solvers.vector.multiplayer import EnumeratedCfr


@pytest.fixture(scope="module")
def leduc():
    return make_problem(game("leduc"))


def test_without_a_board_it_is_cfr_over_every_deal():
    problem = make_problem(game("kuhn"))
    public, exact = PublicChanceCfr(problem), EnumeratedCfr(problem)
    regrets = [engine.step(engine.init(), 200)["regret"] for engine in (public, exact)]
    assert regrets[0] == pytest.approx(regrets[1], abs=1e-12)


def test_two_hole_cards_take_each_other_out():
    """Six cards of three ranks, two to each player, one bet: hands clash, and many tie."""
    kuhn = game("kuhn")
    deck = game("leduc").deck
    rules = replace(kuhn, name="two-card kuhn", deck=deck, streets=(replace(kuhn.streets[0], n_hole=2),))
    problem = make_problem(rules)
    public, exact = PublicChanceCfr(problem), EnumeratedCfr(problem)
    before = np.random.default_rng(1).normal(size=public.tables.n_pairs)
    after = []
    for engine in (public, exact):
        state = engine.init()
        for name in set(state) & {"regret", "basis"}:
            state[name][:] = before
        after.append(engine.step(state, 1)["regret"])
    assert after[0] == pytest.approx(after[1], abs=1e-12)
    assert np.abs(after[0] - before).max() > 0.02


def test_endings_against_every_pair_of_hands():
    """The sums over all hands at a showdown and after a fold, beside a loop over pairs, with 28 hands of two cards."""
    rng = np.random.default_rng(5)
    cards = np.array([(a, b) for b in range(8) for a in range(b)], np.int32)
    rank = rng.integers(0, 6, len(cards)).astype(np.int32)
    rank[[3, 17]] = -1
    cells = rng.integers(0, 9, (1, len(cards))).astype(np.int32)
    cell, card = np.empty(cells.shape, np.int64), np.empty(cards.shape, np.int64)
    group_end, reach = np.empty(len(cards), np.int64), rng.random(len(cards))
    n = kernels.order_hands(cells, rank, cards, cell, card, group_end)
    order = [h for h in np.argsort(rank, kind="stable") if rank[h] >= 0]
    assert n == 26 and card[:n].tolist() == cards[order].tolist() and cell[0, :n].tolist() == cells[0, order].tolist()
    out, held = np.empty(n), np.zeros((2, 8))
    kernels.fold_values(n, card, reach, held, -2.0, out)
    kernels.showdown_values(n, card, group_end, reach, held, 6.0, out)
    for i, mine in enumerate(order):
        expected = 0.0
        for j, other in enumerate(order):
            if not set(cards[mine].tolist()) & set(cards[other].tolist()):
                won = float(rank[mine] > rank[other]) + 0.5 * float(rank[mine] == rank[other])
                expected += reach[j] * (6 * won - 2)
        assert out[i] == pytest.approx(expected, abs=1e-12)


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
