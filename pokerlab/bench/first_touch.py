"""First commands of a new user: each in a separate process with an empty cache, including compilation and imports.

The figure of a case is its processor time (including its worker processes), which depends less on other load of the
machine than the wall-clock time printed beside it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter

from pokerlab.bench.benchmark import REMARKS, Work, on_every_core

HISTORY = """\
STATE:0:crc/cc/cc/rc:AhKh|QcQd/2c3d7s/9h/Jd:-40|40:Ann|Bob
STATE:1:rf:7c2d|9s8s:-10|10:Ann|Bob
STATE:2:cc/rrc/cc/rf:TdTs|Ac4c/Th8d2s/3c/5h:30|-30:Ann|Bob
"""
"""Three hands of limit2p in an ACPC log."""


@dataclass(frozen=True)
class FirstCommand:
    """A command and its time limit in seconds, for two idle cores and an empty cache."""

    name: str
    arguments: str
    limit: float


_RIVER = 'solve subgame --board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300 --out run'
FIRST_COMMANDS = (
    FirstCommand("import pokerlab", "", 0.1),
    FirstCommand("--help", "--help", 0.3),
    FirstCommand("odds", "odds AdQc --board 3h4cJh", 1.5),
    FirstCommand("equity of two hands", "equity AhKh QcQd", 1.5),
    FirstCommand("equity of a range", 'equity AhKh "99+, AKs"', 1.5),
    FirstCommand("equity of three", "equity AhKh QcQd random", 1.5),
    FirstCommand("equity of three, flop", 'equity AhKh "99+, AKs" random --board 2h7h9c', 1.5),
    FirstCommand("equity of three, random", "equity AA random random", 1.5),
    FirstCommand("equity of four", 'equity AhKh QcQd "99+, AKs" random', 1.5),
    FirstCommand("stats of three hands", "stats history.log --game limit2p", 2),
    FirstCommand("a river", _RIVER, 4),
    FirstCommand("match, simple players", "match --agents rulebot,caller --hands 100 --out run", 3),
    FirstCommand("match with poki", "match --agents poki,rulebot --hands 100 --out run", 25),
    FirstCommand("train --dry-run", "train connectionist --dry-run", 5),
)


def commands() -> Work:
    """Run every first command once."""

    def work() -> int:
        with on_every_core():
            REMARKS["first-touch"] = [row(command, *cold(command)) for command in FIRST_COMMANDS]
        return len(FIRST_COMMANDS)

    return work


def row(command: FirstCommand, processor: float, wall: float) -> str:
    """One line of the report.

    >>> row(FIRST_COMMANDS[1], 0.155, 0.2)
    '--help                  processor   0.15 s, wall clock   0.20 s, to take at most 0.3 s'
    """
    times = f"processor {processor:6.2f} s, wall clock {wall:6.2f} s"
    return f"{command.name:<23} {times}, to take at most {command.limit:g} s"


def cold(command: FirstCommand) -> tuple[float, float]:
    """Run a command in an empty directory with an empty cache. Return its processor seconds and wall-clock seconds."""
    given = ["-m", "pokerlab.cli", *shlex.split(command.arguments)] if command.arguments else ["-c", "import pokerlab"]
    with TemporaryDirectory(prefix="pokerlab-first-touch-") as folder:
        Path(folder, "history.log").write_text(HISTORY)
        environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
        environment |= {"POKERLAB_CACHE": str(Path(folder, "cache"))}
        before, started = getrusage(RUSAGE_CHILDREN), perf_counter()
        subprocess.run([sys.executable, *given], cwd=folder, env=environment, check=True, capture_output=True)
        wall, after = perf_counter() - started, getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall
