"""Batches in parts: each works by itself, on the core that has it, and what they find is averaged."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.systems.connectionist.settings import TrainSettings

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax

from pokerlab.systems.connectionist import _parts_jax as parts  # noqa: E402
from pokerlab.systems.connectionist import self_play  # noqa: E402

self_play.device_code()  # every core becomes a device, unless JAX has computed something in this process


@pytest.mark.parametrize(("n_parts", "cores"), [(1, 1), (4, 1), (2, 2), (4, 2)])
def test_parts_take_the_same_steps_on_a_core_and_their_means_are_those_of_all(n_parts, cores):
    if cores > jax.device_count():
        pytest.skip("one device")
    form = replace(TrainSettings().form, parts=n_parts // cores, cores=cores)
    numbers = np.array([3.0, 1.0, 2.0, 5.0, 4.0, 1.0, 1.0, 2.0])[: 2 * n_parts]

    def one(mine, key):
        """Write multiples of its two numbers until the largest number of the core's parts is reached."""

        def body(state):
            at, log = state
            return at + 1, parts.written(log, mine * at, 2 * at)

        steps, log = lax.while_loop(lambda state: parts.largest(form, mine.max()) > state[0], body, (0, jnp.zeros(12)))
        return log, parts.read(log, 2 * (parts.largest(form, steps) - 1), 2), jax.random.uniform(key)

    def work(given, key):
        found = parts.each(form, one, given, parts.keys(form, key))
        return found, parts.mean(form, found)

    cut = (parts.DIVIDED, parts.EVERYWHERE)
    key = jax.random.key(3)
    found, mean = jax.jit(parts.on_cores(form, work, cut, cut))(parts.placed(form, numbers), key)
    keys = [jax.random.fold_in(key, part) for part in range(n_parts)] if n_parts > 1 else [key]
    by_core = numbers.reshape(cores, -1)
    logs, lasts = np.zeros((n_parts, 12)), np.zeros((n_parts, 2))
    for part, mine in enumerate(numbers.reshape(n_parts, 2)):
        for step in range(int(by_core[part // form.parts].max())):
            logs[part, 2 * step : 2 * step + 2] = lasts[part] = mine * step
    dice = np.array([jax.random.uniform(each) for each in keys])
    for ours, expected, average in zip(found, (logs, lasts, dice), mean, strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-6)
        np.testing.assert_allclose(average, expected.mean(axis=0), rtol=1e-6)


def test_a_batch_has_a_part_for_every_core_unless_it_is_small():
    cores = jax.device_count()
    assert parts.usual_parts(512 * cores) == cores
    assert parts.usual_parts(64) == 1
    form = self_play.divided_form(TrainSettings(batch=96 * cores, parts=3 * cores))
    assert (form.parts, form.cores, form.batch) == (3, cores, 32)


def test_a_batch_is_cut_evenly_or_not_at_all():
    with pytest.raises(PokerlabError, match="a batch of 64 hands cannot be divided into 3 equal parts"):
        TrainSettings(batch=64, parts=3)
