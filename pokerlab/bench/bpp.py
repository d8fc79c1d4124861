"""Benchmarks of `agents/bpp/`: decisions of the networks, of the hybrid and of the combinatory player."""

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
        from pokerlab.agents.bpp.player import BayesianPlayer
        from pokerlab.agents.bpp.readings import card_states, played_out, posterior_of_win
        from pokerlab.agents.bpp.variants import VARIANTS
        from pokerlab.table.match import MatchPlan, play_match

        seen: list[View] = []

        class Watched(BayesianPlayer):
            def act(self, view: View, rng: np.random.Generator) -> Action:
                seen.append(view)
                return super().act(view, rng)

        game = "stud2p" if variant == "2000" else "limit2p"
        play_match(MatchPlan(game, ("a", "b"), hands=100, seed=1), lambda name: Watched(VARIANTS[variant]))

        def work() -> int:
            played_out.cache_clear()
            card_states.cache_clear()
            posterior_of_win.cache_clear()
            player, rng = BayesianPlayer(VARIANTS[variant]), stream(1, "bench")
            for view in seen:
                player.act(view, rng)
            return len(seen)

        return work

    return prepared


BENCHMARKS = tuple(
    Benchmark(
        name=f"bpp-{variant or 'hybrid'}",
        about=f"decisions of the {variant or 'hybrid'} Bayesian player, heads-up, from the view to the action",
        unit="decisions",
        ours=_decisions(variant),
    )
    for variant in ("network", "", "combinatory", "2003", "2000")
)
