"""Start child processes that leave stdout and Ctrl-C to the parent and end when it ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from io import TextIOWrapper
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

SECRETS = ("POKERLAB_CHAT_KEY", "POKERLAB_PASSPHRASE")
"""Environment variables that code from outside the lab does not get."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def started(
    target: Callable[..., None], *arguments: Any, preloaded: Sequence[str] = ()
) -> tuple[BaseProcess, Connection]:
    """Start a process that calls `target` with a pipe end and `arguments`. Return (process, our end of the pipe).

    `target` should call `begin_apart` first. If modules are `preloaded`, the process is forked from a server that has
    imported only them, which takes milliseconds instead of a second.
    """
    context: Any = get_context("forkserver" if preloaded else "spawn")
    if preloaded:
        context.set_forkserver_preload(list(preloaded))
    ours, theirs = context.Pipe()
    with one_thread_each(), _without_main() if preloaded else nullcontext():
        process = context.Process(target=target, args=(theirs, *arguments), daemon=True, name="pokerlab worker")
        process.start()
    theirs.close()
    return process, ours


@contextmanager
def _without_main() -> Iterator[None]:
    """Context in which new processes neither run the program's main script again nor see its contents."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def begin_apart(*, leads: bool = False) -> None:
    """Prepare a child process: leave Ctrl-C and stdout to the parent, and end when the parent ends. The child may start
    processes of its own, such as those of agents, which end with it. If it `leads` a process group, as for code from
    outside the lab, all programs it started end with it too, and our secrets are removed from its environment."""
    if leads:
        os.setsid()
        for name in SECRETS:
            os.environ.pop(name, None)
    current_process()._config["daemon"] = False  # type: ignore[attr-defined] # daemons may not start processes
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    os.dup2(2, 1)  # stdout is for the answer, which the parent prints
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # the process may be ended before it would flush
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process as soon as its parent has ended, since its result would have no receiver."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def end_group(process: BaseProcess) -> None:
    """End a process and, if it leads a process group, all programs in the group."""
    with suppress(OSError):  # the process leads no group yet, or the group has ended
        os.killpg(process.pid or 0, signal.SIGKILL)
    process.kill()
    process.join()


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Context in which new processes use one thread for matrix products and kernels, unless the environment sets a
    number."""
    missing: Mapping[str, str] = {name: "1" for name in _THREADS if name not in os.environ}
    os.environ.update(missing)
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]


def cause_of_end(process: BaseProcess) -> str:
    """Describe why a process ended: by which signal or with which exit status."""
    process.join()
    status = process.exitcode or 0
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
