"""The cache between runs: tables, compiled kernels and programs."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from math import inf
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


class compiled:  # noqa: N801 - used like a function
    """A module of compiled code that is imported when one of its names is first used: importing Numba takes most of a
    second, which a question that needs no kernel should not wait for.

    >>> compiled("math").comb(4, 2)
    6
    """

    def __init__(self, module: str) -> None:
        self._name = module
        self._module: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._module is None:
            self._module = import_module(self._name)
        return getattr(self._module, name)


def are_compiled(kernels: str = "*") -> bool:
    """Whether kernels of a file (`_x_numba`) or one of them (`_x_numba.kernel`) are in the cache, so that calling them
    compiles little."""
    keep_kernels_by_content()
    return any(Path(os.environ["NUMBA_CACHE_DIR"]).glob(f"*/{kernels}[.-]*.nbi"))


class WouldCompileError(BaseException):
    """A kernel that is not in the cache was called where nothing may compile. It is not an `Exception`,
    so that players and solvers do not handle it as a failure of theirs."""


@contextmanager
def compiling_nothing() -> Iterator[None]:
    """Context in which a kernel that this thread would have to compile raises `WouldCompileError` instead. Work done
    there does not count for `may_run_uncompiled`."""
    global _left
    from numba.core import event

    here = threading.get_ident()

    class Refusal(event.Listener):  # type: ignore[misc, no-any-unimported, unused-ignore]
        def on_start(self, event: object) -> None:
            if threading.get_ident() == here:
                raise WouldCompileError

        def on_end(self, event: object) -> None:
            pass

    keep_kernels_by_content()
    before = _left
    try:
        with event.install_listener("numba:compile", Refusal()):
            yield
    finally:
        _left = before


UNCOMPILED_SECONDS, AFTER_COMPILING = 5.0, 1.0
"""Seconds of work that a process does without kernels: less than compiling some of them takes, or, where some are
compiled already, not much more than importing Numba and loading them."""
_left: float | None = None


def may_run_uncompiled(seconds: float, kernels: str = "") -> bool:
    """Whether to do work of about so many seconds in Python and NumPy: yes while a process has done little of it, so
    that first questions compile nothing and a long run soon uses compiled code.

    Everything that has a kernel and a twin without one decides here, except where the choice is part of a result that
    can be resumed (`solvers.subgames.small_river`). Both count the same deals; where they add up weights, sums may
    differ in their last bits. `kernels` names the kernels, as `are_compiled` does, of work that may take a second or
    more: while they are not compiled, though others are, it may take as long as compiling them.
    """
    global _left
    if not _is_within_budget(seconds, kernels):
        return False
    assert _left is not None
    _left -= seconds
    return True


def seconds_by(plain: float, compiled: float, kernels: str) -> float:
    """Estimated seconds of work that takes `plain` seconds in NumPy and `compiled` seconds in `kernels`, in the way
    that `may_run_uncompiled` would choose, compiling included."""
    if _is_within_budget(plain, kernels):
        return plain
    return compiled if _left == -inf or are_compiled(kernels) else compiled + UNCOMPILED_SECONDS


def _is_within_budget(seconds: float, kernels: str) -> bool:
    global _left
    if _left is None:
        _left = AFTER_COMPILING if are_compiled() else UNCOMPILED_SECONDS
    if seconds <= _left:
        return True
    return _left > 0 and seconds <= UNCOMPILED_SECONDS and bool(kernels) and not are_compiled(kernels)


def compile_now() -> None:
    """Have this process compile what it needs, however little work it has, and choose its ways as if all of them were
    compiled: a benchmark or a warm-up shall take the way of later runs."""
    global _left
    _left = -inf


def keep_jax_programs() -> None:
    """Have JAX cache programs that take a second or more to compile, unless a cache is configured already."""
    import jax

    config: Any = jax.config
    if config.jax_compilation_cache_dir is None:
        config.update("jax_compilation_cache_dir", str(cache_directory() / "jax"))
