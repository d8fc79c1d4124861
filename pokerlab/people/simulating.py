"""Simulate matches between members of a population model on lanes, as records whose hidden truth is known.

Every seat has a player-type for the match, sampled from the model, and uses the beliefs of the model's observer about
the others. Seats rotate by one from hand to hand.

>>> from pokerlab.systems.connectionist.population import initial_model
>>> Simulation(matches=2, hands=3).n_hands
6
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import AnyArray, Int32s, Int64s, Uint8s
from pokerlab.cards.card_features import card_features
from pokerlab.people.records import UNKNOWN, Records, kernels
from pokerlab.rng import stream, stream_key
from pokerlab.systems.connectionist.population import Model, paired
from pokerlab.systems.connectionist.settings import TrainSettings
from pokerlab.table.lanes import DealPool, deal_pool

LOGGED_DECISIONS = 60
"""Mean number of decisions in a hand for which the log has room."""


@dataclass(frozen=True)
class Simulation:
    """The matches to play."""

    matches: int
    hands: int = 120  # a match
    players: int = 6
    seed: int = 7

    @property
    def n_hands(self) -> int:
        """Total number of deals."""
        return self.matches * self.hands


class SimulatedRecords(NamedTuple):
    """Records as a spectator sees them, and the hidden truth."""

    records: Records
    holes: Uint8s  # holes[hand, seat, 2]
    kinds: Int32s  # kinds[person]: player-types


def simulate(model: Model, plan: Simulation) -> SimulatedRecords:
    """Play the matches of `plan` by `model`, all of them at once."""
    n, n_seats = plan.matches, plan.players
    settings = TrainSettings(players=n_seats, batch=n, logged_decisions=LOGGED_DECISIONS, shrinks=())
    form, parameters, shift = settings.form, paired(model), model.players.shift
    rng = stream(plan.seed, "simulated matches")
    shares = model.players.initial.astype(float)
    kinds = rng.choice(len(shares), size=(n_seats, n), p=shares / shares.sum()).astype(np.int32)
    key = stream_key(plan.seed, "simulated matches").view(np.uint32)[:2]
    believed = np.tile(model.players.initial[None, :, None], (n_seats, 1, n))
    parts = []
    for number in range(plan.hands):
        order = (np.arange(n_seats) + number) % n_seats  # the person in each seat
        dealt = deal_pool(n, n_seats=n_seats, seed=plan.seed, first=number * n)
        features = card_features(dealt.holes, dealt.boards)
        cards = (dealt.ranks.T, features.board, features.private)
        played = kernels().population_played(
            form, (parameters, shift), cards, kinds=kinds[order], start=believed[order], key=key, number=number
        )
        believed = believed.copy()
        believed[order] = np.asarray(played.players)
        parts.append((dealt, order, played))
    return _gathered(plan, parts, kinds)


def _gathered(plan: Simulation, parts: list[tuple[DealPool, Int64s, Any]], kinds: Int32s) -> SimulatedRecords:
    """Order the records match by match, from hands that all matches played in parallel."""
    n, n_seats = plan.matches, plan.players
    found: dict[str, list[AnyArray]] = {}
    order_of: list[Int64s] = []
    hand_of: list[Int64s] = []

    def add(**arrays: AnyArray) -> None:
        for name, array in arrays.items():
            found.setdefault(name, []).append(array)

    seats = np.arange(n_seats)
    for number, (dealt, order, played) in enumerate(parts):
        log = type(played.log)(*map(np.asarray, played.log))
        folded = np.asarray(played.folded)
        there = np.flatnonzero(log.row < n * 4 * n_seats)
        row = log.row[there]
        match = row // (4 * n_seats)
        hand_of.append(match * plan.hands + number)
        in_hand = (folded[:, None] >> seats & 1) == 0
        showed = in_hand & (in_hand.sum(axis=1, keepdims=True) > 1)
        reached = np.zeros(n, np.int64)
        np.maximum.at(reached, match, log.street[there])
        reached = np.where(showed.any(axis=1), 3, reached)
        add(
            street=log.street[there].astype(np.int8), seat=(row % n_seats).astype(np.int8),
            action=log.action[there].astype(np.int8), legal=log.legal[there].astype(np.int8),
            inputs=np.moveaxis(log.inputs[..., there], -1, 0), cost=log.cost[..., there].T,
        )  # fmt: skip
        order_of.append(np.arange(n) * plan.hands + number)
        person = np.arange(n)[:, None] * n_seats + np.asarray(order)
        add(
            match=np.arange(n, dtype=np.int32), boards=dealt.boards,
            n_board=np.array([0, 3, 4, 5], np.int8)[reached], person=person.astype(np.int32),
            holes=dealt.holes, showed=showed, wins=np.asarray(played.wins).T & showed,
        )  # fmt: skip
    place = np.argsort(np.concatenate(order_of))
    rows = np.argsort(np.concatenate(hand_of), kind="stable")
    arrays = {
        name: np.concatenate(each)[rows if name in ("street", "seat", "action", "legal", "inputs", "cost") else place]
        for name, each in found.items()
    }
    holes = np.asarray(arrays["holes"], np.uint8)
    arrays["holes"] = np.where(arrays["showed"][..., None], holes, UNKNOWN).astype(np.uint8)
    counts = np.bincount(np.concatenate(hand_of), minlength=plan.n_hands)
    names = tuple(f"player {seat}" for seat in seats)
    records = Records(
        **arrays,
        first=np.concatenate([[0], np.cumsum(counts)]),
        name_of=np.tile(seats, n).astype(np.int32),
        match_of=np.repeat(np.arange(n), n_seats).astype(np.int32),
        names=names,
    )
    return SimulatedRecords(records, holes, kinds.T.reshape(-1))
