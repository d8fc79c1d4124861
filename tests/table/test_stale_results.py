"""A saved result is used again only if everything that a foreign agent read or imported is unchanged."""

import pytest

from pokerlab.players.sources import file_digests
from pokerlab.requests.match import Match

HELPED = """
import importlib
import json
import sys
from pathlib import Path
from pokerlab.games.actions import CALL

sys.path.insert(0, str(Path(__file__).parent / "elsewhere"))


class Helped:
    def __init__(self):
        self.weights = None

    def act(self, view, rng):
        if self.weights is None:
            self.weights = json.loads(Path("weights.json").read_text())
            importlib.import_module("late_helper")
            import far_helper

            Path("log.txt").write_text("played")
        return CALL
"""


@pytest.mark.slow
def test_a_result_is_stale_when_what_the_agent_reads_or_imports_has_changed(tmp_path, monkeypatch):
    (tmp_path / "helped_bot.py").write_text(HELPED)
    (tmp_path / "elsewhere").mkdir()
    parts = [tmp_path / name for name in ("weights.json", "late_helper.py", "elsewhere/far_helper.py", "helped_bot.py")]
    for part in parts[:3]:
        part.write_text("1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = {"game": "leduc", "agents": ("py:helped_bot:Helped", "caller"), "hands": 4}
    before = Match(**settings)
    assert Match(**settings).directory == before.directory
    before.run(before.directory, workers=1)
    for part in parts:
        was = part.read_text()
        part.write_text(was + " ")
        changed = Match(**settings)
        assert changed.directory != before.directory, part
        with pytest.raises(Exception, match="holds another run"):
            changed.run(before.directory, workers=1)
        part.write_text(was)
    (tmp_path / "log.txt").write_text("a file that it only writes")
    (tmp_path / "unread.json").write_text("2")
    assert Match(**settings).directory == before.directory
    assert set(file_digests(settings["agents"])) == {"py:helped_bot:Helped"}


LATE = """
import json
from contextlib import suppress
from pathlib import Path
from pokerlab.games.actions import CALL, FOLD


class Late:
    def act(self, view, rng):
        if view.hand == 9:
            with suppress(FileNotFoundError):
                json.loads(Path("absent.json").read_text())
            return CALL if json.loads(Path("late.json").read_text()) or not view.to_call else FOLD
        return CALL
"""


@pytest.mark.slow
def test_a_result_is_stale_when_a_file_first_opened_in_a_late_hand_has_changed(tmp_path, monkeypatch):
    (tmp_path / "late_bot.py").write_text(LATE)
    (tmp_path / "late.json").write_text("0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = {"game": "leduc", "agents": ("py:late_bot:Late", "raiser"), "hands": 12, "seed": 2**62}

    def play():
        return Match(**settings).run(tmp_path / "run", workers=1).result[0].chips[:, 0].tolist()

    def written():
        return (tmp_path / "run" / "matches" / "0.result").stat().st_mtime_ns

    folded, at = play(), written()
    assert play() == folded and written() == at  # nothing has changed: the saved result
    (tmp_path / "late.json").write_text("1")
    called = play()
    assert folded[9] == -1 and called[9] not in (-1, folded[9])
    at = written()
    (tmp_path / "absent.json").write_text("{}")  # which it tried to open
    assert play() == called and written() != at
    (tmp_path / "unread.json").write_text("{}")
    at = written()
    assert play() == called and written() == at
