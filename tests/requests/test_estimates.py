"""Every kind of request: the estimate of its cost, with nothing in the cache, compiles nothing."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_every_way import SMALL, WITH_JAX, files

assert files  # a fixture

MORE = {
    "a bucketed game": ("solve", {"game": "nolimit2p", "cards": "pr5", "engine": "jax", "iterations": 5000}),
    "a game of three": ("solve", {"game": "kuhn3p"}),
    "sampled deals": ("solve", {"game": "limit2p", "cards": "pr5", "algorithm": "mccfr"}),
    "a turn": ("solve subgame", {"board": "Ks7h2d5c", "ranges": ["30%", "30%"], "pot": 60, "stack": 200}),
    "bets in jax": ("bets", {"game": "nolimit2p", "cards": "pr5"}),
    "three players": ("train q", {"against": ["rulebot"]}),
    "poki": ("match", {"agents": ["poki", "rulebot"], "hands": 100_000}),
    "players of strategies": ("match", {"agents": ["equilibrium:limit2p", "equilibrium:limit2p"], "hands": 50_000}),
    "the formula": ("rollouts", {"agent": "formula:steady", "game": "limit6p"}),
    "a published population": ("population", {"matches": 30}),
}
"""Requests whose run would compile something else than the small one of the kind."""

NEEDS_JAX = ("a bucketed game", "bets in jax", "players of strategies")

ESTIMATES = """
ARRAYS = "jit(convert_element_type)", "jit(broadcast_in_dim)", "jit(stage)"  # all that making arrays takes
import json, sys
from pathlib import Path
from numba.core import event
from pokerlab.run import request

kernels, programs = [], []


class Listener(event.Listener):
    def on_start(self, event):  # where nothing may compile, it ends here
        kernels.append(event.data["dispatcher"])

    def on_end(self, event):
        pass


def noted(event, *duration, **about):
    name = str(about.get("fun_name", "a program"))
    if event.endswith("backend_compile_duration") and name not in ARRAYS:
        programs.append(name)


event.register("numba:compile", Listener())
try:
    import jax
except ImportError:
    pass
else:
    jax.monitoring.register_event_duration_secs_listener(noted)
costs = {}
for name, (kind, settings) in json.loads(Path(sys.argv[1]).read_text()).items():
    cost = request(kind, settings).cost(workers=2)
    compiled = [str(kernel) for kernel in kernels if kernel.signatures] + programs
    costs[name] = {"compiled": compiled, "seconds": cost.seconds, "rate": cost.rate, "text": str(cost)}
    kernels.clear()
    programs.clear()
print(json.dumps(costs))
"""


@pytest.mark.slow
def test_no_estimate_compiles(files, tmp_path):
    without = () if find_spec("jax") else WITH_JAX + NEEDS_JAX
    asked = {kind: (kind, files(settings)) for kind, settings in SMALL.items()}
    asked = {name: each for name, each in {**asked, **MORE}.items() if name not in without}
    (tmp_path / "requests.json").write_text(json.dumps(asked))
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"POKERLAB_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", ESTIMATES, str(tmp_path / "requests.json")]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    costs = json.loads(done.stdout.splitlines()[-1])
    assert {name: cost["compiled"] for name, cost in costs.items() if cost["compiled"]} == {}
    assert not (tmp_path / "cache" / "numba").exists()
    for name in ("poki", "three players", "a turn", "solve"):
        assert costs[name]["rate"] == "usual" and costs[name]["seconds"] > 0
        assert "(at a usual rate: none was measured here yet)" in costs[name]["text"]
