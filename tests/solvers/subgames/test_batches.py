"""Many rivers or turns at once: each has the values and strategies of a subgame solved alone."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import N_COMBOS
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame

pytest.importorskip("jax")

from pokerlab.solvers.subgames.batches import BatchCfr

RIVERS = ("Ks7h2d5c8s", "Qd9c4h4s2c", "AhKhQc7h2s", "Ts9s8d3c3h", "6c5c4d2h2s")
TURNS = ("Ks7h2d5c", "9h9c4s2d", "AhKh7h3h")
RANGES = ("AA, KQ, JTs, 88:0.4, A5s", "KQ:0.7, QQ, 98s, 22, AJo")
SETTINGS = {"pot": 60, "stack": 150, "sizes": "0.5p, 1p"}


def alone(board, iterations, ranges=RANGES):
    return solve(SubgameCfr(make_subgame(board, ranges, **SETTINGS, merge_suits=False)), iterations=iterations)


def batch(boards, ranges=RANGES, **more):
    tree = make_subgame(boards[0], RANGES, **SETTINGS).tree
    return BatchCfr(tree).solve([cards(board) for board in boards], tuple(map(parse_range, ranges)), **more)


@pytest.mark.slow
@pytest.mark.parametrize("boards", [RIVERS, TURNS])
def test_each_spot_is_solved_as_if_alone(boards):
    solution = batch(boards, target=1e-9, iterations=2, most=3)  # later, rounding decides between equal actions
    for spot, board in enumerate(boards):
        expected = alone(board, 2)
        assert solution.iterations[spot] == 2
        assert solution.value[spot] == pytest.approx(expected.value, abs=3e-4)
        assert solution.best_response[spot] == pytest.approx(expected.evaluation.best_response, abs=3e-4)
        strategy = solution.strategy(spot)
        assert strategy.tree.rules.board == tuple(cards(board))
        again = SubgameCfr(make_subgame(board, RANGES, **SETTINGS, merge_suits=False)).evaluate_strategy(strategy)
        assert again.best_response == pytest.approx(solution.best_response[spot], abs=3e-4)


@pytest.mark.slow
def test_spots_may_have_ranges_of_their_own():
    texts = [("AA, KQ", "QQ, JJ"), ("77, A5s", "KQ, 98s, 22"), ("T9s, 66", "AK")]
    weights = tuple(np.stack([parse_range(pair[player]) for pair in texts]) for player in (0, 1))
    tree = make_subgame(RIVERS[0], RANGES, **SETTINGS).tree
    solution = BatchCfr(tree).solve([cards(board) for board in RIVERS[:3]], weights, target=0.05)
    assert (solution.exploitability <= 0.05).all()
    for spot, (board, ranges) in enumerate(zip(RIVERS, texts, strict=False)):
        expected = solve(SubgameCfr(make_subgame(board, ranges, **SETTINGS)), iterations=2000, target=0.05)
        assert solution.value[spot] == pytest.approx(expected.value, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("board", [RIVERS[0], TURNS[0]])
def test_spots_may_have_pots_and_stacks_of_their_own(board):
    chips = ((60, 150), (100, 250), (80, 196))
    games = [make_subgame(board, RANGES, pot=pot, stack=stack, sizes="0.5p, 1p") for pot, stack in chips]
    trees = [game.tree for game in games]
    solution = BatchCfr(trees[0]).solve(
        [cards(board)] * 3, tuple(map(parse_range, RANGES)), target=np.array([1e-9] * 3), iterations=2, trees=trees
    )
    assert len({round(value, 1) for value in solution.value}) == 3
    for spot, game in enumerate(games):
        expected = solve(SubgameCfr(game), iterations=2)
        assert solution.value[spot] == pytest.approx(expected.value, abs=1e-3)
        assert solution.best_response[spot] == pytest.approx(expected.evaluation.best_response, abs=1e-3)
        assert solution.strategy(spot).tree.stake.tolist() == game.tree.stake.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("boards", [RIVERS[:3], TURNS[:2]])
def test_rake_and_locks_hold_on_every_spot(boards):
    """Kings are blocked in part on some boards; a pot of 60 is raked at 3, larger ones at the cap of 4."""
    lock = "first: AA bet 30 25%, KQ check 60%; check, bet 60: KQ, JTs fold 30%, call 70%; bet 60: QQ fold 0%"
    lock += "; check, check: KQ bet 60 10%" if len(boards[0]) == 8 else ""
    settings = {**SETTINGS, "rake": 5, "rake_cap": 4}
    games = [make_subgame(board, RANGES, **settings, lock=lock, merge_suits=False) for board in boards]
    engine = BatchCfr(make_subgame(boards[0], RANGES, **settings).tree)
    chips, weights = [cards(board) for board in boards], tuple(map(parse_range, RANGES))
    solution = engine.solve(chips, weights, target=1e-9, iterations=2, lock=lock, most=2)
    for spot, game in enumerate(games):
        expected = solve(SubgameCfr(game), iterations=2)
        assert 3 < expected.evaluation.rake < 4
        assert solution.value[spot] == pytest.approx(expected.value, abs=3e-4)
        assert solution.rake[spot] == pytest.approx(expected.evaluation.rake, abs=3e-4)
        assert solution.best_response[spot] == pytest.approx(expected.evaluation.best_response, abs=3e-4)
        assert solution.exploitability[spot] == pytest.approx(expected.exploitability, abs=3e-4)
        again = SubgameCfr(game).evaluate_strategy(solution.strategy(spot))
        assert again.best_response == pytest.approx(solution.best_response[spot], abs=3e-4)
        p, kings = solution.strategy(spot).at(0)[0], game.cells.hand_of(cards("KcQs"))
        assert p[kings] == pytest.approx(0.6, abs=1e-6)


@pytest.mark.slow
def test_spots_with_chips_of_their_own_pay_their_own_rake():
    trees = [
        make_subgame(RIVERS[0], RANGES, pot=pot, stack=stack, sizes="0.5p, 1p", rake=5, rake_cap=4)
        for pot, stack in ((60, 150), (100, 250))
    ]
    solution = BatchCfr(trees[0].tree).solve(
        [cards(RIVERS[0])] * 2, tuple(map(parse_range, RANGES)), target=1e-9, iterations=2,
        trees=[game.tree for game in trees],
    )  # fmt: skip
    for spot, game in enumerate(trees):
        expected = solve(SubgameCfr(game), iterations=2)
        assert solution.value[spot] == pytest.approx(expected.value, abs=1e-3)
        assert solution.rake[spot] == pytest.approx(expected.evaluation.rake, abs=1e-3)
        assert solution.best_response[spot] == pytest.approx(expected.evaluation.best_response, abs=1e-3)


def test_trees_of_another_shape_are_refused():
    trees = [make_subgame(RIVERS[0], RANGES, pot=60, stack=stack, sizes="0.5p, 1p").tree for stack in (150, 20)]
    with pytest.raises(PokerlabError, match="a tree of the same shape"):
        weights = tuple(map(parse_range, RANGES))
        BatchCfr(trees[0]).solve([cards(RIVERS[0])] * 2, weights, target=1.0, trees=trees)


def test_boards_without_a_pair_of_hands_are_refused():
    with pytest.raises(PokerlabError, match="no two hands that can be dealt together on AsAhAdKc2c"):
        batch(("AsAhAdKc2c",), ranges=("AA, AK", "AcQd"), target=1.0)


def test_boards_of_another_street_are_refused():
    tree = make_subgame(RIVERS[0], RANGES, **SETTINGS).tree
    with pytest.raises(PokerlabError, match="every board of a batch has 5 cards, not Ks7h2d5c"):
        BatchCfr(tree).solve([cards(TURNS[0])], (np.ones(N_COMBOS), np.ones(N_COMBOS)), target=1.0)
    with pytest.raises(PokerlabError, match="batches are of turns or rivers"):
        BatchCfr(make_subgame("Ks7h2d", ("AA", "KK"), pot=10, stack=5).tree)
