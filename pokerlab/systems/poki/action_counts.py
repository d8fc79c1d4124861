"""Action counts by player and context, and how far a player's cards explain its actions.

A context is the street and whether no bet, one, or more are to be called. Every action is counted in its context; the
model of a player (`counted_formula`) has thresholds that reproduce the counted shares. `noise` learns from shown hands
how much an action reveals about the cards.

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
from pathlib import Path

import numpy as np

from pokerlab.arrays import AnyArray, Floats, Int64s
from pokerlab.cards.combos import N_COMBOS, combo_index
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import FormulaPolicy, Style
from pokerlab.policies.policy import likelihood_of
from pokerlab.systems.poki.counted_formula import (
    CALL_AT_THE_CAP,
    N_FACING,
    N_STREETS,
    PRIOR,
    CountedFormula,
    Fit,
    context,
    no_counts,
    shares_of,
)
from pokerlab.systems.poki.noise import Noise
from pokerlab.systems.poki.weight_tables import WeightTables, given

KIND = "action counts and noise"


class ActionCounts:
    """`counts[street, facing, kind]` and the noise of every player seen, by name: a `Learner` with a model of each.

    `fit` selects the hands of the counted shares (see `CountedFormula`). Without `learns_noise`, noise is a stranger's.
    """

    learns_in_public = True

    def __init__(self, style: Style | None = None, *, fit: Fit = "hands held", learns_noise: bool = True) -> None:
        self.style, self.fit, self.learns_noise = style or Style(), fit, learns_noise
        self.watcher = ""  # the player whose models these are; an input of networks is whether it is still in
        self.noise = Noise((N_STREETS, N_FACING))
        self._counts: dict[str, Int64s] = {}

    def observe(self, hand: HandHistory) -> None:
        """Learn noise from shown hands, and count every action of a finished hand."""
        if self.learns_noise:
            self._learn_noise(hand)
        for before, step in hand.final.public(hand.number, hand.names).decisions():
            kind = int(step.action.kind)
            if kind == Kind.CALL and before.legal().raise_min is None:
                kind = CALL_AT_THE_CAP
            self._counts.setdefault(hand.names[step.seat], no_counts())[(*context(before, step.seat), kind)] += 1

    def _learn_noise(self, hand: HandHistory) -> None:
        """Learn noise from each action of a shown hand, by the models as they were before the hand."""
        holes = {seat: hand.final.hole(seat) for seat in hand.shown}
        shown = {seat: combo_index(*hole) for seat, hole in holes.items() if None not in hole}  # type: ignore[arg-type]
        held = {seat: np.ones(N_COMBOS) for seat in shown}
        tables = WeightTables(self.model_of, noise=self.noise_of)
        ratios = []
        for before, step in hand.final.public(hand.number, hand.names).decisions():
            if (seat := step.seat) in shown:
                name, weights = hand.names[seat], held[seat]
                p = likelihood_of(before, *given(self.model_of(name), weights, before, seat), step.action)
                ratios.append((name, context(before, seat), float(p[shown[seat]] * weights.sum() / (weights @ p))))
                held[seat] = tables.reweighted(weights, before, seat, step.action)
        for name, place, ratio in ratios:
            self.noise.learn(name, place, ratio)

    def noise_of(self, public: PublicView, seat: int) -> float:
        """Noise of the next action of `seat`, 0 (its cards explain it) to 1 (it reveals nothing)."""
        return self.noise.of(public.names[seat], context(public, seat))

    def count_of(self, name: str) -> Int64s:
        """`counts[street, facing, kind]`; zeros for a stranger."""
        return self._counts.get(name, no_counts())

    def shares(self, name: str, *, street: int, facing: int) -> Floats:
        """Counted shares of fold, call and raise in a context; zeros where nothing was seen."""
        seen = self.count_of(name)[street, facing]
        fold, raises = shares_of(seen)
        return np.asarray(np.array([fold, 1 - fold - raises, raises]) * seen.any())

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
        return CountedFormula(self.style, self.count_of(name), self.fit)

    def save(self, path: Path) -> None:
        """Save everything learned."""
        self._write(path, KIND, {})

    def load(self, path: Path) -> None:
        """Load what `save` wrote."""
        self._read(path, KIND)

    def _write(self, path: Path, kind: str, others: Mapping[str, AnyArray]) -> None:
        """Save counts, evidence and `others`, by player in the order of their names."""
        names = sorted(self._counts)
        arrays = {
            "counts": np.array([self._counts[name] for name in names], np.int64).reshape(-1, *no_counts().shape),
            "evidence": self.noise.evidence_of(names),
        }
        write_arrays(path, kind, {"game": "hold'em", "names": names}, {**arrays, **others})

    def _read(self, path: Path, kind: str) -> Mapping[str, AnyArray]:
        about, arrays = read_arrays(path, kind)
        with well_formed(path):
            counted = shaped(arrays["counts"], None, *no_counts().shape)
            self._counts = dict(zip(map(str, about["names"]), counted, strict=True))
            self.noise.start_from(dict(zip(self._counts, arrays["evidence"], strict=True)))
        return arrays


class Strangers(ActionCounts):
    """Models that learn nothing: every player stays a stranger, with a stranger's noise."""

    def observe(self, hand: HandHistory) -> None:
        """Does nothing."""

    def model_of(self, name: str) -> Policy:
        """The default formula."""
        return FormulaPolicy(self.style)
