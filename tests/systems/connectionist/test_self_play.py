"""Training of the connectionist player: gradients, learning rates, checkpoints, and what goes wrong."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from pokerlab.errors import FileError, PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.runs.steps import Watch, take_steps
from pokerlab.systems.connectionist.parameters import initial_parameters, load_parameters
from pokerlab.systems.connectionist.population import with_tiles
from pokerlab.systems.connectionist.settings import PLAYERS_DRAWN, TrainSettings

jax = pytest.importorskip("jax")
jnp = jax.numpy

from pokerlab.systems.connectionist import _decide_jax as deciding  # noqa: E402
from pokerlab.systems.connectionist import _learn_jax as learning  # noqa: E402
from pokerlab.systems.connectionist import _play_jax as playing  # noqa: E402
from pokerlab.systems.connectionist import _structure_jax as structure  # noqa: E402
from pokerlab.systems.connectionist import _update_jax as updating  # noqa: E402
from pokerlab.systems.connectionist import self_play, training  # noqa: E402
from pokerlab.table import _lanes_jax as table  # noqa: E402

SMALL = TrainSettings(
    players=3, hands=64 * 6, batch=64, pool=1, shrinks=(), seed=3, rate=0.05, observer_rate=0.05, parts=2
)


DEALT = jax.jit(updating.dealt, static_argnums=(0, 1))


@pytest.fixture(scope="module")
def batch():
    """(settings, learner, deals, the batch, its lessons) of 64 hands of three players."""
    settings = replace(SMALL, parts=1, shrinks=(2,), self_aware=True, skip_crowded=False, strangers=0.5)
    deals, features = self_play.drawn_pool(settings, 0)
    pool = updating.Pool(deals.ranks, *features)
    drawn = initial_parameters(seed=3, spread=0.5)
    effects = np.random.default_rng(3).normal(size=(4, 8, 8)).astype(np.float32)
    parameters = with_tiles(drawn._replace(own=drawn.opponents[:, ::-1] * 0.7), seed=3)._replace(tile_effects=effects)
    learner = updating.learner_of(parameters)
    hands = DEALT(settings.form, settings.knobs, pool, 0, jax.random.key(1))

    @jax.jit
    def played(learner):
        return playing.play(settings.form, hands, (deciding.mind_of(learner.parameters, hands),), key)

    @jax.jit
    def lessons(learner, played):
        return learning.lessons_of(settings.form, settings.knobs, learner, hands, played, key)

    key = jax.random.key(2)
    found = played(learner)
    return settings, learner, hands, found, lessons(learner, found)


def decisions_of(played):
    """The columns of the log that are decisions."""
    return np.flatnonzero(np.asarray(played.log.row) < playing.NO_ROW)


@pytest.mark.slow
def test_a_batch_is_played_to_its_end_and_chips_balance(batch):
    _, _, _, played, _ = batch
    np.testing.assert_allclose(played.net.sum(axis=0), 0, atol=1e-4)
    assert len(decisions_of(played)) == int(played.decisions)
    assert played.slabs.shape == (4, 2)
    assert played.slabs[:, 1].min() > 0  # on every street the lanes that were left closed ranks, and went on
    assert int(played.slabs.sum()) < 150


@pytest.mark.slow
def test_the_players_gradient_is_that_of_finite_differences(batch):
    """REINFORCE: the derivative of sum (return - baseline) log pi, every part of the action function."""
    settings, learner, hands, played, found = batch
    columns = decisions_of(played)
    won = np.asarray(played.net).T.reshape(-1)
    rows = np.asarray(played.log.row)[columns]
    mine = np.asarray(played.log.mine)[columns]
    assert 0 < mine.mean() < 1  # strangers sit at some of the tables, and their decisions are not learned from
    spent = np.asarray(played.log.spent)[columns]
    advantage = mine * (won[rows // 12 * 3 + rows % 3] + spent)  # the baseline is still 0

    @jax.jit
    def log_policy(parameters):
        sums = structure.card_sums(parameters, hands.board, hands.private)
        cards = sums.reshape(-1, 8)[rows].T
        log = playing.DecisionLog(*(each[..., columns] for each in played.log))
        street = structure.one_hot_street(log.street.astype(jnp.int32))
        moves = table.Moves(log.legal % 2 == 1, log.legal >= 2, None)
        cost = structure.weighted_cost(parameters, street, log.cost)
        options, values = structure.option_terms(parameters, street, log.inputs, log.opponents)
        options = options + structure.own_terms(parameters, street, log.own)
        cards = cards + structure.tile_terms(parameters, street, log.about)
        return structure.log_policy(options + cards[:, None], values, cost, moves)

    def total(parameters):
        log_pi, action = np.asarray(log_policy(parameters), float), np.asarray(played.log.action, int)[columns]
        chosen = np.take_along_axis(log_pi, action[None], axis=0)[0]
        return float((advantage * chosen).sum()) / settings.batch

    rng = np.random.default_rng(5)
    for name in learning.PLAYER:
        weights = np.asarray(getattr(learner.parameters, name))
        gradient = np.asarray(getattr(found.gradient, name))
        towards = rng.normal(size=weights.shape).astype(np.float32) * (gradient != 0)
        ahead, behind = (
            total(learner.parameters._replace(**{name: jnp.asarray(weights + sign * 1e-3 * towards)}))
            for sign in (1, -1)
        )
        assert (ahead - behind) / 2e-3 == pytest.approx(float((gradient * towards).sum()), rel=2e-2, abs=2e-2), name


@pytest.mark.slow
def test_the_observers_gradient_is_that_of_finite_differences(batch):
    """The log-likelihood of actions and showdowns with the board divided out, its inputs held fixed."""
    settings, learner, hands, played, found = batch
    columns = decisions_of(played)
    log = playing.DecisionLog(*(each[..., columns] for each in played.log))
    rows = np.asarray(log.row)
    seats = np.arange(3)[:, None]
    in_hand = np.asarray(played.folded) >> seats & 1 == 0
    shows = in_hand.sum(axis=0) > 1

    @jax.jit
    def log_by_type(parameters):
        street = structure.one_hot_street(log.street.astype(jnp.int32))
        moves = table.Moves(log.legal % 2 == 1, log.legal >= 2, None)
        cost = structure.weighted_cost(parameters, street, log.cost)
        options, values = structure.option_terms(parameters, street, log.inputs, log.opponents)
        return structure.log_by_type(parameters, street, options, values, cost, moves)

    @jax.jit
    def log_likelihoods(parameters, actions):
        steps = jnp.exp(structure.log_transitions(parameters, hands.board)).transpose(1, 2, 3, 0)
        likelihood, final = structure.log_likelihood(parameters.initial, steps, actions)
        return likelihood, structure.log_win(final, parameters.showdown, played.wins, in_hand)

    def total(parameters):
        by_type = np.asarray(log_by_type(parameters), float)
        told = np.take_along_axis(by_type, np.asarray(log.action, int)[None, None], axis=0)[0]
        actions = np.zeros((settings.batch * 12, 8))
        np.add.at(actions, rows, told.T)
        actions = actions.reshape(settings.batch, 4, 3, 8).transpose(1, 2, 3, 0)
        likelihood, wins = log_likelihoods(parameters, actions)
        return float(np.asarray(likelihood, float).sum() + np.asarray(wins, float)[shows].sum()) / settings.batch

    rng = np.random.default_rng(6)
    for name in ("types", "transitions", "showdown"):
        weights = np.asarray(getattr(learner.parameters, name))
        gradient = np.asarray(getattr(found.gradient, name))
        towards = rng.normal(size=weights.shape).astype(np.float32) * (gradient != 0)
        ahead, behind = (
            total(learner.parameters._replace(**{name: jnp.asarray(weights + sign * 3e-3 * towards)}))
            for sign in (1, -1)
        )
        assert (ahead - behind) / 6e-3 == pytest.approx(float((gradient * towards).sum()), rel=3e-2, abs=5e-3), name


@pytest.fixture(scope="module")
def sized():
    """(settings, parameters, deals, what was played) of 64 hands of no-limit for two players."""
    settings = replace(SMALL, parts=1, players=2, no_limit=True, stack_big_blinds=20, strangers=0.2)
    deals, features = self_play.drawn_pool(settings, 0)
    hands = DEALT(settings.form, settings.knobs, updating.Pool(deals.ranks, *features), 0, jax.random.key(1))
    parameters = initial_parameters(seed=3, spread=0.5, n_bet=settings.n_bet)
    mind = jax.jit(deciding.mind_of)(parameters, hands)
    return settings, parameters, mind, jax.jit(partial(playing.play, settings.form))(hands, (mind,), jax.random.key(2))


@pytest.mark.slow
def test_in_no_limit_every_size_is_played_and_chips_balance(sized):
    settings, _, _, played = sized
    np.testing.assert_allclose(played.net.sum(axis=0), 0, atol=1e-3)
    assert played.net.min() == -2 * settings.stack_big_blinds  # small blinds: a player was all-in, and none lost more
    columns = decisions_of(played)
    action, legal = (np.asarray(each)[columns].astype(int) for each in (played.log.action, played.log.legal))
    assert set(action.tolist()) == set(range(6))
    raises = action >= table.RAISE
    assert (legal[raises] >> action[raises] - 1 & 1 == 1).all()


@pytest.mark.slow
def test_the_gradients_go_through_the_choice_of_a_size(sized):
    """REINFORCE and the observer's likelihood of the sizes that it saw, by finite differences."""
    settings, parameters, mind, played = sized
    columns = decisions_of(played)
    log = playing.DecisionLog(*(each[..., columns] if each.shape[-1] else each for each in played.log))
    rng = np.random.default_rng(5)
    weights, answers = rng.normal(size=len(columns)), rng.normal(size=(8, len(columns)))
    cards = mind.sums[np.asarray(log.row)].T
    inner = jax.tree.map(jnp.asarray, learning.inner_of(parameters))

    street = structure.one_hot_street(log.street.astype(jnp.int32))

    @jax.jit
    def both(inner, weights, answers):
        of = partial(learning.objective, settings.form, settings.knobs)
        return jax.value_and_grad(lambda inner: of(inner, cards, street, log, weights, answers, 0.0))(inner)

    for name, given in (
        ("value", (weights, 0 * answers)),
        ("cost", (weights, 0 * answers)),
        ("types", (0 * weights, answers)),
    ):
        found = np.asarray(getattr(both(inner, *given)[1], name))
        assert name != "value" or (found[..., 10:] != 0).any(axis=(0, 1)).all()  # of every input that sizes need
        towards = np.sign(found)
        ahead, behind = (
            float(both(inner._replace(**{name: getattr(inner, name) + sign * 1e-3 * towards}), *given)[0])
            for sign in (1, -1)
        )
        assert (ahead - behind) / 2e-3 == pytest.approx(float(np.abs(found).sum()), rel=2e-2), name


