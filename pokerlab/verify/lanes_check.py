"""Play random hands on the lanes of `table.lanes`, and replay each at the ordinary table to compare the chips.

Lanes continue with their next hand when one ends, with a random number of players. At every decision the seat to act,
the amount it owes and its legal actions are compared, and at the end of a hand every seat's chips. In no-limit games
every second hand has the stacks of the rules; the other hands have random stacks, some shorter than a blind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import AnyArray, Floats32, Int32s
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.rng import stream
from pokerlab.table.lanes import DealPool, LaneRules, deal_pool, lane_rules

N_LANES = 500
RAISE_CHANCE, FOLD_CHANCE = 0.35, 0.12
SMALLEST_CHANCE, LARGEST_CHANCE = 0.3, 0.15
"""Shares of the raises of a no-limit game that are the smallest, and all-in; others are drawn in between."""
CHIP_TOLERANCE = 1e-2
"""Lanes have chips in single precision, which resolves hundredths of a chip up to 260,000."""


class LaneDecision(NamedTuple):
    """A lane's state before an action, and the action."""

    seat: int
    may_fold: bool
    may_raise: bool
    owed: int
    least: int  # the smallest and the largest raise of a no-limit game, as hand totals, where one is legal
    most: int
    action: int
    to: int  # the total of a raise in a no-limit game


class LaneHand(NamedTuple):
    """A hand as a lane played it."""

    number: int  # number of the deal
    stacks: tuple[int, ...]  # starting stacks of the players; limit games use only their number
    decisions: list[LaneDecision]
    chips: Floats32  # net chips of each seat


@dataclass
class LanesTally:
    """Result of the comparison: `hands[players]`, decisions, and differences."""

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
        tally.hands[len(hand.stacks)] += 1
        tally.decisions += len(hand.decisions)
        tally.differences += _differences(games[len(hand.stacks)], pool, hand)
        if report is not None:
            report(tally.hands.total(), hands)
    return tally


def lane_hands(rules: LaneRules, pool: DealPool, *, seed: int) -> Iterator[LaneHand]:
    """Yield every deal of the pool, played at random by 2 to `n_seats` players on lanes."""
    from functools import partial

    import jax

    from pokerlab.table import _lanes_jax as kernels

    rng = stream(seed, "lanes check")
    n_hands, n_lanes = len(pool.ranks), min(N_LANES, len(pool.ranks))
    players = rng.integers(2, rules.n_seats + 1, n_hands).astype(np.int32)
    stacks = _drawn_stacks(rules, n_hands, rng)
    number, dealt = np.arange(n_lanes), n_lanes
    moves, step, payoffs, renewed, init = (jax.jit(partial(kernel, rules)) for kernel in (
        kernels.moves, kernels.step, kernels.payoffs, kernels.renewed, kernels.init
    ))  # fmt: skip
    lanes = init(players[number], stacks[:, number])
    decisions: list[list[LaneDecision]] = [[] for _ in range(n_lanes)]
    playing = np.ones(n_lanes, bool)
    while playing.any():
        offered = moves(lanes)
        fold, raises, owed = (np.asarray(each) for each in offered[:3])
        least, most = (np.where(raises, each, 0) if rules.no_limit else np.zeros_like(owed) for each in offered[3:])
        draw, seat = rng.random(n_lanes), np.asarray(lanes.actor)
        action = np.where(raises & (draw < RAISE_CHANCE), kernels.RAISE, kernels.CALL)
        action = np.where(fold & (draw > 1 - FOLD_CHANCE), kernels.FOLD, action).astype(np.int32)
        to = _drawn_raises(least, most, rng)
        for lane in np.flatnonzero(playing & (seat != kernels.NOBODY)):
            fields = (each[lane].item() for each in (seat, fold, raises, owed, least, most, action, to))
            decisions[lane].append(LaneDecision(*fields))
        lanes = step(lanes, action, to)
        over = playing & (np.asarray(lanes.actor) == kernels.NOBODY)
        chips = np.asarray(payoffs(lanes, pool.ranks[number].T))
        for lane in np.flatnonzero(over):
            had = stacks[: players[number[lane]], number[lane]]
            yield LaneHand(int(number[lane]), tuple(had.tolist()), decisions[lane], chips[:, lane])
            decisions[lane] = []
            playing[lane] = dealt < n_hands
            number[lane], dealt = min(dealt, n_hands - 1), dealt + 1
        lanes = renewed(lanes, over & playing, players[number], stacks[:, number])


def _drawn_stacks(rules: LaneRules, n: int, rng: np.random.Generator) -> Int32s:
    """`stack[seat, hand]`: the stacks of the rules, but random ones in every second hand (limit games ignore them)."""
    drawn = np.exp(rng.uniform(0, np.log(max(2, rules.stack)), (rules.n_seats, n)))
    return np.where(np.arange(n) % 2 == 0, rules.stack, drawn.astype(int)).astype(np.int32)


def _drawn_raises(least: AnyArray, most: AnyArray, rng: np.random.Generator) -> Int32s:
    """Draw a raise for each lane, as the raiser's total for the hand, between the smallest raise and all-in.

    The smallest raise and all-in are themselves drawn often.
    """
    draw, share = rng.random((2, len(least)))
    between = np.maximum(1, least) * (np.maximum(1, most) / np.maximum(1, least)) ** share
    between = np.where(draw < SMALLEST_CHANCE, least, np.where(draw > 1 - LARGEST_CHANCE, most, between))
    return np.clip(between.astype(np.int32), least, most).astype(np.int32)


def _differences(rules: Rules, pool: DealPool, hand: LaneHand) -> list[str]:
    """Differences from the ordinary table; empty if both agree."""
    where = f"deal {hand.number} of {rules.name}"
    n_players, holes, board = rules.n_seats, pool.holes[hand.number, : rules.n_seats], pool.boards[hand.number]
    if rules.limits == "no-limit":
        rules = rules.with_stacks(hand.stacks)
        where += f" with stacks of {', '.join(map(str, hand.stacks))}"
    state = State.start(rules, tuple(int(card) for card in (*holes.reshape(-1), *board)))
    for number, decision in enumerate(hand.decisions):
        if state.over:
            return [f"{where}: over after {number} actions, but the lane continues"]
        betting, legal = state.betting, state.betting.legal()
        before = betting.spent[betting.actor] - betting.bets[betting.actor]  # on earlier streets
        ends = (before + (legal.raise_min or 0), before + (legal.raise_max or 0)) if legal.raise_max else (0, 0)
        ours: tuple[object, ...] = decision[:6]
        theirs: tuple[object, ...] = (betting.actor, legal.fold, legal.raise_max is not None, legal.call, *ends)
        if rules.limits == "limit":
            ours, theirs = ours[:4], theirs[:4]
        if ours != theirs:
            what = "(seat, fold, raise, owed, least, most)"
            return [f"{where}, action {number}: {what} is {theirs}, but on the lane {ours}"]
        to = legal.raise_min if rules.limits == "limit" else decision.to - before
        state = state.after((FOLD, CALL, RaiseTo(to or 0))[decision.action])
    if not state.over:
        return [f"{where}: not over after {len(hand.decisions)} actions, but the lane has ended"]
    apart = np.abs(np.array(state.payoffs(), float) - hand.chips[:n_players]).max()
    return [f"{where}: chips differ by {apart}"] if apart > CHIP_TOLERANCE else []
