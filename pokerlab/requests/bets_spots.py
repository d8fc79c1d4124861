"""Report which sizes two ranges need for one bet, over many boards."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.answers import Answer, AnswerTable
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.request import Place
from pokerlab.runs.workers import Plain, Task, do_tasks
from pokerlab.systems.bets.many_spots import MOST_SIZES, ManySpots, Needed, expected_cost, needed


@dataclass(frozen=True, kw_only=True)
class ReportSpotSizes(ManySpots):
    """Report which sizes two ranges need for one bet, over many boards, and the loss with only one, two or three sizes.

    On every board it finds the best single size, then the best second and third to add. No card abstraction is used.
    Stop it at any moment; the same command, or the same with more boards, resumes it.

    For example:

        pokerlab bets spots --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300 --boards 20
        pokerlab bets spots --ranges "30% | 40%" --pot 100 --stack 300 --boards 200 --player 1 --out report
        pokerlab bets spots --ranges "30% | 40%" --pot 60 --stack 200 --street turn --boards 10 --dry-run
    """

    def cost(self, *, workers: int | None = None) -> Cost:
        return expected_cost(self, usable_cores() if workers is None else workers)

    def compute(self, place: Place) -> Answer:
        path = "pokerlab.systems.bets.many_spots:spot_on_board"
        tasks = [
            Task("pokerlab.runs.workers:plain", Plain(path, part, {}), f"{i:05}", part, f"board {i}")
            for i, part in enumerate(self.part(index) for index in range(self.boards))
        ]
        report = place.report("boards")
        done = do_tasks(tasks, runner=place.runner, run=place.directory, folder="boards", report=report)
        spots = [result.value for result in done]
        summary = needed(spots)
        by_number = [
            {"sizes": k + 1, "added": summary.added[k].data(), "lost": summary.lost[k].data()}
            for k in range(MOST_SIZES)
        ]
        return Answer(
            f"{self.street} of {self.ranges[0]} against {self.ranges[1]}, {summary.n} boards",
            _tables(summary),
            (f"percent of the pot; on {summary.at_an_end} boards the best single size is at an end of the range",),
            {
                **self.data(),
                "units": "% of the pot",
                "by_number_of_sizes": by_number,
                "one_size": dict(summary.bins),
                "at_an_end": summary.at_an_end,
                "spots": spots,
            },
            result=summary,
        )


def _tables(summary: Needed) -> tuple[AnswerTable, AnswerTable]:
    rows = tuple((str(k + 1), summary.added[k], summary.lost[k]) for k in range(MOST_SIZES))
    shares = tuple((name, f"{share:.1f}") for name, share in summary.bins)
    return (
        AnswerTable(("sizes", "added over all-in only", "lost against three"), rows),
        AnswerTable(("best single size, pots", "% of boards"), shares),
    )
