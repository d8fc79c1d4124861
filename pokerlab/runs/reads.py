"""Track files that foreign code (from outside the lab) reads during a computation, because the result depends on them.

Workers record every file that such code reads, and the result is saved with the digests of these files. A saved result
is reused only if all of them are unchanged.

>>> note_reads(["README.md", "no-such-file"])
>>> reads = taken_reads()
>>> reads["no-such-file"], are_unchanged(reads), taken_reads()
('missing', True, {})
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

MISSING = "missing"
_noted: set[str] = set()


def note_reads(paths: Iterable[str]) -> None:
    """Record files that were read; those in the working directory by relative path, since absolute paths differ by
    machine."""
    here = f"{Path.cwd()}{os.sep}"
    _noted.update(path.removeprefix(here) for path in paths)


def taken_reads() -> dict[str, str]:
    """Files recorded since the last call, each with its SHA-256."""
    reads = {path: _digest(path) for path in sorted(_noted)}
    _noted.clear()
    return reads


def are_unchanged(reads: Mapping[str, str]) -> bool:
    """Whether all files still have their digests; a file that could not be opened must still be missing."""
    return all(_digest(path) == digest for path, digest in reads.items())


def _digest(path: str) -> str:
    try:
        if not Path(path).is_file():
            return MISSING
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):  # not readable, or no path at all: the name is foreign code's word
        return MISSING
