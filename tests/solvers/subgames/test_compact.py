"""The engine of large subgames against the plain one, and strategies kept without rivers."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import milestones, solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames import groups
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.compact import CompactCfr, compact_memory
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.valuing.river_again import spot_in
from pokerlab.valuing.spot_values import spot_values

NARROW = ("AsAh, KcQc, 7d6d, 9h8h:0.5", "KhQh, QsQd, AdJd, 7c7s:0.25")
SPOTS = {
    "river": {"board": "Ks7h2d5c8s", "sizes": "0.5p, 1p", "max_raises": 3},
    "turn": {"board": "Ks7h2d5c", "sizes": "0.5p, all-in", "max_raises": 2},
    "flop": {"board": "Ks7h2d", "sizes": "1p", "max_raises": 1},
    "alike": {"board": "Ks7s2s", "sizes": "1p", "max_raises": 1},  # suits trade places
}


def made(name, **changes):
    settings = {"ranges": NARROW, "pot": 100, "stack": 300, **SPOTS[name], **changes}
    return make_subgame(settings.pop("board"), settings.pop("ranges"), **settings)


@pytest.fixture(params=SPOTS)
def game(request):
    ranges = NARROW if request.param != "alike" else ("AA, QJs", "KK, QQ:0.5")
    return made(request.param, ranges=ranges)


def random_tables(engine, seed):
    """The engine's arrays with random sums."""
    rng, arrays = np.random.default_rng(seed), engine.init()
    for street, n in enumerate(engine.n_numbers):
        sums = rng.integers(0, 32768, n) * (rng.random(n) < 0.8)
        arrays[f"sums{street}"][:] = sums.astype(arrays[f"sums{street}"].dtype)
    return arrays


@pytest.mark.parametrize("rows", [1, 320])
def test_any_strategy_is_worth_what_the_plain_engine_says(game, rows, monkeypatch):
    monkeypatch.setattr(groups, "ROWS_PER_GROUP", rows)
    engine = CompactCfr(game, threads=1)
    arrays = random_tables(engine, 3)
    ours, plain = engine.evaluate(arrays), SubgameCfr(game).evaluate_strategy(engine.strategy(arrays))
    assert ours.value == pytest.approx(plain.value, abs=2e-3)
    assert ours.best_response == pytest.approx(plain.best_response, abs=2e-3)
    assert abs(plain.value) > 0.5 and plain.exploitability > 5


def test_one_iteration_is_that_of_the_plain_engine(game):
    plain, engine = SubgameCfr(game), CompactCfr(game, bits=32)
    there, here = (each.strategy(each.step(each.init(), 2)) for each in (plain, engine))
    for street, (one, other) in enumerate(zip(there.p, here.p, strict=True)):
        live = np.concatenate(game.cells.live[street]) > 0
        assert np.abs(one - other)[:, live].mean() < 1e-4  # equal regrets may round to either side


@pytest.mark.parametrize("bits", [16, 32])
@pytest.mark.slow
def test_it_converges_to_the_same_value(bits):
    game = made("turn", ranges=("88+, AQs, KTs", "55, 66, KQ, QJs"))
    found = solve(CompactCfr(game, bits=bits), iterations=2000, target=0.1)
    exact = solve(SubgameCfr(game), iterations=2000, target=0.02)
    assert found.exploitability <= 0.1 and found.value == pytest.approx(exact.value, abs=0.15)
    again = SubgameCfr(game).evaluate_strategy(found.strategy)  # 32 bits throughout
    assert again.exploitability == pytest.approx(found.exploitability, abs=0.002)


@pytest.mark.parametrize("name", ["turn", "flop"])
def test_threads_do_not_matter_and_runs_continue_to_the_bit(name):
    game = made(name)
    whole = CompactCfr(game, threads=1).step(CompactCfr(game).init(), 5)
    engine = CompactCfr(game, threads=3)
    parts = engine.step({key: value.copy() for key, value in engine.step(engine.init(), 2).items()}, 3)
    assert all(np.array_equal(whole[key], parts[key]) for key in whole)
    assert whole["regret1"].dtype == np.int16 and np.abs(whole["regret1"]).max() in (32766, 32767)


def test_tables_hold_live_hands_of_the_actor_alone():
    game = made("flop")
    engine = CompactCfr(game)
    kept = sum(array.nbytes for name, array in engine.init().items() if name.startswith(("regret", "sums")))
    scales = 8 * sum(len(part.hands.n) * len(part.walk.actor) for part, _ in engine.streets)
    assert kept == 4 * sum(engine.n_numbers) + scales
    assert 0.8 * compact_memory(game) < 4 * sum(engine.n_numbers) < compact_memory(game)
    hands = [game.cells.orders[2][player].n for player in (0, 1)]
    assert engine.n_numbers[2] == sum(
        int((game.tree.actor[game.tree.edge_decision[game.tree.edges_on[2]]] == player).sum()) * int(n.sum())
        for player, n in enumerate(hands)
    )


