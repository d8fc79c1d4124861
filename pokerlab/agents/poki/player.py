"""The formula player: weight tables for everyone, strength against all of them, and a probability triple.

Before the flop it plays by income rates, position, raises and how loosely the table plays. Afterwards its hand strength
is the product of its strengths against each opponent's weight table, its potential is unweighted (Poki's habit), and
the formula of `policies.formula` turns the effective strength into a triple.

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

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import log2
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pokerlab.agents.explanation import Explanation
from pokerlab.agents.poki.odds import bets_later, calls_later, reverse_implied_odds
from pokerlab.agents.poki.reasons import formula_words
from pokerlab.cards.combos import N_COMBOS, combo_index
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.strength import ehs, hs_against_all, pot_odds, strength_of_board
from pokerlab.games.actions import Action, Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.models.action_counts import ActionCounts, Strangers
from pokerlab.models.neural import NeuralModels
from pokerlab.models.weight_tables import DEFAULT_NOISE, WeightTables, field_array, without
from pokerlab.policies.formula import (
    Style,
    board_strength,
    decide,
    implied_odds,
    preflop_percentile,
    preflop_thresholds,
    situation,
    thresholds,
)
from pokerlab.policies.policy import HandPolicy, choose

Floats = NDArray[np.float64]
Against = Literal["each", "field mean", "field max"]
TYPICAL_LOOSENESS = 0.35


@dataclass(frozen=True)
class Settings:
    """What a Poki is like."""

    style: Style = field(default_factory=Style)
    model: Literal["counts", "neural", "formula"] = "counts"  # opponent models; "formula": everyone like the default
    noise: float = DEFAULT_NOISE  # of the weight tables
    against: Against = "each"  # strength as the product over opponents (eq. 3.3) or by the field array (eq. 3.4)
    weighted: bool = True  # False: opponents hold anything
    odds: Literal["constant", "models"] = "constant"  # later bets: a style's constant, or estimated from the models
    adapts: float = 0.5  # how far it follows a loose or tight table with its own starting hands


MODELS: dict[str, Callable[[], ActionCounts]] = {"counts": ActionCounts, "neural": NeuralModels, "formula": Strangers}


class FormulaPlayer:
    """A formula player with models of its opponents; fresh ones know nobody."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.models = MODELS[self.settings.model]()
        self.tables = WeightTables(self.models.model_of, noise=self.settings.noise)

    def supports(self, rules: Rules) -> bool:
        """Hold'em at any stakes."""
        return rules.is_holdem

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One draw from the triple."""
        return choose(*self.triple(view)[:2], rng)

    def triple(self, view: View) -> tuple[tuple[Action, ...], Floats, dict[str, Any]]:
        """The actions considered, their probabilities, and what they rest on (for `explain`)."""
        style = self.settings.style
        if view.street == 0:
            players = view.rules.n_seats - view.betting.folded.bit_count()
            strength, potential = float(preflop_percentile(players)[combo_index(*view.hole)]), 0.0
            at = self._preflop_thresholds(view, view.seat)
            reasons: dict[str, Any] = {"percentile": strength}
        else:
            hs, potential = self.strength(view)
            strength = float(ehs(hs, potential))
            at = self._postflop_thresholds(view, view.seat)
            reasons = {"hs": hs, "ppot": potential, "ehs": strength}
        reasons |= {"stays in from": at[0], "raises from": at[1]}
        here = situation(view, view.seat, style, at=at)
        if self.settings.odds == "models" and view.street and view.to_call:
            implied, reverse = self._later_odds(view)
            here = here._replace(odds=implied, call_at=min(reverse + style.margin, 0.95))
            reasons |= {"stays in from": here.call_at, "implied odds": implied, "reverse implied odds": reverse}
        actions, p = decide(view, here, strength=np.array([strength]), potential=np.array([potential]))
        return actions, p[0], reasons

    @property
    def learns_from_actions_alone(self) -> bool:
        """Whether another who saw the same actions, and other cards, knows what it knows."""
        return self.models.learns_from_actions_alone

    def _later_odds(self, view: View) -> tuple[float, float]:
        """(implied odds, reverse implied odds) by what the models expect of later streets."""
        believed = self.beliefs(view)
        return (
            implied_odds(view, calls_later(view, believed, self.models)),
            reverse_implied_odds(view, bets_later(view, believed, self.models)),
        )

    def explain(self, view: View) -> Explanation:
        """Its numbers, its triple, what it believes of everyone left, and the reason in words."""
        actions, p, reasons = self.triple(view)
        here = situation(view, view.seat, self.settings.style, at=(reasons["stays in from"], reasons["raises from"]))
        believed = self.beliefs(view)
        odds = pot_odds(float(view.to_call), float(view.pot)) if view.to_call else 0.0
        numbers = reasons | {"pot odds": odds}
        if view.street:
            numbers.setdefault("implied odds", here.odds)
        if view.street and self.settings.weighted and len(believed) > 1:
            ranks, mine = board_ranks(view.board), combo_index(*view.hole)
            numbers |= {f"hs against {view.names[seat]}": hs_of(ranks, mine, w) for seat, w in believed.items()}
        return Explanation(actions, p, numbers, believed, formula_words(view, here, numbers))

    def beliefs(self, view: View) -> dict[int, Floats]:
        """`weights[combo]` by seat of every opponent left, hands that hold a card it sees at nothing."""
        tables = self.tables.at(view)
        left = [s for s in range(view.rules.n_seats) if s != view.seat and view.betting.in_hand(s)]
        return {seat: without(tables[seat], view.hole) for seat in left}

    def _preflop_thresholds(self, view: PublicView, me: int) -> tuple[float, float]:
        """The style's, for a table as loose as this one; the raise of a player who always raises says little."""
        style, adapts = self.settings.style, self.settings.adapts
        raisers = [view.names[s.seat] for s in view.actions if s.seat != me and s.action.kind == Kind.RAISE]
        if not adapts:
            return preflop_thresholds(view, me, style, len(raisers))
        usual = self.models.style.raises
        beyond = [max(self.models.aggression(name) - usual, 0) / (1 - usual) for name in raisers]
        seen = [self.models.looseness(name) for seat, name in enumerate(view.names) if seat != me]
        known = [share for share in seen if share is not None]
        beyond_usual = (float(np.mean(known)) - TYPICAL_LOOSENESS) / (1 - TYPICAL_LOOSENESS) if known else 0.0
        return preflop_thresholds(view, me, style, sum(1 - share for share in beyond), care=1 - adapts * beyond_usual)

    def _postflop_thresholds(self, view: PublicView, me: int) -> tuple[float, float]:
        """On strength against what the others are believed to hold, so that bets to call need no further allowance.

        A style's thresholds are for one opponent; against n, where a fair share is 1 / (n + 1) instead of a half, they
        fall as that does.
        """
        style = self.settings.style
        if not self.settings.weighted:
            return thresholds(view, me, style)
        fewer = log2(view.rules.n_seats - view.betting.folded.bit_count())
        if not view.to_call:
            return 0.0, style.bet_at**fewer
        odds = pot_odds(float(view.to_call), float(view.pot))
        return min(odds + style.margin, 0.95), style.raise_again_at**fewer

    def strength(self, view: View) -> tuple[float, float]:
        """(hand strength against everyone left, unweighted positive potential) on the flop and later."""
        hs, ppot = board_strength(view.board)
        mine = combo_index(*view.hole)
        if not self.settings.weighted:
            n_opponents = view.rules.n_seats - view.betting.folded.bit_count() - 1
            return float(hs[mine] ** n_opponents), float(ppot[mine])
        held = list(self.beliefs(view).values())
        ranks = board_ranks(view.board)
        if self.settings.against == "each":
            against = float(hs_against_all([hs_of(ranks, mine, weights) for weights in held]))
        else:
            by = self.settings.against.removeprefix("field ")
            against = hs_of(ranks, mine, field_array(held, by=by)) ** len(held)
        return against, float(ppot[mine])

    def observe(self, hand: HandHistory) -> None:
        """Learn from what everyone did."""
        self.models.observe(hand)
        self.tables.forget()

    def save(self, path: Path) -> None:
        """Write what it knows of its opponents."""
        self.models.save(path)

    def load(self, path: Path) -> None:
        """Know what was saved."""
        self.models.load(path)
        self.tables.forget()


