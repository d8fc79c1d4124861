"""Every command in an installation without extras: it works, or one line says which extra it needs.

`make test` runs this in a virtual environment of its own, with nothing but the package and what it depends on. It needs
no pytest, so that none of its libraries can stand in for one that a command lacks.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import sys
import tempfile
import traceback
from pathlib import Path

os.environ["POKERLAB_QUIET"] = "1"  # lines about long work would depend on how fast this machine is

from pokerlab.cli import COMMANDS, main
from pokerlab.errors import EXTRAS

HERE = Path(__file__).parent.parent
HAND = str(HERE / "docs" / "example-hand.phh")
SPOT = ["--board", "KsQh7d2c3s", "--ranges", "QQ+, AKs | 22+, KQ", "--pot", "100", "--stack", "100"]

WORKS = [
    ["agents"],
    ["games"],
    ["info"],
    ["schema"],
    ["odds", "AdQc", "--board", "3h4cJh"],
    ["types", "AsKd", "--board", "Ah7h2c"],
    ["features", "AsKd", "--board", "Ah7h2c"],
    ["equity", "AhKh", "QcQd"],
    ["equity", "AsAhKsKh", "JcTc9d8d", "--board", "2c7d9s"],
    ["icm", "--stacks", "5k,3k,2k", "--prizes", "50,30,20"],
    ["completion", "bash"],
    ["grid", "99+, AKs"],
    ["preflop", "--players", "6"],
    ["tables"],
    ["tables", "flops", "--dry-run"],
    ["buckets"],
    ["match", "--game", "leduc", "--agents", "caller,raiser", "--hands", "20", "--workers", "1", "--out", "run"],
    ["tournament", "--game", "leduc", "--agents", "caller,raiser,random", "--hands", "20", "--workers", "1"],
    ["egta", "--game", "leduc", "--strategies", "caller,raiser", "--hands", "9", "--instances", "2", "--workers", "1"],
    ["stats", "run"],
    ["profile", "run"],
    ["convert", HAND, "hand.txt"],
    ["sessions", "import", HAND, "--database", "sessions.duckdb"],
    ["sessions", "--database", "sessions.duckdb", "--hero", "Bob"],
    ["explain", HAND, "--player-name", "Bob"],
    ["spot", HAND],
    ["solve", "kuhn", "--iterations", "50", "--out", "kuhn"],
    ["solve", "leduc", "--algorithm", "lp", "--no-save"],
    ["solve", "leduc", "--algorithm", "public", "--iterations", "50", "--no-save"],
    ["solve", "subgame", *SPOT, "--iterations", "20"],
    ["show", "kuhn"],
    ["simplify", "kuhn", "--step", "50", "--out", "kuhn-50.bin"],
    ["compare", "kuhn", "kuhn-50.bin"],
    ["report", *SPOT[2:], "--boards", "1", "--target-percent", "5", "--workers", "1"],
    ["value", "kuhn", "--hands", "1000"],
    ["match", "--game", "kuhn", "--agents", "strategy:kuhn,caller", "--hands", "20", "--workers", "1", "--no-save"],
    ["lbr", "caller", "--hands", "10", "--workers", "1"],
    ["rollouts", "random", "--game", "leduc", "--decisions", "4", "--rollouts", "10", "--workers", "1", "--no-save"],
    ["quiz", "caller", "--game", "leduc", "--spots", "8", "--workers", "1", "--no-save"],
    ["population", "--matches", "1", "--dry-run", "--workers", "1"],
    ["counter", "kuhn", "--iterations", "50"],
    ["bets", "leduc-nolimit", "--engine", "numba", "--runs", "1", "--iterations", "20", "--no-save"],
    ["bets", "spot", *SPOT],
    ["bets", "spot", *SPOT, "--player", "both"],
    ["bets", "spots", *SPOT[2:], "--boards", "1", "--target-percent", "1", "--workers", "1", "--no-save"],
    ["reproduce"],
    ["reproduce", "waugh2009-pathologies"],
    ["verify", "agent", "caller"],
    ["new", "agent", "my_agent"],
    ["verify", "agent", "py:my_agent:MyAgent", "--game", "limit2p", "--hands", "10"],
    ["verify", "hands", HAND],
    ["serve", "--help"],
    ["join", "--help"],
    ["exploit", "--help"],
    ["fit", "--help"],
    ["reveal", "--help"],
    ["play", "--help"],
    ["train", "--help"],
    ["train", "q", "--against", "caller", "--game", "limit2p", "--hands", "1000", "--out", "q"],
    ["train", "copycat", "caller", "--against", "raiser", "--game", "limit2p", "--matches", "1", "--hands", "5"],
    ["demo", "--help"],
    ["bench", "--list"],
    ["warm-up", "--help"],
]
"""Command lines that need no extra."""

NEEDS = {
    "jax": [
        ["solve", "leduc", "--algorithm", "public", "--engine", "jax", "--iterations", "5", "--no-save"],
        ["bets", "leduc-nolimit", "--engine", "jax", "--runs", "1", "--no-save"],
        ["reproduce", "hawkin2014-table-4-1"],
        ["reproduce", "hawkin2014-leduc"],
        ["reproduce", "hawkin2014-figure-7-3"],
        ["exploitability", "equilibrium:limit2p", "--flops", "2"],
        ["verify", "lanes", "--hands", "2"],
        ["train", "connectionist", "--players", "2", "--hands", "64", "--batch", "64", "--out", "mind"],
    ],
    "ray": [["match", "--game", "leduc", "--agents", "caller,raiser", "--hands", "5", "--ray", "--no-save"]],
    "networks": [["verify", "networks", "--evidences", "2"]],
    "peers": [["verify", "rules", "--hands", "2"]],
    "mcp": [["mcp"]],
    "web": [["web", "--port", "0"], ["play", "--web", "--port", "0"]],
}
"""Command lines that an extra is for, by its name."""


def run(tokens: list[str]) -> tuple[int, str]:
    """The status of a command and what it printed to stderr."""
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        try:
            status = main(tokens)
        except SystemExit as end:  # --help
            status = int(end.code or 0)
        except BaseException:
            traceback.print_exc()
            status = -1
    return status, said.getvalue()


def check() -> int:
    """Run every command line; the number of those that did not do what they should."""
    present = sorted(library for library in EXTRAS if importlib.util.find_spec(library))
    if present:
        print(f"not a bare installation: it has {', '.join(present)}")
        return 1
    failures = []
    for tokens in WORKS:
        status, said = run(tokens)
        if status:
            failures.append(f"pokerlab {' '.join(tokens)}: status {status}\n{said}")
    for extra, lines in NEEDS.items():
        for tokens in lines:
            status, said = run(tokens)
            if status != 2 or f"pokerlab[{extra}]" not in said or said.count("\n") != 1:
                failures.append(
                    f"pokerlab {' '.join(tokens)}: status {status}, expected one line about {extra}\n{said}"
                )
    tried = {tokens[0] for tokens in (*WORKS, *(line for lines in NEEDS.values() for line in lines))}
    failures += [f"pokerlab {command} is not tried" for command in COMMANDS if command not in tried]
    print(*failures, sep="\n")
    n = len(WORKS) + sum(map(len, NEEDS.values()))
    print(f"bare installation: {n - len(failures)} passed, {len(failures)} failed")
    return len(failures)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(1 if check() else 0)
