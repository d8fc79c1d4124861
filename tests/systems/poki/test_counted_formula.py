"""Counted shares come back from the model, on every street and over the hands that a player may hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from pokerlab.cards.card import cards
from pokerlab.cards.combos import live_combos
from pokerlab.games.actions import CALL, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.policies.formula import Style
from pokerlab.systems.poki.action_counts import ActionCounts
from pokerlab.systems.poki.counted_formula import (
    CALL_AT_THE_CAP,
    CountedFormula,
    context,
    fitted,
    no_counts,
    shares_of,
)
from pokerlab.systems.poki.weight_tables import WeightTables

DECK = cards("9c9dTh3hJs8c4s2c7d")
NAMES = ("ann", "bob")
SPOTS = {
    "pre-flop, first in": (),
    "pre-flop, facing a raise": (RaiseTo(20),),
    "flop, nothing to call": (RaiseTo(20), CALL),
    "flop, facing a bet": (RaiseTo(20), CALL, RaiseTo(10)),
    "flop, facing a raise": (RaiseTo(20), CALL, RaiseTo(10), RaiseTo(20)),
    "turn, facing a bet": (RaiseTo(20), CALL, RaiseTo(10), CALL, RaiseTo(20)),
    "river, nothing to call": (CALL, CALL, RaiseTo(10), CALL, CALL, CALL),
    "river, facing a bet": (CALL, CALL, RaiseTo(10), CALL, CALL, CALL, RaiseTo(20)),
}


def fitted_plainly(order, strength, weight, *, fold, raises, band):
    """What the compiled `fitted` computes, in NumPy and SciPy."""

    def below(place):
        return np.asarray(np.clip(0.5 + (place - strength) / (2 * band), 0.0, 1.0))

    def threshold(share):
        return float(brentq(lambda place: below(place)[order] @ weight[order] - share, -band, 1 + band))

    folds = below(threshold(fold)) if fold > 0 else np.zeros(len(strength))
    more = 1 - below(threshold(1 - raises)) if raises > 0 else np.zeros(len(strength))
    return np.stack([folds, 1 - folds - more, more], axis=1)


def spot(actions):
    """(what everyone sees after `actions`, who is to act)."""
    state = State.start(game("limit2p"), DECK)
    for action in actions:
        state = state.after(action)
    return state.public(0, NAMES), state.betting.actor


@pytest.mark.parametrize("name", SPOTS)
def test_counted_shares_come_back(name):
    """A thousand decisions counted in the context, over what the player may hold after all it has done."""
    public, seat = spot(SPOTS[name])
    counts, free = no_counts(), context(public, seat)[1] == 0
    counts[context(public, seat)] = (0, 850, 150, 0) if free else (700, 200, 100, 0)
    counts[0, 1] = counts[0, 1] if public.street == 0 else (100, 600, 300, 0)  # so that it holds more than chance
    model = CountedFormula(Style(), counts)
    held = WeightTables(lambda name: model, noise=0.1).at(public)[seat]
    actions, p = model.given(held, public, seat)
    found = dict(zip((action.kind for action in actions), held @ p / held.sum(), strict=True))
    assert found[Kind.RAISE] == pytest.approx(0.15 if free else 0.1, abs=0.01)
    if not free:
        assert found[Kind.FOLD] == pytest.approx(0.7, abs=0.01)


def test_before_they_did_not():
    """Version 0.1.0: 70% folds to a bet on the flop, counted, made a model that folds a few percent."""
    public, seat = spot(SPOTS["flop, facing a bet"])
    counts = no_counts()
    counts[1, 1] = (700, 200, 100, 0)
    live = live_combos(sum(1 << card for card in public.board))
    assert CountedFormula(Style(), counts, "all hands").by_combo(public, seat)[1][live, 0].mean() < 0.1


@pytest.mark.parametrize("shares", [(0.7, 0.1), (0.0, 0.3), (0.4, 0.6), (1.0, 0.0), (0.05, 0.9), (0.0, 0.0)])
def test_the_compiled_fit_is_the_plain_one(shares):
    fold, raises = shares
    rng = np.random.default_rng(4)
    strength, weight = np.round(rng.random(300), 2), rng.random(300) ** 4
    order = np.flatnonzero(rng.random(300) < 0.9)
    order = order[np.argsort(strength[order], kind="stable")]
    weight /= weight[order].sum()
    ours = fitted(order, strength, weight, fold=fold, raises=raises, band=0.08)
    plain = fitted_plainly(order, strength, weight, fold=fold, raises=raises, band=0.08)
    np.testing.assert_allclose(ours, plain, atol=1e-6)
    assert ours.min() > -1e-6
    assert weight[order] @ ours[order] == pytest.approx([fold, 1 - fold - raises, raises], abs=1e-6)


def test_a_call_at_the_cap_is_no_choice_not_to_raise():
    """Both raise until they may not: neither ever chose to call."""
    capped = (RaiseTo(20), RaiseTo(30), RaiseTo(40), CALL)
    counts = ActionCounts()
    counts.observe(HandHistory(game("limit2p"), DECK, (*capped, *(CALL,) * 6), NAMES))
    assert counts.count_of("bob")[0, 1].tolist() == [0, 0, 1, 0]
    assert counts.count_of("bob")[0, 2].tolist() == [0, 0, 1, 0]
    assert counts.count_of("ann")[0, 2].tolist() == [0, 0, 1, 1]
    assert CALL_AT_THE_CAP == 3
    assert counts.shares("ann", street=0, facing=2).tolist() == [0, 0, 1]


def test_shares_of_raises_are_of_those_that_were_allowed():
    assert shares_of(np.array([10, 10, 20, 60])) == pytest.approx((0.1, 0.6))
    assert shares_of(np.zeros(4, np.int64)) == (0, 0)


def test_at_the_cap_those_who_would_raise_call():
    public, seat = spot((RaiseTo(20), RaiseTo(30), RaiseTo(40)))
    counts = no_counts()
    counts[0, 2] = (300, 200, 500, 0)
    actions, p = CountedFormula(Style(), counts).given(np.ones(1326), public, seat)
    assert [action.kind for action in actions] == [Kind.FOLD, Kind.CALL]
    assert p.mean(axis=0) == pytest.approx([0.3, 0.7], abs=0.01)
