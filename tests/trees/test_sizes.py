"""The bet-size grammar: the meaning of texts, and the errors of invalid ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL, Kind, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.solvers.subgames.subgame import subgame_rules
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.sizes import (
    NAMED,
    Size,
    default_sizes,
    parse_size,
    parse_sizes,
    raises,
    sizes_by_situation,
    street_names,
)

NO_LIMIT = game("nolimit2p")


def menu(text, street=0, rules=NO_LIMIT, player=0):
    return [str(size) for size in parse_sizes(text)[player].on_street(rules, street)]


def offered(text, *actions, rules=NO_LIMIT):
    """The raises of `text` after `actions`."""
    betting = Betting.start(rules)
    for action in actions:
        betting = betting.after(action)
    sizes = parse_sizes(text)[betting.actor].on_street(rules, betting.street)
    return [action.to for action in raises(sizes, betting)]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0.5p", Size("p", 0.5)),
        (".75p", Size("p", 0.75)),
        ("2.5x", Size("x", 2.5)),
        ("300c", Size("c", 300)),
        ("min", Size("min")),
        ("all-in", Size("all-in")),
        ("  1P ONCE ", Size("p", 1, once=True)),
        ("all-in  once", Size("all-in", once=True)),
    ],
)
def test_one_size(text, size):
    assert parse_size(text) == size
    assert parse_size(str(size)) == size


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "0.5pp",
            "'0.5pp' is not a bet size; write 0.5p or 50% (of the pot), 2.5x (times the bet), 300c (chips), e",
        ),
        ("1p,, 2p", "'' is not a bet size; write"),
        ("1p, -1p", "'-1p' is not a bet size"),
        ("0p", "'0p' is not a bet size: its amount must be above 0"),
        ("1p twice", "'1p twice' is not a bet size"),
        (
            "pot",
            "'pot' is not a bet size; write 0.5p or 50% (of the pot), 2.5x (times the bet), 300c (chips), "
            "e (geometric), min or all-in; or a name",
        ),
        (": 1p", "': 1p' begins with a colon; write the streets before it, as in `flop+turn: 0.5p`"),
        ("flop+: 1p", "'flop+: 1p' begins with a colon"),
        ("1p | 2p | 3p", "'1p | 2p | 3p' gives bet sizes for 3 players; this game has 2"),
    ],
)
def test_invalid_texts_are_refused(text, said):
    with pytest.raises(RulesError) as refused:
        parse_sizes(text)
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


def test_streets_that_do_not_exist_and_bets_a_limit_game_does_not_have():
    with pytest.raises(RulesError, match="leduc-nolimit has no flop; its streets are street1, street2"):
        build_tree(game("leduc-nolimit"), "1p; flop: 2p")
    with pytest.raises(RulesError, match="leduc has one bet size; its sizes can only be `min`, not '1p'"):
        build_tree(game("leduc"), "1p")


def test_sections_add_up_by_street():
    text = "1p, all-in; flop+turn+river: 0.5p once; river: 2p, 1p"
    assert menu(text, 0) == ["1p", "all-in"]
    assert menu(text, 1) == menu(text, 2) == ["1p", "all-in", "0.5p once"]
    assert menu(text, 3) == ["1p", "all-in", "0.5p once", "2p"], "each size once"
    assert menu("street2: 1p", 1) == menu("flop: 1p", 1) == menu("FLOP: 1p", 1) == ["1p"]
    assert menu("street2: 1p", 0) == []


def test_sides_of_two_players():
    text = "1p | fcpa; river: 0.5p"
    assert menu(text, 0, player=0) == menu(text, 3, player=0) == ["1p"]
    assert menu(text, 3, player=1) == ["1p", "all-in", "0.5p"]
    assert [side.text for side in parse_sizes(text)] == ["1p", "fcpa; river: 0.5p"]
    assert [side.text for side in parse_sizes("1p", 3)] == ["1p"] * 3


def test_names_stand_for_their_sections_and_can_be_added_to():
    for name, text in NAMED.items():
        for street in range(4):
            assert menu(name, street) == menu(name.upper(), street) == menu(text, street)
    assert menu("fcpa, 2p") == ["1p", "all-in", "2p"]
    assert menu("h_ftr; turn: 3p", 2) == ["1p", "all-in", "0.5p once", "3p"]
    assert menu("none") == menu("") == []
    with pytest.raises(RulesError, match="'fcpa' is not a bet size"):
        parse_sizes("flop: fcpa")


def test_defaults():
    assert default_sizes(game("limit2p")) == "limit"
    assert default_sizes(NO_LIMIT) == "fcpa"


def test_names_of_streets():
    assert [sorted(names) for names in street_names(NO_LIMIT)][:2] == [["preflop", "street1"], ["flop", "street2"]]
    assert [sorted(names) for names in street_names(game("leduc"))] == [["street1"], ["street2"]]


def test_pot_sizes():
    """A call plus a share of the pot after it: from the small blind's 50, 100 + 200."""
    assert offered("1p") == [300]
    assert offered("0.5p") == [200]
    assert offered("1p", RaiseTo(300)) == [900]
    assert offered("1p", RaiseTo(300), CALL) == [600]
    assert offered("0.75p", RaiseTo(300), CALL) == [450]
    assert offered("1p", RaiseTo(300), CALL, RaiseTo(600)) == [600 + 1800]


def test_multiples_chips_and_the_smallest():
    assert offered("2.5x") == [250]
    assert offered("3x", RaiseTo(300)) == [900]
    assert offered("3x", RaiseTo(300), CALL) == [300], "of an unopened street: of the smallest bet"
    assert offered("450c") == [450]
    assert offered("min", RaiseTo(300)) == [500]


