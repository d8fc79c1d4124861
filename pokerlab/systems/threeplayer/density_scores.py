"""Measure how well betting densities predict a player's bets: one prediction before each street of a match, and its
error.

Densities predict the amount bet on a street before they learn from it. A bet is *bounded* if it is at most the
predicted one. Errors are summed by street (`SUMS`), and `metric` computes the published numbers from the sums: the
share of bets that are bounded (PB), and the mean error of unbounded bets (EPUH) and of bounded ones (EPBH). CFEPBH sums
the errors of the bounded hands in which the player's last action was a call or a fold. The paper does not say by what
number this is divided: the name suggests all bounded hands (`CFEPBH_BOUNDED`), the text could also mean only the hands
that end with a call or fold (`CFEPBH_CALM`). Only the first is never above EPBH, as in all printed cells.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Bools, Floats, Int64s
from pokerlab.cards.combos import CARDS_OF_COMBO, combo_index
from pokerlab.cards.evaluate import CATEGORIES, TRIPS, category_of_rank, evaluate
from pokerlab.games.history import HandHistory
from pokerlab.systems.threeplayer.betting_densities import N_AMOUNTS, DensitySettings, street_plays, strengths
from pokerlab.systems.threeplayer.kernel_density import running_chances

SCORED_AFTER = 500  #: in the relaxed protocol, scores begin after this many hands
N_STREETS = 4
PUBLISHED = DensitySettings()
SQUARED_PREFLOP = replace(PUBLISHED, metrics=("mean_hs_squared", *PUBLISHED.metrics[1:]))
VARIANTS: dict[str, DensitySettings] = {
    "as published": PUBLISHED,
    "E[HS^2] before the flop": SQUARED_PREFLOP,
    "with implied odds": replace(PUBLISHED, odds=True),
    "weighted by frequency": replace(PUBLISHED, weighted=True),
    "all three": replace(SQUARED_PREFLOP, odds=True, weighted=True),
}
MEAN_BET = "mean bet so far"
CFEPBH_BOUNDED, CFEPBH_CALM = "CFEPBH over all bounded hands", "CFEPBH"
BLUFF_BELOW = 0.5  #: HS below which a raise counts as a bluff
BLUFF = "bluffs: raised with an HS below 0.5"


class StreetPlays(NamedTuple):
    """The streets on which one player acted in a match, in order; one row each."""

    hand: Int64s
    street: Int64s
    amount: Int64s
    raised_last: Bools
    shown: Bools
    odds: Floats
    strength: dict[str, Floats]  # by strength metric
    kind: list[str]  # type of hand


class PredictedBets(NamedTuple):
    """Predictions before each play: `chances[play, amount]`, smoothed by `doubt`; and `expected[play]`, the mean amount
    without smoothing."""

    chances: Floats
    expected: Floats


def street_rows(hand: HandHistory) -> Iterable[tuple[str, Any]]:
    """Yield (player, row of `StreetPlays`) for each street of a hand with known cards."""
    board = tuple(card for card in hand.final.board if card is not None)
    for play in street_plays(hand):
        hole = hand.final.hole(play.seat)
        combo, there = combo_index(*hole), hand.rules.board_on(board, play.street)  # type: ignore[arg-type]
        strength = {metric: float(strengths(there, metric)[combo]) for metric in ("hs", "mean_hs_squared")}
        shown = play.seat in hand.shown
        kind = _kind(combo, there)
        if play.raised_last and strength["hs"] < BLUFF_BELOW:
            kind = BLUFF
        values = (hand.number, play.street, play.amount, play.raised_last, shown, play.odds, strength, kind)
        yield hand.names[play.seat], values


def _kind(combo: int, board: Sequence[int]) -> str:
    """Type of a hand: pair, suited or offsuit before the flop; afterwards, the category of the poker hand."""
    one, other = CARDS_OF_COMBO[combo].tolist()
    if not board:
        return "pair in hand" if one // 4 == other // 4 else "suited" if one % 4 == other % 4 else "offsuit"
    category = category_of_rank(evaluate((one, other, *board)))
    return CATEGORIES[category] if category < TRIPS else "three of a kind or better"


def street_plays_of(rows: list[Any]) -> StreetPlays:
    """Convert one player's rows in a match to columns."""
    *columns, strength, kind = zip(*rows, strict=True)
    metrics = {metric: np.array([row[metric] for row in strength]) for metric in strength[0]}
    hand, street, amount, raised, shown, odds = map(np.array, columns)
    return StreetPlays(hand, street, amount, raised, shown, odds, metrics, list(kind))


def predict(plays: StreetPlays, settings: DensitySettings, learns: Bools) -> PredictedBets:
    """Predict every play with densities learned from the earlier plays that are marked in `learns`."""
    chances, expected = np.empty((len(plays.hand), N_AMOUNTS)), np.empty(len(plays.hand))
    for street in range(N_STREETS):
        here = plays.street == street
        columns = [plays.strength[settings.metrics[street]][here]]
        columns += [plays.odds[here]] if settings.odds else []
        data = (np.stack(columns, axis=1), plays.amount[here], learns[here])
        for doubt in (0.0, settings.doubt):
            p = running_chances(
                *data, n_outcomes=N_AMOUNTS, weighted=settings.weighted, least=settings.least_width, doubt=doubt
            )
            if doubt == 0.0:
                expected[here] = p @ np.arange(N_AMOUNTS)
            else:
                chances[here] = p
    return PredictedBets(chances, expected)


