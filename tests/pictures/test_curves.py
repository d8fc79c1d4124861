"""Pictures of convergence."""

import pytest

from pokerlab.errors import FileError, PokerlabError
from pokerlab.pictures.curves import save_convergence
from pokerlab.solvers.core.solve import Look

LOOKS = [Look(n, n / 1000, -0.08, 1 / n) for n in (1, 10, 100)]


def test_the_picture_names_its_runs_and_is_the_same_every_time(tmp_path):
    for name in ("a.svg", "b.svg"):
        save_convergence({"cfr": LOOKS, "cfr+": LOOKS[:2]}, tmp_path / name, title="leduc")
    first = (tmp_path / "a.svg").read_text()
    assert first == (tmp_path / "b.svg").read_text()
    for word in ("leduc", "cfr+", "iterations", "seconds", "exploitability, chips per hand"):
        assert word in first


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(FileError, match="a picture ends in"):
        save_convergence({"cfr": LOOKS}, tmp_path / "a.gif")
    with pytest.raises(PokerlabError, match="nothing to draw"):
        save_convergence({"cfr": []}, tmp_path / "a.svg")
