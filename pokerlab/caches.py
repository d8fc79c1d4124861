"""The cache between runs: tables, compiled kernels and compiled programs."""

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
    """The directory in the environment variable POKERLAB_CACHE; if it is not set, the platform's cache directory."""
    if override := os.environ.get("POKERLAB_CACHE"):
        return Path(override)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pokerlab"


def keep_kernels_by_content() -> None:
    """Make Numba cache compiled kernels in a directory named after the text of all kernel files and `NUMBA_OPT`.

    Numba checks only the file of a kernel, not the kernels that it calls in other files; after an edit it could run
    outdated machine code. Nor does it check how much it was told to optimize. A `NUMBA_CACHE_DIR` in the environment is
    respected.
    """
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    digest = hashlib.blake2b(os.environ.get("NUMBA_OPT", "").encode(), digest_size=8)
    for file in sorted(Path(__file__).parent.rglob("_*_numba.py")):
        digest.update(file.read_bytes())
    os.environ["NUMBA_CACHE_DIR"] = str(cache_directory() / "numba" / digest.hexdigest())


class compiled:  # noqa: N801 - used like a function
    """A module of compiled code that is imported only when one of its names is first used. Importing Numba takes most
    of a second; a question that needs no kernel does not wait for it.

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
    """Whether the kernels of a file (`_x_numba`) or one of them (`_x_numba.kernel`) are in the cache, so that calling
    them requires little compilation."""
    keep_kernels_by_content()
    return any(Path(os.environ["NUMBA_CACHE_DIR"]).glob(f"*/{kernels}[.-]*.nbi"))


class WouldCompileError(BaseException):
    """Raised if a kernel that is not in the cache is called where nothing may be compiled. It is not a subclass of
    `Exception`, so that players and solvers do not treat it as a failure of their own."""


@contextmanager
def compiling_nothing() -> Iterator[None]:
    """Context in which a kernel that this thread would have to compile raises `WouldCompileError` instead. Work done
    there does not count in `may_run_uncompiled`."""
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
    """Whether to do work of about `seconds` seconds in Python and NumPy: yes as long as a process has done little of
    it. So first questions need no compilation, and a long run soon uses compiled code.

    This decides for everything that has both a kernel and a twin without one, except where the choice is part of a
    result that can be resumed (`solvers.subgames.small_river`). Both give the same counts; sums of weights may differ
    in their last bits. For work that may take a second or more, `kernels` names its kernels as in `are_compiled`. If
    these are not compiled although others are, the work may take as long as compiling them.
    """
    global _left
    if not _is_within_budget(seconds, kernels):
        return False
    assert _left is not None
    _left -= seconds
    return True


def seconds_by(plain: float, compiled: float, kernels: str) -> float:
    """Estimated seconds, including compilation, of work that takes `plain` seconds in NumPy and `compiled` seconds in
    `kernels`, done in the way that `may_run_uncompiled` would choose."""
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
    """Make this process compile what it needs, however little work it has, and choose methods as if everything were
    compiled; for benchmarks and warm-ups, which should use the methods of later runs."""
    global _left
    _left = -inf


def keep_jax_programs() -> None:
    """Make JAX cache programs that take a second or more to compile, unless a cache is already configured."""
    import jax

    config: Any = jax.config
    if config.jax_compilation_cache_dir is None:
        config.update("jax_compilation_cache_dir", str(cache_directory() / "jax"))
