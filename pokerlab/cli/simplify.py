"""`pokerlab simplify`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pokerlab.cli.output import Json, console, print_json, say, table
from pokerlab.errors import PokerlabError


def simplify(
    strategy: Path,
    /,
    *,
    step: Annotated[tuple[int, ...], Parameter(negative="", help="Percent; several may be given.")] = (
        25,
        50,
        100,
    ),
    out: Annotated[Path | None, Parameter(help="Write the strategy in steps here; with one --step.")] = None,
    threads: int | None = None,
    as_json: Json = False,
) -> None:
    """A solved strategy in steps that a person can remember, and what that costs, exactly.

    Each probability becomes a multiple of the step. Costs are in chips a hand, by player: what it wins less from the
    solution, and what it wins less from whoever responds best to it.

    For example:

        pokerlab simplify runs/river
        pokerlab simplify runs/river --step 50 --out runs/river-50.bin
        pokerlab simplify runs/leduc --step 20 --step 100 --json

    Parameters
    ----------
    strategy
        A strategy file, or the directory that `pokerlab solve` keeps.
    threads
        Of the computation, by default one a core; any number gives the same answer.
    """
    from pokerlab.policies.strategy_files import load_strategy, save_strategy
    from pokerlab.valuing.simplified import costs_of, simplified

    if out is not None and len(step) != 1:
        raise PokerlabError(f"--out takes the strategy of one --step, not of {', '.join(map(str, step))}")
    saved = load_strategy(strategy)
    costs = costs_of(saved.strategy, step, threads=threads)
    if out is not None:
        save_strategy(out, simplified(saved.strategy, step[0]), {**saved.about, "steps_percent": step[0]})
    if as_json:
        game = saved.strategy.tree.rules.name
        listed = [asdict(cost) for cost in costs]
        print_json({"strategy": str(strategy), "game": game, "units": "chips_per_hand", "costs": listed})
        return
    rows = []
    for cost in costs:
        for seat, losses in enumerate(zip(cost.against_solution, cost.worst, strict=True)):
            rows.append((f"{cost.step}%", f"seat {seat}", *(f"{loss + 0.0:+.4f}" for loss in losses)))
        rows.append((f"{cost.step}%", "both", "", f"exploitability {cost.exploitability:.4f}"))
    console().print(table(("steps", "who", "loses to the solution", "loses to a best response"), rows, words=2))
    console().print(f"chips a hand; exploitability of the solution {costs[0].solved:.4f}")
    if out is not None:
        say(f"written to {out}")
