"""The Bayesian poker player, for heads-up limit hold'em and five-card stud.

Its chance to win is the network's posterior after the opponent's last action, or the equity against a random hand (the
combinatory model), or a mix of both (the hybrid). A betting curve turns the chance into an action. The opponent's type
and table are learned between hands.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d")).view(1, 0, ("a", "b"))
>>> player = BayesianPlayer()
>>> {name: round(chance, 3) for name, chance in player.chances(view).items()}
{'network': 0.768, 'combinatory': 0.852, 'chance': 0.827}

References
----------
Taylor (2007), sections 3.7 and 4.2. The equity is computed exactly, not sampled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.agents.explanation import Explanation
from pokerlab.arrays import Floats
from pokerlab.cards.strength import pot_odds
from pokerlab.errors import FileError
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.policies.policy import choose
from pokerlab.systems.bpp.bayesian_network import NetworkBeliefs
from pokerlab.systems.bpp.curves import Curves, Utility
from pokerlab.systems.bpp.opponent_action import Acted, opponent_actions
from pokerlab.systems.bpp.opponent_type import OpponentType, tables_of
from pokerlab.systems.bpp.readings import WinReading, reading
from pokerlab.systems.bpp.reasons import opponent_weights, reasons

KIND = "bpp memory"


@dataclass(frozen=True)
class BppSettings:
    """Settings of a Bayesian player."""

    network: str = "taylor"
    combinatory: float = 0.7  # share of the combinatory model in the chance; the rest is the network's
    decides: Curves | Utility = field(default_factory=Curves)
    bluffs: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)  # probability that a bluff begins, by round
    model: str = "combined"  # the opponent's table: base, aggressive, conservative, or by its type: combined, beyond
    forgetting: float = 0.0
    prior: float = 0.0  # of the dynamic table, see `OpponentType`
    tables: Floats | None = None  # an explicit opponent's table, instead of `model`
    pressure: float = 0.0  # shift of the curves to the left against an opponent that is surely conservative


class BayesianPlayer:
    """A Bayesian player; a fresh one knows no opponents."""

    def __init__(self, settings: BppSettings | None = None) -> None:
        self.settings = settings or BppSettings()
        self.reading = reading(self.settings.network)
        self.opponents: dict[str, OpponentType] = {}
        self._me = ""
        self._bluff: tuple[tuple[Any, ...], int] | None = None  # the hand, and the number of actions before the bluff

    def supports(self, rules: Rules) -> bool:
        """The game of its network: limit hold'em or five-card stud, for two."""
        return self.reading.supports(rules)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One action sampled from the curve, after a random number that decides whether a bluff begins."""
        self._me = view.names[view.seat]
        bluffing = self._bluffs(view, rng.random())
        return choose(*self.triple(view, bluffing=bluffing)[:2], rng)

    def triple(self, view: View, *, bluffing: bool = False) -> tuple[tuple[Action, ...], Floats, dict[str, float]]:
        """The actions considered, their probabilities, and the numbers behind them."""
        legal = view.legal()
        numbers = self.chances(view, bluffing=bluffing)
        odds = pot_odds(float(view.to_call), float(view.pot))
        may_fold, may_raise = bool(view.to_call), legal.raise_min is not None
        p = self._decides(view).triple(numbers["chance"], odds=odds, may_fold=may_fold, may_raise=may_raise)
        if not may_raise:
            return (FOLD, CALL)[1 - may_fold :], p[1 - may_fold : 2], {**numbers, "pot odds": odds}
        assert legal.raise_min is not None
        every = (FOLD, CALL, RaiseTo(legal.raise_min))
        return every[1 - may_fold :], p[1 - may_fold :], {**numbers, "pot odds": odds}

    def _decides(self, view: View) -> Curves | Utility:
        """Its curves, shifted by the opponent's type: a conservative one gives way, an aggressive one does not."""
        decides, pressure = self.settings.decides, self.settings.pressure
        if not pressure:
            return decides
        moved = pressure * (2 * self.model_of(view.names[1 - view.seat]).conservative - 1)
        return replace(decides, shift=decides.shift - moved)

    def chances(self, view: View, *, bluffing: bool = False) -> dict[str, float]:
        """The chance to win, a draw counting half: the network's, the combinatory model's, and the mix."""
        numbers: dict[str, float] = {}
        share = self.settings.combinatory
        if share < 1:
            win = self.reading.win(view, self.model_of(view.names[1 - view.seat]), bluffing=bluffing)
            numbers["network"] = float(win[0] + win[1] / 2)
        if share > 0:
            numbers["combinatory"] = self.reading.played_out(view)
        mixed = share * numbers.get("combinatory", 0.0) + (1 - share) * numbers.get("network", 0.0)
        return {**numbers, "chance": mixed}

    def explain(self, view: View) -> Explanation:
        """The reasons for its action here, bluffs aside."""
        actions, p, numbers = self.triple(view)
        model = self.model_of(view.names[1 - view.seat])
        words = reasons(view, self.reading, numbers, model=model, share=self.settings.combinatory)
        if self.reading.learns and "network" in numbers:
            numbers["conservative"] = model.conservative
        network, evidence = self.reading.evidence(view, model)
        beliefs = NetworkBeliefs(network, evidence, network.beliefs(evidence))
        used = beliefs if self.settings.combinatory < 1 else None
        return Explanation(actions, p, numbers, self.beliefs(view), words, used)

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """`weights[combo]` of the opponent at hold'em, from its last action and the hand types this suggests."""
        opponent = 1 - view.seat
        if not (view.betting.in_hand(opponent) and view.rules.is_holdem):
            return {}
        return {opponent: opponent_weights(view, self.settings.network, self.model_of(view.names[opponent]))}

    def _bluffs(self, view: View, draw: float) -> bool:
        """Whether it bluffs: bluffs may begin once per round, and last to the end of the hand."""
        hand, n = (view.hand, view.names, view.hole), len(view.actions)
        if self._bluff is not None and self._bluff[0] == hand and self._bluff[1] < n:
            return True
        first = all(step.seat != view.seat or step.street != view.street for step in view.actions)
        begins = first and draw < self.settings.bluffs[view.street]
        self._bluff = (hand, n) if begins else None
        return begins

    # --- learning -----------------------------------------------------------------------------------------------------

    def model_of(self, name: str) -> OpponentType:
        """Its beliefs about an opponent."""
        if name not in self.opponents:
            at = self.settings
            tables = tables_of(at.model) if at.tables is None else at.tables
            self.opponents[name] = OpponentType(tables, forgetting=at.forgetting, prior=at.prior)
        return self.opponents[name]

    def observe(self, hand: HandHistory) -> None:
        """Learn from every action of the opponent in a finished hand, given its own cards."""
        seat = self._seat(hand)
        if seat is None or not self.reading.learns:
            return
        name = hand.names[1 - seat]
        for _, model in self.beliefs_after(hand, seat):
            self.opponents[name] = model

    def beliefs_after(self, hand: HandHistory, seat: int) -> list[tuple[Acted, OpponentType]]:
        """The beliefs about the opponent after each of its actions in a hand that `seat` played."""
        hole = tuple(card for card in hand.final.hole(seat) if card is not None)
        model, steps = self.model_of(hand.names[1 - seat]), []
        assert isinstance(self.reading, WinReading)
        public = hand.final.public(hand.number, hand.names)
        for acted in opponent_actions(public, seat):
            board = hand.rules.board_on(public.board, acted.round)
            model = model.after(acted, self.reading.win_by_cards(acted.round, hole, board))
            steps.append((acted, model))
        return steps

    def _seat(self, hand: HandHistory) -> int | None:
        """Its own seat: the one with the name it acted under, or the only one with known cards."""
        if self._me in hand.names:
            return hand.names.index(self._me)
        known = [seat for seat in range(2) if None not in hand.final.hole(seat)]
        return known[0] if len(known) == 1 else None

    def save(self, path: Path) -> None:
        """Save its beliefs about all opponents."""
        names = sorted(self.opponents)
        beliefs = np.array([self.opponents[name].belief for name in names])
        counts = np.array([self.opponents[name].counts for name in names])
        about = {"game": "for two", "network": self.settings.network, "names": names, "me": self._me}
        write_arrays(path, KIND, about, {"belief": beliefs, "counts": counts})

    def load(self, path: Path) -> None:
        """Replace its beliefs by saved ones."""
        about, arrays = read_arrays(path, KIND)
        with well_formed(path):
            self.opponents, self._me = {}, about["me"]
            for i, name in enumerate(map(str, about["names"])):
                stranger = self.model_of(name)
                belief = shaped(arrays["belief"][i], None)
                if belief.shape != stranger.belief.shape:
                    types = f"{len(belief)} types of opponents"
                    raise FileError(f"{path} is the memory of a player with {types}, not this one")
                counts = shaped(arrays["counts"][i], *stranger.counts.shape)
                self.opponents[name] = replace(stranger, belief=belief, counts=counts)
