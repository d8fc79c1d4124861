"""Weight tables: what actions do to them, and that they are a function of the models and the public actions."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import MASK_OF_COMBO, combo_index
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.formula import FormulaPolicy, with_noise
from pokerlab.policies.policy import ComboPolicy
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.systems.poki.weight_tables import REMEMBERED, WeightTables, field_array, without
from pokerlab.trees.betting_tree import build_tree

ACES, ACE_KING, SEVEN_DEUCE = (combo_index(*cards(text)) for text in ("AsAh", "AdKc", "7h2d"))
NAMES = ("a", "b", "c", "d", "e", "f")
FLOP = cards("Js8c4s")
DECK = (*cards("9c9d Th3h QdQc 5c5d 6c6d 7c7d".replace(" ", "")), *FLOP, *cards("2c2h"))


class Everyone(ComboPolicy):
    """A model that plays every hand alike."""

    def by_combo(self, public, seat):
        return (FOLD, CALL, RaiseTo(20)), np.tile([0.2, 0.5, 0.3], (1326, 1))


def tables(**settings) -> WeightTables:
    return WeightTables(lambda name: FormulaPolicy(), **settings)


def after(*actions, players=6):
    state = State.start(game(f"limit{players}p"), DECK)
    for action in actions:
        state = state.after(action)
    return state.public(0, NAMES[:players])


def test_everything_weighs_one_before_anyone_has_acted():
    for weights in tables().at(after()):
        assert np.array_equal(weights, np.ones(1326))


def test_a_raise_speaks_for_aces_and_a_fold_against_them():
    """Seat 2 acts first; figure 3.6's fold, call and raise."""
    folded, called, raised = (tables().at(after(action))[2] for action in (FOLD, CALL, RaiseTo(20)))
    assert raised[ACES] > 5 * raised[SEVEN_DEUCE]
    assert folded[SEVEN_DEUCE] > 5 * folded[ACES]
    suited_nine = combo_index(*cards("Ts9s"))
    assert called[suited_nine] > 2 * called[ACES]
    assert called[suited_nine] > 2 * called[SEVEN_DEUCE]
    for weights in (folded, called, raised):
        assert weights.max() == 1.0
        assert weights.min() > 0  # the noise factor leaves everything possible


def test_only_the_actor_is_reweighted():
    before, now = tables().at(after(RaiseTo(20))), tables().at(after(RaiseTo(20), CALL))
    assert [not np.array_equal(one, other) for one, other in zip(before, now, strict=True)] == [
        seat == 3 for seat in range(6)
    ]


def test_an_update_is_the_smeared_likelihood():
    """Figure 3.5 with the noise factor, by hand."""
    public = after()
    actions, p = FormulaPolicy().by_combo(public, 2)
    expected = with_noise(p, 0.25)[:, actions.index(RaiseTo(20))]
    found = tables(noise=0.25).at(after(RaiseTo(20)))[2]
    assert found == pytest.approx(expected / expected.max())


class Tops:
    """Hold'em by the rank of the higher card."""

    name, n_cells, pairs = "tops", (13,) * 4, None

    def of_hand(self, hole, board):
        return max(hole) >> 2

    def label(self, street, cell):
        return str(cell)


def test_a_raise_is_read_by_its_size():
    """A player who bets the pot with aces alone, and all its chips with everything else."""
    tree = build_tree(game("nolimit2p"), "1p, all-in")
    first = np.zeros((4, 13))
    first[2, 12], first[3, :12] = 1.0, 1.0  # fold, call, pot, all-in
    even = Strategy.uniform(tree, Tops())
    player = StrategyPolicy(Strategy(tree, Tops(), (np.vstack([first, even.p[0][4:]]), *even.p[1:])))
    at = {
        to: WeightTables(lambda name: player, noise=0.0).at(
            State.start(game("nolimit2p"), DECK).after(RaiseTo(to)).public(0, NAMES[:2])
        )[1]
        for to in (300, 20_000, 700)
    }
    assert (at[300][ACES], at[300][SEVEN_DEUCE]) == (1, 0)
    assert (at[20_000][ACES], at[20_000][SEVEN_DEUCE]) == (0, 1)
    # 700 adds three pots to a call: it stands for the pot with (99.5 - 3) (1 + 1) / ((99.5 - 1) (1 + 3))
    share = 96.5 * 2 / (98.5 * 4)
    assert at[700][ACES] / at[700][SEVEN_DEUCE] == pytest.approx(share / (1 - share))


