"""Counter-strategies: their ends are equilibria and best responses, and the kernel does what a plain form does."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.policies.strategy import Strategy, by_seat
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.best_response import best_response, evaluate, reaches, values
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.solvers.vector.counter import CounterCfr, confidence, trade_off, winnings
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.tabulate import count_actions, tabulate

KUHN, LEDUC = make_problem(game("kuhn")), make_problem(game("leduc"))


def drawn(problem, seed):
    rng = np.random.default_rng(seed)
    shapes = [p.shape for p in problem.uniform().p]
    return Strategy.from_sums(problem.tree, problem.cells, [rng.exponential(size=shape) for shape in shapes])


def trust(problem, seed):
    """A confidence for each (decision, cell)."""
    rng = np.random.default_rng(seed)
    return confidence([rng.integers(0, 8, p.shape) for p in problem.uniform().p], problem)


@pytest.mark.parametrize(("problem", "between"), [(KUHN, 0.25), (LEDUC, 0.6)], ids=["kuhn", "leduc"])
def test_p_from_equilibrium_to_best_response(problem, between):
    model = drawn(problem, 5)
    nash, robust, best = trade_off(problem, model, [0.0, between, 1.0], iterations=1000)
    assert nash.exploitability < 2e-3
    assert best.wins == pytest.approx(evaluate(problem, model).exploitability, abs=1e-3)
    assert nash.wins + 0.01 < robust.wins < best.wins - 0.01
    assert nash.exploitability + 0.01 < robust.exploitability < best.exploitability - 0.01


def test_the_trade_off_never_turns_back():
    """More weight on the model wins no less from it and is no harder to exploit."""
    found = trade_off(LEDUC, tabulate(agent("random"), LEDUC), [0, 0.3, 0.6, 0.9, 1], iterations=500)
    wins, exploitability = [t.wins for t in found], [t.exploitability for t in found]
    assert all(a <= b + 2e-3 for a, b in pairwise(wins)), wins
    assert all(a <= b + 2e-3 for a, b in pairwise(exploitability)), exploitability
    assert wins[-1] - wins[0] > 1.5


@pytest.mark.parametrize("settings", [{"p": 0.3}, {"p": 0.0, "confidence": trust(LEDUC, 2)}])
def test_the_game_against_the_bound_opponent_is_solved(settings):
    """What its two sides could still gain by responding best goes to zero."""
    engine = CounterCfr(LEDUC, drawn(LEDUC, 8), **settings)
    gaps = [look.exploitability for look in solve(engine, iterations=1500).looks]
    assert gaps[0] > 0.3
    assert 0 < gaps[-1] < 1e-3


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_what_is_evaluated_is_the_game_against_the_bound_opponent(p):
    model = drawn(LEDUC, 8)
    engine = CounterCfr(LEDUC, model, p=p)
    state = engine.step(engine.init(), 5)
    found, by_hand = engine.evaluate(state), 0.0
    for hero, sign in ((0, 1), (1, -1)):
        average = engine.average(state, hero)
        against_model = by_seat(average, model) if hero == 0 else by_seat(model, average)
        by_hand += sign * (p * evaluate(LEDUC, against_model).value + (1 - p) * evaluate(LEDUC, average).value) / 2
    assert found.value == pytest.approx(by_hand, abs=1e-12)
    assert found.bounds.low <= found.value < found.bounds.high
    if p == 1:
        assert found.value == pytest.approx(winnings(LEDUC, engine.strategy(state), model), abs=1e-12)
        assert found.best_response[0] == pytest.approx(evaluate(LEDUC, model).exploitability, abs=1e-12)
        assert found.best_response[1] == pytest.approx(-found.value, abs=1e-12)  # the opponent has no choice


def test_nobody_bound_is_plain_cfr():
    engine, plain = CounterCfr(LEDUC, drawn(LEDUC, 1)), VectorCfr(LEDUC, VARIANTS["cfr+"])
    state, expected = engine.step(engine.init(), 20), plain.step(plain.init(), 20)
    for hero in (0, 1):
        for name in ("regret", "sums", "strategy"):
            assert np.array_equal(state[name][hero], expected[name])


def test_always_sure_is_a_best_response():
    model = drawn(LEDUC, 3)
    sure = [np.ones(p.shape) for p in model.p]
    found = solve(CounterCfr(LEDUC, model, confidence=sure), iterations=500).strategy
    assert winnings(LEDUC, found, model) == pytest.approx(evaluate(LEDUC, model).exploitability, abs=2e-3)


def iterate_plainly(problem, model, sure, p, hero, n):
    """What the kernel does, with plain CFR and the readable passes: the average strategy of `hero`'s game."""
    tree = problem.tree
    regret = [np.zeros(part.shape) for part in model.p]
    sums = [np.zeros(part.shape) for part in model.p]
    now = problem.uniform()
    for _ in range(n):
        for player in (0, 1):
            bound = [np.where(_owned(tree, s, hero), 0.0, part) for s, part in enumerate(sure)]
            mixed = Strategy(
                tree, problem.cells, tuple(b * m + (1 - b) * q for b, m, q in zip(bound, model.p, now.p, strict=True))
            )
            reach = reaches(problem, mixed, 1 - player)
            if player == hero:
                fixed = reaches(problem, model, 1 - hero)
                reach = [p * f + (1 - p) * r for f, r in zip(fixed, reach, strict=True)]
            of_edge = values(problem, mixed, player, reach, best=False).of_edge
            own = reaches(problem, mixed, player)
            for decision in np.flatnonzero(tree.actor == player).tolist():
                street, edges = int(tree.street[decision]), tree.edges(decision)
                rows = [int(tree.row[edge]) for edge in edges]
                at = np.stack([of_edge[edge] for edge in edges])
                free = 1 - bound[street][rows]
                regret[street][rows] += free * (at - (now.at(decision) * at).sum(axis=0))
                sums[street][rows] += [own[edge] for edge in edges]
            now = by_seat(*[_matched(problem, regret) if s == player else now for s in (0, 1)])
    return Strategy.from_sums(tree, problem.cells, sums)


