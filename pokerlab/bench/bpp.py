"""Benchmarks of `agents/bpp/`: decisions of the network, of the hybrid and of the combinatory player."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pokerlab.bench.benchmark import Benchmark, Work
from pokerlab.games.actions import Action
from pokerlab.games.views import View
from pokerlab.rng import stream


def _decisions(variant: str) -> Callable[[], Work]:
    """Every decision of a player in a short match against itself, with nothing remembered of the cards."""

    def prepared() -> Work:
        from pokerlab.agents.bpp.player import BayesianPlayer, played_out
        from pokerlab.agents.bpp.variants import VARIANTS
        from pokerlab.table.match import MatchPlan, play_match

        seen: list[View] = []

        class Watched(BayesianPlayer):
            def act(self, view: View, rng: np.random.Generator) -> Action:
                seen.append(view)
                return super().act(view, rng)

        play_match(MatchPlan("limit2p", ("a", "b"), hands=100, seed=1), lambda name: Watched(VARIANTS[variant]))

        def work() -> int:
            played_out.cache_clear()
            player, rng = BayesianPlayer(VARIANTS[variant]), stream(1, "bench")
            for view in seen:
                player.act(view, rng)
            return len(seen)

        return work

    return prepared


BENCHMARKS = tuple(
    Benchmark(
        name=f"bpp-{variant or 'hybrid'}",
        about=f"decisions of the {variant or 'hybrid'} Bayesian player in heads-up limit hold'em, from view to action",
        unit="decisions",
        ours=_decisions(variant),
    )
    for variant in ("network", "", "combinatory")
)
