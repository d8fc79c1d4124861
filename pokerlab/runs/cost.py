"""The cost of a computation, as reported by `--dry-run`, and the resources of this machine.

>>> print(Cost(seconds=150.0, memory=12_000_000, disk=None))
about 2.5 min, 12 MB of memory
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pokerlab.errors import PokerlabError

RateSource: TypeAlias = Literal["stored", "tried", "usual"]
"""Where a speed comes from: an earlier run here, a trial for this estimate, or measurements on another machine."""

RATE_WORDS = {
    "stored": "at the rate of the last such run here",
    "usual": "at a usual rate: none was measured here yet",
}


@dataclass(frozen=True)
class Cost:
    """An estimate of cost; unknown values are None. `counts` are the numbers it is based on, such as hands or pairs."""

    seconds: float | None
    memory: int | None = None  # bytes
    disk: int | None = None  # bytes of disk space
    counts: Mapping[str, Any] = field(default_factory=dict)
    what: str = ""  # what would be done, in words
    rate: RateSource | None = None  # where the speed comes from, if `seconds` depends on this machine

    def data(self) -> dict[str, Any]:
        rate = {} if self.rate is None else {"rate": self.rate}
        return {**self.counts, "seconds": self.seconds, "memory_bytes": self.memory, "disk_bytes": self.disk, **rate}

    def __str__(self) -> str:
        parts = ["an unknown time" if self.seconds is None else f"about {duration(self.seconds)}"]
        if (tried := self.counts.get("pairs_tried")) is not None:
            parts[0] += f" (by a smaller game of {tried:,} pairs)" if tried else " (too large to try)"
        if self.seconds is not None and self.rate in RATE_WORDS:
            parts[0] += f" ({RATE_WORDS[self.rate]})"
        parts += [] if self.memory is None else [f"{self.memory / 1e6:,.0f} MB of memory"]
        parts += [] if self.disk is None else [f"{self.disk / 1e6:,.1f} MB on disk"]
        return ", ".join(parts)


def in_turn(costs: Sequence[Cost]) -> Cost:
    """Cost of computations run one after the other: time and disk space add up; memory is the largest of them.

    >>> print(in_turn([Cost(8.0, 1_000_000, 500_000), Cost(20.0, 3_000_000, 500_000)]))
    about 28 s, 3 MB of memory, 1.0 MB on disk
    """
    seconds, memory, disk = zip(*((each.seconds, each.memory, each.disk) for each in costs), strict=True)
    rates = [each.rate for each in costs]
    return Cost(
        None if None in seconds else sum(seconds),
        None if None in memory else max(memory),
        None if None in disk else sum(disk),
        rate="usual" if "usual" in rates else rates[0],
    )


def duration(seconds: float) -> str:
    """Format a time in seconds as readable text.

    >>> duration(8.2), duration(150), duration(9000)
    ('8 s', '2.5 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def check_memory(what: str, needed: float, free: float, advice: str) -> None:
    """Refuse a computation that takes more memory than is free, before it allocates any; all in bytes.

    >>> check_memory("training", 9e9, 4e9, "take fewer cells")
    Traceback (most recent call last):
        ...
    pokerlab.errors.PokerlabError: training takes about 9.0 GB of memory, and 4.0 GB are free; take fewer cells
    """
    if needed > free:
        raise PokerlabError(
            f"{what} takes about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free; {advice}"
        )


def usable_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def peak_memory() -> int:
    """Peak memory of this process so far in bytes, including libraries and compiled code.

    >>> peak_memory() > 10_000_000
    True
    """
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most  # macOS counts bytes, Linux kibibytes


def device_memory(name: str = "bytes_limit") -> int | None:
    """A number that JAX reports about its device's memory, in bytes (`bytes_limit`, `peak_bytes_in_use`); None on a
    CPU."""
    import jax

    figures = jax.devices()[0].memory_stats() or {}
    return figures.get(name)


def device_or_available_memory() -> int:
    """Bytes of memory that a computation in JAX may use: the GPU's, if there is one, otherwise this machine's."""
    limit = device_memory()
    return available_memory() if limit is None else limit - (device_memory("bytes_in_use") or 0)


def available_memory() -> int:
    """Bytes of memory available without swapping, limited by the system and by the container, if any.

    >>> available_memory() > 0
    True
    """
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        found += [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable")]
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        found += [int(limit) - used] if limit.isdigit() else []
    except (OSError, ValueError):
        pass  # not Linux, or no such limit
    return max(0, min(found))
