"""Players for tests of the table, in a module that worker processes can import too."""

import sys

import pytest

BOTS = '''
import json
import os
import signal
from pathlib import Path

from pokerlab.games.actions import CALL, FOLD


class Learner:
    """Counts the hands it saw, and folds one in three of those to come after the tenth."""

    def __init__(self):
        self.seen = 0

    def act(self, view, rng):
        fold = self.seen > 10 and self.seen % 3 == 0 and view.legal().fold
        return FOLD if fold else CALL

    def observe(self, hand):
        self.seen += 1

    def save(self, path):
        path.write_text(json.dumps(self.seen))

    def load(self, path):
        self.seen = json.loads(path.read_text())


class Broken:
    """Divides by zero in hand 3."""

    def act(self, view, rng):
        return CALL if view.hand < 3 else 1 // 0


class Forgetful:
    def act(self, view, rng):
        return CALL

    def observe(self, hand):
        raise KeyError("lost")


class Killer:
    """Kills its process in hand 3."""

    def act(self, view, rng):
        if view.hand == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return CALL


class KillsOnce(Killer):
    """Kills its process in hand 3, unless that has happened before."""

    def act(self, view, rng):
        mark = Path(os.environ["POKERLAB_TEST_MARK"])
        if mark.exists():
            return CALL
        if view.hand == 3:
            mark.touch()
        return super().act(view, rng)


class Nonsense:
    def act(self, view, rng):
        return "fold"


class NeverHere:
    def act(self, view, rng):
        return CALL

    def supports(self, rules):
        return False
'''


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """The directory of the module `table_bots`, which this process and its workers can import."""
    where = tmp_path / "bots"
    where.mkdir()
    (where / "table_bots.py").write_text(BOTS)
    monkeypatch.syspath_prepend(where)
    sys.modules.pop("table_bots", None)
    yield where
    sys.modules.pop("table_bots", None)
