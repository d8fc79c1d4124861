"""`pokerlab info`: versions and paths of this installation."""

from __future__ import annotations

import re
from typing import Any

from pokerlab.answers import Answer
from pokerlab.cli.output import Json, print_answer
from pokerlab.runs.cost import usable_cores


def info(*, as_json: Json = False) -> None:
    """Print versions, cache directory, tables and extras of this installation; include them in a bug report.

    For example:

        pokerlab info
        pokerlab info --json
    """
    from pokerlab import __version__

    data = _data()
    rows = {"cpu": f"{data['cpu']}, {data['cores']} usable cores", "cache": data["cache"]}
    tables = (f"{name} {'present' if there else 'not built'}" for name, there in data["tables"].items())
    rows["tables"] = ", ".join(tables)
    for extra, versions in data["libraries"].items():
        installed = (f"{name} {version or 'missing'}" for name, version in versions.items())
        rows[extra or "libraries"] = ", ".join(installed)
    title = f"pokerlab {__version__} on Python {data['python']}, {data['platform']}"
    lines = tuple(f"{name:<10} {row}" for name, row in rows.items())
    print_answer(Answer(title, lines=lines, data=data), as_json=as_json)


def _data() -> dict[str, Any]:
    import platform

    from pokerlab.caches import cache_directory
    from pokerlab.cards.strength_tables import N_BOARD_CARDS, table_path
    from pokerlab.runs.provenance import processor

    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": processor(),
        "cores": usable_cores(),
        "cache": str(cache_directory()),
        "tables": {street: table_path(street).exists() for street in N_BOARD_CARDS},
        "libraries": _libraries(),
    }


def _libraries() -> dict[str, dict[str, str | None]]:
    """Versions of the libraries that pokerlab declares, by extra ("" for required ones); None if not installed."""
    from importlib.metadata import PackageNotFoundError, requires, version

    libraries: dict[str, dict[str, str | None]] = {}
    for line in requires("pokerlab") or ():
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        assert name, line
        try:
            installed: str | None = version(name[0])
        except PackageNotFoundError:
            installed = None
        libraries.setdefault(extra[1] if extra else "", {})[name[0]] = installed
    return libraries
