"""CFR and BETS on sampled boards, against the same on whole tables."""

from typing import Any

import numpy as np
import pytest

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.abstraction.cells import Lossless
from pokerlab.abstraction.deals import SmallDeals
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.catalog import game
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.variants import variant
from pokerlab.trees.betting_tree import build_tree

pytest.importorskip("jax")
import jax

from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.dense_bets import BoardBets, DenseBets
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.solvers.sampling import _board_jax as kernels
from pokerlab.solvers.sampling.board_cfr import BoardCfr, grouped_boards, value_on_boards
from pokerlab.solvers.vector.dense import DenseCfr
from pokerlab.systems.bets.abstraction_worth import game_value

LEDUC = make_problem(game("leduc"))


class EveryBoard:
    """The boards of a small game in turn, each as often as the others."""

    def __init__(self, cells: Lossless) -> None:
        deals = SmallDeals(cells)
        self.hand_cards = deals.hand_cards
        cell, rank = deals.tables
        self._cells = np.stack([np.broadcast_to(table, rank.shape) for table in cell], axis=1)
        self._rank = rank
        self.about: dict[str, Any] = {"source": "every board"}

    def boards(self, first: int, n: int) -> tuple[Any, Any]:
        number = np.arange(first, first + n) % len(self._rank)
        return self._cells[number], self._rank[number]


EVERY = EveryBoard(Lossless(game("leduc")))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cfr", "lcfr", "dcfr+"])
def test_all_boards_in_an_iteration_are_an_iteration_of_dense_cfr(name: str) -> None:
    board = BoardCfr(LEDUC, variant(name), boards_per_iteration=6, boards=EVERY, dtype="float64")
    dense = DenseCfr(LEDUC, variant(name), dtype="float64")
    ours, theirs = board.step(board.init(), 10), dense.step(dense.init(), 10)
    for place in ("strategy/0/0", "strategy/1/1", "strategy/0/1"):
        np.testing.assert_allclose(ours[place], theirs[place], atol=1e-12)
    assert board.evaluate(ours).value == pytest.approx(dense.evaluate(theirs).value, abs=1e-12)


@pytest.mark.parametrize("cells", [Lossless(game("leduc")), buckets("pr5")], ids=["leduc", "pr5"])
def test_values_are_measured_on_boards_that_no_seed_learns_from(cells: Lossless) -> None:
    rules = game("leduc" if cells.name == "lossless" else "limit2p")
    problem = Problem(build_tree(rules), cells)
    engines = [BoardCfr(problem, variant("cfr"), seed=seed) for seed in (7, 8, 9)]
    fresh = engines[0].fresh_boards.boards(0, 40)[0]
    for engine in engines:
        assert not np.array_equal(engine.boards.boards(0, 40)[0], fresh)
    assert np.array_equal(BoardCfr(problem, variant("cfr"), seed=7).fresh_boards.boards(0, 40)[0], fresh)


def test_the_value_on_every_board_is_the_value() -> None:
    dense = DenseCfr(LEDUC, variant("cfr+"), dtype="float64")
    strategy = dense.strategy(dense.step(dense.init(), 30))
    engine = BoardCfr(LEDUC, variant("cfr"), boards_per_iteration=6, boards=EVERY, dtype="float64")
    state = engine.init()
    for player, street in engine.layout.places:
        state[f"sums/{player}/{street}"] = strategy.p[street][engine.layout.rows[player][street]]
    assert engine.value(state, 6).mean == pytest.approx(evaluate(LEDUC, strategy).value, abs=1e-12)


@pytest.mark.slow
def test_an_interval_holds_the_value() -> None:
    dense = DenseCfr(LEDUC, variant("cfr"))
    strategy = dense.strategy(dense.step(dense.init(), 3))
    found = value_on_boards(strategy, 600, boards_at_once=100, seed=3)
    assert abs(found.mean - evaluate(LEDUC, strategy).value) < 2 * found.half_width
    assert 0 < found.half_width < 0.05
    assert found.n == 600


