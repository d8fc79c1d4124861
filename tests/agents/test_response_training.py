"""Training against the best response: the response is the exact one, its gradient adds up, and play gets better."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.agents import _response_training_jax as kernels
from pokerlab.agents.response_training import ResponseSettings, ResponseTraining, Schedule
from pokerlab.games.catalog import game
from pokerlab.trees.betting_tree import build_tree
from pokerlab.valuing.exact_response import ExactResponse
from pokerlab.valuing.exact_response_boards import FlopBoards, boards_of_flop

LIMIT = game("limit2p")
ONE_BET = build_tree(replace(LIMIT, streets=tuple(replace(street, max_raises=1) for street in LIMIT.streets)))
THREES = (4, 5, 6)
BOARDS = 36


@pytest.fixture(scope="module")
def training() -> ResponseTraining:
    return small_training()


def small_training(cards="pr5") -> ResponseTraining:
    """Three turns of a flop of three equal ranks, with one bet a street."""
    return ResponseTraining(ONE_BET, buckets(cards), ResponseSettings(turns=3, seed=1), workers=1)


def few_boards(training) -> FlopBoards:
    """Some rivers of three turns, as the training takes them; a device's batch is smaller than a turn."""
    boards = training.prepared(THREES, np.random.default_rng(2).permutation(49))
    return FlopBoards(boards.batches[:3], boards.cards, BOARDS)


def random_regrets(training, seed=1):
    rng, arrays = np.random.default_rng(seed), training.init()
    drawn = ("regret", "hero")
    return {
        name: rng.random(array.shape, np.float32) ** 3 if name.startswith(drawn) else array
        for name, array in arrays.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("cards", ["pr5", pytest.param("ir100", marks=pytest.mark.thorough)])
def test_the_response_is_exact_and_its_gradient_adds_up_to_its_value(cards):
    """With cells that remember, and with cells that forget. In a process of its own: by the flags of the tests
    (conftest.py), XLA adds up numbers of 16 bits in 16 bits."""
    environment, command = {**os.environ, "XLA_FLAGS": "--xla_backend_optimization_level=0"}, [__file__, cards]
    checked = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "both players\n"), checked.stderr[-3000:]


def check_response(cards):
    training = small_training(cards)
    state, boards = training.state(random_regrets(training)), few_boards(training)
    passed = training.passes(state, boards, training.every_line)
    check_values(training, state, boards, passed)
    check_gradient(passed, boards)
    print("both players")


def check_values(training, state, boards, passed):
    """The values are those of the exact response to the present strategy."""
    arrays = training.init()
    for hero, of_hero in enumerate(state):
        averages = kernels.add_average(
            of_hero.average,
            passed.tables[hero],
            passed.cells,
            boards.cards,
            passed.came[hero],
            passed.entries[hero],
            1.0,
        )
        arrays |= {f"average/{hero}/{street}": np.asarray(taken) for street, taken in enumerate(averages)}
    exact = ExactResponse(training.strategy(arrays), halves=False, workers=1)
    plain = boards_of_flop(
        THREES, exact.lookup, exact.cells.n_cells, 12, order=np.random.default_rng(2).permutation(49), most_turns=3
    )
    expected = exact.values(FlopBoards(plain.batches[:3], plain.cards, BOARDS))
    assert np.abs(expected).max() > 1_000
    assert np.abs(np.asarray(passed.values) - expected).max() < 1e-3 * np.abs(expected).max()


def check_gradient(passed, boards):
    """The value is of degree one in the weights of hands: their sum with the gradient is the value (Euler)."""
    cells, cards = passed.cells, boards.cards
    for hero, (tables, gradient) in enumerate(zip(passed.tables, passed.gradients, strict=True)):
        value = float((passed.values[hero] * passed.weights[hero]).sum())
        parts = [float((gradient.flop * weights_on(tables, (cells.preflop,), cells.flop)).sum())]
        on_turn, on_river = 0.0, 0.0
        for turn, of_turn in enumerate(cells.turn):
            live = cards.turn_live[turn]
            before = (cells.preflop, cells.flop)
            on_turn += float((gradient.turn[turn] * weights_on(tables, before, of_turn)).sum())
            to_river = np.prod(
                [np.asarray(t)[c] for t, c in zip(tables.to_river, (*before, of_turn), strict=True)], axis=0
            )
            on_river += float((live[:, None] * to_river * np.asarray(gradient.exits[turn]).T).sum())
        parts += [on_turn, on_river]
        assert sum(parts) == pytest.approx(value, rel=1e-3)
        assert min(map(abs, parts)) > 1e-3 * abs(value), "every street counts"


def weights_on(tables, before, cells):
    """[combo, leaf, entry]: what the folds of a street pay, times the weights of the trained player's hands."""
    folds = tables.folds[len(before)][cells]
    return folds * kernels.reach_of(tables, before, len(before))[:, None, :]


@pytest.mark.slow
def test_a_player_that_trains_on_the_same_boards_loses_less_and_less_to_its_response(training):
    state, values = training.state(training.init()), []
    boards = _small(training, 1)
    for iteration in range(1, 11):
        state, sums = training.iterate(state, boards, iteration)
        values.append(sum(map(float, sums)))
    assert np.mean(values[-3:]) < 0.7 * values[0], "uniform play loses far more"


