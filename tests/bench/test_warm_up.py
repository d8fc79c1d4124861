"""Warming up: every part runs its benchmarks once in compiled code, and is not compiled twice."""

import os
from math import inf

import pytest

from pokerlab import caches
from pokerlab.bench import Benchmark, benchmarks, warm_up
from pokerlab.cards import equity_exact
from pokerlab.errors import PokerlabError
from pokerlab.runs.workers import here


@pytest.fixture
def ran(monkeypatch, tmp_path):
    """Benchmarks that compile nothing; the names of those that ran, with the seconds left to NumPy then."""
    ran = []

    def named(names):
        return [
            Benchmark(name, "", "things", lambda name=name: lambda: ran.append((name, caches._left)) or 1)
            for name in names
        ]

    monkeypatch.setattr(warm_up, "benchmarks", named)
    monkeypatch.setattr(caches, "_left", 2.0)
    monkeypatch.setitem(os.environ, "NUMBA_CACHE_DIR", str(tmp_path))
    return ran


def test_parts_are_compiled_once(ran):
    told = []
    made, found = warm_up.warm_up(["cards", "poki"], runner=here, report=lambda done, total: told.append((done, total)))
    n = len(warm_up.PARTS["cards"]) + len(warm_up.PARTS["poki"])
    assert (made, found, told[-1]) == (["cards", "poki"], [], (n, n))
    assert ran == [(name, -inf) for part in ("cards", "poki") for name in warm_up.PARTS[part]]
    assert warm_up.warm_up(["cards"], runner=here) == ([], ["cards"]) and len(ran) == n


def test_a_part_that_does_not_exist(ran):
    with pytest.raises(PokerlabError, match="no part of the kernels is called 'pokey'; did you mean poki"):
        warm_up.warm_up(["pokey"], runner=here)
    assert ran == []


def test_parts_are_made_of_benchmarks():
    names = [name for part in warm_up.PARTS.values() for name in part]
    assert [benchmark.name for benchmark in benchmarks(names)] == names


@pytest.mark.slow
def test_every_way_to_equity_is_compiled_with_the_cards():
    """After the benchmarks of the part, no kernel of `equity` is left to compile, but for other numbers of players."""
    caches.keep_kernels_by_content()
    for benchmark in benchmarks([name for name in warm_up.PARTS["cards"] if name.startswith("equity")]):
        left = caches._left
        caches.compile_now()
        assert benchmark.ours()() >= 1
        caches._left = left
    for kernels in (equity_exact._DEALS, equity_exact._RANDOM, equity_exact._BOARDS, "_equity_numba.sample_outcomes"):
        assert caches.are_compiled(kernels)
