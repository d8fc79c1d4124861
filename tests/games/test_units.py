"""The value of a chip in the units of each game."""

import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.games.units import units_per_chip


@pytest.mark.parametrize(
    ("name", "units", "value"),
    [
        ("limit2p", "mbb_per_hand", 100),
        ("nolimit6p", "bb_per_100", 1),
        ("leduc", "small_bets_per_hand", 0.5),
        ("limit3p", "small_blinds_per_hand", 0.2),
        ("rhode-island", "mbb_per_hand", 200),
    ],
)
def test_units(name, units, value):
    assert units_per_chip(game(name), units) == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "units", "says"),
    [
        ("nolimit2p", "small_bets_per_hand", "nolimit2p has no small bet"),
        ("rhode-island", "small_blinds_per_hand", "rhode-island has no blinds"),
        ("limit2p", "euros", "no units are called 'euros'; there are mbb_per_hand"),
    ],
)
def test_units_a_game_does_not_have(name, units, says):
    with pytest.raises(PokerlabError, match=says):
        units_per_chip(game(name), units)
