"""The run directory: what is refused, one at a time, and what a killed writer leaves."""

import json
import threading
from contextlib import suppress

import pytest

from pokerlab import __version__
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import write_whole
from pokerlab.runs import directory
from pokerlab.runs.directory import directory_for, open_run


def test_a_changed_request_is_refused_in_one_line(tmp_path):
    open_run(tmp_path / "run", "match", {"hands": 10, "seed": 1}).__exit__(None, None, None)
    with pytest.raises(PokerlabError) as caught:
        open_run(tmp_path / "run", "match", {"hands": 20, "seed": 1})
    assert "holds another run (hands was 10, now 20)" in str(caught.value)
    with pytest.raises(PokerlabError, match="holds a run of 'match', not of 'tournament'"):
        open_run(tmp_path / "run", "tournament", {"hands": 10, "seed": 1})


def test_one_at_a_time_in_a_directory(tmp_path):
    with open_run(tmp_path / "run", "match", {}), pytest.raises(PokerlabError, match="is in use by another pokerlab"):
        open_run(tmp_path / "run", "match", {})
    with open_run(tmp_path / "run", "match", {}) as run:
        assert run.path == tmp_path / "run"


def test_of_two_that_begin_together_one_is_refused(tmp_path, monkeypatch):
    """Both find no run there; whoever is later must not put another run.json in place of the one that is locked."""
    both, opened, refused = threading.Barrier(2), [], []

    def write_together(path, content):
        with suppress(threading.BrokenBarrierError):
            both.wait(timeout=0.3)
        write_whole(path, content)

    def begin():
        try:
            opened.append(open_run(tmp_path / "run", "match", {}))
        except PokerlabError as error:
            refused.append(str(error))

    monkeypatch.setattr(directory, "write_whole", write_together)
    threads = [threading.Thread(target=begin) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 1 and "is in use by another pokerlab" in refused[0]
    opened[0].__exit__(None, None, None)


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


def test_of_a_run_that_is_refused_nothing_is_left_unless_something_was_made(tmp_path):
    with pytest.raises(PokerlabError, match="no such model"), open_run(tmp_path / "run", "fit", {"model": "a"}):
        raise PokerlabError("no such model")
    assert not list(tmp_path.iterdir())
    with pytest.raises(PokerlabError), open_run(tmp_path / "run", "fit", {"model": "b"}) as run:
        run.write("part.bin", b"kept")
        raise PokerlabError("stopped half-way")
    with pytest.raises(KeyboardInterrupt), open_run(tmp_path / "other", "fit", {}):
        raise KeyboardInterrupt
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["part.bin", "run.json", "run.json"]


def test_a_run_of_other_code_is_refused_and_the_default_place_is_another(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "directory_work.py").write_text("x = 1\n")
    asked = ("match", {"hands": 10})
    places = [directory_for("match", "leduc", {"hands": 10}, code=["directory_work"])]
    with open_run(tmp_path / "run", *asked, code=["directory_work"]):
        pass
    with open_run(tmp_path / "run", *asked, code=["directory_work"]) as run:
        first = json.loads((run.path / "run.json").read_text())["code"]
    (tmp_path / "directory_work.py").write_text("x = 2\n")
    places.append(directory_for("match", "leduc", {"hands": 10}, code=["directory_work"]))
    with pytest.raises(PokerlabError) as caught:
        open_run(tmp_path / "run", *asked, code=["directory_work"])
    line = str(caught.value)
    assert f"{tmp_path / 'run'} was made by other code (pokerlab {__version__}, digest {first}; here " in line
    assert line.endswith("name another directory, or remove it to start again") and "\n" not in line
    assert places[0] != places[1]
    write_whole(tmp_path / "old" / "run.json", b'{"kind": "match", "version": "0.1.0", "config": {"hands": 10}}')
    with pytest.raises(PokerlabError, match=r"was made by other code \(pokerlab 0\.1\.0, digest None; here"):
        open_run(tmp_path / "old", *asked)
