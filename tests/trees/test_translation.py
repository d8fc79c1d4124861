"""Bets outside a tree: the published formulas, exact bets, checks, hands that are over in the tree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo, Step
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.translation import RULES, TRANSLATIONS, Translator, lower_share

NOLIMIT = game("nolimit2p")


def places(text, *actions, rule="soft", rules=NOLIMIT, sizes="fcpa"):
    """Descriptions of places with their weights."""
    tree = build_tree(rules, sizes)
    betting, steps = Betting.start(rules), []
    for action in actions:
        steps.append(Step(betting.street, betting.actor, action))
        betting = betting.after(action)
    found = Translator(tree, rule).places(rules, steps)
    return {tree.describe(place) if place >= 0 else "over": weight for place, weight in found.items()}


def test_hawkins_three_rules_and_the_pseudo_harmonic_one():
    # 0.75 of the pot between half a pot and the pot, by hand from the formulas
    assert lower_share("geometric", 0.75, 0.5, 1.0) == 0.0  # 0.667 < 0.75
    assert lower_share("soft", 0.75, 0.5, 1.0) == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))
    assert lower_share("soft-square", 0.75, 0.5, 1.0) == pytest.approx(0.5 / (0.5625 + 0.5))
    assert lower_share("pseudo-harmonic", 0.75, 0.5, 1.0) == pytest.approx(0.25 * 1.5 / (0.5 * 1.75))


def test_pseudo_harmonic_is_even_where_ganzfried_and_sandholm_say():
    # f(x) = 1/2 at x = (A + B + 2AB) / (A + B + 2), their section 5
    lower, upper = 0.25, 2.0
    even = (lower + upper + 2 * lower * upper) / (lower + upper + 2)
    assert lower_share("pseudo-harmonic", even, lower, upper) == pytest.approx(0.5)


@given(st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0, 1))
def test_shares_are_probabilities_that_fall_from_lower_to_upper(lower, more, between):
    upper = lower + more
    bet = lower + more * between
    for rule in RULES:
        assert -1e-9 <= lower_share(rule, bet, lower, upper) <= 1 + 1e-9
        if rule in ("soft", "pseudo-harmonic"):
            assert lower_share(rule, lower, lower, upper) == pytest.approx(1)
            assert lower_share(rule, upper, lower, upper) == pytest.approx(0, abs=1e-9)


def test_bets_of_the_tree_are_not_translated():
    assert places("", RaiseTo(300), RaiseTo(900)) == {"raise to 300, raise to 900": 1.0}
    assert places("", RaiseTo(20000)) == {"raise to 20000": 1.0}
    assert places("", CALL, CALL, CALL) == {"call, check, check": 1.0}


def test_a_bet_between_two_sizes_goes_to_both():
    found = places("", RaiseTo(700))  # three pots, between one and 99.5
    assert found["raise to 300"] == pytest.approx((1 / 3 - 1 / 99.5) / (1 - 1 / 99.5))
    assert sum(found.values()) == pytest.approx(1)


def test_sizes_outside_go_to_the_nearest():
    assert places("", CALL, CALL, RaiseTo(100)) == {"call, check, bet 200": 1.0}  # half the pot; a pot is least
    assert places("", RaiseTo(4000), sizes="1p") == {"raise to 300": 1.0}


def test_a_small_bet_may_be_translated_to_a_check_if_the_same_player_responds():
    found = places("", CALL, CALL, RaiseTo(100), rule="pseudo-harmonic")  # half of the pot, between 0 and 1
    assert found["call, check, check"] == pytest.approx((1 - 0.5) / (1 * 1.5))
    # after a check, another check would end the street: a bet is a bet
    assert set(places("", CALL, CALL, CALL, RaiseTo(100), rule="pseudo-harmonic")) == {"call, check, check, bet 200"}


def test_where_the_tree_is_all_in_and_the_hand_is_not():
    hand = (RaiseTo(19000), CALL)
    assert places("", *hand, rule="geometric") == {"over": 1.0}
    assert places("", *hand, CALL, RaiseTo(500), rule="geometric") == {"over": 1.0}


@pytest.mark.parametrize("rule", RULES)
def test_a_called_bet_far_from_all_in_is_not_treated_as_all_in(rule):
    """Five pots: 11 big blinds each are in, nearer to the 3 of a pot-sized raise than to 200."""
    hand = (RaiseTo(1100), CALL)
    assert places("", *hand, rule=f"{rule}-pot") == {"raise to 300, call": 1.0}
    assert ("over" in places("", *hand, rule=rule)) == (rule != "geometric")
    assert places("", RaiseTo(19000), CALL, rule=f"{rule}-pot") == places("", RaiseTo(19000), CALL, rule=rule)


def test_all_in_is_a_size_like_others_once_the_pots_differ():
    """The rest, 18,900 into 2,200, is 8.6 pots, where the tree's 19,700 into 600 is 32.8."""
    hand = (RaiseTo(1100), CALL, RaiseTo(18900))
    found = places("", *hand, rule="pseudo-harmonic-pot")
    pots, all_in = 18900 / 2200, 19700 / 600
    expected = lower_share("pseudo-harmonic", pots, 1.0, all_in)
    assert found["raise to 300, call, bet 600"] == pytest.approx(expected)
    assert found["raise to 300, call, bet 19700"] == pytest.approx(1 - expected)
    assert places("", RaiseTo(300), CALL, RaiseTo(19700), rule="pseudo-harmonic-pot") == {
        "raise to 300, call, bet 19700": 1.0  # the pots are the same
    }