class Poki(FormulaPlayer, HandPolicy):
    """A formula player that says what it would do with every hand."""

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], Floats]:
        """The triple, without its reasons."""
        return self.triple(view)[:2]

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """The triple of every hand it might hold; rows of combos that hold a board card mean nothing."""
        if self.settings.odds == "models" and public.street and public.to_call:
            return super().by_combo(public, seat)  # odds by the models depend on what each hand leaves to the others
        if public.street == 0:
            strength = preflop_percentile(public.rules.n_seats - public.betting.folded.bit_count())
            potential, at = np.zeros(N_COMBOS), self._preflop_thresholds(public, seat)
        else:
            hs, potential = self._strengths(public, seat)
            strength, at = ehs(hs, potential), self._postflop_thresholds(public, seat)
        here = situation(public, seat, self.settings.style, at=at)
        return decide(public, here, strength=strength, potential=potential)

    def _strengths(self, public: PublicView, seat: int) -> tuple[Floats, Floats]:
        """`strength` of every combo."""
        hs, ppot = board_strength(public.board)
        others = [s for s in range(public.rules.n_seats) if s != seat and public.betting.in_hand(s)]
        if not self.settings.weighted:
            return hs ** len(others), ppot
        tables = self.tables.at(public)
        held = [tables[s] for s in others]
        if self.settings.against == "each":
            return hs_against_all([_hs_of_combos(public.board, weights) for weights in held]), ppot
        by = self.settings.against.removeprefix("field ")
        return _hs_of_combos(public.board, field_array(held, by=by)) ** len(held), ppot


def hs_of(ranks: NDArray[np.int32], mine: int, weights: Floats) -> float:
    """Hand strength of combo `mine` against `weights` (which give hands with its cards nothing); 0.5 against nobody."""
    total = weights.sum()
    if total <= 0:
        return 0.5
    return float((weights[ranks < ranks[mine]].sum() + weights[ranks == ranks[mine]].sum() / 2) / total)


def _hs_of_combos(board: tuple[int, ...], weights: Floats) -> Floats:
    """`hs_of` for all combos at once; what removing cards leaves of nothing is 0.5."""
    if not weights.any():
        return np.full(N_COMBOS, 0.5)
    return np.nan_to_num(strength_of_board(board, weights=weights, n_to_come=0).hs, nan=0.5)


@lru_cache(maxsize=256)
def board_ranks(board: tuple[int, ...]) -> NDArray[np.int32]:
    """`rank[combo]` on a board, -1 for blocked combos."""
    return rank_combos(board)
