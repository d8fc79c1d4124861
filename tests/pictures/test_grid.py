"""The 13x13 picture: where hands are, what a cell says, and that files are what they should be."""

import re

import numpy as np
import pytest
from rich.console import Console

from pokerlab.cards.card import cards
from pokerlab.cards.combos import CLASS_OF_COMBO, class_index, class_text, combo_index
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import FileError, PokerlabError
from pokerlab.pictures.grid import (
    SMALL_WIDTH,
    grid_lines,
    grid_of,
    grids_lines,
    save_grid,
    save_grids,
    scale_of,
    small_grid_lines,
)
from pokerlab.pictures.palette import RAMP, ramp_colour


def shown(lines):
    console = Console(width=100, color_system=None)
    with console.capture() as capture:
        for line in lines:
            console.print(line)
    return capture.get()


def test_pairs_on_the_diagonal_suited_above_off_suit_below():
    for row in range(13):
        for column in range(13):
            name = class_text(13 * row + column)
            grid = grid_of(parse_range(name))
            assert grid[row, column] == 1
            assert grid.sum() == 1
            assert name[2:] == ("" if row == column else "s" if column > row else "o")


def test_classes_and_their_combos_give_the_same_grid():
    by_class = np.arange(169.0)
    np.testing.assert_array_equal(grid_of(by_class), grid_of(by_class[CLASS_OF_COMBO]))


def test_mean_and_max_over_live_combos():
    vector = np.zeros(1326)
    vector[combo_index(*cards("AhKh"))] = 1
    assert grid_of(vector)[0, 1] == 0.25
    assert grid_of(vector, reduce="max")[0, 1] == 1
    assert grid_of(vector, dead=cards("As"))[0, 1] == pytest.approx(1 / 3)
    vector[combo_index(*cards("AdKd"))] = np.nan
    assert grid_of(vector, dead=cards("As"))[0, 1] == 0.5


@pytest.mark.parametrize("reduce", ["mean", "max"])
def test_no_live_combo_is_nan(reduce):
    grid = grid_of(np.ones(1326), reduce=reduce, dead=cards("AhAsAc"))
    assert np.isnan(grid[0, 0])
    assert np.isnan(grid).sum() == 1


def test_only_169_or_1326():
    with pytest.raises(PokerlabError, match=r"shape \(13, 13\)"):
        grid_of(np.zeros((13, 13)))


def test_terminal_has_every_name_and_number_within_80_columns():
    text = shown(grid_lines(grid_of(parse_range("AK:0.375, 99"), dead=cards("QhQsQc")), mark=class_index("AKo")))
    assert max(len(line) for line in text.splitlines()) <= 80
    assert re.findall(r"[2-9TJQKA]{2}[so]?", "".join(text.splitlines()[:-1:2])) == [class_text(c) for c in range(169)]
    names, numbers = text.splitlines()[:2]
    assert names.split()[:3] == ["AA", "AKs", "AQs"]
    assert numbers.split()[:3] == ["0", "37.5", "0"]
    assert ">AKo<" in text
    assert text.splitlines()[5].split()[2] == "-", "a hand that cannot be held"
    assert "0 " in text.splitlines()[-1]


def test_other_numbers_than_percentages():
    text = shown(grid_lines(grid_of(np.linspace(-12.5, 4, 169)), percent=False))
    assert text.splitlines()[1].split()[0] == "-12.5"


def test_colours_run_along_the_ramp():
    assert [ramp_colour(step / 5) for step in range(6)] == list(RAMP)
    assert ramp_colour(0.1) not in RAMP


def test_scale_is_what_is_shown():
    grid = grid_of(np.linspace(0.25, 0.75, 169))
    grid[0, 0] = np.nan
    assert scale_of(grid)[1] == 0.75
    low, high = scale_of(np.zeros((13, 13)))
    assert low < 0 < high
    with pytest.raises(PokerlabError, match="nothing to draw"):
        scale_of(np.full((13, 13), np.nan))


def test_svg_says_what_the_grid_says_and_is_reproducible(tmp_path):
    grid = grid_of(parse_range("AKs, QQ:0.25"), dead=cards("2c2d2h"))
    for name in ("a.svg", "b.svg"):
        save_grid(grid, tmp_path / name, title="A range on A♥", mark=0)
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    words = re.findall(r">([^<>\n]+)</text>", text)
    assert words[0:2] == ["AA", "0"]
    assert words[words.index("QQ") + 1] == "25.0"
    assert words[words.index("22") + 1] == "–"
    assert "A range on A♥" in words


def test_png_is_a_png(tmp_path):
    save_grid(grid_of(np.arange(169.0)), tmp_path / "x.PNG")
    assert (tmp_path / "x.PNG").read_bytes().startswith(b"\x89PNG")


def test_unknown_kinds_of_picture_are_refused(tmp_path):
    with pytest.raises(FileError, match=r"a picture ends in \.png, \.svg, \.pdf"):
        save_grid(grid_of(np.arange(169.0)), tmp_path / "x.bmp")


def test_small_grids_have_a_digit_a_hand():
    grid = grid_of(parse_range("AKs, QQ:0.25, 22:0.04"), dead=cards("3c3d3h"))
    lines = shown(small_grid_lines(grid)).splitlines()
    assert lines[0].split() == list("AKQJT98765432")
    assert [line.split()[0] for line in lines[1:]] == list("AKQJT98765432")
    cells = [line.split()[1:] for line in lines[1:]]
    assert (cells[0][1], cells[1][0], cells[2][2], cells[12][12], cells[11][11]) == ("#", ".", "2", ".", "-")
    assert max(map(len, lines)) <= SMALL_WIDTH
    halved = shown(small_grid_lines(grid, scale=(0, 0.5))).splitlines()
    assert halved[3].split()[3] == "5"


def test_small_grids_stand_beside_each_other_as_far_as_there_is_room():
    grids = [(name, grid_of(parse_range(name))) for name in ("AKs", "QQ", "72o")]
    wide, narrow = ([line.plain for line in grids_lines(grids, width)] for width in (2 * SMALL_WIDTH + 3, SMALL_WIDTH))
    assert (len(wide), len(narrow)) == (2 * 15 + 1, 3 * 15 + 2)
    assert (wide[0].split(), wide[16].split()) == (["AKs", "QQ"], ["72o"])
    assert wide[2].split()[2] == "#", "ace-king suited, in the row of aces"
    assert wide[4].split()[14 + 3] == "#", "queens, in the row of queens of the grid beside it"


@pytest.mark.slow
def test_several_grids_in_one_picture(tmp_path):
    grids = [("$one$ <b>", grid_of(parse_range("AKs"))), ("two", grid_of(parse_range("QQ:0.25")))]
    for name in ("a.svg", "b.svg"):
        save_grids([*grids, *grids], tmp_path / name, title="Four of them", note="in $percent$")
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    words = re.findall(r">([^<>\n]+)</text>", text)
    assert words.count("AKs") == 4
    assert words.count("two") == 2
    assert "25" in words
    assert "$one$ &lt;b&gt;" in words
    save_grids(grids[:1], tmp_path / "one.png")
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(FileError, match=r"a picture ends in"):
        save_grids(grids, tmp_path / "x.bmp")
    with pytest.raises(PokerlabError, match="no grids"):
        save_grids([], tmp_path / "x.svg")
