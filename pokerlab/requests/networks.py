"""Count for the tables of the Bayesian networks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, Request, setting

SECONDS = {"holdem": 80.0, "stud": 60.0, "actions": 120.0}
"""What each took on one core."""


@dataclass(frozen=True, kw_only=True)
class TrainNetworks(Request):
    """Count for the tables of the Bayesian networks; by default this reproduces the shipped files byte for byte.

    It takes a minute or two for each.

    For example:

        pokerlab train networks holdem --out counts
        pokerlab train networks actions --install
    """

    kind: ClassVar[str] = "train networks"
    saves: ClassVar[Literal["always", "by default", "on request"]] = "always"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.systems.bpp.type_counts", "pokerlab.systems.bpp.action_learning")

    counted: Literal["holdem", "stud", "actions"] = setting(
        help="Hand types of hold'em or of stud, or the actions of the combinatory player with each of them.",
        positional=True,
    )
    streams: int | None = setting(
        None,
        "Number of streams of 1,048,576 random deals of hold'em or stud. Default: as in the shipped files, 32 and 64.",
        least=1,
    )
    install: bool = setting(False, "Also replace the shipped file, which the networks read.", identity=False)

    def check(self) -> None:
        if self.counted == "actions" and self.streams is not None:
            raise PokerlabError("streams applies only to holdem and stud; actions are counted over whole hands")

    @property
    def label(self) -> str:
        """The name of the counts."""
        return self.counted

    def cost(self, *, workers: int | None = None) -> Cost:
        from pokerlab.systems.bpp.type_counts import STREAMS

        share = 1.0 if self.streams is None else self.streams / STREAMS[self.counted]
        return Cost(share * SECONDS[self.counted], what=f"counts for the networks: {self.counted}")

    def compute(self, place: Place) -> Answer:
        from pokerlab.systems.bpp import action_learning, action_types, type_counts

        assert place.path is not None, "counts are always saved"
        report = place.report(f"counting {self.counted}")
        if self.counted == "actions":
            shipped = action_types.PATH
            path = action_learning.write_action_counts(place.path / shipped.name, report)
        else:
            shipped = type_counts.counts_path(self.counted)
            path = type_counts.write_counts(self.counted, place.path, report, n_streams=self.streams)
        written: tuple[Path, ...] = (path,)
        if self.install:
            shipped.write_bytes(path.read_bytes())
            written = (path, shipped)
        return Answer(data={"counted": self.counted, "file": path.name}, result=path, files=written)
