"""Reasons for the Bayesian player's actions, in sentences, and its beliefs about the opponent's hands.

>>> from pokerlab.systems.bpp.player import BayesianPlayer
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> start = State.start(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d"))
>>> for sentence in BayesianPlayer().explain(start.after(RaiseTo(20)).view(0, 0, ("a", "b"))).words:
...     print(sentence)
7♣ 2♦ is Busted Low, suit none, sequence none.
The opponent raised; the network says 38% to win.
All hands played out win 35%; it takes 70% of that and 30% of the network's: 36%.
It must add 10 to a pot of 30, which pays from 25% on (pot odds).
It believes the opponent to be conservative with probability 50%.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.agents.explanation import percent
from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.card import pretty
from pokerlab.cards.combos import CARDS_OF_COMBO, live_combos
from pokerlab.cards.hand_types import RESOLUTIONS, hand_state, subtype_of
from pokerlab.games.narration import chips_words
from pokerlab.games.views import View
from pokerlab.systems.bpp.networks import bpp_network
from pokerlab.systems.bpp.opponent_action import ACTIONS, last_action
from pokerlab.systems.bpp.opponent_type import OpponentType
from pokerlab.systems.bpp.readings import NetworkReading, opponent_states

DID = dict(zip(ACTIONS, ("folded", "checked", "called", "bet", "raised"), strict=True))


def reasons(
    view: View, reading: NetworkReading, numbers: Mapping[str, float], *, model: OpponentType, share: float
) -> tuple[str, ...]:
    """Sentences: the hand, the chance by each model, the price, and the opponent's type."""
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
        words.append(f"It believes the opponent to be conservative with probability {percent(model.conservative)}.")
    return tuple(words)


def opponent_weights(view: View, name: str, model: OpponentType) -> Floats:
    """`weights[combo]` of the opponent's hands at hold'em, the largest 1: evidence of its last action for each.

    A weight compares the posterior with and without the action, so it measures the evidence of the action alone.
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
    """`state[combo]` of the opponent's hand in the network's terms, -1 for impossible hands."""
    states = np.full(len(CARDS_OF_COMBO), -1)
    for combo in np.flatnonzero(live_combos(sum(1 << card for card in (*view.hole, *view.board)))):
        hole = tuple(CARDS_OF_COMBO[combo].tolist())
        if name == "2003":
            states[combo] = RESOLUTIONS["2003"].type_of_subtype[subtype_of((*hole, *view.board))]
        else:
            states[combo] = hand_state(hole, view.board)
    return states
