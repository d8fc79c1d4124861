"""Benchmarks of `systems/bpp/`: decisions of the networks, of the hybrid and of the combinatory player."""

from __future__ import annotations

from collections.abc import Callable

from pokerlab.bench.benchmark import Benchmark, Work
from pokerlab.bench.decisions import answered, watched
from pokerlab.games.views import View


def _decisions(variant: str) -> Callable[[], Work]:
    """Every decision of a player in a short match against itself, with no card cached."""

    def prepared() -> Work:
        from pokerlab.systems.bpp.player import BayesianPlayer
        from pokerlab.systems.bpp.readings import card_states, played_out, posterior_of_win
        from pokerlab.systems.bpp.variants import VARIANTS
        from pokerlab.table.match import MatchPlan, play_match

        seen: list[View] = []
        kind = watched(BayesianPlayer, seen)
        game = "stud2p" if variant == "2000" else "limit2p"
        play_match(MatchPlan(game, ("a", "b"), hands=100, seed=1), lambda name: kind(VARIANTS[variant]))

        def knows_no_card() -> BayesianPlayer:
            for kept in (played_out, card_states, posterior_of_win):
                kept.cache_clear()
            return BayesianPlayer(VARIANTS[variant])

        return answered(seen, knows_no_card)

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
