"""Bet sizes on subgames: what endings are worth against all pairs of hands, BETS deal by deal, and grids of sizes."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.cards.card import cards
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import CardError, PokerlabError, RulesError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import DEFAULT_RANGES, Range
from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame, solve_sized
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree, build_sized_tree, sides
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.subgames.cfr import Passes, weights_of
from pokerlab.solvers.subgames.subgame import subgame_rules
from pokerlab.systems.bets.search import Search, search_sizes
from pokerlab.systems.bets.several_sizes import (
    APART,
    SeveralSizes,
    _fixed,
    at_an_end,
    both_sizes,
    changed,
    rounded,
    several_sizes,
)
from pokerlab.systems.bets.sized_solver import Known, SizedSolver, matched_edges, spot_memory
from pokerlab.systems.bets.spot_cost import spot_cost
from pokerlab.systems.bets.subgame_bets import (
    EndingWorth,
    SubgameBets,
    on_subgame,
    subgame_deals,
)
from pokerlab.systems.bets.subgame_sizes import (
    best_size,
    every_size,
    size_runs,
)

NARROW = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")
TWO_HILLS = ("QQ+, AKs, JTs", "22+, KQ")
RIVER, TURN = "Ks7h2d5c8s", "Ks7h2d5c"


def both_at(subgame, sizes):
    """The tree in which both players' first bets have these sizes."""
    tree, size = _fixed(subgame, sizes)
    return tree.tree(size)


def cells_of(board: str, ranges: tuple[str, str] = NARROW, *, merge: bool = False) -> SubgameCells:
    return SubgameCells(cards(board), (parse_range(ranges[0]), parse_range(ranges[1])), merge_suits=merge)


def sized_tree(board: str, range_: Range, *, stack: float = 150.0, text: str = "all-in | fcpa") -> SizedTree:
    rules = subgame_rules(board, NARROW, pot=100, stack=stack)
    return build_sized_tree(rules, sides(text, ([range_], [])), alpha=0)


@pytest.mark.parametrize("board", [RIVER, TURN], ids=["river", "turn"])
def test_endings_are_worth_what_all_pairs_of_hands_say(board: str) -> None:
    """Value is linear in stakes, so an ending's worth is the value of a game in which only that ending pays."""
    cells, sized = cells_of(board), sized_tree(board, Range(0.3, 0.6))
    tree = sized.tree((sized.bets.low + sized.bets.high) / 2)
    rng = stream(3, "strategy")
    uniform = Strategy.uniform(tree, cells)
    strategy = Strategy.from_sums(tree, cells, [p * rng.random(p.shape) ** 3 for p in uniform.p])
    game = Problem(tree, cells)
    worth = EndingWorth(Passes(game, 1)).by_ending(weights_of(strategy))
    np.testing.assert_array_equal(EndingWorth(Passes(game, 3)).by_ending(weights_of(strategy)), worth)
    assert worth.sum() == pytest.approx(evaluate(Problem(tree, cells), strategy).value, abs=2e-5)
    for ending in range(0, len(worth), 1 if board == RIVER else 9):
        spent = np.zeros_like(tree.spent)
        spent[ending] = tree.stake[ending]
        only = evaluate(Problem(replace(tree, spent=spent), cells), strategy).value
        assert worth[ending] == pytest.approx(only, abs=2e-5)


def test_boards_that_stand_for_others_count_as_many() -> None:
    ranges = ("AA, QQ, JTs", "KQs, 99, QQ")
    found = []
    for merge in (False, True):
        cells, sized = cells_of("Ks7s2h5h", ranges, merge=merge), sized_tree(TURN, Range(0.3, 0.6))
        bets = SubgameBets(sized, cells, BetsSettings(n=10), iterations=10, threads=1)
        found.append(bets.step(bets.init(), 10)["size"])
        assert cells.merged == merge
    np.testing.assert_allclose(found[0], found[1], rtol=2e-4)
    assert np.ptp(found[0]) > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cfr+", "dcfr"])
