"""What a look at a decision says, against the same numbers found one hand at a time."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.equity import equity
from pokerlab.errors import CardError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.solvers.core.best_response import reaches, values
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.spot import probabilities, spot
from pokerlab.solvers.subgames.subgame import make_subgame

RANGES = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")


@pytest.fixture(scope="module")
def turn():
    game = make_subgame("Ks7h2d5c", RANGES, pot=100, stack=300, sizes="1p", merge_suits=False)
    return game, solve(SubgameCfr(game), iterations=50, every=50).strategy


@pytest.mark.parametrize(
    ("actions", "dealt"),
    [((), ""), ((CALL, RaiseTo(100)), ""), ((CALL, CALL), "9c"), ((RaiseTo(100), CALL, CALL), "Qh")],
)
def test_reach_and_values_are_those_of_all_pairs_of_hands(turn, actions, dealt):
    game, strategy = turn
    board = cards(dealt)
    seen = spot(game, strategy, actions, board)
    decision = game.tree.decision_after(actions)
    problem = Problem(game.tree, game.cells)
    street, actor = int(game.tree.street[decision]), seen.actor
    number = game.cells.board_of(board)[0]
    hands = slice(number * game.cells.n_hands, (number + 1) * game.cells.n_hands)
    other = reaches(problem, strategy, 1 - actor)
    of_edge = values(problem, strategy, actor, other, best=False).of_edge
    edges = game.tree.edges(decision)
    # The generic reach of an own edge is the reach of its decision: the other does not move there.
    met = np.einsum("ij,j->i" if actor == 0 else "ji,j->i", problem.pairs.joint[street][number], other[edges[0]][hands])
    for hand, combo in enumerate(game.cells.combos):
        if not met[hand] > 0:
            assert np.isnan(seen.ev[combo]).all()
            continue
        expected = [of_edge[edge][hands][hand] / met[hand] for edge in edges]
        spent = game.tree.decision_spent[decision][actor]
        assert seen.ev[combo] == pytest.approx(np.array(expected) + spent, abs=1e-3)
        assert seen.p[combo] == pytest.approx(strategy.at(decision)[:, hands][:, hand], abs=1e-6)
    assert sum(seen.expected) == pytest.approx(seen.pot, abs=1e-3)
    assert sum(seen.overall_equity) == pytest.approx(1, abs=1e-6)
    assert seen.frequency.sum() == pytest.approx(1, abs=1e-6)


def test_at_the_root_values_and_equities_are_the_whole_games(turn):
    game, strategy = turn
    seen = spot(game, strategy)
    value = SubgameCfr(game).evaluate_strategy(strategy).value
    assert seen.expected[0] == pytest.approx(value + 50, abs=1e-3)
    whole = equity([game.cells.weight_of_combo[0], game.cells.weight_of_combo[1]], game.board, method="exact")
    assert seen.overall_equity == pytest.approx(whole.equity, abs=1e-6)
    one = equity([cards("KcQc"), game.cells.weight_of_combo[1]], game.board, method="exact").equity[0]
    assert seen.equity[0][combo_index(*cards("KcQc"))] == pytest.approx(one, abs=1e-6)


def test_folding_is_worth_nothing_and_weights_shrink(turn):
    game, strategy = turn
    seen = spot(game, strategy, (RaiseTo(100),))
    held = ~np.isnan(seen.p[:, 0])
    assert seen.actions[0] == FOLD
    assert seen.ev[held, 0] == pytest.approx(0, abs=1e-4)
    bet = spot(game, strategy).p[:, 1]
    before = game.cells.weight_of_combo[0]
    assert seen.weight[0] == pytest.approx(np.where(before > 0, before * np.nan_to_num(bet), 0), abs=1e-6)
    assert seen.weight[1] == pytest.approx(game.cells.weight_of_combo[1], abs=1e-6)


def test_a_board_that_another_stands_for():
    """With clubs and diamonds alike, the nine of clubs and of diamonds mirror each other."""
    game = make_subgame("Ks7s2h5h", ("AK, 66", "QQ, AJ, T9s"), pot=100, stack=100, sizes="1p")
    strategy = solve(SubgameCfr(game), iterations=30, every=30).strategy
    club, diamond = (spot(game, strategy, (CALL, CALL), cards(card)) for card in ("9c", "9d"))
    assert game.cells.board_of(cards("9c"))[0] == game.cells.board_of(cards("9d"))[0]
    for one, other in (("AcKd", "AdKc"), ("6c6h", "6d6h")):
        a, b = combo_index(*cards(one)), combo_index(*cards(other))
        assert club.ev[a] == pytest.approx(diamond.ev[b], abs=1e-4)
        assert club.equity[0][a] == pytest.approx(diamond.equity[0][b], abs=1e-6)
    assert np.isnan(club.equity[1][combo_index(*cards("Tc9c"))]) and not np.isnan(
        diamond.equity[1][combo_index(*cards("Tc9c"))]
    )
    found = probabilities(game, strategy, cards("AcKd"), (CALL, CALL), cards("9d"))
    assert list(found) == [CALL, RaiseTo(100)]
    assert list(found.values()) == pytest.approx(diamond.p[combo_index(*cards("AcKd"))], abs=1e-6)


def test_what_cannot_be_is_said(turn):
    game, strategy = turn
    with pytest.raises(CardError, match="call, call is on the river, 1 cards after Ks7h2d5c; 0 were named"):
        spot(game, strategy, (CALL, CALL))
    with pytest.raises(CardError, match="Ks cannot come on Ks7h2d5c"):
        spot(game, strategy, (CALL, CALL), cards("Ks"))
    with pytest.raises(CardError, match="QsJs is not in player 0's range on Ks7h2d5c"):
        probabilities(game, strategy, cards("QsJs"))
