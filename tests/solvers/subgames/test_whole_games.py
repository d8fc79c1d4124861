"""Whole games as subgames with an empty board: the same numbers as from matrices of all pairs of hands."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.abstraction.subgame_cells import HANDS, has_many_pairs, whole_cells
from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules, Street
from pokerlab.games.rules_json import rules_to_json
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.runs import engine_of, problem_of, run_solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.valuing.spot_values import spot_values
from pokerlab.valuing.strategy_worth import worths


def small_holdem(n_ranks, boards, stack=20):
    """No-limit hold'em with the highest ranks, one raise a street, and streets of so many cards."""
    return Rules(
        name="small holdem",
        n_seats=2,
        limits="no-limit",
        streets=(Street(n_hole=2, first=1, max_raises=1), *(Street(n_board=n, max_raises=1) for n in boards)),
        blinds=(2, 1),
        stacks=(stack, stack),
        deck=tuple(range(52 - 4 * n_ranks, 52)),
    )


def told_apart(strategy, cells):
    """A strategy on lossless cells as one on the cells of every hand."""
    rules, p = strategy.tree.rules, []
    for street, rows in enumerate(strategy.p):
        out = np.zeros((len(rows), cells.n_cells[street]))
        for number, board in enumerate(cells.boards[street]):
            for hand in range(cells.n_hands):
                hole = (int(cells.high[hand]), int(cells.low[hand]))
                if not set(hole) & set(board):
                    out[:, number * cells.n_hands + hand] = np.asarray(rows)[:, strategy.cells.of_hand(hole, board)]
        p.append(out)
    assert len(rules.streets) == len(p)
    return Strategy(strategy.tree, cells, tuple(p))


@pytest.mark.slow
@pytest.mark.parametrize(("n_ranks", "boards"), [(4, (3,)), (3, (1, 1, 1)), (3, (2, 1))])
def test_values_and_best_responses_are_those_of_matrices(n_ranks, boards):
    rules = small_holdem(n_ranks, boards)
    lossless, cells = Problem(tree_for(rules), Lossless(rules)), whole_cells(rules)
    strategy = solve(VectorCfr(lossless, variant("cfr+")), iterations=4).strategy
    by_pairs = evaluate(lossless, strategy)
    swept = SubgameCfr(Problem(lossless.tree, cells), threads=2).evaluate_strategy(told_apart(strategy, cells))
    assert swept.value == pytest.approx(by_pairs.value, abs=1e-4)
    assert swept.best_response == pytest.approx(by_pairs.best_response, abs=1e-4)


@pytest.mark.slow
def test_a_game_with_too_many_pairs_is_solved_saved_and_read(tmp_path, monkeypatch):
    rules = small_holdem(4, (3,))
    plain = problem_of(SolveConfig(game=_data(rules)))
    assert isinstance(plain.cells, Lossless)
    monkeypatch.setattr("pokerlab.abstraction.subgame_cells.MOST_MATRICES", 1000)
    config = SolveConfig(game=_data(rules), iterations=100, algorithm="dcfr", threads=2)
    problem = problem_of(config)
    assert problem.cells.name == HANDS and isinstance(engine_of(config, problem), SubgameCfr)
    solution = run_solve(config, tmp_path / "run")
    by_pairs = solve(VectorCfr(plain, variant("dcfr")), iterations=100)
    gap = solution.exploitability + by_pairs.exploitability
    assert abs(solution.value - by_pairs.value) <= gap < 0.5
    read = load_strategy(tmp_path / "run").strategy
    assert read.cells.name == HANDS and read.cells.n_cells == problem.cells.n_cells
    opening, flop = spot_at(read), spot_at(read, "call, call / KcQdJh")
    assert [sum(spot_values(spot).expected) for spot in (opening, flop)] == pytest.approx([3, 4], abs=0.01)
    assert spot_values(opening).equity[1][combo_index(*cards("AsAh"))] > 0.6
    assert {row[0] for row in opening.table(by_class=True)[1]} >= {"AA", "JJ", "KQs"}
    assert "TT" not in {row[0] for row in opening.table(by_class=True)[1]}  # not in the deck
    (worth,) = worths(read, hands=100, boards=1, seed=7)
    assert sum(worth.best_response) == pytest.approx(2 * 500 * solution.exploitability, rel=0.01)
    assert problem_of(replace(config, algorithm="mccfr")).cells.name == "lossless"  # sampling needs no pairs


def test_suits_and_cards_of_a_whole_game():
    cells = whole_cells(small_holdem(4, (3,)))
    assert cells.n_hands == 120 and cells.n_deals(0) == 220 and cells.n_boards[0] == 1
    masks = {sum(1 << card for card in board) for board in cells.boards[1]}
    assert len(masks) == cells.n_boards[1] and cells.next_cards[0].first.tolist() == [0, 560]
    flops = cards("AsKsQh"), cards("AdKdQc"), cards("QcAdKd")
    assert (
        len({cells.of_hand(cards(hole), flop) for hole, flop in zip(("JsJh", "JdJc", "JcJd"), flops, strict=True)}) == 1
    )
    assert cells.of_hand(cards("JsJh"), flops[0]) != cells.of_hand(cards("JdJc"), flops[0])
    assert cells.label(0, cells.of_hand(cards("AsKs"), ())) == "AsKs"


def test_only_games_that_need_it_are_taken_as_subgames():
    assert has_many_pairs(small_holdem(13, (3,), stack=162)) and has_many_pairs(small_holdem(5, (1, 1, 1)))
    assert not has_many_pairs(small_holdem(4, (3,))) and not has_many_pairs(small_holdem(13, (1,)))
    assert not has_many_pairs(small_holdem(5, (3, 1, 1)))
    assert not has_many_pairs(game("leduc")) and not has_many_pairs(game("nolimit2p"))
    with pytest.raises(RulesError, match="too many cards to tell every hand apart"):
        problem_of(SolveConfig(game="nolimit2p"))


def _data(rules):
    return json.loads(rules_to_json(rules))