def test_the_size_is_that_of_bets_deal_by_deal(name: str) -> None:
    """Other arithmetic and another order of updates, the same answer."""
    ranges = ("AA, JTs", "KQ, 77")
    cells = cells_of(RIVER, ranges)
    whole = sized_tree(RIVER, Range(0.3, 0.9), stack=200, text="all-in")
    tree = build_sized_tree(whole.shape.rules, sides("all-in", ([Range(0.3, 0.9)], [])), {("r0",): Range(0.3, 0.9)},
                            adds="none")  # fmt: skip
    fast = SubgameBets(tree, cells, BetsSettings(variant=variant(name), discounted=True), iterations=1500, threads=1)
    slow = Bets(tree, cells, deals_of(cells.pairs), BetsSettings(), iterations=6000)
    size = fast.sizes(fast.step(fast.init(), 1500))
    assert size == pytest.approx(slow.sizes(slow.step(slow.init(), 6000)), abs=0.01)
    assert 0.5 < size[0] < 0.75


def test_the_average_strategy_belongs_to_the_sizes() -> None:
    cells, tree = cells_of(RIVER), sized_tree(RIVER, Range(0.3, 0.6))
    bets = SubgameBets(tree, cells, BetsSettings(variant=variant("dcfr")), iterations=400, threads=1)
    state = bets.step(bets.init(), 400)
    found, expected = bets.evaluate(state), evaluate(Problem(bets.strategy(state).tree, cells), bets.strategy(state))
    assert found.value == pytest.approx(expected.value, abs=1e-3)
    assert found.exploitability == pytest.approx(expected.exploitability, abs=1e-3)
    assert found.exploitability < 0.1


def test_sampled_deals_are_those_of_the_ranges() -> None:
    cells = cells_of(TURN)
    deals = subgame_deals(subgame_rules(TURN, NARROW, pot=100, stack=100), cells, 3000, seed=1)
    assert deals.cells.shape == (3000, 2, 2)
    seen = np.bincount(deals.cells[:, 0, 0], minlength=cells.n_hands) / 3000
    np.testing.assert_allclose(seen, cells.pairs.joint[0][0].sum(axis=1), atol=0.03)
    assert deals.result.mean() == pytest.approx(cells.pairs.showdown[1].sum(), abs=0.06)


def test_every_bet_of_a_player_by_several_runs_with_pruning() -> None:
    """REFINED-BETS on a river: two ranges a decision, then the most important of each."""
    rules = subgame_rules(RIVER, NARROW, pot=100, stack=900)
    both = sides("fcpa | all-in", ([], [Range(0.3, 0.5), Range(0.9, 1.2)]))
    sizer = on_subgame(cells_of(RIVER), BetsSettings(variant=variant("dcfr")), 60, n_deals=500, threads=1)
    first, last = search_sizes(rules, both, sizer, Search(runs=2, extra=0))
    decisions = [path[:-1] for path in last.tree.paths]
    assert len(decisions) == len(set(decisions)) >= 2
    assert (first.importance > 0).any() and set(first.tree.bets.player) == {1}


# One bet


def test_a_trapped_start_is_noticed() -> None:
    """From the whole range the size climbs the lower of two hills; a usual size is worth more, and is kept."""
    spot = make_sized_subgame("KsQh7d2c3s", TWO_HILLS, pot=100, stack=300, player=0)
    *_, alone = size_runs(SizedSolver(spot, threads=1))
    found = best_size(spot, threads=1)
    assert alone.size > 1.1 and found.restarted and found.size < 0.3
    assert found.evaluation.value > found.without.value + 2
    assert found.evaluation.value >= max(each.evaluation.value for each in found.usual)


