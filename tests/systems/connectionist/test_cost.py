"""What a training of the connectionist player is said to cost, beside what it takes by the same clock."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

pytest.importorskip("jax")

from pokerlab.estimates import Estimate
from pokerlab.runs import steps
from pokerlab.systems.connectionist import training
from pokerlab.systems.connectionist.parameters import initial_parameters
from pokerlab.systems.connectionist.settings import TrainSettings

DRAWING, COMPILING, EACH, FIRST_LOOK, LOOK = 3.0, 30.0, 0.25, 12.0, 4.0


class Clock:
    """A clock that stands still unless something is done."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch, tmp_path):
    made = Clock()

    class Pools:
        def __init__(self, n_batches):
            self.n_batches, self.drawn = n_batches, set()

        def of_batch(self, batch):
            if batch // self.n_batches not in self.drawn:
                self.drawn.add(batch // self.n_batches)
                made.now += DRAWING

    class SelfPlay:
        """Takes its time and learns nothing."""

        compiled = False
        about = MappingProxyType({})
        look_batches = 1

        def __init__(self, settings):
            self.settings, self.pools = settings, Pools(settings.pool * settings.reuse)

        def init(self):
            parameters = initial_parameters(seed=0)._asdict()
            return {"iteration": np.array(0), "curve": np.zeros((1, 7))} | {
                f"parameters/{name}": array for name, array in parameters.items()
            }

        def step(self, arrays, n):
            for batch in range(int(arrays["iteration"]), int(arrays["iteration"]) + n):
                self.pools.of_batch(batch)
            made.now += n * EACH + COMPILING * (not SelfPlay.compiled)
            SelfPlay.compiled = True
            return arrays | {"iteration": arrays["iteration"] + n}

        def save(self, path, parameters, about):
            path.write_bytes(b"")

    looks = []

    def ri_error(weights, seed):
        made.now += LOOK if looks else FIRST_LOOK
        looks.append(weights)
        return Estimate(0.0, 0.0, 0.0, 2)

    def forget():
        SelfPlay.compiled = False
        looks.clear()
        made.now = 0.0

    made.forget = forget
    monkeypatch.setattr(training, "SelfPlay", SelfPlay)
    monkeypatch.setattr(training, "ri_error", ri_error)
    for module in (training, steps):
        monkeypatch.setattr(module, "time", made)

    def tried(settings):
        return training.tried_rates(SelfPlay(replace(settings, reuse=10_000)), errors=8)

    monkeypatch.setattr(training, "usual_rates", tried)
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "cache"))
    return made


@pytest.mark.parametrize("errors", [0, 8])
def test_compiling_pools_and_measurements_are_counted(clock, tmp_path, errors, monkeypatch):
    monkeypatch.setattr("jax.default_backend", lambda: "cpu")
    settings = TrainSettings(players=6, batch=1000, hands=1_000_000, pool=5, reuse=20)  # 1,000 batches, ten pools
    cost = training.training_cost(settings, errors=errors)
    monkeypatch.setattr(training, "LEAST_BATCHES", 10_000)
    clock.forget()
    training.train(settings, tmp_path, errors=errors)
    assert cost.seconds == pytest.approx(clock.now)
    measured = FIRST_LOOK + errors * LOOK if errors else 0
    assert clock.now == COMPILING + 10 * DRAWING + 1000 * EACH + measured
    assert cost.counts["hands_per_second"] == pytest.approx(1000 / (EACH + DRAWING / 100))
    assert (cost.counts["compiling_seconds"], cost.counts["measuring_seconds"]) == (COMPILING, measured)


def test_a_gpu_waits_for_pools_only_where_it_plays_faster_than_the_processor_deals(clock, monkeypatch):
    monkeypatch.setattr("jax.default_backend", lambda: "gpu")
    settings = TrainSettings(players=6, batch=1000, hands=1_000_000, pool=1, reuse=4)  # a pool lasts a second
    assert training.training_cost(settings).seconds == pytest.approx(COMPILING + 250 + DRAWING + 249 * (DRAWING - 1))
    clock.forget()
    settings = TrainSettings(players=6, batch=1000, hands=1_000_000, pool=1, reuse=20)  # five seconds
    assert training.training_cost(settings).seconds == pytest.approx(COMPILING + 250 + DRAWING)


def test_a_second_estimate_uses_the_rates_of_a_run_and_a_first_one_the_usual_rates(clock, tmp_path, monkeypatch):
    monkeypatch.setattr("jax.default_backend", lambda: "cpu")
    settings = TrainSettings(players=6, batch=1000, hands=1_000_000, pool=5, reuse=20)
    monkeypatch.setattr(training, "usual_rates", lambda settings: training.Rates(2.0, 0.0, 5.0, 0.0, 0.0))
    first = training.training_cost(settings)
    assert (first.seconds, first.rate, clock.now) == (2005.0, "usual", 0.0)
    training.train(settings, tmp_path, errors=8)
    took, clock.now = clock.now, 0.0
    second = training.training_cost(settings, errors=8)
    assert second.seconds == pytest.approx(took) and second.rate == "stored" and clock.now == 0.0


def test_usual_rates_go_by_cores_and_players(monkeypatch):
    monkeypatch.setattr(training, "usable_cores", lambda: 4)
    two, six = (training.usual_rates(TrainSettings(players=n, batch=27_000)) for n in (2, 6))
    assert six.batch == 0.5 and two.batch == pytest.approx(six.batch / 3)
