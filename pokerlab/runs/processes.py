"""Start processes that leave stdout and interrupts to the process that started them, and end with it."""

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
    """(new process that calls `target` with its end of a pipe and `arguments`, our end of the pipe).

    `target` should call `begin_apart` first. With `preloaded` modules the process is forked from a server that has
    imported them and nothing else, which takes milliseconds instead of a second.
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
    """Processes started inside neither run the program's main script again nor see its contents."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def begin_apart(*, leads: bool = False) -> None:
    """Leave interrupts and stdout to the parent process, and end when it ends. The process may start others, such
    as those of agents, which end with it in the same way. One that `leads` a group, for code from outside the lab, ends
    with all programs it has started, and our secrets are removed from its environment."""
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
    """End this process when its parent has ended: nothing would receive the result."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def end_group(process: BaseProcess) -> None:
    """End a process that may lead a group, and all programs in the group."""
    with suppress(OSError):  # it leads none yet, or none is left
        os.killpg(process.pid or 0, signal.SIGKILL)
    process.kill()
    process.join()


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Processes started inside use one thread for products and kernels, unless the environment says otherwise."""
    missing: Mapping[str, str] = {name: "1" for name in _THREADS if name not in os.environ}
    os.environ.update(missing)
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]


def cause_of_end(process: BaseProcess) -> str:
    """The reason why a process has ended."""
    process.join()
    status = process.exitcode or 0
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
