"""Income rates: the winnings of each of the 169 starting hands if all players check to the showdown.

In a roll-out all players call one small bet and check down. An iterated roll-out simulates generations: in each, a
player stays in only with hands whose rate in the previous generation, plus decreasing noise, was above zero. Finally
the remaining hands are played in many trials without noise. Rates are in small bets per hand, relative to folding.

>>> from pokerlab.cards.combos import class_index, class_text
>>> rates = rollout_rates(10, trials=20_000, seed=1)
>>> class_text(int(rates.mean.argmax())), bool(rates.mean[class_index("AA")] > 1.5)
('AA', True)

The rates for 2 to 10 players ship as `data/income_rates.bin`, made by `pokerlab preflop --build`.

>>> bool(income_table("rollout", 10).mean[class_index("AA")] > 2)
True

References
----------
Davidson (2002), section 3.2: ten generations of 50,000 trials, then 500,000 trials, with a noise that diminishes. The
amount of noise is not printed: here it is uniform within `noise` and shrinks in proportion to the generations left. Nor
are the cost of staying in and the play of the blinds. Two small bets, as in a pot raised once, and blinds that stay in
with any hand come closest to the printed rates; each is a setting.

Reproduces: the IR-10 column of Table 3.1 and the set of hands in its iterated column; its rates approximately
(`pokerlab reproduce davidson2002-table-3-1`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

import numpy as np

from pokerlab.arrays import AnyArray, Bools, Floats, Int64s, Uint64s
from pokerlab.cards.combos import N_CLASSES
from pokerlab.cards.evaluate import tables
from pokerlab.errors import PokerlabError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.rng import stream, stream_key

CHUNK = 1_000_000
SHIPPED = Path(__file__).parent / "data" / "income_rates.bin"
KIND = "income rates"
PLAYERS = range(2, 11)
COMMAND = "pokerlab preflop --build"
Report = Callable[[int, int], None]  #: called with (trials done, total trials)


@dataclass(frozen=True)
class IncomeRates:
    """`mean[class]` in small bets per hand, its standard error `error[class]`, and the number `count[class]` of hands
    played."""

    n_players: int
    mean: Floats
    error: Floats
    count: Int64s

    @property
    def profitable(self) -> Bools:
        """Classes that were played and have a rate above zero."""
        return (self.mean > 0) & (self.count > 0)


def rollout_rates(n_players: int, *, trials: int, seed: int, report: Report | None = None) -> IncomeRates:
    """Rates if every player puts in one small bet with any hand and checks down.

    >>> rates = rollout_rates(2, trials=1000, seed=1)
    >>> int(rates.count.sum())
    2000
    """
    table = _Table(np.zeros(_checked(n_players)), price=1.0)
    return _rates(table, np.ones(N_CLASSES, np.bool_), trials, stream_key(seed, "rollout"), report)


def iterated_rates(
    n_players: int,
    *,
    generations: int = 10,
    trials: int = 50_000,
    final_trials: int = 500_000,
    noise: float = 0.1,
    price: float = 2.0,
    blinds: Literal["stay in", "choose"] = "stay in",
    seed: int,
    report: Report | None = None,
) -> IncomeRates:
    """Rates among players who play only hands profitable in the previous generation; staying in costs `price`.

    Blinds either "stay in" for the whole price with any hand (heads-up only the big blind; the small blind decides), or
    "choose" like the other players, having posted half a small bet and one small bet.

    >>> from pokerlab.cards.combos import class_index
    >>> rates = iterated_rates(10, generations=3, trials=5_000, final_trials=20_000, seed=1)
    >>> bool(rates.profitable[class_index("AA")]), bool(rates.profitable[class_index("72o")])
    (True, False)
    """
    posted = np.zeros(_checked(n_players))
    posted[:2] = (0.5, 1.0) if blinds == "choose" else (price if n_players > 2 else 0.5, price)
    table = _Table(posted, price)
    everything = trials * (generations + 1) + final_trials
    done = 0

    def progress(part: int, _: int) -> None:
        if report is not None:
            report(done + part, everything)

    plays = np.ones(N_CLASSES, np.bool_)
    mean = np.zeros(N_CLASSES)
    for generation in range(generations + 1):
        rates = _rates(table, plays, trials, stream_key(seed, "iterated", generation), progress)
        mean = np.where(rates.count > 0, rates.mean, mean)  # a hand that was not played keeps its last rate
        heat = noise * (generations - generation) / generations
        plays = mean + heat * stream(seed, "noise", generation).uniform(-1, 1, N_CLASSES) > 0
        done += trials
    return _rates(table, plays, final_trials, stream_key(seed, "final"), progress)


def _checked(n_players: int) -> int:
    if n_players not in PLAYERS:
        raise PokerlabError(f"income rates are for 2 to 10 players, not {n_players}")
    return n_players


@dataclass(frozen=True)
class _Table:
    posted: Floats  # blinds by seat, in small bets
    price: float


def _rates(table: _Table, plays: Bools, trials: int, key: Uint64s, report: Report | None) -> IncomeRates:
    from pokerlab.policies import _income_rates_numba as kernel

    if trials < 1:
        raise PokerlabError(f"a roll-out needs at least one trial, not {trials}")
    n_players = len(table.posted)
    total, squares = np.zeros(N_CLASSES), np.zeros(N_CLASSES)
    count = np.zeros(N_CLASSES, np.int64)
    for first in range(0, trials, CHUNK):
        n = min(CHUNK, trials - first)
        kernel.roll_out(n_players, n, first, key, table.posted, table.price, plays, tables(), total, squares, count)
        if report is not None:
            report(first + n, trials)
    played = np.maximum(count, 1)
    mean = total / played
    variance = np.maximum(squares / played - mean**2, 0)
    return IncomeRates(n_players, mean, np.sqrt(variance / played), count)


# --- the tables that ship with the package ---------------------------------------------------------------------------


@cache
def _tables() -> dict[str, AnyArray]:
    return read_arrays(SHIPPED, KIND)[1]


def income_table(kind: str, n_players: int) -> IncomeRates:
    """The shipped `rollout` rates (all players play any hand) or `iterated` rates for `n_players`."""
    row = _checked(n_players) - PLAYERS.start
    mean, error, count = (_tables()[f"{kind}_{part}"][row] for part in ("mean", "error", "count"))
    return IncomeRates(n_players, mean, error, count)


def build(
    path: Path, *, trials: int, seed: int, workers: int = 1, report: Callable[[int, int], None] | None = None
) -> None:
    """Compute all tables and write them to `path`; the result does not depend on the number of worker processes.

    `trials` is for ten players; with fewer players the number of hands is the same. `report` receives (tables done,
    all).
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
