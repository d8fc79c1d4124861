"""The formula player: weight tables for everyone, strength against all of them, and a probability triple.

Before the flop it plays by income rates, position, raises and how loosely the table plays. Afterwards its hand strength
is the product of its strengths against each opponent's weight table, its potential is unweighted (Poki's habit, named
`potential`), and the formula of `policies.formula` turns the effective strength into a triple.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), tuple(range(52))).view(1, 0, ("a", "b"))
>>> actions, p, _ = Poki().triple(view)
>>> [str(action) for action in actions]
['fold', 'call', 'raise to 20']

References
----------
Davidson (2002), chapter 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.combos import combo_index
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.strength import ehs, hs_against_all
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.models.action_counts import ActionCounts
from pokerlab.models.weight_tables import DEFAULT_NOISE, WeightTables, field_array, without
from pokerlab.policies.formula import (
    FormulaPolicy,
    Style,
    board_strength,
    choose,
    decide,
    is_holdem,
    preflop_percentile,
)

Floats = NDArray[np.float64]
Against = Literal["each", "field mean", "field max"]
TYPICAL_LOOSENESS = 0.35


@dataclass(frozen=True)
class Settings:
    """What a Poki is like."""

    style: Style = field(default_factory=Style)
    model: Literal["counts", "formula"] = "counts"  # opponent models: counted actions, or everyone like the default
    noise: float = DEFAULT_NOISE  # of the weight tables
    against: Against = "each"  # strength as the product over opponents (eq. 3.3) or by the field array (eq. 3.4)
    weighted: bool = True  # False: opponents hold anything
    adapts: float = 0.5  # how far it follows a loose or tight table with its own starting hands


class Poki:
    """A formula player; fresh ones know nobody."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.counts = ActionCounts()
        self._default = FormulaPolicy()
        self.tables = WeightTables(self.model_of, noise=self.settings.noise)

    def model_of(self, name: str) -> Policy:
        """What this player takes the one called `name` for."""
        return self.counts.model_of(name) if self.settings.model == "counts" else self._default

    def supports(self, rules: Rules) -> bool:
        """Hold'em at any stakes."""
        return is_holdem(rules)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One draw from the triple."""
        actions, p, _ = self.triple(view)
        return choose(actions, p, rng)

    def triple(self, view: View) -> tuple[tuple[Action, ...], Floats, dict[str, Any]]:
        """The actions considered, their probabilities, and what they rest on (for `explain`)."""
        if view.street == 0:
            players = view.rules.n_seats - view.betting.folded.bit_count()
            style, strength = self._style_at(view), preflop_percentile(players)[combo_index(*view.hole)]
            reasons: dict[str, Any] = {"percentile": float(strength), "plays": style.plays, "raises": style.raises}
            potential = 0.0
        else:
            hs, potential = self.strength(view)
            style, strength = self.settings.style, float(ehs(hs, potential))
            reasons = {"hs": hs, "ppot": potential, "ehs": strength}
        actions, p = decide(view, view.seat, style, strength=np.array([strength]), potential=np.array([potential]))
        return actions, p[0], reasons

    def strength(self, view: View) -> tuple[float, float]:
        """(hand strength against everyone left, unweighted positive potential) on the flop and later."""
        opponents = [s for s in range(view.rules.n_seats) if s != view.seat and view.betting.in_hand(s)]
        hs, ppot = board_strength(view.board)
        mine = combo_index(*view.hole)
        if not self.settings.weighted:
            return float(hs[mine] ** len(opponents)), float(ppot[mine])
        tables = self.tables.at(view)
        held = [without(tables[seat], view.hole) for seat in opponents]
        ranks = board_ranks(view.board)
        if self.settings.against == "each":
            against = float(hs_against_all([hs_of(ranks, mine, weights) for weights in held]))
        else:
            by = self.settings.against.removeprefix("field ")
            against = hs_of(ranks, mine, field_array(held, by=by)) ** len(held)
        return against, float(ppot[mine])

    def _style_at(self, view: View) -> Style:
        """The style with starting hands fitted to how loosely the others play."""
        style, adapts = self.settings.style, self.settings.adapts
        if self.settings.model != "counts" or not adapts:
            return style
        seen = [self.counts.looseness(name) for seat, name in enumerate(view.names) if seat != view.seat]
        known = [share for share in seen if share is not None]
        if not known:
            return style
        factor = 1 + adapts * (float(np.mean(known)) - TYPICAL_LOOSENESS)
        return replace(style, plays=min(style.plays * factor, 1.0), raises=min(style.raises * factor, 1.0))

    def observe(self, hand: HandHistory) -> None:
        """Count what everyone did."""
        if self.settings.model == "counts":
            self.counts.observe(hand)
        self.tables.forget()

    def save(self, path: Path) -> None:
        """Write what it knows of its opponents."""
        self.counts.save(path)

    def load(self, path: Path) -> None:
        """Know what was saved."""
        self.counts.load(path)
        self.tables.forget()


def hs_of(ranks: NDArray[np.int32], mine: int, weights: Floats) -> float:
    """Hand strength of combo `mine` against `weights` (which give hands with its cards nothing); 0.5 against nobody."""
    total = weights.sum()
    if total <= 0:
        return 0.5
    return float((weights[ranks < ranks[mine]].sum() + weights[ranks == ranks[mine]].sum() / 2) / total)


@lru_cache(maxsize=256)
def board_ranks(board: tuple[int, ...]) -> NDArray[np.int32]:
    """`rank[combo]` on a board, -1 for blocked combos."""
    return rank_combos(board)


__all__ = ["Poki", "Settings", "board_ranks", "hs_of"]
