"""Weight tables: for every player, how well each of the 1326 hands explains its actions in the current hand.

Initially all weights are one. After each action of a player its table is multiplied by the model's probability of that
action with each hand. The probabilities are smoothed by noise, because players deceive and models err: a constant noise
spreads probability evenly over fold, call and raise; noise learned for each player (`action_counts`) spreads it evenly
over the player's hands. Hands with a card that is known to be elsewhere, such as on the board, have weight zero.

Tables depend only on the models and the public actions. `WeightTables` caches recent tables, so that a decision only
has to process the actions since the previous one.

>>> from pokerlab.games.actions import RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.policies.formula import FormulaPolicy
>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.combos import combo_index
>>> state = State.start(game("limit2p"), tuple(range(52))).after(RaiseTo(20))
>>> weights = WeightTables(lambda name: FormulaPolicy()).at(state.public(0, ("a", "b")))[1]
>>> bool(weights[combo_index(*cards("AsKs"))] > 10 * weights[combo_index(*cards("7c2d"))])
True

References
----------
Davidson (2002), section 3.3.3, figure 3.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np

from pokerlab.arrays import Bools, ByHandAction, Floats
from pokerlab.cards.combos import N_COMBOS, live_combos
from pokerlab.games.actions import Action
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.policies.policy import HoldemPolicy, likelihood_of

ModelOf = Callable[[str], Policy]  #: name -> the player's model
NoiseOf = Callable[[PublicView, int], float]  #: noise of a seat's decision, from 0 to 1

DEFAULT_NOISE = 0.1
REMEMBERED = 256


@lru_cache(maxsize=512)
def live_beside(cards: tuple[int, ...]) -> Bools:
    """Mask of the combos that contain none of `cards`; cached, so callers must not modify it."""
    return live_combos(sum(1 << card for card in cards))


class RangePolicy(HoldemPolicy):
    """A policy that depends on its player's range: `held[combo]`, the weight table of the seat to act."""

    def given(self, held: Floats, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """Return (actions, `p[combo, action]`) of a player whose weight table is `held`."""
        raise NotImplementedError

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Return (actions, `p[combo, action]`). The weight table is computed from the actions so far, by this policy
        itself."""
        return WeightTables(lambda name: self, noise=0.0).expected(public, seat)


def given(model: Policy, held: Floats, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
    """Return (actions, `p[combo, action]`) of a model, for a player whose weight table is `held`."""
    return model.given(held, public, seat) if isinstance(model, RangePolicy) else model.by_combo(public, seat)


class WeightTables:
    """Weight tables of all seats at any point of a hand; the models must not change during the hand."""

    def __init__(self, model_of: ModelOf, *, noise: float | NoiseOf = DEFAULT_NOISE) -> None:
        self.model_of, self.noise = model_of, noise
        self._known: dict[tuple[object, ...], Floats] = {}

    def forget(self) -> None:
        """Clear the cache, as needed after the models have learned."""
        self._known.clear()

    def at(self, public: PublicView) -> tuple[Floats, ...]:
        """`weights[combo]` by seat; 0 for combos that conflict with the board."""
        return tuple(self.of(public, range(len(public.names))).values())

    def of(self, public: PublicView, seats: Iterable[int]) -> dict[int, Floats]:
        """Return `weights[combo]` for the given seats only, without computing the tables of other seats, such as folded
        ones."""
        live = live_beside(public.board)
        return {seat: self._table(public, seat) * live for seat in seats}

    def _table(self, public: PublicView, seat: int) -> Floats:
        """Weight table of `seat` after its last decision."""
        table, missing = np.ones(N_COMBOS), list[tuple[int, tuple[object, ...]]]()
        for n in range(len(public.actions) - 1, -1, -1):
            step = public.actions[n]
            if step.seat != seat:
                continue
            board = public.rules.board_on(public.board, step.street)
            key: tuple[object, ...] = (seat, public.hand, public.names, board, public.actions[: n + 1])
            if key in self._known:
                table = self._known[key]
                break
            missing.append((n, key))
        views = list(public.decisions()) if missing else []
        for n, key in reversed(missing):
            before, step = views[n]
            table = self.reweighted(table, before, seat, step.action)
            self._remember(key, table)
        return table

    def _remember(self, key: tuple[object, ...], table: Floats) -> None:
        if len(self._known) >= REMEMBERED:
            self._known.pop(next(iter(self._known)))
        self._known[key] = table

    def reweighted(self, weights: Floats, public: PublicView, seat: int, action: Action) -> Floats:
        """`weights` after the seat's `action` in the view `public`, scaled to a maximum of one."""
        new = weights * likelihood_of(public, *self.acts(weights, public, seat), action)
        largest = new.max()
        return new / largest if largest > 0 else weights

    def expected(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """Return (actions, `p[combo, action]`) of the seat to act, including noise."""
        return self.acts(self._table(public, seat), public, seat)

    def acts(self, weights: Floats, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """Return (actions, `p[combo, action]`) of `seat`, including noise, if its weight table is `weights`."""
        held = weights * live_beside(public.board)
        actions, p = given(self.model_of(public.names[seat]), held, public, seat)
        if not callable(self.noise):
            legal = public.legal()
            return actions, p * (1 - self.noise) + self.noise / (legal.fold + 1 + (legal.raise_min is not None))
        return actions, smeared(p, held, self.noise(public, seat))


def smeared(p: Floats, held: Floats, noise: float) -> Floats:
    """Mix `p[combo, action]` with its mean over the hands `held`; noise 1 gives every hand the mean.

    >>> smeared(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([3.0, 1.0]), 0.5).tolist()
    [[0.875, 0.125], [0.375, 0.625]]
    """
    total = held.sum()
    mean = held @ p / total if total > 0 else p.mean(axis=0)
    return np.asarray(p * (1 - noise) + mean * noise)


def without(weights: Floats, cards: Sequence[int]) -> Floats:
    """Copy of `weights` with zero for every hand that contains one of `cards`, such as the player's own."""
    return weights * live_beside(tuple(cards))


def field_array(tables: Sequence[Floats], *, by: str = "mean") -> Floats:
    """One table that represents all opponents: the `mean` of their tables (Loki) or the `max` (Poki), section 3.3.5.

    Each table is first scaled to sum to one. Since tables have a maximum weight of one, a player with a wide range
    would otherwise outweigh one with few possible hands.

    >>> anything, aces = np.ones(4), np.array([1.0, 0.0, 0.0, 0.0])
    >>> field_array([anything, aces]).tolist()
    [0.625, 0.125, 0.125, 0.125]
    """
    stacked = np.stack([table / total if (total := table.sum()) > 0 else table for table in tables])
    return np.asarray(stacked.max(axis=0) if by == "max" else stacked.mean(axis=0))
