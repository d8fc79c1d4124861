"""Rake: engines against a walk over all pairs of hands with the chips of the table; where a cap always binds, the
linear program; and the bluffs and calls that the formula with rake gives."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.evaluate import rank_combos
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.actions import RaiseTo
from pokerlab.games.catalog import game as catalog_game
from pokerlab.games.pots import payoffs, rake_of
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.solvers.configs import SolveConfig, SubgameConfig
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.runs import engine_of
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.compact import CompactCfr
from pokerlab.solvers.subgames.small_river import SmallRiverCfr
from pokerlab.solvers.subgames.subgame import make_subgame, pot_shares
from pokerlab.trees.ending_pots import ending_pots
from pokerlab.valuing.showdowns import Showdowns
from pokerlab.valuing.simplified import costs_of
from pokerlab.valuing.spot_values import spot_values
from pokerlab.valuing.strategy_worth import worths

NARROW = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")
RIVER = {"board": "Ks7h2d5c8s", "pot": 100, "stack": 150, "sizes": "0.5p, 1p"}
TURN = {"board": "Ks7h2d5c", "pot": 100, "stack": 150, "sizes": "1p"}
FLOP = {"board": "Ks7h2d", "pot": 100, "stack": 60, "sizes": "1p"}
RAKE = {"rake": 5, "rake_cap": 9}  # of 100 chips it is 5, of 300 the cap


def random_strategy(game, seed):
    uniform = Strategy.uniform(game.tree, game.cells)
    rng = stream(seed, "strategy")
    return Strategy.from_sums(game.tree, game.cells, [p * rng.random(p.shape) ** 3 for p in uniform.p])


def by_hand(game, strategy, hero, *, best):
    """A player's chips on the river, hand by hand and ending by ending, from the chips that the table pays."""
    tree, cells, rules = game.tree, game.cells, game.tree.rules
    rank, total = rank_combos(cells.board)[cells.combos], 0.0
    apart = (cells.high[:, None] != cells.high) & (cells.low[:, None] != cells.low)
    apart &= (cells.high[:, None] != cells.low) & (cells.low[:, None] != cells.high)

    def value(place, hand, reach):
        if place < 0:
            spent, folded = tree.spent[~place].tolist(), int(tree.folded[~place])
            won = 0.0
            for other in np.flatnonzero(reach):
                strengths = [0, 0]
                strengths[hero], strengths[1 - hero] = int(rank[hand]), int(rank[other])
                won += reach[other] * float(payoffs(rules, spent, folded, strengths)[hero])
            return won
        p, edges = strategy.at(place), tree.edges(place)
        if tree.actor[place] != hero:
            return sum(value(int(tree.child[e]), hand, reach * p[a]) for a, e in enumerate(edges))
        of_action = [value(int(tree.child[e]), hand, reach) for e in edges]
        return max(of_action) if best else sum(v * p[a][hand] for a, v in enumerate(of_action))

    for hand in range(*cells.hands_of[hero]):
        total += cells.weights[hero][hand] * value(0, hand, cells.weights[1 - hero] * apart[hand])
    return total / cells.pair_weight


def test_values_and_best_responses_are_those_of_the_chips_paid():
    game = make_subgame(ranges=NARROW, **RIVER, **RAKE)
    strategy = random_strategy(game, 1)
    values = [by_hand(game, strategy, hero, best=False) for hero in (0, 1)]
    best = [by_hand(game, strategy, hero, best=True) for hero in (0, 1)]
    assert 5 < -sum(values) < 9
    for found in (evaluate(game, strategy), SubgameCfr(game).evaluate_strategy(strategy)):
        assert found.values == pytest.approx(values, abs=2e-5)
        assert found.best_response == pytest.approx(best, abs=2e-5)
        assert found.exploitability == pytest.approx((sum(best) - sum(values)) / 2, abs=2e-5)
    for engine in (SmallRiverCfr(game), CompactCfr(game, bits=32)):
        arrays = engine.step(engine.init(), 3)
        found, strategy = engine.evaluate(arrays), engine.strategy(arrays)
        assert found.values == pytest.approx([by_hand(game, strategy, q, best=False) for q in (0, 1)], abs=2e-5)
        assert found.best_response == pytest.approx([by_hand(game, strategy, q, best=True) for q in (0, 1)], abs=2e-5)


@pytest.mark.parametrize("spot", [TURN, FLOP], ids=["turn", "flop"])
def test_earlier_streets_are_those_of_all_pairs_of_hands(spot):
    game = make_subgame(ranges=NARROW, merge_suits=False, **spot, **RAKE)
    strategy = random_strategy(game, 2)
    expected, found = evaluate(game, strategy), SubgameCfr(game).evaluate_strategy(strategy)
    assert found.values == pytest.approx(expected.values, abs=3e-5)
    assert found.best_response == pytest.approx(expected.best_response, abs=3e-5)
    assert expected.rake > 5
    engine = CompactCfr(game, bits=32)
    arrays = engine.step(engine.init(), 3)
    expected, found = evaluate(game, engine.strategy(arrays)), engine.evaluate(arrays)
    assert found.values == pytest.approx(expected.values, abs=3e-5)
    assert found.best_response == pytest.approx(expected.best_response, abs=3e-5)


