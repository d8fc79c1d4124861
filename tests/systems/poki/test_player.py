"""The formula player: legal, deterministic, made of its parts, and learning only from what it was shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index, live_combos
from pokerlab.cards.strength import ehs, strength_of_hand
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.formula import Style
from pokerlab.rng import stream
from pokerlab.systems.poki.hands import board_ranks, hs_of
from pokerlab.systems.poki.personalities import BEFORE, PERSONALITIES
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.systems.poki.weight_tables import field_array, without
from pokerlab.table.match import MatchPlan, play_match

NAMES = tuple("abcdefghij")
DECK = (*cards("AdQc7h2dKsKd"), *cards("3h4cJh9s2c"))
"""Three hands (seat 0: ace-queen) and Davidson's flop."""


def view_after(*actions, deck=DECK, players=3, seat=None):
    state = State.start(game(f"limit{players}p"), deck)
    for action in actions:
        state = state.after(action)
    return state.view(state.betting.actor if seat is None else seat, 0, NAMES[:players])


def flop(*actions):
    """The flop after everyone called; seat 0 acts first."""
    return view_after(CALL, CALL, CALL, *actions)


def chance(player, view, kind):
    actions, p, _ = player.triple(view)
    return sum(float(share) for action, share in zip(actions, p, strict=True) if action.kind is kind)


def played(settings, *, hands=40, seed=3, game_name="limit3p", others=("raiser", "caller")):
    """Chips by hand and entrant, and the Poki that played."""
    from pokerlab.players.registry import agent

    mine = Poki(settings)
    plan = MatchPlan(game_name, ("poki", *others), hands=hands, seed=seed)
    result = play_match(plan, lambda name: mine if name == "poki" else agent(name))
    return result.chips, mine


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PERSONALITIES))
def test_every_personality_plays_legally_and_the_same_twice(name):
    """The table refuses illegal actions; a second match with the same seed is the same."""
    settings = PERSONALITIES[name]
    assert np.array_equal(played(settings, hands=6)[0], played(settings, hands=6)[0])


def test_another_seed_is_another_match():
    assert not np.array_equal(played(PokiSettings())[0], played(PokiSettings(), seed=4)[0])


def test_it_folds_the_worst_and_raises_the_best_hand():
    worst, best = (
        view_after(deck=(*cards("3d3sKs4h"), *cards(hole), *cards("5h4cJh9s2c")), seat=2) for hole in ("7c2h", "AcAh")
    )
    assert chance(Poki(), worst, Kind.FOLD) > 0.9
    assert chance(Poki(), best, Kind.RAISE) > 0.9


def test_strength_is_the_product_over_weight_tables():
    view, player = flop(), Poki()
    believed = player.beliefs(view)
    assert list(believed) == [1, 2]
    ranks, mine = board_ranks(view.board), combo_index(*view.hole)
    each = [hs_of(ranks, mine, weights) for weights in believed.values()]
    hs, ppot = player.strength(view)
    assert hs == pytest.approx(each[0] * each[1])
    field = field_array(list(player.tables.of(view, (1, 2)).values()))
    assert ppot == pytest.approx(float(strength_of_hand(view.hole, view.board, weights=field, n_to_come=1).ppot))
    _, _, reasons = player.triple(view)
    assert reasons["ehs"] == pytest.approx(float(ehs(hs, ppot)))


def test_potential_was_two_cards_ahead_against_any_hand():
    """Davidson (2002) does not say so; version 0.1.0 did, and `BEFORE` does."""
    view = flop()
    _, ppot = Poki(BEFORE).strength(view)
    assert ppot == pytest.approx(float(strength_of_hand(view.hole, view.board).ppot), abs=1e-4)


@pytest.mark.parametrize("by", ["mean", "max"])
def test_strength_by_the_field_array(by):
    view, player = flop(), Poki(PokiSettings(against=f"field {by}"))
    field = without(field_array(list(player.tables.of(view, (1, 2)).values()), by=by), view.hole)
    expected = hs_of(board_ranks(view.board), combo_index(*view.hole), field) ** 2
    assert player.strength(view)[0] == pytest.approx(expected)


def test_without_weights_strength_is_against_random_hands():
    """Davidson, section 3.3.1: 0.585 against one."""
    hs, _ = Poki(PokiSettings(weighted=False)).strength(flop())
    assert hs == pytest.approx(0.5851**2, abs=1e-3)
    live = live_combos(sum(1 << card for card in (*cards("AdQc"), *cards("3h4cJh")))).astype(float)
    assert hs_of(board_ranks(cards("3h4cJh")), combo_index(*cards("AdQc")), live) == pytest.approx(0.585, abs=5e-4)


