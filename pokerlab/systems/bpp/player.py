"""The Bayesian poker player, for heads-up limit hold'em and five-card stud.

Its chance of winning is the network's posterior after the opponent's last action, or the equity against a random hand
(the combinatory model), or a mixture of both (the hybrid). A betting curve turns the chance into an action. The
opponent's type and table are learned between hands.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d")).view(1, 0, ("a", "b"))
>>> player = BayesianPlayer()
>>> {name: round(chance, 3) for name, chance in player.chances(view).items()}
{'network': 0.768, 'combinatory': 0.852, 'chance': 0.827}

The two betting curves are logistic. A player stays in when its chance is above the pot odds, and raises when it is
above `raise_at`; `width` makes the change gradual, and so hard to predict. Both are shifted together: to the left
(negative) for an aggressive player, to the right for a conservative one. The player never folds when it can check.

>>> Curves().triple(0.5, odds=0.25, may_fold=True, may_raise=True).round(3).tolist()
[0.007, 0.911, 0.083]
>>> Curves(shift=0.2).triple(0.5, odds=0.25, may_fold=False, may_raise=True).round(3).tolist()
[0.0, 0.998, 0.002]

It explains its actions in sentences:

>>> start = State.start(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d"))
>>> for sentence in BayesianPlayer().explain(start.after(RaiseTo(20)).view(0, 0, ("a", "b"))).words:
...     print(sentence)
7♣ 2♦ is Busted Low, suit none, sequence none.
The opponent raised; the network says 38% to win.
All hands played out win 35%; it takes 70% of that and 30% of the network's: 36%.
It must add 10 to a pot of 30, which pays from 25% on (pot odds).
It believes the opponent to be conservative with probability 50%.

References
----------
Taylor (2007), sections 3.7 and 4.2. The equity is computed exactly, not sampled. Section 4.2.1 is on shifting the
curves; Carlton's formulas (2000) are not printed there, and these are ours. Section 3.5 for the utility node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.agents.explanation import Explanation, percent
from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.card import pretty
from pokerlab.cards.combos import CARDS_OF_COMBO, live_combos
from pokerlab.cards.hand_types import RESOLUTIONS, hand_state, subtype_of
from pokerlab.cards.strength import pot_odds
from pokerlab.errors import FileError
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo, chips_words
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.policies.policy import choose
from pokerlab.systems.bpp.bayesian_network import NetworkBeliefs, winnings
from pokerlab.systems.bpp.networks import bpp_network
from pokerlab.systems.bpp.opponent import (
    ACTIONS,
    SHAPE,
    Acted,
    OpponentType,
    last_action,
    opponent_actions,
    outcome,
    tables_of,
)
from pokerlab.systems.bpp.readings import NetworkReading, WinReading, opponent_states, reading
from pokerlab.systems.bpp.type_counts import THREE_STYLES


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x)) if x > -700 else 0.0


Ends = tuple[float, float]
"""A value before the flop and one on the river; flop and turn are interpolated linearly."""


@dataclass(frozen=True)
class Curves:
    """Betting curves: probabilities of fold, call and raise by the chance of winning."""

    raise_at: Ends = (0.62, 0.62)  # chance of winning at which it raises half the time
    width: Ends = (0.05, 0.05)
    facing: Ends = (0.0, 0.0)  # added to `raise_at` when facing a bet
    stay_at: Ends = (0.0, 0.0)  # chance minus pot odds at which it stays in half the time
    stay_width: Ends = (0.05, 0.05)
    shift: float = 0.0

    def row(self, street: int) -> tuple[float, float, float, float, float]:
        """Parameters on a street, with the shift added: threshold for raising, its width, increase of that threshold
        when facing a bet, threshold for staying in, its width."""
        raise_at, width, facing, stay_at, stay_width = (
            ends[0] + (ends[1] - ends[0]) * street / 3
            for ends in (self.raise_at, self.width, self.facing, self.stay_at, self.stay_width)
        )
        return raise_at + self.shift, width, facing, stay_at + self.shift, stay_width

    def triple(self, chance: float, *, odds: float, may_fold: bool, may_raise: bool, street: int = 0) -> Floats:
        """`p[fold, call, raise]` for a chance of winning; `odds` is the chance from which on a call is profitable."""
        raise_at, width, facing, stay_at, stay_width = self.row(street)
        at = raise_at + facing if may_fold else raise_at
        stays = _logistic((chance - odds - stay_at) / stay_width) if may_fold else 1.0
        raises = _logistic((chance - at) / width) if may_raise else 0.0
        return np.array([1 - stays, stays * (1 - raises), stays * raises])


@dataclass(frozen=True)
class Utility:
    """Decides by expected winnings: an action with higher winnings has a higher probability.

    Winnings are those of `bayesian_network.winnings`. `unit`, in pots, is how much more an action must win to be e
    times as probable.
    """

    unit: float = 0.1
    shift: float = 0.0

    def triple(self, chance: float, *, odds: float, may_fold: bool, may_raise: bool, street: int = 0) -> Floats:
        """`p[fold, call, raise]`; a raise is assumed to cost twice the call, or half the pot if there is nothing to
        call."""
        call = odds / (1 - odds)  # cost of a call, in pots
        seen = chance - self.shift
        expected = np.array([seen, 1 - seen]) @ winnings(call=call, risk=2 * call if call else 0.5)
        weights = np.exp((expected - expected.max()) / self.unit) * np.array([may_fold, True, may_raise])
        return np.asarray(weights / weights.sum())


KIND = "bpp memory"


@dataclass(frozen=True)
class BppSettings:
    """Settings of a Bayesian player."""

    network: str = "taylor"
    combinatory: float = 0.7  # share of the combinatory model in the chance of winning; the network has the rest
    decides: Curves | Utility = field(default_factory=Curves)
    bluffs: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)  # probability, by round, that a bluff begins
    model: str = "combined"  # one action table (base, aggressive, conservative), or several by type (see `tables_of`)
    forgetting: float = 0.0
    prior: float = 0.0  # weight of the tables beside counted actions, see `OpponentType`
    tables: Floats | None = None  # tables[type, ..] in place of those of `model`
    types: tuple[str, ...] = ()  # names of the types of `tables` (`learned_types`)
    evidence: str = "cards"  # how an action counts as evidence about the type, see `opponent.EVIDENCE`
    weight: float = 1.0  # weight of that evidence, see `OpponentType`
    pressure: float = 0.0  # shift of the curves to the left, if the opponent is certainly conservative


def stranger(at: BppSettings) -> OpponentType:
    """Initial beliefs about an unknown opponent."""
    tables = tables_of(at.model) if at.tables is None else at.tables
    return OpponentType(tables, weight=at.weight, forgetting=at.forgetting, prior=at.prior, names=at.types)


class BayesianPlayer:
    """A Bayesian player; a new one has no beliefs about any opponent yet."""

    def __init__(self, settings: BppSettings | None = None) -> None:
        self.settings = settings or BppSettings()
        self.reading = reading(self.settings.network)
        self.opponents: dict[str, OpponentType] = {}
        self._me = ""
        # the hand of the current bluff, and the number of actions before it
        self._bluff: tuple[tuple[Any, ...], int] | None = None

    def supports(self, rules: Rules) -> bool:
        """Whether the game is the one that the player's network is for: limit hold'em or five-card stud, for two
        players."""
        return self.reading.supports(rules)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Choose an action at random. The first random number decides whether a bluff begins."""
        self._me = view.names[view.seat]
        bluffing = self._bluffs(view, rng.random())
        return choose(*self.triple(view, bluffing=bluffing)[:2], rng)

    def triple(self, view: View, *, bluffing: bool = False) -> tuple[tuple[Action, ...], Floats, dict[str, float]]:
        """Return (fold, call and raise, their probabilities, the chances of winning behind these)."""
        legal = view.legal()
        numbers = self.chances(view, bluffing=bluffing)
        odds = pot_odds(float(view.to_call), float(view.pot))
        may_fold, may_raise = bool(view.to_call), legal.raise_min is not None
        p = self._decides(view).triple(
            numbers["chance"], odds=odds, may_fold=may_fold, may_raise=may_raise, street=view.street
        )
        if not may_raise:
            return (FOLD, CALL)[1 - may_fold :], p[1 - may_fold : 2], {**numbers, "pot odds": odds}
        assert legal.raise_min is not None
        every = (FOLD, CALL, RaiseTo(legal.raise_min))
        return every[1 - may_fold :], p[1 - may_fold :], {**numbers, "pot odds": odds}

    def _decides(self, view: View) -> Curves | Utility:
        """The betting curves (or utility) for the current opponent. Against a conservative one they are shifted to the
        left, for more raises; against an aggressive one to the right."""
        decides, pressure = self.settings.decides, self.settings.pressure
        if not pressure:
            return decides
        moved = pressure * (2 * self.model_of(view.names[1 - view.seat]).conservative - 1)
        return replace(decides, shift=decides.shift - moved)

    def chances(self, view: View, *, bluffing: bool = False) -> dict[str, float]:
        """Chances of winning, by the network, by the combinatory model, and mixed; a draw counts half."""
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
        """Reasons for the action in this view, ignoring bluffs."""
        actions, p, numbers = self.triple(view)
        model = self.model_of(view.names[1 - view.seat])
        words = reasons(view, self.reading, numbers, model=model, share=self.settings.combinatory)
        if self.reading.learns and "network" in numbers and not model.names:
            numbers["conservative"] = model.conservative
        network, evidence = self.reading.evidence(view, model)
        beliefs = NetworkBeliefs(network, evidence, network.beliefs(evidence))
        used = beliefs if self.settings.combinatory < 1 else None
        return Explanation(actions, p, numbers, self.beliefs(view), words, used)

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """`weights[combo]` of the opponent's hands in hold'em: how well each hand's type explains its last action."""
        opponent = 1 - view.seat
        if not (view.betting.in_hand(opponent) and view.rules.is_holdem):
            return {}
        return {opponent: opponent_weights(view, self.settings.network, self.model_of(view.names[opponent]))}

    def _bluffs(self, view: View, draw: float) -> bool:
        """Whether the player bluffs: a bluff may begin once per round, and lasts until the end of the hand."""
        hand, n = (view.hand, view.names, view.hole), len(view.actions)
        if self._bluff is not None and self._bluff[0] == hand and self._bluff[1] < n:
            return True
        first = all(step.seat != view.seat or step.street != view.street for step in view.actions)
        begins = first and draw < self.settings.bluffs[view.street]
        self._bluff = (hand, n) if begins else None
        return begins

    # --- learning -----------------------------------------------------------------------------------------------------

    def model_of(self, name: str) -> OpponentType:
        """Beliefs about an opponent, by name."""
        if name not in self.opponents:
            self.opponents[name] = stranger(self.settings)
        return self.opponents[name]

    def observe(self, hand: HandHistory) -> None:
        """Learn from every action of the opponent in a finished hand, given this player's cards."""
        seat = self._seat(hand)
        if seat is None or not self.reading.learns:
            return
        name = hand.names[1 - seat]
        for _, model in self.beliefs_after(hand, seat):
            self.opponents[name] = model

    def beliefs_after(self, hand: HandHistory, seat: int) -> list[tuple[Acted, OpponentType]]:
        """Each action of the opponent of `seat` in a hand, with the beliefs after it."""
        hole = tuple(card for card in hand.final.hole(seat) if card is not None)
        model, steps = self.model_of(hand.names[1 - seat]), []
        assert isinstance(self.reading, WinReading)
        known = outcome(float(hand.payoffs[seat])) if self.settings.evidence == "winner" else None
        public = hand.final.public(hand.number, hand.names)
        for acted in opponent_actions(public, seat):
            board = hand.rules.board_on(public.board, acted.round)
            win = self.reading.win_by_cards(acted.round, hole, board) if known is None else known
            model = model.after(acted, win)
            steps.append((acted, model))
        return steps

    def _seat(self, hand: HandHistory) -> int | None:
        """The player's own seat in a finished hand: the seat with its name, or else the only one whose cards are
        known."""
        if self._me in hand.names:
            return hand.names.index(self._me)
        known = [seat for seat in range(2) if None not in hand.final.hole(seat)]
        return known[0] if len(known) == 1 else None

    def save(self, path: Path) -> None:
        names = sorted(self.opponents)
        beliefs = np.array([self.opponents[name].belief for name in names])
        counts = np.array([self.opponents[name].counts for name in names])
        about = {"game": "for two", "network": self.settings.network, "names": names, "me": self._me}
        arrays = {"belief": beliefs, "counts": counts}
        if self.settings.tables is not None:
            about |= {"types": list(self.settings.types)}
            arrays |= {"tables": self.settings.tables}
        write_arrays(path, KIND, about, arrays)

    def load(self, path: Path) -> None:
        """Load beliefs about opponents, and tables of types if the file has them (`pokerlab train opponents`)."""
        about, arrays = read_arrays(path, KIND)
        if "tables" in arrays and not self.reading.learns:
            raise FileError(
                f"{path} has opponent types, which a player with the network {self.settings.network} does not use"
            )
        with well_formed(path):
            self.opponents, self._me = {}, about["me"]
            if "tables" in arrays:
                tables, types = shaped(arrays["tables"], None, *SHAPE), tuple(map(str, about["types"]))
                self.settings = replace(self.settings, tables=tables, types=types)
            for i, name in enumerate(map(str, about["names"])):
                stranger = self.model_of(name)
                belief = shaped(arrays["belief"][i], None)
                if belief.shape != stranger.belief.shape:
                    types_kept = f"{len(belief)} types of opponents"
                    raise FileError(f"{path} is the memory of a player with {types_kept}, not this one")
                counts = shaped(arrays["counts"][i], *stranger.counts.shape)
                self.opponents[name] = replace(stranger, belief=belief, counts=counts)


