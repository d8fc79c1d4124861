"""The formula: its compiled twin, the published examples, and the effects of its settings."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies import _formula_numba as kernel
from pokerlab.policies.formula import (
    FormulaPolicy,
    Situation,
    Style,
    board_strength,
    decide,
    decide_plainly,
    implied_odds,
    raise_size,
    situation,
    with_noise,
)
from pokerlab.policies.policy import choose
from pokerlab.rng import stream

FACING_A_BET = Situation(
    call_at=0.3, raise_at=0.85, band=0.1, odds=0.2, semi_bluff=0.5, bluff=0.3, hidden=0.4, noise=0.0,
    postflop=True, unopened=False, river=False, few=True, may_fold=True, may_raise=True,
)  # fmt: skip
UNOPENED = FACING_A_BET._replace(call_at=0.0, raise_at=0.6, odds=0.0, unopened=True, may_fold=False)


def public_after(name: str, *actions):
    state = State.start(game(name), tuple(range(52)))
    for action in actions:
        state = state.after(action)
    return state.public(0, tuple("abcdefghij"[: state.rules.n_seats]))


def one(here: Situation, strength: float, potential: float = 0.0) -> list[float]:
    return decide_plainly(here, np.array([strength]), np.array([potential]))[0].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_compiled_formula_agrees_with_the_plain_one(seed):
    rng = stream(seed, "formula")
    for _ in range(200):
        numbers = rng.random(8)
        numbers[2] *= 0.2  # the band
        here = Situation(*numbers.tolist(), *(bool(bit) for bit in rng.integers(2, size=7)))
        # thresholds themselves included, where comparisons matter
        strength = np.concatenate([rng.random(40), [0.0, 0.4, 0.9, 1.0, here.call_at, here.raise_at]])
        potential = np.concatenate([rng.random(40), [0.0, 0.25, here.odds, 1.0, 0.0, 0.1]])
        p = np.empty((len(strength), 3))
        kernel.triples(np.array(here, np.float64), strength, potential, p)
        assert np.array_equal(p, decide_plainly(here, strength, potential))
        assert p.sum(axis=1) == pytest.approx(np.ones(len(p)))
        assert p.min() >= 0
        assert here.may_fold or not p[:, 0].any()
        assert here.may_raise or not p[:, 2].any()


def test_the_noise_factor_example():
    """Davidson (2002), section 3.3.3."""
    assert with_noise(np.array([0.0, 0.2, 0.8]), 0.5) == pytest.approx([0.167, 0.267, 0.567], abs=5e-4)
    assert with_noise(np.array([0.0, 0.2, 0.8]), 0.0).tolist() == [0.0, 0.2, 0.8]
    assert with_noise(np.array([0.0, 0.2, 0.8]), 1.0) == pytest.approx([1 / 3] * 3)


def test_the_pot_odds_example():
    """Davidson (2002), section 3.3.4: ten to call into fifty pays with more than one chance in six."""
    public = public_after("limit4p", CALL, CALL, CALL, CALL, RaiseTo(10))
    assert (public.pot, public.to_call) == (50, 10)
    odds = implied_odds(public, 0.0)
    assert odds == pytest.approx(10 / 60)
    here = FACING_A_BET._replace(odds=odds)
    assert one(here, 0.05, 0.32) == [0.0, 1.0, 0.0]  # the draw of the example
    assert one(here, 0.05, 0.15) == [1.0, 0.0, 0.0]


def test_bets_won_later_lower_the_odds_needed():
    flop = public_after("limit4p", CALL, CALL, CALL, CALL, RaiseTo(10))
    assert implied_odds(flop, 1.0) == pytest.approx(10 / (50 + 40 + 10))  # a big bet on the turn and on the river
    pot_bet = public_after("nolimit2p", CALL, CALL, RaiseTo(200))
    assert implied_odds(pot_bet, 1.0) == pytest.approx(200 / (400 + 400 + 200))  # half the pot on each street
    assert implied_odds(public_after("limit4p", CALL, CALL, CALL, CALL), 1.0) == 0.0


def test_mixing_around_the_thresholds_is_in_proportion():
    assert one(FACING_A_BET, 0.19) == [1.0, 0.0, 0.0]
    assert one(FACING_A_BET, 0.25)[0] == pytest.approx(0.75)
    assert one(FACING_A_BET, 0.30)[0] == pytest.approx(0.5)
    assert one(FACING_A_BET, 0.60) == [0.0, 1.0, 0.0]
    assert one(FACING_A_BET, 0.90)[2] == pytest.approx(0.75)
    assert one(FACING_A_BET, 0.99) == [0.0, 0.0, 1.0]


def test_a_careful_player_mixes_less_where_less_lies_above():
    """A raise from 0.98 on leaves no room for a band of 0.1: the best hand raises."""
    careful = FACING_A_BET._replace(raise_at=0.98, careful=True)
    assert one(careful._replace(careful=False), 1.0)[2] < 0.7
    assert one(careful, 1.0)[2] == 1.0
    assert one(careful, 0.98)[2] == pytest.approx(0.5)


def test_noise_folds_no_hand_that_a_careful_player_plays():
    noisy = FACING_A_BET._replace(noise=0.3)
    assert one(noisy, 0.95)[0] == pytest.approx(0.1)
    careful = noisy._replace(careful=True)
    assert one(careful, 0.95) == pytest.approx([0.0, 0.15, 0.85])
    assert one(careful, 0.1) == pytest.approx([0.8, 0.1, 0.1])
    assert one(careful._replace(river=True), 0.1) == pytest.approx([0.85, 0.0, 0.15])  # a bluff, but no hopeless call
    assert one(UNOPENED._replace(noise=0.3, careful=True), 0.95)[0] == 0.0


def test_semi_bluffs_bluffs_and_slow_play():
    assert one(UNOPENED, 0.1, 0.3)[2] == 0.5  # a draw is bet as a semi-bluff
    assert one(UNOPENED._replace(river=True), 0.1, 0.3)[2] == 0.3  # on the river nothing is a draw: a plain bluff
    assert one(UNOPENED, 0.1)[2] == 0.3
    assert one(UNOPENED._replace(few=False), 0.1)[2] == 0.0  # a crowd is not bluffed
    assert one(UNOPENED, 0.45)[2] == 0.0  # a hand that may win a showdown is checked
    assert one(UNOPENED, 0.95)[2] == pytest.approx(0.6)
    assert one(FACING_A_BET, 0.1)[2] == 0.0  # bluffs are bets, not raises


def test_situations_follow_the_betting():
    style = Style(slow_play=0.2, check_raise=0.5, per_bet=0.1, call_at=0.3, raise_at=0.8)
    opening = public_after("limit3p", CALL, CALL, CALL)
    first = situation(opening, 0, style)
    assert (first.call_at, first.raise_at) == (0.0, style.bet_at)
    assert first.hidden == pytest.approx(1 - 0.8 * 0.5)
    assert (first.unopened, first.may_fold, first.may_raise, first.few) == (True, False, True, True)
    last = situation(public_after("limit3p", CALL, CALL, CALL, CALL, CALL), 2, style)
    assert last.hidden == pytest.approx(0.2)  # no opponent is left to raise
    raised = situation(public_after("limit3p", CALL, CALL, CALL, RaiseTo(10), RaiseTo(20)), 2, style)
    assert (raised.call_at, raised.raise_at) == pytest.approx((0.4, 0.9))
    assert (raised.unopened, raised.may_fold) == (False, True)


def test_raises_are_the_fixed_one_or_the_pot():
    assert raise_size(public_after("limit2p", CALL, CALL)) == 10
    assert raise_size(public_after("nolimit2p", CALL, CALL)) == 200
    assert raise_size(public_after("nolimit2p", CALL, CALL, RaiseTo(200))) == 200 + 400 + 200
    short = game("nolimit2p").with_stacks((250, 250))
    state = State.start(short, tuple(range(52))).after(CALL).after(CALL)
    assert raise_size(state.public(0, ("a", "b"))) == 150


def shares(public, style):
    """Shares of fold, call and raise over all hands."""
    return FormulaPolicy(style).by_combo(public, public.betting.actor)[1].mean(axis=0)


def test_starting_hands_by_position():
    """First in, every player behind makes it play fewer hands, at any table; heads-up it plays most of them."""
    style = Style(opening="by position", plays=0.42, raises=0.35, position=0.3, noise=0.0)
    folds = [FOLD]
    places = [shares(public_after("limit10p", *folds * n), style)[0] for n in range(8)]
    assert places == sorted(places, reverse=True)
    assert places[-1] == pytest.approx(1 - 0.42, abs=0.01)
    assert places[2] == pytest.approx(shares(public_after("limit8p"), style)[0], abs=0.02)
    assert shares(public_after("limit2p"), style)[0] < 0.25
    blind = public_after("limit6p", *folds * 3, RaiseTo(20), FOLD)  # the button raised: the big blind gets a good price
    cold = public_after("limit6p", RaiseTo(20))
    assert shares(blind, style)[0] < 0.6 < 0.85 < shares(cold, style)[0]
    again = public_after("limit6p", RaiseTo(20), RaiseTo(30))
    assert shares(again, style)[0] > shares(cold, style)[0]


def test_potential_one_card_ahead():
    """Davidson (2002), Table 3.2: 7h9h on 8h6c4h gains 0.406 with one card and 0.620 with two."""
    board, hand = cards("8h6c4h"), combo_index(*cards("9h7h"))
    assert board_strength(board, 1)[1][hand] == pytest.approx(0.40621, abs=5e-5)
    assert board_strength(board, 2)[1][hand] == pytest.approx(0.61960, abs=5e-5)


def test_decide_leaves_out_illegal_actions():
    public = public_after("limit2p", CALL, CALL)
    actions, p = decide(public, situation(public, 0, Style()), strength=np.array([0.99]), potential=np.zeros(1))
    assert actions == (CALL, RaiseTo(10))
    assert p.shape == (1, 2)
    facing = public_after("limit2p", CALL, CALL, RaiseTo(10), RaiseTo(20), RaiseTo(30), RaiseTo(40))
    actions, p = decide(facing, situation(facing, 0, Style()), strength=np.array([0.99]), potential=np.zeros(1))
    assert actions == (FOLD, CALL)  # the cap is reached
    assert p[0, 1] > 0.98


def test_the_policy_before_the_flop():
    public = public_after("limit6p")
    actions, p = FormulaPolicy().by_combo(public, public.betting.actor)
    assert actions == (FOLD, CALL, RaiseTo(20))
    assert p[combo_index(*cards("AsAh")), 2] > 0.95
    assert p[combo_index(*cards("7c2d")), 0] > 0.95
    tighter = FormulaPolicy(Style(plays=0.15, raises=0.05)).by_combo(public, public.betting.actor)[1]
    assert tighter[:, 0].mean() > p[:, 0].mean() + 0.1
    raised = public_after("limit6p", RaiseTo(20))
    assert FormulaPolicy().by_combo(raised, 3)[1][:, 0].mean() > p[:, 0].mean()


def test_one_uniform_draw_in_canonical_order():
    class Fixed:
        def __init__(self, value):
            self.value = value

        def random(self):
            return self.value

    actions, p = (FOLD, CALL, RaiseTo(20)), np.array([0.25, 0.5, 0.25])
    assert [choose(actions, p, Fixed(x)) for x in (0.0, 0.2499, 0.25, 0.7499, 0.75, 0.9999)] == [
        FOLD, FOLD, CALL, CALL, RaiseTo(20), RaiseTo(20),
    ]  # fmt: skip


def test_likelihood_of_actions_it_does_not_consider():
    public = public_after("nolimit2p", CALL)
    actions, p = FormulaPolicy().by_combo(public, 0)
    assert actions == (CALL, RaiseTo(300))
    for to in (200, 250, 20_000):  # every raise is its one raise
        assert FormulaPolicy().likelihood(public, 0, RaiseTo(to)).tolist() == p[:, 1].tolist()
    assert set(FormulaPolicy().likelihood(public, 0, FOLD)) == {1.0}  # nothing to fold to: no information
