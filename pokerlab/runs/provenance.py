"""Record where, when and with which code a result was made.

>>> sorted(made_here())
['code', 'date', 'hardware']
"""

from __future__ import annotations

import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from pokerlab import __version__
from pokerlab.runs.code import package_digest
from pokerlab.runs.cost import usable_cores

_CHECKOUT = Path(__file__).parents[2]


def made_here() -> dict[str, str]:
    """Return the `code` (a commit, if pokerlab is a checkout), the `date` (UTC) and the `hardware` as text."""
    return {"code": _code(), "date": datetime.now(UTC).strftime("%Y-%m-%d"), "hardware": _hardware()}


def _code() -> str:
    """The commit as text, plus "and changes" if files differ from it; without a repository, the package's digest."""
    if (_CHECKOUT / ".git").exists():
        asked = ["git", "-C", str(_CHECKOUT), "describe", "--always", "--dirty= and changes", "--exclude=*"]
        try:
            found = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=10)
            return f"commit {found.stdout.strip()}"
        except (OSError, subprocess.SubprocessError):
            pass  # no git here, or a repository that it does not trust
    return f"pokerlab {__version__}, digest {package_digest()}"


def _hardware() -> str:
    """Text naming the processor, its usable cores, and the accelerators that JAX has used in this process."""
    cores = f"{usable_cores()} cores of {processor()}"
    jax = sys.modules.get("jax")
    kinds = [] if jax is None else [each.device_kind for each in jax.devices() if each.platform != "cpu"]
    return ", ".join([*(f"one {kind}" if kinds.count(kind) == 1 else kind for kind in kinds), cores])


def processor() -> str:
    """The processor's name, if the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
