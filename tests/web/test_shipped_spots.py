"""Solved spots that come with the package: complete, small, and opened without solving."""

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import answers

from pokerlab.policies.strategy_files import load_strategy
from pokerlab.web.shipped_spots import FOLDER, main, shipped_spots
from pokerlab.web.study import Solves

MOST_BYTES = 1_500_000


def test_every_spot_has_its_file_and_all_are_small():
    files = {file.stem: file.stat().st_size for file in FOLDER.glob("*.bin")}
    assert set(files) == {spot["name"] for spot in shipped_spots()}
    assert 0 < sum(files.values()) <= MOST_BYTES


def test_every_spot_opens_at_its_accuracy_and_is_not_solved_again(tmp_path):
    names = [spot["name"] for spot in shipped_spots()]
    (status, listed), (wrong, why), *opened = answers(
        tmp_path, ("/api/shipped", None), *((f"/api/shipped/{name}/open", {}) for name in ["nothing", *names])
    )
    assert status == 200 and [spot["name"] for spot in listed["spots"]] == names
    assert wrong == 400 and why["error"] == "no solved spot called 'nothing' comes with the package"
    solves = Solves(tmp_path / "solves", threads=1)
    for spot, (status, solve) in zip(shipped_spots(), opened, strict=True):
        assert status == 200 and solve["ready"] and not solve["running"], spot["name"]
        assert solve["exploitability"] <= spot["asked"]["target_percent"] / 100, spot["name"]
        assert solves.begin(spot["asked"]).name == solve["name"]
        first = solves.spot(solve["name"], "")
        assert sum(first["expected"]) == pytest.approx(spot["asked"]["pot"], rel=0.01), spot["name"]
    assert solves.line() == []


def test_a_file_is_written_again_by_its_command(tmp_path, capsys):
    main([str(tmp_path), "river-bluff-catcher"])
    assert "0.0" in capsys.readouterr().out
    (file,) = tmp_path.glob("*.bin")
    ours, theirs = load_strategy(file).strategy, load_strategy(FOLDER / file.name).strategy
    assert np.abs(ours.p[0] - theirs.p[0]).max() <= 1 / 255
