"""Models a player by its action counts: thresholds on hand strength that reproduce the counted frequencies.

The player's possible hands are ordered by strength. The weakest are folded and the strongest raised, as often as the
player was observed to fold and to raise (hands are weighted by the player's weight table). Hands near a threshold take
both actions with some probability. So the frequencies match the counts on every street, whatever the player's earlier
actions have revealed about its hand. The model is mixed with the default formula, which has the weight of
`FORMULA_COUNTS_FOR` decisions.

>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> counts = no_counts()
>>> counts[1, 1] = (7000, 2000, 1000, 0)  # on the flop, facing one bet: folds, calls, raises, calls at the cap
>>> state = State.start(game("limit2p"), tuple(range(9)))
>>> for action in (RaiseTo(20), CALL, RaiseTo(10)):
...     state = state.after(action)
>>> public = state.public(0, ("ann", "bob"))  # ann bets the flop; bob, who raised before it, is to act
>>> from pokerlab.systems.poki.weight_tables import WeightTables
>>> model = CountedFormula(Style(), counts)
>>> held = WeightTables(lambda name: model).at(public)[1]
>>> actions, p = model.given(held, public, 1)
>>> actions, (held @ p / held.sum()).round(2).tolist()
((FOLD, CALL, RaiseTo(20)), [0.7, 0.2, 0.1])

References
----------
Davidson (2002), section 3.3.3; Sweeney (2012), section 3.2.2, on the first opponent models of Loki.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.combos import N_COMBOS, live_combos
from pokerlab.games.actions import Action, Kind
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import (
    Style,
    board_ehs,
    decide,
    preflop_percentile,
    situation,
    strength_of_combos,
    triples,
)
from pokerlab.systems.poki.weight_tables import RangePolicy

Fit = Literal["hands held", "all hands"]
N_STREETS, N_FACING, N_KINDS = 4, 3, 3
CALL_AT_THE_CAP = 3  #: kind of a call when no raise was legal; says nothing about raising
FORMULA_COUNTS_FOR = 10.0  #: weight of the default formula beside fitted thresholds, in decisions
PRIOR = 5.0  #: weight of the default frequencies beside counted ones, in decisions (fit "all hands")
LEAST_BAND = 1e-3


def no_counts() -> Int64s:
    """`counts[street, facing, kind]` of a stranger, all zero. The kinds are fold, call, raise and `CALL_AT_THE_CAP`."""
    return np.zeros((N_STREETS, N_FACING, N_KINDS + 1), np.int64)


def shares_of(seen: Int64s) -> tuple[float, float]:
    """Return (frequency of folds, frequency of raises when one is legal) from the counts of one context, `seen[kind]`.

    >>> shares_of(np.array([2, 3, 1, 4]))  # ten decisions, six of them with a raise to choose
    (0.2, 0.2)
    """
    folds, calls, raises, capped = seen.tolist()
    fold = folds / max(folds + calls + raises + capped, 1)
    return fold, (1 - fold) * raises / max(calls + raises, 1)


def context(public: PublicView, seat: int) -> tuple[int, int]:
    """Context of a decision: (street, 0 if there is nothing to call, 1 for one bet such as the blind, 2 for more)."""
    betting, street = public.betting, min(public.street, N_STREETS - 1)
    if betting.max_bet <= betting.bets[seat]:
        return street, 0
    return street, min(betting.n_raises + (street == 0), N_FACING - 1)


@dataclass(frozen=True)
class CountedFormula(RangePolicy):
    """The default formula mixed with thresholds that reproduce a player's counted frequencies.

    With `fit` "all hands" it is the model of version 0.1.0. That model chooses the thresholds of the default formula so
    that the frequencies hold over all hands, instead of over the hands that the player may hold. Other rules of the
    formula (for example, draws are never folded) prevent an exact match.
    """

    style: Style
    counts: Int64s
    fit: Fit = "hands held"

    def given(self, held: Floats, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """Return (actions, `p[combo, action]`) of a player whose weight table is `held`."""
        actions, p = triples(public, seat, self.style)
        seen = self.counts[context(public, seat)]
        if not seen.any():
            return actions, p
        if self.fit == "all hands":
            return self._moved(public, seat, actions, p)
        kinds = slice(actions[0].kind, actions[-1].kind + 1)  # the legal ones among fold, call and raise
        fold, raises = shares_of(seen)
        order, strength = self._order(public), strength_of_combos(public, n_ahead=self.style.n_ahead)[0]
        total = held[order].sum()
        weight = held / total if total > 0 else np.full(N_COMBOS, 1 / len(order))
        if actions[-1].kind != Kind.RAISE:
            raises = 0.0
        counted = fitted(order, strength, weight, fold=fold, raises=raises, band=max(self.style.band, LEAST_BAND))
        default = FORMULA_COUNTS_FOR / (FORMULA_COUNTS_FOR + seen.sum())
        counted *= 1 - default
        return actions, default * p + counted[:, kinds]

    def _moved(
        self, public: PublicView, seat: int, actions: tuple[Action, ...], p: Floats
    ) -> tuple[tuple[Action, ...], Floats]:
        """Predict with `fit` "all hands": the default formula, with its thresholds at quantiles of all hands.

        The quantiles are a mixture of counted and default frequencies.
        """
        expected, seen = np.zeros(N_KINDS), as_calls(self.counts[context(public, seat)])
        live = live_combos(sum(1 << card for card in public.board))
        for action, share in zip(actions, live @ p / live.sum(), strict=True):
            expected[action.kind] = share
        target = (PRIOR * expected + seen) / (PRIOR + seen.sum())
        strength, potential = strength_of_combos(public, n_ahead=self.style.n_ahead)
        ordered = strength[self._order(public)]
        at = [ordered[min(int(share * len(ordered)), len(ordered) - 1)] for share in (target[0], 1 - target[2])]
        here = situation(public, seat, self.style, at=(at[0], at[1]))
        return decide(public, here, strength=strength, potential=potential)

    def _order(self, public: PublicView) -> Int64s:
        """The possible combos, from weakest to strongest."""
        return _order_of(public.board, public.rules.n_seats - public.betting.folded.bit_count(), self.style.n_ahead)


def as_calls(counts: Int64s) -> Int64s:
    """Merge counts to `counts[.., (fold, call, raise)]`: calls made when no raise was legal are added to the other
    calls."""
    merged = counts[..., :N_KINDS].copy()
    merged[..., Kind.CALL] += counts[..., CALL_AT_THE_CAP]
    return merged


def fitted(order: Int64s, strength: Floats, weight: Floats, *, fold: float, raises: float, band: float) -> Floats:
    """`p[hand, (fold, call, raise)]`, depending only on strength. The mean over hands, weighted by `weight`, has the
    given frequencies of folds and raises.

    `order` lists the possible hands from weakest to strongest; their weights sum to one.
    """
    from pokerlab.systems.poki import _thresholds_numba as kernel

    p = np.empty((len(strength), N_KINDS))
    kernel.fitted(order, strength, weight, fold, raises, band, p)
    return p


@lru_cache(maxsize=1024)
def _order_of(board: tuple[int, ...], n_players: int, n_ahead: int) -> Int64s:
    """Possible combos on a board, from weakest to strongest."""
    strength = preflop_percentile(n_players) if not board else board_ehs(board, n_players - 1, n_ahead)
    live = np.flatnonzero(live_combos(sum(1 << card for card in board)))
    return np.asarray(live[np.argsort(strength[live], kind="stable")])
