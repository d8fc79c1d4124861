"""Subgames against the generic solvers on a few hands, toy games with known answers, and equity."""

from itertools import product

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.equity import equity
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import CardError, PokerlabError, RulesError
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.runs.steps import Watch
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame, pot_shares, solving_memory

RIVER = {"board": "Ks7h2d5c8s", "pot": 100, "stack": 150, "sizes": "0.5p, 1p"}
TURN = {"board": "Ks7h2d5c", "pot": 100, "stack": 150, "sizes": "1p"}
FLOP = {"board": "Ks7h2d", "pot": 100, "stack": 60, "sizes": "1p"}
NARROW = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")


def random_strategy(game, seed):
    uniform = Strategy.uniform(game.tree, game.cells)
    rng = stream(seed, "strategy")
    return Strategy.from_sums(game.tree, game.cells, [p * rng.random(p.shape) ** 3 for p in uniform.p])


@pytest.mark.parametrize("spot", [RIVER, TURN, FLOP], ids=["river", "turn", "flop"])
def test_values_and_best_responses_are_those_of_all_pairs_of_hands(spot):
    """Sweeps with card removal, deals and all-ins that run out, against matrices of pairs made one by one."""
    game = make_subgame(ranges=NARROW, merge_suits=False, **spot)
    for seed in range(2):
        strategy = random_strategy(game, seed)
        expected = evaluate(game, strategy)
        found = SubgameCfr(game).evaluate_strategy(strategy)
        assert found.value == pytest.approx(expected.value, abs=2e-5)
        assert found.best_response == pytest.approx(expected.best_response, abs=2e-5)


def test_many_hands_on_the_river_are_those_of_all_pairs():
    """With 200 and 300 hands: ties, blocked hands and hands in one range only occur in numbers."""
    game = make_subgame(ranges=("22+, A2s+, K9s+, QTs+:0.5", "25%"), **RIVER)
    strategy = random_strategy(game, 1)
    expected = evaluate(game, strategy)
    found = SubgameCfr(game).evaluate_strategy(strategy)
    assert found.value == pytest.approx(expected.value, abs=2e-5)
    assert found.best_response == pytest.approx(expected.best_response, abs=2e-5)


@pytest.mark.parametrize("seed", range(4))
def test_random_ranges_on_random_rivers(seed):
    """Ranges of any overlap, from none to all hands of one in the other; weights at random."""
    rng = stream(seed, "ranges")
    weights = np.where(rng.random((2, 1326)) < [[0.02 + 0.03 * seed], [0.1]], rng.random((2, 1326)), 0.0)
    if seed == 3:
        weights[0] = np.where(weights[1] > 0, 0.0, weights[0])
    board = rng.permutation(52)[:5].tolist()
    game = make_subgame(board, (weights[0], weights[1]), pot=31, stack=77, sizes="0.7p | 1p, all-in", max_raises=3)
    strategy = random_strategy(game, seed)
    expected = evaluate(game, strategy)
    found = SubgameCfr(game).evaluate_strategy(strategy)
    assert found.value == pytest.approx(expected.value, abs=2e-5)
    assert found.best_response == pytest.approx(expected.best_response, abs=2e-5)


@pytest.mark.slow
def test_solution_is_that_of_the_linear_program():
    """Another method altogether, on a turn subgame of few hands."""
    game = make_subgame(ranges=("AhAd, KcQc, Jh9h, 6h6s", "KdQd, 8h8d, QsJs"), merge_suits=False, **TURN)
    solution = solve(SubgameCfr(game), iterations=3000, target=0.002)
    exact = solve_lp(game)
    assert solution.exploitability <= 0.002
    assert solution.value == pytest.approx(exact.value, abs=0.002)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_gets_there(name):
    game = make_subgame(ranges=NARROW, **RIVER)
    solution = solve(SubgameCfr(game, VARIANTS[name]), iterations=400, every=400)
    assert solution.exploitability < (1.0 if name == "cfr" else 0.2)
    bounds = solution.evaluation.bounds
    assert bounds.low <= solution.value <= bounds.high


def test_bluffs_and_bluff_catchers():
    """A pot-sized bet: two hands of value to a bluff, and the caller defends half. Nobody blocks anybody here."""
    game = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
    solution = solve(SubgameCfr(game), iterations=5000, target=0.005)
    opening = game.tree.edges(0)
    bet = solution.strategy.at(0)[[game.tree.action(e) for e in opening].index(RaiseTo(100))]
    value = [bet[game.cells.hand_of(cards(hand))] for hand in ("AhAd", "AcAs")]
    bluffs = sum(bet[game.cells.hand_of(cards(hand))] for hand in ("JcTc", "JdTd", "JhTh", "JsTs"))
    assert value == pytest.approx([1, 1], abs=0.01)
    assert bluffs == pytest.approx(3, abs=0.05)  # to the six aces
    call = solution.strategy.at(game.tree.decision_after((RaiseTo(100),)))[1]
    assert np.mean([call[game.cells.hand_of(cards(hand))] for hand in ("KcQc", "KdQh", "KhQs")]) == pytest.approx(
        0.5, abs=0.02
    )
    assert solution.value == pytest.approx(40, abs=0.01)  # nine of ten hands win the pot, one gives it up


