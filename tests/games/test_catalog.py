"""The games of the catalog, parameter for parameter."""

from math import inf

import pytest

from pokerlab.cards.card import cards_text
from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game, game_names
from pokerlab.games.rules import Rules


def acpc(rules: Rules) -> tuple[object, ...]:
    """The values of an ACPC game definition."""
    streets = rules.streets
    return (
        rules.limits,
        rules.stacks[0],
        rules.blinds,
        tuple(street.raise_size for street in streets),
        tuple(street.first + 1 for street in streets),
        tuple(street.max_raises for street in streets),
        len(rules.deck),
        streets[0].n_hole,
        tuple(street.n_board for street in streets),
    )


HOLDEM = (52, 2, (0, 3, 1, 1))
LIMIT = ((10, 10, 20, 20), (3, 1, 1, 1), (3, 4, 4, 4))


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("limit2p", ("limit", inf, (10, 5), (10, 10, 20, 20), (2, 1, 1, 1), (3, 4, 4, 4), *HOLDEM)),
        ("limit3p", ("limit", inf, (5, 10, 0), *LIMIT, *HOLDEM)),
        ("limit6p", ("limit", inf, (5, 10, 0, 0, 0, 0), *LIMIT, *HOLDEM)),
        ("nolimit2p", ("no-limit", 20000, (100, 50), (0,) * 4, (2, 1, 1, 1), (None,) * 4, *HOLDEM)),
        ("nolimit3p", ("no-limit", 20000, (50, 100, 0), (0,) * 4, (3, 1, 1, 1), (None,) * 4, *HOLDEM)),
        ("kuhn3p", ("limit", inf, (1, 1, 1), (1,), (1,), (1,), 4, 1, (0,))),
        ("leduc", ("limit", inf, (1, 1), (2, 4), (1, 1), (2, 2), 6, 1, (0, 1))),
        ("leduc3p", ("limit", inf, (1, 1, 1), (2, 4), (1, 1), (2, 2), 8, 1, (0, 1))),
    ],
)
def test_acpc_games_have_the_reference_parameters(name: str, definition: tuple[object, ...]) -> None:
    assert acpc(game(name)) == definition


def test_small_decks_are_the_top_ranks_of_the_last_suits() -> None:
    assert cards_text(game("leduc").deck) == "QhQsKhKsAhAs"
    assert cards_text(game("kuhn").deck) == "QsKsAs"
    assert cards_text(game("leduc3p").deck) == "JhJsQhQsKhKsAhAs"
    assert cards_text(game("kuhn3p").deck) == "JsQsKsAs"


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_created_and_has_its_catalog_name(name: str) -> None:
    rules = game(name)
    assert rules.name == name
    assert len(rules.stacks) == len(rules.blinds) == len(rules.antes) == rules.n_seats
    assert rules == game(name)
    assert hash(rules) == hash(game(name))


def test_there_are_tables_of_two_to_ten() -> None:
    assert {name for name in game_names() if name.startswith("nolimit")} == {f"nolimit{n}p" for n in range(2, 11)}
    assert game("stud10p").n_dealt == 50


@pytest.mark.parametrize("name", ["nolimit1p", "nolimit11p", "leduc2p"])
def test_an_unknown_name_suggests_known_ones(name: str) -> None:
    with pytest.raises(RulesError, match=r"no game is called .*; did you mean [a-z]"):
        game(name)


@pytest.mark.parametrize("name", ["hold'em", "foo", ""])
def test_a_name_unlike_any_other_points_to_the_list(name: str) -> None:
    with pytest.raises(RulesError, match=r"no game is called .*; `pokerlab games` lists them"):
        game(name)


def test_other_stacks_follow_a_name() -> None:
    rules = game("nolimit3p:2000,5bb,150bb")
    assert (rules.name, rules.stacks) == ("nolimit3p:2000,500,15000", (2000, 500, 15000))
    assert game(rules.name) == rules
    assert rules.with_stacks((20000,) * 3).streets == game("nolimit3p").streets
    assert game("limit2p:7").stacks == (7, 7)


@pytest.mark.parametrize("stacks", ["", "0", "-5", "x", "2000,3000", "1,2,3,4", "1.5", "9999999999", "40BB"])
def test_invalid_stacks_are_refused(stacks: str) -> None:
    with pytest.raises(RulesError, match="behind nolimit3p: write one stack for all seats or 3, separated by"):
        game(f"nolimit3p:{stacks}")


def test_antes_and_straddles_follow_a_name() -> None:
    rules = game("nolimit6p:100bb,straddle=2bb,ante=0.1")
    assert rules.name == "nolimit6p:10000,ante=10,straddle=200" and game(rules.name) == rules
    assert (rules.stacks, rules.antes) == ((10000,) * 6, (10,) * 6)
    assert (rules.blinds, rules.streets[0].first) == ((50, 100, 200, 0, 0, 0), 3)
    betting = Betting.start(rules)
    assert (betting.pot, betting.actor, betting.legal().raise_min) == (410, 3, 400)
    for _ in range(6):
        betting = betting.after(CALL)
    assert betting.street == 1 and betting.legal().raise_min == 100  # later bets begin at the big blind
    assert game("nolimit3p:straddle=200").streets[0].first == 0
    assert game("limit6p:ante=0.1").antes == (1,) * 6


@pytest.mark.parametrize(
    "name",
    [
        *("nolimit2p:straddle=2bb", "limit6p:straddle=2bb", "nolimit6p:straddle=100", "leduc:ante=2"),
        *("nolimit6p:ante=1,ante=2", "nolimit6p:rake=1", "nolimit6p:ante=0.001", "nolimit6p:ante=", "nolimit6p:ante"),
    ],
)
def test_posts_that_no_table_has_are_refused(name: str) -> None:
    with pytest.raises(RulesError):
        game(name)