def test_learning_rates_are_divided_by_use():
    """What is used in a tenth of the hands moves as far as what is used in all of them."""
    learner = updating.learner_of(initial_parameters(seed=1))
    gradient = jax.tree.map(np.ones_like, learner.parameters)
    types = np.array(learner.use.types)
    types[2, 3], types[3, 1] = 0.5, 0.25
    use = learner.use._replace(private=np.where(np.arange(257) == 5, np.float32(0.1), np.float32(1)), types=types)
    found = jax.tree.map(np.asarray, jax.jit(updating._over_use)(gradient, use))
    np.testing.assert_allclose(found.private[:, 5], 10.0)
    np.testing.assert_allclose(found.private[:, 6], 1.0)
    np.testing.assert_allclose(found.types[2, :, 3], 2.0)
    np.testing.assert_allclose(found.transitions[1, 0, 3], 1 / (0.125 * 0.5))
    np.testing.assert_allclose(found.showdown[:2], [8.0, 4.0])


@pytest.mark.slow
def test_training_goes_on_from_a_checkpoint_to_the_same_bits(tmp_path):
    compiled = updating.batches._cache_size()
    whole = take_steps(self_play.SelfPlay(SMALL), iterations=6)
    assert updating.batches._cache_size() <= compiled + 1  # not again for what the first batches have made
    kept = tmp_path / "checkpoint.bin"
    take_steps(self_play.SelfPlay(SMALL), iterations=2, watch=Watch(kept))
    again = take_steps(self_play.SelfPlay(SMALL), iterations=6, watch=Watch(kept))
    for name, array in whole.items():
        assert np.array_equal(array, again[name]), name
    with pytest.raises(FileError, match="parts was 2, now 1"):  # nor would the bits be the same
        take_steps(self_play.SelfPlay(replace(SMALL, parts=1)), iterations=6, watch=Watch(kept))
    assert not np.array_equal(whole["parameters/value"], initial_parameters(seed=3).value)
    assert whole["curve"][:, 0].min() > 3  # decisions a hand, at every look