@pytest.mark.parametrize(("board", "hands"), [(RIVER, ("AA, QJ", "KQ, KJ, 77")), (TURN, ("AA, QJs", "KQs, 77"))])
@pytest.mark.slow
def test_sizes_solved_one_after_the_other_are_worth_what_they_are_alone(board: str, hands: tuple[str, str]) -> None:
    """Also where the tree changes in between, and with two sizes after one; what is given up is surely worse."""
    spot = make_sized_subgame(board, hands, pot=100, stack=200, player=1)
    solver = SizedSolver(spot, target=0.05, threads=1)
    for sizes in ((0.3,), (0.4,), (1.5,), (0.4, 1.2), ()):
        alone = solve_sized(spot, spot.at(*sizes), target=0.05, threads=1).evaluation
        after = solver.solve(*sizes).evaluation
        assert after.value == pytest.approx(alone.value, abs=0.1) and after.exploitability <= 0.05
        rival = -alone.value + 2
        given_up = copy(solver).solve(*sizes, rival=rival, rough=2).evaluation
        assert given_up.best_response[1] < rival and given_up.exploitability <= 2


def test_a_flop_beyond_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = make_sized_subgame("Ks7h2d", ("AA, QQ", "KQs"), pot=100, stack=200, player=0)
    assert 10e6 < spot_memory(spot) < 200e6
    monkeypatch.setattr("pokerlab.systems.bets.sized_solver.available_memory", lambda: 9_000_000)
    for ask in (best_size, both_sizes, spot_cost):
        with pytest.raises(PokerlabError, match=r"this flop subgame takes 0\.\d+ GB, and 0\.01 GB are free: narrow"):
            ask(spot)


def test_regrets_are_handed_on_by_what_was_done_before() -> None:
    spot = make_sized_subgame(RIVER, ("AA, QJ", "KQ, KJ, 77"), pot=100, stack=200, player=0)
    one, two = spot.sized(Range(0.5, 0.5)), spot.sized(Range(0.45, 0.45), Range(1.6, 1.6))
    known = Known(one, np.array([0.5]), {})
    before = matched_edges(two, np.array([0.45, 1.6]), known)
    assert [str(one.shape.action(edge)) for edge in before[:4]] == [
        "call",
        "raise to 50",
        "raise to 50",
        "raise to 200",
    ]
    for edge in np.flatnonzero(before >= 0):
        assert one.shape.kind[before[edge]] == two.shape.kind[edge]
    facing = two.shape.decision_after([two.shape.action(2)])  # the larger bet leaves no raise but all-in
    assert [str(one.shape.action(before[edge])) for edge in two.shape.edges(facing)] == ["fold", "call", "raise to 200"]


def test_regrets_go_from_fixed_sizes_to_the_nearest_ones() -> None:
    rules = subgame_rules(RIVER, ("AA, QJ", "KQ, KJ, 77"), pot=100, stack=200)
    trees = [build_sized_tree(rules, sides(text, ([], []))) for text in ("0.3p, 1p, all-in", "0.4p, all-in")]
    before = matched_edges(trees[1], np.empty(0), Known(trees[0], np.empty(0), {}))
    first = [str(trees[0].shape.action(before[edge])) for edge in trees[1].shape.edges(0)]
    assert first == ["call", "raise to 30", "raise to 200"]


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_the_size_found_is_as_good_as_a_grid(player: int) -> None:
    spot = make_sized_subgame(RIVER, ("25%", "22-JJ, KQ, KJs, A5s, 98s"), pot=60, stack=150, player=player)
    done: list[tuple[int, int]] = []
    found = best_size(spot, threads=1, report=lambda *step: done.append(step))
    worths = {
        size: spot.to_player(solve_sized(spot, spot.at(size), threads=1).evaluation)
        for size in np.geomspace(*spot.whole_range, 9)
    }
    assert spot.to_player(found.evaluation) >= max(worths.values()) - 0.002 * spot.pot
    assert done[-1][0] == done[-1][1] and spot.before == ((), ("c",))[player]