@pytest.mark.slow
def test_portions_do_not_matter() -> None:
    engine = BoardCfr(LEDUC, variant("lcfr"), boards_per_iteration=2, seed=7)
    once = engine.step(engine.init(), 40)
    again = engine.step(engine.step(engine.init(), 13), 27)
    assert all(np.array_equal(once[name], again[name]) for name in once)
    # Blocks of boards do not move with the steps, so neither does the number of groups that sums go over.
    assert [(first, some) for first, some, _ in engine.portions(13, 40)] == [(13, 19), (32, 21)]


def test_groups_keep_every_hand_once() -> None:
    boards = grouped_boards(EVERY, 0, 6)
    assert boards.weight.sum(axis=1).tolist() == [5] * 6
    assert boards.group.shape == (6, 5)
    assert boards.cards.shape == (6, 5, 1)
    for board in range(6):
        counted = np.bincount(boards.group[board], minlength=boards.weight.shape[1])
        assert counted.tolist() == boards.weight[board].tolist()


def test_hands_of_two_cards_meet_unless_they_share_one() -> None:
    boards = grouped_boards(BoardCfr(Problem(build_tree(game("limit2p")), buckets("pr5")), variant("cfr")).boards, 0, 1)
    board = kernels.BoardHands(*(np.asarray(x[0]) for x in boards))
    with jax.enable_x64(True):
        met = kernels.meet(board, 52, np.float64)
    apart = (board.cards[:, None, :, None] != board.cards[None, :, None, :]).all(axis=(2, 3))
    member = np.eye(len(board.rank))[board.group]
    expected = member.T @ apart @ member / apart.sum()
    np.testing.assert_allclose(met.joint, expected, atol=1e-15)
    wins = np.sign(board.rank[:, None] - board.rank[None, :])
    np.testing.assert_allclose(met.showdown, expected * wins, atol=1e-15)


@pytest.mark.slow
def test_sizes_found_on_all_boards_are_those_found_on_tables() -> None:
    rules = game("leduc-nolimit")
    cells = Lossless(rules)
    tree = build_sized_tree(rules, sides("all-in | fcpa", ([Range(0.8, 1.5)], [])))
    settings = BetsSettings(variant=variant("lcfr"))
    dense = DenseBets(tree, cells, settings, iterations=60, dtype="float64")
    board = BoardBets(tree, cells, settings, iterations=60, boards_per_iteration=6, dtype="float64")
    board.cfr.boards = EveryBoard(cells)
    ours, theirs = board.step(board.init(), 60), dense.step(dense.init(), 60)
    np.testing.assert_allclose(board.sizes(ours), dense.sizes(theirs), atol=1e-10)
    assert np.argmax(board.importance(ours)) == np.argmax(dense.importance(theirs))


@pytest.mark.slow
def test_cells_that_forget_are_measured() -> None:
    rules = game("leduc-nolimit")

    class Forgetful(Lossless):
        """Leduc as if its cells did not remember: nothing may ask for pairs of them."""

        pairs = None  # type: ignore[assignment]

    cells = Forgetful(rules)
    tree = build_sized_tree(rules, sides("all-in | fcpa", ([Range(0.8, 1.5)], [])))
    size = tree.middle
    found, strategy = game_value(tree, size, cells, iterations=400, target=0, engine="jax", boards=(8, 2000), seed=7)
    exact = evaluate(Problem(tree.tree(size), Lossless(rules)), strategy)
    assert (found.kind, found.n) == ("interval", 2000)
    assert abs(found.mean - exact.value) < 2 * found.half_width


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: BoardCfr(LEDUC, variant("cfr"), boards_per_iteration=0), "at least one board"),
        (lambda: BoardCfr(make_problem(game("kuhn3p")), variant("cfr")), "for two players"),
    ],
)
def test_what_is_refused(make: Any, says: str) -> None:
    with pytest.raises((PokerlabError, RulesError), match=says):
        make()
