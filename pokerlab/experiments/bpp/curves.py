"""Fit betting curves, shifts and bluffs to the actions that Taylor (2007) counted: tables 4.3, 4.7 and 4.10.

The hybrid player plays a copy of itself, and two copies whose curves are shifted left and right, in compiled matches
with the same cards (`systems.bpp.duels`). A simplex search (Nelder and Mead 1965) with a fixed start and fixed random
numbers minimises the mean distance from the printed percentages, so the same seed gives the same curves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import share
from pokerlab.experiments.experiment import Config, Sections, Table, bare_rows
from pokerlab.experiments.records import published
from pokerlab.systems.bpp import opponent as tables
from pokerlab.systems.bpp.duels import GAME, play_duel
from pokerlab.systems.bpp.player import BppSettings, Curves
from pokerlab.systems.bpp.variants import PRIOR, bluff_vector
from pokerlab.table.match import MatchPlan

FITTED = "fitted values"
APART = "distance from the printed tables, percentage points a cell"
PRINTED = {
    "aggressive": "table 4.10: A. Hybrid, %",
    "": "table 4.3: Hybrid, %",
    "conservative": "table 4.7: C. Hybrid, %",
}
START = {
    "raise at, before the flop": 0.56, "raise at, on the river": 0.42,
    "width, before the flop": 0.11, "width, on the river": 0.17,
    "more if facing a bet, before the flop": 0.0, "more if facing a bet, on the river": 0.1,
    "stay above the pot odds, before the flop": 0.0, "stay above the pot odds, on the river": 0.0,
    "width of staying, before the flop": 0.06, "width of staying, on the river": 0.08,
    "bluffs, before the flop": 0.1, "bluffs, on the river": 0.1,
    "shift, aggressive": -0.06, "shift, conservative": 0.08,
}  # fmt: skip
"""Values that the search starts from; widths are searched by their logarithms."""
WIDTHS = tuple(i for i, name in enumerate(START) if name.startswith("width"))
STEPS = np.where(np.isin(np.arange(len(START)), WIDTHS), 0.4, 0.05)


class FittedPlayer(NamedTuple):
    """Fitted values: betting curves, bluffs and shifts. From them it makes the settings of players."""

    decides: Curves
    bluffs: tuple[float, ...]
    shifts: Mapping[str, float]

    def settings(self, style: str = "") -> BppSettings:
        """Settings of a hybrid player of the given style. It updates the base table by the winner of each hand."""
        decides = Curves(**{**vars(self.decides), "shift": self.shifts[style]})
        return BppSettings(decides=decides, bluffs=self.bluffs, model="base", evidence="winner", prior=PRIOR)


def fitted_player(values: Mapping[str, float]) -> FittedPlayer:
    """Make the player from values named as in `START`."""
    numbers = list(values.values())
    pairs = [(numbers[i], numbers[i + 1]) for i in range(0, 12, 2)]
    names = ("raise_at", "width", "facing", "stay_at", "stay_width")
    shape: dict[str, Any] = dict(zip(names, pairs[:5], strict=True))
    curves = Curves(**shape)
    return FittedPlayer(
        curves, bluff_vector(*pairs[5]), {"aggressive": numbers[12], "": 0.0, "conservative": numbers[13]}
    )


def style_counts(player: FittedPlayer, style: str, *, deals: int, seed: int) -> Floats:
    """`counts[win, round, bpp action, action]` of a player of this style against the hybrid."""
    plan = MatchPlan(GAME, ("hybrid", "style"), deals, seed)
    return np.asarray(play_duel(plan, (player.settings(), player.settings(style))).actions[1])


def printed_cells(style: str) -> tuple[list[tuple[int, ...]], Floats]:
    """Return (indices in a table of counts, printed percentages) for the cells of a generated table."""
    cells = published("taylor2007-generated")[PRINTED[style]]
    names = (tables.WIN, tables.ROUNDS, tables.BPP_ACTIONS, tables.ACTIONS)
    places = [tuple(of.index(word) for of, word in zip(names, cell.split(), strict=True)) for cell in cells]
    return places, np.array([number.mean for number in cells.values()])


def cell_distance(counts: Floats, style: str) -> float:
    """Mean distance of counted percentages from the printed ones, in percentage points per cell."""
    places, printed = printed_cells(style)
    ours = 100 * counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    return float(np.abs(np.array([ours[place] for place in places]) - printed).mean())


def distances(player: FittedPlayer, *, deals: int, seed: int) -> dict[str, float]:
    return {
        title: cell_distance(style_counts(player, style, deals=deals, seed=seed), style)
        for style, title in PRINTED.items()
    }


def fit_curves(part: Mapping[str, Any]) -> dict[str, float]:
    """Search for the values whose counts are nearest to the printed tables; returns them rounded to thousandths."""
    from scipy.optimize import minimize

    deals, seed = part["deals"], part["seed"]

    def values(x: Floats) -> dict[str, float]:
        natural = np.where(np.isin(np.arange(len(x)), WIDTHS), np.exp(np.minimum(x, 0.0)), x)
        natural[10:12] = natural[10:12].clip(0, 1)
        return dict(zip(START, natural.tolist(), strict=True))

    def mean_distance(x: Floats) -> float:
        return float(np.mean(list(distances(fitted_player(values(x)), deals=deals, seed=seed).values())))

    start = np.array(list(START.values()))
    start[list(WIDTHS)] = np.log(start[list(WIDTHS)])
    simplex = np.vstack([start, start + np.diag(STEPS)])
    budget = {"initial_simplex": simplex, "maxfev": part["evaluations"], "xatol": 1e-3, "fatol": 1e-3}
    best = minimize(mean_distance, start, method="Nelder-Mead", options=budget)
    return {name: round(value, 3) for name, value in values(best.x).items()}


PLAIN = FittedPlayer(Curves(), (0.0, 0.0, 0.0, 0.0), {"aggressive": -0.125, "": 0.0, "conservative": 0.15})
"""The player before the fit: the default curves, and the shifts that were chosen for them."""


def run_curves(config: Config) -> Table:
    """Fit the curves. Compare the counts with the printed tables, on the cards of the fit and on other cards."""
    deals = config.settings["deals"]
    found = config.do_one(fit_curves, {**config.settings, "seed": config.seed})
    player = fitted_player(found)
    sections: Sections = {FITTED: bare_rows(found)}
    cards = {"": config.seed, " on other cards": config.seed + 1}
    for who, each in (("before the fit", PLAIN), ("fitted", player)):
        for words, seed in cards.items():
            sections[f"{who}{words}: {APART}"] = bare_rows(distances(each, deals=deals, seed=seed))
    bets = {}
    for style, title in PRINTED.items():
        counts = style_counts(player, style, deals=deals, seed=config.seed + 1)
        bets[title] = share(counts[..., 3:].sum(), counts.sum()).scaled(100, "%")
    sections["bets and raises in all actions on other cards, %"] = bets
    note = f"{deals:,} deals a style; the search ended after at most {config.settings['evaluations']} tries."
    return Table.of(sections, (note,))
