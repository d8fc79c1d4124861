"""The journal of a live table: an append-only file from which the table is restored.

The first line has the kind of file, its version and the table's settings; each further line is one event, `[hand, what,
..]`. Every line begins with the CRC-32 (a checksum) of its rest. So a last line that was cut off by a crash is
recognised and dropped, and a line that was changed is an error. Cards are not saved, since they follow from the seed.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as where:
...     journal = Journal.begin(Path(where) / "table.journal", {"game": "leduc"})
...     journal.add([0, "c"])
...     read_journal(journal.path)
({'game': 'leduc'}, [[0, 'c']])
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from pokerlab.errors import FileError
from pokerlab.files import json_of

KIND, VERSION = "pokerlab table", 2


class Journal:
    """An open journal; `begin` creates one, `go_on` opens an existing one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND)

    @classmethod
    def begin(cls, path: Path, about: Mapping[str, Any]) -> Journal:
        """Create a journal. Only its owner can read the file, since it contains the seed and the seats' tokens."""
        with _write_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            journal = cls(path)
        journal.add({"kind": KIND, "version": VERSION, "about": dict(about)})
        return journal

    @classmethod
    def go_on(cls, path: Path) -> Journal:
        """Open an existing journal, and drop an incomplete last line."""
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(path, whole)
        return cls(path)

    def add(self, entry: Sequence[Any] | Mapping[str, Any]) -> None:
        """Add one line, with a single system call, so that only the last line of a file can ever be incomplete.

        If it cannot be written, for example because the disk is full, the file stays unchanged and a FileError is
        raised.
        """
        text = json.dumps(entry, separators=(",", ":")).encode()
        line = b"%08x %s\n" % (crc32(text), text)
        with _write_errors():
            if (written := os.write(self._file, line)) < len(line):
                os.ftruncate(self._file, os.fstat(self._file).st_size - written)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def close(self) -> None:
        """Close the file. Adding a line afterwards, as an agent that is still deciding might do, is an error."""
        # so that a late write cannot go to another file that gets the same descriptor
        closed, self._file = self._file, -1
        os.close(closed)


@contextmanager
def _write_errors() -> Iterator[None]:
    """Context that turns an `OSError` into one line. It omits the path, since people at the table read it."""
    try:
        yield
    except OSError as error:
        raise FileError(f"the table's journal cannot be written: {error.strerror}") from error


def read_journal(path: Path) -> tuple[dict[str, Any], list[list[Any]]]:
    """Return (settings of the table, all events)."""
    lines = _lines(path)
    head = next(lines, None)
    if not isinstance(head, dict) or head.get("kind") != KIND:
        raise FileError(f"{path} is not the journal of a table")
    if head.get("version") != VERSION:
        raise FileError(f"{path} has version {head.get('version')}; this pokerlab reads version {VERSION}")
    return head["about"], list(lines)


def _lines(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # the last line, incomplete after a crash
            digest, _, text = line.rstrip(b"\n").partition(b" ")
            if digest != b"%08x" % crc32(text):
                raise FileError(f"{path} is damaged: line {number} does not match its checksum")
            yield json_of(text)
