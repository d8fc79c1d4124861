"""Iterated income rates of two players: what Davidson (2002) says of them, and what ours are."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.arrays import Bools, Floats
from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES, class_text
from pokerlab.cards.strength_tables import strength_of
from pokerlab.estimates import bare, exact
from pokerlab.experiments.experiment import Config, Table, bare_rows
from pokerlab.experiments.poki.table_3_1 import rank_correlation
from pokerlab.policies.income_rates import iterated_rates

PRICE = 2.0
POSTED = 0.5
NEEDED = (PRICE - POSTED) / (2 * PRICE)
"""The share of the pot of four small bets from which the one and a half that the small blind adds come back."""


def iterate(part: dict[str, Any]) -> dict[str, Any]:
    """One iteration as plain values."""
    found = iterated_rates(2, price=PRICE, **part)
    return {"mean": found.mean.tolist(), "plays": found.profitable.tolist()}


def run(config: Config) -> Table:
    """Iterate against a big blind that stays in and against one that chooses, and compare with exact equities."""
    counts = {"trials": config.settings["trials"], "final_trials": config.settings["final_trials"]}
    parts = [{**counts, "seed": config.seed, "blinds": blinds} for blinds in ("stay in", "choose")]
    stays, chooses = config.do(iterate, parts)
    plays, rates = np.array(stays["plays"]), np.array(stays["mean"])
    equity = _equity_by_class()
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
    notes = (
        "Davidson (2002) states only that iterated roll-outs give near-optimal play for two players that closely "
        "matches Selby's solution; it prints no number. Selby's solution (1999, with raises before the flop and none "
        "later) never folds the big blind and seldom the small one.",
        f"Hands the small blind folds here: {folds}.",
        f"Against a big blind that never folds, staying in pays from an equity of {NEEDED:.3f} against a random hand.",
    )
    return Table.of(sections, notes)


def _equity_by_class() -> Floats:
    """Exact all-in equity of each class against a random hand."""
    total = np.bincount(CLASS_OF_COMBO, weights=strength_of(()).mean_hs, minlength=N_CLASSES)
    equity: Floats = total / np.bincount(CLASS_OF_COMBO, minlength=N_CLASSES)
    return equity


def _share(plays: Bools) -> float:
    return float(100 * plays[CLASS_OF_COMBO].mean())
