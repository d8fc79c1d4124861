"""How much memory a solver may take."""

from __future__ import annotations

import os
from pathlib import Path


def available_memory() -> int:
    """Bytes that could be had without swapping, as the system (and a container's limit) says.

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
