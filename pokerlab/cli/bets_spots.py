"""`pokerlab bets spots`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from pokerlab.cli.output import DryRun, Json, Seed, console, print_json, progress, say, say_cost, table
from pokerlab.cli.playing import Keep, Out, Workers, kept_in
from pokerlab.cli.solve_subgame import Pot, Ranges, Stack, two_ranges

if TYPE_CHECKING:
    from pokerlab.systems.bets.many_spots import Needed


def spots(
    *,
    ranges: Ranges,
    pot: Pot,
    stack: Stack,
    boards: Annotated[int, Parameter(help="How many boards are drawn.")] = 200,
    street: Literal["river", "turn"] = "river",
    player: Literal["0", "1"] = "0",
    opponent: str = "fcpa",
    target: float = 0.05,
    seed: Seed = 7,
    workers: Workers = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Say which sizes of one bet two ranges need over many boards, and what is lost with one, two and three.

    On every board the best size of the bet is found, then a second and a third beside it; values are solved with every
    hand apart. Stop it at any moment; the same command goes on where it was.

    For example:

        pokerlab bets spots --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300 --boards 20
        pokerlab bets spots --ranges "30% | 40%" --pot 100 --stack 300 --boards 200 --player 1 --out report
        pokerlab bets spots --ranges "30% | 40%" --pot 60 --stack 200 --street turn --boards 10 --dry-run

    Parameters
    ----------
    street
        river or turn; a turn takes a minute or more a board.
    player
        Whose bet is sized: 0, the opening bet out of position, or 1, the bet in position after a check.
    opponent
        The sizes of the other player, and of both on later streets.
    target
        Solve values to this exploitability, in percent of the pot.
    """
    from dataclasses import asdict

    from pokerlab.runs.cost import usable_cores
    from pokerlab.runs.directory import directory_for, open_run
    from pokerlab.runs.workers import Plain, Task, do_tasks, runner_for
    from pokerlab.systems.bets.many_spots import ManySpots, expected_cost, needed

    asked = ManySpots(
        ranges=two_ranges(ranges), pot=pot, stack=stack, player=int(player), opponent=opponent, boards=boards,
        n_board={"river": 5, "turn": 4}[street], target=target, seed=seed,
    )  # fmt: skip
    code, runner = ("pokerlab.systems.bets.many_spots",), runner_for(workers)
    if dry_run:
        cost = expected_cost(asked, usable_cores() if workers is None else workers)
        say_cost(f"bets spots on {boards} boards", cost, as_json=as_json, boards=boards)
        return
    config = {name: value for name, value in asdict(asked).items() if name != "boards"}
    where = kept_in(out, keep, lambda: directory_for("spots", street, config, code=code))
    path = "pokerlab.systems.bets.many_spots:spot_on_board"
    tasks = [
        Task("pokerlab.runs.workers:plain", Plain(path, part, {}), f"{i:05}", part, f"board {i}")
        for i, part in enumerate(asked.part(index) for index in range(boards))
    ]
    with progress("boards") as report:
        if where is None:
            done = do_tasks(tasks, runner=runner, report=report)
        else:
            with open_run(where, "bets spots", config, code=code) as run:
                done = do_tasks(tasks, runner=runner, run=run, folder="boards", report=report)
    found = [each.value for each in done]
    answer = needed(found)
    if as_json:
        by_number = [
            {"sizes": k, "added": answer.added[k - 1].data(), "lost": answer.lost[k - 1].data()} for k in (1, 2, 3)
        ]
        print_json({**asdict(asked), "units": "% of the pot", "by_number_of_sizes": by_number,
                    "one_size": dict(answer.bins), "at_an_end": answer.at_an_end, "spots": found})  # fmt: skip
        return
    _show(answer)


def _show(answer: Needed) -> None:
    shown = table(("sizes", "added over all-in only", "95% interval", "lost against three", "95% interval"), ())
    for k in (1, 2, 3):
        added, lost = answer.added[k - 1], answer.lost[k - 1]
        shown.add_row(
            str(k), f"{added.mean:.3f}%", f"{added.low:.3f} to {added.high:.3f}", f"{lost.mean:.3f}%",
            f"{lost.low:.3f} to {lost.high:.3f}",
        )  # fmt: skip
    console().print(shown)
    console().print(
        table(("the one size, pots", "% of boards"), [(name, f"{share:.1f}") for name, share in answer.bins])
    )
    say(f"{answer.n} boards; percent of the pot; on {answer.at_an_end} the one size is at an end of what was looked at")