DID = dict(zip(ACTIONS, ("folded", "checked", "called", "bet", "raised"), strict=True))


def reasons(
    view: View, reading: NetworkReading, numbers: Mapping[str, float], *, model: OpponentType, share: float
) -> tuple[str, ...]:
    """Sentences on the hand, the chance of winning by each model, the price, and the opponent's type."""
    held = pretty((*view.hole, *view.up[view.seat]))
    words = [f"{held} is {reading.describe(view)}."]
    if "network" in numbers:
        last = last_action(view, view.seat)
        acted = "The opponent has not acted" if last is None else f"The opponent {DID[ACTIONS[last.action]]}"
        words.append(f"{acted}; the network says {percent(numbers['network'])} to win.")
    if "combinatory" in numbers:
        said = f"All hands played out win {percent(numbers['combinatory'])}"
        mixed = f"; it takes {share:.0%} of that and {1 - share:.0%} of the network's: {percent(numbers['chance'])}"
        words.append(f"{said}{mixed if share < 1 else ''}.")
    if view.to_call:
        price = f"It must add {chips_words(view.to_call)} to a pot of {chips_words(view.pot)}"
        words.append(f"{price}, which pays from {numbers['pot odds']:.0%} on (pot odds).")
    if reading.learns and "network" in numbers:
        if names := model.names or (THREE_STYLES if len(model.belief) == len(THREE_STYLES) else ()):
            types = ", ".join(f"{name} {percent(p)}" for name, p in zip(names, model.belief, strict=True))
            words.append(f"It believes the opponent's type to be: {types}.")
        else:
            words.append(f"It believes the opponent to be conservative with probability {percent(model.conservative)}.")
    return tuple(words)


