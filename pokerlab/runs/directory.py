"""A run directory stores the request, finished parts, and a lock while a process works on it.

`run.json` holds the kind of request, the settings that identify the run, the version, and a digest of the code
(`runs.code`). The same request resumes the run; a different request, or the same with different code, is refused. Files
are written atomically, so a run that was killed at any moment can be resumed. A request that is refused before it has
produced anything leaves no files behind. The contents do not depend on time, machine or number of workers, with one
exception: a run whose cards must not be predictable has a secret random seed (`run_seed`).

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as where:
...     with open_run(Path(where) / "run", "match", {"hands": 10}) as run:
...         run.write("notes.txt", b"saved")
...     open_run(Path(where) / "run", "match", {"hands": 20})
Traceback (most recent call last):
pokerlab.errors.PokerlabError: .../run holds another run (hands was 10, now 20); name another directory or remove it
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from pokerlab import __version__
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import write_whole
from pokerlab.runs.code import code_digest

SEED_FILE = "seed.json"
SECRET_SEEDS = 2**62
"""Seeds from here on are long enough to be secret; `run_seed` draws them."""


class RunDirectory:
    """An open run; `open_run` makes one."""

    def __init__(self, path: Path, lock: IO[str], made: Sequence[Path] = ()) -> None:
        self.path, self._lock, self._made = path, lock, made

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, PokerlabError):
            with suppress(OSError):
                self._forget_if_bare()
        if isinstance(error, KeyboardInterrupt):
            error.add_note(f"the same command resumes {self.path}")
        self._lock.close()

    def _forget_if_bare(self) -> None:
        """Remove the files written by `open_run` if there are no others, so that another request can use the
        directory."""
        with _one_at_a_time(self.path):
            if {entry.name for entry in self.path.iterdir()} <= {"run.json", SEED_FILE}:
                for name in ("run.json", SEED_FILE):
                    (self.path / name).unlink(missing_ok=True)
                self.path.rmdir()
                # also the folders above that were created for it, unless other files are in them
                for folder in self._made:
                    folder.rmdir()

    def write(self, name: str, content: bytes) -> None:
        """Write the file `name` (a path inside the run) atomically."""
        write_whole(self.path / name, content)


def open_run(path: Path, kind: str, config: Mapping[str, Any], *, code: Sequence[str] = ()) -> RunDirectory:
    """Start or resume the run of `config` (JSON values) in the directory `path`; `code` lists the modules it depends
    on."""
    request = {"kind": kind, "version": __version__, "code": code_digest(*code), "config": config}
    wanted = json.loads(json.dumps(request))
    about = path / "run.json"
    made = [folder for folder in path.parents if not folder.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
        with _one_at_a_time(path):  # otherwise two processes that start together would each lock their own run.json
            if not about.exists():
                if any(not entry.name.endswith(".partial") for entry in path.iterdir()):
                    raise FileError(f"{path} is not empty and holds no run.json; name another directory")
                write_whole(about, (json.dumps(wanted, indent=2, sort_keys=True) + "\n").encode())
            lock = _locked(about, path)
    except (FileExistsError, NotADirectoryError) as error:
        raise FileError(f"{path} is not a directory") from error
    try:
        _compare(lock, wanted, path)
    except BaseException:
        lock.close()
        raise
    for leftover in path.rglob("*.partial"):  # left by a process that was killed while writing
        leftover.unlink(missing_ok=True)
    return RunDirectory(path, lock, made)


def run_seed(run: RunDirectory | None) -> int:
    """Secret random seed of a run; it is drawn once and saved in the run directory, so that a resumed run uses the same
    one.

    >>> run_seed(None) >= SECRET_SEEDS
    True
    """
    drawn = SECRET_SEEDS + secrets.randbits(62)
    if run is None:
        return drawn
    if (saved := saved_seed(run.path)) is not None:
        return saved
    run.write(SEED_FILE, json.dumps({"seed": drawn}).encode())
    (run.path / SEED_FILE).chmod(0o600)
    return drawn


def saved_seed(path: Path) -> int | None:
    """The secret seed of the run in the directory `path`; None if it has none."""
    file = path / SEED_FILE
    try:
        seed = json.loads(file.read_text())["seed"]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FileError(f"{file} cannot be read; remove {path} to start again") from error
    if not isinstance(seed, int) or not SECRET_SEEDS <= seed < 2 * SECRET_SEEDS:
        raise FileError(f"{file} holds no seed of pokerlab's; remove {path} to start again")
    return seed


def directory_for(kind: str, game: str, config: Mapping[str, Any], *, code: Sequence[str] = ()) -> Path:
    """Default directory of a run: the same for the same request and code, otherwise different.

    >>> directory_for("match", "limit2p", {"hands": 10})
    PosixPath('runs/match-limit2p-...')
    """
    text = json.dumps([kind, code_digest(*code), config], sort_keys=True)
    game = re.sub(r"[^\w.-]+", "-", game)
    return Path("runs") / f"{kind}-{game}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def is_under_way(path: Path) -> bool | None:
    """Whether another process is working on the run in `path`; None if the system cannot tell. Does not lock
    the run."""
    try:
        held, number = Path("/proc/locks").read_text(), (path / "run.json").stat().st_ino
    except OSError:
        return None
    return re.search(rf"FLOCK .*:{number} ", held) is not None


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    """Context that excludes other processes from starting or ending a run in the directory `path`; waits for
    its turn."""
    import fcntl

    directory = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX)
        yield
    finally:
        os.close(directory)


def _locked(about: Path, path: Path) -> IO[str]:
    """Open and lock the file `about` of the run in `path`."""
    import fcntl

    file = about.open()
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the system releases it when the process ends
    except OSError as error:
        file.close()
        raise PokerlabError(f"{path} is in use by another pokerlab") from error
    return file


def _compare(file: IO[str], wanted: Mapping[str, Any], path: Path) -> None:
    try:
        found = json.load(file)
        old, new = found["config"], wanted["config"]
        kind = found["kind"]
        version, code = found["version"], found.get("code")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FileError(f"{path / 'run.json'} cannot be read; name another directory or remove it") from error
    if kind != wanted["kind"]:
        raise PokerlabError(f"{path} holds a run of {kind!r}, not of {wanted['kind']!r}; name another directory")
    if changed := list(_changes(old, new)):
        raise PokerlabError(f"{path} holds another run ({', '.join(changed)}); name another directory or remove it")
    if code != wanted["code"]:
        raise PokerlabError(
            f"{path} was made by other code (pokerlab {version}, digest {code}; here {__version__}, {wanted['code']}), "
            "and the rest would not fit what is there; name another directory, or remove it to start again"
        )


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], of: str = "") -> Iterator[str]:
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        if was == now:
            continue
        if isinstance(was, dict) and isinstance(now, dict) and "name" in was and was["name"] == now.get("name"):
            yield from _changes(was, now, f"{key} ")  # two games of one name: show only what differs
        else:
            yield f"{of}{key} was {_shown(was)}, now {_shown(now)}"


def _shown(value: Any) -> str:
    if isinstance(value, dict) and "name" in value:  # the rules of a game
        return str(value["name"])
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