def test_full_noise_says_nothing():
    assert tables(noise=1.0).at(after(RaiseTo(20)))[2] == pytest.approx(np.ones(1326))


def test_a_model_that_plays_everything_alike_learns_nothing():
    assert WeightTables(lambda name: Everyone()).at(after(RaiseTo(20)))[2] == pytest.approx(np.ones(1326))


@pytest.mark.parametrize("first", [CALL, RaiseTo(20)])
def test_board_cards_weigh_nothing(first):
    public = after(first, FOLD, FOLD, FOLD, CALL, CALL)
    assert public.board == FLOP
    blocked = (MASK_OF_COMBO & sum(1 << card for card in FLOP)) != 0
    for weights in tables().at(public):
        assert not weights[blocked].any()
        assert weights[~blocked].all()


def test_own_cards_weigh_nothing():
    kept = without(np.ones(1326), cards("AsKd"))
    assert kept.sum() == 1326 - 51 - 50
    assert not kept[ACES]
    assert kept[SEVEN_DEUCE] == 1


def test_a_flop_bet_speaks_for_what_hit():
    """Figure 3.7: after a call, a pair of jacks is likely and aces are not; after a raise aces are."""
    state = State.start(game("limit3p"), (*cards("9c9dTh3hQdQc"), *FLOP, *cards("2c2h")))

    def bet_after(first):
        moment = state
        for action in (first, CALL, CALL, CALL, CALL, RaiseTo(10)):  # the button bets when checked to
            moment = moment.after(action)
        return tables().at(moment.public(0, NAMES[:3]))[2]

    called, raised = bet_after(CALL), bet_after(RaiseTo(20))
    jack_nine, ace_king = combo_index(*cards("Jd9d")), combo_index(*cards("AdKc"))
    pair_of_jacks = combo_index(*cards("AdJh"))
    assert called[jack_nine] > 3 * called[combo_index(*cards("9d5h"))]
    assert raised[ACES] > 3 * called[ACES]
    assert raised[ace_king] > called[ace_king]
    assert raised[pair_of_jacks] > raised[combo_index(*cards("Ad5h"))]


def test_the_answer_does_not_depend_on_what_was_asked_before():
    """Tables are a function of the models and the public actions: asked at every step, or at the end only."""
    actions = (RaiseTo(20), CALL, FOLD, FOLD, CALL, CALL, CALL, CALL, RaiseTo(10), FOLD)
    asked = tables()
    for n in range(len(actions) + 1):
        followed = asked.at(after(*actions[:n]))
    asked.at(after(CALL, CALL, FOLD))
    for fresh in (tables().at(after(*actions)), followed, asked.at(after(*actions))):
        for one, other in zip(fresh, followed, strict=True):
            assert np.array_equal(one, other)


def test_some_seats_alone():
    public = after(RaiseTo(20), CALL, FOLD, FOLD, CALL)
    everyone, asked = tables().at(public), tables()
    some = asked.of(public, (3, 0))
    assert list(some) == [3, 0]
    assert all(np.array_equal(some[seat], everyone[seat]) for seat in some)
    assert len(asked._known) == 2  # nothing was computed of the others


def test_memory_is_bounded_and_can_be_dropped():
    asked = tables()
    for number in range(2 * REMEMBERED):
        state = State.start(game("limit2p"), DECK).after(RaiseTo(20))
        asked.at(state.public(number, NAMES[:2]))
    assert len(asked._known) == REMEMBERED
    asked.forget()
    assert not asked._known


def test_decisions_show_what_was_seen_then():
    public = after(RaiseTo(20), FOLD, FOLD, FOLD, CALL, CALL, CALL)
    found = list(public.decisions())
    assert [step.seat for _, step in found] == [2, 3, 4, 5, 0, 1, 0]
    assert [before.board for before, _ in found] == [()] * 6 + [FLOP]
    assert [len(before.actions) for before, _ in found] == list(range(7))
    assert all(before.betting.actor == step.seat for before, step in found)


def test_the_field():
    one, other = np.zeros(1326), np.zeros(1326)
    one[ACES], other[ACES], other[ACE_KING] = 1.0, 0.25, 0.75
    for kept in (1.0, 0.01):  # how large a table is kept says nothing
        mean, largest = field_array([one, kept * other]), field_array([one, kept * other], by="max")
        assert (mean[ACES], mean[ACE_KING]) == pytest.approx((0.625, 0.375))
        assert (largest[ACES], largest[ACE_KING]) == pytest.approx((1.0, 0.75))