@pytest.mark.parametrize("board", ["Ks7h2d5c8s", "Ks7s2h5h", "KsQs2s"], ids=["river", "turn", "flop"])
def test_checked_down_it_is_equity(board):
    """The flop and the turn have suits that stand for others."""
    ranges = ("AK, 99-66, 87s:0.5", "QQ, AJ:0.25, T9s")
    game = make_subgame(board, ranges, pot=100, stack=100, sizes="none")
    engine = SubgameCfr(game)
    value = engine.evaluate(engine.init()).value
    expected = equity([parse_range(text) for text in ranges], cards(board), method="exact").equity
    assert pot_shares(game.tree.rules, value) == pytest.approx(expected, abs=2e-6)
    assert game.cells.merged == (len(board) < 10)


def test_standing_for_other_boards_changes_nothing():
    ranges = ("AK, 66, 87s:0.5", "QQ, AJ:0.25, T9s")
    found = []
    for merge_suits in (True, False):
        game = make_subgame("Ks7s2h5h", ranges, pot=100, stack=150, sizes="1p", merge_suits=merge_suits)
        found.append((game, solve(SubgameCfr(game), iterations=20, every=20)))
    (merged, one), (apart, other) = found
    assert (merged.cells.n_boards[1], apart.cells.n_boards[1]) == (35, 48)
    assert one.value == pytest.approx(other.value, abs=1e-3)
    assert one.evaluation.best_response == pytest.approx(other.evaluation.best_response, abs=1e-3)
    decision = merged.tree.decision_after((CALL, CALL))
    for card, hole in product(("9c", "9d", "9h"), ("AcKd", "8d7d", "AsKc")):
        board = cards("Ks7s2h5h" + card)
        p = one.strategy.at(decision)[:, merged.cells.of_hand(cards(hole), board)]
        assert p == pytest.approx(other.strategy.at(decision)[:, apart.cells.of_hand(cards(hole), board)], abs=1e-3)


@pytest.mark.slow
def test_suits_can_trade_places():
    """Every card relabelled, on an asymmetric spot: the same game."""
    trade = str.maketrans("cdhs", "hscd")
    plain = make_subgame(ranges=NARROW, **TURN)
    board = TURN["board"].translate(trade)
    renamed = [",".join(part.translate(trade) for part in text.split(",")) for text in NARROW]
    traded = make_subgame(**{**TURN, "board": board}, ranges=(renamed[0], renamed[1]))
    one, other = (
        SubgameCfr(game).evaluate_strategy(Strategy.uniform(game.tree, game.cells)) for game in (plain, traded)
    )
    assert one.value == pytest.approx(other.value, abs=1e-5)
    assert one.best_response == pytest.approx(other.best_response, abs=1e-5)
    # Rounding sends the two runs different ways where actions are equally good, to values no further apart than this.
    solved = [solve(SubgameCfr(game), iterations=1000, target=0.05) for game in (plain, traded)]
    assert abs(solved[0].value - solved[1].value) <= 2 * sum(s.exploitability for s in solved) <= 0.2


def test_swapping_the_ranges_of_a_checked_down_pot_negates_the_value():
    values = []
    for ranges in (NARROW, NARROW[::-1]):
        engine = SubgameCfr(make_subgame("Ks7h2d5c8s", ranges, pot=100, stack=10, sizes="none"))
        values.append(engine.evaluate(engine.init()).value)
    assert values[0] == pytest.approx(-values[1], abs=1e-5)
    assert abs(values[0]) > 1


@pytest.mark.parametrize("spot", [TURN, FLOP], ids=["turn", "flop"])
def test_threads_do_not_matter(spot):
    game = make_subgame(ranges=NARROW, **spot)
    states = []
    for threads in (1, 2, 3):
        engine = SubgameCfr(game, threads=threads)
        states.append(engine.step(engine.init(), 3))
    for state in states[1:]:
        assert all(np.array_equal(state[name], states[0][name]) for name in state)


@pytest.mark.parametrize("name", ["dcfr", "pcfr+"])
def test_a_run_continues_to_the_bit(tmp_path, name):
    game = make_subgame(ranges=NARROW, **TURN)
    engine = SubgameCfr(game, VARIANTS[name])
    file = tmp_path / "checkpoint"
    solve(engine, iterations=7, watch=Watch(file))
    continued = solve(engine, iterations=12, watch=Watch(file))
    straight = solve(engine, iterations=12)
    assert all(np.array_equal(p, q) for p, q in zip(continued.strategy.p, straight.strategy.p, strict=True))
    assert continued.value == straight.value


def test_what_cannot_be_is_said():
    with pytest.raises(CardError, match="3, 4 or 5 cards, not 2"):
        make_subgame("Ks7h", NARROW, pot=1, stack=1)
    with pytest.raises(CardError, match="no two hands that can be dealt together on Ks7h2d5c8s"):
        make_subgame("Ks7h2d5c8s", ("AhAd", "AhKh"), pot=1, stack=1)
    with pytest.raises(RulesError, match="needs a pot and chips behind it, not 10 and 0"):
        make_subgame("Ks7h2d5c8s", NARROW, pot=10, stack=0)
    with pytest.raises(CardError, match="9c9d is in neither range on Ks7h2d5c8s"):
        make_subgame(ranges=NARROW, **RIVER).cells.hand_of(cards("9c9d"))
    with pytest.raises(PokerlabError, match=r"takes .* GB; there are 0\.001 GB"):
        SubgameCfr(make_subgame("Ks7h2d", ("random", "random"), pot=10, stack=90), memory=10**6)
    with pytest.raises(PokerlabError, match="players update in turn"):
        SubgameCfr(make_subgame(ranges=NARROW, **RIVER), Variant("both", "", alternating=False))


def test_estimate_counts_what_is_kept():
    game = make_subgame(ranges=NARROW, **TURN)
    engine = SubgameCfr(game)
    kept = sum(array.nbytes for array in engine.init().values())
    assert kept < solving_memory(game) < 3 * kept
