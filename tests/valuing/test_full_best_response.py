"""The best response with real cards is that of the readable one over pairs of hands, and of the textbook on a river."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.agents.rulebot import RuleBot
from pokerlab.agents.scripted import Scripted, uniform
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.policies.formula import FormulaPolicy
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import reaches, values
from pokerlab.solvers.core.problem import Problem
from pokerlab.trees.betting_tree import build_tree
from pokerlab.valuing.full_best_response import FullBestResponse, PolicyRows, StrategyRows, rest_of

LIMIT = build_tree(game("limit2p"))
TO_RIVER = (RaiseTo(20), CALL, CALL, CALL, RaiseTo(20), CALL)
TO_TURN = TO_RIVER[:4]
RIVER, TURN = "Ks7h2d5c8s", "Ks7h2d5c"
OWN, OTHER = "AA, KQs, 76s, A5s", "KK, QQ, K7s, 98s, JTo"


def oracle(tree, decision, policy, board, own, other, hero):
    """Every pair of hands one by one, float64: chips a hand to `hero`."""
    rest = rest_of(tree, decision)
    ranges = (parse_range(own), parse_range(other)) if hero == 0 else (parse_range(other), parse_range(own))
    cells = SubgameCells(board, ranges, merge_suits=False)
    rows, first = PolicyRows(tree, policy), int(tree.first_edge[decision])
    p = []
    for street, edges in enumerate(rest.edges_on):
        found = np.zeros((len(edges), len(cells.boards[street]), cells.n_hands))
        for number, dealt in enumerate(cells.boards[street]):
            out = np.zeros((len(edges), 1, N_COMBOS), np.float32)
            rows.fill(edges.astype(np.int64) + first, int(tree.street[decision]) + street, (*board, *dealt), out)
            found[:, number] = out[:, 0, cells.combos]
        p.append(found.reshape(len(edges), -1))
    problem = Problem(rest, cells)
    strategy = Strategy(rest, cells, tuple(p))
    return values(problem, strategy, hero, reaches(problem, strategy, 1 - hero), best=True).total


@pytest.mark.slow
@pytest.mark.parametrize("hero", [0, 1])
@pytest.mark.parametrize(("board", "actions"), [(RIVER, TO_RIVER), (TURN, TO_TURN)])
def test_it_is_the_best_response_over_pairs_of_hands(board, actions, hero):
    decision, policy = LIMIT.decision_after(actions), FormulaPolicy()
    expected = oracle(LIMIT, decision, policy, cards(board), OWN, OTHER, hero)
    full = FullBestResponse(LIMIT, PolicyRows(LIMIT, policy), hero=hero, decision=decision)
    assert full.value(cards(board), parse_range(OWN), parse_range(OTHER)) == pytest.approx(expected, rel=1e-5)


def test_no_limit_with_all_ins_before_the_last_card():
    tree = build_tree(game("nolimit2p"), "1p, all-in")
    decision = tree.decision_after((RaiseTo(300), CALL, CALL, CALL))
    policy = Scripted(lambda legal: legal.menu()[:2] if legal.raise_max is None else (CALL, RaiseTo(legal.raise_max)))
    expected = oracle(tree, decision, policy, cards(TURN), OWN, OTHER, 0)
    full = FullBestResponse(tree, PolicyRows(tree, policy), hero=0, decision=decision)
    assert full.value(cards(TURN), parse_range(OWN), parse_range(OTHER)) == pytest.approx(expected, rel=1e-5)


def test_on_a_river_it_is_what_a_textbook_finds():
    """One hand at a time, one opponent's hand at a time, by recursion over the betting."""
    board, decision = cards(RIVER), LIMIT.decision_after(TO_RIVER)
    live, rank = live_combos(sum(1 << card for card in board)), rank_combos(board)
    rows = PolicyRows(LIMIT, RuleBot())
    out = np.zeros((LIMIT.n_edges, 1, N_COMBOS), np.float32)
    rest = rest_of(LIMIT, decision)
    edges = rest.edges_on[0].astype(np.int64) + int(LIMIT.first_edge[decision])
    rows.fill(edges, 3, board, out)
    by_edge = {int(edge): out[i, 0] for i, edge in enumerate(edges)}

    def best(at, mine, reach):
        """At a decision (or ~ending) of the whole tree."""
        if at < 0:
            stake, folded = float(LIMIT.stake[~at]), int(LIMIT.folded[~at])
            if folded:
                return stake * reach.sum() * (-1 if folded & 1 else 1)
            return stake * float(reach @ np.sign(rank[mine] - rank))
        options = [
            best(int(LIMIT.child[edge]), mine, reach if LIMIT.actor[at] == 0 else reach * by_edge[edge])
            for edge in LIMIT.edges(at)
        ]
        return max(options) if LIMIT.actor[at] == 0 else sum(options)

    found = FullBestResponse(LIMIT, rows, hero=0, decision=decision).values(board, np.ones(N_COMBOS))
    for mine in np.random.default_rng(1).choice(np.flatnonzero(live), 25, replace=False):
        meets = live & ~(CARDS_OF_COMBO[:, :, None] == CARDS_OF_COMBO[mine]).any(axis=(1, 2))
        assert found[mine] == pytest.approx(best(decision, mine, meets.astype(float)), rel=1e-4, abs=0.02)


def test_one_board_stands_for_those_that_suits_make_equal():
    board, decision = cards("KsKh7d7c"), LIMIT.decision_after(TO_TURN)
    rows = PolicyRows(LIMIT, Scripted(uniform))
    alike, apart = (
        FullBestResponse(LIMIT, rows, hero=1, decision=decision, merge_suits=merge).values(board, np.ones(N_COMBOS))
        for merge in (True, False)
    )
    assert np.abs(alike).max() > 1000
    assert alike == pytest.approx(apart, rel=1e-5, abs=0.05)


def test_a_strategy_is_looked_up_by_its_cells():
    pr5 = buckets("pr5")
    rng = np.random.default_rng(3)
    strategy = Strategy.from_sums(LIMIT, pr5, [rng.random(p.shape) for p in Strategy.uniform(LIMIT, pr5).p])
    board, edges = cards(RIVER), np.array([5, -1, 9], np.int64)
    edges[[0, 2]] = LIMIT.edges_on[3][[100, 2000]]
    out = np.full((3, 1, N_COMBOS), 7, np.float32)
    StrategyRows(strategy).fill(edges, 3, board, out)
    live = live_combos(sum(1 << card for card in board))
    cell = pr5.of_board(board)[-1][live]
    assert out[0, 0, live] == pytest.approx(strategy.p[3][100, cell], abs=1e-6)
    assert out[2, 0, live] == pytest.approx(strategy.p[3][2000, cell], abs=1e-6)
    assert (out[1] == 7).all()


def test_it_is_for_two_players_of_holdem():
    with pytest.raises(RulesError, match="leduc: the full best response is for hold'em of two players"):
        FullBestResponse(build_tree(game("leduc")), PolicyRows(LIMIT, Scripted(uniform)), hero=0)
