"""Income rates of starting hands, Davidson (2002), section 3.2: Table 3.1 for ten players, by roll-outs and by
iteration; and income rates for two players."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.arrays import Bools, Floats
from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES, class_index, class_text
from pokerlab.cards.strength_tables import strength_of
from pokerlab.estimates import Estimate, bare, estimate, exact
from pokerlab.experiments.experiment import Config, Table, bare_rows
from pokerlab.experiments.records import notes_of, published
from pokerlab.policies.income_rates import IncomeRates, iterated_rates, rollout_rates

PLAYERS = 10
IR_10, ITERATED = "IR-10, milli-bets", "iterated, milli-bets"
PROFITABLE, COMMON = "profitable hands", "profitable hands that are among the 27 printed"
CORRELATION, DIFFERENCE = "rank correlation with the printed rates", "root mean square difference, milli-bets"
NAMES = (PROFITABLE, COMMON, CORRELATION, DIFFERENCE)
LARGE, SMALL = "iterated, many trials", "iterated, 50,000 and 500,000 trials"

PRINTED = published("davidson2002-table-3-1")
CLASSES = np.array([class_index(hand) for hand in PRINTED[IR_10]])
IR, RATES = (np.array([number.mean for number in PRINTED[column].values()]) for column in (IR_10, ITERATED))
"""The printed columns, in milli-bets."""


def roll(part: dict[str, Any]) -> dict[str, Any]:
    """Compute income rates once, by roll-outs or by iteration. Return the result as JSON values."""
    counts = {"trials": part["trials"], "seed": part["seed"]}
    if part["kind"] == "rollout":
        found = rollout_rates(PLAYERS, **counts)
    else:
        found = iterated_rates(PLAYERS, final_trials=part["final_trials"], blinds=part["blinds"], **counts)
    return {"mean": found.mean.tolist(), "error": found.error.tolist(), "count": found.count.tolist()}


def run(config: Config) -> Table:
    """Compute Table 3.1 by both methods. Many iterations of the published size show how much a single one depends on
    luck."""
    settings, seed = config.settings, config.seed
    parts: list[dict[str, Any]] = [
        {"kind": "rollout", "trials": settings["rollout_trials"], "seed": seed + i} for i in range(settings["rollouts"])
    ]
    large = {"kind": "iterated", "seed": seed, "trials": settings["trials"], "final_trials": settings["final_trials"]}
    parts += [{**large, "blinds": "stay in"}, {**large, "blinds": "choose"}]
    small = {"kind": "iterated", "trials": 50_000, "final_trials": 500_000, "blinds": "stay in"}
    parts += [{**small, "seed": seed + i} for i in range(settings["repeats"])]
    done = config.do(roll, parts)
    found = [IncomeRates(PLAYERS, *(np.array(each[part]) for part in ("mean", "error", "count"))) for each in done]
    rolled, others = found[: settings["rollouts"]], found[settings["rollouts"] :]
    count = np.sum([each.count for each in rolled], axis=0)
    mean = np.sum([each.mean * each.count for each in rolled], axis=0) / count
    error = np.sqrt(np.sum([(each.error * each.count) ** 2 for each in rolled], axis=0)) / count
    return _table(IncomeRates(PLAYERS, mean, error, count), others[0], others[1], others[2:])


def _table(rolled: IncomeRates, iterated: IncomeRates, choosing: IncomeRates, repeats: list[IncomeRates]) -> Table:
    percent = 100 * (1000 * rolled.mean[CLASSES] / IR - 1)
    columns = {LARGE: [iterated], SMALL: repeats, "blinds choose": [choosing]}
    found = {row: list(map(_agreement, same)) for row, same in columns.items()}
    agreement = {
        name: {row: estimate(np.array([each[name] for each in same]), method="runs") for row, same in found.items()}
        for name in NAMES
    }
    agreement[CORRELATION] = {"IR-10": bare(rank_correlation(rolled.mean[CLASSES], IR)), **agreement[CORRELATION]}
    more = ", ".join(class_text(int(c)) for c in np.flatnonzero(iterated.profitable) if c not in CLASSES)
    notes = (
        f"The largest difference in the IR-10 column is {np.abs(percent).max():.2f}%.",
        f"Profitable here and not printed: {more or 'none'}.",
        f'"{SMALL}" are runs with as many trials as the published one, whose own rates carry that much luck.',
    )
    return Table.of({IR_10: _rows(rolled), ITERATED: _rows(iterated), **agreement}, notes)


def _rows(rates: IncomeRates) -> dict[str, Estimate]:
    rows = {}
    for hand, c in zip(PRINTED[IR_10], CLASSES, strict=True):
        mean, half = 1000 * float(rates.mean[c]), 1960 * float(rates.error[c])
        rows[hand] = Estimate(mean, mean - half, mean + half, int(rates.count[c]))
    return rows


def _agreement(rates: IncomeRates) -> dict[str, float]:
    """Measures of how well income rates from iterated simulation agree with the printed column."""
    ours = rates.mean[CLASSES]
    return {
        PROFITABLE: float(rates.profitable.sum()),
        COMMON: float(rates.profitable[CLASSES].sum()),
        CORRELATION: rank_correlation(ours, RATES),
        DIFFERENCE: float(np.sqrt(np.mean((1000 * ours - RATES) ** 2))),
    }


def rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's rank correlation.

    >>> rank_correlation(np.array([1.0, 5.0, 7.0]), np.array([10.0, 30.0, 20.0])).__round__(3)
    0.5
    """
    from scipy.stats import spearmanr

    return float(spearmanr(one, other).statistic)


