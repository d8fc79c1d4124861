"""The cache between runs: tables, compiled kernels and programs."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any


def cache_directory() -> Path:
    """`$POKERLAB_CACHE`, else the platform's cache directory."""
    if override := os.environ.get("POKERLAB_CACHE"):
        return Path(override)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pokerlab"


def keep_kernels_by_content() -> None:
    """Have Numba cache compiled kernels in a directory named after the text of all kernel files.

    Numba checks only the file of a kernel, not the kernels it calls in other files; after an edit it could run outdated
    machine code. A `NUMBA_CACHE_DIR` in the environment is respected.
    """
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(Path(__file__).parent.rglob("_*_numba.py")):
        digest.update(file.read_bytes())
    os.environ["NUMBA_CACHE_DIR"] = str(cache_directory() / "numba" / digest.hexdigest())


def keep_jax_programs() -> None:
    """Have JAX cache programs that take a second or more to compile, unless a cache is configured already."""
    import jax

    config: Any = jax.config
    if config.jax_compilation_cache_dir is None:
        config.update("jax_compilation_cache_dir", str(cache_directory() / "jax"))