def test_sizes_are_lifted_rounded_capped_and_merged():
    assert offered("0.1p") == [200], "lifted to the smallest raise"
    assert offered("0.333p", RaiseTo(300), CALL) == [200], "199.8 in whole chips"
    assert offered("100p, all-in, 20000c") == [20000], "all three are all-in"
    assert offered("2p, 1p, min, 200c") == [200, 300, 500], "from small to large, equal sizes once"
    first = raises(parse_sizes("200c, min")[0].on_street(NO_LIMIT, 0), Betting.start(NO_LIMIT))
    assert list(first.values()) == [Size("c", 200)], "called by the first size that means it"


def test_sizes_of_real_valued_games_are_not_rounded():
    assert offered("0.414p", rules=game("kuhn-half-street")) == [pytest.approx(0.828)]
    assert offered("all-in", rules=game("kuhn-half-street")) == [], "stacks are unlimited"


def test_no_size_is_offered_if_raising_is_closed():
    assert offered("1p, all-in", RaiseTo(20000)) == []
    assert offered("min", RaiseTo(20), RaiseTo(30), RaiseTo(40), rules=game("limit2p")) == []
    assert offered("min", RaiseTo(20), rules=game("limit2p")) == [30]
    short = replace(NO_LIMIT, stacks=(20000, 150))
    assert offered("1p, all-in", rules=short) == [150], "less than a full raise, but all-in"


# --- as players set trees up ------------------------------------------------------------------------------------------


def subgame_tree(sizes, *, board="Ks7h2d", stack=975, **more):
    rules = subgame_rules(board, ("AA", "KK"), pot=55, stack=stack, **more)
    return build_tree(rules, sizes)


def raises_at(tree, *actions):
    """Street totals of the raises after some actions, numbers for raises and None for a check or call."""
    decision = 0
    for to in actions:
        wanted = CALL if to is None else RaiseTo(to)
        edge = next(edge for edge in tree.edges(decision) if tree.action(edge) == wanted)
        decision = int(tree.child[edge])
    return [int(tree.to[edge]) for edge in tree.edges(decision) if tree.kind[edge] == Kind.RAISE]


def test_bets_raises_and_reraises_have_their_own_sizes():
    tree = subgame_tree("bet: 33%, 75%; raise: 100%; reraise: 2.5x", max_raises=4)
    assert raises_at(tree) == [18, 41]
    assert raises_at(tree, 18) == [18 + 91]  # a raise of the pot: 55 + 2 * 18
    assert raises_at(tree, 18, 109) == [273] and raises_at(tree, 18, 109, 273) == [683]
    plain = subgame_tree("bet: 33%, 75%; raise: 100%", max_raises=4)
    assert raises_at(plain, 18, 109) == [109 + 273]  # reraises as raises
    assert raises_at(subgame_tree("bet: 33%; raise: none"), 18) == []


def test_the_flop_that_players_try_first_has_894_decisions():
    sizes = sizes_by_situation(bets="33.333333, 75", raises="100", all_in_from=66.666667)
    tree = subgame_tree(sizes, max_raises=3)
    assert tree.n_decisions == 894 and [len(edges) for edges in tree.edges_on] == [38, 362, 1886]


def test_streets_and_players_have_their_own_sizes():
    sizes = sizes_by_situation(bets="flop 33; turn+river 50, all-in | 75", raises="3x")
    tree = subgame_tree(sizes, stack=200)
    assert raises_at(tree) == [18] and raises_at(tree, None) == [41]
    assert raises_at(tree, None, None) == [28, 200] and raises_at(tree, 18) == [54]


def test_a_donk_bet_goes_into_the_last_to_bet():
    tree = subgame_tree("bet: 50%; donk: 20%; raise: none", stack=300)
    assert raises_at(tree, None, None) == [28]  # the flop was checked: an ordinary bet
    assert raises_at(tree, None, 28, None) == [22]  # player 1 bet, 0 called and bets into it: 20% of 111
    assert raises_at(tree, 28, None) == [56]  # player 0 bet itself
    assert raises_at(tree, None, 28, None, None) == [56]  # after a check the bettor bets as ever
    assert raises_at(subgame_tree("bet: 50%; donk: none; raise: none"), None, 28, None) == []
    with pytest.raises(RulesError, match="more than two players"):
        build_tree(game("nolimit3p"), "bet: 1p; donk: 1p")


def test_large_bets_become_all_in_and_near_sizes_one():
    assert raises_at(subgame_tree("50%, 100%", stack=80)) == [28, 55]
    assert raises_at(subgame_tree("50%, 100%; all-in from 67%", stack=80)) == [28, 80]
    assert raises_at(subgame_tree("50%, 55%, 100%")) == [28, 30, 55]
    assert raises_at(subgame_tree("50%, 55%, 100%; merge within 10%")) == [30, 55]


def test_geometric_bets_are_all_in_on_the_last_street():
    pot, stack = 55, 975
    share = ((1 + 2 * stack / pot) ** (1 / 3) - 1) / 2
    tree = subgame_tree("e")
    first = round(share * pot)
    assert raises_at(tree) == [first]
    (second,) = raises_at(tree, first, None)
    assert second == pytest.approx(share * (pot + 2 * first), abs=1)
    assert raises_at(tree, first, None, second, None) == [stack - first - second]
    assert raises_at(subgame_tree("2e"))[0] == pytest.approx(((1 + 2 * stack / pot) ** 0.5 - 1) / 2 * pot, abs=0.5)
