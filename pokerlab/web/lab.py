"""The documented results of experiments as data for pages: published numbers beside ours, and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pokerlab.errors import FileError, PokerlabError
from pokerlab.experiments.results import Result, compared


class Results:
    """The results that `pokerlab reproduce` saved in `folder`, by experiment."""

    def __init__(self, folder: Path) -> None:
        self._paths = {path.stem: path for path in sorted(folder.glob("*.json"))} if folder.is_dir() else {}

    def listed(self) -> list[dict[str, Any]]:
        """Name, title and citation of every result; unreadable files are skipped."""
        rows = []
        for name in self._paths:
            try:
                result = Result.read(self._paths[name])
            except FileError:
                continue
            rows.append({"name": name, "title": result.title, "cites": result.cites})
        return rows

    def page(self, name: str) -> dict[str, Any]:
        """One result, with the published numbers beside ours in every section."""
        result = Result.read(self._path(name))
        return {
            "name": name,
            "title": result.title,
            "cites": result.cites,
            "about": result.about,
            "notes": list(result.ours.notes),
            "command": result.command,
            "made": list(result.made.values()),
            "picture": self._picture(name) is not None,
            "sections": [section._asdict() for section in compared(result)],
        }

    def picture(self, name: str) -> bytes:
        """Picture of a result, as SVG."""
        self._path(name)
        path = self._picture(name)
        if path is None:
            raise PokerlabError(f"{name} has no picture")
        return path.read_bytes()

    def _path(self, name: str) -> Path:
        if name not in self._paths:
            raise PokerlabError(f"there is no result called {name[:60]!r}")
        return self._paths[name]

    def _picture(self, name: str) -> Path | None:
        path = self._paths[name].with_suffix(".svg")
        return path if path.is_file() else None