def _owned(tree, street, player):
    return (tree.actor[tree.edge_decision[tree.edges_on[street]]] == player)[:, None]


def _matched(problem, regret):
    return Strategy.from_sums(problem.tree, problem.cells, [np.maximum(part, 0) for part in regret])


@pytest.mark.parametrize("hero", [0, 1])
def test_the_kernel_and_its_plain_form_agree(hero):
    model, sure = drawn(LEDUC, 4), trust(LEDUC, 6)
    engine = CounterCfr(LEDUC, model, p=0.4, confidence=sure, variant=VARIANTS["cfr"])
    found = engine.average(engine.step(engine.init(), 6), hero)
    expected = iterate_plainly(LEDUC, model, sure, 0.4, hero, 6)
    for part, other in zip(found.p, expected.p, strict=True):
        assert part == pytest.approx(other, abs=1e-9)


def test_winnings_are_of_both_seats():
    model = drawn(KUHN, 2)
    best = by_seat(best_response(KUHN, model, 0), best_response(KUHN, model, 1))
    assert winnings(KUHN, best, model) == pytest.approx(evaluate(KUHN, model).exploitability, abs=1e-12)
    assert winnings(KUHN, model, model) == pytest.approx(0, abs=1e-12)


def test_confidence_grows_with_what_was_seen():
    counts = [np.zeros(p.shape) for p in KUHN.uniform().p]
    counts[0][KUHN.tree.row[0], 1] = 3
    counts[0][KUHN.tree.row[1], 1] = 1
    counts[0][KUHN.tree.row[0], 2] = 40
    found = confidence(counts, KUHN, most=0.8, enough=10)[0]
    assert found[:2, 1].tolist() == pytest.approx([0.32, 0.32])
    assert found[:2, 2].tolist() == [0.8, 0.8]
    assert found.sum() == pytest.approx(2 * (0.32 + 0.8))


def test_counting_finds_the_strategy():
    model = drawn(LEDUC, 9)
    hands = []
    plan = MatchPlan("leduc", ("seen", "random"), hands=800, seed=1)
    play_match(plan, lambda name: StrategyPolicy(model) if name == "seen" else agent(name), on_hand=hands.append)
    counts = count_actions(hands, "seen", LEDUC)
    n_acted = sum(hand.names[step.seat] == "seen" for hand in hands for step in hand.steps)
    assert sum(part.sum() for part in counts) == n_acted
    root = LEDUC.tree.edges(0)
    rows = [int(LEDUC.tree.row[edge]) for edge in root]
    seen = counts[0][rows] / counts[0][rows].sum(axis=0)
    assert seen == pytest.approx(model.at(0), abs=0.13)  # some 130 times each


def test_tabulating_a_strategy_gives_it_back():
    model = drawn(LEDUC, 7)
    for part, own in zip(tabulate(StrategyPolicy(model), LEDUC).p, model.p, strict=True):
        assert part == pytest.approx(own, abs=1e-9)


def test_tabulating_holdem_on_sampled_boards():
    problem = make_problem(game("nolimit2p"), "river: 1p", "pr5")
    model = drawn(problem, 11)
    found = tabulate(StrategyPolicy(model), problem, most_boards=2, seed=3)
    assert found.p[0] == pytest.approx(model.p[0], abs=1e-9)
    known = np.isclose(found.p[3], model.p[3], atol=1e-6)
    assert (known | np.isclose(found.p[3], problem.uniform().p[3])).all()  # the others did not come on two boards
    assert known.mean() > 0.2


def test_what_cannot_be_is_refused():
    with pytest.raises(PokerlabError, match="must be a probability, not"):
        CounterCfr(KUHN, KUHN.uniform(), p=1.5)
    with pytest.raises(PokerlabError, match="confidence is a probability for each"):
        CounterCfr(KUHN, KUHN.uniform(), confidence=[np.full((8, 3), 2.0)])
    small = make_problem(game("leduc-nolimit"), "all-in")
    with pytest.raises(
        PokerlabError, match="takes raise to 1, which the tree does not have; it has call, raise to 399"
    ):
        tabulate(agent("raiser"), small)


def test_about_is_plain_and_tells_models_apart():
    one, other = (CounterCfr(KUHN, drawn(KUHN, seed), p=0.5).about for seed in (1, 2))
    assert json.loads(json.dumps(one)) == one
    assert one["model"] != other["model"]