@pytest.mark.slow
def test_a_resumed_training_has_the_same_bits(training, monkeypatch):
    monkeypatch.setattr(training, "_flop", lambda iteration: _small(training, iteration))
    at_once = training.step(training.init(), 2)
    first = {name: np.asarray(array) for name, array in training.step(training.init(), 1).items()}
    again = training.step(first, 1)
    assert sorted(at_once) == sorted(again)
    for name, array in at_once.items():
        assert np.array_equal(np.asarray(array), np.asarray(again[name])), name
    assert int(at_once["iteration"]) == 2
    strategy = training.strategy(at_once)
    assert strategy.at(0).sum(axis=0) == pytest.approx(np.ones(5))


def _small(training, iteration):
    boards = training.prepared(THREES, np.random.default_rng(iteration).permutation(49))
    return FlopBoards(boards.batches[:1], boards.cards, 12)


@pytest.mark.slow
def test_lines_that_are_not_taken_change_nothing_and_the_others_learn_as_with_all(training):
    state, boards = training.state(random_regrets(training)), _small(training, 1)
    whole, _ = training.iterate(state, boards, 5)
    part, _ = training.iterate(state, boards, 5, np.array([[0, 2], [1, 2]]))
    discount = 5**1.5 / (5**1.5 + 1)
    for hero, taken in ((0, [0, 2]), (1, [1, 2])):
        for street in (1, 2, 3):
            old, new, full = (np.asarray(of[hero].regret[street]) for of in (state, part, whole))
            n_after = old.shape[2] // 3
            on = np.isin(np.arange(old.shape[2]) // n_after, taken)
            apart = np.abs(new[:, :, on] - full[:, :, on]) > 0.01 * np.abs(full).max()
            assert apart.mean() < 2e-3, "sums in 16 bits turn a few close choices of the hero"
            assert new[:, :, ~on] == pytest.approx(old[:, :, ~on] * discount, rel=1e-5)
            assert np.abs(full[:, :, ~on] - old[:, :, ~on] * discount).max() > 0.1
        other = next(line for line in range(3) if line not in taken)
        assert not np.asarray(part[hero].line_values)[:, other].any(), "no value was seen there"
        assert np.asarray(part[hero].line_values)[:, taken].any()


def test_the_likeliest_lines_are_taken_always_and_the_others_in_turn(training):
    wide = ResponseTraining(ONE_BET, buckets("pr5"), ResponseSettings(turns=3, lines=2, seed=1), workers=1)
    likely = np.array([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]])
    assert [wide.lines(likely, i).tolist() for i in (0, 1)] == [[[1, 2], [0, 2]], [[1, 0], [0, 1]]]
    assert training.lines(likely, 0).tolist() == [[0, 1, 2], [0, 1, 2]], "all by default"
    even = training.line_weights(training.state(training.init()))
    assert even.shape == (2, 3)
    assert even.max() < 0.6


def test_every_flop_comes_by_its_chance_with_other_turns_each_time():
    chance = np.array([24.0, 12.0, 4.0] * 20)
    schedule = Schedule(chance / chance.sum(), seed=3)
    rows = [schedule.visit(i)[0] for i in range(800)]
    counts = np.bincount(rows, minlength=60)
    assert np.abs(counts - 800 * chance / chance.sum()).max() < 2
    assert [schedule.visit(i)[1] for i, row in enumerate(rows) if row == rows[0]] == list(range(counts[rows[0]]))


def test_advantages_are_what_actions_gain_over_the_mean():
    # a street where the trained player bets or checks, and the hero then folds (leaf 0) or calls
    shape = ("opponent", ((0, ("on", 0)), (1, ("hero", (("fold", 0), ("on", 1))))))
    form = kernels.StreetForm(shape, "opponent", ((0, 1),), 2, 1)
    p = jnp.array([[[0.25], [0.75]]])
    value, advantage = kernels.advantages(form, p, jnp.array([[[4.0], [1.0]]]), jnp.array([[[7.0]]]))
    assert float(value[0, 0]) == 0.25 * 4 + 0.75 * 8
    assert advantage[0, :, 0].tolist() == [4 - 7, 8 - 7]
    on, folds, taken = kernels.sequences(form, p, jnp.array([[0.5]]))
    assert (on[0, :, 0].tolist(), folds[0, 0, 0], taken[0, :, 0].tolist()) == ([0.125, 0.375], 0.375, [0.125, 0.375])


def test_regrets_are_discounted_and_may_stay_below_zero():
    shape = ("opponent", ((0, ("on", 0)), (1, ("hero", (("fold", 0), ("on", 1))))))
    form = kernels.StreetForm(shape, "opponent", ((0, 1),), 2, 1)
    regret, on, folds = jnp.array([[[1.0], [3.0]]]), jnp.array([[[4.0], [1.0]]]), jnp.array([[[7.0]]])
    # the hero's gains are 3 below their mean of 7 after the first action, and 1 above after the second
    learned = kernels._learned(form, regret, on, folds, kernels.CarriedOver(np.float32(0.5), np.float32(0)))
    assert learned[0, :, 0].tolist() == [0.5 + 3, 1.5 - 1]
    cut = kernels._learned(form, regret, on, folds, kernels.CarriedOver(np.float32(0.1), np.float32(0)))
    kept = kernels._learned(form, regret, on, folds, kernels.CarriedOver(np.float32(0.1), np.float32(-np.inf)))
    assert cut[0, :, 0].tolist() == pytest.approx([3.1, 0])
    assert kept[0, :, 0].tolist() == pytest.approx([3.1, -0.7])


if __name__ == "__main__":
    check_response(sys.argv[1])
