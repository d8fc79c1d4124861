"""Poki gives little of its hand away heads-up at limit, unless its opponent does not look at its own cards."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index, live_combos
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.policies.policy import likelihood_of
from pokerlab.rng import stream
from pokerlab.systems.poki.heads_up import at_most, balanced, bluff_breaks_even, initiative
from pokerlab.systems.poki.personalities import KINDS, PERSONALITIES
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.table.match import MatchPlan, play_match

NAMES = ("ann", "bob")
READABLE = PokiSettings(heads_up="as at any table")
RAISED = (RaiseTo(20), CALL)  # bob, on the button, raises before the flop and ann calls
CALLED = (*RAISED, CALL, RaiseTo(10), CALL)  # ann checks and calls the flop
BET = (*CALLED, CALL, RaiseTo(20))  # ... and checks the turn, which bob bets


def at(*actions, rules="limit2p"):
    state = State.start(
        game(rules), cards("AsAh 7c2d Kd9h4c 5s 3d" if rules == "limit2p" else "AsAh 7c2d QsJs Kd9h4c 5s 3d")
    )
    for action in actions:
        state = state.after(action)
    return state


def test_the_initiative_is_of_the_street_before():
    assert initiative(at(*RAISED).public(0, NAMES)) == 1
    assert initiative(at(*RAISED, CALL, CALL).public(0, NAMES)) is None
    assert initiative(at(*RAISED, CALL, RaiseTo(10), RaiseTo(20), CALL).public(0, NAMES)) == 0


def test_its_checks_to_who_raised_last_say_nothing():
    public = at(*RAISED).public(0, NAMES)
    actions, p = Poki().by_combo(public, 0)
    assert [action.kind for action in actions] == [Kind.CALL, Kind.RAISE]
    assert p.tolist() == [[1.0, 0.0]] * 1326
    assert Poki(READABLE).by_combo(public, 0)[1][:, 1].max() > 0.8


def test_it_folds_no_more_than_makes_a_bluff_break_even():
    public, player = at(*BET).public(0, NAMES), Poki()
    held = live_combos(sum(1 << card for card in public.board)).astype(float)
    for before, step in public.decisions():
        if step.seat == 0:
            held *= likelihood_of(before, *player.by_combo(before, 0), step.action)
    folds, by_strength = (held @ each.by_combo(public, 0)[1][:, 0] / held.sum() for each in (player, Poki(READABLE)))
    assert bluff_breaks_even(public) == 20 / 80
    assert by_strength > 0.3
    assert folds == pytest.approx(0.25, abs=0.01)


def test_what_it_does_is_what_it_says_it_would_do():
    view, player = at(*BET).view(0, 0, NAMES), Poki()
    actions, p, numbers = player.triple(view)
    of_every_hand = player.by_combo(view, 0)
    assert (actions, p.tolist()) == (of_every_hand[0], of_every_hand[1][combo_index(*view.hole)].tolist())
    assert numbers["bluff breaks even"] == 0.25
    bet_on_the_flop = at(*RAISED, CALL, RaiseTo(10)).view(0, 0, NAMES)
    assert "bluff breaks even" not in player.triple(bet_on_the_flop)[2]  # folds are held to it from the turn on
    assert "it folds no more than 25%" in player.explain(view).words[-1]
    flop = at(*RAISED).view(0, 0, NAMES)
    assert player.explain(flop).words[-1].endswith("it checks whatever it holds: its checks say nothing.")


def test_answers_are_cached_until_it_learns(monkeypatch):
    view, player, asked = at(*BET).view(0, 0, NAMES), Poki(), []
    considered = player._considered
    monkeypatch.setattr(player, "_considered", lambda *what, **how: asked.append(what[0]) or considered(*what, **how))
    first = player.by_combo(view, 0)[1]
    n_asked = len(asked)
    first[:] = 0  # whoever asks may change the answer
    assert player.by_combo(view, 0)[1].sum(axis=1) == pytest.approx(1)
    player.act(view, stream(1, "act"))
    assert len(asked) == n_asked > 1
    player.forget()
    player.act(view, stream(1, "act"))
    assert len(asked) == 2 * n_asked


def test_who_does_not_look_at_its_cards_is_bet_into():
    public, player = at(*RAISED).public(0, NAMES), Poki()
    for _ in range(40):
        player.models.noise.learn("bob", (1, 0), 0.1)
    assert player.models.noise.blind("bob") > 0.9
    assert player.by_combo(public, 0)[1][:, 1].max() > 0.8


@pytest.mark.parametrize(("rules", "deals"), [("limit6p", 12), ("limit3p", 12), ("nolimit2p", 6)])
def test_larger_tables_and_no_limit_are_played_alike_with_both_settings(rules, deals):
    players = {"balanced": PokiSettings(), "as at any table": READABLE}
    names = ("poki", *("formula",) * (game(rules).n_seats - 1))
    played = [
        play_match(MatchPlan(rules, names, deals, seed=5), lambda name, s=s: Poki(s) if name == "poki" else agent(name))
        for s in players.values()
    ]
    assert np.array_equal(played[0].chips, played[1].chips) and played[0].chips.any()


def test_who_plays_by_style_or_as_before_does_not_hide():
    assert {each.heads_up for each in PERSONALITIES.values()} | {KINDS["before"].heads_up} == {"as at any table"}
    assert PokiSettings().heads_up == KINDS["neural"].heads_up == "adaptive"


def bet_on_the_flop(*answer, names=NAMES):
    """A hand in which the second of `names` raises before the flop and bets it, and the first one answers."""
    return HandHistory(game("limit2p"), tuple(range(9)), (*RAISED, CALL, RaiseTo(10), *answer), names)


def test_it_hides_until_its_opponent_seldom_folds_to_shown_strength():
    public, player, always = at(*RAISED).public(0, NAMES), Poki(), Poki(KINDS["balanced"])
    mine = NAMES[::-1]  # ann bets and bob answers

    def hides(who):
        return who.by_combo(public, 0)[1][:, 1].max() == 0  # it checks any hand to bob, who has raised

    for n_calls in range(4):  # a bet on the flop and one on the turn: 7.2 folds in 20 are assumed of a stranger
        assert hides(player) == (n_calls < 2), n_calls  # 7.2 in 22, then 7.2 in 24
        for who in (player, always):
            who.observe(bet_on_the_flop(CALL, CALL, RaiseTo(20), CALL, CALL, CALL, names=mine))
    assert player.models.folds_to_strength("bob") == (0, 8)
    assert hides(always)
    for _ in range(3):
        player.observe(bet_on_the_flop(FOLD, names=mine))
    assert player.models.folds_to_strength("bob") == (3, 11)
    assert hides(player)  # 10.2 in 31


def test_only_bets_with_the_initiative_show_strength():
    player = Poki()
    player.observe(bet_on_the_flop(RaiseTo(20), FOLD))  # ann raises, which shows no strength of the street before
    assert [player.models.folds_to_strength(name) for name in ("ann", "bob", "a stranger")] == [(0, 1), (0, 0), (0, 0)]
    three = (RaiseTo(20), FOLD, CALL, CALL, RaiseTo(10), FOLD)  # the button raises, the big blind calls and folds
    player.observe(HandHistory(game("limit3p"), tuple(range(11)), three, ("small", "big", "button")))
    assert player.models.folds_to_strength("big") == (0, 0)  # larger tables are not counted


def test_what_opponents_fold_to_is_remembered(tmp_path):
    player, other = Poki(), Poki()
    player.observe(bet_on_the_flop(FOLD))
    player.save(tmp_path / "memory")
    other.load(tmp_path / "memory")
    assert other.models.folds_to_strength("ann") == (1, 1)


def test_only_the_best_hands_raise_a_raise():
    public = at(*CALLED, RaiseTo(20), RaiseTo(40)).public(0, NAMES)
    p, strength = np.tile([0.0, 0.2, 0.8], (10, 1)), np.arange(10) / 10
    found = balanced(p, public, strength=strength, held=np.ones(10))
    assert found[:, 2].tolist() == pytest.approx([0] * 8 + [0.7, 0.8])
    assert found.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize(("most", "left"), [(1.0, [1, 1, 0.5]), (0.5, [1, 0.5, 0]), (0.0, [0, 0, 0])])
def test_shares_are_cut_from_the_end(most, left):
    p, held = np.array([1.0, 1.0, 0.5]), np.array([1.0, 2.0, 1.0])
    assert at_most(most, p, best_last=np.array([0.1, 0.2, 0.3]), held=held).tolist() == left
    assert at_most(most, p, best_last=p, held=np.zeros(3)) is p
