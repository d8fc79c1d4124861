"""Compiled passes over the levels of a betting tree in JAX, for one subgame or for many that share the tree.

Programs are compiled for fixed shapes, so a different number of first boards or of hands requires another compilation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.caches import keep_jax_programs
from pokerlab.errors import PokerlabError
from pokerlab.solvers.core.variants import Variant
from pokerlab.solvers.subgames.levels import StreetLevels

try:
    import jax
except ImportError as missing:
    raise PokerlabError("subgames on a GPU need JAX; install it with pip install 'pokerlab[jax]'") from missing
from pokerlab.solvers.subgames import _levels_jax as kernels

__all__ = ["WAYS", "LevelPasses", "kernels", "ways_of"]

Way: TypeAlias = tuple[int, int]  #: a pass of a measurement: (hero, mode such as `kernels.BEST`)

AT_ONCE = 64  #: maximum iterations in one call of the compiled program, which works for any number

WAYS: tuple[Way, ...] = ((0, kernels.FIXED), (0, kernels.BEST), (1, kernels.BEST))


def ways_of(*, raked: bool, unlocked: bool = False) -> tuple[Way, ...]:
    """Return the passes that measure a game, as pairs (hero, mode). In a game with rake they include the value to
    player 1; with `unlocked` they include best responses that ignore the hero's locks."""
    return WAYS + raked * ((1, kernels.FIXED),) + unlocked * ((0, kernels.UNLOCKED), (1, kernels.UNLOCKED))


class LevelPasses:
    """Iterations and measurements of a variant of CFR over the levels of `streets`."""

    def __init__(self, streets: Sequence[StreetLevels], variant: Variant) -> None:
        if not variant.alternating or variant.predictive:
            raise PokerlabError(
                f"{variant.name}: subgames in JAX are solved by cfr, cfr+, lcfr, dcfr, dcfr+ or hs-dcfr+"
            )
        keep_jax_programs()
        self.streets, self.variant = tuple(streets), variant
        self._step = jax.jit(partial(kernels.iterations, self.streets, variant.floor), donate_argnums=1)
        self._look = jax.jit(partial(kernels.evaluated, self.streets), static_argnums=0)
        self._rows = jax.jit(partial(kernels.row_values, self.streets), static_argnums=2)

    def shapes(self, cards: kernels.LevelCards) -> list[list[tuple[int, ...]]]:
        """`[street][level]`: shape of each table."""
        shapes: list[list[tuple[int, ...]]] = []
        for number, street in enumerate(self.streets):
            boards = cards.live[0].shape[0] if number == 0 else cards.streets[number - 1].live[0].shape[1]
            before: tuple[int, ...] = (len(cards.rank[0]),) if number == len(self.streets) - 1 else ()
            hands = [len(player.held) for player in cards.players]
            shapes.append([(*before, len(level.rows), boards, hands[level.actor]) for level in street.levels])
        return shapes

    def on_device(self, cards: kernels.LevelCards) -> kernels.LevelCards:
        """Send the cards to the device once; ranges stay float64 on the host, for measurements."""
        return kernels.LevelCards(**{**jax.device_put(cards._asdict()), "ranges": cards.ranges})

    def zeros(self, cards: kernels.LevelCards) -> kernels.LevelTables:
        """Make tables of zeros on the device."""
        of = [
            tuple(tuple(jax.numpy.zeros(shape, np.float32) for shape in levels) for levels in self.shapes(cards))
            for _ in range(2)
        ]
        return kernels.LevelTables(*of)

    def step(self, cards: kernels.LevelCards, tables: kernels.LevelTables, done: int, n: int) -> kernels.LevelTables:
        """Return the tables `n` iterations after iteration `done`; the given ones may be overwritten."""
        v = self.variant
        at = [[f(t) for f in (v.positive, v.negative, v.weight)] for t in range(done + 1, done + n + 1)]
        for first in range(0, n, AT_ONCE):
            now = np.zeros((AT_ONCE, 3), np.float32)
            part = at[first : first + AT_ONCE]
            now[: len(part)] = part
            tables = kernels.finished(self._step(cards, tables, now, np.int32(len(part))))
        return tables

    def look(self, cards: kernels.LevelCards, sums: Any, ways: tuple[Way, ...] = WAYS) -> dict[Way, Floats]:
        """For each way (hero, mode), return the hero's values `[first board, hand]` if the other player plays the
        average strategy."""
        with jax.enable_x64(True):
            values = self._look(ways, cards, kernels.LevelTables(sums, sums))
        return {way: np.asarray(value) for way, value in zip(ways, values, strict=True)}

    def rows(self, cards: kernels.LevelCards, sums: Any, hero: int) -> Any:
        """Values of rows and entries by street except the last, if both play the average strategy."""
        return self._rows(cards, kernels.LevelTables(sums, sums), hero)
