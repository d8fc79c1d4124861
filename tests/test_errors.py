"""Errors: one line, and the place in the text."""

import pytest

from pokerlab import errors
from pokerlab.errors import ParseError, PokerlabError


def test_every_error_of_ours_is_a_value_error_of_ours():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and kind.__module__ == errors.__name__]
    assert len(kinds) >= 6
    assert all(issubclass(kind, PokerlabError) and issubclass(kind, ValueError) for kind in kinds)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ParseError("odd", text="abc"), 'odd: "abc"'),
        (ParseError("odd", text="abc", at=1), 'odd: "abc" at character 2: "bc"'),
        (ParseError("odd", text="abc", at=1, length=1), 'odd: "abc" at character 2: "b"'),
        (ParseError("odd", text=""), 'odd: ""'),
    ],
)
def test_parse_error_line(error, line):
    assert str(error) == line


def test_long_texts_are_cut():
    assert len(str(ParseError("odd", text="x" * 1000, at=500, length=3))) < 250
