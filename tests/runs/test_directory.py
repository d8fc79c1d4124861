"""The run directory: what is refused, one at a time, and what a killed writer leaves."""

import pytest

from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import write_whole
from pokerlab.runs.directory import open_run


def test_a_changed_request_is_refused_in_one_line(tmp_path):
    open_run(tmp_path / "run", "match", {"hands": 10, "seed": 1}).__exit__(None, None, None)
    with pytest.raises(PokerlabError) as caught:
        open_run(tmp_path / "run", "match", {"hands": 20, "seed": 1})
    assert "holds another run (hands was 10, now 20)" in str(caught.value)
    with pytest.raises(PokerlabError, match='kind was "match", now "tournament"'):
        open_run(tmp_path / "run", "tournament", {"hands": 10, "seed": 1})


def test_one_at_a_time_in_a_directory(tmp_path):
    with open_run(tmp_path / "run", "match", {}), pytest.raises(PokerlabError, match="is in use by another pokerlab"):
        open_run(tmp_path / "run", "match", {})
    with open_run(tmp_path / "run", "match", {}) as run:
        assert run.path == tmp_path / "run"


def test_directories_that_are_no_runs(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="is not a directory"):
        open_run(tmp_path / "file", "match", {})
    write_whole(tmp_path / "other" / "thesis.tex", b"")
    with pytest.raises(FileError, match=r"is not empty and holds no run\.json"):
        open_run(tmp_path / "other", "match", {})
    write_whole(tmp_path / "damaged" / "run.json", b"{")
    with pytest.raises(FileError, match=r"run\.json cannot be read"):
        open_run(tmp_path / "damaged", "match", {})


def test_leftovers_of_a_killed_writer_are_removed(tmp_path):
    write_whole(tmp_path / "run" / "run.json.99.partial", b"{")
    with open_run(tmp_path / "run", "match", {}):
        assert [path.name for path in (tmp_path / "run").iterdir()] == ["run.json"]
