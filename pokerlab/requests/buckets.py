"""Build card buckets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pokerlab.abstraction.build_buckets import BucketsConfig, build_cost, build_path
from pokerlab.answers import Answer
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place


@dataclass(frozen=True, kw_only=True)
class BuildBuckets(BucketsConfig):
    """Build card buckets and save them in the cache directory, where pokerlab finds them by name, or in another
    directory.

    An interrupted build starts again from the beginning.

    For example:

        pokerlab buckets build ir1000 --dry-run
        pokerlab buckets build ir1000
        pokerlab buckets build pr5 --boards 0 --out runs/pr5
    """

    def cost(self, *, workers: int | None = None) -> Cost:
        cost = build_cost(self.name, n_boards=self.boards or None, workers=self.threads)
        return replace(cost, what=f"building {self.name}")

    def compute(self, place: Place) -> Answer:
        path = build_path(self.name, place.path)
        if place.path is None or not path.exists():
            self.build(path, place.report(f"building {self.name}"))
        file = str(path) if place.path is None else path.name
        return Answer(
            f"{self.name}, card buckets",
            lines=(f"wrote {path.stat().st_size / 1e6:.1f} MB to {path}",),
            data={"name": self.name, "built": True, "file": file},
            result=path,
        )
