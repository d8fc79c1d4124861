"""The Bayesian poker player at heads-up limit hold'em.

Its chance to win is what the network says after the opponent's last action, or what all hands played out come to
against a random hand (the combinatory model), or a mix of both (the hybrid). A betting curve turns the chance into an
action. The opponent's type and table are learnt between hands.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d")).view(1, 0, ("a", "b"))
>>> player = BayesianPlayer()
>>> {name: round(chance, 3) for name, chance in player.chances(view).items()}
{'network': 0.768, 'combinatory': 0.852, 'chance': 0.827}

References
----------
Taylor (2007), sections 3.7 and 4.2. What all hands played out come to is computed, not sampled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.agents.bpp.curves import Curves, Utility
from pokerlab.agents.bpp.reasons import opponent_weights, reasons
from pokerlab.agents.explanation import Explanation
from pokerlab.cards.combos import class_of_cards
from pokerlab.cards.hand_types import board_state, hand_state
from pokerlab.cards.strength import pot_odds, strength_of_hand
from pokerlab.cards.strength_tables import flop_strength, preflop_strength
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.models.bpp_networks import bpp_network, final_and_win, wins_by_final
from pokerlab.models.opponent_action import WIN, Acted, last_action, opponent_actions
from pokerlab.models.opponent_type import OpponentType, tables_of
from pokerlab.policies.policy import choose

Floats = NDArray[np.float64]
KIND = "bpp memory"


@dataclass(frozen=True)
class Settings:
    """What a Bayesian player is like."""

    network: str = "taylor"
    combinatory: float = 0.7  # how much of the chance is that of all hands played out; the rest is the network's
    decides: Curves | Utility = field(default_factory=Curves)
    bluffs: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)  # by round: how often a bluff begins
    model: str = "combined"  # the opponent's table: base, aggressive, conservative, or combined by its type
    forgetting: float = 0.0
    prior: float = 0.0  # of the dynamic table, see `OpponentType`
    tables: Floats | None = None  # an opponent's table of its own, instead of `model`


class BayesianPlayer:
    """A Bayesian player that knows nobody at first."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.opponents: dict[str, OpponentType] = {}
        self._me = ""
        self._bluff: tuple[tuple[Any, ...], int] | None = None  # the hand, and how many actions came before the bluff

    def supports(self, rules: Rules) -> bool:
        """Limit hold'em for two."""
        return rules.is_holdem and rules.n_seats == 2 and rules.limits == "limit"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One draw from the curve; a draw before it says whether a bluff begins."""
        self._me = view.names[view.seat]
        bluffing = self._bluffs(view, rng.random())
        return choose(*self.triple(view, bluffing=bluffing)[:2], rng)

    def triple(self, view: View, *, bluffing: bool = False) -> tuple[tuple[Action, ...], Floats, dict[str, float]]:
        """The actions considered, their probabilities, and what they rest on."""
        legal = view.legal()
        numbers = self.chances(view, bluffing=bluffing)
        odds = pot_odds(float(view.to_call), float(view.pot))
        may_fold, may_raise = bool(view.to_call), legal.raise_min is not None
        p = self.settings.decides.triple(numbers["chance"], odds=odds, may_fold=may_fold, may_raise=may_raise)
        if not may_raise:
            return (FOLD, CALL)[1 - may_fold :], p[1 - may_fold : 2], {**numbers, "pot odds": odds}
        assert legal.raise_min is not None
        every = (FOLD, CALL, RaiseTo(legal.raise_min))
        return every[1 - may_fold :], p[1 - may_fold :], {**numbers, "pot odds": odds}

    def chances(self, view: View, *, bluffing: bool = False) -> dict[str, float]:
        """The chance to win, a draw counting half: the network's, the combinatory model's, and the mix."""
        numbers: dict[str, float] = {}
        share = self.settings.combinatory
        if share < 1:
            win = self.win_by_network(view, bluffing=bluffing)
            numbers["network"] = float(win[0] + win[1] / 2)
        if share > 0:
            numbers["combinatory"] = played_out(view.hole, view.board)
        mixed = share * numbers.get("combinatory", 0.0) + (1 - share) * numbers.get("network", 0.0)
        return {**numbers, "chance": mixed}

    def win_by_network(self, view: View, *, bluffing: bool = False) -> Floats:
        """`p[win / draw / lose]` given the cards and the opponent's last action."""
        win = self._win_by_cards(view, view.hole, bluffing=bluffing) * self._likelihood(view)
        return np.asarray(win / win.sum())

    def _likelihood(self, view: View) -> Floats:
        """`p[win / draw / lose]` of the opponent's last action; ones while it has not acted."""
        last = last_action(view, view.seat)
        return np.ones(len(WIN)) if last is None else self.model_of(view.names[1 - view.seat]).of_win(last)

    def explain(self, view: View) -> Explanation:
        """Why it would act as it would here, bluffs aside."""
        actions, p, numbers = self.triple(view)
        model = self.model_of(view.names[1 - view.seat])
        last, share = last_action(view, view.seat), self.settings.combinatory
        words = reasons(view, numbers, last=last, model=model, share=share)
        if "network" in numbers:
            numbers["conservative"] = model.conservative
        return Explanation(actions, p, numbers, self.beliefs(view), words)

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """`weights[combo]` of the opponent: what its last action says of its hand's type."""
        opponent = 1 - view.seat
        if not view.betting.in_hand(opponent):
            return {}
        return {opponent: opponent_weights(view, bpp_network(self.settings.network), self._likelihood(view))}

    def _win_by_cards(self, public: PublicView, hole: tuple[int, ...], *, bluffing: bool = False) -> Floats:
        street = public.street
        board = board_state(public.board)
        joint = final_and_win(self.settings.network)[street, board, hand_state(hole, public.board)]
        if not bluffing:
            return np.asarray(joint.sum(axis=0))
        final = joint.sum(axis=1)
        represented = np.concatenate([[0.0], final[:-1]])
        represented[-1] += final[-1]
        return np.asarray(represented @ wins_by_final(self.settings.network)[street, board])

    def _bluffs(self, view: View, draw: float) -> bool:
        """Whether it bluffs: once it has begun to, to the end of the hand; the dice are thrown once a round."""
        hand, n = (view.hand, view.names, view.hole), len(view.actions)
        if self._bluff is not None and self._bluff[0] == hand and self._bluff[1] < n:
            return True
        first = all(step.seat != view.seat or step.street != view.street for step in view.actions)
        begins = first and draw < self.settings.bluffs[view.street]
        self._bluff = (hand, n) if begins else None
        return begins

    # --- what it learns -----------------------------------------------------------------------------------------------

    def model_of(self, name: str) -> OpponentType:
        """What it believes of an opponent."""
        if name not in self.opponents:
            at = self.settings
            tables = tables_of(at.model) if at.tables is None else at.tables
            self.opponents[name] = OpponentType(tables, forgetting=at.forgetting, prior=at.prior)
        return self.opponents[name]

    def observe(self, hand: HandHistory) -> None:
        """Learn from every action of the opponent in a finished hand, knowing its own cards."""
        seat = self._seat(hand)
        if seat is None:
            return
        name = hand.names[1 - seat]
        for _, model in self.beliefs_after(hand, seat):
            self.opponents[name] = model

    def beliefs_after(self, hand: HandHistory, seat: int) -> list[tuple[Acted, OpponentType]]:
        """What is believed of the opponent after each of its actions in a hand that `seat` played."""
        hole = tuple(card for card in hand.final.hole(seat) if card is not None)
        model, told = self.model_of(hand.names[1 - seat]), []
        for acted, before in opponent_actions(hand.final.public(hand.number, hand.names), seat):
            model = model.after(acted, self._win_by_cards(before, hole))
            told.append((acted, model))
        return told

    def _seat(self, hand: HandHistory) -> int | None:
        """Its own seat: where the name is that it acted under, or the only one whose cards are known."""
        if self._me in hand.names:
            return hand.names.index(self._me)
        known = [seat for seat in range(2) if None not in hand.final.hole(seat)]
        return known[0] if len(known) == 1 else None

    def save(self, path: Path) -> None:
        """Write what it knows of everyone to a file."""
        names = sorted(self.opponents)
        beliefs = np.array([self.opponents[name].conservative for name in names])
        counts = np.array([self.opponents[name].counts for name in names])
        about = {"game": "limit hold'em for two", "network": self.settings.network, "names": names, "me": self._me}
        write_arrays(path, KIND, about, {"conservative": beliefs, "counts": counts})

    def load(self, path: Path) -> None:
        """Know what was saved, and nothing else."""
        about, arrays = read_arrays(path, KIND)
        self.opponents, self._me = {}, about["me"]
        for i, name in enumerate(about["names"]):
            believed = float(arrays["conservative"][i])
            self.opponents[name] = _with(self.model_of(name), believed, np.array(arrays["counts"][i]))


def _with(model: OpponentType, conservative: float, counts: Floats) -> OpponentType:
    return OpponentType(model.tables, conservative, counts, model.forgetting, model.prior)


@lru_cache(maxsize=4096)
def played_out(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """The share of the pot that a hand wins against a random one, over all cards to come.

    >>> from pokerlab.cards.card import cards
    >>> round(played_out(cards("AdQc"), cards("3h4cJh")), 3)
    0.511
    """
    if not board:
        return float(preflop_strength()[0][class_of_cards(*hole)])
    if len(board) == 3:
        return float(flop_strength(hole, board).mean_hs)
    ahead, tied, behind = strength_of_hand(hole, board).table.sum(axis=0)
    return float((ahead + tied / 2) / (ahead + tied + behind))
