"""What a player has done in a dozen contexts, and the formula with its thresholds moved to fit.

A context is the street and whether no bet, one or more are to be called. In each, the model's shares of folds, calls
and raises are a mix of what the default formula would do and what was counted, the default weighing as much as
`PRIOR` observations. Thresholds are then the quantiles of strength that give those shares.

>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> counts = ActionCounts()
>>> counts.observe(HandHistory(game("limit2p"), tuple(range(9)), (RaiseTo(20), CALL, *(CALL,) * 6), ("ann", "bob")))
>>> counts.shares("bob", street=0, facing=1).tolist(), counts.shares("ann", street=0, facing=2).tolist()
([0.0, 0.0, 1.0], [0.0, 1.0, 0.0])

References
----------
Davidson (2002), section 3.3.3; Sweeney (2012), section 3.2.2, on the first opponent models of Loki.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.combos import live_combos
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.actions import Action, Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import (
    FormulaPolicy,
    Style,
    board_ehs,
    decide,
    preflop_percentile,
    situation,
    strength_of_combos,
    triples,
)
from pokerlab.policies.policy import HoldemPolicy

Floats = NDArray[np.float64]
N_STREETS, N_FACING, N_KINDS = 4, 3, 3
PRIOR = 5.0
KIND = "action counts"


def facing(public: PublicView, seat: int) -> int:
    """0 when nothing is to be called, 1 for one bet (the blind is one), 2 for more."""
    betting = public.betting
    if betting.max_bet <= betting.bets[seat]:
        return 0
    return min(betting.n_raises + (public.street == 0), 2)


class ActionCounts:
    """`counts[street, facing, kind]` of every player seen, by name: a `Learner` that has a model of each."""

    learns_from_actions_alone = True

    def __init__(self, style: Style | None = None) -> None:
        self.style = style or Style()
        self._counts: dict[str, NDArray[np.int64]] = {}

    def observe(self, hand: HandHistory) -> None:
        """Count every action of a finished hand; no cards are needed."""
        public = hand.final.public(hand.number, hand.names)
        for before, step in public.decisions():
            counts = self._counts.setdefault(hand.names[step.seat], _none())
            counts[min(before.street, N_STREETS - 1), facing(before, step.seat), int(step.action.kind)] += 1

    def count_of(self, name: str) -> NDArray[np.int64]:
        """`counts[street, facing, kind]`; zeros for a stranger."""
        return self._counts.get(name, _none())

    def shares(self, name: str, *, street: int, facing: int) -> Floats:
        """Counted shares of fold, call and raise in a context; zeros where nothing was seen."""
        counts = self.count_of(name)[street, facing]
        return np.asarray(counts / max(int(counts.sum()), 1))

    def looseness(self, name: str) -> float | None:
        """How often the player stayed in before the flop when that cost chips; None while unknown."""
        paid = self.count_of(name)[0, 1:].sum(axis=0)
        return float(1 - paid[Kind.FOLD] / paid.sum()) if paid.sum() >= PRIOR else None

    def aggression(self, name: str) -> float:
        """How often the player raises before the flop, a stranger like the default style."""
        counts = self.count_of(name)[0].sum(axis=0)
        return float((PRIOR * self.style.raises + counts[Kind.RAISE]) / (PRIOR + counts.sum()))

    def model_of(self, name: str) -> Policy:
        """The player's model as of now."""
        return CountedFormula(self.style, self.count_of(name))

    def save(self, path: Path) -> None:
        """Write everything counted to a file."""
        self._write(path, KIND, {})

    def load(self, path: Path) -> None:
        """Start from what `save` wrote instead of from nothing."""
        self._read(path, KIND)

    def _write(self, path: Path, kind: str, others: dict[str, Floats]) -> None:
        """Write the counts, and `others[name, ..]` of the same players in the order of their names."""
        names = sorted(self._counts)
        counts = np.array([self._counts[name] for name in names], np.int64).reshape(-1, *_none().shape)
        write_arrays(path, kind, {"game": "hold'em", "names": names}, {"counts": counts, **others})

    def _read(self, path: Path, kind: str) -> Mapping[str, NDArray[Any]]:
        about, arrays = read_arrays(path, kind)
        self._counts = {name: np.array(counts) for name, counts in zip(about["names"], arrays["counts"], strict=True)}
        return arrays


class Strangers(ActionCounts):
    """Models of players of whom nothing is ever learned: everyone is taken for the default one."""

    def observe(self, hand: HandHistory) -> None:
        """Count nothing."""

    def model_of(self, name: str) -> Policy:
        """The default formula."""
        return FormulaPolicy(self.style)


def _none() -> NDArray[np.int64]:
    return np.zeros((N_STREETS, N_FACING, N_KINDS), np.int64)


@dataclass(frozen=True)
class CountedFormula(HoldemPolicy):
    """The default formula with thresholds that give a player's counted shares."""

    style: Style
    counts: NDArray[np.int64]

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """The actions considered and `p[combo, action]`."""
        default, p = triples(public, seat, self.style)
        seen = self.counts[min(public.street, N_STREETS - 1), facing(public, seat)]
        if not seen.sum():
            return default, p
        expected = np.zeros(N_KINDS)
        live = live_combos(sum(1 << card for card in public.board))
        for action, share in zip(default, live @ p / live.sum(), strict=True):
            expected[action.kind] = share
        target = (PRIOR * expected + seen) / (PRIOR + seen.sum())
        strength, potential = strength_of_combos(public, n_ahead=self.style.n_ahead)
        n_players = public.rules.n_seats - public.betting.folded.bit_count()
        ordered = _ordered(public.board, n_players, self.style.n_ahead)
        at = [ordered[min(int(share * len(ordered)), len(ordered) - 1)] for share in (target[0], 1 - target[2])]
        here = situation(public, seat, self.style, at=(at[0], at[1]))
        return decide(public, here, strength=strength, potential=potential)


@lru_cache(maxsize=1024)
def _ordered(board: tuple[int, ...], n_players: int, n_ahead: int) -> Floats:
    """The strengths of the combos that are live on a board, in order."""
    strength = preflop_percentile(n_players) if not board else board_ehs(board, n_players - 1, n_ahead)
    return np.asarray(np.sort(strength[live_combos(sum(1 << card for card in board))]))
