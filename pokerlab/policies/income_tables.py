"""The income rates that ship with the package, for 2 to 10 players; `income_rates` defines them.

Made by `pokerlab preflop --build`, which writes `data/income_rates.bin`.

>>> from pokerlab.cards.combos import class_index
>>> bool(rollout_table(10)[class_index("AA")] > 2)
True
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from pokerlab.arrays import AnyArray, Floats
from pokerlab.errors import PokerlabError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.policies.income_rates import IncomeRates, iterated_rates, rollout_rates

SHIPPED = Path(__file__).parent / "data" / "income_rates.bin"
KIND = "income rates"
PLAYERS = range(2, 11)
COMMAND = "pokerlab preflop --build"


@cache
def _tables() -> dict[str, AnyArray]:
    return read_arrays(SHIPPED, KIND)[1]


def rollout_table(n_players: int) -> Floats:
    """`rate[class]` in small bets a hand if all players play any hand."""
    return _table("rollout", n_players).mean


def income_table(kind: str, n_players: int) -> IncomeRates:
    """The shipped `rollout` or `iterated` rates for `n_players`."""
    return _table(kind, n_players)


def _table(kind: str, n_players: int) -> IncomeRates:
    if n_players not in PLAYERS:
        raise PokerlabError(f"income rates are for 2 to 10 players, not {n_players}")
    row = n_players - PLAYERS.start
    mean, error, count = (_tables()[f"{kind}_{part}"][row] for part in ("mean", "error", "count"))
    return IncomeRates(n_players, mean, error, count)


def build(
    path: Path, *, trials: int, seed: int, workers: int = 1, report: Callable[[int, int], None] | None = None
) -> None:
    """Compute all tables and write them to `path`; the result does not depend on the number of worker processes.

    `trials` are for ten players; with fewer players the number of hands is the same. `report` gets (tables done, all).
    """
    jobs = [(kind, n, trials, seed) for n in reversed(PLAYERS) for kind in ("rollout", "iterated")]
    rates_of: dict[tuple[str, int], IncomeRates] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for job, rates in zip(jobs, pool.map(_job, jobs), strict=True):
            rates_of[job[:2]] = rates
            if report is not None:
                report(len(rates_of), len(jobs))
    arrays = {
        f"{kind}_{part}": np.stack([getattr(rates_of[kind, n], part) for n in PLAYERS])
        for kind in ("rollout", "iterated")
        for part in ("mean", "error", "count")
    }
    about = {"game": "limit hold'em, 2 to 10 players", "trials": trials, "seed": seed, "command": COMMAND}
    write_arrays(path, KIND, about, arrays)


def _job(job: tuple[str, int, int, int]) -> IncomeRates:
    kind, n, trials, seed = job
    if kind == "rollout":
        return rollout_rates(n, trials=trials * 10 // n, seed=seed)
    return iterated_rates(n, trials=max(trials // 200, 1), final_trials=max(trials // 2, 1), seed=seed)
