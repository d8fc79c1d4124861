"""Action counts: what is counted, what it does to the formula, and that it can be kept."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.policies.formula import FormulaPolicy, triples
from pokerlab.systems.poki.action_counts import ActionCounts
from pokerlab.systems.poki.counted_formula import PRIOR, context

DECK = (*cards("9c9dTh3hQdQc"), *cards("Js8c4s2c2h"))
NAMES = ("ann", "bob", "cat")
HAND = HandHistory(game("limit3p"), DECK, (RaiseTo(20), FOLD, CALL, CALL, RaiseTo(10), FOLD), NAMES)
"""The button (cat) raises, ann folds, bob calls; on the flop bob checks, cat bets, bob folds."""


def opening(players=3):
    """The first decision before the flop, and who takes it."""
    state = State.start(game(f"limit{players}p"), DECK)
    return state.public(0, NAMES[:players]), state.betting.actor


def seen_often(counts: ActionCounts, name: str, kind: Kind, times: int) -> None:
    """`name` opened the betting before the flop this way, `times` times."""
    actions = {
        Kind.RAISE: (RaiseTo(20), FOLD, FOLD),
        Kind.CALL: (CALL, FOLD, CALL) + (CALL,) * 6,
        Kind.FOLD: (FOLD, FOLD),
    }
    hand = HandHistory(game("limit3p"), DECK, actions[kind], ("ann", "bob", name))
    for _ in range(times):
        counts.observe(hand)


def shares(policy, public, seat):
    actions, p = policy.by_combo(public, seat)
    found = dict.fromkeys(Kind, 0.0)
    for action, column in zip(actions, p.T, strict=True):
        found[action.kind] = float(column.mean())
    return found


def test_every_action_is_counted_in_its_context():
    counts = ActionCounts()
    counts.observe(HAND)
    cat, ann, bob = (counts.count_of(name) for name in ("cat", "ann", "bob"))
    assert cat[0, 1].tolist() == [0, 0, 1, 0]  # a raise where the blind was to be called
    assert cat[1, 0].tolist() == [0, 0, 1, 0]  # a bet
    assert ann[0, 2].tolist() == [1, 0, 0, 0]  # a fold to the raise
    assert bob[0, 2].tolist() == [0, 1, 0, 0]
    assert bob[1, 0].tolist() == [0, 1, 0, 0]  # a check
    assert bob[1, 1].tolist() == [1, 0, 0, 0]
    assert sum(int(each.sum()) for each in (cat, ann, bob)) == len(HAND.actions)


def test_a_stranger_is_the_default_formula():
    public, seat = opening()
    model = ActionCounts().model_of("nobody")
    assert np.array_equal(model.by_combo(public, seat)[1], FormulaPolicy().by_combo(public, seat)[1])
    assert ActionCounts().shares("nobody", street=0, facing=1).tolist() == [0, 0, 0]


@pytest.mark.parametrize("kind", Kind)
def test_the_model_moves_towards_what_was_seen(kind):
    """More of an action seen, more of it predicted; the rest of the way as the prior wears off."""
    public, seat = opening()
    default = shares(FormulaPolicy(), public, seat)[kind]
    found = [default]
    for times in (10, 40, 400):
        counts = ActionCounts()
        seen_often(counts, "cat", kind, times)
        assert counts.shares("cat", street=0, facing=1)[kind] == 1
        found.append(shares(counts.model_of("cat"), public, seat)[kind])
    assert found == sorted(found)
    assert found[-1] > 0.85


def test_what_a_raise_says_depends_on_how_often_one_raises():
    """Strength where half of a player's hands raise: lower for one that raises often."""
    public, seat = opening()

    def weakest_raised(counts):
        actions, p = counts.model_of("cat").by_combo(public, seat)
        return float(p[:, [a.kind for a in actions].index(Kind.RAISE)].sum())

    often, seldom = ActionCounts(), ActionCounts()
    seen_often(often, "cat", Kind.RAISE, 100)
    seen_often(seldom, "cat", Kind.FOLD, 100)
    assert weakest_raised(often) > 4 * weakest_raised(seldom)


def test_other_contexts_are_left_alone():
    counts = ActionCounts()
    seen_often(counts, "cat", Kind.RAISE, 100)
    state = State.start(game("limit3p"), DECK).after(RaiseTo(20))
    public, seat = state.public(0, NAMES), state.betting.actor  # ann faces a raise
    assert np.array_equal(counts.model_of("cat").by_combo(public, seat)[1], triples(public, seat, counts.style)[1])


def test_looseness_and_aggression():
    counts = ActionCounts()
    assert counts.looseness("cat") is None
    assert counts.aggression("cat") == pytest.approx(counts.style.raises)
    few = int(PRIOR) - 1
    seen_often(counts, "cat", Kind.RAISE, few)
    assert counts.looseness("cat") is None
    seen_often(counts, "cat", Kind.FOLD, 3 * few)
    assert counts.looseness("cat") == 0.25
    assert counts.aggression("cat") == pytest.approx((PRIOR * counts.style.raises + few) / (PRIOR + 4 * few))


def test_contexts():
    state = State.start(game("limit3p"), DECK)
    places = []
    for action in (CALL, CALL, RaiseTo(20), CALL, RaiseTo(30), CALL, CALL, CALL, RaiseTo(10), RaiseTo(20), CALL):
        places.append(context(state.public(0, NAMES), state.betting.actor))
        state = state.after(action)
    facing = [1, 1, 0, 2, 2, 2, 2, 0, 0, 1, 2]
    assert places == [(0, each) for each in facing[:7]] + [(1, each) for each in facing[7:]]


def test_saved_and_loaded(tmp_path):
    counts = ActionCounts()
    counts.observe(HAND)
    counts.save(tmp_path / "counts.bin")
    loaded = ActionCounts()
    loaded.load(tmp_path / "counts.bin")
    for name in NAMES:
        assert np.array_equal(loaded.count_of(name), counts.count_of(name))
    loaded.observe(HAND)
    assert loaded.count_of("bob").sum() == 2 * counts.count_of("bob").sum()
    ActionCounts().save(tmp_path / "none.bin")
    loaded.load(tmp_path / "none.bin")
    assert loaded.count_of("bob").sum() == 0
