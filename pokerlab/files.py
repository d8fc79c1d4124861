"""The container format of all binary pokerlab files: magic bytes, version, description, arrays, checksums.

Layout: 8 bytes magic, little-endian u32 format version, u32 header length, UTF-8 JSON header, padding to 64 bytes, then
each array's raw little-endian bytes, each aligned to 64 bytes. The header has `kind` (the type of file), `about` (the
game and the command that made the file), the name, dtype, shape, offset and SHA-256 of each array, and the SHA-256 of
the header itself without this last entry.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import AnyArray
from pokerlab.errors import FileError, PokerlabError

MAGIC = b"POKERLAB"
VERSION = 1
ALIGN = 64
PICTURES = (".png", ".svg", ".pdf")


def check_picture(path: Path) -> None:
    """Refuse an unsupported picture format, before any work is done for it."""
    if path.suffix.lower() not in PICTURES:
        raise FileError(f"{path}: a picture ends in {', '.join(PICTURES)}")


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done for it; its directory is created if missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(f"{path} cannot be written")


def _aligned(offset: int) -> int:
    return -(-offset // ALIGN) * ALIGN


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def write_arrays(path: Path, kind: str, about: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
    """Write `arrays` to `path` atomically."""
    entries, blobs, offset = [], [], 0
    for name, array in arrays.items():
        little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        blobs.append((offset, little))
        digest = hashlib.sha256(little.data.cast("B") if little.size else b"").hexdigest()
        shape = list(np.shape(array))
        entries.append({"name": name, "dtype": little.dtype.str, "shape": shape, "offset": offset, "sha256": digest})
        offset = _aligned(offset + little.nbytes)
    content = json.loads(
        json.dumps({"kind": kind, "about": dict(about), "arrays": entries})
    )  # as the reader will see it
    header = json.dumps({**content, "sha256": _digest(content)}, sort_keys=True).encode()
    start = _aligned(16 + len(header))
    with _becoming(path) as partial, partial.open("wb") as out:
        out.write(MAGIC + VERSION.to_bytes(4, "little") + len(header).to_bytes(4, "little") + header)
        for at, little in blobs:
            out.seek(start + at)
            out.write(little.data.cast("B") if little.size else b"")  # no copy: arrays may fill half of the memory
        out.truncate(start + offset)


def write_whole(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write `content` to `path` atomically. A `private` file can be read only by its owner."""
    with _becoming(path) as partial:
        partial.touch(0o600 if private else 0o666)
        partial.write_bytes(content)


@contextmanager
def _becoming(path: Path) -> Iterator[Path]:
    """Context with a temporary file that is renamed to `path` at the end; on failure it is removed, and the error names
    `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(path)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        if isinstance(error, OSError):  # the error of a full disk has no file name
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def json_of(text: str | bytes) -> Any:
    """Parse JSON. Any mistake in it raises a `ValueError`, even brackets that are nested too deeply.

    >>> json_of("[1, 2]")
    [1, 2]
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None


def is_a_file(path: Path) -> bool:
    """Whether `path` is a file; False for names too long for a file name."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_a_folder(path: Path) -> bool:
    """Whether `path` is a directory; False for names too long for a file name."""
    try:
        return path.is_dir()
    except OSError:
        return False


def read_header(path: Path, kind: str) -> tuple[dict[str, Any], int]:
    """Return the JSON header of `path` and the offset of its data; refuses files of another kind or version."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
            header = file.read(int.from_bytes(head[12:16], "little")) if len(head) == 16 else b""
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from error
    if head[:8] != MAGIC:
        raise FileError(f"{path} is not a pokerlab file (it does not begin with {MAGIC.decode()})")
    version = int.from_bytes(head[8:12], "little")
    if version != VERSION:
        raise FileError(f"{path} has format version {version}; this pokerlab reads version {VERSION}")
    try:
        content: dict[str, Any] = json_of(header)
    except ValueError as error:
        raise FileError(f"{path} is damaged: its header cannot be read") from error
    # Older files have no checksum of the header and are read without one.
    if not isinstance(content, dict) or content.pop("sha256", None) not in (None, _digest(content)):
        raise FileError(f"{path} is damaged: the checksum of its header does not match")
    if content.get("kind") != kind:
        raise FileError(f"{path} holds {content.get('kind')!r}, not {kind!r}")
    return content, _aligned(16 + len(header))


def read_arrays(path: Path, kind: str, *, verify: bool = True) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Read a file written by `write_arrays`: (`about`, arrays by name), memory-mapped and read-only.

    `verify` compares every array with its SHA-256, which reads the whole file once.
    """
    content, start = read_header(path, kind)
    with well_formed(path):
        return content["about"], {entry["name"]: _array(path, entry, start, verify) for entry in content["arrays"]}


def _array(path: Path, entry: dict[str, Any], start: int, verify: bool) -> AnyArray:
    dtype, shape, at = np.dtype(entry["dtype"]), tuple(entry["shape"]), start + entry["offset"]
    n_bytes, size = dtype.itemsize * prod(shape), path.stat().st_size
    if dtype.hasobject or min(n_bytes, at, *shape) < 0:
        raise ValueError(f"array {entry['name']} has an object dtype or a negative shape or offset")
    if at + n_bytes > size:
        raise FileError(f"{path} is truncated: {entry['name']} needs {at + n_bytes} bytes, the file has {size}")
    array = np.memmap(path, dtype=dtype, mode="r", offset=at, shape=shape) if n_bytes else np.empty(shape, dtype)
    if verify and hashlib.sha256(array.data.cast("B") if n_bytes else b"").hexdigest() != entry["sha256"]:
        raise FileError(f"{path} is damaged: the checksum of {entry['name']} does not match")
    return array


def shaped(array: AnyArray, *shape: int | None) -> AnyArray:
    """A copy of a numeric array from a file, after checking that it has the given `shape`; None allows any length.

    >>> shaped(np.zeros((2, 3)), None, 4)
    Traceback (most recent call last):
    ValueError: expected an array of numbers [any, 4], not of float64 [2, 3]
    """
    fits = array.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))
    if not fits or array.dtype.kind not in "fiu":
        expected = ", ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"expected an array of numbers [{expected}], not of {array.dtype} {list(array.shape)}")
    return np.array(array)


@contextmanager
def well_formed(path: Path) -> Iterator[None]:
    """Context that converts errors from using the header of `path`, such as missing keys and wrong types, to one
    `FileError`.

    >>> with well_formed(Path("strategy.bin")):
    ...     {}["rules"]
    Traceback (most recent call last):
    pokerlab.errors.FileError: strategy.bin is damaged: its header cannot be used (KeyError: 'rules')
    """
    try:
        yield
    except PokerlabError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, MemoryError, SyntaxError) as error:
        raise FileError(f"{path} is damaged: its header cannot be used ({type(error).__name__}: {error})") from error
