"""Build the tables of the Bayesian networks by counting."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, Request, setting

SECONDS = {"holdem": 80.0, "stud": 60.0, "actions": 120.0, "styles": 30.0}
"""Usual seconds on one core."""


@dataclass(frozen=True, kw_only=True)
class TrainNetworks(
    Request,
    kind="train networks",
    named_by="counted",
    saves="always",
    code=("pokerlab.systems.bpp.type_counts", "pokerlab.systems.bpp.action_learning", "pokerlab.systems.bpp.styles"),
):
    """Build the tables of the Bayesian networks by counting; the defaults reproduce the shipped files byte for byte.

    Each table takes a minute or two.

    For example:

        pokerlab train networks holdem --out counts
        pokerlab train networks actions --install
    """

    counted: Literal["holdem", "stud", "actions", "styles"] = setting(
        help="What to count: hand types of hold'em or of stud, the combinatory player's actions with each type, or the "
        "actions of the aggressive, the conservative and the base hybrid.",
        positional=True,
    )
    streams: int | None = setting(
        None,
        "Number of streams of 1,048,576 random deals. Default, as in the shipped files: 32 for hold'em, 64 for stud.",
        least=1,
    )
    install: bool = setting(False, "Also replace the shipped file, which the networks read.", identity=False)

    def check(self) -> None:
        if self.counted in ("actions", "styles") and self.streams is not None:
            raise PokerlabError("streams applies only to holdem and stud; actions are counted over whole hands")

    def cost(self, *, workers: int | None = None) -> Cost:
        from pokerlab.systems.bpp.type_counts import STREAMS

        share = 1.0 if self.streams is None else self.streams / STREAMS[self.counted]
        return Cost(share * SECONDS[self.counted], what=f"counts for the networks: {self.counted}")

    def compute(self, place: Place) -> Answer:
        from pokerlab.systems.bpp import action_learning, styles, type_counts

        assert place.path is not None, "counts are always saved"
        report = place.report(f"counting {self.counted}")
        shipped = type_counts.counts_path(self.counted)
        if self.counted == "actions":
            path = action_learning.write_action_counts(place.path / shipped.name, report)
        elif self.counted == "styles":
            path = styles.write_style_counts(place.path / shipped.name)
        else:
            path = type_counts.write_counts(self.counted, place.path, report, n_streams=self.streams)
        written: tuple[Path, ...] = (path,)
        if self.install:
            shipped.write_bytes(path.read_bytes())
            written = (path, shipped)
        return Answer(data={"counted": self.counted, "file": path.name}, result=path, files=written)
