"""The connectionist structure for one hand: action function, observer and beliefs, as in the thesis.

The value of an option (call or raise) is a mean over *out-states*. The probability of each out-state depends on the bet
features after the option, the opponents' card-types and the cards; its value is linear in the bet features. A fold has
value 0. A softmax over the values gives the probabilities of actions.

The *observer* sees no cards. It replaces them by one of eight *card-types* and has a belief over these for every seat:
an action is evidence, and board cards change types into others. The sum of these beliefs over the opponents is an input
of the action function. In the observer's action function the card-type replaces all card features, including those of
the board, as in the thesis's equations and pseudo-code (its Table 4-2 includes the board's).

`_structure_jax` computes the same for thousands of lanes.

>>> from pokerlab.games.betting import Betting
>>> from pokerlab.games.catalog import game
>>> from pokerlab.systems.connectionist.parameters import initial_parameters
>>> parameters, start = initial_parameters(seed=7), Betting.start(game("limit3p-uncapped"))
>>> spot = spot_of(start)
>>> thought = think(parameters, spot, opponents=2 * parameters.initial, cards=np.zeros(8))
>>> round(float(thought.chances.sum()), 6), by_type(parameters, spot, opponents=2 * parameters.initial).shape
(1.0, (3, 8))

References
----------
Sweeney (2012), sections 4.3.3, 4.4 and 4.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.arrays import Floats, Int8s
from pokerlab.cards.card_features import card_features, features_of
from pokerlab.cards.combos import CARDS_OF_COMBO, live_combos
from pokerlab.cards.feature_names import BOARD_SCALE, FIRST_COLUMNS, ORDER_COLUMNS, PRIVATE_SCALE
from pokerlab.games.actions import CALL, Action, Kind, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.betting_features import betting_features, size_features
from pokerlab.games.rules import Rules
from pokerlab.systems.connectionist.parameters import (
    BET_SCALE,
    BOARD_IN_ACTIONS,
    BOARD_IN_TRANSITIONS,
    COST_SCALE,
    N_BET,
    N_SIZED_BET,
    Parameters,
)
from pokerlab.systems.connectionist.sizes import size_of, spans

FOLD_AT, CALL_AT, RAISE_AT = 0, 1, 2
RATIOS = [2, 3, 4, 11]
"""Indices of the inputs that enter by their logarithms in no-limit: pot, amount owed, fair share, and stack in pots."""
LEAST_BELIEF = 1e-7
MOST_SEATS = 10
N_BOARD = (0, 3, 4, 5)


@dataclass(frozen=True)
class BettingSpot:
    """The betting before a decision, as inputs of the structure. Options are a call and the raises."""

    street: int
    # inputs[10, option]: scaled bet features after each option, and a 1; in no-limit three more for sizes
    inputs: Floats
    cost: Floats  # cost[option], scaled
    may_fold: bool
    raises: tuple[bool, ...]  # whether the raise is legal; in no-limit one value for every size

    @property
    def may_raise(self) -> bool:
        return any(self.raises)


def playable(rules: Rules) -> bool:
    """Whether the structure can play a game with one raise size: limit hold'em for 2 to 10 players."""
    return rules.is_holdem and rules.limits == "limit" and rules.n_seats <= MOST_SEATS


def spot_of(betting: Betting) -> BettingSpot:
    """Inputs of the structure for a betting state. An illegal raise gets the inputs of the call.

    In no-limit, amounts are represented by their logarithms, since pots grow by ratios there.
    """
    legal, sized = betting.legal(), betting.rules.limits == "no-limit"
    raises = raise_options(betting)
    inputs, cost = np.ones((N_SIZED_BET if sized else N_BET, 1 + len(raises))), np.zeros(1 + len(raises))
    for option, action in enumerate((CALL, *(raise_to or CALL for raise_to in raises))):
        inputs[: N_BET - 1, option], cost[option] = betting_features(betting, action)
        if sized:
            inputs[N_BET:, option] = size_features(betting, action)
    inputs[:N_BET] /= BET_SCALE[:, None]
    cost /= COST_SCALE
    if sized:
        inputs[RATIOS], cost = np.log1p(inputs[RATIOS]), np.log1p(cost)
    return BettingSpot(betting.street, inputs, cost, legal.fold, tuple(raise_to is not None for raise_to in raises))


