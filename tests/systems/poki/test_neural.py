"""The small network learns what a player does, and starts as the default."""

import numpy as np
import pytest

from pokerlab.errors import FileError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.policies.formula import FormulaPolicy
from pokerlab.systems.poki import neural
from pokerlab.systems.poki.neural import N_INPUTS, Network, NeuralModels, TrainingRows, betting_inputs, by_kind
from pokerlab.table.match import MatchPlan, play_match


def test_a_stranger_is_the_default_player() -> None:
    view = State.start(game("limit2p"), tuple(range(52))).view(1, 0, ("a", "b"))
    actions, p = NeuralModels().model_of("nobody").by_combo(view, 1)
    expected_actions, expected = FormulaPolicy().by_combo(view, 1)
    assert actions == expected_actions
    np.testing.assert_allclose(p, expected, atol=1e-6)


def test_a_player_who_always_raises_is_found_out() -> None:
    models = NeuralModels("watcher")
    play_match(MatchPlan("limit2p", ("raiser", "caller"), hands=30, seed=1), agent, on_hand=models.observe)
    view = State.start(game("limit2p"), tuple(range(52))).view(1, 0, ("caller", "raiser"))
    raising, calling = (
        by_kind(*models.model_of(name).by_combo(view, 1))[0].mean(axis=0) for name in ("raiser", "caller")
    )
    assert raising[Kind.RAISE] > 0.8
    assert calling[Kind.CALL] > 0.8


def rows(n: int = 40, seed: int = 1) -> TrainingRows:
    """Decisions of a player who raises when its first input is positive, and calls otherwise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, N_INPUTS))
    default = np.full((n, 3), 1 / 3)
    kind = np.where(x[:, 0] > 0, int(Kind.RAISE), int(Kind.CALL))
    return TrainingRows(x, default, kind, np.ones((n, 3), np.bool_), np.ones(n))


def bits(network: Network, told: TrainingRows) -> float:
    p = network.chances(told.x, told.default, told.legal)
    return float(np.log2(p[np.arange(len(p)), told.kind]).mean())


def test_a_pass_goes_up_the_gradient() -> None:
    """The change of every weight after one small step is the gradient of the penalised likelihood, by differences."""
    told, start = rows(6), Network(trust=0.8)
    told = told._replace(default=np.random.default_rng(2).dirichlet(np.ones(3), 6), weight=np.linspace(0.2, 1, 6))
    start.out = np.random.default_rng(3).normal(size=start.out.shape)

    def objective(network: Network) -> float:
        p = network.chances(told.x, told.default, told.legal)[np.arange(6), told.kind]
        penalty = (network.out**2).sum() / 2 + (network.trust - 1) ** 2 / 2
        return float(told.weight @ np.log(p) - neural.PRIOR * penalty)

    after = Network(start.into.copy(), start.out.copy(), start.trust)
    after.learn(told)
    step, small = neural.RATE / (told.weight.sum() + neural.PRIOR), 1e-6
    for name, place in (("out", (1, 2)), ("into", (4, 1)), ("into", (N_INPUTS, 0))):
        moved = Network(start.into.copy(), start.out.copy(), start.trust)
        getattr(moved, name)[place] += small
        slope = (objective(moved) - objective(start)) / small
        assert (getattr(after, name)[place] - getattr(start, name)[place]) / step == pytest.approx(slope, abs=1e-4)
    moved = Network(start.into, start.out, start.trust + small)
    slope = (objective(moved) - objective(start)) / small
    assert (after.trust - start.trust) / (neural.SLOWER * step) == pytest.approx(slope, abs=1e-4)


def test_more_passes_learn_more() -> None:
    told, other = rows(), rows(seed=2)
    few, many = Network(), Network()
    few.learn(told)
    many.learn(told, passes=100)
    assert bits(Network(), other) == pytest.approx(-np.log2(3))
    assert bits(Network(), other) < bits(few, other) < bits(many, other) - 0.2


def test_the_default_can_be_distrusted() -> None:
    """A player who does the opposite of what the formula is sure of, and half of the time what it says."""
    told = rows(100)
    told = told._replace(x=np.zeros_like(told.x), default=np.where(np.arange(3) == told.kind[:, None], 0.98, 0.01))
    told = told._replace(kind=np.roll(told.kind, 1))
    network = Network()
    network.learn(told, passes=300)
    assert network.trust < 0.3


def test_only_so_much_is_remembered() -> None:
    kept = rows(10).then(rows(5, seed=2), most=8)
    assert [len(column) for column in kept] == [8] * 5
    assert np.array_equal(kept.x[3:], rows(5, seed=2).x)


def test_the_networks_are_told_whether_their_player_is_still_in() -> None:
    poki = agent("poki:neural")
    state = State.start(game("limit3p"), tuple(range(52)))
    names = ("a", "b", "c")
    poki.beliefs(state.view(state.betting.actor, 0, names))
    assert poki.models.watcher == names[state.betting.actor]
    inside = state.after(RaiseTo(20)).public(0, names)
    folded = state.after(FOLD).public(0, names)
    assert betting_inputs(inside, inside.betting.actor, poki.models.watcher)[-1] == 1
    assert betting_inputs(folded, folded.betting.actor, poki.models.watcher)[-1] == 0


def test_the_watcher_itself_is_not_modelled() -> None:
    models = NeuralModels("a")
    hand = HandHistory(game("limit2p"), tuple(range(9)), (CALL,) * 8, ("a", "b"))
    models.observe(hand)
    assert sorted(models._networks) == ["b"]
    assert models.count_of("a").sum() == 4


@pytest.mark.parametrize("name", ["out", "kind"])
def test_a_file_whose_numbers_have_another_type_is_read_or_refused(name, tmp_path) -> None:
    models = NeuralModels("watcher")
    play_match(MatchPlan("limit2p", ("raiser", "caller"), hands=3, seed=1), agent, on_hand=models.observe)
    models.save(tmp_path / "models.bin")
    about, arrays = read_arrays(tmp_path / "models.bin", neural.KIND)
    other = {"out": np.int64, "kind": np.float64}[name]  # found by fuzzing
    write_arrays(tmp_path / "models.bin", neural.KIND, about, {**arrays, name: arrays[name].astype(other)})
    again = NeuralModels("watcher")
    if name == "kind":
        with pytest.raises(FileError, match=r"kind of .* rows and columns of float64"):
            again.load(tmp_path / "models.bin")
    else:
        again.load(tmp_path / "models.bin")
        play_match(MatchPlan("limit2p", ("raiser", "caller"), hands=3, seed=2), agent, on_hand=again.observe)
        assert again._networks["raiser"].out.dtype == np.float64
