# mypy: ignore-errors
"""Divide a batch of hands into independent parts: one or more per core, or side by side on a GPU.

Each part is played and learned from separately. Gradients are averaged over all parts once per batch; until then cores
do not wait for each other. On one device the parts are the first axis of all arrays. This keeps the data of a lane
close together in memory, and splits matrix products and sums over lanes into enough pieces to fill a GPU.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

PART, CORE = "part", "core"
LEAST_ON_CORE, LEAST_ON_GPU, MOST_ON_GPU = 512, 512, 128
"""Minimum number of hands in a part, on a core and on a GPU; maximum number of parts on a GPU."""
EVERYWHERE, DIVIDED = PartitionSpec(), PartitionSpec(CORE)


def make_devices(cores):
    """Make every core a separate JAX device; must be called before the process's first JAX computation."""
    with suppress(RuntimeError):
        jax.config.update("jax_num_cpu_devices", cores)


def usual_parts(n_hands):
    """Default number of parts for a batch of `n_hands` hands on this machine: one per core, or as many as fill a
    GPU."""
    on_gpu = jax.default_backend() == "gpu"
    most, least = (MOST_ON_GPU, LEAST_ON_GPU) if on_gpu else (jax.device_count(), LEAST_ON_CORE)
    return max(n for n in range(1, most + 1) if n == 1 or (n_hands % n == 0 and n_hands >= n * least))


def divided(form, n_parts):
    """The settings `form` for a batch divided into `n_parts` parts, on as many cores as can share them equally."""
    cores = max(n for n in range(1, jax.device_count() + 1) if n_parts % n == 0)
    return replace(form, batch=form.batch // n_parts, parts=n_parts // cores, cores=cores)


def _mesh(form):
    return Mesh(jax.devices()[: form.cores], (CORE,))


def placed(form, array):
    """Put an array on the devices, divided along its first axis among the cores."""
    array = array.reshape(form.cores * form.parts, -1, *array.shape[1:])
    return jnp.asarray(array) if form.cores == 1 else jax.device_put(array, NamedSharding(_mesh(form), DIVIDED))


def on_cores(form, work, given, made):
    """Run `work` on all cores. `given` (for arguments) and `made` (for results) mark as DIVIDED those whose first axis
    is parts.

    Empty arrays, which are never divided, are not passed: JAX 0.11.2 crashes on them.
    """
    if form.cores == 1:
        return work

    def run(*arguments):
        shapes = []

        def on_core(*some):
            found = work(*_refilled(arguments, some))
            shapes.append(jax.eval_shape(lambda: found))
            return _without_empty(found)

        cut = jax.shard_map(on_core, mesh=_mesh(form), in_specs=given, out_specs=made, check_vma=False)
        found = cut(*_without_empty(arguments))
        return _refilled(shapes[-1], found)

    return run


def _without_empty(tree):
    return jax.tree.map(lambda array: array if jnp.size(array) else None, tree)


def _refilled(like, tree):
    return jax.tree.map(lambda old, new: jnp.zeros(old.shape, old.dtype) if new is None else new, like, tree)


def keys(form, key):
    """A random key for each part of this core. If there is only one part in total, it gets the key itself."""
    if form.cores * form.parts == 1:
        return key[None]
    first = 0 if form.cores == 1 else lax.axis_index(CORE) * form.parts
    return jax.vmap(partial(jax.random.fold_in, key))(first + jnp.arange(form.parts))


def spread(form, tree):
    """Repeat the arrays of a tree along a new first axis, once for every part of this core."""
    return jax.tree.map(lambda each: jnp.broadcast_to(each, (form.parts, *jnp.shape(each))), tree)


def each(form, one, *arguments):
    """Apply `one` to every part of this core; parts are the first axis of all arguments and results."""
    if form.parts == 1:
        found = one(*jax.tree.map(lambda array: array[0], arguments))
        return jax.tree.map(lambda array: array[None], found)
    return jax.vmap(one, axis_name=PART)(*arguments)


def largest(form, number):
    """Maximum of a number over the parts of this core. All parts then take that many steps."""
    return number if form.parts == 1 else lax.pmax(number, PART)


def mean(form, tree):
    """Means over all parts of all cores."""
    tree = jax.tree.map(lambda array: jnp.mean(array, axis=0), tree)
    return tree if form.cores == 1 else lax.pmean(tree, CORE)


@jax.custom_batching.custom_vmap
def written(old, new, at):
    """Copy of `old` with `new` written along the last axis from index `at`."""
    return lax.dynamic_update_slice_in_dim(old, new, at, axis=old.ndim - 1)


@written.def_vmap
def _(size, batched, *arrays):
    """How `written` is vectorised over parts: all parts share the index `at`, so one slice update is enough. JAX would
    use a slower scatter."""
    old, new, at = arrays
    old, new = (
        array if leads else jnp.broadcast_to(array, (size, *array.shape))
        for array, leads in zip((old, new), batched, strict=False)
    )
    return written(old, new, at), True


def read(array, at, size):
    """Read `size` entries of the last axis, starting at index `at`."""

    @jax.custom_batching.custom_vmap
    def slab(array, at):
        return lax.dynamic_slice_in_dim(array, at, size, axis=array.ndim - 1)

    @slab.def_vmap
    def _(_size, _batched, array, at):
        return slab(array, at), True

    return slab(array, at)
