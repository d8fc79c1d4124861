"""CFR as dense linear algebra in JAX, for games with card buckets, on a CPU or a GPU.

One iteration consists of a pass down the tree; for each street, one matrix product for all folds and one for all
showdowns; and a pass up. All tables stay on the device between steps. Stakes are among the arrays, so an algorithm that
moves bet sizes uses the same compiled code, and `slopes` returns the gradient of the value.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.core.variants import variant
>>> kuhn = solve(DenseCfr(make_problem(game("kuhn")), variant("cfr+"), dtype="float64"), iterations=1000)
>>> round(kuhn.value, 4), kuhn.exploitability < 1e-3
(-0.0556, True)

References
----------
See `variants`. Johanson et al. (2011), "Accelerating best response calculation in large extensive games" (all
hands at once). Hawkin (2014), sections 4.2 and 5.1 (5 buckets a street; the value is linear in each effective size).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import AnyFloats
from pokerlab.caches import keep_jax_programs
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import Variant

try:
    import jax
except ImportError as missing:
    raise PokerlabError("the dense solver needs JAX; install it with pip install 'pokerlab[jax]'") from missing
from pokerlab.solvers.vector import _dense_jax as kernels
from pokerlab.solvers.vector.dense_layout import Layout

TABLES = ("regret", "sums", "strategy")
Precision: TypeAlias = Literal["float32", "float64"]


class DenseCfr:
    """CFR over the pairs of cells of a two-player game with perfect recall, as array passes. The arrays are, for each
    player and street (here 0 and 3), `regret/0/3[edge, cell]`, `sums/0/3` and `strategy/0/3`, with edges in the order
    of `layout.rows[player][street]`; also `stake[ending]` in chips, and `iteration`."""

    def __init__(self, problem: Problem, variant: Variant, dtype: Precision = "float32") -> None:
        if dtype not in ("float32", "float64"):
            raise PokerlabError(f"tables of dtype {dtype!r} are not supported; there are float32 and float64")
        keep_jax_programs()
        self.problem, self.variant, self.dtype = problem, variant, dtype
        self.layout = Layout(problem)

    @property
    def about(self) -> Mapping[str, Any]:
        variant = {name: str(value) for name, value in asdict(self.variant).items()}
        return {**self.problem.about, "engine": "dense", "dtype": self.dtype, "variant": variant}

    def init(self) -> Arrays:
        """The arrays before the first iteration: no regrets, a uniform strategy, and the tree's own stakes."""
        uniform = self.problem.uniform().p
        arrays: Arrays = {"iteration": np.zeros((), np.int64), "stake": np.array(self.problem.tree.stake)}
        for player, street in self.layout.places:
            rows = np.asarray(uniform[street][self.layout.rows[player][street]], self.dtype)
            for name in TABLES:
                arrays[_key(name, player, street)] = rows if name == "strategy" else np.zeros_like(rows)
        return arrays

    def step(self, arrays: Arrays, n: int) -> Arrays:
        done = int(arrays["iteration"])
        with self.precision():
            tables = kernels.iterate(
                self.game, self.tables(arrays), jax.numpy.asarray(arrays["stake"], self.dtype), self.settings,
                np.int32(done), np.int32(n), alternating=self.variant.alternating,
            )  # fmt: skip
        return self.arrays(kernels.finished(tables), stake=arrays["stake"], iteration=done + n)

    def strategy(self, arrays: Arrays) -> Strategy:
        return Strategy.from_sums(self.problem.tree, self.problem.cells, self.by_street(arrays, "sums"))

    def current(self, arrays: Arrays) -> Strategy:
        """The strategy that the next iteration will use."""
        return Strategy(self.problem.tree, self.problem.cells, self.by_street(arrays, "strategy"))

    def evaluate(self, arrays: Arrays) -> Evaluation:
        """Value of the average strategy and best responses to it, at the stakes in the arrays, in float64."""
        with jax.enable_x64(True):
            stake = jax.numpy.asarray(np.asarray(arrays["stake"], np.float64))
            value, *best = kernels.bounds(self._exact, self.tables(arrays).sums, stake)
            return Evaluation(float(value), (float(best[0]), float(best[1])))

    def slopes(self, arrays: Arrays) -> tuple[float, AnyFloats]:
        """Return the value to player 0 of the strategy that the next iteration uses, and the value's derivatives.

        There is one derivative for each ending, with respect to the chips at stake there.
        """
        with self.precision():
            stake = jax.numpy.asarray(arrays["stake"], self.dtype)
            value, slope = kernels.current_slopes(self.game, self.tables(arrays).strategy, stake)
        return float(value), np.asarray(slope)

    def by_street(self, arrays: Arrays, name: str) -> tuple[AnyFloats, ...]:
        """Both players' "regret", "sums" or "strategy" as `[street][edge, cell]`, with edges in the tree's order."""
        by_street = []
        for street, n in enumerate(self.problem.cells.n_cells):
            whole = np.zeros((len(self.problem.tree.edges_on[street]), n))
            for player in (0, 1):
                whole[self.layout.rows[player][street]] = np.asarray(arrays[_key(name, player, street)])
            by_street.append(whole)
        return tuple(by_street)

    # --- for algorithms that call `_dense_jax.iteration` in a loop of their own ---

    def precision(self) -> Any:
        """Context that sets JAX's precision to that of this engine's arrays."""
        return jax.enable_x64(self.dtype == "float64")

    @cached_property
    def game(self) -> tuple[kernels.DenseStreet, ...]:
        """Arrays of the game, on the device."""
        with self.precision():
            game: tuple[kernels.DenseStreet, ...] = on_device(self.layout.streets(self.dtype))
        return game

    @cached_property
    def settings(self) -> kernels.DenseSettings:
        """Settings of the CFR variant, on the device."""
        v = self.variant
        with self.precision():
            numbers = [np.asarray(x, self.dtype) for x in (v.alpha, v.beta, v.gamma, v.growth)]
            flags = [np.bool_(x) for x in (v.floor, v.predictive)]
            settings: kernels.DenseSettings = on_device(kernels.DenseSettings(*numbers, *flags))
        return settings

    def tables(self, arrays: Arrays) -> kernels.DenseTables:
        """The arrays as tables `[player][street][edge, cell]`."""
        streets = range(len(self.problem.cells.n_cells))
        return kernels.DenseTables(
            *(tuple(tuple(arrays[_key(name, player, s)] for s in streets) for player in (0, 1)) for name in TABLES)
        )

    def arrays(self, tables: kernels.DenseTables, *, stake: ArrayLike, iteration: int) -> Arrays:
        """Convert tables to the engine's named arrays."""
        arrays: Arrays = {"iteration": np.array(iteration, np.int64), "stake": np.asarray(stake, np.float64)}
        for player, street in self.layout.places:
            for name, table in zip(TABLES, tables, strict=True):
                arrays[_key(name, player, street)] = table[player][street]
        return arrays

    @cached_property
    def _exact(self) -> tuple[kernels.DenseStreet, ...]:
        if self.dtype == "float64":
            return self.game
        exact: tuple[kernels.DenseStreet, ...] = on_device(self.layout.streets("float64"))
        return exact


def _key(name: str, player: int, street: int) -> str:
    return f"{name}/{player}/{street}"


def on_device(arrays: Any) -> Any:
    """Copy a tree of arrays to JAX's device, in the precision of the context. NumPy converts them, since JAX would have
    to compile a conversion for every shape."""
    as_kept = [np.asarray(x, jax.dtypes.canonicalize_dtype(np.asarray(x).dtype)) for x in jax.tree.leaves(arrays)]
    return jax.tree.unflatten(jax.tree.structure(arrays), jax.device_put(as_kept))
