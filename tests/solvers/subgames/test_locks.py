"""Locks: every engine against the readable form and the linear program; opponents whose mistake has a known price."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import RaiseTo
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.rng import stream
from pokerlab.runs.steps import Watch
from pokerlab.solvers.configs import SolveConfig, SubgameConfig
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.locks import imposed
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.runs import engine_of, problem_of, run_solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.compact import CompactCfr
from pokerlab.solvers.subgames.locking import locked_problem, parse_locks
from pokerlab.solvers.subgames.small_river import SmallRiverCfr
from pokerlab.solvers.subgames.subgame import make_subgame, subgame_rules
from pokerlab.valuing.river_again import spot_in
from pokerlab.valuing.spot_values import spot_values

NARROW = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")
RIVER = {"board": "Ks7h2d5c8s", "pot": 100, "stack": 150, "sizes": "0.5p, 1p"}
TURN = {"board": "Ks7h2d5c", "pot": 100, "stack": 150, "sizes": "1p"}
FLOP = {"board": "Ks7h2d", "pot": 100, "stack": 60, "sizes": "1p"}
ON_RIVER = (
    "first: AhAd, 6h6s bet 100 30%; bet 50: KdQd fold 20%, 8h8d call 80%, AhKh raise to 150 0%; "
    "check: QsJs bet 100 100%"
)
ON_TURN = (
    "first: 7c7s, AhAd bet 100 25%; bet 100: KdQd fold 40%; check, check: Jh9h bet 100 100%; "
    "check, check / 9c / check: check 50%"
)
ON_FLOP = (
    "check: all-in 10%; check, check: AhAd, AhKh check 75%; check, check / 9c / check, check / 3d: 6h6s all-in 40%"
)
SPOTS = {"river": (RIVER, ON_RIVER), "turn": (TURN, ON_TURN), "flop": (FLOP, ON_FLOP)}
NUTS = ("AA, JTs", "KQ")


def keeping_locks(game, strategy):
    p = [np.array(part) for part in strategy.p]
    for decision, lock in game.locks.at.items():
        first = game.tree.row[game.tree.first_edge[decision]]
        rows = p[game.tree.street[decision]][first : first + len(lock)]
        rows[:] = imposed(rows, lock)
    return Strategy(game.tree, game.cells, tuple(p))


def random_strategy(game, seed):
    uniform = Strategy.uniform(game.tree, game.cells)
    rng = stream(seed, "strategy")
    drawn = Strategy.from_sums(game.tree, game.cells, [p * rng.random(p.shape) ** 3 for p in uniform.p])
    return keeping_locks(game, drawn)


def same(found, expected):
    assert found.value == pytest.approx(expected.value, abs=3e-5)
    assert found.best_response == pytest.approx(expected.best_response, abs=3e-5)
    assert found.unlocked == pytest.approx(expected.unlocked, abs=3e-5)
    assert all(free >= best - 3e-5 for free, best in zip(found.unlocked, found.best_response, strict=True))


@pytest.mark.parametrize("name", ["river", "turn", pytest.param("flop", marks=pytest.mark.slow)])
def test_values_and_best_responses_are_those_of_all_pairs_of_hands(name):
    spot, lock = SPOTS[name]
    game = make_subgame(ranges=NARROW, merge_suits=False, lock=lock, **spot)
    strategy = random_strategy(game, 1)
    expected = evaluate(game, strategy)
    same(SubgameCfr(game).evaluate_strategy(strategy), expected)
    assert expected.unlocked[1] > expected.best_response[1] + 0.1  # the locks cost something
    for engine in (CompactCfr(game, bits=32), *([SmallRiverCfr(game)] if name == "river" else [])):
        arrays = engine.step(engine.init(), 4)
        strategy = engine.strategy(arrays)
        for decision, lock in game.locks.at.items():
            p = strategy.at(decision)
            held = game.cells.live[game.tree.street[decision]].reshape(-1) > 0
            fixed = (lock >= 0) & held
            assert np.abs(p - lock)[fixed].max() < 1e-6
        same(engine.evaluate(arrays), evaluate(game, strategy))


@pytest.mark.parametrize("spot", ["river", pytest.param("turn", marks=pytest.mark.slow)])
def test_solutions_are_those_of_the_linear_program(spot):
    chips, lock = SPOTS[spot]
    game = make_subgame(ranges=NARROW, merge_suits=False, lock=lock, **chips)
    exact = solve_lp(game)
    assert exact.exploitability < 1e-6
    assert abs(exact.value - solve_lp(replace(game, locks=None)).value) > 0.1
    engines = [SubgameCfr(game), CompactCfr(game)] + ([SmallRiverCfr(game)] if spot == "river" else [])
    for engine in engines:
        solution = solve(engine, iterations=4000, target=0.02)
        assert solution.exploitability <= 0.02
        assert solution.value == pytest.approx(exact.value, abs=0.03)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_keeps_its_locks(name):
    game = make_subgame(ranges=NARROW, lock=ON_RIVER, **RIVER)
    for engine in (SubgameCfr(game, VARIANTS[name]), SmallRiverCfr(game, VARIANTS[name])):
        solution = solve(engine, iterations=400, every=400)
        assert solution.exploitability < (1.0 if name == "cfr" else 0.2)


@pytest.mark.parametrize("engine", [SubgameCfr, SmallRiverCfr, CompactCfr])
def test_one_who_never_bluffs_is_not_called(engine):
    """Only aces bet: bluff-catchers fold. The caller gains the 30 chips that bluffs won from folds and lost checks."""
    game = make_subgame("Ks7h2d5c8s", NUTS, pot=100, stack=100, sizes="1p", lock="first: JTs bet 100 0%")
    solution = solve(engine(game), iterations=5000, target=0.01)
    assert solution.exploitability <= 0.01
    call = solution.strategy.at(game.tree.decision_after((RaiseTo(100),)))[1]
    kings = [call[game.cells.hand_of(cards(hand))] for hand in ("KcQc", "KdQh", "KhQs")]
    assert max(kings) < 0.01
    assert solution.value == pytest.approx(10, abs=0.02)  # six hands of ten win the pot
    assert solution.evaluation.unlocked[0] == pytest.approx(50, abs=0.5)  # who bluffs always wins it always
    free = solve(engine(replace(game, locks=None)), iterations=5000, target=0.01)
    assert free.value - solution.value == pytest.approx(30, abs=0.05)


def test_one_who_calls_too_much_is_not_bluffed():
    game = make_subgame("Ks7h2d5c8s", NUTS, pot=100, stack=100, sizes="1p", lock="bet 100: call 75%")
    solution = solve(SmallRiverCfr(game), iterations=3000, target=0.01)
    bet = solution.strategy.at(0)[1]
    assert max(bet[game.cells.hand_of(cards(hand))] for hand in ("JcTc", "JdTd", "JhTh", "JsTs")) < 0.01
    assert min(bet[game.cells.hand_of(cards(hand))] for hand in ("AhAd", "AcAs")) > 0.99
    assert solution.value == pytest.approx(0.6 * (50 + 75) - 0.4 * 50, abs=0.02)


def test_a_player_locked_as_saved_meets_a_best_response(tmp_path):
    free = make_subgame(ranges=NARROW, **RIVER)
    strategy = Strategy.from_sums(free.tree, free.cells, random_strategy_sums(free))
    save_strategy(tmp_path / "strategy.bin", strategy, {})
    expected = evaluate(free, strategy)
    game = make_game(lock="player 1: saved", lock_from=str(tmp_path))
    solution = solve(SmallRiverCfr(game), iterations=3000, target=0.01)
    assert solution.value == pytest.approx(expected.best_response[0], abs=0.05)
    p, theirs = solution.strategy.at(1), strategy.at(1)
    held = game.cells.weights[1] > 0
    assert np.abs(p - theirs)[:, held].max() < 1e-6
    one = make_game(lock="check: KdQd saved", lock_from=str(tmp_path))
    (lock,) = one.locks.at.values()
    hand = one.cells.hand_of(cards("KdQd"))
    assert lock[:, hand] == pytest.approx(theirs[:, hand]) and (np.delete(lock, hand, axis=1) < 0).all()


def random_strategy_sums(game):
    rng = stream(3, "sums")
    return [rng.random((len(edges), n)) for edges, n in zip(game.tree.edges_on, game.cells.n_cells, strict=True)]


def make_game(ranges=NARROW, **settings):
    return problem_of(SubgameConfig(ranges=ranges, **{**RIVER, **settings}).solve)


def test_other_ranges_take_what_the_saved_strategy_has(tmp_path):
    free = make_subgame(ranges=NARROW, **RIVER)
    strategy = Strategy.from_sums(free.tree, free.cells, random_strategy_sums(free))
    save_strategy(tmp_path / "strategy.bin", strategy, {})
    game = make_game(ranges=(NARROW[0], "KdQd, 9h9d"), lock="check: saved", lock_from=str(tmp_path))
    (lock,) = game.locks.at.values()
    kings, nines = (game.cells.hand_of(cards(hand)) for hand in ("KdQd", "9h9d"))
    assert lock[:, kings] == pytest.approx(strategy.at(1)[:, free.cells.hand_of(cards("KdQd"))])
    assert (lock[:, nines] < 0).all()
    with pytest.raises(PokerlabError, match="the saved strategy has other actions after check: check, bet 50, bet 100"):
        make_game(sizes="0.5p, 1p, all-in", lock="check: saved", lock_from=str(tmp_path))
    with pytest.raises(PokerlabError, match="is for Ks7h2d5c8s, not Ks7h2d5c9s"):
        make_game(board="Ks7h2d5c9s", lock="check: saved", lock_from=str(tmp_path))


def test_locks_that_name_suits_keep_boards_apart(tmp_path):
    """A board of two suits stands for others unless a lock tells them apart, and its strategy is read back."""
    chips = {"board": "Ks7s2h5h", "ranges": ("AK, 66", "QQ, T9s"), "pot": 60, "stack": 90, "sizes": "1p"}
    n_boards = {
        lock: problem_of(SubgameConfig(**chips, lock=lock).solve).cells.n_boards[1]
        for lock in (
            "first: AK bet 60 0%",
            "check, check: 66 bet 60 0%",
            "first: AcKc bet 60 0%",
            "check, check / 9c: bet 60 0%",
        )
    }
    assert list(n_boards.values()) == [35, 35, 48, 48]
    config = replace(SubgameConfig(**chips, lock="check, check / 9c: bet 60 0%", iterations=20).solve, target=None)
    run_solve(config, tmp_path / "run")
    saved = load_strategy(tmp_path / "run")
    decision = saved.strategy.tree.decision_after((saved.strategy.tree.action(0),) * 2)
    bets = saved.strategy.at(decision)[1].reshape(48, -1)[:, saved.strategy.cells.weights[0] > 0]
    board = saved.strategy.cells.board_of(cards("9c"))[0]
    assert bets[board].max() == 0 and bets[saved.strategy.cells.board_of(cards("9d"))[0]].max() > 0
    assert saved.about["lock"] == config.lock
    with pytest.raises(PokerlabError, match="merge_suits=False"):
        make_subgame(**chips, lock="first: AcKc bet 60 0%")


@pytest.mark.parametrize("engine", [SubgameCfr, CompactCfr])
def test_a_run_continues_to_the_bit_and_no_other_locks_take_it(tmp_path, engine):
    game = make_subgame(ranges=NARROW, lock=ON_TURN, merge_suits=False, **TURN)
    file = tmp_path / "checkpoint"
    solve(engine(game), iterations=7, watch=Watch(file))
    continued = solve(engine(game), iterations=12, watch=Watch(file))
    straight = solve(engine(game), iterations=12)
    assert all(np.array_equal(p, q) for p, q in zip(continued.strategy.p, straight.strategy.p, strict=True))
    with pytest.raises(PokerlabError):
        solve(engine(replace(game, locks=None)), iterations=13, watch=Watch(file))


@pytest.mark.parametrize(
    ("lock", "says"),
    [
        ("bet 7: KdQd call 50%", "'bet 7' is not among the actions of the tree after the deal: check, bet 50, bet 100"),
        ("check, check: KdQd call 50%", "the hand is over after check, check"),
        ("check / 9c: KdQd check 50%", "9c cannot follow Ks7h2d5c8s"),
        ("check: AhAd bet 50 50%", "lock 'check': AhAd is not in the range of player 1"),
        ("check: KdQd, 99 bet 50 50%", "lock 'check': 99 is not in the range of player 1"),
        ("check: KdQd:0.5 bet 50 50%", "hands of a lock have no weights"),
        ("check: KdQd bet 50 101%", "a frequency is from 0 to 100%, not 101%"),
        ("check: KdQd bet 50 -1%", "a frequency is from 0 to 100%, not -1%"),
        ("check: KdQd bet 50 60%, bet 100 60%", "the actions of KdQd add up to 120%"),
        ("check: check 10%, bet 50 20%, bet 100 30%", "add up to 60%"),
        ("check: KdQd bet 50 60%, KdQd bet 50 10%", "KdQd bet 50 is locked twice"),
        ("check: KdQd bet 60 50%", "'bet 60' is not among the actions of the tree after check"),
        ("check: KdQd fold 50%", "'fold' is not among the actions"),
        ("check: KdQd bet 50", "'KdQd bet 50' is not HANDS ACTION PERCENT%"),
        ("check KdQd bet 50 50%", "is not a lock; write SPOT: HANDS ACTION PERCENT%"),
        ("check:", "is not a lock"),
        ("check: KdQq bet 50 50%", "KdQq"),
        ("check: saved", "name the strategy that is meant by 'saved' with --lock-from"),
        ("player 1: call 50%", "everything a player does is locked as 'saved', not by frequency"),
    ],
)
def test_bad_locks_are_one_line(lock, says):
    game = make_subgame(ranges=NARROW, **RIVER)
    with pytest.raises(PokerlabError) as error:
        parse_locks(lock, game.tree, game.cells)
    assert says in str(error.value) and "\n" not in str(error.value)


def test_what_locks_are_for():
    with pytest.raises(PokerlabError, match="locks are for subgames"):
        problem_of(SolveConfig(game="kuhn", lock="first: bet 1 50%"))
    with pytest.raises(PokerlabError, match="lock must say what is saved in runs/x"):
        SubgameConfig(ranges=NARROW, **RIVER, lock_from="runs/x")
    config = SubgameConfig(ranges=NARROW, **RIVER, lock=ON_RIVER).solve
    with pytest.raises(PokerlabError, match="only the variants of CFR support rake and locks"):
        engine_of(replace(config, algorithm="mccfr"), problem_of(config))


@pytest.mark.parametrize("engine", [SubgameCfr, CompactCfr])
def test_standing_for_other_boards_changes_nothing(engine):
    """Locks by class hold on every board, stored or not."""
    chips = {"board": "Ks7s2h5h", "ranges": ("AK, 66, 87s:0.5", "QQ, AJ:0.25, T9s"), "pot": 100, "stack": 150}
    lock = "first: 66 bet 100 20%; check, check: AK, 87s bet 100 75%; check, check, check: T9s, QQ check 60%"
    merged, apart = (
        solve(engine(make_subgame(**chips, sizes="1p", lock=lock, merge_suits=merge)), iterations=60, every=60)
        for merge in (True, False)
    )
    assert [len(one.strategy.cells.boards[1]) for one in (merged, apart)] == [35, 48]
    near = 1e-3 if engine is SubgameCfr else 0.2  # rounding of 16 bits is random
    assert merged.value == pytest.approx(apart.value, abs=near)
    assert merged.evaluation.best_response == pytest.approx(apart.evaluation.best_response, abs=near)
    assert merged.evaluation.unlocked == pytest.approx(apart.evaluation.unlocked, abs=near)


@pytest.mark.slow
def test_flops_kept_without_rivers():
    """What locks leave of the ranges reaches a river, with rake; locks of rivers would be lost, and are refused."""
    chips = {**FLOP, "ranges": NARROW, "rake": 5, "merge_suits": False}
    aces = "first: 6h6s check 0%, AhAd check 100%; check, check: AhAd check 100%; check: check 100%"
    game = make_subgame(**chips, lock=aces)
    strategy = solve(CompactCfr(game, most_kept=0), iterations=60, every=60).strategy
    assert strategy.values and len(strategy.p) == 2
    spot = spot_in(strategy, "check, check / 9c / check, check / 3d", threads=1)
    values = spot_values(spot)
    assert values.weight[0][combo_index(*cards("6h6s"))] == 0 < values.weight[0][combo_index(*cards("AhAd"))]
    assert sum(values.expected) == pytest.approx(95, abs=4) and sum(values.expected) < 95.001
    with pytest.raises(PokerlabError, match="lock earlier streets"):
        CompactCfr(make_subgame(**chips, lock="check, check, check, check: 6h6s check 0%"), most_kept=0)


def test_a_river_with_locks_on_suits_can_be_compared_with_the_unlocked_one():
    """It has no boards to keep apart, so both have the same cards."""
    rules = subgame_rules("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100)
    game = locked_problem(rules, "1p", "first: JcTc check 100%", None)
    assert game.cells.name == "lossless" and list(game.locks.at) == [0]