def opponent_weights(view: View, name: str, model: OpponentType) -> Floats:
    """`weights[combo]`: how well each hold'em hand of the opponent explains its last action, scaled to a maximum of 1.

    A weight is the hand type's probability with the action, divided by that without it.
    """
    network, last = bpp_network(name), last_action(view, view.seat)
    hands = _states(view, name)
    if last is None:
        return np.where(hands >= 0, 1.0, 0.0)
    if name == "2003":
        speaks = network.table("OppAction")[view.street, :, last.action]
    else:
        cards = opponent_states(view)
        before = network.posterior("OppCurrent", cards)
        after = network.posterior("OppCurrent", {**cards, "Win": model.of_win(last)})
        speaks = np.divide(after, before, out=np.zeros_like(after), where=before > 0)
    weights = np.where(hands >= 0, speaks[hands], 0.0)
    return np.asarray(weights / weights.max())


def _states(view: View, name: str) -> Int64s:
    """`state[combo]`: the network's state of each possible hand of the opponent; -1 for impossible hands."""
    states = np.full(len(CARDS_OF_COMBO), -1)
    for combo in np.flatnonzero(live_combos(sum(1 << card for card in (*view.hole, *view.board)))):
        hole = tuple(CARDS_OF_COMBO[combo].tolist())
        if name == "2003":
            states[combo] = RESOLUTIONS["2003"].type_of_subtype[subtype_of((*hole, *view.board))]
        else:
            states[combo] = hand_state(hole, view.board)
    return states
