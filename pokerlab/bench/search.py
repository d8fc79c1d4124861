"""Benchmarks of the search player of `systems/bpp/` at heads-up limit hold'em."""

from __future__ import annotations

from pokerlab.bench.benchmark import Benchmark, Work
from pokerlab.bench.decisions import answered, watched
from pokerlab.games.views import View


def _decisions() -> Work:
    """Every decision of a short match against a random player."""
    from pokerlab.players.registry import agent
    from pokerlab.systems.bpp.search.player import SearchPlayer
    from pokerlab.table.match import MatchPlan, play_match

    seen: list[View] = []
    kind = watched(SearchPlayer, seen)
    plan = MatchPlan("limit2p", ("search", "random"), hands=300, seed=1)
    play_match(plan, lambda name: kind() if name == "search" else agent(name))
    return answered(seen, SearchPlayer)


BENCHMARKS = (
    Benchmark(
        name="search",
        about="decisions of the search player at heads-up limit hold'em, the rest of the betting tree valued each time",
        unit="decisions",
        ours=_decisions,
    ),
)
