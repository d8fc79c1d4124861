"""Doctests of modules and guides that need a library which is not installed are left out."""

import os
from importlib.util import find_spec

import pytest

# Tests compile JAX programs far longer than they run them; unoptimised ones compile in half the time.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

collect_ignore = ["docs/conf.py"]  # Sphinx's: it is run with names of its own

NEEDS = {
    "_*_jax.py": ("jax",),
    "bet_sizing/board_bets.py": ("jax",),
    "bet_sizing/dense_bets.py": ("jax",),
    "sampling/board_cfr.py": ("jax",),
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


def pytest_collection_modifyitems(items):
    for item in items:
        if absent := missing(item.path):
            item.add_marker(pytest.mark.skip(reason=f"needs {', '.join(absent)}"))
