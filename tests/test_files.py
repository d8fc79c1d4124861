"""The binary container: what is written is read, and damage is noticed."""

import re
import resource

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pokerlab.caches import cache_directory
from pokerlab.errors import FileError
from pokerlab.files import MAGIC, read_arrays, read_header, write_arrays, write_whole

ARRAYS = {
    "scalar": np.array(7),
    "weights": np.linspace(0, 1, 7),
    "counts": np.arange(12, dtype=np.uint16).reshape(3, 4),
    "empty": np.empty((0, 5), dtype=np.int64),
}


@pytest.fixture
def path(tmp_path):
    where = tmp_path / "deep" / "file"
    write_arrays(where, "test", {"command": "pytest"}, ARRAYS)
    return where


def test_round_trip(path):
    about, arrays = read_arrays(path, "test")
    assert about == {"command": "pytest"}
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert (arrays[name].dtype, arrays[name].shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(arrays[name], array)
    assert not arrays["weights"].flags.writeable
    assert [entry.name for entry in path.parent.iterdir()] == [path.name], "a partial file was left behind"


@given(array=hnp.arrays(st.sampled_from([np.int8, np.uint64, np.float32]), (3, 2)))
def test_any_array_round_trips(array, tmp_path_factory):
    where = tmp_path_factory.mktemp("files") / "x"
    write_arrays(where, "test", {}, {"x": array})
    np.testing.assert_array_equal(read_arrays(where, "test")[1]["x"], array)


def test_big_endian_is_stored_little(tmp_path):
    write_arrays(tmp_path / "x", "test", {}, {"x": np.array([1, 2], dtype=">u4")})
    array = read_arrays(tmp_path / "x", "test")[1]["x"]
    assert array.dtype == np.dtype("<u4")
    assert array.tolist() == [1, 2]


def test_arrays_are_aligned(path):
    content, start = read_header(path, "test")
    assert start % 64 == 0
    assert all(entry["offset"] % 64 == 0 for entry in content["arrays"])


def test_another_kind_is_refused(path):
    with pytest.raises(FileError, match="holds 'test', not 'strength'"):
        read_arrays(path, "strength")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: b"PNG" + data[3:], "not a pokerlab file"),
        (lambda data: data[:4], "not a pokerlab file"),
        (lambda data: MAGIC + b"\x09" + data[9:], "format version 9"),
        (lambda data: data[:20] + b"\xff\xff" + data[22:], "header cannot be read"),
        (lambda data: data[:-300], "is truncated|header cannot be read"),
        (lambda data: data[:-64] + bytes([data[-64] ^ 1]) + data[-63:], "the checksum of counts does not match"),
    ],
)
def test_damage_is_noticed(path, damage, says):
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(FileError, match=says) as caught:
        read_arrays(path, "test")
    assert str(path) in str(caught.value)


def test_a_header_that_says_something_else_is_noticed(path):
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"pytest"', b'"pyTest"'))
    with pytest.raises(FileError, match="is damaged: the checksum of its header does not match"):
        read_arrays(path, "test")


def test_what_is_about_may_hold_anything_that_json_does(tmp_path):
    write_arrays(tmp_path / "x", "test", {"by": {2: (1, 0.1), 10: None}}, {})
    assert read_arrays(tmp_path / "x", "test")[0] == {"by": {"2": [1, 0.1], "10": None}}


def test_missing_file(tmp_path):
    with pytest.raises(FileError, match=re.escape(f"cannot read {tmp_path / 'none'}")):
        read_arrays(tmp_path / "none", "test")


def test_a_full_disk_leaves_what_was_there_and_names_the_file(path):
    """A limit on the size of files stands for the disk."""
    write_whole(path, b"before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        for write in (
            lambda: write_whole(path, bytes(5000)),
            lambda: write_arrays(path, "x", {}, {"a": np.ones(9999)}),
        ):
            with pytest.raises(OSError, match="too large") as caught:
                write()
            assert caught.value.filename == str(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"before" and [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_cache_directory(monkeypatch, tmp_path):
    monkeypatch.delenv("POKERLAB_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "pokerlab"
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "mine"))
    assert cache_directory() == tmp_path / "mine"