@pytest.mark.slow
def test_weights_are_kept_on_the_way_and_play(tmp_path):
    from pokerlab.players.registry import agent
    from pokerlab.table.match import MatchPlan, play_match

    trained = training.train(SMALL, tmp_path, save_every=128)
    assert sorted(path.name for path in tmp_path.glob("weights*")) == [
        "weights-128.bin", "weights-256.bin", "weights.bin",
    ]  # fmt: skip
    assert trained.hands == 384
    begun = self_play.SelfPlay(replace(SMALL, start=str(tmp_path), response_to=str(tmp_path))).init()
    assert np.array_equal(begun["parameters/value"], trained.parameters.value)
    name = f"weights:{tmp_path}"
    assert np.array_equal(agent(name).parameters.value, trained.parameters.value)
    result = play_match(MatchPlan("limit3p-uncapped", (name, "caller", "caller"), hands=10, seed=1), agent)
    assert result.chips.shape == (10, 3)
    assert np.abs(result.chips).sum() > 0


@pytest.mark.slow
def test_weights_to_be_kept_where_a_run_was_stopped_are_kept_when_it_goes_on(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        training.train(SMALL, tmp_path, save_every=64, stopped=lambda: True)
    assert not (tmp_path / "weights-64.bin").exists()
    training.train(SMALL, tmp_path, save_every=64)
    assert load_parameters(tmp_path / "weights-64.bin")[1]["hands"] == 64


def test_training_pauses_to_keep_weights_and_to_measure_them():
    settings = TrainSettings(hands=1000, batch=100)
    assert [tuple(stop) for stop in training._stops(settings, save_every=250, errors=2)] == [
        (0, "", True), (2, "weights-250.bin", False), (5, "weights-500.bin", True), (7, "weights-750.bin", False),
        (10, "", True),
    ]  # fmt: skip


def test_the_last_row_of_a_curve_is_a_mean_of_the_batches_that_it_has():
    """A batch adds its share of a full row, here a quarter."""
    curve = np.array([[12.0], [12.0], [3.0], [0.0]])
    rows = training.curve_so_far(SimpleNamespace(look_batches=4), {"curve": curve}, 9)
    assert rows.tolist() == [[12], [12], [12]] and curve[2, 0] == 3
    assert training.curve_so_far(SimpleNamespace(look_batches=4), {"curve": curve}, 8).tolist() == [[12], [12]]


@pytest.mark.slow
def test_rollout_errors_measured_on_the_way_are_kept_with_the_checkpoint(tmp_path, monkeypatch):
    """A run that was stopped measures nothing twice."""
    measured = []

    def error(weights, seed):
        measured.append(load_parameters(weights)[1]["hands"])
        return Estimate(1.0 / len(measured), 0.0, 2.0, 200)

    monkeypatch.setattr(training, "ri_error", error)
    with pytest.raises(KeyboardInterrupt):
        training.train(SMALL, tmp_path, errors=2, stopped=lambda: measured == [0, 192])
    found = training.train(SMALL, tmp_path, errors=2)
    assert measured == [0, 192, 384]
    assert [(hands, each.mean) for hands, each in found.errors] == [(0, 1.0), (192, 0.5), (384, pytest.approx(1 / 3))]


def test_errors_that_cannot_be_measured_are_refused_before_anything_is_made(tmp_path):
    with pytest.raises(PokerlabError, match="must be 0 or more, not 0 and -1"):
        training.train(SMALL, tmp_path, errors=-1)
    with pytest.raises(PokerlabError, match="`errors` must be 0 in no-limit"):
        training.train(TrainSettings(players=2, no_limit=True), tmp_path / "sizes", errors=2)
    assert not (tmp_path / "sizes").exists()


@pytest.mark.slow
def test_divergence_stops_with_the_last_good_weights(tmp_path, monkeypatch):
    good = take_steps(self_play.SelfPlay(SMALL), iterations=1)
    whole = updating.batches

    def broken(form, knobs, fixed, learner, pool, key, n):
        new, numbers = whole(form, knobs, fixed, learner, pool, key, n)
        if int(learner.iteration) == 0:
            return new, numbers
        return new._replace(parameters=jax.tree.map(lambda array: array * jnp.nan, new.parameters)), numbers

    monkeypatch.setattr(updating, "batches", broken)
    with pytest.raises(
        PokerlabError, match=r"diverged after 64 hands; the last good weights are saved; lower rate \(now 0.05"
    ):
        training.train(SMALL, tmp_path)
    kept, about = load_parameters(tmp_path / "weights.bin")
    assert about["hands"] == 64
    for name, array in kept._asdict().items():
        assert np.array_equal(array, good[f"parameters/{name}"]), name


def test_players_are_drawn_as_they_were_recorded():
    total = sum(PLAYERS_DRAWN.values())
    assert total == 6000
    assert sum(n * count for n, count in PLAYERS_DRAWN.items()) / total == pytest.approx(5.30, abs=0.005)


@pytest.mark.parametrize("wrong", [{"players": 11}, {"hands": 0}, {"rate": -1.0}, {"wolf": 2.0}])
def test_settings_that_mean_nothing_are_refused(wrong):
    with pytest.raises(PokerlabError, match=next(iter(wrong))):
        TrainSettings(**wrong)
