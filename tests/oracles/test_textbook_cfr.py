"""The textbook solver, and the fast one beside it: the same regrets after every iteration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.textbook_cfr import (
    GameTree,
    TextbookCfr,
    best_response_value,
    expected_values,
    nash_conv,
)

from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.vector.cfr import VectorCfr


@pytest.fixture(scope="module")
def trees():
    return {name: GameTree(game(name)) for name in ("kuhn", "kuhn3p", "leduc")}


def test_what_a_tree_holds(trees):
    assert [(len(tree.deals), len(tree.members)) for tree in trees.values()] == [(6, 12), (24, 48), (120, 936)]
    first = next(at for at in trees["leduc"].members if not at.actions)
    assert trees["leduc"].actions[first] == (CALL, RaiseTo(3))
    assert len(trees["leduc"].members[first]) == 5 * 4  # the opponent's card and the board to come


def test_hands_of_two_cards_are_held_in_any_order():
    rules = replace(game("kuhn"), streets=(replace(game("kuhn").streets[0], n_hole=2),), deck=(0, 4, 8, 12), name="two")
    tree = GameTree(rules)
    assert len(tree.deals) == 24
    assert {at.hole for at in tree.members if not at.actions} == {(0, 4), (0, 8), (0, 12), (4, 8), (4, 12), (8, 12)}


def test_kuhn_by_hand(trees):
    """Player 1's best answers to the uniform player 0, worked out on paper.

    After a bet (each card equally likely to have bet) the jack folds for -1, the queen's call breaks even and the king
    calls for 2. After a check the jack's bluff and its check lose: bluffing the queen and king, who call half the
    time, gives (1 + 1 - 2 - 2) / 4 = -0.5 and checking -1; the queen bets for (1 + 2 + 1 - 2) / 4 = 0.5, checks for 0;
    the king bets for 1.5. So the hands get (-1 - 0.5) / 2, (0 + 0.5) / 2 and (2 + 1.5) / 2, a third of each.
    """
    assert best_response_value(trees["kuhn"], trees["kuhn"].uniform(), 1) == pytest.approx((-0.75 + 0.25 + 1.75) / 3)
    assert expected_values(trees["kuhn"], trees["kuhn"].uniform()) == pytest.approx((1 / 8, -1 / 8))


def test_kuhn_equilibrium_is_one(trees):
    """Kuhn 1950 with alpha = 0.2: player 0 bets the jack 0.2 and the king 0.6, calls with the queen 0.2 + 1/3."""
    jack, queen, king = sorted({at.hole for at in trees["kuhn"].members})
    after_check, after_bet, after_raise = (CALL,), (RaiseTo(2),), (CALL, RaiseTo(2))
    bets = {
        ((), jack): 0.2, ((), queen): 0.0, ((), king): 0.6,
        (after_raise, jack): 0.0, (after_raise, queen): 0.2 + 1 / 3, (after_raise, king): 1.0,
        (after_check, jack): 1 / 3, (after_check, queen): 0.0, (after_check, king): 1.0,
        (after_bet, jack): 0.0, (after_bet, queen): 1 / 3, (after_bet, king): 1.0,
    }  # fmt: skip
    profile = {at: (1 - bets[at.actions, at.hole], bets[at.actions, at.hole]) for at in trees["kuhn"].members}
    assert expected_values(trees["kuhn"], profile)[0] == pytest.approx(-1 / 18)
    assert nash_conv(trees["kuhn"], profile) == pytest.approx(0, abs=1e-15)


def test_three_players_sum_to_nothing_and_cfr_comes_near_an_equilibrium(trees):
    """NashConv of uniform three-player Kuhn is 2.0625 (OpenSpiel computes the same)."""
    tree = trees["kuhn3p"]
    assert nash_conv(tree, tree.uniform()) == pytest.approx(2.0625)
    cfr = TextbookCfr(tree)
    cfr.run(100)
    average = cfr.average()
    assert sum(expected_values(tree, average)) == pytest.approx(0, abs=1e-12)
    assert nash_conv(tree, average) < 0.1


def by_cell(table, problem):
    """The reference's numbers, added up over the hands of each cell: [street][row, cell]."""
    tree = problem.tree
    sums = [np.zeros_like(p) for p in problem.uniform().p]
    decision_of = {actions: tree.decision_after(actions) for actions in {at.actions for at in table}}
    for at, numbers in table.items():
        decision = decision_of[at.actions]
        first = int(tree.row[tree.first_edge[decision]])
        rows = slice(first, first + len(numbers))
        sums[tree.street[decision]][rows, problem.cells.of_hand(at.hole, at.board)] += numbers
    return sums


@pytest.mark.slow
@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("plus", [False, True], ids=["cfr", "cfr+"])
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_vector_cfr_has_the_regrets_of_the_textbook(trees, name, plus, alternating):
    problem = make_problem(game(name))
    engine = VectorCfr(problem, replace(VARIANTS["cfr+" if plus else "cfr"], alternating=alternating))
    textbook = TextbookCfr(trees[name], plus=plus, alternating=alternating)
    state = engine.init()
    for n in (1, 1, 3):
        textbook.run(n)
        state = engine.step(state, n)
        regret, average = by_cell(textbook.regret, problem), by_cell(textbook.average(), problem)
        average = Strategy.from_sums(problem.tree, problem.cells, average)  # alike in all hands of a cell
        for street in range(len(problem.tree.rules.streets)):
            assert_allclose(engine.by_street(state["regret"])[street], regret[street], rtol=0, atol=1e-13)
            assert_allclose(engine.strategy(state).p[street], average.p[street], rtol=0, atol=1e-13)


def test_vector_cfr_of_no_limit_leduc():
    """Another menu: the pot and all-in sizes, computed here."""

    def fold_call_pot_all_in(betting):
        legal = betting.legal()
        pot = betting.max_bet + betting.pot + legal.call
        raises = {pot, legal.raise_max} if legal.raise_max is not None else set()
        return [*([FOLD] if legal.fold else []), CALL, *map(RaiseTo, sorted(min(to, legal.raise_max) for to in raises))]

    problem = make_problem(game("leduc-nolimit"), "fcpa")
    tree = GameTree(problem.tree.rules, fold_call_pot_all_in)
    textbook = TextbookCfr(tree)
    textbook.run(2)
    engine = VectorCfr(problem, VARIANTS["cfr"])
    state = engine.step(engine.init(), 2)
    for found, expected in zip(engine.by_street(state["regret"]), by_cell(textbook.regret, problem), strict=True):
        assert_allclose(found, expected, rtol=0, atol=1e-11)


def test_games_that_are_too_large_are_refused():
    with pytest.raises(RulesError, match="limit2p has more than 20,000 deals; the reference solver is for small decks"):
        GameTree(game("limit2p"))
    with pytest.raises(RulesError, match="kuhn-nolimit has no finite betting tree"):
        GameTree(game("kuhn-nolimit"))


def test_folding_is_on_offer_only_where_it_is_legal(trees):
    for at, actions in trees["leduc"].actions.items():
        facing = bool(at.actions) and at.actions[-1] not in (CALL, FOLD)
        assert (FOLD in actions) == facing