@pytest.mark.parametrize(("board", "run_outs"), [("Ks7h2d", 2352), ("Ks7s2d", 1429)])
def test_trading_suits_saves_nothing_on_three_suits_and_two_fifths_on_two(board, run_outs):
    game = make_subgame(board, ("30%", "40%"), pot=55, stack=975, sizes="1p", max_raises=1)
    assert game.cells.n_boards[-1] == run_outs
    apart = make_subgame(board, ("30%", "40%"), pot=55, stack=975, sizes="1p", max_raises=1, merge_suits=False)
    assert apart.cells.n_boards[-1] == 49 * 48
    assert compact_memory(game) / compact_memory(apart) == pytest.approx(run_outs / 2352, abs=0.005)


def test_what_cannot_be_is_said():
    with pytest.raises(PokerlabError, match="GB: offer fewer sizes"):
        CompactCfr(made("flop"), memory=1000)
    with pytest.raises(PokerlabError, match=r"pcfr\+: large subgames are solved by cfr, .*dcfr\+ or hs-dcfr\+$"):
        CompactCfr(made("flop"), VARIANTS["pcfr+"])


def test_measurements_on_the_way_to_a_target_begin_late():
    assert list(milestones(40, first=CompactCfr.first_look)) == [19, 23, 29, 37, 40]


class Falling:
    """An engine whose exploitability after t iterations is 100 / t^2."""

    first_look, few_looks, about = 16, True, {}

    def init(self):
        return {"iteration": np.array(0)}

    def step(self, arrays, n):
        return {"iteration": arrays["iteration"] + n}

    def evaluate(self, arrays):
        return Evaluation(0.0, (100 / float(arrays["iteration"]) ** 2,) * 2)

    def strategy(self, arrays):
        return None


def test_an_engine_that_asks_for_few_measurements_gets_them_near_the_target():
    looks = [look.iteration for look in solve(Falling(), iterations=1000, target=0.002).looks]
    assert looks == [16, 26, 43, 71, 115, 188, 218, 229]  # 224 are needed
    every = [look.iteration for look in solve(Falling(), iterations=1000, target=0.002, every=100).looks]
    assert every == [100, 200, 300]


# --- kept without rivers ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept():
    """A solved flop, whole and without rivers."""
    game = made("flop", ranges=("AsAh, KcQc, 7d6d, 9h8h", "KhQh, QsQd, AdJd, 7c7s"))
    engine = CompactCfr(game)
    arrays = engine.step(engine.init(), 40)
    whole = engine.strategy(arrays)
    return whole, CompactCfr(game, most_kept=0).strategy(arrays)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "bet 100", "check, bet 100, call / 9c", "check, check / 9c / check"])
def test_values_are_those_of_the_whole_strategy(kept, text, tmp_path):
    whole, less = kept
    assert len(whole.p) == 3 and len(less.p) == 2 and not whole.values
    save_strategy(tmp_path / "less.bin", less, {})
    for strategy in (less, load_strategy(tmp_path / "less.bin").strategy):
        expected, found = spot_values(spot_at(whole, text)), spot_values(spot_in(strategy, text))
        for name in ("ev", "p"):
            assert getattr(found, name) == pytest.approx(getattr(expected, name), abs=2e-2, nan_ok=True)
        for name in ("value", "chance", "equity"):
            for ours, theirs in zip(getattr(found, name), getattr(expected, name), strict=True):
                assert ours == pytest.approx(theirs, abs=2e-2, nan_ok=True)


def test_a_river_is_solved_again_with_the_ranges_that_reach_it(kept):
    whole, less = kept
    text = "check, check / 9c / check, check / 2c"
    there, here = spot_at(whole, f"{text} / check"), spot_in(less, f"{text} / check")
    assert here.street == 0 and here.pot == there.pot and here.actor == there.actor == 1
    assert here.actions == there.actions
    expected, found = spot_values(there), spot_values(here)
    held = expected.weight[1] > 1e-3
    assert found.weight[1][held] / found.weight[1].max() == pytest.approx(
        expected.weight[1][held] / expected.weight[1].max(), abs=2e-2
    )
    assert found.expected == pytest.approx(expected.expected, abs=5.0)  # the flop is only nearly solved


def test_without_rivers_it_is_shown_not_played(kept):
    for use in (StrategyPolicy, SubgameCfr(Problem(kept[1].tree, kept[1].cells)).evaluate_strategy):
        with pytest.raises(PokerlabError, match="kept without rivers: it can be shown, not played or compared"):
            use(kept[1])
    with pytest.raises(PokerlabError, match="kept without rivers"):
        kept[1].at(int(np.flatnonzero(kept[1].tree.street == 2)[0]))


def test_values_of_wide_ranges_are_kept_without_rivers():
    """The cells of a turn are more than 16 bits can count: 49 boards of 1,176 hands."""
    game = make_subgame("Ks7h2d", ("random", "random"), pot=10, stack=10, sizes="none")
    engine = CompactCfr(game, most_kept=0, threads=1)
    strategy = engine.strategy(engine.init())
    values = strategy.values[1][0]
    assert values.shape[1] == 49 * 1176
    assert np.abs(values[-1, -1176:]).max() > 0
