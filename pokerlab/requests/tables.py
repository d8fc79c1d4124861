"""Compute the tables that ship or are cached: strength of hands by street, and all-ins before the flop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from pokerlab.answers import Answer
from pokerlab.cards import matchups, strength_tables
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, Request, setting


@dataclass(frozen=True, kw_only=True)
class BuildTable(Request):
    """Build a strength table in the cache directory, or in a directory of yours; a stopped build is resumed.

    For example:

        pokerlab tables build --dry-run
        pokerlab tables build
        pokerlab tables build --street flop --out runs/flop
    """

    kind: ClassVar[str] = "tables build"
    saves: ClassVar[Literal["always", "by default", "on request"]] = "on request"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.cards.strength_tables",)

    street: Literal["flop", "turn"] = setting("turn", "turn is the optional table, flop the one that ships.")
    threads: int | None = setting(None, identity=False, least=1)

    @property
    def label(self) -> str:
        """The street."""
        return self.street

    def _path(self, directory: Path | None) -> Path:
        usual = strength_tables.table_path(self.street)
        return usual if directory is None else directory / usual.name

    def cost(self, *, workers: int | None = None) -> Cost:
        return self.cost_in(None)

    def cost_in(self, path: Path | None, *, workers: int | None = None) -> Cost:
        """The size of the table; its time is not known."""
        size, file = strength_tables.table_bytes(self.street), self._path(path)
        about = {"street": self.street, "bytes": size, "file": str(file)}
        return Cost(None, disk=size, counts=about, what=f"the strength table of the {self.street}, to {file}")

    def compute(self, place: Place) -> Answer:
        path, report = self._path(place.path), place.report(f"boards of the {self.street}")
        if place.path is None or not path.exists():
            strength_tables.build_table(self.street, path, workers=self.threads, progress=report)
        size, file = strength_tables.table_bytes(self.street), str(path) if place.path is None else path.name
        return Answer(
            f"strength by hand, {self.street}",
            lines=(f"wrote {size / 1e6:.1f} MB to {path}",),
            data={"street": self.street, "bytes": size, "built": True, "file": file},
            result=path,
        )


@dataclass(frozen=True, kw_only=True)
class BuildMatchups(Request):
    """Recompute the shipped table of all-ins before the flop, as matchups.bin of the run directory."""

    kind: ClassVar[str] = "matchups"
    saves: ClassVar[Literal["always", "by default", "on request"]] = "always"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.cards.matchups",)

    @property
    def label(self) -> str:
        """The name of the table."""
        return "holdem"

    def cost(self, *, workers: int | None = None) -> Cost:
        return Cost(60.0, disk=375_424, what="all-ins before the flop")

    def compute(self, place: Place) -> Answer:
        assert place.path is not None, "matchups are always saved"
        path = place.path / "matchups.bin"
        if not path.exists():
            matchups.build(path)
        return Answer("all-ins before the flop", lines=(f"wrote {path}",), data={"file": path.name}, result=path)
