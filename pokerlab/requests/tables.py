"""Compute tables that are shipped or cached: hand strength by street, all-ins before the flop, and representative
flops."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from pokerlab import __version__
from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.cards import flop_equities, matchups, strength_tables
from pokerlab.cards.card import cards_text
from pokerlab.cards.flop_libraries import SIZES, flop_library, libraries_text
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, Request, setting

if TYPE_CHECKING:
    from pokerlab.cards.flop_selection import Flops, MeanErrors

LIBRARIES = "flop_libraries.json"


@dataclass(frozen=True, kw_only=True)
class BuildTable(
    Request, kind="tables build", named_by="street", saves="on request", code=("pokerlab.cards.strength_tables",)
):
    """Build a strength table and save it in the cache directory or in another one; an interrupted build is resumed.

    For example:

        pokerlab tables build --dry-run
        pokerlab tables build
        pokerlab tables build --street flop --out runs/flop
    """

    street: Literal["flop", "turn"] = setting("turn", "turn builds the optional table, flop the one that ships.")
    threads: int | None = setting(None, identity=False, least=1)

    def _path(self, directory: Path | None) -> Path:
        usual = strength_tables.table_path(self.street)
        return usual if directory is None else directory / usual.name

    def cost(self, *, workers: int | None = None) -> Cost:
        return self.cost_in(None)

    def cost_in(self, path: Path | None, *, workers: int | None = None) -> Cost:
        """Estimate the cost: the table's size, and the usual time to build it."""
        size, file = strength_tables.table_bytes(self.street), self._path(path)
        about = {"street": self.street, "bytes": size, "file": str(file)}
        seconds = strength_tables.build_seconds(self.street, self.threads)
        return Cost(seconds, disk=size, counts=about, what=f"the strength table of the {self.street}, to {file}")

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
class BuildMatchups(Request, kind="matchups", saves="always", code=("pokerlab.cards.matchups",)):
    """Recompute the shipped table of preflop all-ins; it is written to matchups.bin in the run directory."""

    @property
    def label(self) -> str:
        """Name of the table."""
        return "holdem"

    def cost(self, *, workers: int | None = None) -> Cost:
        return Cost(60.0, disk=375_424, what="all-ins before the flop")

    def compute(self, place: Place) -> Answer:
        assert place.path is not None, "matchups are always saved"
        path = place.path / "matchups.bin"
        if not path.exists():
            matchups.build(path)
        return Answer("all-ins before the flop", lines=(f"wrote {path}",), data={"file": path.name}, result=path)


@dataclass(frozen=True, kw_only=True)
class MeasureFlops(Request, kind="tables flops", saves="on request", code=("pokerlab.cards.flop_selection", __name__)):
    """Measure how well the libraries of 23, 49, 95 and 184 flops represent all flops, compared with random sets of
    flops.

    For example:

        pokerlab tables flops
        pokerlab tables flops --choose --out runs/flops
    """

    choose: bool = setting(False, "Choose flops and weights anew, and save them in --out as flop_libraries.json.")
    random_sets: int = setting(100, "Number of random sets of flops for comparison with each library.", least=1)
    seed: int = setting(7, least=0)

    @property
    def label(self) -> str:
        return "flops"

    def cost(self, *, workers: int | None = None) -> Cost:
        return Cost(180.0 if self.choose else 60.0, memory=700_000_000, what="equities on all flops")

    def compute(self, place: Place) -> Answer:
        from pokerlab.cards.flop_selection import Flops

        flops = Flops(flop_equities.flop_equities(place.report("boards")))
        libraries = _chosen(flops, place) if self.choose else {size: _shipped(flops, size) for size in SIZES}
        rows: list[tuple[Cell, ...]] = []
        data = {}
        for size, (places, weights) in libraries.items():
            kept, random = flops.kept(places, weights), flops.random_sets(size, self.random_sets, seed=self.seed)
            mean = type(kept)(*np.mean(random, axis=0).tolist())
            rows += [_row(f"library, {size}", kept), _row(f"random, {size}", mean)]
            data[str(size)] = {"library": kept._asdict(), "random": mean._asdict()}
        columns = ("flops", "random", "most", "classes", "textures", "E[HS^2]")
        lines = (
            "random: equity of the 169 classes against a random hand, root mean square of the errors and the largest, "
            "in percent",
            "classes: equity of class against class; textures: largest error of a frequency, in percent of all flops",
            "E[HS^2]: expected square of the final strength by class, which the choice does not look at",
            f"random flops: mean over {self.random_sets} sets, all flops of a set with equal weight",
        )
        return Answer(
            "means over flops beside those over all 22,100",
            (AnswerTable(columns, tuple(rows)),),
            lines if place.path is None or not self.choose else (*lines, f"wrote {place.path / LIBRARIES}"),
            {"errors": data, "random_sets": self.random_sets},
            result=libraries,
        )


def _row(name: str, kept: MeanErrors) -> tuple[Cell, ...]:
    return (name, *(f"{error:.2f}" for error in kept))


def _shipped(flops: Flops, size: int) -> tuple[list[int], list[int]]:
    """Return (rows, weights) of a shipped library."""
    row_of = {tuple(sorted(flop)): row for row, flop in enumerate(flops.equities.flops.tolist())}
    library = flop_library(size)
    return [row_of[tuple(sorted(flop))] for flop in library], list(library.values())


def _chosen(flops: Flops, place: Place) -> dict[int, tuple[list[int], list[int]]]:
    """Choose each library anew, and write it to the run directory. Return (rows, weights) by size."""
    from pokerlab.cards.flop_selection import choose, whole_weights

    sets = choose(flops.products, SIZES, place.report("flops chosen"))
    libraries = {len(rows): (rows, whole_weights(weights).tolist()) for rows, weights in sets}
    if place.directory is not None:
        about = {"version": __version__, "command": "pokerlab tables flops --choose"}
        names = [cards_text(flop) for flop in flops.equities.flops]
        named = {size: {names[row]: n for row, n in zip(*both, strict=True)} for size, both in libraries.items()}
        place.directory.write(LIBRARIES, libraries_text(about, named).encode())
    return libraries