def test_where_the_cap_always_binds_it_is_the_linear_program_of_a_smaller_pot():
    """A constant rake of 8 makes a game of constant sum: that of a pot of 92, less 4 for each player."""
    ranges = ("AhAd, KcQc, Jh9h, 6h6s", "KdQd, 8h8d, QsJs, AcTc")
    chips = {"board": "Ks7h2d5c8s", "ranges": ranges, "stack": 150, "sizes": "50c, 120c, all-in"}
    solution = solve(SubgameCfr(make_subgame(**chips, pot=100, rake=10, rake_cap=8)), iterations=3000, target=0.005)
    exact = solve_lp(make_subgame(**chips, pot=92))
    assert solution.exploitability <= 0.005
    assert solution.evaluation.rake == pytest.approx(8, abs=1e-4)
    assert solution.value == pytest.approx(exact.value - 4, abs=0.006)


def test_bluffs_and_calls_are_those_of_the_formula():
    """Pot 100, bet 100, 5%: a call wins 185 or loses 100, a bluff wins 95 or loses 100."""
    game = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p", rake=5)
    for engine in (SubgameCfr(game), SmallRiverCfr(game)):
        solution = solve(engine, iterations=5000, target=0.01)
        assert solution.exploitability <= 0.01
        bet = solution.strategy.at(0)[1]
        bluffs = sum(bet[game.cells.hand_of(cards(hand))] for hand in ("JcTc", "JdTd", "JhTh", "JsTs"))
        assert bluffs == pytest.approx(6 * 100 / 185, abs=0.06)
        call = solution.strategy.at(game.tree.decision_after((RaiseTo(100),)))[1]
        kings = [call[game.cells.hand_of(cards(hand))] for hand in ("KcQc", "KdQh", "KhQs")]
        assert np.mean(kings) == pytest.approx(95 / 195, abs=0.02)


def test_a_spot_pays_the_house():
    game = make_subgame(ranges=NARROW, **RIVER, **RAKE)
    solution = solve(SubgameCfr(game), iterations=200, target=0.5)
    evaluation, values = solution.evaluation, spot_values(spot_at(solution.strategy))
    assert values.expected == pytest.approx([value + 50 for value in evaluation.values], abs=1e-3)
    assert sum(values.overall_equity) == pytest.approx(1, abs=1e-6)
    shares = pot_shares(game.tree.rules, solution.value, evaluation.rake)
    assert shares == pytest.approx([value / 100 for value in values.expected], abs=1e-5)
    exact = worths(solution.strategy, hands=1, boards=1, seed=1)[0]
    assert [seat.mean / 20 for seat in exact.seats] == pytest.approx(evaluation.values, abs=1e-3)  # a pot is 2,000 mbb
    rounded = costs_of(solution.strategy, [100])[0]
    assert min(rounded.against_solution) > -0.6 and rounded.solved == pytest.approx(solution.exploitability, abs=1e-4)


def test_tables_take_it():
    game = make_subgame(ranges=NARROW, **RIVER, **RAKE)
    rules, tree = game.tree.rules, game.tree
    assert rake_of(rules, (50, 50)) == 5 and rake_of(rules, (70, 200)) == 7 and rake_of(rules, (200, 200)) == 9
    assert payoffs(rules, (70, 200), 0b01, (0, 0)) == (-70, 63)  # what was not called is returned before
    assert payoffs(rules, (50, 50), 0, (1, 1)) == (-2.5, -2.5)
    assert payoffs(rules, (200, 200), 0, (1, 2)) == (-200, 191)
    pots = ending_pots(tree)
    for ending, strengths in ((e, s) for e in range(len(tree.spent)) for s in ([0, 1], [1, 1], [1, 0])):
        table = payoffs(rules, tree.spent[ending].tolist(), int(tree.folded[ending]), strengths)
        for seat in (0, 1):
            compiled = pots.payoffs(ending, seat, np.array([strengths], np.int32))[0]
            assert compiled == pytest.approx(float(table[seat]), abs=1e-9)
        assert sum(table) == pytest.approx(-float(tree.rake[ending]))


def test_who_cannot_take_it_says_so():
    game = make_subgame(ranges=NARROW, **RIVER, **RAKE)
    assert rules_from_json(rules_to_json(game.tree.rules)) == game.tree.rules
    with pytest.raises(RulesError, match="not zero-sum, and no linear program solves it"):
        solve_lp(game)
    with pytest.raises(RulesError, match="LBR and AIVAT, need a game without rake"):
        Showdowns(game.tree.rules)
    with pytest.raises(RulesError, match="rake is taken in subgames, not in whole games"):
        rules_from_json(rules_to_json(catalog_game("leduc")), rake=5)
    with pytest.raises(RulesError, match="a percentage of the pot with a cap in chips, not 101%"):
        make_subgame(ranges=NARROW, **RIVER, rake=101)
    settings = {"board": "Ks7h2d5c8s", "ranges": ("AA", "KQ"), "pot": 100, "stack": 90}
    with pytest.raises(PokerlabError, match="a cap of the rake needs a rake"):
        SubgameConfig(**settings, rake_cap=3)
    config = SubgameConfig(**settings, rake=4.5, rake_cap=2.5).solve
    assert (float(config.rules.rake), float(config.rules.rake_cap)) == (4.5, 2.5)
    with pytest.raises(PokerlabError, match="only the variants of CFR support rake and locks"):
        engine_of(SolveConfig(game=config.game, algorithm="mccfr"), game)