def test_a_tree_without_bets_plays_on():
    # the tree is on the turn after two checks; the player who faces a bet responds, and both reach the turn
    assert places("", CALL, CALL, CALL, RaiseTo(100), sizes="none") == {"call, check, check, check": 1.0}
    assert places("", CALL, CALL, CALL, RaiseTo(100), CALL, sizes="none") == {"call, check, check, check": 1.0}


def test_sizes_of_the_tree_become_shares_of_the_real_pot():
    tree = build_tree(NOLIMIT, "fcpa")
    translator = Translator(tree, "geometric")
    betting = Betting.start(NOLIMIT).after(RaiseTo(250))
    decision = tree.decision_after((RaiseTo(300),))
    back = [translator.real_action(edge, betting) for edge in tree.edges(decision)]
    assert back == [FOLD, CALL, RaiseTo(750), RaiseTo(20000)]  # pot after the call 500


def test_amounts_stay_legal_when_the_real_stack_is_short():
    short = NOLIMIT.with_stacks((260, 260))
    tree = build_tree(NOLIMIT, "1p")
    translator = Translator(tree, "geometric")
    betting = Betting.start(short)
    assert [translator.real_action(edge, betting) for edge in tree.edges(0)] == [FOLD, CALL, RaiseTo(260)]


def test_real_amounts_of_games_in_parts_of_chips_come_back_exactly():
    rules = game("leduc-nolimit")
    tree = build_tree(rules, "0.3p, all-in")
    translator, betting = Translator(tree), Betting.start(rules)
    for edge in tree.edges(0):
        assert translator.real_action(edge, betting) == tree.action(edge)


def test_an_unknown_rule_is_one_line():
    with pytest.raises(PokerlabError, match="no translation is called 'hard'; there are geometric, soft"):
        Translator(build_tree(game("kuhn")), "hard")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=60),
    st.sampled_from(TRANSLATIONS),
    st.sampled_from(["fcpa", "3p", "none"]),
)
def test_every_hand_has_places_and_every_edge_a_legal_action(choices, rule, sizes):
    tree = _TREES.setdefault(sizes, build_tree(NOLIMIT, sizes))
    translator, betting, steps = Translator(tree, rule), Betting.start(NOLIMIT), []
    for choice in choices:
        found = translator.places(NOLIMIT, steps)
        assert sum(found.values()) == pytest.approx(1)
        for place in found:
            if translator.answers(place, betting):
                assert all(translator.real_action(edge, betting) in betting.legal() for edge in tree.edges(place))
        legal = betting.legal()
        action = CALL
        if choice > 0.2 and legal.raise_min is not None:  # mostly small raises, so that hands last
            action = RaiseTo(int(legal.raise_min + (legal.raise_max - legal.raise_min) * max(0.0, choice - 0.6) ** 3))
        steps.append(Step(betting.street, betting.actor, action))
        betting = betting.after(action)
        if betting.over:
            break


_TREES: dict[str, object] = {}
