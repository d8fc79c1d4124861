"""Sampling CFR: unbiased, convergent, the same bits for any threads and from any checkpoint."""

import numpy as np
import pytest
from oracles.enumeration import player_values

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.runs.steps import Watch
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.sampling.mccfr import MonteCarloCfr, Sampling
from pokerlab.solvers.vector.multiplayer import deal_values, every_deal

KINDS = ("chance", "external", "outcome")


@pytest.fixture(scope="module")
def kuhn():
    return make_problem(game("kuhn"))


@pytest.fixture(scope="module")
def leduc():
    return make_problem(game("leduc"))


def same(a, b):
    return all(np.array_equal(a[name], b[name]) for name in a) and a.keys() == b.keys()


def sampled_regrets(engine, arrays, first, n):
    """The mean change of `regret[pair]` by deals `first` .., all walked with the strategies of `arrays`."""
    change_sum = np.zeros(engine.tables.n_pairs)
    for log in engine._logged(arrays, 1, first, n):
        pair, change = log.log_pair[: log.n_logged[0]], log.log_change[: log.n_logged[0]]
        regrets = pair < engine.tables.n_pairs
        change_sum += np.bincount(pair[regrets], change[regrets], minlength=engine.tables.n_pairs)
    return change_sum / n


def exact_regrets(problem, strategy):
    """By (edge, cell), for every player against the others, as `[edge, cell]`; one street."""
    tree, every = problem.tree, every_deal(problem)
    out = np.zeros((tree.n_edges, problem.cells.n_cells[0]))
    for player in range(tree.rules.n_seats):
        values = deal_values(problem, every, strategy, player)
        for decision in np.flatnonzero(tree.actor == player):
            edges = tree.edges(int(decision))
            at = np.stack([values.of_edge[e] for e in edges])
            out[list(edges)] = at - (strategy.at(int(decision)) * at).sum(axis=0)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn", "kuhn3p"])
@pytest.mark.parametrize("kind", KINDS)
def test_sampled_regrets_are_unbiased(name, kind):
    problem = make_problem(game(name))
    engine = MonteCarloCfr(problem, Sampling(kind), seed=11)
    state = engine.init()
    state["regret"][:] = np.random.default_rng(0).random(engine.tables.n_pairs)
    exact = exact_regrets(problem, engine.tables.strategy(state["regret"]))
    parts = np.stack([engine.tables.by_street(sampled_regrets(engine, state, i * 4000, 4000))[0] for i in range(50)])
    error = parts.std(axis=0, ddof=1) / np.sqrt(len(parts))
    z = (parts.mean(axis=0) - exact) / np.maximum(error, 1e-12)
    assert np.abs(z).max() < 4.5
    assert error.max() < 0.01  # so that the line above says something
    assert np.abs(exact).max() > 0.05


def test_chance_sampling_of_one_deal_is_exact_on_that_deal(kuhn):
    engine = MonteCarloCfr(kuhn, Sampling("chance"), seed=1)
    every = every_deal(kuhn)
    total = np.zeros(engine.tables.n_pairs)
    for cells, rank, weight in zip(every.cells, every.rank, every.weight, strict=True):
        engine.deals = One(cells, rank)
        total += weight * sampled_regrets(engine, engine.init(), 0, 1)
    assert engine.tables.by_street(total)[0] == pytest.approx(exact_regrets(kuhn, kuhn.uniform()), abs=1e-14)


class One:
    """A source that always deals the same."""

    about = {"cards": "one deal"}  # noqa: RUF012

    def __init__(self, cells, rank):
        self.cells, self.rank = cells, rank

    def deal(self, first, n):
        return np.stack([self.cells] * n), np.stack([self.rank] * n)


@pytest.mark.parametrize(("kind", "iterations"), [("chance", 20_000), ("external", 40_000), ("outcome", 200_000)])
def test_kuhn_is_solved(kuhn, kind, iterations):
    solution = solve(MonteCarloCfr(kuhn, Sampling(kind), seed=7), iterations=iterations)
    assert solution.value == pytest.approx(-1 / 18, abs=0.003)
    assert solution.exploitability < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "iterations"), [("chance", 20_000), ("external", 30_000), ("outcome", 600_000)])
def test_leduc_is_solved(leduc, kind, iterations):
    engine = MonteCarloCfr(leduc, Sampling(kind), seed=7)
    evaluation = engine.evaluate(engine.step(engine.init(), iterations))
    assert evaluation.value == pytest.approx(-0.0856, abs=0.03)
    assert evaluation.exploitability < 0.1
    bounds = evaluation.bounds
    assert bounds.low <= -0.085606 <= bounds.high


