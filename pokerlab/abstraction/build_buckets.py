"""Build card buckets by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import ClassVar, Literal

from pokerlab.abstraction.bucket_files import buckets_path, cached_path, kind_of_name, save_buckets
from pokerlab.abstraction.buckets import Buckets, Report
from pokerlab.abstraction.kmeans_buckets import build_clusters
from pokerlab.abstraction.percentile_buckets import build_percentiles
from pokerlab.abstraction.texture_buckets import build_textures
from pokerlab.errors import PokerlabError
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.request import Request, setting

N_BOARDS = 200_000
N_ALL_BOARDS = 2_554_656
SEED = 1


def build_buckets(
    name: str,
    *,
    n_boards: int | None = N_BOARDS,
    seed: int = SEED,
    workers: int | None = None,
    report: Report | None = None,
) -> Buckets:
    """Build the buckets of this name without saving them; the result does not depend on the number of workers.

    `n_boards` is the number of seeded boards over which `prN` counts percentiles and pairs; None counts every board.
    """
    kind, numbers = kind_of_name(name)
    if n_boards is not None and n_boards < 1:
        raise PokerlabError(f"buckets are counted over 1 board or more, not {n_boards}")
    if kind == "tx":
        f, t, r = numbers
        return build_textures((f, t, r), workers=workers, report=report)
    if kind == "pr":
        a, b, c, d = numbers
        return build_percentiles((a, b, c, d), n_boards=n_boards, seed=seed, workers=workers, report=report)
    return build_clusters(numbers[0], seed=seed, workers=workers, report=report)


def build_cost(name: str, *, n_boards: int | None = N_BOARDS, workers: int | None = None) -> Cost:
    """Estimate the cost of a build, from measurements on one core at 2.8 GHz (docs/adr/0012-card-buckets.md).

    >>> [round(build_cost(name, workers=1).seconds / 60, 1) for name in ("pr5", "ir100", "ir570")]
    [2.1, 3.1, 6.9]
    """
    kind, numbers = kind_of_name(name)
    threads = workers or usable_cores()
    if kind == "tx":
        seconds, memory, disk = 60.0, 1000 << 20, 200_000
    elif kind == "ir":
        seconds, memory, disk = 140 + 0.48 * numbers[0], 800 << 20, 48_300_000
    else:
        boards, matrix = N_ALL_BOARDS if n_boards is None else n_boards, prod(numbers) ** 2
        matrix *= len(set(numbers)) == 1  # pairs of cells are counted only if streets have equal parts
        seconds, memory, disk = 25 + boards * 0.5e-3, (600 << 20) + 16 * matrix * threads, 8 * matrix + 100_000
    return Cost(seconds / threads, memory, disk, {"processor_seconds": seconds})


def build_path(name: str, out: Path | None) -> Path:
    """Path of the file to build: in the directory `out` if given, otherwise in the cache. Buckets that ship with
    pokerlab can only be built with `out`."""
    if out is None and buckets_path(name) != cached_path(name):
        raise PokerlabError(f"{name} ships with pokerlab; to build it all the same, name a directory with --out DIR")
    return cached_path(name) if out is None else out / f"{name}.bin"


def command(name: str, *, n_boards: int | None, seed: int) -> str:
    """The command line that builds these buckets again."""
    kind = kind_of_name(name)[0]
    boards = f" --boards {n_boards or 0}" if kind == "pr" else ""
    seeded = f" --seed {seed}" if kind == "ir" or (kind == "pr" and n_boards) else ""
    out = "" if buckets_path(name) == cached_path(name) else " --out DIR"
    return f"pokerlab buckets build {name}{boards}{seeded}{out}"


@dataclass(frozen=True, kw_only=True)
class BucketsConfig(Request):
    """Settings of `build_buckets`."""

    kind: ClassVar[str] = "buckets build"
    saves: ClassVar[Literal["always", "by default", "on request"]] = "on request"
    code: ClassVar[tuple[str, ...]] = (__name__,)

    name: str = setting(
        help="Buckets to build: pr2 .. pr10, ir2 .. ir1981, prA-B-C-D (A .. D parts by street) or txF-T-R (parts of "
        "each texture on flop, turn and river)",
        positional=True,
    )
    boards: int = setting(N_BOARDS, "Only for prN: boards used to count percentiles; 0 uses every board.", least=0)
    seed: int = setting(7, "It determines the boards (prN), or the sample of hands for the clusters (irN).", least=0)
    threads: int | None = setting(None, identity=False, least=1)

    def check(self) -> None:
        kind_of_name(self.name)

    @property
    def label(self) -> str:
        return self.name

    def build(self, path: Path, report: Callable[[int, int], None] | None = None) -> None:
        """Build the buckets and write them to `path`; `report` is called with (done, total) for each stage."""
        n_boards = self.boards or None
        made = build_buckets(
            self.name,
            n_boards=n_boards,
            seed=self.seed,
            workers=self.threads,
            report=None if report is None else lambda stage, done, total: report(done, total),
        )
        save_buckets(made, path, command=command(self.name, n_boards=n_boards, seed=self.seed))