PRICE = 2.0
POSTED = 0.5
NEEDED = (PRICE - POSTED) / (2 * PRICE)
"""The share of the pot that the small blind must win to get back what it adds: 1.5 of 4 small bets."""


def iterate(part: dict[str, Any]) -> dict[str, Any]:
    found = iterated_rates(2, price=PRICE, **part)
    return {"mean": found.mean.tolist(), "plays": found.profitable.tolist()}


def run_two_players(config: Config) -> Table:
    """Iterate against a big blind that always stays in and against one that chooses, and compare with exact
    equities."""
    counts = {"trials": config.settings["trials"], "final_trials": config.settings["final_trials"]}
    parts = [{**counts, "seed": config.seed, "blinds": blinds} for blinds in ("stay in", "choose")]
    stays, chooses = config.do(iterate, parts)
    plays, rates = np.array(stays["plays"]), np.array(stays["mean"])
    total = np.bincount(CLASS_OF_COMBO, weights=strength_of(()).mean_hs, minlength=N_CLASSES)
    equity = total / np.bincount(CLASS_OF_COMBO, minlength=N_CLASSES)  # equity of each class against a random hand
    worth = 2 * PRICE * equity - (PRICE - POSTED)
    wrong = plays != (worth > 0)
    sections = {
        "deals the small blind plays, %": {
            "the big blind stays in": bare(_share(plays)),
            "... by exact equity": exact(_share(worth > 0)),
            "the big blind chooses too": bare(_share(np.array(chooses["plays"]))),
        },
        "starting hands, of 169": bare_rows(
            {"folded": (~plays).sum(), "decided otherwise than by exact equity": wrong.sum()}
        ),
        "rates of hands that are played": bare_rows(
            {
                "rank correlation with exact equity": rank_correlation(rates[plays], equity[plays]),
                "largest error, small bets": np.abs(rates - worth)[plays].max(),
                "a wrong decision costs at most, small bets": np.abs(worth[wrong]).max(initial=0.0),
            }
        ),
    }
    folds = ", ".join(class_text(int(c)) for c in np.flatnonzero(~plays))
    return Table.of(sections, notes_of("davidson2002-two-players", folds=folds, needed=NEEDED))


def _share(plays: Bools) -> float:
    return float(100 * plays[CLASS_OF_COMBO].mean())