def predict_mean(plays: StreetPlays, learns: Bools) -> PredictedBets:
    """Predict by a simple baseline: the player's mean bet on that street so far, and the frequency of each amount. At
    first all amounts are equally likely."""
    chances, expected = np.empty((len(plays.hand), N_AMOUNTS)), np.empty(len(plays.hand))
    for street in range(N_STREETS):
        here = plays.street == street
        bets = np.eye(N_AMOUNTS)[plays.amount[here]] * learns[here, None]
        before = np.cumsum(np.r_[np.zeros((1, N_AMOUNTS)), bets[:-1]], axis=0) if len(bets) else bets
        n = before.sum(axis=1, keepdims=True)
        chances[here] = (before + 1 / N_AMOUNTS) / (n + 1)
        expected[here] = np.where(n > 0, before / np.maximum(n, 1), 1 / N_AMOUNTS) @ np.arange(N_AMOUNTS)
    return PredictedBets(chances, expected)


SUMS = ("n", "bounded", "under", "over", "calm", "calm over", "absolute", "squared", "log", "brier", "said")
"""Names of the sums over plays. "calm" plays are bounded, and the player's last action was not a raise."""


def error_sums(plays: StreetPlays, said: PredictedBets, which: Bools) -> list[float]:
    """The sums `SUMS` over the plays selected by `which`."""
    amount = plays.amount[which]
    guess = np.floor(said.expected[which] + 0.5)
    bounded, error = guess >= amount, guess - amount
    calm = bounded & ~plays.raised_last[which]
    p = said.chances[which]
    truth = np.eye(N_AMOUNTS)[amount]
    log = np.log((p * truth).sum(axis=1))
    numbers = (
        len(amount), bounded.sum(), -error[~bounded].sum(), error[bounded].sum(), calm.sum(), error[calm].sum(),
        np.abs(error).sum(), ((said.expected[which] - amount) ** 2).sum(), log.sum(), ((p - truth) ** 2).sum(),
        guess.sum(),
    )  # fmt: skip
    return [float(number) for number in numbers]


def scores(plays: StreetPlays, variants: Sequence[str] = (*VARIANTS, MEAN_BET)) -> dict[str, Any]:
    """The sums `SUMS` for each variant, protocol (training data and first scored hand) and street; also counts by type
    of hand and by amount."""
    sources = {"all": np.ones(len(plays.hand), bool), "showdowns": plays.shown}
    sums: dict[str, Any] = {}
    for name in variants:
        for source, learns in sources.items():
            said = predict_mean(plays, learns) if name == MEAN_BET else predict(plays, VARIANTS[name], learns)
            for first in (0, SCORED_AFTER):
                late = plays.hand >= first
                sums.setdefault(name, {})[f"{source} {first}"] = [
                    error_sums(plays, said, late & (plays.street == street)) for street in range(N_STREETS)
                ]
            if name == "as published" and source == "all":
                sums["types"] = _by_type(plays, said)
    sums["amounts"] = {
        source: np.bincount(plays.amount[learns & (plays.street == 0)], minlength=N_AMOUNTS).tolist()
        for source, learns in sources.items()
    }
    return sums


def _by_type(plays: StreetPlays, said: PredictedBets) -> dict[str, list[int]]:
    """Count plays by type of hand, from hand `SCORED_AFTER` on. A play is one player's betting on one street.

    Return a dict whose keys are "before the flop: " or "after it: " with the type of hand, for example "before the
    flop: suited". Each value is a list: the number of plays, and the number of those in which the player bet more than
    was predicted.
    """
    by_type: dict[str, list[int]] = {}
    failed = np.floor(said.expected + 0.5) < plays.amount
    for i in np.flatnonzero(plays.hand >= SCORED_AFTER):
        when = "before the flop" if plays.street[i] == 0 else "after it"
        counts = by_type.setdefault(f"{when}: {plays.kind[i]}", [0, 0])
        counts[0] += 1
        counts[1] += int(failed[i])
    return by_type


def metric(sums: Floats, name: str) -> float:
    """Compute one of the published metrics, or a score, from the sums `SUMS`; NaN if its denominator is zero."""
    n, bounded, under, over, calm, calm_over, absolute, squared, log, brier, said = sums.tolist()
    part, whole = {
        "PB": (100 * bounded, n),
        "EPUH": (under, n - bounded),
        "EPBH": (over, bounded),
        CFEPBH_BOUNDED: (calm_over, bounded),
        CFEPBH_CALM: (calm_over, calm),
        "absolute": (absolute, n),
        "squared": (squared, n),
        "log": (log, n),
        "Brier": (brier, n),
        "said": (said, n),
    }[name]
    return part / whole if whole else np.nan
