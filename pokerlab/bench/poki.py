"""Benchmarks of `systems/poki/`: decisions of the formula player, trials of the simulation player ten-handed."""

from __future__ import annotations

from functools import partial
from math import inf

from pokerlab.bench.benchmark import Benchmark, Work
from pokerlab.bench.decisions import answered, watched
from pokerlab.games.actions import CALL
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.games.views import View
from pokerlab.rng import shuffled_deck, stream

NAMES = tuple("abcdefghij")
TRIALS = 2000


def _formula(players: int) -> Work:
    """Every decision of one player in a short match, with models of all players and no board cached."""
    from pokerlab.policies.formula import board_ehs, board_strength
    from pokerlab.systems.poki.player import Poki
    from pokerlab.table.match import MatchPlan, play_match

    seen: list[View] = []
    poki, kind = Poki(), watched(Poki, seen)
    plan = MatchPlan(f"limit{players}p", NAMES[:players], hands=50, seed=1)
    play_match(plan, lambda name: kind(), on_hand=poki.observe)

    def has_met_no_board() -> Poki:
        board_strength.cache_clear()
        board_ehs.cache_clear()
        poki.forget()
        return poki

    return answered([view for view in seen if view.names[view.seat] == NAMES[0]], has_met_no_board)


def _simulation() -> Work:
    """The first decision on the flop with all ten players in, the largest simulation there is."""
    from pokerlab.systems.poki.simulation import Budget, SimulationPoki

    state = State.start(game("limit10p"), shuffled_deck(1, "bench"))
    for _ in NAMES:
        state = state.after(CALL)
    view = state.view(state.betting.actor, 0, NAMES)
    poki = SimulationPoki(budget=Budget(trials=TRIALS, clear=inf, block=TRIALS))
    return lambda: poki.simulate(view, stream(1, "bench")).trials


BENCHMARKS = (
    Benchmark(
        name="poki-formula",
        about="decisions of the formula player in ten-handed limit hold'em, from the view to the action",
        unit="decisions",
        ours=partial(_formula, 10),
    ),
    Benchmark(
        name="poki-heads-up",
        about="decisions of the formula player in heads-up limit hold'em, where it weighs what it may hold itself",
        unit="decisions",
        ours=partial(_formula, 2),
    ),
    Benchmark(
        name="poki-simulation",
        about="trials of the simulation player on the flop with ten players in, call and raise both played out",
        unit="trials",
        ours=_simulation,
    ),
)
