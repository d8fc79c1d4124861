"""Davidson (2002), figures 3.6 and 3.7: what the text says of them holds for ours; the shipped pictures are current.

The text has no numbers; each assertion is one of its sentences (section 3.3.3).
"""

import re
from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards.combos import CLASS_OF_COMBO, class_index
from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.pictures.weight_figures import (
    figure_grids,
    weight_tables_figure_3_6,
    weight_tables_figure_3_7,
)
from pokerlab.policies.formula import preflop_percentile

DOCS = Path(__file__).parents[2] / "docs"


class Grid:
    def __init__(self, grid):
        self.grid = grid

    def __getitem__(self, hand):
        return float(self.grid.ravel()[class_index(hand)])

    def mean(self, *hands):
        return np.mean([self[hand] for hand in hands])


@pytest.fixture(scope="module")
def before_flop():
    return {title.split()[-1]: Grid(grid) for title, grid in weight_tables_figure_3_6()}


@pytest.fixture(scope="module")
def after_bet():
    return {title.split(",")[0]: Grid(grid) for title, grid in weight_tables_figure_3_7()}


@pytest.fixture(scope="module")
def percentile():
    """How good each class is before the flop among five players."""
    by_class = np.zeros(169)
    by_class[CLASS_OF_COMBO] = preflop_percentile(5)
    return by_class


def test_who_folds_has_a_weak_hand(before_flop, percentile):
    grid = before_flop["fold"].grid.ravel()
    assert grid[percentile > 0.5].max() < 0.1, "strong and mediocre hands are light"
    assert grid[percentile < 0.25].min() > 0.9, "low, unsuited, unconnected ones are dark"
    assert before_flop["fold"]["72o"] == 1


def test_who_calls_has_a_middling_hand(before_flop, percentile):
    grid = before_flop["call"].grid.ravel()
    assert grid[percentile > 0.98].max() < 0.15
    assert grid[percentile < 0.15].max() < 0.15
    assert grid[(percentile > 0.45) & (percentile < 0.8)].min() > 0.85
    assert before_flop["call"]["AA"] < before_flop["call"]["AKo"] < before_flop["call"]["KTo"]


def test_who_raises_has_a_very_good_hand(before_flop, percentile):
    grid = before_flop["raise"].grid.ravel()
    assert grid[percentile > 0.98].min() > 0.9
    assert grid[percentile < 0.8].max() < 0.1


def test_a_bet_after_a_call_is_any_jack_but_two(after_bet):
    call = after_bet["call"]
    for kicker in "T97":
        assert call[f"J{kicker}o"] > 0.9
    for kicker in "9765432":
        assert call[f"J{kicker}s"] > 0.9
    assert call.mean("AJo", "KJo", "QJo") > 0.5
    assert call["JJ"] < 0.1, "it would have been raised"


def test_a_bet_after_a_call_is_an_eight_with_a_large_kicker_or_two_pair(after_bet):
    call = after_bet["call"]
    assert call["K8o"] > 0.9
    assert call["83o"] < 0.1
    assert call["J8o"] > 0.9


def test_the_suited_half_is_darker(after_bet):
    """Two spades are on the board: a bet may be a flush draw."""
    grid = after_bet["call"].grid
    suited, off_suit = grid[np.triu_indices(13, 1)].mean(), grid[np.tril_indices(13, -1)].mean()
    assert suited > 1.5 * off_suit
    assert after_bet["call"]["A6s"] > 5 * after_bet["call"]["A6o"], "no pair: only the draw is worth a bet"


def test_after_a_raise(after_bet):
    call, raised = after_bet["call"], after_bet["raise"]
    assert raised["JJ"] > 0.9
    for hand in ("JJ", "AA", "AKs", "AKo"):
        assert raised[hand] > 3 * call[hand]
    assert raised["44"] < 0.1 < call["44"], "it is less likely to be raised"


def test_hands_that_hold_board_cards_are_left_out_of_the_largest():
    (_, grid), *_ = weight_tables_figure_3_7()
    assert not np.isnan(grid).any(), "of every hand some combo is left on this board"
    assert grid.max() == 1


def test_no_such_figure():
    with pytest.raises(PokerlabError, match=r"no figure '3\.5' of weight tables; there are 3\.6 and 3\.7"):
        figure_grids("3.5")


def words(picture):
    return re.findall(r">([^<>\n]+)</text>", picture.read_text())


@pytest.mark.slow
@pytest.mark.parametrize("number", ["3.6", "3.7"])
def test_pictures_are_current(number, tmp_path, capsys):
    shipped, made = DOCS / f"poki-weights-{number}.svg", tmp_path / "new.svg"
    assert main(["explain", "--figure", number, "--picture", str(made)]) == 0
    assert words(made) == words(shipped), "run `make picture`"
    assert f"--figure {number} --picture docs/{shipped.name}" in (DOCS.parent / "Makefile").read_text()
    assert f"({shipped.name})" in (DOCS / "explain.md").read_text()
