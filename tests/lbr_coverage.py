"""How often the interval of local best response holds the mean, and whether removing luck moves it, from saved runs.

    pokerlab lbr rulebot --hands 3000 --seed 11 --out runs/rulebot
    python tests/lbr_coverage.py runs/rulebot

The deals of a run are taken as a population; its luck is centred, so that its mean is known. Of samples of 10, 30 and
200 deals from it, the share whose 95% interval holds that mean is printed, then chips as they fell minus winnings with
luck removed over all deals, in mbb a hand, with z from the paired standard error.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from pokerlab.estimates import estimate
from pokerlab.files import read_arrays
from pokerlab.runs.workers import RESULT
from pokerlab.valuing.lbr_winnings import multiples

SIZES, SAMPLES, SEED = (10, 30, 200), 4000, 3


def deals(run: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`chips[deal]`, `outcome[deal]` and `luck[deal, column]` of a run with one menu, both seatings together."""
    sets: dict[int, list[dict[str, np.ndarray]]] = {}
    for path in sorted((run / "matches").glob("*.result")):
        about, arrays = read_arrays(path, RESULT)
        sets.setdefault(about["task"]["number"], []).append(arrays)
    chips = [np.mean([each["chips"][:, 0] for each in both], axis=0) for both in sets.values()]
    outcome = [np.mean([each["accounts"][:, 0] for each in both], axis=0) for both in sets.values()]
    luck = [np.concatenate([each["accounts"][:, 1:] for each in both], axis=1) for both in sets.values()]
    return np.concatenate(chips), np.concatenate(outcome), np.concatenate(luck)


def without_luck(outcome: np.ndarray, luck: np.ndarray) -> np.ndarray:
    return outcome + (luck * multiples(outcome, luck)).sum(axis=1)


def coverage(outcome: np.ndarray, luck: np.ndarray, n: int, rng: np.random.Generator) -> float:
    """The share of samples of `n` deals whose interval holds the mean of all."""
    luck, held = luck - luck.mean(axis=0), 0
    for _ in range(SAMPLES):
        some = rng.choice(len(outcome), n)
        sample = estimate(without_luck(outcome[some], luck[some]))
        held += sample.low <= outcome.mean() <= sample.high
    return held / SAMPLES


if __name__ == "__main__":
    for run in map(Path, sys.argv[1:]):
        chips, outcome, luck = deals(run)
        rng = np.random.default_rng(SEED)
        shares = ", ".join(f"n = {n}: {coverage(outcome, luck, n, rng):.3f}" for n in SIZES)
        result = json.loads((run / "result.json").read_text())["menus"][0]["chips"]
        milli = result["mean"] / chips.mean()
        difference = estimate((chips - without_luck(outcome, luck)) * milli, units="mbb_per_hand", method="deals")
        error = (chips - without_luck(outcome, luck)).std(ddof=1) * abs(milli) / np.sqrt(len(chips))
        print(f"{run}: {shares}; raw minus corrected {difference}, z {difference.mean / error:+.2f}")