def raise_options(betting: Betting) -> tuple[Action | None, ...]:
    """Raises considered: one in limit, one of every size in no-limit (`sizes`); None if illegal."""
    if betting.rules.limits == "no-limit":
        return tuple(RaiseTo(span.centre) if span else None for span in spans(betting))
    least = betting.legal().raise_min
    return (None if least is None else RaiseTo(least),)


def place_of(betting: Betting, action: Action) -> int:
    """Index of an action in the vector of probabilities: fold, call, then the raises by size."""
    if action.kind == Kind.RAISE and betting.rules.limits == "no-limit":
        return RAISE_AT + size_of(betting, action.to)
    return {Kind.FOLD: FOLD_AT, Kind.CALL: CALL_AT, Kind.RAISE: RAISE_AT}[action.kind]


@dataclass(frozen=True)
class Thought:
    """Output of the action function for a spot."""

    likely: Floats  # likely[.., S, option]: probabilities of the out-states
    values: Floats  # values[S, option] of the out-states
    worth: Floats  # worth[.., option]: values of the options
    chances: Floats  # chances[.., 3 or more]: probabilities of fold, call and the raises


def think(
    parameters: Parameters, spot: BettingSpot, *, opponents: Floats, cards: Floats, own: Floats | None = None
) -> Thought:
    """Evaluate the action function. `opponents[.., C]` is the sum of the beliefs about the opponents; `cards[.., S]`
    comes from `card_sums`.

    A player with self-aware inputs also needs `own[.., C]`, the observer's belief about the actor before the action.
    """
    sums, values, cost = _terms(parameters, spot, opponents)
    if own is not None:
        seen = by_type(parameters, spot, opponents=opponents)
        for option in range(sums.shape[-1]):
            sums[..., option] += updated(own, seen[..., CALL_AT + option, :]) @ parameters.own[spot.street].T
    likely, worth, chances = _mixed(sums + cards[..., None], values, cost, spot)
    return Thought(likely, values, worth, chances)


def by_type(parameters: Parameters, spot: BettingSpot, *, opponents: Floats) -> Floats:
    """Return `p[..., action, type]`: the probabilities of actions of a player whose hand is of each card-type.

    An observer who does not see the cards uses them.
    """
    sums, values, cost = _terms(parameters, spot, opponents)
    types = parameters.types[spot.street].T[..., None]
    return np.swapaxes(_mixed(sums[..., None, :, :] + types, values, cost, spot)[2], -1, -2)


def _terms(parameters: Parameters, spot: BettingSpot, opponents: Floats) -> tuple[Floats, Floats, Floats]:
    """Return (sums of the out-states without cards `[.., S, option]`, their values, the options' weighted costs)."""
    p, street = parameters, spot.street
    sums = p.bet[street] @ spot.inputs + (opponents @ p.opponents[street].T)[..., None]
    return sums, p.value[street] @ spot.inputs, p.cost[street] * spot.cost


def _mixed(sums: Floats, values: Floats, cost: Floats, spot: BettingSpot) -> tuple[Floats, Floats, Floats]:
    """Return (probabilities of out-states (4-1), values of the options (4-2, 4-3), probabilities of the actions
    (4-4))."""
    weights = np.exp(sums - sums.max(axis=-2, keepdims=True))
    likely = weights / weights.sum(axis=-2, keepdims=True)
    worth = (likely * values).sum(axis=-2) - cost
    scores = np.zeros((*worth.shape[:-1], 1 + worth.shape[-1]))
    scores[..., CALL_AT:] = worth
    if not spot.may_fold:
        scores[..., FOLD_AT] = -np.inf
    for size, legal in enumerate(spot.raises):
        if not legal:
            scores[..., RAISE_AT + size] = -np.inf
    chances = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return likely, worth, chances / chances.sum(axis=-1, keepdims=True)


