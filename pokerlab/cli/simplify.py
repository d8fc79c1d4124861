"""`pokerlab simplify`: a strategy with rounded probabilities."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Json, print_answer
from pokerlab.cli.show import StrategyFile
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning


def simplify(
    strategy: StrategyFile,
    /,
    *,
    step: Annotated[
        tuple[int, ...], Parameter(negative="", help="Step of the probabilities, in percent; may be repeated.")
    ] = (25, 50, 100),
    out: Annotated[Path | None, Parameter(help=meaning("out", "Here a file for the strategy of one --step."))] = None,
    threads: Annotated[int | None, Parameter(help=TERMS["threads"])] = None,
    as_json: Json = False,
) -> None:
    """Round a solved strategy to probabilities that a person can remember, and report the exact cost of rounding.

    Each probability becomes a multiple of the step. The cost to each player is in chips per hand: its loss when playing
    against the solution, and when playing against a best response.

    For example:

        pokerlab simplify runs/river
        pokerlab simplify runs/river --step 50 --out runs/river-50.bin
        pokerlab simplify runs/leduc --step 20 --step 100 --json
    """
    from pokerlab.policies.strategy_files import load_strategy, save_strategy
    from pokerlab.valuing.simplified import costs_of, simplified

    if out is not None and len(step) != 1:
        raise PokerlabError(f"--out takes the strategy of one --step, not of {', '.join(map(str, step))}")
    saved = load_strategy(strategy)
    costs = costs_of(saved.strategy, step, threads=threads)
    if out is not None:
        save_strategy(out, simplified(saved.strategy, step[0]), {**saved.about, "steps_percent": step[0]})
    rows: list[tuple[str, ...]] = []
    for cost in costs:
        for seat, losses in enumerate(zip(cost.against_solution, cost.worst, strict=True)):
            rows.append((f"{cost.step}%", f"seat {seat}", *(f"{loss + 0.0:+.4f}" for loss in losses)))
        rows.append((f"{cost.step}%", "both", "", f"exploitability {cost.exploitability:.4f}"))
    game = saved.strategy.tree.rules.name
    listed = [asdict(cost) for cost in costs]
    columns = ("steps", "player", "loses to the solution", "loses to a best response")
    note = f"chips a hand; exploitability of the solution {costs[0].solved:.4f}"
    answer = Answer(
        f"{game}: {strategy} in steps",
        (AnswerTable(columns, tuple(rows), note=note, words=2),),
        data={"strategy": str(strategy), "game": game, "units": "chips_per_hand", "costs": listed},
        files=() if out is None else (out,),
    )
    print_answer(answer, as_json=as_json)