@pytest.mark.slow
def test_a_turn_has_the_opponents_sizes_on_the_river() -> None:
    spot = make_sized_subgame(TURN, ("AA, QJs", "KQ"), pot=100, stack=300, player=1)
    tree = spot.at(0.5)
    assert {str(size) for size in tree.size if size is not None} == {"0.5p", "1p", "all-in"}
    sized = [edge for edge in range(tree.n_edges) if str(tree.size[edge]) == "0.5p"]
    assert len(sized) == 1 and tree.edge_street[sized[0]] == 0 and tree.actor[tree.edge_decision[sized[0]]] == 1
    first, *_ = size_runs(SizedSolver(spot, threads=1))
    assert spot.whole_range.low <= first.size <= spot.whole_range.high


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(RulesError, match="too few for any size but all-in"):
        best_size(make_sized_subgame(RIVER, ("AA", "KQ"), pot=100, stack=8, player=0))
    with pytest.raises(PokerlabError, match="player 2 is not one of 0"):
        make_sized_subgame(RIVER, ("AA", "KQ"), pot=100, stack=100, player=2)
    with pytest.raises(RulesError, match="the opponent is one player"):
        make_sized_subgame(RIVER, ("AA", "KQ"), pot=100, stack=100, player=0, opponent="fcpa | all-in")
    with pytest.raises(RulesError, match="has no all-in"):
        best_size(make_sized_subgame(RIVER, ("AA", "KQ"), pot=100, stack=100, player=0, opponent="1p"))
    with pytest.raises(CardError, match="no hand of the range"):
        make_sized_subgame(RIVER, ("KsKd", "KQ"), pot=100, stack=100, player=0)
    with pytest.raises(PokerlabError, match="are exact"):
        SubgameBets(sized_tree(RIVER, Range(0.3, 0.6)), cells_of(RIVER), BetsSettings(exact=False), iterations=5)


# Several sizes

DEEP = ("AA,99,A9s,KQs,76s,87s", "A2s-AKs,AT,AJ,AQ,TT,JJ")


def test_more_sizes_are_never_worth_less() -> None:
    spot = make_sized_subgame("KsQh7d2c3s", TWO_HILLS, pot=100, stack=300, player=0)
    first = best_size(spot, target=0.1, threads=1)
    one, two, *more = several_sizes(spot, first, 3)
    values = [spot.to_player(some.solution.evaluation) for some in (one, two, *more)]
    assert one.sizes == (first.size,) and values == sorted(values) and len(more) <= 1
    assert all(later > APART * size for some in (two, *more) for size, later in pairwise(some.sizes))
    whole = rounded(first.solver, two, 5)
    assert all(size * 20 == pytest.approx(round(size * 20)) for size in whole.sizes)
    assert values[1] > values[0] + 0.1  # one size cannot be on both hills
    assert not at_an_end(spot, first.size) and at_an_end(spot, spot.whole_range.high)


def test_sizes_that_meet_are_no_more_sizes() -> None:
    """A second size moved to where the first one is, and stood as another answer of one size."""
    ranges = ("QQ+, AKs, JTs, T9s", "22+, KQ, QJs")
    spot = make_sized_subgame("KsQh7d2c3s", ranges, pot=100, stack=300, player=1, opponent="0.5p, 1p, all-in")
    found = several_sizes(spot, best_size(spot, threads=1), 2)
    assert [len(some.sizes) for some in found] in ([1], [1, 2])


@pytest.mark.parametrize("number", [1, 2])
def test_sizes_of_every_bet_are_worth_what_a_usual_size_is(number: int) -> None:
    """Ranges far below the best size were kept, and were worth less than 2.5 pots everywhere."""
    spot = make_sized_subgame("Ah9h5c5d3s", DEEP, pot=30, stack=300, player=0)
    found = every_size(spot, DEFAULT_RANGES[number], Search(runs=3), iterations=200, target=0.1, threads=1)
    value = spot.to_player(found.solution.evaluation)
    assert found.restarted and value >= max(spot.to_player(each.evaluation) for each in found.usual)
    assert value > 1.95  # chips over half the pot; two ranges alone had 1.82


# Raises, and both players at once

SETS = ("AA,99,A9s,KQs,76s,87s,AK,AQ,KJ", "A2s-AKs,AT,AJ,AQ,TT,JJ,55")


