"""Thousands of hold'em tables at once, limit or no-limit, as arrays that a processor or a GPU updates together (JAX).

A *lane* is one table. All lanes have the same stakes and 2 to `n_seats` players each, and are updated step by step:
`init` starts a hand on every lane, `moves` lists the legal actions, `step` applies one action on every lane, `renewed`
begins the next hand on finished lanes, and `payoffs` settles hands. The kernels are in `_lanes_jax`. They know of the
cards only the rank of each seat's final hand, and they do not depend on who decides.

`deal_pool` draws cards and ranks in advance. In limit games bankrolls are unlimited, so there are no side pots; in
no-limit games every seat of every lane has a stack, from the rules or from `init`. The chips are the same as at the
ordinary table, hand for hand (`pokerlab verify lanes`).

>>> from pokerlab.games.catalog import game
>>> lane_rules(game("limit6p-uncapped"))
LaneRules(n_seats=6, small_blind=5, big_blind=10, raise_sizes=(10, 10, 20, 20), max_raises=(3, 4, 4, 4),
          uncapped_heads_up=True, stack=0)
>>> lane_rules(game("nolimit2p")).stack
20000
>>> deal_pool(2, n_seats=3, seed=7).holes.shape
(2, 3, 2)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Int32s, Uint8s
from pokerlab.cards.evaluate import evaluate_batch
from pokerlab.errors import RulesError
from pokerlab.games.rules import Rules
from pokerlab.rng import stream_key

MAX_LANE_SEATS = 10


@dataclass(frozen=True)
class LaneRules:
    """A game in the form that kernels need; hashable, so that JAX compiles once for each game."""

    n_seats: int  # maximum number of players on a lane
    small_blind: int
    big_blind: int
    raise_sizes: tuple[int, ...]  # chips of a bet or raise, for each street
    max_raises: tuple[int, ...]
    uncapped_heads_up: bool
    stack: int = 0  # default stack of a seat; 0 means limit, where no seat is ever all-in

    @property
    def no_limit(self) -> bool:
        """Whether raises may be of any amount and stacks are finite."""
        return self.stack > 0


def lane_rules(rules: Rules) -> LaneRules:
    """Rules of a lane: hold'em with two usual blinds and no antes; stacks are unlimited in limit, equal in no-limit.
    No-limit raises follow the rules of the catalog, which are those of ACPC. All other games are refused."""
    blinds = tuple(sorted((blind for blind in rules.blinds if blind), reverse=rules.n_seats == 2))
    usual = blinds + (0,) * (rules.n_seats - 2)
    opener = 1 if rules.n_seats == 2 else 2 % rules.n_seats
    if not (
        rules.is_holdem
        and (_usual_limit(rules) or _usual_no_limit(rules))
        and len(blinds) == 2
        and rules.blinds == usual
        and not any(rules.antes)
        and [street.first for street in rules.streets] == [opener, 0, 0, 0]
        and rules.odd_chips == "split"
        and not (rules.board or rules.responders or rules.fold_any_time)
        and rules.n_seats <= MAX_LANE_SEATS
    ):
        raise RulesError(
            f"{rules.name} cannot be played on lanes: they play limit hold'em with unlimited bankrolls, and no-limit "
            "hold'em with even stacks by the rules of ACPC"
        )
    return LaneRules(
        n_seats=rules.n_seats,
        small_blind=int(min(blinds)),
        big_blind=int(max(blinds)),
        raise_sizes=tuple(int(street.raise_size) for street in rules.streets),
        max_raises=tuple(street.max_raises or 0 for street in rules.streets),
        uncapped_heads_up=rules.uncapped_heads_up,
        stack=0 if rules.limits == "limit" else int(rules.stacks[0]),
    )


def _usual_limit(rules: Rules) -> bool:
    capped = all(street.max_raises for street in rules.streets)
    return rules.limits == "limit" and set(rules.stacks) == {inf} and capped


def _usual_no_limit(rules: Rules) -> bool:
    even = len(set(rules.stacks)) == 1 and rules.stacks[0] < inf and rules.stacks[0] % 1 == 0
    uncapped = all(street.max_raises is None for street in rules.streets)
    acpc = rules.short_all_in_reopens and rules.uncallable_raises and not rules.call_full_blind
    usual_bet = rules.smallest_bet == rules.big_blind and rules.whole_chips and not rules.first_raise_is_full
    return rules.limits == "no-limit" and even and uncapped and acpc and usual_bet


class DealPool(NamedTuple):
    """Cards drawn in advance; deal number i is the same however many are drawn at once."""

    holes: Uint8s  # holes[deal, seat, 2]
    boards: Uint8s  # boards[deal, 5]
    ranks: Int32s  # ranks[deal, seat]: rank of the seat's seven cards; larger is better


def deal_pool(n: int, *, n_seats: int, seed: int, first: int = 0) -> DealPool:
    """Draw the `n` deals from number `first` on, from the stream (seed, "lanes")."""
    from pokerlab.abstraction._deals_numba import deal_places

    dealt = deal_places(stream_key(seed, "lanes"), first, n, 52, 2 * n_seats + 5).astype(np.uint8)
    holes, boards = dealt[:, : 2 * n_seats].reshape(n, n_seats, 2), dealt[:, 2 * n_seats :]
    hands = np.empty((n, n_seats, 7), np.uint8)
    hands[:, :, :2], hands[:, :, 2:] = holes, boards[:, None]
    return DealPool(holes, boards, evaluate_batch(hands.reshape(-1, 7)).reshape(n, n_seats))
