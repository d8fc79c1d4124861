"""Scores in bits of weight tables and opponent models on hands with known cards.

0 bits equal a uniform table over all hands, or even odds over the legal actions; 1 bit doubles that probability.

References
----------
Davidson (2002), section 3.3.3, describes weight tables and prints no such measurement.
"""

from __future__ import annotations

from math import log2

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import combo_index, live_combos
from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Policy
from pokerlab.policies.policy import likelihood_of
from pokerlab.systems.poki.hands import board_ranks, hs_of
from pokerlab.systems.poki.weight_tables import WeightTables, without

STREETS = ("flop", "turn", "river")
N_BINS = 4
LEAST = 2.0**-30  # lower bound of probabilities, so that one miss does not dominate the mean


def true_tables(opponent: Agent, name: str) -> WeightTables:
    """Tables computed with the opponent's own policy, without noise."""
    if not isinstance(opponent, Policy):
        raise PokerlabError(f"{name} is no policy for every hand, so its true tables cannot be computed")
    policy = opponent
    return WeightTables(lambda _: policy, noise=0.0)


def final_bits(hand: HandHistory, me: int, tables: WeightTables) -> float:
    """Bits above chance that the final table gives the opponent's hand."""
    public = hand.final.public(hand.number, hand.names)
    known = [card for card in (*public.board, *hand.final.hole(me)) if card is not None]
    weights, possible = (
        without(tables.of(public, [1 - me])[1 - me], known),
        live_combos(sum(1 << card for card in known)),
    )
    return log2(max(float(weights[_held(hand, 1 - me)] / weights.sum()) * int(possible.sum()), LEAST))


def decision_bits(hand: HandHistory, me: int, tables: WeightTables) -> list[float]:
    """Bits above even odds that the model gave each action of the opponent, given its cards."""
    held, bits = _held(hand, 1 - me), []
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        legal = before.legal()
        n_kinds = legal.fold + 1 + (legal.raise_min is not None)
        if step.seat != me and n_kinds > 1:
            p = likelihood_of(before, *tables.expected(before, step.seat), step.action)[held]
            bits.append(log2(max(float(p) * n_kinds, LEAST)))
    return bits


def believed_strengths(hand: HandHistory, me: int, tables: WeightTables) -> Floats:
    """`sums[street, bin, (count, believed HS, true result)]` over postflop decisions of `me`; results are 0, 1/2, 1."""
    sums = np.zeros((len(STREETS), N_BINS, 3))
    mine, theirs = _held(hand, me), _held(hand, 1 - me)
    hole = [card for card in hand.final.hole(me) if card is not None]
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        if step.seat == me and before.street:
            ranks = board_ranks(before.board)
            hs = hs_of(ranks, mine, without(tables.of(before, [1 - me])[1 - me], hole))
            true = 0.5 + 0.5 * float(np.sign(ranks[mine] - ranks[theirs]))
            sums[before.street - 1, min(int(hs * N_BINS), N_BINS - 1)] += (1, hs, true)
    return sums


def _held(hand: HandHistory, seat: int) -> int:
    """The combo dealt to a seat."""
    first, second = (card for card in hand.final.hole(seat) if card is not None)
    return combo_index(first, second)
