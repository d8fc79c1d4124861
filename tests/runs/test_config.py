"""Typed configurations: what fits, what is refused, and how that is said."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from pokerlab.errors import PokerlabError
from pokerlab.runs.config import read_json, typed


@dataclass(frozen=True, kw_only=True)
class Search:
    game: str | Mapping[str, Any]
    runs: int = 1
    n: float = 1.0
    exact: bool = False
    ranges: tuple[str, ...] = ()
    engine: Literal["numba", "jax"] = "numba"
    target: float | None = None
    sizes: Path = Path("sizes.bin")


def test_what_json_has_becomes_what_the_types_say():
    found = typed(Search, {"game": {"name": "x"}, "n": 2, "ranges": ["a", "b"], "sizes": "here", "target": None}, "it")
    assert found == Search(game={"name": "x"}, n=2, ranges=("a", "b"), sizes=Path("here"))
    assert isinstance(found.sizes, Path) and typed(Search, {"game": "leduc", "target": 1}, "it").target == 1


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "a search needs the setting 'game', text or an object"),
        ({"game": 1}, "game must be text or an object, not 1"),
        ({"run": 1}, "a search has no setting 'run'; its settings are engine, exact, game, n, ranges, runs, sizes"),
        ({"runs": 1.5}, "runs must be a whole number, not 1.5"),
        ({"runs": True}, "runs must be a whole number, not True"),
        ({"n": "1"}, "n must be a number, not '1'"),
        ({"exact": 1}, "exact must be true or false, not 1"),
        ({"ranges": "a"}, "ranges must be a list of texts, not 'a'"),
        ({"ranges": ["a", 1]}, "ranges must be a list of texts, not ['a', 1]"),
        ({"engine": "cuda"}, "engine must be 'numba' or 'jax', not 'cuda'"),
        ({"target": "low"}, "target must be a number or nothing, not 'low'"),
        ({"sizes": None}, "sizes must be a path, not None"),
    ],
)
def test_what_is_wrong_is_one_line(data, says):
    with pytest.raises(PokerlabError) as caught:
        typed(Search, data, "a search")
    assert str(caught.value).startswith(says) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"), [("{", "is not JSON"), ("[]", "does not hold a JSON object"), (None, "cannot read")]
)
def test_files_without_an_object(tmp_path, text, says):
    path = tmp_path / "config.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(PokerlabError, match=says):
        read_json(path)