def test_a_raise_is_as_good_as_a_grid() -> None:
    spot = make_sized_subgame("Ah9h5c5d3s", SETS, pot=100, stack=600, player=1, facing=0.33)
    found = best_size(spot, threads=1)
    value = spot.to_player(found.evaluation)
    grid = [
        spot.to_player(solve_sized(spot, spot.at(float(size)), threads=1).evaluation)
        for size in np.geomspace(*spot.whole_range, 8)
    ]
    assert value > max(grid) - 0.05 and value > spot.to_player(found.without) + 0.2
    assert value >= max(spot.to_player(each.evaluation) for each in found.usual)
    assert spot.chips(found.size) == pytest.approx(33 + 166 * found.size)


@pytest.mark.parametrize(("player", "before"), [(0, (CALL, RaiseTo(50))), (1, (RaiseTo(50),))])
def test_a_raise_stands_after_the_bet_alone(player: int, before: tuple) -> None:
    spot = make_sized_subgame("Ks7h2d5c8s", ("AA", "KQ"), pot=100, stack=900, player=player, facing=0.5)
    tree = spot.at(0.6)
    at = tree.decision_after(before)
    assert tree.actor[at] == player
    assert tree.actions(at) == (FOLD, CALL, RaiseTo(170), RaiseTo(900))
    other = tree.decision_after((CALL, RaiseTo(100)) if player == 0 else (RaiseTo(100),))  # the pot, of fcpa
    assert tree.actions(other) == (FOLD, CALL, RaiseTo(900))
    assert spot.whole_range.low == pytest.approx(50 / 200)  # the bet again, of the pot after a call
    solver = SizedSolver(spot, target=1)
    assert rounded(solver, SeveralSizes((0.6,), solver.solve(0.6)), 25).sizes == (0.625,)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"facing": 0.001}, r"a bet of 0.001 pots cannot be raised; it must be from 0.01 to under 2"),
        ({"facing": 2.0}, r"a bet of 2 pots cannot be raised"),
        ({"facing": 0.5, "max_raises": 1}, r"a raise needs two raises a street, and the game has 1"),
    ],
)
def test_a_bet_that_cannot_be_raised(given: dict, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        make_sized_subgame("Ks7h2d5c8s", ("AA", "KQ"), pot=100, stack=200, player=1, **given)


def test_stacks_too_short_for_a_raise() -> None:
    spot = make_sized_subgame("Ks7h2d5c8s", ("AA", "KQ"), pot=100, stack=200, player=1, facing=0.9)
    with pytest.raises(RulesError, match=r"2 pots behind are too few for any size but all-in after a bet of 0.9"):
        best_size(spot)


def test_neither_player_would_leave_its_size() -> None:
    spot = make_sized_subgame("Ah9h5c5d3s", ("30%", "40%"), pot=100, stack=300, player=0)
    found = both_sizes(spot, threads=1)
    value = found.solution.evaluation.value
    for size in (0.1, 0.35, 0.9, 1.2, 2.0):  # none of them among those that were tried
        first, second = (
            solve_sized(spot, both_at(spot, changed(found.sizes, player, size)), threads=1).evaluation.value
            for player in (0, 1)
        )
        assert first < value + 0.1 and second > value - 0.1
    assert max(found.gains) < 0.05
    worst = [max(abs(each.evaluation.value - value) for each in usual) for usual in found.usual]
    assert min(worst) > 0.5  # sizes do matter here


def test_the_pair_is_that_of_one_player_at_a_time() -> None:
    """With one player's size fixed, its tree is the tree of the other's one bet."""
    spot = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
    tree = both_at(spot, (0.5, 0.8))
    assert tree.actions(0) == (CALL, RaiseTo(50), RaiseTo(200))
    assert tree.actions(tree.decision_after((CALL,))) == (CALL, RaiseTo(80), RaiseTo(200))
    assert tree.actions(tree.decision_after((RaiseTo(50),))) == (FOLD, CALL, RaiseTo(200))
