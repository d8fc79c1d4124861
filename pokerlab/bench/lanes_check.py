"""Random hands on the lanes of `table.limit_lanes`, each played again at the ordinary table: the same chips, or not.

Lanes go on to their next hand when one ends, with as many players as was drawn for it. At every decision the seat to
act, what it owes and what it may do are compared, and at the end the chips of everybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.rng import stream
from pokerlab.table.limit_lanes import DealPool, LaneRules, deal_pool, lane_rules

N_LANES = 500
RAISE_CHANCE, FOLD_CHANCE = 0.35, 0.12
CHIP_TOLERANCE = 1e-3
"""Lanes split pots in single precision."""


class Decision(NamedTuple):
    """What a lane said before an action, and the action."""

    seat: int
    may_fold: bool
    may_raise: bool
    owed: int
    action: int


class LaneHand(NamedTuple):
    """A hand as a lane played it."""

    number: int  # of the deal
    n_players: int
    decisions: list[Decision]
    chips: NDArray[np.float32]  # by seat


@dataclass
class LanesTally:
    """What was compared: `hands[players]`, decisions, and what differed."""

    hands: Counter[int] = field(default_factory=Counter)
    decisions: int = 0
    differences: list[str] = field(default_factory=list)


def verify_lanes(family: str, *, hands: int, seed: int, report: Callable[[int, int], None] | None = None) -> LanesTally:
    """Play `hands` random hands of 2 to 10 players of a catalog family, such as `limit{n}p`, and compare them."""
    games = {n: game(family.format(n=n)) for n in range(2, 11)}
    rules = lane_rules(games[10])
    pool = deal_pool(hands, n_seats=rules.n_seats, seed=seed)
    tally = LanesTally()
    for hand in lane_hands(rules, pool, seed=seed):
        tally.hands[hand.n_players] += 1
        tally.decisions += len(hand.decisions)
        tally.differences += _differences(games[hand.n_players], pool, hand)
        if report is not None:
            report(tally.hands.total(), hands)
    return tally


def lane_hands(rules: LaneRules, pool: DealPool, *, seed: int) -> Iterator[LaneHand]:
    """Every deal of the pool, played at random by 2 to `n_seats` players on lanes."""
    from functools import partial

    import jax

    from pokerlab.table import _limit_lanes_jax as kernels

    rng = stream(seed, "lanes check")
    n_hands, n_lanes = len(pool.ranks), min(N_LANES, len(pool.ranks))
    players = rng.integers(2, rules.n_seats + 1, n_hands).astype(np.int32)
    number, dealt = np.arange(n_lanes), n_lanes
    moves, step, payoffs, renewed = (
        jax.jit(partial(kernel, rules)) for kernel in (kernels.moves, kernels.step, kernels.payoffs, kernels.renewed)
    )
    lanes = jax.jit(partial(kernels.init, rules))(players[number])
    decisions: list[list[Decision]] = [[] for _ in range(n_lanes)]
    playing = np.ones(n_lanes, bool)
    while playing.any():
        fold, raises, owed = (np.asarray(each) for each in moves(lanes))
        draw, seat = rng.random(n_lanes), np.asarray(lanes.actor)
        action = np.where(raises & (draw < RAISE_CHANCE), kernels.RAISE, kernels.CALL)
        action = np.where(fold & (draw > 1 - FOLD_CHANCE), kernels.FOLD, action).astype(np.int32)
        for lane in np.flatnonzero(playing):
            found = (seat[lane], fold[lane], raises[lane], owed[lane], action[lane])
            decisions[lane].append(Decision(*(each.item() for each in found)))
        lanes = step(lanes, action)
        over = playing & (np.asarray(lanes.actor) == kernels.NOBODY)
        chips = np.asarray(payoffs(lanes, pool.ranks[number].T))
        for lane in np.flatnonzero(over):
            yield LaneHand(int(number[lane]), int(players[number[lane]]), decisions[lane], chips[:, lane])
            decisions[lane] = []
            playing[lane] = dealt < n_hands
            number[lane], dealt = min(dealt, n_hands - 1), dealt + 1
        lanes = renewed(lanes, over & playing, players[number])


def _differences(rules: Rules, pool: DealPool, hand: LaneHand) -> list[str]:
    """What the ordinary table has otherwise; nothing if both agree."""
    where = f"deal {hand.number} of {rules.name}"
    holes, board = pool.holes[hand.number, : hand.n_players], pool.boards[hand.number]
    state = State.start(rules, tuple(int(card) for card in (*holes.reshape(-1), *board)))
    for number, decision in enumerate(hand.decisions):
        if state.over:
            return [f"{where}: over after {number} actions, and the lane goes on"]
        legal = state.betting.legal()
        ours = (decision.seat, decision.may_fold, decision.may_raise, decision.owed)
        theirs = (state.betting.actor, legal.fold, legal.raise_max is not None, legal.call)
        if ours != theirs:
            return [f"{where}, action {number}: (seat, fold, raise, owed) is {theirs}, and on the lane {ours}"]
        state = state.after((FOLD, CALL, RaiseTo(legal.raise_min or 0))[decision.action])
    if not state.over:
        return [f"{where}: not over after {len(hand.decisions)} actions, and the lane has ended"]
    apart = np.abs(np.array(state.payoffs(), float) - hand.chips[: hand.n_players]).max()
    return [f"{where}: chips differ by {apart}"] if apart > CHIP_TOLERANCE else []
