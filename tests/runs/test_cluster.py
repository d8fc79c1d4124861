"""The same matches on a Ray cluster of this machine, with a worker killed, and a whole node killed, on the way."""

import json
import os
import subprocess
import sys

import pytest

from pokerlab import __version__
from pokerlab.errors import PokerlabError
from pokerlab.runs.cluster import attempt_on_node, on_ray
from pokerlab.runs.code import package_digest
from pokerlab.runs.workers import Task, here
from pokerlab.table.match import MatchPlan, plans
from pokerlab.table.matches import run_plans

BOT = '''
import os
import time
from pathlib import Path

from pokerlab.games.actions import CALL


class Slow:
    """Calls; says which process plays, and waits in the middle of a match until a worker and a node are gone."""

    def act(self, view, rng):
        if view.hand == 2:
            pids = Path(os.environ["POKERLAB_TEST_PIDS"])
            (pids / str(os.getpid())).touch()
            while not pids.with_name("gone").exists():
                time.sleep(0.01)
        return CALL
'''

# Ray is started in a process of its own: it leaves threads behind, and warns in ways that are not ours to mend.
PROGRAM = """
import json, os, signal, sys, threading, time
from pathlib import Path
import ray
from ray.cluster_utils import Cluster
from pokerlab.runs.cluster import on_ray
from pokerlab.table.matches import run_plans
from pokerlab.table.match import MatchPlan, plans

pids = Path(os.environ["POKERLAB_TEST_PIDS"])
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
second = cluster.add_node(num_cpus=2)
cluster.wait_for_nodes()
killed = []

def kill():
    while len(list(pids.iterdir())) < 4:  # both nodes play on both of their cores
        time.sleep(0.01)
    victim = int(min(pids.iterdir()).name)
    os.kill(victim, signal.SIGKILL)
    killed.append("worker")
    cluster.remove_node(second, allow_graceful=False)
    killed.append("node")
    pids.with_name("gone").touch()

threading.Thread(target=kill, daemon=True).start()
todo = plans(MatchPlan("leduc", ("random", "py:ray_bot:Slow"), 10, seed=7), hands=60, duplicate=True)
results = run_plans(todo, make="pokerlab.players.registry:agent", runner=on_ray(cluster.address))
print(json.dumps({"chips": [r.chips.tolist() for r in results], "killed": killed, "n_pids": len(list(pids.iterdir()))}))
cluster.shutdown()
"""


@pytest.mark.slow
def test_workers_and_nodes_may_die(tmp_path, monkeypatch):
    pytest.importorskip("ray")
    (tmp_path / "ray_bot.py").write_text(BOT)
    (tmp_path / "pids").mkdir()
    monkeypatch.setenv("POKERLAB_TEST_PIDS", str(tmp_path / "pids"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["killed"] == ["worker", "node"]
    assert answer["n_pids"] > 2, "the matches went to several workers"
    todo = plans(MatchPlan("leduc", ("random", "caller"), 10, seed=7), hands=60, duplicate=True)
    expected = run_plans(todo, make="pokerlab.players.registry:agent", runner=here)
    assert answer["chips"] == [result.chips.tolist() for result in expected]


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_an_address_where_nobody_listens_is_refused_at_once(address):
    pytest.importorskip("ray")
    todo = [MatchPlan("leduc", ("caller", "raiser"), 10)]
    with pytest.raises(PokerlabError, match=f"no Ray cluster at {address}: "):
        run_plans(todo, make="pokerlab.players.registry:agent", runner=on_ray(address))


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(PokerlabError, match=r"pip install 'pokerlab\[ray\]'"):
        run_plans([MatchPlan("leduc", ("a", "b"), 10)], make="x:y", runner=on_ray(None))


def test_nothing_left_to_play_needs_no_cluster(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert list(on_ray("nowhere:1")([], lambda more: None)) == []


def test_a_node_with_other_code_is_refused():
    assert attempt_on_node(None, "0123456789ab").why == (
        f"a Ray node has other code of pokerlab ({__version__}) than the caller; install the same"
    )
    assert "ModuleNotFoundError" in attempt_on_node(Task("pokerlab.nowhere:f", 1), package_digest()).why
