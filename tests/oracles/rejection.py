"""Cards that nobody saw, drawn as published: by rejection, all hands weighed only after more than six decisions.

It is the readable twin of `imputing`, for one deal. A hand is proposed uniformly and accepted as often as the model
would have done with it what the player did; when two players come out with the same card all are drawn again.

References
----------
Sweeney (2012), section 6.1.1.
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats32, Int32s, Int64s
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.people.records import UNKNOWN, Records
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.population import Model

MOST_BY_REJECTION = 6
"""Decisions of a hand up to which hands are proposed and rejected."""


def decisions_of(records: Records, hand: int, seat: int) -> Int64s:
    """The decisions of a seat in a hand."""
    rows = np.arange(records.first[hand], records.first[hand + 1])
    return np.asarray(rows[records.seat[rows] == seat])


def chance_of_actions(
    model: Model, records: Records, opponents: Floats32, rows: Int64s, *, hole: tuple[int, int],
    kind: int = 0,
) -> float:  # fmt: skip
    """How likely the model makes the decisions `rows` with these cards; `opponents[decision, C (+ T)]` was believed."""
    chance = 1.0
    for row in rows.tolist():
        street, legal = int(records.street[row]), int(records.legal[row])
        hand = int(np.searchsorted(records.first, row, side="right")) - 1
        inputs, cost = records.inputs[row].astype(float), records.cost[row].astype(float)
        spot = structure.BettingSpot(street, inputs, cost, legal % 2 == 1, (legal >> 1 == 1,))
        board = tuple(records.boards[hand][: structure.N_BOARD[street]].tolist())
        cards = structure.card_sums(model.parameters, hole, board) + model.players.shift[street, :, kind]
        thought = structure.think(model.parameters, spot, opponents=opponents[row].astype(float), cards=cards)
        chance *= float(thought.chances[records.action[row]])
    return chance


def imputed_hands(
    model: Model, records: Records, opponents: Floats32, hand: int, *, kinds: Int32s,
    rng: np.random.Generator,
) -> dict[int, tuple[int, int]]:  # fmt: skip
    """The hole cards, by seat, of everybody in a hand whose cards are not known; `kinds[seat]` are player-types."""
    hidden = np.flatnonzero((records.holes[hand, :, 0] == UNKNOWN) & (records.person[hand] >= 0)).tolist()
    known = records.holes[hand][records.holes[hand] != UNKNOWN].tolist()
    taken = {*records.boards[hand][: records.n_board[hand]].tolist(), *known}
    possible = [(a, b) for a, b in CARDS_OF_COMBO.tolist() if a not in taken and b not in taken]
    while True:
        drawn: dict[int, tuple[int, int]] = {}
        used: set[int] = set()
        for seat in hidden:
            rows = decisions_of(records, hand, seat)
            drawn[seat] = _one(model, records, opponents, rows, possible=possible, kind=int(kinds[seat]), rng=rng)
            if used & set(drawn[seat]):
                break  # the overlap test: begin again
            used |= set(drawn[seat])
        else:
            return drawn


def _one(
    model: Model, records: Records, opponents: Floats32, rows: Int64s, *,
    possible: list[tuple[int, int]], kind: int, rng: np.random.Generator,
) -> tuple[int, int]:  # fmt: skip
    """One player's hand, whatever the others hold."""
    if len(rows) > MOST_BY_REJECTION:
        weights = np.array(
            [chance_of_actions(model, records, opponents, rows, hole=hole, kind=kind) for hole in possible]
        )
        return possible[int(rng.choice(len(possible), p=weights / weights.sum()))]
    while True:
        hole = possible[int(rng.integers(len(possible)))]
        if rng.random() < chance_of_actions(model, records, opponents, rows, hole=hole, kind=kind):
            return hole
