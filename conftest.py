"""Doctests of modules and guides that need a library which is not installed are left out."""

import atexit
import gc
import os
import shutil
import tempfile
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest


def _version(package):
    """Installed version, or ''."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


gc.set_threshold(50_000, 20, 20)  # what thousands of tests import stays, and to search it often takes 5% of their time

# Kernels that are optimized less compile in two thirds of the time; `make thorough` optimizes them as for users.
os.environ.setdefault("NUMBA_OPT", "1")  # their cache is apart from that of users (pokerlab/caches.py)

# Tests compile JAX programs far longer than they run them; unoptimised ones compile in less than half the time, and
# programs that one process has compiled are read by the others, until the tests end.
WITHOUT_FUSION = " --xla_cpu_use_fusion_emitters=false" if _version("jaxlib").startswith("0.10.") else ""
"""A flag of this version alone: XLA ends a process that names a flag which it does not know."""
os.environ.setdefault("XLA_FLAGS", f"--xla_backend_optimization_level=0{WITHOUT_FUSION}")
if "JAX_COMPILATION_CACHE_DIR" not in os.environ:
    programs = tempfile.mkdtemp(prefix="pokerlab-jax-")
    atexit.register(shutil.rmtree, programs, ignore_errors=True)
    # Without a limit of its size: with one, JAX reads the age of every program whenever it adds one, behind a lock.
    os.environ |= {"JAX_COMPILATION_CACHE_DIR": programs, "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}

if "POKERLAB_SESSIONS" not in os.environ:  # what tests play is nobody's
    played = tempfile.mkdtemp(prefix="pokerlab-sessions-")
    atexit.register(shutil.rmtree, played, ignore_errors=True)
    os.environ["POKERLAB_SESSIONS"] = f"{played}/sessions.duckdb"

collect_ignore = ["docs/conf.py"]  # Sphinx's: it is run with names of its own

NEEDS = {
    "_*_jax.py": ("jax",),
    "bet_sizing/board_bets.py": ("jax",),
    "bet_sizing/dense_bets.py": ("jax",),
    "sampling/board_cfr.py": ("jax",),
    "subgames/batches.py": ("jax",),
    "subgames/level_*.py": ("jax",),
    "valuing/board_batches.py": ("jax",),
    "valuing/exact_response*.py": ("jax",),
    "vector/dense*.py": ("jax",),
    "docs/self-play.md": ("jax",),
    "docs/adapters.md": ("gymnasium", "pettingzoo", "pyspiel", "rlcard"),
    "adapters/gymnasium.py": ("gymnasium",),
    "adapters/openspiel*.py": ("pyspiel",),
    "adapters/pettingzoo.py": ("gymnasium", "pettingzoo"),
    "adapters/rlcard*.py": ("rlcard",),
}
"""How a path ends -> the libraries without which it can be neither imported nor run."""


def missing(path):
    needed = (name for ending, names in NEEDS.items() if path.match(ending) for name in names)
    return [name for name in needed if find_spec(name) is None]


def pytest_ignore_collect(collection_path):
    if collection_path.suffix == ".py" and missing(collection_path):
        return True
    return None


def pytest_configure(config):
    config.option.loadscopereorder = False  # xdist would begin with the files that have most tests


def pytest_collection_finish():
    gc.freeze()  # modules and tests are not searched again


def pytest_collection_modifyitems(config, items):
    for item in items:
        if absent := missing(item.path):
            item.add_marker(pytest.mark.skip(reason=f"needs {', '.join(absent)}"))
    if hasattr(config, "workerinput"):  # the longest files first, so that no worker is left alone with one at the end
        seconds = _slowest()
        items.sort(key=lambda item: -seconds.get(item.location[0], 0))


def _slowest():
    """Seconds that the slowest files take, by their path."""
    lines = (Path(__file__).parent / "tests" / "slowest.txt").read_text().splitlines()
    return {path: int(seconds) for seconds, path in (line.split() for line in lines if not line.startswith("#"))}
