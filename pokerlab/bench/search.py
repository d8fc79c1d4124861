"""Benchmarks of `agents/search/`: decisions of the search player at heads-up limit hold'em."""

from __future__ import annotations

import numpy as np

from pokerlab.bench.benchmark import Benchmark, Work
from pokerlab.games.actions import Action
from pokerlab.games.views import View
from pokerlab.rng import stream


def _decisions() -> Work:
    """Every decision of a short match against a player that does anything."""
    from pokerlab.agents.registry import agent
    from pokerlab.agents.search.player import SearchPlayer
    from pokerlab.table.match import MatchPlan, play_match

    seen: list[View] = []

    class Watched(SearchPlayer):
        def act(self, view: View, rng: np.random.Generator) -> Action:
            seen.append(view)
            return super().act(view, rng)

    plan = MatchPlan("limit2p", ("search", "random"), hands=300, seed=1)
    play_match(plan, lambda name: Watched() if name == "search" else agent(name))

    def work() -> int:
        player, rng = SearchPlayer(), stream(1, "bench")
        for view in seen:
            player.act(view, rng)
        return len(seen)

    return work


BENCHMARKS = (
    Benchmark(
        name="search",
        about="decisions of the search player at heads-up limit hold'em, the rest of the betting tree valued each time",
        unit="decisions",
        ours=_decisions,
    ),
)
