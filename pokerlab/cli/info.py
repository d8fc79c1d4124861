"""`pokerlab info`."""

from __future__ import annotations

from pokerlab.cli.output import Json, console, print_json

LIBRARIES = ("numpy", "scipy", "numba", "cyclopts", "rich", "matplotlib")
EXTRAS = {
    "peers": ("eval7", "open-spiel", "phevaluator", "pokerkit", "treys"),
    "dev": ("hypothesis", "import-linter", "mypy", "pytest", "pytest-xdist", "ruff"),
}


def info(*, as_json: Json = False) -> None:
    """Versions, cache directory, tables and extras of this installation: what to send with a bug report.

    For example:

        pokerlab info
        pokerlab info --json
    """
    import os
    import platform

    from pokerlab import __version__
    from pokerlab.files import cache_directory

    answer = {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "libraries": {name: _version(name) for name in LIBRARIES},
        "extras": {extra: {name: _version(name) for name in names} for extra, names in EXTRAS.items()},
        "cache": str(cache_directory()),
    }
    if as_json:
        print_json(answer)
        return
    out = console()
    out.print(f"[bold]pokerlab {__version__}[/] on Python {answer['python']}, {answer['platform']}")
    out.print(f"cpu        {answer['cpu']}, {answer['cores']} usable cores")
    out.print("libraries  " + ", ".join(f"{name} {_version(name)}" for name in LIBRARIES))
    for extra, names in EXTRAS.items():
        out.print(f"extra      {extra}: " + ", ".join(f"{name} {_version(name) or 'missing'}" for name in names))
    out.print(f"cache      {answer['cache']}")


def _version(distribution: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """The processor's name, where the system tells."""
    import platform
    from pathlib import Path

    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
