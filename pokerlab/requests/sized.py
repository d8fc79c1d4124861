"""Make a player from the bet sizes found for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pokerlab.answers import Answer, AnswerTable
from pokerlab.requests.hints import how_to_play
from pokerlab.requests.solve import watch_solve
from pokerlab.runs.cost import Cost, duration, in_turn
from pokerlab.runs.request import Place
from pokerlab.systems.bets.player import SizedConfig, margin, sized_player, train_seat, training_cost

if TYPE_CHECKING:
    from pokerlab.systems.bets.player import SizedPlayer, SolvedSeat


@dataclass(frozen=True, kw_only=True)
class TrainSized(SizedConfig):
    """Make a player from the bet sizes that `pokerlab bets` found for each seat, and report its value.

    It solves two games. In the first, player 0 has the sizes found for it, and player 1 those assumed for the opponent
    in that search; in the second, the roles are exchanged. The new player uses, in each seat, the strategy of the game
    in which that seat was sized (Hawkin 2014, sections 5.9 and 7.6). Stop it at any moment; the same command resumes
    from its checkpoint.

    For example:

        pokerlab bets nolimit2p --cards pr5 --player 0 --out runs/bets-0
        pokerlab bets nolimit2p --cards pr5 --player 1 --out runs/bets-1
        pokerlab train sized runs/bets-0 runs/bets-1 --out runs/player
        pokerlab match --game nolimit2p --agents strategy:runs/player,equilibrium:nolimit2p --duplicate --aivat
    """

    def cost(self, *, workers: int | None = None) -> Cost:
        solve, costs = sized_player(self).solve, training_cost(sized_player(self))
        lines = [f"{solve.rules.name}, cards {solve.cards}, {solve.algorithm} on {solve.engine}"]
        for seat, cost in enumerate(costs):
            lines.append(f"seat {seat}: {cost.counts['pairs']:,} pairs, {solve.iterations:,} iterations: {cost}")
        both = in_turn(costs)
        what = "\n".join([*lines, "one after the other"])
        return replace(both, what=what, counts={**both.counts, "seats": [cost.data() for cost in costs]})

    def compute(self, place: Place) -> Answer:
        assert place.path is not None, "trainings are always saved"
        player = sized_player(self)
        report = watch_solve(place, player.solve)["report"]
        seats = [train_seat(player, seat, place.path, report=report) for seat in (0, 1)]
        won = margin(seats)
        lines = []
        if won is not None:
            low, high = (1000 / float(player.solve.rules.big_blind) * bound for bound in won)
            lines.append(f"over both seats it wins {low:+.2f} to {high:+.2f} mbb/hand from those sizes")
        seat_rows = [
            {"seat": s.seat, "guarantee": s.guarantee, **s.summary, "sizes": f"@sizes-{s.seat}.bin"} for s in seats
        ]
        return Answer(
            f"{player.solve.rules.name}, a player of sizes found for each seat",
            (_table(player, seats),),
            (*lines, how_to_play(f"strategy:{place.path}")),
            {"margin": won, "units": "chips_per_hand", "seats": seat_rows},
            result=seats,
        )


def _table(player: SizedPlayer, seats: Sequence[SolvedSeat]) -> AnswerTable:
    milli, rows = 1000 / float(player.solve.rules.big_blind), []
    for solved in seats:
        result, worth, least = solved.summary, "-", "-"
        if solved.guarantee is not None:
            low, high = sorted(milli * (1 - 2 * solved.seat) * bound for bound in result["bounds"])
            worth, least = f"{low:+.2f} to {high:+.2f}", f"{milli * solved.guarantee:+.2f}"
        took = f"{result['iterations']:,}", duration(result["seconds"])
        opponent = player.found[solved.seat].opponent
        rows.append((f"seat {solved.seat}", opponent, f"{result['pairs']:,}", *took, worth, least))
    columns = ("", "sizes found against", "pairs", "iterations", "time", "value, mbb/hand", "as saved, at least")
    return AnswerTable(columns, tuple(rows), words=2)
