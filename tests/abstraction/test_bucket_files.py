"""Buckets that ship compressed."""

from pathlib import Path

import numpy as np
import pytest

from pokerlab.abstraction.bucket_files import buckets, known_buckets


def test_packed_buckets_are_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    ir100 = buckets("ir100")
    assert ir100.n_cells == (169, 100, 100, 100)
    assert not ir100.perfect_recall
    path = tmp_path / "buckets" / "ir100.bin"
    written = path.stat().st_mtime_ns
    assert known_buckets()["ir100"] == path
    assert path.stat().st_mtime_ns == written
    assert sorted(found.name for found in path.parent.iterdir()) == ["ir100.bin", "ir570.bin"]
    flop, turn = ir100.segments
    assert flop is not None and turn is not None
    assert len(np.unique(flop)) >= 100 and len(np.unique(turn)) >= 100