def test_known_cards_are_nobodys():
    view = flop()
    known = live_combos(sum(1 << card for card in (*view.hole, *view.board)))
    for weights in Poki().beliefs(view).values():
        assert not weights[~known].any()


def test_an_opponents_raise_lowers_strength():
    quiet, warned = flop(CALL), flop(RaiseTo(10))
    assert (quiet.seat, warned.seat) == (1, 1)
    calm = flop(CALL, CALL, CALL)  # the turn, no bet
    bold = flop(CALL, RaiseTo(10), CALL, CALL)  # seat 1 bet the flop and was called
    assert Poki().strength(bold)[0] < Poki().strength(calm)[0]


def test_it_observes_and_forgets_what_it_derived():
    _, mine = played(PokiSettings())
    assert mine.models.looseness("raiser") == 1.0
    assert mine.models.aggression("raiser") > 0.6 > 0.1 > mine.models.aggression("caller")
    assert not mine.tables._known
    _, blind = played(PokiSettings(model="formula"))
    assert blind.models.count_of("raiser").sum() == 0


def test_what_it_observed_changes_what_it_believes():
    """A bet of the raiser says less to the one who has watched it raise everything."""
    _, taught = played(PokiSettings(), hands=60)
    view = replace(flop(RaiseTo(10)), names=("raiser", "poki", "caller"))
    naive, wise = (player.beliefs(view)[0] for player in (Poki(), taught))
    assert (wise / wise.sum()).std() < 0.8 * (naive / naive.sum()).std()


def test_it_plays_more_hands_where_raises_mean_little():
    _, taught = played(PokiSettings(), hands=60)
    view = replace(view_after(RaiseTo(20), seat=0), names=("poki", "caller", "raiser"))
    assert taught.triple(view)[2]["equity"] > Poki().triple(view)[2]["equity"]


def test_saved_and_loaded(tmp_path):
    _, taught = played(PokiSettings())
    taught.save(tmp_path / "memory")
    loaded = Poki()
    loaded.load(tmp_path / "memory")
    view = replace(flop(RaiseTo(10)), names=("raiser", "poki", "caller"))
    one, other = taught.beliefs(view)[0], loaded.beliefs(view)[0]
    assert np.array_equal(one, other)
    assert taught.triple(view)[1].tolist() == loaded.triple(view)[1].tolist()


def test_deciding_changes_nothing():
    """The same view gives the same triple, whatever was looked at in between."""
    player, views = Poki(), [flop(), flop(RaiseTo(10)), view_after(), flop(CALL, CALL, CALL)]
    first = [player.triple(view)[1].tolist() for view in views]
    assert [player.triple(view)[1].tolist() for view in reversed(views)] == first[::-1]


def test_actions_follow_the_triple():
    player, view = Poki(PokiSettings(style=Style(noise=0.3))), flop()
    actions, p, _ = player.triple(view)
    drawn = [player.act(view, stream(1, "draw", i)) for i in range(600)]
    for action, share in zip(actions, p, strict=True):
        assert drawn.count(action) / 600 == pytest.approx(share, abs=0.07)


def test_it_plays_hold_em_only():
    assert Poki().supports(game("limit10p"))
    assert Poki().supports(game("nolimit2p"))
    assert not Poki().supports(game("leduc"))


@pytest.mark.parametrize("field", ["plays", "raises"])
def test_personalities_spread(field):
    values = [getattr(settings.style, field) for settings in PERSONALITIES.values()]
    assert max(values) > 2 * min(values)


def test_folding_when_nothing_is_to_be_called_never_happens():
    for settings in PERSONALITIES.values():
        assert FOLD not in Poki(settings).triple(flop())[0]


def test_who_does_not_look_at_its_cards_is_raised():
    """Ace-ten high on jack high, facing a bet: for whom cards do not matter it is a raise, before the flop too."""
    deck = (*cards("7h2dAdTc"), *cards("3h4cJh9s2c"))
    views = [
        view_after(RaiseTo(20), deck=deck[2:4] + deck[:2] + deck[4:], players=2),
        view_after(CALL, CALL, RaiseTo(10), deck=deck, players=2),
    ]
    for view, most in zip(views, (0.7, 0.02), strict=True):
        raises = []
        for ratio in (1.8, 0.1):
            player = Poki()
            for place in np.ndindex(4, 3):
                for _ in range(4):
                    player.models.noise.learn(view.names[1 - view.seat], place, ratio)
            raises.append(chance(player, view, Kind.RAISE))
        assert raises[0] < most and raises[1] > 0.95
