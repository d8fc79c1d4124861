"""Convert a played hand to a spot that can be solved: board, pot, stacks, and the ranges of both players there.

The spot is the beginning of a street with two players left. Each range is derived from the player's earlier actions: a
policy, such as a strategy or charts, gives the probability of each action with every hand, and these likelihoods are
multiplied. Weights in a range are relative to its likeliest hand, in twentieths; hands below a fortieth are omitted.
Hands that the board rules out are written like the others of their class, which keeps the text short.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.policies.solved_charts import SOLVED_CHARTS
>>> actions = (RaiseTo(300), CALL, CALL, RaiseTo(300), CALL, CALL, CALL)
>>> hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), actions, ("ann", "bob"))
>>> spot = spot_of_hand(hand, SOLVED_CHARTS)
>>> spot.board, spot.pot, spot.stack, spot.names
('2c3c4d5s9h', 1200, 19400, ('ann', 'bob'))
>>> spot.ranges[1]  # bob opened on the button
'22+, A2s+, A3o+, K2s+, K9o+, K7o, Q2s+, Q8o+, J5s+, J9o+, T7s+, T9o, 98s, K8o:0.8'
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np

from pokerlab.arrays import Bools, Floats
from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import COMBOS_OF_CLASS, live_combos
from pokerlab.cards.ranges import range_text
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action, Chips, Kind, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy, plays
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.systems.poki.weight_tables import WeightTables

STEPS = 20
"""Number of steps of a range's weights, for readability."""
UNLIMITED = 4
"""Stack in pots for hands without stacks, as at fixed limit."""


@dataclass(frozen=True)
class HandSpot:
    """A spot to solve; the player who acts first comes first. `number` is how many actions of the hand precede it."""

    board: str
    ranges: tuple[str, str]
    pot: Chips
    stack: Chips
    names: tuple[str, str]
    street: str
    number: int

    def data(self) -> dict[str, Any]:
        """The spot as JSON values; amounts that are not integers become floats."""
        amounts = {"pot": self.pot, "stack": self.stack}
        return vars(self) | {name: chips if isinstance(chips, int) else float(chips) for name, chips in amounts.items()}


def spot_of_hand(hand: HandHistory, policy: Policy, *, street: str | None = None) -> HandSpot:
    """Extract the spot at the beginning of `street`, by default of the last street with two players left who both have
    chips.

    `policy` gives both players' action probabilities with each hand; a hand at other stakes is scaled to those of the
    policy.
    """
    if not hand.rules.is_holdem:
        raise PokerlabError(f"spots are solved in hold'em, and this is a hand of {hand.rules.name}")
    number, state = _beginning(hand, street)
    betting, rules = state.betting, hand.rules
    seats = tuple(seat for seat in range(rules.n_seats) if betting.in_hand(seat))
    first = betting.actor
    second = next(seat for seat in seats if seat != first)
    behind = min(stack for seat, stack in enumerate(_stacks(state)) if seat in seats)
    weights = _weights(hand, number, policy, (first, second))
    return HandSpot(
        board=cards_text(tuple(card for card in state.board if card is not None)),
        ranges=(weights[0], weights[1]),
        pot=_decimal(betting.pot),
        stack=_decimal(behind if isfinite(behind) else UNLIMITED * betting.pot),
        names=(hand.names[first], hand.names[second]),
        street=rules.street_name(betting.street),
        number=number,
    )


def _beginning(hand: HandHistory, street: str | None) -> tuple[int, State]:
    """Return (number of earlier actions, state) at the beginning of a street that is a valid spot."""
    found, streets, before = None, [], 0
    for number, state in enumerate(hand.states()):
        betting = state.betting
        begins, before = betting.street > before, betting.street
        if not begins or betting.over or None in state.board:
            continue
        seats = [seat for seat in range(hand.rules.n_seats) if betting.in_hand(seat)]
        if len(seats) != 2 or min(float(_stacks(state)[seat]) for seat in seats) <= 0:
            continue
        streets.append(hand.rules.street_name(betting.street))
        if street is None or streets[-1] == street:
            found = number, state
    if found is None:
        there = f"it has {' and '.join(streets)}" if streets else "it has none"
        asked = "a street after the first" if street is None else f"the {street}"
        raise PokerlabError(f"two players with chips behind do not begin {asked} in this hand; of such streets {there}")
    return found


def _stacks(state: State) -> list[Chips]:
    return [stack - chips for stack, chips in zip(state.rules.stacks, state.betting.spent, strict=True)]


def _weights(hand: HandHistory, number: int, policy: Policy, seats: tuple[int, int]) -> list[str]:
    if not plays(policy, hand.rules):
        hand = _in_chips_of(hand, policy)
    state = list(hand.states())[number]
    tables = WeightTables(lambda name: policy, noise=0.0).of(state.public(hand.number, hand.names), seats)
    live = live_combos(sum(1 << card for card in state.board if card is not None))
    return [range_text(_readable(tables[seat], live)) for seat in seats]


def _readable(weights: Floats, live: Bools) -> Floats:
    """Round weights, relative to the largest, to steps. Combos that are not `live` get the weight of their class if it
    is unique."""
    found = np.round(np.round(weights / weights.max() * STEPS) / STEPS, 4)
    for combos in COMBOS_OF_CLASS:
        alive = combos[live[combos]]
        if len(alive) and (found[alive] == found[alive[0]]).all():
            found[combos] = found[alive[0]]
    return np.asarray(found)


def _in_chips_of(hand: HandHistory, policy: Policy) -> HandHistory:
    """Scale the hand to the stakes of a policy's game, with amounts rounded to whole chips."""
    rules: Rules | None = getattr(policy, "rules", None)
    if rules is None or rules.n_seats != hand.rules.n_seats or not rules.is_holdem:
        of = "" if rules is None else f": it plays {rules.name}"
        raise PokerlabError(f"this player has no opinion on hands of {hand.rules.name}{of}")
    scale = float(rules.big_blind) / float(hand.rules.big_blind)
    stacks = tuple(inf if stack == inf else round(float(stack) * scale) for stack in hand.rules.stacks)
    theirs = replace(rules, stacks=stacks)
    if not plays(policy, theirs):
        raise PokerlabError(f"this player has no opinion on hands of {hand.rules.name}: it plays {rules.name}")
    actions: list[Action] = [
        RaiseTo(round(float(action.to) * scale)) if action.kind == Kind.RAISE else action for action in hand.actions
    ]
    scaled = HandHistory(theirs, hand.deck, tuple(actions), hand.names, hand.number)
    try:
        same = [step.seat for step in scaled.steps] == [step.seat for step in hand.steps]
    except PokerlabError as error:
        raise PokerlabError(f"this player plays {rules.name}, where the hand is impossible: {error}") from error
    if not same:
        raise PokerlabError(f"this player plays {rules.name}, where others would have acted in this hand")
    return scaled


def _decimal(chips: Chips) -> Chips:
    """Chips with finitely many decimals: a third of a chip, as from a split pot, is rounded to hundredths."""
    exact = Fraction(chips)
    exact = exact if 10**12 % exact.denominator == 0 else Fraction(round(exact * 100), 100)
    return exact.numerator if exact.denominator == 1 else exact