def card_sums(parameters: Parameters, hole: Sequence[int], board: Sequence[int]) -> Floats:
    """`[S]`: contribution of a player's cards and of the board to the sums of the out-states."""
    street = N_BOARD.index(len(board))
    features = features_of(hole, board)
    shared = BOARD_IN_ACTIONS[street] * features.board / BOARD_SCALE
    return np.asarray(parameters.board[street] @ shared + private_sums(parameters, street, features.private), float)


def private_sums(parameters: Parameters, street: int, private: Int8s) -> Floats:
    """`[.., S]`: contribution of the private features `private[.., column]` of a street.

    Features that order hands are summed separately. So weights without them give exactly the same result as before
    these features existed.
    """
    first, order = (
        (private[..., columns] / PRIVATE_SCALE[columns]) @ parameters.private[:, columns].T
        for columns in (FIRST_COLUMNS[street], ORDER_COLUMNS[street])
    )
    return np.asarray(first + order)


def combo_sums(parameters: Parameters, board: Sequence[int]) -> Floats:
    """`[combo, S]`: `card_sums` of every hand; rows of hands with a board card are 0."""
    street = N_BOARD.index(len(board))
    live = np.flatnonzero(live_combos(sum(1 << card for card in board)))
    found = card_features(CARDS_OF_COMBO[live][None], np.array([board], np.uint8))
    shared = parameters.board[street] @ (BOARD_IN_ACTIONS[street] * found.board[0] / BOARD_SCALE)
    own = private_sums(parameters, street, found.private[0])
    sums = np.zeros((len(CARDS_OF_COMBO), parameters.private.shape[0]))
    sums[live] = shared + own
    return sums


def updated(belief: Floats, chances: Floats) -> Floats:
    """Update a belief with evidence of likelihood `chances[C]`."""
    return normalised(belief * chances)


def moved(parameters: Parameters, belief: Floats, board: Sequence[int]) -> Floats:
    """Update beliefs `[.., C]`, or `[.., T * C]` over pairs, for the cards of a new street; `board` includes these
    cards.

    Only card-types change. The board says nothing about player-types.
    """
    change = transition(parameters, board)
    by_player_type = belief.reshape(*belief.shape[:-1], -1, len(change))
    players = by_player_type.sum(axis=-1, keepdims=True)
    return np.asarray((players * normalised(by_player_type @ change / players)).reshape(belief.shape))


def marginals(belief: Floats, n_card_types: int) -> Floats:
    """`[.., C + T]`: beliefs about card-types, then about player-types, from a belief over pairs. With one player-type
    it is `[.., C]`.

    >>> marginals(np.array([0.1, 0.2, 0.3, 0.4]), 2).round(6).tolist(), marginals(np.array([0.4, 0.6]), 2).tolist()
    ([0.4, 0.6, 0.3, 0.7], [0.4, 0.6])
    """
    by_player_type = belief.reshape(*belief.shape[:-1], -1, n_card_types)
    if by_player_type.shape[-2] == 1:
        return belief
    return np.concatenate([by_player_type.sum(axis=-2), by_player_type.sum(axis=-1)], axis=-1)


def transition(parameters: Parameters, board: Sequence[int]) -> Floats:
    """`[C, C]`: transition weights between card-types for the cards of a street, up to a constant factor."""
    street = N_BOARD.index(len(board))
    # any two cards, since only the board's features are used
    hole = [card for card in range(7) if card not in board][:2]
    features = features_of(hole, board).board / BOARD_SCALE * BOARD_IN_TRANSITIONS[street - 1]
    weights = parameters.transitions[street - 1]
    logs = weights[..., :-1] @ features + weights[..., -1]
    return np.asarray(np.exp(logs - logs.max()), float)


def normalised(belief: Floats) -> Floats:
    """Normalise beliefs to sum to 1; no belief becomes exactly 0."""
    belief = np.maximum(belief, LEAST_BELIEF)
    return np.asarray(belief / belief.sum(axis=-1, keepdims=True))
