"""How picture files are written."""

import matplotlib
import pytest

from pokerlab.errors import FileError
from pokerlab.files import PICTURES
from pokerlab.pictures.figures import figure_file, plain_axes


def drawn(path):
    with figure_file(path, 4, 3, title="50% & $more$") as figure:
        plain_axes(figure.add_subplot(), x="hands").plot([0, 1], [1, 0])
    return path.read_bytes()


@pytest.mark.parametrize("suffix", PICTURES)
def test_the_same_drawing_gives_the_same_bytes_whichever_library_drew_it(suffix, tmp_path):
    first, second = drawn(tmp_path / f"a{suffix}"), drawn(tmp_path / "new" / f"b{suffix.upper()}")
    assert first == second
    assert matplotlib.__version__.encode() not in first


def test_words_stay_words_in_an_svg(tmp_path):
    text = drawn(tmp_path / "a.svg").decode()
    assert "50% &amp; $more$" in text
    assert ">hands<" in text


def test_other_kinds_are_refused_before_anything_is_drawn(tmp_path):
    with (
        pytest.raises(FileError, match=r"a\.gif: a picture ends in \.png, \.svg, \.pdf"),
        figure_file(tmp_path / "a.gif", 1, 1),
    ):
        raise AssertionError("drawn")