@pytest.mark.parametrize("kind", KINDS)
def test_three_player_kuhn_comes_near_an_equilibrium(kind):
    problem = make_problem(game("kuhn3p"))
    engine = MonteCarloCfr(problem, Sampling(kind), seed=7)
    state = engine.step(engine.init(), 100_000)
    assert engine.evaluate(state).nash_conv < 0.03
    assert player_values(problem, engine.strategy(state))[1] == pytest.approx(-1 / 48, abs=0.01)


def test_linear_weighting_helps_here_and_the_floor_converges(leduc):
    plain = MonteCarloCfr(leduc, Sampling("external"), seed=3)
    weighted = MonteCarloCfr(leduc, Sampling("external", regret_power=1, average_power=1), seed=3)
    before = plain.evaluate(plain.step(plain.init(), 30_000)).exploitability
    assert weighted.evaluate(weighted.step(weighted.init(), 30_000)).exploitability < before
    floored = MonteCarloCfr(leduc, Sampling("chance", floor=True, average_power=1), seed=3)
    state = floored.step(floored.init(), 20_000)
    assert state["regret"].min() == 0
    assert floored.evaluate(state).exploitability < 0.1


@pytest.mark.parametrize("sampling", [Sampling(kind) for kind in KINDS] + [Sampling("external", deals_per_iteration=7)])
def test_same_seed_same_bits_however_it_is_cut(leduc, sampling):
    engine = MonteCarloCfr(leduc, sampling, seed=5)
    whole = engine.step(engine.init(), 300)
    in_parts = engine.step(engine.step(engine.init(), 1), 99)
    resumed = MonteCarloCfr(leduc, sampling, seed=5).step({k: v.copy() for k, v in in_parts.items()}, 200)
    assert same(whole, resumed)
    other = MonteCarloCfr(leduc, sampling, seed=6)
    assert not same(whole, other.step(other.init(), 300))


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads_gives_the_same_bits(leduc, kind, monkeypatch):
    monkeypatch.setattr("pokerlab.solvers.sampling.mccfr.LOG_ENTRIES", 1)  # so small that several logs are needed
    sampling = Sampling(kind, deals_per_iteration=50)
    one, three = (MonteCarloCfr(leduc, sampling, seed=5, threads=threads) for threads in (1, 3))
    assert one.about == three.about
    assert same(one.step(one.init(), 20), three.step(three.init(), 20))


@pytest.mark.slow
def test_many_deals_an_iteration_converge_too(leduc):
    engine = MonteCarloCfr(leduc, Sampling("external", deals_per_iteration=20), seed=5, threads=2)
    assert engine.evaluate(engine.step(engine.init(), 3000)).exploitability < 0.1


def test_a_checkpoint_continues_to_the_bit(kuhn, tmp_path):
    def run(iterations, path):
        engine = MonteCarloCfr(kuhn, Sampling("external"), seed=2)
        return solve(engine, iterations=iterations, watch=Watch(path)).strategy.p[0]

    run(300, tmp_path / "a")
    assert np.array_equal(run(1000, tmp_path / "a"), run(1000, tmp_path / "b"))


def test_half_the_memory_gives_nearly_the_same(kuhn):
    wide, narrow = (MonteCarloCfr(kuhn, Sampling("chance"), seed=2, dtype=d) for d in ("float64", "float32"))
    states = [engine.step(engine.init(), 2000) for engine in (wide, narrow)]
    assert states[1]["sums"].dtype == np.float32
    assert narrow.evaluate(states[1]).value == pytest.approx(wide.evaluate(states[0]).value, abs=1e-3)


def test_card_sides_that_forget_are_not_evaluated(kuhn):
    class Forgets:
        name, n_cells, pairs = "forgets", (3,), None

    problem = type(kuhn)(kuhn.tree, Forgets())
    engine = MonteCarloCfr(problem, deals=One(np.zeros((2, 1), np.int32), np.array([0, 1], np.int32)))
    evaluation = engine.evaluate(engine.step(engine.init(), 10))
    assert np.isnan(evaluation.value) and np.isnan(evaluation.exploitability)


def test_settings_that_make_no_sense_are_refused(kuhn):
    with pytest.raises(PokerlabError, match="no sampling is called 'vector'; there are chance, external"):
        Sampling("vector")
    with pytest.raises(PokerlabError, match="epsilon is 0"):
        Sampling("outcome", epsilon=0)
    with pytest.raises(PokerlabError, match="4 threads need deals_per_iteration of at least 4"):
        MonteCarloCfr(kuhn, threads=4)
